//! Lines, areas under them and arrows, anti-aliased by the distance of a px from them.

use super::{Ink, Sheet, length};

/// An arrow in px of a sheet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arrow {
    /// Its middle.
    pub middle: [f32; 2],
    /// From its tail to its tip.
    pub along: [f32; 2],
    /// Of its shaft.
    pub width: f32,
}

/// Length and half the width of a head for the width of the shaft; short arrows have smaller ones.
const HEAD: [f32; 2] = [4.4, 2.1];

/// Most of an arrow's length that the head takes.
const MOST_HEAD: f32 = 0.55;

impl Sheet {
    /// Draws a line through points, with round corners and ends. It covers each px once, so that it may be translucent.
    pub fn line(&mut self, points: &[[f32; 2]], width: f32, ink: Ink) {
        let [sheet_width, sheet_height] = self.size();
        let mut coverage = vec![0.0f32; sheet_width as usize * sheet_height as usize];
        let half = width / 2.0;
        let mut bounds = Bounds::NONE;
        for pair in points.windows(2) {
            let [from, to] = [pair[0], pair[1]];
            let near = Bounds::around(&[from, to], half + 1.0).within(self.size());
            for y in near.low[1]..near.high[1] {
                for x in near.low[0]..near.high[0] {
                    let away = distance([x as f32 + 0.5, y as f32 + 0.5], from, to);
                    let covered = (half + 0.5 - away).clamp(0.0, width.min(1.0));
                    let there = &mut coverage[y as usize * sheet_width as usize + x as usize];
                    *there = there.max(covered);
                }
            }
            bounds = bounds.with(&near);
        }
        for y in bounds.low[1]..bounds.high[1] {
            for x in bounds.low[0]..bounds.high[0] {
                let covered = coverage[y as usize * sheet_width as usize + x as usize];
                self.blend(x, y, ink, covered);
            }
        }
    }

    /// Fills what lies between a line through points, of rising x, and a level below or above it.
    pub fn fill_to(&mut self, points: &[[f32; 2]], level: f32, ink: Ink) {
        for pair in points.windows(2) {
            let [from, to] = [pair[0], pair[1]];
            for x in (from[0] - 0.5).ceil() as i32..(to[0] - 0.5).ceil() as i32 {
                let part = (x as f32 + 0.5 - from[0]) / (to[0] - from[0]);
                let at = from[1] + (to[1] - from[1]) * part;
                let [top, bottom] = [at.min(level), at.max(level)];
                for y in top.floor() as i32..bottom.ceil() as i32 {
                    let covered = (bottom.min(y as f32 + 1.0) - top.max(y as f32)).clamp(0.0, 1.0);
                    self.blend(x, y, ink, covered);
                }
            }
        }
    }

    /// Draws an arrow; one of hardly any length is a dot.
    pub fn arrow(&mut self, arrow: &Arrow, ink: Ink) {
        self.arrow_and_around(arrow, 0.0, ink);
    }

    /// Draws an arrow with so many px more on every side.
    pub fn arrow_and_around(&mut self, arrow: &Arrow, more: f32, ink: Ink) {
        let shape = Shape::new(arrow);
        let bounds = Bounds::around(&shape.corners(), more + 1.0).within(self.size());
        let most = (2.0 * (shape.half + more)).min(1.0);
        for y in bounds.low[1]..bounds.high[1] {
            for x in bounds.low[0]..bounds.high[0] {
                let depth = shape.depth([x as f32 + 0.5, y as f32 + 0.5]);
                self.blend(x, y, ink, (depth + more + 0.5).clamp(0.0, most));
            }
        }
    }
}

/// An arrow as it is drawn.
struct Shape {
    tail: [f32; 2],
    /// Where shaft and head meet.
    neck: [f32; 2],
    tip: [f32; 2],
    /// A unit vector along it.
    along: [f32; 2],
    /// Half the width of the shaft.
    half: f32,
    /// Half the width of the head, and its length.
    head: [f32; 2],
}

impl Shape {
    fn new(arrow: &Arrow) -> Shape {
        let Arrow {
            middle,
            along,
            width,
        } = *arrow;
        let whole = length(along);
        let unit = if whole > 1e-6 {
            along.map(|side| side / whole)
        } else {
            [1.0, 0.0]
        };
        let at = |way: f32| [0, 1].map(|axis| middle[axis] + unit[axis] * way);
        let head = (HEAD[0] * width).min(whole * MOST_HEAD);
        Shape {
            tail: at(-whole / 2.0),
            neck: at(whole / 2.0 - head),
            tip: at(whole / 2.0),
            along: unit,
            half: width / 2.0,
            head: [HEAD[1] * head / HEAD[0], head],
        }
    }

    /// It lies between these.
    fn corners(&self) -> [[f32; 2]; 6] {
        let across = [-self.along[1], self.along[0]];
        let beside =
            |place: [f32; 2], way: f32| [0, 1].map(|axis| place[axis] + across[axis] * way);
        let wide = self.head[0].max(self.half);
        let behind = [0, 1].map(|axis| self.tail[axis] - self.along[axis] * self.half);
        [
            beside(behind, self.half),
            beside(behind, -self.half),
            beside(self.neck, wide),
            beside(self.neck, -wide),
            beside(self.tip, self.half),
            beside(self.tip, -self.half),
        ]
    }

    /// How deep a place lies in it; below 0 outside.
    fn depth(&self, place: [f32; 2]) -> f32 {
        let shaft = self.half - distance(place, self.tail, self.neck);
        let [wide, long] = self.head;
        if long <= 0.0 {
            return shaft;
        }
        let [x, y] = [0, 1].map(|axis| place[axis] - self.neck[axis]);
        let way = x * self.along[0] + y * self.along[1];
        let away = (y * self.along[0] - x * self.along[1]).abs();
        // In front of the base, and within both legs.
        let legs = ((long - way) * wide - away * long) / length([long, wide]);
        shaft.max(legs.min(way))
    }
}

/// How far a place is from the way between two others.
fn distance(place: [f32; 2], from: [f32; 2], to: [f32; 2]) -> f32 {
    let way = [to[0] - from[0], to[1] - from[1]];
    let here = [place[0] - from[0], place[1] - from[1]];
    let square = way[0] * way[0] + way[1] * way[1];
    let part = if square > 0.0 {
        ((here[0] * way[0] + here[1] * way[1]) / square).clamp(0.0, 1.0)
    } else {
        0.0
    };
    length([here[0] - way[0] * part, here[1] - way[1] * part])
}

/// Px from a low corner to one beyond a high one.
#[derive(Clone, Copy)]
struct Bounds {
    low: [i32; 2],
    high: [i32; 2],
}

impl Bounds {
    const NONE: Bounds = Bounds {
        low: [i32::MAX; 2],
        high: [i32::MIN; 2],
    };

    /// Those that points lie in, and what is so close to them.
    fn around(points: &[[f32; 2]], close: f32) -> Bounds {
        let mut bounds = Bounds::NONE;
        for axis in 0..2 {
            for point in points {
                let [low, high] = [point[axis] - close, point[axis] + close];
                bounds.low[axis] = bounds.low[axis].min(low.floor() as i32);
                bounds.high[axis] = bounds.high[axis].max(high.ceil() as i32);
            }
        }
        bounds
    }

    fn within(self, size: [u32; 2]) -> Bounds {
        let side = |axis: usize, at: i32| at.clamp(0, size[axis] as i32);
        Bounds {
            low: [0, 1].map(|axis| side(axis, self.low[axis])),
            high: [0, 1].map(|axis| side(axis, self.high[axis])),
        }
    }

    fn with(self, other: &Bounds) -> Bounds {
        Bounds {
            low: [0, 1].map(|axis| self.low[axis].min(other.low[axis])),
            high: [0, 1].map(|axis| self.high[axis].max(other.high[axis])),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_cut;
    use super::*;

    /// All coverage, in px.
    fn covered(sheet: &Sheet) -> f32 {
        let alphas = sheet.pixels().iter().skip(3).step_by(4);
        alphas.map(|&alpha| f32::from(alpha) / 255.0).sum()
    }

    #[test]
    fn a_line_covers_its_area_once() {
        let mut sheet = Sheet::new([100, 60], [0, 0]);
        sheet.line(&[[10.0, 10.5], [90.0, 10.5]], 2.0, [255; 4]);
        // And half a round at each end.
        let expected = 160.0 + std::f32::consts::PI;
        assert!(
            (covered(&sheet) - expected).abs() < 3.0,
            "{}",
            covered(&sheet)
        );
        // Where parts of it meet it is no stronger.
        let mut bent = Sheet::new([100, 60], [0, 0]);
        let ink = [255, 255, 255, 128];
        bent.line(&[[10.0, 10.0], [50.0, 50.0], [90.0, 10.0]], 3.0, ink);
        let most = bent.pixels().iter().skip(3).step_by(4).max();
        assert_eq!(most, Some(&128));
    }

    #[test]
    fn areas_reach_to_their_level() {
        let mut sheet = Sheet::new([40, 40], [0, 0]);
        sheet.fill_to(&[[0.0, 10.0], [20.0, 20.0], [40.0, 10.0]], 30.0, [255; 4]);
        assert!((covered(&sheet) - 600.0).abs() < 1.0, "{}", covered(&sheet));
        sheet = Sheet::new([40, 40], [0, 0]);
        sheet.fill_to(&[[0.0, 10.25], [40.0, 10.25]], 8.0, [255; 4]);
        assert!((covered(&sheet) - 90.0).abs() < 1.0, "{}", covered(&sheet));
    }

    #[test]
    fn arrows_point_where_they_go() {
        let mut sheet = Sheet::new([60, 60], [0, 0]);
        let arrow = Arrow {
            middle: [30.0, 30.0],
            along: [30.0, 0.0],
            width: 2.0,
        };
        sheet.arrow(&arrow, [255; 4]);
        let column = |x: usize| -> f32 {
            (0..60)
                .map(|y| f32::from(sheet.pixels()[(y * 60 + x) * 4 + 3]) / 255.0)
                .sum()
        };
        assert!((column(20) - 2.0).abs() < 0.1, "{}", column(20));
        assert!(column(38) > 6.0 && column(43) < 2.0);
        assert!(column(12) == 0.0 && column(47) == 0.0);
    }

    #[test]
    fn no_arrow_is_cut_off() {
        let drawn = |along: [f32; 2], more: f32| {
            let mut sheet = Sheet::new([60, 60], [0, 0]);
            let arrow = Arrow {
                middle: [30.0, 30.0],
                along,
                width: 2.0,
            };
            sheet.arrow_and_around(&arrow, more, [255; 4]);
            covered(&sheet)
        };
        let right = drawn([30.0, 0.0], 0.0);
        for along in [
            [0.0, 30.0],
            [-30.0, 0.0],
            [18.0, -24.0],
            [-24.0, 18.0],
            [29.9, 2.4],
        ] {
            let other = drawn(along, 0.0);
            assert!(
                (other / right - 1.0).abs() < 0.05,
                "{along:?} {other} {right}"
            );
        }
        assert!(drawn([18.0, 24.0], 1.5) > 1.8 * right);
    }

    #[test]
    fn nothing_is_drawn_outside() {
        let moved = |points: &[[f32; 2]], by: [f32; 2]| -> Vec<[f32; 2]> {
            let moved = points.iter().map(|[x, y]| [x + by[0], y + by[1]]);
            moved.collect()
        };
        let ink = [9, 9, 9, 200];
        for slope in [[[-12.0, -9.0], [12.0, 20.0]], [[4.0, 3.0], [15.0, -2.0]]] {
            assert_cut(|sheet, by| sheet.line(&moved(&slope, by), 4.0, ink));
            let arrow = |by: [f32; 2]| Arrow {
                middle: [by[0] + 4.0, by[1] + 6.0],
                along: slope[1],
                width: 1.5,
            };
            assert_cut(|sheet, by| sheet.arrow(&arrow(by), ink));
        }
        let slope = [[-9.0, -5.0], [15.0, 9.0]];
        assert_cut(|sheet, by| sheet.fill_to(&moved(&slope, by), by[1] + 3.0, ink));
    }

    /// Points, lines and arrows without a length, and far beyond the sheet.
    #[test]
    fn nothing_breaks() {
        let mut sheet = Sheet::new([8, 8], [0, 0]);
        sheet.line(&[[-90.0, -90.0], [90.0, 200.0]], 4.0, [9; 4]);
        sheet.line(&[[5.0, 5.0]], 4.0, [9; 4]);
        sheet.line(&[[5.0, 5.0], [5.0, 5.0]], 0.3, [9; 4]);
        for along in [[0.0, 0.0], [1e-9, 0.0], [400.0, -300.0]] {
            let arrow = Arrow {
                middle: [4.0, 9.0],
                along,
                width: 1.5,
            };
            sheet.arrow(&arrow, [9; 4]);
        }
        assert_eq!(sheet.size(), [8, 8]);
        assert_eq!(sheet.pixels().len(), 8 * 8 * 4);
    }
}
