//! The particles: carried by the field, wrapped at the edges, reborn when their lives end.
//!
//! A particle is a row of four columns. Its place depends on the timeline and the step alone: births are functions of
//! (seed, index, cycle), and every life is lived out by the same arithmetic wherever the stepping began.

use glam::Vec2;

use crate::field::{FlowField, Torus};
use crate::hash::{random_bits, unit};

/// Particles that are moved together.
const BLOCK: usize = 64;

/// All particles of a world; the columns have equal length.
#[derive(Clone, Debug, Default)]
pub struct Particles {
    /// Place in logical px, on the torus.
    pub place: Vec<Vec2>,
    /// The step of the next birth.
    pub end: Vec<i64>,
    /// How many lives came before.
    pub cycle: Vec<i64>,
    /// Whether it is drawn: born while the world held it, and not outside a world that shrank.
    pub alive: Vec<bool>,
}

/// A run of particles, for one thread to step.
#[derive(Debug)]
pub struct Chunk<'a> {
    /// The index of the first.
    pub first: u32,
    place: &'a mut [Vec2],
    end: &'a mut [i64],
    cycle: &'a mut [i64],
    alive: &'a mut [bool],
}

/// What a step needs to know of births.
#[derive(Clone, Copy, Debug)]
pub struct Births<F: Fn(u32) -> i64 + Sync> {
    /// The step that is being made.
    pub step: i64,
    /// Chooses birthplaces.
    pub seed: u32,
    /// Particles from this index on are not born.
    pub count: u32,
    /// The end of a life of a particle that begins in this step.
    pub end_of_life: F,
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

    /// Appends a particle that is not alive until its next birth, at step `end`.
    pub fn push(&mut self, end: i64, cycle: i64) {
        self.place.push(Vec2::ZERO);
        self.end.push(end);
        self.cycle.push(cycle);
        self.alive.push(false);
    }

    /// Removes rows from the end while they are not alive and there are more than `count`.
    pub fn shrink_to(&mut self, count: usize) {
        let last_alive = self
            .alive
            .iter()
            .rposition(|&alive| alive)
            .map_or(0, |index| index + 1);
        let length = last_alive.max(count);
        self.place.truncate(length);
        self.end.truncate(length);
        self.cycle.truncate(length);
        self.alive.truncate(length);
    }

    /// Removes all.
    pub fn clear(&mut self) {
        self.alive.clear();
        self.shrink_to(0);
    }

    /// Those outside the torus, as after the world shrank, are not drawn until their next birth.
    pub fn leave_outside(&mut self, torus: Torus) {
        for (place, alive) in self.place.iter_mut().zip(&mut self.alive) {
            if place.x >= torus.size.x || place.y >= torus.size.y {
                *alive = false;
                *place = Vec2::ZERO;
            }
        }
    }

    /// The rows in runs of `length`.
    pub fn chunks(&mut self, length: usize) -> impl Iterator<Item = Chunk<'_>> {
        self.place
            .chunks_mut(length)
            .zip(self.end.chunks_mut(length))
            .zip(self.cycle.chunks_mut(length))
            .zip(self.alive.chunks_mut(length))
            .enumerate()
            .map(move |(number, (((place, end), cycle), alive))| Chunk {
                first: (number * length) as u32,
                place,
                end,
                cycle,
                alive,
            })
    }
}

impl Chunk<'_> {
    /// Makes one step: calls `moved` with where each living particle was and where it would be without edges, in order.
    pub fn step<F: Fn(u32) -> i64 + Sync>(
        &mut self,
        field: &FlowField,
        births: &Births<F>,
        mut moved: impl FnMut(Vec2, Vec2),
    ) {
        let torus = field.torus();
        let mut next = [Vec2::ZERO; BLOCK];
        for start in (0..self.place.len()).step_by(BLOCK) {
            let rows = start..(start + BLOCK).min(self.place.len());
            let (place, end, alive) = (
                &mut self.place[rows.clone()],
                &mut self.end[rows.clone()],
                &mut self.alive[rows],
            );
            // All, the dead too: without a branch the processor works on several at once.
            for (next, place) in next.iter_mut().zip(&*place) {
                *next = *place + field.velocity_near(*place);
            }
            for (row, (((place, end), alive), &next)) in
                place.iter_mut().zip(end).zip(alive).zip(&next).enumerate()
            {
                if *end == births.step {
                    let index = self.first + (start + row) as u32;
                    let cycle = &mut self.cycle[start + row];
                    *cycle += 1;
                    *end = (births.end_of_life)(index);
                    *alive = index < births.count;
                    *place = birthplace(births.seed, index, *cycle, torus);
                } else if *alive {
                    moved(*place, next);
                    *place = torus.wrap(next);
                }
            }
        }
    }
}

/// Where particle `index` begins its life number `cycle`: anywhere on the torus, equally likely.
pub fn birthplace(seed: u32, index: u32, cycle: i64, torus: Torus) -> Vec2 {
    let bits = random_bits(seed, cycle as u64, index);
    let more = random_bits(seed ^ 0x5bd1_e995, cycle as u64, index);
    torus.wrap(Vec2::new(unit(bits), unit(more)) * torus.size)
}

#[cfg(test)]
mod tests;
