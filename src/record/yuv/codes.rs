//! 8-bit samples from 8-bit codes, by integers: every product fits into the instruction that multiplies pairs of 16-bit
//! numbers, which is the fastest that every CPU has.

use super::{BLUE_DIFFERENCE, LUMA, RED_DIFFERENCE};
use crate::simd::clones;

/// Fractional bits of a weight.
const BITS: u32 = 15;

/// Of luma, which spans 219 codes from 16.
const LUMA_WEIGHTS: [i32; 3] = weights(LUMA, 219.0, 1.0);

/// Of the differences, which span 224 codes around 128.
const BLUE_WEIGHTS: [i32; 3] = weights(BLUE_DIFFERENCE, 224.0, 0.0);
const RED_WEIGHTS: [i32; 3] = weights(RED_DIFFERENCE, 224.0, 0.0);

/// Samples of chroma that are made at a time: enough for what begins and ends a loop not to count, few enough for the
/// nearest memory. (With 64 or with 512, all of it takes more than half as long again.)
const TILE: usize = 256;

/// Shares of codes in [0, 255] as integers, of which green takes what the others round off, so that gray stays gray.
const fn weights(shares: [f64; 3], span: f64, sum: f64) -> [i32; 3] {
    let one = span / 255.0 * (1 << BITS) as f64;
    let (red, blue) = (
        (shares[0] * one).round() as i32,
        (shares[2] * one).round() as i32,
    );
    [red, (sum * one).round() as i32 - red - blue, blue]
}

/// A sample from red, green and blue that are `1 << extra` times too large, each below 2^15.
#[inline(always)]
fn sample([red, green, blue]: [i32; 3], weights: [i32; 3], zero: i32, extra: u32) -> u8 {
    let shift = BITS + extra;
    let sum = weights[0] * red + weights[1] * green + weights[2] * blue;
    ((sum + (zero << shift) + (1 << (shift - 1))) >> shift) as u8
}

/// Red, green and blue of a pixel.
#[inline(always)]
fn channels(pixel: [u8; 4]) -> [i32; 3] {
    let pixel = i32::from_le_bytes(pixel);
    [pixel & 0xff, pixel >> 8 & 0xff, pixel >> 16 & 0xff]
}

clones! {
    /// Luma of each pixel.
    pub fn luma(pixels: &[[u8; 4]], luma: &mut [u8]) {
        for (luma, pixel) in luma.iter_mut().zip(pixels) {
            *luma = sample(channels(*pixel), LUMA_WEIGHTS, 16, 0);
        }
    }
}

clones! {
    /// All three samples of each pixel.
    pub fn full(pixels: &[[u8; 4]], luma: &mut [u8], blue: &mut [u8], red: &mut [u8]) {
        for (((luma, blue), red), pixel) in luma.iter_mut().zip(blue).zip(red).zip(pixels) {
            let channels = channels(*pixel);
            *luma = sample(channels, LUMA_WEIGHTS, 16, 0);
            *blue = sample(channels, BLUE_WEIGHTS, 128, 0);
            *red = sample(channels, RED_WEIGHTS, 128, 0);
        }
    }
}

clones! {
    /// Chroma of two rows, at half their width.
    pub fn halved_chroma(upper: &[[u8; 4]], lower: &[[u8; 4]], blue: &mut [u8], red: &mut [u8]) {
        let mut columns = Columns::before(upper, lower);
        for (((upper, lower), blue), red) in upper
            .chunks(TILE * 2)
            .zip(lower.chunks(TILE * 2))
            .zip(blue.chunks_mut(TILE))
            .zip(red.chunks_mut(TILE))
        {
            columns.add_rows(upper, lower);
            columns.chroma(blue, red);
        }
    }
}

/// The columns of two rows of pixels over a tile of samples, each the sum of two pixels: red and blue in 16 bits each, and
/// green. A sample lies at an even column; of the odd ones, the first is the one left of the tile.
struct Columns {
    even_red_blue: [u32; TILE],
    even_green: [u32; TILE],
    odd_red_blue: [u32; TILE + 1],
    odd_green: [u32; TILE + 1],
}

impl Columns {
    /// With the first pixels once more as those left of them.
    #[inline(always)]
    fn before(upper: &[[u8; 4]], lower: &[[u8; 4]]) -> Columns {
        let mut columns = Columns {
            even_red_blue: [0; TILE],
            even_green: [0; TILE],
            odd_red_blue: [0; TILE + 1],
            odd_green: [0; TILE + 1],
        };
        if let ([upper, ..], [lower, ..]) = (upper, lower) {
            [columns.odd_red_blue[TILE], columns.odd_green[TILE]] = sum(*upper, *lower);
        }
        columns
    }

    /// The last column of an odd number is its own pair.
    #[inline(always)]
    fn add_rows(&mut self, upper: &[[u8; 4]], lower: &[[u8; 4]]) {
        self.odd_red_blue[0] = self.odd_red_blue[TILE];
        self.odd_green[0] = self.odd_green[TILE];
        let (upper, upper_last) = upper.as_chunks::<2>();
        let (lower, lower_last) = lower.as_chunks::<2>();
        for (((((upper, lower), even_red_blue), even_green), odd_red_blue), odd_green) in upper
            .iter()
            .zip(lower)
            .zip(&mut self.even_red_blue)
            .zip(&mut self.even_green)
            .zip(&mut self.odd_red_blue[1..])
            .zip(&mut self.odd_green[1..])
        {
            [*even_red_blue, *even_green] = sum(upper[0], lower[0]);
            [*odd_red_blue, *odd_green] = sum(upper[1], lower[1]);
        }
        if let ([upper_last], [lower_last]) = (upper_last, lower_last) {
            let [red_blue, green] = sum(*upper_last, *lower_last);
            let last = upper.len();
            (self.even_red_blue[last], self.even_green[last]) = (red_blue, green);
            (self.odd_red_blue[last + 1], self.odd_green[last + 1]) = (red_blue, green);
        }
    }

    /// A quarter, half and a quarter of three columns in turn, of two pixels each: eight times too large.
    #[inline(always)]
    fn chroma(&self, blue: &mut [u8], red: &mut [u8]) {
        for (
            (
                (((((blue, red), own_red_blue), own_green), left_red_blue), left_green),
                right_red_blue,
            ),
            right_green,
        ) in blue
            .iter_mut()
            .zip(red)
            .zip(&self.even_red_blue)
            .zip(&self.even_green)
            .zip(&self.odd_red_blue)
            .zip(&self.odd_green)
            .zip(&self.odd_red_blue[1..])
            .zip(&self.odd_green[1..])
        {
            let red_blue = left_red_blue + 2 * own_red_blue + right_red_blue;
            let green = left_green + 2 * own_green + right_green;
            let channels = [
                i32::from(red_blue as i16),
                i32::from(green as i16),
                i32::from((red_blue >> 16) as i16),
            ];
            *blue = sample(channels, BLUE_WEIGHTS, 128, 3);
            *red = sample(channels, RED_WEIGHTS, 128, 3);
        }
    }
}

/// Red and blue of two pixels in 16 bits each, and their green.
#[inline(always)]
fn sum(upper: [u8; 4], lower: [u8; 4]) -> [u32; 2] {
    const EVEN_BYTES: u32 = 0x00ff_00ff;
    let [upper, lower] = [u32::from_le_bytes(upper), u32::from_le_bytes(lower)];
    [
        (upper & EVEN_BYTES) + (lower & EVEN_BYTES),
        (upper >> 8 & EVEN_BYTES) + (lower >> 8 & EVEN_BYTES),
    ]
}
