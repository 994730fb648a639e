//! What a command line starts from: nothing, or a file that says how a picture was made.

use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;

use clap::ArgMatches;

use super::is_given;
use super::shape::Shape;
use crate::command::cli::{Stop, look_over, parse_time, read_take};
use crate::command::clock::Clock;
use crate::command::render::target::{Format, Target};
use crate::record::gif;
use crate::settings::Settings;
use crate::take::{Shot, Take};
use crate::timeline::Show;

/// Nanoseconds of a second.
const NANOS: u128 = 1_000_000_000;

/// Frames beyond any film: a year at a thousand in a second.
const MOST_FRAMES: u64 = 366 * 86_400 * 1000;

/// What the command line starts from: nothing, or a file that says how a picture was made.
pub(super) struct Source {
    pub(super) take: Option<Take>,
    /// Whether something was done in it, or it is to be shown as it was: then its window is what is shown.
    pub(super) is_performed: bool,
}

impl Source {
    pub(super) fn read(matches: &ArgMatches) -> Result<Source, Stop> {
        let path = |name| matches.get_one::<PathBuf>(name);
        let (path, is_take) = match (path("take"), path("from")) {
            (Some(_), Some(_)) => {
                return Err(Stop::Usage("--take and --from: one of them".to_owned()));
            }
            (Some(path), None) => (path, true),
            (None, Some(path)) => (path, false),
            (None, None) => {
                return Ok(Source {
                    take: None,
                    is_performed: false,
                });
            }
        };
        let take = read_take(path)?;
        Ok(Source {
            is_performed: is_take || take.show.events().next().is_some(),
            take: Some(take),
        })
    }

    pub(super) fn shot(&self) -> Option<&Shot> {
        self.take.as_ref()?.shot.as_ref()
    }

    pub(super) fn settings(&self, matches: &ArgMatches) -> Result<Settings, Stop> {
        look_over(
            matches,
            self.take.as_ref().map(|take| take.show.first().start().0),
        )
    }

    /// Frames per second; an animated GIF takes the nearest of what it has, and says so.
    pub(super) fn fps(&self, matches: &ArgMatches, settings: &Settings, target: &Target) -> f64 {
        let [numerator, denominator] = match self.shot() {
            Some(shot) if !is_given(matches, "fps") => shot.fps,
            _ => Clock::new(Duration::ZERO, settings.fps()).fps(),
        };
        if let Target::Film(_, Format::Gif) = target {
            let delay = gif::nearest_delay([numerator, denominator]);
            let fps = 100.0 / f64::from(delay);
            let is_other = numerator * u32::from(delay) != 100 * denominator;
            if is_other && !matches.get_flag("quiet") {
                crate::command::say(&format!(
                    "a GIF has 50, 33.3, 25 or 20 frames per second; this one has {fps:.1}"
                ));
            }
            return fps;
        }
        f64::from(numerator) / f64::from(denominator)
    }

    pub(super) fn start(&self, matches: &ArgMatches, target: &Target) -> Result<Duration, Stop> {
        let usual = if target.is_still() { "10s" } else { "0s" };
        match (matches.get_one::<String>("at"), self.shot()) {
            (Some(text), _) => parse_time("at", text),
            (None, Some(shot)) => Ok(begin(shot)),
            (None, None) if self.is_performed => Ok(Duration::ZERO),
            (None, None) => parse_time("at", usual),
        }
    }

    pub(super) fn show(&self, settings: Settings, shape: &Shape) -> Result<Show, Stop> {
        let mut show = Show::new(settings, shape.window);
        if let Some(take) = self.take.as_ref().filter(|_| self.is_performed) {
            for event in take.show.events() {
                show.push(event.step, event.change);
            }
        }
        Ok(show)
    }

    pub(super) fn loop_length(&self, matches: &ArgMatches) -> Result<Option<Duration>, Stop> {
        if let Some(text) = matches.get_one::<String>("loop") {
            return parse_time("loop", text).map(Some);
        }
        let Some(shot) = self.shot().filter(|shot| shot.loop_frames > 0) else {
            return Ok(None);
        };
        let [numerator, denominator] = shot.fps.map(f64::from);
        let seconds = shot.loop_frames as f64 * denominator / numerator;
        Ok(Duration::try_from_secs_f64(seconds).ok())
    }

    /// The number of a frame of the file at another rate.
    pub(super) fn frame_now(&self, frame: u64, clock: &Clock) -> u64 {
        let rates = [
            self.shot().map_or(clock.fps(), |shot| shot.fps),
            clock.fps(),
        ];
        let [[old, old_parts], [new, new_parts]] = rates.map(|rate| rate.map(u128::from));
        let (over, under) = (new * old_parts, old * new_parts);
        ((u128::from(frame) * over * 2 + under) / (2 * under)) as u64
    }

    /// Which frames are made.
    pub(super) fn frames(
        &self,
        matches: &ArgMatches,
        target: &Target,
        clock: &Clock,
        loop_frames: u64,
    ) -> Result<Range<u64>, Stop> {
        let has_length = ["seconds", "frames"]
            .into_iter()
            .find(|name| matches.contains_id(name));
        if let Some(name) = has_length.filter(|_| target.is_still()) {
            return Err(Stop::Usage(format!(
                "--{name} makes many frames: name a film, or pictures like frames/%05d.png"
            )));
        }
        let shot = self.shot().map_or([0; 2], |shot| shot.frames);
        let is_moved = matches.contains_id("at");
        if target.is_still() {
            let first = if is_moved { 0 } else { shot[0] };
            return Ok(first..first + 1);
        }
        if let Some(text) = matches.get_one::<String>("frames") {
            return parse_frames(text);
        }
        if loop_frames > 0 {
            return Ok(0..loop_frames);
        }
        if let Some(text) = matches.get_one::<String>("seconds") {
            let frames = clock.frames(parse_time("seconds", text)?);
            return Ok(0..frames.min(MOST_FRAMES));
        }
        if shot[1] > shot[0] && !is_moved {
            let [first, after] = shot.map(|frame| self.frame_now(frame, clock));
            return Ok(first..after.max(first + 1));
        }
        match self.take.as_ref().filter(|_| self.is_performed) {
            Some(take) => Ok(0..clock.frame_at(take.end).clamp(1, MOST_FRAMES)),
            None => Ok(0..clock.frames(Duration::from_secs(5))),
        }
    }
}

/// The settings of a take where it is first seen.
pub fn first_look(take: &Take) -> Settings {
    let step = take.shot.map_or(0, |shot| {
        let fps = f64::from(shot.fps[0]) / f64::from(shot.fps[1]);
        Clock::new(begin(&shot), fps).time_of(shot.frames[0]).0
    });
    take.show.at(step + 1).settings
}

/// Time of frame 0.
pub(super) fn begin(shot: &Shot) -> Duration {
    let [seconds, nanos] = [shot.start / NANOS, shot.start % NANOS];
    Duration::new(seconds as u64, nanos as u32)
}

/// Frames like 30..90, of which the last is the one before.
fn parse_frames(text: &str) -> Result<Range<u64>, Stop> {
    let range = text
        .split_once("..")
        .and_then(|(first, after)| Some(first.parse().ok()?..after.parse().ok()?))
        .filter(|range: &Range<u64>| range.start < range.end && range.end <= MOST_FRAMES);
    range.ok_or_else(|| {
        Stop::Usage(format!(
            "--frames {text}: allowed is a range like 0..300, with at least one frame"
        ))
    })
}
