//! The commands of the program, one file each.

use std::io;
use std::process::ExitCode;

pub mod cli;
pub mod field;
pub mod live;
pub mod output;
pub mod render;
pub mod settings;
pub mod signal;

/// Says in one line why a command failed. A reader that closed the pipe has had enough: that is no failure.
pub fn report(error: &anyhow::Error) -> ExitCode {
    let broken_pipe = error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe);
    if broken_pipe {
        return ExitCode::SUCCESS;
    }
    eprintln!("eddyline: {error:#}");
    ExitCode::FAILURE
}
