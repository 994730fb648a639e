//! Parts of one render into one file, without encoding anything again.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::{Gop, Header, Mp4Error, Recorded, Storage, Writer, boxes, reader};

/// Why parts cannot be joined, in one line.
#[derive(Debug, thiserror::Error)]
pub enum JoinError {
    /// Nothing was named.
    #[error("nothing to join")]
    Nothing,
    /// A part cannot be read.
    #[error("{}: {error}", file.display())]
    Part {
        /// Which.
        file: PathBuf,
        /// Why.
        error: Mp4Error,
    },
    /// A part was killed before its first group of pictures was whole.
    #[error("{}: holds no whole frame", .0.display())]
    Empty(PathBuf),
    /// Two files are no parts of one render.
    #[error("{}: {what} differs from that of {}", file.display(), other.display())]
    Differs {
        /// The one.
        file: PathBuf,
        /// What is not the same.
        what: &'static str,
        /// The other.
        other: PathBuf,
    },
    /// A part that comes next, or the tail of the one before, is missing.
    #[error("frames {first} to {last} are missing between {} and {}", file.display(), other.display())]
    Gap {
        /// The part before.
        file: PathBuf,
        /// The part behind.
        other: PathBuf,
        /// The first that is missing.
        first: u64,
        /// The last that is missing.
        last: u64,
    },
    /// Two parts hold the same frames.
    #[error("{} and {} both hold frames {first} to {last}", file.display(), other.display())]
    Overlap {
        /// The part that begins first.
        file: PathBuf,
        /// The other.
        other: PathBuf,
        /// The first that both hold.
        first: u64,
        /// The last that both hold.
        last: u64,
    },
    /// The output cannot be written; whoever named it names it in the message.
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// A part and its name.
struct Part<'a> {
    file: &'a Path,
    recorded: Recorded,
}

impl Part<'_> {
    fn header(&self) -> &Header {
        &self.recorded.header
    }

    /// The first frame that it does not hold.
    fn end(&self) -> u64 {
        self.header().first_frame + self.recorded.frames()
    }
}

/// Joins parts of one render, given in any order, and returns the number of frames. A single one that was killed is mended.
///
/// The output is none of the parts. Where this fails after the output was begun, whoever made the output deletes it.
/// Memory: one group of pictures, and for each frame eight bytes.
///
/// # Errors
///
/// When a part cannot be read, parts are not of one render, frames are missing or there twice, or the output cannot be
/// written.
pub fn join(inputs: &[PathBuf], output: impl Storage) -> Result<u64, JoinError> {
    let mut parts = inputs
        .iter()
        .map(|file| part(file))
        .collect::<Result<Vec<_>, _>>()?;
    parts.sort_by_key(|part| part.header().first_frame);
    let first = parts.first().ok_or(JoinError::Nothing)?;
    for pair in parts.windows(2) {
        of_one_render(&pair[0], &pair[1])?;
        adjacent(&pair[0], &pair[1])?;
    }
    let (header, version) = (first.header().clone(), first.recorded.version.clone());
    let mut writer = Writer::create_as(output, header, version)?;
    for part in &parts {
        let mut file = File::open(part.file).map_err(|error| unreadable(part.file, error))?;
        for gop in &part.recorded.gops {
            let data = boxes::load(&mut file, gop.data.clone())
                .map_err(|error| unreadable(part.file, error))?;
            writer.fragment(&samples(&data, gop), &gop.events)?;
        }
    }
    let frames = writer.frames();
    writer.finish()?;
    Ok(frames)
}

fn part(file: &Path) -> Result<Part<'_>, JoinError> {
    let recorded = reader::open(file).map_err(|error| unreadable(file, error))?;
    if recorded.gops.is_empty() {
        return Err(JoinError::Empty(file.to_owned()));
    }
    Ok(Part { file, recorded })
}

fn unreadable(file: &Path, error: impl Into<Mp4Error>) -> JoinError {
    JoinError::Part {
        file: file.to_owned(),
        error: error.into(),
    }
}

fn of_one_render(one: &Part, other: &Part) -> Result<(), JoinError> {
    let (left, right) = (one.header(), other.header());
    let size = |header: &Header| [header.width, header.height];
    let what = if left.take_hash != right.take_hash {
        "the take"
    } else if size(left) != size(right) {
        "the size"
    } else if left.fps != right.fps {
        "the frame rate"
    } else if left.gop != right.gop {
        "the length of a group of pictures"
    } else if left.sps != right.sps {
        "the encoding (SPS)"
    } else if left.pps != right.pps {
        "the encoding (PPS)"
    } else {
        return Ok(());
    };
    Err(JoinError::Differs {
        file: other.file.to_owned(),
        what,
        other: one.file.to_owned(),
    })
}

/// Whether the second part begins with the frame with which the first one ends.
fn adjacent(one: &Part, other: &Part) -> Result<(), JoinError> {
    let (end, start) = (one.end(), other.header().first_frame);
    let (file, behind) = (one.file.to_owned(), other.file.to_owned());
    if end < start {
        Err(JoinError::Gap {
            file,
            other: behind,
            first: end,
            last: start - 1,
        })
    } else if end > start {
        Err(JoinError::Overlap {
            file,
            other: behind,
            first: start,
            last: end.min(other.end()) - 1,
        })
    } else {
        Ok(())
    }
}

/// The bytes of a group, cut into its samples.
fn samples<'a>(mut data: &'a [u8], gop: &Gop) -> Vec<&'a [u8]> {
    let cut = |&size: &u32| {
        let (sample, rest) = data.split_at(size as usize);
        data = rest;
        sample
    };
    gop.sizes.iter().map(cut).collect()
}
