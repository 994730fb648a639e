//! How a GIF was made, as it says in a comment.

use std::io::{self, Read};

use super::{bytes, damaged};

/// What our comments begin with.
const BEGINNING: &[u8] = b"eddyline-take ";

/// The take of a GIF, where it holds one. Memory holds one comment: no more than the file.
///
/// # Errors
///
/// When the file cannot be read, is no GIF, or is damaged before the take or in it.
pub fn take(source: &mut impl Read) -> io::Result<Option<String>> {
    let [head @ .., flags, _, _] = bytes::<13>(source)?;
    if !head.starts_with(b"GIF8") {
        return Err(damaged("no GIF file"));
    }
    skip_table(source, flags)?;
    loop {
        match bytes::<1>(source)? {
            [b'!'] => {
                let [kind] = bytes::<1>(source)?;
                let is_comment = kind == 0xfe;
                let text = read_blocks(source, is_comment)?;
                if text.starts_with(BEGINNING) {
                    let text = String::from_utf8(text);
                    return text
                        .map(Some)
                        .map_err(|_| damaged("the take in it is damaged"));
                }
            }
            [b','] => {
                let [.., flags] = bytes::<9>(source)?;
                skip_table(source, flags)?;
                bytes::<1>(source)?;
                read_blocks(source, false)?;
            }
            [b';'] => return Ok(None),
            _ => return Err(damaged("it is damaged")),
        }
    }
}

/// Skips the table of colors that flags speak of.
fn skip_table(source: &mut impl Read, flags: u8) -> io::Result<()> {
    if flags & 0x80 != 0 {
        for _ in 0..2u32 << (flags & 7) {
            bytes::<3>(source)?;
        }
    }
    Ok(())
}

/// Reads blocks of up to 255 bytes until an empty one; returns them where they are wanted.
fn read_blocks(source: &mut impl Read, is_wanted: bool) -> io::Result<Vec<u8>> {
    let mut all = Vec::new();
    loop {
        let [length] = bytes::<1>(source)?;
        if length == 0 {
            return Ok(all);
        }
        let mut block = [0; 255];
        let block = &mut block[..usize::from(length)];
        source
            .read_exact(block)
            .map_err(|_| damaged("it ends in the middle"))?;
        if is_wanted {
            all.extend(&*block);
        }
    }
}
