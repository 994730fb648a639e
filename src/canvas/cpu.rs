//! The reference canvas: f32 light in memory, the same bits on every machine and with any number of threads.
//!
//! Rows are shared out over the pool in bands. Every band strokes all segments in their order, so each pixel sees the
//! same operations in the same order however many bands there are.

use super::{Canvas, DARK, Extent, Frame, Strokes};
use crate::dither;
use crate::polynomial::{exp2, log2};
use crate::pool::Pool;
use crate::simulation::Segment;

mod stroke;

use stroke::Brush;

/// Bands for each thread: they are not equally full.
const BANDS_PER_THREAD: usize = 4;

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
            pixels: vec![0; size * 4],
            thresholds: dither::tile(),
            bins: Bins::default(),
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

    /// Strokes as they will look after fading to `weight` of their light, in [0, 1], on a canvas that has not faded:
    /// they cover what is under them in full, and leave only that share of themselves.
    ///
    /// Strokes laid in order of time, each by what is left of it, make the canvas that stroking and fading in turns makes.
    pub fn stroke_faded(&mut self, strokes: &Strokes, weight: f32) {
        let brush = Brush::new(strokes, self.extent, weight);
        let length = self.band_length();
        self.bins
            .fill(&brush, strokes.segments, self.light.len().div_ceil(length));
        let bands = bands(&mut self.light, length, self.extent.width).zip(&self.bins.lists);
        self.pool.for_each(bands, |((top, band), list)| {
            list.iter()
                .for_each(|&index| brush.stroke(&strokes.segments[index as usize], 1.0, top, band));
        });
    }

    /// `keep^fraction` times the light with the first part of the pending step on it.
    fn advance_between(&mut self, frame: &Frame) {
        let left = exp2(frame.fraction * log2(f64::from(frame.keep)) as f32);
        let brush = Brush::new(&frame.pending, self.extent, 1.0);
        let length = self.band_length();
        self.bins.fill(
            &brush,
            frame.pending.segments,
            self.light.len().div_ceil(length),
        );
        self.between.resize(self.light.len(), [0.0; 4]);
        let pairs = bands(&mut self.between, length, self.extent.width)
            .zip(self.light.chunks(length))
            .zip(&self.bins.lists);
        self.pool
            .for_each(pairs, |(((top, between), light), list)| {
                for (between, light) in between.iter_mut().zip(light) {
                    *between = light.map(|channel| channel * left);
                }
                let segments = list
                    .iter()
                    .map(|&index| &frame.pending.segments[index as usize]);
                segments.for_each(|segment| brush.stroke(segment, frame.fraction, top, between));
            });
    }

    /// Pixels of a band: whole rows, a few bands for each thread.
    fn band_length(&self) -> usize {
        let bands = if self.pool.threads() == 1 {
            1
        } else {
            self.pool.threads() * BANDS_PER_THREAD
        };
        (self.extent.height as usize).div_ceil(bands) * self.extent.width as usize
    }
}

/// Which segments touch which band, in their order.
#[derive(Debug, Default)]
struct Bins {
    lists: Vec<Vec<u32>>,
}

impl Bins {
    /// Sorts the segments into `count` bands of equal height.
    fn fill(&mut self, brush: &Brush, segments: &[Segment], count: usize) {
        self.lists.resize_with(count, Vec::new);
        self.lists.iter_mut().for_each(Vec::clear);
        let rows = brush.height().div_ceil(count).max(1);
        for (index, segment) in segments.iter().enumerate() {
            let touched = brush.rows(segment);
            if !touched.is_empty() {
                for list in &mut self.lists[touched.start / rows..=(touched.end - 1) / rows] {
                    list.push(index as u32);
                }
            }
        }
    }
}

/// The pixels of a canvas in bands of `length`: the first row's number and the pixels.
fn bands(
    light: &mut [Light],
    length: usize,
    width: u32,
) -> impl Iterator<Item = (usize, &mut [Light])> {
    let rows = length / width as usize;
    light
        .chunks_mut(length)
        .enumerate()
        .map(move |(number, band)| (number * rows, band))
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
        let length = self.band_length();
        self.pool.for_each(self.light.chunks_mut(length), |band| {
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
        let (width, length) = (self.extent.width as usize, self.band_length());
        let background = frame.background.map(f32::from);
        let thresholds = self.thresholds.as_chunks::<{ dither::TILE }>().0;
        let bands = self
            .pixels
            .chunks_mut(length * 4)
            .zip(light.chunks(length))
            .enumerate();
        self.pool.for_each(bands, |(number, (pixels, light))| {
            let top = number * (length / width);
            for (row, (pixels, light)) in pixels
                .chunks_mut(width * 4)
                .zip(light.chunks(width))
                .enumerate()
            {
                let thresholds = &thresholds[(top + row) % dither::TILE];
                for (pixels, light) in pixels
                    .chunks_mut(dither::TILE * 4)
                    .zip(light.chunks(dither::TILE))
                {
                    show(pixels, light, background, thresholds);
                }
            }
        });
    }
}

/// Lays light over the background, in codes, and dithers to 8 bits: at most a tile's width.
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
