//! When the frames of a picture without a window are: whole numbers, exact, whatever the frame rate.

use std::time::Duration;

use crate::picture::fraction;
use crate::settings::USUAL_FPS;

/// Largest denominator of a frame rate.
const MOST_PARTS: u32 = 1_000_000;

/// Steps in a second.
const STEPS: i128 = 60;

/// Nanoseconds in a second.
const NANOS: i128 = 1_000_000_000;

/// Degrees of a shutter that is open from one frame to the next.
pub const FULL_SHUTTER: u32 = 360;

/// When each frame is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    /// Time of frame 0 in nanoseconds.
    start: u128,
    /// Frames per second, as a fraction.
    fps: [u32; 2],
    /// Steps from one frame to the next, as a fraction.
    pace: [i128; 2],
}

/// A part of the time for which a shutter is open.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Subframe {
    /// From 0.
    pub number: u32,
    /// How many there are.
    pub count: u32,
    /// How long the shutter is open, in degrees of [`FULL_SHUTTER`].
    pub shutter: u32,
}

impl Clock {
    /// A clock whose frame 0 is at `start`, with `fps` frames per second; 0 takes 60. The rate is the nearest fraction of
    /// small numbers, so that 23.976023976 is 24000/1001.
    pub fn new(start: Duration, fps: f64) -> Clock {
        let fps = ratio(if fps == 0.0 { USUAL_FPS } else { fps });
        let [numerator, denominator] = fps.map(i128::from);
        Clock {
            start: start.as_nanos(),
            fps,
            pace: [STEPS * denominator, numerator],
        }
    }

    /// A clock of a loop of about `length`, a whole number of frames that last a whole number of steps, and how many of both
    /// there are.
    pub fn of_loop(start: Duration, fps: f64, length: Duration) -> (Clock, [u64; 2]) {
        let clock = Clock::new(start, fps);
        let frames = clock.frames(length);
        let [steps, parts] = clock.pace;
        let steps = ((2 * i128::from(frames) * steps + parts) / (2 * parts)).max(1);
        let pace = [steps, frames.into()];
        (Clock { pace, ..clock }, [frames, steps as u64])
    }

    /// A clock for one frame.
    pub fn at(start: Duration) -> Clock {
        Clock::new(start, 0.0)
    }

    /// Frames per second as a fraction.
    pub fn fps(&self) -> [u32; 2] {
        self.fps
    }

    /// Time of frame 0 in nanoseconds.
    pub fn start(&self) -> u128 {
        self.start
    }

    /// How many frames fill a length of time; at least 1.
    pub fn frames(&self, length: Duration) -> u64 {
        let [numerator, denominator] = self.fps.map(u128::from);
        let unit = NANOS as u128 * denominator;
        ((length.as_nanos() * numerator * 2 + unit) / (2 * unit)).max(1) as u64
    }

    /// The last frame that is not after `step`, and at least 0.
    pub fn frame_at(&self, step: i64) -> u64 {
        let [steps, parts] = self.pace;
        let since = i128::from(step) * NANOS - self.start as i128 * STEPS;
        (since * parts).div_euclid(steps * NANOS).max(0) as u64
    }

    /// The last step of which frames before this one show a part; 0 before the first.
    pub fn shown_before(&self, frame: u64) -> i64 {
        match frame.checked_sub(1) {
            Some(before) => self.time_of(before).0 + 1,
            None => 0,
        }
    }

    /// The whole step and the fraction of the next at which a frame is.
    pub fn time_of(&self, frame: u64) -> (i64, f32) {
        let first = Subframe {
            number: 0,
            count: 1,
            shutter: FULL_SHUTTER,
        };
        self.time_within(frame, first)
    }

    /// The same of a part of the time for which the shutter is open after a frame.
    pub fn time_within(&self, frame: u64, subframe: Subframe) -> (i64, f32) {
        let Subframe {
            number,
            count,
            shutter,
        } = subframe;
        let parts = i128::from(FULL_SHUTTER) * i128::from(count);
        let frames = i128::from(frame) * parts + i128::from(number) * i128::from(shutter);
        let [steps, pace_parts] = self.pace;
        // Steps, in units of 1 / `unit`.
        let unit = NANOS * pace_parts * parts;
        let position = self.start as i128 * STEPS * pace_parts * parts + frames * steps * NANOS;
        (
            position.div_euclid(unit) as i64,
            fraction(position.rem_euclid(unit) as f64 / unit as f64),
        )
    }
}

/// The fraction of the smallest numbers that is as near to a number above 0 as its digits are good for, by continued
/// fractions.
fn ratio(number: f64) -> [u32; 2] {
    let (mut before, mut present) = ([0, 1], [1, 0]);
    let mut rest = number;
    loop {
        let whole = rest.floor();
        let next: [u64; 2] = [0, 1].map(|part| whole as u64 * present[part] + before[part]);
        if next[1] > u64::from(MOST_PARTS) || next[0] > u64::from(u32::MAX) {
            break;
        }
        (before, present) = (present, next);
        let [numerator, denominator] = next.map(|part| part as f64);
        let is_near = (numerator / denominator - number).abs() < 1e-9 * number;
        if is_near || rest == whole {
            break;
        }
        rest = 1.0 / (rest - whole);
    }
    let [numerator, denominator] = present.map(|part| part as u32);
    if numerator == 0 || denominator == 0 {
        // Slower than any fraction here.
        return [1, MOST_PARTS];
    }
    [numerator, denominator]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_lie_at_exact_times() {
        let clock = Clock::new(Duration::from_secs(10), 60.0);
        assert_eq!(
            [0, 1, 600].map(|frame| clock.time_of(frame)),
            [(600, 0.0), (601, 0.0), (1200, 0.0)]
        );
        let clock = Clock::new(Duration::ZERO, 144.0);
        assert_eq!(
            [0, 1, 12, 144].map(|frame| clock.time_of(frame).0),
            [0, 0, 5, 60]
        );
        assert_eq!(clock.time_of(6), (2, 0.5));
        let clock = Clock::new(Duration::ZERO, 29.97);
        assert_eq!(clock.fps(), [2997, 100]);
        assert_eq!(clock.time_of(2997), (6000, 0.0));
        for frame in 0..20_000 {
            let (_, fraction) = Clock::new(Duration::from_millis(1), 59.999).time_of(frame);
            assert!((0.0..1.0).contains(&fraction));
        }
        assert_eq!(Clock::at(Duration::from_millis(250)).time_of(0), (15, 0.0));
        // A day of film at the rate of American cinema ends where a day ends.
        let clock = Clock::new(Duration::ZERO, 24_000.0 / 1001.0);
        assert_eq!(clock.time_of(24_000 * 86), (1001 * 86 * 60, 0.0));
    }

    #[test]
    fn rates_are_fractions_of_small_numbers() {
        let of = |fps: f64| Clock::new(Duration::ZERO, fps).fps();
        assert_eq!(of(24_000.0 / 1001.0), [24_000, 1001]);
        assert_eq!(of(23.976_023_976), [24_000, 1001]);
        assert_eq!(of(23.976), [2997, 125]);
        assert_eq!(of(100.0 / 3.0), [100, 3]);
        assert_eq!(of(59.94), [2997, 50]);
        assert_eq!(of(1000.0), [1000, 1]);
        assert_eq!(of(0.5), [1, 2]);
        assert_eq!(of(0.0), [60, 1]);
        assert_eq!(of(1e-9), [1, MOST_PARTS]);
        for index in 1..5000 {
            let fps = f64::from(index) * 0.199_937;
            let [numerator, denominator] = of(fps).map(f64::from);
            assert!((numerator / denominator / fps - 1.0).abs() < 1e-7, "{fps}");
        }
    }

    #[test]
    fn subframes_share_the_time_of_an_open_shutter() {
        let clock = Clock::new(Duration::from_secs(1), 30.0);
        let at = |frame: u64, number: u32, shutter: u32| {
            let subframe = Subframe {
                number,
                count: 4,
                shutter,
            };
            clock.time_within(frame, subframe)
        };
        assert_eq!(at(0, 0, 180), (60, 0.0));
        assert_eq!(at(0, 1, 180), (60, 0.25));
        assert_eq!(at(1, 3, 180), (62, 0.75));
        assert_eq!(at(1, 3, 360), (63, 0.5));
    }

    #[test]
    fn lengths_round_to_whole_frames() {
        let frames = |fps: f64, seconds: f64| {
            Clock::new(Duration::ZERO, fps).frames(Duration::from_secs_f64(seconds))
        };
        assert_eq!(frames(60.0, 5.0), 300);
        assert_eq!(frames(24.0, 0.99), 24);
        assert_eq!(frames(29.97, 100.0), 2997);
        assert_eq!(frames(0.0, 0.0), 1);
        assert_eq!(frames(0.001, 1.0), 1);
        assert_eq!(frames(24_000.0 / 1001.0, 1001.0), 24_000);
    }

    #[test]
    fn a_loop_has_whole_frames_and_whole_steps() {
        let of = |fps: f64, seconds: f64| {
            let length = Duration::from_secs_f64(seconds);
            Clock::of_loop(Duration::ZERO, fps, length)
        };
        let (clock, counts) = of(60.0, 20.0);
        assert_eq!((counts, clock.time_of(7)), ([1200, 1200], (7, 0.0)));
        let (clock, counts) = of(24.0, 1.03);
        // 25 frames are 62.5 steps.
        assert_eq!(counts, [25, 63]);
        assert_eq!(clock.time_of(25), (63, 0.0));
        assert_eq!(clock.time_of(50), (126, 0.0));
        let (clock, counts) = of(100.0 / 3.0, 2.0);
        assert_eq!(counts, [67, 121]);
        assert_eq!(clock.time_of(67), (121, 0.0));
    }

    #[test]
    fn the_frame_before_a_step_is_found() {
        let clock = Clock::new(Duration::from_secs(1), 24_000.0 / 1001.0);
        for frame in [0, 1, 2, 99, 1000] {
            let (step, fraction) = clock.time_of(frame);
            let after = step + i64::from(fraction > 0.0);
            assert_eq!(clock.frame_at(after), frame);
        }
        assert_eq!(clock.frame_at(0), 0);
        assert_eq!(clock.shown_before(0), 0);
        assert_eq!(clock.shown_before(1), 61);
        assert_eq!(clock.shown_before(2), 63);
    }
}
