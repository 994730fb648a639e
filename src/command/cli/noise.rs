//! The flags of `eddyline noise`.

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches};

use super::{
    Stop, existing, look, output, overwrite, parse_size, parse_threads, parse_time, size, threads,
};
use crate::chart::Aspect;
use crate::command::noise::{Options, View};

/// The name of the one view that is no map.
const CURVE: &str = "curve";

/// The farthest noise time that can be asked for, in cells: so many years of the fastest.
const FARTHEST: f64 = 1e12;

/// The command, without the flags of settings.
pub fn command() -> clap::Command {
    let names = Aspect::ALL.map(|(name, _)| name);
    clap::Command::new("noise")
        .about("Writes a picture of the field itself as PNG: its noise, headings, velocities, rotation or colors")
        .args([
            output("The .png file to write, or - for stdout"),
            size("1280x720", "Size of the picture, and of the window, in px"),
            overwrite(),
            Arg::new("view")
                .long("view")
                .value_name("VIEW")
                .default_value(names[0])
                .value_parser(names.into_iter().chain([CURVE]).collect::<Vec<_>>())
                .help("What is seen; curve plots the noise along a line, and its octaves"),
            Arg::new("legend")
                .long("legend")
                .action(ArgAction::SetTrue)
                .help("Say in a corner what colors and arrows mean"),
            Arg::new("at").long("at").value_name("TIME").default_value("10s").help("Time since the start"),
            Arg::new("slice")
                .long("slice")
                .value_name("Z")
                .allow_negative_numbers(true)
                .help("Noise time in cells, instead of that at the time"),
            threads(),
        ])
}

/// What the flags ask for.
///
/// # Errors
///
/// When a value is not allowed.
pub fn options(matches: &ArgMatches) -> Result<Options, Stop> {
    let text = |name| {
        matches
            .get_one::<String>(name)
            .expect("the flag has a default")
    };
    let view = text("view");
    let aspect = Aspect::ALL.iter().find(|(name, _)| name == view);
    let output = matches
        .get_one::<PathBuf>("output")
        .expect("the argument is required");
    let is_png = output
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("png"));
    if !is_png && output.as_os_str() != "-" {
        return Err(Stop::Usage(format!(
            "{}: the ending must be .png; - is stdout",
            output.display()
        )));
    }
    Ok(Options {
        settings: look(matches)?,
        output: output.clone(),
        existing: existing(matches),
        size: parse_size(matches)?,
        view: aspect.map_or(View::Curve, |(_, aspect)| View::Map(*aspect)),
        has_legend: matches.get_flag("legend"),
        at: parse_time("at", text("at"))?,
        slice: matches
            .get_one::<String>("slice")
            .map(|text| parse_slice(text))
            .transpose()?,
        threads: parse_threads(matches)?,
    })
}

fn parse_slice(text: &str) -> Result<f64, Stop> {
    let number = text.parse::<f64>().ok();
    let number = number.filter(|number| number.abs() <= FARTHEST);
    number.ok_or_else(|| {
        Stop::Usage(format!(
            "--slice {text}: allowed is -{FARTHEST:e} to {FARTHEST:e} cells"
        ))
    })
}
