//! What lies over the picture and never becomes part of it: the help, a short notice after a change, and figures.
//!
//! It paints pixels of its own, only when something in them has changed, and a host of any kind lays them over the
//! water. Everything that it says comes from the two tables, [`SETTINGS`] and [`crate::input::BINDINGS`].

use std::time::{Duration, Instant};

use crate::settings::{Direction, SETTINGS, Setting, Settings, Value};

mod figures;
mod help;
mod notice;

use crate::sheet::{Fonts, Sheet};

/// How long a notice stays, usually.
pub const NOTICE: Duration = Duration::from_secs(2);

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

/// What lies over a picture, the uppermost at the end.
pub type Images<'a> = [Option<Image<'a>>; 3];

/// A name and a value.
pub type Figure = [String; 2];

/// A sheet, and what it shows.
#[derive(Debug)]
struct Layer<T> {
    sheet: Sheet,
    /// What is painted there; nothing is shown where that is nothing.
    painted: Option<T>,
    version: u64,
    opacity: f32,
}

impl<T: PartialEq> Layer<T> {
    fn empty() -> Layer<T> {
        Layer {
            sheet: Sheet::default(),
            painted: None,
            version: 0,
            opacity: 1.0,
        }
    }

    /// Shows this, painted anew where it is not what was shown.
    fn show(&mut self, content: Option<T>, opacity: f32, paint: impl FnOnce(&T) -> Sheet) {
        self.opacity = opacity;
        if let Some(new) = &content
            && self.painted.as_ref() != Some(new)
        {
            self.sheet = paint(new);
            self.version += 1;
        }
        self.painted = content;
    }

    fn image(&self) -> Option<Image<'_>> {
        (self.painted.is_some() && self.sheet.size() != [0; 2]).then(|| Image {
            pixels: self.sheet.pixels(),
            size: self.sheet.size(),
            place: self.sheet.place(),
            opacity: self.opacity,
            version: self.version,
        })
    }
}

/// The help, the notice, the figures, and the row of the table that the arrows choose.
#[derive(Debug)]
pub struct Overlay {
    fonts: Fonts,
    /// Index in [`SETTINGS`].
    chosen: usize,
    is_help_shown: bool,
    notice: Option<Notice>,
    /// How long a notice stays.
    lasting: Duration,
    figures: Option<Vec<Figure>>,
    /// What is said of a film under way.
    film: Option<Figure>,
    /// The help, or else the notice.
    main: Layer<Content>,
    corner: Layer<Corner>,
}

/// What is said for a while.
#[derive(Clone, Debug, PartialEq)]
struct Notice {
    title: String,
    text: String,
    end: Instant,
}

/// What the view is, and the figures in its corner.
#[derive(Clone, Debug, PartialEq)]
struct Corner {
    view: [u32; 2],
    scale: f32,
    figures: Vec<Figure>,
}

/// Everything that the pixels depend on: the help, or else a notice.
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
        Overlay::with_notices_for(NOTICE)
    }

    /// The same, with notices that stay for so long.
    pub fn with_notices_for(lasting: Duration) -> Overlay {
        Overlay {
            fonts: Fonts::new(),
            chosen: SETTINGS
                .iter()
                .position(|setting| setting.keys.is_some())
                .unwrap_or(0),
            is_help_shown: false,
            notice: None,
            lasting,
            figures: None,
            film: None,
            main: Layer::empty(),
            corner: Layer::empty(),
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

    /// Whether the help is shown.
    pub fn is_help_shown(&self) -> bool {
        self.is_help_shown
    }

    /// Shows these figures in a corner, or none.
    pub fn set_figures(&mut self, figures: Option<Vec<Figure>>) {
        self.figures = figures;
    }

    /// Says this of a film in the same corner for as long as there is one.
    pub fn set_film(&mut self, film: Option<Figure>) {
        self.film = film;
    }

    /// Whether figures are shown.
    pub fn has_figures(&self) -> bool {
        self.figures.is_some()
    }

    /// Whether a notice is shown, or will be when the help goes.
    pub fn has_notice(&self) -> bool {
        self.notice.is_some()
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
            end: now + self.lasting,
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
        let lines = self.film.iter().chain(self.figures.iter().flatten());
        let figures: Vec<Figure> = lines.cloned().collect();
        let corner = (!figures.is_empty()).then_some(Corner {
            view,
            scale,
            figures,
        });
        self.corner.show(corner, 1.0, |corner| {
            figures::paint(&mut self.fonts, &corner.figures, view, scale)
        });
        self.notice.take_if(|notice| notice.end <= now);
        let mut opacity = 1.0;
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
            opacity = (left.as_secs_f32() / VANISHING.as_secs_f32()).min(1.0);
            content.notice = [title.clone(), text.clone()];
        }
        let is_shown = content.help.is_some() || self.notice.is_some();
        let fonts = &mut self.fonts;
        self.main
            .show(is_shown.then_some(content), opacity, |content| {
                let Content { help, notice, .. } = content;
                match help {
                    Some(state) => help::paint(fonts, state, view, scale),
                    None => notice::paint(fonts, &notice[0], &notice[1], view, scale),
                }
            });
    }

    /// The pixels, where anything is shown: the figures, and the help or a notice. There are no figures where the help has no
    /// room beside it for them.
    pub fn images(&self) -> [Option<Image<'_>>; 2] {
        let (corner, main) = (self.corner.image(), self.main.image());
        let fits = |corner: &Image| main.is_none_or(|main| !overlap(&main, corner));
        [corner.filter(fits), main]
    }
}

/// Whether two images share a px.
fn overlap(a: &Image, b: &Image) -> bool {
    (0..2).all(|axis| {
        let end = |image: &Image| image.place[axis] + image.size[axis] as i32;
        a.place[axis] < end(b) && b.place[axis] < end(a)
    })
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
        value => (value.brief(), setting.unit),
    }
}

#[cfg(test)]
mod tests;
