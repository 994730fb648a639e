//! Films and pictures of the running window, as its user makes them: by a key.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use eddyline::record::mp4;

use super::xvfb::{Display, Program, wait_for};
use crate::commands::succeed;
use crate::support::is_there;

const ESCAPE: u32 = 0xff1b;
const SHIFT: u32 = 0xffe1;

const LOOK: [&str; 6] = [
    "--preset", "original", "--size", "320x180", "--canvas", "cpu",
];

/// A window whose user keeps films and pictures in a folder of the test's.
fn start<'a>(display: &'a Display, home: &Path, more: &[&str]) -> Program<'a> {
    let variables = [("HOME", home.to_str().unwrap())];
    display.run_under(&variables, &[&LOOK, more].concat())
}

fn begin_film(program: &Program) {
    program.press_with(SHIFT, 'r'.into());
    program.line_beginning("EVENT film on");
}

/// The file of a film and how many frames it has, as the program says.
fn told(line: &str) -> (PathBuf, u64) {
    let rest = line.strip_prefix("EVENT film ").unwrap();
    let (frames, path) = rest.split_once(' ').unwrap();
    (PathBuf::from(path), frames.parse().unwrap())
}

/// The frames of a film, as gray and color planes.
fn decoded(path: &Path) -> Vec<Vec<u8>> {
    let output = Command::new("ffmpeg")
        .args(["-v", "error", "-i"])
        .arg(path)
        .args(["-f", "rawvideo", "-pix_fmt", "yuv420p", "-"])
        .output()
        .unwrap();
    assert!(output.status.success() && output.stderr.is_empty());
    let film = mp4::open(path).unwrap().header;
    let bytes = film.width as usize * film.height as usize * 3 / 2;
    output
        .stdout
        .chunks_exact(bytes)
        .map(<[u8]>::to_vec)
        .collect()
}

#[test]
fn what_was_performed_is_rendered_again_frame_for_frame() {
    let Some(display) = Display::start() else {
        return;
    };
    let home = tempfile::tempdir().unwrap();
    let take = home.path().join("jam.take");
    let mut program = start(
        &display,
        home.path(),
        &["--save-take", take.to_str().unwrap()],
    );
    program.press('w'.into());
    begin_film(&program);
    for (number, key) in "qwuikadeolhytgjsnbvr".chars().enumerate() {
        program.press(key.into());
        if number == 7 {
            for x in 0..12i16 {
                program.point([60 + x * 12, 90]);
                program.await_frames(1);
            }
        }
        program.await_steps(3);
    }
    program.press_with(SHIFT, 'r'.into());
    let (path, frames) = told(&program.line_beginning("EVENT film "));
    assert!(
        path.starts_with(home.path().join("Videos")),
        "{}",
        path.display()
    );
    let name = path.file_name().unwrap().to_str().unwrap().to_owned();
    assert!(
        name.starts_with("eddyline-") && name.ends_with(".mp4"),
        "{name}"
    );
    program.press(ESCAPE);
    let (status, _) = program.wait();
    assert!(status.success());
    let film = mp4::open(&path).unwrap();
    assert!(
        film.finished && film.frames() == frames && frames > 60,
        "{frames}"
    );
    let events: String = film.gops.iter().map(|gop| gop.events.as_str()).collect();
    assert!(
        events.lines().filter(|line| line.contains(" set ")).count() >= 18,
        "{events}"
    );
    assert!(events.contains(" stir "), "{events}");
    succeed(
        home.path(),
        &format!("render again.mp4 --take {}", path.display()),
    );
    // The take of the whole session has the film's frames in it.
    let first = film.header.first_frame;
    let range = format!("--frames {first}..{}", first + frames);
    succeed(
        home.path(),
        &format!("render take/%05d.png --take jam.take {range}"),
    );
    assert_eq!(
        fs::read_dir(home.path().join("take")).unwrap().count() as u64,
        frames
    );
    if is_there("ffmpeg") {
        let [played, rendered] = [&path, &home.path().join("again.mp4")].map(|path| decoded(path));
        assert_eq!(played.len() as u64, frames);
        assert!(played == rendered, "a frame differs");
    }
}

#[test]
fn films_keep_their_size_and_stills_are_saved() {
    let Some(display) = Display::start_managed() else {
        return;
    };
    let home = tempfile::tempdir().unwrap();
    let mut program = start(&display, home.path(), &[]);
    begin_film(&program);
    program.await_steps(20);
    program.resize([240, 240]);
    program.line_beginning("EVENT resize");
    program.await_steps(20);
    program.press_with(SHIFT, 'p'.into());
    let still = program.line_beginning("EVENT still ");
    program.press_with(SHIFT, 'r'.into());
    let (path, frames) = told(&program.line_beginning("EVENT film "));
    let still = PathBuf::from(still.strip_prefix("EVENT still ").unwrap());
    assert!(still.starts_with(home.path().join("Pictures")));
    let film = mp4::open(&path).unwrap();
    assert_eq!((film.header.width, film.header.height), (320, 180));
    assert_eq!(film.frames(), frames);
    succeed(
        home.path(),
        &format!("render again.mp4 --from {}", path.display()),
    );
    succeed(
        home.path(),
        &format!("render again.png --from {}", still.display()),
    );
    assert!(fs::read(&still).unwrap() == fs::read(home.path().join("again.png")).unwrap());
    if is_there("ffmpeg") {
        let [played, rendered] = [&path, &home.path().join("again.mp4")].map(|path| decoded(path));
        assert!(played == rendered, "a frame differs");
        // Bars of the background beside the square: the luma of #03121a.
        let last = played.last().unwrap();
        assert!(
            (0..180).all(|y| last[y * 320].abs_diff(29) <= 2),
            "{}",
            last[0]
        );
    }
    program.press(ESCAPE);
    assert!(program.wait().0.success());
}

#[test]
fn whatever_ends_the_window_finishes_its_film() {
    for end in ["TERM", "quit", "server"] {
        let Some(display) = Display::start() else {
            return;
        };
        let home = tempfile::tempdir().unwrap();
        let mut program = start(&display, home.path(), &[]);
        begin_film(&program);
        program.await_steps(40);
        match end {
            "TERM" => program.signal("TERM"),
            "quit" => program.press(ESCAPE),
            _ => display.crash(),
        }
        let (_, lines) = program.wait();
        let line = lines
            .iter()
            .find(|line| line.starts_with("EVENT film "))
            .unwrap();
        let (path, frames) = told(line);
        let film = mp4::open(&path).unwrap();
        assert!(
            film.finished && film.frames() == frames && frames > 10,
            "{end}: {frames}"
        );
    }
}

/// Nothing asks a program that is killed; by the clock, it says what was lost.
#[test]
fn what_a_killed_window_filmed_plays_and_is_mended() {
    let Some(display) = Display::start() else {
        return;
    };
    let home = tempfile::tempdir().unwrap();
    let mut program = start(&display, home.path(), &[]);
    let begin = Instant::now();
    begin_film(&program);
    let videos = home.path().join("Videos");
    let film = || fs::read_dir(&videos).ok()?.next()?.ok();
    let begun = || mp4::open(&film()?.path()).ok();
    wait_for("a part of a film", || {
        begun().filter(|film| film.frames() > 0)
    });
    // And something that is in no file yet.
    program.await_steps(20);
    program.signal("KILL");
    let seconds = begin.elapsed().as_secs_f64();
    program.wait();
    let path = film().unwrap().path();
    let recorded = mp4::open(&path).unwrap();
    let [numerator, denominator] = recorded.header.fps.map(f64::from);
    let kept = recorded.frames() as f64 * denominator / numerator;
    println!("killed after {seconds:.2} s: {:.2} s lost", seconds - kept);
    assert!(!recorded.finished && recorded.frames() > 0);
    let whole = home.path().join("whole.mp4");
    succeed(
        home.path(),
        &format!("join {} -o {}", path.display(), whole.display()),
    );
    let mended = mp4::open(&whole).unwrap();
    assert!(mended.finished && mended.frames() == recorded.frames());
    if is_there("ffmpeg") {
        assert_eq!(decoded(&path).len() as u64, recorded.frames());
        assert_eq!(decoded(&whole).len() as u64, recorded.frames());
    }
}

#[test]
fn a_film_that_cannot_be_is_said_and_the_water_flows_on() {
    let Some(display) = Display::start() else {
        return;
    };
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("Videos"), "no folder").unwrap();
    fs::write(home.path().join("Pictures"), "no folder").unwrap();
    let mut program = start(&display, home.path(), &[]);
    program.press_with(SHIFT, 'r'.into());
    let line = program.line_beginning("EVENT no film: ");
    assert!(line.contains("Videos"), "{line}");
    program.press_with(SHIFT, 'p'.into());
    let line = program.line_beginning("EVENT not saved: ");
    assert!(line.contains("Pictures"), "{line}");
    program.press('w'.into());
    program.line_beginning("EVENT speed");
    program.press(ESCAPE);
    assert!(program.wait().0.success());
}
