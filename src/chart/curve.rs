//! Noise along a line as a curve, with the octaves that it is the sum of.

use super::legend::brief;
use crate::noise::{Fractal, Recipe, Shape, Time};
use crate::sheet::{Fonts, Ink, Lettering, Rectangle, Sheet};

const GROUND: Ink = [11, 17, 24, 255];
const GRID: Ink = [40, 55, 70, 255];
const FAINT: Ink = [25, 35, 46, 255];
const BRIGHT: Ink = [232, 241, 244, 255];
const DIM: Ink = [146, 167, 178, 255];
const CURVE: Ink = [126, 226, 235, 255];
const AREA: Ink = [60, 160, 190, 44];

/// Cells that a plot shows.
pub const CELLS: u32 = 8;

/// Px of a plot for each point of a curve.
const STEP: f32 = 0.5;

/// Lengths in px of a plot of [`USUAL`] px.
const USUAL: [f32; 2] = [1280.0, 720.0];
const LEFT: f32 = 74.0;
const RIGHT: f32 = 74.0;
const TOP: f32 = 74.0;
const BOTTOM: f32 = 56.0;
const GAP: f32 = 30.0;
const LETTERS: f32 = 14.0;
const TITLE: f32 = 20.0;
/// The least height of an octave's curve.
const LANE: f32 = 20.0;

/// Of the height of all curves, what that of the sum takes where there are others.
const MAIN: f32 = 0.58;

/// The noise of a channel along a line of [`CELLS`] cells.
#[derive(Clone, Debug)]
pub struct Profile {
    /// What the noise is made by.
    pub recipe: Recipe,
    /// The seed.
    pub seed: u32,
    /// The noise time.
    pub time: Time,
    /// Where the line begins, in cells; it goes along x.
    pub start: [f32; 2],
    /// What stands above.
    pub title: String,
}

impl Profile {
    /// Paints it: the noise, under it its octaves as they add up before they are shaped, each with its share.
    pub fn plot(&self, size: [u32; 2]) -> Sheet {
        let [width, height] = size.map(|side| side as f32);
        let unit = (width / USUAL[0]).min(height / USUAL[1]).clamp(0.4, 4.0);
        let mut fonts = Fonts::new();
        let mut plot = Plot {
            sheet: Sheet::new(size, [0; 2]),
            fonts: &mut fonts,
            unit,
            left: LEFT * unit,
            right: (width - RIGHT * unit).max(LEFT * unit + 1.0),
            start: self.start[0],
        };
        let ground = Rectangle {
            x: 0.0,
            y: 0.0,
            width,
            height,
            radius: 0.0,
        };
        plot.sheet.fill(ground, GROUND);
        let [top, bottom] = [TOP * unit, (height - BOTTOM * unit).max(TOP * unit + 1.0)];
        let has_octaves = self.recipe.octaves > 1 || self.recipe.shape != Shape::Plain;
        let end = if has_octaves {
            top + (bottom - top - GAP * unit).max(1.0) * MAIN
        } else {
            bottom
        };
        let title = [plot.left, top - 34.0 * unit];
        plot.write(title, TITLE, 0.0, BRIGHT, &self.title);
        plot.columns(top, bottom);
        self.plot_noise(&mut plot, top, end);
        if has_octaves {
            self.plot_octaves(&mut plot, end + GAP * unit, bottom);
        }
        plot.sheet
    }

    /// The noise itself, over all of its range.
    fn plot_noise(&self, plot: &mut Plot, top: f32, bottom: f32) {
        let unit = plot.unit;
        for quarter in 0..=4 {
            let value = quarter as f32 / 4.0;
            let y = bottom + (top - bottom) * value;
            plot.rule(y, GRID);
            let text = format!("{value}");
            let place = [plot.left - 10.0 * unit, y + LETTERS * 0.36 * unit];
            plot.write(place, LETTERS, 1.0, DIM, &text);
        }
        let values = self.values(plot, &self.recipe);
        let points = plot.points(&values, |value| bottom + (top - bottom) * value);
        plot.sheet.fill_to(&points, bottom, AREA);
        plot.sheet.line(&points, 2.4 * unit, CURVE);
    }

    /// Its octaves, each as high as it weighs.
    fn plot_octaves(&self, plot: &mut Plot, top: f32, bottom: f32) {
        let unit = plot.unit;
        let shares = self.shares();
        let lanes = lanes(&shares, bottom - top, LANE * unit);
        let heading = [plot.left - 10.0 * unit, top - 8.0 * unit];
        plot.write(heading, LETTERS, 1.0, DIM, "octave");
        let heading = [plot.right + 10.0 * unit, top - 8.0 * unit];
        plot.write(heading, LETTERS, 0.0, DIM, "share");
        let mut y = top;
        let mut below = vec![0.0; plot.columns_of_points()];
        for (octave, (share, height)) in shares.iter().zip(lanes).enumerate() {
            let sum = self.sum_of(plot, octave as u32 + 1);
            let middle = y + height / 2.0;
            plot.rule(middle, FAINT);
            // What this octave adds, about the middle of its range, for which its lane is high enough.
            let values: Vec<f32> = sum
                .iter()
                .zip(&below)
                .map(|(sum, below)| (sum - below) / share - 0.5)
                .collect();
            let points = plot.points(&values, |value| middle - value * height);
            let ink = faded(octave, shares.len());
            plot.sheet.line(&points, 1.5 * unit, ink);
            let baseline = middle + LETTERS * 0.36 * unit;
            let number = format!("{}", octave + 1);
            plot.write(
                [plot.left - 10.0 * unit, baseline],
                LETTERS,
                1.0,
                DIM,
                &number,
            );
            let text = format!("{} %", brief(share * 100.0));
            plot.write(
                [plot.right + 10.0 * unit, baseline],
                LETTERS,
                0.0,
                DIM,
                &text,
            );
            below = sum;
            y += height;
        }
    }

    /// What each octave weighs; all together 1.
    fn shares(&self) -> Vec<f32> {
        let mut weights = vec![1.0f32];
        for octave in 1..self.recipe.octaves as usize {
            weights.push(weights[octave - 1] * self.recipe.gain);
        }
        let total: f32 = weights.iter().sum();
        weights.iter().map(|weight| weight / total).collect()
    }

    /// What the first octaves make of the sum, before it is shaped.
    fn sum_of(&self, plot: &Plot, octaves: u32) -> Vec<f32> {
        let recipe = Recipe {
            octaves,
            shape: Shape::Plain,
            ..self.recipe
        };
        let share: f32 = self.shares()[..octaves as usize].iter().sum();
        let mut values = self.values(plot, &recipe);
        for value in &mut values {
            *value *= share;
        }
        values
    }

    /// The noise by a recipe at all points of a curve.
    fn values(&self, plot: &Plot, recipe: &Recipe) -> Vec<f32> {
        let fractal = Fractal::new(self.seed, 0, *recipe, self.time);
        let [x, y] = self.start;
        (0..plot.columns_of_points())
            .map(|point| fractal.at(x + plot.cells_at(point), y))
            .collect()
    }
}

/// Heights of the curves of octaves in all of `height`: as their shares are, but none below `least`, where there is room.
fn lanes(shares: &[f32], height: f32, least: f32) -> Vec<f32> {
    let least = least.min(height / shares.len() as f32).max(0.0);
    let mut is_least = vec![false; shares.len()];
    loop {
        let fixed = is_least.iter().filter(|is_least| **is_least).count() as f32 * least;
        let free = shares
            .iter()
            .zip(&is_least)
            .filter(|(_, is_least)| !**is_least);
        let total: f32 = free.map(|(share, _)| share).sum();
        let scale = (height - fixed) / total.max(1e-9);
        let new: Vec<bool> = shares
            .iter()
            .zip(&is_least)
            .map(|(share, is_least)| *is_least || share * scale < least)
            .collect();
        if new == is_least || total == 0.0 {
            let lane = |(share, is_least): (&f32, &bool)| {
                if *is_least { least } else { share * scale }
            };
            return shares.iter().zip(&is_least).map(lane).collect();
        }
        is_least = new;
    }
}

/// The color of an octave's curve: the finer the fainter.
fn faded(octave: usize, count: usize) -> Ink {
    let share = octave as f32 / count.max(2) as f32;
    let [from, to] = [[104.0, 178.0, 196.0], [62.0, 96.0, 120.0]];
    let code = |channel: usize| (from[channel] + (to[channel] - from[channel]) * share) as u8;
    [code(0), code(1), code(2), 255]
}

/// A plot under way.
struct Plot<'a> {
    sheet: Sheet,
    fonts: &'a mut Fonts,
    unit: f32,
    left: f32,
    right: f32,
    /// In cells.
    start: f32,
}

impl Plot<'_> {
    fn columns_of_points(&self) -> usize {
        ((self.right - self.left) / STEP) as usize + 1
    }

    /// Cells from the beginning of the line to a point.
    fn cells_at(&self, point: usize) -> f32 {
        point as f32 * STEP / (self.right - self.left) * CELLS as f32
    }

    fn points(&self, values: &[f32], y: impl Fn(f32) -> f32) -> Vec<[f32; 2]> {
        let point = |(number, value): (usize, &f32)| [self.left + number as f32 * STEP, y(*value)];
        values.iter().enumerate().map(point).collect()
    }

    /// A line for every whole cell, with its number.
    fn columns(&mut self, top: f32, bottom: f32) {
        let unit = self.unit;
        let first = self.start.ceil() as i32;
        let width = (self.right - self.left) / CELLS as f32;
        for cell in first..=(self.start + CELLS as f32).floor() as i32 {
            let x = self.left + (cell as f32 - self.start) * width;
            let line = Rectangle {
                x: x.round(),
                y: top,
                width: unit.round().max(1.0),
                height: bottom - top,
                radius: 0.0,
            };
            self.sheet.fill(line, FAINT);
            let baseline = bottom + 24.0 * unit;
            self.write([x, baseline], LETTERS, 0.5, DIM, &cell.to_string());
        }
        let place = [self.right + 10.0 * unit, bottom + 24.0 * unit];
        self.write(place, LETTERS, 0.0, DIM, "cells");
        let place = [self.left - 10.0 * unit, top - 14.0 * unit];
        self.write(place, LETTERS, 1.0, DIM, "noise");
    }

    /// A line from left to right.
    fn rule(&mut self, y: f32, ink: Ink) {
        let line = Rectangle {
            x: self.left,
            y: y.round(),
            width: self.right - self.left,
            height: self.unit.round().max(1.0),
            radius: 0.0,
        };
        self.sheet.fill(line, ink);
    }

    /// Writes with that share of the text before x.
    fn write(&mut self, [x, y]: [f32; 2], letters: f32, share: f32, ink: Ink, text: &str) {
        let px = letters * self.unit;
        let width = self.fonts.width(text, px);
        let place = [x - width * share, y];
        self.sheet
            .write(self.fonts, place, Lettering { px, ink }, text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_fill_their_height_and_none_is_too_low() {
        for (shares, height) in [
            (vec![0.5, 0.25, 0.125, 0.06, 0.03, 0.02], 200.0),
            (vec![1.0], 100.0),
            (vec![0.9, 0.05, 0.05], 30.0),
            (vec![0.25; 4], 300.0),
        ] {
            let lanes = lanes(&shares, height, 20.0);
            let sum: f32 = lanes.iter().sum();
            assert!((sum - height).abs() < 1e-2, "{lanes:?}");
            let least = 20.0f32.min(height / shares.len() as f32) - 1e-3;
            assert!(lanes.iter().all(|lane| *lane >= least), "{lanes:?}");
            assert!(lanes.is_sorted_by(|a, b| a >= b), "{lanes:?}");
        }
    }
}
