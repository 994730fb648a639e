//! The reference canvas: f32 light in memory, the same bits on every machine and with any number of threads.
//!
//! Rows are shared out over the pool in strips. Every strip strokes the segments that touch it in their order, so each
//! pixel sees the same operations in the same order however many strips there are. So it does where a canvas is only a
//! band of a picture that is too large to be held at once.

use std::ops::Range;

use super::{Canvas, DARK, Extent, Frame, Strokes};
use crate::dither;
use crate::polynomial::{exp2, log2};
use crate::pool::{Chunks, Pool};
use crate::simd::clones;

mod bins;
mod show;
mod stroke;

use bins::Bins;
pub(super) use show::nearest_code;
use show::{develop_row, show_row, show_turned_row};
use stroke::{Brush, Piece, stroke_strip};

/// Strips for each thread: they are not equally full.
const STRIPS_PER_THREAD: usize = 4;

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

/// Light in memory, and the last frame as 8-bit pixels: of a whole picture, or of a band of its rows.
#[derive(Debug)]
pub struct CpuCanvas {
    /// Of the whole picture.
    extent: Extent,
    /// The rows that are held where the picture has them.
    band: Range<u32>,
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
        CpuCanvas::band(extent, 0..u32::MAX, pool)
    }

    /// An empty canvas that holds only these rows of a picture of this extent, as far as the picture has them.
    ///
    /// They get the bits that they have on a canvas of the whole picture, whose extent it says is its own: each band of
    /// a picture is given all of its strokes. Light and pixels, those that are read as those that are passed, are of
    /// these rows alone. A resize leaves the band at its rows; where that changes the scale, light that comes from
    /// other rows is missing until it would have faded.
    pub fn band(extent: Extent, rows: Range<u32>, pool: Pool) -> CpuCanvas {
        let held = held(extent, &rows);
        CpuCanvas {
            extent,
            band: rows,
            pool,
            light: vec![[0.0; 4]; extent.width as usize * held.len()],
            between: Vec::new(),
            pixels: Vec::new(),
            thresholds: dither::tile(),
            bins: Bins::default(),
        }
    }

    /// The bytes that each row of so many px takes at most: 16 for the light of a px, and 16 more from the first frame
    /// between two steps on. [`Canvas::present`] keeps 4 more.
    pub const fn bytes_per_row(width: u32) -> u64 {
        2 * size_of::<Light>() as u64 * width as u64
    }

    /// The rows of the picture that it holds: all, unless it is a band.
    pub fn rows(&self) -> Range<u32> {
        let held = held(self.extent, &self.band);
        held.start as u32..held.end as u32
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
        let brush = Brush::new(strokes, self.extent, self.held(), weight);
        let rows = self.strip_rows();
        self.bins.fill(&brush, strokes.segments, rows, &self.pool);
        let (bins, level, length) = (&self.bins, self.pool.level(), rows * self.width());
        let first = self.held().start;
        self.pool
            .for_each(Chunks::new(&mut self.light, length), |number, light| {
                let piece = Piece {
                    part: 1.0,
                    strip: number,
                    top: first + number * rows,
                };
                stroke_strip(level, &brush, strokes.segments, bins, &piece, light);
            });
    }

    /// `keep^fraction` times the light with the first part of the pending step on it; nothing where the frame is no more
    /// than the light.
    fn advance_between(&mut self, frame: &Frame) {
        if frame.fraction <= 0.0 {
            return;
        }
        let left = exp2(frame.fraction * log2(f64::from(frame.keep)) as f32);
        let strokes = &frame.pending;
        let brush = Brush::new(strokes, self.extent, self.held(), 1.0);
        let rows = self.strip_rows();
        self.bins.fill(&brush, strokes.segments, rows, &self.pool);
        self.between.resize(self.light.len(), [0.0; 4]);
        let (bins, level, length) = (&self.bins, self.pool.level(), rows * self.width());
        let (light, first) = (&self.light, self.held().start);
        self.pool
            .for_each(Chunks::new(&mut self.between, length), |number, between| {
                copy_faded(level, left, &light[number * length..], between);
                let piece = Piece {
                    part: frame.fraction,
                    strip: number,
                    top: first + number * rows,
                };
                stroke_strip(level, &brush, strokes.segments, bins, &piece, between);
            });
    }

    /// Writes a frame to pixels of the caller's, row by row from the top.
    ///
    /// # Panics
    ///
    /// If there is not room for four bytes for each px that it holds.
    pub fn present_to(&mut self, frame: &Frame, channels: Channels, pixels: &mut [u8]) {
        self.advance_between(frame);
        let (light, background) = (self.shown(frame), frame.background.map(f32::from));
        let (width, rows, level) = (self.width(), self.strip_rows(), self.pool.level());
        let first = self.held().start;
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
                    let thresholds = &thresholds[(first + top + row) % dither::TILE];
                    match channels {
                        Channels::Rgba => show_row(level, pixels, light, background, thresholds),
                        Channels::Bgra => {
                            show_turned_row(level, pixels, light, background, thresholds);
                        }
                    }
                }
            });
    }

    /// Makes the frame that [`Canvas::present`] makes, but neither dithered nor rounded: straight sRGB in [0, 1], row by
    /// row from the top.
    ///
    /// # Panics
    ///
    /// If there is not room for each px that it holds.
    pub fn develop(&mut self, frame: &Frame, rgb: &mut [[f32; 3]]) {
        self.advance_between(frame);
        let (light, background) = (self.shown(frame), frame.background.map(f32::from));
        let (width, level) = (self.width(), self.pool.level());
        let length = self.strip_rows() * width;
        let rgb = &mut rgb[..light.len()];
        self.pool.for_each(Chunks::new(rgb, length), |number, rgb| {
            let light = &light[number * length..];
            for (rgb, light) in rgb.chunks_mut(width).zip(light.chunks(width)) {
                develop_row(level, rgb, light, background);
            }
        });
    }

    /// The light that a frame shows, once [`CpuCanvas::advance_between`] has made it.
    fn shown(&self, frame: &Frame) -> &[Light] {
        if frame.fraction > 0.0 {
            &self.between
        } else {
            &self.light
        }
    }

    fn width(&self) -> usize {
        self.extent.width as usize
    }

    /// The rows that it holds.
    fn held(&self) -> Range<usize> {
        held(self.extent, &self.band)
    }

    /// Rows of a strip: a few strips for each thread.
    fn strip_rows(&self) -> usize {
        let strips = if self.pool.threads() == 1 {
            1
        } else {
            self.pool.threads() * STRIPS_PER_THREAD
        };
        self.held().len().div_ceil(strips).max(1)
    }
}

/// The rows of a band that a picture of this extent has.
fn held(extent: Extent, band: &Range<u32>) -> Range<usize> {
    let end = band.end.min(extent.height) as usize;
    end.min(band.start as usize)..end
}

clones! {
    fn fade_strip(keep: f32, light: &mut [Light]) {
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
        let (before, rows_before) = (self.extent, self.held());
        self.extent = extent;
        let (width, rows) = (self.width(), self.held());
        let light = std::mem::replace(&mut self.light, vec![[0.0; 4]; width * rows.len()]);
        self.pixels = Vec::new();
        self.between = Vec::new();
        let ratio = before.scale / extent.scale;
        let place = |index: usize| ((index as f32 + 0.5) * ratio) as usize;
        for (y, row) in rows.zip(self.light.chunks_mut(width)) {
            if !rows_before.contains(&place(y)) {
                continue;
            }
            let from = (place(y) - rows_before.start) * before.width as usize;
            let row_before = &light[from..][..before.width as usize];
            for (x, light) in row.iter_mut().enumerate() {
                if let Some(before) = row_before.get(place(x)) {
                    *light = *before;
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
        let (level, length) = (self.pool.level(), self.strip_rows() * self.width());
        self.pool
            .for_each(Chunks::new(&mut self.light, length), |_, light| {
                fade_strip(level, keep, light);
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

#[cfg(test)]
mod tests;
