//! sRGB to linear light and back (IEC 61966-2-1), by plain arithmetic: the same bits on every machine.
//!
//! The powers are polynomials whose largest error, in sRGB, is as small as their degree allows. Their coefficients come from
//! a weighted fit at 800 Chebyshev points.

/// The linear light of an sRGB value, both in [0, 1], within .5 codes of 16 bits when it is turned back.
#[inline(always)]
pub(super) fn linear(srgb: f32) -> f32 {
    // ((srgb + .055) / 1.055)^2.4
    let power = 8.527_599e-4
        + srgb
            * (0.035_329_09
                + srgb
                    * (0.485_911_22
                        + srgb
                            * (0.851_094_97
                                + srgb
                                    * (-0.794_228_4
                                        + srgb
                                            * (0.737_973_2
                                                + srgb * (-0.420_849_78 + srgb * 0.103_926_87))))));
    if srgb > 0.040_45 {
        power
    } else {
        srgb * (1.0 / 12.92)
    }
}

/// The sRGB value of linear light, both in [0, 1], within .3 codes of 16 bits.
#[inline(always)]
pub(super) fn srgb(linear: f32) -> f32 {
    // 1.055 * linear^(1 / 2.4) - .055, in the fourth root: a square root is exact, and is so everywhere.
    let root = linear.sqrt().sqrt();
    let power = -0.059_546_617
        + root
            * (0.139_604_24
                + root
                    * (1.365_920_6
                        + root
                            * (-0.852_956_2
                                + root
                                    * (0.657_186_6
                                        + root * (-0.318_414_87 + root * 0.068_207_674)))));
    let value = if linear > 0.003_130_8 {
        power
    } else {
        linear * 12.92
    };
    value.clamp(0.0, 1.0)
}

/// The same in f64, by the C library.
#[cfg(test)]
pub(super) mod exact {
    pub fn linear(srgb: f64) -> f64 {
        if srgb > 0.04045 {
            ((srgb + 0.055) / 1.055).powf(2.4)
        } else {
            srgb / 12.92
        }
    }

    pub fn srgb(linear: f64) -> f64 {
        if linear > 0.003_130_8 {
            1.055 * linear.powf(1.0 / 2.4) - 0.055
        } else {
            linear * 12.92
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_are_close_to_the_c_library() {
        let (mut into, mut back, mut both) = (0.0f64, 0.0f64, 0.0f64);
        for index in 0..=1 << 20 {
            let value = index as f32 / (1 << 20) as f32;
            let code = f64::from(value);
            into = into.max((exact::srgb(f64::from(linear(value))) - code).abs());
            back = back.max((f64::from(srgb(value)) - exact::srgb(code)).abs());
            both = both.max((f64::from(srgb(linear(value))) - code).abs());
        }
        let codes = [into, back, both].map(|error| error * 65_535.0);
        println!("codes of 16 bits: {codes:?}");
        assert!(
            codes[0] < 0.35 && codes[1] < 0.25 && codes[2] < 0.5,
            "{codes:?}"
        );
        let exact = exact::linear(0.5);
        assert!((f64::from(linear(0.5)) - exact).abs() < 1e-5);
    }

    #[test]
    fn black_is_black_and_white_is_white() {
        assert_eq!([linear(0.0), srgb(0.0)], [0.0, 0.0]);
        assert!((srgb(linear(1.0)) - 1.0).abs() < 4e-6);
        assert_eq!(srgb(1.5), 1.0);
    }
}
