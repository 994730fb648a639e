//! The command line of `render`: what is shown, when, how fine, and where to.

use std::num::NonZeroU32;
use std::ops::Range;
use std::path::PathBuf;

use clap::ArgMatches;
use clap::parser::ValueSource;

use super::{Stop, existing, parse_kernel, parse_number, parse_threads, slides};
use crate::command::clock::{Clock, FULL_SHUTTER};
use crate::command::progress;
use crate::command::render::camera::Lens;
use crate::command::render::plot::Sheet;
use crate::command::render::target::{Format, Target};
use crate::command::render::{Encoder, Options};
use crate::record::{Depth, film};
use crate::settings::{Settings, Value, setting};
use crate::timeline::{Show, Timeline};

mod flags;
mod shape;
mod source;

pub use flags::command;
use shape::Shape;
use source::Source;
pub use source::first_look;

/// Particles of a plot, where nothing else is asked for: more lines than that are felt.
const PLOT_PARTICLES: f64 = 1500.0;

/// Reads the command.
///
/// # Errors
///
/// When something is out of range, does not go together, or a file that it names cannot be read.
pub fn options(matches: &ArgMatches) -> Result<Options, Stop> {
    let target = read_target(matches)?;
    let source = Source::read(matches)?;
    let settings = read_settings(matches, &target, &source)?;
    let shape = Shape::read(matches, &target, &source)?;
    let fps = source.fps(matches, &settings, &target);
    let start = source.start(matches, &target)?;
    let mut clock = Clock::new(start, fps);
    let mut show = source.show(settings, &shape)?;
    let mut loop_frames = 0;
    if let Some(length) = source.loop_length(matches)? {
        if matches.contains_id("take") {
            return Err(Stop::Usage(
                "--loop: what was performed in a take cannot close".to_owned(),
            ));
        }
        let (of_loop, [frames, steps]) = Clock::of_loop(start, fps, length);
        (clock, loop_frames) = (of_loop, frames);
        let steps = u32::try_from(steps).ok().and_then(NonZeroU32::new);
        let steps = steps.ok_or_else(|| Stop::Usage("--loop: at most two years".to_owned()))?;
        show = Timeline::looped(settings, shape.window, steps).into();
    }
    let plays = read_repeat(matches)?;
    let mut frames = source.frames(matches, &target, &clock, loop_frames)?;
    let is_animated = matches!(target, Target::Film(_, Format::Gif | Format::Apng));
    if loop_frames > 0 && !is_animated {
        frames.end = frames.end.saturating_mul(plays.max(1).into());
    }
    read_slides(matches, &source, &mut show, clock.time_of(frames.end).0)?;
    let frames = whole_groups(&target, &clock, frames, matches.contains_id("frames"))?;
    Ok(Options {
        lens: Lens {
            supersample: parse_count(matches, "supersample", 1, 8)?,
            subframes: parse_count(matches, "motion-blur", 1, 256)?,
            shutter: parse_count(matches, "shutter", 1, FULL_SHUTTER)?,
        },
        depth: read_depth(matches, &target)?,
        encoder: read_encoder(matches)?,
        size: shape.size,
        fit: shape.fit,
        dpi: shape.dpi,
        sheet: read_sheet(matches, &shape)?,
        save_take: matches.get_one::<PathBuf>("save-take").cloned(),
        audience: read_audience(matches),
        jobs: read_jobs(matches)?,
        threads: parse_threads(matches)?,
        level: parse_kernel(matches)?,
        existing: existing(matches),
        show,
        target,
        clock,
        frames,
        loop_frames,
        plays,
    })
}

/// Lets looks follow one another up to a step, where that is asked for.
fn read_slides(
    matches: &ArgMatches,
    source: &Source,
    show: &mut Show,
    until: i64,
) -> Result<(), Stop> {
    if !matches.contains_id("cycle") {
        return match matches.contains_id("looks") {
            true => Err(Stop::Usage("--looks is for a --cycle".to_owned())),
            false => Ok(()),
        };
    }
    for (name, excludes) in [
        ("take", source.is_performed),
        ("loop", show.first().period().is_some()),
    ] {
        if excludes {
            return Err(Stop::Usage(format!("--cycle and --{name}: one of them")));
        }
    }
    let (start, _) = show.first().start();
    let slides = slides::slideshow(matches, &start)?;
    slides
        .extend(show, until)
        .map_err(|error| Stop::Usage(format!("--cycle: {error}")))
}

/// The look; a plot has fewer particles than a picture, where nothing else is asked for.
fn read_settings(matches: &ArgMatches, target: &Target, source: &Source) -> Result<Settings, Stop> {
    let mut settings = source.settings(matches)?;
    let is_open = !is_given(matches, "particles") && settings.particles() == 0;
    if matches!(target, Target::Plot(_))
        && is_open
        && let Some(row) = setting("particles")
    {
        row.set(&mut settings, Value::Number(PLOT_PARTICLES));
    }
    Ok(settings)
}

fn read_target(matches: &ArgMatches) -> Result<Target, Stop> {
    let path = matches
        .get_one::<PathBuf>("output")
        .expect("the argument is required");
    let target = Target::from_path(path)?;
    let wanted = ["codec", "crf", "encoder-preset", "pix", "ffmpeg-args"]
        .into_iter()
        .find(|name| matches.contains_id(name));
    let is_deep = matches
        .get_one::<String>("depth")
        .is_some_and(|bits| bits == "10");
    match (target, wanted) {
        (Target::Film(path, Format::Mp4), wanted) if wanted.is_some() || is_deep => {
            Ok(Target::Film(path, Format::Ffmpeg))
        }
        (target @ Target::Film(_, Format::Ffmpeg), _) => Ok(target),
        (_, Some(name)) => Err(Stop::Usage(format!(
            "--{name} is for what ffmpeg encodes: .mp4, .mkv, .webm or .mov"
        ))),
        (target, None) => Ok(target),
    }
}

fn read_depth(matches: &ArgMatches, target: &Target) -> Result<Depth, Stop> {
    let bits = matches
        .get_one::<String>("depth")
        .expect("the flag has a default");
    match (bits.as_str(), target) {
        ("8", _) => Ok(Depth::Codes),
        ("16", Target::Still(_) | Target::Numbered(_)) => Ok(Depth::Deep),
        ("10", Target::Film(_, Format::Ffmpeg)) => Ok(Depth::Deep),
        ("16", _) => Err(Stop::Usage("--depth 16 is for .png".to_owned())),
        _ => Err(Stop::Usage(
            "--depth 10 is for .mp4, .mkv, .webm and .mov".to_owned(),
        )),
    }
}

fn read_encoder(matches: &ArgMatches) -> Result<Encoder, Stop> {
    let text = |name| matches.get_one::<String>(name);
    let is = |name, wanted: &str| text(name).is_some_and(|found| found == wanted);
    let arguments = text("ffmpeg-args").map_or("", String::as_str);
    Ok(Encoder {
        codec: text("codec").cloned(),
        crf: match text("crf") {
            Some(_) => Some(parse_count(matches, "crf", 0, 63)?),
            None => None,
        },
        preset: text("encoder-preset").cloned(),
        is_deep: is("depth", "10"),
        is_full: is("pix", "444"),
        arguments: arguments.split_whitespace().map(str::to_owned).collect(),
    })
}

fn read_sheet(matches: &ArgMatches, shape: &Shape) -> Result<Sheet, Stop> {
    // Without paper: at 96 px to the inch, as browsers show it.
    let paper = shape
        .paper
        .unwrap_or(shape.window.map(|side| side / 96.0 * 25.4));
    Ok(Sheet {
        paper,
        margin: parse_number(matches, "paper-margin", 0.0, 500.0)?,
        pens: parse_count(matches, "pens", 1, 32)? as usize,
        pen_width: parse_number(matches, "pen-width", 0.01, 20.0)?,
    })
}

fn read_audience(matches: &ArgMatches) -> progress::Audience {
    let kind = matches.get_one::<String>("progress").map(String::as_str);
    match kind {
        _ if matches.get_flag("quiet") => progress::Audience::Nobody,
        Some("json") => progress::Audience::Programs,
        Some("none") => progress::Audience::Nobody,
        _ => progress::Audience::People,
    }
}

fn read_repeat(matches: &ArgMatches) -> Result<u16, Stop> {
    match matches.contains_id("repeat") {
        true if !matches.contains_id("loop") => {
            Err(Stop::Usage("--repeat is for a --loop".to_owned()))
        }
        true => Ok(parse_count(matches, "repeat", 1, u16::MAX.into())? as u16),
        false => Ok(0),
    }
}

fn read_jobs(matches: &ArgMatches) -> Result<usize, Stop> {
    let jobs = parse_count(matches, "jobs", 0, 256)? as usize;
    Ok(match jobs {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        jobs => jobs,
    })
}

fn parse_count(matches: &ArgMatches, name: &str, low: u32, high: u32) -> Result<u32, Stop> {
    let text = matches
        .get_one::<String>(name)
        .expect("the flag is there or has a default");
    let number = text
        .parse()
        .ok()
        .filter(|number| (low..=high).contains(number));
    number.ok_or_else(|| {
        Stop::Usage(format!(
            "--{name} {text}: allowed is a whole number from {low} to {high}"
        ))
    })
}

/// Parts of a film that are to be joined begin and end with groups of pictures.
fn whole_groups(
    target: &Target,
    clock: &Clock,
    frames: Range<u64>,
    is_part: bool,
) -> Result<Range<u64>, Stop> {
    if !is_part || !matches!(target, Target::Film(_, Format::Mp4)) {
        return Ok(frames);
    }
    let group = u64::from(film::group(clock.fps()));
    let whole = frames.start / group * group..frames.end / group * group;
    if whole.is_empty() {
        return Err(Stop::Usage(format!(
            "--frames {}..{}: parts of .mp4 are multiples of {group} frames at this rate, so that is none",
            frames.start, frames.end
        )));
    }
    if whole != frames {
        crate::command::say(&format!(
            "frames {}..{}: parts of .mp4 are multiples of {group} frames at this rate",
            whole.start, whole.end
        ));
    }
    Ok(whole)
}

/// Whether a flag stands on the command line.
fn is_given(matches: &ArgMatches, name: &str) -> bool {
    matches.value_source(name) == Some(ValueSource::CommandLine)
}
