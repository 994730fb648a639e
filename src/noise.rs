//! Gradient noise over place and time: the material of the field.
//!
//! Improved Perlin noise in three dimensions (Ken Perlin, "Improving Noise", SIGGRAPH 2002; the idea is from "An Image
//! Synthesizer", SIGGRAPH 1985), its permutation shuffled by a seed exactly as the original demo does, so that a seed
//! is the same water there and here. The third axis is time. It goes on for ever: beyond the 256 layers of the table,
//! gradients come from a hash. Time that is to come back runs on a circle, in noise of four dimensions.
//!
//! Within one step all samples share their time, so the two layers of each lattice node collapse into one linear
//! function of place. What a node is follows from one byte of the table: the noise at one depth, a [`Slice`], is 256 of
//! them, wherever the samples lie. Single samples and whole blocks go through the same arithmetic: the same bits.

use glam::Vec4;

use crate::hash::lowbias32;
use crate::polynomial::split;
use crate::simd::clones;

mod circle;
mod distribution;
mod row;

use circle::PlaneTime;
pub use distribution::Distribution;
pub use row::{Row, Samples, fill_row, padded};

/// Samples that are computed together.
pub const BLOCK: usize = 64;

/// The twelve edge directions of a cube, four of them twice, by the low four bits of a hash (Perlin 2002).
const GRADIENTS: [[f32; 3]; 16] = [
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

/// A place on the time axis of the noise, in cells: a whole cell and the way into it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Depth {
    /// The cell; any value.
    pub cell: i64,
    /// In [0, 1).
    pub fraction: f32,
    /// Whether the noise repeats after 256 cells, as the table alone does.
    pub periodic: bool,
    /// The place on a second time axis, in noise of four dimensions, which never repeats.
    pub across: Option<Place>,
}

/// A place on an axis, in cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// The cell; any value.
    pub cell: i64,
    /// The way into it, in [0, 1).
    pub fraction: f32,
}

impl Place {
    /// The place at `x`, which is finite and of magnitude below 2^52.
    pub fn new(x: f64) -> Place {
        // 24 bits fill an f32 exactly; more could round the fraction up to 1.
        let cell = x.floor();
        let fraction = ((x - cell) * 16_777_216.0) as u32;
        Place {
            cell: cell as i64,
            fraction: fraction as f32 * (1.0 / 16_777_216.0),
        }
    }
}

impl Depth {
    /// A depth that never repeats, from a fixed-point number of 2^-64 cells.
    pub fn endless(fixed: i128) -> Depth {
        // 24 bits fill an f32 exactly; more could round the fraction up to 1.
        let fraction = ((fixed as u64) >> 40) as f32 * (1.0 / 16_777_216.0);
        Depth {
            cell: (fixed >> 64) as i64,
            fraction,
            periodic: false,
            across: None,
        }
    }

    /// A depth in the 256 cells of the table, which repeat.
    pub fn periodic(z: f32) -> Depth {
        let cell = floor(z);
        Depth {
            cell: i64::from(cell),
            fraction: z - cell as f32,
            periodic: true,
            across: None,
        }
    }
}

/// The two layers of lattice nodes around a depth, and how they blend.
#[derive(Clone, Copy, Debug)]
struct Time {
    lower: Layer,
    upper: Layer,
    fraction: f32,
    blend: f32,
}

impl Time {
    fn new(depth: Depth) -> Time {
        let layer = |cell: i64| Layer {
            index: (cell & 255) as usize,
            block: if depth.periodic {
                0
            } else {
                (cell >> 8) as u32
            },
        };
        Time {
            lower: layer(depth.cell),
            upper: layer(depth.cell.wrapping_add(1)),
            fraction: depth.fraction,
            blend: quintic(depth.fraction),
        }
    }
}

/// One layer of lattice nodes along the time axis.
#[derive(Clone, Copy, Debug)]
struct Layer {
    /// Its place in the table.
    index: usize,
    /// How many times the table has been passed.
    block: u32,
}

/// Seeded gradient noise, with values in [0, 1] and mean 1/2.
#[derive(Clone, Debug, PartialEq)]
pub struct Noise {
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
        Noise::from_permutation(&permutation)
    }

    fn from_permutation(permutation: &[u8; 256]) -> Noise {
        Noise {
            permutation: std::array::from_fn(|index| permutation[index & 255]),
        }
    }

    /// The value at one place in [0, 1], in cells of magnitude below 2^22; it repeats after 256 cells along each axis.
    pub fn at(&self, x: f32, y: f32, z: f32) -> f32 {
        let time = Time::new(Depth::periodic(z));
        let [(left, dx), (top, dy)] = [split(x), split(y)];
        let hashes = corners(&self.permutation, left, top);
        blend(
            CORNERS.map(|corner| self.node(hashes[corner], time, corner)),
            dx,
            dy,
        )
    }

    /// The noise at one depth.
    pub fn slice(&self, depth: Depth) -> Slice {
        let mut slice = Slice {
            permutation: self.permutation,
            nodes: Box::new([[Vec4::ZERO; 256]; 4]),
        };
        slice.refresh(self, depth);
        slice
    }

    /// The node of a hash at one time, seen from the cell that it is a corner of: the noise is `x * dx + y * dy + z`
    /// in the offset from the cell's top left. Both layers collapse into one; interpolation is linear in them, so nothing is lost.
    fn node(&self, hash: u8, time: Time, corner: usize) -> Vec4 {
        let [lower_x, lower_y, lower_z] = self.gradient(hash, time.lower);
        let [upper_x, upper_y, upper_z] = self.gradient(hash, time.upper);
        let lower = lower_z * time.fraction;
        let upper = upper_z * (time.fraction - 1.0);
        let x = lower_x + time.blend * (upper_x - lower_x);
        let y = lower_y + time.blend * (upper_y - lower_y);
        seen_from([x, y, lower + time.blend * (upper - lower)], corner)
    }

    /// The gradient of a hash in one layer.
    fn gradient(&self, hash: u8, layer: Layer) -> [f32; 3] {
        let hash = u32::from(self.permutation[usize::from(hash) + layer.index]);
        let hash = if layer.block == 0 {
            hash
        } else {
            lowbias32(hash.wrapping_add(layer.block << 8))
        };
        GRADIENTS[(hash & 15) as usize]
    }
}

/// A node as the cell sees it that it is a corner of: its function is one of the offset from the cell's top left then.
#[inline(always)]
fn seen_from([x, y, mut constant]: [f32; 3], corner: usize) -> Vec4 {
    if corner & 1 == 1 {
        constant -= x;
    }
    if corner & 2 == 2 {
        constant -= y;
    }
    Vec4::new(x, y, constant, 0.0)
}

/// Top left, top right, bottom left, bottom right.
const CORNERS: [usize; 4] = [0, 1, 2, 3];

/// What the four lattice nodes around a cell are, in the order of [`CORNERS`].
#[inline(always)]
fn corners(permutation: &[u8; 512], left: u32, top: u32) -> [u8; 4] {
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
    permutation: [u8; 512],
    /// For each corner of a cell the nodes that can be there.
    nodes: Box<[[Vec4; 256]; 4]>,
}

impl Slice {
    /// Makes this the noise at another depth.
    pub fn refresh(&mut self, noise: &Noise, depth: Depth) {
        self.permutation = noise.permutation;
        if let Some(across) = depth.across {
            return self.refresh_on_plane(noise, depth, across);
        }
        let time = Time::new(depth);
        for hash in 0..=255 {
            for corner in CORNERS {
                self.nodes[corner][usize::from(hash)] = noise.node(hash, time, corner);
            }
        }
    }

    /// The same where time has two axes.
    fn refresh_on_plane(&mut self, noise: &Noise, along: Depth, across: Place) {
        let Depth { cell, fraction, .. } = along;
        let time = PlaneTime::new(Place { cell, fraction }, across);
        for hash in 0..=255 {
            let node = noise.node_on_plane(hash, &time);
            for corner in CORNERS {
                self.nodes[corner][usize::from(hash)] = seen_from(node, corner);
            }
        }
    }

    /// The value in [0, 1] at a place in cells of magnitude below 2^22.
    #[inline]
    pub fn at(&self, x: f32, y: f32) -> f32 {
        let [(left, dx), (top, dy)] = [split(x), split(y)];
        blend(self.around(left, top), dx, dy)
    }

    /// The values at places in cells, as [`Slice::at`] gives them.
    #[inline(always)]
    pub(crate) fn block(&self, x: &[f32; BLOCK], y: &[f32; BLOCK], values: &mut [f32; BLOCK]) {
        let mut cells = [[0; 2]; BLOCK];
        let (mut dx, mut dy) = ([0.0; BLOCK], [0.0; BLOCK]);
        let (mut u, mut v) = ([0.0; BLOCK], [0.0; BLOCK]);
        for i in 0..BLOCK {
            let [(left, along_x), (top, along_y)] = [split(x[i]), split(y[i])];
            cells[i] = [left, top];
            (dx[i], dy[i]) = (along_x, along_y);
            (u[i], v[i]) = (quintic(along_x), quintic(along_y));
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
    fn around(&self, left: u32, top: u32) -> [Vec4; 4] {
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
fn blend(nodes: [Vec4; 4], dx: f32, dy: f32) -> f32 {
    let node = blend_nodes(nodes, quintic(dx), quintic(dy));
    (node.x * dx + node.y * dy + node.z) * 0.5 + 0.5
}

#[inline(always)]
fn blend_nodes(nodes: [Vec4; 4], u: f32, v: f32) -> Vec4 {
    let [top_left, top_right, bottom_left, bottom_right] = nodes;
    let upper = top_left + (top_right - top_left) * u;
    let lower = bottom_left + (bottom_right - bottom_left) * u;
    upper + (lower - upper) * v
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
