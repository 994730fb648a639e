//! One segment into a band of rows.

use std::ops::Range;

use glam::Vec2;

use super::Light;
use crate::canvas::{Extent, MOST_ALPHA, Strokes};
use crate::palette::Palette;
use crate::polynomial::{exp2, log2};
use crate::simulation::Segment;

/// Pixels of a row whose coverage is computed at once.
const LANES: usize = 4;

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

/// A segment in device px.
struct Line {
    from: Vec2,
    /// Of length 1.
    along: Vec2,
    length: f32,
    columns: Range<usize>,
    rows: Range<usize>,
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

    /// Rows of the canvas.
    pub(super) fn height(&self) -> usize {
        self.height
    }

    /// The rows that the whole segment can touch; none where it is not finite.
    pub(super) fn rows(&self, segment: &Segment) -> Range<usize> {
        let (from, to) = (segment.from.y * self.scale, segment.to.y * self.scale);
        let (low, high) = (
            from.min(to) - self.reach - 0.5,
            from.max(to) + self.reach + 0.5,
        );
        // A comparison with NaN is false.
        if low <= high {
            pixels(low, high, 0, self.height)
        } else {
            0..0
        }
    }

    /// Strokes the first `part` of a segment, in (0, 1], into the rows from `top` on.
    pub(super) fn stroke(&self, segment: &Segment, part: f32, top: usize, band: &mut [Light]) {
        let bottom = (top + band.len() / self.width).min(self.height);
        let Some(line) = self.line(segment, part, top..bottom) else {
            return;
        };
        let color = self.palette.color(segment.color);
        for y in line.rows.clone() {
            let row = &mut band[(y - top) * self.width..][..self.width];
            for x in line.columns.clone().step_by(LANES) {
                let coverage = self.coverage(&line, x, y);
                if coverage.iter().all(|&coverage| coverage <= 0.0) {
                    continue;
                }
                let through = coverage.map(|coverage| exp2(coverage * self.through));
                let end = (x + LANES).min(line.columns.end);
                for (pixel, (through, coverage)) in row[x..end]
                    .iter_mut()
                    .zip(through.into_iter().zip(coverage))
                {
                    if coverage > 0.0 {
                        self.blend(pixel, color, through);
                    }
                }
            }
        }
    }

    fn line(&self, segment: &Segment, part: f32, rows: Range<usize>) -> Option<Line> {
        let from = segment.from * self.scale;
        let to = from + (segment.to * self.scale - from) * part;
        let length = (to - from).length();
        if !(length > 0.0 && length.is_finite()) {
            return None;
        }
        let along = (to - from) / length;
        // The rectangle of coverage is `reach` to each side and half a pixel beyond each end.
        let margin = along.abs() * 0.5 + Vec2::new(along.y, along.x).abs() * self.reach;
        let (low, high) = (from.min(to) - margin, from.max(to) + margin);
        let rows = pixels(low.y, high.y, rows.start, rows.end);
        let columns = pixels(low.x, high.x, 0, self.width);
        (!rows.is_empty() && !columns.is_empty()).then_some(Line {
            from,
            along,
            length,
            columns,
            rows,
        })
    }

    /// The coverage of the pixels from `x` on in row `y`.
    #[inline]
    fn coverage(&self, line: &Line, x: usize, y: usize) -> [f32; LANES] {
        let Line {
            from,
            along,
            length,
            ..
        } = *line;
        let (dx, dy) = (x as f32 + 0.5 - from.x, y as f32 + 0.5 - from.y);
        // At the first pixel; both are linear in x.
        let (across, s) = (dx * along.y - dy * along.x, dx * along.x + dy * along.y);
        let mut coverage = [0.0; LANES];
        for (lane, coverage) in coverage.iter_mut().enumerate() {
            let across = across + lane as f32 * along.y;
            let s = s + lane as f32 * along.x;
            let overlap = (length - s + 0.5).clamp(0.0, 1.0) - (0.5 - s).clamp(0.0, 1.0);
            *coverage = (self.reach - across.abs()).clamp(0.0, self.most) * overlap;
        }
        coverage
    }

    #[inline]
    fn blend(&self, pixel: &mut Light, [red, green, blue]: [f32; 3], through: f32) {
        let left = (1.0 - through) * self.weight;
        let color = [red, green, blue, 1.0];
        for channel in 0..4 {
            pixel[channel] = pixel[channel] * through + color[channel] * left;
        }
    }
}

/// The pixels whose centres lie from `low` to `high`, within `first..end`.
fn pixels(low: f32, high: f32, first: usize, end: usize) -> Range<usize> {
    // Conversions saturate: what lies above or left of the canvas begins at 0.
    let begin = ((low + 0.5).max(0.0) as usize).max(first);
    let after = (high + 0.5).max(0.0) as usize;
    begin..after.min(end).max(begin)
}
