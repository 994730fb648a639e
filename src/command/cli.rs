//! The command line: which command, and what it needs. Everything that can be wrong about it is found here.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, value_parser};
use clap_complete::Shell;

use super::output::Existing;
use super::{doctor, embedded, field, folders, gallery, join, live, measure};
use crate::canvas::gpu::WantedPath;
use crate::host;
#[cfg(target_os = "linux")]
use crate::host::probe;
use crate::power::battery;
use crate::settings::{Settings, cli as flags};
use crate::simd::{self, Level};
use crate::take::Take;

/// Largest side of a picture in device px.
const MOST_SIDE: u32 = 16_384;

/// Largest side that can be asked for at all.
const MOST_NAMED_SIDE: u32 = 1 << 17;

/// Most pixels of a picture: 2 GiB of light.
const MOST_PIXELS: u64 = 1 << 27;

/// Most pixels of a window: a little more than an 8K display.
const MOST_WINDOW_PIXELS: u64 = 1 << 25;

/// Longest time that a picture may be asked for, in seconds: a thousand years.
const LONGEST: u64 = 1000 * 366 * 86_400;

/// One command and what it needs.
#[derive(Debug)]
pub enum Command {
    /// Open the window.
    Live(live::Options),
    /// Write pictures.
    Render(Box<super::render::Options>),
    /// Put parts of a film together.
    Join(join::Options),
    /// Write the field's values.
    Field(field::Options),
    /// Write a picture of the field.
    Noise(Box<super::noise::Options>),
    /// Pictures of all presets.
    Gallery(gallery::Options),
    /// Measure what steps and frames cost.
    Measure(measure::Options),
    /// Print the table of settings.
    Settings(Settings),
    /// Print what completes the command line in a shell.
    Completions(Shell),
    /// Print the manual page.
    Man,
    /// Print what a bug report needs.
    Doctor(doctor::Options),
}

/// Why no command is run.
#[derive(Debug)]
pub enum Stop {
    /// Help or the version was asked for; this is it.
    Answer(String),
    /// The command line is wrong; this says how, in one line.
    Usage(String),
}

impl Stop {
    /// Prints it: an answer to stdout, a mistake to stderr.
    pub fn report(&self) -> ExitCode {
        match self {
            Stop::Answer(text) => {
                let mut stdout = io::stdout().lock();
                match stdout
                    .write_all(text.as_bytes())
                    .and_then(|()| stdout.flush())
                    .context("stdout")
                {
                    Ok(()) => ExitCode::SUCCESS,
                    Err(error) => super::report(&error),
                }
            }
            Stop::Usage(line) => {
                super::say(&format!("eddyline: {line}"));
                ExitCode::from(2)
            }
        }
    }
}

impl<E: std::error::Error> From<E> for Stop {
    fn from(error: E) -> Stop {
        Stop::Usage(error.to_string())
    }
}

/// Reads the command line, the program's name first.
///
/// # Errors
///
/// When help is asked for, or something is unknown, missing or out of range.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Command, Stop> {
    let matches = command()
        .try_get_matches_from(arguments)
        .map_err(|error| stop(&error))?;
    match matches.subcommand() {
        None => live_options(&matches).map(Command::Live),
        Some(("render", matches)) => Ok(Command::Render(Box::new(render::options(matches)?))),
        Some(("join", matches)) => Ok(Command::Join(join_options(matches))),
        Some(("field", matches)) => field_options(matches).map(Command::Field),
        Some(("noise", matches)) => Ok(Command::Noise(Box::new(noise::options(matches)?))),
        Some(("gallery", matches)) => gallery_options(matches).map(Command::Gallery),
        Some(("measure", matches)) => measure_options(matches).map(Command::Measure),
        #[cfg(target_os = "linux")]
        Some((name, _)) if name == host::PROBE[0] => {
            Err(Stop::Answer(probe::write(&probe::probe_alone())))
        }
        Some(("settings", matches)) => Ok(Command::Settings(look(matches)?)),
        Some(("completions", matches)) => Ok(Command::Completions(
            *matches.get_one("shell").expect("the argument is required"),
        )),
        Some(("man", _)) => Ok(Command::Man),
        Some(("doctor", matches)) => doctor_options(matches).map(Command::Doctor),
        Some((other, _)) => unreachable!("clap knows no command {other}"),
    }
}

/// The parser.
pub fn command() -> clap::Command {
    let settings = flags::flags();
    clap::Command::new("eddyline")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Draws flowing water. Without a command it opens a window: F1 shows the keys, F11 fills the screen, Esc quits.")
        .args_conflicts_with_subcommands(true)
        .args(window_arguments())
        .args(slides::arguments())
        .args(&settings)
        .subcommand(render::command().args(&settings))
        .subcommand(join_command())
        .subcommand(
            clap::Command::new("field")
                .about("Writes the field as CSV: x,y,noise,angle,vx,vy,color on a grid, and what else makes velocities and births")
                .args([
                    output("The file to write, or - for stdout"),
                    size("1280x720", "Size of the window in logical px"),
                    overwrite(),
                    Arg::new("at").long("at").value_name("TIME").default_value("10s").help("Time since the start"),
                    Arg::new("spacing").long("spacing").value_name("PX").default_value("16").help("Px between grid points"),
                ])
                .args(&settings),
        )
        .subcommand(noise::command().args(&settings))
        .subcommand(
            clap::Command::new("gallery")
                .about("Writes a picture of every preset, and all of them on one sheet")
                .args([
                    Arg::new("folder")
                        .required(true)
                        .value_name("DIR")
                        .value_parser(value_parser!(PathBuf))
                        .help("The folder; it is made where it is missing"),
                    overwrite(),
                    Arg::new("width").long("width").value_name("PX").default_value("960").help("Width of each picture"),
                    Arg::new("at").long("at").value_name("TIME").default_value("20s").help("Time since the start"),
                    threads(),
                    kernel(),
                ]),
        )
        .subcommand(measure_command().args(settings.iter().filter(|flag| flag.get_id() != "canvas")))
        .subcommand(clap::Command::new(host::PROBE[0]).hide(true))
        .subcommand(clap::Command::new("settings").about("Prints all settings, their ranges and keys").args(&settings))
        .subcommand(
            clap::Command::new("doctor")
                .about("Prints one page for bug reports: displays, graphics driver, chosen canvas, processor")
                .args([threads(), kernel()])
                .args(&settings),
        )
        .subcommand(
            clap::Command::new("completions")
                .about("Prints what completes the command line in a shell")
                .arg(Arg::new("shell").required(true).value_name("SHELL").value_parser(value_parser!(Shell)).help("The shell")),
        )
        .subcommand(clap::Command::new("man").about("Prints the manual page, for man"))
}

/// What only the window takes.
fn window_arguments() -> Vec<Arg> {
    let mut arguments = vec![
        size("1280x720", "Size of the window in logical px"),
        Arg::new("fullscreen")
            .long("fullscreen")
            .action(ArgAction::SetTrue)
            .help("Fill the screen"),
        Arg::new("screensaver")
            .long("screensaver")
            .action(ArgAction::SetTrue)
            .help("Fill the screen, and end at a key, a click, or when the pointer moves"),
        Arg::new("from")
            .long("from")
            .value_name("FILE")
            .value_parser(value_parser!(PathBuf))
            .help("Take the look that stands in a recording, a picture or a take"),
        Arg::new("save-take")
            .long("save-take")
            .value_name("FILE")
            .value_parser(value_parser!(PathBuf))
            .help("Write what was performed into a file at the end, for render --take"),
        overwrite(),
        Arg::new("power_supply")
            .long("power-supply")
            .value_name("DIR")
            .value_parser(value_parser!(PathBuf))
            .default_value(battery::SUPPLIES)
            .hide(true)
            .help("Where the system says what it gets its power from, for tests"),
        threads(),
        kernel(),
        canvas_path(),
    ];
    arguments.extend(trial::arguments());
    arguments
}

fn join_command() -> clap::Command {
    clap::Command::new("join")
        .about("Puts parts of one film together, as they are; of one part of a film that was cut off it makes a whole file")
        .args([
            Arg::new("parts")
                .required(true)
                .num_args(1..)
                .value_name("PART.mp4")
                .value_parser(value_parser!(PathBuf))
                .help("The parts, in any order: of one render, made with --frames"),
            Arg::new("output")
                .short('o')
                .long("output")
                .required(true)
                .value_name("OUT.mp4")
                .value_parser(value_parser!(PathBuf))
                .help("The file to write"),
            overwrite(),
        ])
}

fn measure_command() -> clap::Command {
    clap::Command::new("measure")
        .about("Measures what steps and frames cost here; the last line is key=value pairs for scripts")
        .args([
            size("1920x1080", "Size of the picture in px"),
            Arg::new("painted_on")
                .long("canvas")
                .value_name("KIND")
                .default_value("cpu")
                .value_parser(measure::Kind::ALL.map(|(name, _)| name))
                .help("What is painted on; gpu needs no display, and none makes steps alone"),
            Arg::new("window")
                .long("window")
                .action(ArgAction::SetTrue)
                .help("Measure in a window, as fast as frames can be shown"),
            Arg::new("fields")
                .long("fields")
                .action(ArgAction::SetTrue)
                .conflicts_with_all(["painted_on", "window"])
                .help("Measure a step of every mode with every kind of noise instead"),
            Arg::new("seconds").long("seconds").value_name("TIME").default_value("5s").help("How long to measure"),
            threads(),
            kernel(),
            canvas_path(),
        ])
}

fn output(help: &'static str) -> Arg {
    Arg::new("output")
        .required(true)
        .value_name("OUT")
        .value_parser(value_parser!(PathBuf))
        .help(help)
}

fn overwrite() -> Arg {
    Arg::new("overwrite")
        .short('y')
        .long("overwrite")
        .action(ArgAction::SetTrue)
        .help("Replace files that are there")
}

fn size(default: &'static str, help: &'static str) -> Arg {
    Arg::new("size")
        .long("size")
        .value_name("WxH")
        .default_value(default)
        .help(help)
}

fn threads() -> Arg {
    Arg::new("threads")
        .long("threads")
        .value_name("N")
        .default_value("0")
        .help("Threads to work with [0: one per processor]")
}

fn kernel() -> Arg {
    Arg::new("kernel")
        .long("kernel")
        .value_name("NAME")
        .help(format!(
            "Instructions to work with, to the same bits: {} [default: the best of this CPU]",
            simd::names().join(", ")
        ))
}

/// For tests, and for whoever looks into a driver.
fn canvas_path() -> Arg {
    Arg::new("canvas_path")
        .long("canvas-path")
        .value_name("PATH")
        .hide(true)
        .help("How the GPU draws, like half,expanded [default: what the driver can do best]")
}

/// What clap found wrong, in one line.
fn stop(error: &clap::Error) -> Stop {
    if matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    ) {
        return Stop::Answer(error.to_string());
    }
    let text = error.to_string();
    let message = text.split("\n\nUsage:").next().unwrap_or_default();
    let message = message.split("\n\nFor more").next().unwrap_or_default();
    let hint = match error.kind() {
        ErrorKind::ArgumentConflict => "; settings stand after the command",
        _ => "; see eddyline --help",
    };
    let line = message.split_whitespace().collect::<Vec<_>>().join(" ");
    Stop::Usage(format!(
        "{}{hint}",
        line.trim_start_matches("error: ").trim_end_matches('.')
    ))
}

/// The look that the flags ask for.
fn look(matches: &ArgMatches) -> Result<Settings, Stop> {
    look_over(matches, None)
}

/// The same, laid over a look where there is one already.
fn look_over(matches: &ArgMatches, base: Option<Settings>) -> Result<Settings, Stop> {
    let folder = folders::presets_folder();
    Ok(flags::read(matches, base, folder.as_deref(), super::say)?)
}

/// The take in a file.
fn read_take(path: &Path) -> Result<Take, Stop> {
    embedded::read(path).map_err(|error| Stop::Usage(format!("{error:#}")))
}

fn existing(matches: &ArgMatches) -> Existing {
    match matches.get_flag("overwrite") {
        true => Existing::Replace,
        false => Existing::Keep,
    }
}

fn live_options(matches: &ArgMatches) -> Result<live::Options, Stop> {
    let from = matches.get_one::<PathBuf>("from");
    let take = from.map(|path| read_take(path)).transpose()?;
    let start = take.as_ref().map(render::first_look);
    let settings = look_over(matches, start)?;
    Ok(live::Options {
        slides: slides::slideshow(matches, &settings)?,
        settings,
        save_take: matches.get_one::<PathBuf>("save-take").cloned(),
        existing: existing(matches),
        size: parse_window(matches)?,
        fullscreen: matches.get_flag("fullscreen"),
        screensaver: matches.get_flag("screensaver"),
        power_supply: matches
            .get_one::<PathBuf>("power_supply")
            .expect("the flag has a default")
            .clone(),
        trial: trial::trial(matches)?,
        threads: parse_threads(matches)?,
        level: parse_kernel(matches)?,
        path: parse_path(matches)?,
    })
}

fn join_options(matches: &ArgMatches) -> join::Options {
    let parts = matches.get_many::<PathBuf>("parts");
    join::Options {
        parts: parts.into_iter().flatten().cloned().collect(),
        output: matches
            .get_one::<PathBuf>("output")
            .expect("the argument is required")
            .clone(),
        existing: existing(matches),
    }
}

fn measure_options(matches: &ArgMatches) -> Result<measure::Options, Stop> {
    let text = |name| {
        matches
            .get_one::<String>(name)
            .expect("the flag has a default")
    };
    let canvas = measure::Kind::ALL
        .into_iter()
        .find(|(name, _)| name == text("painted_on"))
        .expect("clap takes no other");
    let window = matches.get_flag("window");
    if window && canvas.1 == measure::Kind::None {
        return Err(Stop::Usage(
            "--window shows a picture: --canvas is cpu or gpu there".to_owned(),
        ));
    }
    Ok(measure::Options {
        window,
        fields: matches.get_flag("fields"),
        settings: look(matches)?,
        size: parse_size(matches)?,
        canvas: canvas.1,
        length: parse_time("seconds", text("seconds"))?,
        threads: parse_threads(matches)?,
        level: parse_kernel(matches)?,
        path: parse_path(matches)?,
    })
}

fn doctor_options(matches: &ArgMatches) -> Result<doctor::Options, Stop> {
    Ok(doctor::Options {
        settings: look(matches)?,
        threads: parse_threads(matches)?,
        level: parse_kernel(matches)?,
    })
}

fn field_options(matches: &ArgMatches) -> Result<field::Options, Stop> {
    Ok(field::Options {
        settings: look(matches)?,
        output: matches
            .get_one::<PathBuf>("output")
            .expect("the argument is required")
            .clone(),
        existing: existing(matches),
        size: parse_size(matches)?,
        at: parse_time(
            "at",
            matches
                .get_one::<String>("at")
                .expect("the flag has a default"),
        )?,
        spacing: parse_number(matches, "spacing", 0.1, f64::from(MOST_SIDE))?,
    })
}

fn gallery_options(matches: &ArgMatches) -> Result<gallery::Options, Stop> {
    let at = matches.get_one::<String>("at");
    Ok(gallery::Options {
        folder: matches
            .get_one::<PathBuf>("folder")
            .expect("the argument is required")
            .clone(),
        existing: existing(matches),
        width: parse_number(matches, "width", 64.0, 7680.0)? as u32,
        at: parse_time("at", at.expect("the flag has a default"))?,
        threads: parse_threads(matches)?,
        level: parse_kernel(matches)?,
    })
}

fn parse_size(matches: &ArgMatches) -> Result<[u32; 2], Stop> {
    let [width, height] = canvas_size(matches)?;
    let is_small = [width, height].iter().all(|&side| side <= MOST_SIDE)
        && u64::from(width) * u64::from(height) <= MOST_PIXELS;
    is_small.then_some([width, height]).ok_or_else(|| {
        Stop::Usage(format!(
            "--size {width}x{height}: allowed is WIDTHxHEIGHT, each from 1 to {MOST_SIDE}, with at most {MOST_PIXELS} pixels"
        ))
    })
}

/// A size of any canvas: what can be painted on it is somebody else's question.
fn canvas_size(matches: &ArgMatches) -> Result<[u32; 2], Stop> {
    let text = matches
        .get_one::<String>("size")
        .expect("the flag has a default");
    let sides = text
        .split_once(['x', 'X'])
        .and_then(|(width, height)| Some([width.parse().ok()?, height.parse().ok()?]));
    sides
        .filter(|sides| {
            sides
                .iter()
                .all(|side| (1..=MOST_NAMED_SIDE).contains(side))
        })
        .ok_or_else(|| {
            Stop::Usage(format!(
                "--size {text}: allowed is WIDTHxHEIGHT, each from 1 to {MOST_NAMED_SIDE}"
            ))
        })
}

/// The size of a window: larger ones than displays have would take minutes to open.
fn parse_window(matches: &ArgMatches) -> Result<[u32; 2], Stop> {
    let [width, height] = parse_size(matches)?;
    if u64::from(width) * u64::from(height) > MOST_WINDOW_PIXELS {
        return Err(Stop::Usage(format!(
            "--size {width}x{height}: a window has at most {MOST_WINDOW_PIXELS} pixels"
        )));
    }
    Ok([width, height])
}

fn parse_number(matches: &ArgMatches, name: &str, low: f64, high: f64) -> Result<f64, Stop> {
    let text = matches
        .get_one::<String>(name)
        .expect("the flag has a default");
    let number = text
        .parse::<f64>()
        .ok()
        .filter(|number| (low..=high).contains(number));
    number.ok_or_else(|| Stop::Usage(format!("--{name} {text}: allowed is {low} to {high}")))
}

fn parse_threads(matches: &ArgMatches) -> Result<usize, Stop> {
    let text = matches
        .get_one::<String>("threads")
        .expect("the flag has a default");
    let number = text.parse().ok().filter(|number| *number <= 1024);
    number.ok_or_else(|| {
        Stop::Usage(format!(
            "--threads {text}: allowed is a whole number from 0 to 1024"
        ))
    })
}

fn parse_kernel(matches: &ArgMatches) -> Result<Level, Stop> {
    match matches.get_one::<String>("kernel") {
        Some(name) => Ok(Level::named(name)?),
        None => Ok(Level::best()),
    }
}

fn parse_path(matches: &ArgMatches) -> Result<WantedPath, Stop> {
    match matches.get_one::<String>("canvas_path") {
        Some(text) => text
            .parse()
            .map_err(|error| Stop::Usage(format!("--canvas-path {error}"))),
        None => Ok(WantedPath::default()),
    }
}

/// A time like 10s, 1m30s or 250ms; a plain number is seconds.
fn parse_time(name: &str, text: &str) -> Result<Duration, Stop> {
    let seconds = text
        .parse()
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds
        .or_else(|| humantime::parse_duration(text).ok())
        .filter(|time| time.as_secs() <= LONGEST)
        .ok_or_else(|| {
            Stop::Usage(format!(
                "--{name} {text}: allowed is a time like 10s, 1m30s or 250ms, up to 1000 years"
            ))
        })
}

mod noise;
mod render;
mod slides;
mod trial;

#[cfg(test)]
mod tests;
