//! The flow field: place and time to velocity, and to the value of the color channel.
//!
//! A noise value in [0, 1] becomes a heading in turns, and that a velocity. The world is a torus, and so is the field:
//! in a band at the right and the bottom of the world the noise blends into its wrapped copy with its variance kept.

use glam::Vec2;

use crate::noise::{BLOCK, Distribution, Recipe, Time};
use crate::polynomial::{cos_sin, nearest, turns_to};
use crate::pool::Pool;
use crate::simd::{Level, Node, clones};

mod channel;
mod grid;
mod measured;
mod motion;
mod parameters;
mod steady;

pub use grid::Spacing;
pub use parameters::{FlowParameters, Mode, Placement, Torus};
pub use steady::{Disc, Eddies, Steady};

use channel::{Channel, Source};
use grid::{Grid, ONE, node_count};
use measured::Measured;
use motion::Motion;
use parameters::CLOSEST;

/// The channels of noise of a seed. Colors that stand still are the flow's noise where time begins, as in the original demo.
const FLOW: u32 = 0;
const COLOR: u32 = 1;
const SECOND: u32 = 2;
const SPEED: u32 = 3;
const BIRTHS: u32 = 4;

/// The noise of births has two octaves.
const BIRTHS_RECIPE: Recipe = Recipe {
    octaves: 2,
    ..Recipe::PERLIN
};

/// How many times as fast as the flow's, and how many times as fine, the noise of speeds is.
const SPEED_RATE: [u32; 2] = [4, 5];
const SPEED_FINENESS: f32 = 2.0;

/// How values become those of the color channel.
#[derive(Clone, Debug)]
struct Stretch {
    distribution: Distribution,
    amount: f32,
}

impl Stretch {
    fn new(parameters: &FlowParameters) -> Stretch {
        Stretch {
            distribution: match parameters.color_time {
                None => Distribution::of_plane(),
                Some(Time::Line(_)) => Distribution::of_volume(),
                Some(Time::Circle { .. }) => Distribution::of_hypervolume(),
            },
            amount: parameters.color_stretch,
        }
    }

    #[inline(always)]
    fn value(&self, value: f32) -> f32 {
        let value = value.clamp(0.0, 1.0);
        value + self.amount * (self.distribution.share_below(value) - value)
    }
}

clones! {
    fn finish_nodes(motion: &Motion, values: &mut [f32], colors: &[i16], nodes: &mut [Node]) {
        motion.turn(values);
        for ((node, heading), color) in nodes.iter_mut().zip(values).zip(colors) {
            let [x, y] = cos_sin(*heading);
            *node = [nearest(x * ONE), nearest(y * ONE), *color, 0];
        }
    }
}

clones! {
    fn finish_colors(stretch: &Stretch, values: &[f32], colors: &mut [i16]) {
        for (color, value) in colors.iter_mut().zip(values) {
            *color = nearest(stretch.value(*value) * ONE);
        }
    }
}

/// The field of one seed at one step.
#[derive(Clone, Debug)]
pub struct FlowField {
    seed: u32,
    parameters: FlowParameters,
    /// The flow's, its second and that of speeds.
    channels: [Channel; 3],
    color: Channel,
    /// How often each value of the flow occurs, and the mean square of what the mode makes velocities of; and of what recipe,
    /// mode and kind of time that was measured.
    measured: Measured,
    motion: Motion,
    stretch: Stretch,
    /// The noise of births, and how often each of its values occurs, in looks that have it.
    births: Option<(Channel, Distribution)>,
    /// Velocities and colors at nodes, in a step where interpolating is accurate and cheaper.
    grid: Grid,
    is_interpolated: bool,
    /// Whether the grid's colors are those of the color channel.
    are_colors_kept: bool,
}

/// Which noise each of the flow's channels is.
fn sources(seed: u32, parameters: &FlowParameters) -> [(Source, Placement); 3] {
    let FlowParameters {
        flow, recipe, time, ..
    } = *parameters;
    let source = |number: u32, recipe: Recipe, time: Time| Source {
        seed,
        number,
        recipe,
        time,
    };
    let finer = Placement {
        scale: flow.scale * SPEED_FINENESS,
        origin: flow.origin * SPEED_FINENESS,
        ..flow
    };
    [
        (source(FLOW, recipe, time), flow),
        (source(SECOND, recipe, time), flow),
        (
            source(SPEED, Recipe::PERLIN, time.scaled(SPEED_RATE)),
            finer,
        ),
    ]
}

fn color_source(seed: u32, parameters: &FlowParameters) -> Source {
    let (number, time) = match parameters.color_time {
        Some(time) => (COLOR, time),
        None => (FLOW, Time::Line(0)),
    };
    Source {
        seed,
        number,
        recipe: Recipe::PERLIN,
        time,
    }
}

fn births_source(seed: u32, parameters: &FlowParameters) -> Source {
    Source {
        seed,
        number: BIRTHS,
        recipe: BIRTHS_RECIPE,
        time: parameters.time,
    }
}

clones! {
    /// Exact velocities and colors at places. A function of its own, not one in each kernel that carries particles: it is large.
    fn exact_block(
        field: &FlowField,
        places: &[Vec2; BLOCK],
        velocities: &mut [[f32; 2]; BLOCK],
        colors: &mut [f32; BLOCK],
    ) {
        let mut values = [0.0; BLOCK];
        field.color.block(places, &mut values);
        for i in 0..BLOCK {
            colors[i] = field.stretch.value(values[i]);
        }
        let motion = &field.motion;
        let mut ahead = *places;
        let passes = if motion.looks_ahead() { 2 } else { 1 };
        for pass in 0..passes {
            if pass == 1 {
                // The velocity half a step later.
                for i in 0..BLOCK {
                    let half = Vec2::from_array(velocities[i]) * 0.5;
                    ahead[i] = field.torus().wrap(places[i] + half);
                }
            }
            motion.exact(&field.channels, &ahead, velocities);
        }
    }
}

impl FlowField {
    /// The field of a seed.
    pub fn new(seed: u32, parameters: FlowParameters) -> FlowField {
        let measured = Measured::new(&parameters);
        let channels = sources(seed, &parameters);
        FlowField {
            seed,
            parameters,
            channels: channels.map(|(source, placement)| Channel::new(&source, placement)),
            color: Channel::new(&color_source(seed, &parameters), parameters.color),
            motion: measured.motion(&parameters),
            measured,
            stretch: Stretch::new(&parameters),
            births: parameters.births.map(|placement| {
                let channel = Channel::new(&births_source(seed, &parameters), placement);
                let volume = Distribution::of(&BIRTHS_RECIPE, parameters.is_looped());
                (channel, volume)
            }),
            grid: Grid::default(),
            is_interpolated: false,
            are_colors_kept: false,
        }
    }

    /// Makes this the field of another step, to be sampled exactly.
    pub fn refresh(&mut self, seed: u32, parameters: FlowParameters) {
        let old = &self.parameters;
        let has_new_colors = seed != self.seed
            || parameters.color != old.color
            || parameters.color_time != old.color_time
            || parameters.color_stretch != old.color_stretch;
        self.seed = seed;
        if !self.measured.serves(&parameters) {
            self.measured = Measured::new(&parameters);
        }
        let used = [
            true,
            parameters.mode == Mode::Vector,
            parameters.speed_noise > 0.0,
        ];
        let sources = sources(seed, &parameters);
        for ((channel, (source, placement)), is_used) in
            self.channels.iter_mut().zip(sources).zip(used)
        {
            if is_used {
                channel.place(&source, placement);
            }
        }
        if has_new_colors {
            self.color
                .place(&color_source(seed, &parameters), parameters.color);
            if parameters.color_time.is_some() != self.parameters.color_time.is_some() {
                self.stretch = Stretch::new(&parameters);
            }
            self.stretch.amount = parameters.color_stretch;
            self.are_colors_kept = false;
        }
        match (&mut self.births, parameters.births) {
            (Some((channel, _)), Some(placement))
                if parameters.is_looped() == self.parameters.is_looped() =>
            {
                channel.place(&births_source(seed, &parameters), placement);
            }
            (births, wanted) => {
                *births = wanted.map(|placement| {
                    let channel = Channel::new(&births_source(seed, &parameters), placement);
                    (
                        channel,
                        Distribution::of(&BIRTHS_RECIPE, parameters.is_looped()),
                    )
                });
            }
        }
        self.is_interpolated = false;
        self.motion = self.measured.motion(&parameters);
        self.parameters = parameters;
    }

    /// Computes the grid for `count` particles, where it pays: what is asked for in blocks, and [`FlowField::velocity_near`]
    /// and [`FlowField::color_near`], is then interpolated. Whether it does follows from parameters and count alone.
    pub fn interpolate_for(&mut self, count: u32, pool: &Pool) {
        let torus = self.torus();
        let spacing = self.parameters.common_spacing();
        let (nodes, count) = (node_count(torus, spacing) as f32, count as f32);
        let [exact, node, near] = self.parameters.costs();
        let pays = nodes * node + count * near < count * exact;
        // What rounds corners are the nodes.
        let is_rounded = self.parameters.directions > 0 && self.parameters.mode == Mode::Angle;
        if (!pays || spacing.smallest(torus) < CLOSEST) && !is_rounded {
            return;
        }
        let (stretch, motion) = (&self.stretch, &self.motion);
        self.grid.place(
            &self.color,
            spacing,
            self.are_colors_kept,
            pool,
            |values, colors| finish_colors(pool.level(), stretch, values, colors),
        );
        if motion.is_plain() {
            self.grid
                .refresh(&self.channels[0], pool, |values, colors, nodes| {
                    finish_nodes(pool.level(), motion, values, colors, nodes);
                });
        } else {
            self.grid.refresh_moving(&self.channels, motion, pool);
        }
        self.are_colors_kept = true;
        self.is_interpolated = true;
    }

    /// How many nodes velocities are interpolated between in this step; 0 where they are exact.
    pub fn nodes(&self) -> usize {
        if self.is_interpolated {
            self.grid.len()
        } else {
            0
        }
    }

    /// The seed that the noise is shuffled by.
    pub fn seed(&self) -> u32 {
        self.seed
    }

    /// The torus that places are on.
    pub fn torus(&self) -> Torus {
        self.parameters.flow.torus
    }

    /// The value of the noise of births at a place, in [0, 1]; half where there is none.
    pub fn births_at(&self, place: Vec2) -> f32 {
        let births = self.births.as_ref();
        births.map_or(0.5, |(channel, _)| channel.value_at(place))
    }

    /// The share of its values that are below that.
    pub fn birth_share_at(&self, place: Vec2) -> f32 {
        let births = self.births.as_ref();
        births.map_or(0.5, |(channel, volume)| {
            volume.share_below(channel.value_at(place))
        })
    }

    /// How much faster particles become in a px where the field changes within a cell, per step.
    pub fn turnover(&self) -> f32 {
        (self.parameters.speed * self.parameters.flow.scale).max(1e-9)
    }

    /// No velocity is larger, in logical px per step, along either axis.
    pub fn fastest(&self) -> f32 {
        self.motion.fastest
    }

    /// The noise value in [0, 1] at a place of the torus in logical px, before distribution and turns.
    #[inline]
    pub fn noise_at(&self, place: Vec2) -> f32 {
        self.channels[0].value_at(place)
    }

    /// The share of the noise's values that are below the one at a place: evenly spread over [0, 1].
    pub fn share_at(&self, place: Vec2) -> f32 {
        self.measured.volume.share_below(self.noise_at(place))
    }

    /// The heading at a place in turns, from +x towards +y (down), in [0, 1) where it is not an angle that the noise gives.
    #[inline]
    pub fn heading_at(&self, place: Vec2) -> f32 {
        if self.motion.is_plain() {
            self.motion.heading(self.noise_at(place))
        } else {
            let velocity = self.velocity_at(place).to_array().map(f64::from);
            turns_to(velocity).rem_euclid(1.0) as f32
        }
    }

    /// The velocity at a place in logical px per step.
    #[inline]
    pub fn velocity_at(&self, place: Vec2) -> Vec2 {
        if self.motion.is_plain() {
            let [x, y] = cos_sin(self.motion.heading(self.noise_at(place)));
            return Vec2::new(x, y) * self.parameters.speed;
        }
        let here = self.motion.exact_at(&self.channels, place);
        // The velocity half a step later.
        let ahead = self.torus().wrap(place + here * 0.5);
        self.motion.exact_at(&self.channels, ahead)
    }

    /// The same, within the error of [`FlowParameters::spacing`].
    #[inline]
    pub fn velocity_near(&self, place: Vec2) -> Vec2 {
        if self.is_interpolated {
            self.grid.at(place, self.motion.fastest).0
        } else {
            self.velocity_at(place)
        }
    }

    /// Velocities and colors at places, as [`FlowField::velocity_near`] and [`FlowField::color_near`] give them; of what is
    /// not a place, anything.
    #[inline(always)]
    pub(crate) fn block(
        &self,
        level: Level,
        places: &[Vec2; BLOCK],
        velocities: &mut [[f32; 2]; BLOCK],
        colors: &mut [f32; BLOCK],
    ) {
        if self.is_interpolated {
            self.grid
                .block(places, self.motion.fastest, velocities, colors);
            return;
        }
        exact_block(level, self, places, velocities, colors);
    }

    /// The value of the color channel at a place, in [0, 1].
    #[inline]
    pub fn color_at(&self, place: Vec2) -> f32 {
        self.stretch.value(self.color.value_at(place))
    }

    /// The same, within four of a palette's 255 steps.
    #[inline]
    pub fn color_near(&self, place: Vec2) -> f32 {
        if self.is_interpolated {
            self.grid.at(place, self.motion.fastest).1
        } else {
            self.color_at(place)
        }
    }

    /// The velocities at places themselves, in logical px per step, exactly; those that particles take lie half a step ahead
    /// of them where the field is more than headings. The slices have equal length.
    pub fn currents(&self, places: &[Vec2], velocities: &mut [[f32; 2]]) {
        for (places, velocities) in places.chunks(BLOCK).zip(velocities.chunks_mut(BLOCK)) {
            // What is left over is filled up to a block.
            let (mut block, mut found) = ([places[0]; BLOCK], [[0.0; 2]; BLOCK]);
            block[..places.len()].copy_from_slice(places);
            self.motion.exact(&self.channels, &block, &mut found);
            velocities.copy_from_slice(&found[..velocities.len()]);
        }
    }

    /// The heading in turns that the noise gives at a place, where that and a speed are all that there is to a velocity.
    pub fn noise_heading_at(&self, place: Vec2) -> Option<f32> {
        let is_all = self.motion.is_plain();
        is_all.then(|| self.motion.heading(self.noise_at(place)))
    }

    /// The second value of vector noise at a place, in [0, 1]; the first is that of [`FlowField::noise_at`].
    pub fn second_at(&self, place: Vec2) -> Option<f32> {
        let is_used = self.parameters.mode == Mode::Vector;
        is_used.then(|| self.channels[1].value_at(place))
    }

    /// The value of the noise that speeds swing with at a place, in [0, 1].
    pub fn swing_at(&self, place: Vec2) -> Option<f32> {
        let is_used = self.parameters.speed_noise > 0.0;
        is_used.then(|| self.channels[2].value_at(place))
    }

    /// The stream function of curl noise at a place, in square px per step: the noise's velocity is its slope along y, and less
    /// its slope along x, as long as speeds are not evened out.
    pub fn stream_at(&self, place: Vec2) -> Option<f32> {
        let FlowParameters {
            mode,
            speed,
            weight,
            flow,
            ..
        } = self.parameters;
        let scale = speed * weight / (self.measured.rms * flow.scale);
        (mode == Mode::Curl).then(|| (self.noise_at(place) - 0.5) * scale)
    }

    /// The share of values of the noise of births below that at a place, in looks whose births follow it.
    pub fn births_share_at(&self, place: Vec2) -> Option<f32> {
        let is_used = self.births.is_some();
        is_used.then(|| self.birth_share_at(place))
    }
}

#[cfg(test)]
mod tests;
