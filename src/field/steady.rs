//! Currents that do not change with time: wind, eddies, and the turning of a disc.

use glam::Vec2;

use super::Torus;
use super::channel::{seam, weights};
use crate::hash::{random_bits, unit};
use crate::polynomial::exp2;

/// An area with as many eddies as are asked for, in square px.
const AREA: f32 = 1920.0 * 1080.0;

/// Makes an eddy's fastest current a little less than its speed (the peak of `d exp(-d^2)` is .43).
const PEAK: f32 = 1.65;

/// Least and most radius of an eddy, in units of the one that is asked for.
const RADII: [f32; 2] = [0.6, 1.5];

/// How far from the middle of its cell an eddy may lie, in cells.
const JITTER: f32 = 0.35;

/// Where a disc turns half as fast as far outside, in px for a window 1080 px high.
const CORE: f32 = 40.0;

/// The stream of random numbers that eddies come from.
const STREAM: u64 = 0x6564_6479;

/// Currents that do not change with time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steady {
    /// A push everywhere, in px per step.
    pub wind: Vec2,
    /// Eddies that turn places about them.
    pub eddies: Eddies,
    /// A disc that turns about the middle of the window.
    pub disc: Disc,
    /// The middle of the window, in px.
    pub centre: Vec2,
}

/// Eddies on a jittered grid about the middle of the window, every other one turning the other way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Eddies {
    /// How many there are in 1920 times 1080 px; 0 for none.
    pub count: f32,
    /// How fast they turn where they turn fastest, in px per step, about.
    pub speed: f32,
    /// How far from their middles they turn fastest, about, in px.
    pub radius: f32,
    /// Which.
    pub seed: u32,
}

/// A turning disc, seen at a slant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disc {
    /// How fast it turns far outside, in px per step; 0 for none.
    pub speed: f32,
    /// How fast it falls into its middle, as a share of that.
    pub fall: f32,
    /// How high it is for its width.
    pub flat: f32,
    /// Px of a window 1080 px high.
    pub unit: f32,
}

impl Steady {
    /// Whether nothing flows.
    pub(super) fn is_none(&self) -> bool {
        let Steady {
            wind, eddies, disc, ..
        } = self;
        *wind == Vec2::ZERO && (eddies.count == 0.0 || eddies.speed == 0.0) && disc.speed == 0.0
    }

    /// No velocity is larger, in px per step.
    pub(super) fn fastest(&self) -> f32 {
        let eddies = if self.eddies.count > 0.0 {
            self.eddies.speed.abs()
        } else {
            0.0
        };
        self.wind.length() + 2.0 * eddies + self.disc.speed.abs() * (1.0 + self.disc.fall.abs())
    }

    /// How far apart nodes may be.
    pub(super) fn spacing(&self) -> f32 {
        let eddies = if self.eddies.count > 0.0 {
            self.eddies.radius * RADII[0] / 12.0
        } else {
            f32::INFINITY
        };
        let disc = if self.disc.speed != 0.0 {
            CORE * self.disc.unit * self.disc.flat / 4.0
        } else {
            f32::INFINITY
        };
        eddies.min(disc)
    }

    /// The velocity at a place of the torus, in px per step.
    pub(super) fn at(&self, place: Vec2, torus: Torus) -> Vec2 {
        let mut velocity = self.wind;
        if self.eddies.count > 0.0 && self.eddies.speed != 0.0 {
            velocity += self.turned(place, torus);
        }
        if self.disc.speed != 0.0 {
            velocity += self.disc.at(place - self.centre);
        }
        velocity
    }

    /// The eddies of the plane, which in the bands of the torus give way to their wrapped copies.
    fn turned(&self, place: Vec2, torus: Torus) -> Vec2 {
        let seam = seam(torus);
        let across = weights(place.x, seam.x, torus.band.x);
        let down = weights(place.y, seam.y, torus.band.y);
        let mut velocity = Vec2::ZERO;
        for (row, v) in down.into_iter().enumerate() {
            for (column, u) in across.into_iter().enumerate() {
                if u * v > 0.0 {
                    let copy = place - torus.size * Vec2::new(column as f32, row as f32);
                    velocity += self.eddies.at(copy - self.centre) * (u * v);
                }
            }
        }
        velocity
    }
}

impl Eddies {
    /// The velocity at a place from the middle of the plane.
    fn at(&self, place: Vec2) -> Vec2 {
        let side = (AREA / self.count).sqrt();
        let here = (place / side).round();
        let mut velocity = Vec2::ZERO;
        for row in -2..=2 {
            for column in -2..=2 {
                let cell = here + Vec2::new(column as f32, row as f32);
                let (x, y) = (cell.x as i32, cell.y as i32);
                let random = |number: u32| {
                    let stream = STREAM ^ u64::from(x as u32) << 32 ^ u64::from(y as u32);
                    unit(random_bits(self.seed, stream, number))
                };
                let jitter = Vec2::new(random(0), random(1)) * 2.0 - Vec2::ONE;
                let middle = (cell + jitter * JITTER) * side;
                let radius = self.radius * (RADII[0] + (RADII[1] - RADII[0]) * random(2));
                let way = (place - middle) / radius;
                let pull = PEAK * exp2(-way.length_squared() * std::f32::consts::LOG2_E);
                let sign = if (x + y) & 1 == 0 { 1.0 } else { -1.0 };
                velocity += Vec2::new(-way.y, way.x) * (pull * sign * self.speed);
            }
        }
        velocity
    }
}

impl Disc {
    /// The velocity at a place from the middle.
    fn at(&self, place: Vec2) -> Vec2 {
        let upright = Vec2::new(place.x, place.y / self.flat);
        let distance = upright.length();
        let speed = self.speed / (distance + CORE * self.unit);
        let tangent = Vec2::new(-upright.y, upright.x);
        let velocity = (tangent - upright * self.fall) * speed;
        Vec2::new(velocity.x, velocity.y * self.flat)
    }
}
