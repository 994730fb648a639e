//! `eddyline settings`: the table.

use std::io::Write;

use anyhow::Context;

use crate::settings::{Settings, reference};

/// Prints all settings with the values of `look`.
///
/// # Errors
///
/// When stdout cannot be written.
pub fn run(look: &Settings) -> anyhow::Result<()> {
    std::io::stdout()
        .write_all(reference::terminal(look).as_bytes())
        .context("stdout")
}
