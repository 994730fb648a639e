//! The flags of tests, which see what happens and set what otherwise depends on the machine.

use std::time::Duration;

use clap::{Arg, ArgAction, ArgMatches};

use super::{Stop, parse_time};
use crate::command::live::Trial;
use crate::overlay;

/// The flags.
pub fn arguments() -> [Arg; 3] {
    [
        Arg::new("test_log")
            .long("test-log")
            .action(ArgAction::SetTrue)
            .help("Print what happens, for tests"),
        Arg::new("test_notice")
            .long("test-notice")
            .value_name("TIME")
            .hide(true)
            .help("How long a notice stays, for tests"),
        Arg::new("test_frame_time")
            .long("test-frame-time")
            .value_name("TIME")
            .hide(true)
            .help("What is added to the time that every frame takes, for tests"),
    ]
}

/// What is asked for.
///
/// # Errors
///
/// When a time is none.
pub fn trial(matches: &ArgMatches) -> Result<Trial, Stop> {
    let time = |flag: &str, name, usual| match matches.get_one::<String>(name) {
        Some(text) => parse_time(flag, text),
        None => Ok(usual),
    };
    Ok(Trial {
        log: matches.get_flag("test_log"),
        notice: time("test-notice", "test_notice", overlay::NOTICE)?,
        frame_time: time("test-frame-time", "test_frame_time", Duration::ZERO)?,
    })
}
