//! What a field is asked for: where its noise lies, and how values become velocities and colors; and what follows from that alone,
//! how far apart nodes may be and what they cost.

use glam::Vec2;

use super::grid::Spacing;
use super::steady::Steady;
use crate::noise::{Depth, NoiseKind, Recipe, Time};

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
pub(super) const CLOSEST: f32 = 1.5;

/// No nodes lie farther apart, in logical px.
const FARTHEST: f32 = 64.0;

/// What a particle costs exactly, what a node costs, and what a particle costs on the grid, in ns on one machine:
/// constants, so that the choice between exact and interpolated is the same everywhere.
const COSTS: [f32; 3] = [20.0, 2.5, 6.0];

/// What each value of noise beside the first costs, by itself and in a row; and what a node's color costs where colors move.
const EXACT_VALUE: f32 = 8.0;
const ROW_VALUE: f32 = 2.5;
const MOVING_COLOR: f32 = 5.0;

/// Nodes of curl and of vector noise lie so many cells apart, for one octave of Perlin noise: a derivative bends more slowly than
/// a heading turns.
const SLOPE_CELLS: [f32; 2] = [0.06, 0.03];

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

impl FlowParameters {
    /// The noise time's place on its axes.
    pub fn depth(&self) -> Depth {
        self.time.depth()
    }

    pub(super) fn is_looped(&self) -> bool {
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
    pub(super) fn costs(&self) -> [f32; 3] {
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
    pub(super) fn common_spacing(&self) -> Spacing {
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
