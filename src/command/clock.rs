//! When the frames of a picture without a window are.

use std::time::Duration;

use crate::picture::fraction;
use crate::settings::USUAL_FPS;

/// When each frame is: exact, whatever the frame rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    /// Time of frame 0 in nanoseconds.
    start: i128,
    /// Frames per 1000 s.
    rate: i128,
}

impl Clock {
    /// A clock whose frame 0 is at `start`, with `fps` frames per second to three decimals; 0 takes 60.
    pub fn new(start: Duration, fps: f64) -> Clock {
        let fps = if fps == 0.0 { USUAL_FPS } else { fps };
        Clock {
            start: start.as_nanos() as i128,
            rate: ((fps * 1000.0).round() as i128).max(1),
        }
    }

    /// A clock for one frame.
    pub fn at(start: Duration) -> Clock {
        Clock::new(start, 0.0)
    }

    /// Frames per second as a fraction.
    pub fn fps(&self) -> [i128; 2] {
        if self.rate % 1000 == 0 {
            [self.rate / 1000, 1]
        } else {
            [self.rate, 1000]
        }
    }

    /// How many frames fill a length of time; at least 1.
    pub fn frames(&self, length: Duration) -> u64 {
        let thousandths = length.as_nanos() as i128 * self.rate;
        ((thousandths + 500_000_000_000) / 1_000_000_000_000).max(1) as u64
    }

    /// The whole step and the fraction of the next at which a frame is.
    pub fn time_of(&self, frame: u64) -> (i64, f32) {
        // Steps, in units of 1 / (10^9 * rate).
        let position = (self.start * self.rate + i128::from(frame) * 1_000_000_000_000) * 60;
        let unit = 1_000_000_000 * self.rate;
        (
            (position / unit) as i64,
            fraction((position % unit) as f64 / unit as f64),
        )
    }
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
        assert_eq!(clock.fps(), [29_970, 1000]);
        assert_eq!(clock.time_of(2997), (6000, 0.0));
        for frame in 0..20_000 {
            let (_, fraction) = Clock::new(Duration::from_millis(1), 59.999).time_of(frame);
            assert!((0.0..1.0).contains(&fraction));
        }
        assert_eq!(Clock::at(Duration::from_millis(250)).time_of(0), (15, 0.0));
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
    }
}
