//! Velocities as arrows.

use super::{Chart, Lattice};
use crate::sheet::{Arrow, Ink, Sheet};

/// The longest arrow and the shortest that is drawn, as shares of their distance; and the width of all.
const LONGEST: f32 = 0.94;
const SHORTEST: f32 = 0.08;
const WIDTH: f32 = 0.05;

/// Slow ones are darker.
const SLOW: Ink = [96, 146, 168, 255];
const FAST: Ink = [240, 252, 255, 255];

/// What lies around each, so that it is seen on light ground, too; and how far that reaches, in its widths.
const SHADOW: Ink = [4, 9, 14, 120];
const AROUND: f32 = 0.8;

impl Chart<'_> {
    /// Draws arrows that are about `distance` logical px apart, on a sheet of `scale` px for each logical px.
    pub(super) fn draw_arrows(&self, sheet: &mut Sheet, distance: f32, scale: f32) {
        let [columns, rows] = self
            .window
            .to_array()
            .map(|side| ((side / distance).round() as usize).max(1));
        let lattice = Lattice::over(self.window, [columns, rows]);
        let reach = lattice.pitch.min_element() * scale;
        let mut velocities = Vec::new();
        for row in 0..rows {
            self.velocities(&lattice, row, &mut velocities);
            for (column, velocity) in velocities.iter().enumerate() {
                let speed = (velocity[0] * velocity[0] + velocity[1] * velocity[1]).sqrt();
                let share = (speed / self.full_speed).min(1.0);
                let length = (reach * LONGEST * share).max(reach * SHORTEST);
                let arrow = Arrow {
                    middle: (lattice.place(column, row) * scale).to_array(),
                    along: velocity.map(|side| side / speed.max(1e-9) * length),
                    width: (reach * WIDTH).max(1.0),
                };
                sheet.arrow_and_around(&arrow, AROUND * arrow.width, SHADOW);
                sheet.arrow(&arrow, mixed(SLOW, FAST, share));
            }
        }
    }
}

fn mixed(from: Ink, to: Ink, share: f32) -> Ink {
    std::array::from_fn(|channel| {
        let [from, to] = [from[channel], to[channel]].map(f32::from);
        (from + (to - from) * share + 0.5) as u8
    })
}
