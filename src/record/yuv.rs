//! Frames as video has them: one plane of luma and two of chroma, BT.709 in limited range.
//!
//! Encoders guess the matrix of RGB input, and guess wrong; so the conversion is done here (ITU-R BT.709-6, items 3.2
//! to 3.5). Planes lie one behind the other: luma, then the blue and then the red difference.
//!
//! Where chroma has half the width and height, a sample of it lies at the left pixel of its pair of columns and halfway
//! between its pair of rows, as MPEG-2, H.264, HEVC and VP9 take it unless told otherwise: it is the mean of two rows, of
//! each a quarter of the pixel to the left, half of its own and a quarter of the pixel to the right. Beyond an edge the
//! edge is seen again; so an odd side counts as if its last row or column were there twice.

use super::{DeepPixels, Pixels};
use crate::dither;
use crate::simd::Level;

mod codes;
mod deep;

/// Red, green and blue in luma.
const LUMA: [f64; 3] = [0.2126, 0.7152, 0.0722];

/// Red, green and blue in the blue difference, which is in [-1/2, 1/2].
const BLUE_DIFFERENCE: [f64; 3] = difference(2);

/// The same in the red difference.
const RED_DIFFERENCE: [f64; 3] = difference(0);

/// A channel less luma, over the most that this can be, twice.
const fn difference(channel: usize) -> [f64; 3] {
    let whole = 2.0 * (1.0 - LUMA[channel]);
    let mut weights = [-LUMA[0] / whole, -LUMA[1] / whole, -LUMA[2] / whole];
    weights[channel] += 1.0 / whole;
    weights
}

/// Fills `planes` with 8-bit samples, chroma at half the width and height. Codes are rounded: they are dithered already.
pub fn i420(level: Level, pixels: Pixels, planes: &mut Vec<u8>) {
    let layout = Layout::halved(pixels.width, pixels.height);
    let [luma, blue, red] = layout.split(planes, 1);
    let rgba = pixels.rgba.as_chunks::<4>().0;
    let chroma = blue
        .chunks_mut(layout.chroma_width)
        .zip(red.chunks_mut(layout.chroma_width));
    for ((rows, luma), (blue, red)) in rgba
        .chunks(layout.width * 2)
        .zip(luma.chunks_mut(layout.width * 2))
        .zip(chroma)
    {
        codes::luma(level, rows, luma);
        let (upper, lower) = pair(rows, layout.width);
        codes::halved_chroma(level, upper, lower, blue, red);
    }
}

/// Fills `planes` with 8-bit samples, three for each pixel. Codes are rounded: they are dithered already.
pub fn i444(level: Level, pixels: Pixels, planes: &mut Vec<u8>) {
    let layout = Layout::full(pixels.width, pixels.height);
    let [luma, blue, red] = layout.split(planes, 1);
    codes::full(level, pixels.rgba.as_chunks::<4>().0, luma, blue, red);
}

/// Fills `planes` with 10-bit samples in 16 bits, the low byte first, chroma at half the width and height; dithered.
pub fn i420_deep(level: Level, pixels: DeepPixels, planes: &mut Vec<u8>) {
    let layout = Layout::halved(pixels.width, pixels.height);
    let [luma, blue, red] = layout.split(planes, 2);
    let thresholds = Thresholds::new();
    let chroma = blue
        .chunks_mut(layout.chroma_width * 2)
        .zip(red.chunks_mut(layout.chroma_width * 2));
    for (row, ((rows, luma), (blue, red))) in pixels
        .rgb
        .chunks(layout.width * 2)
        .zip(luma.chunks_mut(layout.width * 4))
        .zip(chroma)
        .enumerate()
    {
        for (half, (pixels, luma)) in rows
            .chunks(layout.width)
            .zip(luma.chunks_mut(layout.width * 2))
            .enumerate()
        {
            deep::luma(
                level,
                pixels,
                thresholds.luma(row * 2 + half),
                samples(luma),
            );
        }
        let (upper, lower) = pair(rows, layout.width);
        let thresholds = thresholds.chroma(row);
        deep::halved_chroma(level, upper, lower, thresholds, samples(blue), samples(red));
    }
}

/// Fills `planes` with 10-bit samples in 16 bits, the low byte first, three for each pixel; dithered.
pub fn i444_deep(level: Level, pixels: DeepPixels, planes: &mut Vec<u8>) {
    let layout = Layout::full(pixels.width, pixels.height);
    let [luma, blue, red] = layout.split(planes, 2);
    let thresholds = Thresholds::new();
    let chroma = blue
        .chunks_mut(layout.width * 2)
        .zip(red.chunks_mut(layout.width * 2));
    for (row, ((pixels, luma), (blue, red))) in pixels
        .rgb
        .chunks(layout.width)
        .zip(luma.chunks_mut(layout.width * 2))
        .zip(chroma)
        .enumerate()
    {
        deep::luma(level, pixels, thresholds.luma(row), samples(luma));
        let thresholds = thresholds.chroma(row);
        deep::full_chroma(level, pixels, thresholds, samples(blue), samples(red));
    }
}

/// The upper and the lower of two rows, which are the same where there is one.
fn pair<T>(rows: &[T], width: usize) -> (&[T], &[T]) {
    let (upper, lower) = rows.split_at(width.min(rows.len()));
    (upper, if lower.len() < width { upper } else { lower })
}

/// Bytes as samples of two.
fn samples(bytes: &mut [u8]) -> &mut [[u8; 2]] {
    bytes.as_chunks_mut().0
}

/// Sides of the planes in samples; widths are at least 1, so that rows can be told from each other.
struct Layout {
    width: usize,
    height: usize,
    chroma_width: usize,
    chroma_height: usize,
}

impl Layout {
    fn halved(width: u32, height: u32) -> Layout {
        let full = Layout::full(width, height);
        Layout {
            chroma_width: full.width.div_ceil(2),
            chroma_height: full.height.div_ceil(2),
            ..full
        }
    }

    fn full(width: u32, height: u32) -> Layout {
        let height = if width == 0 { 0 } else { height as usize };
        let width = width.max(1) as usize;
        Layout {
            width,
            height,
            chroma_width: width,
            chroma_height: height,
        }
    }

    /// Makes room for the three planes, `bytes` to a sample.
    fn split<'a>(&self, planes: &'a mut Vec<u8>, bytes: usize) -> [&'a mut [u8]; 3] {
        let luma = self.width * self.height * bytes;
        let chroma = self.chroma_width * self.chroma_height * bytes;
        planes.resize(luma + 2 * chroma, 0);
        let (luma, rest) = planes.split_at_mut(luma);
        let (blue, red) = rest.split_at_mut(chroma);
        [luma, blue, red]
    }
}

/// A row of thresholds.
type Row = [f32; dither::TILE];

/// The dither's thresholds for three planes. One threshold for a pixel's three samples would let all of them round up
/// at the same pixels; so each plane has its own rows of the tile.
struct Thresholds(Vec<f32>);

impl Thresholds {
    fn new() -> Thresholds {
        Thresholds(dither::tile())
    }

    fn row(&self, row: usize) -> &Row {
        &self.0.as_chunks::<{ dither::TILE }>().0[row % dither::TILE]
    }

    fn luma(&self, row: usize) -> &Row {
        self.row(row)
    }

    /// Of the blue and of the red difference.
    fn chroma(&self, row: usize) -> [&Row; 2] {
        [self.row(row + 21), self.row(row + 42)]
    }
}

#[cfg(test)]
mod tests;
