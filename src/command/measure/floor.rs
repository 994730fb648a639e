//! The memory floor: what the traffic of a particle step costs when nothing is computed.

use std::time::Instant;

use glam::Vec2;

use crate::pool::{Chunks, Pool};
use crate::simulation::{Ink, Segment};

/// Particles in a run, as a simulation has them.
const RUN: usize = 4096;

/// Passes; the fastest counts.
const PASSES: usize = 9;

/// Time in ns per particle to read a place and an end of life and to write a place and a segment, for `count` particles shared
/// out over the pool.
pub(super) fn per_particle(count: usize, pool: &Pool) -> f64 {
    let count = count.max(1);
    let mut places = vec![Vec2::ONE; count];
    let mut ends = vec![1u32; count];
    let mut segments = vec![vec![Segment::default(); RUN]; count.div_ceil(RUN)];
    let mut best = f64::INFINITY;
    for _ in 0..PASSES {
        let begin = Instant::now();
        let runs = (
            Chunks::new(&mut places, RUN),
            (Chunks::new(&mut ends, RUN), segments.as_mut_slice()),
        );
        pool.for_each(runs, |_, (places, (ends, segments))| {
            for ((place, end), segment) in places.iter_mut().zip(ends).zip(segments) {
                *segment = Segment {
                    from: *place,
                    to: Vec2::new(place.x, f32::from_bits(*end)),
                    ink: Ink::default(),
                };
                *place += Vec2::splat(0.5);
            }
        });
        best = best.min(begin.elapsed().as_secs_f64());
    }
    std::hint::black_box(&segments);
    best * 1e9 / count as f64
}
