//! What a drawing was made from, as text in the file: written for XML, and read again from files of any origin.

use std::fmt::{self, Write as _};
use std::io::{self, Error, ErrorKind, Read, Write};

/// Around the text. The name is all that is looked for; whatever else an editor writes into the tag is skipped.
const OPEN: &[u8] = b"<eddyline:take";
const CLOSE: &[u8] = b"</eddyline:take>";

/// The text begins within so many bytes, or there is none.
const HEAD: usize = 1 << 20;

/// Bytes that are read at once.
const CHUNK: u64 = 1 << 16;

/// Writes the element that holds the text, whose characters are legal.
pub fn write(target: &mut dyn Write, text: &str) -> io::Result<()> {
    writeln!(
        target,
        r#"<metadata><eddyline:take xmlns:eddyline="urn:eddyline">{}</eddyline:take></metadata>"#,
        Escaped(text)
    )
}

/// The text that was written into a drawing, or `None` in a file of another origin. Reads no farther than to the text's end, and
/// holds no more than what it read.
///
/// # Errors
///
/// When the source cannot be read, or the text breaks off or is not what was written.
pub fn take(source: &mut dyn Read) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    let Some(tag) = find(source, &mut bytes, OPEN, 0, HEAD)? else {
        return Ok(None);
    };
    let broken = || {
        Error::new(
            ErrorKind::InvalidData,
            "the settings in the SVG file are damaged",
        )
    };
    let tag_end = find(source, &mut bytes, b">", tag, tag + HEAD)?.ok_or_else(broken)?;
    let end = find(source, &mut bytes, CLOSE, tag_end + 1, usize::MAX)?.ok_or_else(broken)?;
    let text = str::from_utf8(&bytes[tag_end + 1..end]).map_err(|_| broken())?;
    unescaped(text).ok_or_else(broken).map(Some)
}

/// Where `mark` stands in `bytes` at `from` or later. Reads on as long as it does not, until there are `most` bytes.
fn find(
    source: &mut dyn Read,
    bytes: &mut Vec<u8>,
    mark: &[u8],
    from: usize,
    most: usize,
) -> io::Result<Option<usize>> {
    let mut next = from;
    loop {
        let rest = bytes.get(next..).unwrap_or_default();
        if let Some(at) = rest.windows(mark.len()).position(|found| found == mark) {
            return Ok(Some(next + at));
        }
        next = next.max((bytes.len() + 1).saturating_sub(mark.len()));
        if bytes.len() >= most || source.take(CHUNK).read_to_end(bytes)? == 0 {
            return Ok(None);
        }
    }
}

/// Whether XML 1.0 can hold a character (section 2.2).
pub fn is_legal(letter: char) -> bool {
    matches!(letter, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

/// Text as it is written between tags; what XML cannot hold is replaced.
pub struct Escaped<'a>(pub &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for letter in self.0.chars() {
            match letter {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                // Unescaped, it would be read as a line's end.
                '\r' => f.write_str("&#13;")?,
                letter if is_legal(letter) => f.write_char(letter)?,
                _ => f.write_char(char::REPLACEMENT_CHARACTER)?,
            }
        }
        Ok(())
    }
}

/// Text from between tags as an XML reader gives it, or `None` where it holds a tag or a reference that says nothing.
fn unescaped(text: &str) -> Option<String> {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['&', '<', '\r']) {
        plain.push_str(&rest[..at]);
        let (mark, after) = rest[at..].split_at(1);
        rest = match mark {
            "&" => {
                let (name, after) = after.split_once(';')?;
                plain.push(referred(name)?);
                after
            }
            // Any line's end is read as one character (section 2.11).
            "\r" => {
                plain.push('\n');
                after.strip_prefix('\n').unwrap_or(after)
            }
            _ => return None,
        };
    }
    plain.push_str(rest);
    Some(plain)
}

/// The character that a reference names.
fn referred(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix('x') {
                Some(hex) => u32::from_str_radix(hex, 16),
                None => number.parse(),
            };
            char::from_u32(code.ok()?).filter(|&letter| is_legal(letter))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "eddyline-take 1\nhue = 206\ntitle = \"a < b & c > d ]]> <!-- ü 水 \"\n\ttab\rreturn\r\n\n";

    fn written(text: &str) -> Vec<u8> {
        let mut file = b"<svg xmlns:eddyline=\"\"><title/>".to_vec();
        write(&mut file, text).unwrap();
        file.extend(b"<g>eddyline</g></svg>");
        file
    }

    fn read(mut bytes: &[u8]) -> io::Result<Option<String>> {
        take(&mut bytes)
    }

    #[test]
    fn what_is_written_reads_back() {
        for text in ["", "eddyline-take 1\n", TEXT, &TEXT.repeat(3000)] {
            assert_eq!(read(&written(text)).unwrap().as_deref(), Some(text));
        }
    }

    /// Other line ends, attributes and references, as editors write them.
    #[test]
    fn what_an_editor_wrote_again_reads_back() {
        let file = b"<eddyline:take\r\n  id=\"m1\" xml:space='preserve'>a\r\nb\rc&#10;&#xe9;&quot;&apos;&amp;lt;</eddyline:take>";
        assert_eq!(read(file).unwrap().unwrap(), "a\nb\nc\né\"'&lt;");
    }

    #[test]
    fn a_text_that_breaks_off_or_is_damaged_is_an_error() {
        let file = written(TEXT);
        let begin = file.windows(14).position(|part| part == OPEN).unwrap();
        let end = file.windows(16).position(|part| part == CLOSE).unwrap() + CLOSE.len();
        for length in 0..=file.len() {
            let found = read(&file[..length]);
            if length < begin + OPEN.len() {
                assert_eq!(found.unwrap(), None, "{length}");
            } else if length < end {
                assert_eq!(
                    found.unwrap_err().kind(),
                    ErrorKind::InvalidData,
                    "{length}"
                );
            } else {
                assert_eq!(found.unwrap().unwrap(), TEXT, "{length}");
            }
        }
        let damages: [&[u8]; 9] = [
            b"a<b/>",
            b"&nbsp;",
            b"&",
            b"&amp",
            b"&#xd800;",
            b"&#0;",
            b"&#99999999999;",
            b"&#;",
            b"\xff",
        ];
        for damage in damages {
            let file = [OPEN, b">", damage, CLOSE].concat();
            assert_eq!(read(&file).unwrap_err().kind(), ErrorKind::InvalidData);
        }
    }

    #[test]
    fn a_file_of_another_origin_has_none() {
        for file in [&b""[..], b"<svg/>", b"\x89PNG\r\n\x1a\n", &[0; 5000]] {
            assert_eq!(read(file).unwrap(), None);
        }
    }

    /// A source without an end, and one that fails.
    #[test]
    fn no_more_is_read_than_is_needed() {
        struct Counted<R>(R, usize);
        impl<R: Read> Read for Counted<R> {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let count = self.0.read(buffer)?;
                self.1 += count;
                Ok(count)
            }
        }
        let mut endless = Counted(io::repeat(b'<'), 0);
        assert_eq!(take(&mut endless).unwrap(), None);
        assert!(endless.1 <= HEAD + CHUNK as usize, "{} bytes", endless.1);
        let mut endless = Counted(OPEN.chain(io::repeat(b' ')), 0);
        assert!(take(&mut endless).is_err());
        assert!(
            endless.1 <= HEAD + 2 * CHUNK as usize,
            "{} bytes",
            endless.1
        );
        let file = written(TEXT);
        let mut whole = Counted(file.chain(io::repeat(b'.')), 0);
        assert_eq!(take(&mut whole).unwrap().unwrap(), TEXT);
        assert!(whole.1 <= CHUNK as usize, "{} bytes", whole.1);

        struct Failing;
        impl Read for Failing {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(ErrorKind::PermissionDenied.into())
            }
        }
        let error = take(&mut OPEN.chain(Failing)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::PermissionDenied);
    }

    #[test]
    fn what_xml_cannot_hold_is_known_and_replaced() {
        let illegal = [
            '\0', '\u{8}', '\u{b}', '\u{c}', '\u{e}', '\u{1f}', '\u{fffe}', '\u{ffff}',
        ];
        assert!(!illegal.into_iter().any(is_legal));
        let legal = [
            '\t',
            '\n',
            '\r',
            ' ',
            '~',
            '\u{85}',
            '\u{fffd}',
            '\u{10000}',
            char::MAX,
        ];
        assert!(legal.into_iter().all(is_legal));
        assert_eq!(Escaped("a\0\u{1b}b").to_string(), "a\u{fffd}\u{fffd}b");
    }
}
