//! A timeline with a period gives a picture that repeats, bit by bit, without a seam.

use std::num::NonZeroU32;

use eddyline::canvas::cpu::CpuCanvas;
use eddyline::field::FlowField;
use eddyline::picture::{Picture, extent};
use eddyline::pool::Pool;
use eddyline::settings::Settings;
use eddyline::simd;
use eddyline::simulation::{Segment, Simulation, flow_parameters};
use eddyline::timeline::Timeline;
use glam::Vec2;

use crate::support::{canvas, preset, with};

const WINDOW: [f64; 2] = [320.0, 200.0];

fn looped(settings: Settings, period: u32) -> Timeline {
    Timeline::looped(settings, WINDOW, NonZeroU32::new(period).unwrap())
}

/// Places, steps to the next birth and segments after `step`.
type State = (Vec<[u32; 3]>, Vec<Segment>);

fn state(simulation: &Simulation) -> State {
    let (particles, step) = (simulation.particles(), simulation.step_number() as u32);
    let rows = particles.place.iter().zip(&particles.end);
    let rows =
        rows.map(|(place, end)| [place.x.to_bits(), place.y.to_bits(), end.wrapping_sub(step)]);
    (
        rows.collect(),
        simulation.segments().iter().copied().collect(),
    )
}

/// Lives shorter than the period, about as long, longer, and much longer; exactly sampled and on a grid.
fn cases() -> Vec<(Settings, u32)> {
    let many = ("particles", "9000");
    let long = [("lifetime_shortest", "400"), ("lifetime_longest", "3600")];
    vec![
        (preset("brook"), 60),
        (preset("brook"), 300),
        (preset("brook"), 1200),
        (with(preset("brook"), &[many]), 60),
        (with(preset("brook"), &[many]), 300),
        (with(preset("brook"), &long), 60),
        (with(preset("brook"), &long), 300),
        (with(preset("original"), &[("time_scale", "-0.03")]), 150),
        (with(preset("brook"), &[("time_scale", "0")]), 7),
    ]
}

#[test]
fn particles_and_segments_repeat_bit_by_bit() {
    for (settings, period) in cases() {
        let timeline = looped(settings, period);
        let pool = Pool::single();
        let mut simulation = Simulation::new(&timeline, 5, &pool);
        let first = state(&simulation);
        assert!(first.1.len() > 90, "{} segments", first.1.len());
        // Of many, on a grid.
        let is_many = settings.particles() == 9000;
        assert!(!is_many || simulation.field().nodes() > 0);
        for turn in 1..=2 {
            (0..period).for_each(|_| simulation.step(&timeline, &pool));
            assert!(state(&simulation) == first, "period {period}, turn {turn}");
        }
        // Sought, from the other side of the start, too.
        for turn in [-3, 1000] {
            simulation.seek(&timeline, 5 + turn * i64::from(period), &pool);
            assert!(state(&simulation) == first, "period {period}, turn {turn}");
        }
        simulation.step(&timeline, &pool);
        assert!(state(&simulation) != first);
    }
}

#[test]
fn threads_and_kernels_change_no_bit_of_a_loop() {
    // As many as several threads share.
    let short = [
        ("particles", "31000"),
        ("lifetime_shortest", "40"),
        ("lifetime_longest", "100"),
    ];
    for (values, period) in [
        (&short[..], 60),
        (&short, 300),
        (&[("particles", "900"), ("lifetime_longest", "2000")], 60),
    ] {
        let timeline = looped(with(preset("brook"), values), period);
        let after = |pool: &Pool| {
            let mut simulation = Simulation::new(&timeline, 100, pool);
            (0..70).for_each(|_| simulation.step(&timeline, pool));
            state(&simulation)
        };
        let plain = after(&Pool::single().with_level(simd::Level::BASELINE));
        for (level, threads) in simd::available().zip([2, 1, 2, 1]) {
            let pool = Pool::new(threads).unwrap().with_level(level);
            assert!(after(&pool) == plain, "{} {threads}", level.name());
        }
    }
}

/// A life that is handed over leaves no gap: whoever is drawn and does not die in a step moves on visibly, and none is lost.
#[test]
fn lives_that_are_handed_over_go_on() {
    let settings = with(
        preset("brook"),
        &[("margin", "0"), ("particles", "640"), ("speed", "1")],
    );
    let timeline = looped(settings, 60);
    let pool = Pool::single();
    let mut simulation = Simulation::new(&timeline, 0, &pool);
    let mut handed_over = 0;
    for step in 1..=120 {
        let before = simulation.particles().clone();
        simulation.step(&timeline, &pool);
        let after = simulation.particles();
        assert_eq!(after.living(), 640);
        for row in 0..640 {
            let life = timeline.life_at(row as u32, step);
            if life.birth == step && life.is_inherited {
                handed_over += 1;
                let from = before.place[row - 1];
                let drawn = simulation.segments().iter().find(|s| s.from == from);
                let to = drawn.expect("it moved on").to;
                let torus = simulation.field().torus();
                assert_eq!(after.place[row], torus.wrap(to));
            }
        }
        let born = (0..640u32)
            .map(|row| timeline.life_at(row, step))
            .filter(|life| life.birth == step && !life.is_inherited)
            .count();
        let froms: Vec<_> = before.place[..640].to_vec();
        let moved = froms
            .iter()
            .filter(|&&from| simulation.segments().iter().any(|s| s.from == from))
            .count();
        assert_eq!(moved + born, 640, "step {step}");
    }
    assert!(handed_over > 500, "{handed_over}");
}

/// The canvas's light after each of `steps`.
fn lights(timeline: &Timeline, pool: &Pool, from: i64, steps: &[i64]) -> Vec<Vec<[f32; 4]>> {
    let mut canvas = CpuCanvas::new(extent(WINDOW, 1.0), pool.clone());
    let mut picture = Picture::new(timeline.clone(), pool.clone());
    picture.seek(from);
    let light = |&step: &i64| {
        picture.advance(&mut canvas, step);
        canvas.light().to_vec()
    };
    steps.iter().map(light).collect()
}

/// From the second period on the light is the same to the last bit; and what a warm-up gives differs by less than a code.
#[test]
fn light_repeats_bit_by_bit() {
    for (values, period) in [
        (&[][..], 300i64),
        (&[("fade", "0.1")], 150),
        (&[("lifetime_longest", "1500"), ("fade", "0.06")], 240),
    ] {
        let timeline = looped(with(preset("brook"), values), period as u32);
        // Until trails have been forgotten to the last bit of a light; that is in the second period and after.
        let begin = (timeline.warm_up(0) * 2 / period + 1) * period;
        let steps = [begin + 17, begin + 17 + period, begin + 17 + 2 * period];
        let pool = Pool::new(2).unwrap();
        let lights = lights(&timeline, &pool, 0, &steps);
        assert!(lights[0].iter().any(|light| light[3] > 0.3));
        assert!(lights[0] == lights[1], "{values:?}");
        assert!(lights[1] == lights[2], "{values:?}");
        let mut frames = [0, period].map(|step| {
            let mut canvas = canvas(WINDOW, 1.0);
            let mut picture = Picture::new(timeline.clone(), Pool::single());
            picture.warm(&mut canvas, 0);
            picture.advance(&mut canvas, step);
            picture.present(&mut canvas, 0.0);
            canvas.pixels().to_vec()
        });
        let worst = |[a, b]: &[Vec<u8>; 2]| {
            let codes = a.iter().zip(b).map(|(a, b)| a.abs_diff(*b));
            codes.max().unwrap()
        };
        assert!(worst(&frames) <= 1, "{} codes", worst(&frames));
        frames[1].rotate_left(4);
        assert!(worst(&frames) > 30, "the test sees a px");
    }
}

/// The last frame leads into the first as any frame leads into the next.
#[test]
fn there_is_no_seam() {
    for (values, period) in [(&[][..], 120i64), (&[("lifetime_shortest", "150")], 97)] {
        let timeline = looped(with(preset("brook"), values), period as u32);
        let mut canvas = canvas(WINDOW, 1.0);
        let mut picture = Picture::new(timeline, Pool::single());
        picture.warm(&mut canvas, 0);
        let mut frame = |step: i64| -> Vec<u8> {
            picture.advance(&mut canvas, step);
            picture.present(&mut canvas, 0.0);
            canvas.pixels().to_vec()
        };
        let frames: Vec<_> = (0..period).map(&mut frame).collect();
        let difference = |a: &[u8], b: &[u8]| {
            let codes = a.iter().zip(b).map(|(a, b)| f64::from(a.abs_diff(*b)));
            codes.sum::<f64>() / a.len() as f64
        };
        let pairs = frames.windows(2);
        let mean = pairs
            .map(|pair| difference(&pair[0], &pair[1]))
            .sum::<f64>()
            / (period - 1) as f64;
        let seam = difference(&frames[frames.len() - 1], &frames[0]);
        assert!(
            (seam / mean - 1.0).abs() < 0.1,
            "{seam} at the seam, {mean} elsewhere"
        );
    }
}

/// How much noise and direction change in a step, on average over the window and many steps.
fn drift(timeline: &Timeline) -> [f64; 2] {
    let at = |step: i64| {
        let moment = timeline.at(step);
        FlowField::new(moment.settings.seed(), flow_parameters(&moment))
    };
    let (mut sums, mut count) = ([0.0; 2], 0.0);
    for number in 0..60 {
        let step = 1 + number * 97;
        let fields = [at(step), at(step + 1)];
        for index in 0..400 {
            let place = Vec2::new((index as f32 * 7.31) % 320.0, (index as f32 * 3.7) % 200.0);
            let noise = fields.each_ref().map(|field| field.noise_at(place));
            let heading = fields.each_ref().map(|field| field.velocity_at(place));
            sums[0] += f64::from((noise[1] - noise[0]).abs());
            sums[1] += f64::from(heading[0].angle_to(heading[1]).abs());
            count += 1.0;
        }
    }
    sums.map(|sum| sum / count)
}

/// A loop changes as fast as the picture without a period does, however many cells its circle measures.
#[test]
fn loops_drift_as_fast() {
    let settings = with(
        preset("brook"),
        &[("noise_scale", "0.02"), ("time_scale", "0.01")],
    );
    let ordinary = drift(&Timeline::new(settings, WINDOW));
    for period in [900, 2000, 20_000] {
        let looped = drift(&looped(settings, period));
        let ratios = [0, 1].map(|kind| looped[kind] / ordinary[kind]);
        println!("period {period}: {ratios:?} of the ordinary drift");
        assert!(
            ratios.iter().all(|ratio| (ratio - 1.0).abs() < 0.15),
            "{ratios:?}"
        );
    }
}

/// Below 0 time goes round backwards: the field of the other sign in the opposite order.
#[test]
fn time_goes_round_backwards() {
    let field = |rate: &str, step: i64| {
        let timeline = looped(with(preset("brook"), &[("time_scale", rate)]), 600);
        let moment = timeline.at(step);
        FlowField::new(moment.settings.seed(), flow_parameters(&moment))
    };
    for passed in [0, 1, 150, 400] {
        let (forward, back) = (field("0.004", 1 + passed), field("-0.004", 601 - passed));
        for index in 0..50 {
            let place = Vec2::new(index as f32 * 6.0, 100.0);
            assert!((forward.noise_at(place) - back.noise_at(place)).abs() < 1e-5);
        }
    }
    let (begin, later) = (field("0.004", 1), field("0.004", 100));
    assert!((begin.noise_at(Vec2::ONE) - later.noise_at(Vec2::ONE)).abs() > 1e-3);
}

/// A quick warm-up has the exact particles of a loop, and light for all of them, those included whose lives are handed over.
#[test]
fn a_quick_warm_up_of_a_loop_is_as_bright() {
    for period in [60, 300] {
        let timeline = looped(preset("brook"), period);
        let (mut exact, mut quick) = (canvas(WINDOW, 1.0), canvas(WINDOW, 1.0));
        let mut one = Picture::new(timeline.clone(), Pool::single());
        let mut other = Picture::new(timeline, Pool::single());
        one.warm(&mut exact, 50);
        other.warm_quickly(&mut quick, 50);
        assert!(state(one.simulation()) == state(other.simulation()));
        let sum = |canvas: &CpuCanvas| -> f64 {
            let light = canvas.light().as_flattened().iter();
            light.map(|&value| f64::from(value)).sum()
        };
        let ratio = sum(&quick) / sum(&exact);
        assert!((ratio - 1.0).abs() < 0.03, "{ratio}");
    }
}
