use fastnoise_lite::{FastNoiseLite, NoiseType, RotationType3D};
use noise_functions::{OpenSimplex2, OpenSimplexNoise, Sample};

use super::*;
use crate::hash::{random_bits, unit};

/// Another implementation's noise of lattice coordinates. Its gradients are measured, each near its own vertex, where no
/// other has any influence: so hashes and gradients are the other's, and all else is ours.
struct Probed<'a, const N: usize> {
    noise: &'a dyn Fn([f64; N]) -> f64,
    skew: f64,
    /// How far apart copies of the lattice lie, on each axis, in lattice coordinates.
    apart: f64,
}

const STEP: f64 = 1.0 / 32.0;

impl<const N: usize> Probed<'_, N> {
    fn measured(&self, reach: f64, copy: u32, vertex: [u32; N], offset: [f32; N]) -> f32 {
        let place = vertex.map(|part| f64::from(part as i32) + self.apart * f64::from(copy));
        let rest = reach - STEP * STEP;
        let mut dot = 0.0;
        for axis in 0..N {
            let mut there = place.map(|part| part + STEP * self.skew);
            there[axis] += STEP;
            let slope = (self.noise)(there) / (STEP * rest * rest * rest * rest);
            dot += slope * f64::from(offset[axis]);
        }
        dot as f32
    }
}

/// The other's reach in `N` dimensions: those of the papers.
macro_rules! probed {
    ($dimensions:literal, $reach:literal) => {
        impl Gradients<$dimensions> for Probed<'_, $dimensions> {
            const REACH: f32 = $reach;
            const SCALE: f32 = 1.0;
            const PRIMES: [u32; $dimensions] = [1; $dimensions];

            fn dot(
                &self,
                copy: u32,
                vertex: [u32; $dimensions],
                offset: [f32; $dimensions],
            ) -> f32 {
                self.measured($reach, copy, vertex, offset)
            }
        }
    };
}

probed!(2, 0.5);
probed!(3, 0.6);
probed!(4, 0.6);

/// Compares at many places, near and far from the origin, on either side of it.
fn compare<const N: usize>(
    name: &str,
    probed: &Probed<'_, N>,
    ours: impl Fn(&Probed<'_, N>, [u32; N], [f32; N]) -> f32,
) {
    let mut worst = 0.0f64;
    let mut largest = 0.0f64;
    for index in 0..3000 {
        let reach = [3.0, 12.0][index as usize % 2];
        let place: [f64; N] = std::array::from_fn(|axis| {
            let random = unit(random_bits(1, axis as u64, index));
            // Numbers that both have exactly.
            f64::from((random * 2.0 - 1.0) * reach)
        });
        let place = place.map(|part| (part * 4096.0).round() / 4096.0);
        let cells = place.map(|part| part.floor() as i32 as u32);
        let ways = place.map(|part| (part - part.floor()) as f32);
        let value = f64::from(ours(probed, cells, ways));
        let other = (probed.noise)(place);
        worst = worst.max((value - other).abs());
        largest = largest.max(other.abs());
    }
    assert!(largest > 0.5, "{name}: {largest} at most");
    assert!(worst < 2e-4, "{name}: {worst} apart");
}

/// A place in lattice coordinates as one of space, in which each coordinate is less by a share of the sum.
fn unskewed<const N: usize>(place: [f64; N], unskew: f64) -> [f32; N] {
    let sum: f64 = place.iter().sum();
    place.map(|part| (part - unskew * sum) as f32)
}

/// By how much less than skewed coordinates those of N dimensions are.
fn unskew(dimensions: f64) -> f64 {
    (1.0 - 1.0 / (dimensions + 1.0).sqrt()) / dimensions
}

#[test]
fn simplex_noise_is_that_of_another_implementation() {
    let crate_noise = noise_functions::Simplex;
    for seed in [0, 77] {
        let plane = |place: [f64; 2]| {
            f64::from(crate_noise.sample_with_seed(unskewed(place, unskew(2.0)), seed))
        };
        let probed = Probed {
            noise: &plane,
            skew: SKEW_2,
            apart: 0.0,
        };
        compare("2D", &probed, |g, cell, way| simplex2(g, cell, way));
        let space = |place: [f64; 3]| {
            f64::from(crate_noise.sample_with_seed(unskewed(place, unskew(3.0)), seed))
        };
        let probed = Probed {
            noise: &space,
            skew: SKEW_3,
            apart: 0.0,
        };
        compare("3D", &probed, |g, cell, way| simplex3(g, cell, way));
        let four = |place: [f64; 4]| {
            f64::from(crate_noise.sample_with_seed(unskewed(place, unskew(4.0)), seed))
        };
        let probed = Probed {
            noise: &four,
            skew: SKEW_4,
            apart: 0.0,
        };
        compare("4D", &probed, |g, cell, way| simplex4(g, cell, way));
    }
}

#[test]
fn open_simplex_noise_is_that_of_another_implementation() {
    for seed in [0, 77] {
        let plane = |place: [f64; 2]| {
            f64::from(OpenSimplex2.raw_sample2(place.map(|part| part as f32), seed))
        };
        let probed = Probed {
            noise: &plane,
            skew: SKEW_2,
            apart: 0.0,
        };
        compare("2D", &probed, |g, cell, way| simplex2(g, cell, way));
        let space = |place: [f64; 3]| {
            f64::from(OpenSimplex2.raw_sample3(place.map(|part| part as f32), seed))
        };
        let probed = Probed {
            noise: &space,
            skew: 0.0,
            apart: -0.5,
        };
        compare("3D", &probed, |g, cell, way| open3(g, cell, way));
        let four = |place: [f64; 4]| {
            f64::from(OpenSimplex2.raw_sample4(place.map(|part| part as f32), seed))
        };
        // Here skewed coordinates are less than those of space.
        let probed = Probed {
            noise: &four,
            skew: -unskew(4.0),
            apart: 0.2,
        };
        compare("4D", &probed, |g, cell, way| open4(g, cell, way));
    }
}

#[test]
fn open_simplex_noise_is_that_of_a_third_implementation() {
    let mut other = FastNoiseLite::with_seed(5);
    other.set_noise_type(Some(NoiseType::OpenSimplex2));
    other.set_frequency(Some(1.0));
    other.set_rotation_type_3d(Some(RotationType3D::None));
    let plane = |place: [f64; 2]| {
        let [x, y] = unskewed(place, unskew(2.0));
        f64::from(other.get_noise_2d(x, y))
    };
    let probed = Probed {
        noise: &plane,
        skew: SKEW_2,
        apart: 0.0,
    };
    compare("2D", &probed, |g, cell, way| simplex2(g, cell, way));
    let space = |place: [f64; 3]| {
        let sum: f64 = place.iter().sum();
        let [x, y, z] = place.map(|part| (sum * (2.0 / 3.0) - part) as f32);
        f64::from(other.get_noise_3d(x, y, z))
    };
    let probed = Probed {
        noise: &space,
        skew: 0.0,
        apart: -0.5,
    };
    compare("3D", &probed, |g, cell, way| open3(g, cell, way));
}

/// A whole number and a way from it.
fn joined(cell: u32, way: f32) -> f64 {
    f64::from(cell as i32) + f64::from(way)
}

/// Places of the plane and of time lie in the lattice where KdotJPG's `Improve` transformations have them.
#[test]
fn lattices_are_turned_as_published() {
    for index in 0..500 {
        let [x, y, z, w] = [1, 2, 3, 4].map(|stream| {
            let part = unit(random_bits(2, stream, index)) * 80.0 - 40.0;
            (part * 1024.0).round() / 1024.0
        });
        let place = |part: f32| Place::new(part.into());
        let Place { cell, fraction } = place(z);
        let depth = |across| Depth {
            cell,
            fraction,
            periodic: false,
            across,
        };
        let near = |(cells, ways): (&[u32], &[f32]), expected: &[f32]| {
            for ((cell, way), expected) in cells.iter().zip(ways).zip(expected) {
                let there = joined(*cell, *way);
                assert!(
                    (there - f64::from(*expected)).abs() < 3e-5,
                    "{there} {expected}"
                );
            }
        };
        let open = Skewed::new(Family::OpenSimplex2, 0, depth(None));
        let (cells, ways) = open.in_space(&OPEN_3, x, y);
        near((&cells, &ways), &OpenSimplex2.raw_improve3_xy([x, y, z]));
        let open = Skewed::new(Family::OpenSimplex2, 0, depth(Some(place(w))));
        let (cells, ways) = open.in_four(&OPEN_4, x, y);
        near(
            (&cells, &ways),
            &OpenSimplex2.raw_improve4_xy_zw([x, y, z, w]),
        );
        let skewed = |shares: f32, sum: f32| [x, y, z, w].map(|part| part + shares * sum);
        let simplex = Skewed::new(Family::Simplex, 0, depth(None));
        let (cells, ways) = simplex.in_space(&SIMPLEX_3, x, y);
        near((&cells, &ways), &skewed(1.0 / 3.0, x + y + z)[..3]);
        let simplex = Skewed::new(Family::Simplex, 0, depth(Some(place(w))));
        let (cells, ways) = simplex.in_four(&SIMPLEX_4, x, y);
        near((&cells, &ways), &skewed(SKEW_4 as f32, x + y + z + w));
    }
}

/// The noise at a place of space and one of time, in double precision until the last.
fn coordinates(z: i64, fraction: f32, x: f32, y: f32) -> [f64; 3] {
    let depth = Depth {
        cell: z,
        fraction,
        periodic: false,
        across: None,
    };
    let skewed = Skewed::new(Family::OpenSimplex2, 0, depth);
    let (cells, ways) = skewed.in_space(&OPEN_3, x, y);
    std::array::from_fn(|axis| joined(cells[axis], ways[axis]))
}

/// After thirty thousand years at the speed of the default look, time still passes as finely as at its beginning.
#[test]
fn far_times_are_as_fine_as_near_ones() {
    for cell in [0, 1_000_000_000, -3_000_000_000] {
        let step = 1.0 / 4096.0;
        for number in 0..50 {
            let fraction = number as f32 * step;
            let [here, next] =
                [fraction, fraction + step].map(|fraction| coordinates(cell, fraction, 0.3, 7.7));
            for axis in 0..3 {
                let way = (next[axis] - here[axis]).rem_euclid(4_294_967_296.0);
                let expected = f64::from(step) * ROOT;
                assert!((way - expected).abs() < 1e-6, "{cell}: {way}");
            }
        }
    }
}

/// Each direction as often as any other, and so none before another.
#[test]
fn gradients_favour_no_direction() {
    let seeds = 0..200_000u32;
    let moments = |dot: &dyn Fn(u32, [f32; 4]) -> f32, dimensions: usize| {
        let mut sums = [[0.0f64; 4]; 4];
        let mut means = [0.0f64; 4];
        for seed in seeds.clone() {
            let parts: [f32; 4] = std::array::from_fn(|axis| {
                let mut offset = [0.0; 4];
                offset[axis] = 1.0;
                dot(seed, offset)
            });
            for a in 0..dimensions {
                means[a] += f64::from(parts[a]) / 200_000.0;
                for b in 0..dimensions {
                    sums[a][b] += f64::from(parts[a] * parts[b]) / 200_000.0;
                }
            }
        }
        let square = sums[0][0];
        for a in 0..dimensions {
            assert!(means[a].abs() < 0.01 * square.sqrt(), "{means:?}");
            for b in 0..dimensions {
                let expected = if a == b { 1.0 } else { 0.0 };
                assert!((sums[a][b] / square - expected).abs() < 0.02, "{sums:?}");
            }
        }
    };
    moments(&|seed, [x, y, ..]| Edges { seed }.dot(0, [1, 2], [x, y]), 2);
    moments(
        &|seed, [x, y, z, _]| Edges { seed }.dot(0, [1, 2, 3], [x, y, z]),
        3,
    );
    moments(
        &|seed, offset| Edges { seed }.dot(0, [1, 2, 3, 4], offset),
        4,
    );
    moments(&|seed, [x, y, ..]| Fans { seed }.dot(0, [1, 2], [x, y]), 2);
    moments(
        &|seed, [x, y, z, _]| Fans { seed }.dot(1, [1, 2, 3], [x, y, z]),
        3,
    );
    moments(
        &|seed, offset| Fans { seed }.dot(3, [1, 2, 3, 4], offset),
        4,
    );
}
