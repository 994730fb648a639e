//! `eddyline join`: parts of a film into one, without encoding them again.

use std::path::PathBuf;

use super::output::{Existing, Growing};
use crate::record::mp4;

/// What to write.
#[derive(Debug)]
pub struct Options {
    /// The parts.
    pub parts: Vec<PathBuf>,
    /// The film.
    pub output: PathBuf,
    /// What happens to a file that is there.
    pub existing: Existing,
}

/// Joins the parts.
///
/// # Errors
///
/// When one of them is no film of the program's, they are not parts of one film without a gap, or the file cannot be
/// written.
pub fn run(options: &Options) -> anyhow::Result<()> {
    let mut growing = Growing::create(&options.output, options.existing)?;
    mp4::join(&options.parts, growing.writer()?)?;
    growing.appear()
}
