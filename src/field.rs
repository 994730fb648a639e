//! The flow field: place and time to velocity, and to the value of the color channel.
//!
//! A noise value in [0, 1] becomes a heading in turns, and that a velocity. The world is a torus, and so is the field:
//! in a band at the right and the bottom of the world the noise blends into its wrapped copy with its variance kept.

use glam::Vec2;

use crate::noise::{Depth, Distribution, Noise, Patch, quintic};
use crate::polynomial::cos_sin;

/// Most lattice nodes that a channel keeps for a step; beyond, they are made for each sample: the same bits.
const MOST_NODES: usize = 1 << 14;

/// The torus that a field lives on, in logical px.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Torus {
    /// Width and height.
    pub size: Vec2,
    /// Widths of the bands at the right and at the bottom in which the noise joins itself; 0 where it does not.
    pub band: Vec2,
}

impl Torus {
    /// The place on the torus, each coordinate in [0, size).
    pub fn wrap(&self, place: Vec2) -> Vec2 {
        Vec2::new(wrap(place.x, self.size.x), wrap(place.y, self.size.y))
    }
}

/// `x` modulo `size`, in [0, size).
#[inline]
fn wrap(x: f32, size: f32) -> f32 {
    if (0.0..size).contains(&x) {
        return x;
    }
    let turned = x - (x / size).floor() * size;
    // A tiny negative number plus `size` rounds to `size`, which is outside.
    if (0.0..size).contains(&turned) {
        turned
    } else {
        0.0
    }
}

/// Where a channel's noise lies under the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Noise cells per logical px.
    pub scale: f32,
    /// The place in noise of the world's top left, in cells.
    pub origin: Vec2,
    /// The torus.
    pub torus: Torus,
}

/// One channel of seamless noise at one depth.
#[derive(Clone, Debug)]
struct Channel {
    noise: Noise,
    placement: Placement,
    depth: Depth,
    /// Where the bands begin; beyond the world where there is none.
    seam: Vec2,
    patch: Option<Patch>,
}

impl Channel {
    fn new(noise: Noise, placement: Placement, depth: Depth) -> Channel {
        let mut channel = Channel {
            noise,
            placement,
            depth,
            seam: Vec2::ZERO,
            patch: None,
        };
        channel.place(placement, depth);
        channel
    }

    /// Moves the channel to another placement and depth.
    fn place(&mut self, placement: Placement, depth: Depth) {
        let Placement {
            scale,
            origin,
            torus,
        } = placement;
        (self.placement, self.depth) = (placement, depth);
        let seam = |size: f32, band: f32| {
            if band > 0.0 {
                size - band
            } else {
                f32::INFINITY
            }
        };
        self.seam = Vec2::new(
            seam(torus.size.x, torus.band.x),
            seam(torus.size.y, torus.band.y),
        );
        // Copies are sampled one world to the left and above, inside the band.
        let from = (origin - torus.band * scale).to_array();
        let to = (origin + torus.size * scale).to_array();
        if Patch::node_count(from, to) > MOST_NODES {
            self.patch = None;
        } else {
            self.patch
                .get_or_insert_default()
                .refresh(&self.noise.slice(depth), from, to);
        }
    }

    /// The noise at a place of the plane, as if there were no torus.
    #[inline]
    fn plain(&self, place: Vec2) -> f32 {
        let Vec2 { x, y } = self.placement.origin + place * self.placement.scale;
        match &self.patch {
            Some(patch) => patch.at(x, y),
            None => self.noise.slice(self.depth).at(x, y),
        }
    }

    /// The value in [0, 1] at a place of the torus, seamless.
    #[inline]
    fn value_at(&self, place: Vec2) -> f32 {
        if place.x < self.seam.x && place.y < self.seam.y {
            self.plain(place)
        } else {
            self.joined(place)
        }
    }

    /// The value in the band: copies blended so that mean and variance stay.
    fn joined(&self, place: Vec2) -> f32 {
        let Torus { size, band } = self.placement.torus;
        let weights = |x: f32, seam: f32, band: f32| {
            let wrapped = if x > seam {
                quintic(((x - seam) / band).min(1.0))
            } else {
                0.0
            };
            [1.0 - wrapped, wrapped]
        };
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

/// How values become velocities and colors in one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlowParameters {
    /// Where the flow's noise lies.
    pub flow: Placement,
    /// The noise time.
    pub depth: Depth,
    /// Turns of the heading from value 0 to value 1.
    pub turns: f32,
    /// Whether values are spread evenly first.
    pub even: bool,
    /// Logical px per step.
    pub speed: f32,
    /// Where the color channel's noise lies.
    pub color: Placement,
    /// From 0, the color channel's noise as it is, to 1, spread evenly.
    pub color_stretch: f32,
}

/// The field of one seed at one step.
#[derive(Clone, Debug)]
pub struct FlowField {
    seed: u32,
    parameters: FlowParameters,
    flow: Channel,
    color: Channel,
    /// How often each value of the flow occurs.
    volume: Distribution,
    /// How often each value of the color channel occurs.
    plane: Distribution,
}

impl FlowField {
    /// The field of a seed.
    pub fn new(seed: u32, parameters: FlowParameters) -> FlowField {
        let noise = Noise::new(seed);
        FlowField {
            seed,
            parameters,
            flow: Channel::new(noise.clone(), parameters.flow, parameters.depth),
            color: Channel::new(noise, parameters.color, Depth::periodic(0.0)),
            volume: Distribution::of_volume(),
            plane: Distribution::of_plane(),
        }
    }

    /// Makes this the field of another step.
    pub fn refresh(&mut self, seed: u32, parameters: FlowParameters) {
        let reseeded = seed != self.seed;
        if reseeded {
            self.seed = seed;
            self.flow.noise = Noise::new(seed);
            self.color.noise = self.flow.noise.clone();
        }
        self.flow.place(parameters.flow, parameters.depth);
        if reseeded || parameters.color != self.parameters.color {
            self.color.place(parameters.color, Depth::periodic(0.0));
        }
        self.parameters = parameters;
    }

    /// The seed that the noise is shuffled by.
    pub fn seed(&self) -> u32 {
        self.seed
    }

    /// The torus that places are on.
    pub fn torus(&self) -> Torus {
        self.parameters.flow.torus
    }

    /// The noise value in [0, 1] at a place of the torus in logical px, before distribution and turns.
    #[inline]
    pub fn noise_at(&self, place: Vec2) -> f32 {
        self.flow.value_at(place)
    }

    /// The heading at a place in turns, from +x towards +y (down).
    #[inline]
    pub fn heading_at(&self, place: Vec2) -> f32 {
        let value = self.noise_at(place);
        let value = if self.parameters.even {
            self.volume.share_below(value)
        } else {
            value
        };
        value * self.parameters.turns
    }

    /// The velocity at a place in logical px per step.
    #[inline]
    pub fn velocity_at(&self, place: Vec2) -> Vec2 {
        Vec2::from(cos_sin(self.heading_at(place))) * self.parameters.speed
    }

    /// The value of the color channel at a place, in [0, 1].
    #[inline]
    pub fn color_at(&self, place: Vec2) -> f32 {
        let value = self.color.value_at(place).clamp(0.0, 1.0);
        value + self.parameters.color_stretch * (self.plane.share_below(value) - value)
    }
}

#[cfg(test)]
mod tests;
