//! The take that stands inside a file: of a recording, a picture, a plot, or alone.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use anyhow::{Context, bail};

use crate::record::{gif, mp4, png, svg};
use crate::take::{FIRST_LINE, Take};

/// Largest take that is read, in bytes: a week of stirring.
const LARGEST: u64 = 1 << 30;

/// Bytes that are looked through at once.
const PIECE: usize = 1 << 16;

/// Reads the take of a file, by what the file is and not by its name.
///
/// # Errors
///
/// When there is no such file, nothing in it says how it was made, or that is damaged; named by path.
pub fn read(path: &Path) -> anyhow::Result<Take> {
    let place = || path.display().to_string();
    let found = text(path).with_context(place)?;
    let Some(Found { text, frames }) = found else {
        bail!("{}: nothing in it says how it was made", place());
    };
    let mut take = Take::parse(&text).with_context(place)?;
    if let (Some(shot), Some(frames)) = (&mut take.shot, frames) {
        shot.frames = frames;
    }
    Ok(take)
}

/// What a file says.
struct Found {
    text: String,
    /// The first frame and the one after the last, where the file itself shows them: a film that was played live did not
    /// know its end when it began.
    frames: Option<[u64; 2]>,
}

impl Found {
    fn alone(text: String) -> Found {
        Found { text, frames: None }
    }
}

/// The take's text.
fn text(path: &Path) -> anyhow::Result<Option<Found>> {
    let file = File::open(path)?;
    anyhow::ensure!(file.metadata()?.is_file(), "is no file");
    let mut file = BufReader::new(file);
    let mut head = [0; 12];
    let count = read_up_to(&mut file, &mut head)?;
    file.seek(SeekFrom::Start(0))?;
    let head = &head[..count];
    if head.starts_with(b"\x89PNG") {
        return Ok(png::take(&mut file)?.map(Found::alone));
    }
    if head.starts_with(b"GIF8") {
        return Ok(gif::take(&mut file)?.map(Found::alone));
    }
    if head.starts_with(b"<?xml") || head.starts_with(b"<svg") {
        return Ok(svg::take(&mut file)?.map(Found::alone));
    }
    if head.get(4..8) == Some(b"ftyp")
        && let Ok(film) = mp4::read(&mut file)
    {
        let first = film.header.first_frame;
        let frames = Some([first, first + film.frames()]);
        let events = film.gops.iter().map(|group| group.events.as_str());
        let text = film.header.take.clone() + &events.collect::<String>();
        return Ok(Some(Found { text, frames }));
    }
    file.seek(SeekFrom::Start(0))?;
    Ok(found_within(&mut file)?.map(Found::alone))
}

fn read_up_to(source: &mut impl Read, bytes: &mut [u8]) -> std::io::Result<usize> {
    let mut count = 0;
    while count < bytes.len() {
        match source.read(&mut bytes[count..])? {
            0 => break,
            more => count += more,
        }
    }
    Ok(count)
}

/// A take that stands in a file as it is, whatever the file: from its first line to the first byte that no text has.
fn found_within(source: &mut impl BufRead) -> std::io::Result<Option<String>> {
    let mark = FIRST_LINE.as_bytes();
    let mut matched = 0;
    while matched < mark.len() {
        let piece = source.fill_buf()?;
        if piece.is_empty() {
            return Ok(None);
        }
        let length = piece.len().min(PIECE);
        let mut used = length;
        for (at, &byte) in piece[..length].iter().enumerate() {
            matched = matched_with(mark, matched, byte);
            if matched == mark.len() {
                used = at + 1;
                break;
            }
        }
        source.consume(used);
    }
    let mut text = Vec::from(mark);
    for byte in source.take(LARGEST).bytes() {
        let byte = byte?;
        if byte < b' ' && byte != b'\n' {
            break;
        }
        text.push(byte);
    }
    // What follows the take in another kind of file may look like text.
    let text = String::from_utf8_lossy(&text);
    let end = text.find("\nend ").map(|at| {
        let line = &text[at + 1..];
        let digits = line[4..].find(|letter: char| !letter.is_ascii_digit());
        at + 1 + digits.map_or(line.len(), |count| 4 + count)
    });
    Ok(Some(text[..end.unwrap_or(text.len())].to_owned()))
}

/// How much of a mark is matched with one more byte. Only its first letter comes in it again.
fn matched_with(mark: &[u8], matched: usize, byte: u8) -> usize {
    if byte == mark[matched] {
        return matched + 1;
    }
    let again = matched > 1 && mark[matched - 1] == mark[0];
    match () {
        () if again && byte == mark[1] => 2,
        () if byte == mark[0] => 1,
        () => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(bytes: &[u8]) -> Option<String> {
        found_within(&mut BufReader::with_capacity(7, bytes)).unwrap()
    }

    #[test]
    fn takes_are_found_within_anything() {
        let take = "eddyline-take 1\nwindow 10 10\nend 5";
        assert_eq!(
            found(format!("\0\x01eddyline-eddyline-take{take}\n\0x").as_bytes()).unwrap(),
            take
        );
        assert_eq!(
            found(format!("eeddyline{take}Xend 7").as_bytes()).unwrap(),
            take
        );
        assert_eq!(found(format!("{take}\n").as_bytes()).unwrap(), take);
        assert_eq!(found(format!("eddylin{take}").as_bytes()).unwrap(), take);
        let cut = "eddyline-take 1\nwindow 10 10\n";
        assert_eq!(
            found(format!("{cut}\x7f").as_bytes()).unwrap(),
            format!("{cut}\x7f")
        );
        assert_eq!(found(b"eddyline-take 2"), None);
        assert_eq!(found(b""), None);
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let message = |name: &str, content: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, content).unwrap();
            let message = format!("{:#}", read(&path).unwrap_err());
            message
                .split_once(&format!("/{name}"))
                .unwrap()
                .1
                .to_owned()
        };
        assert_eq!(
            message("a", b"nothing"),
            ": nothing in it says how it was made"
        );
        assert_eq!(message("b", b""), ": nothing in it says how it was made");
        let line = message("c", b"eddyline-take 1\nwindow 1 1\nx\n");
        assert!(line.starts_with(": line 3: x: not understood"), "{line}");
        let missing = read(&folder.path().join("d")).unwrap_err();
        assert!(format!("{missing:#}").contains("d: No such file"));
        assert!(format!("{:#}", read(folder.path()).unwrap_err()).ends_with("is no file"));
    }
}
