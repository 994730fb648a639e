//! `eddyline completions`: what lets a shell complete the command line, made from the parser itself.

use std::io::{self, Write};

use anyhow::Context;
use clap_complete::Shell;

use super::cli;

/// Prints the completions for a shell.
///
/// # Errors
///
/// When stdout cannot be written.
pub fn run(shell: Shell) -> anyhow::Result<()> {
    io::stdout().write_all(&script(shell)).context("stdout")
}

/// The completions, in the language of the shell.
fn script(shell: Shell) -> Vec<u8> {
    let mut command = cli::command();
    let name = command.get_name().to_owned();
    // Into memory: the generator panics where it cannot write, and a reader may close the pipe.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, name, &mut script);
    script
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;
    use crate::settings::{SETTINGS, cli as flags};

    #[test]
    fn every_shell_completes_every_flag_and_command() {
        for shell in Shell::value_variants() {
            let script = String::from_utf8(script(*shell)).unwrap();
            let dashes = if *shell == Shell::Fish { "-l " } else { "--" };
            let parser = cli::command();
            let commands: Vec<_> = std::iter::once(&parser)
                .chain(parser.get_subcommands())
                .collect();
            for row in SETTINGS {
                let flag = format!("{dashes}{}", flags::flag(row.name));
                let takes = |command: &clap::Command| {
                    command
                        .get_arguments()
                        .any(|flag| flag.get_id() == row.name)
                };
                let expected = commands.iter().filter(|command| takes(command)).count();
                assert!(script.matches(&flag).count() >= expected, "{shell}: {flag}");
            }
            for command in cli::command().get_subcommands() {
                assert!(script.contains(command.get_name()), "{shell}: {command}");
            }
            assert!(script.contains(&format!("{dashes}fullscreen")), "{shell}");
        }
    }
}
