//! The particles: carried by the field, wrapped at the edges, reborn when their lives end.
//!
//! A particle is a row of two columns. Its place depends on the timeline and the step alone: births are functions of
//! (seed, index, cycle), and every life is lived out by the same arithmetic wherever the stepping began.

use glam::Vec2;

use crate::field::Torus;
use crate::hash::{random_bits, unit};
use crate::noise::BLOCK;
use crate::pool::{Chunks, Split};

/// The place of a particle that is not alive: not a number, and so in no comparison anywhere.
pub const NOWHERE: Vec2 = Vec2::NAN;

/// All particles of a world; the columns have equal length, a multiple of [`BLOCK`].
#[derive(Clone, Debug, Default)]
pub struct Particles {
    /// Place in logical px, on the torus; [`NOWHERE`] for those that are not drawn: born while the world did not hold them,
    /// or outside a world that shrank.
    pub place: Vec<Vec2>,
    /// The low bits of the step of the next birth, which is less than 2^32 steps away.
    pub end: Vec<u32>,
}

/// A run of particles, for one thread to step.
#[derive(Debug)]
pub struct Chunk<'a> {
    /// The index of the first.
    pub first: u32,
    /// Their places.
    pub place: &'a mut [Vec2],
    /// The low bits of the steps of their next births.
    pub end: &'a mut [u32],
}

impl Particles {
    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.place.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.place.is_empty()
    }

    /// Whether a particle is drawn.
    pub fn is_alive(&self, row: usize) -> bool {
        !self.place[row].is_nan()
    }

    /// How many are drawn.
    pub fn living(&self) -> usize {
        self.place.iter().filter(|place| !place.is_nan()).count()
    }

    /// Appends particles that are not alive until their next births, until there are `count` rounded up to whole blocks.
    /// `end` gives a particle's next birth.
    pub fn grow_to(&mut self, count: u32, end: impl Fn(u32) -> i64) {
        for index in self.len()..whole_blocks(count) {
            self.place.push(NOWHERE);
            self.end.push(end(index as u32) as u32);
        }
    }

    /// Removes blocks from the end while nobody in them is alive and there are more than `count` needs.
    pub fn shrink_to(&mut self, count: u32) {
        let least = whole_blocks(count);
        while self.len() > least
            && self.place[self.len() - BLOCK..]
                .iter()
                .all(|at| at.is_nan())
        {
            let length = self.len() - BLOCK;
            self.place.truncate(length);
            self.end.truncate(length);
        }
    }

    /// Removes all.
    pub fn clear(&mut self) {
        self.place.clear();
        self.end.clear();
    }

    /// Those outside the torus, as after the world shrank, are not drawn until their next birth.
    pub fn leave_outside(&mut self, torus: Torus) {
        for place in &mut self.place {
            if place.x >= torus.size.x || place.y >= torus.size.y {
                *place = NOWHERE;
            }
        }
    }

    /// The rows in runs of `length`, a multiple of [`BLOCK`].
    pub fn chunks(&mut self, length: usize) -> impl Split<Part = Columns<'_>> {
        (
            Chunks::new(&mut self.place, length),
            Chunks::new(&mut self.end, length),
        )
    }
}

/// The columns of a run: place and end.
type Columns<'a> = (&'a mut [Vec2], &'a mut [u32]);

impl Chunk<'_> {
    /// The run from particle `first` on.
    pub fn new(first: usize, (place, end): Columns<'_>) -> Chunk<'_> {
        Chunk {
            first: first as u32,
            place,
            end,
        }
    }
}

/// How many rows `count` particles take.
fn whole_blocks(count: u32) -> usize {
    (count as usize).next_multiple_of(BLOCK)
}

/// Where particle `index` begins its life number `cycle`: anywhere on the torus, equally likely.
pub fn birthplace(seed: u32, index: u32, cycle: i64, torus: Torus) -> Vec2 {
    let bits = random_bits(seed, cycle as u64, index);
    let more = random_bits(seed ^ 0x5bd1_e995, cycle as u64, index);
    torus.wrap(Vec2::new(unit(bits), unit(more)) * torus.size)
}

#[cfg(test)]
mod tests;
