//! A look that strays from its settings by itself: slowly, inside what stays beautiful, and the same way every time.
//!
//! Each setting that strays goes from one random value to the next, smoothly, in a time of its own. What noise time, births and
//! the world follow from stays where it is, and so does what would have to be measured or laid out anew.

use super::life_bits;
use crate::hash::random_bits;
use crate::settings::{Settings, Value, setting};

/// How a setting strays.
enum Reach {
    /// By this share of its value, up and down.
    Share(f64),
    /// By this much.
    Most(f64),
}

/// What strays, and how far where the look wanders as far as it can.
const STRAYING: &[(&str, Reach)] = &[
    ("evenness", Reach::Share(0.2)),
    ("speed_noise", Reach::Share(0.3)),
    ("meander", Reach::Share(0.4)),
    ("birth_threshold", Reach::Share(0.08)),
    ("stroke_width", Reach::Share(0.2)),
    ("light_spread", Reach::Share(0.25)),
    ("light", Reach::Share(0.15)),
    ("exposure", Reach::Share(0.1)),
    ("bloom", Reach::Share(0.3)),
    ("bloom_wide", Reach::Share(0.3)),
    ("color_span", Reach::Share(0.15)),
    ("color_jitter", Reach::Share(0.4)),
    ("hue_shift", Reach::Most(25.0)),
    ("background_light", Reach::Share(0.4)),
    ("vignette", Reach::Share(0.3)),
];

/// Steps from one random value to the next: of the first row, and how many more for each row.
const STRIDE: [i64; 2] = [900, 83];

/// The settings that a look has strayed to in a step. In a loop of so many steps it comes back.
pub(super) fn strayed(settings: &Settings, step: i64, period: Option<i64>) -> Settings {
    let mut strayed = *settings;
    let amount = settings.wander();
    if amount == 0.0 {
        return strayed;
    }
    let seed = life_bits(settings.seed(), u32::MAX);
    for (number, (name, reach)) in (0..).zip(STRAYING) {
        let stride = STRIDE[0] + STRIDE[1] * i64::from(number);
        let place = walk(seed, number, step, stride, period) * amount;
        let Some(row) = setting(name) else {
            continue;
        };
        if let Value::Number(value) = row.value(settings) {
            let value = match reach {
                Reach::Share(share) => value * (1.0 + share * place),
                Reach::Most(most) => value + most * place,
            };
            row.set(&mut strayed, Value::Number(value));
        }
    }
    strayed
}

/// Where a walk is, from -1 to 1; its first and second derivative are continuous.
fn walk(seed: u32, number: u32, step: i64, stride: i64, period: Option<i64>) -> f64 {
    // Whole strides fill a loop.
    let (stride, strides) = match period {
        Some(period) => {
            let strides = (period / stride).max(1);
            (period as f64 / strides as f64, Some(strides))
        }
        None => (stride as f64, None),
    };
    let passed = step as f64 / stride;
    let first = passed.floor();
    let (way, first) = (passed - first, first as i64);
    let knot = |knot: i64| {
        let knot = strides.map_or(knot, |strides| knot.rem_euclid(strides));
        f64::from(random_bits(seed, knot as u64, number)) / f64::from(u32::MAX) * 2.0 - 1.0
    };
    let eased = way * way * way * (way * (way * 6.0 - 15.0) + 10.0);
    knot(first) + (knot(first + 1) - knot(first)) * eased
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::SETTINGS;
    use crate::settings::preset::{EMBEDDED, Preset};
    use crate::timeline::Timeline;
    use std::num::NonZeroU32;

    fn wandering(preset: &str, amount: f64) -> Settings {
        let mut settings = Preset::load(preset).unwrap().settings;
        let row = setting("wander").unwrap();
        row.set(&mut settings, Value::Number(amount));
        settings
    }

    #[test]
    fn what_strays_is_in_the_table_and_decides_no_time_and_no_number() {
        for (name, _) in STRAYING {
            assert!(setting(name).is_some(), "{name}");
            for kept in [
                "time_scale",
                "color_time_scale",
                "scroll",
                "rise",
                "particles",
                "particle_area",
                "lifetime_shortest",
                "lifetime_longest",
                "margin",
                "noise_scale",
                "fade",
                "seed",
            ] {
                assert_ne!(*name, kept);
            }
        }
    }

    /// It moves, never far, never fast, and is where it was when it is looked at again.
    #[test]
    fn looks_stray_slowly_and_the_same_way() {
        for (preset, _) in EMBEDDED {
            let base = wandering(preset, 1.0);
            let number =
                |settings: &Settings, name: &str| match setting(name).unwrap().value(settings) {
                    Value::Number(number) => number,
                    _ => unreachable!(),
                };
            let mut moved = 0;
            for (name, reach) in STRAYING {
                let most = match reach {
                    Reach::Share(share) => number(&base, name).abs() * share,
                    Reach::Most(most) => *most,
                };
                let at = |step: i64| number(&strayed(&base, step, None), name);
                let places: Vec<f64> = (0..60).map(|number| at(number * 300)).collect();
                let middle = number(&base, name);
                let far = places
                    .iter()
                    .map(|place| (place - middle).abs())
                    .fold(0.0, f64::max);
                assert!(far <= most * (1.0 + 1e-9), "{preset} {name}: {far} {most}");
                moved += usize::from(far > 0.3 * most && most > 0.0);
                for step in [7, 450, 899, 900] {
                    let off = (at(step + 1) - at(step)).abs();
                    assert!(off <= most * 0.006, "{preset} {name}: {off}");
                }
            }
            assert!(moved >= 3, "{preset}: {moved}");
        }
    }

    #[test]
    fn nothing_else_strays_and_nothing_does_at_none() {
        let settings = wandering("galaxy", 1.0);
        let strayed = super::strayed(&settings, 5000, None);
        for row in SETTINGS {
            let strays = STRAYING.iter().any(|(name, _)| *name == row.name);
            assert!(
                strays || row.value(&settings) == row.value(&strayed),
                "{}",
                row.name
            );
        }
        let still = wandering("galaxy", 0.0);
        assert_eq!(super::strayed(&still, 5000, None), still);
        // Another seed takes another way.
        let mut other = settings;
        setting("seed").unwrap().set(&mut other, Value::Number(1.0));
        assert_ne!(
            super::strayed(&other, 5000, None).exposure(),
            strayed.exposure()
        );
    }

    #[test]
    fn a_loop_comes_back_to_where_it_was() {
        for period in [240, 3600] {
            let steps = NonZeroU32::new(period).unwrap();
            let timeline = Timeline::looped(wandering("water", 1.0), [640.0, 360.0], steps);
            let at = |step: i64| timeline.at(step).settings.hue_shift();
            for step in [1, 77, 200] {
                let off = (at(step) - at(step + i64::from(period))).abs();
                assert!(off < 1e-9, "{off}");
            }
        }
    }
}
