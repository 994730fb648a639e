//! What one step and one frame cost, in one run: compare the rows with each other, not with another machine's.

use divan::Bencher;
use eddyline::canvas::cpu::CpuCanvas;
use eddyline::picture::{Picture, extent};
use eddyline::pool::Pool;
use eddyline::settings::preset::Preset;
use eddyline::settings::{Settings, Value, setting};
use eddyline::simulation::Simulation;
use eddyline::timeline::Timeline;

const WINDOW: [f64; 2] = [1920.0, 1080.0];

fn main() {
    divan::main();
}

/// The preset `original` with this many particles in the window.
fn settings(particles: u32) -> Settings {
    let mut settings = Preset::load("original").expect("it is embedded").settings;
    for name in ["particles", "particles_max"] {
        setting(name)
            .expect("it is in the table")
            .set(&mut settings, Value::Number(particles.into()));
    }
    settings
}

/// One step of the particles, on one thread and on two.
#[divan::bench(args = [2600, 50_000, 1_000_000], consts = [1, 2], sample_count = 20)]
fn step<const THREADS: usize>(bencher: Bencher, particles: u32) {
    let pool = Pool::new(THREADS).expect("threads start");
    let timeline = Timeline::new(settings(particles), WINDOW);
    let mut simulation = Simulation::new(&timeline, 0, &pool);
    bencher.bench_local(|| simulation.step(&timeline, &pool));
}

/// One step of picture and canvas: fade and strokes too.
#[divan::bench(args = [2600, 50_000], consts = [1, 2], sample_count = 20)]
fn advance<const THREADS: usize>(bencher: Bencher, particles: u32) {
    let [one, two] = [(); 2].map(|()| Pool::new(THREADS).expect("threads start"));
    let mut canvas = CpuCanvas::new(extent(WINDOW, 1.0), one);
    let mut picture = Picture::new(Timeline::new(settings(particles), WINDOW), two);
    picture.seek(0);
    bencher.bench_local(|| picture.advance(&mut canvas, picture.step() + 1));
}

/// One frame to 8 bits, at a whole step and between two.
#[divan::bench(args = [0.0, 0.5], consts = [1, 2], sample_count = 20)]
fn present<const THREADS: usize>(bencher: Bencher, fraction: f32) {
    let [one, two] = [(); 2].map(|()| Pool::new(THREADS).expect("threads start"));
    let mut canvas = CpuCanvas::new(extent(WINDOW, 1.0), one);
    let mut picture = Picture::new(Timeline::new(settings(2600), WINDOW), two);
    picture.warm(&mut canvas, 0);
    bencher.bench_local(|| picture.present(&mut canvas, fraction));
}
