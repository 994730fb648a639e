//! `eddyline render`: pictures without a window.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};

use super::clock::Clock;
use super::output::Whole;
use super::signal::Interrupt;
use crate::canvas::cpu::CpuCanvas;
use crate::canvas::{Canvas, Extent};
use crate::picture::Picture;
use crate::pool::Pool;
use crate::record::{Pixels, png, y4m};
use crate::settings::Settings;
use crate::simd::Level;
use crate::timeline::Timeline;

/// What to write.
#[derive(Debug)]
pub struct Options {
    /// The look.
    pub settings: Settings,
    /// Where to.
    pub target: Target,
    /// Device px.
    pub size: [u32; 2],
    /// Device px per logical px.
    pub scale: f32,
    /// Time of the first frame since the start.
    pub at: Duration,
    /// Length of many frames.
    pub length: Duration,
    /// 0 for one per processor.
    pub threads: usize,
    /// The level of the kernels.
    pub level: Level,
}

/// Where pictures go.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// One PNG file.
    Still(PathBuf),
    /// PNG files, numbered from 0.
    Numbered(Pattern),
    /// Y4M video on stdout.
    Y4m,
}

/// A path with one `%0Nd` for the frame's number in its file name.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    before: String,
    digits: usize,
    after: String,
}

/// Why a path says nothing about what to write.
#[derive(Debug, PartialEq, thiserror::Error)]
pub enum TargetError {
    /// Not a format that is written.
    #[error(
        "{0}: the ending must be .png, for many frames like frames/%05d.png; - is Y4M video on stdout"
    )]
    Ending(String),
    /// A percent sign that is no number.
    #[error("{0}: one number like %05d in the file name, and no other percent sign")]
    Pattern(String),
    /// A name that cannot be written with a number in it.
    #[error("{0}: the name of many frames must be UTF-8")]
    NotUnicode(String),
}

impl Target {
    /// What a path asks for.
    ///
    /// # Errors
    ///
    /// When the ending is not known, or a number is not written like `%05d`.
    pub fn from_path(path: &Path) -> Result<Target, TargetError> {
        if path.as_os_str() == "-" {
            return Ok(Target::Y4m);
        }
        let text = path.to_string_lossy();
        if !path
            .extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("png"))
        {
            return Err(TargetError::Ending(text.into_owned()));
        }
        if !path
            .file_name()
            .is_some_and(|name| name.to_string_lossy().contains('%'))
        {
            return Ok(Target::Still(path.to_owned()));
        }
        if path.to_str().is_none() {
            return Err(TargetError::NotUnicode(text.into_owned()));
        }
        Pattern::parse(&text)
            .map(Target::Numbered)
            .ok_or_else(|| TargetError::Pattern(text.into_owned()))
    }
}

impl Pattern {
    fn parse(text: &str) -> Option<Pattern> {
        let (before, rest) = text.split_once('%')?;
        let (digits, after) = rest.split_once('d')?;
        let plain = !after.contains(['%', '/'])
            && digits.bytes().all(|byte| byte.is_ascii_digit())
            && digits.len() <= 3;
        let digits = if digits.is_empty() {
            1
        } else {
            digits.strip_prefix('0')?.parse().ok()?
        };
        (plain && digits <= 20).then(|| Pattern {
            before: before.to_owned(),
            digits,
            after: after.to_owned(),
        })
    }

    /// Creates the folder, where it is missing, and the file of the first frame.
    fn create_first(&self) -> anyhow::Result<Whole> {
        let path = self.path(0);
        if let Some(folder) = path
            .parent()
            .filter(|folder| !folder.is_dir() && !folder.as_os_str().is_empty())
        {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("{}: cannot make the folder", folder.display()))?;
        }
        Whole::create(&path)
    }

    /// The file of a frame.
    pub fn path(&self, frame: u64) -> PathBuf {
        PathBuf::from(format!(
            "{}{frame:0digits$}{}",
            self.before,
            self.after,
            digits = self.digits
        ))
    }
}

/// Renders what was asked for.
///
/// # Errors
///
/// When threads cannot be started, memory does not suffice, the system asks for an end, or a file cannot be written.
pub fn run(options: &Options) -> anyhow::Result<()> {
    let Options {
        settings,
        size: [width, height],
        scale,
        ..
    } = *options;
    let interrupt = Interrupt::listen().context("cannot listen for signals")?;
    let clock = Clock::new(options.at, settings.fps());
    let (first, frames) = match &options.target {
        Target::Still(path) => (Some(Whole::create(path)?), 1),
        Target::Numbered(pattern) => (Some(pattern.create_first()?), clock.frames(options.length)),
        Target::Y4m => (None, clock.frames(options.length)),
    };
    check_memory(width, height)?;
    let pool = Pool::new(options.threads)?.with_level(options.level);
    let world = [width, height].map(|side| f64::from(side) / f64::from(scale));
    let mut renderer = Renderer {
        picture: Picture::new(Timeline::new(settings, world), pool.clone()),
        canvas: CpuCanvas::new(
            Extent {
                width,
                height,
                scale,
            },
            pool,
        ),
        clock,
        bar: bar(),
        interrupt,
    };
    renderer.begin(frames)?;
    if let Some(first) = first {
        renderer.write_png(first, 0)?;
    }
    match &options.target {
        Target::Still(_) => (),
        Target::Numbered(pattern) => renderer.write_rest(pattern, frames)?,
        Target::Y4m => renderer.write_y4m(frames)?,
    }
    renderer.bar.finish_and_clear();
    Ok(())
}

/// Asks for the memory that a picture will need, and gives it back: later, the answer would be an abort.
pub(super) fn check_memory(width: u32, height: u32) -> anyhow::Result<()> {
    // Light, light between two steps, RGBA and RGB.
    let bytes = u64::from(width) * u64::from(height) * (16 + 16 + 4 + 3);
    let memory = Vec::<u8>::new().try_reserve_exact(bytes as usize);
    memory.map_err(|_| {
        anyhow::anyhow!("not enough memory for {width}x{height}; try a smaller --size")
    })
}

/// A bar on stderr where that is a terminal.
fn bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}")
        .expect("the template is constant");
    ProgressBar::new(0).with_style(style)
}

/// A picture on its way into files.
struct Renderer {
    picture: Picture,
    canvas: CpuCanvas,
    clock: Clock,
    bar: ProgressBar,
    interrupt: Interrupt,
}

impl Renderer {
    /// Paints the canvas before the first of `frames` frames.
    fn begin(&mut self, frames: u64) -> anyhow::Result<()> {
        let (step, _) = self.clock.time_of(0);
        let begin = self.picture.begin_warm(&mut self.canvas, step);
        self.bar.set_length((step - begin) as u64);
        self.bar.set_message("warming up");
        while self.picture.step() < step {
            self.go_on()?;
            self.picture
                .advance(&mut self.canvas, self.picture.step() + 1);
            self.bar.set_position((self.picture.step() - begin) as u64);
        }
        self.bar.set_length(frames);
        self.bar.set_position(0);
        self.bar.set_message("frames");
        Ok(())
    }

    /// An error where the system asked for an end: what is under way is then cleaned up.
    fn go_on(&self) -> anyhow::Result<()> {
        anyhow::ensure!(!self.interrupt.is_raised(), "interrupted");
        Ok(())
    }

    /// Makes one frame; its pixels are the canvas's.
    fn frame(&mut self, number: u64) -> anyhow::Result<()> {
        self.go_on()?;
        let (step, fraction) = self.clock.time_of(number);
        self.picture.advance(&mut self.canvas, step);
        self.picture.present(&mut self.canvas, fraction);
        self.bar.set_position(number + 1);
        Ok(())
    }

    fn pixels(&self) -> Pixels<'_> {
        let Extent { width, height, .. } = self.canvas.extent();
        Pixels {
            width,
            height,
            rgba: self.canvas.pixels(),
        }
    }

    fn write_png(&mut self, file: Whole, number: u64) -> anyhow::Result<()> {
        self.frame(number)?;
        file.write(|file| png::write(file, self.pixels()))
    }

    fn write_rest(&mut self, pattern: &Pattern, frames: u64) -> anyhow::Result<()> {
        (1..frames)
            .try_for_each(|number| self.write_png(Whole::create(&pattern.path(number))?, number))
    }

    fn write_y4m(&mut self, frames: u64) -> anyhow::Result<()> {
        let mut stdout = io::BufWriter::with_capacity(1 << 20, io::stdout().lock());
        y4m::write_header(&mut stdout, self.pixels(), self.clock.fps()).context("stdout")?;
        for number in 0..frames {
            self.frame(number)?;
            y4m::write_frame(&mut stdout, self.pixels()).context("stdout")?;
        }
        stdout.flush().context("stdout")
    }
}

#[cfg(test)]
mod tests;
