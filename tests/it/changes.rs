//! Live changes do not make the water jump.

use eddyline::field::FlowField;
use eddyline::picture::Picture;
use eddyline::pool::Pool;
use eddyline::settings::{Direction, SETTINGS};
use eddyline::simulation::{Simulation, flow_parameters};
use eddyline::timeline::{Change, GLIDE, Moment, Timeline, World};
use glam::Vec2;

use crate::support::{canvas, mean_light, preset, with};

const WINDOW: [f64; 2] = [1280.0, 720.0];
const STEP: i64 = 36_000;

/// Headings in turns all over the window.
fn headings(field: &FlowField) -> Vec<f32> {
    let places = (0..20 * 12).map(|index| {
        Vec2::new(
            (index % 20) as f32 * 64.0 + 9.0,
            (index / 20) as f32 * 60.0 + 7.0,
        )
    });
    places.map(|place| field.heading_at(place)).collect()
}

/// Mean change of the heading in each step of a range, in turns the short way round.
fn heading_changes(timeline: &Timeline, steps: std::ops::Range<i64>) -> Vec<f64> {
    let field_at = |step: i64| {
        let moment = timeline.at(step);
        FlowField::new(moment.settings.seed(), flow_parameters(&moment))
    };
    let mut field = field_at(steps.start - 1);
    let mut before = headings(&field);
    steps
        .map(|step| {
            let moment = timeline.at(step);
            field.refresh(moment.settings.seed(), flow_parameters(&moment));
            let now = headings(&field);
            let turned = |(a, b): (&f32, &f32)| f64::from((a - b) - (a - b).round()).abs();
            let mean = before.iter().zip(&now).map(turned).sum::<f64>() / now.len() as f64;
            before = now;
            mean
        })
        .collect()
}

/// Whether a timeline has the field of another in every step of a range.
fn has_field_of(timeline: &Timeline, other: &Timeline, mut steps: std::ops::Range<i64>) -> bool {
    let field = |timeline: &Timeline, step: i64| {
        let moment = timeline.at(step);
        (moment.settings.seed(), flow_parameters(&moment))
    };
    steps.all(|step| field(timeline, step) == field(other, step))
}

/// Whether a timeline has the lives of another in every step of a range.
fn has_lives_of(timeline: &Timeline, other: &Timeline, mut steps: std::ops::Range<i64>) -> bool {
    let lives = |timeline: &Timeline, step: i64| {
        let Moment {
            settings, world, ..
        } = timeline.at(step);
        let area = world.window[0] * world.window[1];
        let count = settings.window_particles(area);
        let lives = (0..64).map(|row| timeline.life_at(row, step));
        (world, count, lives.collect::<Vec<_>>())
    };
    steps.all(|step| lives(timeline, step) == lives(other, step))
}

/// Births in each step of a range.
fn births(timeline: &Timeline, steps: std::ops::Range<i64>) -> Vec<usize> {
    let pool = Pool::single();
    let mut simulation = Simulation::new(timeline, steps.start - 1, &pool);
    let mut ends = simulation.particles().end.clone();
    steps
        .map(|_| {
            simulation.step(timeline, &pool);
            let particles = simulation.particles();
            let born = (0..particles.len())
                .filter(|&row| {
                    particles.is_alive(row) && ends.get(row) != Some(&particles.end[row])
                })
                .count();
            ends = particles.end.clone();
            born
        })
        .collect()
}

/// One key step of every number, after ten minutes.
#[test]
fn a_key_step_changes_headings_and_births_gently() {
    // What is counted one by one has no way between, and no key.
    const JUMPS: [&str; 5] = ["seed", "octaves", "warp_octaves", "directions", "eddies"];
    let quiet = Timeline::new(preset("brook"), WINDOW);
    let ordinary = heading_changes(&quiet, STEP - 60..STEP + 240)
        .iter()
        .sum::<f64>()
        / 300.0;
    // As many births, in a part of the window.
    let small = with(preset("brook"), &[("particle_area", "20")]);
    let small = Timeline::new(small, [320.0, 180.0]);
    let mut worst = (0.0, "");
    for row in SETTINGS
        .iter()
        .filter(|row| row.domain.range().is_some() && !JUMPS.contains(&row.name))
    {
        for direction in [Direction::Up, Direction::Down] {
            let mut timeline = quiet.clone();
            let value = timeline
                .latest_settings()
                .stepped(row, direction, WINDOW[0] * WINDOW[1]);
            timeline.push(STEP, Change::Setting(row, value));
            let settled = (STEP..STEP + 240).any(|step| timeline.settle(step));
            assert_eq!(
                settled,
                ["noise_scale", "margin"].contains(&row.name),
                "{}",
                row.name
            );
            let steps = STEP - 2..STEP + 2 * GLIDE + 4;
            // Most rows cannot reach the field.
            let changes = match has_field_of(&timeline, &quiet, steps.clone()) {
                true => vec![ordinary],
                false => heading_changes(&timeline, steps),
            };
            let most = changes
                .iter()
                .fold(0.0f64, |most, &change| most.max(change))
                / ordinary;
            if most > worst.0 {
                worst = (most, row.name);
            }
            assert!(
                most < 3.0,
                "{} {direction}: {most} times an ordinary step",
                row.name
            );
            let mut timeline = small.clone();
            let value = timeline
                .latest_settings()
                .stepped(row, direction, 320.0 * 180.0);
            timeline.push(STEP, Change::Setting(row, value));
            let steps = STEP - 2..STEP + 300;
            // Nor can they reach a life.
            if has_lives_of(&timeline, &small, steps.clone()) {
                continue;
            }
            let births = births(&timeline, steps);
            let mean = births[200..].iter().sum::<usize>() as f64 / (births.len() - 200) as f64;
            let most = *births[..70].iter().max().unwrap() as f64;
            assert!(
                most < 3.0 * mean,
                "{} {direction}: {most} births in a step, {mean} on average",
                row.name
            );
        }
    }
    println!(
        "most: {:.2} times an ordinary step, by {}",
        worst.0, worst.1
    );
}

#[test]
fn a_larger_window_keeps_every_current() {
    let mut timeline = Timeline::new(preset("brook"), WINDOW);
    let before = timeline.at(500);
    timeline.push(
        500,
        Change::World(World::new([1920.0, 1080.0], timeline.latest_settings())),
    );
    let after = timeline.at(500);
    let [before, after] = [before, after]
        .map(|moment| FlowField::new(moment.settings.seed(), flow_parameters(&moment)));
    for y in (0..720).step_by(3) {
        for x in (0..1280).step_by(3) {
            let place = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
            assert_eq!(
                before.velocity_at(place),
                after.velocity_at(place),
                "{place}"
            );
            assert_eq!(before.color_at(place), after.color_at(place), "{place}");
        }
    }
}

#[test]
fn light_fills_a_larger_window() {
    let mut picture = Picture::new(
        Timeline::new(preset("brook"), [320.0, 180.0]),
        Pool::new(2).unwrap(),
    );
    let mut canvas = canvas([320.0, 180.0], 1.0);
    picture.warm(&mut canvas, 100);
    let world = World::new([480.0, 270.0], picture.timeline().latest_settings());
    let step = picture.push(Change::World(world));
    picture.advance(&mut canvas, step - 1);
    let before = mean_light(&canvas, [0, 0], [320, 180]);
    picture.advance(&mut canvas, step);
    let kept = mean_light(&canvas, [0, 0], [320, 180]);
    assert!(kept > 0.95 * before, "trails are kept: {kept} of {before}");
    picture.advance(&mut canvas, step + 300);
    let old = mean_light(&canvas, [0, 0], [320, 180]);
    let all = mean_light(&canvas, [0, 0], [480, 270]);
    let new = (all * 480.0 * 270.0 - old * 320.0 * 180.0) / (480.0 * 270.0 - 320.0 * 180.0);
    println!("new area: {:.2} of the old area's light", new / old);
    assert!(new > 0.8 * old, "{}", new / old);
}

/// Ten years on, the water moves as in the first minute: one step changes the field as much, within 1 %.
#[test]
fn the_field_changes_alike_for_ten_years() {
    let ten_years = 10 * 365 * 86_400 * 60i64;
    let timeline = Timeline::new(preset("brook"), WINDOW);
    let change_near = |step: i64| {
        let noise = eddyline::noise::Noise::new(timeline.at(step).settings.seed());
        let mut sum = 0.0;
        for index in 0..10_000i64 {
            // Spread over many cells of the noise, in place and in time.
            let step = step + index * 4520;
            let [now, next] = [step, step + 1]
                .map(|step| noise.slice(flow_parameters(&timeline.at(step)).depth()));
            for place in index * 40..(index + 1) * 40 {
                let (x, y) = (
                    place as f32 * 0.618_034 % 256.0,
                    place as f32 * 0.754_877 % 256.0,
                );
                sum += f64::from(next.at(x, y) - now.at(x, y)).abs();
            }
        }
        sum
    };
    let (start, end) = (change_near(0), change_near(ten_years));
    println!(
        "ten years on a step changes the field by {:.4} of a step at the start",
        end / start
    );
    assert!((end / start - 1.0).abs() < 0.01, "{}", end / start);
}
