//! What tells one thread from another: how bright, wide, fast and straight it is, and what its color comes from.
//!
//! All of it is a function of the particle's number, its age and where it moves. What of that depends on a number of 8 bits
//! alone is tabulated once a step.

use glam::Vec2;

use super::segments::Ink;
use crate::hash::random_bits;
use crate::noise::{BLOCK, quintic};
use crate::polynomial::{cos_sin, exp2, log2, turns_to};
use crate::settings::{ColorBy, Settings};
use crate::timeline::{Moment, NoiseTime};

/// Sets the random numbers of looks and courses apart from those of lives.
const APART: u32 = 0x2545_f491;

/// The streams of those of looks, of how fast and how far along their courses particles are, and of the first bend.
const LOOKS: u64 = 0;
const PACES: u64 = 1;
const BENDS_BEGIN: u64 = 2;

/// Bends of a particle's own course in a step.
const BENDS: f64 = 0.02;

/// Entries of a table over a share in [0, 1].
const ENTRIES: usize = 256;

/// How the particles of a step differ.
#[derive(Debug)]
pub(super) struct Guise {
    seed: u32,
    by: ColorBy,
    /// Palettes in a px of distance, or in a px per step.
    color_rate: f32,
    color_jitter: f32,
    centre: Vec2,
    /// The square root of the share of the light, by chance and by age.
    lights: [f32; ENTRIES],
    eased: [f32; ENTRIES],
    /// Width in units of the stroke's, by chance, and what of it is left by age.
    widths: [f32; ENTRIES],
    tapered: [f32; ENTRIES],
    /// The least width and the reciprocal of the range.
    width_range: [f32; 2],
    speed_spread: f32,
    meander: f32,
    course: Course,
    is_plain: bool,
    is_straight: bool,
}

/// Where particles are on the courses of their own.
#[derive(Clone, Copy, Debug)]
struct Course {
    bend: u64,
    fraction: f32,
    /// Bends after which courses repeat.
    period: u64,
}

/// Segments of one block, before they have an ink.
pub(super) struct Motions<'a> {
    /// The particle's number of the first.
    pub first: u32,
    pub from: &'a [Vec2; BLOCK],
    pub to: &'a [Vec2; BLOCK],
    /// How many steps a motion takes.
    pub steps: f32,
    /// What share of their lives is over, in [0, 1].
    pub ages: &'a [f32; BLOCK],
    /// Values of the color channel.
    pub colors: &'a [f32; BLOCK],
}

impl Guise {
    pub(super) fn new(moment: &Moment) -> Guise {
        let settings = &moment.settings;
        let spread = settings.light_spread();
        let ease = settings.ease() as f32;
        let taper = settings.taper() as f32;
        let width_spread = settings.width_spread() as f32;
        let share = |entry: usize| (entry as f32 + 0.5) / ENTRIES as f32;
        let [least, most] = widths(settings);
        let is_straight = settings.speed_spread() == 0.0 && settings.meander() == 0.0;
        Guise {
            seed: settings.seed() ^ APART,
            by: settings.color_by(),
            color_rate: (1.0 / settings.color_span()) as f32,
            color_jitter: settings.color_jitter() as f32,
            centre: Vec2::from_array(moment.world.centre().map(|side| side as f32)),
            lights: std::array::from_fn(|entry| {
                exp2((spread * 0.5 * log2(f64::from(share(entry)))) as f32)
            }),
            eased: std::array::from_fn(|entry| {
                let age = share(entry);
                let t = (age.min(1.0 - age) / ease.max(1e-6)).min(1.0);
                (t * t * (3.0 - 2.0 * t)).sqrt()
            }),
            widths: std::array::from_fn(|entry| 1.0 + width_spread * (2.0 * share(entry) - 1.0)),
            tapered: std::array::from_fn(|entry| {
                1.0 - taper + taper * cos_sin(share(entry) * 0.5)[1]
            }),
            width_range: [least, 1.0 / (most - least).max(1e-6)],
            speed_spread: settings.speed_spread() as f32,
            meander: settings.meander() as f32,
            course: Course::new(&moment.time, moment.step),
            is_plain: spread == 0.0
                && ease == 0.0
                && taper == 0.0
                && width_spread == 0.0
                && settings.color_jitter() == 0.0
                && settings.color_by() == ColorBy::Noise
                && is_straight,
            is_straight,
        }
    }

    /// Whether all particles look and move alike.
    pub(super) fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// Whether colors are those of where particles were born, which nobody but the timeline knows.
    pub(super) fn looks_back(&self) -> bool {
        self.by == ColorBy::Birthplace
    }

    /// Makes velocities those of the particles from `first` on: some faster than others, each astray a little.
    #[inline(always)]
    pub(super) fn bend(&self, first: u32, velocities: &mut [[f32; 2]; BLOCK]) {
        if self.is_straight {
            return;
        }
        let Course {
            bend,
            fraction,
            period,
        } = self.course;
        let [here, next, last] =
            [0, 1, 2].map(|ahead| BENDS_BEGIN + (bend + ahead).rem_euclid(period));
        for (index, velocity) in (first..).zip(velocities) {
            let bits = random_bits(self.seed, PACES, index);
            let speed = 1.0 + self.speed_spread * (2.0 * share_of(bits) - 1.0);
            // Not all turn at the same time.
            let way = fraction + share_of(bits >> 8);
            let is_over = way >= 1.0;
            let way = if is_over { way - 1.0 } else { way };
            let [a, b, c] = [here, next, last]
                .map(|stream| 2.0 * share_of(random_bits(self.seed, stream, index)) - 1.0);
            let (a, b) = if is_over { (b, c) } else { (a, b) };
            let [cosine, sine] = cos_sin(self.meander * (a + (b - a) * quintic(way)));
            let [x, y] = *velocity;
            *velocity = [
                (x * cosine - y * sine) * speed,
                (x * sine + y * cosine) * speed,
            ];
        }
    }

    /// How the motions of a block are drawn.
    #[inline(always)]
    pub(super) fn ink(&self, motions: &Motions, inks: &mut [Ink; BLOCK]) {
        let Motions {
            first,
            ages,
            colors,
            ..
        } = *motions;
        let mut values = *colors;
        self.color(motions, &mut values);
        for i in 0..BLOCK {
            let bits = random_bits(self.seed, LOOKS, first + i as u32);
            let age = ((ages[i] * ENTRIES as f32) as usize).min(ENTRIES - 1);
            let chance = (bits & 255) as usize;
            let jitter = share_of(bits >> 8) + share_of(bits >> 16) - 1.0;
            let light = self.lights[chance] * self.eased[age];
            let width = self.widths[chance] * self.tapered[age] - self.width_range[0];
            inks[i] = Ink::new(
                values[i] + self.color_jitter * jitter,
                light,
                width * self.width_range[1],
            );
        }
    }

    /// Replaces values of the color channel by what the color comes from.
    #[inline(always)]
    fn color(&self, motions: &Motions, values: &mut [f32; BLOCK]) {
        let Motions {
            first,
            from,
            to,
            steps,
            ages,
            ..
        } = *motions;
        match self.by {
            ColorBy::Noise | ColorBy::Birthplace => {}
            ColorBy::Age => *values = *ages,
            ColorBy::Speed => {
                for i in 0..BLOCK {
                    values[i] = (to[i] - from[i]).length() * (self.color_rate / steps);
                }
            }
            ColorBy::Radius => {
                for i in 0..BLOCK {
                    values[i] = (to[i] - self.centre).length() * self.color_rate;
                }
            }
            ColorBy::Heading => {
                for i in 0..BLOCK {
                    let way = (to[i] - from[i]).to_array().map(f64::from);
                    values[i] = turns_to(way).rem_euclid(1.0) as f32;
                }
            }
            ColorBy::Chance => {
                for (index, value) in (first..).zip(values) {
                    *value = share_of(random_bits(self.seed, LOOKS, index) >> 24);
                }
            }
        }
    }
}

/// The least and the most width of a thread, in units of the stroke's.
pub fn widths(settings: &Settings) -> [f32; 2] {
    let (spread, taper) = (settings.width_spread() as f32, settings.taper() as f32);
    [(1.0 - spread) * (1.0 - taper), 1.0 + spread]
}

impl Course {
    fn new(time: &NoiseTime, step: i64) -> Course {
        let (way, period) = match *time {
            NoiseTime::Line(_) => (step as f64 * BENDS, 1 << 40),
            NoiseTime::Circle { part, period, .. } => {
                let bends = (period as f64 * BENDS).round().max(1.0);
                (part as f64 / period as f64 * bends, bends as u64)
            }
        };
        let bend = way.floor();
        Course {
            bend: (bend as i64).rem_euclid(period as i64) as u64,
            fraction: (way - bend) as f32,
            period,
        }
    }
}

/// The low eight bits as a share, in the middle of its 256th.
#[inline(always)]
fn share_of(bits: u32) -> f32 {
    ((bits & 255) as f32 + 0.5) * (1.0 / 256.0)
}
