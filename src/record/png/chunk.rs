//! The chunks that a PNG file consists of: length, type, data and checksum (PNG specification, third edition, section 5).

use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};

/// What every PNG file begins with.
pub const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

/// A chunk's data have at most this many bytes.
pub const LONGEST: u32 = i32::MAX as u32;

/// The checksum's remainder of each byte, and of each byte that one to seven zeros follow.
const REMAINDERS: [[u32; 256]; 8] = remainders();

/// Writes a chunk whose data come in pieces.
///
/// # Errors
///
/// When the target cannot be written, or the data are longer than [`LONGEST`].
pub fn write(target: &mut impl Write, kind: [u8; 4], data: &[&[u8]]) -> io::Result<()> {
    let length: usize = data.iter().map(|piece| piece.len()).sum();
    let length = u32::try_from(length)
        .ok()
        .filter(|&length| length <= LONGEST)
        .ok_or_else(|| io::Error::new(ErrorKind::InvalidInput, "too much for a PNG chunk"))?;
    target.write_all(&length.to_be_bytes())?;
    target.write_all(&kind)?;
    let mut checksum = Checksum::new();
    checksum.add(&kind);
    for piece in data {
        target.write_all(piece)?;
        checksum.add(piece);
    }
    target.write_all(&checksum.value().to_be_bytes())
}

/// The length and the type of the next chunk of a file; `None` where the file ends, in the middle of them too.
///
/// # Errors
///
/// When the file cannot be read, or what comes is no chunk.
pub fn next(file: &mut impl Read) -> io::Result<Option<(u32, [u8; 4])>> {
    let mut head = [0; 8];
    match file.read_exact(&mut head) {
        Ok(()) => (),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
        Err(error) => return Err(error),
    }
    let (&length, rest) = head.split_first_chunk().expect("eight bytes were read");
    let &kind = rest.first_chunk().expect("eight bytes were read");
    let length = u32::from_be_bytes(length);
    if length > LONGEST || !kind.iter().all(u8::is_ascii_alphabetic) {
        return Err(damaged("the PNG file is damaged"));
    }
    Ok(Some((length, kind)))
}

/// Reads `length` bytes of a chunk's data; memory grows with what is really there.
///
/// # Errors
///
/// When the file cannot be read or ends before.
pub fn read(file: &mut impl Read, length: u32) -> io::Result<Vec<u8>> {
    let mut data = Vec::new();
    file.take(u64::from(length)).read_to_end(&mut data)?;
    if data.len() < length as usize {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    Ok(data)
}

/// Passes over `length` bytes of a chunk's data, and its checksum.
///
/// # Errors
///
/// When the file cannot be read.
pub fn skip(file: &mut impl Seek, length: u32) -> io::Result<()> {
    file.seek(SeekFrom::Current(i64::from(length) + 4))?;
    Ok(())
}

/// A file that is not what it should be.
pub fn damaged(what: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, what)
}

/// The cyclic redundancy check of a chunk's type and data (PNG specification, annex D).
#[derive(Clone, Copy, Debug)]
pub struct Checksum(u32);

impl Checksum {
    /// Of nothing yet.
    pub fn new() -> Checksum {
        Checksum(!0)
    }

    /// Goes on with these bytes, eight at a time: byte by byte, each would wait for the one before.
    pub fn add(&mut self, bytes: &[u8]) {
        let (eights, rest) = bytes.as_chunks::<8>();
        for eight in eights {
            let word = u64::from_le_bytes(*eight) ^ u64::from(self.0);
            self.0 = word
                .to_le_bytes()
                .iter()
                .zip(REMAINDERS.iter().rev())
                .fold(0, |sum, (&byte, table)| sum ^ table[usize::from(byte)]);
        }
        for &byte in rest {
            self.0 = (self.0 >> 8) ^ REMAINDERS[0][usize::from(self.0 as u8 ^ byte)];
        }
    }

    /// Of all bytes so far.
    pub fn value(self) -> u32 {
        !self.0
    }
}

impl Default for Checksum {
    fn default() -> Self {
        Checksum::new()
    }
}

const fn remainders() -> [[u32; 256]; 8] {
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut value = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            value = (value >> 1) ^ (0xEDB8_8320 * (value & 1));
            bit += 1;
        }
        tables[0][byte] = value;
        byte += 1;
    }
    let mut zeros = 1;
    while zeros < 8 {
        let mut byte = 0;
        while byte < 256 {
            let before = tables[zeros - 1][byte];
            tables[zeros][byte] = (before >> 8) ^ tables[0][(before & 0xFF) as usize];
            byte += 1;
        }
        zeros += 1;
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The check value that the catalogue of such sums gives for these nine bytes, and the one in every PNG file's end.
    #[test]
    fn checksums_are_the_published_ones() {
        for (text, value) in [(&b"123456789"[..], 0xCBF4_3926), (b"IEND", 0xAE42_6082)] {
            let mut whole = Checksum::new();
            whole.add(text);
            assert_eq!(whole.value(), value);
            let mut pieces = Checksum::default();
            for byte in text {
                pieces.add(&[*byte]);
            }
            assert_eq!(pieces.value(), value);
        }
    }

    #[test]
    fn a_chunk_reads_back() {
        let mut file = io::Cursor::new(Vec::new());
        write(&mut file, *b"teSt", &[b"ab", b"", b"cde"]).unwrap();
        write(&mut file, *b"next", &[]).unwrap();
        file.set_position(0);
        assert_eq!(next(&mut file).unwrap(), Some((5, *b"teSt")));
        assert_eq!(read(&mut file, 5).unwrap(), b"abcde");
        file.set_position(8);
        skip(&mut file, 5).unwrap();
        assert_eq!(next(&mut file).unwrap(), Some((0, *b"next")));
        skip(&mut file, 0).unwrap();
        assert_eq!(next(&mut file).unwrap(), None);
    }

    #[test]
    fn what_is_no_chunk_is_an_error_and_takes_no_memory() {
        for head in [*b"\x80\0\0\0IDAT", *b"\0\0\0\x01ID T"] {
            let error = next(&mut &head[..]).unwrap_err();
            assert_eq!(error.to_string(), "the PNG file is damaged");
        }
        let error = read(&mut &b"short"[..], LONGEST).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnexpectedEof);
    }
}
