//! Noise as a sum of kernels around the vertices of simplices, or of cubic lattices that lie between each other, in plain
//! arithmetic without a branch.
//!
//! Simplex noise: Ken Perlin, "Noise hardware" (2001), as in Stefan Gustavson, "Simplex noise demystified" (2005).
//! OpenSimplex2: KdotJPG (2020), its fast variant: in three dimensions two cubic lattices, in four five copies of A4.
//! Nothing here knows where gradients come from, so that tests can take those of other implementations.

/// Where gradients come from, how far they reach and what their sum is multiplied with.
pub(super) trait Gradients<const N: usize> {
    /// The square of the distance at which a vertex has no influence any more.
    const REACH: f32;
    /// What brings sums into [-1, 1].
    const SCALE: f32;
    /// What the coordinates of vertices are multiplied with, modulo 2^32, before they get here.
    const PRIMES: [u32; N];
    /// The gradient of a vertex of one copy of the lattice, times the offset from it.
    fn dot(&self, copy: u32, vertex: [u32; N], offset: [f32; N]) -> f32;
}

/// 1 where it is so, else 0.
#[inline(always)]
fn unit(is_so: bool) -> f32 {
    if is_so { 1.0 } else { 0.0 }
}

/// A coordinate of a vertex one further where it is so.
#[inline(always)]
fn next(vertex: u32, prime: u32, is_so: bool) -> u32 {
    vertex.wrapping_add(if is_so { prime } else { 0 })
}

/// What a vertex contributes whose squared distance falls short of the reach by `rest`.
#[inline(always)]
fn faded(rest: f32, dot: f32) -> f32 {
    let rest = if rest > 0.0 { rest } else { 0.0 };
    let square = rest * rest;
    square * square * dot
}

#[inline(always)]
fn around2<G: Gradients<2>>(g: &G, vertex: [u32; 2], offset: [f32; 2]) -> f32 {
    let [x, y] = offset;
    faded(G::REACH - x * x - y * y, g.dot(0, vertex, offset))
}

#[inline(always)]
fn around3<G: Gradients<3>>(g: &G, copy: u32, vertex: [u32; 3], offset: [f32; 3]) -> f32 {
    let [x, y, z] = offset;
    let rest = G::REACH - x * x - y * y - z * z;
    faded(rest, g.dot(copy, vertex, offset))
}

#[inline(always)]
fn around4<G: Gradients<4>>(g: &G, copy: u32, vertex: [u32; 4], offset: [f32; 4]) -> f32 {
    let [x, y, z, w] = offset;
    let rest = G::REACH - x * x - y * y - z * z - w * w;
    faded(rest, g.dot(copy, vertex, offset))
}

/// By how much coordinates of the skewed plane exceed those of the plane, as a share of their sum: (sqrt(3) - 1) / 2.
pub(super) const SKEW_2: f64 = 0.366_025_403_784_438_6;

/// The same in space.
pub(super) const SKEW_3: f64 = 1.0 / 3.0;

/// The same in four dimensions: (sqrt(5) - 1) / 4.
pub(super) const SKEW_4: f64 = 0.309_016_994_374_947_45;

/// By how much they fall short of skewed ones: (3 - sqrt(3)) / 6.
const UNSKEW_2: f32 = 0.211_324_87;

const UNSKEW_3: f32 = 1.0 / 6.0;

/// (5 - sqrt(5)) / 20.
const UNSKEW_4: f32 = 0.138_196_6;

/// Simplex noise of the plane in [-1, 1]: three vertices. `cell` and the way into it are those of skewed coordinates.
#[inline(always)]
pub(super) fn simplex2<G: Gradients<2>>(g: &G, cell: [u32; 2], way: [f32; 2]) -> f32 {
    let [px, py] = G::PRIMES;
    let (i, j) = (cell[0].wrapping_mul(px), cell[1].wrapping_mul(py));
    let back = (way[0] + way[1]) * UNSKEW_2;
    let (x, y) = (way[0] - back, way[1] - back);
    let right = x > y;
    let far = 2.0 * UNSKEW_2 - 1.0;
    let sum = around2(g, [i, j], [x, y])
        + around2(
            g,
            [next(i, px, right), next(j, py, !right)],
            [x - unit(right) + UNSKEW_2, y - unit(!right) + UNSKEW_2],
        )
        + around2(
            g,
            [i.wrapping_add(px), j.wrapping_add(py)],
            [x + far, y + far],
        );
    sum * G::SCALE
}

/// Simplex noise of space in [-1, 1]: four vertices.
#[inline(always)]
pub(super) fn simplex3<G: Gradients<3>>(g: &G, cell: [u32; 3], way: [f32; 3]) -> f32 {
    let [px, py, pz] = G::PRIMES;
    let i = cell[0].wrapping_mul(px);
    let j = cell[1].wrapping_mul(py);
    let k = cell[2].wrapping_mul(pz);
    let [u, v, w] = way;
    let back = (u + v + w) * UNSKEW_3;
    let (x, y, z) = (u - back, v - back, w - back);
    let (xy, yz, xz) = (u >= v, v >= w, u >= w);
    let first = [xy & xz, yz & !xy, !xz & !yz];
    let second = [xy | xz, !xy | yz, !(xz & yz)];
    let vertex = [i, j, k];
    let offset = [x, y, z];
    let sum = around3(g, 0, vertex, offset)
        + corner3(g, vertex, offset, first, UNSKEW_3)
        + corner3(g, vertex, offset, second, 2.0 * UNSKEW_3)
        + corner3(g, vertex, offset, [true; 3], 3.0 * UNSKEW_3);
    sum * G::SCALE
}

/// The vertex that lies one further on some axes.
#[inline(always)]
fn corner3<G: Gradients<3>>(
    g: &G,
    vertex: [u32; 3],
    offset: [f32; 3],
    is_passed: [bool; 3],
    back: f32,
) -> f32 {
    let (mut there, mut way) = (vertex, offset);
    for axis in 0..3 {
        there[axis] = next(vertex[axis], G::PRIMES[axis], is_passed[axis]);
        way[axis] = offset[axis] - unit(is_passed[axis]) + back;
    }
    around3(g, 0, there, way)
}

/// Simplex noise of four dimensions in [-1, 1]: five vertices.
#[inline(always)]
pub(super) fn simplex4<G: Gradients<4>>(g: &G, cell: [u32; 4], way: [f32; 4]) -> f32 {
    let mut base = [0; 4];
    let mut ranks = [0; 4];
    let back = (way[0] + way[1] + way[2] + way[3]) * UNSKEW_4;
    let mut near = [0.0; 4];
    for axis in 0..4 {
        base[axis] = cell[axis].wrapping_mul(G::PRIMES[axis]);
        near[axis] = way[axis] - back;
        for other in 0..4 {
            // Of equal ones the first is the greater.
            let is_above = if axis < other {
                way[axis] >= way[other]
            } else {
                axis > other && way[axis] > way[other]
            };
            ranks[axis] += i32::from(is_above);
        }
    }
    let mut sum = 0.0;
    for corner in 0..5 {
        let mut vertex = base;
        let mut offset = near;
        for axis in 0..4 {
            let is_passed = ranks[axis] >= 4 - corner;
            vertex[axis] = next(base[axis], G::PRIMES[axis], is_passed);
            offset[axis] = near[axis] - unit(is_passed) + corner as f32 * UNSKEW_4;
        }
        sum += around4(g, 0, vertex, offset);
    }
    sum * G::SCALE
}

/// OpenSimplex2 of space in [-1, 1]: of two cubic lattices, half a cell apart on each axis, the nearest vertex and the next one. `cell`
/// and the way into it are those of the first.
#[inline(always)]
pub(super) fn open3<G: Gradients<3>>(g: &G, cell: [u32; 3], way: [f32; 3]) -> f32 {
    let mut sum = 0.0;
    for copy in 0..2 {
        let mut vertex = [0; 3];
        let mut offset = [0.0; 3];
        for axis in 0..3 {
            // A vertex of the second lattice lies half a cell before that of the first with its name.
            let is_upper = (copy == 1) | (way[axis] >= 0.5);
            let half = if copy == 0 { 0.0 } else { 0.5 };
            vertex[axis] = next(cell[axis], 1, is_upper).wrapping_mul(G::PRIMES[axis]);
            offset[axis] = way[axis] - unit(is_upper) + half;
        }
        sum += cube(g, copy, vertex, offset);
    }
    sum * G::SCALE
}

/// The two nearest vertices of a cubic lattice; the offset is that from the nearest.
#[inline(always)]
fn cube<G: Gradients<3>>(g: &G, copy: u32, vertex: [u32; 3], offset: [f32; 3]) -> f32 {
    let [x, y, z] = offset;
    let [along_x, along_y, along_z] = [x.abs(), y.abs(), z.abs()];
    let is_x = (along_x >= along_y) & (along_x >= along_z);
    let is_y = !is_x & (along_y >= along_z);
    let is_z = !is_x & !is_y;
    let mut next = vertex;
    let mut there = offset;
    let is_axis = [is_x, is_y, is_z];
    for axis in 0..3 {
        let prime = G::PRIMES[axis];
        let is_before = offset[axis] < 0.0;
        let step = if is_before {
            prime.wrapping_neg()
        } else {
            prime
        };
        let way = if is_before { -1.0 } else { 1.0 };
        next[axis] = vertex[axis].wrapping_add(if is_axis[axis] { step } else { 0 });
        there[axis] = offset[axis] - if is_axis[axis] { way } else { 0.0 };
    }
    around3(g, copy, vertex, offset) + around3(g, copy, next, there)
}

/// OpenSimplex2 of four dimensions in [-1, 1]: of five copies of the lattice A4, a fifth of a cell apart, the nearest vertex each. `cell`
/// and the way into it are those of skewed coordinates.
#[inline(always)]
pub(super) fn open4<G: Gradients<4>>(g: &G, cell: [u32; 4], way: [f32; 4]) -> f32 {
    let mut vertex = [0; 4];
    let mut way = way;
    let sum = (way[0] + way[1]) + (way[2] + way[3]);
    // The copy that surely has a vertex in its cell here; the others are found from there, downwards and round.
    let first = (sum * 1.25) as i32;
    for axis in 0..4 {
        vertex[axis] = cell[axis].wrapping_mul(G::PRIMES[axis]);
        way[axis] -= first as f32 * 0.2;
    }
    let mut value = 0.0;
    for number in 0..5 {
        let copy = if number > first { first + 5 } else { first } - number;
        let sum = (way[0] + way[1]) + (way[2] + way[3]);
        let mut is_before = false;
        for axis in 0..4 {
            let mut is_far = !is_before & (way[axis] >= 1.0 - sum);
            for other in 0..4 {
                if other > axis {
                    is_far &= way[axis] >= way[other];
                } else if other < axis {
                    is_far &= way[axis] > way[other];
                }
            }
            is_before |= is_far;
            vertex[axis] = next(vertex[axis], G::PRIMES[axis], is_far);
            way[axis] -= unit(is_far);
        }
        let back = ((way[0] + way[1]) + (way[2] + way[3])) * SKEW_4 as f32;
        let mut offset = way;
        for axis in 0..4 {
            offset[axis] = way[axis] + back;
        }
        value += around4(g, copy as u32, vertex, offset);
        let is_round = number == first;
        for axis in 0..4 {
            let prime = if is_round { G::PRIMES[axis] } else { 0 };
            vertex[axis] = vertex[axis].wrapping_sub(prime);
            way[axis] += 0.2;
        }
    }
    value * G::SCALE
}
