//! When particles are born: closed forms, so that nobody has to remember.
//!
//! Particle `i` lives in cycles. The length of a life is drawn once per seed, between the lifetimes in force where the
//! life begins; the first life began at a random place before step 0. Each life ends where it was going to end when it
//! began, whatever changes meanwhile.

use super::{Timeline, life_bits};
use crate::settings::Settings;

/// One life of a particle, or the part of one that it has in a timeline that repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Life {
    /// The step at whose end it is born, or takes over a life.
    pub birth: i64,
    /// The step of the next birth, above `birth`.
    pub end: i64,
    /// How many lives came before; below 0 before the life in which the picture starts. Where the timeline repeats, how
    /// many came before in its line.
    pub cycle: i64,
    /// The particle whose birthplaces these lives begin at: itself, or the first of those that share a line of lives.
    pub line: u32,
    /// Whether the life was the previous particle's before.
    pub is_inherited: bool,
    /// Where the whole life begins and ends, of which this may be a part.
    pub whole: [i64; 2],
}

impl Life {
    /// How much of the whole life is over at the end of a step, in [0, 1].
    pub fn age(&self, step: i64) -> f32 {
        let [begin, end] = self.whole;
        (step - begin) as f32 / (end - begin) as f32
    }
}

/// The steps between two changes of what lives are made from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LifeStretch {
    from: i64,
    seed: u32,
    shortest: u32,
    longest: u32,
}

impl LifeStretch {
    pub(super) fn new(from: i64, settings: &Settings) -> LifeStretch {
        let (shortest, longest) = settings.lifetimes();
        LifeStretch {
            from,
            seed: settings.seed(),
            shortest,
            longest,
        }
    }

    /// The first step.
    pub(super) fn from(&self) -> i64 {
        self.from
    }

    pub(super) fn seed(&self) -> u32 {
        self.seed
    }

    /// Most steps of a life that begins here.
    pub(super) fn longest(&self) -> u32 {
        self.longest
    }

    pub(super) fn same_as(&self, other: &LifeStretch) -> bool {
        LifeStretch {
            from: other.from,
            ..*self
        } == *other
    }

    /// Steps of a life of particle `index` that begins here.
    pub(super) fn lifetime(&self, index: u32) -> i64 {
        let span = u64::from(self.longest - self.shortest) + 1;
        i64::from(self.shortest) + ((u64::from(life_bits(self.seed, index)) * span) >> 32) as i64
    }
}

impl Timeline {
    /// The life of particle `index` in which `step` falls: the last that was born at or before it.
    pub fn life_at(&self, index: u32, step: i64) -> Life {
        if let Some(lap) = &self.lap {
            return lap.life_at(index, step);
        }
        let first = &self.lives[0];
        let length = first.lifetime(index);
        // The low bits of the number that chose the lifetime choose the phase; any seed later leaves it alone.
        let phase = ((u64::from(life_bits(first.seed, index).wrapping_mul(0x9e37_79b9))
            * length as u64)
            >> 32) as i64;
        let last_step = |number: usize| {
            self.lives
                .get(number + 1)
                .map_or(step, |next| step.min(next.from - 1))
        };
        let cycle = (last_step(0) + phase).div_euclid(length);
        let mut life = Life {
            birth: cycle * length - phase,
            end: (cycle + 1) * length - phase,
            cycle,
            line: index,
            is_inherited: false,
            whole: [cycle * length - phase, (cycle + 1) * length - phase],
        };
        for (number, stretch) in self.lives.iter().enumerate().skip(1) {
            if stretch.from > step {
                break;
            }
            let last = last_step(number);
            if life.end <= last {
                let length = stretch.lifetime(index);
                let more = (last - life.end) / length;
                let birth = life.end + more * length;
                life = Life {
                    birth,
                    end: birth + length,
                    cycle: life.cycle + more + 1,
                    whole: [birth, birth + length],
                    ..life
                };
            }
        }
        life
    }

    /// The end of a life of particle `index` that begins at `birth`.
    pub fn end_of_life(&self, index: u32, birth: i64) -> i64 {
        if let Some(lap) = &self.lap {
            return lap.life_at(index, birth).end;
        }
        birth + self.lives[self.life_index(birth)].lifetime(index)
    }

    /// How many steps before `step` all lives began that are lived in `step`.
    pub fn longest_life(&self, step: i64) -> i64 {
        if let Some(lap) = &self.lap {
            return lap.longest_life();
        }
        let last = self.life_index(step);
        let earlier = (0..last).filter(|&number| {
            // A life that began just before the next stretch is the last of this one to end.
            self.lives[number + 1].from + i64::from(self.lives[number].longest) > step
        });
        earlier
            .chain([last])
            .map(|number| i64::from(self.lives[number].longest))
            .max()
            .unwrap_or(0)
    }

    fn life_index(&self, step: i64) -> usize {
        self.lives
            .partition_point(|stretch| stretch.from <= step)
            .saturating_sub(1)
    }
}
