//! The reference canvas: f32 light in memory, the same bits on every machine and with any number of threads.
//!
//! Rows are shared out over the pool in strips. Every strip strokes the segments that touch it in their order, so each
//! pixel sees the same operations in the same order however many strips there are. So it does where a canvas is only a
//! band of a picture that is too large to be held at once.

use std::ops::Range;

use super::{Background, Blend, Canvas, Extent, Frame, Strokes};
use crate::dither;
use crate::palette::linear;
use crate::pool::{Chunks, Pool};

mod bins;
mod dissolve;
mod glow;
mod layer;
mod sheet;
mod show;
mod stroke;

use dissolve::Other;
use glow::Glow;
use layer::Layer;
use sheet::{Rows, Sheet};
pub(super) use show::nearest_code;
use show::{Curve, Tone, develop_row, show_row, show_turned_row, tone_developed_row, tone_row};

/// Strips for each thread: they are not equally full.
const STRIPS_PER_THREAD: usize = 4;

/// A strip of so many bytes stays in a near memory while it is faded and stroked.
const STRIP_BYTES: usize = 1 << 19;

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
    pool: Pool,
    /// The light of its rows.
    layer: Layer,
    /// The map of the whole picture that bloom is made from, once strokes have filled it.
    map: Option<Layer>,
    glow: Glow,
    /// What lies under the light in the frame that is made, and at the nodes of a backdrop.
    under: Sheet,
    ground: Sheet,
    curve: Curve,
    pixels: Vec<u8>,
    thresholds: Vec<f32>,
    /// The picture that leaves, while two dissolve.
    other: Option<Box<Other>>,
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
        CpuCanvas {
            pool,
            layer: Layer::new(extent, rows),
            map: None,
            glow: Glow::default(),
            under: Sheet::default(),
            ground: Sheet::default(),
            curve: Curve::empty(),
            pixels: Vec::new(),
            thresholds: dither::tile(),
            other: None,
        }
    }

    /// The bytes that each row of so many px takes at most: 16 for the light of a px, and 16 more from the first frame
    /// between two steps on. [`Canvas::present`] keeps 4 more.
    pub const fn bytes_per_row(width: u32) -> u64 {
        2 * size_of::<Light>() as u64 * width as u64
    }

    /// The rows of the picture that it holds: all, unless it is a band.
    pub fn rows(&self) -> Range<u32> {
        let held = self.layer.held();
        held.start as u32..held.end as u32
    }

    /// The light, row by row from the top.
    pub fn light(&self) -> &[Light] {
        &self.layer.light
    }

    /// The light of the map that bloom is made from, where strokes have filled it; of the whole picture.
    pub fn glow(&self) -> Option<&[Light]> {
        self.map.as_ref().map(|map| map.light.as_slice())
    }

    /// What it holds of the picture that leaves.
    pub fn leaving(&self) -> Option<&CpuCanvas> {
        self.other.as_ref().map(|other| &other.canvas)
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
        self.layer.stroke(strokes, weight, &self.pool);
        if strokes.glows {
            let extent = self.layer.extent.of_glow();
            let map = self
                .map
                .get_or_insert_with(|| Layer::new(extent, 0..u32::MAX));
            map.stroke(strokes, weight, &self.pool);
        }
    }

    /// Writes a frame to pixels of the caller's, row by row from the top.
    ///
    /// # Panics
    ///
    /// If there is not room for four bytes for each px that it holds.
    pub fn present_to(&mut self, frame: &Frame, channels: Channels, pixels: &mut [u8]) {
        let pixels = &mut pixels[..self.layer.light.len() * 4];
        if self.shows_both(frame) {
            return self.present_both(frame, channels, pixels);
        }
        self.layer.advance_between(frame, &self.pool);
        match frame.background {
            Background::Flat(codes) if frame.pending.blend == Blend::Codes => {
                self.show_flat(frame, codes, channels, pixels);
            }
            Background::Flat(_) | Background::Map(_) => self.show(frame, channels, pixels),
        }
    }

    /// Paint in codes over one color.
    fn show_flat(&self, frame: &Frame, codes: [u8; 3], channels: Channels, pixels: &mut [u8]) {
        let (light, background) = (self.layer.shown(frame), codes.map(f32::from));
        let (width, rows) = (self.layer.width(), self.layer.strip_rows(&self.pool));
        let (first, level) = (self.layer.held().start, self.pool.level());
        let thresholds = self.thresholds.as_chunks::<{ dither::TILE }>().0;
        let show = match channels {
            Channels::Rgba => show_row,
            Channels::Bgra => show_turned_row,
        };
        let strips = Chunks::new(pixels, rows * width * 4);
        self.pool.for_each(strips, |number, pixels| {
            let top = number * rows;
            let light = light[top * width..].chunks(width);
            for (row, (pixels, light)) in pixels.chunks_mut(width * 4).zip(light).enumerate() {
                let thresholds = &thresholds[(first + top + row) % dither::TILE];
                show(level, pixels, light, background, thresholds);
            }
        });
    }

    fn show(&mut self, frame: &Frame, channels: Channels, pixels: &mut [u8]) {
        let tone = self.prepare(frame);
        self.curve.fit(tone.blend);
        let curve = &self.curve;
        let (light, width) = (self.layer.shown(frame), self.layer.width());
        let rows = self.layer.strip_rows(&self.pool);
        let (first, level) = (self.layer.held().start, self.pool.level());
        let thresholds = self.thresholds.as_chunks::<{ dither::TILE }>().0;
        let strips = self.layer.held().len().div_ceil(rows);
        let (under, lines) = self.under.ready(self.layer.extent, strips);
        let work = (Chunks::new(pixels, rows * width * 4), lines);
        self.pool.for_each(work, |number, (pixels, room)| {
            let mut rows_under = Rows::new(room);
            let top = number * rows;
            let light = light[top * width..].chunks(width);
            for (row, (pixels, light)) in pixels.chunks_mut(width * 4).zip(light).enumerate() {
                let row = first + top + row;
                let thresholds = &thresholds[row % dither::TILE];
                let under = rows_under.at(level, &under, row);
                tone_row(
                    level,
                    (tone, curve),
                    pixels,
                    channels,
                    light,
                    under,
                    thresholds,
                );
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
        let rgb = &mut rgb[..self.layer.light.len()];
        if self.shows_both(frame) {
            self.develop_frame_of_both(frame, rgb);
        } else {
            self.develop_alone(frame, rgb);
        }
    }

    /// The same of the picture that is there or comes.
    fn develop_alone(&mut self, frame: &Frame, rgb: &mut [[f32; 3]]) {
        self.layer.advance_between(frame, &self.pool);
        let (width, level) = (self.layer.width(), self.pool.level());
        let rows = self.layer.strip_rows(&self.pool);
        if let (Background::Flat(codes), Blend::Codes) = (frame.background, frame.pending.blend) {
            let (light, background) = (self.layer.shown(frame), codes.map(f32::from));
            let strips = Chunks::new(rgb, rows * width);
            self.pool.for_each(strips, |number, rgb| {
                let light = light[number * rows * width..].chunks(width);
                for (rgb, light) in rgb.chunks_mut(width).zip(light) {
                    develop_row(level, rgb, light, background);
                }
            });
            return;
        }
        let tone = self.prepare(frame);
        let light = self.layer.shown(frame);
        let first = self.layer.held().start;
        let strips = self.layer.held().len().div_ceil(rows);
        let (under, lines) = self.under.ready(self.layer.extent, strips);
        let work = (Chunks::new(rgb, rows * width), lines);
        self.pool.for_each(work, |number, (rgb, room)| {
            let mut rows_under = Rows::new(room);
            let top = number * rows;
            let light = light[top * width..].chunks(width);
            for (row, (rgb, light)) in rgb.chunks_mut(width).zip(light).enumerate() {
                let under = rows_under.at(level, &under, first + top + row);
                tone_developed_row(level, tone, rgb, light, under);
            }
        });
    }

    fn shows_both(&self, frame: &Frame) -> bool {
        self.other.is_some() && frame.leaving.is_some()
    }

    /// Lays out what is under the light of a frame, bloom included.
    fn prepare(&mut self, frame: &Frame) -> Tone {
        let tone = Tone {
            blend: frame.pending.blend,
            exposure: frame.exposure,
        };
        let bloom = frame.bloom.filter(|_| tone.blend == Blend::Add);
        let map = self.map.as_mut().filter(|_| bloom.is_some());
        let ground = match map {
            Some(_) => &mut self.ground,
            None => &mut self.under,
        };
        match frame.background {
            Background::Flat(codes) => {
                ground.fill(codes.map(|code| tone.blend.under(linear(code))))
            }
            Background::Map(backdrop) => ground.lay(backdrop, |linear| tone.blend.under(linear)),
        }
        if let (Some(bloom), Some(map)) = (bloom, map) {
            if frame.pending.glows {
                map.advance_between(frame, &self.pool);
            }
            self.under.clear(map.extent);
            self.under.add_sheet(&mut self.ground, 1.0, &self.pool);
            let light = (map.shown(frame), map.extent);
            self.glow
                .add_to(&mut self.under, light, &bloom, frame.exposure, &self.pool);
        }
        tone
    }
}

impl Canvas for CpuCanvas {
    fn extent(&self) -> Extent {
        self.layer.extent
    }

    fn resize(&mut self, extent: Extent) {
        self.resize_other(extent);
        if extent == self.layer.extent {
            return;
        }
        self.pixels = Vec::new();
        self.layer.resize(extent);
        if let Some(map) = &mut self.map {
            map.resize(extent.of_glow());
        }
    }

    fn clear(&mut self) {
        self.layer.light.fill([0.0; 4]);
        self.map = None;
        self.other = None;
    }

    fn part(&mut self) {
        self.part_from();
    }

    fn on_leaving(&mut self, work: &mut dyn FnMut(&mut dyn Canvas)) {
        if let Some(other) = &mut self.other {
            work(&mut other.canvas);
        }
    }

    fn join(&mut self) {
        self.other = None;
    }

    fn load(&mut self, light: &[f32], glow: Option<&[f32]>) {
        self.layer.light.as_flattened_mut().copy_from_slice(light);
        let extent = self.layer.extent.of_glow();
        self.map = glow.map(|glow| {
            let mut map = Layer::new(extent, 0..u32::MAX);
            map.light.as_flattened_mut().copy_from_slice(glow);
            map
        });
    }

    fn fade(&mut self, keep: f32) {
        self.layer.fade(keep, &self.pool);
        if let Some(map) = &mut self.map {
            map.fade(keep, &self.pool);
        }
    }

    fn stroke(&mut self, strokes: &Strokes) {
        self.stroke_faded(strokes, 1.0);
    }

    fn present(&mut self, frame: &Frame) {
        let mut pixels = std::mem::take(&mut self.pixels);
        pixels.resize(self.layer.light.len() * 4, 0);
        self.present_to(frame, Channels::Rgba, &mut pixels);
        self.pixels = pixels;
    }
}

#[cfg(test)]
mod tests;
