//! The flow field: place and time to velocity, and to the value of the color channel.
//!
//! A noise value in [0, 1] becomes a heading in turns, and that a velocity. The world is a torus, and so is the field:
//! in a band at the right and the bottom of the world the noise blends into its wrapped copy with its variance kept.

use glam::Vec2;

use crate::noise::{BLOCK, Depth, Distribution, NoiseKind, Recipe, Time};
use crate::polynomial::{cos_sin, nearest, turns_to};
use crate::pool::Pool;
use crate::simd::{Level, Node, clones};

mod channel;
mod grid;
mod motion;
mod steady;

pub use grid::Spacing;
pub use steady::{Disc, Eddies, Steady};

use channel::{Channel, Source};
use grid::{Grid, ONE, node_count};
use motion::Motion;

/// Largest error of an interpolated direction in what is seen, in degrees.
const TOLERANCE: f32 = 0.25;

/// Bound of the second derivative of the noise, in values of [0, 1] per cell and cell.
const CURVATURE: f32 = 20.0;

/// How much steeper than the noise its evenly spread values are where they are steepest, as a factor of the spacing.
const EVEN: f32 = 2.4;

/// Node spacing in the bands for one turn, as a share of their width: where they are seen, and where they are hidden and
/// 3 degrees do, for raw headings and for even ones.
const SEEN_SHARES: [f32; 2] = [0.0113, 0.009];
const HIDDEN_SHARES: [f32; 2] = [0.036, 0.021];

/// The same where time runs on a circle: rarely, a fourth dimension lets joined noise turn faster.
const HIDDEN_LOOPED_SHARES: [f32; 2] = [0.036, 0.018];

/// Node spacing of the color channel in cells, and in the bands as a share of their width: less than four of a palette's 255 steps off.
const COLOR_SPACING: [f32; 2] = [0.04, 0.04];

/// Below this many logical px between nodes a grid is no gain.
const CLOSEST: f32 = 1.5;

/// No nodes lie farther apart, in logical px.
const FARTHEST: f32 = 64.0;

/// What a particle costs exactly, what a node costs, and what a particle costs on the grid, in ns on one machine:
/// constants, so that the choice between exact and interpolated is the same everywhere.
const COSTS: [f32; 3] = [20.0, 2.5, 6.0];

/// What each value of noise beside the first costs, by itself and in a row; and what a node's color costs where colors move.
const EXACT_VALUE: f32 = 8.0;
const ROW_VALUE: f32 = 2.5;
const MOVING_COLOR: f32 = 5.0;

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
    // Nearly all leave by less than a turn.
    let near = if x < 0.0 { x + size } else { x - size };
    [x, near]
        .into_iter()
        .find(|place| (0.0..size).contains(place))
        .unwrap_or_else(|| far_wrap(x, size))
}

#[cold]
fn far_wrap(x: f32, size: f32) -> f32 {
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

/// What of the noise carries particles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// A value is a heading.
    Angle,
    /// Two values are a velocity.
    Vector,
    /// The velocity goes along lines of equal value, so that nothing gathers and nothing thins out.
    Curl,
}

/// How values become velocities and colors in one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlowParameters {
    /// Where the flow's noise lies.
    pub flow: Placement,
    /// The noise time.
    pub time: Time,
    /// What the flow's noise is made by.
    pub recipe: Recipe,
    /// What of it carries particles.
    pub mode: Mode,
    /// Turns of the heading from value 0 to value 1.
    pub turns: f32,
    /// Whether values are spread evenly first.
    pub even: bool,
    /// Directions that headings are rounded to; 0 for all.
    pub directions: u32,
    /// Px within which they turn from one direction to the next.
    pub corner: f32,
    /// Whether the bands in which the noise joins itself lie in the window.
    pub seen_bands: bool,
    /// Logical px per step; of vector and curl noise in the mean square.
    pub speed: f32,
    /// How even the speeds of vector and curl noise are, from 0 to 1.
    pub evenness: f32,
    /// What the velocities of the noise are multiplied by.
    pub weight: f32,
    /// How much all speeds swing with a noise of their own.
    pub speed_noise: f32,
    /// Currents that do not change.
    pub steady: Steady,
    /// Where the color channel's noise lies.
    pub color: Placement,
    /// Its time, where it moves.
    pub color_time: Option<Time>,
    /// From 0, the color channel's noise as it is, to 1, spread evenly.
    pub color_stretch: f32,
    /// Where the noise of births lies, where there is one.
    pub births: Option<Placement>,
}

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

/// Nodes of curl and of vector noise lie so many cells apart, for one octave of Perlin noise: a derivative bends more slowly than
/// a heading turns.
const SLOPE_CELLS: [f32; 2] = [0.06, 0.03];

impl FlowParameters {
    /// The noise time's place on its axes.
    pub fn depth(&self) -> Depth {
        self.time.depth()
    }

    fn is_looped(&self) -> bool {
        matches!(self.time, Time::Circle { .. })
    }

    /// How far apart nodes may be for directions that err by a quarter of a degree at most where they are seen, and by 3 degrees
    /// where they are hidden.
    ///
    /// Interpolating a function errs by an eighth of its second derivative times the square of the spacing.
    pub fn spacing(&self) -> Spacing {
        if self.directions > 0 && self.mode == Mode::Angle {
            return Spacing {
                inner: self.corner,
                band: self.flow.torus.band.min(Vec2::splat(self.corner)),
            };
        }
        let turns = self.turns.max(0.001);
        let curvature = self.recipe.curvature();
        // How much finer the recipe is than one octave.
        let fineness = (curvature / CURVATURE).sqrt();
        let cells = match self.mode {
            Mode::Angle => {
                (8.0 * TOLERANCE / (180.0 * turns * curvature)).sqrt()
                    / if self.even { EVEN } else { 1.0 }
            }
            Mode::Curl => SLOPE_CELLS[0] / fineness,
            Mode::Vector => SLOPE_CELLS[1] / fineness,
        };
        let inner = (cells / self.flow.scale)
            .min(FARTHEST)
            .min(self.steady.spacing());
        let shares = match (self.seen_bands, self.is_looped()) {
            (true, _) => SEEN_SHARES,
            (false, false) => HIDDEN_SHARES,
            (false, true) => HIDDEN_LOOPED_SHARES,
        };
        let share = shares[usize::from(self.even)];
        let share = share / turns.sqrt() / fineness;
        // Hidden bands may be a little off rather than cost more than all that is seen.
        let closest = if self.seen_bands { 0.0 } else { CLOSEST };
        Spacing {
            inner,
            band: (self.flow.torus.band * share)
                .max(Vec2::splat(closest))
                .min(Vec2::splat(inner)),
        }
    }

    /// What an exact velocity, a node and an interpolated velocity cost, in ns on one machine.
    fn costs(&self) -> [f32; 3] {
        let [exact, node, near] = COSTS;
        let Recipe {
            kind,
            octaves,
            warp,
            warp_octaves,
            ..
        } = self.recipe;
        let is_displaced = warp != 0.0;
        let octaves = octaves + if is_displaced { 2 * warp_octaves } else { 0 };
        let is_square = !matches!(kind, NoiseKind::Simplex | NoiseKind::OpenSimplex2);
        let taps = match self.mode {
            Mode::Angle => 1.0,
            Mode::Vector => 2.0,
            Mode::Curl => 4.0,
        };
        // Values of noise beside the first.
        let more = octaves as f32 * taps * if is_square { 1.0 } else { 4.0 } - 1.0;
        // Rows share what they can, and others are computed place by place.
        let in_rows = if is_square && !is_displaced {
            ROW_VALUE
        } else {
            EXACT_VALUE
        };
        let color = if self.color_time.is_some() {
            MOVING_COLOR
        } else {
            0.0
        };
        let twice = if self.mode == Mode::Angle { 1.0 } else { 2.0 };
        [
            (exact + more * EXACT_VALUE) * twice,
            node + more * in_rows + color,
            near,
        ]
    }

    /// How far apart nodes may be that serve flow and colors.
    fn common_spacing(&self) -> Spacing {
        let (flow, color) = (self.spacing(), self.color_spacing());
        Spacing {
            inner: flow.inner.min(color.inner),
            band: flow.band.min(color.band),
        }
    }

    /// The same as [`FlowParameters::spacing`] for the color channel.
    fn color_spacing(&self) -> Spacing {
        let [cells, share] = COLOR_SPACING;
        let inner = (cells / self.color.scale).min(FARTHEST);
        Spacing {
            inner,
            band: (self.color.torus.band * share).min(Vec2::splat(inner)),
        }
    }
}

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

/// What is known of the values of a recipe.
#[derive(Clone, Debug)]
struct Measured {
    recipe: Recipe,
    mode: Mode,
    is_looped: bool,
    volume: Distribution,
    rms: f32,
}

impl Measured {
    fn new(parameters: &FlowParameters) -> Measured {
        let recipe = Recipe {
            warp: 0.0,
            ..parameters.recipe
        };
        let is_looped = parameters.is_looped();
        let volume = Distribution::of(&recipe, is_looped);
        Measured {
            recipe,
            mode: parameters.mode,
            is_looped,
            rms: match parameters.mode {
                Mode::Angle => 1.0,
                // Of two values.
                Mode::Vector => deviation(&volume) * std::f32::consts::SQRT_2,
                Mode::Curl => recipe.slope_rms(is_looped),
            },
            volume,
        }
    }

    fn serves(&self, parameters: &FlowParameters) -> bool {
        let recipe = Recipe {
            warp: 0.0,
            ..parameters.recipe
        };
        let same = self.recipe == recipe && self.is_looped == parameters.is_looped();
        same && self.mode == parameters.mode
    }

    fn motion(&self, parameters: &FlowParameters) -> Motion {
        let even = parameters.even.then(|| self.volume.clone());
        Motion::new(parameters, even, self.rms)
    }
}

/// The root of the mean square of values about their mean.
fn deviation(distribution: &Distribution) -> f32 {
    const PARTS: usize = 512;
    let (mut below, mut sum) = (0.0, 0.0);
    for part in 0..PARTS {
        let value = (part as f32 + 0.5) / PARTS as f32;
        let share = distribution.share_below((part + 1) as f32 / PARTS as f32);
        sum += (share - below) * (value - 0.5) * (value - 0.5);
        below = share;
    }
    sum.sqrt()
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
        let (mut velocities, mut colors) = ([[0.0; 2]; BLOCK], [0.0; BLOCK]);
        let places = [place; BLOCK];
        exact_block(Level::BASELINE, self, &places, &mut velocities, &mut colors);
        velocities[0].into()
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
}

#[cfg(test)]
mod tests;
