//! Every look that comes with the program, on the canvas of the processor.

use eddyline::canvas::{Canvas, Extent};
use eddyline::picture::Picture;
use eddyline::pool::Pool;
use eddyline::settings::preset::EMBEDDED;
use eddyline::timeline::{Show, Timeline};

use super::ledger::{self, Made, title};
use crate::support::{canvas, preset};

/// Small, since some looks compute each particle's eddies by themselves; twice as fine, so that there is something to look at.
pub const WINDOW: [f64; 2] = [160.0, 90.0];
const SCALE: f32 = 2.0;

/// The step at which painting begins, with particles of every age on an empty canvas: to warm long trails takes seconds.
const BEGIN: i64 = 600;

/// A step, and a moment between two steps.
pub const MOMENTS: [&str; 2] = ["630", "645.4"];

/// The pictures of a show at [`MOMENTS`].
pub fn pictures(name: &str, show: impl Into<Show>) -> [Made; 2] {
    pictures_at(SCALE, name, show)
}

/// The same at a scale.
pub fn pictures_at(scale: f32, name: &str, show: impl Into<Show>) -> [Made; 2] {
    let mut canvas = canvas(WINDOW, scale);
    let mut picture = Picture::new(show, Pool::single());
    picture.seek(BEGIN);
    MOMENTS.map(|moment| {
        let time: f64 = moment.parse().unwrap();
        picture.advance(&mut canvas, time as i64);
        picture.present(&mut canvas, time.fract() as f32);
        let Extent { width, height, .. } = canvas.extent();
        Made::picture(title(name, moment), [width, height], canvas.pixels())
    })
}

/// How many tests share the looks, so that they run side by side.
const PARTS: usize = 3;

/// One look in three, beginning with `first`.
fn check(first: usize) {
    let looks = EMBEDDED.iter().skip(first).step_by(PARTS);
    let made: Vec<Made> = looks
        .flat_map(|(name, _)| pictures(name, Timeline::new(preset(name), WINDOW)))
        .collect();
    ledger::check(&made);
}

#[test]
fn looks_are_what_they_were() {
    check(0);
}

#[test]
fn more_looks_are_what_they_were() {
    check(1);
}

#[test]
fn yet_more_looks_are_what_they_were() {
    check(2);
}
