//! What is measured of noise once, and holds for every step that is made by the same recipe.

use super::motion::Motion;
use super::{FlowParameters, Mode};
use crate::noise::{Distribution, Recipe};

/// What is known of the values of a recipe.
#[derive(Clone, Debug)]
pub(super) struct Measured {
    recipe: Recipe,
    mode: Mode,
    is_looped: bool,
    pub(super) volume: Distribution,
    pub(super) rms: f32,
}

impl Measured {
    pub(super) fn new(parameters: &FlowParameters) -> Measured {
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

    pub(super) fn serves(&self, parameters: &FlowParameters) -> bool {
        let recipe = Recipe {
            warp: 0.0,
            ..parameters.recipe
        };
        let same = self.recipe == recipe && self.is_looped == parameters.is_looped();
        same && self.mode == parameters.mode
    }

    pub(super) fn motion(&self, parameters: &FlowParameters) -> Motion {
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
