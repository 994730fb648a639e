//! 10-bit samples from numbers, dithered.

use super::{BLUE_DIFFERENCE, LUMA, RED_DIFFERENCE, Row};
use crate::dither;
use crate::simd::clones;

/// Of luma, which spans 876 codes from 64.
const LUMA_WEIGHTS: [f32; 3] = weights(LUMA, 876.0);

/// Of the differences, which span 896 codes around 512.
const BLUE_WEIGHTS: [f32; 3] = weights(BLUE_DIFFERENCE, 896.0);
const RED_WEIGHTS: [f32; 3] = weights(RED_DIFFERENCE, 896.0);

const fn weights(shares: [f64; 3], span: f64) -> [f32; 3] {
    [
        (shares[0] * span) as f32,
        (shares[1] * span) as f32,
        (shares[2] * span) as f32,
    ]
}

/// A sample from red, green and blue: the floor of its value and the threshold, low byte first.
#[inline(always)]
fn sample([red, green, blue]: [f32; 3], weights: [f32; 3], zero: f32, threshold: f32) -> [u8; 2] {
    let sum = weights[0] * red + weights[1] * green + weights[2] * blue;
    // Rounds to the nearest whole number in the low bits; a conversion that saturates is five times as slow.
    let rounded = sum + (zero - 0.5 + threshold) + 8_388_608.0;
    (rounded.to_bits() as u16).to_le_bytes()
}

/// In [0, 1], and 0 for what is no number.
#[inline(always)]
fn limited(value: f32) -> f32 {
    let value = if value > 0.0 { value } else { 0.0 };
    if value < 1.0 { value } else { 1.0 }
}

#[inline(always)]
fn channels([red, green, blue]: [f32; 3]) -> [f32; 3] {
    [limited(red), limited(green), limited(blue)]
}

clones! {
    /// Luma of a row.
    pub fn luma(pixels: &[[f32; 3]], thresholds: &Row, luma: &mut [[u8; 2]]) {
        for (luma, pixels) in luma.chunks_mut(dither::TILE).zip(pixels.chunks(dither::TILE)) {
            for ((luma, pixel), threshold) in luma.iter_mut().zip(pixels).zip(thresholds) {
                *luma = sample(channels(*pixel), LUMA_WEIGHTS, 64.0, *threshold);
            }
        }
    }
}

clones! {
    /// Chroma of a row, a sample of each for each pixel.
    pub fn full_chroma(
        pixels: &[[f32; 3]],
        thresholds: [&Row; 2],
        blue: &mut [[u8; 2]],
        red: &mut [[u8; 2]],
    ) {
        for ((blue, red), pixels) in blue
            .chunks_mut(dither::TILE)
            .zip(red.chunks_mut(dither::TILE))
            .zip(pixels.chunks(dither::TILE))
        {
            let thresholds = thresholds[0].iter().zip(thresholds[1]);
            for (((blue, red), pixel), (to_blue, to_red)) in
                blue.iter_mut().zip(red).zip(pixels).zip(thresholds)
            {
                let channels = channels(*pixel);
                *blue = sample(channels, BLUE_WEIGHTS, 512.0, *to_blue);
                *red = sample(channels, RED_WEIGHTS, 512.0, *to_red);
            }
        }
    }
}

clones! {
    /// Chroma of two rows, at half their width.
    pub fn halved_chroma(
        upper: &[[f32; 3]],
        lower: &[[f32; 3]],
        thresholds: [&Row; 2],
        blue: &mut [[u8; 2]],
        red: &mut [[u8; 2]],
    ) {
        let mut columns = Columns::before(upper, lower);
        for (((upper, lower), blue), red) in upper
            .chunks(dither::TILE * 2)
            .zip(lower.chunks(dither::TILE * 2))
            .zip(blue.chunks_mut(dither::TILE))
            .zip(red.chunks_mut(dither::TILE))
        {
            columns.add_rows(upper, lower);
            columns.chroma(thresholds, blue, red);
        }
    }
}

/// The columns of two rows of pixels over a tile of samples, each the sum of two pixels, channel by channel. The first is the
/// one left of the tile; and one more than the tile has, where it is odd.
struct Columns([[f32; COLUMNS + 2]; 3]);

/// Columns over a tile.
const COLUMNS: usize = dither::TILE * 2;

impl Columns {
    /// With the first pixel once more as the one left of it.
    #[inline(always)]
    fn before(upper: &[[f32; 3]], lower: &[[f32; 3]]) -> Columns {
        let mut columns = Columns([[0.0; COLUMNS + 2]; 3]);
        // As a tile of one pixel, which then moves to the left of the next one.
        columns.add_rows(&upper[..upper.len().min(1)], &lower[..lower.len().min(1)]);
        for channel in &mut columns.0 {
            channel[COLUMNS] = channel[1];
        }
        columns
    }

    #[inline(always)]
    fn add_rows(&mut self, upper: &[[f32; 3]], lower: &[[f32; 3]]) {
        let count = upper.len().min(lower.len());
        let [red, green, blue] = &mut self.0;
        red[0] = red[COLUMNS];
        green[0] = green[COLUMNS];
        blue[0] = blue[COLUMNS];
        let sums = red[1..].iter_mut().zip(&mut green[1..]).zip(&mut blue[1..]);
        for (((red, green), blue), (upper, lower)) in sums.zip(upper.iter().zip(lower)) {
            let (upper, lower) = (channels(*upper), channels(*lower));
            *red = upper[0] + lower[0];
            *green = upper[1] + lower[1];
            *blue = upper[2] + lower[2];
        }
        red[count + 1] = red[count];
        green[count + 1] = green[count];
        blue[count + 1] = blue[count];
    }

    /// A quarter, half and a quarter of three columns in turn.
    #[inline(always)]
    fn chroma(&self, thresholds: [&Row; 2], blue: &mut [[u8; 2]], red: &mut [[u8; 2]]) {
        let thresholds = thresholds[0].iter().zip(thresholds[1]);
        for (index, ((blue, red), (to_blue, to_red))) in
            blue.iter_mut().zip(red).zip(thresholds).enumerate()
        {
            let channels = [
                mean(&self.0[0], index),
                mean(&self.0[1], index),
                mean(&self.0[2], index),
            ];
            *blue = sample(channels, BLUE_WEIGHTS, 512.0, *to_blue);
            *red = sample(channels, RED_WEIGHTS, 512.0, *to_red);
        }
    }
}

/// Of the six pixels around a sample.
#[inline(always)]
fn mean(columns: &[f32; COLUMNS + 2], sample: usize) -> f32 {
    let left = 2 * sample;
    (columns[left] + 2.0 * columns[left + 1] + columns[left + 2]) * 0.125
}
