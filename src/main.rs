//! Reads the command line and runs one command.

use std::process::ExitCode;

use eddyline::command::cli::Command;
use eddyline::command::{
    cli, completions, doctor, field, gallery, join, live, man, measure, noise, render, settings,
    signal,
};

fn main() -> ExitCode {
    signal::outlive_file_limits();
    let command = match cli::parse(std::env::args_os()) {
        Ok(command) => command,
        Err(stop) => return stop.report(),
    };
    let outcome = match command {
        Command::Live(options) => live::run(options),
        Command::Render(options) => render::run(&options),
        Command::Join(options) => join::run(&options),
        Command::Field(options) => field::run(&options),
        Command::Noise(options) => noise::run(&options),
        Command::Gallery(options) => gallery::run(&options),
        Command::Measure(options) => measure::run(&options),
        Command::Settings(look) => settings::run(&look),
        Command::Completions(shell) => completions::run(shell),
        Command::Man => man::run(),
        Command::Doctor(options) => doctor::run(&options),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => eddyline::command::report(&error),
    }
}
