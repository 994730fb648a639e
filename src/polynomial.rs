//! Sine, cosine, angles, powers, roots and logarithms by plain arithmetic, so that every machine computes the same bits.
//!
//! The C library's functions change in their last bits with the version and with the CPU's features, and a picture
//! must not. Nothing here branches on the value: the loops that call these functions vectorise.

use std::f32::consts::FRAC_PI_2;

/// Adding and subtracting this rounds an f32 of magnitude below 2^22 to the nearest integer, left in the low bits. A
/// conversion that saturates takes several times as long.
const ROUND: f32 = 12_582_912.0;

/// The nearest integer to `x`, modulo 2^16, for `x` of magnitude below 2^22.
#[inline(always)]
pub fn nearest(x: f32) -> i16 {
    (x + ROUND).to_bits() as i16
}

/// The integer below `x`, modulo 2^22, and the way from it to `x` in [0, 1], for `x` of magnitude below 2^22; an integer may
/// count to either side. Of what is no such number, anything.
#[inline(always)]
pub fn split(x: f32) -> (u32, f32) {
    // Half is taken off so that rounding to nearest rounds down.
    let rounded = (x - 0.5) + ROUND;
    (
        rounded.to_bits().wrapping_sub(ROUND.to_bits()),
        x - (rounded - ROUND),
    )
}

/// Cosine and sine of an angle in turns, each within 1.5e-7; `turns` of magnitude up to 2^19.
#[inline(always)]
pub fn cos_sin(turns: f32) -> [f32; 2] {
    let quarters = turns * 4.0;
    let rounded = quarters + ROUND;
    let quadrant = rounded.to_bits();
    let x = (quarters - (rounded - ROUND)) * FRAC_PI_2;
    let square = x * x;
    // Taylor: the first terms left out are below 2e-9 for |x| <= pi/4.
    let sine = x + x
        * square
        * (-1.0 / 6.0 + square * (1.0 / 120.0 + square * (-1.0 / 5040.0 + square / 362_880.0)));
    let cosine = 1.0
        + square
            * (-0.5
                + square
                    * (1.0 / 24.0
                        + square
                            * (-1.0 / 720.0 + square * (1.0 / 40320.0 - square / 3_628_800.0))));
    let swap = quadrant & 1 == 1;
    let (along, across) = if swap { (sine, cosine) } else { (cosine, sine) };
    let negate = |value: f32, bits: u32| f32::from_bits(value.to_bits() ^ ((bits & 2) << 30));
    [
        negate(along, quadrant.wrapping_add(quadrant & 1)),
        negate(across, quadrant),
    ]
}

/// Cosine and sine after `part` of `parts` equal steps around a circle, each within 3e-16; for `part` in [0, `parts`] and `parts` from 1
/// to 2^60.
pub fn circle(part: i64, parts: i64) -> [f64; 2] {
    // The nearest quarter and the way from it are exact: 8 times the way is at most `parts`.
    let quarter = (8 * i128::from(part) + i128::from(parts)).div_euclid(2 * i128::from(parts));
    let way = 4 * i128::from(part) - quarter * i128::from(parts);
    let x = way as f64 / parts as f64 * std::f64::consts::FRAC_PI_2;
    let square = x * x;
    // Taylor: the first terms left out are below 1e-17 for |x| <= pi/4.
    let term = |first: u32| {
        let factors = (0..8).map(|k| f64::from((2 * k + first) * (2 * k + first + 1)));
        factors
            .rev()
            .fold(1.0, |sum, factor| 1.0 - square / factor * sum)
    };
    let (cosine, sine) = (term(1), x * term(2));
    match quarter.rem_euclid(4) {
        0 => [cosine, sine],
        1 => [-sine, cosine],
        2 => [-cosine, -sine],
        _ => [sine, -cosine],
    }
}

/// Cosine and sine of an angle in turns, each within 3e-15 of those of the rest that a whole number of turns leaves; for finite `turns`.
pub fn circle_at(turns: f64) -> [f64; 2] {
    const PARTS: i64 = 1 << 52;
    circle((turns.rem_euclid(1.0) * PARTS as f64) as i64, PARTS)
}

/// The angle of a point, seen from the origin, in turns in [-.5, .5], within 1e-15; 0 for the origin itself. The inverse of [`circle_at`].
pub fn turns_to([x, y]: [f64; 2]) -> f64 {
    let (long, short) = (x.abs().max(y.abs()), x.abs().min(y.abs()));
    if long == 0.0 {
        return 0.0;
    }
    // The tangent of a quarter of the angle, which is at most pi / 4.
    let mut t = short / long;
    for _ in 0..2 {
        t /= 1.0 + (1.0 + t * t).sqrt();
    }
    // Taylor of the arctangent: the first terms left out are below 1e-18 for t <= tan(pi / 16).
    let square = t * t;
    let series = (0..12)
        .rev()
        .fold(0.0, |sum, k| 1.0 / f64::from(2 * k + 1) - square * sum);
    let octant = 4.0 * t * series / std::f64::consts::TAU;
    let quadrant = if y.abs() > x.abs() {
        0.25 - octant
    } else {
        octant
    };
    let half = if x < 0.0 { 0.5 - quadrant } else { quadrant };
    if y < 0.0 { -half } else { half }
}

/// The root of that degree, from 1 to 5, of a finite `x` of at least 0, relative error below 1e-15; 0 for numbers below the normal ones.
pub fn root(x: f64, degree: u32) -> f64 {
    if x < f64::MIN_POSITIVE {
        return 0.0;
    }
    // A part of the exponent is within 4 % of the root, and Newton's steps square that.
    const ONE: i64 = 1023 << 52;
    let first = (x.to_bits() as i64 - ONE) / i64::from(degree) + ONE;
    let count = f64::from(degree);
    (0..6).fold(f64::from_bits(first as u64), |root, _| {
        let power = (1..degree).fold(1.0, |power, _| power * root);
        root + (x / power - root) / count
    })
}

/// 2 to the power of `x` for `x` in [-126, 126], relative error below 3e-7; values outside take the nearest end.
#[inline(always)]
pub fn exp2(x: f32) -> f32 {
    let x = x.clamp(-126.0, 126.0);
    let rounded = x + ROUND;
    let exponent = rounded.to_bits() as i32 - ROUND.to_bits() as i32;
    let t = (x - (rounded - ROUND)) * std::f32::consts::LN_2;
    // Taylor of e^t: the first term left out is below 2e-8 for |t| <= ln(2)/2.
    let fraction = 1.0
        + t * (1.0
            + t * (0.5
                + t * (1.0 / 6.0 + t * (1.0 / 24.0 + t * (1.0 / 120.0 + t * (1.0 / 720.0))))));
    fraction * f32::from_bits(((exponent + 127) << 23) as u32)
}

/// The logarithm to base 2 of a finite, normal `x` above 0, within 1e-15 of the larger of 1 and itself.
pub fn log2(x: f64) -> f64 {
    let bits = x.to_bits();
    let mut exponent = ((bits >> 52) & 0x7ff) as i64 - 1023;
    let mut mantissa = f64::from_bits((bits & ((1 << 52) - 1)) | (1023 << 52));
    if mantissa > std::f64::consts::SQRT_2 {
        mantissa *= 0.5;
        exponent += 1;
    }
    // ln(m) = 2 artanh((m - 1) / (m + 1)), by its power series; |s| <= .1716, so eleven terms reach 1e-17.
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let square = s * s;
    let series = (0..11)
        .rev()
        .fold(0.0, |sum, k| sum * square + 1.0 / f64::from(2 * k + 1));
    exponent as f64 + 2.0 * s * series * std::f64::consts::LOG2_E
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cos_sin_is_close_to_the_c_library() {
        let mut worst = 0.0f64;
        for index in -400_000..400_000 {
            let turns = index as f32 * 1.003e-5;
            let [cosine, sine] = cos_sin(turns);
            let angle = f64::from(turns) * std::f64::consts::TAU;
            worst = worst
                .max((f64::from(cosine) - angle.cos()).abs())
                .max((f64::from(sine) - angle.sin()).abs());
        }
        assert!(worst < 1.5e-7, "{worst}");
    }

    #[test]
    fn numbers_split_into_a_whole_and_the_way_from_it() {
        for index in -40_000..40_000i32 {
            let x = index as f32 * 0.137;
            let (whole, way) = split(x);
            let whole = whole as i32;
            assert!((0.0..=1.0).contains(&way), "{x}: {way}");
            assert!((whole as f32 + way - x).abs() < 1e-3, "{x}: {whole} {way}");
            assert_eq!(i32::from(nearest(x)), x.round_ties_even() as i32);
        }
        assert_eq!((split(2.75), split(-0.25)), ((2, 0.75), (u32::MAX, 0.75)));
    }

    #[test]
    fn quarter_turns_are_exact() {
        let exact = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]];
        for quarter in -8i32..8 {
            let [cosine, sine] = cos_sin(quarter as f32 / 4.0);
            assert_eq!([cosine, sine], exact[quarter.rem_euclid(4) as usize]);
        }
    }

    #[test]
    fn circles_are_close_to_the_c_library() {
        let mut worst = 0.0f64;
        for parts in [1, 2, 3, 7, 60, 1001, 216_000, 4_294_967_295] {
            for index in 0..=997 {
                let part = (i128::from(parts) * index / 997) as i64;
                let [cosine, sine] = circle(part, parts);
                let angle = part as f64 / parts as f64 * std::f64::consts::TAU;
                worst = worst
                    .max((cosine - angle.cos()).abs())
                    .max((sine - angle.sin()).abs());
            }
            assert_eq!(circle(0, parts), [1.0, 0.0]);
            assert_eq!(circle(parts, parts), [1.0, 0.0]);
        }
        assert!(worst < 1.5e-15, "{worst}");
        assert_eq!(circle(15, 60), [0.0, 1.0]);
        assert_eq!(circle(30, 60), [-1.0, 0.0]);
        assert_eq!(circle(45, 60), [0.0, -1.0]);
    }

    #[test]
    fn angles_are_close_to_the_c_library_and_lead_back() {
        for index in -3000..3000 {
            let turns = f64::from(index) * 0.000_731;
            let angle = turns * std::f64::consts::TAU;
            let [cosine, sine] = circle_at(turns);
            assert!((cosine - angle.cos()).abs() < 1e-14, "{turns}");
            assert!((sine - angle.sin()).abs() < 1e-14, "{turns}");
            for length in [1e-9, 1.0, 1e6] {
                let [x, y] = [cosine * length, sine * length];
                let exact = y.atan2(x) / std::f64::consts::TAU;
                assert!((turns_to([x, y]) - exact).abs() < 1e-15, "{turns}");
            }
        }
        assert_eq!(circle_at(-0.25), [0.0, -1.0]);
        assert_eq!(circle_at(-1e-300), [1.0, 0.0]);
        let axes = [[0.0, 0.0], [2.0, 0.0], [0.0, 3.0], [-1.0, 0.0], [0.0, -1.0]];
        assert_eq!(axes.map(turns_to), [0.0, 0.0, 0.25, 0.5, -0.25]);
        assert_eq!(turns_to([-1.0, -1.0]), -0.375);
    }

    #[test]
    fn roots_are_close_to_the_c_library() {
        for degree in 1..=5u32 {
            for index in -2000..2000 {
                let x = (f64::from(index) * 0.017).exp();
                let exact = x.powf(1.0 / f64::from(degree));
                let error = (root(x, degree) / exact - 1.0).abs();
                assert!(error < 1e-15, "{x} {degree}: {error:e}");
            }
            assert_eq!([root(0.0, degree), root(1.0, degree)], [0.0, 1.0]);
        }
        assert_eq!(root(-1.0, 3), 0.0);
    }

    #[test]
    fn exp2_and_log2_are_close_to_the_c_library() {
        let mut worst = 0.0f64;
        for index in -100_000..100_000 {
            let x = index as f32 * 0.001_257;
            let exact = f64::from(x.clamp(-126.0, 126.0)).exp2();
            worst = worst.max((f64::from(exp2(x)) / exact - 1.0).abs());
        }
        assert!(worst < 3e-7, "{worst}");
        for index in 1..100_000 {
            let x = f64::from(index) * 0.000_731;
            assert!(
                (log2(x) - x.log2()).abs() <= 1e-15 * x.log2().abs().max(1.0),
                "{x}"
            );
        }
        assert_eq!(log2(1.0), 0.0);
        assert_eq!(exp2(0.0), 1.0);
    }
}
