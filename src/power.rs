//! When frames are shown, and what time it is in the picture then. Nothing here reads a clock: moments are handed in.
//!
//! Where the display paces the frames, by vertical synchronisation, this only keeps them from coming much faster should
//! it stop; elsewhere frames begin at absolute deadlines, so that errors of sleeping do not add up.
//!
//! The picture's time follows the clock, but never jumps: a frame that took long moves it by a few steps at most, and
//! after a pause (a suspended machine, a debugger) the next frame is an ordinary one.

use std::time::{Duration, Instant};

pub mod battery;
pub mod budget;

/// Steps of the picture in a second.
const STEPS_PER_SECOND: f64 = 60.0;

/// The most steps in one frame; on a machine that cannot keep up the picture's time passes slower.
pub const MOST_STEPS: u8 = 4;

/// The longest time that the steps of one frame may take; the picture's time passes slower instead.
pub const MOST_STEPPING: Duration = Duration::from_millis(50);

/// What lasts longer was not a slow frame but a pause.
const PAUSE: Duration = Duration::from_millis(500);

/// The share by which a frame rate may differ from 60 and still show one whole step in each frame.
const WHOLE_STEPS: f64 = 0.01;

/// The share of what whole steps leave over or short that is remembered for the next frame: enough to make up for a late
/// frame, and a display of 59.94 Hz does not skip a step every 17 seconds.
const REMEMBERED: f64 = 0.9;

/// The fewest frames in a second: keys are only read between two.
const LOWEST_RATE: f64 = 1.0;

/// How many frames the frame rate is measured over: two seconds even out the jitter of waking from sleep.
const FRAMES: usize = 120;

/// A frame of more than this many usual ones was late, and says nothing about the rate.
const LATE: f64 = 1.5;

/// Displays with frames shorter than this do not exist: no display paces them.
const SHORTEST_FRAME: Duration = Duration::from_micros(1_800);

/// A step of the picture's time; the period of frames where neither display nor setting says.
pub const STEP: Duration = Duration::from_nanos(16_666_667);

/// A moment of the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PictureTime {
    /// The last whole step.
    pub step: i64,
    /// How much of the next step is over, in [0, 1).
    pub fraction: f64,
}

/// What is known of a display's frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Display {
    /// How long each is shown.
    pub period: Duration,
    /// Whether drawing waits for them.
    pub is_pacing: bool,
}

impl Display {
    /// A display that drawing waits for.
    pub fn pacing(period: Duration) -> Display {
        Display {
            period,
            is_pacing: true,
        }
    }

    /// A display that drawing does not wait for; `None` where nothing is known of it.
    pub fn showing(period: Option<Duration>) -> Display {
        Display {
            period: period.unwrap_or(STEP),
            is_pacing: false,
        }
    }
}

/// The picture's clock, and the deadlines of frames.
#[derive(Debug)]
pub struct Pace {
    display: Display,
    /// The shortest frame time wanted.
    period: Duration,
    /// How long a frame is to be shown.
    wanted: Duration,
    time: PictureTime,
    /// When the last frame began.
    last: Option<Instant>,
    /// The earliest begin of the next frame.
    deadline: Option<Instant>,
    recent: [f64; FRAMES],
    frame: usize,
    /// Steps owed by frames of whole steps, below one.
    owed: f64,
}

/// The frame time of a display that paced these frames, or nothing where they came as fast as they could be drawn.
pub fn display_period(frames: &[Duration]) -> Option<Duration> {
    let mut frames = frames.to_vec();
    frames.sort();
    let median = *frames.get(frames.len() / 2)?;
    (median >= SHORTEST_FRAME).then_some(median)
}

impl Pace {
    /// The clock of a picture at `step`. `rate` is the wanted frames per second; 0 is the display's rate.
    pub fn new(display: Display, rate: f64, step: i64) -> Pace {
        let mut pace = Pace {
            display,
            period: STEP,
            wanted: STEP,
            time: PictureTime {
                step,
                fraction: 0.0,
            },
            last: None,
            deadline: None,
            recent: [0.0; FRAMES],
            frame: 0,
            owed: 0.0,
        };
        pace.set_rate(rate);
        pace
    }

    /// Changes the wanted frames per second; 0 is the display's rate.
    pub fn set_rate(&mut self, rate: f64) {
        let wanted = (rate > 0.0).then(|| Duration::from_secs_f64(1.0 / rate.max(LOWEST_RATE)));
        let Display {
            period: shown,
            is_pacing,
        } = self.display;
        let (period, expected) = match wanted {
            Some(wanted) if !is_pacing || wanted >= shown.mul_f64(1.02) => (wanted, wanted),
            // A deadline as long as the display's frames would miss one now and then.
            _ if is_pacing => (shown.mul_f64(0.9), shown),
            _ => (shown, shown),
        };
        self.wanted = expected;
        if period != self.period || self.last.is_none() {
            self.period = period;
            self.recent = [expected.as_secs_f64(); FRAMES];
        }
    }

    /// What to show in the frame that begins `now`.
    pub fn begin_frame(&mut self, now: Instant) -> PictureTime {
        let elapsed = self.last.map(|last| now.saturating_duration_since(last));
        self.last = Some(now);
        let elapsed = match elapsed {
            Some(elapsed) if elapsed < PAUSE => {
                self.recent[self.frame % FRAMES] = elapsed.as_secs_f64();
                self.frame += 1;
                elapsed.as_secs_f64()
            }
            _ => self.frame_time(),
        };
        let steps = (elapsed * STEPS_PER_SECOND).min(f64::from(MOST_STEPS));
        self.advance(steps);
        let due = self.deadline.unwrap_or(now) + self.period;
        // What is late stays late: catching up would be a burst of frames.
        self.deadline = Some(if due < now { now + self.period } else { due });
        self.time
    }

    /// How long each frame is to be shown.
    pub fn wanted(&self) -> Duration {
        self.wanted
    }

    /// What the last frame showed.
    pub fn time(&self) -> PictureTime {
        self.time
    }

    /// The canvas holds `step`, and did not come further: that is what is shown, and the picture's time goes on from there.
    pub fn go_on_from(&mut self, step: i64) -> PictureTime {
        self.time = PictureTime {
            step,
            fraction: 0.0,
        };
        self.owed = 0.0;
        self.time
    }

    /// No frame is due for a while, and the next one is an ordinary one.
    pub fn pause(&mut self) {
        (self.last, self.deadline) = (None, None);
    }

    /// When the frame after this one may begin: at once, before the first.
    pub fn next_frame(&self) -> Option<Instant> {
        self.deadline
    }

    fn advance(&mut self, steps: f64) {
        let step_time = 1.0 / STEPS_PER_SECOND;
        let is_whole = (self.frame_time() / step_time - 1.0).abs() <= WHOLE_STEPS;
        if is_whole {
            let whole = (self.owed + steps).round();
            self.owed = (self.owed + steps - whole) * REMEMBERED;
            let rest = i64::from(self.time.fraction > 0.0);
            self.time.step += (whole as i64).max(rest);
            self.time.fraction = 0.0;
        } else {
            let fraction = self.time.fraction + steps;
            self.time.step += fraction.floor() as i64;
            self.time.fraction = fraction.fract();
            self.owed = 0.0;
        }
    }

    /// The usual time of a frame in seconds.
    fn frame_time(&self) -> f64 {
        let mut recent = self.recent;
        recent.sort_by(f64::total_cmp);
        let median = recent[FRAMES / 2];
        let in_time = recent.partition_point(|&time| time <= median * LATE);
        recent[..in_time].iter().sum::<f64>() / in_time as f64
    }
}

#[cfg(test)]
mod tests;
