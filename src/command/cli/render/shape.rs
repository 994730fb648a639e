//! How large a picture is, and which window it shows.

use clap::ArgMatches;

use super::source::Source;
use super::{is_given, parse_count};
use crate::command::cli::{MOST_PIXELS, Stop, canvas_size, parse_number};
use crate::command::clock::Clock;
use crate::command::framing::{Fit, Framing};
use crate::command::paper;
use crate::command::render::target::{Format, Target};

/// Largest side of a canvas in px: beyond, places of strokes would be less exact than a hundredth of a px.
const MOST_CANVAS_SIDE: u64 = 1 << 17;

/// Most px of a picture that is painted in bands.
const MOST_STILL_PIXELS: u64 = 1 << 31;

/// Px of the window that paper shows, where no scale is asked for.
const USUAL_AREA: f64 = 1920.0 * 1080.0;

/// How large the picture is, and what it shows.
pub(super) struct Shape {
    /// Device px.
    pub(super) size: [u32; 2],
    /// Logical px.
    pub(super) window: [f64; 2],
    pub(super) fit: Fit,
    /// Mm, of paper.
    pub(super) paper: Option<[f64; 2]>,
    pub(super) dpi: Option<f64>,
}

impl Shape {
    pub(super) fn read(
        matches: &ArgMatches,
        target: &Target,
        source: &Source,
    ) -> Result<Shape, Stop> {
        let dpi = match matches.contains_id("dpi") {
            true => parse_number(matches, "dpi", 10.0, 2400.0)?,
            false => 300.0,
        };
        let paper = matches
            .get_one::<String>("paper")
            .map(|name| paper::size(name));
        let paper = match paper {
            Some(None) => {
                return Err(Stop::Usage(format!(
                    "--paper: allowed is {}",
                    paper::names()
                )));
            }
            Some(Some(mm)) if matches.get_flag("landscape") => Some([mm[1], mm[0]]),
            other => other.flatten(),
        };
        let scale = match matches.contains_id("scale") {
            true => Some(parse_number(matches, "scale", 0.25, 64.0)?),
            false => None,
        };
        let asked = match paper {
            Some(mm) => Some(mm.map(|mm| (mm / 25.4 * dpi).round() as u32)),
            None if is_given(matches, "size") => Some(canvas_size(matches)?),
            None => None,
        };
        let (size, window) = source.shape(matches, asked, scale, paper.is_some())?;
        let shown = source.shown_window(matches, target)?.unwrap_or(window);
        let size = even(matches, target, size)?;
        let framing = Framing {
            size,
            fit: match matches.get_one::<String>("fit").map(String::as_str) {
                Some("crop") => Fit::Crop,
                _ => Fit::Pad,
            },
        };
        if !matches.contains_id("fit") && !framing.is_filled_by(shown) {
            let [[width, height], [across, down]] = [size.map(f64::from), shown];
            return Err(Stop::Usage(format!(
                "--size {width}x{height} has another aspect than the window of {across}x{down}: --fit pad shows all of it, --fit crop fills the picture"
            )));
        }
        check_size(matches, target, size)?;
        Ok(Shape {
            size,
            window,
            fit: framing.fit,
            paper,
            dpi: (paper.is_some() || matches.contains_id("dpi")).then_some(dpi),
        })
    }
}

impl Source {
    /// The window that one picture of a performance shows; it may have changed its size by then.
    pub(super) fn shown_window(
        &self,
        matches: &ArgMatches,
        target: &Target,
    ) -> Result<Option<[f64; 2]>, Stop> {
        let Some(take) = self
            .take
            .as_ref()
            .filter(|_| self.is_performed && target.is_still())
        else {
            return Ok(None);
        };
        let fps = self
            .shot()
            .map_or(0.0, |shot| f64::from(shot.fps[0]) / f64::from(shot.fps[1]));
        let clock = Clock::new(self.start(matches, target)?, fps);
        let frames = self.frames(matches, target, &clock, 0)?;
        let step = clock.time_of(frames.start).0;
        Ok(Some(take.show.at(step).world.window))
    }

    /// Size in device px and window in logical px.
    pub(super) fn shape(
        &self,
        matches: &ArgMatches,
        asked: Option<[u32; 2]>,
        scale: Option<f64>,
        is_paper: bool,
    ) -> Result<([u32; 2], [f64; 2]), Stop> {
        let Some(take) = &self.take else {
            let size = match asked {
                Some(size) => size,
                None => canvas_size(matches)?,
            };
            let area: f64 = size.iter().map(|&side| f64::from(side)).product();
            // The most usual window, whatever the paper.
            let usual = if is_paper {
                (area / USUAL_AREA).sqrt()
            } else {
                1.0
            };
            let scale = scale.unwrap_or(usual);
            return Ok((size, size.map(|side| f64::from(side) / scale)));
        };
        let window = take.show.first().start().1.window;
        let shown = take.shot.map_or_else(
            || window.map(|side| (side * scale.unwrap_or(1.0)).round().max(1.0) as u32),
            |shot| shot.size,
        );
        let size = asked.unwrap_or(shown);
        let framing = Framing {
            size,
            fit: Fit::Pad,
        };
        if self.is_performed {
            if scale.is_some() {
                return Err(Stop::Usage(
                    "--scale: with --take it follows from --size".to_owned(),
                ));
            }
            return Ok((size, window));
        }
        let is_same = framing.is_filled_by(window) && scale.is_none();
        let scale = scale.or(take.shot.map(|shot| shot.scale)).unwrap_or(1.0);
        let own = size.map(|side| f64::from(side) / scale);
        Ok((size, if is_same { window } else { own }))
    }
}

/// The size that a film can have: video with colors half as fine as light has even sides.
pub(super) fn even(
    matches: &ArgMatches,
    target: &Target,
    size: [u32; 2],
) -> Result<[u32; 2], Stop> {
    let is_full = matches
        .get_one::<String>("pix")
        .is_some_and(|pix| pix == "444");
    let is_video = matches!(target, Target::Film(_, Format::Mp4 | Format::Ffmpeg));
    if !is_video || is_full || size.iter().all(|side| side % 2 == 0) {
        return Ok(size);
    }
    let [width, height] = size;
    let [even_width, even_height] = size.map(|side| (side / 2 * 2).max(2));
    crate::command::say(&format!(
        "{width}x{height}: video has even sides, so this one is {even_width}x{even_height}; --pix 444 takes any"
    ));
    Ok([even_width, even_height])
}

/// What can be painted at all.
pub(super) fn check_size(
    matches: &ArgMatches,
    target: &Target,
    [width, height]: [u32; 2],
) -> Result<(), Stop> {
    let fine = u64::from(parse_count(matches, "supersample", 1, 8)?);
    let sides = [width, height].map(|side| u64::from(side) * fine);
    let pixels = sides[0] * sides[1];
    let most = match target {
        Target::Still(_) => MOST_STILL_PIXELS,
        Target::Plot(_) => u64::MAX,
        _ => MOST_PIXELS,
    };
    if pixels > most || sides.iter().any(|&side| side > MOST_CANVAS_SIDE) {
        return Err(Stop::Usage(format!(
            "{width}x{height}, {fine} times as fine: at most {most} px are painted here, and {MOST_CANVAS_SIDE} along a side"
        )));
    }
    Ok(())
}
