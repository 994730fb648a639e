//! What no look shows by itself: one that becomes another, and settings that no look has.

use std::num::NonZeroU32;

use eddyline::timeline::{Change, Show, Timeline};

use super::ledger::{self, Made};
use super::looks::{MOMENTS, WINDOW, pictures, pictures_at};
use crate::support::{preset, with};

const FIRST: &str = MOMENTS[0];
const SECOND: &str = MOMENTS[1];

/// Name and moment of each line.
pub const TITLES: &[(&str, &str)] = &[
    ("dissolve", FIRST),
    ("dissolve", SECOND),
    ("calm", FIRST),
    ("calm", SECOND),
    ("oled", FIRST),
    ("oled", SECOND),
    ("bloom-at-scale-1", FIRST),
    ("bloom-at-scale-1", SECOND),
    ("loop", FIRST),
    ("loop", SECOND),
    ("wander", FIRST),
    ("wander", SECOND),
];

/// The other look begins to come shortly before the first moment.
#[test]
fn a_dissolve_is_what_it_was() {
    let mut show = Show::new(preset("original"), WINDOW);
    show.push(610, Change::Look(Box::new(preset("storm"))));
    ledger::check(&pictures("dissolve", show));
}

/// Dim pictures, for whoever wants them so or has a screen that burns in.
#[test]
fn dim_pictures_are_what_they_were() {
    let dim = |name, look, setting| -> [Made; 2] {
        let settings = with(preset(look), &[(setting, "on")]);
        pictures(name, Timeline::new(settings, WINDOW))
    };
    let made = [dim("calm", "storm", "calm"), dim("oled", "embers", "oled")];
    ledger::check(&made.concat());
}

/// Looks are painted at scale 2, bloom included.
#[test]
fn bloom_at_scale_1_is_what_it_was() {
    let show = Timeline::new(preset("embers"), WINDOW);
    ledger::check(&pictures_at(1.0, "bloom-at-scale-1", show));
}

/// Noise on a circle, and settings that stray.
#[test]
fn loops_and_wanderings_are_what_they_were() {
    let period = NonZeroU32::new(240).unwrap();
    let looped = Timeline::looped(preset("storm"), WINDOW, period);
    let straying = with(preset("original"), &[("wander", "1")]);
    let straying = Timeline::new(straying, WINDOW);
    let made = [pictures("loop", looped), pictures("wander", straying)];
    ledger::check(&made.concat());
}
