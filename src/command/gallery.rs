//! `eddyline gallery`: a picture of every preset, and all of them on one sheet.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;

use super::clock::Clock;
use super::output::{Existing, Whole};
use crate::canvas::cpu::CpuCanvas;
use crate::canvas::exposure::Exposure;
use crate::picture::{Picture, extent};
use crate::pool::Pool;
use crate::record::{Frame, Pixels, png};
use crate::settings::preset::{EMBEDDED, Preset};
use crate::simd::Level;
use crate::take::beginning;
use crate::timeline::Timeline;

/// The window whose looks are shown, in logical px: that which they are made for.
const WINDOW: [f64; 2] = [1920.0, 1080.0];

/// Pictures in a row of the sheet.
const COLUMNS: usize = 4;

/// Px of a picture, in each direction, for one on the sheet.
const SMALLER: u32 = 2;

/// The name of the sheet.
const SHEET: &str = "sheet.png";

/// What to write.
#[derive(Debug)]
pub struct Options {
    /// The folder, which is made where it is missing.
    pub folder: PathBuf,
    /// What happens to files that are there.
    pub existing: Existing,
    /// Width of each picture in px; its height follows.
    pub width: u32,
    /// Time since the start.
    pub at: Duration,
    /// Threads that paint; 0 for one per processor.
    pub threads: usize,
    /// The level of the kernels.
    pub level: Level,
}

/// Writes NAME.png for every preset, and sheet.png with all of them in rows of four.
///
/// # Errors
///
/// When a file cannot be written, or one is there and is to be kept.
pub fn run(options: &Options) -> anyhow::Result<()> {
    let pool = Pool::new(options.threads)?.with_level(options.level);
    std::fs::create_dir_all(&options.folder)
        .with_context(|| options.folder.display().to_string())?;
    let scale = options.width as f32 / WINDOW[0] as f32;
    let size = extent(WINDOW, scale);
    let tile = [size.width / SMALLER, size.height / SMALLER];
    let rows = EMBEDDED.len().div_ceil(COLUMNS);
    let mut sheet = Sheet::new(tile, rows);
    for (number, (name, text)) in EMBEDDED.iter().enumerate() {
        let path = options.folder.join(format!("{name}.png"));
        let preset = Preset::parse(name, text)?;
        let timeline = Timeline::new(preset.settings, WINDOW);
        let (step, _) = Clock::at(options.at).time_of(0);
        let mut picture = Picture::new(timeline, pool.clone());
        let mut canvas = CpuCanvas::new(size, pool.clone());
        picture.warm(&mut canvas, step);
        picture.present(&mut canvas, 0.0);
        let take = beginning(picture.show(), None, step);
        write(
            &path,
            options.existing,
            canvas.pixels(),
            [size.width, size.height],
            &take,
        )?;
        let mut rgb = vec![[0.0; 3]; canvas.light().len()];
        canvas.develop(&picture.frame(0.0), &mut rgb);
        sheet.lay(number, &rgb, size.width as usize, &pool);
        super::say(&path.display().to_string());
    }
    let path = options.folder.join(SHEET);
    write(&path, options.existing, &sheet.pixels, sheet.size(), "")?;
    super::say(&path.display().to_string());
    Ok(())
}

fn write(
    path: &Path,
    existing: Existing,
    rgba: &[u8],
    [width, height]: [u32; 2],
    take: &str,
) -> anyhow::Result<()> {
    let file = Whole::create(path, existing)?;
    let frame = Frame::Codes(Pixels {
        width,
        height,
        rgba,
    });
    file.write(|file| png::save(file, frame, None, take))
}

/// Small pictures side by side.
struct Sheet {
    tile: [u32; 2],
    rows: usize,
    /// RGBA, row by row.
    pixels: Vec<u8>,
}

impl Sheet {
    fn new(tile: [u32; 2], rows: usize) -> Sheet {
        let [width, height] = tile.map(|side| side as usize);
        let px = [0, 0, 0, 255];
        Sheet {
            tile,
            rows,
            pixels: px.repeat(width * COLUMNS * height * rows),
        }
    }

    fn size(&self) -> [u32; 2] {
        let [width, height] = self.tile;
        [width * COLUMNS as u32, height * self.rows as u32]
    }

    /// Lays a developed picture of this width, half as large, at its place.
    fn lay(&mut self, number: usize, rgb: &[[f32; 3]], width: usize, pool: &Pool) {
        let [columns, lines] = self.tile.map(|side| side as usize);
        let factor = SMALLER as usize;
        // What makes no whole px of the sheet is left out.
        let cut: Vec<[f32; 3]> = rgb
            .chunks(width)
            .take(lines * factor)
            .flat_map(|row| &row[..columns * factor])
            .copied()
            .collect();
        let mut exposure = Exposure::new(self.tile[0], 0..self.tile[1], SMALLER);
        exposure.add(pool, &cut);
        let mut small = vec![0; columns * lines * 4];
        exposure.present(pool, &mut small);
        let (left, top) = (number % COLUMNS * columns, number / COLUMNS * lines);
        for (line, row) in small.chunks(columns * 4).enumerate() {
            let begin = ((top + line) * columns * COLUMNS + left) * 4;
            self.pixels[begin..begin + row.len()].copy_from_slice(row);
        }
    }
}
