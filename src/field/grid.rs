//! The field on a grid: computed at its nodes once for a step, and interpolated between them for every particle.
//!
//! A field is smooth, and neighbouring particles ask for nearly the same value. How far apart the nodes may be follows
//! from the error that is allowed (see [`FlowParameters::spacing`]); direction vectors are interpolated, not headings, so
//! that no particle needs a sine. Where the noise joins itself it turns faster, and the nodes there lie closer.

use glam::Vec2;

use super::{Channel, Placement, Torus};
use crate::noise::{BLOCK, Row, Samples, fill_row, padded};
use crate::polynomial::split;
use crate::pool::{Chunks, Pool};
use crate::simd::{Blend, Node, blend, scaled, weights};

/// Rows that a thread computes at a time.
const ROWS_AT_ONCE: usize = 8;

/// With fewer nodes than this one thread is done before another has woken up.
const SHARED: usize = 20_000;

/// Distances between nodes in logical px: elsewhere, and in the bands where the noise joins itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spacing {
    /// Outside the bands, on both axes.
    pub inner: f32,
    /// In the band of each axis.
    pub band: Vec2,
}

impl Spacing {
    /// The smallest distance that is used on a torus.
    pub fn smallest(&self, torus: Torus) -> f32 {
        let band = |size: f32, axis: f32| if size > 0.0 { axis } else { self.inner };
        self.inner
            .min(band(torus.band.x, self.band.x))
            .min(band(torus.band.y, self.band.y))
    }
}

/// Where the nodes lie along one axis: evenly from 0 to the seam, and evenly, closer, from there to the end.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Axis {
    seam: f32,
    /// Cells before the seam, and in all.
    inner_cells: usize,
    cells: usize,
    /// Logical px of a cell before and behind the seam.
    steps: [f32; 2],
    /// Cells per logical px before and behind the seam.
    rates: [f32; 2],
}

impl Axis {
    fn new(size: f32, band: f32, inner: f32, close: f32) -> Axis {
        let seam = size - band;
        let cells = |length: f32, spacing: f32| {
            if length > 0.0 {
                (length / spacing).ceil().max(1.0)
            } else {
                0.0
            }
        };
        let counts = [cells(seam, inner), cells(band, close)];
        let rate = |count: f32, length: f32| if count > 0.0 { count / length } else { 0.0 };
        let step = |count: f32, length: f32| if count > 0.0 { length / count } else { 0.0 };
        Axis {
            seam,
            inner_cells: counts[0] as usize,
            cells: (counts[0] + counts[1]) as usize,
            steps: [step(counts[0], seam), step(counts[1], band)],
            rates: [rate(counts[0], seam), rate(counts[1], band)],
        }
    }

    /// How many nodes there are: one more than cells.
    fn nodes(&self) -> usize {
        self.cells + 1
    }

    /// The place of a node in logical px.
    fn place(&self, node: usize) -> f32 {
        if node <= self.inner_cells {
            node as f32 * self.steps[0]
        } else {
            self.seam + (node - self.inner_cells) as f32 * self.steps[1]
        }
    }

    /// The cell that a place in [0, size] lies in, and how far into it, in [0, 1].
    #[inline(always)]
    fn cell_at(&self, place: f32) -> (u32, f32) {
        // Without a choice of rates, which would be made particle by particle: both parts have their share of the way.
        let behind = place - self.seam;
        let (before, behind) = (
            if place < self.seam { place } else { self.seam },
            if behind > 0.0 { behind } else { 0.0 },
        );
        let along = before * self.rates[0] + behind * self.rates[1];
        // What is not a place lies somewhere.
        let (whole, _) = split(along);
        let cell = whole.min(self.cells as u32 - 1);
        (cell, along - cell as i32 as f32)
    }

    /// How many of the nodes lie in the band; the node on the seam does not.
    fn band_nodes(&self) -> usize {
        self.cells - self.inner_cells
    }
}

/// The number that stands for 1 in a node, which holds velocity in shares of the speed, value of the color channel, and nothing, and in a
/// node's weight. As integers of two bytes a window's nodes stay in the nearest memory of a processor, and one
/// instruction multiplies eight and adds them up; a direction is .005 degrees off at most.
pub(super) const ONE: f32 = 32_767.0;

/// What 1 is in a weighted sum of nodes.
const UNIT: f32 = 1.0 / (ONE * ONE);

/// Velocities and colors at the nodes of a grid over a torus.
#[derive(Clone, Debug, Default)]
pub(super) struct Grid {
    across: Axis,
    down: Axis,
    /// Row by row, as are the colors.
    nodes: Vec<Node>,
    /// Colors times [`ONE`], kept while they stand still.
    colors: Vec<i16>,
    columns: Columns,
    /// Two rows of noise values for each thread's rows.
    scratch: Vec<f32>,
}

/// Where the rows of a grid are sampled: at all nodes, then at the wrapped copies of those in the band.
#[derive(Clone, Debug, Default)]
struct Columns {
    samples: Samples,
    /// For each node in the band: the normalised weights of the noise and of its wrapped copy.
    weights: Vec<[f32; 2]>,
    nodes: usize,
}

/// How many nodes a grid would have.
pub(super) fn node_count(torus: Torus, spacing: Spacing) -> usize {
    let [across, down] = axes(torus, spacing);
    across.nodes() * down.nodes()
}

fn axes(torus: Torus, spacing: Spacing) -> [Axis; 2] {
    let Torus { size, band } = torus;
    [
        Axis::new(size.x, band.x, spacing.inner, spacing.band.x),
        Axis::new(size.y, band.y, spacing.inner, spacing.band.y),
    ]
}

impl Grid {
    /// Lays out the nodes, and computes the colors where they are not those of before.
    pub(super) fn place(
        &mut self,
        channel: &Channel,
        spacing: Spacing,
        are_colors_kept: bool,
        pool: &Pool,
        finish: impl Fn(&[f32], &mut [i16]) + Sync,
    ) {
        let [across, down] = axes(channel.placement.torus, spacing);
        let count = across.nodes() * down.nodes();
        if are_colors_kept
            && (across, down) == (self.across, self.down)
            && self.colors.len() == count
        {
            return;
        }
        (self.across, self.down) = (across, down);
        let mut colors = std::mem::take(&mut self.colors);
        colors.resize(count, 0);
        let width = across.nodes();
        let rows = Chunks::new(&mut colors, width * ROWS_AT_ONCE);
        self.fill(channel, pool, rows, |_, values, nodes| {
            finish(values, nodes)
        });
        self.colors = colors;
    }

    /// Computes all nodes: `finish` turns a row of the channel's values and of colors into a row of nodes.
    pub(super) fn refresh(
        &mut self,
        channel: &Channel,
        pool: &Pool,
        finish: impl Fn(&mut [f32], &[i16], &mut [Node]) + Sync,
    ) {
        let mut nodes = std::mem::take(&mut self.nodes);
        nodes.resize(self.colors.len(), Node::default());
        let width = self.across.nodes();
        let colors = std::mem::take(&mut self.colors);
        let rows = Chunks::new(&mut nodes, width * ROWS_AT_ONCE);
        self.fill(channel, pool, rows, |row, values, nodes| {
            finish(values, &colors[row * width..][..width], nodes);
        });
        (self.nodes, self.colors) = (nodes, colors);
    }

    /// Computes the channel's values row by row: `finish` takes the number of a row, its values, and what becomes of it.
    fn fill<T: Send>(
        &mut self,
        channel: &Channel,
        pool: &Pool,
        rows: Chunks<'_, T>,
        finish: impl Fn(usize, &mut [f32], &mut [T]) + Sync,
    ) {
        self.columns.place(channel, &self.across);
        let (columns, down) = (&self.columns, &self.down);
        let width = columns.nodes;
        let row_length = padded(columns.samples.len());
        let shares = down.nodes().div_ceil(ROWS_AT_ONCE);
        self.scratch.resize(shares * row_length * 2, 0.0);
        let work = (rows, Chunks::new(&mut self.scratch, row_length * 2));
        let fill = |number: usize, (rows, scratch): (&mut [T], &mut [f32])| {
            let (values, copies) = scratch.split_at_mut(row_length);
            for (index, nodes) in rows.chunks_mut(width).enumerate() {
                let row = number * ROWS_AT_ONCE + index;
                columns.row(channel, down.place(row), pool, values, copies);
                finish(row, &mut values[..width], nodes);
            }
        };
        if width * down.nodes() >= SHARED {
            pool.for_each(work, fill);
        } else {
            pool.for_each_here(work, fill);
        }
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// What lies at a place: velocity, times `speed`, and color.
    #[inline(always)]
    pub(super) fn at(&self, place: Vec2, speed: f32) -> (Vec2, f32) {
        let (cell, between) = self.cell_at(place);
        let weights = weights(between.x, between.y, ONE);
        let (mut velocities, mut colors) = ([[0.0; 2]; 4], [0.0; 4]);
        let sum = self.rows().blend(cell, weights);
        scaled([sum; 4], speed * UNIT, UNIT, &mut velocities, &mut colors);
        (velocities[0].into(), colors[0])
    }

    /// The same at many places; of what is not a place, anything.
    #[inline(always)]
    pub(super) fn block(
        &self,
        places: &[Vec2; BLOCK],
        speed: f32,
        velocities: &mut [[f32; 2]; BLOCK],
        colors: &mut [f32; BLOCK],
    ) {
        let mut cells = [0; BLOCK];
        let (mut left, mut right) = ([0; BLOCK], [0; BLOCK]);
        for i in 0..BLOCK {
            let (cell, between) = self.cell_at(places[i]);
            cells[i] = cell;
            [left[i], right[i]] = weights(between.x, between.y, ONE);
        }
        let (rows, speed) = (self.rows(), speed * UNIT);
        let (velocities, _) = velocities.as_chunks_mut();
        let (colors, _) = colors.as_chunks_mut();
        for quarter in 0..BLOCK / 4 {
            let sums = [0, 1, 2, 3].map(|i| {
                let i = quarter * 4 + i;
                rows.blend(cells[i], [left[i], right[i]])
            });
            scaled(
                sums,
                speed,
                UNIT,
                &mut velocities[quarter],
                &mut colors[quarter],
            );
        }
    }

    /// The nodes, and those below them.
    #[inline(always)]
    fn rows(&self) -> Rows<'_> {
        let lower = &self.nodes[self.across.nodes()..];
        // Of equal length, so that one check serves both.
        Rows {
            upper: &self.nodes[..lower.len()],
            lower,
        }
    }

    /// The upper left of the four nodes around a place, and how far between them it is.
    #[inline(always)]
    fn cell_at(&self, place: Vec2) -> (u32, Vec2) {
        let (column, x) = self.across.cell_at(place.x);
        let (row, y) = self.down.cell_at(place.y);
        let width = self.across.cells as u32 + 1;
        (
            row.wrapping_mul(width).wrapping_add(column),
            Vec2::new(x, y),
        )
    }
}

/// All nodes but the last row, and all but the first: at the same index lie a node and the one below it.
#[derive(Clone, Copy)]
struct Rows<'a> {
    upper: &'a [Node],
    lower: &'a [Node],
}

impl Rows<'_> {
    /// The weighted sum of the nodes around a cell.
    #[inline(always)]
    fn blend(self, cell: u32, weights: [u32; 2]) -> Blend {
        let sides = cell as usize..cell as usize + 2;
        match (
            self.upper[sides.clone()].as_array(),
            self.lower[sides].as_array(),
        ) {
            (Some(upper), Some(lower)) => blend(upper, lower, weights),
            _ => unreachable!("a range of two holds two"),
        }
    }
}

impl Columns {
    /// The columns of a grid over a channel.
    fn place(&mut self, channel: &Channel, across: &Axis) {
        let Placement {
            scale,
            origin,
            torus,
        } = channel.placement;
        self.nodes = across.nodes();
        let band = self.nodes - across.band_nodes()..self.nodes;
        self.samples.clear();
        for node in 0..self.nodes {
            self.samples.push(origin.x + across.place(node) * scale);
        }
        self.weights.clear();
        for node in band {
            let place = across.place(node);
            self.samples.push(origin.x + (place - torus.size.x) * scale);
            self.weights.push(normalised(Channel::weights(
                place,
                channel.seam.x,
                torus.band.x,
            )));
        }
    }

    /// The values of the row at `y`, in logical px.
    fn row(&self, channel: &Channel, y: f32, pool: &Pool, values: &mut [f32], copies: &mut [f32]) {
        let Torus { size, band } = channel.placement.torus;
        self.joined_across(channel, y, pool, values);
        if y > channel.seam.y {
            let [here, wrapped] = normalised(Channel::weights(y, channel.seam.y, band.y));
            self.joined_across(channel, y - size.y, pool, copies);
            for (value, copy) in values.iter_mut().zip(&*copies) {
                *value = 0.5 + (here * (*value - 0.5) + wrapped * (copy - 0.5));
            }
        }
    }

    /// The values of a row of the plane, joined along it. Weights of both axes are products, so each can be normalised
    /// by itself.
    fn joined_across(&self, channel: &Channel, y: f32, pool: &Pool, values: &mut [f32]) {
        let Placement { scale, origin, .. } = channel.placement;
        let row = Row::new(origin.y + y * scale);
        fill_row(pool.level(), &channel.slice, &row, &self.samples, values);
        let (nodes, copies) = values.split_at_mut(self.nodes);
        let band = &mut nodes[self.nodes - self.weights.len()..];
        for ((value, copy), [here, wrapped]) in band.iter_mut().zip(copies).zip(&self.weights) {
            *value = 0.5 + (here * (*value - 0.5) + wrapped * (*copy - 0.5));
        }
    }
}

/// Weights by which a sum of independent values keeps their variance.
fn normalised([here, wrapped]: [f32; 2]) -> [f32; 2] {
    let length = (here * here + wrapped * wrapped).sqrt();
    [here / length, wrapped / length]
}
