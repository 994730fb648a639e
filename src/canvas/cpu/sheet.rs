//! What lies under or around the light, coarser than the picture: texels some logical px apart, bilinear between them.

use super::Light;
use crate::canvas::{Backdrop, Extent};
use crate::pool::{Chunks, Pool};
use crate::simd::{Level, clones};

/// Rows that a thread works on at a time.
const ROWS: usize = 16;

/// Texels, row by row.
#[derive(Debug, Default)]
pub(super) struct Sheet {
    pub texels: Vec<Light>,
    columns: usize,
    /// Logical px between two texels.
    pitch: f32,
    /// The logical px of the first.
    origin: f32,
    /// Where the columns of whoever samples lie.
    places: Vec<Between>,
    /// Two rows of texels at the columns of whoever samples, for each strip of rows.
    lines: Vec<Light>,
}

/// Between which two texels of a row a place lies, and how far.
#[derive(Clone, Copy, Debug)]
struct Between {
    index: u32,
    share: f32,
}

/// A sheet that is ready to be sampled row by row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sampled<'a> {
    texels: &'a [Light],
    columns: usize,
    pitch: f32,
    origin: f32,
    scale: f32,
    /// Where the columns lie.
    places: &'a [Between],
}

impl Sheet {
    /// The texels of a backdrop, in whatever its colors become.
    pub(super) fn lay(&mut self, backdrop: &Backdrop, become_of: impl Fn(f32) -> f32) {
        self.columns = backdrop.columns;
        (self.pitch, self.origin) = (Backdrop::PITCH, 0.0);
        self.texels.clear();
        self.texels.extend(backdrop.nodes.iter().map(|color| {
            let [red, green, blue] = color.map(&become_of);
            [red, green, blue, 0.0]
        }));
    }

    /// One texel everywhere.
    pub(super) fn fill(&mut self, [red, green, blue]: [f32; 3]) {
        self.texels.clear();
        self.texels.push([red, green, blue, 0.0]);
        (self.columns, self.pitch, self.origin) = (1, 1.0, 0.0);
    }

    /// Texels at the px of a map, all 0.
    pub(super) fn clear(&mut self, map: Extent) {
        self.columns = map.width as usize;
        self.pitch = 1.0 / map.scale;
        self.origin = self.pitch * 0.5;
        self.texels.clear();
        self.texels
            .resize(self.columns * map.height as usize, [0.0; 4]);
    }

    /// Gets ready to be sampled at the px of a picture of this extent, in so many strips of rows; gives what to sample, and room
    /// for [`Rows`] of each strip.
    pub(super) fn ready(
        &mut self,
        extent: Extent,
        strips: usize,
    ) -> (Sampled<'_>, Chunks<'_, Light>) {
        self.places.clear();
        for px in 0..extent.width as usize {
            let place = between(px, extent.scale, self.pitch, self.origin, self.columns);
            self.places.push(place);
        }
        let length = 2 * extent.width as usize;
        self.lines.resize(strips * length, [0.0; 4]);
        let sampled = Sampled {
            texels: &self.texels,
            columns: self.columns,
            pitch: self.pitch,
            origin: self.origin,
            scale: extent.scale,
            places: &self.places,
        };
        (sampled, Chunks::new(&mut self.lines, length))
    }

    /// Adds values, one for each texel.
    pub(super) fn add(&mut self, values: &[Light], share: f32, pool: &Pool) {
        let (level, length) = (pool.level(), ROWS * self.columns);
        pool.for_each(Chunks::new(&mut self.texels, length), |number, texels| {
            add(level, texels, &values[number * length..], share);
        });
    }

    /// Adds what a coarser sheet has at the texels.
    pub(super) fn add_sheet(&mut self, coarse: &mut Sheet, share: f32, pool: &Pool) {
        let (level, width) = (pool.level(), self.columns);
        let rows = self.texels.len() / width;
        let map = Extent {
            width: width as u32,
            height: rows as u32,
            scale: 1.0 / self.pitch,
        };
        let (coarse, lines) = coarse.ready(map, rows.div_ceil(ROWS));
        let texels = Chunks::new(&mut self.texels, ROWS * width);
        pool.for_each((texels, lines), |number, (rows, room)| {
            let mut lines = Rows::new(room);
            for (index, row) in rows.chunks_mut(width).enumerate() {
                let (upper, lower, way) = lines.at(level, &coarse, number * ROWS + index);
                add_between(level, row, upper, lower, way, share);
            }
        });
    }
}

/// Two neighbouring rows of texels at the columns of a picture, which the rows of px between them share.
#[derive(Debug)]
pub(super) struct Rows<'a> {
    upper: &'a mut [Light],
    lower: &'a mut [Light],
    /// Which row of texels the upper one is.
    held: Option<u32>,
}

impl<'a> Rows<'a> {
    /// None yet.
    pub(super) fn new(room: &'a mut [Light]) -> Rows<'a> {
        let (upper, lower) = room.split_at_mut(room.len() / 2);
        Rows {
            upper,
            lower,
            held: None,
        }
    }

    /// The rows of texels above and below a row of px, and how far between them it lies.
    pub(super) fn at(
        &mut self,
        level: Level,
        sheet: &Sampled,
        row: usize,
    ) -> (&[Light], &[Light], f32) {
        let count = sheet.texels.len() / sheet.columns;
        let Between { index, share } = between(row, sheet.scale, sheet.pitch, sheet.origin, count);
        if self.held != Some(index) {
            if index > 0 && self.held == Some(index - 1) {
                std::mem::swap(&mut self.upper, &mut self.lower);
            } else {
                expand(level, self.upper, sheet.row(index as usize), sheet.places);
            }
            let below = (index as usize + 1).min(count - 1);
            expand(level, self.lower, sheet.row(below), sheet.places);
            self.held = Some(index);
        }
        (self.upper, self.lower, share)
    }
}

impl Sampled<'_> {
    fn row(&self, number: usize) -> &[Light] {
        &self.texels[number * self.columns..][..self.columns]
    }
}

/// Where the centre of a px lies between `count` texels.
fn between(px: usize, scale: f32, pitch: f32, origin: f32, count: usize) -> Between {
    let place = ((px as f32 + 0.5) / scale - origin) / pitch;
    let place = place.clamp(0.0, (count - 1) as f32);
    let index = place as u32;
    Between {
        index,
        share: place - index as f32,
    }
}

/// Values between two rows.
#[inline(always)]
pub(super) fn mix(values: &mut [Light], upper: &[Light], lower: &[Light], way: f32) {
    let rows = upper.as_flattened().iter().zip(lower.as_flattened());
    for (value, (upper, lower)) in values.as_flattened_mut().iter_mut().zip(rows) {
        *value = upper + (lower - upper) * way;
    }
}

clones! {
    /// The texels of a row at places.
    fn expand(values: &mut [Light], texels: &[Light], places: &[Between]) {
        let last = texels.len() - 1;
        for (value, Between { index, share }) in values.iter_mut().zip(places) {
            let index = *index as usize;
            let (left, right) = (texels[index.min(last)], texels[(index + 1).min(last)]);
            for channel in 0..4 {
                value[channel] = left[channel] + (right[channel] - left[channel]) * share;
            }
        }
    }
}

clones! {
    fn add_between(texels: &mut [Light], upper: &[Light], lower: &[Light], way: f32, share: f32) {
        let rows = upper.as_flattened().iter().zip(lower.as_flattened());
        for (texel, (upper, lower)) in texels.as_flattened_mut().iter_mut().zip(rows) {
            *texel += (upper + (lower - upper) * way) * share;
        }
    }
}

clones! {
    fn add(texels: &mut [Light], values: &[Light], share: f32) {
        for (texel, value) in texels.as_flattened_mut().iter_mut().zip(values.as_flattened()) {
            *texel += value * share;
        }
    }
}
