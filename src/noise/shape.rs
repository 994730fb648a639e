//! What becomes of the sum of octaves: ridges, billows, contrast, bands.

use super::BLOCK;
use crate::polynomial::{cos_sin, exp2};

/// What a sum of octaves is turned into. `v` is its value in [0, 1], and n = 2v - 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// v as it is.
    Plain,
    /// 1 - |n|: ridges, sharp at 1.
    Ridged,
    /// |n|: billows, sharp at 0.
    Billow,
    /// v to a power above 0.
    Power(f32),
    /// 1/2 + 1/2 sin(2 pi turns n): bands.
    Sine(f32),
}

/// A value within [0, 1].
#[inline(always)]
pub(super) fn bounded(value: f32) -> f32 {
    value.clamp(0.0, 1.0)
}

/// `value` in [0, 1] to a power above 0; what is below 1e-30 counts as that.
#[inline(always)]
pub(super) fn power(value: f32, exponent: f32) -> f32 {
    exp2(exponent * log2(if value > 1e-30 { value } else { 1e-30 }))
}

/// The logarithm to base 2 of a normal number above 0, within 3e-7 of the larger of 1 and itself.
#[inline(always)]
fn log2(x: f32) -> f32 {
    // The mantissa in [sqrt(1/2), sqrt(2)), which the number of bits of sqrt(1/2) brings it to.
    let bits = x.to_bits().wrapping_sub(0x3f35_04f3);
    let exponent = (bits as i32 >> 23) as f32;
    let mantissa = f32::from_bits((bits & 0x007f_ffff).wrapping_add(0x3f35_04f3));
    // ln(m) = 2 artanh((m - 1) / (m + 1)), by its power series; the first term left out is below 2e-9 for |s| <= .1716.
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let square = s * s;
    let series = 1.0 + square * (1.0 / 3.0 + square * (0.2 + square * (1.0 / 7.0 + square / 9.0)));
    exponent + 2.0 * std::f32::consts::LOG2_E * (s * series)
}

impl Shape {
    /// The shaped value, in [0, 1] but for a plain one.
    #[inline(always)]
    pub(super) fn apply(self, v: f32) -> f32 {
        match self {
            Shape::Plain => v,
            Shape::Ridged => bounded(1.0 - (v * 2.0 - 1.0).abs()),
            Shape::Billow => bounded((v * 2.0 - 1.0).abs()),
            Shape::Power(exponent) => bounded(power(bounded(v), exponent)),
            Shape::Sine(turns) => bounded(cos_sin(turns * (v * 2.0 - 1.0))[1] * 0.5 + 0.5),
        }
    }

    /// The same for many: which shape is chosen once for all of them.
    #[inline(always)]
    pub(super) fn apply_all(self, values: &mut [f32]) {
        match self {
            Shape::Plain => {}
            Shape::Ridged => {
                for value in values {
                    *value = Shape::Ridged.apply(*value);
                }
            }
            Shape::Billow => {
                for value in values {
                    *value = Shape::Billow.apply(*value);
                }
            }
            Shape::Power(exponent) => {
                for value in values {
                    *value = Shape::Power(exponent).apply(*value);
                }
            }
            Shape::Sine(turns) => {
                for value in values {
                    *value = Shape::Sine(turns).apply(*value);
                }
            }
        }
    }

    /// The same for a block.
    #[inline(always)]
    pub(super) fn apply_block(self, values: &mut [f32; BLOCK]) {
        self.apply_all(values);
    }

    /// How fast the shaped value changes with v.
    pub(super) fn slope(self, v: f32) -> f32 {
        match self {
            Shape::Plain => 1.0,
            Shape::Ridged | Shape::Billow => 2.0,
            Shape::Power(exponent) => exponent * power(bounded(v), exponent) / bounded(v).max(1e-3),
            Shape::Sine(turns) => {
                std::f32::consts::TAU * turns * cos_sin(turns * (v * 2.0 - 1.0))[0]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_close_to_the_c_library() {
        for index in 1..=10_000u16 {
            let v = f32::from(index) / 10_000.0;
            for exponent in [0.2f32, 0.5, 1.0, 1.7, 3.0, 8.0] {
                let exact = f64::from(v).powf(exponent.into());
                let close = f64::from(power(v, exponent));
                assert!((close - exact).abs() < 2e-6, "{v}^{exponent}: {close}");
            }
        }
        assert!(power(0.0, 0.5) < 1e-14 && power(-1.0, 2.0) < 1e-29);
    }

    #[test]
    fn shapes_are_their_formulas() {
        for index in 0..=1000u16 {
            let v = f32::from(index) / 1000.0;
            let n = f64::from(v) * 2.0 - 1.0;
            let near = |shape: Shape, expected: f64| {
                let value = f64::from(shape.apply(v));
                assert!((value - expected).abs() < 1e-6, "{shape:?} {v}: {value}");
                assert!((0.0..=1.0).contains(&value));
                let mut block = [v; BLOCK];
                shape.apply_block(&mut block);
                assert_eq!(block, [shape.apply(v); BLOCK]);
            };
            near(Shape::Plain, v.into());
            near(Shape::Ridged, 1.0 - n.abs());
            near(Shape::Billow, n.abs());
            near(Shape::Power(2.5), f64::from(v).powf(2.5));
            let angle = n * 1.5 * std::f64::consts::TAU;
            near(Shape::Sine(1.5), 0.5 + 0.5 * angle.sin());
        }
        for shape in [Shape::Ridged, Shape::Billow, Shape::Power(0.5)] {
            assert!(
                [-0.01, 1.01]
                    .iter()
                    .all(|&v| (0.0..=1.0).contains(&shape.apply(v)))
            );
        }
    }
}
