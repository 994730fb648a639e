//! Segments into a strip of rows.

use std::ops::Range;

use glam::Vec2;

use super::Light;
use super::bins::Bins;
use crate::canvas::{Blend, Extent, MOST_ALPHA, Strokes};
use crate::polynomial::{exp2, log2};
use crate::simd::{Level, clones};
use crate::simulation::{Segment, Segments};

/// Pixels of a row whose coverage is computed at once.
const LANES: usize = 4;

/// What all strokes of a step share, in device px.
pub(super) struct Brush<'a> {
    colors: &'a [[f32; 3]],
    width: usize,
    /// Rows of the picture.
    height: usize,
    /// The rows of the canvas.
    rows: Range<usize>,
    scale: f32,
    /// What is at the canvas's top left, in logical px.
    shift: Vec2,
    /// Of the least and the most width.
    widths: [f32; 2],
    /// Half the most width plus half a pixel: how far coverage reaches from the line.
    reach: f32,
    is_added: bool,
    /// By light code: log2 of what full coverage lets through, or the light that it adds.
    strengths: [f32; 256],
    /// The share of the light that is left of it.
    weight: f32,
}

/// What of the segments goes where.
pub(super) struct Piece {
    /// How much of each segment, in (0, 1].
    pub part: f32,
    /// The strip's number among [`Bins`].
    pub strip: usize,
    /// Its first row.
    pub top: usize,
}

/// Strokes what touches a strip into its light, in order.
pub(super) fn stroke_strip(
    level: Level,
    brush: &Brush,
    segments: &Segments,
    bins: &Bins,
    piece: &Piece,
    light: &mut [Light],
) {
    if brush.is_added {
        add_strip(level, brush, segments, bins, piece, light);
    } else {
        paint_strip(level, brush, segments, bins, piece, light);
    }
}

clones! {
    fn paint_strip(brush: &Brush, segments: &Segments, bins: &Bins, piece: &Piece, light: &mut [Light]) {
        stroke_all::<false>(brush, segments, bins, piece, light);
    }
}

clones! {
    fn add_strip(brush: &Brush, segments: &Segments, bins: &Bins, piece: &Piece, light: &mut [Light]) {
        stroke_all::<true>(brush, segments, bins, piece, light);
    }
}

#[inline(always)]
fn stroke_all<const ADDED: bool>(
    brush: &Brush,
    segments: &Segments,
    bins: &Bins,
    piece: &Piece,
    light: &mut [Light],
) {
    for (number, run) in segments.runs().enumerate() {
        match bins.touching(number, piece.strip) {
            Some(indices) => {
                for index in indices {
                    brush.stroke::<ADDED>(&run[*index as usize], piece, light);
                }
            }
            None => {
                for segment in run {
                    brush.stroke::<ADDED>(segment, piece, light);
                }
            }
        }
    }
}

/// A segment in device px.
struct Line {
    from: Vec2,
    /// Of length 1.
    along: Vec2,
    length: f32,
    /// Half the width plus half a pixel.
    reach: f32,
    /// Most coverage across: a thread thinner than a pixel never covers one.
    most: f32,
    columns: Range<usize>,
    rows: Range<usize>,
}

impl Brush<'_> {
    pub(super) fn new<'a>(
        strokes: &Strokes<'a>,
        extent: Extent,
        rows: Range<usize>,
        weight: f32,
    ) -> Brush<'a> {
        let widths = strokes.width.map(|width| width * extent.scale);
        let is_added = strokes.blend == Blend::Add;
        let strength = |code: usize| {
            let alpha = strokes.alpha * Strokes::share(code as u8);
            if is_added {
                alpha * weight
            } else {
                log2(f64::from(1.0 - alpha.clamp(0.0, MOST_ALPHA))) as f32
            }
        };
        Brush {
            colors: match strokes.blend {
                Blend::Codes => strokes.palette.colors(),
                Blend::Over | Blend::Add => strokes.palette.linear(),
            },
            width: extent.width as usize,
            height: extent.height as usize,
            rows,
            scale: extent.scale,
            shift: strokes.shift.into(),
            widths,
            reach: widths[0].max(widths[1]) * 0.5 + 0.5,
            is_added,
            strengths: std::array::from_fn(strength),
            weight,
        }
    }

    /// The rows of the canvas.
    pub(super) fn rows(&self) -> Range<usize> {
        self.rows.clone()
    }

    /// Whether these are all rows of the picture.
    pub(super) fn is_whole(&self) -> bool {
        self.rows == (0..self.height)
    }

    /// The strips of so many rows that the whole segment can touch; none where it is not finite.
    #[inline]
    pub(super) fn strips(&self, segment: &Segment, rows: usize) -> Range<usize> {
        let [from, to] = [segment.from, segment.to].map(|end| (end.y - self.shift.y) * self.scale);
        let (low, high) = (
            from.min(to) - self.reach - 0.5,
            from.max(to) + self.reach + 0.5,
        );
        // A comparison with NaN is false.
        if low <= high {
            let Range { start, end } = pixels(low, high, self.rows.start, self.rows.end);
            if start < end {
                let first = self.rows.start;
                return (start - first) / rows..(end - 1 - first) / rows + 1;
            }
        }
        0..0
    }

    /// Strokes a segment into a strip.
    #[inline(always)]
    fn stroke<const ADDED: bool>(&self, segment: &Segment, piece: &Piece, light: &mut [Light]) {
        let bottom = piece.top + light.len() / self.width;
        let Some(line) = self.line(segment, piece.part, piece.top..bottom) else {
            return;
        };
        let [red, green, blue] = self.colors[usize::from(segment.ink.color())];
        let strength = self.strengths[usize::from(segment.ink.light())];
        let color = if ADDED {
            [red * strength, green * strength, blue * strength, 0.0]
        } else {
            [red, green, blue, 1.0]
        };
        for y in line.rows.clone() {
            let row = &mut light[(y - piece.top) * self.width..][..self.width];
            let mut x = line.columns.start;
            while x < line.columns.end {
                let mut amount = self.coverage(&line, x, y);
                if !ADDED {
                    for amount in &mut amount {
                        *amount = exp2(*amount * strength);
                    }
                }
                // Without a branch: where nothing is covered, all of the light goes through.
                if let Some(pixels) = row[x..].first_chunk_mut::<LANES>() {
                    for lane in 0..LANES {
                        self.blend::<ADDED>(&mut pixels[lane], color, amount[lane]);
                    }
                } else {
                    let pixels = &mut row[x..];
                    for lane in 0..pixels.len() {
                        self.blend::<ADDED>(&mut pixels[lane], color, amount[lane]);
                    }
                }
                x += LANES;
            }
        }
    }

    #[inline(always)]
    fn line(&self, segment: &Segment, part: f32, rows: Range<usize>) -> Option<Line> {
        let from = (segment.from - self.shift) * self.scale;
        let to = from + ((segment.to - self.shift) * self.scale - from) * part;
        let length = (to - from).length();
        if !(length > 0.0 && length.is_finite()) {
            return None;
        }
        let along = (to - from) / length;
        let [least, most] = self.widths;
        let width = least + (most - least) * (f32::from(segment.ink.width()) / 255.0);
        let reach = width * 0.5 + 0.5;
        // The rectangle of coverage is `reach` to each side and half a pixel beyond each end.
        let margin = along.abs() * 0.5 + Vec2::new(along.y, along.x).abs() * reach;
        let (low, high) = (from.min(to) - margin, from.max(to) + margin);
        let rows = pixels(low.y, high.y, rows.start, rows.end);
        let columns = pixels(low.x, high.x, 0, self.width);
        (!rows.is_empty() && !columns.is_empty()).then_some(Line {
            from,
            along,
            length,
            reach,
            most: width.min(1.0),
            columns,
            rows,
        })
    }

    /// The coverage of the pixels from `x` on in row `y`.
    #[inline(always)]
    fn coverage(&self, line: &Line, x: usize, y: usize) -> [f32; LANES] {
        let Line {
            from,
            along,
            length,
            reach,
            most,
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
            *coverage = (reach - across.abs()).clamp(0.0, most) * overlap;
        }
        coverage
    }

    /// Adds this much of a color, or lets this much of the light through.
    #[inline(always)]
    fn blend<const ADDED: bool>(&self, pixel: &mut Light, color: Light, amount: f32) {
        if ADDED {
            for channel in 0..4 {
                pixel[channel] += color[channel] * amount;
            }
        } else {
            let left = (1.0 - amount) * self.weight;
            for channel in 0..4 {
                pixel[channel] = pixel[channel] * amount + color[channel] * left;
            }
        }
    }
}

/// The pixels whose centres lie from `low` to `high`, within `first..end`.
#[inline(always)]
fn pixels(low: f32, high: f32, first: usize, end: usize) -> Range<usize> {
    // Conversions saturate: what lies above or left of the canvas begins at 0.
    let begin = ((low + 0.5).max(0.0) as usize).max(first);
    let after = (high + 0.5).max(0.0) as usize;
    begin..after.min(end).max(begin)
}
