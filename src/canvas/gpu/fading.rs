//! When the target of the light is touched for a fade, and by how much.
//!
//! A target of few bits loses up to a unit of its last place at every multiplication: one multiplication per step adds
//! up to more than a slow fade takes. So fades are gathered until together they take enough. In between, the light is `gain`
//! times what the target holds: strokes are drawn so much the weaker and frames shown so much the stronger, and no fade is late.

use super::target::Precision;

/// Steps from one fade that removes the darkest light to the next: a second.
const STEPS_TO_SETTLE: u32 = 60;

/// What the light is to what its target holds.
#[derive(Clone, Copy, Debug)]
pub struct Fading {
    /// The light is this times what the target holds; at least 1, so that strokes need not be brighter than white.
    gain: f32,
    /// Steps since the darkest light was last removed.
    unsettled: u32,
    /// Steps since a code was last subtracted.
    unsubtracted: u32,
}

/// What is to be done to the target in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Work {
    /// What it is to be multiplied by.
    pub factor: Option<f32>,
    /// Whether what is too dark to see is to be removed with that.
    pub settles: bool,
    /// Whether every channel is to lose a code before that.
    pub subtracts: bool,
}

impl Fading {
    /// No fade is under way.
    pub const NONE: Fading = Fading {
        gain: 1.0,
        unsettled: 0,
        unsubtracted: 0,
    };

    /// The light is this times what the target holds.
    pub fn gain(&self) -> f32 {
        self.gain
    }

    /// Lets the light become `keep` times as strong in one step; `keep` is in [0, 1).
    pub fn step(&mut self, keep: f32, precision: Precision) -> Work {
        self.unsettled += 1;
        self.unsubtracted += 1;
        let gain = self.gain * keep;
        let most = 1.0 - least_fade(precision);
        let (factor, gain) = if gain < 1.0 {
            (Some(gain * most), most.recip())
        } else {
            (None, gain)
        };
        self.gain = gain;
        let is_due = |steps: &mut u32, period: u32| {
            let is_due = factor.is_some() && *steps >= period;
            if is_due {
                *steps = 0;
            }
            is_due
        };
        let holds_floats = precision != Precision::Bytes;
        Work {
            factor,
            settles: holds_floats && is_due(&mut self.unsettled, STEPS_TO_SETTLE),
            subtracts: !holds_floats
                && is_due(&mut self.unsubtracted, steps_to_subtract(1.0 - keep)),
        }
    }
}

/// The least share of the light that a multiplication may take.
///
/// For 16-bit floats .06 leaves .6 % of light too little. 8-bit codes lose more than half each time, so that what is rounded to
/// the nearest code gets to 0 and nowhere comes to a halt; with smaller shares the light was up to three times too much.
fn least_fade(precision: Precision) -> f32 {
    match precision {
        Precision::Single => 0.0,
        Precision::Half => 0.06,
        Precision::Bytes => 0.55,
    }
}

/// Steps from one subtraction of a code to the next, where a step takes the share `fade`.
///
/// It is for drivers that round up, where the last code would stay for ever. Full light is out of sight after `6 / fade` steps;
/// after twice that, what is left is no trail. More often, what a trail loses by it would be seen.
fn steps_to_subtract(fade: f32) -> u32 {
    (12.0 / fade).ceil() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Precision; 3] = [Precision::Single, Precision::Half, Precision::Bytes];

    /// What the target held, and is owed, make the exact light, however the fade changes on the way.
    #[test]
    fn no_fade_is_late() {
        for precision in ALL {
            let (mut fading, mut held, mut exact) = (Fading::NONE, 1.0, 1.0);
            for step in 0..400 {
                let keep = [0.997, 0.95, 0.999, 0.7][step / 7 % 4];
                let work = fading.step(keep, precision);
                held *= f64::from(work.factor.unwrap_or(1.0));
                exact *= f64::from(keep);
                let light = held * f64::from(fading.gain());
                assert!((light / exact - 1.0).abs() < 1e-4, "{precision:?} {step}");
                assert!((1.0..2.3).contains(&fading.gain()), "{precision:?} {step}");
            }
        }
    }

    #[test]
    fn every_multiplication_takes_enough() {
        for precision in ALL {
            for fade in [0.9, 0.1, 0.03, 0.003] {
                let (mut fading, mut factors) = (Fading::NONE, Vec::new());
                for _ in 0..1000 {
                    factors.extend(fading.step(1.0 - fade, precision).factor);
                }
                let least = f32::max(least_fade(precision), 0.003);
                assert!(!factors.is_empty());
                assert!(
                    factors.iter().all(|factor| 1.0 - factor > least - 1e-4),
                    "{precision:?} {fade}"
                );
            }
        }
    }

    /// How often a code is subtracted follows from the fade alone, in steps.
    #[test]
    fn codes_are_subtracted_after_trails_are_gone() {
        for (fade, period) in [(0.9, 14), (0.1, 120), (0.03, 400), (0.003, 4000)] {
            assert_eq!(steps_to_subtract(fade), period);
            let mut fading = Fading::NONE;
            let count = (0..50_000)
                .filter(|_| fading.step(1.0 - fade, Precision::Bytes).subtracts)
                .count();
            let most = 50_000 / period as usize;
            assert!(
                (most - most / 10 - 3..=most).contains(&count),
                "{fade}: {count}"
            );
        }
        let mut fading = Fading::NONE;
        assert!((0..5000).all(|_| !fading.step(0.9, Precision::Half).subtracts));
    }
}
