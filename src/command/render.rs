//! `eddyline render`: pictures and films without a window.

use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::Context;

use self::camera::{Camera, Lens, Setup};
use self::target::Target;
use super::clock::Clock;
use super::framing::{Fit, Framing};
use super::output::{AlreadyThere, Existing, Whole};
use super::progress::{Audience, Progress};
use super::signal::Interrupt;
use crate::pool::Pool;
use crate::record::{Depth, ffmpeg};
use crate::simd::Level;
use crate::take::{Shot, Take};
use crate::timeline::{Change, Show};

pub mod camera;
pub mod plot;
mod reel;
mod sequence;
mod still;
pub mod target;

/// What to write.
#[derive(Debug)]
pub struct Options {
    /// What is shown.
    pub show: Show,
    /// Where to.
    pub target: Target,
    /// What happens to files that are there.
    pub existing: Existing,
    /// Device px.
    pub size: [u32; 2],
    /// How a window of another aspect is shown.
    pub fit: Fit,
    /// When frames are.
    pub clock: Clock,
    /// Which are made.
    pub frames: Range<u64>,
    /// Frames of a loop; 0 where there is none.
    pub loop_frames: u64,
    /// How often an animated picture is played; 0 for ever.
    pub plays: u16,
    /// How light becomes frames.
    pub lens: Lens,
    /// What frames are made as.
    pub depth: Depth,
    /// How ffmpeg is asked to encode, where it is.
    pub encoder: Encoder,
    /// Dots per inch of paper, where there is paper.
    pub dpi: Option<f64>,
    /// The paper of a plot.
    pub sheet: plot::Sheet,
    /// Where the take is written to, too.
    pub save_take: Option<PathBuf>,
    /// Who is told how far it is.
    pub audience: Audience,
    /// Threads that encode, at least 1.
    pub jobs: usize,
    /// Threads that paint; 0 for one per processor.
    pub threads: usize,
    /// The level of the kernels.
    pub level: Level,
}

/// What ffmpeg is asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Encoder {
    /// The name of its encoder.
    pub codec: Option<String>,
    /// Its constant rate factor.
    pub crf: Option<u32>,
    /// Its preset.
    pub preset: Option<String>,
    /// Whether planes have 10 bits.
    pub is_deep: bool,
    /// Whether colors are as fine as light.
    pub is_full: bool,
    /// Anything else, just before the output.
    pub arguments: Vec<String>,
}

impl Options {
    /// How the picture is turned into frames.
    fn shot(&self) -> Shot {
        let window = self.show.first().start().1.window;
        let frames = [self.frames.start, self.frames.end];
        Shot {
            loop_frames: self.loop_frames,
            ..self.framing().shot(window, &self.clock, frames)
        }
    }

    fn framing(&self) -> Framing {
        Framing {
            size: self.size,
            fit: self.fit,
        }
    }

    /// Everything that the frames are made from.
    fn take(&self) -> Take {
        let last = self.frames.end.saturating_sub(1);
        Take {
            show: self.show.clone(),
            end: self.clock.time_of(last).0 + 1,
            shot: Some(self.shot()),
        }
    }

    fn take_text(&self) -> String {
        self.take().written()
    }

    /// An error where one of the files is there and to be kept.
    fn refuse_existing(&self, paths: impl IntoIterator<Item = PathBuf>) -> anyhow::Result<()> {
        if self.existing == Existing::Keep {
            for path in paths {
                if path.symlink_metadata().is_ok_and(|file| file.is_file()) {
                    anyhow::bail!(AlreadyThere(path.display().to_string()));
                }
            }
        }
        Ok(())
    }

    fn ffmpeg(&self, path: &Path, [width, height]: [u32; 2], fps: [u32; 2]) -> ffmpeg::Options {
        let Encoder {
            codec,
            crf,
            preset,
            is_deep,
            is_full,
            arguments,
        } = self.encoder.clone();
        ffmpeg::Options {
            path: path.to_owned(),
            program: "ffmpeg".into(),
            width,
            height,
            fps,
            depth10: is_deep,
            full_chroma: is_full,
            codec,
            crf,
            preset,
            arguments,
            take: self.take_text(),
            replace: self.existing == Existing::Replace,
            level: self.level,
            patience: ffmpeg::PATIENCE,
        }
    }
}

/// Renders what was asked for.
///
/// # Errors
///
/// When threads cannot be started, memory does not suffice, the system asks for an end, or a file cannot be written.
pub fn run(options: &Options) -> anyhow::Result<()> {
    let pool = Pool::new(options.threads)?.with_level(options.level);
    // Before the first file: whatever comes from now on leaves none behind.
    let stage = Stage::begin(options)?;
    let save = match &options.save_take {
        Some(path) => Some(Whole::create(path, options.existing)?),
        None => None,
    };
    let setup = Setup {
        show: options.show.clone(),
        clock: options.clock,
        framing: options.framing(),
        lens: options.lens,
        depth: options.depth,
    };
    match &options.target {
        Target::Still(path) => still::run(options, &setup, path, &pool, stage)?,
        Target::Plot(path) => plot::run(options, path, &pool, &stage)?,
        _ => reel::run(options, &setup, &pool, stage)?,
    }
    match save {
        Some(file) => file.write(|file| file.write_all(options.take_text().as_bytes())),
        None => Ok(()),
    }
}

/// Asks for the memory that a picture of so many px will need, and gives it back: later, the answer would be an abort.
pub(super) fn check_memory([width, height]: [u32; 2], bytes: u64) -> anyhow::Result<()> {
    let memory = Vec::<u8>::new().try_reserve_exact(bytes as usize);
    memory.map_err(|_| {
        anyhow::anyhow!("not enough memory for {width}x{height}; try a smaller --size")
    })
}

impl Setup {
    /// Whether the window changes its size.
    fn has_resizes(&self) -> bool {
        let window = self.show.first().start().1.window;
        self.show
            .events()
            .any(|event| matches!(event.change, Change::World(world) if world.window != window))
    }
}

/// A rendering under way, as the user and the system see it.
struct Stage {
    progress: Progress,
    interrupt: Interrupt,
}

impl Stage {
    fn begin(options: &Options) -> anyhow::Result<Stage> {
        Ok(Stage {
            progress: Progress::new(options.audience),
            interrupt: Interrupt::listen().context("cannot listen for signals")?,
        })
    }

    /// An error where the system asked for an end: what is under way is then brought to an end.
    fn go_on(&self) -> anyhow::Result<()> {
        anyhow::ensure!(!self.interrupt.is_raised(), "interrupted");
        Ok(())
    }

    /// Paints a camera's canvas before a frame, the first of so many.
    fn warm(&mut self, camera: &mut Camera, frame: u64, frames: u64) -> anyhow::Result<()> {
        let steps = camera.begin_warm(frame);
        self.progress.begin("warming up", steps);
        for step in 0..steps {
            self.go_on()?;
            camera.warm_on();
            self.progress.set(step + 1, 0);
        }
        self.progress.begin("frames", frames);
        Ok(())
    }

    fn set(&mut self, frames: u64, bytes: u64) {
        self.progress.set(frames, bytes);
    }

    fn finish(&self, frames: u64, bytes: u64) {
        self.progress.finish(frames, bytes);
    }
}
