//! Palettes of three cosines, one for each channel.
//!
//! Source: Inigo Quilez, "Palettes" (iquilezles.org): `a + b * cos(2 pi (c * value + d))`, in sRGB.

use crate::polynomial::circle_at;

/// Largest magnitude of a cosine palette's numbers.
pub const LARGEST: f64 = 100.0;

/// The twelve numbers of a cosine palette: `a`, `b`, `c` and `d`, each for red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cosine {
    numbers: [f64; 12],
}

impl Cosine {
    /// A palette of these numbers; nothing where one is not within [`LARGEST`] of 0.
    pub const fn new(numbers: [f64; 12]) -> Option<Cosine> {
        let mut index = 0;
        while index < numbers.len() {
            // What is not a number is not within anything.
            if !(-LARGEST <= numbers[index] && numbers[index] <= LARGEST) {
                return None;
            }
            index += 1;
        }
        Some(Cosine { numbers })
    }

    /// The numbers.
    pub fn numbers(&self) -> &[f64; 12] {
        &self.numbers
    }

    /// The color for `value`, sRGB, each channel cut to [0, 1].
    pub(super) fn color(&self, value: f64) -> [f64; 3] {
        [0, 1, 2].map(|channel| {
            let [a, b, c, d] = [0, 3, 6, 9].map(|row| self.numbers[row + channel]);
            (a + b * circle_at(c * value + d)[0]).clamp(0.0, 1.0)
        })
    }
}
