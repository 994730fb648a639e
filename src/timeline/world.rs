//! The torus that the particles live on: the window and a hidden margin at its right and bottom.

use super::MOST_PARTICLES;
use crate::settings::{Edges, Settings};

/// Narrowest and widest band in which the field joins itself, in logical px; a smaller window has a band as wide as its
/// shorter side, so that its world is at most four times as large.
const BAND: [f64; 2] = [64.0, 320.0];

/// The width of the band inside the window where there is no margin, in noise cells.
const BAND_CELLS: f64 = 0.35;

/// Sizes in logical px; the window's top left is the world's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct World {
    /// Width and height of what is seen, above 0.
    pub window: [f64; 2],
    /// Width of the hidden margin at the right and the bottom.
    pub margin: f64,
}

impl World {
    /// The world of a window under these settings.
    pub fn new(window: [f64; 2], settings: &Settings) -> World {
        let hidden = settings.edges() == Edges::Seamless && settings.margin() > 0.0;
        let margin = if hidden {
            band(settings.margin(), window, settings)
        } else {
            0.0
        };
        World { window, margin }
    }

    /// Width and height of window and margin.
    pub fn size(&self) -> [f64; 2] {
        self.window.map(|side| side + self.margin)
    }

    /// The centre of the window.
    pub fn centre(&self) -> [f64; 2] {
        self.window.map(|side| side / 2.0)
    }

    /// Width of the band at the right and at the bottom of the world in which the field joins itself, per axis.
    pub fn band(&self, settings: &Settings) -> [f64; 2] {
        let inside = band(BAND_CELLS, self.window, settings);
        let band = if self.margin > 0.0 {
            self.margin
        } else {
            inside
        };
        self.size().map(|side| band.min(side))
    }

    /// Particles of the whole world: the window's count at the same density in the margin.
    pub fn particles(&self, settings: &Settings) -> u32 {
        let [window, world] = [self.window, self.size()].map(|[width, height]| width * height);
        let count = f64::from(settings.window_particles(window)) * (world / window);
        count.round().min(MOST_PARTICLES.into()) as u32
    }
}

/// The width of a band of so many noise cells for a window, in logical px.
fn band(cells: f64, [width, height]: [f64; 2], settings: &Settings) -> f64 {
    (cells / settings.noise_scale())
        .clamp(BAND[0], BAND[1])
        .min(width.min(height))
}
