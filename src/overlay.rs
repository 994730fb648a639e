//! What lies over the picture and never becomes part of it: the help, a short notice after a change, and figures.
//!
//! It paints pixels of its own, only when something in them has changed, and a host of any kind lays them over the
//! water. Everything that it says comes from the two tables, [`SETTINGS`] and [`crate::input::BINDINGS`].

use std::time::{Duration, Instant};

use crate::settings::{Direction, SETTINGS, Setting, Settings, Value};

mod help;
mod notice;
mod sheet;

use sheet::{Fonts, Sheet};

/// How long a notice stays.
const NOTICE: Duration = Duration::from_secs(2);

/// The last part of that time, in which it vanishes.
const VANISHING: Duration = Duration::from_millis(300);

/// Pixels to lay over the picture.
#[derive(Clone, Copy, Debug)]
pub struct Image<'a> {
    /// Straight RGBA, row by row from the top.
    pub pixels: &'a [u8],
    /// Width and height in device px, above 0.
    pub size: [u32; 2],
    /// Where the top left lies, in device px.
    pub place: [i32; 2],
    /// In [0, 1], on top of the pixels' own.
    pub opacity: f32,
    /// Another number stands for other pixels.
    pub version: u64,
}

/// The help, the notice, and the row of the table that the arrows choose.
#[derive(Debug)]
pub struct Overlay {
    fonts: Fonts,
    /// Index in [`SETTINGS`].
    chosen: usize,
    is_help_shown: bool,
    notice: Option<Notice>,
    /// What is said while nothing else is: a title and a text.
    figures: Option<[String; 2]>,
    sheet: Sheet,
    /// What the sheet shows.
    painted: Option<Content>,
    version: u64,
    opacity: f32,
}

/// What is said for a while.
#[derive(Clone, Debug, PartialEq)]
struct Notice {
    title: String,
    text: String,
    end: Instant,
}

/// Everything that the pixels depend on: the help, or else a notice or figures.
#[derive(Clone, Debug, PartialEq)]
struct Content {
    view: [u32; 2],
    scale: f32,
    help: Option<help::State>,
    notice: [String; 2],
}

impl Default for Overlay {
    fn default() -> Overlay {
        Overlay::new()
    }
}

impl Overlay {
    /// Nothing shown, and the first row with keys of its own chosen.
    pub fn new() -> Overlay {
        Overlay {
            fonts: Fonts::new(),
            chosen: SETTINGS
                .iter()
                .position(|setting| setting.keys.is_some())
                .unwrap_or(0),
            is_help_shown: false,
            notice: None,
            figures: None,
            sheet: Sheet::default(),
            painted: None,
            version: 0,
            opacity: 1.0,
        }
    }

    /// The row that the arrows act on.
    pub fn chosen(&self) -> &'static Setting {
        &SETTINGS[self.chosen]
    }

    /// Chooses the row above or below, around the ends.
    pub fn choose(&mut self, direction: Direction) {
        let count = SETTINGS.len();
        self.chosen = match direction {
            Direction::Up => (self.chosen + count - 1) % count,
            Direction::Down => (self.chosen + 1) % count,
        };
    }

    /// Chooses the row of a setting.
    pub fn choose_setting(&mut self, setting: &Setting) {
        if let Some(index) = SETTINGS.iter().position(|row| row == setting) {
            self.chosen = index;
        }
    }

    /// Shows the help, or hides it.
    pub fn toggle_help(&mut self) {
        self.is_help_shown = !self.is_help_shown;
        self.notice = None;
    }

    /// What to say while nothing else is said, a title and a text; or nothing.
    pub fn set_figures(&mut self, figures: Option<[String; 2]>) {
        self.figures = figures;
    }

    /// Whether figures are shown.
    pub fn has_figures(&self) -> bool {
        self.figures.is_some()
    }

    /// Says the value of a setting for a while.
    pub fn say_value(&mut self, setting: &Setting, settings: &Settings, now: Instant) {
        self.say(setting.name, &value_with_unit(setting, settings), now);
    }

    /// Says something for a while: a title of a few letters, and a text. The help shows values itself.
    pub fn say(&mut self, title: &str, text: &str, now: Instant) {
        self.notice = Some(Notice {
            title: title.to_owned(),
            text: text.to_owned(),
            end: now + NOTICE,
        });
    }

    /// Brings the pixels up to date, for a view of device px with `scale` of them per logical px. `start` are the
    /// settings at the start.
    pub fn update(
        &mut self,
        view: [u32; 2],
        scale: f32,
        settings: &Settings,
        start: &Settings,
        now: Instant,
    ) {
        self.notice.take_if(|notice| notice.end <= now);
        self.opacity = 1.0;
        let mut content = Content {
            view,
            scale,
            help: None,
            notice: Default::default(),
        };
        if self.is_help_shown {
            content.help = Some(help::State {
                settings: *settings,
                start: *start,
                chosen: self.chosen,
            });
        } else if let Some(Notice { title, text, end }) = &self.notice {
            let left = end.saturating_duration_since(now);
            self.opacity = (left.as_secs_f32() / VANISHING.as_secs_f32()).min(1.0);
            content.notice = [title.clone(), text.clone()];
        } else if let Some(figures) = &self.figures {
            content.notice = figures.clone();
        } else {
            self.painted = None;
            return;
        }
        if self.painted.as_ref() != Some(&content) {
            self.paint(&content);
            self.painted = Some(content);
            self.version += 1;
        }
    }

    /// The pixels, where anything is shown.
    pub fn image(&self) -> Option<Image<'_>> {
        (self.painted.is_some() && self.sheet.size() != [0; 2]).then(|| Image {
            pixels: self.sheet.pixels(),
            size: self.sheet.size(),
            place: self.sheet.place(),
            opacity: self.opacity,
            version: self.version,
        })
    }

    fn paint(&mut self, content: &Content) {
        let Content {
            view,
            scale,
            help,
            notice: [title, text],
        } = content;
        self.sheet = match help {
            Some(state) => help::paint(&mut self.fonts, state, *view, *scale),
            None => notice::paint(&mut self.fonts, title, text, *view, *scale),
        };
    }
}

/// A value as people read it: with the unit, or what 0 stands for.
fn value_with_unit(setting: &Setting, settings: &Settings) -> String {
    let (value, unit) = value_and_unit(setting, settings);
    if unit.is_empty() {
        value
    } else {
        format!("{value} {unit}")
    }
}

/// The same in two parts.
fn value_and_unit(setting: &Setting, settings: &Settings) -> (String, &'static str) {
    match setting.value(settings) {
        Value::Number(0.0) if !setting.zero.is_empty() => (setting.zero.to_owned(), ""),
        value => (value.to_string(), setting.unit),
    }
}

#[cfg(test)]
mod tests;
