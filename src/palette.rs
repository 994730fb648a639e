//! From a value in [0, 1] to a color.
//!
//! Colors are sRGB in [0, 1], as the canvas blends them, or linear light; nothing here knows what the value stands for, or
//! how a palette is spelled.

mod built_in;
mod cosine;
mod gradient;
mod oklab;
pub mod photo;

pub use built_in::{BUILT_IN, BuiltIn};
pub use cosine::{Cosine, LARGEST};
pub use gradient::{End, FEWEST_STOPS, Gradient, MOST_STOPS, Space, Stops};

use crate::polynomial::circle_at;
use gradient::Passed;

/// Colors in a palette's table.
pub const COLORS: usize = 256;

/// A table of colors, taken at the nearest entry.
#[derive(Clone, Debug)]
pub struct Palette {
    colors: Vec<[f32; 3]>,
    /// The same in linear light.
    linear: Vec<[f32; 3]>,
}

impl PartialEq for Palette {
    fn eq(&self, other: &Palette) -> bool {
        self.colors == other.colors
    }
}

/// What a palette is made from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scheme {
    /// A ramp through hue and lightness, which stands beside it.
    Hsl,
    /// One of [`BUILT_IN`].
    BuiltIn(&'static BuiltIn),
    /// Stops, and what lies between them.
    Gradient(Gradient),
    /// Three cosines.
    Cosine(Cosine),
}

/// A ramp through hue and lightness, as the original demo colors its threads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HslRamp {
    /// Degrees at value 0.
    pub hue: f32,
    /// Degrees added at value 1.
    pub hue_span: f32,
    /// Percent.
    pub saturation: f32,
    /// Percent at value 0.
    pub lightness: f32,
    /// Percent added at value 1.
    pub lightness_span: f32,
}

impl Palette {
    /// Tabulates a scheme; `ramp` is what [`Scheme::Hsl`] stands for.
    pub fn new(scheme: &Scheme, ramp: &HslRamp) -> Palette {
        match scheme {
            Scheme::Hsl => Palette::hsl(ramp),
            Scheme::BuiltIn(known) => Palette::new(&known.scheme, ramp),
            Scheme::Gradient(gradient) => Palette::gradient(gradient),
            Scheme::Cosine(cosine) => Palette::cosine(cosine),
        }
    }

    /// Tabulates a ramp.
    pub fn hsl(ramp: &HslRamp) -> Palette {
        Palette::tabulated(|index| {
            let value = index as f32 / (COLORS - 1) as f32;
            hsl_to_rgb(
                ramp.hue + ramp.hue_span * value,
                ramp.saturation,
                ramp.lightness + ramp.lightness_span * value,
            )
        })
    }

    /// Tabulates a gradient: its stops as they are, and in between what a screen can show.
    pub fn gradient(gradient: &Gradient) -> Palette {
        let legs = gradient.legs();
        const LAST: usize = COLORS - 1;
        Palette::tabulated(|index| {
            // The last color ends the last leg.
            let way = index * legs.len();
            let leg = (way / LAST).min(legs.len() - 1);
            match legs[leg].at((way - leg * LAST) as f64 / LAST as f64) {
                Passed::Stop(codes) => codes.map(|code| f32::from(code) / 255.0),
                Passed::Between(lab) => encoded(oklab::shown(lab)),
            }
        })
    }

    /// Tabulates three cosines.
    pub fn cosine(cosine: &Cosine) -> Palette {
        Palette::tabulated(|index| {
            let value = index as f64 / (COLORS - 1) as f64;
            cosine.color(value).map(|channel| channel as f32)
        })
    }

    /// The palette with all its hues turned by so many degrees in OKLCH; whole turns leave every bit as it is.
    pub fn turned(self, degrees: f64) -> Palette {
        if degrees % 360.0 == 0.0 {
            return self;
        }
        let [cosine, sine] = circle_at(degrees / 360.0);
        Palette::tabulated(|index| {
            let light = self.colors[index].map(|channel| oklab::linear(channel.into()));
            let [lightness, a, b] = oklab::lab(light);
            let turned = [lightness, a * cosine - b * sine, a * sine + b * cosine];
            encoded(oklab::shown(turned))
        })
    }

    /// The palette with this share, in [0, 1], of all its light; 1 leaves every bit as it is.
    pub fn dimmed(self, share: f32) -> Palette {
        if share == 1.0 {
            return self;
        }
        Palette::tabulated(|index| {
            let light = self.linear[index].map(|channel| f64::from(channel * share));
            encoded(light)
        })
    }

    /// The palette of these colors, sRGB in [0, 1].
    fn tabulated(color: impl Fn(usize) -> [f32; 3]) -> Palette {
        let colors: Vec<[f32; 3]> = (0..COLORS).map(color).collect();
        let linear = |color: &[f32; 3]| color.map(|channel| oklab::linear(channel.into()) as f32);
        Palette {
            linear: colors.iter().map(linear).collect(),
            colors,
        }
    }

    /// The color for `value`, sRGB in [0, 1]; values outside [0, 1] take the nearest end.
    pub fn color(&self, value: f32) -> [f32; 3] {
        self.colors[(value.clamp(0.0, 1.0) * (COLORS - 1) as f32 + 0.5) as usize]
    }

    /// All [`COLORS`] colors in order, sRGB in [0, 1].
    pub fn colors(&self) -> &[[f32; 3]] {
        &self.colors
    }

    /// The same colors in the same order as linear light in [0, 1].
    pub fn linear(&self) -> &[[f32; 3]] {
        &self.linear
    }
}

/// The linear light of an sRGB code.
pub fn linear(code: u8) -> f32 {
    oklab::linear(f64::from(code) / 255.0) as f32
}

/// sRGB of linear light in [0, 1].
fn encoded(light: [f64; 3]) -> [f32; 3] {
    light.map(|channel| oklab::encoded(channel).clamp(0.0, 1.0) as f32)
}

/// sRGB in [0, 1] from hue in degrees (any), saturation and lightness in percent (clamped).
///
/// Source: the CSS Color Module, which the original demo's `hsl()` strings follow.
fn hsl_to_rgb(hue: f32, saturation: f32, lightness: f32) -> [f32; 3] {
    let saturation = (saturation / 100.0).clamp(0.0, 1.0);
    let lightness = (lightness / 100.0).clamp(0.0, 1.0);
    let amplitude = saturation * lightness.min(1.0 - lightness);
    let channel = |offset: f32| {
        let sector = (offset + hue / 30.0).rem_euclid(12.0);
        lightness - amplitude * (sector - 3.0).min(9.0 - sector).clamp(-1.0, 1.0)
    };
    [channel(0.0), channel(8.0), channel(4.0)]
}

#[cfg(test)]
mod tests;
