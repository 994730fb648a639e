//! THE table: every parameter of the picture, declared once.
//!
//! Flags, presets, keys, the help overlay and the README loop over [`SETTINGS`]; nowhere else stands a
//! default, a range, a key or a help text. A [`Settings`] always holds values in range.

use std::fmt;

use crate::palette::Scheme;

mod choices;
mod photo;
mod spelling;
mod value;

pub mod cli;
pub mod preset;
pub mod reference;

pub use choices::{
    Backdrop, Births, Blend, Budget, ColorBy, Edges, Headings, Lengths, Mode, Noise, NoiseShape,
    Painter, Switch,
};
pub use photo::PhotoError;
use value::rounded;
pub use value::{Choice, Color, Domain, Kind, Parameter, Step, Value};

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
    /// The kind of noise.
    noise: Noise = Noise::Perlin;
    /// Layers of noise, each finer than the one before.
    octaves: u32 = 1, in 1 to 8, by Step::Add(1.0);
    /// How many times as fine each octave is as the one before.
    lacunarity: f64 = 2.0, in 1 to 4, by Step::Add(0.1);
    /// What each octave weighs for the one before; also called persistence.
    gain: f64 = 0.5, in 0.05 to 1, by Step::Add(0.05);
    /// What becomes of the sum of octaves.
    shape: NoiseShape = NoiseShape::Plain;
    /// The exponent of a power, or the waves of a sine.
    sharpness: f64 = 2.0, in 0.25 to 8, by Step::Add(0.25);
    /// How far a noise of its own displaces the noise.
    warp: f64 = 0.0, in 0 to 8, by Step::Add(0.1), unit "cells", glides true;
    /// Cells of that noise in a cell: smaller displaces in broader waves.
    warp_scale: f64 = 1.0, in 0.1 to 4, by Step::Ratio(1.1);
    /// Octaves of that noise.
    warp_octaves: u32 = 1, in 1 to 4, by Step::Add(1.0);
    /// What of the noise carries particles.
    mode: Mode = Mode::Angle;
    /// How even the speeds of vector and curl noise are: at 1 all are the same.
    evenness: f64 = 0.0, in 0 to 1, by Step::Add(0.1), glides true;
    /// Directions that headings are rounded to; 0 takes all.
    directions: u32 = 0, in 0 to 64, by Step::Add(1.0);
    /// Width of the turn from one of these directions to the next.
    corner: f64 = 12.0, in 4 to 64, by Step::Ratio(1.1), unit "px";
    /// Weight of the noise beside wind, eddies and spin.
    noise_weight: f64 = 1.0, in 0 to 4, by Step::Add(0.05), glides true;
    /// Steady push to the right, in speeds.
    wind_x: f64 = 0.0, in -4 to 4, by Step::Add(0.1), glides true;
    /// Steady push downwards, in speeds.
    wind_y: f64 = 0.0, in -4 to 4, by Step::Add(0.1), glides true;
    /// How far the noise itself moves to the right.
    scroll: f64 = 0.0, in -20 to 20, by Step::Add(0.1), unit "px/step";
    /// How far the noise itself moves upwards.
    rise: f64 = 0.0, in -20 to 20, by Step::Add(0.1), unit "px/step";
    /// How much speeds swing with a noise of their own.
    speed_noise: f64 = 0.0, in 0 to 1, by Step::Add(0.1), glides true;
    /// Eddies in 1920x1080 px; every other one turns the other way.
    eddies: u32 = 0, in 0 to 400, by Step::Add(1.0);
    /// How fast they turn.
    eddy_speed: f64 = 2.0, in -20 to 20, by Step::Add(0.1), unit "px/step", glides true;
    /// How large they are.
    eddy_radius: f64 = 150.0, in 20 to 1000, by Step::Ratio(1.1), unit "px", glides true;
    /// How fast a disc turns about the middle of the window.
    spin: f64 = 0.0, in -20 to 20, by Step::Add(0.1), unit "px/step", glides true;
    /// How fast it falls into its middle, as a share of that.
    spin_fall: f64 = 0.08, in -1 to 1, by Step::Add(0.02);
    /// How high the disc is for its width.
    spin_tilt: f64 = 0.5, in 0.1 to 1, by Step::Add(0.05);
    /// What lengths are measured in: speeds, radii, and cells of noise.
    lengths: Lengths = Lengths::Pixels;
    /// Where particles are born.
    births: Births = Births::Uniform;
    /// Noise cells per pixel of the noise that births by density follow.
    birth_scale: f64 = 0.003, in 0.0001 to 0.1, by Step::Ratio(1.1), unit "cells/px";
    /// Share of the window without births by density.
    birth_threshold: f64 = 0.6, in 0 to 0.99, by Step::Add(0.05);
    /// How softly they begin at its rim, as a share of the window.
    birth_softness: f64 = 0.0, in 0 to 1, by Step::Add(0.05);
    /// How much rather particles are born where the field drives them apart.
    birth_evenness: f64 = 0.0, in 0 to 1, by Step::Add(0.1);
    /// How far a particle moves in a step of 1/60 s.
    speed: f64 = 1.4, in 0 to 20, by Step::Add(0.1), unit "px/step", keys 's' 'w';
    /// How unequally fast particles are: at 1 from standing to twice the speed.
    speed_spread: f64 = 0.0, in 0 to 1, by Step::Add(0.1);
    /// How far each particle strays by a slow course of its own, in turns.
    meander: f64 = 0.0, in 0 to 1, by Step::Add(0.02);
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
    /// How unequally wide threads are: 0 is all the same.
    width_spread: f64 = 0.0, in 0 to 1, by Step::Add(0.1);
    /// How much narrower threads are at the beginning and at the end of their lives.
    taper: f64 = 0.0, in 0 to 1, by Step::Add(0.1);
    /// Opacity of a thread, or the light that it adds.
    stroke_alpha: f64 = 0.3, in 0 to 1, by Step::Add(0.02), zero "as light asks for" as Settings::present_alpha, keys 'h' 'y';
    /// Light of all threads together where stroke_alpha is 0, whatever their number, width, speed and trails are.
    light: f64 = 0.1, in 0.001 to 10, by Step::Ratio(1.1);
    /// How unequally bright threads are: 0 is all the same, 4 a few bright ones among many faint ones.
    light_spread: f64 = 0.0, in 0 to 12, by Step::Add(0.5);
    /// Share of a life in which a thread comes up, and in which it goes out.
    ease: f64 = 0.0, in 0 to 0.5, by Step::Add(0.05);
    /// How strokes are laid over what is there.
    blend: Blend = Blend::Codes;
    /// What added light is multiplied by.
    exposure: f64 = 1.0, in 0.05 to 20, by Step::Ratio(1.1);
    /// Share of added light that spreads near around it.
    bloom: f64 = 0.0, in 0 to 4, by Step::Add(0.05);
    /// How far it spreads there.
    bloom_radius: f64 = 6.0, in 1 to 40, by Step::Ratio(1.1), unit "px";
    /// Share of added light that spreads widely.
    bloom_wide: f64 = 0.0, in 0 to 4, by Step::Add(0.05);
    /// How far it spreads there.
    bloom_wide_radius: f64 = 40.0, in 8 to 300, by Step::Ratio(1.1), unit "px";
    /// What of a thread chooses its color in the palette.
    color_by: ColorBy = ColorBy::Noise;
    /// Speed in px per step, or distance from the middle in px, at which the palette ends where color is by speed or radius.
    color_span: f64 = 4.0, in 0.01 to 10_000, by Step::Ratio(1.1);
    /// How far the colors of neighbouring threads differ, as a share of the palette.
    color_jitter: f64 = 0.0, in 0 to 1, by Step::Add(0.05);
    /// Noise cells per pixel of the color channel: smaller draws broader patches of color.
    color_scale: f64 = 0.004, in 0.00001 to 0.5, by Step::Ratio(1.1), unit "cells/px";
    /// Noise cells per step of the color channel: how fast patches of color change.
    color_time_scale: f64 = 0.0, in -0.05 to 0.05, by Step::Add(0.0001), unit "cells/step";
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
    /// Color of the deep, into which the trails fade; of its bottom or its corners where it has more than one.
    background: Color = Color([3, 18, 26]);
    /// What lies behind the threads.
    backdrop: Backdrop = Backdrop::Flat;
    /// Color at the top or in the middle of a backdrop of several colors.
    background_top: Color = Color([0, 0, 0]);
    /// Color half way down a horizon.
    background_middle: Color = Color([0, 0, 0]);
    /// How far slow light moves the colors of a backdrop up and down.
    background_light: f64 = 0.0, in 0 to 2, by Step::Add(0.1);
    /// Noise cells per pixel of that light.
    background_scale: f64 = 0.0012, in 0.0001 to 0.05, by Step::Ratio(1.1), unit "cells/px";
    /// How much darker a backdrop is in the corners.
    vignette: f64 = 0.0, in 0 to 1, by Step::Add(0.05);
    /// Frames per second of the window; recordings take 60 for 0.
    fps: f64 = 0.0, in 0 to 1000, by Step::Add(5.0), unit "1/s", zero "the display's rate" as Settings::usual_fps;
    /// What paints in the window, from its start on: auto takes the processor where there is no graphics hardware.
    canvas: Painter = Painter::Auto;
    /// Whether fewer particles are shown in the window while frames come late.
    budget: Budget = Budget::Auto;
    /// How strongly the pointer stirs the water; 0 leaves it alone.
    stir: f64 = 1.0, in 0 to 4, by Step::Add(0.25);
    /// How long one look takes to become another.
    dissolve: f64 = 2.0, in 0 to 60, by Step::Add(0.5), unit "s";
    /// How far the look strays from its settings by itself, slowly; 0 leaves it as it is.
    wander: f64 = 0.0, in 0 to 1, by Step::Add(0.1);
    /// Whether the picture stays dim, and never changes fast.
    calm: Switch = Switch::Off;
    /// Whether the deep is black and the picture dark and never quite at the same place, for screens that burn in.
    oled: Switch = Switch::Off;
}

/// The shorter side of the window that lengths in windows are made for, in px.
const WINDOW: f64 = 1080.0;

/// Most light that a thread adds, however few there are.
const MOST_LIGHT: f64 = 64.0;

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

/// What belongs to no look, but to the window and to whoever sits before it.
const NO_LOOK: [&str; 8] = [
    "fps", "canvas", "budget", "stir", "dissolve", "wander", "calm", "oled",
];

/// The row of that name.
pub fn setting(name: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.name == name)
}

impl Setting {
    /// The value in `settings`.
    pub fn value(&self, settings: &Settings) -> Value {
        (self.get)(settings)
    }

    /// Whether it is part of a look.
    pub fn is_of_look(&self) -> bool {
        !NO_LOOK.contains(&self.name)
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
    /// Those of another look, in the same window and of the same seed.
    pub fn with_look(&self, look: &Settings) -> Settings {
        let mut settings = *self;
        for row in SETTINGS.iter().filter(|row| row.is_of_look()) {
            row.set(&mut settings, row.value(look));
        }
        settings.seed = self.seed;
        settings
    }

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

    /// The opacity that a thread has: that which is asked for, or that which makes as much light as is.
    ///
    /// A thread lays `speed * width` px^2 of light on each of the window's in a step, which fades by a share of it; so the light that
    /// stays is `alpha * speed * width / fade` for each thread in a px^2.
    pub fn alpha(&self, area: f64) -> f64 {
        if self.stroke_alpha > 0.0 {
            return self.stroke_alpha;
        }
        let threads = f64::from(self.window_particles(area).max(1)) / area;
        let drawn = threads * self.speed.max(0.05) * self.stroke_width;
        (self.light * self.fade / drawn).min(MOST_LIGHT)
    }

    /// These settings with all lengths in px of a window of this size.
    pub fn in_window(&self, window: [f64; 2]) -> Settings {
        let mut settings = *self;
        if self.lengths == Lengths::Window {
            let unit = self.unit(window);
            settings.noise_scale /= unit;
            settings.color_scale /= unit;
            settings.birth_scale /= unit;
            settings.speed *= unit;
            settings.scroll *= unit;
            settings.rise *= unit;
            settings.spin *= unit;
            settings.eddy_speed *= unit;
            settings.eddy_radius *= unit;
            settings.color_span *= unit;
        }
        settings
    }

    /// The px that lengths are measured in, in a window of this size.
    pub fn unit(&self, [width, height]: [f64; 2]) -> f64 {
        match self.lengths {
            Lengths::Pixels => 1.0,
            Lengths::Window => width.min(height) / WINDOW,
        }
    }

    fn present_alpha(&self, area: f64) -> f64 {
        rounded(self.alpha(area))
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
