//! `eddyline render`: pictures without a window.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};

use super::output::write_whole;
use crate::canvas::Canvas;
use crate::canvas::cpu::CpuCanvas;
use crate::picture::{Picture, extent};
use crate::pool::Pool;
use crate::record::{Pixels, png, y4m};
use crate::settings::{Settings, USUAL_FPS};
use crate::timeline::Timeline;

/// Steps between two marks of the progress bar.
const MARK: i64 = 20;

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

/// When each frame is: exact, whatever the frame rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    /// Time of frame 0 in nanoseconds.
    start: i128,
    /// Frames per 1000 s.
    rate: i128,
}

impl Clock {
    /// A clock whose frame 0 is at `start`, with `fps` frames per second to three decimals; 0 takes 60.
    pub fn new(start: Duration, fps: f64) -> Clock {
        let fps = if fps == 0.0 { USUAL_FPS } else { fps };
        Clock {
            start: start.as_nanos() as i128,
            rate: ((fps * 1000.0).round() as i128).max(1),
        }
    }

    /// A clock for one frame.
    pub fn at(start: Duration) -> Clock {
        Clock::new(start, 0.0)
    }

    /// Frames per second as a fraction.
    pub fn fps(&self) -> [i128; 2] {
        if self.rate % 1000 == 0 {
            [self.rate / 1000, 1]
        } else {
            [self.rate, 1000]
        }
    }

    /// How many frames fill a length of time; at least 1.
    pub fn frames(&self, length: Duration) -> u64 {
        let thousandths = length.as_nanos() as i128 * self.rate;
        ((thousandths + 500_000_000_000) / 1_000_000_000_000).max(1) as u64
    }

    /// The whole step and the fraction of the next at which a frame is.
    pub fn time_of(&self, frame: u64) -> (i64, f32) {
        // Steps, in units of 1 / (10^9 * rate).
        let position = (self.start * self.rate + i128::from(frame) * 1_000_000_000_000) * 60;
        let unit = 1_000_000_000 * self.rate;
        let fraction = (position % unit) as f64 / unit as f64;
        // A fraction just under 1 may round up to it.
        (
            (position / unit) as i64,
            (fraction as f32).min(1.0 - f32::EPSILON / 2.0),
        )
    }
}

/// Renders what was asked for.
///
/// # Errors
///
/// When threads cannot be started or a file cannot be written.
pub fn run(options: &Options) -> anyhow::Result<()> {
    let world = options
        .size
        .map(|side| f64::from(side) / f64::from(options.scale));
    let timeline = Timeline::new(options.settings, world);
    let clock = Clock::new(options.at, options.settings.fps());
    let mut extent = extent(world, options.scale);
    [extent.width, extent.height] = options.size;
    let canvas = CpuCanvas::new(extent, Pool::new(options.threads)?);
    let picture = Picture::new(timeline, Pool::new(options.threads)?);
    let frames = match options.target {
        Target::Still(_) => 1,
        _ => clock.frames(options.length),
    };
    let mut renderer = Renderer {
        picture,
        canvas,
        clock,
        bar: bar(),
    };
    renderer.begin(frames);
    match &options.target {
        Target::Still(path) => renderer.write_png(path, 0)?,
        Target::Numbered(pattern) => renderer.write_numbered(pattern, frames)?,
        Target::Y4m => renderer.write_y4m(frames)?,
    }
    renderer.bar.finish_and_clear();
    Ok(())
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
}

impl Renderer {
    /// Paints the canvas before the first of `frames` frames.
    fn begin(&mut self, frames: u64) {
        let (step, _) = self.clock.time_of(0);
        let begin = self.picture.begin_warm(&mut self.canvas, step);
        self.bar.set_length((step - begin) as u64);
        self.bar.set_message("warming up");
        while self.picture.step() < step {
            self.picture
                .advance(&mut self.canvas, step.min(self.picture.step() + MARK));
            self.bar.set_position((self.picture.step() - begin) as u64);
        }
        self.bar.set_length(frames);
        self.bar.set_position(0);
        self.bar.set_message("frames");
    }

    /// Makes one frame; its pixels are the canvas's.
    fn frame(&mut self, number: u64) {
        let (step, fraction) = self.clock.time_of(number);
        self.picture.advance(&mut self.canvas, step);
        self.picture.present(&mut self.canvas, fraction);
        self.bar.set_position(number + 1);
    }

    fn pixels(&self) -> Pixels<'_> {
        let extent = self.canvas.extent();
        Pixels {
            width: extent.width,
            height: extent.height,
            rgba: self.canvas.pixels(),
        }
    }

    fn write_png(&mut self, path: &Path, number: u64) -> anyhow::Result<()> {
        self.frame(number);
        write_whole(path, |file| png::write(file, self.pixels()))
    }

    fn write_numbered(&mut self, pattern: &Pattern, frames: u64) -> anyhow::Result<()> {
        if let Some(folder) = pattern.path(0).parent() {
            std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        }
        (0..frames).try_for_each(|number| self.write_png(&pattern.path(number), number))
    }

    fn write_y4m(&mut self, frames: u64) -> anyhow::Result<()> {
        let mut stdout = io::BufWriter::with_capacity(1 << 20, io::stdout().lock());
        y4m::write_header(&mut stdout, self.pixels(), self.clock.fps()).context("stdout")?;
        for number in 0..frames {
            self.frame(number);
            y4m::write_frame(&mut stdout, self.pixels()).context("stdout")?;
        }
        stdout.flush().context("stdout")
    }
}

#[cfg(test)]
mod tests;
