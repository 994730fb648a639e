//! Gradient noise over place and time: the material of the field.
//!
//! Improved Perlin noise in three dimensions (Ken Perlin, "Improving Noise", SIGGRAPH 2002; the idea is from "An Image
//! Synthesizer", SIGGRAPH 1985), its permutation shuffled by a seed exactly as the original demo does, so that a seed
//! is the same water there and here. The third axis is time. It goes on for ever: beyond the 256 layers of the table,
//! gradients come from a hash.
//!
//! Within one step all samples share their time, so the two layers of each lattice node collapse into one linear
//! function of place, a [`Node`]. Every sample is computed from nodes, kept ([`Patch`]) or made on the way, by the same
//! arithmetic: the same bits.

use crate::hash::lowbias32;

mod distribution;

pub use distribution::Distribution;

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
        }
    }

    /// A depth in the 256 cells of the table, which repeat.
    pub fn periodic(z: f32) -> Depth {
        let cell = floor(z);
        Depth {
            cell: i64::from(cell),
            fraction: z - cell as f32,
            periodic: true,
        }
    }

    fn layers(self) -> [Layer; 2] {
        [self.cell, self.cell.wrapping_add(1)].map(|cell| Layer {
            index: (cell & 255) as usize,
            block: if self.periodic { 0 } else { (cell >> 8) as u32 },
        })
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

/// A lattice node at one depth: the noise around it is `x * gx + y * gy + constant` in the offset from the node.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Node {
    gx: f32,
    gy: f32,
    constant: f32,
}

impl Node {
    #[inline]
    fn at(&self, x: f32, y: f32) -> f32 {
        self.gx * x + self.gy * y + self.constant
    }
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

    /// The value at one place in [0, 1], in cells; it repeats after 256 cells along each axis.
    pub fn at(&self, x: f32, y: f32, z: f32) -> f32 {
        self.slice(Depth::periodic(z)).at(x, y)
    }

    /// The noise at one depth.
    pub fn slice(&self, depth: Depth) -> Slice<'_> {
        let [lower, upper] = depth.layers();
        Slice {
            noise: self,
            lower,
            upper,
            fraction: depth.fraction,
            blend: quintic(depth.fraction),
        }
    }

    /// The gradient at a lattice node of one layer.
    fn gradient(&self, x: i32, y: i32, layer: Layer) -> [f32; 3] {
        let p = &self.permutation;
        let column = usize::from(p[(x & 255) as usize]) + (y & 255) as usize;
        let hash = u32::from(p[usize::from(p[column]) + layer.index]);
        let hash = if layer.block == 0 {
            hash
        } else {
            lowbias32(hash.wrapping_add(layer.block << 8))
        };
        GRADIENTS[(hash & 15) as usize]
    }
}

/// The noise at one depth; any lattice node can be had from it.
#[derive(Clone, Copy, Debug)]
pub struct Slice<'a> {
    noise: &'a Noise,
    lower: Layer,
    upper: Layer,
    fraction: f32,
    blend: f32,
}

impl Slice<'_> {
    /// The value in [0, 1] at a place in cells.
    pub fn at(&self, x: f32, y: f32) -> f32 {
        interpolate(x, y, |x, y| self.node(x, y))
    }

    /// Collapses both layers of a lattice node. Interpolation is linear in the nodes, so nothing is lost.
    pub(crate) fn node(&self, x: i32, y: i32) -> Node {
        let [lower_x, lower_y, lower_z] = self.noise.gradient(x, y, self.lower);
        let [upper_x, upper_y, upper_z] = self.noise.gradient(x, y, self.upper);
        let lower = lower_z * self.fraction;
        let upper = upper_z * (self.fraction - 1.0);
        Node {
            gx: lower_x + self.blend * (upper_x - lower_x),
            gy: lower_y + self.blend * (upper_y - lower_y),
            constant: lower + self.blend * (upper - lower),
        }
    }
}

/// The nodes of a rectangle of the lattice at one depth, kept.
#[derive(Clone, Debug, Default)]
pub struct Patch {
    x: i32,
    y: i32,
    columns: usize,
    rows: usize,
    nodes: Vec<Node>,
}

impl Patch {
    /// How many nodes a patch over the rectangle `from` to `to`, in cells, would hold.
    pub fn node_count(from: [f32; 2], to: [f32; 2]) -> usize {
        let side =
            |axis: usize| (f64::from(to[axis]) - f64::from(from[axis])).max(0.0) as usize + 5;
        side(0).saturating_mul(side(1))
    }

    /// Computes the nodes for samples from `from` to `to`, in cells.
    pub fn refresh(&mut self, slice: &Slice, from: [f32; 2], to: [f32; 2]) {
        // One node more on every side, for places that round across the border.
        (self.x, self.y) = (floor(from[0]) - 1, floor(from[1]) - 1);
        self.columns = (floor(to[0]) + 3 - self.x).max(2) as usize;
        self.rows = (floor(to[1]) + 3 - self.y).max(2) as usize;
        self.nodes.clear();
        for row in 0..self.rows {
            for column in 0..self.columns {
                self.nodes
                    .push(slice.node(self.x + column as i32, self.y + row as i32));
            }
        }
    }

    /// The value in [0, 1] at a place in cells within the rectangle: the bits of [`Slice::at`].
    #[inline]
    pub fn at(&self, x: f32, y: f32) -> f32 {
        interpolate(x, y, |x, y| self.node(x, y))
    }

    /// The node at a place of the lattice within the rectangle.
    #[inline]
    pub(crate) fn node(&self, x: i32, y: i32) -> Node {
        let column = (x.wrapping_sub(self.x) as usize).min(self.columns - 1);
        let row = (y.wrapping_sub(self.y) as usize).min(self.rows - 1);
        self.nodes[row * self.columns + column]
    }
}

/// A straight row of samples along x: what depends on y is computed once.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    top: i32,
    dy: f32,
    blend: f32,
}

impl Row {
    /// The row at `y`, in cells.
    pub fn new(y: f32) -> Row {
        let top = floor(y);
        let dy = y - top as f32;
        Row {
            top,
            dy,
            blend: quintic(dy),
        }
    }

    /// The values at `first`, `first + step`, .. in cells, `step` above 0, from the nodes around: those of
    /// [`Slice::at`] within 1e-6.
    pub(crate) fn fill(
        &self,
        node: impl Fn(i32, i32) -> Node,
        first: f32,
        step: f32,
        values: &mut [f32],
    ) {
        let mut begin = 0;
        while begin < values.len() {
            let cell = floor(first + begin as f32 * step);
            // The samples in this cell; rounding may put the last one just beyond, where the formula still holds.
            let left = (cell as f32 + 1.0 - first) / step - begin as f32;
            let end = values.len().min(begin + (left.ceil() as usize).max(1));
            let (left, right) = (
                self.collapsed(&node, cell),
                self.collapsed(&node, cell.wrapping_add(1)),
            );
            for (index, value) in values[begin..end].iter_mut().enumerate() {
                let dx = first + (begin + index) as f32 * step - cell as f32;
                let from = left[0] * dx + left[1];
                let to = right[0] * (dx - 1.0) + right[1];
                *value = (from + quintic(dx) * (to - from)) * 0.5 + 0.5;
            }
            begin = end;
        }
    }

    /// A lattice column at this row's y: the noise beside it is `slope * dx + constant`.
    fn collapsed(&self, node: impl Fn(i32, i32) -> Node, x: i32) -> [f32; 2] {
        let (upper, lower) = (node(x, self.top), node(x, self.top.wrapping_add(1)));
        let slope = upper.gx + self.blend * (lower.gx - upper.gx);
        let above = upper.gy * self.dy + upper.constant;
        let below = lower.gy * (self.dy - 1.0) + lower.constant;
        [slope, above + self.blend * (below - above)]
    }
}

/// Blends the four nodes around a place and maps the result from [-1, 1] to [0, 1].
#[inline]
fn interpolate(x: f32, y: f32, node: impl Fn(i32, i32) -> Node) -> f32 {
    let (left, top) = (floor(x), floor(y));
    let (dx, dy) = (x - left as f32, y - top as f32);
    let (right, bottom) = (left.wrapping_add(1), top.wrapping_add(1));
    let (u, v) = (quintic(dx), quintic(dy));
    let top_left = node(left, top).at(dx, dy);
    let top_right = node(right, top).at(dx - 1.0, dy);
    let bottom_left = node(left, bottom).at(dx, dy - 1.0);
    let bottom_right = node(right, bottom).at(dx - 1.0, dy - 1.0);
    let upper = top_left + u * (top_right - top_left);
    let lower = bottom_left + u * (bottom_right - bottom_left);
    (upper + v * (lower - upper)) * 0.5 + 0.5
}

/// Perlin's fade curve 6t^5 - 15t^4 + 10t^3, with zero first and second derivatives at 0 and 1.
#[inline]
pub fn quintic(t: f32) -> f32 {
    t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
}

/// The largest integer not above `x`; values beyond i32 take its ends. (`f32::floor` is a library call at the baseline.)
#[inline]
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
