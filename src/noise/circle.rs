//! Time that comes back: noise of four dimensions, whose last two are a plane in which time runs on a circle.
//!
//! Improved Perlin noise (Perlin 2002) with one axis more. Its gradients are the 32 edge directions of a hypercube, as in
//! Stefan Gustavson, "Simplex noise demystified" (2005); 256 hashes hold each of them eight times. A step is at one place
//! of the plane, so the four layers of each lattice node collapse into one linear function of place, as two do in three
//! dimensions, and all that samples a slice stays as it is.

use super::lattice::{Lattice, value};
use super::{Depth, Noise, Place};
use crate::hash::lowbias32;
use crate::polynomial::circle;

/// What the sum of gradients is multiplied with: values then spread as those of three dimensions do, .27 about their mean
/// in [-1, 1]. One in a million lies outside; none of those who take values needs them inside.
const RANGE: f32 = 0.92;

/// Where circles are centred, in cells: amid the table, and where noise spreads on circles of every radius as it does over
/// the whole plane, within half a percent. About a lattice node it would spread by a tenth less, and headings that are to be even
/// would not be.
const CENTRE: [f64; 2] = [128.1, 128.26];

impl Depth {
    /// The depth after `part` of `parts` equal steps around a circle of `radius` cells; below 0 it goes round backwards.
    pub fn on_circle(radius: f64, part: i64, parts: i64) -> Depth {
        let [cosine, sine] = circle(part, parts);
        let Place { cell, fraction } = Place::new(CENTRE[0] + radius.abs() * cosine);
        Depth {
            cell,
            fraction,
            periodic: false,
            across: Some(Place::new(CENTRE[1] + radius * sine)),
        }
    }
}

/// The four layers of lattice nodes around a place of the plane of time, and how they blend.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlaneTime {
    /// The cell on both axes.
    cells: [i64; 2],
    fractions: [f32; 2],
    blends: [f32; 2],
}

impl PlaneTime {
    pub(super) fn new(lattice: Lattice, along: Place, across: Place) -> PlaneTime {
        let fractions = [along.fraction, across.fraction];
        PlaneTime {
            cells: [along.cell, across.cell],
            fractions,
            blends: fractions.map(|fraction| lattice.fade(fraction)),
        }
    }
}

impl Noise {
    /// The node of a hash at one place of the plane of time: the noise near it is `x * dx + y * dy + constant` in the
    /// offset from the node.
    pub(super) fn node_on_plane(&self, lattice: Lattice, hash: u8, time: &PlaneTime) -> [f32; 3] {
        let [along, across] = time.blends;
        let layer = |column: u8, row: u8| self.layer_on_plane(lattice, hash, time, column, row);
        let lower = blend(layer(0, 0), layer(1, 0), along);
        let upper = blend(layer(0, 1), layer(1, 1), along);
        let node = blend(lower, upper, across);
        match lattice {
            Lattice::Perlin | Lattice::Classic => node.map(|part| part * RANGE),
            Lattice::Value => node,
        }
    }

    /// The same in one of the four layers, 0 or 1 from the place's cell on each axis.
    fn layer_on_plane(
        &self,
        lattice: Lattice,
        hash: u8,
        time: &PlaneTime,
        column: u8,
        row: u8,
    ) -> [f32; 3] {
        let [along, across] = time.cells;
        let cells = [
            along.wrapping_add(column.into()),
            across.wrapping_add(row.into()),
        ];
        let (byte, [along, across]) = self.byte_on_plane(hash, cells);
        if lattice == Lattice::Value {
            let key = lowbias32(lowbias32(along).wrapping_add(across));
            return [0.0, 0.0, value(byte, key)];
        }
        let hash = u32::from(byte);
        let hash = if (along, across) == (0, 0) {
            hash
        } else {
            lowbias32(lowbias32(hash.wrapping_add(along << 8)).wrapping_add(across))
        };
        let [x, y, z, w] = edge(hash);
        let [along, across] = time.fractions;
        let constant = z * (along - f32::from(column)) + w * (across - f32::from(row));
        [x, y, constant]
    }

    /// The byte of the table for a hash at a node of the plane of time, and how often the table has been passed on each axis.
    fn byte_on_plane(&self, hash: u8, cells: [i64; 2]) -> (u8, [u32; 2]) {
        let [along, across] = cells;
        let byte = self.permutation[usize::from(hash) + (along & 255) as usize];
        let byte = self.permutation[usize::from(byte) + (across & 255) as usize];
        (byte, [(along >> 8) as u32, (across >> 8) as u32])
    }
}

/// The edge directions of a hypercube. A table: hashes are random, and branches on them would be guessed wrong.
const EDGES: [[f32; 4]; 32] = edges();

/// Two bits of the number say which axis an edge lies across, three the signs along the others.
const fn edges() -> [[f32; 4]; 32] {
    let mut edges = [[0.0; 4]; 32];
    let mut number = 0;
    while number < 32 {
        let (mut axis, mut bit) = (0, 0);
        while axis < 4 {
            if axis != number >> 3 {
                edges[number][axis] = if number >> bit & 1 == 0 { 1.0 } else { -1.0 };
                bit += 1;
            }
            axis += 1;
        }
        number += 1;
    }
    edges
}

/// The edge direction of a hypercube by the low five bits of a hash.
fn edge(hash: u32) -> [f32; 4] {
    EDGES[(hash & 31) as usize]
}

#[inline(always)]
fn blend(from: [f32; 3], to: [f32; 3], share: f32) -> [f32; 3] {
    let part = |part: usize| from[part] + share * (to[part] - from[part]);
    [part(0), part(1), part(2)]
}

#[cfg(test)]
mod tests;
