//! Reads what the writer wrote, finished, killed or cut off alike, and knows everything else.
//!
//! The fragments are where they were written in a finished file too, so that there is one way to read.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;

use super::Header;
use super::boxes::{self, Place, USER};
use super::header::{Mark, NoMark};
use super::movie::{self, FRAGMENT_HEAD};

/// Whose the boxes of events are.
pub const EVENTS: [u8; 16] = *b"\xed\xd7\x11\x4e\x9c\x52\x4b\x0a\x8f\x31\x65\x76\x65\x6e\x74\x73";

/// Boxes that a `moov` of ours holds at most.
const MOVIE_BOXES: usize = 8;

/// What a file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// As it was given.
    pub header: Header,
    /// Of the program that drew the frames.
    pub version: String,
    /// Every whole group of pictures, in order.
    pub gops: Vec<Gop>,
    /// Whether the file was finished, and nothing of it is missing.
    pub finished: bool,
    /// Bytes behind the last whole group that hold no whole one, of a file that was not finished.
    pub rest: u64,
}

impl Recorded {
    /// How many frames there are.
    pub fn frames(&self) -> u64 {
        self.gops.iter().map(|gop| gop.sizes.len() as u64).sum()
    }
}

/// A group of pictures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gop {
    /// Its bytes in the file, sample by sample.
    pub data: Range<u64>,
    /// Bytes of each sample.
    pub sizes: Vec<u32>,
    /// The lines of what happened in the meantime, or nothing.
    pub events: String,
}

/// Why a file cannot be read; whoever named the file names it in the message.
#[derive(Debug, thiserror::Error)]
pub enum Mp4Error {
    /// What the system says.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is anything else.
    #[error("not a video that eddyline's built-in recorder wrote")]
    Foreign,
    /// It has another arrangement.
    #[error("written by a newer version of eddyline")]
    Newer,
    /// It was killed or cut off within the first bytes.
    #[error("ends before its first frame")]
    Cut,
    /// It is ours, with bytes that the writer does not write.
    #[error("damaged: {0}")]
    Damaged(&'static str),
}

/// Reads a file by its name.
///
/// # Errors
///
/// As [`read`].
pub fn open(path: &Path) -> Result<Recorded, Mp4Error> {
    read(&mut File::open(path)?)
}

/// Reads what a file holds, less the frames themselves. A file that was not finished has the groups that are whole.
///
/// Memory: four bytes for each frame, about eighty for each group, and the events; of a file that lies, at most twice its
/// size.
///
/// # Errors
///
/// When the file cannot be read, is none of ours or damaged, or was finished and has lost frames.
pub fn read(source: &mut (impl Read + Seek)) -> Result<Recorded, Mp4Error> {
    let length = source.seek(SeekFrom::End(0))?;
    let file_type = boxes::named(source, *b"ftyp", 0, length)?.ok_or(Mp4Error::Foreign)?;
    // Sixteen bytes: a box that is free, or the head of one that swallows all fragments.
    let swallow = boxes::claimed(source, file_type.end(), length)?.ok_or(Mp4Error::Foreign)?;
    let movie = boxes::claimed(source, file_type.end() + 16, length)?
        .filter(|place| place.kind == *b"moov")
        .ok_or(Mp4Error::Foreign)?;
    if movie.end() > length {
        return Err(Mp4Error::Cut);
    }
    let mark = mark_in(source, &movie)?;
    let last = last_mark(source, &swallow, length)?;
    let limit = last.as_ref().map_or(length, |_| swallow.end());
    let (gops, end) = gops(source, &mark.header, movie.end(), limit)?;
    let recorded = Recorded {
        header: mark.header,
        version: mark.version,
        gops,
        finished: last.is_some(),
        rest: limit - end,
    };
    match last {
        Some(last) if last.header != recorded.header => {
            Err(Mp4Error::Damaged("it begins and ends as different videos"))
        }
        Some(last) if last.frames != Some(recorded.frames()) => {
            Err(Mp4Error::Damaged("frames that it lists cannot be read"))
        }
        _ => Ok(recorded),
    }
}

/// The mark at the end of a finished file, behind what was swallowed.
fn last_mark(
    source: &mut (impl Read + Seek),
    swallow: &Place,
    length: u64,
) -> Result<Option<Mark>, Mp4Error> {
    let long = swallow.body.start - swallow.start == 16;
    match boxes::named(source, *b"moov", swallow.end(), length)? {
        Some(movie) if long => Ok(Some(mark_in(source, &movie)?)),
        _ => Ok(None),
    }
}

/// The mark that a `moov` holds.
fn mark_in(source: &mut (impl Read + Seek), movie: &Place) -> Result<Mark, Mp4Error> {
    let mut at = movie.body.start;
    for _ in 0..MOVIE_BOXES {
        let Some(place) = boxes::whole(source, at, movie.end())? else {
            break;
        };
        at = place.end();
        if place.kind != USER {
            continue;
        }
        match Mark::parse(&boxes::load(source, place.body)?) {
            Ok(mark) => return Ok(mark),
            Err(NoMark::Foreign) => (),
            Err(NoMark::Newer) => return Err(Mp4Error::Newer),
            Err(NoMark::Damaged) => return Err(Mp4Error::Damaged("its header makes no sense")),
        }
    }
    Err(Mp4Error::Foreign)
}

/// All whole groups from `at` on, and where the last of them ends.
fn gops(
    source: &mut (impl Read + Seek),
    header: &Header,
    mut at: u64,
    limit: u64,
) -> io::Result<(Vec<Gop>, u64)> {
    let mut gops = Vec::new();
    let mut frames = 0;
    while let Some(gop) = gop(source, header, at..limit, [gops.len() as u64, frames])? {
        at = gop.data.end;
        frames += gop.sizes.len() as u64;
        gops.push(gop);
    }
    Ok((gops, at))
}

/// The group that begins a range, where it is whole and just as the writer writes it behind so many groups and frames.
fn gop(
    source: &mut (impl Read + Seek),
    header: &Header,
    range: Range<u64>,
    [groups, frames]: [u64; 2],
) -> io::Result<Option<Gop>> {
    let Some((events, at)) = events_before(source, &range)? else {
        return Ok(None);
    };
    let Some(moof) = boxes::named(source, *b"moof", at, range.end)? else {
        return Ok(None);
    };
    let Some(mdat) = boxes::named(source, *b"mdat", moof.end(), range.end)? else {
        return Ok(None);
    };
    let length = moof.end() - moof.start;
    let count = length.saturating_sub(FRAGMENT_HEAD) / 4;
    let total = mdat.end() - mdat.body.start;
    if movie::fault(frames, count, total).is_some() {
        return Ok(None);
    }
    let sizes: Vec<u32> = boxes::load(source, moof.start + FRAGMENT_HEAD..moof.end())?
        .as_chunks()
        .0
        .iter()
        .map(|size| u32::from_be_bytes(*size))
        .collect();
    let head = boxes::load(source, moof.start..moof.start + FRAGMENT_HEAD)?;
    let expected = movie::fragment(header, groups as u32 + 1, frames, &sizes);
    let sum: u64 = sizes.iter().map(|&size| u64::from(size)).sum();
    let sound = expected.starts_with(&head) && sum == total;
    Ok(sound.then_some(Gop {
        data: mdat.body,
        sizes,
        events,
    }))
}

/// The events that begin a range, or nothing, and where they end; none where that is somebody else's box.
fn events_before(
    source: &mut (impl Read + Seek),
    range: &Range<u64>,
) -> io::Result<Option<(String, u64)>> {
    let Some(place) = boxes::named(source, USER, range.start, range.end)? else {
        return Ok(Some((String::new(), range.start)));
    };
    let end = place.end();
    let body = boxes::load(source, place.body)?;
    let events = body.strip_prefix(&EVENTS).map(<[u8]>::to_vec);
    let text = events.and_then(|events| String::from_utf8(events).ok());
    Ok(text.map(|text| (text, end)))
}
