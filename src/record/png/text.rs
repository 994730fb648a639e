//! The take within a PNG file, animated or not: in `iTXt` chunks, so that it stands readable in the file.

use std::io::{self, ErrorKind, Read, Seek, Write};

use super::chunk::{self, Checksum, damaged};

/// The name of the text.
const KEYWORD: &[u8] = b"eddyline";

/// Bytes of text in a chunk. A longer take is cut, since readers refuse chunks of several megabytes.
const PART: usize = 1 << 20;

/// Writes the take, of any length; an empty one leaves no trace.
///
/// # Errors
///
/// When the target cannot be written.
pub fn write(target: &mut impl Write, take: &str) -> io::Result<()> {
    let mut rest = take;
    while !rest.is_empty() {
        let (part, others) = rest.split_at(rest.floor_char_boundary(PART));
        // Not compressed, of no language, under no other name.
        let data = [KEYWORD, &[0; 5], part.as_bytes()];
        chunk::write(target, *b"iTXt", &data)?;
        rest = others;
    }
    Ok(())
}

/// The take of a PNG file, where it holds one. The picture is not looked at, nor need the file be complete.
///
/// # Errors
///
/// When the file cannot be read, is no PNG file, or is damaged before the take or in it.
pub fn take(mut file: impl Read + Seek) -> io::Result<Option<String>> {
    let mut signature = [0; chunk::SIGNATURE.len()];
    match file.read_exact(&mut signature) {
        Err(error) if error.kind() != ErrorKind::UnexpectedEof => return Err(error),
        _ if signature != chunk::SIGNATURE => return Err(damaged("not a PNG file")),
        _ => (),
    }
    let mut take = Vec::new();
    while let Some((length, kind)) = chunk::next(&mut file)? {
        match &kind {
            b"IEND" => break,
            // All parts stand together, as a rule before the picture; another program may have moved them.
            b"IDAT" if !take.is_empty() => break,
            b"iTXt" | b"tEXt" | b"zTXt" => {
                if let Some(part) = read(&mut file, length, kind)? {
                    take.extend(part);
                }
            }
            _ => chunk::skip(&mut file, length)?,
        }
    }
    if take.is_empty() {
        return Ok(None);
    }
    let take = String::from_utf8(take).map_err(|_| damaged("the take in it is damaged"))?;
    Ok(Some(take))
}

/// The text of a chunk of text; `None` where it goes by another name.
fn read(file: &mut (impl Read + Seek), length: u32, kind: [u8; 4]) -> io::Result<Option<Vec<u8>>> {
    let head = length.min(KEYWORD.len() as u32 + 1);
    let keyword = match chunk::read(file, head) {
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
        other => other?,
    };
    if keyword.strip_suffix(b"\0") != Some(KEYWORD) {
        chunk::skip(file, length - head)?;
        return Ok(None);
    }
    let cut_short = |error: io::Error| match error.kind() {
        ErrorKind::UnexpectedEof => damaged("the take in it is cut short"),
        _ => error,
    };
    let data = chunk::read(file, length - head).map_err(cut_short)?;
    let sum = chunk::read(file, 4).map_err(cut_short)?;
    let mut checksum = Checksum::new();
    for piece in [&kind[..], &keyword, &data] {
        checksum.add(piece);
    }
    if sum != checksum.value().to_be_bytes() {
        return Err(damaged("the take in it is damaged"));
    }
    let compressed = || damaged("another program compressed the take in it");
    match (&kind, &data[..]) {
        (b"tEXt", _) => Ok(Some(data)),
        // Behind the two zeros come a language and the keyword in it, each with a zero behind it.
        (b"iTXt", [0, 0, text @ ..]) => text
            .splitn(3, |&byte| byte == 0)
            .nth(2)
            .map(|text| Some(text.to_vec()))
            .ok_or_else(|| damaged("the take in it is damaged")),
        _ => Err(compressed()),
    }
}

#[cfg(test)]
mod tests;
