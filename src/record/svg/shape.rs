//! From px of a window to hundredths of a mm on paper: placed, clipped, simplified, rounded.

use glam::{DVec2, Vec2};

use super::POINTS_PER_MM;
use super::route::{Point, Polyline};

/// How far a simplified line may be from the line itself, in hundredths of a mm: rounding takes the rest of 0.05 mm.
const TOLERANCE: f64 = 5.0 - std::f64::consts::FRAC_1_SQRT_2;

/// How a window lies on paper, in hundredths of a mm.
#[derive(Debug)]
pub struct Frame {
    /// The place of the window's top left.
    origin: DVec2,
    /// Hundredths of a mm per px.
    scale: f64,
    /// What is drawn on: corners in whole hundredths, so that rounding leaves nothing outside.
    low: DVec2,
    high: DVec2,
}

impl Frame {
    /// The window in the middle of the paper, as large as the margins let it be.
    pub fn new(window: [f64; 2], paper: [f64; 2], margin: f64) -> Frame {
        let (window, paper) = (DVec2::from(window), DVec2::from(paper) * POINTS_PER_MM);
        let scale = ((paper - 2.0 * margin * POINTS_PER_MM) / window).min_element();
        let origin = (paper - window * scale) / 2.0;
        // A corner that is a whole number but for its last bits counts as whole.
        Frame {
            origin,
            scale,
            low: (origin - 1e-6).ceil(),
            high: (origin + window * scale + 1e-6)
                .floor()
                .max((origin - 1e-6).ceil()),
        }
    }

    /// Gives the pieces of a line that are on the paper, each of at least two different points.
    pub fn lay(&self, points: &[Vec2], mut give: impl FnMut(Polyline)) {
        let mut piece = Vec::new();
        let mut finish = |piece: &mut Vec<DVec2>| {
            let mut line = simplified(piece);
            line.dedup();
            if line.len() > 1 {
                give(line);
            }
            piece.clear();
        };
        for pair in points.windows(2) {
            let Some([begin, end]) = self.clip(self.place(pair[0]), self.place(pair[1])) else {
                finish(&mut piece);
                continue;
            };
            if piece.last() != Some(&begin) {
                finish(&mut piece);
                piece.push(begin);
            }
            piece.push(end);
        }
        finish(&mut piece);
    }

    fn place(&self, point: Vec2) -> DVec2 {
        self.origin + point.as_dvec2() * self.scale
    }

    /// What of the way from one place to another is drawn on.
    ///
    /// Source: Liang and Barsky, "A new concept and method for line clipping", 1984.
    fn clip(&self, from: DVec2, to: DVec2) -> Option<[DVec2; 2]> {
        if !(from.is_finite() && to.is_finite()) {
            return None;
        }
        let way = to - from;
        let (mut enters, mut leaves) = (0.0f64, 1.0f64);
        for axis in 0..2 {
            let (before, after) = (self.low[axis] - from[axis], self.high[axis] - from[axis]);
            if way[axis] == 0.0 {
                if before > 0.0 || after < 0.0 {
                    return None;
                }
                continue;
            }
            let (one, other) = (before / way[axis], after / way[axis]);
            enters = enters.max(one.min(other));
            leaves = leaves.min(one.max(other));
        }
        let at = |share: f64| (from + way * share).clamp(self.low, self.high);
        let begin = if enters > 0.0 { at(enters) } else { from };
        let end = if leaves < 1.0 { at(leaves) } else { to };
        (enters <= leaves).then_some([begin, end])
    }
}

/// The nearest point; inside the frame none is negative or too large.
fn rounded(place: DVec2) -> Point {
    place.round().to_array().map(|coordinate| coordinate as i32)
}

/// The points that are needed so that none of the others is farther than [`TOLERANCE`] from the line, rounded.
///
/// Source: Douglas and Peucker, "Algorithms for the reduction of the number of points", 1973; with a list instead of
/// recursion, since a line may be of any length.
fn simplified(points: &[DVec2]) -> Polyline {
    let Some(last) = points.len().checked_sub(1) else {
        return Polyline::new();
    };
    let mut line = vec![rounded(points[0])];
    let mut open = vec![(0, last)];
    while let Some((first, last)) = open.pop() {
        let off = |i: usize| distance_squared(points[i], points[first], points[last]);
        let distances = (first + 1..last).map(|i| (off(i), i));
        match distances.reduce(|a, b| if b.0 > a.0 { b } else { a }) {
            Some((farthest, middle)) if farthest > TOLERANCE * TOLERANCE => {
                open.extend([(middle, last), (first, middle)]);
            }
            _ => line.push(rounded(points[last])),
        }
    }
    line
}

/// From a point to the nearest one between two others.
fn distance_squared(point: DVec2, from: DVec2, to: DVec2) -> f64 {
    let (way, there) = (to - from, point - from);
    let length_squared = way.length_squared();
    let share = if length_squared > 0.0 {
        (there.dot(way) / length_squared).clamp(0.0, 1.0)
    } else {
        0.0
    };
    there.distance_squared(way * share)
}

#[cfg(test)]
mod tests;
