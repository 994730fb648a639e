//! The edges of the world cannot be seen.

use eddyline::canvas::Canvas;
use eddyline::field::FlowField;
use eddyline::noise::Noise;
use eddyline::picture::Picture;
use eddyline::pool::Pool;
use eddyline::settings::Settings;
use eddyline::simulation::{Simulation, flow_parameters};
use eddyline::timeline::Timeline;
use glam::Vec2;

use crate::support::{canvas, is_deep, mean_light, preset, with};

const WINDOW: [f64; 2] = [1280.0, 720.0];

fn field(settings: Settings, step: i64) -> FlowField {
    let moment = Timeline::new(settings, WINDOW).at(step);
    FlowField::new(moment.settings.seed(), flow_parameters(&moment))
}

/// The angle between two velocities in degrees.
fn turn(a: Vec2, b: Vec2) -> f32 {
    a.angle_to(b).abs().to_degrees()
}

/// The largest change of direction from one px to the next along an axis, over `from..to` px along it.
fn largest_turn(field: &FlowField, axis: usize, from: f32, to: f32) -> f32 {
    let torus = field.torus();
    let along = [Vec2::X, Vec2::Y][axis];
    let across = [Vec2::Y, Vec2::X][axis];
    let mut largest = 0.0f32;
    for line in 0..180 {
        let start = across * line as f32 * 4.0;
        let steps = ((to - from) * 2.0) as usize;
        for step in 0..steps {
            let place = start + along * (from + step as f32 * 0.5);
            let velocities =
                [place, place + along].map(|place| field.velocity_at(torus.wrap(place)));
            largest = largest.max(turn(velocities[0], velocities[1]));
        }
    }
    largest
}

#[test]
fn the_field_turns_no_faster_at_the_wrap_than_elsewhere_in_the_margin() {
    for values in [
        &[][..],
        &[("margin", "0")],
        &[("headings", "raw")],
        &[("noise_scale", "0.004")],
    ] {
        for step in [1, 40_000, 900_000] {
            let field = field(with(preset("brook"), values), step);
            let torus = field.torus();
            for axis in 0..2 {
                let (size, band) = (torus.size[axis], torus.band[axis]);
                let wrap = largest_turn(&field, axis, size - 2.0, size + 1.0);
                let band = largest_turn(&field, axis, size - band, size - 2.0);
                assert!(
                    wrap <= band,
                    "{values:?} at {step}: {wrap} degrees per px at the wrap, {band} in the margin"
                );
            }
        }
    }
    let plain = field(preset("original"), 1);
    assert!(largest_turn(&plain, 0, WINDOW[0] as f32 - 2.0, WINDOW[0] as f32 + 1.0) > 30.0);
}

/// The window shows the noise itself, unblended; only the hidden margin does not.
#[test]
fn the_window_shows_unblended_noise() {
    let timeline = Timeline::new(preset("brook"), WINDOW);
    let moment = timeline.at(5000);
    let parameters = flow_parameters(&moment);
    let field = FlowField::new(moment.settings.seed(), parameters);
    let noise = Noise::new(moment.settings.seed());
    let slice = noise.slice(parameters.depth());
    for index in 0..20_000 {
        let place = Vec2::new(
            (index as f32 * 7.311) % 1280.0,
            (index as f32 * 3.007) % 720.0,
        );
        let in_noise = parameters.flow.origin + place * parameters.flow.scale;
        assert_eq!(
            field.noise_at(place).to_bits(),
            slice.at(in_noise.x, in_noise.y).to_bits()
        );
    }
    let hidden = Vec2::new(1400.0, 300.0);
    let in_noise = parameters.flow.origin + hidden * parameters.flow.scale;
    assert_ne!(field.noise_at(hidden), slice.at(in_noise.x, in_noise.y));
}

/// Particles and light per area in the window's outer 2 % against its inner half, over many steps.
fn outer_band(settings: Settings, steps: i64) -> [f64; 2] {
    const SCALE: f32 = 0.25;
    let mut canvas = canvas(WINDOW, SCALE);
    let mut picture = Picture::new(Timeline::new(settings, WINDOW), Pool::new(2).unwrap());
    picture.warm(&mut canvas, 0);
    let [width, height] = WINDOW;
    let rim = [width, height].map(|side| side * 0.02);
    let (mut counts, mut lights) = ([0.0; 2], [0.0; 2]);
    for step in (50..=steps).step_by(50) {
        picture.advance(&mut canvas, step);
        let particles = picture.simulation().particles();
        for place in particles.place.iter().filter(|place| !place.is_nan()) {
            let [x, y] = [f64::from(place.x), f64::from(place.y)];
            let seen = x < width && y < height;
            let outer = x < rim[0] || y < rim[1] || x >= width - rim[0] || y >= height - rim[1];
            let inner = (x / width - 0.5).abs() < 0.25 && (y / height - 0.5).abs() < 0.25;
            counts[0] += f64::from(u8::from(seen && outer));
            counts[1] += f64::from(u8::from(inner));
        }
        // The rim is 6 by 4 px of this canvas, rounded.
        let all = mean_light(&canvas, [0, 0], [320, 180]) * 320.0 * 180.0;
        let within = mean_light(&canvas, [6, 4], [314, 176]) * 308.0 * 172.0;
        lights[0] += (all - within) / (320.0 * 180.0 - 308.0 * 172.0);
        lights[1] += mean_light(&canvas, [80, 45], [240, 135]);
    }
    let outer_area = width * height - (width - 2.0 * rim[0]) * (height - 2.0 * rim[1]);
    [
        counts[0] / outer_area / (counts[1] / (width * height / 4.0)),
        lights[0] / lights[1],
    ]
}

#[test]
fn the_rim_of_the_window_is_as_dense_and_bright_as_its_middle() {
    // Few particles: it is the water that has to be another one often enough.
    let few = with(Settings::default(), &[("particle_area", "900")]);
    let times = if is_deep() { 5 } else { 1 };
    let [density, light] = outer_band(few, times * 20_000);
    println!("seamless: {density:.3} of the middle's density, {light:.3} of its light");
    assert!((0.85..=1.15).contains(&density), "{density}");
    assert!((0.85..=1.15).contains(&light), "{light}");
    let [density, light] = outer_band(with(few, &[("edges", "plain")]), times * 6_000);
    println!("plain: {density:.3} of the middle's density, {light:.3} of its light");
    assert!(
        !(0.85..=1.15).contains(&density) && !(0.85..=1.15).contains(&light),
        "plain edges must fail this test"
    );
}

#[test]
fn no_segment_is_longer_than_a_step_in_a_million_wraps() {
    let settings = with(
        preset("brook"),
        &[("particles", "30000"), ("speed", "17.5"), ("margin", "0")],
    );
    let timeline = Timeline::new(settings, [320.0, 200.0]);
    let pool = Pool::new(2).unwrap();
    let mut simulation = Simulation::new(&timeline, 0, &pool);
    let mut wraps = 0;
    while wraps < 1_000_000 {
        let before = simulation.particles().clone();
        simulation.step(&timeline, &pool);
        let torus = simulation.field().torus();
        let after = simulation.particles();
        for row in
            (0..after.len()).filter(|&row| after.is_alive(row) && after.end[row] == before.end[row])
        {
            let place = after.place[row];
            assert!(
                place.cmpge(Vec2::ZERO).all() && place.cmplt(torus.size).all(),
                "{place}"
            );
            wraps += u32::from((place - before.place[row]).abs().max_element() > 20.0);
        }
        for segment in simulation.segments().iter() {
            assert!((segment.to - segment.from).length() <= 17.5 + 1e-3);
        }
    }
}

/// Without a margin the picture tiles: rows and columns at the edges are as bright as those beside them.
#[test]
fn a_picture_without_margin_tiles() {
    let settings = with(
        Settings::default(),
        &[
            ("margin", "0"),
            ("particle_area", "60"),
            ("stroke_width", "3"),
        ],
    );
    let window = [400.0, 300.0];
    let mut canvas = canvas(window, 1.0);
    let mut picture = Picture::new(Timeline::new(settings, window), Pool::new(2).unwrap());
    picture.warm(&mut canvas, 0);
    // Left, right, top, bottom edge; each with the line beside it.
    let lines = [
        ([0, 0], [1, 300], [1, 0], [2, 300]),
        ([399, 0], [400, 300], [398, 0], [399, 300]),
        ([0, 0], [400, 1], [0, 1], [400, 2]),
        ([0, 299], [400, 300], [0, 298], [400, 299]),
    ];
    let mut sums = [[0.0; 2]; 4];
    for step in (40..=4000).step_by(40) {
        picture.advance(&mut canvas, step);
        for (sum, (low, high, beside_low, beside_high)) in sums.iter_mut().zip(lines) {
            sum[0] += mean_light(&canvas, low, high);
            sum[1] += mean_light(&canvas, beside_low, beside_high);
        }
    }
    assert_eq!(canvas.extent().width, 400);
    for [edge, beside] in sums {
        assert!((edge / beside - 1.0).abs() < 0.05, "{sums:?}");
    }
}
