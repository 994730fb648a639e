//! THE table: every parameter of the picture, declared once.
//!
//! Flags, presets, keys, the help overlay and the README loop over [`SETTINGS`]; nowhere else stands a
//! default, a range, a key or a help text. A [`Settings`] always holds values in range.

use std::fmt;

use crate::palette::Scheme;

mod photo;
mod spelling;
mod value;

pub mod cli;
pub mod preset;
pub mod reference;

pub use photo::PhotoError;
pub use value::{Choice, Color, Domain, Kind, Parameter, Step, Value};

macro_rules! choices {
    ($($(#[doc = $help:literal])+ $name:ident { $($(#[doc = $item_help:literal])+ $item:ident = $text:literal,)+ })+) => {$(
        $(#[doc = $help])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $($(#[doc = $item_help])+ $item,)+ }

        impl Choice for $name {
            const NAMES: &'static [&'static str] = &[$($text),+];
            const ALL: &'static [$name] = &[$($name::$item),+];
        }
    )+};
}

macro_rules! settings {
    ($(
        $(#[doc = $help:literal])+
        $name:ident: $type:ty = $default:expr
        $(, in $low:literal to $high:literal, by $step:expr)?
        $(, unit $unit:literal)?
        $(, zero $zero:literal as $stand_in:expr)?
        $(, glides $glides:literal)?
        $(, keys $lower:literal $raise:literal)?;
    )+) => {
        /// One value for every row of the table, each in its range.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Settings { $($name: $type,)+ }

        impl Default for Settings {
            fn default() -> Settings {
                Settings { $($name: $default,)+ }
            }
        }

        impl Settings {
            $($(#[doc = $help])+ pub fn $name(&self) -> $type { self.$name })+
        }

        /// All rows, in the order in which they are shown.
        pub static SETTINGS: &[Setting] = &[$(Setting {
            name: stringify!($name),
            help: concat!($($help),+).trim_ascii(),
            domain: Domain::new(<$type as Parameter>::KIND, &[$(($low as f64, $high as f64))?], &[$($step)?]),
            unit: concat!($($unit)?),
            zero: concat!($($zero)?),
            stand_in: match &[$($stand_in as StandIn)?] as &[StandIn] {
                [stand_in] => Some(*stand_in),
                _ => None,
            },
            glides: matches!([$($glides)?].as_slice(), [true]),
            keys: match &[$(($lower, $raise))?] as &[(char, char)] {
                [keys] => Some(*keys),
                _ => None,
            },
            get: |settings| settings.$name.to_value(),
            put: |settings, value| if let Some(value) = <$type as Parameter>::from_value(value) { settings.$name = value },
        }),+];
    };
}

choices! {
    /// How a noise value becomes a heading.
    Headings {
        /// Through the noise's own distribution: every direction is equally likely.
        Even = "even",
        /// As it is, as the original demo does: most headings point left.
        Raw = "raw",
    }

    /// What happens at the edges of the world.
    Edges {
        /// The field joins itself at the edges, as on a torus.
        Seamless = "seamless",
        /// Particles wrap, but the field jumps, as in the original demo.
        Plain = "plain",
    }

    /// How strokes are laid over what is there.
    Blend {
        /// Translucent paint, in sRGB codes.
        Over = "over",
    }

    /// What paints the picture in the window.
    Painter {
        /// The graphics hardware, or the processor where there is none.
        Auto = "auto",
        /// The graphics driver.
        Gpu = "gpu",
        /// The processor.
        Cpu = "cpu",
    }

    /// Whether the number of particles follows what the machine can do.
    Budget {
        /// As many as the settings say.
        Off = "off",
        /// Fewer while frames come late.
        Auto = "auto",
    }
}

settings! {
    /// Which water: shuffles the noise and places the particles.
    seed: u32 = 20_240_607, in 0 to 4_294_967_295.0, by Step::Add(1.0);
    /// Particles in the window.
    particles: u32 = 0, in 0 to 10_000_000, by Step::Ratio(1.25), zero "one per particle_area" as Settings::present_particles, keys 'j' 'u';
    /// Most particles that the window may hold.
    particles_max: u32 = 0, in 0 to 10_000_000, by Step::Ratio(1.25), zero "no limit" as Settings::present_particles;
    /// Area of the window for each particle, where particles is 0.
    particle_area: f64 = 600.0, in 1 to 100_000, by Step::Ratio(1.1), unit "px²";
    /// Noise cells per pixel: smaller draws broader currents.
    noise_scale: f64 = 0.0018, in 0.00001 to 0.5, by Step::Ratio(1.1), unit "cells/px", glides true, keys 'a' 'q';
    /// Noise cells per step: how fast the currents change; below 0 they change backwards.
    time_scale: f64 = 0.0009, in -0.05 to 0.05, by Step::Add(0.0001), unit "cells/step", keys '[' ']';
    /// How far a particle moves in a step of 1/60 s.
    speed: f64 = 1.4, in 0 to 20, by Step::Add(0.1), unit "px/step", keys 's' 'w';
    /// Full turns of the heading from the lowest to the highest noise value.
    turns: f64 = 1.0, in 0 to 16, by Step::Add(0.05), glides true, keys 'k' 'i';
    /// How a noise value becomes a heading.
    headings: Headings = Headings::Even, keys 'c' 'v';
    /// What happens at the edges of the world.
    edges: Edges = Edges::Seamless;
    /// Width of the hidden margin in which the field joins itself; 0 puts the join into the window, for pictures that tile.
    margin: f64 = 0.35, in 0 to 1, by Step::Add(0.05), unit "cells";
    /// Shortest life of a particle; the longer of both lifetimes counts as the longest.
    lifetime_shortest: u32 = 90, in 2 to 3600, by Step::Ratio(1.1), unit "steps", keys 'x' 'z';
    /// Longest life of a particle.
    lifetime_longest: u32 = 210, in 2 to 3600, by Step::Ratio(1.1), unit "steps", keys 'b' 'n';
    /// Share of the light that goes out in a step: smaller leaves longer trails.
    fade: f64 = 0.03, in 0.002 to 0.9, by Step::Ratio(1.1), unit "per step", keys 'd' 'e';
    /// Width of a thread.
    stroke_width: f64 = 1.0, in 0.1 to 64, by Step::Ratio(1.1), unit "px", keys 'g' 't';
    /// Opacity of a thread.
    stroke_alpha: f64 = 0.3, in 0 to 1, by Step::Add(0.02), keys 'h' 'y';
    /// How strokes are laid over what is there.
    blend: Blend = Blend::Over;
    /// Noise cells per pixel of the color channel: smaller draws broader patches of color.
    color_scale: f64 = 0.004, in 0.00001 to 0.5, by Step::Ratio(1.1), unit "cells/px";
    /// How far the color channel is spread over the palette: 0 is the noise as it is, 1 uses all colors evenly.
    color_stretch: f64 = 1.0, in 0 to 1, by Step::Add(0.1);
    /// Colors of the threads, from the low to the high end of the color channel; hsl is made from hue, saturation and lightness.
    palette: Scheme = Scheme::Hsl, keys 'f' 'm';
    /// Turns the hues of any palette.
    hue_shift: f64 = 0.0, in -360 to 360, by Step::Add(5.0), unit "degrees";
    /// Hue at the low end of the color channel.
    hue: f64 = 185.0, in 0 to 360, by Step::Add(5.0), unit "degrees", keys 'l' 'o';
    /// Hue added at the high end.
    hue_span: f64 = 30.0, in -360 to 360, by Step::Add(5.0), unit "degrees", keys ';' '\'';
    /// Saturation of the threads.
    saturation: f64 = 80.0, in 0 to 100, by Step::Add(5.0), unit "%";
    /// Lightness at the low end of the color channel.
    lightness: f64 = 55.0, in 0 to 100, by Step::Add(2.0), unit "%", keys '-' '=';
    /// Lightness added at the high end.
    lightness_span: f64 = 25.0, in -100 to 100, by Step::Add(2.0), unit "%";
    /// Color of the deep, into which the trails fade.
    background: Color = Color([3, 18, 26]);
    /// Frames per second of the window; recordings take 60 for 0.
    fps: f64 = 0.0, in 0 to 1000, by Step::Add(5.0), unit "1/s", zero "the display's rate" as Settings::usual_fps;
    /// What paints in the window, from its start on: auto takes the processor where there is no graphics hardware.
    canvas: Painter = Painter::Auto;
    /// Whether fewer particles are shown in the window while frames come late.
    budget: Budget = Budget::Auto;
    /// How strongly the pointer stirs the water; 0 leaves it alone.
    stir: f64 = 1.0, in 0 to 4, by Step::Add(0.25);
}

/// Key steps in a large one.
const LEAP: u32 = 5;

/// Frames per second where nothing else is asked for: one for each step.
pub const USUAL_FPS: f64 = 60.0;

/// From settings and the window's area in square px to the number that a 0 stands for.
type StandIn = fn(&Settings, f64) -> f64;

/// A row of the table.
#[derive(Debug)]
pub struct Setting {
    /// The name of the flag, the preset's key and the field.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub help: &'static str,
    /// What values are allowed.
    pub domain: Domain,
    /// The unit, or nothing.
    pub unit: &'static str,
    /// What 0 stands for, or nothing where it is a number like any other.
    pub zero: &'static str,
    /// The number that 0 stands for, in a window of so many square px.
    stand_in: Option<StandIn>,
    /// Whether a change takes effect over many steps, so that the water does not jump.
    pub glides: bool,
    /// The characters whose keys lower and raise it.
    pub keys: Option<(char, char)>,
    get: fn(&Settings) -> Value,
    put: fn(&mut Settings, Value),
}

impl PartialEq for Setting {
    fn eq(&self, other: &Setting) -> bool {
        self.name == other.name
    }
}

/// Why a value was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{name} = {given}: allowed is {allowed}")]
pub struct SettingError {
    /// The row.
    pub name: &'static str,
    /// The value as it was given.
    pub given: String,
    /// The row's [`Setting::allowed`], or what it is for such a value.
    pub allowed: String,
}

/// The row of that name.
pub fn setting(name: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.name == name)
}

impl Setting {
    /// The value in `settings`.
    pub fn value(&self, settings: &Settings) -> Value {
        (self.get)(settings)
    }

    /// Sets the value; a number out of range takes the nearest end, and what is not finite or of another kind changes
    /// nothing.
    pub fn set(&self, settings: &mut Settings, value: Value) {
        if let Some(value) = self.domain.clamped(value) {
            (self.put)(settings, value);
        }
    }

    /// Reads a value as it is written in flags and presets.
    ///
    /// # Errors
    ///
    /// When it is not a value of this kind, or out of range.
    pub fn parse(&self, text: &str) -> Result<Value, SettingError> {
        self.domain.parse(text.trim()).ok_or_else(|| SettingError {
            name: self.name,
            given: text.trim().to_owned(),
            allowed: self
                .domain
                .instead_of(text)
                .unwrap_or_else(|| self.allowed()),
        })
    }

    /// What values are allowed, with the unit: "0.002 to 0.9 per step".
    pub fn allowed(&self) -> String {
        let zero = match self.zero {
            "" => String::new(),
            zero => format!(" (0: {zero})"),
        };
        let unit = if self.unit.is_empty() {
            String::new()
        } else {
            format!(" {}", self.unit)
        };
        format!("{}{unit}{zero}", self.domain)
    }

    /// The value one key step up or down from `from`; the nearest end where the range ends.
    pub fn stepped(&self, from: Value, direction: Direction) -> Value {
        self.domain.stepped(from, direction)
    }
}

/// Which way a key moves a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To lower values, or the choice before.
    Down,
    /// To higher values, or the choice after.
    Up,
}

impl Settings {
    /// The shortest and the longest life in steps, in order.
    pub fn lifetimes(&self) -> (u32, u32) {
        (
            self.lifetime_shortest.min(self.lifetime_longest),
            self.lifetime_shortest.max(self.lifetime_longest),
        )
    }

    /// The particles in a window of `area` square px.
    pub fn window_particles(&self, area: f64) -> u32 {
        let wanted = if self.particles == 0 {
            (area / self.particle_area) as u32
        } else {
            self.particles
        };
        if self.particles_max == 0 {
            wanted
        } else {
            wanted.min(self.particles_max)
        }
    }

    fn present_particles(&self, area: f64) -> f64 {
        self.window_particles(area).into()
    }

    fn usual_fps(&self, _: f64) -> f64 {
        USUAL_FPS
    }

    /// A large key step of a row: several steps at once, and the next choice of a few.
    pub fn leapt(&self, setting: &Setting, direction: Direction, area: f64) -> Value {
        let steps = if setting.domain.range().is_some() {
            LEAP
        } else {
            1
        };
        let mut settings = *self;
        for _ in 0..steps {
            let value = settings.stepped(setting, direction, area);
            setting.set(&mut settings, value);
        }
        setting.value(&settings)
    }

    /// One key step of a row, in a window of `area` square px. Where 0 stands for a number that follows from others, the
    /// step starts from that number, and none leads to 0.
    pub fn stepped(&self, setting: &Setting, direction: Direction, area: f64) -> Value {
        let value = setting.value(self);
        let Some(stand_in) = setting.stand_in else {
            return setting.stepped(value, direction);
        };
        let from = if value == Value::Number(0.0) {
            Value::Number(stand_in(self, area))
        } else {
            value
        };
        match setting.stepped(from, direction) {
            Value::Number(0.0) => from,
            to => to,
        }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Direction::Down => "lower",
            Direction::Up => "raise",
        })
    }
}

#[cfg(test)]
mod tests;
