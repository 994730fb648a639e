use super::lattice::{GRADIENTS, Layers, corners};
use super::*;
use crate::simd;

/// The permutation printed with the reference implementation (Perlin 2002).
const REFERENCE: [u8; 256] = [
    151, 160, 137, 91, 90, 15, 131, 13, 201, 95, 96, 53, 194, 233, 7, 225, 140, 36, 103, 30, 69,
    142, 8, 99, 37, 240, 21, 10, 23, 190, 6, 148, 247, 120, 234, 75, 0, 26, 197, 62, 94, 252, 219,
    203, 117, 35, 11, 32, 57, 177, 33, 88, 237, 149, 56, 87, 174, 20, 125, 136, 171, 168, 68, 175,
    74, 165, 71, 134, 139, 48, 27, 166, 77, 146, 158, 231, 83, 111, 229, 122, 60, 211, 133, 230,
    220, 105, 92, 41, 55, 46, 245, 40, 244, 102, 143, 54, 65, 25, 63, 161, 1, 216, 80, 73, 209, 76,
    132, 187, 208, 89, 18, 169, 200, 196, 135, 130, 116, 188, 159, 86, 164, 100, 109, 198, 173,
    186, 3, 64, 52, 217, 226, 250, 124, 123, 5, 202, 38, 147, 118, 126, 255, 82, 85, 212, 207, 206,
    59, 227, 47, 16, 58, 17, 182, 189, 28, 42, 223, 183, 170, 213, 119, 248, 152, 2, 44, 154, 163,
    70, 221, 153, 101, 155, 167, 43, 172, 9, 129, 22, 39, 253, 19, 98, 108, 110, 79, 113, 224, 232,
    178, 185, 112, 104, 218, 246, 97, 228, 251, 34, 242, 193, 238, 210, 144, 12, 191, 179, 162,
    241, 81, 51, 145, 235, 249, 14, 239, 107, 49, 192, 214, 31, 181, 199, 106, 157, 184, 84, 204,
    176, 115, 121, 50, 45, 127, 4, 150, 254, 138, 236, 205, 93, 222, 114, 67, 29, 24, 72, 243, 141,
    128, 195, 78, 66, 215, 61, 156, 180,
];

/// Values of the reference implementation in double precision, in [-1, 1].
#[expect(
    clippy::approx_constant,
    reason = "the published sample points are what they are"
)]
const REFERENCE_VALUES: [([f32; 3], f64); 14] = [
    ([3.14, 42.0, 7.0], 0.13691995878400012),
    ([-4.2, 10.0, 6.0], 0.14208000000000043),
    ([0.1, 0.1, 0.1], 0.1861607143544832),
    ([0.5, 0.5, 0.5], -0.25),
    ([1.5, 2.5, 3.5], 0.125),
    ([255.5, 255.5, 255.5], -0.875),
    ([256.5, 0.5, 0.5], -0.25),
    ([0.1, 0.2, 0.3], 0.35122924878110723),
    ([-0.5, -1.25, -2.75], -0.10498714447021484),
    ([123.456, 78.9, 0.12], -0.19199378309654966),
    ([-3.14, -42.0, -7.0], 0.1558402119679998),
    ([100.25, 200.5, 50.75], -0.08886051177978516),
    ([89.2, 0.123, 0.0], -0.1946514187969892),
    ([1.0, 1.0, 1.0], 0.0),
];

#[test]
fn values_are_the_reference_implementations() {
    let noise = Noise::from_permutation(0, &REFERENCE);
    for ([x, y, z], expected) in REFERENCE_VALUES {
        let value = f64::from(noise.at(x, y, z)) * 2.0 - 1.0;
        assert!(
            (value - expected).abs() < 2e-5,
            "({x}, {y}, {z}): {value}, not {expected}"
        );
    }
    assert_eq!(quintic(0.75), 0.896_484_4);
}

/// Perlin's `grad` from the 2002 paper, bit by bit, against the table.
#[test]
fn gradients_are_the_reference_implementations() {
    for (hash, gradient) in GRADIENTS.iter().enumerate() {
        let point = [0.3, 0.5, 0.7];
        let u = if hash < 8 { point[0] } else { point[1] };
        let v = match hash {
            0..4 => point[1],
            12 | 14 => point[0],
            _ => point[2],
        };
        let expected = if hash & 1 == 0 { u } else { -u } + if hash & 2 == 0 { v } else { -v };
        let dot: f32 = (0..3).map(|axis| gradient[axis] * point[axis]).sum();
        assert!((dot - expected).abs() < 1e-6, "hash {hash}");
    }
}

#[test]
fn the_seed_shuffles_as_the_demo_does() {
    let noise = Noise::new(20_240_607);
    assert_eq!(
        noise.permutation[..16],
        [
            239, 0, 93, 1, 180, 84, 172, 81, 35, 146, 20, 129, 102, 243, 110, 111
        ]
    );
    let mut sorted = noise.permutation[..256].to_vec();
    sorted.sort_unstable();
    assert!(
        sorted
            .iter()
            .enumerate()
            .all(|(index, &value)| index == usize::from(value))
    );
}

#[test]
fn values_stay_in_range_and_vanish_at_lattice_points() {
    let noise = Noise::new(5);
    let (mut low, mut high, mut sum) = (1.0f32, 0.0f32, 0.0f64);
    for index in 0..200_000 {
        let t = index as f32;
        let value = noise.at(t * 0.137 - 3000.0, t * 0.071 % 97.0, t * 0.033 % 256.0);
        (low, high, sum) = (low.min(value), high.max(value), sum + f64::from(value));
    }
    assert!(
        low >= 0.0 && high <= 1.0 && low < 0.1 && high > 0.9,
        "{low} to {high}"
    );
    assert!((sum / 200_000.0 - 0.5).abs() < 0.005);
    for index in -40..40 {
        assert_eq!(
            noise.at(index as f32, (index * 7) as f32, (index * 3) as f32),
            0.5
        );
    }
}

#[test]
fn value_and_slope_are_continuous_across_cells() {
    let noise = Noise::new(9);
    let slope =
        |x: f32| (noise.at(x + 0.004, 0.37, 0.61) - noise.at(x - 0.004, 0.37, 0.61)) / 0.008;
    for cell in 1..60 {
        let border = cell as f32;
        let before = noise.at(border - 1e-5, 0.37, 0.61);
        let after = noise.at(border + 1e-5, 0.37, 0.61);
        assert!((before - after).abs() < 5e-5, "{cell}: {before} {after}");
        assert!(
            (slope(border - 0.004) - slope(border + 0.004)).abs() < 0.01,
            "{cell}"
        );
    }
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
fn one_sample_is_the_sample_of_a_slice() {
    let noise = Noise::new(3);
    let [x, y] = places(2000);
    for z in [0.0, 0.3, 77.9, 255.5, -3.25] {
        let slice = noise.slice(Depth::periodic(z));
        for (x, y) in x.iter().zip(&y) {
            assert_eq!(noise.at(*x, *y, z).to_bits(), slice.at(*x, *y).to_bits());
        }
    }
}

/// Every level, in blocks and in what is left of them, gives the bits of single samples.
#[test]
fn scattered_samples_have_the_same_bits_at_every_level() {
    let slice = Noise::new(3).slice(Depth::endless((700_i128 << 64) + (1 << 61)));
    for count in [4, 63, 64, 65, 1000] {
        let [x, y] = places(count.max(7));
        for level in simd::available() {
            let mut values = vec![0.0; x.len()];
            scattered(level, &slice, &x, &y, &mut values);
            for i in (0..x.len()).filter(|&i| !x[i].is_nan()) {
                let expected = slice.at(x[i], y[i]).to_bits();
                assert_eq!(values[i].to_bits(), expected, "{} at {i}", level.name());
            }
        }
    }
}

/// Rows are the samples at their places, whatever their length, and have the same bits at every level.
#[test]
fn rows_are_samples() {
    let slice = Noise::new(4).slice(Depth::endless(5 << 62));
    for (count, spacing) in [
        (1, 0.1),
        (15, 0.01),
        (16, 0.3),
        (17, 0.07),
        (500, 0.013),
        (40, 2.3),
    ] {
        let places: Vec<f32> = (0..count).map(|i| i as f32 * spacing - 1.7).collect();
        let mut samples = Samples::default();
        // What was there before leaves nothing behind.
        (0..700).for_each(|i| samples.push(i as f32));
        samples.clear();
        places.iter().for_each(|&x| samples.push(x));
        assert_eq!((samples.len(), samples.is_empty()), (count, false));
        let mut expected = vec![];
        for level in simd::available() {
            let mut values = vec![0.0; padded(count)];
            fill_row(level, &slice, &Row::new(-0.35), &samples, &mut values);
            for (x, value) in places.iter().zip(&values) {
                let sample = slice.at(*x, -0.35);
                assert!((value - sample).abs() < 1e-6, "{x}: {value}, not {sample}");
            }
            values.truncate(count);
            if level == simd::Level::BASELINE {
                expected = values;
            } else {
                assert_eq!(values, expected, "{}", level.name());
            }
        }
    }
}

#[test]
fn depth_goes_on_beyond_the_table() {
    let noise = Noise::new(1);
    let at = |depth: Depth| noise.slice(depth).at(12.3, 45.6);
    let endless = |cell: i128, fraction: i128| Depth::endless((cell << 64) + (fraction << 60));
    // In [0, 255) it is the demo's, at 255 the next block is already half of the blend.
    for cell in 0..255 {
        assert_eq!(
            at(endless(cell, 5)).to_bits(),
            at(Depth::periodic(cell as f32 + 5.0 / 16.0)).to_bits()
        );
    }
    assert_ne!(at(endless(255, 5)), at(Depth::periodic(255.0 + 5.0 / 16.0)));
    assert_ne!(at(endless(3, 5)), at(endless(3 + 256, 5)));
    assert_ne!(at(endless(-3, 5)), at(Depth::periodic(-3.0 + 5.0 / 16.0)));
    // Continuous where blocks meet.
    for cell in [-256, 0, 255, 256, 512, 256_000_000] {
        let border = i128::from(cell) << 64;
        let gap = at(Depth::endless(border - (1 << 44))) - at(Depth::endless(border + (1 << 44)));
        assert!(gap.abs() < 1e-5, "{cell}: {gap}");
    }
    assert_eq!(
        Depth::endless(-1),
        Depth {
            cell: -1,
            fraction: 1.0 - 1.0 / 16_777_216.0,
            periodic: false,
            across: None,
        }
    );
}

/// Not a frozen or replayed film: gradients of 4096 layers, ten years apart at most, agree as chance has it.
#[test]
fn no_two_layers_agree() {
    let noise = Noise::new(20_240_607);
    let start = 0i64;
    let far = 17_000_000i64;
    let layers: Vec<Vec<u8>> = (0..2048)
        .map(|index| start + index)
        .chain((0..2048).map(|index| far + index * 3))
        .map(|cell| {
            let layer = Layers::new(
                Lattice::Perlin,
                Depth {
                    cell,
                    fraction: 0.0,
                    periodic: false,
                    across: None,
                },
            )
            .lower;
            (0..512)
                .map(|node| {
                    let [hash, ..] = corners(&noise.permutation, node % 32 * 5, node / 32 * 3);
                    let gradient = noise.gradient(hash, layer);
                    GRADIENTS
                        .iter()
                        .position(|&other| other == gradient)
                        .unwrap() as u8
                })
                .collect()
        })
        .collect();
    for (index, layer) in layers.iter().enumerate() {
        for other in &layers[..index] {
            let equal = layer.iter().zip(other).filter(|(a, b)| a == b).count();
            assert!(
                equal * 4 <= layer.len(),
                "layer {index}: {equal} of {} nodes agree",
                layer.len()
            );
        }
    }
}

/// The sum over all corners of a cell, in double precision: what a lattice in four dimensions or fewer is by its definition. `node` gives what a
/// corner contributes at an offset.
fn blended<const N: usize>(
    place: [f64; N],
    fade: fn(f64) -> f64,
    node: impl Fn([i64; N], [f64; N]) -> f64,
) -> f64 {
    let cell = place.map(|x| x.floor() as i64);
    let mut sum = 0.0;
    for corner in 0..1 << N {
        let mut weight = 1.0;
        let (mut there, mut way) = (cell, [0.0; N]);
        for axis in 0..N {
            there[axis] += corner >> axis & 1;
            way[axis] = place[axis] - there[axis] as f64;
            weight *= fade(1.0 - way[axis].abs());
        }
        sum += weight * node(there, way);
    }
    sum
}

fn smoothstep(t: f64) -> f64 {
    3.0 * t * t - 2.0 * t * t * t
}

fn smootherstep(t: f64) -> f64 {
    6.0 * t.powi(5) - 15.0 * t.powi(4) + 10.0 * t.powi(3)
}

/// The byte of the table for a node, as Perlin's nested look-ups find it.
fn looked_up<const N: usize>(noise: &Noise, node: [i64; N]) -> u8 {
    node.iter().fold(0, |hash, part| {
        noise.permutation[(usize::from(hash) + part.rem_euclid(256) as usize) % 256]
    })
}

fn random_place<const N: usize>(index: u32) -> [f64; N] {
    std::array::from_fn(|axis| {
        let random = crate::hash::unit(crate::hash::random_bits(5, axis as u64, index));
        f64::from((random * 200.0 * 1024.0).round() / 1024.0)
    })
}

/// Classic and value noise against their definitions, within the table.
#[test]
fn lattice_kinds_are_their_definitions() {
    let noise = Noise::new(21);
    let near = |kind, value: f32, expected: f64, scale: f64| {
        let expected = expected * scale * 0.5 + 0.5;
        assert!(
            (f64::from(value) - expected).abs() < 2e-5,
            "{kind:?}: {value} {expected}"
        );
    };
    let level = |byte: u8| f64::from(byte) / 127.5 - 1.0;
    for index in 0..1000 {
        let three = random_place::<3>(index);
        let gradient = |node: [i64; 3], way: [f64; 3]| {
            let gradient = GRADIENTS[usize::from(looked_up(&noise, node) & 15)];
            (0..3)
                .map(|axis| f64::from(gradient[axis]) * way[axis])
                .sum()
        };
        let sample = |kind| noise.sample(kind, three.map(|part| part as f32));
        let classic = blended(three, smoothstep, gradient);
        near(NoiseKind::Classic, sample(NoiseKind::Classic), classic, 1.0);
        let perlin = blended(three, smootherstep, gradient);
        near(NoiseKind::Perlin, sample(NoiseKind::Perlin), perlin, 1.0);
        let value = blended(three, smootherstep, |node, _| {
            level(looked_up(&noise, node))
        });
        near(NoiseKind::Value, sample(NoiseKind::Value), value, 1.0);
        let four = random_place::<4>(index);
        let sample = |kind| noise.sample(kind, four.map(|part| part as f32));
        let value = blended(four, smootherstep, |node, _| level(looked_up(&noise, node)));
        near(NoiseKind::Value, sample(NoiseKind::Value), value, 1.0);
        let two = random_place::<2>(index);
        let sample = noise.sample(NoiseKind::Value, two.map(|part| part as f32));
        let value = blended(two, smootherstep, |node, _| level(looked_up(&noise, node)));
        near(NoiseKind::Value, sample, value, 1.0);
    }
}

/// A value of a kind in `dimensions` dimensions, at the place that so many coordinates of `place` are.
fn value_of(noise: &Noise, kind: NoiseKind, dimensions: usize, place: [f32; 4]) -> f64 {
    let [x, y, z, w] = place;
    f64::from(match dimensions {
        1 => noise.sample(kind, [x]),
        2 => noise.sample(kind, [x, y]),
        3 => noise.sample(kind, [x, y, z]),
        _ => noise.sample(kind, [x, y, z, w]),
    })
}

fn every_kind(check: impl Fn(NoiseKind, usize)) {
    for kind in NoiseKind::ALL {
        for dimensions in 1..=4 {
            check(kind, dimensions);
        }
    }
}

#[test]
fn values_of_every_kind_lie_about_a_half() {
    let noise = Noise::new(5);
    every_kind(|kind, dimensions| {
        let (mut low, mut high, mut sum) = (1.0f64, 0.0f64, 0.0);
        for index in 0..50_000 {
            let value = value_of(
                &noise,
                kind,
                dimensions,
                random_place(index).map(|x| x as f32),
            );
            (low, high, sum) = (low.min(value), high.max(value), sum + value / 50_000.0);
        }
        let name = format!("{kind:?} {dimensions}: {low} to {high}, mean {sum}");
        assert!(
            low >= 0.0 && high <= 1.0 && low < 0.25 && high > 0.75,
            "{name}"
        );
        let tolerance = if dimensions == 1 { 0.03 } else { 0.01 };
        assert!((sum - 0.5).abs() < tolerance, "{name}");
    });
}

#[test]
fn gradient_kinds_vanish_at_lattice_points() {
    let noise = Noise::new(5);
    for dimensions in 1..=4 {
        for index in 0..100i16 {
            let place = [1, 7, 3, -2].map(|times| f32::from(index * times));
            for kind in [NoiseKind::Perlin, NoiseKind::Classic] {
                let value = value_of(&noise, kind, dimensions, place);
                assert!((value - 0.5).abs() < 1e-6, "{kind:?} {dimensions}: {value}");
            }
        }
    }
}

/// Nowhere a step or a corner; and where cells meet, curvature jumps for the cubic and for none else. In four dimensions simplex noise
/// has steps of its own: its kernels reach a little too far.
#[test]
fn kinds_are_as_smooth_as_they_should_be() {
    let noise = Noise::new(9);
    every_kind(|kind, dimensions| {
        let is_simplex = matches!(kind, NoiseKind::Simplex | NoiseKind::OpenSimplex2);
        let reaches = is_simplex && dimensions == 4;
        let (mut step, mut turn, mut jump) = (0.0f64, 0.0f64, 0.0f64);
        for border in 3..60 {
            for part in [0.0, 0.3, 0.77] {
                let middle = border as f32 + if is_simplex { part } else { 0.0 };
                let at =
                    |way: f32| value_of(&noise, kind, dimensions, [middle + way, 0.35, 0.6, 0.2]);
                let way = 1.0f32 / 256.0;
                let slope = |from: f32| (at(from + way) - at(from)) / f64::from(way);
                let bend = |middle: f32| (slope(middle) - slope(middle - way)) / f64::from(way);
                step = step.max((at(1e-4) - at(-1e-4)).abs());
                turn = turn.max((slope(0.0) - slope(-way)).abs());
                jump = jump.max((bend(2.0 * way) - bend(-2.0 * way)).abs());
            }
        }
        let name = format!("{kind:?} {dimensions}: {step} {turn} {jump}");
        assert!(step < if reaches { 4e-3 } else { 1.2e-3 }, "{name}");
        if !reaches {
            assert!(turn < 0.5, "{name}");
        }
        if kind == NoiseKind::Classic {
            assert!(jump > 2.5, "{name}");
        } else if !is_simplex {
            assert!(jump < 2.0, "{name}");
        }
    });
}

/// The simplex kinds are as steep along one direction as along any other.
#[test]
fn simplex_kinds_look_alike_in_all_directions() {
    let time = Time::Line(0);
    for kind in [NoiseKind::Simplex, NoiseKind::OpenSimplex2] {
        let recipe = Recipe {
            kind,
            ..Recipe::PERLIN
        };
        let mut squares = [0.0f64; 8];
        let mut fractal = Fractal::new(0, 0, recipe, time);
        for seed in 0..100 {
            fractal.refresh(
                seed,
                0,
                recipe,
                Time::Line(i128::from(seed) * 0x1_9e37_79b9_7f4a_7c15),
            );
            for index in 0..400 {
                let [x, y] = random_place(index + seed * 400).map(|part: f64| part as f32);
                let ([along, down], _) = fractal.gradient_at(x, y);
                for (direction, square) in squares.iter_mut().enumerate() {
                    let [cosine, sine] = crate::polynomial::cos_sin(direction as f32 / 16.0);
                    *square += f64::from(along * cosine + down * sine).powi(2);
                }
            }
        }
        let mean = squares.iter().sum::<f64>() / 8.0;
        for square in squares {
            assert!((square / mean - 1.0).abs() < 0.04, "{kind:?}: {squares:?}");
        }
    }
}

#[test]
fn channels_have_seeds_of_their_own() {
    assert_eq!(channel_seed(77, 0), 77);
    let mut seeds: Vec<u32> = (0..4)
        .flat_map(|seed| (0..500).map(move |channel| channel_seed(seed, channel)))
        .collect();
    seeds.sort_unstable();
    seeds.dedup();
    assert_eq!(seeds.len(), 2000);
}
