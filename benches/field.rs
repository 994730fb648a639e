//! What a step costs in every mode and with every kind of noise, one thread, against raw headings of one octave of Perlin
//! noise: field and particles together.

mod versus;

use std::hint::black_box;

use eddyline::pool::Pool;
use eddyline::settings::preset::Preset;
use eddyline::settings::{Settings, setting};
use eddyline::simulation::Simulation;
use eddyline::timeline::Timeline;
use versus::{Contest, Entry};

const WINDOW: [f64; 2] = [1920.0, 1080.0];
const PARTICLES: usize = 1_000_000;
const ROUNDS: usize = 11;

const KINDS: [&str; 5] = ["perlin", "classic", "value", "simplex", "opensimplex2"];

const MODES: [(&str, &[(&str, &str)]); 4] = [
    ("raw angle", &[("headings", "raw")]),
    ("even angle", &[("headings", "even")]),
    ("vector", &[("mode", "vector")]),
    ("curl", &[("mode", "curl")]),
];

fn main() {
    for kind in KINDS {
        compare(kind);
    }
}

/// One step with a kind of noise, in every mode and of one and of six octaves.
fn compare(kind: &str) {
    let title = format!("one step of {PARTICLES} particles, {kind} noise, per particle");
    let mut contest = Contest::new(title, PARTICLES);
    let reference = enter(&mut contest, "perlin", "1", MODES[0]);
    let mut ratios = Vec::new();
    for octaves in ["1", "6"] {
        let entries = MODES.map(|mode| match (kind, octaves, mode.0) {
            ("perlin", "1", "raw angle") => reference,
            _ => enter(&mut contest, kind, octaves, mode),
        });
        // Vector and curl against headings of the same noise.
        ratios.extend([(entries[2], entries[0]), (entries[3], entries[0])]);
    }
    let outcome = contest.run(ROUNDS);
    outcome.print(&[reference]);
    for (slow, fast) in ratios {
        outcome.print_ratio(slow, fast);
    }
}

fn enter(
    contest: &mut Contest,
    kind: &str,
    octaves: &str,
    (mode, values): (&str, &[(&str, &str)]),
) -> Entry {
    let mut settings = Preset::load("water").expect("it is embedded").settings;
    let count = PARTICLES.to_string();
    set(
        &mut settings,
        &[("particles", &count), ("noise", kind), ("octaves", octaves)],
    );
    set(&mut settings, values);
    let timeline = Timeline::new(settings, WINDOW);
    let pool = Pool::single();
    let mut simulation = Simulation::new(&timeline, 0, &pool);
    contest.enter(format!("{kind} {octaves} {mode}"), move || {
        simulation.step(&timeline, &pool);
        black_box(simulation.segments());
    })
}

fn set(settings: &mut Settings, values: &[(&str, &str)]) {
    for (name, text) in values {
        let row = setting(name).expect("it is in the table");
        row.set(settings, row.parse(text).expect("it is allowed"));
    }
}
