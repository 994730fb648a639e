//! Samples along straight rows, all rows at the same places: what depends on x alone is computed once for all of them,
//! and what depends on y alone once for a row.

use super::Slice;
use super::lattice::Lattice;
use crate::polynomial::split;
use crate::simd::clones;

/// Samples that a row computes together; the rest of a run is computed too and then overwritten by the next run.
const LANES: usize = 16;

/// The places along x that rows are sampled at.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// Neighbouring samples within one lattice cell.
    runs: Vec<Run>,
    count: usize,
    /// How far into its cell each sample lies, in [0, 1]; [`LANES`] longer than there are samples.
    along: Vec<f32>,
    /// The fade curve there, as long.
    blend: Vec<f32>,
}

#[derive(Clone, Copy, Debug)]
struct Run {
    begin: usize,
    end: usize,
    cell: u32,
}

impl Samples {
    /// Removes all.
    pub fn clear(&mut self) {
        self.runs.clear();
        self.count = 0;
    }

    /// Appends a sample at `x`, in cells of magnitude below 2^22.
    pub fn push(&mut self, x: f32) {
        self.push_faded(Lattice::Perlin, x);
    }

    /// The same for another lattice's fade curve.
    pub(super) fn push_faded(&mut self, lattice: Lattice, x: f32) {
        let (cell, along) = split(x);
        let index = self.count;
        match self.runs.last_mut() {
            Some(run) if run.cell == cell => run.end = index + 1,
            _ => self.runs.push(Run {
                begin: index,
                end: index + 1,
                cell,
            }),
        }
        self.count += 1;
        if self.along.len() < padded(self.count) {
            self.along.resize(padded(self.count), 0.0);
            self.blend.resize(padded(self.count), 0.0);
        }
        (self.along[index], self.blend[index]) = (along, lattice.fade(along));
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}

/// A straight row of samples along x.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    top: u32,
    dy: f32,
    blend: f32,
}

impl Row {
    /// The row at `y`, in cells of magnitude below 2^22.
    pub fn new(y: f32) -> Row {
        Row::faded(Lattice::Perlin, y)
    }

    /// The same for another lattice's fade curve.
    pub(super) fn faded(lattice: Lattice, y: f32) -> Row {
        let (top, dy) = split(y);
        Row {
            top,
            dy,
            blend: lattice.fade(dy),
        }
    }

    /// The two lattice columns around a cell at this row's y: the noise is that of the left one, blended into that of the
    /// right one, each `slope * dx + constant` in the way into the cell.
    #[inline(always)]
    fn collapsed(&self, slice: &Slice, left: u32) -> [[f32; 2]; 2] {
        let [top_left, top_right, bottom_left, bottom_right] = slice.around(left, self.top);
        let left = top_left + (bottom_left - top_left) * self.blend;
        let right = top_right + (bottom_right - top_right) * self.blend;
        [
            [left.x, left.y * self.dy + left.z],
            [right.x, right.y * self.dy + right.z],
        ]
    }
}

clones! {
    /// The values in [0, 1] of a row at its samples: those of [`Slice::at`] within 1e-6. `values` holds
    /// [`padded`]`(samples.len())` numbers; those beyond the samples have no meaning afterwards.
    pub fn fill_row(slice: &Slice, row: &Row, samples: &Samples, values: &mut [f32]) {
        for run in &samples.runs {
            let [left, right] = row.collapsed(slice, run.cell);
            let mut begin = run.begin;
            while begin < run.end {
                let end = begin + LANES;
                let (along, blend) = (&samples.along[begin..end], &samples.blend[begin..end]);
                let values = &mut values[begin..end];
                for i in 0..LANES {
                    let from = left[0] * along[i] + left[1];
                    let to = right[0] * along[i] + right[1];
                    values[i] = (from + blend[i] * (to - from)) * 0.5 + 0.5;
                }
                begin += LANES;
            }
        }
    }
}

/// How many values a row of `count` samples needs room for.
pub fn padded(count: usize) -> usize {
    count + LANES
}
