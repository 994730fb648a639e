//! What a step costs in every mode and with every kind of noise, against the plainest.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use anyhow::Context;

use super::Options;
use crate::command::signal::Interrupt;
use crate::pool::Pool;
use crate::settings::{Settings, setting};
use crate::simulation::Simulation;
use crate::timeline::Timeline;

/// Kinds of noise, and how many octaves of them.
const KINDS: [&str; 5] = ["perlin", "classic", "value", "simplex", "opensimplex2"];
const OCTAVES: [&str; 2] = ["1", "6"];

/// Modes by their names, with the settings that make them.
const MODES: [(&str, &[(&str, &str)]); 4] = [
    ("raw angle", &[("mode", "angle"), ("headings", "raw")]),
    ("even angle", &[("mode", "angle"), ("headings", "even")]),
    ("vector", &[("mode", "vector")]),
    ("curl", &[("mode", "curl")]),
];

/// What every row has, so that only noise and mode differ.
const PLAIN: &[(&str, &str)] = &[
    ("warp", "0"),
    ("shape", "plain"),
    ("directions", "0"),
    ("evenness", "0"),
    ("noise_weight", "1"),
    ("wind_x", "0"),
    ("wind_y", "0"),
    ("eddies", "0"),
    ("spin", "0"),
    ("speed_noise", "0"),
];

/// Steps of one kind in a row, after one that does not count; and the fewest turns that each row takes with the reference.
const STEPS: usize = 5;
const TURNS: usize = 3;

/// One row of the table.
struct Row {
    noise: &'static str,
    octaves: &'static str,
    mode: &'static str,
    /// Nodes that the field is interpolated between; 0 where it is exact.
    nodes: usize,
    /// Median time of a step.
    step: Duration,
    /// How many times as long as the reference's, in the same turns.
    ratio: f64,
}

/// Measures all of them, and prints a table, with a line of `key=value` pairs at its end.
///
/// # Errors
///
/// When the system asks for an end, or the table cannot be written.
pub(super) fn run(options: &Options, pool: &Pool, interrupt: &Interrupt) -> anyhow::Result<()> {
    let window = options.size.map(f64::from);
    let timeline = |settings: Settings| Timeline::new(settings, window);
    let plain = with(options.settings, PLAIN);
    let reference = timeline(with(made(plain, "perlin", "1"), MODES[0].1));
    let mut simulation = Simulation::new(&reference, 0, pool);
    let particles = simulation.particles().living();
    let rows = KINDS.len() * OCTAVES.len() * MODES.len();
    let mut measured = Vec::with_capacity(rows);
    for noise in KINDS {
        for octaves in OCTAVES {
            for (mode, values) in MODES {
                let timeline = timeline(with(made(plain, noise, octaves), values));
                let begin = Instant::now();
                let (mut times, mut others) = (Vec::new(), Vec::new());
                let mut nodes = 0;
                let mut turn = 0;
                while turn < TURNS || begin.elapsed() < options.length / rows as u32 {
                    anyhow::ensure!(!interrupt.is_raised(), "interrupted");
                    take_turn(&mut simulation, &reference, pool, &mut others);
                    take_turn(&mut simulation, &timeline, pool, &mut times);
                    nodes = simulation.field().nodes();
                    turn += 1;
                }
                let (step, other) = (median(times), median(others));
                measured.push(Row {
                    noise,
                    octaves,
                    mode,
                    nodes,
                    step,
                    ratio: step.as_secs_f64() / other.as_secs_f64(),
                });
            }
        }
    }
    let mut out = io::stdout().lock();
    write(&mut out, options, pool, particles, &measured)
        .and_then(|()| out.flush())
        .context("stdout")
}

/// Makes some steps; the first, in which the field learns what noise it has, does not count.
fn take_turn(
    simulation: &mut Simulation,
    timeline: &Timeline,
    pool: &Pool,
    times: &mut Vec<Duration>,
) {
    simulation.step(timeline, pool);
    for _ in 0..STEPS {
        let begin = Instant::now();
        simulation.step(timeline, pool);
        times.push(begin.elapsed());
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn made(settings: Settings, noise: &str, octaves: &str) -> Settings {
    with(settings, &[("noise", noise), ("octaves", octaves)])
}

/// A look with these settings, as they are written on the command line.
fn with(mut settings: Settings, values: &[(&str, &str)]) -> Settings {
    for (name, text) in values {
        let row = setting(name).expect("it is in the table");
        let value = row.parse(text).expect("it is allowed");
        row.set(&mut settings, value);
    }
    settings
}

fn write(
    out: &mut dyn Write,
    options: &Options,
    pool: &Pool,
    particles: usize,
    rows: &[Row],
) -> io::Result<()> {
    let [width, height] = options.size;
    let (threads, plural) = (pool.threads(), if pool.threads() == 1 { "" } else { "s" });
    let kernel = options.level.name();
    writeln!(
        out,
        "{width}x{height}, {threads} thread{plural}, kernel {kernel}, {particles} particles\n"
    )?;
    let reference = format!("/ {} {}", MODES[0].0, KINDS[0]);
    writeln!(
        out,
        "{:13} octaves  {:11} {:>8} {:>12}  {:>9}  {reference}",
        "noise", "mode", "ms/step", "ns/particle", "nodes"
    )?;
    for row in rows {
        let ms = row.step.as_secs_f64() * 1e3;
        let each = row.step.as_secs_f64() * 1e9 / particles.max(1) as f64;
        let nodes = match row.nodes {
            0 => "exact".to_owned(),
            nodes => nodes.to_string(),
        };
        let Row {
            noise,
            octaves,
            mode,
            ratio,
            ..
        } = row;
        writeln!(
            out,
            "{noise:13} {octaves:>7}  {mode:11} {ms:8.3} {each:12.2}  {nodes:>9}  {ratio:.2}"
        )?;
    }
    let slowest = rows.iter().max_by(|a, b| a.ratio.total_cmp(&b.ratio));
    let (name, ratio) = slowest.map_or((String::new(), 1.0), |row| {
        let name = format!("{} {} {}", row.noise, row.octaves, row.mode);
        (name.replace(' ', "_"), row.ratio)
    });
    writeln!(
        out,
        "\nparticles={particles} threads={threads} kernel={kernel} rows={} slowest={name} slowest_ratio={ratio:.3}",
        rows.len()
    )
}
