//! One segment into a band of rows.

use glam::Vec2;

use super::Light;
use crate::canvas::{Extent, MOST_ALPHA, Strokes};
use crate::palette::Palette;
use crate::polynomial::{exp2, log2};
use crate::simulation::Segment;

/// What all strokes of a step share, in device px.
pub(super) struct Brush<'a> {
    palette: &'a Palette,
    width: usize,
    height: usize,
    scale: f32,
    /// Half the width plus half a pixel: how far coverage reaches from the line.
    reach: f32,
    /// Most coverage across: a thread thinner than a pixel never covers one.
    most: f32,
    /// log2 of what full coverage lets through.
    through: f32,
    /// The share of the light that is left of it.
    weight: f32,
}

impl Brush<'_> {
    pub(super) fn new<'a>(strokes: &Strokes<'a>, extent: Extent, weight: f32) -> Brush<'a> {
        let width = strokes.width * extent.scale;
        Brush {
            palette: strokes.palette,
            width: extent.width as usize,
            height: extent.height as usize,
            scale: extent.scale,
            reach: width * 0.5 + 0.5,
            most: width.min(1.0),
            through: log2(f64::from(1.0 - strokes.alpha.clamp(0.0, MOST_ALPHA))) as f32,
            weight,
        }
    }

    /// Strokes the first `part` of a segment, in (0, 1], into the rows from `top` on.
    pub(super) fn stroke(&self, segment: &Segment, part: f32, top: usize, band: &mut [Light]) {
        let from = segment.from * self.scale;
        let to = from + (segment.to * self.scale - from) * part;
        let length = (to - from).length();
        if !(length > 0.0 && length.is_finite()) {
            return;
        }
        let along = (to - from) / length;
        // The rectangle of coverage is `reach` to each side and half a pixel beyond each end.
        let margin = along.abs() * 0.5 + Vec2::new(along.y, along.x).abs() * self.reach;
        let (low, high) = (from.min(to) - margin, from.max(to) + margin);
        let bottom = (top + band.len() / self.width).min(self.height);
        let (columns, rows) = (
            pixels(low.x, high.x, 0, self.width),
            pixels(low.y, high.y, top, bottom),
        );
        if columns.is_empty() || rows.is_empty() {
            return;
        }
        let color = self.palette.color(segment.color);
        for y in rows {
            let row = &mut band[(y - top) * self.width..][..self.width];
            for x in columns.clone() {
                let offset = Vec2::new(x as f32 + 0.5, y as f32 + 0.5) - from;
                let across = (self.reach - (offset.x * along.y - offset.y * along.x).abs())
                    .clamp(0.0, self.most);
                let s = offset.x * along.x + offset.y * along.y;
                let overlap = (length - s + 0.5).clamp(0.0, 1.0) - (0.5 - s).clamp(0.0, 1.0);
                let coverage = across * overlap;
                if coverage > 0.0 {
                    self.blend(&mut row[x], color, coverage);
                }
            }
        }
    }

    #[inline]
    fn blend(&self, pixel: &mut Light, [red, green, blue]: [f32; 3], coverage: f32) {
        let through = exp2(coverage * self.through);
        let left = (1.0 - through) * self.weight;
        let color = [red, green, blue, 1.0];
        for channel in 0..4 {
            pixel[channel] = pixel[channel] * through + color[channel] * left;
        }
    }
}

/// The pixels whose centres lie from `low` to `high`, within `first..end`.
fn pixels(low: f32, high: f32, first: usize, end: usize) -> std::ops::Range<usize> {
    // Conversions saturate: what lies above or left of the canvas begins at 0.
    let begin = ((low - 0.5).max(0.0) as usize).max(first);
    let after = (high + 0.5).max(0.0) as usize;
    begin..after.min(end).max(begin)
}
