//! Timelines that repeat: lives are laid out so that after a period every particle is where it was, under the same number.
//!
//! Lives are cut a little longer or shorter than drawn, so that whole ones fill the period. Where some are longer than
//! that, particles of neighbouring numbers share a line of lives that lasts a period for each of them. Each has one part
//! of the line, all the time; whoever still lives where a part ends is handed over to the next particle. So their births
//! are equal and a period apart, and as no number ever changes its part, strokes are laid in the same order in each period.

use std::f64::consts::TAU;
use std::num::NonZeroU32;

use super::life::{Life, LifeStretch};
use super::{NoiseTime, Timeline, life_bits};
use crate::settings::Settings;

/// Most particles that share a line of lives, the first of which has a number that this divides: no life is longer than so many periods.
pub const MOST_MEMBERS: u32 = 64;

/// How a timeline repeats.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lap {
    /// In steps, at least 1.
    period: u32,
    /// Particles that share a line of lives.
    members: u32,
    lives: LifeStretch,
}

/// The lives that follow each other without a gap, and then repeat.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Line {
    /// The first particle that shares it.
    first: u32,
    /// In steps: a period for each particle.
    length: u64,
    /// How many lives it has, at least 1.
    lives: u64,
}

impl Timeline {
    /// A timeline whose picture repeats every `period` steps: noise time runs on a circle, and lives are closed. No events can be
    /// appended to it.
    pub fn looped(settings: Settings, window: [f64; 2], period: NonZeroU32) -> Timeline {
        let mut timeline = Timeline::new(settings, window);
        let lives = timeline.lives[0];
        let members = lives
            .longest()
            .div_ceil(period.get())
            .clamp(1, MOST_MEMBERS);
        timeline.lap = Some(Lap {
            period: period.get(),
            members,
            lives,
        });
        timeline
    }

    /// The steps after which the picture repeats, where it does.
    pub fn period(&self) -> Option<i64> {
        self.lap.map(|lap| lap.period.into())
    }

    /// Whether particles hand lives over to each other, because some last longer than the period.
    pub fn hands_lives_over(&self) -> bool {
        self.lap.is_some_and(|lap| lap.members > 1)
    }
}

impl Lap {
    /// The noise time at which `step` begins; it drifts `rate` cells in a step, as without a period.
    pub(super) fn time_at(&self, step: i64, rate: f64) -> NoiseTime {
        let period = i64::from(self.period);
        NoiseTime::Circle {
            radius: rate * period as f64 / TAU,
            part: (step - 1).rem_euclid(period),
            period,
        }
    }

    /// The life of particle `index` in which `step` falls.
    pub(super) fn life_at(&self, index: u32, step: i64) -> Life {
        let line = self.line_of(index);
        let period = u64::from(self.period);
        let phase = (u64::from(life_bits(self.lives.seed(), line.first).wrapping_mul(0x9e37_79b9))
            * period)
            >> 32;
        let passed = (step.rem_euclid(period as i64) as u64 + phase) % period;
        let begin = u64::from(index - line.first) * period;
        let at = begin + passed;
        let cycle = line.life_at(at);
        let (birth, end) = (line.birth(cycle), line.birth(cycle + 1));
        Life {
            birth: step - (at - birth.max(begin)) as i64,
            end: step + (end.min(begin + period) - at) as i64,
            cycle: cycle as i64,
            line: line.first,
            is_inherited: birth < begin,
            whole: [birth, end].map(|time| step + time as i64 - at as i64),
        }
    }

    /// No life lasts more steps.
    pub(super) fn longest_life(&self) -> i64 {
        let longest = |members: u32| {
            let line = self.line(0, members, self.lives.longest().into());
            line.length.div_ceil(line.lives) as i64
        };
        // Longer ones draw fewer lives, so that these are longer, too.
        longest(self.members).max(longest(self.members_left()))
    }

    /// The line that particle `index` has a part of.
    fn line_of(&self, index: u32) -> Line {
        let place = index % MOST_MEMBERS;
        let first = index - place % self.members;
        let is_left = place - place % self.members + self.members > MOST_MEMBERS;
        let members = if is_left {
            self.members_left()
        } else {
            self.members
        };
        self.line(first, members, self.lives.lifetime(first) as u64)
    }

    /// The line of `members` particles whose lives are to last `lifetime` steps.
    fn line(&self, first: u32, members: u32, lifetime: u64) -> Line {
        let length = u64::from(self.period) * u64::from(members);
        // The nearest number of lives, none of them without a step in which it moves.
        let lives = ((2 * length + lifetime) / (2 * lifetime)).min(length / 2);
        Line {
            first,
            length,
            lives: lives.max(1),
        }
    }

    /// How many particles share the last line of each [`MOST_MEMBERS`].
    fn members_left(&self) -> u32 {
        match MOST_MEMBERS % self.members {
            0 => self.members,
            left => left,
        }
    }
}

impl Line {
    /// Where life number `cycle` begins.
    fn birth(&self, cycle: u64) -> u64 {
        cycle * self.length / self.lives
    }

    /// The life that is lived at `at`: the last that begins at or before it.
    fn life_at(&self, at: u64) -> u64 {
        ((at + 1) * self.lives - 1) / self.length
    }
}

#[cfg(test)]
mod tests;
