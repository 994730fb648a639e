use std::io::Cursor;

use super::*;

const TAKE: &str = "eddyline-take 1\nseed = 7\nname = \"Strömung\"\n";

/// A PNG file of these chunks, of type and data.
fn file(chunks: &[([u8; 4], &[u8])]) -> Vec<u8> {
    let mut file = chunk::SIGNATURE.to_vec();
    for (kind, data) in chunks {
        chunk::write(&mut file, *kind, &[data]).unwrap();
    }
    file
}

fn with_take(take: &str) -> Vec<u8> {
    let mut file = file(&[(*b"IHDR", &[0; 13])]);
    write(&mut file, take).unwrap();
    chunk::write(&mut file, *b"IDAT", &[b"picture"]).unwrap();
    chunk::write(&mut file, *b"IEND", &[]).unwrap();
    file
}

fn read_back(file: &[u8]) -> io::Result<Option<String>> {
    super::take(Cursor::new(file))
}

#[test]
fn a_take_reads_back_and_stands_readable_in_the_file() {
    let file = with_take(TAKE);
    assert!(file.windows(TAKE.len()).any(|text| text == TAKE.as_bytes()));
    assert_eq!(read_back(&file).unwrap().unwrap(), TAKE);
    assert_eq!(read_back(&with_take("")).unwrap(), None);
}

#[test]
fn a_long_take_is_cut_between_letters() {
    let take = format!("{}a{}", "0".repeat(PART - 2), "ö".repeat(PART));
    let file = with_take(&take);
    assert_eq!(read_back(&file).unwrap().unwrap(), take);
    let mut cursor = Cursor::new(&file[8..]);
    let mut parts = 0;
    while let Some((length, kind)) = chunk::next(&mut cursor).unwrap() {
        if kind == *b"iTXt" {
            let data = chunk::read(&mut cursor, length).unwrap();
            assert!(str::from_utf8(&data[13..]).is_ok() && data.len() <= PART + 13);
            chunk::skip(&mut cursor, 0).unwrap();
            parts += 1;
        } else {
            chunk::skip(&mut cursor, length).unwrap();
        }
    }
    assert_eq!(parts, 3);
}

#[test]
fn a_take_is_found_where_other_programs_put_it() {
    let moved = file(&[
        (*b"IDAT", b""),
        (*b"tEXt", b"Software\0other"),
        (*b"tEXt", b"eddyline\0eddyline-take 1\n"),
        (*b"IEND", b""),
    ]);
    assert_eq!(read_back(&moved).unwrap().unwrap(), "eddyline-take 1\n");
    let named = file(&[(*b"iTXt", b"eddyline\0\0\0en\0take\0text")]);
    assert_eq!(read_back(&named).unwrap().unwrap(), "text");
    for compressed in [
        (*b"zTXt", &b"eddyline\0\0x"[..]),
        (*b"iTXt", b"eddyline\0\x01\0\0\0x"),
    ] {
        let error = read_back(&file(&[compressed])).unwrap_err();
        assert_eq!(
            error.to_string(),
            "another program compressed the take in it"
        );
    }
}

#[test]
fn foreign_files_hold_no_take() {
    for foreign in [&b""[..], b"GIF89a", b"\x89PNG\r\n", &[7; 100]] {
        assert_eq!(
            read_back(foreign).unwrap_err().to_string(),
            "not a PNG file"
        );
    }
    let other = file(&[(*b"IHDR", &[0; 13]), (*b"tEXt", b"eddy"), (*b"IEND", b"")]);
    assert_eq!(read_back(&other).unwrap(), None);
    let longer = file(&[(*b"tEXt", b"eddylines\0x"), (*b"IEND", b"")]);
    assert_eq!(read_back(&longer).unwrap(), None);
    let nothing_behind = file(&[(*b"iTXt", b"eddyline\0\0\0en\0")]);
    assert_eq!(
        read_back(&nothing_behind).unwrap_err().to_string(),
        "the take in it is damaged"
    );
    let no_text = file(&[(*b"tEXt", b"eddyline\0\xff")]);
    assert_eq!(
        read_back(&no_text).unwrap_err().to_string(),
        "the take in it is damaged"
    );
}

/// Whatever happens to a file, what comes back is the take, nothing, or one line; and a take is never another one.
#[test]
fn damaged_files_give_the_take_or_one_line() {
    let good = with_take(TAKE);
    let begin = good
        .windows(TAKE.len())
        .position(|text| text == TAKE.as_bytes())
        .unwrap();
    let end = begin + TAKE.len();
    for length in 0..good.len() {
        match read_back(&good[..length]) {
            Ok(Some(take)) => assert!(take == TAKE && length >= end + 4),
            Ok(None) => assert!(length < begin),
            Err(error) => assert!(!error.to_string().contains('\n') && length < end + 4),
        }
    }
    for place in 0..good.len() {
        for bit in 0..8 {
            let mut damaged = good.clone();
            damaged[place] ^= 1 << bit;
            match read_back(&damaged) {
                Ok(Some(take)) => assert_eq!(take, TAKE),
                Ok(None) => assert!(!(begin..end + 4).contains(&place)),
                Err(error) => assert!(!error.to_string().contains('\n')),
            }
        }
    }
}
