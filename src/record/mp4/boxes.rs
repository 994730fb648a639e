//! Boxes, of which MP4 files are made (ISO/IEC 14496-12, 4.2): a size, four letters, and a body that may hold boxes.
//!
//! Written exactly, and read with distrust: no size is taken for true before it fits into what holds the box.

use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;

/// The letters that say what a box is.
pub type Kind = [u8; 4];

/// The kind of boxes that anybody may define; 16 bytes that say whose they are begin the body.
pub const USER: Kind = *b"uuid";

/// What begins a box of `body` bytes: 8 bytes, or 16 where 32 bits do not hold its size.
pub fn head(kind: Kind, body: u64) -> Vec<u8> {
    match u32::try_from(body.saturating_add(8)) {
        Ok(size) => [size.to_be_bytes(), kind].concat(),
        Err(_) => long_head(kind, body).to_vec(),
    }
}

/// What begins a box of `body` bytes, with a size of 64 bits however small it is.
pub fn long_head(kind: Kind, body: u64) -> [u8; 16] {
    let mut head = [0; 16];
    head[3] = 1;
    head[4..8].copy_from_slice(&kind);
    head[8..].copy_from_slice(&body.saturating_add(16).to_be_bytes());
    head
}

/// Appends a box whose body is what `body` appends.
pub fn put(out: &mut Vec<u8>, kind: Kind, body: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len();
    out.extend([0; 8]);
    body(out);
    let length = (out.len() - start - 8) as u64;
    out.splice(start..start + 8, head(kind, length));
}

/// Appends a box whose body begins with a version and 24 flags.
pub fn put_full(
    out: &mut Vec<u8>,
    kind: Kind,
    [version, flags @ ..]: [u8; 4],
    body: impl FnOnce(&mut Vec<u8>),
) {
    put(out, kind, |out| {
        out.push(version);
        out.extend(flags);
        body(out);
    });
}

/// Appends numbers, the highest byte first.
pub fn put_u32s(out: &mut Vec<u8>, numbers: &[u32]) {
    out.extend(numbers.iter().flat_map(|number| number.to_be_bytes()));
}

/// Where a box lies in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// What it is.
    pub kind: Kind,
    /// Its first byte.
    pub start: u64,
    /// The bytes behind its size and kind, which may be said to lie past the end of what holds it.
    pub body: Range<u64>,
}

impl Place {
    /// The first byte behind it.
    pub fn end(&self) -> u64 {
        self.body.end
    }
}

/// What the box at `at` says of itself; none where `end` leaves no room for its head, or its size is impossible.
///
/// # Errors
///
/// When the file cannot be read.
pub fn claimed(source: &mut (impl Read + Seek), at: u64, end: u64) -> io::Result<Option<Place>> {
    let room = end.saturating_sub(at);
    if room < 8 {
        return Ok(None);
    }
    source.seek(SeekFrom::Start(at))?;
    let size = u64::from(u32::from_be_bytes(array(source)?));
    let kind = array(source)?;
    let (head, size) = match size {
        0 => (8, room),
        1 if room < 16 => return Ok(None),
        1 => (16, u64::from_be_bytes(array(source)?)),
        size => (8, size),
    };
    let body = at + head..at.saturating_add(size);
    let place = Place {
        kind,
        start: at,
        body,
    };
    Ok((size >= head).then_some(place))
}

/// The box at `at`, where the whole of it lies before `end`.
///
/// # Errors
///
/// When the file cannot be read.
pub fn whole(source: &mut (impl Read + Seek), at: u64, end: u64) -> io::Result<Option<Place>> {
    let place = claimed(source, at, end)?;
    Ok(place.filter(|place| place.end() <= end))
}

/// The box at `at`, where it is of this kind, and the whole of it lies before `end`.
///
/// # Errors
///
/// When the file cannot be read.
pub fn named(
    source: &mut (impl Read + Seek),
    kind: Kind,
    at: u64,
    end: u64,
) -> io::Result<Option<Place>> {
    let place = whole(source, at, end)?;
    Ok(place.filter(|place| place.kind == kind))
}

/// The bytes of a range that lies within the file; memory grows with what is there, not with what is said to be.
///
/// # Errors
///
/// When the file cannot be read, or has become shorter.
pub fn load(source: &mut (impl Read + Seek), range: Range<u64>) -> io::Result<Vec<u8>> {
    let length = range.end.saturating_sub(range.start);
    source.seek(SeekFrom::Start(range.start))?;
    let mut bytes = Vec::new();
    source.take(length).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == length {
        Ok(bytes)
    } else {
        Err(io::ErrorKind::UnexpectedEof.into())
    }
}

fn array<const COUNT: usize>(source: &mut impl Read) -> io::Result<[u8; COUNT]> {
    let mut bytes = [0; COUNT];
    source.read_exact(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn boxes_nest_and_know_their_sizes() {
        let mut out = b"before".to_vec();
        put(&mut out, *b"moov", |out| {
            put_full(out, *b"mvhd", [1, 0, 2, 3], |out| put_u32s(out, &[7, 8]));
            put(out, *b"free", |_| ());
        });
        let expected =
            b"before\0\0\0\x24moov\0\0\0\x14mvhd\x01\0\x02\x03\0\0\0\x07\0\0\0\x08\0\0\0\x08free";
        assert_eq!(out, expected);
    }

    #[test]
    fn sizes_past_32_bits_take_64() {
        assert_eq!(head(*b"mdat", 0xffff_fff7), b"\xff\xff\xff\xffmdat");
        let long = b"\0\0\0\x01mdat\0\0\0\x01\0\0\0\x08";
        assert_eq!(head(*b"mdat", 0xffff_fff8), long);
        assert_eq!(long_head(*b"mdat", 0xffff_fff8), *long);
        assert_eq!(long_head(*b"mdat", 3), *b"\0\0\0\x01mdat\0\0\0\0\0\0\0\x13");
    }

    #[test]
    fn boxes_are_found_by_their_names() {
        let mut file = Cursor::new(b"\0\0\0\x0afree!!");
        let place = named(&mut file, *b"free", 0, 10).unwrap();
        assert_eq!(place.map(|place| place.end()), Some(10));
        assert_eq!(named(&mut file, *b"mdat", 0, 10).unwrap(), None);
        assert_eq!(named(&mut file, *b"free", 0, 9).unwrap(), None);
    }

    /// What the box at `at` of a file of these bytes is said to be, and whether it is whole.
    fn look(bytes: &[u8], at: u64) -> (Option<(Kind, Range<u64>)>, bool) {
        let end = bytes.len() as u64;
        let mut file = Cursor::new(bytes);
        let said = claimed(&mut file, at, end).unwrap();
        let whole = whole(&mut file, at, end).unwrap();
        (said.map(|place| (place.kind, place.body)), whole.is_some())
    }

    #[test]
    fn boxes_are_found_with_either_size_and_to_the_end() {
        assert_eq!(
            look(b"xx\0\0\0\x0afree!!", 2),
            (Some((*b"free", 10..12)), true)
        );
        assert_eq!(
            look(b"\0\0\0\x01mdat\0\0\0\0\0\0\0\x11!", 0),
            (Some((*b"mdat", 16..17)), true)
        );
        assert_eq!(look(b"\0\0\0\0mdat123", 0), (Some((*b"mdat", 8..11)), true));
    }

    #[test]
    fn sizes_that_lie_are_not_believed() {
        assert_eq!(
            look(b"\0\0\0\x0bfree!!", 0),
            (Some((*b"free", 8..11)), false)
        );
        let past_all = b"\0\0\0\x01mdat\xff\xff\xff\xff\xff\xff\xff\xff";
        assert_eq!(look(past_all, 0), (Some((*b"mdat", 16..u64::MAX)), false));
        assert_eq!(look(b"\0\0\0\x07free!!", 0), (None, false));
        assert_eq!(look(b"\0\0\0\x01mdat\0\0\0\0\0\0\0\x0f", 0), (None, false));
        assert_eq!(look(b"\0\0\0\x01mdat\0\0\0", 0), (None, false));
        assert_eq!(look(b"\0\0\0\x08fre", 0), (None, false));
        assert_eq!(look(b"\0\0\0\x08free", u64::MAX), (None, false));
    }

    #[test]
    fn a_range_past_the_end_is_an_error() {
        let mut file = Cursor::new(b"0123456789");
        assert_eq!(load(&mut file, 2..5).unwrap(), b"234");
        let error = load(&mut file, 8..1 << 60).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    }
}
