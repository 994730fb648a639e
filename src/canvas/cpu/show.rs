//! A row of light laid over the background, in codes: dithered to 8 bits, or as it is.

use super::Light;
use crate::dither;
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
