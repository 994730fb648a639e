//! `eddyline measure`: what a step and a frame cost on this machine, stage by stage.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use anyhow::Context;

use super::process;
use super::render::check_memory;
use super::signal::Interrupt;
use crate::canvas::cpu::CpuCanvas;
use crate::canvas::gpu::{Path, WantedPath};
use crate::canvas::{Canvas, Extent};
use crate::picture::{Picture, extent};
use crate::pool::Pool;
use crate::settings::Settings;
use crate::simd::Level;
use crate::timeline::Timeline;

mod floor;
mod report;
mod stages;
#[cfg(target_os = "linux")]
mod uploading;

use report::Report;
use stages::{Apart, NoCanvas, Stages, Timed};

/// Frames before the first that counts: memory is taken and caches are filled.
const WARM_UP: usize = 5;

/// Fewest frames that count, however long they take.
const FEWEST: usize = 5;

/// What to measure.
#[derive(Debug)]
pub struct Options {
    /// The look.
    pub settings: Settings,
    /// The window in logical px, which are device px.
    pub size: [u32; 2],
    /// What is painted on.
    pub canvas: Kind,
    /// For how long.
    pub length: Duration,
    /// 0 for one per processor.
    pub threads: usize,
    /// The level of the kernels.
    pub level: Level,
    /// The way in which the GPU is to draw.
    pub path: WantedPath,
}

/// What a measured picture is painted on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The reference canvas.
    Cpu,
    /// The live canvas, without a display.
    Gpu,
    /// Nothing: steps alone.
    None,
}

impl Kind {
    /// All, by their names on the command line.
    pub const ALL: [(&str, Kind); 3] =
        [("cpu", Kind::Cpu), ("gpu", Kind::Gpu), ("none", Kind::None)];

    fn name(self) -> &'static str {
        let found = Kind::ALL.iter().find(|(_, kind)| *kind == self);
        found.expect("every kind has a name").0
    }
}

/// Measures, and prints a table and a line of `key=value` pairs.
///
/// # Errors
///
/// When threads cannot be started, memory does not suffice, there is no driver for the GPU canvas, the system asks for
/// an end, or the table cannot be written.
pub fn run(options: &Options) -> anyhow::Result<()> {
    let interrupt = Interrupt::listen().context("cannot listen for signals")?;
    let pool = Pool::new(options.threads)?.with_level(options.level);
    let window = options.size.map(f64::from);
    let timeline = Timeline::new(options.settings, window);
    let mut measurement = Measurement {
        picture: Picture::new(timeline, pool.clone()),
        length: options.length,
        interrupt,
        stages: Vec::new(),
        cpu: Duration::ZERO,
    };
    let extent = extent(window, 1.0);
    let mut path = None;
    match options.canvas {
        Kind::Cpu => {
            check_memory(extent.width, extent.height)?;
            let mut canvas = CpuCanvas::new(extent, pool.clone());
            measurement.run(|frame| {
                frame(&mut canvas);
                Ok(Apart::default())
            })?;
        }
        Kind::None => measurement.run(|frame| {
            frame(&mut NoCanvas { extent });
            Ok(Apart::default())
        })?,
        Kind::Gpu => path = Some(on_gpu(&mut measurement, extent, options.path)?),
    }
    let memory = process::peak_memory();
    let Measurement {
        picture,
        stages,
        cpu,
        ..
    } = measurement;
    let report = Report {
        size: options.size,
        canvas: options.canvas.name(),
        path,
        threads: pool.threads(),
        level: options.level,
        window_particles: options.settings.window_particles(window[0] * window[1]),
        particles: picture.simulation().particles().living(),
        nodes: picture.simulation().field().nodes(),
        cpu: cpu / stages.len() as u32,
        stages,
        memory,
        floor: floor::per_particle(picture.simulation().particles().len(), &pool),
    };
    drop(picture);
    let mut stdout = io::stdout().lock();
    report
        .write(&mut stdout)
        .and_then(|()| stdout.flush())
        .context("stdout")
}

#[cfg(target_os = "linux")]
fn on_gpu(measurement: &mut Measurement, extent: Extent, path: WantedPath) -> anyhow::Result<Path> {
    use uploading::Uploading;

    use crate::canvas::gpu::GpuState;
    use crate::host::offscreen::Offscreen;

    let mut offscreen = Offscreen::new()?;
    let mut state = GpuState::new(offscreen.context(), extent, path)?;
    let path = state.path();
    let outcome = measurement.run(|frame| {
        let mut canvas = Uploading::onto(state.bind(offscreen.context()));
        frame(&mut canvas);
        // So far the driver may only have taken down what is to be done.
        let begin = Instant::now();
        canvas.finish()?;
        Ok(Apart {
            upload: canvas.upload(),
            driver: begin.elapsed(),
        })
    });
    let checked = state.bind(offscreen.context()).check();
    state.delete(offscreen.context());
    outcome?;
    checked?;
    Ok(path)
}

#[cfg(not(target_os = "linux"))]
fn on_gpu(_: &mut Measurement, _: Extent, _: WantedPath) -> anyhow::Result<Path> {
    anyhow::bail!("--canvas gpu: only Linux draws without a display; try --canvas cpu")
}

/// A picture that is painted against the clock.
struct Measurement {
    picture: Picture,
    length: Duration,
    interrupt: Interrupt,
    /// What each frame took.
    stages: Vec<Stages>,
    /// What all of them took of all processors.
    cpu: Duration,
}

impl Measurement {
    /// Paints frame after frame until the time is over. `with_canvas` lends a canvas for one frame, finishes what it was
    /// given, and says what can only be measured there.
    fn run(
        &mut self,
        mut with_canvas: impl FnMut(&mut dyn FnMut(&mut dyn Canvas)) -> anyhow::Result<Apart>,
    ) -> anyhow::Result<()> {
        self.picture.seek(0);
        let (mut begin, mut cpu) = (Instant::now(), process::cpu_time());
        for frame in 0.. {
            anyhow::ensure!(!self.interrupt.is_raised(), "interrupted");
            if frame == WARM_UP {
                (begin, cpu) = (Instant::now(), process::cpu_time());
                self.stages.clear();
            }
            if frame >= WARM_UP + FEWEST && begin.elapsed() >= self.length {
                break;
            }
            let picture = &mut self.picture;
            let mut stages = Stages::default();
            let Apart { upload, driver } =
                with_canvas(&mut |canvas| paint(picture, canvas, &mut stages))?;
            stages.upload = upload;
            stages.driver = driver;
            stages.frame += driver;
            self.stages.push(stages);
        }
        self.cpu = process::cpu_time().saturating_sub(cpu);
        Ok(())
    }
}

/// One step and one frame.
fn paint(picture: &mut Picture, canvas: &mut dyn Canvas, stages: &mut Stages) {
    let begin = Instant::now();
    picture.paint_pending(&mut Timed { canvas, stages });
    let painted = Instant::now();
    picture.refresh_field();
    let refreshed = Instant::now();
    picture.carry_particles();
    stages.field = refreshed - painted;
    stages.particles = refreshed.elapsed();
    picture.present(&mut Timed { canvas, stages }, 0.0);
    stages.frame = begin.elapsed();
}
