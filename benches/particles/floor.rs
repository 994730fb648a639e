//! The least that a step of particles can cost: its traffic with memory, and no work.

use eddyline::pool::{Chunks, Pool};
use eddyline::simulation::{Ink, Segment};
use glam::Vec2;

/// Particles of a run, as the simulation cuts them.
const RUN: usize = 4096;

/// Columns and segments as the simulation keeps them.
pub struct Floor {
    place: Vec<Vec2>,
    end: Vec<u32>,
    /// Each run's segments lie in memory of their own.
    pub runs: Vec<Vec<Segment>>,
}

impl Floor {
    /// Memory for `count` particles.
    pub fn new(count: usize) -> Floor {
        let end = vec![1; count];
        Floor {
            place: vec![Vec2::ONE; count],
            runs: end
                .chunks(RUN)
                .map(|run| vec![Segment::default(); run.len()])
                .collect(),
            end,
        }
    }

    /// Reads place and end of every particle, and writes its place and its segment.
    pub fn step(&mut self, pool: &Pool) {
        let columns = (
            Chunks::new(&mut self.place, RUN),
            Chunks::new(&mut self.end, RUN),
        );
        pool.for_each(
            (columns, self.runs.as_mut_slice()),
            |_, ((place, end), run)| {
                for ((place, end), segment) in place.iter_mut().zip(end).zip(run) {
                    let from = *place;
                    *place += Vec2::splat(0.5);
                    *segment = Segment {
                        from,
                        to: Vec2::new(place.x, f32::from_bits(*end)),
                        ink: Ink::default(),
                    };
                }
            },
        );
    }
}
