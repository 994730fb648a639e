//! Lattices of nodes over the plane of one moment: gradients, or values, that a fade curve blends.
//!
//! What a node is follows from one byte of the table: the noise at one depth, a [`Slice`], is 256 of them, wherever the
//! samples lie. Single samples and whole blocks go through the same arithmetic: the same bits.

use glam::Vec4;

use super::circle::PlaneTime;
use super::{BLOCK, Depth, Noise, Place, quintic};
use crate::hash::lowbias32;
use crate::polynomial::split;
use crate::simd::clones;

/// What lies on a lattice, and how it is blended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lattice {
    /// Gradients and the quintic curve.
    Perlin,
    /// Gradients and the cubic curve.
    Classic,
    /// Values and the quintic curve.
    Value,
}

impl Lattice {
    /// The fade curve.
    #[inline(always)]
    pub(super) fn fade(self, t: f32) -> f32 {
        match self {
            Lattice::Perlin | Lattice::Value => quintic(t),
            Lattice::Classic => cubic(t),
        }
    }
}

/// Perlin's first fade curve 3t^2 - 2t^3, with zero first derivatives at 0 and 1 (Perlin 1985).
#[inline(always)]
fn cubic(t: f32) -> f32 {
    t * t * (3.0 - 2.0 * t)
}

#[inline(always)]
fn fade<const CUBIC: bool>(t: f32) -> f32 {
    if CUBIC { cubic(t) } else { quintic(t) }
}

/// The twelve edge directions of a cube, four of them twice, by the low four bits of a hash (Perlin 2002).
pub(super) const GRADIENTS: [[f32; 3]; 16] = [
    [1.0, 1.0, 0.0],
    [-1.0, 1.0, 0.0],
    [1.0, -1.0, 0.0],
    [-1.0, -1.0, 0.0],
    [1.0, 0.0, 1.0],
    [-1.0, 0.0, 1.0],
    [1.0, 0.0, -1.0],
    [-1.0, 0.0, -1.0],
    [0.0, 1.0, 1.0],
    [0.0, -1.0, 1.0],
    [0.0, 1.0, -1.0],
    [0.0, -1.0, -1.0],
    [1.0, 1.0, 0.0],
    [0.0, -1.0, 1.0],
    [-1.0, 1.0, 0.0],
    [0.0, -1.0, -1.0],
];

/// The two layers of lattice nodes around a depth, and how they blend.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layers {
    pub(super) lower: Layer,
    upper: Layer,
    fraction: f32,
    blend: f32,
}

impl Layers {
    pub(super) fn new(lattice: Lattice, depth: Depth) -> Layers {
        let layer = |cell: i64| Layer {
            index: (cell & 255) as usize,
            block: if depth.periodic {
                0
            } else {
                (cell >> 8) as u32
            },
        };
        Layers {
            lower: layer(depth.cell),
            upper: layer(depth.cell.wrapping_add(1)),
            fraction: depth.fraction,
            blend: lattice.fade(depth.fraction),
        }
    }
}

/// One layer of lattice nodes along the time axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layer {
    /// Its place in the table.
    index: usize,
    /// How many times the table has been passed.
    block: u32,
}

impl Noise {
    /// The node of a hash at one time: the noise near it is `x * dx + y * dy + constant` in the offset from the node. Both layers
    /// collapse into one; interpolation is linear in them, so nothing is lost.
    fn node(&self, lattice: Lattice, hash: u8, layers: Layers) -> [f32; 3] {
        let Layers {
            lower,
            upper,
            fraction,
            blend,
        } = layers;
        if lattice == Lattice::Value {
            let [lower, upper] = [lower, upper].map(|layer| self.value(hash, layer));
            return [0.0, 0.0, lower + blend * (upper - lower)];
        }
        let [lower_x, lower_y, lower_z] = self.gradient(hash, lower);
        let [upper_x, upper_y, upper_z] = self.gradient(hash, upper);
        let lower = lower_z * fraction;
        let upper = upper_z * (fraction - 1.0);
        let x = lower_x + blend * (upper_x - lower_x);
        let y = lower_y + blend * (upper_y - lower_y);
        [x, y, lower + blend * (upper - lower)]
    }

    /// The gradient of a hash in one layer.
    pub(super) fn gradient(&self, hash: u8, layer: Layer) -> [f32; 3] {
        let hash = u32::from(self.permutation[usize::from(hash) + layer.index]);
        let hash = if layer.block == 0 {
            hash
        } else {
            lowbias32(hash.wrapping_add(layer.block << 8))
        };
        GRADIENTS[(hash & 15) as usize]
    }

    /// The value of a hash in one layer.
    fn value(&self, hash: u8, layer: Layer) -> f32 {
        let hash = self.permutation[usize::from(hash) + layer.index];
        value(hash, lowbias32(layer.block))
    }
}

/// Eight directions of the plane, of one length.
const DIRECTIONS: [[f32; 2]; 8] = [
    [1.0, 1.0],
    [-1.0, 1.0],
    [1.0, -1.0],
    [-1.0, -1.0],
    [std::f32::consts::SQRT_2, 0.0],
    [-std::f32::consts::SQRT_2, 0.0],
    [0.0, std::f32::consts::SQRT_2],
    [0.0, -std::f32::consts::SQRT_2],
];

impl Noise {
    /// The value in [0, 1] at a place of one depth, node by node.
    pub(super) fn lattice_at(&self, lattice: Lattice, x: f32, y: f32, depth: Depth) -> f32 {
        let [(left, dx), (top, dy)] = [split(x), split(y)];
        let hashes = corners(&self.permutation, left, top);
        let nodes = match depth.across {
            None => {
                let layers = Layers::new(lattice, depth);
                CORNERS.map(|corner| {
                    let node = self.node(lattice, hashes[corner], layers);
                    seen_from(node, corner)
                })
            }
            Some(across) => {
                let Depth { cell, fraction, .. } = depth;
                let time = PlaneTime::new(lattice, Place { cell, fraction }, across);
                CORNERS.map(|corner| {
                    let node = self.node_on_plane(lattice, hashes[corner], &time);
                    seen_from(node, corner)
                })
            }
        };
        blend(lattice, nodes, dx, dy)
    }

    /// The value in [0, 1] of the plane without time.
    pub(super) fn plane_at(&self, lattice: Lattice, x: f32, y: f32) -> f32 {
        let [(left, dx), (top, dy)] = [split(x), split(y)];
        let hashes = corners(&self.permutation, left, top);
        let nodes = CORNERS.map(|corner| {
            let hash = hashes[corner];
            if lattice == Lattice::Value {
                return Vec4::new(0.0, 0.0, value(hash, 0), 0.0);
            }
            let [x, y] = DIRECTIONS[usize::from(hash & 7)];
            seen_from([x, y, 0.0], corner)
        });
        blend(lattice, nodes, dx, dy)
    }
}

/// The value of a byte of the table: each is another one of 256 between -1 and 1, whose mean is 0. Beyond the table they are dealt out
/// anew by a `key` that is not 0; were they drawn at random, the mean would stray by a tenth of the spread, for 256 cells.
pub(super) fn value(byte: u8, key: u32) -> f32 {
    let [first, second, third, fourth] = key.to_le_bytes();
    let byte = if key == 0 {
        byte
    } else {
        // Each of these can be undone.
        let mixed = (byte ^ first).wrapping_mul(second | 1);
        let mixed = (mixed ^ (mixed >> 4)).wrapping_mul(third | 1);
        mixed ^ (mixed >> 3) ^ fourth
    };
    (f32::from(byte) * 2.0 - 255.0) * (1.0 / 255.0)
}

/// A node as the cell sees it that it is a corner of: its function is one of the offset from the cell's top left then.
#[inline(always)]
pub(super) fn seen_from([x, y, mut constant]: [f32; 3], corner: usize) -> Vec4 {
    if corner & 1 == 1 {
        constant -= x;
    }
    if corner & 2 == 2 {
        constant -= y;
    }
    Vec4::new(x, y, constant, 0.0)
}

/// Top left, top right, bottom left, bottom right.
pub(super) const CORNERS: [usize; 4] = [0, 1, 2, 3];

/// What the four lattice nodes around a cell are, in the order of [`CORNERS`].
#[inline(always)]
pub(super) fn corners(permutation: &[u8; 512], left: u32, top: u32) -> [u8; 4] {
    let (column, row) = ((left & 255) as usize, (top & 255) as usize);
    let left = usize::from(permutation[column]) + row;
    let right = usize::from(permutation[column + 1]) + row;
    [
        permutation[left],
        permutation[right],
        permutation[left + 1],
        permutation[right + 1],
    ]
}

/// The noise at one depth, at any place.
#[derive(Clone, Debug)]
pub struct Slice {
    lattice: Lattice,
    permutation: [u8; 512],
    /// For each corner of a cell the nodes that can be there.
    nodes: Box<[[Vec4; 256]; 4]>,
}

impl Slice {
    /// The noise at one depth.
    pub(super) fn new(noise: &Noise, lattice: Lattice, depth: Depth) -> Slice {
        let mut slice = Slice {
            lattice,
            permutation: noise.permutation,
            nodes: Box::new([[Vec4::ZERO; 256]; 4]),
        };
        slice.refresh(noise, depth);
        slice
    }

    /// Whether its fade curve and nodes are those of `lattice`.
    pub(super) fn is_of(&self, lattice: Lattice) -> bool {
        self.lattice == lattice
    }

    /// Makes this the noise at another depth.
    pub fn refresh(&mut self, noise: &Noise, depth: Depth) {
        self.permutation = noise.permutation;
        let lattice = self.lattice;
        if let Some(across) = depth.across {
            return self.refresh_on_plane(noise, depth, across);
        }
        let layers = Layers::new(lattice, depth);
        for hash in 0..=255 {
            let node = noise.node(lattice, hash, layers);
            for corner in CORNERS {
                self.nodes[corner][usize::from(hash)] = seen_from(node, corner);
            }
        }
    }

    /// The same where time has two axes.
    fn refresh_on_plane(&mut self, noise: &Noise, along: Depth, across: Place) {
        let Depth { cell, fraction, .. } = along;
        let time = PlaneTime::new(self.lattice, Place { cell, fraction }, across);
        for hash in 0..=255 {
            let node = noise.node_on_plane(self.lattice, hash, &time);
            for corner in CORNERS {
                self.nodes[corner][usize::from(hash)] = seen_from(node, corner);
            }
        }
    }

    /// The value in [0, 1] at a place in cells of magnitude below 2^22.
    #[inline]
    pub fn at(&self, x: f32, y: f32) -> f32 {
        let [(left, dx), (top, dy)] = [split(x), split(y)];
        blend(self.lattice, self.around(left, top), dx, dy)
    }

    /// The values at places in cells, as [`Slice::at`] gives them.
    #[inline(always)]
    pub(crate) fn block(&self, x: &[f32; BLOCK], y: &[f32; BLOCK], values: &mut [f32; BLOCK]) {
        match self.lattice {
            Lattice::Perlin | Lattice::Value => self.faded::<false>(x, y, values),
            Lattice::Classic => self.faded::<true>(x, y, values),
        }
    }

    #[inline(always)]
    fn faded<const CUBIC: bool>(
        &self,
        x: &[f32; BLOCK],
        y: &[f32; BLOCK],
        values: &mut [f32; BLOCK],
    ) {
        let mut cells = [[0; 2]; BLOCK];
        let (mut dx, mut dy) = ([0.0; BLOCK], [0.0; BLOCK]);
        let (mut u, mut v) = ([0.0; BLOCK], [0.0; BLOCK]);
        for i in 0..BLOCK {
            let [(left, along_x), (top, along_y)] = [split(x[i]), split(y[i])];
            cells[i] = [left, top];
            (dx[i], dy[i]) = (along_x, along_y);
            (u[i], v[i]) = (fade::<CUBIC>(along_x), fade::<CUBIC>(along_y));
        }
        let mut nodes = [Vec4::ZERO; BLOCK];
        for i in 0..BLOCK {
            let [left, top] = cells[i];
            nodes[i] = blend_nodes(self.around(left, top), u[i], v[i]);
        }
        for i in 0..BLOCK {
            values[i] = (nodes[i].x * dx[i] + nodes[i].y * dy[i] + nodes[i].z) * 0.5 + 0.5;
        }
    }

    /// The nodes around a cell, in the order of [`CORNERS`].
    #[inline(always)]
    pub(super) fn around(&self, left: u32, top: u32) -> [Vec4; 4] {
        let [top_left, top_right, bottom_left, bottom_right] =
            corners(&self.permutation, left, top);
        [
            self.nodes[0][usize::from(top_left)],
            self.nodes[1][usize::from(top_right)],
            self.nodes[2][usize::from(bottom_left)],
            self.nodes[3][usize::from(bottom_right)],
        ]
    }
}

clones! {
    /// The noise at scattered places, in cells of magnitude below 2^22: the bits of [`Slice::at`]. The slices have equal length.
    pub fn scattered(slice: &Slice, x: &[f32], y: &[f32], values: &mut [f32]) {
        let (places_x, rest_x) = x.as_chunks::<BLOCK>();
        let (places_y, rest_y) = y.as_chunks::<BLOCK>();
        let (blocks, rest) = values.as_chunks_mut::<BLOCK>();
        for i in 0..blocks.len() {
            slice.block(&places_x[i], &places_y[i], &mut blocks[i]);
        }
        for i in 0..rest.len() {
            rest[i] = slice.at(rest_x[i], rest_y[i]);
        }
    }
}

/// Blends the nodes around a place and maps the result from [-1, 1] to [0, 1].
#[inline(always)]
pub(super) fn blend(lattice: Lattice, nodes: [Vec4; 4], dx: f32, dy: f32) -> f32 {
    let node = blend_nodes(nodes, lattice.fade(dx), lattice.fade(dy));
    (node.x * dx + node.y * dy + node.z) * 0.5 + 0.5
}

#[inline(always)]
fn blend_nodes(nodes: [Vec4; 4], u: f32, v: f32) -> Vec4 {
    let [top_left, top_right, bottom_left, bottom_right] = nodes;
    let upper = top_left + (top_right - top_left) * u;
    let lower = bottom_left + (bottom_right - bottom_left) * u;
    upper + (lower - upper) * v
}
