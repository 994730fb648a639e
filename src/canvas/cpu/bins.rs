//! Which segments touch which band of rows.

use super::stroke::Brush;
use crate::pool::Pool;
use crate::simulation::{Segment, Segments};

/// The segments of a step sorted by bands, run by run and in their order.
#[derive(Debug, Default)]
pub(super) struct Bins {
    /// Empty where there is one band, which all segments touch.
    runs: Vec<Bin>,
}

/// One run of segments, sorted.
#[derive(Debug, Default)]
struct Bin {
    /// Where each band's part of `order` begins; one more than there are bands.
    starts: Vec<u32>,
    /// Indices in the run.
    order: Vec<u32>,
}

impl Bins {
    /// Sorts the segments into bands of so many rows.
    pub(super) fn fill(&mut self, brush: &Brush, segments: &Segments, rows: usize, pool: &Pool) {
        let bands = brush.height().div_ceil(rows);
        let runs = if bands == 1 { 0 } else { segments.runs().len() };
        self.runs.resize_with(runs, Bin::default);
        pool.for_each(self.runs.as_mut_slice(), |number, bin| {
            bin.fill(brush, segments.run(number), rows, bands);
        });
    }

    /// The indices of the segments of a run that touch a band; none where all do.
    pub(super) fn touching(&self, run: usize, band: usize) -> Option<&[u32]> {
        let Bin { starts, order } = self.runs.get(run)?;
        Some(&order[starts[band] as usize..starts[band + 1] as usize])
    }
}

impl Bin {
    /// A counting sort, which keeps the order.
    fn fill(&mut self, brush: &Brush, segments: &[Segment], rows: usize, bands: usize) {
        // Two before the band's own place: counted there, summed up, and moved on while sorting.
        self.starts.clear();
        self.starts.resize(bands + 2, 0);
        for segment in segments {
            for band in brush.bands(segment, rows) {
                self.starts[band + 2] += 1;
            }
        }
        for band in 2..bands + 2 {
            self.starts[band] += self.starts[band - 1];
        }
        self.order.clear();
        self.order.resize(self.starts[bands + 1] as usize, 0);
        for (index, segment) in segments.iter().enumerate() {
            for band in brush.bands(segment, rows) {
                let place = &mut self.starts[band + 1];
                self.order[*place as usize] = index as u32;
                *place += 1;
            }
        }
    }
}
