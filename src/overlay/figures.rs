//! The figures: what the running picture costs, line by line in the upper right corner.

use super::Figure;
use super::help::{BRIGHT, DIM, GROUND};
use crate::sheet::{Fonts, Lettering, Rectangle, Sheet};

/// Lengths in logical px.
const LETTERS: f32 = 13.0;
const LINE: f32 = 19.0;
const PADDING: f32 = 14.0;
const GAP: f32 = 14.0;
const DISTANCE: f32 = 18.0;

/// Px in the window's width for one of the letters' height: a smaller window has smaller letters.
const LETTERS_ACROSS: f32 = 24.0;

/// Paints figures for a view of `view` device px.
pub fn paint(fonts: &mut Fonts, figures: &[Figure], view: [u32; 2], scale: f32) -> Sheet {
    let [view_width, view_height] = view.map(|side| side as f32);
    let lines = figures.len() as f32 * LINE + 2.0 * PADDING;
    let px = (LETTERS * scale)
        .min(view_width / LETTERS_ACROSS)
        .min(view_height * LETTERS / lines)
        .max(1.0);
    // All lengths shrink with the letters in a small window.
    let unit = px / LETTERS;
    let widest = |fonts: &mut Fonts, column: usize| {
        let widths = figures
            .iter()
            .map(|figure| fonts.width(&figure[column], px));
        widths.fold(0.0, f32::max)
    };
    let values = PADDING * unit + widest(fonts, 0) + GAP * unit;
    let distance = (DISTANCE * unit).min(view_width / 30.0);
    let most = (view_width - 2.0 * distance).max(1.0);
    let width = (values + widest(fonts, 1) + PADDING * unit).min(most);
    let size = [width, (lines * unit).min(view_height)].map(|side| side.ceil() as u32);
    let left = (view_width - size[0] as f32 - distance).max(0.0);
    let mut sheet = Sheet::new(size, [left, distance].map(|side| side.round() as i32));
    let whole = Rectangle {
        x: 0.0,
        y: 0.0,
        width: size[0] as f32,
        height: size[1] as f32,
        radius: 10.0 * unit,
    };
    sheet.fill(whole, GROUND);
    for (number, [name, value]) in figures.iter().enumerate() {
        let middle = PADDING + LINE * (number as f32 + 0.5);
        let baseline = (middle * unit + px * 0.34).round();
        let dim = Lettering { px, ink: DIM };
        sheet.write(fonts, [PADDING * unit, baseline], dim, name);
        let bright = Lettering { px, ink: BRIGHT };
        let value = fonts.fitted(value, px, width - values - PADDING * unit);
        sheet.write(fonts, [values, baseline], bright, &value);
    }
    sheet
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_fit_into_windows_of_every_size() {
        let mut fonts = Fonts::new();
        let figures = ["frames", "particles", "painted by"]
            .map(|name| [name.to_owned(), "a value of some length".to_owned()]);
        for view in [
            [1, 1],
            [9, 700],
            [700, 9],
            [200, 120],
            [1280, 720],
            [3840, 2160],
        ] {
            for scale in [0.5, 1.0, 2.5] {
                let sheet = paint(&mut fonts, &figures, view, scale);
                assert!(
                    sheet.size()[0] <= view[0] && sheet.size()[1] <= view[1],
                    "{view:?}"
                );
            }
        }
    }
}
