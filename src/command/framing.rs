//! How windows of any size are shown in frames of one size: as large as fits, with bars beside, or cut.

use super::clock::Clock;
use crate::canvas::Extent;
use crate::picture::extent;
use crate::take::Shot;

/// Device px by which what has the same aspect but for rounding may miss a frame.
const ROUNDING: f64 = 1.0;

/// What is done with a window of another aspect than the frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// All of it is seen, with bars in the color of the background.
    Pad,
    /// It fills the frame, and what is too much is cut.
    Crop,
}

/// Frames of one size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Framing {
    /// Width and height in device px.
    pub size: [u32; 2],
    /// How a window of another aspect is shown.
    pub fit: Fit,
}

impl Framing {
    /// Whether a window fills the frame without bars or cuts, but for less than a px.
    pub fn is_filled_by(&self, window: [f64; 2]) -> bool {
        let [across, down] = self.scales(window);
        let scale = across.min(down);
        (0..2).all(|axis| f64::from(self.size[axis]) - window[axis] * scale < ROUNDING)
    }

    /// The canvas that shows a window, in logical px.
    pub fn canvas(&self, window: [f64; 2]) -> Extent {
        let [across, down] = self.scales(window);
        let scale = match self.fit {
            // A bar of one px would be seen, a px that is cut is not.
            Fit::Pad if !self.is_filled_by(window) => across.min(down),
            _ => across.max(down),
        };
        extent(window, scale as f32)
    }

    /// How a picture becomes frames of this size, which are its frames from the first to just before the last: its window is
    /// this at the start.
    pub fn shot(&self, window: [f64; 2], clock: &Clock, frames: [u64; 2]) -> Shot {
        Shot {
            size: self.size,
            scale: self.canvas(window).scale.into(),
            fps: clock.fps(),
            start: clock.start(),
            frames,
            loop_frames: 0,
        }
    }

    /// Device px per logical px that fill the width and the height with a window.
    fn scales(&self, window: [f64; 2]) -> [f64; 2] {
        [0, 1].map(|axis| f64::from(self.size[axis]) / window[axis])
    }

    /// Puts the px of a canvas into the middle of a frame and bars of one color beside it. Both are row by row from the top;
    /// `canvas` has the size of `extent`, and `frame` room for all of the frame.
    ///
    /// # Panics
    ///
    /// If `canvas` or `frame` is shorter.
    pub fn place<T: Copy>(&self, extent: Extent, canvas: &[T], bars: T, frame: &mut [T]) {
        let [width, height] = self.size.map(|side| side as usize);
        let (across, down) = (extent.width as usize, extent.height as usize);
        let frame = &mut frame[..width * height];
        let [left, top] =
            [(width, across), (height, down)].map(|(frame, canvas)| Span::new(frame, canvas));
        for (y, row) in frame.chunks_exact_mut(width).enumerate() {
            let Some(from) = top.source(y) else {
                row.fill(bars);
                continue;
            };
            let source = &canvas[from * across..][..across];
            row[..left.begin].fill(bars);
            row[left.begin + left.length..].fill(bars);
            row[left.begin..][..left.length]
                .copy_from_slice(&source[left.skipped..][..left.length]);
        }
    }
}

/// Where along an axis a canvas lies in a frame.
struct Span {
    /// The first px of the frame that shows the canvas.
    begin: usize,
    /// How many do.
    length: usize,
    /// The px of the canvas that the first one shows.
    skipped: usize,
}

impl Span {
    fn new(frame: usize, canvas: usize) -> Span {
        Span {
            begin: frame.saturating_sub(canvas) / 2,
            length: frame.min(canvas),
            skipped: canvas.saturating_sub(frame) / 2,
        }
    }

    /// The px of the canvas that a px of the frame shows.
    fn source(&self, place: usize) -> Option<usize> {
        let inside = place.checked_sub(self.begin)?;
        (inside < self.length).then_some(inside + self.skipped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn framing(fit: Fit) -> Framing {
        Framing { size: [6, 4], fit }
    }

    #[test]
    fn windows_are_as_large_as_fits() {
        let sides = |fit: Fit, window: [f64; 2]| {
            let extent = framing(fit).canvas(window);
            (extent.width, extent.height, extent.scale)
        };
        assert_eq!(sides(Fit::Pad, [3.0, 2.0]), (6, 4, 2.0));
        assert_eq!(sides(Fit::Pad, [12.0, 4.0]), (6, 2, 0.5));
        assert_eq!(sides(Fit::Crop, [12.0, 4.0]), (12, 4, 1.0));
        assert_eq!(sides(Fit::Pad, [1.0, 2.0]), (2, 4, 2.0));
        // 1366x768 at 1920x1080 is 1920x1079.47: that is the same aspect.
        let full = Framing {
            size: [1920, 1080],
            fit: Fit::Pad,
        };
        let extent = full.canvas([1366.0, 768.0]);
        assert!(full.is_filled_by([1366.0, 768.0]));
        assert_eq!((extent.width, extent.height), (1921, 1080));
        assert!(!full.is_filled_by([1280.0, 800.0]));
    }

    #[test]
    fn canvases_lie_in_the_middle_with_bars_or_cut() {
        let extent = |width, height| Extent {
            width,
            height,
            scale: 1.0,
        };
        let mut frame = [9; 24];
        framing(Fit::Pad).place(
            extent(6, 2),
            &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
            0,
            &mut frame,
        );
        let rows: [[i32; 6]; 4] = [[0; 6], [1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12], [0; 6]];
        assert_eq!(frame, rows.as_flattened());
        framing(Fit::Pad).place(extent(1, 4), &[1, 2, 3, 4], 0, &mut frame);
        let rows: Vec<i32> = (1..=4).flat_map(|value| [0, 0, value, 0, 0, 0]).collect();
        assert_eq!(frame, *rows);
        let wide: Vec<i32> = (0..40).collect();
        framing(Fit::Crop).place(extent(10, 4), &wide, 0, &mut frame);
        let rows: Vec<i32> = (0..4)
            .flat_map(|row| (2..8).map(move |at| row * 10 + at))
            .collect();
        assert_eq!(frame, *rows);
        let tall: Vec<i32> = (0..48).collect();
        framing(Fit::Crop).place(extent(6, 8), &tall, 0, &mut frame);
        assert_eq!(frame, *(12..36).collect::<Vec<i32>>());
    }
}
