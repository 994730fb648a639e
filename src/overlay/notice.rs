//! The notice: a name and a value in a dark pill at the bottom.

use super::help::{BRIGHT, DIM, GROUND};
use crate::sheet::{Fonts, Lettering, Rectangle, Sheet};

/// Lengths in logical px.
const LETTERS: f32 = 17.0;
const HEIGHT: f32 = 44.0;
const PADDING: f32 = 20.0;
const GAP: f32 = 12.0;
const DISTANCE: f32 = 36.0;

/// Paints a notice for a view of `view` device px.
pub fn paint(fonts: &mut Fonts, title: &str, text: &str, view: [u32; 2], scale: f32) -> Sheet {
    let [view_width, view_height] = view.map(|side| side as f32);
    let px = (LETTERS * scale).min(view_width / 16.0).max(1.0);
    // All lengths shrink with the letters in a small window.
    let unit = px / LETTERS;
    let room = (view_width - (2.0 * PADDING + GAP) * unit).max(0.0);
    let title = fonts.fitted(title, px, room);
    let title_width = fonts.width(&title, px);
    let text = fonts.fitted(text, px, room - title_width);
    let width = title_width + fonts.width(&text, px) + (2.0 * PADDING + GAP) * unit;
    let height = (HEIGHT * unit).round();
    let size = [width.ceil() as u32, height as u32];
    let distance = (DISTANCE * unit).min(view_height / 20.0);
    let place = [
        ((view_width - width) / 2.0).round() as i32,
        (view_height - height - distance).round() as i32,
    ];
    let mut sheet = Sheet::new(size, place);
    let whole = Rectangle {
        x: 0.0,
        y: 0.0,
        width: size[0] as f32,
        height,
        radius: height / 2.0,
    };
    sheet.fill(whole, GROUND);
    let baseline = (height * 0.5 + px * 0.34).round();
    let dim = Lettering { px, ink: DIM };
    let end = sheet.write(fonts, [PADDING * unit, baseline], dim, &title);
    let bright = Lettering { px, ink: BRIGHT };
    sheet.write(fonts, [end + GAP * unit, baseline], bright, &text);
    sheet
}
