//! Films and pictures as files: every frame is there, in every format, whatever ends the program.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use eddyline::record::mp4;

use crate::commands::{eddyline, fail, folder, succeed};
use crate::support::{is_deep, is_there};

/// Settings under which a film is short work.
const SMALL: &str = "--preset original --size 160x90";

fn frames(path: &Path) -> u64 {
    mp4::open(path).unwrap().frames()
}

/// The frames of a film as ffmpeg sees them, each as a line that stands for its pixels. It must have nothing to complain of.
fn decoded(path: &Path) -> Vec<String> {
    let output = Command::new("ffmpeg")
        .args(["-v", "error", "-i"])
        .arg(path)
        .args(["-an", "-fps_mode", "passthrough", "-f", "framemd5", "-"])
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && errors.is_empty(),
        "{}: {errors}",
        path.display()
    );
    String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.rsplit(',').next().unwrap().trim().to_owned())
        .collect()
}

/// The samples of a picture.
pub fn pixels(path: &Path) -> Vec<u8> {
    let file = std::io::BufReader::new(fs::File::open(path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    pixels
}

/// The largest difference of two pictures in codes.
fn largest_difference(a: &Path, b: &Path) -> u8 {
    let (a, b) = (pixels(a), pixels(b));
    assert_eq!(a.len(), b.len());
    a.iter().zip(&b).map(|(a, b)| a.abs_diff(*b)).max().unwrap()
}

#[test]
fn a_film_has_every_frame_at_every_rate() {
    let folder = folder();
    for (fps, seconds, expected) in [
        ("60", "1.5", 90),
        ("24000/1001", "2", 48),
        ("30", "0.51", 15),
        ("12.5", "0.5", 6),
        ("240", "0.25", 60),
        ("1", "0.1", 1),
    ] {
        succeed(
            folder.path(),
            &format!("render a.mp4 -y {SMALL} --fps {fps} --seconds {seconds}"),
        );
        let film = mp4::open(&folder.path().join("a.mp4")).unwrap();
        assert_eq!(film.frames(), expected, "{fps} fps, {seconds} s");
        assert!(film.finished);
    }
}

#[test]
fn films_are_the_same_bytes_with_any_number_of_threads() {
    let folder = folder();
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    for ending in ["mp4", "gif", "apng", "y4m"] {
        for (name, jobs, threads) in [("a", 1, 1), ("b", 2, 2), ("c", 3, 1), ("d", 1, 1)] {
            let line = format!("render {name}.{ending} {SMALL} --quiet --seconds 1.2 --at 1s");
            succeed(
                folder.path(),
                &format!("{line} --jobs {jobs} --threads {threads}"),
            );
        }
        let first = read(&format!("a.{ending}"));
        assert!(first.len() > 10_000);
        for name in ["b", "c", "d"] {
            assert!(
                read(&format!("{name}.{ending}")) == first,
                "{name}.{ending}"
            );
        }
    }
}

/// The encoder has switches for its makers in the environment, which are not for whoever has such a variable.
#[test]
fn the_environment_changes_no_byte_of_a_film() {
    let folder = folder();
    succeed(
        folder.path(),
        &format!("render a.mp4 {SMALL} --quiet --seconds 0.5"),
    );
    let status = Command::new(env!("CARGO_BIN_EXE_eddyline"))
        .args(["render", "b.mp4", "--quiet", "--seconds", "0.5"])
        .args(SMALL.split(' '))
        .envs([("RFF_SUBPEL", "1"), ("RFF_CENSUS_CSV", "census.csv")])
        .current_dir(folder.path())
        .status()
        .unwrap();
    assert!(status.success());
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert!(read("a.mp4") == read("b.mp4"));
    assert!(!folder.path().join("census.csv").exists());
}

#[test]
fn parts_are_the_whole() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let line = format!("{SMALL} --at 1s --fps 24");
    succeed(folder.path(), &format!("render all.mp4 {line} --seconds 3"));
    for (name, range) in [("c", "48..72"), ("a", "0..24"), ("b", "24..48")] {
        succeed(
            folder.path(),
            &format!("render {name}.mp4 {line} --frames {range}"),
        );
    }
    succeed(folder.path(), "join c.mp4 a.mp4 b.mp4 -o joined.mp4");
    assert_eq!(frames(&at("joined.mp4")), 72);
    if is_there("ffmpeg") {
        assert_eq!(decoded(&at("joined.mp4")), decoded(&at("all.mp4")));
        assert_eq!(decoded(&at("b.mp4")), decoded(&at("all.mp4"))[24..48]);
    }
    succeed(
        folder.path(),
        &format!("render all/%03d.png {line} --frames 0..30"),
    );
    succeed(
        folder.path(),
        &format!("render part/%03d.png {line} --frames 20..30"),
    );
    for number in 20..30 {
        let [all, part] = ["all", "part"].map(|name| at(&format!("{name}/{number:03}.png")));
        assert!(largest_difference(&all, &part) <= 1);
    }
    assert_eq!(fs::read_dir(at("part")).unwrap().count(), 10);
    let message = fail(folder.path(), "join a.mp4 c.mp4 -o gap.mp4", 1);
    assert!(message.contains("c.mp4"), "{message}");
    assert!(!at("gap.mp4").exists());
}

/// Each part says all that it was made from, and the whole says it once.
#[test]
fn parts_of_a_performance_are_the_whole() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let take = "eddyline-take 1\nwindow 160 90\nat 5 set hue 20\nat 60 set turns 2\nat 61 set hue 300\nat 62 stir 80 45 3 1\nat 90 world 160 80 40\nend 120\n";
    fs::write(at("jam.take"), take).unwrap();
    for (name, range) in [("all", "0..120"), ("a", "0..60"), ("b", "60..120")] {
        let line = format!("render {name}.mp4 --take jam.take --frames {range}");
        succeed(folder.path(), &line);
    }
    succeed(folder.path(), "join b.mp4 a.mp4 -o joined.mp4");
    succeed(folder.path(), "render again.mp4 --from joined.mp4");
    succeed(folder.path(), "render b-again.mp4 --from b.mp4");
    let read = |name: &str| fs::read(at(name)).unwrap();
    assert!(read("again.mp4") == read("all.mp4"));
    assert!(read("b-again.mp4") == read("b.mp4"));
}

#[test]
fn parts_of_films_are_whole_groups_and_say_so() {
    let folder = folder();
    let output = eddyline(
        folder.path(),
        &format!("render a.mp4 {SMALL} --fps 24 --frames 5..40"),
    );
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        said,
        "frames 0..36: parts of .mp4 are multiples of 12 frames at this rate\n"
    );
    assert_eq!(frames(&folder.path().join("a.mp4")), 36);
    let message = fail(
        folder.path(),
        &format!("render b.mp4 {SMALL} --fps 24 --frames 5..9"),
        2,
    );
    assert!(message.contains("multiples of 12 frames"), "{message}");
}

#[test]
fn a_loop_ends_as_it_begins() {
    let folder = folder();
    let at = |number: u64| folder.path().join(format!("{number:03}.png"));
    succeed(
        folder.path(),
        &format!("render %03d.png {SMALL} --loop 1.03s --fps 24 --repeat 2"),
    );
    // 25 frames, twice.
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 50);
    for number in [0, 1, 12, 24] {
        assert!(largest_difference(&at(number), &at(number + 25)) <= 1);
    }
    let mean = |a: u64, b: u64| {
        let (a, b) = (pixels(&at(a)), pixels(&at(b)));
        let sum: u64 = a
            .iter()
            .zip(&b)
            .map(|(a, b)| u64::from(a.abs_diff(*b)))
            .sum();
        sum as f64 / a.len() as f64
    };
    let neighbours = (mean(11, 12) + mean(5, 6)) / 2.0;
    assert!(neighbours > 0.05);
    let seam = mean(24, 25);
    assert!(
        (0.75..1.25).contains(&(seam / neighbours)),
        "{seam} {neighbours}"
    );
}

#[test]
fn every_file_says_how_it_was_made() {
    let folder = folder();
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    let look = "--preset water --noise-scale 0.0031 --seed 77 --hue 20";
    for (file, again, line) in [
        (
            "a.mp4",
            "b.mp4",
            "--size 160x90 --seconds 0.6 --fps 24000/1001 --at 2s",
        ),
        ("a.png", "b.png", "--size 161x91 --scale 1.5 --at 3.3s"),
        ("a.gif", "b.gif", "--size 160x90 --loop 0.5s --fps 20"),
        ("a.apng", "b.apng", "--size 160x90 --seconds 0.3"),
        ("a.svg", "b.svg", "--paper a5 --landscape --pens 3"),
    ] {
        succeed(
            folder.path(),
            &format!("render {file} --quiet {look} {line}"),
        );
        let paper = if file == "a.svg" { line } else { "" };
        succeed(
            folder.path(),
            &format!("render {again} --quiet --from {file} {paper}"),
        );
        assert!(read(file) == read(again), "{file}");
    }
    for file in ["a.mp4", "a.png", "a.gif", "a.apng", "a.svg"] {
        succeed(
            folder.path(),
            &format!("render -y still.png --from {file} --size 64x36 --at 1s"),
        );
    }
}

#[test]
fn existing_files_are_kept_unless_told() {
    let folder = folder();
    for name in ["a.mp4", "a.png", "a.svg", "a.gif", "a.mkv", "f1.png"] {
        fs::write(folder.path().join(name), "mine").unwrap();
    }
    for name in ["a.mp4", "a.png", "a.svg", "a.gif", "a.mkv", "f%d.png"] {
        let message = fail(folder.path(), &format!("render {name} {SMALL} --quiet"), 1);
        assert!(
            message.contains("exists already; -y replaces it"),
            "{message}"
        );
    }
    fail(folder.path(), "field a.png", 1);
    fail(folder.path(), "join a.mp4 -o a.mp4", 1);
    let kept = fs::read_dir(folder.path()).unwrap();
    for entry in kept {
        let path = entry.unwrap().path();
        assert_eq!(fs::read(&path).unwrap(), b"mine", "{}", path.display());
    }
    succeed(
        folder.path(),
        &format!("render a.mp4 -y {SMALL} --seconds 0.1"),
    );
    assert_eq!(frames(&folder.path().join("a.mp4")), 6);
}

#[test]
fn files_that_say_nothing_are_named() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("text.mp4"), "no film").unwrap();
    fs::write(at("broken.take"), "eddyline-take 1\nwindow 9 9\nat x\n").unwrap();
    succeed(
        folder.path(),
        &format!("render whole.mp4 {SMALL} --seconds 1"),
    );
    let whole = fs::read(at("whole.mp4")).unwrap();
    fs::write(at("head.mp4"), &whole[..700]).unwrap();
    for (line, part) in [
        (
            "render a.mp4 --from text.mp4",
            "nothing in it says how it was made",
        ),
        ("render a.mp4 --take missing.take", "No such file"),
        (
            "render a.mp4 --take broken.take",
            "line 3: at x: not understood",
        ),
        ("--from text.mp4", "nothing in it says how it was made"),
    ] {
        let message = fail(folder.path(), line, 2);
        assert!(message.contains(part), "{line}: {message}");
    }
    for line in [
        "join text.mp4 -o a.mp4",
        "join head.mp4 -o a.mp4",
        "join nothing.mp4 -o a.mp4",
    ] {
        fail(folder.path(), line, 1);
    }
    assert!(!at("a.mp4").exists());
}

#[test]
fn video_has_even_sides_and_says_which() {
    let folder = folder();
    let line = "render a.mp4 --preset original --size 161x91 --seconds 0.1";
    let output = eddyline(folder.path(), line);
    assert!(output.status.success());
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("161x91: video has even sides, so this one is 160x90"),
        "{said}"
    );
    let film = mp4::open(&folder.path().join("a.mp4")).unwrap();
    assert_eq!((film.header.width, film.header.height), (160, 90));
}

/// What players show is what was painted, both from our own encoder and from ffmpeg's.
#[test]
fn flat_colors_stay_what_they_are() {
    if !is_there("ffmpeg") {
        return;
    }
    let folder = folder();
    for (color, [red, green, blue]) in [
        ("#031e28", [0x03, 0x1e, 0x28]),
        ("#d03020", [0xd0, 0x30, 0x20]),
        ("#20a040", [0x20, 0xa0, 0x40]),
        ("#f0e8d0", [0xf0, 0xe8, 0xd0]),
    ] {
        for name in ["flat.mp4", "flat.mkv"] {
            let line = format!(
                "render {name} -y --preset original --size 160x90 --seconds 0.1 --particles 1 --background {color}"
            );
            succeed(folder.path(), &line);
            let shown = Command::new("ffmpeg")
                .args(["-v", "error", "-i", name, "-sws_flags", "accurate_rnd"])
                .args(["-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
                .current_dir(folder.path())
                .output()
                .unwrap();
            let pixels = shown.stdout.as_chunks::<3>().0;
            assert_eq!(pixels.len(), 6 * 160 * 90);
            for (channel, code) in [red, green, blue].into_iter().enumerate() {
                let mut codes: Vec<u8> = pixels.iter().map(|pixel| pixel[channel]).collect();
                codes.sort_unstable();
                let median = codes[codes.len() / 2];
                assert!(median.abs_diff(code) <= 4, "{name} {color}: {median}");
            }
        }
    }
}

#[test]
fn progress_is_lines_for_programs() {
    let folder = folder();
    let line = format!("render a.mp4 {SMALL} --seconds 0.5 --progress json");
    let output = eddyline(folder.path(), &line);
    let lines: Vec<serde_json::Value> = String::from_utf8(output.stderr)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let last = lines.last().unwrap();
    let size = fs::metadata(folder.path().join("a.mp4")).unwrap().len();
    assert_eq!(
        (&last["stage"], &last["done"]),
        (&"done".into(), &30.into())
    );
    assert_eq!(last["bytes"], size);
    assert!(lines.iter().any(|line| line["stage"] == "warming up"));
    assert!(
        lines
            .iter()
            .any(|line| line["stage"] == "frames" && line["total"] == 30)
    );
}

#[test]
fn finer_and_blurred_pictures_hold_the_same_light() {
    let folder = folder();
    let line = "--preset original --size 320x180 --at 3s --speed 3";
    let mean = |name: &str, more: &str| {
        succeed(folder.path(), &format!("render {name}.png {line} {more}"));
        let pixels = pixels(&folder.path().join(format!("{name}.png")));
        let sum: u64 = pixels.iter().map(|&code| u64::from(code)).sum();
        sum as f64 / pixels.len() as f64
    };
    let plain = mean("plain", "");
    for (name, more) in [
        ("fine", "--supersample 2"),
        ("blurred", "--motion-blur 8 --shutter 360 --fps 12"),
    ] {
        let other = mean(name, more);
        assert!(
            (other / plain - 1.0).abs() < 0.06,
            "{name}: {other} {plain}"
        );
        let [a, b] = ["plain", name].map(|name| folder.path().join(format!("{name}.png")));
        assert!(largest_difference(&a, &b) > 3, "{name}");
    }
    // A blur of no motion is the picture itself.
    mean("still", "--motion-blur 5 --shutter 1 --fps 1000");
    let [a, b] = ["plain", "still"].map(|name| folder.path().join(format!("{name}.png")));
    assert!(largest_difference(&a, &b) <= 1);
    succeed(folder.path(), &format!("render deep.png {line} --depth 16"));
    let deep = pixels(&folder.path().join("deep.png"));
    let plain = pixels(&folder.path().join("plain.png"));
    assert_eq!(deep.len(), plain.len() * 2);
    for (deep, code) in deep.chunks_exact(2).zip(&plain) {
        let deep = f64::from(u16::from_be_bytes([deep[0], deep[1]])) / 257.0;
        assert!((deep - f64::from(*code)).abs() < 1.01);
    }
}

#[test]
fn a_take_is_shown_at_any_size_of_its_aspect_and_others_are_refused() {
    let folder = folder();
    let take = "eddyline-take 1\nwindow 320 180\nsetting seed 3\nat 30 set turns 2\nat 60 world 180 180 50\nend 90\n";
    fs::write(folder.path().join("jam.take"), take).unwrap();
    succeed(folder.path(), "render a.mp4 --take jam.take --size 640x360");
    assert_eq!(frames(&folder.path().join("a.mp4")), 90);
    let message = fail(
        folder.path(),
        "render b.mp4 --take jam.take --size 640x640",
        2,
    );
    assert!(
        message.contains("--fit pad") && message.contains("--fit crop"),
        "{message}"
    );
    let bar = |fit: &str, at: &str| {
        let name = format!("{fit}{at}.png");
        succeed(
            folder.path(),
            &format!(
                "render {name} --take jam.take --size 320x180 --fit {fit} --at {at} --background #102030"
            ),
        );
        let pixels = pixels(&folder.path().join(&name));
        // The left edge, all of its height.
        (0..180).all(|y| pixels[y * 320 * 3..][..3] == [0x10, 0x20, 0x30])
    };
    assert!(!bar("pad", "0.5s"));
    assert!(bar("pad", "1.4s"));
    assert!(!bar("crop", "1.4s"));
    let message = fail(folder.path(), "render b.mp4 --take jam.take --loop 2s", 2);
    assert!(message.contains("cannot close"), "{message}");
}

/// A render that goes on for long, with its progress on stderr.
fn long_render(folder: &Path, name: &str) -> std::process::Child {
    Command::new(env!("CARGO_BIN_EXE_eddyline"))
        .args([
            "render",
            name,
            "--progress",
            "json",
            "--seconds",
            "500",
            "--jobs",
            "2",
        ])
        .args(SMALL.split(' '))
        .current_dir(folder)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Kills a render once it says that so many frames are done; returns all that it said.
fn kill_after(child: &mut std::process::Child, frames: u64) -> String {
    let mut said = String::new();
    let mut lines = BufReader::new(child.stderr.take().unwrap());
    loop {
        let begin = said.len();
        assert!(lines.read_line(&mut said).unwrap() > 0, "it ended: {said}");
        if done(&said[begin..]).is_some_and(|done| done >= frames) {
            break;
        }
    }
    child.kill().unwrap();
    lines.read_to_string(&mut said).unwrap();
    child.wait().unwrap();
    said
}

/// The frames that a line of progress says are done.
fn done(line: &str) -> Option<u64> {
    let line: serde_json::Value = serde_json::from_str(line).ok()?;
    let is_of_frames = line["stage"] == "frames";
    is_of_frames.then(|| line["done"].as_u64()).flatten()
}

#[test]
fn whatever_is_killed_plays() {
    if !is_there("ffmpeg") {
        return;
    }
    let folder = folder();
    let mut kept = 0;
    let rounds = if is_deep() { 30 } else { 6 };
    for round in 0..rounds {
        let name = format!("{round}.mp4");
        let mut child = long_render(folder.path(), &name);
        // Anywhere in a group, and in the first ones before there is a file.
        let said = kill_after(&mut child, round * 47 % 270);
        let path = folder.path().join(&name);
        if !path.exists() {
            continue;
        }
        let count = decoded(&path).len() as u64;
        assert_eq!(frames(&path), count);
        let made = said.lines().filter_map(done).max().unwrap();
        // Jobs and two groups of thirty frames.
        assert!(count + 4 * 30 >= made, "{count} of {made}");
        succeed(folder.path(), &format!("join {name} -o whole{round}.mp4"));
        assert_eq!(
            decoded(&folder.path().join(format!("whole{round}.mp4"))).len() as u64,
            count
        );
        kept += 1;
    }
    assert!(kept >= 2, "{kept}");
}

#[cfg(unix)]
#[test]
fn an_end_that_the_system_asks_for_finishes_the_file() {
    let folder = folder();
    for ending in ["mp4", "gif", "apng"] {
        let name = format!("a.{ending}");
        let child = long_render(folder.path(), &name);
        let path = folder.path().join(&name);
        let begin = Instant::now();
        while !path.exists() {
            assert!(
                begin.elapsed() < Duration::from_secs(60),
                "{name} never appears"
            );
            std::thread::sleep(Duration::from_millis(20));
        }
        let pid = child.id().to_string();
        Command::new("kill").args(["-TERM", &pid]).status().unwrap();
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{said}");
        let last = said.lines().last().unwrap();
        assert!(
            last.contains(" frames: interrupted") && last.contains(&name),
            "{last}"
        );
        if ending == "mp4" {
            assert!(mp4::open(&path).unwrap().finished);
        }
        if is_there("ffmpeg") {
            let told: usize = last
                .split(" holds ")
                .nth(1)
                .unwrap()
                .split(' ')
                .next()
                .unwrap()
                .parse()
                .unwrap();
            assert_eq!(decoded(&path).len(), told);
        }
    }
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_an_error_and_what_is_there_plays() {
    let folder = folder();
    let run = |name: &str, blocks: u32, more: &str| {
        let program = env!("CARGO_BIN_EXE_eddyline");
        let line = format!("ulimit -f {blocks}; exec {program} render {name} {SMALL} {more}");
        let output = Command::new("bash")
            .args(["-c", &line])
            .current_dir(folder.path())
            .output()
            .unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{name}: {said}");
        assert!(said.contains("too large") && said.contains(name), "{said}");
        // What it made and what is there are two numbers.
        let is_told = said.contains("holds the first of ");
        assert_eq!(is_told, !name.ends_with("png"), "{said}");
        folder.path().join(name)
    };
    let film = run("a.mp4", 200, "--seconds 60");
    let count = frames(&film);
    assert!(count >= 30, "{count}");
    let gif = run("a.gif", 200, "--seconds 60 --fps 50");
    assert!(fs::metadata(&gif).unwrap().len() > 100_000);
    let still = run("a.png", 10, "");
    assert!(!still.exists());
    if is_there("ffmpeg") {
        assert_eq!(decoded(&film).len() as u64, count);
        let mkv = run_mkv(folder.path());
        assert!(mkv.contains("a.mkv"), "{mkv}");
    }
}

/// What is said of an .mkv that meets a full disk; ffmpeg itself says nothing then.
fn run_mkv(folder: &Path) -> String {
    let program = env!("CARGO_BIN_EXE_eddyline");
    let line = format!("ulimit -f 100; exec {program} render a.mkv {SMALL} --seconds 60");
    let output = Command::new("bash")
        .args(["-c", &line])
        .current_dir(folder)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8(output.stderr).unwrap()
}
