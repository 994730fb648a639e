//! What one step of the particles costs, the field included, against the original demo's algorithm and against memory.
//!
//! All of it is measured with the preset `original`, whose numbers the demo has.

#[path = "particles/demo.rs"]
mod demo;
#[path = "particles/floor.rs"]
mod floor;
mod versus;

use std::cell::RefCell;
use std::hint::black_box;

use demo::Demo;
use eddyline::pool::Pool;
use eddyline::settings::preset::Preset;
use eddyline::settings::{Settings, Value, setting};
use eddyline::simd;
use eddyline::simulation::Simulation;
use eddyline::timeline::Timeline;
use floor::Floor;
use versus::Contest;

const WINDOW: [f64; 2] = [1920.0, 1080.0];

fn main() {
    let two = Pool::new(2).expect("threads start");
    for (particles, rounds) in [(100_000, 51), (1_000_000, 21), (4_000_000, 11)] {
        compare(particles, rounds, &two);
    }
}

/// One step of this many particles by all contestants.
///
/// They share one simulation and one floor, the state being the same whoever makes the step; so 4 million particles fit
/// into little memory.
fn compare(particles: u32, rounds: usize, two: &Pool) {
    let count = particles as usize;
    let timeline = Timeline::new(settings(particles), WINDOW);
    let simulation = RefCell::new(Simulation::new(&timeline, 0, two));
    let floor = RefCell::new(Floor::new(count));
    let mut demo = Demo::new(count, WINDOW);
    let one = Pool::single();
    let step = |pool: &Pool| {
        let mut simulation = simulation.borrow_mut();
        simulation.step(&timeline, pool);
        black_box(simulation.segments());
    };
    let move_memory = |pool: &Pool| {
        let mut floor = floor.borrow_mut();
        floor.step(pool);
        black_box(&floor.runs);
    };

    let title = format!("one step of {particles} particles, per particle");
    let mut contest = Contest::new(title, count);
    let mut best = None;
    for level in simd::available() {
        let pool = one.clone().with_level(level);
        let entry = contest.enter(format!("eddyline {}", level.name()), move || step(&pool));
        best = Some(entry);
    }
    let best = best.expect("every CPU has a level");
    let shared = contest.enter("eddyline, 2 threads".to_owned(), || step(two));
    let demo = contest.enter("original demo".to_owned(), || {
        demo.step();
        black_box(&demo.segments);
    });
    let memory = contest.enter("memory".to_owned(), || move_memory(&one));
    let shared_memory = contest.enter("memory, 2 threads".to_owned(), || move_memory(two));

    let outcome = contest.run(rounds);
    outcome.print(&[best, memory]);
    for (slow, fast) in [
        (demo, best),
        (best, memory),
        (shared, shared_memory),
        (best, shared),
        (memory, shared_memory),
    ] {
        outcome.print_ratio(slow, fast);
    }
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
