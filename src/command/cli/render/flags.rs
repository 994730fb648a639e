//! The flags of `render` that are no settings.

use std::path::PathBuf;

use clap::{Arg, ArgAction, value_parser};

use crate::command::cli::{kernel, output, overwrite, size, slides, threads};
use crate::command::paper;

/// The parser of the command, without the flags of settings.
pub fn command() -> clap::Command {
    clap::Command::new("render")
        .about("Writes pictures and films: .mp4 .mkv .webm .mov .gif .apng .y4m, .png (many like frames/%05d.png), .svg for plotters, or Y4M video on stdout (-)")
        .arg(output("The file to write; its ending says what it becomes"))
        .arg(overwrite())
        .args(what())
        .args(when())
        .args(how_large())
        .args(how_fine())
        .args(how_encoded())
        .args(slides::arguments())
        .args([threads(), kernel()])
}

fn value(name: &'static str, of: &'static str, help: impl Into<clap::builder::StyledStr>) -> Arg {
    Arg::new(name).long(name).value_name(of).help(help)
}

fn what() -> [Arg; 6] {
    let path =
        |name, help: &'static str| value(name, "FILE", help).value_parser(value_parser!(PathBuf));
    [
        path(
            "from",
            "Take the look, size and times that stand in a recording, a picture or a take",
        ),
        path(
            "take",
            "Show what was performed, from a take or a recording",
        ),
        path(
            "save-take",
            "Write what the picture is made from into a file, too",
        ),
        value(
            "fit",
            "HOW",
            "What to do with a take of another aspect: pad it with bars, or crop it",
        )
        .value_parser(["pad", "crop"]),
        value(
            "loop",
            "TIME",
            "Make a loop without a seam of about this length",
        ),
        value(
            "repeat",
            "N",
            "How often the loop is shown [default: 1, and for ever in .gif and .apng]",
        ),
    ]
}

fn when() -> [Arg; 4] {
    [
        Arg::new("at")
            .long("at")
            .alias("start")
            .value_name("TIME")
            .help("Time since the start: 10s, 1m30s, 250ms [default: 10s for one picture, 0s for many]"),
        value("seconds", "TIME", "Length of many frames [default: 5s, or the take's]"),
        value("frames", "A..B", "Only frames A to B - 1, as one long film has them").conflicts_with_all(["loop", "seconds"]),
        Arg::new("progress")
            .long("progress")
            .value_name("KIND")
            .value_parser(["bar", "json", "none"])
            .default_value("bar")
            .help("What to say on stderr meanwhile: a bar on a terminal, or lines of JSON"),
    ]
}

fn how_large() -> [Arg; 8] {
    [
        size("1920x1080", "Size of the picture in device px"),
        value(
            "scale",
            "FACTOR",
            "Device px per logical px: 2 draws the same water twice as fine [default: 1] [0.25 to 64]",
        ),
        value(
            "paper",
            "NAME",
            format!(
                "Size of a picture on paper, instead of --size: {}",
                paper::names()
            ),
        ),
        value(
            "dpi",
            "N",
            "Dots per inch of paper [default: 300] [10 to 2400]",
        ),
        Arg::new("landscape")
            .long("landscape")
            .action(ArgAction::SetTrue)
            .help("Turn the paper on its side"),
        value(
            "paper-margin",
            "MM",
            "What stays empty at each side of a plot",
        )
        .default_value("10"),
        value(
            "pens",
            "N",
            "Pens of a plot, each for an equal share of the colors [1 to 32]",
        )
        .default_value("4"),
        value("pen-width", "MM", "Width of the pens' strokes").default_value("0.3"),
    ]
}

fn how_fine() -> [Arg; 4] {
    [
        value(
            "supersample",
            "N",
            "Paint N times as fine, and average in linear light [1 to 8]",
        )
        .default_value("1"),
        value(
            "motion-blur",
            "N",
            "Average N moments in each frame [1 to 256]",
        )
        .default_value("1"),
        value(
            "shutter",
            "DEGREES",
            "How much of a frame's time the moments share, of 360 [1 to 360]",
        )
        .default_value("180"),
        value(
            "depth",
            "BITS",
            "Bits of each color: 8, 16 in .png, 10 through ffmpeg",
        )
        .value_parser(["8", "10", "16"])
        .default_value("8"),
    ]
}

fn how_encoded() -> [Arg; 7] {
    [
        value("jobs", "N", "Threads that encode [0: one per processor]").default_value("0"),
        value(
            "codec",
            "NAME",
            "Encode through ffmpeg, with this encoder of its",
        ),
        value(
            "crf",
            "N",
            "Encode through ffmpeg, at this constant rate factor [0 to 63]",
        ),
        value(
            "encoder-preset",
            "NAME",
            "Encode through ffmpeg, with this preset of its encoder",
        ),
        value(
            "pix",
            "KIND",
            "Encode through ffmpeg, with colors half as fine as light, or as fine",
        )
        .value_parser(["420", "444"]),
        value(
            "ffmpeg-args",
            "TEXT",
            "Encode through ffmpeg, with anything else it is to be told, in words",
        )
        .allow_hyphen_values(true),
        Arg::new("quiet")
            .long("quiet")
            .action(ArgAction::SetTrue)
            .help("Say nothing but what goes wrong"),
    ]
}
