//! The flags of a slideshow.

use clap::{Arg, ArgMatches};

use super::{Stop, parse_time};
use crate::command::folders;
use crate::command::looks::{Looks, Slideshow};
use crate::settings::Settings;
use crate::timeline::STEPS_PER_SECOND;

/// Shortest time for a look, in seconds.
const SHORTEST: f64 = 1.0;

/// The flags.
pub fn arguments() -> [Arg; 2] {
    [
        Arg::new("cycle")
            .long("cycle")
            .value_name("TIME")
            .help("Show one look after another, each for so long: 2m, 90s"),
        Arg::new("looks")
            .long("looks")
            .value_name("NAMES")
            .help("The looks that follow one another, there and by Tab, like silk,ink,deep [default: all]"),
    ]
}

/// The looks that are asked for, after the look of the start.
///
/// # Errors
///
/// When the looks or the time cannot be.
pub fn slideshow(matches: &ArgMatches, start: &Settings) -> Result<Slideshow, Stop> {
    let folder = folders::presets_folder();
    let looks = match matches.get_one::<String>("looks") {
        Some(names) => Looks::named(names.split(',').map(str::trim), folder.as_deref())?,
        None => Looks::all(folder.as_deref()),
    };
    let every = match matches.get_one::<String>("cycle") {
        Some(text) => Some(parse_cycle(text, start)?),
        None => None,
    };
    Ok(Slideshow::new(looks, start, every))
}

/// In steps.
fn parse_cycle(text: &str, start: &Settings) -> Result<i64, Stop> {
    let time = parse_time("cycle", text)?.as_secs_f64();
    let least = start.dissolve().max(SHORTEST);
    if time < least {
        return Err(Stop::Usage(format!(
            "--cycle {text}: allowed is a time from {least}s on, as a dissolve takes"
        )));
    }
    Ok((time * STEPS_PER_SECOND).round() as i64)
}
