//! `eddyline measure`: what a step and a frame cost on this machine, stage by stage.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use anyhow::Context;

use super::process;
use super::render::camera::{self, Lens};
use super::render::check_memory;
use super::signal::Interrupt;
use crate::canvas::cpu::CpuCanvas;
use crate::canvas::gpu::{Path, WantedPath};
use crate::canvas::{Canvas, Extent};
use crate::picture::{Picture, extent};
use crate::pool::Pool;
use crate::settings::{Painter, Settings};
use crate::simd::Level;
use crate::timeline::Timeline;

mod fields;
mod floor;
mod report;
mod stages;
mod windowed;

use report::Report;
use stages::{NoCanvas, Stages, Timed};

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
    /// Whether in a window, whose size is then measured.
    pub window: bool,
    /// Whether steps of every mode and noise are measured instead.
    pub fields: bool,
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

    /// What has to paint a window of it.
    fn painter(self) -> Painter {
        match self {
            Kind::Cpu => Painter::Cpu,
            Kind::Gpu | Kind::None => Painter::Gpu,
        }
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
    if options.fields {
        return fields::run(options, &pool, &interrupt);
    }
    let window = options.size.map(f64::from);
    let timeline = Timeline::new(options.settings, window);
    let measurement = Measurement::new(Picture::new(timeline, pool.clone()), options, interrupt);
    let (measurement, way) = measured(measurement, options, &pool)?;
    let memory = process::peak_memory();
    let Measurement {
        picture,
        stages,
        cpu,
        size,
        ..
    } = measurement;
    let report = Report {
        size,
        canvas: options.canvas.name(),
        way,
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

/// Measures on what is asked for; returns how that draws, too, where it is a driver's or a window's.
fn measured(
    measurement: Measurement,
    options: &Options,
    pool: &Pool,
) -> anyhow::Result<(Measurement, Option<String>)> {
    let extent = extent(options.size.map(f64::from), 1.0);
    match options.canvas {
        _ if options.window => {
            let (measurement, painter) = windowed::run(measurement, options)?;
            Ok((measurement, Some(painter)))
        }
        Kind::Cpu => {
            let size = [extent.width, extent.height];
            check_memory(size, camera::bytes(size, &Lens::PLAIN))?;
            let mut canvas = CpuCanvas::new(extent, pool.clone());
            let measurement = measurement.run(|frame| {
                frame(&mut canvas);
                Ok(Duration::ZERO)
            })?;
            Ok((measurement, None))
        }
        Kind::None => {
            let measurement = measurement.run(|frame| {
                frame(&mut NoCanvas { extent });
                Ok(Duration::ZERO)
            })?;
            Ok((measurement, None))
        }
        Kind::Gpu => {
            let (measurement, path) = on_gpu(measurement, extent, options.path)?;
            Ok((measurement, Some(path.to_string())))
        }
    }
}

/// Measures on the GPU without a window; returns the way in which that draws, too.
#[cfg(target_os = "linux")]
fn on_gpu(
    measurement: Measurement,
    extent: Extent,
    path: WantedPath,
) -> anyhow::Result<(Measurement, Path)> {
    use crate::canvas::gpu::GpuState;
    use crate::host::offscreen::Offscreen;

    let mut offscreen = Offscreen::new()?;
    let mut state = GpuState::new(offscreen.context(), extent, path)?;
    let path = state.path();
    let outcome = measurement.run(|frame| {
        let mut canvas = state.bind(offscreen.context());
        frame(&mut canvas);
        // So far the driver may only have taken down what is to be done.
        let begin = Instant::now();
        canvas.finish()?;
        Ok(begin.elapsed())
    });
    let checked = state.bind(offscreen.context()).check();
    state.delete(offscreen.context());
    let measurement = outcome?;
    checked?;
    Ok((measurement, path))
}

#[cfg(not(target_os = "linux"))]
fn on_gpu(_: Measurement, _: Extent, _: WantedPath) -> anyhow::Result<(Measurement, Path)> {
    anyhow::bail!("--canvas gpu: only Linux draws without a display; try --window")
}

/// A picture that is painted against the clock.
struct Measurement {
    picture: Picture,
    length: Duration,
    interrupt: Interrupt,
    /// Width and height of what was painted last, in px.
    size: [u32; 2],
    /// Frames so far, and when those that count began, with what the process had used by then.
    frames: usize,
    begin: (Instant, Duration),
    /// What each frame that counts took.
    stages: Vec<Stages>,
    /// What all of them took of all processors.
    cpu: Duration,
}

impl Measurement {
    fn new(picture: Picture, options: &Options, interrupt: Interrupt) -> Measurement {
        Measurement {
            picture,
            length: options.length,
            interrupt,
            size: options.size,
            frames: 0,
            begin: (Instant::now(), Duration::ZERO),
            stages: Vec::new(),
            cpu: Duration::ZERO,
        }
    }

    /// Paints frame after frame until the time is over. `with_canvas` lends a canvas for one frame, finishes what it was
    /// given, and says how long that took.
    fn run(
        mut self,
        mut with_canvas: impl FnMut(&mut dyn FnMut(&mut dyn Canvas)) -> anyhow::Result<Duration>,
    ) -> anyhow::Result<Measurement> {
        self.picture.seek(0);
        while self.goes_on()? {
            let mut stages = Stages::default();
            let driver = with_canvas(&mut |canvas| stages = self.paint(canvas))?;
            stages.wait(driver);
            self.stages.push(stages);
        }
        self.end();
        Ok(self)
    }

    /// Whether another frame is to be painted.
    fn goes_on(&mut self) -> anyhow::Result<bool> {
        anyhow::ensure!(!self.interrupt.is_raised(), "interrupted");
        if self.frames == WARM_UP {
            self.begin = (Instant::now(), process::cpu_time());
            self.stages.clear();
        }
        self.frames += 1;
        let is_enough = self.frames > WARM_UP + FEWEST && self.begin.0.elapsed() >= self.length;
        Ok(!is_enough)
    }

    /// Makes one step and one frame.
    fn paint(&mut self, canvas: &mut dyn Canvas) -> Stages {
        let (picture, mut stages) = (&mut self.picture, Stages::default());
        let begin = Instant::now();
        picture.paint_pending(&mut Timed {
            canvas,
            stages: &mut stages,
        });
        let painted = Instant::now();
        picture.refresh_field();
        let refreshed = Instant::now();
        picture.carry_particles();
        stages.field = refreshed - painted;
        stages.particles = refreshed.elapsed();
        picture.present(
            &mut Timed {
                canvas,
                stages: &mut stages,
            },
            0.0,
        );
        stages.frame = begin.elapsed();
        let Extent { width, height, .. } = canvas.extent();
        self.size = [width, height];
        stages
    }

    /// Takes down what the process used for all frames.
    fn end(&mut self) {
        self.cpu = process::cpu_time().saturating_sub(self.begin.1);
    }
}
