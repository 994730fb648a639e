//! `eddyline man`: the manual page, made from the parser, and so from the table of settings.

use std::io::{self, Write};

use anyhow::Context;
use clap_mangen::Man;

use super::cli;
use crate::settings::cli::HEADING;

/// What a page says that no flag does, in the language of `man`.
const CLOSING: &str = "\
.SH EXIT STATUS
.TP
\\fB0\\fR
All went well, or a reader closed the pipe.
.TP
\\fB1\\fR
Something could not be read, written or shown; one line on stderr says what.
.TP
\\fB2\\fR
The command line or a preset is wrong; one line on stderr says how.
.SH EXAMPLES
.TP
\\fBeddyline \\-\\-preset original \\-\\-fullscreen\\fR
The whole screen, in the look of the original demo.
.TP
\\fBeddyline render wall.png \\-\\-size 3840x2160 \\-\\-scale 2\\fR
A picture for a screen of twice the density.
.TP
\\fBeddyline render \\- \\-\\-seconds 5 | ffmpeg \\-i \\- water.mp4\\fR
Five seconds of video.
";

/// Prints the manual page.
///
/// # Errors
///
/// When stdout cannot be written.
pub fn run() -> anyhow::Result<()> {
    let page = page().expect("memory takes all that is written to it");
    io::stdout().write_all(&page).context("stdout")
}

/// The page: the window with all settings first, then each command with what only it takes.
fn page() -> io::Result<Vec<u8>> {
    let command = cli::command();
    let description = command.get_about().cloned().unwrap_or_default();
    let mut command = command
        .disable_help_subcommand(true)
        .about("flowing water on your screen")
        .long_about(description)
        .override_usage("eddyline [OPTIONS] [SETTINGS]\neddyline COMMAND [OPTIONS] [SETTINGS]");
    command.build();
    let man = Man::new(command.clone()).manual("User Commands");
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    page.extend(b".SH COMMANDS\nThose that draw, measure or list the water take the flags of the settings too.\n");
    for inner in command
        .get_subcommands()
        .filter(|inner| !inner.is_hide_set())
    {
        render_command(inner, &mut page)?;
    }
    page.extend(CLOSING.as_bytes());
    Ok(page)
}

/// One command under a heading of its own, without the flags of settings, which all commands share.
fn render_command(command: &clap::Command, page: &mut Vec<u8>) -> io::Result<()> {
    let is_shared = |flag: &clap::Arg| flag.get_help_heading() == Some(HEADING);
    let command = command.clone().mut_args(|flag| {
        let shared = is_shared(&flag);
        flag.hide(shared)
    });
    writeln!(page, ".SS {}", command.get_name())?;
    let man = Man::new(command);
    let mut sections = Vec::new();
    man.render_synopsis_section(&mut sections)?;
    sections.extend(b".PP\n");
    man.render_description_section(&mut sections)?;
    man.render_options_section(&mut sections)?;
    for line in sections.split_inclusive(|&byte| byte == b'\n') {
        // Headings of a page, and what stands at the head of each section.
        if ![".SH", ".ie", ".el"]
            .iter()
            .any(|start| line.starts_with(start.as_bytes()))
        {
            page.extend(line);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{SETTINGS, cli as flags};

    /// The page as it is read: without the marks of its language.
    fn plain() -> String {
        let text = String::from_utf8(page().unwrap()).unwrap();
        let marks = [
            ("\\-", "-"),
            ("\\*(Aq", "'"),
            ("\\fB", ""),
            ("\\fI", ""),
            ("\\fR", ""),
            ("\\&", ""),
            ("\\\\", "\\"),
        ];
        marks
            .iter()
            .fold(text, |text, (mark, plain)| text.replace(mark, plain))
    }

    #[test]
    fn every_setting_stands_in_the_page_with_its_range_and_help() {
        let text = plain();
        let (_, settings) = text.split_once(".SH SETTINGS\n").unwrap();
        let (settings, _) = settings.split_once(".SH").unwrap();
        for row in SETTINGS {
            let flag = format!(".TP\n--{} <VALUE>\n{}", flags::flag(row.name), row.help);
            let (_, entry) = settings
                .split_once(&flag)
                .unwrap_or_else(|| panic!("{flag}"));
            let entry = entry.split(".TP").next().unwrap();
            assert!(entry.contains(&row.allowed()), "{}: {entry}", row.name);
        }
        assert_eq!(settings.matches(".TP\n").count(), SETTINGS.len() + 1);
    }

    #[test]
    fn every_command_stands_in_the_page_with_what_only_it_takes() {
        let text = plain();
        let (_, commands) = text.split_once(".SH COMMANDS\n").unwrap();
        for command in cli::command()
            .get_subcommands()
            .filter(|command| !command.is_hide_set())
        {
            let heading = format!(".SS {}\n", command.get_name());
            let (_, entry) = commands
                .split_once(&heading)
                .unwrap_or_else(|| panic!("{heading}"));
            let entry = entry.split(".S").next().unwrap();
            assert!(entry.contains(&command.get_about().unwrap().to_string()));
            for flag in command.get_arguments() {
                let is_setting = flag.get_help_heading() == Some(HEADING);
                let Some(long) = flag.get_long() else {
                    continue;
                };
                let short = flag
                    .get_short()
                    .map_or(String::new(), |short| format!("-{short}, "));
                let is_there = entry.contains(&format!(".TP\n{short}--{long}"));
                assert_eq!(is_there, !is_setting, "{command} --{long}");
            }
        }
        assert_eq!(text.matches(".TH").count(), 1);
    }
}
