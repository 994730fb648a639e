//! What noise costs, against three crates of noise: at scattered places, and at the nodes of the flow field.
//!
//! The places of a step share their time, so the engine prepares one slice of noise and samples it in the plane. The
//! crates know nothing of that: they sample one place after another, in three dimensions, with the instructions that
//! the program is compiled for.

mod versus;

use std::hint::black_box;

use ::noise::NoiseFn;
use eddyline::field::FlowField;
use eddyline::noise::{Depth, Noise, scattered};
use eddyline::pool::Pool;
use eddyline::settings::preset::Preset;
use eddyline::simd::{self, Level};
use eddyline::simulation::flow_parameters;
use eddyline::timeline::Timeline;
use fastnoise_lite::{FastNoiseLite, NoiseType};
use noise_functions::Sample;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use versus::{Contest, Entry};

const ROUNDS: usize = 51;

const WINDOW: [f64; 2] = [1920.0, 1080.0];

const SEED: u32 = 1;

/// How many scattered places are sampled at one time.
const PLACES: usize = 4096;

/// How far apart two times are, in cells; a power of two, so that all contestants are at the same times.
const TIME_STEP: f32 = 1.0 / 1024.0;

/// For how many particles the flow field is computed.
const PARTICLES: u32 = 1_000_000;

fn main() {
    at_scattered_places();
    for preset in ["original", "brook"] {
        at_nodes(preset);
    }
}

/// A place in the noise, in cells.
type Place = [f32; 2];

/// Noise at places of the whole table of 256 by 256 cells, in no order.
fn at_scattered_places() {
    let mut random = Pcg64Mcg::seed_from_u64(SEED.into());
    let places: Vec<Place> = (0..PLACES)
        .map(|_| [(); 2].map(|()| random.random_range(0.0..256.0)))
        .collect();
    let title = format!("3D Perlin at {PLACES} scattered places of one time, per place");
    let mut contest = Contest::new(title, PLACES);
    let levels = enter_slices(&mut contest, &places);
    enter_noise(&mut contest, &places);
    enter_fastnoise_lite(&mut contest, &places);
    enter_noise_functions(&mut contest, &places);
    print(contest, &levels);
}

/// The engine's noise on every level; refreshing the slice is part of the work.
fn enter_slices(contest: &mut Contest, places: &[Place]) -> Vec<(Level, Entry)> {
    let enter = |level: Level| {
        let noise = Noise::new(SEED);
        let mut slice = noise.slice(Depth::endless(0));
        let [x, y] = [0, 1].map(|axis| places.iter().map(|place| place[axis]).collect::<Vec<_>>());
        let mut values = vec![0.0; places.len()];
        let mut time = 0;
        let entry = contest.enter(format!("eddyline {}", level.name()), move || {
            time += (f64::from(TIME_STEP) * 2f64.powi(64)) as i128;
            slice.refresh(&noise, Depth::endless(time));
            scattered(level, &slice, &x, &y, &mut values);
            black_box(&mut values);
        });
        (level, entry)
    };
    simd::available().map(enter).collect()
}

/// The crate `noise`, which computes in double precision.
fn enter_noise(contest: &mut Contest, places: &[Place]) {
    let perlin = ::noise::Perlin::new(SEED);
    let places: Vec<_> = places.iter().map(|place| place.map(f64::from)).collect();
    let mut values = vec![0.0; places.len()];
    let mut time = 0.0;
    contest.enter("noise".to_owned(), move || {
        time += f64::from(TIME_STEP);
        for (value, [x, y]) in values.iter_mut().zip(&places) {
            *value = perlin.get([*x, *y, time]);
        }
        black_box(&mut values);
    });
}

fn enter_fastnoise_lite(contest: &mut Contest, places: &[Place]) {
    let mut perlin = FastNoiseLite::with_seed(SEED as i32);
    perlin.set_noise_type(Some(NoiseType::Perlin));
    perlin.set_frequency(Some(1.0));
    let places = places.to_vec();
    let mut values = vec![0.0; places.len()];
    let mut time = 0.0;
    contest.enter("fastnoise-lite".to_owned(), move || {
        time += TIME_STEP;
        for (value, [x, y]) in values.iter_mut().zip(&places) {
            *value = perlin.get_noise_3d(*x, *y, time);
        }
        black_box(&mut values);
    });
}

fn enter_noise_functions(contest: &mut Contest, places: &[Place]) {
    let places = places.to_vec();
    let mut values = vec![0.0; places.len()];
    let mut time = 0.0;
    contest.enter("noise-functions".to_owned(), move || {
        time += TIME_STEP;
        for (value, [x, y]) in values.iter_mut().zip(&places) {
            *value = noise_functions::Perlin.sample_with_seed([*x, *y, time], SEED as i32);
        }
        black_box(&mut values);
    });
}

/// The field of a preset, a step later each time, against bare noise at as many places.
fn at_nodes(preset: &str) {
    let settings = Preset::load(preset).expect("it is embedded").settings;
    let timeline = Timeline::new(settings, WINDOW);
    let nodes = field_at(&timeline, 0).nodes();
    let title = format!("preset {preset}: directions and colors at {nodes} nodes, per node");
    let mut contest = Contest::new(title, nodes);
    let levels = enter_fields(&mut contest, &timeline);
    let cells = settings.noise_scale() as f32;
    let places = rows(nodes, WINDOW.map(|length| length as f32 * cells));
    enter_noise_functions(&mut contest, &places);
    print(contest, &levels);
}

/// The engine's field on every level, for one thread; refreshing its slice is part of the work. Colors never change, and
/// are computed once.
fn enter_fields(contest: &mut Contest, timeline: &Timeline) -> Vec<(Level, Entry)> {
    let enter = |level: Level| {
        let pool = Pool::single().with_level(level);
        let timeline = timeline.clone();
        let mut step = 0;
        let mut field = field_at(&timeline, step);
        let entry = contest.enter(format!("eddyline {}", level.name()), move || {
            step += 1;
            field.refresh(field.seed(), flow_parameters(&timeline.at(step)));
            field.interpolate_for(PARTICLES, &pool);
            black_box(&mut field);
        });
        (level, entry)
    };
    simd::available().map(enter).collect()
}

fn field_at(timeline: &Timeline, step: i64) -> FlowField {
    let moment = timeline.at(step);
    let mut field = FlowField::new(moment.settings.seed(), flow_parameters(&moment));
    field.interpolate_for(PARTICLES, &Pool::single());
    field
}

/// `count` places in rows over a rectangle: neighbours share their cell, as the nodes of a field do.
fn rows(count: usize, [width, height]: Place) -> Vec<Place> {
    let columns = (count as f32 * width / height).sqrt().ceil();
    let spacing = width / columns;
    (0..count)
        .map(|index| {
            let row = index / columns as usize;
            let column = index % columns as usize;
            [column as f32 * spacing, row as f32 * spacing]
        })
        .collect()
}

/// Runs the contest, and compares with the engine's best level and with AVX2, which most CPUs have.
fn print(contest: Contest, levels: &[(Level, Entry)]) {
    let &(_, best) = levels.last().expect("every CPU has a level");
    let mut references = vec![best];
    let is_avx2 = |(level, _): &&(Level, Entry)| level.name() == "avx2";
    if let Some(&(_, avx2)) = levels.iter().find(is_avx2)
        && avx2 != best
    {
        references.push(avx2);
    }
    let outcome = contest.run(ROUNDS);
    outcome.print(&references);
    let (_, baseline) = levels[0];
    outcome.print_ratio(baseline, best);
}
