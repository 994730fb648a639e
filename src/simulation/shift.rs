//! How a picture for screens that burn in moves behind its window: slowly, by a few px.

use crate::polynomial::circle_at;
use crate::settings::{Settings, Switch};
use crate::timeline::{Moment, NoiseTime};

/// How far it moves from the middle of its way, in logical px.
const FAR: f64 = 3.0;

/// Steps in which it goes to and fro along each axis: they meet seldom.
const PERIODS: [i64; 2] = [25_200, 39_600];

/// How much of the world beyond the right and the lower edge of the window may be seen, in logical px.
pub(super) fn most_shift(settings: &Settings) -> f32 {
    match settings.oled() {
        Switch::On => 2.0 * FAR as f32,
        Switch::Off => 0.0,
    }
}

/// The place of the world that is at the window's top left in a moment, in logical px. In a loop it stays.
pub fn shift(moment: &Moment) -> [f32; 2] {
    let is_looped = matches!(moment.time, NoiseTime::Circle { .. });
    if moment.settings.oled() == Switch::Off || is_looped {
        return [0.0; 2];
    }
    PERIODS.map(|period| {
        let turns = moment.step.rem_euclid(period) as f64 / period as f64;
        let [cosine, _] = circle_at(turns);
        (FAR - FAR * cosine) as f32
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::setting;
    use crate::timeline::Timeline;
    use std::num::NonZeroU32;

    fn settings(oled: &str) -> Settings {
        let (mut settings, row) = (Settings::default(), setting("oled").unwrap());
        row.set(&mut settings, row.parse(oled).unwrap());
        settings
    }

    #[test]
    fn a_picture_moves_a_few_px_in_minutes() {
        let timeline = Timeline::new(settings("on"), [640.0, 360.0]);
        let at = |step: i64| shift(&timeline.at(step));
        assert_eq!(at(0), [0.0; 2]);
        let (mut most, mut fastest) = ([0.0f32; 2], 0.0f32);
        for step in (0..40_000).step_by(50) {
            let (now, next) = (at(step), at(step + 1));
            for axis in 0..2 {
                assert!((0.0..=most_shift(&settings("on"))).contains(&now[axis]));
                most[axis] = most[axis].max(now[axis]);
                fastest = fastest.max((next[axis] - now[axis]).abs());
            }
        }
        assert!(most.iter().all(|most| *most > 5.9), "{most:?}");
        assert!(fastest < 0.001, "{fastest}");
    }

    #[test]
    fn others_and_loops_stay_where_they_are() {
        let timeline = Timeline::new(settings("off"), [640.0, 360.0]);
        assert_eq!(shift(&timeline.at(9000)), [0.0; 2]);
        assert_eq!(most_shift(&settings("off")), 0.0);
        let steps = NonZeroU32::new(600).unwrap();
        let timeline = Timeline::looped(settings("on"), [640.0, 360.0], steps);
        assert_eq!(shift(&timeline.at(9000)), [0.0; 2]);
    }
}
