//! A row of light laid over what is under it, as codes: dithered to 8 bits, or as it is.

use std::f32::consts::LOG2_E;

use super::sheet::mix;
use super::{Channels, Light};
use crate::canvas::Blend;
use crate::canvas::transfer::srgb;
use crate::dither;
use crate::polynomial::exp2;
use crate::simd::clones;

clones! {
    /// Lays a row of light over the background, in codes, and dithers to 8 bits.
    pub(super) fn show_row(pixels: &mut [u8], light: &[Light], background: [f32; 3], thresholds: &[f32; dither::TILE]) {
        for (pixels, light) in pixels
            .chunks_mut(dither::TILE * 4)
            .zip(light.chunks(dither::TILE))
        {
            show(pixels, light, background, thresholds);
        }
    }
}

clones! {
    /// The same with blue first.
    pub(super) fn show_turned_row(pixels: &mut [u8], light: &[Light], background: [f32; 3], thresholds: &[f32; dither::TILE]) {
        let [red, green, blue] = background;
        let mut turned = [[0.0; 4]; dither::TILE];
        for (pixels, light) in pixels
            .chunks_mut(dither::TILE * 4)
            .zip(light.chunks(dither::TILE))
        {
            for (turned, [red, green, blue, coverage]) in turned.iter_mut().zip(light) {
                *turned = [*blue, *green, *red, *coverage];
            }
            show(pixels, &turned[..light.len()], [blue, green, red], thresholds);
        }
    }
}

/// The same for a tile's width at most.
#[inline(always)]
fn show(
    pixels: &mut [u8],
    light: &[Light],
    [red, green, blue]: [f32; 3],
    thresholds: &[f32; dither::TILE],
) {
    // What lies under the light, and the threshold; the fourth channel is opaque whatever the light covers.
    let mut under = [[0.0, 0.0, 0.0, 255.0]; dither::TILE];
    for ((under, light), threshold) in under.iter_mut().zip(light).zip(thresholds) {
        let through = 1.0 - light[3];
        let threshold = threshold - 0.5;
        *under = [
            red * through + threshold,
            green * through + threshold,
            blue * through + threshold,
            255.0,
        ];
    }
    for ((code, light), under) in pixels
        .iter_mut()
        .zip(light.as_flattened())
        .zip(under.as_flattened())
    {
        *code = nearest_code(light * 255.0 + under);
    }
}

/// The code that is nearest to a value in codes.
#[inline(always)]
pub fn nearest_code(value: f32) -> u8 {
    // Rounds to the nearest whole number in the low bits; a conversion that saturates is five times as slow.
    (value.clamp(0.0, 255.0) + 8_388_608.0).to_bits() as u8
}

clones! {
    /// Lays a row of light over the background and leaves it at that: sRGB in [0, 1].
    pub(super) fn develop_row(rgb: &mut [[f32; 3]], light: &[Light], background: [f32; 3]) {
        let [red, green, blue] = background;
        let mut codes = [[0.0; 4]; dither::TILE];
        for (rgb, light) in rgb
            .chunks_mut(dither::TILE)
            .zip(light.chunks(dither::TILE))
        {
            for (code, light) in codes.iter_mut().zip(light) {
                let through = 1.0 - light[3];
                *code = [red * through, green * through, blue * through, 0.0];
            }
            for (code, light) in codes
                .as_flattened_mut()
                .iter_mut()
                .zip(light.as_flattened())
            {
                *code = (light * 255.0 + *code).clamp(0.0, 255.0) / 255.0;
            }
            for (rgb, [red, green, blue, _]) in rgb.iter_mut().zip(&codes) {
                *rgb = [*red, *green, *blue];
            }
        }
    }
}

/// What becomes of light and what is under it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tone {
    /// How the light was laid.
    pub blend: Blend,
    /// What added light is multiplied by.
    pub exposure: f32,
}

impl Tone {
    /// Adds light of paint or of added light to what is under it: what a curve makes codes of.
    #[inline(always)]
    fn gather(self, light: &[Light], under: &mut [Light; dither::TILE]) {
        if self.blend == Blend::Add {
            let exposure = self.exposure;
            let under = under.as_flattened_mut().iter_mut();
            for (value, light) in under.zip(light.as_flattened()) {
                *value += light * exposure;
            }
        } else {
            for (under, light) in under.iter_mut().zip(light) {
                let through = 1.0 - light[3];
                for channel in 0..4 {
                    under[channel] = light[channel] + under[channel] * through;
                }
            }
        }
    }

    /// Turns what is under the light into codes of both, not rounded.
    #[inline(always)]
    fn develop(self, light: &[Light], under: &mut [Light]) {
        match self.blend {
            Blend::Codes => {
                for (under, light) in under.iter_mut().zip(light) {
                    let through = 1.0 - light[3];
                    for channel in 0..4 {
                        under[channel] = light[channel] * 255.0 + under[channel] * through;
                    }
                }
            }
            Blend::Over => {
                for (under, light) in under.iter_mut().zip(light) {
                    let through = 1.0 - light[3];
                    for channel in 0..4 {
                        under[channel] = light[channel] + under[channel] * through;
                    }
                }
                for value in under.as_flattened_mut() {
                    *value = srgb(*value) * 255.0;
                }
            }
            Blend::Add => {
                let under = under.as_flattened_mut().iter_mut();
                for (value, light) in under.zip(light.as_flattened()) {
                    let sum = *value + light * self.exposure;
                    *value = srgb(1.0 - exp2(sum * -LOG2_E)) * 255.0;
                }
            }
        }
    }
}

/// Entries of a curve: 256 for each doubling of the light.
const ENTRIES: usize = 8192;

/// The bits of the light below which all is black, 2^-20; a curve goes on from there to 2^12.
const DARKEST: u32 = (127 - 20) << 23;

/// Low bits of a float that do not choose an entry.
const LEFT_OUT: u32 = 15;

/// Codes of light, tabulated: computing them for each px takes twice as long. They are .14 codes off at most, which dither covers.
#[derive(Debug)]
pub(super) struct Curve {
    codes: Box<[f32; ENTRIES]>,
    of: Option<Blend>,
}

impl Curve {
    /// Of nothing yet.
    pub(super) fn empty() -> Curve {
        Curve {
            codes: Box::new([0.0; ENTRIES]),
            of: None,
        }
    }

    /// Becomes the curve for light that was laid like this.
    pub(super) fn fit(&mut self, blend: Blend) {
        if self.of == Some(blend) {
            return;
        }
        self.of = Some(blend);
        for (entry, code) in self.codes.iter_mut().enumerate().skip(1) {
            let middle = ((entry as u32) << LEFT_OUT) + (1 << (LEFT_OUT - 1));
            let light = f32::from_bits(DARKEST + middle);
            let shown = match blend {
                Blend::Codes | Blend::Over => light,
                Blend::Add => 1.0 - exp2(light * -LOG2_E),
            };
            *code = srgb(shown) * 255.0;
        }
    }

    #[inline(always)]
    fn entry(light: f32) -> usize {
        // A comparison with NaN is false.
        let light = if light > 1e-9 { light } else { 1e-9 };
        let bits = light.to_bits().max(DARKEST) - DARKEST;
        (bits >> LEFT_OUT).min(ENTRIES as u32 - 1) as usize
    }
}

clones! {
    /// Lays a row of light over what lies between two rows under it, and dithers to 8 bits.
    pub(super) fn tone_row(
        look: (Tone, &Curve),
        pixels: &mut [u8],
        channels: Channels,
        light: &[Light],
        under: (&[Light], &[Light], f32),
        thresholds: &[f32; dither::TILE],
    ) {
        let ((tone, curve), (upper, lower, way)) = (look, under);
        let mut added = [[0.0, 0.0, 0.0, OPAQUE]; dither::TILE];
        for (added, threshold) in added.iter_mut().zip(thresholds) {
            let threshold = threshold - 0.5;
            *added = [threshold, threshold, threshold, OPAQUE];
        }
        let mut codes = [[0.0; 4]; dither::TILE];
        let rows = upper.chunks(dither::TILE).zip(lower.chunks(dither::TILE));
        for ((pixels, light), (upper, lower)) in pixels
            .chunks_mut(dither::TILE * 4)
            .zip(light.chunks(dither::TILE))
            .zip(rows)
        {
            mix(&mut codes, upper, lower, way);
            if tone.blend == Blend::Codes {
                tone.develop(light, &mut codes[..light.len()]);
            } else {
                tone.gather(light, &mut codes);
                curve_all(curve, &mut codes);
            }
            if channels == Channels::Bgra {
                for code in &mut codes {
                    code.swap(0, 2);
                }
            }
            let mut shown = [0; dither::TILE * 4];
            let codes = codes.as_flattened();
            for ((shown, code), added) in shown.iter_mut().zip(codes).zip(added.as_flattened()) {
                *shown = nearest_code(code + added);
            }
            pixels.copy_from_slice(&shown[..pixels.len()]);
        }
    }
}

/// What makes any code opaque.
const OPAQUE: f32 = 512.0;

/// Replaces light by its codes.
#[inline(always)]
fn curve_all(curve: &Curve, values: &mut [Light; dither::TILE]) {
    let mut entries = [0; dither::TILE * 4];
    for (entry, light) in entries.iter_mut().zip(values.as_flattened()) {
        *entry = Curve::entry(*light) as u32;
    }
    for (value, entry) in values.as_flattened_mut().iter_mut().zip(entries) {
        *value = curve.codes[entry as usize % ENTRIES];
    }
}

clones! {
    /// The same, neither dithered nor rounded: sRGB in [0, 1].
    pub(super) fn tone_developed_row(
        tone: Tone,
        rgb: &mut [[f32; 3]],
        light: &[Light],
        under: (&[Light], &[Light], f32),
    ) {
        let (upper, lower, way) = under;
        let rows = upper.chunks(dither::TILE).zip(lower.chunks(dither::TILE));
        let mut codes = [[0.0; 4]; dither::TILE];
        for ((rgb, light), (upper, lower)) in rgb
            .chunks_mut(dither::TILE)
            .zip(light.chunks(dither::TILE))
            .zip(rows)
        {
            mix(&mut codes, upper, lower, way);
            tone.develop(light, &mut codes[..light.len()]);
            for (rgb, [red, green, blue, _]) in rgb.iter_mut().zip(&codes) {
                *rgb = [*red, *green, *blue].map(|code| code.clamp(0.0, 255.0) * (1.0 / 255.0));
            }
        }
    }
}
