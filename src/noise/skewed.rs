//! Simplex and OpenSimplex2 noise over the plane of one moment.
//!
//! Coordinates of their lattices are sums over those of place and of time. What time adds is the same for a whole step: it is
//! computed once, in double precision, and kept as whole cells and a way into one, so that noise after years is as fine as at
//! the beginning. Gradients come from a hash of the whole cells and the seed. Nothing repeats within 2^32 cells.

use super::simplex::{
    Gradients, SKEW_2, SKEW_3, SKEW_4, open3, open4, simplex2, simplex3, simplex4,
};
use super::{BLOCK, Depth, Place};
use crate::hash::lowbias32;
use crate::polynomial::split;

/// Odd numbers without a pattern, one for each axis of a lattice (those of FastNoise, Jordan Peck).
const PRIMES: [u32; 4] = [501_125_321, 1_136_930_381, 1_720_413_743, 1_066_037_191];

/// The two families.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    Simplex,
    OpenSimplex2,
}

/// Gradients of simplex noise: eight directions of the plane, the edges of a cube, the edges of a hypercube (Gustavson 2005).
#[derive(Clone, Copy)]
struct Edges {
    seed: u32,
}

/// Gradients of OpenSimplex2: 24 directions of the plane, 48 of space (KdotJPG); in four dimensions the edges of a hypercube,
/// like those of simplex noise, instead of 160 directions that would have to be looked up.
#[derive(Clone, Copy)]
struct Fans {
    seed: u32,
}

#[inline(always)]
fn signed(value: f32, hash: u32, bit: u32) -> f32 {
    f32::from_bits(value.to_bits() ^ (hash << (31 - bit) & 0x8000_0000))
}

/// A number below 3 from the upper half of a hash.
#[inline(always)]
fn third(hash: u32) -> u32 {
    ((hash >> 16) * 3) >> 16
}

#[inline(always)]
fn edge4(hash: u32, [x, y, z, w]: [f32; 4]) -> f32 {
    let across = hash >> 3 & 3;
    let a = if across == 0 { y } else { x };
    let b = if across <= 1 { z } else { y };
    let c = if across == 3 { z } else { w };
    signed(a, hash, 0) + signed(b, hash, 1) + signed(c, hash, 2)
}

// Scales: 1 over the largest sum that gradients and place can have, found by climbing.
impl Gradients<2> for Edges {
    const REACH: f32 = 0.5;
    const SCALE: f32 = 45.23;
    const PRIMES: [u32; 2] = [PRIMES[0], PRIMES[1]];

    #[inline(always)]
    fn dot(&self, _: u32, [i, j]: [u32; 2], [x, y]: [f32; 2]) -> f32 {
        let hash = lowbias32(i.wrapping_add(j) ^ self.seed);
        let (long, short) = if hash & 4 == 0 { (x, y) } else { (y, x) };
        signed(long, hash, 0) * 2.0 + signed(short, hash, 1)
    }
}

impl Gradients<3> for Edges {
    // 0.6, as in Gustavson's paper, reaches beyond the cells next to a vertex, where it is cut off: a step of .002.
    const REACH: f32 = 0.5;
    const SCALE: f32 = 76.88;
    const PRIMES: [u32; 3] = [PRIMES[0], PRIMES[1], PRIMES[2]];

    #[inline(always)]
    fn dot(&self, _: u32, [i, j, k]: [u32; 3], [x, y, z]: [f32; 3]) -> f32 {
        let hash = lowbias32(i.wrapping_add(j).wrapping_add(k) ^ self.seed);
        let across = third(hash);
        let a = if across == 0 { y } else { x };
        let b = if across == 2 { y } else { z };
        signed(a, hash, 0) + signed(b, hash, 1)
    }
}

impl Gradients<4> for Edges {
    const REACH: f32 = 0.6;
    const SCALE: f32 = 27.22;
    const PRIMES: [u32; 4] = PRIMES;

    #[inline(always)]
    fn dot(&self, _: u32, [i, j, k, l]: [u32; 4], offset: [f32; 4]) -> f32 {
        let sum = i.wrapping_add(j).wrapping_add(k).wrapping_add(l);
        edge4(lowbias32(sum ^ self.seed), offset)
    }
}

/// Cosine and sine of 7.5, 22.5 and 37.5 degrees.
const FAN: [[f32; 2]; 3] = [
    [0.991_444_9, 0.130_526_2],
    [0.923_879_5, 0.382_683_4],
    [0.793_353_3, 0.608_761_4],
];

impl Gradients<2> for Fans {
    const REACH: f32 = 0.5;
    const SCALE: f32 = 99.836;
    const PRIMES: [u32; 2] = [PRIMES[0], PRIMES[1]];

    #[inline(always)]
    fn dot(&self, _: u32, [i, j]: [u32; 2], [x, y]: [f32; 2]) -> f32 {
        let hash = lowbias32(i.wrapping_add(j) ^ self.seed);
        let (long, short) = if hash & 4 == 0 { (x, y) } else { (y, x) };
        let ray = third(hash);
        let [[a, b], [c, d], [e, f]] = FAN;
        let cosine = if ray == 0 {
            a
        } else if ray == 1 {
            c
        } else {
            e
        };
        let sine = if ray == 0 {
            b
        } else if ray == 1 {
            d
        } else {
            f
        };
        signed(long, hash, 0) * cosine + signed(short, hash, 1) * sine
    }
}

/// The 48 directions of space, of length 1: (A, A, B) and (C, D, 0) with all signs and in all orders; sqrt(6) makes them.
const A: f32 = 0.673_887_3;
const B: f32 = 0.302_905_4;
const C: f32 = 0.934_841_6;
const D: f32 = 0.355_053_6;

impl Gradients<3> for Fans {
    // 0.6, as KdotJPG has it, reaches vertices that are not summed: a step of .002.
    const REACH: f32 = 0.5;
    const SCALE: f32 = 108.29;
    const PRIMES: [u32; 3] = [PRIMES[0], PRIMES[1], PRIMES[2]];

    #[inline(always)]
    fn dot(&self, copy: u32, [i, j, k]: [u32; 3], [x, y, z]: [f32; 3]) -> f32 {
        let sum = i.wrapping_add(j).wrapping_add(k);
        let hash = lowbias32(sum ^ self.seed.wrapping_add(copy.wrapping_mul(PRIMES[3])));
        let axis = third(hash);
        let p = if axis == 0 {
            x
        } else if axis == 1 {
            y
        } else {
            z
        };
        let q = if axis == 0 {
            y
        } else if axis == 1 {
            z
        } else {
            x
        };
        let r = if axis == 0 {
            z
        } else if axis == 1 {
            x
        } else {
            y
        };
        let (is_plane, is_turned) = (hash & 8 == 0, hash & 4 == 0);
        let first = if is_plane {
            if is_turned { D } else { C }
        } else {
            A
        };
        let second = if is_plane {
            if is_turned { C } else { D }
        } else {
            A
        };
        let last = if is_plane { 0.0 } else { B };
        signed(p, hash, 0) * first + signed(q, hash, 1) * second + signed(r, hash, 2) * last
    }
}

impl Gradients<4> for Fans {
    const REACH: f32 = 0.6;
    const SCALE: f32 = 27.22;
    const PRIMES: [u32; 4] = PRIMES;

    #[inline(always)]
    fn dot(&self, copy: u32, [i, j, k, l]: [u32; 4], offset: [f32; 4]) -> f32 {
        let sum = i.wrapping_add(j).wrapping_add(k).wrapping_add(l);
        edge4(
            lowbias32(sum ^ self.seed.wrapping_add(copy.wrapping_mul(0x9e37_79b9))),
            offset,
        )
    }
}

/// What a coordinate of the lattice adds up to from x and from y, and from the two axes of time: those that lie in the plane turned so that
/// the lattice looks the same along all directions of the plane.
struct Turn {
    place: [[f32; 2]; 4],
    time: [[f64; 2]; 4],
}

const S: f64 = SKEW_3;
const F: f64 = SKEW_4;

/// Skewed coordinates, each of which exceeds its own by a share of the sum.
const SIMPLEX_3: Turn = Turn {
    place: [
        [1.0 + S as f32, S as f32],
        [S as f32, 1.0 + S as f32],
        [S as f32; 2],
        [0.0; 2],
    ],
    time: [[S, 0.0], [S, 0.0], [1.0 + S, 0.0], [0.0; 2]],
};

const SIMPLEX_4: Turn = Turn {
    place: [
        [1.0 + F as f32, F as f32],
        [F as f32, 1.0 + F as f32],
        [F as f32; 2],
        [F as f32; 2],
    ],
    time: [[F; 2], [F; 2], [1.0 + F, F], [F, 1.0 + F]],
};

/// 1 / sqrt(3).
const ROOT: f64 = 0.577_350_269_189_625_8;

/// A rotation that brings time onto the cube's diagonal (KdotJPG's `ImproveXY`).
const OPEN_3: Turn = Turn {
    place: [
        [0.788_675_1, -0.211_324_87],
        [-0.211_324_87, 0.788_675_1],
        [-ROOT as f32; 2],
        [0.0; 2],
    ],
    time: [[ROOT, 0.0], [ROOT, 0.0], [ROOT, 0.0], [0.0; 2]],
};

/// KdotJPG's `ImproveXY_ImproveZW`, for a plane and a circle.
const P: f64 = -0.178_275_657_951_399_38;
const Q: f64 = 0.215_623_393_288_842_83;
const R: f64 = -0.375_199_083_010_075_4;
const T: f64 = -0.403_949_762_580_207_1;

const OPEN_4: Turn = Turn {
    place: [
        [1.0 + P as f32, P as f32],
        [P as f32, 1.0 + P as f32],
        [R as f32; 2],
        [R as f32; 2],
    ],
    time: [[Q; 2], [Q; 2], [1.0 + T, T], [T, 1.0 + T]],
};

impl Family {
    const fn turn(self, is_circle: bool) -> Turn {
        match (self, is_circle) {
            (Family::Simplex, false) => SIMPLEX_3,
            (Family::Simplex, true) => SIMPLEX_4,
            (Family::OpenSimplex2, false) => OPEN_3,
            (Family::OpenSimplex2, true) => OPEN_4,
        }
    }

    /// The value in [0, 1] of the plane without time.
    pub(super) fn plane_at(self, seed: u32, x: f32, y: f32) -> f32 {
        let seed = lowbias32(seed ^ 0x5eed_0002);
        let skew = (x + y) * SKEW_2 as f32;
        let [(i, u), (j, v)] = [split(x + skew), split(y + skew)];
        let value = match self {
            Family::Simplex => simplex2(&Edges { seed }, [i, j], [u, v]),
            Family::OpenSimplex2 => simplex2(&Fans { seed }, [i, j], [u, v]),
        };
        value * 0.5 + 0.5
    }
}

/// The noise at one depth, at any place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Skewed {
    family: Family,
    is_circle: bool,
    seed: u32,
    /// What time adds to the coordinates of the lattice.
    cells: [u32; 4],
    ways: [f32; 4],
}

impl Skewed {
    pub(super) fn new(family: Family, seed: u32, depth: Depth) -> Skewed {
        let is_circle = depth.across.is_some();
        let turn = family.turn(is_circle);
        let across = depth.across.unwrap_or(Place {
            cell: 0,
            fraction: 0.0,
        });
        let mut skewed = Skewed {
            family,
            is_circle,
            seed: lowbias32(seed ^ 0x5eed_0003),
            cells: [0; 4],
            ways: [0.0; 4],
        };
        for axis in 0..4 {
            let [along_rate, across_rate] = turn.time[axis];
            // Whole cells apart from the rest, so that the rest stays fine.
            let whole =
                Place::new(depth.cell as f64 * along_rate + across.cell as f64 * across_rate);
            let rest = Place::new(
                f64::from(whole.fraction)
                    + f64::from(depth.fraction) * along_rate
                    + f64::from(across.fraction) * across_rate,
            );
            skewed.cells[axis] = whole.cell.wrapping_add(rest.cell) as u32;
            skewed.ways[axis] = rest.fraction;
        }
        skewed
    }

    /// The value in [0, 1] at a place in cells of magnitude below 2^21.
    #[inline]
    pub(super) fn at(&self, x: f32, y: f32) -> f32 {
        match (self.family, self.is_circle) {
            (Family::Simplex, false) => self.simplex3_at(x, y),
            (Family::Simplex, true) => self.simplex4_at(x, y),
            (Family::OpenSimplex2, false) => self.open3_at(x, y),
            (Family::OpenSimplex2, true) => self.open4_at(x, y),
        }
    }

    /// The values at places in cells, as [`Skewed::at`] gives them.
    #[inline(always)]
    pub(super) fn block(&self, x: &[f32; BLOCK], y: &[f32; BLOCK], values: &mut [f32; BLOCK]) {
        match (self.family, self.is_circle) {
            (Family::Simplex, false) => {
                for i in 0..BLOCK {
                    values[i] = self.simplex3_at(x[i], y[i]);
                }
            }
            (Family::Simplex, true) => {
                for i in 0..BLOCK {
                    values[i] = self.simplex4_at(x[i], y[i]);
                }
            }
            (Family::OpenSimplex2, false) => {
                for i in 0..BLOCK {
                    values[i] = self.open3_at(x[i], y[i]);
                }
            }
            (Family::OpenSimplex2, true) => {
                for i in 0..BLOCK {
                    values[i] = self.open4_at(x[i], y[i]);
                }
            }
        }
    }

    #[inline(always)]
    fn simplex3_at(&self, x: f32, y: f32) -> f32 {
        let (cell, way) = self.in_space(&SIMPLEX_3, x, y);
        simplex3(&Edges { seed: self.seed }, cell, way) * 0.5 + 0.5
    }

    #[inline(always)]
    fn simplex4_at(&self, x: f32, y: f32) -> f32 {
        let (cell, way) = self.in_four(&SIMPLEX_4, x, y);
        simplex4(&Edges { seed: self.seed }, cell, way) * 0.5 + 0.5
    }

    #[inline(always)]
    fn open3_at(&self, x: f32, y: f32) -> f32 {
        let (cell, way) = self.in_space(&OPEN_3, x, y);
        open3(&Fans { seed: self.seed }, cell, way) * 0.5 + 0.5
    }

    #[inline(always)]
    fn open4_at(&self, x: f32, y: f32) -> f32 {
        let (cell, way) = self.in_four(&OPEN_4, x, y);
        open4(&Fans { seed: self.seed }, cell, way) * 0.5 + 0.5
    }

    /// The cell along one axis of the lattice, and the way into it.
    #[inline(always)]
    fn along(&self, turn: &Turn, axis: usize, x: f32, y: f32) -> (u32, f32) {
        let [along_x, along_y] = turn.place[axis];
        let (cell, way) = split(x * along_x + y * along_y + self.ways[axis]);
        (self.cells[axis].wrapping_add(cell), way)
    }

    #[inline(always)]
    fn in_space(&self, turn: &Turn, x: f32, y: f32) -> ([u32; 3], [f32; 3]) {
        let (a, way_a) = self.along(turn, 0, x, y);
        let (b, way_b) = self.along(turn, 1, x, y);
        let (c, way_c) = self.along(turn, 2, x, y);
        ([a, b, c], [way_a, way_b, way_c])
    }

    #[inline(always)]
    fn in_four(&self, turn: &Turn, x: f32, y: f32) -> ([u32; 4], [f32; 4]) {
        let (a, way_a) = self.along(turn, 0, x, y);
        let (b, way_b) = self.along(turn, 1, x, y);
        let (c, way_c) = self.along(turn, 2, x, y);
        let (d, way_d) = self.along(turn, 3, x, y);
        ([a, b, c, d], [way_a, way_b, way_c, way_d])
    }
}

#[cfg(test)]
mod tests;
