//! Disks that fail under the writer, and files that lie to the reader.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Cursor, ErrorKind, Read, Seek, SeekFrom};

use super::super::movie::{FRAGMENT_HEAD, fragment};
use super::super::{Mp4Error, Writer, read};
use super::disks::{Disk, Fault};
use super::samples::{GOP, assert_plays, begun, encoded, events, run};

const FPS: [u32; 2] = [60, 1];

/// What came of a recording on a disk that fails.
struct Outcome {
    /// Groups that were written before the first failure.
    groups: usize,
    finished: bool,
    bytes: Vec<u8>,
    written: usize,
}

/// Records until a write fails, and then tries to finish, as a recording does. None where not even the start was written.
fn recorded_on(fault: Fault) -> Option<Outcome> {
    let encoded = encoded();
    let disk = Disk::new(fault);
    let mut writer = Writer::create(disk.clone(), encoded.header(FPS, 0)).ok()?;
    let mut groups = 0;
    for (number, samples) in encoded.gops.iter().enumerate() {
        let before = (writer.frames(), writer.bytes());
        if writer.fragment(samples, &events(number)).is_err() {
            assert_eq!((writer.frames(), writer.bytes()), before);
            break;
        }
        groups += 1;
    }
    let finished = writer.finish().is_ok();
    let bytes = disk.bytes();
    Some(Outcome {
        groups,
        finished,
        bytes,
        written: disk.written(),
    })
}

/// That every group is there that was said to be; returns the number of frames.
fn assert_whole(outcome: &Outcome, label: &str) -> u64 {
    let recorded = read(&mut Cursor::new(&outcome.bytes)).unwrap();
    let frames = 23.min(outcome.groups * GOP) as u64;
    // A group may be there whose last byte was the last one that the disk took.
    let more = 23.min((outcome.groups + 1) * GOP) as u64;
    assert!([frames, more].contains(&recorded.frames()), "{label}");
    assert!(recorded.finished || !outcome.finished, "{label}");
    for (gop, samples) in recorded.gops.iter().zip(&encoded().gops) {
        let data = &outcome.bytes[gop.data.start as usize..gop.data.end as usize];
        assert_eq!(data, samples.concat(), "{label}");
    }
    recorded.frames()
}

/// Runs a recording for every size that a disk can have, and plays a few of them.
fn on_every_disk(fault: fn(usize) -> Fault, mut check: impl FnMut(&Outcome)) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("failed.mp4");
    let whole = recorded_on(Fault::Never).unwrap();
    assert!(whole.finished);
    // Some bytes are written twice.
    for size in (0..=whole.written + 1).rev() {
        let label = format!("{:?}", fault(size));
        let Some(outcome) = recorded_on(fault(size)) else {
            return;
        };
        let frames = assert_whole(&outcome, &label);
        if size > whole.written {
            assert!(outcome.finished && outcome.bytes == whole.bytes, "{label}");
        }
        if outcome.groups > 0 && size.is_multiple_of(1999) {
            fs::write(&path, &outcome.bytes).unwrap();
            assert_plays(&path, frames as usize);
        }
        check(&outcome);
    }
}

#[test]
fn a_disk_that_dies_at_any_byte_leaves_every_whole_group() {
    let mut groups = BTreeSet::new();
    on_every_disk(Fault::Dies, |outcome| _ = groups.insert(outcome.groups));
    assert_eq!(groups, (0..=6).collect());
}

#[test]
fn a_full_disk_holds_every_whole_group_and_is_finished_where_there_is_room() {
    let mut finished = 0;
    on_every_disk(Fault::Full, |outcome| {
        finished += usize::from(outcome.finished && outcome.groups < 6);
        // A group or a list that does not fit is taken back: nothing is left of it.
        let recorded = read(&mut Cursor::new(&outcome.bytes)).unwrap();
        assert_eq!(recorded.gops.len(), outcome.groups);
        assert_eq!((recorded.finished, recorded.rest), (outcome.finished, 0));
    });
    // A group that does not fit leaves room for the list of frames, mostly.
    assert!(finished > 5000);
}

#[test]
fn what_cannot_be_taken_back_is_left_alone() {
    on_every_disk(Fault::FullForGood, |outcome| {
        assert!(outcome.groups == 6 || !outcome.finished);
    });
    let encoded = encoded();
    let disk = Disk::new(Fault::FullForGood(5000));
    let mut writer = Writer::create(disk.clone(), encoded.header(FPS, 0)).unwrap();
    writer.fragment(&encoded.gops[0], "").unwrap();
    let error = writer.fragment(&encoded.gops[1], "").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::StorageFull);
    let error = writer.fragment(&[b"small"], "").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Other);
    assert_eq!(disk.bytes().len(), 5000);
}

/// A disk of the system itself, and a device that knows of no waiting.
#[cfg(target_os = "linux")]
#[test]
fn devices_are_taken_as_they_are() {
    let device = |name| fs::OpenOptions::new().write(true).open(name).unwrap();
    let header = encoded().header(FPS, 0);
    let error = Writer::create(device("/dev/full"), header).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::StorageFull);
    let writer = begun(device("/dev/null"), FPS, 0..6);
    writer.finish().unwrap();
}

/// A small finished file and one that was killed.
fn files() -> [Vec<u8>; 2] {
    let encoded = encoded();
    let file = |finished| {
        let disk = Disk::new(Fault::Never);
        let mut writer = Writer::create(disk.clone(), encoded.header(FPS, 8)).unwrap();
        for number in 2..4 {
            writer
                .fragment(&encoded.gops[number], &events(number))
                .unwrap();
        }
        if finished {
            writer.finish().unwrap();
        }
        disk.bytes()
    };
    [file(true), file(false)]
}

/// A file that counts what is read of it.
struct Counting<'a> {
    file: Cursor<&'a [u8]>,
    read: usize,
}

impl Read for Counting<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(into)?;
        self.read += count;
        Ok(count)
    }
}

impl Seek for Counting<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// That of a file is read at most what it holds, and believed at most what is in it.
fn assert_modest(bytes: &[u8]) {
    let mut file = Counting {
        file: Cursor::new(bytes),
        read: 0,
    };
    let recorded = read(&mut file);
    assert!(file.read <= bytes.len());
    if let Ok(recorded) = recorded {
        assert!(recorded.frames() <= 8);
        for gop in recorded.gops {
            assert!(gop.data.end <= bytes.len() as u64);
            let total: u64 = gop.sizes.iter().map(|&size| u64::from(size)).sum();
            assert_eq!(total, gop.data.end - gop.data.start);
        }
    }
}

#[test]
fn no_changed_byte_makes_the_reader_panic() {
    for mut bytes in files() {
        for at in 0..bytes.len() {
            let kept = bytes[at];
            for change in [1, 0x80, 0xff, kept] {
                bytes[at] = kept ^ change;
                assert_modest(&bytes);
            }
            bytes[at] = kept;
        }
    }
}

#[test]
fn no_length_makes_the_reader_panic() {
    for bytes in files() {
        for length in 0..bytes.len() {
            assert_modest(&bytes[..length]);
            assert_modest(&bytes[length..]);
        }
    }
}

/// What a file of these bytes is said to be.
fn said(bytes: &[u8]) -> String {
    read(&mut Cursor::new(bytes)).unwrap_err().to_string()
}

#[test]
fn files_of_others_are_none_of_ours() {
    let foreign = Mp4Error::Foreign.to_string();
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR";
    for bytes in [&b""[..], b"a", b"\0\0\0\x10ftypisom\0\0\0\0", png] {
        assert_eq!(said(bytes), foreign);
    }
    let folder = tempfile::tempdir().unwrap();
    let source = "testsrc=size=64x48:rate=25:duration=1";
    for flags in ["0", "+faststart", "+frag_keyframe+empty_moov"] {
        let path = folder.path().join(format!("{flags}.mp4"));
        let arguments = [
            "-v",
            "error",
            "-f",
            "lavfi",
            "-i",
            source,
            "-movflags",
            flags,
            "FILE",
        ];
        let Some(output) = run("ffmpeg", &arguments, &path) else {
            return;
        };
        assert!(output.status.success(), "{output:?}");
        assert_eq!(said(&fs::read(&path).unwrap()), foreign);
    }
}

#[test]
fn files_that_end_too_early_say_so() {
    let [_, bytes] = files();
    let frames = read(&mut Cursor::new(&bytes)).unwrap();
    let first = frames.gops[0].data.start as usize;
    assert_eq!(said(&bytes[..first / 2]), Mp4Error::Cut.to_string());
}

#[test]
fn a_finished_file_that_lost_frames_is_damaged() {
    let [mut bytes, mut killed] = files();
    let gop = read(&mut Cursor::new(&bytes)).unwrap().gops[1].clone();
    let name = gop.data.start as usize - 8 - 92 - 4 * 4 + 4;
    assert_eq!(bytes[name..name + 4], *b"moof");
    bytes[name] = b'w';
    assert_eq!(said(&bytes), "damaged: frames that it lists cannot be read");
    // Of a file that was not finished nobody knows.
    killed[name] = b'w';
    assert_eq!(read(&mut Cursor::new(&killed)).unwrap().frames(), 4);
}

#[test]
fn groups_that_the_writer_does_not_write_end_a_killed_file() {
    let [_, bytes] = files();
    let recorded = read(&mut Cursor::new(&bytes)).unwrap();
    let head = FRAGMENT_HEAD as usize;
    let start = recorded.gops[1].data.start as usize - 8 - 4 * GOP - head;
    for at in start..start + head {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1;
        let recorded = read(&mut Cursor::new(&bytes)).unwrap();
        assert_eq!(recorded.gops.len(), 1, "{}", at - start);
    }
    // Events of somebody else, and a box that is too small to say whose it is.
    for at in recorded.gops[0].data.end as usize + 8..start - events(3).len() {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1;
        let recorded = read(&mut Cursor::new(&bytes)).unwrap();
        assert_eq!(recorded.gops.len(), 1, "{at}");
    }
    let mut short = bytes.clone();
    short.extend(b"\0\0\0\x0auuidxx");
    assert_eq!(read(&mut Cursor::new(&short)).unwrap().gops, recorded.gops);
    let mut longer = bytes;
    longer.extend(fragment(&recorded.header, 3, 8, &[]));
    longer.extend(b"\0\0\0\x08mdat");
    let longer = read(&mut Cursor::new(&longer)).unwrap();
    assert_eq!(longer.gops, recorded.gops);
    assert_eq!(longer.rest, FRAGMENT_HEAD + 8);
}

#[test]
fn marks_that_make_no_sense_are_damaged_or_newer() {
    let [bytes, _] = files();
    let mark = b"\x8f\x31header";
    let places: Vec<usize> = (0..bytes.len())
        .filter(|&at| bytes[at..].starts_with(mark))
        .map(|at| at + mark.len())
        .collect();
    let [first, last] = places[..] else {
        panic!("{places:?}")
    };
    let changed = |at: usize, code: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = code;
        said(&bytes)
    };
    let damaged = "damaged: its header makes no sense";
    assert_eq!(changed(first + 3, 2), Mp4Error::Newer.to_string());
    assert_eq!(changed(first + 3, 0), damaged);
    // No width, too long a version, a take that is not UTF-8.
    assert_eq!(changed(first + 7, 0), damaged);
    assert_eq!(changed(first + 48, 1), damaged);
    let take = first + bytes[first..].iter().position(|&it| it == 0xc3).unwrap();
    assert_eq!(changed(take, 0xff), damaged);
    let two = "damaged: it begins and ends as different videos";
    assert_eq!(changed(last + 31, 1), two);
    assert_eq!(changed(last - 1, b'R'), Mp4Error::Foreign.to_string());
}
