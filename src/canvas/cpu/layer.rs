//! Light that fades and takes strokes: of a picture or of some rows of it, shared out over the pool in strips of rows.

use std::ops::Range;

use super::bins::Bins;
use super::stroke::{Brush, Piece, stroke_strip};
use super::{Light, STRIP_BYTES, STRIPS_PER_THREAD};
use crate::canvas::{DARK, Extent, Frame, Strokes};
use crate::polynomial::{exp2, log2};
use crate::pool::{Chunks, Pool};
use crate::simd::clones;

/// A buffer of light, and what it is at between two steps.
#[derive(Debug)]
pub(super) struct Layer {
    /// Of the whole picture.
    pub extent: Extent,
    /// The rows that are held where the picture has them.
    band: Range<u32>,
    pub light: Vec<Light>,
    /// Light of a frame between two steps.
    pub between: Vec<Light>,
    bins: Bins,
}

impl Layer {
    /// No light in these rows of a picture, as far as it has them.
    pub(super) fn new(extent: Extent, band: Range<u32>) -> Layer {
        let held = held(extent, &band);
        Layer {
            extent,
            band,
            light: vec![[0.0; 4]; extent.width as usize * held.len()],
            between: Vec::new(),
            bins: Bins::default(),
        }
    }

    /// The rows that it was made for.
    pub(super) fn band(&self) -> Range<u32> {
        self.band.clone()
    }

    pub(super) fn width(&self) -> usize {
        self.extent.width as usize
    }

    /// The rows that it holds.
    pub(super) fn held(&self) -> Range<usize> {
        held(self.extent, &self.band)
    }

    /// Rows of a strip: a few strips for each thread at least.
    pub(super) fn strip_rows(&self, pool: &Pool) -> usize {
        let shared = self
            .held()
            .len()
            .div_ceil(pool.threads() * STRIPS_PER_THREAD);
        let near = STRIP_BYTES / (self.width() * size_of::<Light>());
        shared.min(near).max(1)
    }

    pub(super) fn fade(&mut self, keep: f32, pool: &Pool) {
        let (level, length) = (pool.level(), self.strip_rows(pool) * self.width());
        pool.for_each(Chunks::new(&mut self.light, length), |_, light| {
            fade_strip(level, keep, light);
        });
    }

    /// Lays strokes of which this share of the light is left.
    pub(super) fn stroke(&mut self, strokes: &Strokes, weight: f32, pool: &Pool) {
        let brush = Brush::new(strokes, self.extent, self.held(), weight);
        let rows = self.strip_rows(pool);
        self.bins.fill(&brush, strokes.segments, rows, pool);
        let (bins, level, length) = (&self.bins, pool.level(), rows * self.width());
        let first = self.held().start;
        pool.for_each(Chunks::new(&mut self.light, length), |number, light| {
            let piece = Piece {
                part: 1.0,
                strip: number,
                top: first + number * rows,
            };
            stroke_strip(level, &brush, strokes.segments, bins, &piece, light);
        });
    }

    /// Makes `keep^fraction` times the light with the first part of the pending step on it; nothing where the frame is no
    /// more than the light. [`Layer::shown`] gives it.
    pub(super) fn advance_between(&mut self, frame: &Frame, pool: &Pool) {
        if frame.fraction <= 0.0 {
            return;
        }
        let left = exp2(frame.fraction * log2(f64::from(frame.keep)) as f32);
        let strokes = &frame.pending;
        let brush = Brush::new(strokes, self.extent, self.held(), 1.0);
        let rows = self.strip_rows(pool);
        self.bins.fill(&brush, strokes.segments, rows, pool);
        self.between.resize(self.light.len(), [0.0; 4]);
        let (bins, level, length) = (&self.bins, pool.level(), rows * self.width());
        let (light, first) = (&self.light, self.held().start);
        pool.for_each(Chunks::new(&mut self.between, length), |number, between| {
            copy_faded(level, left, &light[number * length..], between);
            let piece = Piece {
                part: frame.fraction,
                strip: number,
                top: first + number * rows,
            };
            stroke_strip(level, &brush, strokes.segments, bins, &piece, between);
        });
    }

    /// The light that a frame shows.
    pub(super) fn shown(&self, frame: &Frame) -> &[Light] {
        if frame.fraction > 0.0 {
            &self.between
        } else {
            &self.light
        }
    }

    /// Takes another size, with the light at the same place; stretched where the scale changes.
    pub(super) fn resize(&mut self, extent: Extent) {
        let (before, rows_before) = (self.extent, self.held());
        self.extent = extent;
        let (width, rows) = (self.width(), self.held());
        let light = std::mem::replace(&mut self.light, vec![[0.0; 4]; width * rows.len()]);
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
