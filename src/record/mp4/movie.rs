//! The boxes that describe the track: its kind once, its frames fragment by fragment, and in the end all of them again.

use super::Header;
use super::boxes::{Kind, put, put_full, put_u32s};
use super::header::Mark;

/// How the file begins: ISO/IEC 14496-12 with what its sixth edition says of fragments.
pub const FILE_TYPE: &[u8; 36] = b"\0\0\0\x24ftypisom\0\0\x02\0isomiso2iso6avc1mp41";

/// The only track.
const TRACK: u32 = 1;

/// Of a frame that depends on no other.
const KEY_FRAME: u32 = 0x0200_0000;

/// Of a frame that depends on others.
const OTHER_FRAME: u32 = 0x0101_0000;

/// No rotation and no scale, in the fixed point numbers of ISO/IEC 14496-12, 6.2.2.
const UPRIGHT: [u32; 9] = [1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30];

/// A version of 1, where times have 64 bits: 32 would end after 19.9 hours at 60000 / 1001 fps.
const LONG_TIMES: [u8; 4] = [1, 0, 0, 0];

/// Where the frames are, for the last `moov`: four bytes for each frame, sixteen for each group.
#[derive(Clone, Debug, Default)]
pub struct Index {
    /// Bytes of each frame.
    pub sizes: Vec<u32>,
    /// Of each group its first byte in the file and the number of its frames.
    pub groups: Vec<(u64, u32)>,
}

/// The first `moov`: no frame yet, fragments are to come.
pub fn announced(mark: &Mark) -> Vec<u8> {
    let mut out = Vec::new();
    put(&mut out, *b"moov", |out| {
        movie_header(out, &mark.header, 0);
        track(out, &mark.header, &Index::default());
        put(out, *b"mvex", |out| {
            put_full(out, *b"trex", [0; 4], |out| {
                put_u32s(out, &[TRACK, 1, mark.header.fps[1], 0, OTHER_FRAME]);
            });
        });
        maker(out, &mark.version);
        mark.put(out);
    });
    out
}

/// The last `moov`: every frame.
pub fn complete(mark: &Mark, index: &Index) -> Vec<u8> {
    let mut out = Vec::new();
    put(&mut out, *b"moov", |out| {
        movie_header(out, &mark.header, index.sizes.len());
        track(out, &mark.header, index);
        maker(out, &mark.version);
        mark.put(out);
    });
    out
}

/// Why a group of so many frames and bytes cannot be written behind so many frames, where it cannot.
pub fn fault(before: u64, count: u64, bytes: u64) -> Option<&'static str> {
    if count == 0 {
        Some("a group of pictures has frames")
    } else if bytes.saturating_add(count.saturating_mul(4)) > 1 << 30 {
        // Offsets within a fragment have 31 bits.
        Some("a group of pictures has at most 1 GB")
    } else if before + count > u64::from(u32::MAX) {
        Some("a video has at most 2^32 - 1 frames")
    } else {
        None
    }
}

/// Bytes of a `moof` before the sizes of its frames, four bytes each, which end it.
pub const FRAGMENT_HEAD: u64 = 92;

/// The `moof` of a group of frames, to be followed at once by an `mdat` with a head of 8 bytes.
///
/// `sequence` counts groups from 1, `before` is how many frames come before the group.
pub fn fragment(header: &Header, sequence: u32, before: u64, sizes: &[u32]) -> Vec<u8> {
    let count = sizes.len() as u32;
    let data = FRAGMENT_HEAD as u32 + 4 * count + 8;
    let mut out = Vec::with_capacity(data as usize);
    put(&mut out, *b"moof", |out| {
        put_full(out, *b"mfhd", [0; 4], |out| put_u32s(out, &[sequence]));
        put(out, *b"traf", |out| {
            // Offsets count from the `moof`.
            put_full(out, *b"tfhd", [0, 2, 0, 0], |out| put_u32s(out, &[TRACK]));
            put_full(out, *b"tfdt", LONG_TIMES, |out| {
                out.extend(ticks(header, before).to_be_bytes());
            });
            // There are an offset, flags of the first frame, and a size of each.
            put_full(out, *b"trun", [0, 0, 2, 5], |out| {
                put_u32s(out, &[count, data, KEY_FRAME]);
                put_u32s(out, sizes);
            });
        });
    });
    out
}

/// Frames in units of the track's time: there are `fps[0]` in a second, and a frame lasts `fps[1]`.
fn ticks(header: &Header, frames: u64) -> u64 {
    frames * u64::from(header.fps[1])
}

fn movie_header(out: &mut Vec<u8>, header: &Header, frames: usize) {
    put_full(out, *b"mvhd", LONG_TIMES, |out| {
        times(out, &[header.fps[0]], ticks(header, frames as u64));
        // Rate and volume of 1, as for every movie.
        put_u32s(out, &[0x0001_0000, 0x0100_0000, 0, 0]);
        put_u32s(out, &UPRIGHT);
        put_u32s(out, &[0; 6]);
        put_u32s(out, &[TRACK + 1]);
    });
}

/// Made and changed at no time, since equal frames are equal files; then what is between, and the duration.
fn times(out: &mut Vec<u8>, between: &[u32], duration: u64) {
    out.extend([0; 16]);
    put_u32s(out, between);
    out.extend(duration.to_be_bytes());
}

fn track(out: &mut Vec<u8>, header: &Header, index: &Index) {
    let duration = ticks(header, index.sizes.len() as u64);
    put(out, *b"trak", |out| {
        // Enabled, and part of the presentation.
        put_full(out, *b"tkhd", [1, 0, 0, 3], |out| {
            times(out, &[TRACK, 0], duration);
            put_u32s(out, &[0; 4]);
            put_u32s(out, &UPRIGHT);
            put_u32s(out, &[header.width << 16, header.height << 16]);
        });
        put(out, *b"mdia", |out| {
            put_full(out, *b"mdhd", LONG_TIMES, |out| {
                times(out, &[header.fps[0]], duration);
                // The language is undetermined: "und" in letters of five bits.
                put_u32s(out, &[0x55c4_0000]);
            });
            handler(out, *b"vide", b"eddyline\0");
            put(out, *b"minf", |out| {
                put_full(out, *b"vmhd", [0, 0, 0, 1], |out| put_u32s(out, &[0; 2]));
                put(out, *b"dinf", |out| {
                    put_full(out, *b"dref", [0; 4], |out| {
                        put_u32s(out, &[1]);
                        // The data is in this file.
                        put_full(out, *b"url ", [0, 0, 0, 1], |_| ());
                    });
                });
                put(out, *b"stbl", |out| sample_tables(out, header, index));
            });
        });
    });
}

fn handler(out: &mut Vec<u8>, kind: Kind, name: &[u8]) {
    put_full(out, *b"hdlr", [0; 4], |out| {
        put_u32s(out, &[0]);
        out.extend(kind);
        put_u32s(out, &[0; 3]);
        out.extend(name);
    });
}

fn sample_tables(out: &mut Vec<u8>, header: &Header, index: &Index) {
    let frames = index.sizes.len() as u32;
    put_full(out, *b"stsd", [0; 4], |out| {
        put_u32s(out, &[1]);
        sample_entry(out, header);
    });
    put_full(out, *b"stts", [0; 4], |out| match frames {
        0 => put_u32s(out, &[0]),
        _ => put_u32s(out, &[1, frames, header.fps[1]]),
    });
    if frames > 0 {
        put_full(out, *b"stss", [0; 4], |out| {
            put_u32s(out, &[index.groups.len() as u32]);
            let mut first = 1;
            for (_, count) in &index.groups {
                put_u32s(out, &[first]);
                first += count;
            }
        });
    }
    put_full(out, *b"stsc", [0; 4], |out| group_lengths(out, index));
    put_full(out, *b"stsz", [0; 4], |out| {
        put_u32s(out, &[0, frames]);
        put_u32s(out, &index.sizes);
    });
    group_offsets(out, index);
}

/// The number of frames in each group, said where it changes.
fn group_lengths(out: &mut Vec<u8>, index: &Index) {
    let mut first = 1;
    let mut runs = Vec::new();
    for run in index.groups.chunk_by(|left, right| left.1 == right.1) {
        runs.push([first, run[0].1, 1]);
        first += run.len() as u32;
    }
    put_u32s(out, &[runs.len() as u32]);
    put_u32s(out, runs.as_flattened());
}

/// Where each group begins, in 64 bits where 32 do not hold it.
fn group_offsets(out: &mut Vec<u8>, index: &Index) {
    let count = index.groups.len() as u32;
    let short: Result<Vec<u32>, _> = index
        .groups
        .iter()
        .map(|&(at, _)| u32::try_from(at))
        .collect();
    match short {
        Ok(offsets) => put_full(out, *b"stco", [0; 4], |out| {
            put_u32s(out, &[count]);
            put_u32s(out, &offsets);
        }),
        Err(_) => put_full(out, *b"co64", [0; 4], |out| {
            put_u32s(out, &[count]);
            out.extend(index.groups.iter().flat_map(|(at, _)| at.to_be_bytes()));
        }),
    }
}

/// H.264 with its parameter sets outside of the frames, in BT.709 of limited range, of square pixels.
fn sample_entry(out: &mut Vec<u8>, header: &Header) {
    put(out, *b"avc1", |out| {
        put_u32s(out, &[0, 1, 0, 0, 0, 0]);
        put_u32s(out, &[header.width << 16 | header.height]);
        // 72 dpi, as for every video.
        put_u32s(out, &[72 << 16, 72 << 16, 0]);
        // One frame a sample, a compressor without a name, 24 bits a pixel, no color table.
        out.extend([0, 1]);
        out.extend([0; 32]);
        out.extend([0, 24, 255, 255]);
        put(out, *b"avcC", |out| decoder_configuration(out, header));
        put(out, *b"colr", |out| {
            out.extend(b"nclx");
            out.extend([0, 1, 0, 1, 0, 1, 0]);
        });
        put(out, *b"pasp", |out| put_u32s(out, &[1, 1]));
    });
}

/// ISO/IEC 14496-15, 5.3.3.1: the parameter sets, and that lengths in the samples have four bytes.
fn decoder_configuration(out: &mut Vec<u8>, Header { sps, pps, .. }: &Header) {
    let profile = sps[1];
    out.extend([1, profile, sps[2], sps[3], 0xff, 0xe1]);
    out.extend((sps.len() as u16).to_be_bytes());
    out.extend(sps);
    out.push(1);
    out.extend((pps.len() as u16).to_be_bytes());
    out.extend(pps);
    if [100, 110, 122, 144].contains(&profile) {
        // 4:2:0, 8 bits, 8 bits, no extension.
        out.extend([0xfd, 0xf8, 0xf8, 0]);
    }
}

/// Which program made the file, where players look for it.
fn maker(out: &mut Vec<u8>, version: &str) {
    put(out, *b"udta", |out| {
        put_full(out, *b"meta", [0; 4], |out| {
            handler(out, *b"mdir", b"\0");
            put(out, *b"ilst", |out| {
                put(out, *b"\xa9too", |out| {
                    put(out, *b"data", |out| {
                        // Text in UTF-8, of no country.
                        put_u32s(out, &[1, 0]);
                        out.extend(format!("eddyline {version}").bytes());
                    });
                });
            });
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark() -> Mark {
        let header = Header {
            width: 64,
            height: 48,
            fps: [60000, 1001],
            gop: 30,
            sps: vec![0x67, 100, 0, 42],
            pps: vec![0x68],
            first_frame: 0,
            take: String::new(),
            take_hash: 0,
        };
        Mark {
            header,
            version: "0".to_owned(),
            frames: None,
        }
    }

    fn count(bytes: &[u8], pattern: &[u8]) -> usize {
        bytes
            .windows(pattern.len())
            .filter(|&it| it == pattern)
            .count()
    }

    #[test]
    fn a_fragment_says_how_long_it_is_and_where_its_data_is() {
        let bytes = fragment(&mark().header, 7, 30, &[]);
        assert_eq!(bytes.len() as u64, FRAGMENT_HEAD);
        let bytes = fragment(&mark().header, 7, 30, &[0x51, 0x52]);
        assert_eq!(bytes.len(), 100);
        assert!(bytes.starts_with(b"\0\0\0\x64moof"));
        // Two frames, data behind 8 bytes of another head, a key frame, two sizes.
        let end = [
            0, 0, 0, 2, 0, 0, 0, 108, 2, 0, 0, 0, 0, 0, 0, 0x51, 0, 0, 0, 0x52,
        ];
        assert!(bytes.ends_with(&end));
    }

    /// 23 hours, past the end of 32 bits.
    #[test]
    fn times_have_64_bits() {
        let frames = 5_000_000_u32;
        let time = (u64::from(frames) * 1001).to_be_bytes();
        let bytes = fragment(&mark().header, 1, u64::from(frames), &[1]);
        assert_eq!(count(&bytes, &[&b"tfdt\x01\0\0\0"[..], &time].concat()), 1);
        let index = Index {
            sizes: vec![1; frames as usize],
            groups: vec![(100, frames)],
        };
        let bytes = complete(&mark(), &index);
        let start = &bytes[..400];
        for name in [b"mvhd\x01", b"tkhd\x01", b"mdhd\x01"] {
            assert_eq!(count(start, name), 1);
        }
        assert_eq!(count(start, &time), 3);
    }

    #[test]
    fn groups_that_cannot_be_counted_are_refused() {
        assert_eq!(fault(0, 1, 1), None);
        assert!(fault(0, 0, 0).unwrap().contains("has frames"));
        assert_eq!(fault(0, 1, (1 << 30) - 4), None);
        assert!(fault(0, 1, (1 << 30) - 3).unwrap().contains("1 GB"));
        assert!(fault(0, u64::MAX, 1).unwrap().contains("1 GB"));
        assert_eq!(fault(u64::from(u32::MAX) - 1, 1, 1), None);
        assert!(fault(u64::from(u32::MAX), 1, 1).unwrap().contains("2^32"));
    }

    /// Groups of 2, 2, 3, 3, 3 and 1 frames are three runs, and offsets take as many bits as they need.
    #[test]
    fn groups_are_listed_in_runs() {
        let mut index = Index {
            sizes: vec![5; 14],
            groups: [2, 2, 3, 3, 3, 1].map(|count| (16, count)).to_vec(),
        };
        let runs = b"stsc\0\0\0\0\0\0\0\x03\
            \0\0\0\x01\0\0\0\x02\0\0\0\x01\
            \0\0\0\x03\0\0\0\x03\0\0\0\x01\
            \0\0\0\x06\0\0\0\x01\0\0\0\x01";
        let bytes = complete(&mark(), &index);
        assert_eq!(count(&bytes, runs), 1);
        let keys =
            b"stss\0\0\0\0\0\0\0\x06\0\0\0\x01\0\0\0\x03\0\0\0\x05\0\0\0\x08\0\0\0\x0b\0\0\0\x0e";
        assert_eq!(count(&bytes, keys), 1);
        assert_eq!(count(&bytes, b"stco"), 1);
        index.groups[5].0 = u64::from(u32::MAX);
        assert_eq!(count(&complete(&mark(), &index), b"co64"), 0);
        index.groups[5].0 += 1;
        let bytes = complete(&mark(), &index);
        assert_eq!((count(&bytes, b"stco"), count(&bytes, b"co64")), (0, 1));
        assert_eq!(count(&bytes, b"\0\0\0\0\0\0\0\x10\0\0\0\x01\0\0\0\0"), 1);
    }

    /// Only profiles from High on say more about color.
    #[test]
    fn the_decoder_is_told_what_its_profile_asks_for() {
        let mut header = mark().header;
        let mut out = Vec::new();
        decoder_configuration(&mut out, &header);
        let high = b"\x01\x64\0\x2a\xff\xe1\0\x04\x67\x64\0\x2a\x01\0\x01\x68\xfd\xf8\xf8\0";
        assert_eq!(out, high);
        header.sps[1] = 77;
        out.clear();
        decoder_configuration(&mut out, &header);
        assert_eq!(
            out,
            b"\x01\x4d\0\x2a\xff\xe1\0\x04\x67\x4d\0\x2a\x01\0\x01\x68"
        );
    }
}
