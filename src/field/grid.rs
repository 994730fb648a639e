//! The field on a grid: computed at its nodes once for a step, and interpolated between them for every particle.
//!
//! A field is smooth, and neighbouring particles ask for nearly the same value. How far apart the nodes may be follows
//! from the error that is allowed (see [`FlowParameters::spacing`]); direction vectors are interpolated, not headings, so
//! that no particle needs a sine. Where the noise joins itself it turns faster, and the nodes there lie closer.

use glam::Vec2;

use super::{Channel, Torus};
use crate::noise::Row;
use crate::pool::Pool;

/// Adding this rounds an f32 of magnitude below 2^22 to the nearest integer, left in the low bits.
const ROUND: f32 = 12_582_912.0;

/// Rows that a thread computes at a time.
const ROWS_AT_ONCE: usize = 8;

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
    #[inline]
    fn cell_at(&self, place: f32) -> (usize, f32) {
        let behind = place >= self.seam;
        let (from, rate, first) = if behind {
            (self.seam, self.rates[1], self.inner_cells)
        } else {
            (0.0, self.rates[0], 0)
        };
        let along = (place - from) * rate;
        // The whole part in the low bits: half is taken off so that rounding to nearest rounds down. What is not a place
        // lies in the last cell.
        let whole = (along - 0.5 + ROUND)
            .to_bits()
            .wrapping_sub(ROUND.to_bits()) as usize;
        let cell = (first + whole).min(self.cells - 1);
        (cell, along - cell.wrapping_sub(first) as u32 as f32)
    }

    /// How many of the nodes lie in the band; the node on the seam does not.
    fn band_nodes(&self) -> usize {
        self.cells - self.inner_cells
    }
}

/// Values of any number of lanes at the nodes of a grid over a torus.
#[derive(Clone, Debug)]
pub(super) struct Grid<T> {
    across: Axis,
    down: Axis,
    /// Row by row.
    nodes: Vec<T>,
}

impl<T> Default for Grid<T> {
    fn default() -> Grid<T> {
        Grid {
            across: Axis::default(),
            down: Axis::default(),
            nodes: Vec::new(),
        }
    }
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

impl<T: Copy + Default + Send> Grid<T> {
    /// Computes all nodes: `finish` turns a row of the channel's values into a row of nodes.
    pub(super) fn refresh(
        &mut self,
        channel: &Channel,
        spacing: Spacing,
        pool: &Pool,
        finish: impl Fn(&[f32], &mut [T]) + Sync + Send,
    ) {
        [self.across, self.down] = axes(channel.placement.torus, spacing);
        let width = self.across.nodes();
        self.nodes.resize(width * self.down.nodes(), T::default());
        let (across, down) = (&self.across, &self.down);
        let chunks = self.nodes.chunks_mut(width * ROWS_AT_ONCE).enumerate();
        pool.for_each(chunks, |(number, rows)| {
            let mut builder = RowBuilder::new(channel, across);
            for (row, nodes) in rows.chunks_mut(width).enumerate() {
                finish(
                    builder.values(down.place(number * ROWS_AT_ONCE + row)),
                    nodes,
                );
            }
        });
    }

    /// The four nodes around a place and how far between them it is: left to right, then top to bottom.
    #[inline]
    pub(super) fn around(&self, place: Vec2) -> ([T; 4], Vec2) {
        let (column, x) = self.across.cell_at(place.x);
        let (row, y) = self.down.cell_at(place.y);
        let upper = row * (self.across.cells + 1) + column;
        let lower = upper + self.across.cells + 1;
        let [upper, lower] = [&self.nodes[upper..upper + 2], &self.nodes[lower..lower + 2]];
        ([upper[0], upper[1], lower[0], lower[1]], Vec2::new(x, y))
    }
}

/// Computes rows of a channel's values at an axis' nodes.
struct RowBuilder<'a> {
    channel: &'a Channel,
    across: &'a Axis,
    /// For each node in the band: the normalised weights of the noise and of its wrapped copy.
    weights: Vec<[f32; 2]>,
    values: Vec<f32>,
    other: Vec<f32>,
    copies: Vec<f32>,
}

impl RowBuilder<'_> {
    fn new<'a>(channel: &'a Channel, across: &'a Axis) -> RowBuilder<'a> {
        let Torus { band, .. } = channel.placement.torus;
        let first = across.nodes() - across.band_nodes();
        let weights = (first..across.nodes())
            .map(|node| normalised(Channel::weights(across.place(node), channel.seam.x, band.x)));
        RowBuilder {
            channel,
            across,
            weights: weights.collect(),
            values: vec![0.0; across.nodes()],
            other: vec![0.0; across.nodes()],
            copies: vec![0.0; across.band_nodes()],
        }
    }

    /// The values of the row at `y`, in logical px.
    fn values(&mut self, y: f32) -> &[f32] {
        let Torus { size, band } = self.channel.placement.torus;
        let mut values = std::mem::take(&mut self.values);
        self.joined_across(y, &mut values);
        if y > self.channel.seam.y {
            let [here, wrapped] = normalised(Channel::weights(y, self.channel.seam.y, band.y));
            let mut other = std::mem::take(&mut self.other);
            self.joined_across(y - size.y, &mut other);
            for (value, other) in values.iter_mut().zip(&other) {
                *value = 0.5 + (here * (*value - 0.5) + wrapped * (other - 0.5));
            }
            self.other = other;
        }
        self.values = values;
        &self.values
    }

    /// The values of a row of the plane, joined along it. Weights of both axes are products, so each can be normalised
    /// by itself.
    fn joined_across(&mut self, y: f32, values: &mut [f32]) {
        let Axis {
            seam,
            inner_cells,
            steps,
            ..
        } = *self.across;
        let row = self.row(y);
        self.fill(&row, 0.0, steps[0], &mut values[..=inner_cells]);
        let (_, band) = values.split_at_mut(inner_cells + 1);
        if band.is_empty() {
            return;
        }
        self.fill(&row, seam + steps[1], steps[1], band);
        let mut copies = std::mem::take(&mut self.copies);
        self.fill(
            &row,
            seam - self.channel.placement.torus.size.x + steps[1],
            steps[1],
            &mut copies,
        );
        for ((value, copy), [here, wrapped]) in band.iter_mut().zip(&copies).zip(&self.weights) {
            *value = 0.5 + (here * (*value - 0.5) + wrapped * (copy - 0.5));
        }
        self.copies = copies;
    }

    fn row(&self, y: f32) -> Row {
        let placement = &self.channel.placement;
        Row::new(placement.origin.y + y * placement.scale)
    }

    /// Samples at `first`, `first + step`, .., in logical px.
    fn fill(&self, row: &Row, first: f32, step: f32, values: &mut [f32]) {
        let placement = &self.channel.placement;
        let (first, step) = (
            placement.origin.x + first * placement.scale,
            step * placement.scale,
        );
        match &self.channel.patch {
            Some(patch) => row.fill(|x, y| patch.node(x, y), first, step, values),
            None => {
                let slice = self.channel.noise.slice(self.channel.depth);
                row.fill(|x, y| slice.node(x, y), first, step, values);
            }
        }
    }
}

/// Weights by which a sum of independent values keeps their variance.
fn normalised([here, wrapped]: [f32; 2]) -> [f32; 2] {
    let length = (here * here + wrapped * wrapped).sqrt();
    [here / length, wrapped / length]
}
