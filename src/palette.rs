//! From a value in [0, 1] to a color.
//!
//! Colors are sRGB codes in [0, 1], as the canvas blends them; nothing here knows what the value stands for.

/// Colors in a palette's table.
pub const COLORS: usize = 256;

/// A table of sRGB colors, taken at the nearest entry.
#[derive(Clone, Debug, PartialEq)]
pub struct Palette {
    colors: Vec<[f32; 3]>,
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
    /// Tabulates a ramp.
    pub fn hsl(ramp: &HslRamp) -> Palette {
        let color = |index: usize| {
            let value = index as f32 / (COLORS - 1) as f32;
            hsl_to_rgb(
                ramp.hue + ramp.hue_span * value,
                ramp.saturation,
                ramp.lightness + ramp.lightness_span * value,
            )
        };
        Palette {
            colors: (0..COLORS).map(color).collect(),
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
mod tests {
    use super::*;

    const DEMO: HslRamp = HslRamp {
        hue: 185.0,
        hue_span: 30.0,
        saturation: 80.0,
        lightness: 55.0,
        lightness_span: 25.0,
    };

    fn codes(color: [f32; 3]) -> [u8; 3] {
        color.map(|channel| (channel * 255.0 + 0.5) as u8)
    }

    /// The CSS named colors, and the two ends of the original demo's ramp as a browser computes them.
    #[test]
    fn hsl_is_css() {
        assert_eq!(codes(hsl_to_rgb(0.0, 100.0, 50.0)), [255, 0, 0]);
        assert_eq!(codes(hsl_to_rgb(120.0, 100.0, 25.0)), [0, 128, 0]);
        assert_eq!(codes(hsl_to_rgb(-120.0, 100.0, 50.0)), [0, 0, 255]);
        assert_eq!(codes(hsl_to_rgb(600.0, 100.0, 50.0)), [0, 0, 255]);
        assert_eq!(codes(hsl_to_rgb(39.0, 100.0, 50.0)), [255, 166, 0]);
        assert_eq!(codes(hsl_to_rgb(185.0, 80.0, 55.0)), [48, 217, 232]);
        assert_eq!(codes(hsl_to_rgb(215.0, 80.0, 80.0)), [163, 197, 245]);
    }

    #[test]
    fn values_out_of_range_take_the_ends() {
        let palette = Palette::hsl(&DEMO);
        assert_eq!(palette.color(-1.0), palette.colors()[0]);
        assert_eq!(palette.color(2.0), palette.colors()[COLORS - 1]);
        assert_eq!(palette.color(f32::NAN), palette.colors()[0]);
    }
}
