//! Pictures of the field itself: maps of what it is at every place, arrows, and its noise along a line.
//!
//! A chart sees a field and a palette and paints pixels. What they are laid over or written to is somebody else's.

use glam::Vec2;

use crate::field::FlowField;
use crate::palette::{BUILT_IN, End, Gradient, HslRamp, Palette, Scheme, Space, Stops};
use crate::polynomial::turns_to;
use crate::sheet::Ink;

mod arrows;
mod curve;
mod legend;
mod map;
mod veil;

pub use curve::{CELLS, Profile};
pub use legend::legend;
pub use map::map;
pub use veil::Veil;

/// What of the field a chart shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aspect {
    /// The noise, from black to white.
    Value,
    /// Headings, around the color wheel.
    Angle,
    /// Velocities as arrows, over a dim map of the noise.
    Vector,
    /// How fast the field turns what floats in it, and which way.
    Curl,
    /// The color channel through the look's palette.
    Color,
}

impl Aspect {
    /// All, by their names, in the order in which a key goes through them.
    pub const ALL: [(&str, Aspect); 5] = [
        ("value", Aspect::Value),
        ("angle", Aspect::Angle),
        ("vector", Aspect::Vector),
        ("curl", Aspect::Curl),
        ("color", Aspect::Color),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        let found = Aspect::ALL.iter().find(|(_, aspect)| *aspect == self);
        found.expect("every aspect has a name").0
    }

    /// What is seen, in a few words.
    pub fn help(self) -> &'static str {
        match self {
            Aspect::Value => "the noise, dark is low",
            Aspect::Angle => "headings, a color for each",
            Aspect::Vector => "velocities",
            Aspect::Curl => "turning: blue left, orange right",
            Aspect::Color => "the noise of colors",
        }
    }

    /// The one after it, of nothing the first, and nothing after the last.
    pub fn after(this: Option<Aspect>) -> Option<Aspect> {
        let next = this.map_or(0, |this| {
            let number = Aspect::ALL.iter().position(|(_, aspect)| *aspect == this);
            number.map_or(0, |number| number + 1)
        });
        Aspect::ALL.get(next).map(|(_, aspect)| *aspect)
    }
}

/// Colors of a chart's table.
const INKS: usize = 256;

/// From blue for what turns to the left by way of the dark of what does not turn to orange for what turns to the right.
const TURNING: [[u8; 3]; 5] = [
    [0x66, 0xd0, 0xff],
    [0x12, 0x5f, 0xa8],
    [0x0b, 0x10, 0x16],
    [0xb0, 0x4a, 0x14],
    [0xff, 0xb8, 0x5c],
];

/// What lies under arrows.
const DIM: [[u8; 3]; 3] = [[0x06, 0x0b, 0x11], [0x12, 0x26, 0x36], [0x35, 0x5c, 0x72]];

/// Columns and rows of the places where a chart learns how fast a field is.
const SAMPLES: [usize; 2] = [48, 27];

/// Rotations and speeds at the end of a scale, in root mean squares.
const FULL_ROTATION: f32 = 2.5;
const FULL_SPEED: f32 = 1.5;

/// A field, and how what is seen of it becomes colors.
pub struct Chart<'a> {
    field: &'a FlowField,
    aspect: Aspect,
    /// In logical px.
    window: Vec2,
    /// From 0 to 1.
    inks: [Ink; INKS],
    /// The rotation at the ends of its scale, in radians per step; above 0.
    full_rotation: f32,
    /// The speed of the longest arrows, in logical px per step; above 0.
    full_speed: f32,
}

/// Places in rows, in logical px.
#[derive(Clone, Copy, Debug)]
struct Lattice {
    first: Vec2,
    pitch: Vec2,
    columns: usize,
    rows: usize,
}

impl Lattice {
    /// So many places over all of a window, each in the middle of its part.
    fn over(window: Vec2, [columns, rows]: [usize; 2]) -> Lattice {
        let pitch = window / Vec2::new(columns as f32, rows as f32);
        Lattice {
            first: pitch * 0.5,
            pitch,
            columns,
            rows,
        }
    }

    fn place(&self, column: usize, row: usize) -> Vec2 {
        self.first + self.pitch * Vec2::new(column as f32, row as f32)
    }
}

impl<'a> Chart<'a> {
    /// An aspect of a field in a window of logical px; `palette` is the look's.
    pub fn new(
        field: &'a FlowField,
        aspect: Aspect,
        window: [f32; 2],
        palette: &Palette,
    ) -> Chart<'a> {
        let mut chart = Chart {
            field,
            aspect,
            window: Vec2::from_array(window),
            inks: inks(aspect, palette),
            full_rotation: 1.0,
            full_speed: 1.0,
        };
        chart.learn();
        chart
    }

    /// The speed of the longest arrows, in logical px per step.
    pub fn full_speed(&self) -> f32 {
        self.full_speed
    }

    /// The rotation at the ends of its scale, in radians per step.
    pub fn full_rotation(&self) -> f32 {
        self.full_rotation
    }

    /// Finds the ends of the scales.
    fn learn(&mut self) {
        let lattice = Lattice::over(self.window, SAMPLES);
        let mut velocities = Vec::new();
        let (mut speeds, mut rotations) = (0.0, 0.0);
        for row in 0..lattice.rows {
            self.velocities(&lattice, row, &mut velocities);
            for &[x, y] in &velocities {
                speeds += x * x + y * y;
            }
        }
        if self.aspect == Aspect::Curl {
            let mut turning = vec![0.0; lattice.columns];
            for row in 0..lattice.rows {
                self.rotations(&lattice, row, &mut turning);
                rotations += turning
                    .iter()
                    .map(|rotation| rotation * rotation)
                    .sum::<f32>();
            }
        }
        let count = (SAMPLES[0] * SAMPLES[1]) as f32;
        self.full_speed = FULL_SPEED * (speeds / count).sqrt().max(1e-6);
        self.full_rotation = FULL_ROTATION * (rotations / count).sqrt().max(1e-9);
    }

    /// What is seen at the places of a row, each from 0 to 1: of one color, of `inks`.
    fn shares(&self, lattice: &Lattice, row: usize, shares: &mut [f32]) {
        match self.aspect {
            Aspect::Value | Aspect::Vector => {
                for (column, share) in shares.iter_mut().enumerate() {
                    *share = self.field.noise_at(lattice.place(column, row));
                }
            }
            Aspect::Color => {
                for (column, share) in shares.iter_mut().enumerate() {
                    *share = self.field.color_at(lattice.place(column, row));
                }
            }
            Aspect::Angle => {
                let mut velocities = Vec::new();
                self.velocities(lattice, row, &mut velocities);
                for (share, velocity) in shares.iter_mut().zip(velocities) {
                    *share = turns_to(velocity.map(f64::from)).rem_euclid(1.0) as f32;
                }
            }
            Aspect::Curl => {
                self.rotations(lattice, row, shares);
                for share in shares {
                    *share = 0.5 + 0.5 * *share / self.full_rotation;
                }
            }
        }
    }

    /// Velocities at the places of a row, in logical px per step.
    fn velocities(&self, lattice: &Lattice, row: usize, velocities: &mut Vec<[f32; 2]>) {
        let places: Vec<Vec2> = (0..lattice.columns)
            .map(|column| lattice.place(column, row))
            .collect();
        velocities.resize(places.len(), [0.0; 2]);
        self.field.currents(&places, velocities);
    }

    /// How fast the field turns at the places of a row, in radians per step; above 0 to the right, as a clock. Differences reach to the
    /// places around, at the rims to those on one side.
    fn rotations(&self, lattice: &Lattice, row: usize, rotations: &mut [f32]) {
        let mut lines = [const { Vec::new() }; 3];
        let [above, below] = [row.saturating_sub(1), (row + 1).min(lattice.rows - 1)];
        for (line, row) in lines.iter_mut().zip([above, row, below]) {
            self.velocities(lattice, row, line);
        }
        let [over, here, under] = &lines;
        let slope = |difference: f32, steps: usize, pitch: f32| {
            if steps == 0 {
                0.0
            } else {
                difference / (steps as f32 * pitch)
            }
        };
        for (column, rotation) in rotations.iter_mut().enumerate() {
            let left = column.saturating_sub(1);
            let right = (column + 1).min(lattice.columns - 1);
            let along = here[right][1] - here[left][1];
            let down = under[column][0] - over[column][0];
            *rotation = slope(along, right - left, lattice.pitch.x)
                - slope(down, below - above, lattice.pitch.y);
        }
    }

    fn ink(&self, share: f32) -> Ink {
        // What is no number has the first color.
        self.inks[(share.clamp(0.0, 1.0) * (INKS - 1) as f32 + 0.5) as usize]
    }
}

/// The colors of an aspect, opaque.
fn inks(aspect: Aspect, palette: &Palette) -> [Ink; INKS] {
    let table = match aspect {
        Aspect::Value => {
            return std::array::from_fn(|index| {
                let code = index as u8;
                [code, code, code, 255]
            });
        }
        Aspect::Angle => wheel(),
        Aspect::Vector => blended(&DIM),
        Aspect::Curl => blended(&TURNING),
        Aspect::Color => palette.clone(),
    };
    std::array::from_fn(|index| {
        let [red, green, blue] = table.color(index as f32 / (INKS - 1) as f32);
        let code = |channel: f32| (channel * 255.0 + 0.5) as u8;
        [code(red), code(green), code(blue), 255]
    })
}

/// All hues at one lightness.
fn wheel() -> Palette {
    let known = BUILT_IN.iter().find(|known| known.name == "wheel");
    of(&known.expect("it is built in").scheme)
}

fn blended(stops: &[[u8; 3]]) -> Palette {
    of(&Scheme::Gradient(Gradient {
        stops: Stops::new(stops).expect("there are a few"),
        space: Space::Oklab,
        end: End::Open,
    }))
}

/// The palette of a scheme that has colors of its own.
fn of(scheme: &Scheme) -> Palette {
    let no_ramp = HslRamp {
        hue: 0.0,
        hue_span: 0.0,
        saturation: 0.0,
        lightness: 0.0,
        lightness_span: 0.0,
    };
    Palette::new(scheme, &no_ramp)
}

#[cfg(test)]
mod tests;
