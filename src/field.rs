//! The flow field: place and time to velocity, and to the value of the color channel.
//!
//! A noise value in [0, 1] becomes a heading in turns, and that a velocity. The world is a torus, and so is the field:
//! in a band at the right and the bottom of the world the noise blends into its wrapped copy with its variance kept.

use glam::Vec2;

use crate::noise::{BLOCK, Depth, Distribution, Noise, Slice, quintic};
use crate::polynomial::{cos_sin, nearest};
use crate::pool::Pool;
use crate::simd::{Node, clones};

mod grid;

pub use grid::Spacing;

use grid::{Grid, ONE, node_count};

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

/// One channel of seamless noise at one depth.
#[derive(Clone, Debug)]
struct Channel {
    slice: Slice,
    placement: Placement,
    /// Where the bands begin; beyond the world where there is none.
    seam: Vec2,
}

impl Channel {
    fn new(noise: &Noise, placement: Placement, depth: Depth) -> Channel {
        Channel {
            slice: noise.slice(depth),
            placement,
            seam: seam(placement.torus),
        }
    }

    /// Moves the channel to another noise, placement and depth.
    fn place(&mut self, noise: &Noise, placement: Placement, depth: Depth) {
        self.slice.refresh(noise, depth);
        self.placement = placement;
        self.seam = seam(placement.torus);
    }

    /// The noise at a place of the plane, as if there were no torus.
    #[inline]
    fn plain(&self, place: Vec2) -> f32 {
        let Vec2 { x, y } = self.placement.origin + place * self.placement.scale;
        self.slice.at(x, y)
    }

    /// The value in [0, 1] at a place of the torus, seamless.
    #[inline]
    fn value_at(&self, place: Vec2) -> f32 {
        if place.x >= self.seam.x || place.y >= self.seam.y {
            self.joined(place)
        } else {
            self.plain(place)
        }
    }

    /// The values at places of the torus, as [`Channel::value_at`] gives them.
    #[inline(always)]
    fn block(&self, places: &[Vec2; BLOCK], values: &mut [f32; BLOCK]) {
        let Placement { scale, origin, .. } = self.placement;
        let (mut x, mut y) = ([0.0; BLOCK], [0.0; BLOCK]);
        for i in 0..BLOCK {
            x[i] = origin.x + places[i].x * scale;
            y[i] = origin.y + places[i].y * scale;
        }
        self.slice.block(&x, &y, values);
        for i in 0..BLOCK {
            if places[i].x >= self.seam.x || places[i].y >= self.seam.y {
                values[i] = self.joined(places[i]);
            }
        }
    }

    /// The weights of the noise itself and of its wrapped copy at a place along an axis.
    fn weights(place: f32, seam: f32, band: f32) -> [f32; 2] {
        let wrapped = if place > seam {
            quintic(((place - seam) / band).min(1.0))
        } else {
            0.0
        };
        [1.0 - wrapped, wrapped]
    }

    /// The value in the band: copies blended so that mean and variance stay.
    fn joined(&self, place: Vec2) -> f32 {
        let Torus { size, band } = self.placement.torus;
        let across = Channel::weights(place.x, self.seam.x, band.x);
        let down = Channel::weights(place.y, self.seam.y, band.y);
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

/// Where the bands of a torus begin on each axis.
fn seam(Torus { size, band }: Torus) -> Vec2 {
    let along = |size: f32, band: f32| {
        if band > 0.0 {
            size - band
        } else {
            f32::INFINITY
        }
    };
    Vec2::new(along(size.x, band.x), along(size.y, band.y))
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
    /// Whether the bands in which the noise joins itself lie in the window.
    pub seen_bands: bool,
    /// Logical px per step.
    pub speed: f32,
    /// Where the color channel's noise lies.
    pub color: Placement,
    /// From 0, the color channel's noise as it is, to 1, spread evenly.
    pub color_stretch: f32,
}

impl FlowParameters {
    /// How far apart nodes may be for directions that err by a quarter of a degree at most where they are seen, and by 3 degrees
    /// where they are hidden.
    ///
    /// Interpolating a function errs by an eighth of its second derivative times the square of the spacing.
    pub fn spacing(&self) -> Spacing {
        let turns = self.turns.max(0.001);
        let cells = (8.0 * TOLERANCE / (180.0 * turns * CURVATURE)).sqrt()
            / if self.even { EVEN } else { 1.0 };
        let inner = (cells / self.flow.scale).min(FARTHEST);
        let shares = match (self.seen_bands, self.depth.across) {
            (true, _) => SEEN_SHARES,
            (false, None) => HIDDEN_SHARES,
            (false, Some(_)) => HIDDEN_LOOPED_SHARES,
        };
        let share = shares[usize::from(self.even)];
        let share = share / turns.sqrt();
        Spacing {
            inner,
            band: (self.flow.torus.band * share).min(Vec2::splat(inner)),
        }
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

/// How values become velocities.
#[derive(Clone, Debug)]
struct Compass {
    /// How often each value occurs, where headings are spread evenly.
    even: Option<Distribution>,
    turns: f32,
    speed: f32,
}

impl Compass {
    #[inline(always)]
    fn heading(&self, value: f32) -> f32 {
        match &self.even {
            Some(distribution) => distribution.share_below(value) * self.turns,
            None => value * self.turns,
        }
    }

    #[inline(always)]
    fn velocity(&self, value: f32) -> [f32; 2] {
        self.along(self.heading(value))
    }

    #[inline(always)]
    fn along(&self, heading: f32) -> [f32; 2] {
        let [x, y] = cos_sin(heading);
        [x * self.speed, y * self.speed]
    }

    /// Turns values into headings, as [`Compass::heading`] does: which way is chosen once for all of them.
    #[inline(always)]
    fn turn(&self, values: &mut [f32]) {
        match &self.even {
            Some(distribution) => {
                for value in values {
                    *value = distribution.share_below(*value) * self.turns;
                }
            }
            None => {
                for value in values {
                    *value *= self.turns;
                }
            }
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
    #[inline(always)]
    fn value(&self, value: f32) -> f32 {
        let value = value.clamp(0.0, 1.0);
        value + self.amount * (self.distribution.share_below(value) - value)
    }
}

clones! {
    fn finish_nodes(compass: &Compass, values: &mut [f32], colors: &[i16], nodes: &mut [Node]) {
        compass.turn(values);
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

/// How often each value of the noise occurs that has a depth like this one.
fn volume(depth: Depth) -> Distribution {
    if depth.across.is_some() {
        Distribution::of_hypervolume()
    } else {
        Distribution::of_volume()
    }
}

/// The field of one seed at one step.
#[derive(Clone, Debug)]
pub struct FlowField {
    seed: u32,
    noise: Noise,
    parameters: FlowParameters,
    flow: Channel,
    color: Channel,
    /// How often each value of the flow occurs.
    volume: Distribution,
    compass: Compass,
    stretch: Stretch,
    /// Velocities and colors at nodes, in a step where interpolating is accurate and cheaper.
    grid: Grid,
    is_interpolated: bool,
    /// Whether the grid's colors are those of the color channel.
    are_colors_kept: bool,
}

impl FlowField {
    /// The field of a seed.
    pub fn new(seed: u32, parameters: FlowParameters) -> FlowField {
        let noise = Noise::new(seed);
        let mut field = FlowField {
            seed,
            parameters,
            flow: Channel::new(&noise, parameters.flow, parameters.depth),
            color: Channel::new(&noise, parameters.color, Depth::periodic(0.0)),
            noise,
            volume: volume(parameters.depth),
            compass: Compass {
                even: None,
                turns: 0.0,
                speed: 0.0,
            },
            stretch: Stretch {
                distribution: Distribution::of_plane(),
                amount: 0.0,
            },
            grid: Grid::default(),
            is_interpolated: false,
            are_colors_kept: false,
        };
        field.adopt(parameters);
        field
    }

    /// Makes this the field of another step, to be sampled exactly.
    pub fn refresh(&mut self, seed: u32, parameters: FlowParameters) {
        let old = &self.parameters;
        let has_new_colors = seed != self.seed
            || parameters.color != old.color
            || parameters.color_stretch != old.color_stretch;
        if seed != self.seed {
            (self.seed, self.noise) = (seed, Noise::new(seed));
        }
        if parameters.depth.across.is_some() != old.depth.across.is_some() {
            self.volume = volume(parameters.depth);
        }
        self.flow
            .place(&self.noise, parameters.flow, parameters.depth);
        if has_new_colors {
            self.color
                .place(&self.noise, parameters.color, Depth::periodic(0.0));
            self.are_colors_kept = false;
        }
        self.is_interpolated = false;
        self.adopt(parameters);
    }

    fn adopt(&mut self, parameters: FlowParameters) {
        self.compass = Compass {
            even: parameters.even.then(|| self.volume.clone()),
            turns: parameters.turns,
            speed: parameters.speed,
        };
        self.stretch.amount = parameters.color_stretch;
        self.parameters = parameters;
    }

    /// Computes the grid for `count` particles, where it pays: what is asked for in blocks, and [`FlowField::velocity_near`]
    /// and [`FlowField::color_near`], is then interpolated. Whether it does follows from parameters and count alone.
    pub fn interpolate_for(&mut self, count: u32, pool: &Pool) {
        let torus = self.torus();
        let spacing = self.parameters.common_spacing();
        let (nodes, count) = (node_count(torus, spacing) as f32, count as f32);
        let [exact, node, near] = COSTS;
        let pays = nodes * node + count * near < count * exact;
        if !pays || spacing.smallest(torus) < CLOSEST {
            return;
        }
        let (stretch, compass) = (&self.stretch, &self.compass);
        self.grid.place(
            &self.color,
            spacing,
            self.are_colors_kept,
            pool,
            |values, colors| finish_colors(pool.level(), stretch, values, colors),
        );
        self.grid
            .refresh(&self.flow, pool, |values, colors, nodes| {
                finish_nodes(pool.level(), compass, values, colors, nodes);
            });
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

    /// The noise value in [0, 1] at a place of the torus in logical px, before distribution and turns.
    #[inline]
    pub fn noise_at(&self, place: Vec2) -> f32 {
        self.flow.value_at(place)
    }

    /// The heading at a place in turns, from +x towards +y (down).
    #[inline]
    pub fn heading_at(&self, place: Vec2) -> f32 {
        self.compass.heading(self.noise_at(place))
    }

    /// The velocity at a place in logical px per step.
    #[inline]
    pub fn velocity_at(&self, place: Vec2) -> Vec2 {
        self.compass.velocity(self.noise_at(place)).into()
    }

    /// The same, within the error of [`FlowParameters::spacing`].
    #[inline]
    pub fn velocity_near(&self, place: Vec2) -> Vec2 {
        if self.is_interpolated {
            self.grid.at(place, self.compass.speed).0
        } else {
            self.velocity_at(place)
        }
    }

    /// Velocities and colors at places, as [`FlowField::velocity_near`] and [`FlowField::color_near`] give them; of what is
    /// not a place, anything.
    #[inline(always)]
    pub(crate) fn block(
        &self,
        places: &[Vec2; BLOCK],
        velocities: &mut [[f32; 2]; BLOCK],
        colors: &mut [f32; BLOCK],
    ) {
        if self.is_interpolated {
            let speed = self.compass.speed;
            self.grid.block(places, speed, velocities, colors);
            return;
        }
        let mut values = [0.0; BLOCK];
        self.color.block(places, &mut values);
        for i in 0..BLOCK {
            colors[i] = self.stretch.value(values[i]);
        }
        self.flow.block(places, &mut values);
        self.compass.turn(&mut values);
        for i in 0..BLOCK {
            velocities[i] = self.compass.along(values[i]);
        }
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
            self.grid.at(place, self.compass.speed).1
        } else {
            self.color_at(place)
        }
    }
}

#[cfg(test)]
mod tests;
