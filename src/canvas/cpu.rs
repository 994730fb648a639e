//! The reference canvas: f32 light in memory, the same bits on every machine and with any number of threads.
//!
//! Rows are shared out over the pool in bands. Every band strokes the segments that touch it in their order, so each
//! pixel sees the same operations in the same order however many bands there are.

use super::{Canvas, DARK, Extent, Frame, Strokes};
use crate::dither;
use crate::polynomial::{exp2, log2};
use crate::pool::{Chunks, Pool};
use crate::simd::clones;

mod bins;
mod stroke;

use bins::Bins;
use stroke::{Brush, Piece, stroke_band};

/// Bands for each thread: they are not equally full.
const BANDS_PER_THREAD: usize = 4;

/// Premultiplied red, green, blue and coverage.
pub type Light = [f32; 4];

/// The order of the bytes of a pixel; the last one is opaque.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channels {
    /// As files and OpenGL have it.
    Rgba,
    /// As X servers have it.
    Bgra,
}

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
    bins: Bins,
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
            pixels: Vec::new(),
            thresholds: dither::tile(),
            bins: Bins::default(),
        }
    }

    /// The light, row by row from the top.
    pub fn light(&self) -> &[Light] {
        &self.light
    }

    /// The frame that [`Canvas::present`] made: opaque RGBA, row by row from the top; nothing before the first.
    pub fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    /// Strokes as they will look after fading to `weight` of their light, in [0, 1], on a canvas that has not faded:
    /// they cover what is under them in full, and leave only that share of themselves.
    ///
    /// Strokes laid in order of time, each by what is left of it, make the canvas that stroking and fading in turns makes.
    pub fn stroke_faded(&mut self, strokes: &Strokes, weight: f32) {
        let brush = Brush::new(strokes, self.extent, weight);
        let rows = self.band_rows();
        self.bins.fill(&brush, strokes.segments, rows, &self.pool);
        let (bins, level, length) = (&self.bins, self.pool.level(), rows * self.width());
        self.pool
            .for_each(Chunks::new(&mut self.light, length), |number, light| {
                let piece = Piece {
                    part: 1.0,
                    band: number,
                    top: number * rows,
                };
                stroke_band(level, &brush, strokes.segments, bins, &piece, light);
            });
    }

    /// `keep^fraction` times the light with the first part of the pending step on it.
    fn advance_between(&mut self, frame: &Frame) {
        let left = exp2(frame.fraction * log2(f64::from(frame.keep)) as f32);
        let strokes = &frame.pending;
        let brush = Brush::new(strokes, self.extent, 1.0);
        let rows = self.band_rows();
        self.bins.fill(&brush, strokes.segments, rows, &self.pool);
        self.between.resize(self.light.len(), [0.0; 4]);
        let (bins, level, length) = (&self.bins, self.pool.level(), rows * self.width());
        let light = &self.light;
        self.pool
            .for_each(Chunks::new(&mut self.between, length), |number, between| {
                copy_faded(level, left, &light[number * length..], between);
                let piece = Piece {
                    part: frame.fraction,
                    band: number,
                    top: number * rows,
                };
                stroke_band(level, &brush, strokes.segments, bins, &piece, between);
            });
    }

    /// Writes a frame to pixels of the caller's, row by row from the top.
    ///
    /// # Panics
    ///
    /// If there is not room for four bytes for each px of the canvas.
    pub fn present_to(&mut self, frame: &Frame, channels: Channels, pixels: &mut [u8]) {
        if frame.fraction > 0.0 {
            self.advance_between(frame);
        }
        let light = if frame.fraction > 0.0 {
            &self.between
        } else {
            &self.light
        };
        let (width, rows, level) = (self.width(), self.band_rows(), self.pool.level());
        let background = frame.background.map(f32::from);
        let thresholds = self.thresholds.as_chunks::<{ dither::TILE }>().0;
        let pixels = &mut pixels[..self.light.len() * 4];
        self.pool
            .for_each(Chunks::new(pixels, rows * width * 4), |number, pixels| {
                let top = number * rows;
                let light = &light[top * width..];
                for (row, (pixels, light)) in pixels
                    .chunks_mut(width * 4)
                    .zip(light.chunks(width))
                    .enumerate()
                {
                    let thresholds = &thresholds[(top + row) % dither::TILE];
                    match channels {
                        Channels::Rgba => show_row(level, pixels, light, background, thresholds),
                        Channels::Bgra => {
                            show_turned_row(level, pixels, light, background, thresholds);
                        }
                    }
                }
            });
    }

    fn width(&self) -> usize {
        self.extent.width as usize
    }

    /// Rows of a band: a few bands for each thread.
    fn band_rows(&self) -> usize {
        let height = self.extent.height as usize;
        let bands = if self.pool.threads() == 1 {
            1
        } else {
            self.pool.threads() * BANDS_PER_THREAD
        };
        height.div_ceil(bands)
    }
}

clones! {
    fn fade_band(keep: f32, light: &mut [Light]) {
        for channel in light.as_flattened_mut() {
            let faded = *channel * keep;
            *channel = if faded < DARK { 0.0 } else { faded };
        }
    }
}

clones! {
    fn copy_faded(left: f32, light: &[Light], faded: &mut [Light]) {
        for (faded, light) in faded.as_flattened_mut().iter_mut().zip(light.as_flattened()) {
            *faded = light * left;
        }
    }
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
        self.pixels = Vec::new();
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

    fn load(&mut self, light: &[f32]) {
        self.light.as_flattened_mut().copy_from_slice(light);
    }

    fn fade(&mut self, keep: f32) {
        let (level, length) = (self.pool.level(), self.band_rows() * self.width());
        self.pool
            .for_each(Chunks::new(&mut self.light, length), |_, light| {
                fade_band(level, keep, light);
            });
    }

    fn stroke(&mut self, strokes: &Strokes) {
        self.stroke_faded(strokes, 1.0);
    }

    fn present(&mut self, frame: &Frame) {
        let mut pixels = std::mem::take(&mut self.pixels);
        pixels.resize(self.light.len() * 4, 0);
        self.present_to(frame, Channels::Rgba, &mut pixels);
        self.pixels = pixels;
    }
}

clones! {
    /// Lays a row of light over the background, in codes, and dithers to 8 bits.
    fn show_row(pixels: &mut [u8], light: &[Light], background: [f32; 3], thresholds: &[f32; dither::TILE]) {
        for (pixels, light) in pixels
            .chunks_mut(dither::TILE * 4)
            .zip(light.chunks(dither::TILE))
        {
            show(pixels, light, background, thresholds);
        }
    }
}

clones! {
    /// The same with blue first.
    fn show_turned_row(pixels: &mut [u8], light: &[Light], background: [f32; 3], thresholds: &[f32; dither::TILE]) {
        let [red, green, blue] = background;
        let mut turned = [[0.0; 4]; dither::TILE];
        for (pixels, light) in pixels
            .chunks_mut(dither::TILE * 4)
            .zip(light.chunks(dither::TILE))
        {
            for (turned, [red, green, blue, coverage]) in turned.iter_mut().zip(light) {
                *turned = [*blue, *green, *red, *coverage];
            }
            show(pixels, &turned[..light.len()], [blue, green, red], thresholds);
        }
    }
}

/// The same for a tile's width at most.
#[inline(always)]
fn show(
    pixels: &mut [u8],
    light: &[Light],
    [red, green, blue]: [f32; 3],
    thresholds: &[f32; dither::TILE],
) {
    // What lies under the light, and the threshold; the fourth channel is opaque whatever the light covers.
    let mut under = [[0.0, 0.0, 0.0, 255.0]; dither::TILE];
    for ((under, light), threshold) in under.iter_mut().zip(light).zip(thresholds) {
        let through = 1.0 - light[3];
        let threshold = threshold - 0.5;
        *under = [
            red * through + threshold,
            green * through + threshold,
            blue * through + threshold,
            255.0,
        ];
    }
    for ((code, light), under) in pixels
        .iter_mut()
        .zip(light.as_flattened())
        .zip(under.as_flattened())
    {
        // Rounds to the nearest whole number in the low bits; a conversion that saturates is five times as slow.
        *code = ((light * 255.0 + under).clamp(0.0, 255.0) + 8_388_608.0).to_bits() as u8;
    }
}
