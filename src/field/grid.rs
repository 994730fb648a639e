//! The field on a grid: computed at its nodes once for a step, and interpolated between them for every particle.
//!
//! A field is smooth, and neighbouring particles ask for nearly the same value. How far apart the nodes may be follows
//! from the error that is allowed (see [`super::FlowParameters::spacing`]); direction vectors are interpolated, not headings, so
//! that no particle needs a sine. Where the noise joins itself it turns faster, and the nodes there lie closer.

use std::ops::Range;
use std::slice;

use glam::Vec2;

use super::channel::{Channel, weights as band_weights};
use super::motion::{MOST_TAPS, Motion, Tap, Taps};
use super::steady::Steady;
use super::{Placement, Torus};
use crate::noise::{BLOCK, FractalSamples, fill_fractal_row, padded};
use crate::polynomial::{nearest, split};
use crate::pool::{Chunks, Pool};
use crate::simd::{Blend, Node, blend, clones, scaled, weights};

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
    /// Currents that do not change, kept while they and the nodes stay.
    steady: Vec<[f32; 2]>,
    steady_of: Option<(Steady, Torus)>,
    /// For each value of noise that a node is made of.
    columns: Vec<Columns>,
    /// Rows of noise values for each thread's rows.
    scratch: Vec<f32>,
    /// Nodes that look ahead, in the making.
    ahead: Vec<Node>,
}

/// Where the rows of a grid are sampled: at all nodes, then at the wrapped copies of those in the band.
#[derive(Clone, Debug, Default)]
struct Columns {
    samples: FractalSamples,
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
        if (across, down) != (self.across, self.down) || self.colors.len() != count {
            (self.across, self.down) = (across, down);
            self.steady_of = None;
        } else if are_colors_kept {
            return;
        }
        let mut colors = std::mem::take(&mut self.colors);
        colors.resize(count, 0);
        let width = across.nodes();
        let rows = Chunks::new(&mut colors, width * ROWS_AT_ONCE);
        let taps = [Tap::default()];
        self.fill(
            slice::from_ref(channel),
            &taps,
            pool,
            rows,
            |_, values, nodes| {
                finish(&values[..width], nodes);
            },
        );
        self.colors = colors;
    }

    /// Computes all nodes of headings alone: `finish` turns a row of the channel's values and of colors into a row of nodes.
    pub(super) fn refresh(
        &mut self,
        channel: &Channel,
        pool: &Pool,
        finish: impl Fn(&mut [f32], &[i16], &mut [Node]) + Sync,
    ) {
        let taps = [Tap::default()];
        self.make(
            slice::from_ref(channel),
            &taps,
            pool,
            |row, values, colors, nodes| finish(&mut values[..row.len()], colors, nodes),
        );
    }

    /// Computes all nodes of any motion.
    pub(super) fn refresh_moving(&mut self, channels: &[Channel], motion: &Motion, pool: &Pool) {
        self.keep_steady(motion, pool);
        let steady = std::mem::take(&mut self.steady);
        let taps = motion.taps();
        self.make(channels, taps, pool, |row, values, colors, nodes| {
            let (length, steady) = (values.len() / taps.len(), &steady[row]);
            finish_moving(pool.level(), motion, values, length, steady, colors, nodes);
        });
        self.steady = steady;
        if motion.looks_ahead() {
            self.look_ahead(motion, pool);
        }
    }

    /// Makes nodes of values of noise, row by row: `finish` takes which nodes of all they are, their values tap after tap, each as
    /// many, and their colors.
    fn make(
        &mut self,
        channels: &[Channel],
        taps: &[Tap],
        pool: &Pool,
        finish: impl Fn(Range<usize>, &mut [f32], &[i16], &mut [Node]) + Sync,
    ) {
        let mut nodes = std::mem::take(&mut self.nodes);
        nodes.resize(self.colors.len(), Node::default());
        let width = self.across.nodes();
        let colors = std::mem::take(&mut self.colors);
        let rows = Chunks::new(&mut nodes, width * ROWS_AT_ONCE);
        self.fill(channels, taps, pool, rows, |row, values, nodes| {
            let row = row * width..(row + 1) * width;
            finish(row.clone(), values, &colors[row], nodes);
        });
        (self.nodes, self.colors) = (nodes, colors);
    }

    /// Computes the currents that do not change where they are not those of before.
    fn keep_steady(&mut self, motion: &Motion, pool: &Pool) {
        let wanted = motion.steady_currents();
        if self.steady_of == Some(wanted) && self.steady.len() == self.colors.len() {
            return;
        }
        self.steady.resize(self.colors.len(), [0.0; 2]);
        let (across, down, width) = (self.across, self.down, self.across.nodes());
        pool.for_each(Chunks::new(&mut self.steady, width), |row, nodes| {
            for (column, node) in nodes.iter_mut().enumerate() {
                let place = Vec2::new(across.place(column), down.place(row));
                *node = motion.steady_at(place);
            }
        });
        self.steady_of = Some(wanted);
    }

    /// Makes each node's velocity that of half a step later.
    fn look_ahead(&mut self, motion: &Motion, pool: &Pool) {
        let mut ahead = std::mem::take(&mut self.ahead);
        ahead.resize(self.nodes.len(), Node::default());
        let width = self.across.nodes();
        let (fastest, torus) = (motion.fastest, motion.steady_currents().1);
        let look = |number: usize, rows: &mut [Node]| {
            let first = number * ROWS_AT_ONCE * width;
            for (index, node) in rows.iter_mut().enumerate() {
                let [x, y, color, _] = self.nodes[first + index];
                let (row, column) = ((first + index) / width, (first + index) % width);
                let half = Vec2::new(f32::from(x), f32::from(y)) * (0.5 * fastest / ONE);
                let place = Vec2::new(self.across.place(column), self.down.place(row)) + half;
                let (velocity, _) = self.at(torus.wrap(place), ONE);
                *node = [nearest(velocity.x), nearest(velocity.y), color, 0];
            }
        };
        let rows = Chunks::new(&mut ahead, width * ROWS_AT_ONCE);
        if self.nodes.len() >= SHARED / 4 {
            pool.for_each(rows, look);
        } else {
            pool.for_each_here(rows, look);
        }
        self.ahead = std::mem::replace(&mut self.nodes, ahead);
    }

    /// Computes values of noise row by row: `finish` takes the number of a row, its values tap after tap, each as many, and what
    /// becomes of it.
    fn fill<T: Send>(
        &mut self,
        channels: &[Channel],
        taps: &[Tap],
        pool: &Pool,
        rows: Chunks<'_, T>,
        finish: impl Fn(usize, &mut [f32], &mut [T]) + Sync,
    ) {
        let mut all_columns = std::mem::take(&mut self.columns);
        if all_columns.len() < taps.len() {
            all_columns.resize_with(taps.len(), Columns::default);
        }
        for (columns, tap) in all_columns.iter_mut().zip(taps) {
            columns.place(&channels[tap.channel], &self.across, tap.shift.x);
        }
        let (columns, down) = (&all_columns[..taps.len()], &self.down);
        let width = self.across.nodes();
        let row_length = padded(columns[0].samples.len());
        let shares = down.nodes().div_ceil(ROWS_AT_ONCE);
        // A row for each tap, one for copies in the band, and one for an octave.
        let needed = row_length * (taps.len() + 2);
        self.scratch.resize(shares * needed, 0.0);
        let work = (rows, Chunks::new(&mut self.scratch, needed));
        let fill = |number: usize, (rows, scratch): (&mut [T], &mut [f32])| {
            let (values, rest) = scratch.split_at_mut(row_length * taps.len());
            let (copies, octave) = rest.split_at_mut(row_length);
            for (index, nodes) in rows.chunks_mut(width).enumerate() {
                let row = number * ROWS_AT_ONCE + index;
                for ((tap, columns), values) in
                    taps.iter().zip(columns).zip(values.chunks_mut(row_length))
                {
                    let channel = &channels[tap.channel];
                    let y = down.place(row) + tap.shift.y;
                    columns.row(channel, y, pool, values, copies, octave);
                }
                finish(row, values, nodes);
            }
        };
        if width * down.nodes() * taps.len() >= SHARED {
            pool.for_each(work, fill);
        } else {
            pool.for_each_here(work, fill);
        }
        self.columns = all_columns;
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
    /// The columns of a grid over a channel, so far beside the nodes in px.
    fn place(&mut self, channel: &Channel, across: &Axis, shift: f32) {
        let Placement {
            scale,
            origin,
            torus,
        } = channel.placement;
        self.nodes = across.nodes();
        let band = self.nodes - across.band_nodes()..self.nodes;
        self.samples.begin(&channel.fractal);
        for node in 0..self.nodes {
            let place = across.place(node) + shift;
            self.samples.push(origin.x + place * scale);
        }
        self.weights.clear();
        for node in band {
            let place = across.place(node) + shift;
            self.samples.push(origin.x + (place - torus.size.x) * scale);
            self.weights.push(normalised(band_weights(
                place,
                channel.seam.x,
                torus.band.x,
            )));
        }
    }

    /// The values of the row at `y`, in logical px.
    fn row(
        &self,
        channel: &Channel,
        y: f32,
        pool: &Pool,
        values: &mut [f32],
        copies: &mut [f32],
        octave: &mut [f32],
    ) {
        let Torus { size, band } = channel.placement.torus;
        self.joined_across(channel, y, pool, values, octave);
        if y > channel.seam.y {
            let [here, wrapped] = normalised(band_weights(y, channel.seam.y, band.y));
            self.joined_across(channel, y - size.y, pool, copies, octave);
            for (value, copy) in values.iter_mut().zip(&*copies) {
                *value = 0.5 + (here * (*value - 0.5) + wrapped * (copy - 0.5));
            }
        }
    }

    /// The values of a row of the plane, joined along it. Weights of both axes are products, so each can be normalised
    /// by itself.
    fn joined_across(
        &self,
        channel: &Channel,
        y: f32,
        pool: &Pool,
        values: &mut [f32],
        octave: &mut [f32],
    ) {
        let Placement { scale, origin, .. } = channel.placement;
        let (level, y) = (pool.level(), origin.y + y * scale);
        fill_fractal_row(level, &channel.fractal, y, &self.samples, octave, values);
        let (nodes, copies) = values.split_at_mut(self.nodes);
        let band = &mut nodes[self.nodes - self.weights.len()..];
        for ((value, copy), [here, wrapped]) in band.iter_mut().zip(copies).zip(&self.weights) {
            *value = 0.5 + (here * (*value - 0.5) + wrapped * (*copy - 0.5));
        }
    }
}

clones! {
    /// Makes a row of nodes of values of noise, `length` of them for each tap, and of currents that do not change.
    fn finish_moving(
        motion: &Motion,
        values: &[f32],
        length: usize,
        steady: &[[f32; 2]],
        colors: &[i16],
        nodes: &mut [Node],
    ) {
        let scale = ONE / motion.fastest;
        let mut begin = 0;
        while begin < nodes.len() {
            let count = (nodes.len() - begin).min(BLOCK);
            let (mut taps, mut currents): (Taps, _) = ([[0.0; BLOCK]; MOST_TAPS], [[0.0; 2]; BLOCK]);
            for (tap, values) in taps.iter_mut().zip(values.chunks(length)) {
                tap[..count].copy_from_slice(&values[begin..begin + count]);
            }
            currents[..count].copy_from_slice(&steady[begin..begin + count]);
            let mut velocities = [[0.0; 2]; BLOCK];
            motion.velocities(&mut taps, &currents, &mut velocities);
            for i in 0..count {
                let [x, y] = velocities[i];
                nodes[begin + i] = [nearest(x * scale), nearest(y * scale), colors[begin + i], 0];
            }
            begin += count;
        }
    }
}

/// Weights by which a sum of independent values keeps their variance.
fn normalised([here, wrapped]: [f32; 2]) -> [f32; 2] {
    let length = (here * here + wrapped * wrapped).sqrt();
    [here / length, wrapped / length]
}
