//! What players see, and what is read back, of files in every state that a recording leaves.

use std::fs::{self, File};
use std::io::Cursor;
use std::path::{Path, PathBuf};

use super::super::movie::FRAGMENT_HEAD;
use super::super::{Header, Recorded, Writer, open, read};
use super::disks::{Disk, Fault};
use super::samples::{GOP, assert_plays, begun, decoded, encoded, events, hashes, run, write};

const FPS: [u32; 2] = [60, 1];

/// A folder, and a file in it that was killed after six groups, with its bytes.
fn killed() -> (tempfile::TempDir, PathBuf, Vec<u8>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("killed.mp4");
    drop(begun(File::create(&path).unwrap(), FPS, 0..6));
    let bytes = fs::read(&path).unwrap();
    (folder, path, bytes)
}

/// That a file holds the first groups of the test's frames, unchanged, and says so.
fn assert_holds(bytes: &[u8], groups: usize) -> Recorded {
    let recorded = read(&mut Cursor::new(bytes)).unwrap();
    let encoded = encoded();
    assert_eq!(recorded.header, encoded.header(FPS, 0));
    assert_eq!(recorded.version, env!("CARGO_PKG_VERSION"));
    assert_eq!(recorded.gops.len(), groups);
    for (number, (gop, samples)) in recorded.gops.iter().zip(&encoded.gops).enumerate() {
        let data = &bytes[gop.data.start as usize..gop.data.end as usize];
        assert_eq!(data, samples.concat());
        let sizes: Vec<u32> = samples.iter().map(|sample| sample.len() as u32).collect();
        assert_eq!(gop.sizes, sizes);
        assert_eq!(gop.events, events(number));
    }
    recorded
}

#[test]
fn a_finished_file_reads_back_and_plays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("finished.mp4");
    write(&path, FPS, 0..6);
    let recorded = assert_holds(&fs::read(&path).unwrap(), 6);
    assert_eq!(
        (recorded.frames(), recorded.finished, recorded.rest),
        (23, true, 0)
    );
    assert_eq!(open(&path).unwrap(), recorded);
    assert_plays(&path, 23);
}

#[test]
fn a_killed_file_reads_back_and_plays() {
    let (_folder, path, bytes) = killed();
    let recorded = assert_holds(&bytes, 6);
    assert_eq!(
        (recorded.frames(), recorded.finished, recorded.rest),
        (23, false, 0)
    );
    // Where nothing happened there is no box that says so.
    let [before, quiet] = [&recorded.gops[1], &recorded.gops[2]];
    let between = quiet.data.start - before.data.end;
    assert_eq!(between, FRAGMENT_HEAD + 4 * GOP as u64 + 8);
    assert_plays(&path, 23);
}

/// What ffprobe says of the first stream and the file, as lines of `key=value`.
fn probed(file: &Path, what: &str) -> Option<String> {
    let entries = ["-v", "error", "-show_entries", what, "-of", "flat", "FILE"];
    let output = run("ffprobe", &entries, file)?;
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn players_are_told_rate_count_color_and_maker() {
    let folder = tempfile::tempdir().unwrap();
    for (fps, rate) in [([24000, 1001], "24000/1001"), ([60, 1], "60/1")] {
        let path = folder.path().join("rate.mp4");
        write(&path, fps, 0..6);
        let Some(said) = probed(&path, "stream:format_tags") else {
            return;
        };
        let expected = [
            ("width", "64"),
            ("height", "48"),
            ("sample_aspect_ratio", "\"1:1\""),
            ("display_aspect_ratio", "\"4:3\""),
            ("pix_fmt", "\"yuv420p\""),
            ("level", "42"),
            ("is_avc", "\"true\""),
            ("color_range", "\"tv\""),
            ("color_space", "\"bt709\""),
            ("color_transfer", "\"bt709\""),
            ("color_primaries", "\"bt709\""),
            ("nb_frames", "\"23\""),
            ("start_pts", "0"),
        ];
        for (key, value) in expected {
            let line = format!("streams.stream.0.{key}={value}");
            assert!(said.lines().any(|it| it == line), "{line}\n{said}");
        }
        for key in ["r_frame_rate", "avg_frame_rate"] {
            let line = format!("streams.stream.0.{key}=\"{rate}\"");
            assert!(said.lines().any(|it| it == line), "{line}\n{said}");
        }
        let ticks = format!("duration_ts={}", 23 * fps[1]);
        assert!(said.contains(&ticks), "{ticks}\n{said}");
        let maker = concat!("encoder=\"eddyline ", env!("CARGO_PKG_VERSION"), "\"");
        assert!(said.contains(maker), "{said}");
    }
}

#[test]
fn players_see_how_long_a_killed_file_is() {
    let (_folder, path, _) = killed();
    if let Some(said) = probed(&path, "stream=duration_ts,r_frame_rate:format=duration") {
        assert!(said.contains("duration_ts=23"), "{said}");
        assert!(said.contains("r_frame_rate=\"60/1\""), "{said}");
        assert!(said.contains("duration=\"0.383333\""), "{said}");
    }
}

/// Every sample of a file as ffprobe finds it: time, size, place, and whether it can be begun with.
fn packets(file: &Path) -> Option<String> {
    let what = "packet=pts,dts,size,pos,flags";
    let entries = [
        "-v",
        "error",
        "-show_entries",
        what,
        "-of",
        "csv=p=0",
        "FILE",
    ];
    let output = run("ffprobe", &entries, file)?;
    Some(String::from_utf8(output.stdout).unwrap())
}

/// By the fragments in the one file, and by the list of frames in the other.
#[test]
fn players_find_every_sample_at_its_time_and_place() {
    let folder = tempfile::tempdir().unwrap();
    let fps = [24000, 1001];
    let [finished, killed] = ["finished.mp4", "killed.mp4"].map(|it| folder.path().join(it));
    write(&finished, fps, 0..6);
    drop(begun(File::create(&killed).unwrap(), fps, 0..6));
    let mut expected = String::new();
    let mut time = 0;
    for gop in open(&finished).unwrap().gops {
        let mut place = gop.data.start;
        for (number, size) in gop.sizes.iter().enumerate() {
            let key = if number == 0 { "K_" } else { "__" };
            expected += &format!("{time},{time},{size},{place},{key}\n");
            time += 1001;
            place += u64::from(*size);
        }
    }
    for file in [finished, killed] {
        if let Some(found) = packets(&file) {
            assert_eq!(found, expected);
        }
    }
}

/// Where groups end in a file that was killed.
fn ends(bytes: &[u8]) -> Vec<usize> {
    let gops = read(&mut Cursor::new(bytes)).unwrap().gops;
    gops.iter().map(|gop| gop.data.end as usize).collect()
}

#[test]
fn a_file_cut_behind_any_group_plays() {
    let (_folder, path, bytes) = killed();
    for (groups, end) in (1..).zip(ends(&bytes)) {
        fs::write(&path, &bytes[..end]).unwrap();
        let recorded = assert_holds(&bytes[..end], groups);
        assert_eq!(recorded.rest, 0);
        assert_plays(&path, 23.min(groups * GOP));
    }
}

#[test]
fn a_file_cut_anywhere_holds_every_whole_group() {
    let (_folder, path, bytes) = killed();
    let ends = ends(&bytes);
    let first = ends[0] - encoded().gops[0].concat().len();
    for length in first..bytes.len() {
        let groups = ends.iter().filter(|&&end| end <= length).count();
        let recorded = assert_holds(&bytes[..length], groups);
        let whole = groups.checked_sub(1).map(|group| ends[group] as u64);
        assert!(whole.is_none_or(|whole| recorded.rest == length as u64 - whole));
    }
    // A decoder conceals what is cut, and complains; what is whole is not touched by that.
    for length in (first..bytes.len()).step_by(1999) {
        fs::write(&path, &bytes[..length]).unwrap();
        let frames = GOP * ends.iter().filter(|&&end| end <= length).count();
        if let (Some((found, _)), Some(hashes)) = (decoded(&path), hashes()) {
            assert!(found.starts_with(&hashes[..frames]), "{length}");
        }
    }
}

#[test]
fn a_finished_file_that_was_cut_reads_as_a_killed_one() {
    let disk = Disk::new(Fault::Never);
    begun(disk.clone(), FPS, 0..6).finish().unwrap();
    let bytes = disk.bytes();
    let ends = ends(&bytes);
    for length in ends[0]..bytes.len() {
        let groups = ends.iter().filter(|&&end| end <= length).count();
        assert!(!assert_holds(&bytes[..length], groups).finished);
    }
}

/// Every byte at which a program can be killed while it writes a group with events.
#[test]
fn a_kill_at_any_byte_of_a_group_leaves_those_before_it() {
    let disk = Disk::new(Fault::Never);
    let mut writer = begun(disk.clone(), FPS, 0..3);
    let start = disk.written();
    let samples = &encoded().gops[3];
    writer.fragment(samples, &events(3)).unwrap();
    let last = disk.written();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("killed.mp4");
    for after in start + 1..last {
        let disk = Disk::new(Fault::Dies(after));
        let mut writer = begun(disk.clone(), FPS, 0..3);
        assert!(writer.fragment(samples, &events(3)).is_err());
        assert_holds(&disk.bytes(), 3);
        // A player refuses a file that ends in the first bytes of one of these boxes; no such run is shorter than seven.
        let boxes = after < start + 170 || after > last - 60;
        if boxes && after.is_multiple_of(7) {
            fs::write(&path, disk.bytes()).unwrap();
            assert_plays(&path, 3 * GOP);
        }
    }
}

/// Every byte at which a program can be killed while it finishes.
#[test]
fn a_kill_at_any_byte_of_the_end_leaves_a_file_that_plays() {
    let disk = Disk::new(Fault::Never);
    let writer = begun(disk.clone(), FPS, 0..6);
    let start = disk.written();
    writer.finish().unwrap();
    let last = disk.written();
    // The head of what swallows the fragments.
    let listed = last - 16;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("killed.mp4");
    for after in start + 1..=last {
        let disk = Disk::new(Fault::Dies(after));
        assert!(begun(disk.clone(), FPS, 0..6).finish().is_err());
        let recorded = assert_holds(&disk.bytes(), 6);
        // From the byte on that makes the first box swallow the others, only its name is missing.
        assert_eq!(recorded.finished, after >= last - 4, "{after}");
        if after >= listed - 9 || (after - start).is_multiple_of(211) {
            fs::write(&path, disk.bytes()).unwrap();
            assert_plays(&path, 23);
        }
    }
    let disk = Disk::new(Fault::Dies(last + 1));
    begun(disk, FPS, 0..6).finish().unwrap();
}

#[test]
fn equal_frames_make_equal_files() {
    let [one, other] = [Disk::new(Fault::Never), Disk::new(Fault::Never)];
    begun(one.clone(), FPS, 0..6).finish().unwrap();
    begun(other.clone(), FPS, 0..6).finish().unwrap();
    assert_eq!(one.bytes(), other.bytes());
}

#[test]
fn every_group_is_on_the_disk_before_it_counts() {
    let disk = Disk::new(Fault::Never);
    let mut writer = begun(disk.clone(), FPS, 0..0);
    for group in &encoded().gops {
        writer.fragment(group, "").unwrap();
        let synced = disk.synced.borrow().last().copied();
        assert_eq!(synced, Some(writer.bytes() as usize));
        assert_eq!(disk.bytes().len(), writer.bytes() as usize);
    }
    assert_eq!(writer.frames(), 23);
    let bytes = writer.finish().unwrap() as usize;
    assert_eq!(disk.synced.borrow().last(), Some(&bytes));
    assert_eq!(disk.bytes().len(), bytes);
}

#[test]
fn headers_out_of_range_are_refused() {
    let good = encoded().header(FPS, 0);
    let refused = |change: fn(&mut Header)| {
        let mut header = good.clone();
        change(&mut header);
        let disk = Disk::new(Fault::Never);
        let error = Writer::create(disk.clone(), header).map(drop).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput);
        assert_eq!(disk.bytes(), [0u8; 0]);
    };
    refused(|header| header.width = 0);
    refused(|header| header.width = 65536);
    refused(|header| header.height = 0);
    refused(|header| header.height = 65536);
    refused(|header| header.fps[0] = 0);
    refused(|header| header.fps[1] = 0);
    refused(|header| header.gop = 0);
    refused(|header| header.sps.truncate(3));
    refused(|header| header.sps.resize(65536, 0));
    refused(|header| header.pps.clear());
    refused(|header| header.pps.resize(65536, 0));
    refused(|header| header.first_frame = 1 << 63);
}

#[test]
fn groups_without_frames_are_refused() {
    let disk = Disk::new(Fault::Never);
    let mut writer = begun(disk.clone(), FPS, 0..1);
    let before = disk.bytes();
    let none: [&[u8]; 0] = [];
    for error in [
        writer.fragment(&none, ""),
        writer.fragment(&[&b"1"[..], b""], ""),
    ] {
        let kind = error.unwrap_err().kind();
        assert_eq!(kind, std::io::ErrorKind::InvalidInput);
    }
    assert_eq!(disk.bytes(), before);
    let empty = begun(Disk::new(Fault::Never), FPS, 0..0);
    assert_eq!(empty.frames(), 0);
    let kind = empty.finish().unwrap_err().kind();
    assert_eq!(kind, std::io::ErrorKind::InvalidInput);
}
