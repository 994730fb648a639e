//! How values of noise become velocities.

use glam::Vec2;

use super::channel::Channel;
use super::steady::Steady;
use super::{FlowParameters, Mode, Torus};
use crate::noise::{BLOCK, Distribution};
use crate::polynomial::{cos_sin, exp2, log2};

/// Most values of noise that a velocity is made of.
pub(super) const MOST_TAPS: usize = 5;

/// Half of the way over which curl noise is differentiated, in cells: wide enough for 24 bits, and narrow enough for
/// .1 percent.
const HALF_WAY: f32 = 0.02;

/// No velocity of noise is more times the mean square of them.
const MOST_SLOPE: f32 = 4.0;

/// How much the speed swings for each unit of what is asked for, and how much is always left of it.
const SWING: f32 = 2.2;
const LEAST_SWING: f32 = 0.1;

/// Values of noise for each of 64 places.
pub(super) type Taps = [[f32; BLOCK]; MOST_TAPS];

/// One value that a velocity is made of: of which channel, and how far from the place in px.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Tap {
    pub channel: usize,
    pub shift: Vec2,
}

/// How values become velocities in a step.
#[derive(Clone, Debug)]
pub(super) struct Motion {
    mode: Mode,
    /// How often each value of the flow occurs, where headings are spread evenly.
    even: Option<Distribution>,
    turns: f32,
    /// Directions that headings are rounded to; 0 for all.
    directions: f32,
    speed: f32,
    evenness: f32,
    /// What a difference of two taps, or a value less a half, is multiplied by to be 1 in the mean square.
    slope: f32,
    weight: f32,
    swing: f32,
    steady: Steady,
    torus: Torus,
    taps: [Tap; MOST_TAPS],
    count: usize,
    /// No velocity is larger, along either axis.
    pub fastest: f32,
    is_plain: bool,
}

impl Motion {
    /// `rms` is the mean square of what the mode makes velocities of: slopes per cell, or values about their mean.
    pub(super) fn new(parameters: &FlowParameters, even: Option<Distribution>, rms: f32) -> Motion {
        let half = HALF_WAY / parameters.flow.scale;
        let tap = |channel: usize, x: f32, y: f32| Tap {
            channel,
            shift: Vec2::new(x, y) * half,
        };
        let mut taps = [Tap::default(); MOST_TAPS];
        let mut count = match parameters.mode {
            Mode::Angle => 1,
            Mode::Vector => {
                taps[1] = tap(1, 0.0, 0.0);
                2
            }
            Mode::Curl => {
                taps[0] = tap(0, -1.0, 0.0);
                taps[1] = tap(0, 1.0, 0.0);
                taps[2] = tap(0, 0.0, -1.0);
                taps[3] = tap(0, 0.0, 1.0);
                4
            }
        };
        if parameters.speed_noise > 0.0 {
            taps[count] = tap(2, 0.0, 0.0);
            count += 1;
        }
        let swing = SWING * parameters.speed_noise;
        let noise = match parameters.mode {
            Mode::Angle => parameters.speed,
            Mode::Vector | Mode::Curl => parameters.speed * MOST_SLOPE,
        };
        let is_plain = parameters.mode == Mode::Angle
            && parameters.weight == 1.0
            && swing == 0.0
            && parameters.steady.is_none();
        let moving = noise * parameters.weight.abs() + parameters.steady.fastest();
        Motion {
            mode: parameters.mode,
            even,
            turns: parameters.turns,
            directions: parameters.directions as f32,
            speed: parameters.speed,
            evenness: parameters.evenness,
            slope: match parameters.mode {
                Mode::Curl => 1.0 / (2.0 * HALF_WAY * rms),
                Mode::Angle | Mode::Vector => 1.0 / rms,
            },
            weight: parameters.weight,
            swing,
            steady: parameters.steady,
            torus: parameters.flow.torus,
            taps,
            count,
            fastest: if is_plain {
                parameters.speed
            } else {
                (moving * (1.0 + swing)).max(1e-6)
            },
            is_plain,
        }
    }

    /// What velocities are made of.
    pub(super) fn taps(&self) -> &[Tap] {
        &self.taps[..self.count]
    }

    /// Whether a heading is all, at one speed.
    pub(super) fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// Whether a step goes on by the velocity half-way through it: where places turn about each other, the one at the
    /// beginning drives them apart.
    pub(super) fn looks_ahead(&self) -> bool {
        !self.is_plain
    }

    /// The heading in turns that a value of noise stands for.
    #[inline(always)]
    pub(super) fn heading(&self, value: f32) -> f32 {
        let share = match &self.even {
            Some(distribution) => distribution.share_below(value),
            None => value,
        };
        self.rounded(share) * self.turns
    }

    #[inline(always)]
    fn rounded(&self, share: f32) -> f32 {
        if self.directions == 0.0 {
            share
        } else {
            // By addition: what is rounded is far below 2^22.
            let directions = share * self.directions;
            ((directions + 12_582_912.0) - 12_582_912.0) / self.directions
        }
    }

    /// Turns values into headings, as [`Motion::heading`] does: which way is chosen once for all of them.
    #[inline(always)]
    pub(super) fn turn(&self, values: &mut [f32]) {
        if let Some(distribution) = &self.even {
            distribution.spread(values);
        }
        if self.directions != 0.0 {
            for value in &mut *values {
                *value = self.rounded(*value);
            }
        }
        for value in values {
            *value *= self.turns;
        }
    }

    /// The velocities that values of noise make, in px per step, and of the currents that are always there.
    #[inline(always)]
    pub(super) fn velocities(
        &self,
        taps: &mut Taps,
        steady: &[[f32; 2]; BLOCK],
        velocities: &mut [[f32; 2]; BLOCK],
    ) {
        let speed = self.speed;
        if self.mode == Mode::Angle {
            self.turn(&mut taps[0]);
            for i in 0..BLOCK {
                let [x, y] = cos_sin(taps[0][i]);
                velocities[i] = [x * speed, y * speed];
            }
        } else {
            self.slopes(taps, velocities);
        }
        if self.is_plain {
            return;
        }
        let swings = &taps[self.count - 1];
        let most = self.fastest;
        for i in 0..BLOCK {
            let [x, y] = velocities[i];
            let swing = if self.swing > 0.0 {
                (1.0 + self.swing * (2.0 * swings[i] - 1.0)).max(LEAST_SWING)
            } else {
                1.0
            };
            velocities[i] = [
                ((x * self.weight + steady[i][0]) * swing).clamp(-most, most),
                ((y * self.weight + steady[i][1]) * swing).clamp(-most, most),
            ];
        }
    }

    /// Vector or curl noise, 1 in the mean square, with speeds evened out as asked, times the speed.
    #[inline(always)]
    fn slopes(&self, taps: &Taps, velocities: &mut [[f32; 2]; BLOCK]) {
        let scale = self.slope;
        for i in 0..BLOCK {
            velocities[i] = match self.mode {
                // The curl of a potential: its gradient, turned by a quarter.
                Mode::Curl => [
                    (taps[3][i] - taps[2][i]) * scale,
                    (taps[0][i] - taps[1][i]) * scale,
                ],
                Mode::Angle | Mode::Vector => {
                    [(taps[0][i] - 0.5) * scale, (taps[1][i] - 0.5) * scale]
                }
            };
        }
        if self.evenness > 0.0 {
            for velocity in velocities.iter_mut() {
                let [x, y] = *velocity;
                let square = f64::from(x * x + y * y).max(1e-12);
                let even = exp2((-0.5 * f64::from(self.evenness) * log2(square)) as f32);
                *velocity = [x * even, y * even];
            }
        }
        for velocity in velocities.iter_mut() {
            let [x, y] = *velocity;
            *velocity = [
                (x * self.speed).clamp(-MOST_SLOPE * self.speed, MOST_SLOPE * self.speed),
                (y * self.speed).clamp(-MOST_SLOPE * self.speed, MOST_SLOPE * self.speed),
            ];
        }
    }

    /// The currents at places that are always there.
    #[inline(always)]
    pub(super) fn steady(&self, places: &[Vec2; BLOCK], velocities: &mut [[f32; 2]; BLOCK]) {
        if !self.is_plain {
            self.steady_in(places, velocities);
        }
    }

    #[inline(never)]
    fn steady_in(&self, places: &[Vec2; BLOCK], velocities: &mut [[f32; 2]; BLOCK]) {
        for (place, velocity) in places.iter().zip(velocities) {
            *velocity = self.steady_at(*place);
        }
    }

    /// The same at one place.
    pub(super) fn steady_at(&self, place: Vec2) -> [f32; 2] {
        self.steady.at(place, self.torus).to_array()
    }

    /// What they are.
    pub(super) fn steady_currents(&self) -> (Steady, Torus) {
        (self.steady, self.torus)
    }

    /// The exact velocity at one place of the torus: the bits that it has in a block, less the noise of 63 others.
    pub(super) fn exact_at(&self, channels: &[Channel], place: Vec2) -> Vec2 {
        let (mut taps, mut steady) = ([[0.0; BLOCK]; MOST_TAPS], [[0.0; 2]; BLOCK]);
        for (tap, values) in self.taps().iter().zip(&mut taps) {
            values[0] = channels[tap.channel].value_at(place + tap.shift);
        }
        if !self.is_plain {
            steady[0] = self.steady_at(place);
        }
        let mut velocities = [[0.0; 2]; BLOCK];
        self.velocities(&mut taps, &steady, &mut velocities);
        velocities[0].into()
    }

    /// The exact velocities at places of the torus.
    #[inline(always)]
    pub(super) fn exact(
        &self,
        channels: &[Channel],
        places: &[Vec2; BLOCK],
        velocities: &mut [[f32; 2]; BLOCK],
    ) {
        let (mut taps, mut steady) = ([[0.0; BLOCK]; MOST_TAPS], [[0.0; 2]; BLOCK]);
        let mut shifted = *places;
        for (tap, values) in self.taps().iter().zip(&mut taps) {
            for i in 0..BLOCK {
                shifted[i] = places[i] + tap.shift;
            }
            channels[tap.channel].block(&shifted, values);
        }
        self.steady(places, &mut steady);
        self.velocities(&mut taps, &steady, velocities);
    }
}
