//! Noise over place and time: the material of the field.
//!
//! The first kind is improved Perlin noise in three dimensions (Ken Perlin, "Improving Noise", SIGGRAPH 2002; the idea is from
//! "An Image Synthesizer", SIGGRAPH 1985), its permutation shuffled by a seed exactly as the original demo does, so that a
//! seed is the same water there and here. The third axis is time. It goes on for ever: beyond the 256 layers of the
//! table, gradients come from a hash. Time that is to come back runs on a circle, in noise of four dimensions.
//!
//! Within one step all samples share their time, so the two layers of each lattice node collapse into one linear
//! function of place (`lattice`). The simplex kinds have no such layers; what is the same for a step is what time adds
//! to their coordinates (`skewed`; the sums themselves are in `simplex`). A [`Fractal`] adds up octaves of any kind by
//! a [`Recipe`]. [`Noise::sample`] is all of this the plain way, in one to four dimensions.

use crate::hash::lowbias32;

mod circle;
mod distribution;
mod fractal;
mod lattice;
mod recipe;
mod row;
mod shape;
mod simplex;
mod skewed;
mod time;

pub use distribution::Distribution;
pub use fractal::{Fractal, FractalSamples, fill_fractal_row, scattered_fractal};
use lattice::Lattice;
pub use lattice::{Slice, scattered};
pub use recipe::Recipe;
pub use row::{Row, Samples, fill_row, padded};
pub use shape::Shape;
use skewed::{Family, Skewed};
pub use time::{Depth, Place, Time};

/// Samples that are computed together.
pub const BLOCK: usize = 64;

/// The kinds of noise. All have values in [0, 1] and mean 1/2, and one cell is one unit of place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoiseKind {
    /// Improved Perlin noise (2002): gradients on a square lattice, blended by a quintic.
    Perlin,
    /// Perlin's noise of 1985: the same gradients, blended by a cubic, whose curvature jumps from cell to cell.
    Classic,
    /// Random values on a square lattice, blended by a quintic.
    Value,
    /// Simplex noise (Perlin 2001, Gustavson 2005).
    Simplex,
    /// OpenSimplex2 (KdotJPG), the fast variant.
    OpenSimplex2,
}

impl NoiseKind {
    /// All of them.
    pub const ALL: [NoiseKind; 5] = [
        NoiseKind::Perlin,
        NoiseKind::Classic,
        NoiseKind::Value,
        NoiseKind::Simplex,
        NoiseKind::OpenSimplex2,
    ];

    fn ground(self) -> Ground {
        match self {
            NoiseKind::Perlin => Ground::Square(Lattice::Perlin),
            NoiseKind::Classic => Ground::Square(Lattice::Classic),
            NoiseKind::Value => Ground::Square(Lattice::Value),
            NoiseKind::Simplex => Ground::Skewed(Family::Simplex),
            NoiseKind::OpenSimplex2 => Ground::Skewed(Family::OpenSimplex2),
        }
    }
}

/// What a kind of noise is computed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ground {
    Square(Lattice),
    Skewed(Family),
}

/// The seed of a channel: of channel 0 it is `seed` itself, and no two channels have to do with each other.
pub fn channel_seed(seed: u32, channel: u32) -> u32 {
    if channel == 0 {
        seed
    } else {
        lowbias32(seed ^ lowbias32(channel.wrapping_add(0x9e37_79b9)))
    }
}

/// Seeded noise, with values in [0, 1] and mean 1/2.
#[derive(Clone, Debug, PartialEq)]
pub struct Noise {
    seed: u32,
    /// A permutation of 0 to 255, twice, so that a sum of two bytes is an index.
    permutation: [u8; 512],
}

impl Noise {
    /// The noise of a seed; its permutation is the original demo's.
    pub fn new(seed: u32) -> Noise {
        let mut generator = Mulberry32(seed);
        let mut permutation: [u8; 256] = std::array::from_fn(|index| index as u8);
        for last in (1..256).rev() {
            let chosen = generator.next_below(last as u32 + 1);
            permutation.swap(last, chosen as usize);
        }
        Noise::from_permutation(seed, &permutation)
    }

    fn from_permutation(seed: u32, permutation: &[u8; 256]) -> Noise {
        Noise {
            seed,
            permutation: std::array::from_fn(|index| permutation[index & 255]),
        }
    }

    /// The value of improved Perlin noise at one place in [0, 1], in cells of magnitude below 2^22; it repeats after 256 cells along
    /// each axis.
    pub fn at(&self, x: f32, y: f32, z: f32) -> f32 {
        self.lattice_at(Lattice::Perlin, x, y, Depth::periodic(z))
    }

    /// The value in [0, 1] of a kind of noise at one place of one to four coordinates, in cells of magnitude below 2^21. The third
    /// and the fourth are axes of time. Noise of one dimension is a line of that of two.
    pub fn sample<const N: usize>(&self, kind: NoiseKind, place: [f32; N]) -> f32 {
        const { assert!(N >= 1 && N <= 4) };
        let axis = |axis: usize| place.get(axis).copied().unwrap_or(0.0);
        let [x, y] = [axis(0), axis(1)];
        let [Place { cell, fraction }, across] = [2, 3].map(|time| Place::new(axis(time).into()));
        let depth = Depth {
            cell,
            fraction,
            periodic: false,
            across: (N == 4).then_some(across),
        };
        match (kind.ground(), N) {
            (Ground::Square(lattice), 0..=2) => self.plane_at(lattice, x, y),
            (Ground::Square(lattice), _) => self.lattice_at(lattice, x, y, depth),
            (Ground::Skewed(family), 0..=2) => family.plane_at(self.seed, x, y),
            (Ground::Skewed(family), _) => Skewed::new(family, self.seed, depth).at(x, y),
        }
    }

    /// Improved Perlin noise at one depth.
    pub fn slice(&self, depth: Depth) -> Slice {
        Slice::new(self, Lattice::Perlin, depth)
    }
}

/// Perlin's fade curve 6t^5 - 15t^4 + 10t^3, with zero first and second derivatives at 0 and 1.
#[inline(always)]
pub fn quintic(t: f32) -> f32 {
    t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
}

/// The largest integer not above `x`; values beyond i32 take its ends.
fn floor(x: f32) -> i32 {
    let truncated = x as i32;
    truncated.saturating_sub(i32::from(x < truncated as f32))
}

/// The small generator with which the original demo shuffles its permutation (Tommy Ettinger, public domain).
struct Mulberry32(u32);

impl Mulberry32 {
    /// A number in [0, bound), as `floor(next() * bound)` in double precision.
    fn next_below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x6d2b_79f5);
        let s = self.0;
        let t = (s ^ (s >> 15)).wrapping_mul(s | 1);
        let t = t.wrapping_add((t ^ (t >> 7)).wrapping_mul(t | 61)) ^ t;
        ((u64::from(t ^ (t >> 14)) * u64::from(bound)) >> 32) as u32
    }
}

#[cfg(test)]
mod tests;
