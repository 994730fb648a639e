//! What a window shows, px by px.

use std::collections::HashSet;

/// What the window shows: BGRX, row by row.
pub struct Screenshot {
    /// In px.
    pub width: usize,
    /// In px.
    pub height: usize,
    pub(super) pixels: Vec<u8>,
}

impl Screenshot {
    /// Red, green and blue summed over a rectangle from the top left, less `background`.
    pub fn light_in(&self, [width, height]: [usize; 2], background: [u8; 3]) -> [f64; 3] {
        let mut sums = [0.0; 3];
        for y in 0..height.min(self.height) {
            for x in 0..width.min(self.width) {
                let pixel = &self.pixels[(y * self.width + x) * 4..];
                for channel in 0..3 {
                    sums[channel] += f64::from(pixel[2 - channel]) - f64::from(background[channel]);
                }
            }
        }
        sums
    }

    /// Red, green and blue of a pixel.
    pub fn pixel(&self, x: usize, y: usize) -> [u8; 3] {
        let at = (y * self.width + x) * 4;
        [2, 1, 0].map(|channel| self.pixels[at + channel])
    }

    /// How many different pixels of two bytes there are.
    pub fn kinds(&self) -> usize {
        let (pixels, _) = self.pixels.as_chunks::<2>();
        pixels.iter().collect::<HashSet<_>>().len()
    }

    /// Whether both show the same.
    pub fn same(&self, other: &Screenshot) -> bool {
        self.pixels == other.pixels
    }

    /// All light over `background`.
    pub fn light(&self, background: [u8; 3]) -> f64 {
        self.light_in([self.width, self.height], background)
            .iter()
            .sum()
    }
}
