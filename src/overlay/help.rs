//! The help: the table of settings with the chosen row, what that row means, and all other keys.
//!
//! In a wide window the row's meaning and the keys stand beside the table, in a narrow one the meaning below it and no
//! keys; a low window shows the rows around the chosen one.

use std::ops::Range;

use super::{value_and_unit, value_with_unit};
use crate::input::BINDINGS;
use crate::settings::{SETTINGS, Setting, Settings};
use crate::sheet::{Fonts, Ink, Lettering, Rectangle, Sheet};

/// The ground of all that lies over the water.
pub const GROUND: Ink = [5, 12, 18, 218];
/// What is to be read first.
pub const BRIGHT: Ink = [232, 241, 244, 255];
/// What is there when it is looked for.
pub const DIM: Ink = [146, 167, 178, 255];
const NORMAL: Ink = [200, 214, 220, 255];
const ACCENT: Ink = [126, 214, 223, 255];
const CHOSEN: Ink = [126, 214, 223, 34];
const KEY: Ink = [255, 255, 255, 26];

/// Lengths in logical px, before zooming.
const LETTERS: f32 = 14.0;
const HEADING: f32 = 19.0;
const ROW: f32 = 21.0;
const PADDING: f32 = 26.0;
const TITLE: f32 = 44.0;
const GAP: f32 = 44.0;
const NAME: f32 = 138.0;
const VALUE: f32 = 154.0;
const KEYS: f32 = 58.0;
const SIDE: f32 = 264.0;
const BINDING_KEY: f32 = 84.0;
/// The side of a key's cap.
const CAP: f32 = 17.0;

/// A height in logical px that shows everything without zooming.
const USUAL_HEIGHT: f32 = 720.0;

/// What the help tells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// Now.
    pub settings: Settings,
    /// At the start.
    pub start: Settings,
    /// Index in [`SETTINGS`].
    pub chosen: usize,
}

/// What goes where, in px of the sheet.
struct Layout {
    /// Device px per length.
    unit: f32,
    size: [f32; 2],
    place: [f32; 2],
    padding: f32,
    /// Where the table begins: below the title, if there is room for one.
    top: f32,
    /// Rows that are shown.
    rows: Range<usize>,
    /// Whether the keys of settings are shown.
    has_keys: bool,
    /// Where the row's meaning begins.
    side: [f32; 2],
    side_width: f32,
    /// Whether it stands beside the table, with all other keys below.
    is_wide: bool,
}

/// Paints the help for a view of `view` device px.
pub fn paint(fonts: &mut Fonts, state: &State, view: [u32; 2], scale: f32) -> Sheet {
    let layout = Layout::new(state.chosen, view, scale);
    let size = layout.size.map(|side| side as u32);
    let mut page = Page {
        sheet: Sheet::new(size, layout.place.map(|place| place as i32)),
        fonts,
        unit: layout.unit,
    };
    let whole = Rectangle {
        x: 0.0,
        y: 0.0,
        width: layout.size[0],
        height: layout.size[1],
        radius: 14.0 * layout.unit,
    };
    page.sheet.fill(whole, GROUND);
    if layout.top > layout.padding {
        let title = [layout.padding, layout.padding + 14.0 * layout.unit];
        page.write(title, HEADING, BRIGHT, "Eddyline");
    }
    for (line, row) in layout.rows.clone().enumerate() {
        let y = layout.top + line as f32 * ROW * layout.unit;
        state.paint_row(&mut page, &layout, row, y);
    }
    paint_place(&mut page, &layout);
    let end = state.paint_meaning(&mut page, &layout);
    if layout.is_wide {
        paint_bindings(&mut page, &layout, end);
    }
    page.sheet
}

impl State {
    fn paint_row(&self, page: &mut Page, layout: &Layout, row: usize, y: f32) {
        let (setting, unit) = (&SETTINGS[row], layout.unit);
        let is_chosen = row == self.chosen;
        let x = layout.padding;
        let keys = if layout.has_keys { KEYS * unit } else { 0.0 };
        let width = layout.table_width(keys);
        if is_chosen {
            let bar = Rectangle {
                x: x - 9.0 * unit,
                y,
                width: width + 18.0 * unit,
                height: ROW * unit,
                radius: 6.0 * unit,
            };
            page.sheet.fill(bar, CHOSEN);
        }
        let baseline = y + ROW * unit * 0.5 + LETTERS * unit * 0.33;
        let ink = if is_chosen { ACCENT } else { NORMAL };
        let name = page.fitted(setting.name, (NAME - 8.0) * unit);
        page.write([x, baseline], LETTERS, ink, &name);
        let (value, of) = value_and_unit(setting, &self.settings);
        let room = width - keys - NAME * unit;
        let value = page.fitted(&value, room);
        let changed = setting.value(&self.settings) != setting.value(&self.start);
        let ink = if is_chosen || changed { BRIGHT } else { NORMAL };
        let end = page.write([x + NAME * unit, baseline], LETTERS, ink, &value);
        let left = x + NAME * unit + room - end - 5.0 * unit;
        let of = page.fitted(of, left);
        page.write([end + 5.0 * unit, baseline], LETTERS, DIM, &of);
        if let (true, Some((lower, raise))) = (layout.has_keys, setting.keys) {
            let right = x + width;
            page.cap([right - 44.0 * unit, y], &lower.to_string());
            page.cap([right - 20.0 * unit, y], &raise.to_string());
        }
    }

    /// What the chosen setting does, its range and its value at the start; returns where it ends.
    fn paint_meaning(&self, page: &mut Page, layout: &Layout) -> f32 {
        let setting: &Setting = &SETTINGS[self.chosen];
        let unit = layout.unit;
        let [x, mut y] = layout.side;
        if layout.is_wide {
            page.write([x, y + 15.0 * unit], 17.0, ACCENT, setting.name);
            y += 26.0 * unit;
        }
        let range = sentence(&setting.allowed());
        let mut lines = page.wrapped(setting.help, layout.side_width, NORMAL);
        lines.extend(page.wrapped(&range, layout.side_width, DIM));
        if let (true, Some((lower, raise))) = (layout.is_wide, setting.keys) {
            lines.push((DIM, format!("{lower} lowers it, {raise} raises it.")));
        }
        if setting.value(&self.settings) != setting.value(&self.start) {
            let start = format!("At the start {}.", value_with_unit(setting, &self.start));
            lines.extend(page.wrapped(&start, layout.side_width, DIM));
        }
        for (ink, line) in lines {
            page.write([x, y + 14.0 * unit], LETTERS, ink, &line);
            y += (ROW - 2.0) * unit;
        }
        y
    }
}

impl Layout {
    /// The largest layout that fits a view of device px, with the chosen row in it.
    fn new(chosen: usize, view: [u32; 2], scale: f32) -> Layout {
        let [view_width, view_height] = view.map(|side| side as f32);
        let zoom = (view_height / scale / USUAL_HEIGHT).clamp(0.82, 1.3);
        let unit = scale * zoom;
        let margin = (24.0 * unit).min(view_width / 40.0).round();
        let (most_width, most_height) = (
            (view_width - 2.0 * margin).max(1.0),
            (view_height - 2.0 * margin).max(1.0),
        );
        let table_width = (NAME + VALUE + KEYS) * unit;
        let padding = (PADDING * unit).min(most_width / 25.0).round();
        let wide = table_width + (GAP + SIDE) * unit + 2.0 * padding;
        let is_wide = wide <= most_width;
        let below = if is_wide { 0.0 } else { 3.6 * ROW * unit };
        let all = SETTINGS.len() as f32 * ROW * unit;
        let with_title = all + below + TITLE * unit + 2.0 * padding;
        let title = if with_title <= most_height {
            TITLE * unit
        } else {
            0.0
        };
        let room = most_height - 2.0 * padding - below - title;
        let shown = ((room / (ROW * unit)) as usize).clamp(1, SETTINGS.len());
        let first = chosen.saturating_sub(shown / 2).min(SETTINGS.len() - shown);
        let top = padding + title;
        let table_height = shown as f32 * ROW * unit;
        let width = if is_wide {
            wide
        } else {
            most_width.min(table_width + 2.0 * padding)
        };
        let height = (top + table_height + below + padding).min(most_height);
        let (side, side_width) = if is_wide {
            ([padding + table_width + GAP * unit, top], SIDE * unit)
        } else {
            (
                [padding, top + table_height + 0.4 * ROW * unit],
                width - 2.0 * padding,
            )
        };
        Layout {
            unit,
            size: [width.ceil(), height.ceil()],
            place: [margin, ((view_height - height) / 2.0).round()],
            padding,
            top,
            rows: first..first + shown,
            has_keys: width >= table_width + 2.0 * padding - 0.5,
            side,
            side_width,
            is_wide,
        }
    }

    fn table_width(&self, keys: f32) -> f32 {
        let columns = (NAME + VALUE) * self.unit;
        (columns + keys).min(self.size[0] - 2.0 * self.padding)
    }
}

/// Which part of the table is shown, where that is not all.
fn paint_place(page: &mut Page, layout: &Layout) {
    let count = SETTINGS.len() as f32;
    if layout.rows.len() == SETTINGS.len() {
        return;
    }
    let height = layout.rows.len() as f32 * ROW * layout.unit;
    let bar = Rectangle {
        x: layout.padding - 6.0 * layout.unit - 2.0,
        y: layout.top + height * layout.rows.start as f32 / count,
        width: 2.0 * layout.unit,
        height: height * layout.rows.len() as f32 / count,
        radius: layout.unit,
    };
    page.sheet.fill(bar, DIM);
}

/// All keys that belong to no setting, at the bottom of the side, where they do not meet what ends at `above`.
fn paint_bindings(page: &mut Page, layout: &Layout, above: f32) {
    let unit = layout.unit;
    let x = layout.side[0];
    let bottom = layout.size[1] - layout.padding;
    let height = BINDINGS.len() as f32 * (ROW + 2.0) * unit;
    let top = (bottom - height).max(above + ROW * unit);
    for (line, binding) in BINDINGS.iter().enumerate() {
        let y = top + line as f32 * (ROW + 2.0) * unit;
        if y + ROW * unit > bottom + 1.0 {
            return;
        }
        page.cap([x, y], &binding.key.to_string());
        let baseline = y + ROW * unit * 0.5 + LETTERS * unit * 0.33;
        page.write(
            [x + BINDING_KEY * unit, baseline],
            LETTERS,
            NORMAL,
            binding.help,
        );
    }
}

/// A sheet under way.
struct Page<'a> {
    sheet: Sheet,
    fonts: &'a mut Fonts,
    unit: f32,
}

impl Page<'_> {
    fn write(&mut self, place: [f32; 2], letters: f32, ink: Ink, text: &str) -> f32 {
        let px = letters * self.unit;
        self.sheet
            .write(self.fonts, place, Lettering { px, ink }, text)
    }

    fn fitted(&mut self, text: &str, width: f32) -> String {
        self.fonts.fitted(text, LETTERS * self.unit, width)
    }

    fn wrapped(&mut self, text: &str, width: f32, ink: Ink) -> Vec<(Ink, String)> {
        let lines = self.fonts.wrapped(text, LETTERS * self.unit, width);
        lines.into_iter().map(|line| (ink, line)).collect()
    }

    /// A key's cap in a row that begins at `y`, at least as wide as high.
    fn cap(&mut self, [x, y]: [f32; 2], text: &str) {
        let unit = self.unit;
        let letters = LETTERS - 1.0;
        let text_width = self.fonts.width(text, letters * unit);
        let width = (text_width + 10.0 * unit).max((CAP + 3.0) * unit);
        let top = y + (ROW - CAP) * 0.5 * unit;
        let cap = Rectangle {
            x,
            y: top,
            width,
            height: CAP * unit,
            radius: 4.0 * unit,
        };
        self.sheet.fill(cap, KEY);
        let baseline = top + CAP * 0.5 * unit + letters * unit * 0.33;
        self.write(
            [x + (width - text_width) / 2.0, baseline],
            letters,
            NORMAL,
            text,
        );
    }
}

/// Text with a capital letter and a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first: String = letters
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .collect();
    format!("{first}{}.", letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_keys_do_fits_beside_them() {
        let mut fonts = Fonts::new();
        for binding in BINDINGS {
            let width = fonts.width(binding.help, LETTERS);
            assert!(width <= SIDE - BINDING_KEY, "{}: {width}", binding.help);
        }
    }
}
