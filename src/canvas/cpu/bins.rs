//! Which segments touch which strip of rows.

use super::stroke::Brush;
use crate::pool::Pool;
use crate::simulation::{Segment, Segments};

/// The segments of a step sorted by strips, run by run and in their order.
#[derive(Debug, Default)]
pub(super) struct Bins {
    /// Empty where the whole picture is one strip, which all segments touch.
    runs: Vec<Bin>,
}

/// One run of segments, sorted.
#[derive(Debug, Default)]
struct Bin {
    /// Where each strip's part of `order` begins; one more than there are strips.
    starts: Vec<u32>,
    /// Indices in the run.
    order: Vec<u32>,
}

impl Bins {
    /// Sorts the segments into strips of so many rows.
    pub(super) fn fill(&mut self, brush: &Brush, segments: &Segments, rows: usize, pool: &Pool) {
        let strips = brush.rows().len().div_ceil(rows);
        let runs = if strips == 1 && brush.is_whole() {
            0
        } else {
            segments.runs().len()
        };
        self.runs.resize_with(runs, Bin::default);
        pool.for_each(self.runs.as_mut_slice(), |number, bin| {
            bin.fill(brush, segments.run(number), rows, strips);
        });
    }

    /// The indices of the segments of a run that touch a strip; none where all do.
    pub(super) fn touching(&self, run: usize, strip: usize) -> Option<&[u32]> {
        let Bin { starts, order } = self.runs.get(run)?;
        Some(&order[starts[strip] as usize..starts[strip + 1] as usize])
    }
}

impl Bin {
    /// A counting sort, which keeps the order.
    fn fill(&mut self, brush: &Brush, segments: &[Segment], rows: usize, strips: usize) {
        // Two before the strip's own place: counted there, summed up, and moved on while sorting.
        self.starts.clear();
        self.starts.resize(strips + 2, 0);
        for segment in segments {
            for strip in brush.strips(segment, rows) {
                self.starts[strip + 2] += 1;
            }
        }
        for strip in 2..strips + 2 {
            self.starts[strip] += self.starts[strip - 1];
        }
        let count = self.starts[strips + 1] as usize;
        self.order.clear();
        if self.order.capacity() < count {
            // As many touch a strip now and then, and no frame is to wait for memory because of a few more.
            self.order.reserve(count + count / 2);
        }
        self.order.resize(count, 0);
        for (index, segment) in segments.iter().enumerate() {
            for strip in brush.strips(segment, rows) {
                let place = &mut self.starts[strip + 1];
                self.order[*place as usize] = index as u32;
                *place += 1;
            }
        }
    }
}
