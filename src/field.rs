//! The flow field: place and time to velocity, and to the value of the color channel.
//!
//! A noise value in [0, 1] becomes a heading in turns, and that a velocity. The world is a torus, and so is the field:
//! in a band at the right and the bottom of the world the noise blends into its wrapped copy with its variance kept.

use glam::Vec2;

use crate::noise::{Depth, Distribution, Noise, Patch, quintic};
use crate::polynomial::cos_sin;
use crate::pool::Pool;

mod grid;

pub use grid::Spacing;

use grid::{Grid, node_count};

/// Most lattice nodes that a channel keeps for a step; beyond, they are made for each sample: the same bits.
const MOST_NODES: usize = 1 << 14;

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

/// Node spacing of the color channel in cells, and in the bands as a share of their width: less than a color off.
const COLOR_SPACING: [f32; 2] = [0.02, 0.02];

/// Below this many logical px between nodes a grid is no gain.
const CLOSEST: f32 = 1.5;

/// No nodes lie farther apart, in logical px.
const FARTHEST: f32 = 64.0;

/// What a sample costs exactly, what a node costs, and what interpolating costs, in ns on one machine: constants, so that
/// the choice between exact and interpolated is the same everywhere.
const COSTS: [f32; 3] = [45.0, 11.0, 8.0];

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
        let shares = if self.seen_bands {
            SEEN_SHARES
        } else {
            HIDDEN_SHARES
        };
        let share = shares[usize::from(self.even)];
        let share = share / turns.sqrt();
        Spacing {
            inner,
            band: (self.flow.torus.band * share).min(Vec2::splat(inner)),
        }
    }

    /// The same for the color channel.
    fn color_spacing(&self) -> Spacing {
        let [cells, share] = COLOR_SPACING;
        let inner = (cells / self.color.scale).min(FARTHEST);
        Spacing {
            inner,
            band: (self.color.torus.band * share).min(Vec2::splat(inner)),
        }
    }
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
    /// Velocities at the nodes, in a step where interpolating is accurate and cheaper.
    velocities: Grid<[f32; 2]>,
    is_interpolated: bool,
    /// Values of the color channel at the nodes, likewise.
    colors: Option<Grid<f32>>,
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
            velocities: Grid::default(),
            is_interpolated: false,
            colors: None,
        }
    }

    /// Makes this the field of another step, to be sampled exactly.
    pub fn refresh(&mut self, seed: u32, parameters: FlowParameters) {
        if seed != self.seed {
            self.flow.noise = Noise::new(seed);
            self.color.noise = self.flow.noise.clone();
        }
        self.flow.place(parameters.flow, parameters.depth);
        let is_new = |field: &FlowField| {
            let (old, new) = (&field.parameters, &parameters);
            seed != field.seed || new.color != old.color || new.color_stretch != old.color_stretch
        };
        if is_new(self) {
            self.color.place(parameters.color, Depth::periodic(0.0));
            self.colors = None;
        }
        (self.seed, self.parameters) = (seed, parameters);
        self.is_interpolated = false;
    }

    /// Computes the grids for `count` particles, where they pay: [`FlowField::velocity_near`] and
    /// [`FlowField::color_near`] then interpolate. Which it is follows from parameters and count alone.
    pub fn interpolate_for(&mut self, count: u32, pool: &Pool) {
        let parameters = self.parameters;
        let pays = |torus: Torus, spacing: Spacing, steps: f32| {
            let (nodes, count) = (node_count(torus, spacing) as f32, count as f32);
            let [exact, node, near] = COSTS;
            spacing.smallest(torus) >= CLOSEST
                && nodes * node + count * near * steps < count * exact * steps
        };
        let spacing = parameters.spacing();
        if pays(parameters.flow.torus, spacing, 1.0) {
            let mut grid = std::mem::take(&mut self.velocities);
            let field = &*self;
            grid.refresh(&field.flow, spacing, pool, |values, nodes| {
                for (node, value) in nodes.iter_mut().zip(values) {
                    *node = field.velocity(*value).to_array();
                }
            });
            self.velocities = grid;
            self.is_interpolated = true;
        }
        // Colors stand still: their grid serves for many steps.
        let spacing = parameters.color_spacing();
        if self.colors.is_none() && pays(parameters.color.torus, spacing, 100.0) {
            let mut grid = Grid::default();
            let field = &*self;
            grid.refresh(&field.color, spacing, pool, |values, nodes| {
                for (node, value) in nodes.iter_mut().zip(values) {
                    *node = field.stretched(*value);
                }
            });
            self.colors = Some(grid);
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
        self.heading(self.noise_at(place))
    }

    /// The velocity at a place in logical px per step.
    #[inline]
    pub fn velocity_at(&self, place: Vec2) -> Vec2 {
        self.velocity(self.noise_at(place))
    }

    /// The same, within the error of [`FlowParameters::spacing`].
    #[inline]
    pub fn velocity_near(&self, place: Vec2) -> Vec2 {
        if !self.is_interpolated {
            return self.velocity_at(place);
        }
        let ([[a, b], [c, d], [e, f], [g, h]], at) = self.velocities.around(place);
        // Left and right at once, four numbers wide.
        let (upper, lower) = ([a, b, c, d], [e, f, g, h]);
        let mut sides = [0.0; 4];
        for lane in 0..4 {
            sides[lane] = upper[lane] + (lower[lane] - upper[lane]) * at.y;
        }
        let [x, y, right_x, right_y] = sides;
        Vec2::new(x + (right_x - x) * at.x, y + (right_y - y) * at.x)
    }

    /// The value of the color channel at a place, in [0, 1].
    #[inline]
    pub fn color_at(&self, place: Vec2) -> f32 {
        self.stretched(self.color.value_at(place))
    }

    /// The same, within one of a palette's colors.
    #[inline]
    pub fn color_near(&self, place: Vec2) -> f32 {
        let Some(grid) = &self.colors else {
            return self.color_at(place);
        };
        let ([upper_left, upper_right, lower_left, lower_right], at) = grid.around(place);
        let left = upper_left + (lower_left - upper_left) * at.y;
        let right = upper_right + (lower_right - upper_right) * at.y;
        left + (right - left) * at.x
    }

    fn heading(&self, value: f32) -> f32 {
        let value = if self.parameters.even {
            self.volume.share_below(value)
        } else {
            value
        };
        value * self.parameters.turns
    }

    fn velocity(&self, value: f32) -> Vec2 {
        Vec2::from(cos_sin(self.heading(value))) * self.parameters.speed
    }

    fn stretched(&self, value: f32) -> f32 {
        let value = value.clamp(0.0, 1.0);
        value + self.parameters.color_stretch * (self.plane.share_below(value) - value)
    }
}

#[cfg(test)]
mod tests;
