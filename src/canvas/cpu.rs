//! The reference canvas: f32 light in memory, the same bits on every machine and with any number of threads.
//!
//! Rows are shared out over the pool in bands. Every band strokes all segments in their order, so each pixel sees the
//! same operations in the same order however many bands there are.

use super::{Canvas, Extent, Frame, Strokes};
use crate::dither;
use crate::polynomial::{exp2, log2};
use crate::pool::Pool;

mod stroke;

use stroke::Brush;

/// Light below this is no light: it would decay into denormals, and no eye or file could tell.
const DARK: f32 = 1.0 / (1 << 20) as f32;

/// A band of rows that one thread works on at a time.
const BAND_ROWS: usize = 64;

/// Premultiplied red, green, blue and coverage.
pub type Light = [f32; 4];

/// Light in memory, and the last frame as 8-bit pixels.
#[derive(Debug)]
pub struct CpuCanvas {
    extent: Extent,
    pool: Pool,
    light: Vec<Light>,
    /// Light of a frame between two steps.
    between: Vec<Light>,
    pixels: Vec<u8>,
    thresholds: Vec<f32>,
}

impl CpuCanvas {
    /// An empty canvas.
    pub fn new(extent: Extent, pool: Pool) -> CpuCanvas {
        let size = extent.width as usize * extent.height as usize;
        CpuCanvas {
            extent,
            pool,
            light: vec![[0.0; 4]; size],
            between: Vec::new(),
            pixels: vec![0; size * 4],
            thresholds: dither::tile(),
        }
    }

    /// The light, row by row from the top.
    pub fn light(&self) -> &[Light] {
        &self.light
    }

    /// The frame that [`Canvas::present`] made: opaque RGBA, row by row from the top.
    pub fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    /// The threads that the canvas works with.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// Strokes as they will look after fading to `weight` of their light, in [0, 1], on a canvas that has not faded:
    /// they cover what is under them in full, and leave only that share of themselves.
    ///
    /// Strokes laid in order of time, each by what is left of it, make the canvas that stroking and fading in turns makes.
    pub fn stroke_faded(&mut self, strokes: &Strokes, weight: f32) {
        let brush = Brush::new(strokes, self.extent, weight);
        let width = self.extent.width as usize;
        self.pool
            .for_each(bands(&mut self.light, width), |(top, band)| {
                strokes
                    .segments
                    .iter()
                    .for_each(|segment| brush.stroke(segment, 1.0, top, band));
            });
    }

    /// `keep^fraction` times the light with the first part of the pending step on it.
    fn advance_between(&mut self, frame: &Frame) {
        let left = exp2(frame.fraction * log2(f64::from(frame.keep)) as f32);
        let brush = Brush::new(&frame.pending, self.extent, 1.0);
        let width = self.extent.width as usize;
        self.between.resize(self.light.len(), [0.0; 4]);
        let pairs = bands(&mut self.between, width).zip(self.light.chunks(width * BAND_ROWS));
        self.pool.for_each(pairs, |((top, between), light)| {
            for (between, light) in between.iter_mut().zip(light) {
                *between = light.map(|channel| channel * left);
            }
            frame
                .pending
                .segments
                .iter()
                .for_each(|segment| brush.stroke(segment, frame.fraction, top, between));
        });
    }
}

/// The rows of a canvas in bands: the first row's number and the pixels.
fn bands(light: &mut [Light], width: usize) -> impl Iterator<Item = (usize, &mut [Light])> {
    light
        .chunks_mut(width * BAND_ROWS)
        .enumerate()
        .map(|(number, band)| (number * BAND_ROWS, band))
}

impl Canvas for CpuCanvas {
    fn extent(&self) -> Extent {
        self.extent
    }

    fn resize(&mut self, extent: Extent) {
        if extent == self.extent {
            return;
        }
        let before = std::mem::replace(&mut self.extent, extent);
        let light = std::mem::take(&mut self.light);
        let ratio = before.scale / extent.scale;
        let size = extent.width as usize * extent.height as usize;
        self.light = vec![[0.0; 4]; size];
        self.pixels = vec![0; size * 4];
        self.between = Vec::new();
        let place = |index: u32| ((index as f32 + 0.5) * ratio) as usize;
        for y in 0..extent.height {
            for x in 0..extent.width {
                let (from_x, from_y) = (place(x), place(y));
                if from_x < before.width as usize && from_y < before.height as usize {
                    self.light[(y * extent.width + x) as usize] =
                        light[from_y * before.width as usize + from_x];
                }
            }
        }
    }

    fn clear(&mut self) {
        self.light.fill([0.0; 4]);
    }

    fn fade(&mut self, keep: f32) {
        let width = self.extent.width as usize;
        self.pool
            .for_each(bands(&mut self.light, width), |(_, band)| {
                for channel in band.as_flattened_mut() {
                    let faded = *channel * keep;
                    *channel = if faded < DARK { 0.0 } else { faded };
                }
            });
    }

    fn stroke(&mut self, strokes: &Strokes) {
        self.stroke_faded(strokes, 1.0);
    }

    fn present(&mut self, frame: &Frame) {
        if frame.fraction > 0.0 {
            self.advance_between(frame);
        }
        let light = if frame.fraction > 0.0 {
            &self.between
        } else {
            &self.light
        };
        let width = self.extent.width as usize;
        let background = frame.background.map(f32::from);
        let thresholds = &self.thresholds;
        let rows = self
            .pixels
            .chunks_mut(width * 4 * BAND_ROWS)
            .zip(light.chunks(width * BAND_ROWS))
            .enumerate();
        self.pool.for_each(rows, |(number, (pixels, light))| {
            for (row, (pixels, light)) in pixels
                .chunks_mut(width * 4)
                .zip(light.chunks(width))
                .enumerate()
            {
                let start = (number * BAND_ROWS + row) % dither::TILE * dither::TILE;
                show_row(
                    pixels,
                    light,
                    background,
                    &thresholds[start..start + dither::TILE],
                );
            }
        });
    }
}

/// Lays light over the background, in codes, and dithers to 8 bits.
fn show_row(pixels: &mut [u8], light: &[Light], background: [f32; 3], thresholds: &[f32]) {
    let thresholds = thresholds.iter().cycle();
    for ((pixel, light), threshold) in pixels
        .as_chunks_mut::<4>()
        .0
        .iter_mut()
        .zip(light)
        .zip(thresholds)
    {
        let through = 1.0 - light[3];
        for channel in 0..3 {
            let code = light[channel] * 255.0 + background[channel] * through + threshold;
            // Clamped first: a saturating conversion costs five times as much.
            pixel[channel] = code.clamp(0.0, 255.0) as u8;
        }
        pixel[3] = 255;
    }
}
