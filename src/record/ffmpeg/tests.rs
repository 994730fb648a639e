use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use super::*;
use crate::record::{DeepPixels, Pixels};

mod faults;
mod files;

/// A quarter of the colors each, of 8-bit codes.
const COLORS: [[u8; 3]; 4] = [[3, 35, 40], [240, 230, 210], [200, 40, 60], [30, 90, 220]];

/// Px.
const SIDE: usize = 128;

/// As the program is asked for by default, with ffmpeg.
pub fn options(path: &Path) -> Options {
    Options {
        path: path.to_owned(),
        replace: false,
        program: "ffmpeg".into(),
        width: SIDE as u32,
        height: SIDE as u32,
        fps: [30, 1],
        depth10: false,
        full_chroma: false,
        codec: None,
        crf: None,
        preset: None,
        arguments: Vec::new(),
        take: "eddyline-take 1\n".to_owned(),
        level: Level::best(),
        patience: PATIENCE,
    }
}

fn color(index: usize) -> [u8; 3] {
    let (x, y) = (index % SIDE, index / SIDE);
    COLORS[y / (SIDE / 2) * 2 + x / (SIDE / 2)]
}

fn codes() -> Vec<u8> {
    (0..SIDE * SIDE)
        .flat_map(|index| {
            let [red, green, blue] = color(index);
            [red, green, blue, 255]
        })
        .collect()
}

fn pixels(rgba: &[u8]) -> Frame<'_> {
    Frame::Codes(Pixels {
        width: SIDE as u32,
        height: SIDE as u32,
        rgba,
    })
}

/// Pushes a picture again and again.
fn push(recording: &mut Ffmpeg, frames: usize) -> Result<(), RecordError> {
    if recording.depth() == Depth::Codes {
        let rgba = codes();
        return (0..frames).try_for_each(|_| recording.push(pixels(&rgba)));
    }
    let rgb: Vec<[f32; 3]> = (0..SIDE * SIDE)
        .map(|index| color(index).map(|code| f32::from(code) / 255.0))
        .collect();
    let pixels = DeepPixels {
        width: SIDE as u32,
        height: SIDE as u32,
        rgb: &rgb,
    };
    (0..frames).try_for_each(|_| recording.push(Frame::Deep(pixels)))
}

/// A whole recording.
fn record(options: &Options, frames: usize) -> Result<u64, RecordError> {
    let mut recording = Ffmpeg::start(options.clone())?;
    push(&mut recording, frames)?;
    Box::new(recording).finish()
}

/// A shell script in place of ffmpeg. Another process writes it: while this one has it open for writing, a child that
/// another test starts just then would inherit that, and nobody could run it.
fn script(folder: &Path, text: &str) -> OsString {
    let path = folder.join("fake");
    let mut shell = Command::new("sh")
        .args(["-c", "cat > \"$1\" && chmod +x \"$1\"", "sh"])
        .arg(&path)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let text = format!("#!/bin/sh\n{text}\n");
    shell
        .stdin
        .take()
        .unwrap()
        .write_all(text.as_bytes())
        .unwrap();
    assert!(shell.wait().unwrap().success());
    path.into()
}

/// Whether ffmpeg and ffprobe are here; under CI they must be.
fn is_installed() -> bool {
    let is_there = ["ffmpeg", "ffprobe"].iter().all(|program| {
        let mut command = Command::new(program);
        command
            .arg("-version")
            .stdout(Stdio::null())
            .status()
            .is_ok()
    });
    assert!(
        is_there || std::env::var_os("CI").is_none_or(|value| value != "true"),
        "CI needs ffmpeg and ffprobe"
    );
    if !is_there {
        println!("skipped: ffmpeg or ffprobe is not installed");
    }
    is_there
}

fn output(program: &str, arguments: &[&str], path: &Path) -> Output {
    let command = Command::new(program)
        .args(["-v", "error"])
        .args(arguments)
        .arg(path)
        .output();
    command.unwrap()
}

/// Values that ffprobe knows of a file, a line each.
fn probe(path: &Path, entries: &str) -> String {
    let format = ["-of", "default=nw=1:nk=1", "-select_streams", "v:0"];
    let arguments = [&format[..], &["-count_packets", "-show_entries", entries]].concat();
    let output = output("ffprobe", &arguments, path);
    assert!(
        output.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// How many frames can be decoded, whatever else is wrong with a file.
fn decoded(path: &Path) -> usize {
    let output = Command::new("ffmpeg")
        .args(["-v", "quiet", "-i"])
        .arg(path)
        .args(["-f", "framecrc", "-"])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().filter(|line| !line.starts_with('#')).count()
}
