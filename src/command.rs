//! The commands of the program, one file each.

use std::io::{self, Write};
use std::process::ExitCode;

pub mod cli;
pub mod clock;
pub mod completions;
pub mod doctor;
pub mod embedded;
pub mod field;
pub mod figures;
pub mod folders;
pub mod framing;
pub mod gallery;
pub mod join;
pub mod live;
pub mod look;
pub mod looks;
pub mod man;
pub mod measure;
pub mod noise;
pub mod output;
pub mod paper;
pub mod process;
pub mod progress;
pub mod render;
pub mod settings;
pub mod signal;

/// Most letters of a message: names and values in it can be of any length.
const LONGEST_MESSAGE: usize = 500;

/// Says in one line why a command failed. A reader that closed the pipe has had enough: that is no failure.
pub fn report(error: &anyhow::Error) -> ExitCode {
    let broken_pipe = error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe);
    if broken_pipe {
        return ExitCode::SUCCESS;
    }
    say(&format!("eddyline: {error:#}"));
    ExitCode::FAILURE
}

/// Writes one line to stderr. Where that cannot be written to, nobody is there to be told.
pub fn say(message: &str) {
    let _ = writeln!(io::stderr(), "{}", one_line(message));
}

/// A message without what would break the line or command the terminal, names and values being anybody's, and not
/// longer than people read.
fn one_line(message: &str) -> String {
    let mut line: String = message
        .chars()
        .take(LONGEST_MESSAGE)
        .map(|letter| {
            if is_harmless(letter) {
                letter
            } else {
                '\u{fffd}'
            }
        })
        .collect();
    if message.chars().nth(LONGEST_MESSAGE).is_some() {
        line.push('…');
    }
    line
}

/// Whether a letter only stands for itself: no control character, none that ends lines or turns the direction of writing.
fn is_harmless(letter: char) -> bool {
    !letter.is_control()
        && !matches!(letter, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_one_harmless_line() {
        assert_eq!(one_line("préset: a…"), "préset: a…");
        assert_eq!(
            one_line("a\nb\r\u{1b}[31m\u{202e}c\0"),
            "a\u{fffd}b\u{fffd}\u{fffd}[31m\u{fffd}c\u{fffd}"
        );
        let long = one_line(&"ä".repeat(900));
        assert_eq!(long.chars().count(), LONGEST_MESSAGE + 1);
    }
}
