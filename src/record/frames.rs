//! Frames of a film: all of one size, and mostly like the one before.

use super::{Frame, Pixels, RecordError};

/// The frame's codes.
///
/// # Errors
///
/// When it has none, or is of another size.
pub fn codes(frame: Frame, [width, height]: [u32; 2]) -> Result<Pixels, RecordError> {
    let bytes = 4 * u64::from(width) * u64::from(height);
    match frame {
        Frame::Codes(pixels)
            if [pixels.width, pixels.height] == [width, height]
                && pixels.rgba.len() as u64 == bytes =>
        {
            Ok(pixels)
        }
        _ => Err(RecordError::Encoder(format!(
            "every frame must have {width}x{height} px of 8 bits"
        ))),
    }
}

/// A rectangle of px within a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rectangle {
    /// The leftmost column.
    pub x: usize,
    /// The topmost row.
    pub y: usize,
    /// At least 1.
    pub width: usize,
    /// At least 1.
    pub height: usize,
}

impl Rectangle {
    /// The smallest that holds all changes, from the first and the last changed px of each row; the first px of the frame
    /// where nothing has changed, since a frame cannot be empty.
    pub fn around(rows: impl Iterator<Item = Option<[usize; 2]>>) -> Rectangle {
        let changed = rows
            .enumerate()
            .filter_map(|(y, columns)| columns.map(|[first, last]| [first, last, y, y]));
        let bounds = changed.reduce(|a, b| {
            [
                a[0].min(b[0]),
                a[1].max(b[1]),
                a[2].min(b[2]),
                a[3].max(b[3]),
            ]
        });
        let [left, right, top, bottom] = bounds.unwrap_or_default();
        Rectangle {
            x: left,
            y: top,
            width: right + 1 - left,
            height: bottom + 1 - top,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::DeepPixels;

    #[test]
    fn frames_are_of_one_size_and_depth() {
        let codes = |width, height, rgba| {
            let frame = Frame::Codes(Pixels {
                width,
                height,
                rgba,
            });
            super::codes(frame, [2, 1]).map(|pixels| pixels.rgba.len())
        };
        assert_eq!(codes(2, 1, &[0; 8]).unwrap(), 8);
        for wrong in [
            codes(1, 2, &[0; 8]),
            codes(2, 1, &[0; 7]),
            codes(2, 2, &[0; 16]),
        ] {
            let error = wrong.unwrap_err();
            assert_eq!(error.to_string(), "every frame must have 2x1 px of 8 bits");
        }
        let deep = DeepPixels {
            width: 2,
            height: 1,
            rgb: &[[0.0; 3]; 2],
        };
        assert!(super::codes(Frame::Deep(deep), [2, 1]).is_err());
    }

    #[test]
    fn all_changes_lie_within_and_none_is_far() {
        let around = |rows: &[Option<[usize; 2]>]| {
            let Rectangle {
                x,
                y,
                width,
                height,
            } = Rectangle::around(rows.iter().copied());
            [x, y, width, height]
        };
        assert_eq!(around(&[]), [0, 0, 1, 1]);
        assert_eq!(around(&[None, None]), [0, 0, 1, 1]);
        assert_eq!(around(&[None, Some([3, 3]), None]), [3, 1, 1, 1]);
        assert_eq!(
            around(&[None, Some([5, 9]), None, Some([2, 4]), Some([6, 11])]),
            [2, 1, 10, 4]
        );
    }
}
