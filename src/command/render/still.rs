//! One picture, of any size: what is too large for the memory is painted in bands, each of which replays the water.

use std::path::Path;

use super::camera::{self, Camera, Lens, Setup};
use super::{Options, Stage, check_memory};
use crate::command::output::Whole;
use crate::pool::Pool;
use crate::record::png::Rows;

/// Bytes that the canvas and the frame may take.
const BUDGET: u64 = 512 << 20;

/// Rows of a frame that are painted at once.
fn band_rows([width, height]: [u32; 2], lens: &Lens) -> u32 {
    (BUDGET / camera::bytes([width, 1], lens)).clamp(1, height.into()) as u32
}

/// Renders frame 0 into one PNG file.
///
/// # Errors
///
/// When the system asks for an end, or the file cannot be written.
pub(super) fn run(
    options: &Options,
    setup: &Setup,
    path: &Path,
    pool: &Pool,
    mut stage: Stage,
) -> anyhow::Result<()> {
    let file = Whole::create(path, options.existing)?;
    let [width, height] = setup.framing.size;
    let rows = band_rows(setup.framing.size, &setup.lens);
    if rows < height {
        let extent = setup.canvas(setup.show.first().start().1.window);
        let is_filled = [extent.width, extent.height]
            == setup.framing.size.map(|side| side * setup.lens.supersample)
            && !setup.has_resizes();
        anyhow::ensure!(
            is_filled,
            "--size {width}x{height}: a picture this large shows one window of its own aspect, without bars or cuts"
        );
    }
    let bytes = camera::bytes([width, rows], &setup.lens);
    check_memory(setup.framing.size, bytes)?;
    let take = options.take_text();
    file.write(|file| {
        let mut out = Rows::begin(file, width, height, setup.depth, options.dpi, &take)?;
        for top in (0..height).step_by(rows as usize) {
            let band = top..(top + rows).min(height);
            let mut camera = if rows == height {
                Camera::new(setup.clone(), pool.clone())
            } else {
                Camera::of_rows(setup.clone(), band, pool.clone())
            };
            stage.warm(&mut camera, options.frames.start, 1)?;
            out.write(camera.shoot(options.frames.start))?;
        }
        anyhow::Ok(out.finish()?)
    })?;
    stage.finish(1, std::fs::metadata(path).map_or(0, |file| file.len()));
    Ok(())
}
