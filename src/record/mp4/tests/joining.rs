//! Parts of one render, joined.

use std::fs::{self, File};
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::super::{Header, JoinError, Writer, join, open};
use super::disks::{Disk, Fault};
use super::samples::{assert_plays, begun, encoded, events, write};

const FPS: [u32; 2] = [60, 1];

/// Parts of the test's frames, by groups.
fn parts(folder: &Path, groups: &[Range<usize>]) -> Vec<PathBuf> {
    let part = |range: &Range<usize>| {
        let path = folder.join(format!("{}.mp4", range.start));
        write(&path, FPS, range.clone());
        path
    };
    groups.iter().map(part).collect()
}

/// What is said when these are joined.
fn refusal(parts: &[PathBuf], folder: &Path) -> String {
    let disk = Disk::new(Fault::Never);
    let error = join(parts, disk.clone()).unwrap_err();
    assert_eq!(disk.bytes(), [0u8; 0]);
    let text = error.to_string().replace(folder.to_str().unwrap(), "");
    assert!(!text.contains('\n'));
    text.replace('/', "")
}

#[test]
fn parts_in_any_order_are_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let whole = Disk::new(Fault::Never);
    begun(whole.clone(), FPS, 0..6).finish().unwrap();
    let mut parts = parts(folder.path(), &[0..2, 2..3, 3..6]);
    parts.rotate_left(1);
    let path = folder.path().join("joined.mp4");
    assert_eq!(join(&parts, File::create(&path).unwrap()).unwrap(), 23);
    assert_eq!(fs::read(&path).unwrap(), whole.bytes());
    assert_plays(&path, 23);
    let joined = open(&path).unwrap();
    for (number, gop) in joined.gops.iter().enumerate() {
        assert_eq!(gop.events, events(number));
    }
}

#[test]
fn a_killed_file_is_mended() {
    let folder = tempfile::tempdir().unwrap();
    let killed = folder.path().join("killed.mp4");
    drop(begun(File::create(&killed).unwrap(), FPS, 0..6));
    let mended = folder.path().join("mended.mp4");
    let join_into = |path: &Path| {
        let input = std::slice::from_ref(&killed);
        join(input, File::create(path).unwrap()).unwrap()
    };
    assert_eq!(join_into(&mended), 23);
    let whole = Disk::new(Fault::Never);
    begun(whole.clone(), FPS, 0..6).finish().unwrap();
    assert_eq!(fs::read(&mended).unwrap(), whole.bytes());
    // The last group is not whole any more.
    let bytes = fs::read(&killed).unwrap();
    fs::write(&killed, &bytes[..bytes.len() - 1]).unwrap();
    assert_eq!(join_into(&mended), 20);
    assert!(open(&mended).unwrap().finished);
    assert_plays(&mended, 20);
}

#[test]
fn frames_that_are_missing_or_there_twice_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let mut files = parts(path, &[0..2, 3..4, 4..6]);
    let gap = "frames 8 to 11 are missing between 0.mp4 and 3.mp4";
    assert_eq!(refusal(&files, path), gap);
    // A part in the middle lost its tail.
    let bytes = fs::read(&files[1]).unwrap();
    write(&files[1], FPS, 2..4);
    files[1] = path.join("2.mp4");
    let disk = File::create(&files[1]).unwrap();
    drop(begun(disk, FPS, 2..4));
    let whole = fs::read(&files[1]).unwrap();
    fs::write(&files[1], &whole[..whole.len() - 1]).unwrap();
    let gap = "frames 12 to 15 are missing between 2.mp4 and 4.mp4";
    assert_eq!(refusal(&files, path), gap);
    fs::write(&files[1], bytes).unwrap();
    let files = parts(path, &[0..3, 2..4]);
    let twice = "0.mp4 and 2.mp4 both hold frames 8 to 11";
    assert_eq!(refusal(&files, path), twice);
    let files = [files[0].clone(), files[0].clone()];
    let twice = "0.mp4 and 0.mp4 both hold frames 0 to 11";
    assert_eq!(refusal(&files, path), twice);
    // One lies within the other.
    let files = parts(path, &[0..6, 2..3]);
    let twice = "0.mp4 and 2.mp4 both hold frames 8 to 11";
    assert_eq!(refusal(&files, path), twice);
}

#[test]
fn what_differs_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let files = parts(path, &[0..2, 2..4]);
    let differs = |change: fn(&mut Header), what: &str| {
        let mut header = encoded().header(FPS, 8);
        change(&mut header);
        let file = File::create(&files[1]).unwrap();
        let mut writer = Writer::create(file, header).unwrap();
        writer.fragment(&encoded().gops[2], "").unwrap();
        let expected = format!("2.mp4: {what} differs from that of 0.mp4");
        assert_eq!(refusal(&files, path), expected);
    };
    differs(|header| header.take_hash += 1, "the take");
    differs(|header| header.width += 2, "the size");
    differs(|header| header.height += 2, "the size");
    differs(|header| header.fps = [120, 2], "the frame rate");
    differs(
        |header| header.gop += 1,
        "the length of a group of pictures",
    );
    differs(|header| header.sps[3] += 1, "the encoding (SPS)");
    differs(|header| header.pps.push(0), "the encoding (PPS)");
}

#[test]
fn files_that_are_no_parts_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    assert_eq!(refusal(&[], path), "nothing to join");
    let mut files = parts(path, std::slice::from_ref(&(0..2)));
    files.push(path.join("a.mp4"));
    assert!(refusal(&files, path).starts_with("a.mp4: No such file"));
    fs::write(&files[1], "no video").unwrap();
    let foreign = "a.mp4: not a video that eddyline's built-in recorder wrote";
    assert_eq!(refusal(&files, path), foreign);
    drop(begun(File::create(&files[1]).unwrap(), FPS, 2..2));
    assert_eq!(refusal(&files, path), "a.mp4: holds no whole frame");
}

#[test]
fn a_full_disk_is_the_outputs_fault() {
    let folder = tempfile::tempdir().unwrap();
    let files = parts(folder.path(), &[0..2, 2..4]);
    let error = join(&files, Disk::new(Fault::Full(6000))).unwrap_err();
    let JoinError::Output(error) = error else {
        panic!("{error}")
    };
    assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
}

/// The program that drew the frames is not the one that joins them.
#[test]
fn the_version_is_that_of_the_parts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.mp4");
    let encoded = encoded();
    let file = File::create(&path).unwrap();
    let mut writer = Writer::create_as(file, encoded.header(FPS, 0), "0.0.7".to_owned()).unwrap();
    writer.fragment(&encoded.gops[0], "").unwrap();
    drop(writer);
    let joined = folder.path().join("joined.mp4");
    join(&[path], File::create(&joined).unwrap()).unwrap();
    assert_eq!(open(&joined).unwrap().version, "0.0.7");
}
