//! One channel of noise at one moment, seamless on a torus.
//!
//! In a band at the right and the bottom of the world the noise blends into its wrapped copy, with mean and variance kept.
//! What blends is the finished scalar: octaves, shape and displacement of each copy are computed whole.

use glam::Vec2;

use super::{Placement, Torus};
use crate::noise::{BLOCK, Fractal, Recipe, Time, quintic};

/// What a channel's noise is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Source {
    pub seed: u32,
    /// Which of the channels of a seed.
    pub number: u32,
    pub recipe: Recipe,
    pub time: Time,
}

/// One channel of seamless noise at one moment.
#[derive(Clone, Debug)]
pub(super) struct Channel {
    pub fractal: Fractal,
    pub placement: Placement,
    /// Where the bands begin; beyond the world where there is none.
    pub seam: Vec2,
}

impl Channel {
    pub(super) fn new(of: &Source, placement: Placement) -> Channel {
        Channel {
            fractal: Fractal::new(of.seed, of.number, of.recipe, of.time),
            placement,
            seam: seam(placement.torus),
        }
    }

    /// Moves the channel to another noise, placement and moment.
    pub(super) fn place(&mut self, of: &Source, placement: Placement) {
        self.fractal.refresh(of.seed, of.number, of.recipe, of.time);
        self.placement = placement;
        self.seam = seam(placement.torus);
    }

    /// The noise at a place of the plane, as if there were no torus.
    #[inline]
    fn plain(&self, place: Vec2) -> f32 {
        let Vec2 { x, y } = self.placement.origin + place * self.placement.scale;
        self.fractal.at(x, y)
    }

    /// The value in [0, 1] at a place of the torus, seamless.
    #[inline]
    pub(super) fn value_at(&self, place: Vec2) -> f32 {
        if place.x >= self.seam.x || place.y >= self.seam.y {
            self.joined(place)
        } else {
            self.plain(place)
        }
    }

    /// The values at places of the torus, as [`Channel::value_at`] gives them.
    #[inline(always)]
    pub(super) fn block(&self, places: &[Vec2; BLOCK], values: &mut [f32; BLOCK]) {
        let Placement { scale, origin, .. } = self.placement;
        let (mut x, mut y) = ([0.0; BLOCK], [0.0; BLOCK]);
        for i in 0..BLOCK {
            x[i] = origin.x + places[i].x * scale;
            y[i] = origin.y + places[i].y * scale;
        }
        self.fractal.block(&x, &y, values);
        for i in 0..BLOCK {
            if places[i].x >= self.seam.x || places[i].y >= self.seam.y {
                values[i] = self.joined(places[i]);
            }
        }
    }

    /// The value in the band: copies blended so that mean and variance stay.
    fn joined(&self, place: Vec2) -> f32 {
        let Torus { size, band } = self.placement.torus;
        let across = weights(place.x, self.seam.x, band.x);
        let down = weights(place.y, self.seam.y, band.y);
        let (mut sum, mut square) = (0.0, 0.0);
        for (row, v) in down.into_iter().enumerate() {
            for (column, u) in across.into_iter().enumerate() {
                let weight = u * v;
                if weight > 0.0 {
                    let copy = place - size * Vec2::new(column as f32, row as f32);
                    sum += weight * (self.plain(copy) - 0.5);
                    square += weight * weight;
                }
            }
        }
        0.5 + sum / square.sqrt()
    }
}

/// The weights of the plane itself and of its wrapped copy at a place along an axis.
pub(super) fn weights(place: f32, seam: f32, band: f32) -> [f32; 2] {
    let wrapped = if place > seam {
        quintic(((place - seam) / band).min(1.0))
    } else {
        0.0
    };
    [1.0 - wrapped, wrapped]
}

/// Where the bands of a torus begin on each axis.
pub(super) fn seam(Torus { size, band }: Torus) -> Vec2 {
    let along = |size: f32, band: f32| {
        if band > 0.0 {
            size - band
        } else {
            f32::INFINITY
        }
    };
    Vec2::new(along(size.x, band.x), along(size.y, band.y))
}
