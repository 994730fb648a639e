use super::*;
use crate::hash::{random_bits, unit};
use crate::noise::{NoiseKind, Shape};
use crate::simd;

const LINE: Time = Time::Line((700 << 64) + (3 << 61));

const CIRCLE: Time = Time::Circle {
    radius: 0.37,
    part: 123,
    period: 1200,
};

const WARPED: Recipe = Recipe {
    octaves: 3,
    warp: 0.7,
    warp_scale: 0.6,
    warp_octaves: 2,
    ..Recipe::PERLIN
};

/// Every kind, alone, in octaves, and displaced, in one shape or another.
fn recipes() -> Vec<Recipe> {
    let shapes = [
        Shape::Plain,
        Shape::Ridged,
        Shape::Power(1.7),
        Shape::Sine(0.8),
        Shape::Billow,
    ];
    NoiseKind::ALL
        .into_iter()
        .zip(shapes)
        .flat_map(|(kind, shape)| {
            let plain = Recipe {
                kind,
                ..Recipe::PERLIN
            };
            let octaves = Recipe {
                octaves: 5,
                lacunarity: 1.9,
                gain: 0.6,
                ..plain
            };
            [
                plain,
                octaves,
                Recipe { shape, ..octaves },
                Recipe {
                    kind,
                    shape,
                    ..WARPED
                },
            ]
        })
        .collect()
}

/// Places near, far, negative, on lattice lines, and no places.
fn places(count: usize) -> [Vec<f32>; 2] {
    let mut x: Vec<f32> = (0..count).map(|i| i as f32 * 0.137 - 300.0).collect();
    let y = (0..count).map(|i| i as f32 * 0.071 % 97.0).collect();
    x[3] = f32::NAN;
    x[5] = 17.0;
    x[6] = -1e-9;
    [x, y]
}

#[test]
fn one_octave_of_perlin_noise_is_a_slice() {
    let [x, y] = places(1000);
    for time in [LINE, CIRCLE] {
        let fractal = Fractal::new(9, 0, Recipe::PERLIN, time);
        let slice = Noise::new(9).slice(time.depth());
        for (x, y) in x.iter().zip(&y) {
            assert_eq!(fractal.at(*x, *y).to_bits(), slice.at(*x, *y).to_bits());
        }
    }
}

/// One octave of every kind is the plain function of three or four coordinates.
#[test]
fn one_octave_is_a_plain_sample() {
    let noise = Noise::new(9);
    let depth = CIRCLE.depth();
    let across = depth.across.unwrap();
    let [z, w] = [
        depth.cell as f32 + depth.fraction,
        across.cell as f32 + across.fraction,
    ];
    for kind in NoiseKind::ALL {
        let recipe = Recipe {
            kind,
            ..Recipe::PERLIN
        };
        let line = Fractal::new(9, 0, recipe, Time::Line((5 << 64) + (1 << 62)));
        let circle = Fractal::new(9, 0, recipe, CIRCLE);
        for index in 0..200 {
            let [x, y] = [1, 2].map(|stream| unit(random_bits(0, stream, index)) * 90.0 - 40.0);
            let plain = noise.sample(kind, [x, y, 5.25]);
            assert_eq!(line.at(x, y), plain, "{kind:?}");
            let plain = noise.sample(kind, [x, y, z, w]);
            assert!((circle.at(x, y) - plain).abs() < 1e-4, "{kind:?}");
        }
    }
}

/// The normalised sum of octaves, their shape and the displacement, by their definitions.
#[test]
fn octaves_are_added_up_as_defined() {
    for recipe in recipes() {
        let fractal = Fractal::new(4, 2, recipe, LINE);
        let sum = |sum: &Sum, gain: f64, x: f64, y: f64| {
            let (mut total, mut weights, mut weight, mut frequency) = (0.0, 0.0, 1.0, 1.0);
            for octave in &sum.octaves {
                let x = x * frequency + f64::from(octave.offset[0]);
                let y = y * frequency + f64::from(octave.offset[1]);
                let value = octave.layer.at(x as f32, y as f32);
                total += weight * (f64::from(value) * 2.0 - 1.0);
                weights += weight;
                weight *= gain;
                frequency *= f64::from(recipe.lacunarity);
            }
            total / weights
        };
        for index in 0..100 {
            let [x, y] = [1, 2].map(|stream| f64::from(unit(random_bits(0, stream, index))) * 9.0);
            let [first, second, own] = &fractal.sums;
            let (mut there, scale) = ([x, y], f64::from(recipe.warp_scale));
            if recipe.warp > 0.0 {
                for (part, warp) in there.iter_mut().zip([first, second]) {
                    *part += f64::from(recipe.warp) * sum(warp, 0.5, x * scale, y * scale);
                }
            }
            let n = sum(own, recipe.gain.into(), there[0], there[1]);
            let expected = recipe.shape.apply((n * 0.5 + 0.5) as f32);
            let value = fractal.at(x as f32, y as f32);
            assert!(
                (value - expected).abs() < 1e-4,
                "{recipe:?}: {value} {expected}"
            );
        }
    }
}

#[test]
fn blocks_have_the_same_bits_at_every_level() {
    for recipe in recipes() {
        for time in [LINE, CIRCLE] {
            let fractal = Fractal::new(3, 1, recipe, time);
            for count in [63, 64, 201] {
                let [x, y] = places(count);
                for level in simd::available() {
                    let mut values = vec![0.0; count];
                    scattered_fractal(level, &fractal, &x, &y, &mut values);
                    for i in (0..count).filter(|&i| x[i].is_finite()) {
                        let sample = fractal.at(x[i], y[i]);
                        let name = level.name();
                        assert_eq!(values[i].to_bits(), sample.to_bits(), "{name} {recipe:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn rows_are_samples() {
    let mut samples = FractalSamples::default();
    for recipe in recipes() {
        // Where little becomes much, so does an error.
        let steepest = match recipe.shape {
            Shape::Plain => 1.0,
            Shape::Sine(turns) => 6.3 * turns,
            _ => 2.0,
        };
        for time in [LINE, CIRCLE] {
            let fractal = Fractal::new(3, 0, recipe, time);
            samples.begin(&fractal);
            let places: Vec<f32> = (0..300).map(|i| i as f32 * 0.0431 - 5.0).collect();
            places.iter().for_each(|&x| samples.push(x));
            assert_eq!((samples.len(), samples.is_empty()), (300, false));
            for level in simd::available() {
                let mut values = vec![0.0; padded(300)];
                let mut scratch = values.clone();
                fill_fractal_row(level, &fractal, -0.35, &samples, &mut scratch, &mut values);
                for (x, value) in places.iter().zip(&values) {
                    let apart = (value - fractal.at(*x, -0.35)).abs();
                    assert!(apart < 1e-6 * steepest, "{recipe:?} {x}: {apart}");
                }
            }
        }
    }
}

/// What was another recipe's becomes this one's, to the last bit.
#[test]
fn a_refreshed_fractal_is_a_new_one() {
    let recipes = recipes();
    let mut fractal = Fractal::new(0, 0, recipes[0], LINE);
    for (number, recipe) in recipes.iter().chain(recipes.iter().rev()).enumerate() {
        let (seed, channel) = (number as u32 / 3, number as u32 % 2);
        let time = [LINE, CIRCLE][number % 2];
        fractal.refresh(seed, channel, *recipe, time);
        let new = Fractal::new(seed, channel, *recipe, time);
        for index in 0..50u8 {
            let (x, y) = (f32::from(index) * 0.37, f32::from(index) * -0.21);
            assert_eq!(fractal.at(x, y), new.at(x, y), "{recipe:?}");
        }
    }
}

/// How alike two fractals are: 1 where they are one, 0 where they have nothing to do with each other.
///
/// Of lattices with 256 kinds of nodes it is .06 by chance.
fn correlation(one: &Fractal, other: &Fractal) -> f64 {
    let mut sums = [0.0f64; 5];
    let count = 20_000;
    for index in 0..count {
        let [x, y] = [1, 2].map(|stream| unit(random_bits(8, stream, index)) * 200.0);
        let [a, b] = [one, other].map(|fractal| f64::from(fractal.at(x, y)));
        for (sum, term) in sums.iter_mut().zip([a, b, a * a, b * b, a * b]) {
            *sum += term / f64::from(count);
        }
    }
    let [a, b, aa, bb, ab] = sums;
    (ab - a * b) / ((aa - a * a) * (bb - b * b)).sqrt()
}

#[test]
fn seeds_channels_octaves_and_times_are_independent() {
    for kind in NoiseKind::ALL {
        let recipe = Recipe {
            kind,
            ..Recipe::PERLIN
        };
        let here = Fractal::new(1, 0, recipe, LINE);
        for (seed, channel) in [(2, 0), (1, 1), (1, 2), (1 << 31, 0)] {
            let other = Fractal::new(seed, channel, recipe, LINE);
            let alike = correlation(&here, &other);
            assert!(alike.abs() < 0.2, "{kind:?} {seed} {channel}: {alike}");
        }
        // Cells of the table, what would be its repetitions, and years.
        for cells in [1 << 8, 1 << 16, 1 << 24, 3_000_000_000] {
            let Time::Line(z) = LINE else { unreachable!() };
            let other = Fractal::new(1, 0, recipe, Time::Line(z + (cells << 64)));
            let alike = correlation(&here, &other);
            assert!(alike.abs() < 0.2, "{kind:?} {cells}: {alike}");
        }
        let many = Recipe {
            octaves: 4,
            lacunarity: 1.0,
            ..recipe
        };
        let octaves = Fractal::new(1, 0, many, LINE);
        for octave in 1..4 {
            let mut single = octaves.clone();
            single.sums[2].octaves = vec![octaves.sums[2].octaves[octave].clone()];
            let alike = correlation(&here, &single);
            assert!(alike.abs() < 0.2, "{kind:?} octave {octave}: {alike}");
        }
    }
}

/// At every time, near and far, it goes on without a step, and in steps of one size.
#[test]
fn time_is_continuous_and_endless() {
    for kind in NoiseKind::ALL {
        let recipe = Recipe {
            kind,
            octaves: 3,
            ..Recipe::PERLIN
        };
        for cell in [0i128, -1, 255, 256, 1_000_000_000, -40_000_000_000] {
            let mut steps = [0.0f64; 2];
            let mut last: Option<Vec<f32>> = None;
            for number in -32..32 {
                let time = Time::Line((cell << 64) + (number << 58));
                let fractal = Fractal::new(1, 0, recipe, time);
                let values: Vec<f32> = (0..100u8)
                    .map(|index| fractal.at(f32::from(index) * 1.37, f32::from(index) * 0.73))
                    .collect();
                if let Some(last) = &last {
                    for (value, last) in values.iter().zip(last) {
                        let step = f64::from((value - last).abs());
                        steps = [steps[0].max(step), steps[1] + step / 6300.0];
                    }
                }
                last = Some(values);
            }
            let [largest, mean] = steps;
            assert!(largest < 0.2, "{kind:?} {cell}: {largest}");
            assert!(mean > 0.001, "{kind:?} {cell}: {mean}");
        }
    }
}

#[test]
fn circles_close() {
    for recipe in recipes() {
        let at = |part| {
            let time = Time::Circle {
                radius: 0.37,
                part,
                period: 1200,
            };
            let fractal = Fractal::new(1, 0, recipe, time);
            (0..60u8)
                .map(|index| fractal.at(f32::from(index) * 1.37, f32::from(index) * 0.73))
                .collect::<Vec<_>>()
        };
        assert_eq!(at(0), at(1200), "{recipe:?}");
        assert_ne!(at(0), at(600), "{recipe:?}");
    }
}
