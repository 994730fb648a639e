//! Several frames become one, as a shutter and a lens make it: their light is averaged where light adds up.
//!
//! Frames between two moments make motion blur, frames larger than the picture make it finer, and both at once do both. An exposure
//! knows nothing of time or strokes: it gets developed frames, as [`super::cpu::CpuCanvas::develop`] makes them, and what
//! it makes of them has the same bits for every kernel and number of threads.

use std::ops::Range;

use super::cpu::nearest_code;
use super::transfer::{linear, srgb};
use crate::dither;
use crate::pool::{Chunks, Pool};
use crate::simd::clones;

/// Most px of a frame, in each direction, for a px of the picture.
pub const MOST_FACTOR: u32 = 8;

/// Rows that a thread works on at once.
const STRIP: usize = 16;

/// The mean of developed frames in linear light: of a whole picture, or of a band of its rows.
///
/// Of one frame of the picture's size it makes that frame again, within .5 codes of 16 bits.
#[derive(Debug)]
pub struct Exposure {
    width: usize,
    rows: Range<u32>,
    factor: usize,
    /// Linear light, of all px of all frames that fall on a px.
    sums: Vec<[f32; 3]>,
    frames: u32,
    thresholds: Vec<f32>,
}

impl Exposure {
    /// An exposure of these rows of a picture that is so many px wide, at least 1, by frames that have `factor` px, from 1 to
    /// [`MOST_FACTOR`], for each px of the picture in both directions.
    pub fn new(width: u32, rows: Range<u32>, factor: u32) -> Exposure {
        let factor = factor.clamp(1, MOST_FACTOR) as usize;
        Exposure {
            width: width as usize,
            factor,
            sums: vec![[0.0; 3]; width as usize * rows.len()],
            rows,
            frames: 0,
            thresholds: dither::tile(),
        }
    }

    /// The bytes that each row of so many px of the picture takes.
    pub const fn bytes_per_row(width: u32) -> u64 {
        size_of::<[f32; 3]>() as u64 * width as u64
    }

    /// Forgets the frames: the next one is the first.
    pub fn clear(&mut self) {
        self.sums.fill([0.0; 3]);
        self.frames = 0;
    }

    /// Adds a frame: straight sRGB in [0, 1], row by row, `factor` times as wide and as high as what it falls on.
    ///
    /// # Panics
    ///
    /// If that are too few px.
    pub fn add(&mut self, pool: &Pool, rgb: &[[f32; 3]]) {
        let Exposure { width, factor, .. } = *self;
        let level = pool.level();
        // Px of the frame for each row of the picture.
        let length = width * factor * factor;
        let rgb = &rgb[..self.sums.len() * factor * factor];
        let strips = Chunks::new(&mut self.sums, STRIP * width);
        pool.for_each(strips, |number, sums| {
            let rgb = &rgb[number * STRIP * length..];
            for (sums, rgb) in sums.chunks_mut(width).zip(rgb.chunks(length)) {
                add_row(level, sums, rgb, factor);
            }
        });
        self.frames += 1;
    }

    /// Makes the mean of the frames: straight sRGB in [0, 1], not dithered, row by row from the top; black where there are none.
    ///
    /// # Panics
    ///
    /// If there is not room for each px.
    pub fn develop(&self, pool: &Pool, rgb: &mut [[f32; 3]]) {
        let (level, share, length) = (pool.level(), self.share(), STRIP * self.width);
        let rgb = &mut rgb[..self.sums.len()];
        pool.for_each(Chunks::new(rgb, length), |number, rgb| {
            develop(level, rgb, &self.sums[number * length..], share);
        });
    }

    /// Makes the mean of the frames as [`super::Canvas::present`] shows a frame: opaque RGBA, dithered, row by row from the
    /// top.
    ///
    /// # Panics
    ///
    /// If there is not room for four bytes for each px.
    pub fn present(&self, pool: &Pool, pixels: &mut [u8]) {
        let (level, share, width) = (pool.level(), self.share(), self.width);
        let thresholds = self.thresholds.as_chunks::<{ dither::TILE }>().0;
        let first = self.rows.start as usize;
        let pixels = &mut pixels[..self.sums.len() * 4];
        pool.for_each(Chunks::new(pixels, STRIP * width * 4), |number, pixels| {
            let sums = &self.sums[number * STRIP * width..];
            let rows = pixels.chunks_mut(width * 4).zip(sums.chunks(width));
            for (row, (pixels, sums)) in rows.enumerate() {
                let y = first + number * STRIP + row;
                present_row(level, pixels, sums, share, &thresholds[y % dither::TILE]);
            }
        });
    }

    /// What of a sum is the mean.
    fn share(&self) -> f32 {
        let count = self.frames as usize * self.factor * self.factor;
        1.0 / count.max(1) as f32
    }
}

clones! {
    /// Adds the px of a frame that fall on a row of the picture.
    fn add_row(sums: &mut [[f32; 3]], rgb: &[[f32; 3]], factor: usize) {
        if factor == 1 {
            add(sums, rgb);
            return;
        }
        let mut columns = [[0.0; 3]; dither::TILE * MOST_FACTOR as usize];
        let width = sums.len() * factor;
        for (number, sums) in sums.chunks_mut(dither::TILE).enumerate() {
            let columns = &mut columns[..sums.len() * factor];
            columns.fill([0.0; 3]);
            for row in rgb.chunks(width) {
                add(columns, &row[number * dither::TILE * factor..]);
            }
            // Column by column: inner loops of a few turns took twice as long.
            for first in 0..factor {
                let columns = columns[first..].iter().step_by(factor);
                for (sum, column) in sums.iter_mut().zip(columns) {
                    for channel in 0..3 {
                        sum[channel] += column[channel];
                    }
                }
            }
        }
    }
}

#[inline(always)]
fn add(sums: &mut [[f32; 3]], rgb: &[[f32; 3]]) {
    for (sum, value) in sums.as_flattened_mut().iter_mut().zip(rgb.as_flattened()) {
        *sum += linear(*value);
    }
}

clones! {
    fn develop(rgb: &mut [[f32; 3]], sums: &[[f32; 3]], share: f32) {
        mean(rgb, sums, share);
    }
}

#[inline(always)]
fn mean(rgb: &mut [[f32; 3]], sums: &[[f32; 3]], share: f32) {
    for (value, sum) in rgb.as_flattened_mut().iter_mut().zip(sums.as_flattened()) {
        *value = srgb(sum * share);
    }
}

clones! {
    fn present_row(pixels: &mut [u8], sums: &[[f32; 3]], share: f32, thresholds: &[f32; dither::TILE]) {
        let (mut rgb, mut codes) = ([[0.0; 3]; dither::TILE], [[0.0; 4]; dither::TILE]);
        for (pixels, sums) in pixels
            .chunks_mut(dither::TILE * 4)
            .zip(sums.chunks(dither::TILE))
        {
            mean(&mut rgb, sums, share);
            for ((code, [red, green, blue]), threshold) in
                codes.iter_mut().zip(&rgb).zip(thresholds)
            {
                let threshold = threshold - 0.5;
                *code = [
                    red * 255.0 + threshold,
                    green * 255.0 + threshold,
                    blue * 255.0 + threshold,
                    255.0,
                ];
            }
            for (pixel, code) in pixels.iter_mut().zip(codes.as_flattened()) {
                *pixel = nearest_code(*code);
            }
        }
    }
}

#[cfg(test)]
mod tests;
