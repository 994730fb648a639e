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
    [i, j, k]: [u32; 3],
    [x, y, z]: [f32; 3],
    is_passed: [bool; 3],
    back: f32,
) -> f32 {
    let [px, py, pz] = G::PRIMES;
    let [is_x, is_y, is_z] = is_passed;
    around3(
        g,
        0,
        [next(i, px, is_x), next(j, py, is_y), next(k, pz, is_z)],
        [
            x - unit(is_x) + back,
            y - unit(is_y) + back,
            z - unit(is_z) + back,
        ],
    )
}

/// Coordinates of cells as those that hashes take.
#[inline(always)]
fn primed([i, j, k, l]: [u32; 4], primes: [u32; 4]) -> [u32; 4] {
    [
        i.wrapping_mul(primes[0]),
        j.wrapping_mul(primes[1]),
        k.wrapping_mul(primes[2]),
        l.wrapping_mul(primes[3]),
    ]
}

/// The vertex one further on some axes.
#[inline(always)]
fn further([i, j, k, l]: [u32; 4], primes: [u32; 4], is_passed: [bool; 4]) -> [u32; 4] {
    [
        next(i, primes[0], is_passed[0]),
        next(j, primes[1], is_passed[1]),
        next(k, primes[2], is_passed[2]),
        next(l, primes[3], is_passed[3]),
    ]
}

/// The way that is left to that vertex, plus `more` on every axis.
#[inline(always)]
fn nearer([x, y, z, w]: [f32; 4], is_passed: [bool; 4], more: f32) -> [f32; 4] {
    [
        x - unit(is_passed[0]) + more,
        y - unit(is_passed[1]) + more,
        z - unit(is_passed[2]) + more,
        w - unit(is_passed[3]) + more,
    ]
}

// The loops over axes and vertices are written out below: left to the compiler, they keep it from computing many places at once.

/// Simplex noise of four dimensions in [-1, 1]: five vertices.
#[inline(always)]
pub(super) fn simplex4<G: Gradients<4>>(g: &G, cell: [u32; 4], way: [f32; 4]) -> f32 {
    let base = primed(cell, G::PRIMES);
    let [x, y, z, w] = way;
    // Of how many others each coordinate is ahead; of equal ones the first is.
    let (xy, xz, xw) = (unit(x >= y), unit(x >= z), unit(x >= w));
    let (yz, yw, zw) = (unit(y >= z), unit(y >= w), unit(z >= w));
    let ranks = [
        xy + xz + xw,
        1.0 - xy + yz + yw,
        2.0 - xz - yz + zw,
        3.0 - xw - yw - zw,
    ];
    let back = (x + y + z + w) * UNSKEW_4;
    let near = [x - back, y - back, z - back, w - back];
    let sum = around4(g, 0, base, near)
        + corner4(g, base, near, ranks, 1.0)
        + corner4(g, base, near, ranks, 2.0)
        + corner4(g, base, near, ranks, 3.0)
        + corner4(g, base, near, ranks, 4.0);
    sum * G::SCALE
}

/// The `number`th vertex along the way through a simplex: one further along the axes of the highest ranks.
#[inline(always)]
fn corner4<G: Gradients<4>>(
    g: &G,
    base: [u32; 4],
    near: [f32; 4],
    ranks: [f32; 4],
    number: f32,
) -> f32 {
    let least = 4.0 - number;
    let is_passed = [
        ranks[0] >= least,
        ranks[1] >= least,
        ranks[2] >= least,
        ranks[3] >= least,
    ];
    let offset = nearer(near, is_passed, number * UNSKEW_4);
    around4(g, 0, further(base, G::PRIMES, is_passed), offset)
}

/// OpenSimplex2 of space in [-1, 1]: of two cubic lattices, half a cell apart on each axis, the nearest vertex and the next one. `cell`
/// and the way into it are those of the first.
#[inline(always)]
pub(super) fn open3<G: Gradients<3>>(g: &G, [i, j, k]: [u32; 3], [x, y, z]: [f32; 3]) -> f32 {
    let [px, py, pz] = G::PRIMES;
    let (is_x, is_y, is_z) = (x >= 0.5, y >= 0.5, z >= 0.5);
    let (i, j, k) = (i.wrapping_mul(px), j.wrapping_mul(py), k.wrapping_mul(pz));
    let nearest = [next(i, px, is_x), next(j, py, is_y), next(k, pz, is_z)];
    let offset = [x - unit(is_x), y - unit(is_y), z - unit(is_z)];
    // A vertex of the second lattice lies half a cell before that of the first with its name.
    let between = [i.wrapping_add(px), j.wrapping_add(py), k.wrapping_add(pz)];
    let sum = cube(g, 0, nearest, offset) + cube(g, 1, between, [x - 0.5, y - 0.5, z - 0.5]);
    sum * G::SCALE
}

/// The two nearest vertices of a cubic lattice; the offset is that from the nearest.
#[inline(always)]
fn cube<G: Gradients<3>>(g: &G, copy: u32, vertex: [u32; 3], offset: [f32; 3]) -> f32 {
    let ([px, py, pz], [i, j, k], [x, y, z]) = (G::PRIMES, vertex, offset);
    let is_x = (x.abs() >= y.abs()) & (x.abs() >= z.abs());
    let is_y = !is_x & (y.abs() >= z.abs());
    let is_z = !is_x & !is_y;
    let next = [
        beside(i, px, x, is_x),
        beside(j, py, y, is_y),
        beside(k, pz, z, is_z),
    ];
    let there = [beyond(x, is_x), beyond(y, is_y), beyond(z, is_z)];
    around3(g, copy, vertex, offset) + around3(g, copy, next, there)
}

/// A coordinate of the vertex on the other side of a place, where it is so.
#[inline(always)]
fn beside(vertex: u32, prime: u32, offset: f32, is_so: bool) -> u32 {
    let step = if offset < 0.0 {
        prime.wrapping_neg()
    } else {
        prime
    };
    vertex.wrapping_add(if is_so { step } else { 0 })
}

/// The offset from there.
#[inline(always)]
fn beyond(offset: f32, is_so: bool) -> f32 {
    let step = if offset < 0.0 { -1.0 } else { 1.0 };
    offset - if is_so { step } else { 0.0 }
}

/// Where the search for the nearest vertices of five copies of a lattice has come to.
#[derive(Clone, Copy)]
struct Walk {
    vertex: [u32; 4],
    way: [f32; 4],
    /// The number of the copy.
    copy: f32,
}

/// OpenSimplex2 of four dimensions in [-1, 1]: of five copies of the lattice A4, a fifth of a cell apart, the nearest vertex each. `cell`
/// and the way into it are those of skewed coordinates.
#[inline(always)]
pub(super) fn open4<G: Gradients<4>>(g: &G, cell: [u32; 4], way: [f32; 4]) -> f32 {
    let [x, y, z, w] = way;
    let sum = (x + y) + (z + w);
    // The copy that surely has a vertex in its cell here; the others are found from there, downwards and round.
    let first = unit(sum >= 0.8) + unit(sum >= 1.6) + unit(sum >= 2.4) + unit(sum >= 3.2);
    let walk = Walk {
        vertex: primed(cell, G::PRIMES),
        way: nearer(way, [false; 4], first * -0.2),
        copy: first,
    };
    let (value, walk) = walked(g, walk);
    let (second, walk) = walked(g, walk);
    let (third, walk) = walked(g, walk);
    let (fourth, walk) = walked(g, walk);
    let (fifth, _) = walked(g, walk);
    (value + second + third + fourth + fifth) * G::SCALE
}

/// What the copy that has come up contributes, and the walk on to the next.
#[inline(always)]
fn walked<G: Gradients<4>>(g: &G, walk: Walk) -> (f32, Walk) {
    let [x, y, z, w] = walk.way;
    let least = 1.0 - ((x + y) + (z + w));
    let is_x = (x >= y) & (x >= z) & (x >= w) & (x >= least);
    let is_y = (y > x) & (y >= z) & (y >= w) & (y >= least);
    let is_z = (z > x) & (z > y) & (z >= w) & (z >= least);
    let is_w = (w > x) & (w > y) & (w > z) & (w >= least);
    let is_passed = [is_x, is_y, is_z, is_w];
    let vertex = further(walk.vertex, G::PRIMES, is_passed);
    let way = nearer(walk.way, is_passed, 0.0);
    let back = ((way[0] + way[1]) + (way[2] + way[3])) * SKEW_4 as f32;
    let offset = nearer(way, [false; 4], back);
    let value = around4(g, walk.copy as i32 as u32, vertex, offset);
    // After copy 0 comes copy 4 of the cells before.
    let is_round = walk.copy < 0.5;
    let [i, j, k, l] = vertex;
    let [px, py, pz, pw] = G::PRIMES;
    let vertex = [
        next(i, px.wrapping_neg(), is_round),
        next(j, py.wrapping_neg(), is_round),
        next(k, pz.wrapping_neg(), is_round),
        next(l, pw.wrapping_neg(), is_round),
    ];
    let walk = Walk {
        vertex,
        way: nearer(way, [false; 4], 0.2),
        copy: if is_round { 4.0 } else { walk.copy - 1.0 },
    };
    (value, walk)
}
