//! What the colors and arrows of a chart mean, in a corner of it.

use super::{Aspect, Chart, INKS};
use crate::sheet::{Arrow, Fonts, Ink, Lettering, Rectangle, Sheet};

const GROUND: Ink = [5, 12, 18, 224];
const BRIGHT: Ink = [232, 241, 244, 255];
const DIM: Ink = [146, 167, 178, 255];

/// Lengths in px of a picture of [`USUAL`] px.
const LETTERS: f32 = 14.0;
const PADDING: f32 = 16.0;
const DISTANCE: f32 = 18.0;
const BAR: [f32; 2] = [230.0, 12.0];
const WHEEL: f32 = 84.0;
const USUAL: f32 = 720.0;

/// Steps in a second.
const STEPS: f32 = 60.0;

/// Lays the legend of a chart over its lower left corner.
pub fn legend(chart: &Chart, sheet: &mut Sheet) {
    let [width, height] = sheet.size().map(|side| side as f32);
    let unit = (height / USUAL).min(width / USUAL).clamp(0.5, 2.0);
    let mut fonts = Fonts::new();
    let mut page = Page {
        sheet,
        fonts: &mut fonts,
        unit,
        bottom: height - DISTANCE * unit,
        left: DISTANCE * unit,
    };
    match chart.aspect {
        Aspect::Value => page.bar(chart, ["0", "noise", "1"]),
        Aspect::Color => page.bar(chart, ["0", "color channel", "1"]),
        Aspect::Curl => {
            let rate = chart.full_rotation() * STEPS / std::f32::consts::TAU;
            let rate = brief(rate);
            let [left, right] = ["left", "right"].map(|side| format!("{rate} turns/s {side}"));
            page.bar(chart, [&left, "", &right]);
        }
        Aspect::Angle => page.wheel(chart),
        Aspect::Vector => page.arrow(chart),
    }
}

/// A number in three digits.
pub(super) fn brief(number: f32) -> String {
    let digits = match number.abs() {
        100.0.. => 0,
        10.0.. => 1,
        1.0.. => 2,
        _ => 3,
    };
    format!("{number:.digits$}")
}

struct Page<'a> {
    sheet: &'a mut Sheet,
    fonts: &'a mut Fonts,
    unit: f32,
    bottom: f32,
    left: f32,
}

impl Page<'_> {
    /// A ground for so many px; returns its content's top left.
    fn ground(&mut self, [width, height]: [f32; 2]) -> [f32; 2] {
        let padding = PADDING * self.unit;
        let top = self.bottom - height - 2.0 * padding;
        let whole = Rectangle {
            x: self.left,
            y: top,
            width: width + 2.0 * padding,
            height: height + 2.0 * padding,
            radius: 10.0 * self.unit,
        };
        self.sheet.fill(whole, GROUND);
        [self.left + padding, top + padding]
    }

    /// Writes with its middle, its left or its right end at x, as `share` says.
    fn write(&mut self, [x, baseline]: [f32; 2], share: f32, ink: Ink, text: &str) {
        let px = LETTERS * self.unit;
        let width = self.fonts.width(text, px);
        let place = [x - width * share, baseline];
        self.sheet
            .write(self.fonts, place, Lettering { px, ink }, text);
    }

    /// The scale from its low to its high end.
    fn bar(&mut self, chart: &Chart, [low, middle, high]: [&str; 3]) {
        let unit = self.unit;
        let [width, height] = BAR.map(|side| side * unit);
        let line = LETTERS * 1.5 * unit;
        let [x, y] = self.ground([width, height + line]);
        let columns = width.ceil() as usize;
        for column in 0..columns {
            let share = column as f32 / (columns - 1).max(1) as f32;
            let part = Rectangle {
                x: x + column as f32,
                y,
                width: 1.0,
                height,
                radius: 0.0,
            };
            self.sheet.fill(part, chart.ink(share));
        }
        let baseline = y + height + LETTERS * 1.25 * unit;
        self.write([x, baseline], 0.0, BRIGHT, low);
        self.write([x + width / 2.0, baseline], 0.5, DIM, middle);
        self.write([x + width, baseline], 1.0, BRIGHT, high);
    }

    /// The color of each heading, where it goes to.
    fn wheel(&mut self, chart: &Chart) {
        let size = WHEEL * self.unit;
        let [x, y] = self.ground([size, size]);
        let middle = [x + size / 2.0, y + size / 2.0];
        const PARTS: usize = INKS;
        let [outer, inner] = [0.48, 0.26].map(|share| size * share);
        for part in 0..PARTS {
            let [cosine, sine] =
                crate::polynomial::circle(part as i64, PARTS as i64).map(|side| side as f32);
            let at = |radius: f32| [middle[0] + cosine * radius, middle[1] + sine * radius];
            let width = outer * std::f32::consts::TAU / PARTS as f32 * 1.5;
            let ink = chart.ink(part as f32 / PARTS as f32);
            self.sheet
                .line(&[at(inner), at(outer)], width.max(1.0), ink);
        }
        let arrow = Arrow {
            middle,
            along: [inner * 1.3, 0.0],
            width: 1.8 * self.unit,
        };
        self.sheet.arrow(&arrow, BRIGHT);
    }

    /// The longest arrow, and what it stands for.
    fn arrow(&mut self, chart: &Chart) {
        let unit = self.unit;
        let text = format!("{} px per step", brief(chart.full_speed()));
        let length = 30.0 * unit;
        let width = length + 12.0 * unit + self.fonts.width(&text, LETTERS * unit);
        let [x, y] = self.ground([width, LETTERS * unit]);
        let arrow = Arrow {
            middle: [x + length / 2.0, y + LETTERS / 2.0 * unit],
            along: [length, 0.0],
            width: 1.6 * unit,
        };
        self.sheet.arrow(&arrow, BRIGHT);
        let baseline = y + LETTERS * 0.86 * unit;
        self.write([x + length + 12.0 * unit, baseline], 0.0, BRIGHT, &text);
    }
}
