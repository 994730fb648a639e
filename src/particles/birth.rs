//! Where lives begin.
//!
//! A birthplace is a function of the particle's number, of how many lives it had, and of the field in the step of the birth; never
//! of where other particles are.

use glam::Vec2;

use crate::field::{FlowField, Torus};
use crate::hash::{random_bits, unit};
use crate::polynomial::{circle_at, exp2, log2};

/// Places that are looked at until one is taken.
const TRIES: u32 = 24;

/// Half of the way over which a divergence is measured, in logical px.
const NEAR: f32 = 8.0;

/// Where particles are born.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nursery {
    /// The rule.
    pub rule: Rule,
    /// How much rather where the field drives particles apart, from 0 to 1.
    pub evenness: f32,
    /// The window in logical px; its top left is the world's.
    pub window: Vec2,
    /// The torus that places are on.
    pub torus: Torus,
    /// Px that a disc is measured in.
    pub unit: f32,
    /// How high the disc is for its width.
    pub tilt: f32,
}

/// A rule by which birthplaces are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    /// Anywhere on the torus, equally likely.
    Uniform,
    /// Where the share of births noise that is below that of the place exceeds a threshold, softly.
    Density {
        /// From 0 to 1.
        threshold: f32,
        /// Over how much of the share births set in.
        softness: f32,
    },
    /// Mostly at the bottom of the window.
    Bottom,
    /// Along a line that noise bends, low in the window.
    Band,
    /// On a disc with two arms about the middle of the window.
    Disc,
}

impl Nursery {
    /// Where particle `index` begins its life number `cycle`, in a step with this field.
    pub fn birthplace(&self, field: &FlowField, index: u32, cycle: i64) -> Vec2 {
        let draw = Draw {
            seed: field.seed(),
            index,
            cycle,
        };
        match self.rule {
            Rule::Uniform if self.evenness == 0.0 => self.anywhere(&draw, 0),
            Rule::Uniform | Rule::Density { .. } => self.chosen(field, &draw),
            Rule::Bottom => {
                let u = draw.unit(1);
                Vec2::new(draw.unit(0), 1.0 - 0.35 * u * u) * self.window
            }
            Rule::Band => {
                let x = draw.unit(0) * self.window.x;
                let line = 2.0 * field.births_at(Vec2::new(x, 0.5 * self.window.y)) - 1.0;
                let scatter = draw.unit(1) + draw.unit(2) - 1.0;
                let y = 0.72 + 0.16 * line + 0.05 * scatter;
                Vec2::new(x, y * self.window.y)
            }
            Rule::Disc => self.on_disc(&draw),
        }
    }

    /// Anywhere on the torus; the number says which of several places.
    fn anywhere(&self, draw: &Draw, number: u32) -> Vec2 {
        let place = Vec2::new(draw.unit(2 * number), draw.unit(2 * number + 1));
        self.torus.wrap(place * self.torus.size)
    }

    /// The first of some places that is taken, or else the best.
    fn chosen(&self, field: &FlowField, draw: &Draw) -> Vec2 {
        let mut best = (-1.0, Vec2::ZERO);
        for number in 0..TRIES {
            let place = self.anywhere(draw, number);
            let mut chance = match self.rule {
                Rule::Density {
                    threshold,
                    softness,
                } => {
                    let above = field.birth_share_at(place) - threshold;
                    // Without softness a step.
                    (above / softness.max(1e-6)).clamp(0.0, 1.0)
                }
                _ => 1.0,
            };
            if self.evenness > 0.0 {
                let apart = divergence(field, place);
                let wanted = 0.5 + 0.5 * apart / (1.0 + apart.abs());
                chance *= 1.0 - self.evenness + self.evenness * wanted;
            }
            if draw.unit(2 * TRIES + number) < chance {
                return place;
            }
            if chance > best.0 {
                best = (chance, place);
            }
        }
        best.1
    }

    fn on_disc(&self, draw: &Draw) -> Vec2 {
        let u = f64::from(draw.unit(0)).max(1e-9);
        let power = f64::from(exp2((0.75 * log2(u)) as f32));
        let decay = -log2(1.0 - 0.985 * power) * std::f64::consts::LN_2;
        let radius = 264.0 * decay + 6.0;
        let turns = if draw.unit(1) < 0.75 {
            let arm = if draw.unit(2) < 0.5 { 0.0 } else { 0.5 };
            let scatter = f64::from(draw.unit(3) + draw.unit(4) + draw.unit(5) - 1.5) * 0.7;
            let winding = 2.6 * log2(radius / 60.0) * std::f64::consts::LN_2;
            arm + (winding + scatter) / std::f64::consts::TAU
        } else {
            f64::from(draw.unit(2))
        };
        let [cosine, sine] = circle_at(turns);
        let from_middle = Vec2::new(cosine as f32, sine as f32 * self.tilt) * radius as f32;
        self.window * 0.5 + from_middle * self.unit
    }
}

/// How fast the field drives particles apart at a place, in units of what it does where it changes within a cell.
fn divergence(field: &FlowField, place: Vec2) -> f32 {
    let torus = field.torus();
    let at = |x: f32, y: f32| field.velocity_near(torus.wrap(place + Vec2::new(x, y)));
    let apart = at(NEAR, 0.0).x - at(-NEAR, 0.0).x + at(0.0, NEAR).y - at(0.0, -NEAR).y;
    apart / (2.0 * NEAR) / field.turnover()
}

/// The random numbers of one birth.
struct Draw {
    seed: u32,
    index: u32,
    cycle: i64,
}

impl Draw {
    /// Number so and so, in [0, 1).
    fn unit(&self, number: u32) -> f32 {
        let seed = self.seed ^ number.wrapping_mul(0x5bd1_e995);
        unit(random_bits(seed, self.cycle as u64, self.index))
    }
}
