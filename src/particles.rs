//! The particles: carried by the field, wrapped at the edges, reborn when their lives end.
//!
//! A particle is a row of a few columns. Its place depends on the timeline and the step alone: births are functions of
//! (seed, index, cycle), and every life is lived out by the same arithmetic wherever the stepping began.

use glam::Vec2;

use crate::field::Torus;
use crate::noise::BLOCK;
use crate::pool::{Chunks, Split};

mod birth;

pub use birth::{Nursery, Rule};

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
    /// The low bits of the step of the last birth, as far back.
    pub born: Vec<u32>,
    /// Where the present life began, in logical px.
    pub home: Vec<Vec2>,
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
    /// The low bits of the steps of their last births.
    pub born: &'a mut [u32],
    /// Where their lives began.
    pub home: &'a mut [Vec2],
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
    /// `life` gives a particle's last and next birth.
    pub fn grow_to(&mut self, count: u32, life: impl Fn(u32) -> [i64; 2]) {
        for index in self.len()..whole_blocks(count) {
            self.place.push(NOWHERE);
            let [born, end] = life(index as u32);
            self.end.push(end as u32);
            self.born.push(born as u32);
            self.home.push(NOWHERE);
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
            self.born.truncate(length);
            self.home.truncate(length);
        }
    }

    /// Removes all.
    pub fn clear(&mut self) {
        self.place.clear();
        self.end.clear();
        self.born.clear();
        self.home.clear();
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
            (
                Chunks::new(&mut self.end, length),
                (
                    Chunks::new(&mut self.born, length),
                    Chunks::new(&mut self.home, length),
                ),
            ),
        )
    }
}

/// The columns of a run: place, end, birth and home.
type Columns<'a> = (
    &'a mut [Vec2],
    (&'a mut [u32], (&'a mut [u32], &'a mut [Vec2])),
);

impl Chunk<'_> {
    /// The run from particle `first` on.
    pub fn new(first: usize, (place, (end, (born, home))): Columns<'_>) -> Chunk<'_> {
        Chunk {
            first: first as u32,
            place,
            end,
            born,
            home,
        }
    }
}

/// How many rows `count` particles take.
fn whole_blocks(count: u32) -> usize {
    (count as usize).next_multiple_of(BLOCK)
}

#[cfg(test)]
mod tests;
