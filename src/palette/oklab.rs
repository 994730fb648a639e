//! sRGB, linear light and OKLab, exactly; and colors that no screen shows brought back to those that one shows.
//!
//! OKLab is Björn Ottosson's ("A perceptual color space for image processing", 2020): lightness in [0, 1], and two axes
//! from green to red and from blue to yellow. Equal ways in it look equally far, so what is blended in it stays even.

use crate::polynomial::root;

/// Lightness, green to red, blue to yellow.
pub type Lab = [f64; 3];

/// How far linear light may lie outside [0, 1] and still counts as inside: what rounding and the matrices' digits leave.
const SLACK: f64 = 1e-6;

/// Halvings of the range in which a chroma is sought: to far below a code of 16 bits.
const HALVINGS: u32 = 30;

/// The linear light of an sRGB value, both in [0, 1] (IEC 61966-2-1).
pub fn linear(srgb: f64) -> f64 {
    if srgb <= 0.04045 {
        return srgb / 12.92;
    }
    let base = (srgb + 0.055) / 1.055;
    let fifth = root(base, 5);
    base * base * fifth * fifth
}

/// The sRGB value of linear light, both in [0, 1].
pub fn encoded(linear: f64) -> f64 {
    if linear <= 0.003_130_8 {
        return linear * 12.92;
    }
    // The twelfth root: 1 / 2.4 is five of it.
    let twelfth = root(linear.sqrt().sqrt(), 3);
    let square = twelfth * twelfth;
    1.055 * square * square * twelfth - 0.055
}

/// OKLab of linear light, which may lie outside [0, 1].
pub fn lab(linear: [f64; 3]) -> Lab {
    let cones = product(
        &[
            [0.412_221_470_8, 0.536_332_536_3, 0.051_445_992_9],
            [0.211_903_498_2, 0.680_699_545_1, 0.107_396_956_6],
            [0.088_302_461_9, 0.281_718_837_6, 0.629_978_700_5],
        ],
        linear,
    );
    product(
        &[
            [0.210_454_255_3, 0.793_617_785_0, -0.004_072_046_8],
            [1.977_998_495_1, -2.428_592_205_0, 0.450_593_709_9],
            [0.025_904_037_1, 0.782_771_766_2, -0.808_675_766_0],
        ],
        cones.map(|cone| root(cone.abs(), 3).copysign(cone)),
    )
}

/// The linear light of OKLab; outside [0, 1] where no screen shows the color.
pub fn light(lab: Lab) -> [f64; 3] {
    let roots = product(
        &[
            [1.0, 0.396_337_777_4, 0.215_803_757_3],
            [1.0, -0.105_561_345_8, -0.063_854_172_8],
            [1.0, -0.089_484_177_5, -1.291_485_548_0],
        ],
        lab,
    );
    product(
        &[
            [4.076_741_662_1, -3.307_711_591_3, 0.230_969_929_2],
            [-1.268_438_004_6, 2.609_757_401_1, -0.341_319_396_5],
            [-0.004_196_086_3, -0.703_418_614_7, 1.707_614_701_0],
        ],
        roots.map(|root| root * root * root),
    )
}

/// The linear light in [0, 1] of the color itself, or else of the most colorful one of its lightness and hue that a screen shows.
pub fn shown(lab: Lab) -> [f64; 3] {
    let [lightness, a, b] = lab;
    let lightness = lightness.clamp(0.0, 1.0);
    let with = |share: f64| light([lightness, a * share, b * share]);
    let fits = |light: &[f64; 3]| {
        let range = -SLACK..=1.0 + SLACK;
        light.iter().all(|channel| range.contains(channel))
    };
    let mut found = with(1.0);
    if !fits(&found) {
        let (mut inside, mut outside) = (0.0, 1.0);
        for _ in 0..HALVINGS {
            let middle = (inside + outside) / 2.0;
            if fits(&with(middle)) {
                inside = middle;
            } else {
                outside = middle;
            }
        }
        found = with(inside);
    }
    found.map(|channel| channel.clamp(0.0, 1.0))
}

/// The linear light of sRGB codes.
pub fn light_of(codes: [u8; 3]) -> [f64; 3] {
    codes.map(|code| linear(f64::from(code) / 255.0))
}

/// The nearest sRGB codes of linear light in [0, 1].
pub fn codes_of(light: [f64; 3]) -> [u8; 3] {
    light.map(|channel| (encoded(channel) * 255.0 + 0.5) as u8)
}

fn product(matrix: &[[f64; 3]; 3], [x, y, z]: [f64; 3]) -> [f64; 3] {
    matrix.map(|[a, b, c]| a * x + b * y + c * z)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The same by the C library: OKLab of sRGB codes.
    pub fn exact_lab(codes: [u8; 3]) -> Lab {
        lab_by(codes.map(|code| exact_linear(f64::from(code) / 255.0)))
    }

    pub fn exact_linear(srgb: f64) -> f64 {
        if srgb > 0.04045 {
            ((srgb + 0.055) / 1.055).powf(2.4)
        } else {
            srgb / 12.92
        }
    }

    pub fn exact_encoded(linear: f64) -> f64 {
        if linear > 0.003_130_8 {
            1.055 * linear.powf(1.0 / 2.4) - 0.055
        } else {
            linear * 12.92
        }
    }

    fn lab_by([r, g, b]: [f64; 3]) -> Lab {
        let l = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b).cbrt();
        let m = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b).cbrt();
        let s = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b).cbrt();
        [
            0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
            1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
            0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s,
        ]
    }

    fn assert_close(actual: [f64; 3], expected: [f64; 3], tolerance: f64) {
        let is_close = (0..3).all(|k| (actual[k] - expected[k]).abs() <= tolerance);
        assert!(is_close, "{actual:?} {expected:?}");
    }

    /// The table of the article, which gives four colors in CIE XYZ.
    #[test]
    fn the_published_colors_come_out() {
        let published = [
            ([0.950, 1.000, 1.089], [1.000, 0.000, 0.000]),
            ([1.000, 0.000, 0.000], [0.450, 1.236, -0.019]),
            ([0.000, 1.000, 0.000], [0.922, -0.671, 0.263]),
            ([0.000, 0.000, 1.000], [0.153, -1.415, -0.449]),
        ];
        for (xyz, expected) in published {
            let linear = product(
                &[
                    [3.240_970, -1.537_383, -0.498_611],
                    [-0.969_244, 1.875_968, 0.041_555],
                    [0.055_630, -0.203_977, 1.056_972],
                ],
                xyz,
            );
            assert_close(lab(linear), expected, 1.5e-3);
        }
    }

    /// As the CSS Color Module and its tests give them.
    #[test]
    fn the_primaries_of_srgb_come_out() {
        let known = [
            ([0, 0, 0], [0.0, 0.0, 0.0]),
            ([255, 255, 255], [1.0, 0.0, 0.0]),
            ([255, 0, 0], [0.62796, 0.22486, 0.12585]),
            ([0, 255, 0], [0.86644, -0.23389, 0.17950]),
            ([0, 0, 255], [0.45201, -0.03246, -0.31153]),
        ];
        for (codes, expected) in known {
            assert_close(lab(light_of(codes)), expected, 2e-5);
        }
    }

    #[test]
    fn every_way_leads_back_and_is_close_to_the_c_library() {
        for code in 0..=255u8 {
            let value = f64::from(code) / 255.0;
            assert!((linear(value) - exact_linear(value)).abs() < 1e-15);
            assert!((encoded(value) - exact_encoded(value)).abs() < 1e-15);
            assert!((encoded(linear(value)) - value).abs() < 2e-8);
        }
        for index in 0..4096u32 {
            let codes = [index, index >> 4, index >> 8].map(|bits| ((bits & 15) * 17) as u8);
            let light = light_of(codes);
            assert_close(lab(light), exact_lab(codes), 1e-14);
            assert_close(super::light(lab(light)), light, 5e-7);
            assert_eq!(codes_of(shown(lab(light))), codes);
        }
    }

    #[test]
    fn what_no_screen_shows_loses_chroma_and_nothing_else() {
        for index in 0..720 {
            let angle = f64::from(index) * std::f64::consts::PI / 360.0;
            // Closer to black the slack shows, in light far below a code.
            for lightness in [0.1, 0.2, 0.5, 0.8, 0.99] {
                let wanted = [lightness, 0.5 * angle.cos(), 0.5 * angle.sin()];
                let shown = shown(wanted);
                assert!(shown.iter().all(|channel| (0.0..=1.0).contains(channel)));
                let [l, a, b] = lab(shown);
                let chroma = a.hypot(b);
                assert!((l - lightness).abs() < 1e-3, "{wanted:?}: {l}");
                assert!(chroma < 0.5 && chroma > 0.003, "{wanted:?}: {chroma}");
                let turned = (a * angle.sin() - b * angle.cos()) / chroma;
                assert!(turned.abs() < 5e-3, "{wanted:?}: {turned}");
            }
        }
        assert_eq!(shown([1.5, 0.1, 0.0]).map(|c| c > 1.0 - 1e-5), [true; 3]);
        assert_eq!(shown([-1.0, 0.1, 0.0]).map(|c| c < 1e-5), [true; 3]);
    }
}
