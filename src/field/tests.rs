use super::*;
use crate::simd::{self, Level};

fn placement(scale: f32, size: Vec2, band: f32) -> Placement {
    Placement {
        scale,
        origin: Vec2::new(-0.4, 0.7),
        torus: Torus {
            size,
            band: Vec2::splat(band),
        },
    }
}

#[test]
fn places_wrap_into_the_torus() {
    let torus = Torus {
        size: Vec2::new(640.0, 480.0),
        band: Vec2::ZERO,
    };
    for (place, expected) in [
        (-1e-9, 0.0),
        (640.0, 0.0),
        (-0.5, 639.5),
        (641.5, 1.5),
        (-3000.25, 199.75),
        (1e9, 0.0),
    ] {
        let wrapped = torus.wrap(Vec2::new(place, 3.0));
        assert!((0.0..640.0).contains(&wrapped.x), "{place}: {wrapped}");
        if place < 1e8 {
            assert_eq!(wrapped, Vec2::new(expected, 3.0));
        }
    }
    assert_eq!(torus.wrap(Vec2::NAN), Vec2::ZERO);
}

/// Blocks are single samples: the same bits, exact and interpolated, at every level.
#[test]
fn blocks_have_the_bits_of_single_places_at_every_level() {
    clones! {
        fn sample(field: &FlowField, at: Level, places: &[Vec2; BLOCK], velocities: &mut [[f32; 2]; BLOCK], colors: &mut [f32; BLOCK]) {
            field.block(at, places, velocities, colors);
        }
    }
    let mut interpolated = 0;
    for case in 0..60 {
        let (parameters, _) = random_case(case);
        for count in [1, 1_000_000] {
            let mut grids = Vec::new();
            for level in simd::available() {
                let mut field = FlowField::new(case, parameters);
                field.interpolate_for(count, &Pool::single().with_level(level));
                interpolated += u32::from(field.is_interpolated);
                for start in (0..1280).step_by(BLOCK) {
                    let places: [Vec2; BLOCK] = std::array::from_fn(|i| {
                        let index = (start + i) as u32;
                        Vec2::new(unit(9, index), unit(9, index + 100_000)) * field.torus().size
                    });
                    let (mut velocities, mut colors) = ([[0.0; 2]; BLOCK], [0.0; BLOCK]);
                    sample(level, &field, level, &places, &mut velocities, &mut colors);
                    for i in 0..BLOCK {
                        assert_eq!(Vec2::from(velocities[i]), field.velocity_near(places[i]));
                        assert_eq!(colors[i], field.color_near(places[i]));
                        grids.push((velocities[i], colors[i]));
                    }
                }
            }
            let (first, others) = grids.split_at(1280);
            assert!(
                others.chunks(1280).all(|level| level == first),
                "case {case}"
            );
        }
    }
    assert!(interpolated > 20);
}

/// What is no place has no velocity, and breaks nothing.
#[test]
fn nowhere_is_safe() {
    for count in [1, 1_000_000] {
        let mut field = FlowField::new(1, random_case(3).0);
        field.interpolate_for(count, &Pool::single());
        for place in [
            Vec2::NAN,
            Vec2::INFINITY,
            -Vec2::INFINITY,
            Vec2::splat(1e30),
        ] {
            let (mut velocities, mut colors) = ([[0.0; 2]; BLOCK], [0.0; BLOCK]);
            field.block(
                Level::BASELINE,
                &[place; BLOCK],
                &mut velocities,
                &mut colors,
            );
            // On the grid even NaN lies in some cell: nothing there is out of reach.
            let found = velocities
                .as_flattened()
                .iter()
                .all(|side| side.is_finite());
            assert!(found || !place.is_nan() || !field.is_interpolated);
        }
    }
}

/// Blending keeps mean and spread: the band is neither calmer nor livelier than the rest.
#[test]
fn the_band_keeps_mean_and_variance() {
    let placement = placement(0.02, Vec2::new(2000.0, 2000.0), 400.0);
    let (mut inside, mut band) = ([0.0f64; 3], [0.0f64; 3]);
    for time in 0..400i128 {
        let source = Source {
            seed: 2,
            number: 0,
            recipe: Recipe::PERLIN,
            time: Time::Line(time << 66),
        };
        let channel = Channel::new(&source, placement);
        for index in 0..500 {
            let place = Vec2::new(unit(time, index), unit(time, index + 1000)) * 2000.0;
            let value = f64::from(channel.value_at(place)) - 0.5;
            let sums = if place.max_element() < 1600.0 {
                &mut inside
            } else {
                &mut band
            };
            *sums = [sums[0] + 1.0, sums[1] + value, sums[2] + value * value];
        }
    }
    let spread = |sums: [f64; 3]| (sums[2] / sums[0]).sqrt();
    assert!(
        (band[1] / band[0]).abs() < 0.005 && band[0] > 10_000.0,
        "{band:?}"
    );
    assert!(
        (spread(band) / spread(inside) - 1.0).abs() < 0.03,
        "{} {}",
        spread(band),
        spread(inside)
    );
}

fn unit(time: i128, index: u32) -> f32 {
    crate::hash::unit(crate::hash::random_bits(7, time as u64, index))
}

/// One octave of noise as headings, over colors that stand still.
fn headings(flow: Placement) -> FlowParameters {
    FlowParameters {
        flow,
        time: Time::Line(0),
        recipe: Recipe::PERLIN,
        mode: Mode::Angle,
        turns: 1.0,
        even: false,
        directions: 0,
        corner: 12.0,
        seen_bands: false,
        speed: 1.4,
        evenness: 0.0,
        weight: 1.0,
        speed_noise: 0.0,
        steady: Steady {
            wind: Vec2::ZERO,
            eddies: Eddies {
                count: 0.0,
                speed: 2.0,
                radius: 150.0,
                seed: 1,
            },
            disc: Disc {
                speed: 0.0,
                fall: 0.08,
                flat: 0.5,
                unit: 1.0,
            },
            centre: Vec2::ZERO,
        },
        color: flow,
        color_time: None,
        color_stretch: 0.0,
        births: None,
    }
}

/// A window's field of a mode, with everything that can be on top of it on a torus.
fn moving(mode: Mode, torus: Torus) -> FlowParameters {
    let flow = Placement {
        scale: 0.0016,
        origin: Vec2::new(3.0, 5.0),
        torus,
    };
    let plain = headings(flow);
    FlowParameters {
        mode,
        recipe: Recipe {
            octaves: 2,
            ..Recipe::PERLIN
        },
        speed_noise: 0.3,
        steady: Steady {
            wind: Vec2::new(0.7, -0.2),
            eddies: Eddies {
                count: 16.0,
                ..plain.steady.eddies
            },
            centre: Vec2::new(500.0, 300.0),
            ..plain.steady
        },
        ..plain
    }
}

/// A torus of a window of 1000 times 600 px.
const WINDOW: Torus = Torus {
    size: Vec2::new(1200.0, 800.0),
    band: Vec2::splat(200.0),
};

const MODES: [Mode; 3] = [Mode::Angle, Mode::Vector, Mode::Curl];

/// Every mode is interpolated within a few hundredths of its speed, on every side of every edge.
#[test]
fn every_mode_is_interpolated_closely() {
    for mode in MODES {
        let mut field = FlowField::new(5, moving(mode, WINDOW));
        field.interpolate_for(10_000_000, &Pool::single());
        assert!(field.is_interpolated, "{mode:?}");
        let (mut worst, mut square) = (0.0f32, 0.0);
        for index in 0..20_000 {
            let place = Vec2::new(unit(9, index), unit(10, index)) * WINDOW.size;
            let exact = field.velocity_at(place);
            let off = exact.distance(field.velocity_near(place));
            // In the hidden margin fields turn faster.
            if place.x < 1000.0 && place.y < 600.0 {
                worst = worst.max(off);
            }
            square += exact.length_squared();
        }
        let rms = (square / 20_000.0).sqrt();
        println!("{mode:?}: {worst} of {rms} px per step");
        assert!(worst < 0.03 * rms, "{mode:?}: {worst} of {rms}");
    }
}

/// Curl noise has no sources and no sinks, and every mode goes on across the edges of the torus.
#[test]
fn curl_is_free_of_divergence_and_every_mode_is_seamless() {
    for mode in MODES {
        let mut parameters = moving(mode, WINDOW);
        parameters.speed_noise = 0.0;
        let field = FlowField::new(5, parameters);
        let (mut apart, mut turned) = (0.0, 0.0);
        for index in 0..2000 {
            let place = Vec2::new(unit(9, index), unit(10, index)) * Vec2::new(990.0, 590.0) + 4.0;
            let at = |x: f32, y: f32| field.velocity_at(place + Vec2::new(x, y));
            let (right, left) = (at(2.0, 0.0), at(-2.0, 0.0));
            let (below, above) = (at(0.0, 2.0), at(0.0, -2.0));
            apart += (right.x - left.x + below.y - above.y).powi(2);
            turned += (right.y - left.y - below.x + above.x).powi(2);
            let y = place.y;
            let ends = [Vec2::new(0.0, y), Vec2::new(WINDOW.size.x - 0.01, y)];
            let [begin, end] = ends.map(|place| field.velocity_at(place));
            assert!(begin.distance(end) < 0.05, "{mode:?} at {y}: {begin} {end}");
        }
        let share = f32::sqrt(apart / turned);
        println!("{mode:?}: {share}");
        assert!(mode != Mode::Curl || share < 0.02, "{share}");
        assert!(mode == Mode::Curl || share > 0.1, "{share}");
    }
}

/// Vector and curl noise have the speed that is asked for in the mean square, and at full evenness everywhere.
#[test]
fn speeds_are_those_that_are_asked_for() {
    for mode in [Mode::Vector, Mode::Curl] {
        let flow = moving(mode, WINDOW).flow;
        let parameters = FlowParameters {
            mode,
            ..headings(flow)
        };
        let even = FlowParameters {
            evenness: 1.0,
            ..parameters
        };
        let (mut square, mut count) = (0.0, 0.0);
        for moment in 0..60i128 {
            let time = Time::Line(moment << 66);
            let field = FlowField::new(5, FlowParameters { time, ..parameters });
            let evened = FlowField::new(5, FlowParameters { time, ..even });
            for index in 0..200 {
                let place = Vec2::new(unit(moment, index), unit(moment + 99, index));
                let place = place * Vec2::new(1000.0, 600.0);
                square += field.velocity_at(place).length_squared();
                count += 1.0;
                let speed = evened.velocity_at(place).length();
                assert!((speed / 1.4 - 1.0).abs() < 0.02, "{mode:?}: {speed}");
            }
        }
        let rms = f32::sqrt(square / count);
        assert!((rms / 1.4 - 1.0).abs() < 0.08, "{mode:?}: {rms}");
    }
}

/// Rounded headings have as many directions as are asked for.
#[test]
fn directions_are_rounded() {
    let parameters = FlowParameters {
        directions: 8,
        even: true,
        ..headings(moving(Mode::Angle, WINDOW).flow)
    };
    let field = FlowField::new(5, parameters);
    for index in 0..500 {
        let place = Vec2::new(unit(9, index), unit(10, index)) * WINDOW.size;
        let eighths = field.heading_at(place) * 8.0;
        assert!((eighths - eighths.round()).abs() < 1e-4, "{eighths}");
    }
}

/// Random parameters of a field and the window that it is seen in.
fn random_case(case: u32) -> (FlowParameters, Vec2) {
    let random = |salt: u32| unit(1000 + i128::from(case), salt);
    let window = Vec2::new(300.0 + 1600.0 * random(1), 200.0 + 900.0 * random(2));
    let scale = 0.0006 * (30.0f32).powf(random(3));
    let seen_bands = random(4) < 0.4;
    let cells = if seen_bands {
        0.35
    } else {
        0.05 + 0.95 * random(5)
    };
    let width = (cells / scale).clamp(64.0, 320.0).min(window.min_element());
    let torus = Torus {
        size: if seen_bands { window } else { window + width },
        band: Vec2::splat(width),
    };
    let placement = Placement {
        scale,
        origin: Vec2::new(random(6), random(7)) * 50.0,
        torus,
    };
    let parameters = FlowParameters {
        flow: placement,
        time: Time::Line(((random(8) * 1e6) as i128) << 44),
        turns: [0.25, 1.0, 1.0, 2.5, 6.0][(random(9) * 5.0) as usize],
        even: random(10) < 0.5,
        seen_bands,
        color_stretch: 1.0,
        ..headings(placement)
    };
    (parameters, window)
}

/// The same with noise time somewhere on a circle.
fn random_looped_case(case: u32) -> (FlowParameters, Vec2) {
    let (parameters, window) = random_case(case);
    let random = |salt: u32| f64::from(unit(5000 + i128::from(case), salt));
    let time = Time::Circle {
        radius: random(1) * 4.0,
        part: (random(2) * 1000.0) as i64,
        period: 1000,
    };
    (FlowParameters { time, ..parameters }, window)
}

/// The largest errors in degrees where it is seen and where it is hidden, and whether a grid was used.
fn errors(parameters: FlowParameters, seed: u32, window: Vec2) -> ([f32; 2], bool) {
    let mut field = FlowField::new(seed, parameters);
    field.interpolate_for(1_000_000, &Pool::single());
    let mut worst = [0.0f32; 2];
    for index in 0..8_000 {
        let place = Vec2::new(unit(9, index), unit(9, index + 100_000)) * field.torus().size;
        let off = field
            .velocity_at(place)
            .angle_to(field.velocity_near(place))
            .abs()
            .to_degrees();
        let hidden = usize::from(place.x > window.x || place.y > window.y);
        worst[hidden] = worst[hidden].max(off);
    }
    (worst, field.is_interpolated)
}

/// Random settings: directions are within a quarter of a degree wherever they are seen, within three in the margin.
fn check_directions(random_case: fn(u32) -> (FlowParameters, Vec2), cases: u32) {
    let (mut worst, mut interpolated) = ([0.0f32; 2], 0);
    for case in 0..cases {
        let (parameters, window) = random_case(case);
        let (errors, is_interpolated) = errors(parameters, case, window);
        assert!(
            errors[0] <= 0.25 && errors[1] <= 3.0,
            "{errors:?} degrees with {parameters:?}"
        );
        worst = [worst[0].max(errors[0]), worst[1].max(errors[1])];
        interpolated += u32::from(is_interpolated);
    }
    println!("{worst:?} degrees at worst, {interpolated} of {cases} interpolated");
    assert!(interpolated * 3 > cases);
}

#[test]
fn interpolated_directions_are_accurate() {
    check_directions(random_case, 300);
}

#[test]
fn interpolated_directions_are_accurate_where_time_runs_on_a_circle() {
    check_directions(random_looped_case, 300);
}

/// Interpolated colors are off by less than four of a palette's 255 steps.
#[test]
fn interpolated_colors_are_accurate() {
    let (mut worst, mut interpolated) = (0.0f32, 0);
    for case in 0..100 {
        let (parameters, _) = random_case(case);
        let mut field = FlowField::new(case, parameters);
        field.interpolate_for(1_000_000, &Pool::single());
        interpolated += u32::from(field.is_interpolated);
        for index in 0..10_000 {
            let place = Vec2::new(unit(9, index), unit(9, index + 100_000)) * field.torus().size;
            worst = worst.max((field.color_at(place) - field.color_near(place)).abs());
        }
    }
    println!(
        "{:.2} of a palette's steps at worst, {interpolated} of 100 interpolated",
        worst * 255.0
    );
    assert!(worst * 255.0 < 4.0 && interpolated > 50);
}

/// Few particles are carried exactly, many on a grid, and in noise too fine for a grid exactly whatever their number.
#[test]
fn grids_are_used_where_they_pay() {
    let torus = Torus {
        size: Vec2::new(1280.0, 720.0),
        band: Vec2::ZERO,
    };
    let at_scale = |scale: f32| {
        let flow = Placement {
            scale,
            origin: Vec2::ZERO,
            torus,
        };
        headings(flow)
    };
    for (scale, count, expected) in [
        (0.0018, 100, false),
        (0.0018, 100_000, true),
        (0.05, 10_000_000, false),
    ] {
        let mut field = FlowField::new(1, at_scale(scale));
        field.interpolate_for(count, &Pool::single());
        assert_eq!(
            field.is_interpolated, expected,
            "{count} particles at {scale}"
        );
        let place = Vec2::new(333.3, 444.4);
        assert_eq!(
            field.velocity_near(place) == field.velocity_at(place),
            !expected
        );
        // Another step begins exactly.
        field.refresh(1, at_scale(scale));
        assert_eq!(field.velocity_near(place), field.velocity_at(place));
    }
}
