//! The built program, as its user calls it.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::recording::pixels;
use crate::support::is_deep;

/// Runs the program in `folder` without a display.
pub fn eddyline(folder: &Path, line: &str) -> Output {
    let arguments = line.split_whitespace();
    let mut command = Command::new(env!("CARGO_BIN_EXE_eddyline"));
    command
        .args(arguments)
        .current_dir(folder)
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY");
    command.output().unwrap()
}

pub fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// The output of a run that must succeed in silence.
pub fn succeed(folder: &Path, line: &str) -> Vec<u8> {
    let output = eddyline(folder, line);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.success() && errors.is_empty(),
        "{line}: {:?} {errors}",
        output.status
    );
    output.stdout
}

/// The one line of a run that must fail with this code.
pub fn fail(folder: &Path, line: &str, code: i32) -> String {
    let output = eddyline(folder, line);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{line}: {errors}");
    assert_eq!(errors.trim_end().lines().count(), 1, "{line}: {errors}");
    assert!(errors.starts_with("eddyline: "), "{line}: {errors}");
    errors
}

/// A picture beside the preset or the command is read once; what is drawn from it needs it no more.
#[test]
fn a_palette_from_a_picture_stays_with_the_film() {
    let folder = folder();
    let photo = folder.path().join("photo.png");
    let mut encoder = png::Encoder::new(std::fs::File::create(&photo).unwrap(), 2, 2);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().unwrap();
    let corners = [255, 160, 0, 90, 0, 200, 90, 0, 200, 255, 160, 0];
    writer.write_image_data(&corners).unwrap();
    writer.finish().unwrap();
    std::fs::write(folder.path().join("mine.toml"), "palette = \"photo.png\"\n").unwrap();
    let render = |line: &str| {
        let line = format!("render water.png -y --size 160x90 --at 1s {line}");
        succeed(folder.path(), &line);
        std::fs::read(folder.path().join("water.png")).unwrap()
    };
    let by_flag = render("--palette photo.png");
    assert!(by_flag == render("--preset mine.toml"));
    assert!(by_flag == render("--palette #5a00c8,#ffa000"));
    std::fs::rename(folder.path().join("water.png"), folder.path().join("a.png")).unwrap();
    std::fs::remove_file(&photo).unwrap();
    assert!(by_flag == render("--from a.png"));
    let error = fail(folder.path(), "render b.png --at 1s --palette photo.png", 2);
    let begin = "eddyline: --palette photo.png: ";
    assert!(error.starts_with(begin) && error.contains("PNG"), "{error}");
    let error = fail(folder.path(), "render b.png --palette lava", 2);
    let begin = "eddyline: --palette lava: allowed is hsl, water, embers";
    assert!(error.starts_with(begin), "{error}");
    // Whole turns of the hue leave the picture as it is.
    for (degrees, is_same) in [(90, false), (360, true)] {
        render(&format!("--from a.png --hue-shift {degrees}"));
        let [before, after] = ["a.png", "water.png"].map(|name| pixels(&folder.path().join(name)));
        assert_eq!(before == after, is_same, "{degrees}");
    }
}

#[test]
fn the_same_command_writes_the_same_bytes() {
    let folder = folder();
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    for preset in ["brook", "original"] {
        let line = format!("--preset {preset} --size 320x180 --at 2s");
        for (name, threads) in [("a.png", 1), ("b.png", 1), ("c.png", 2), ("d.png", 7)] {
            succeed(
                folder.path(),
                &format!("render {name} -y {line} --threads {threads}"),
            );
        }
        assert!(read("a.png").starts_with(b"\x89PNG") && read("a.png").len() > 20_000);
        assert!(
            ["b.png", "c.png", "d.png"]
                .iter()
                .all(|name| read(name) == read("a.png"))
        );
    }
    let line = "render - --size 64x36 --seconds 0.5 --fps 24 --threads";
    let videos = [1, 2].map(|threads| succeed(folder.path(), &format!("{line} {threads}")));
    assert_eq!(videos[0], videos[1]);
}

#[test]
fn frames_and_video_hold_the_same_pictures() {
    let folder = folder();
    succeed(
        folder.path(),
        "render frames/%05d.png --size 64x36 --seconds 0.25 --fps 24 --at 1s",
    );
    let mut names: Vec<_> = std::fs::read_dir(folder.path().join("frames"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    names.sort();
    assert_eq!(
        names,
        [
            "00000.png",
            "00001.png",
            "00002.png",
            "00003.png",
            "00004.png",
            "00005.png"
        ]
    );
    let video = succeed(
        folder.path(),
        "render - --size 64x36 --seconds 0.25 --fps 24 --at 1s",
    );
    let header = b"YUV4MPEG2 W64 H36 F24:1 Ip A1:1 C444 XCOLORRANGE=LIMITED\n";
    assert!(video.starts_with(header));
    assert_eq!(video.len(), header.len() + 6 * (6 + 64 * 36 * 3));
    // The first frame is the still of that time, pixel for pixel.
    succeed(folder.path(), "render still.png --size 64x36 --at 1s");
    let [still, first] =
        ["still.png", "frames/00000.png"].map(|name| pixels(&folder.path().join(name)));
    assert_eq!(still, first);
    // And each picture says which it is.
    succeed(folder.path(), "render again.png --from frames/00003.png");
    let [again, third] =
        ["again.png", "frames/00003.png"].map(|name| pixels(&folder.path().join(name)));
    assert_eq!(again, third);
}

/// At scale 2 it is the same water, twice as fine.
#[test]
fn a_scale_makes_the_same_picture_finer() {
    let folder = folder();
    succeed(
        folder.path(),
        "render a.png --size 320x180 --at 1s --stroke-width 2",
    );
    succeed(
        folder.path(),
        "render b.png --size 640x360 --at 1s --stroke-width 2 --scale 2",
    );
    let read = |name: &str| {
        let file = std::io::BufReader::new(std::fs::File::open(folder.path().join(name)).unwrap());
        let mut reader = png::Decoder::new(file).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        pixels
    };
    let (coarse, fine) = (read("a.png"), read("b.png"));
    let mut off = 0.0;
    for (index, &code) in coarse.iter().enumerate() {
        let (x, y, channel) = (index / 3 % 320, index / 3 / 320, index % 3);
        let at =
            |dx: usize, dy: usize| f64::from(fine[((y * 2 + dy) * 640 + x * 2 + dx) * 3 + channel]);
        off += (f64::from(code) - (at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1)) / 4.0).abs();
    }
    assert!(
        off / (coarse.len() as f64) < 2.0,
        "{} codes on average",
        off / coarse.len() as f64
    );
}

#[test]
fn settings_shows_every_row() {
    let folder = folder();
    let text = String::from_utf8(succeed(folder.path(), "settings --fade 0.123")).unwrap();
    for row in eddyline::settings::SETTINGS {
        assert!(
            text.contains(row.name) && text.contains(row.help) && text.contains(&row.allowed()),
            "{}",
            row.name
        );
    }
    assert!(text.contains("0.123"));
}

#[test]
fn mistakes_are_one_line_and_exit_2() {
    let folder = folder();
    std::fs::write(folder.path().join("bad.toml"), "speed = 2\n\nfade = 40\n").unwrap();
    std::fs::write(folder.path().join("broken.toml"), "speed = = 2\n").unwrap();
    std::fs::write(folder.path().join("binary.toml"), [0xff, 0xfe, 0, 1]).unwrap();
    let allowed = "bad.toml:3: fade = 40: allowed is 0.002 to 0.9 per step";
    assert!(fail(folder.path(), "render a.png --preset bad.toml", 2).contains(allowed));
    assert!(fail(folder.path(), "--preset bad.toml", 2).contains(allowed));
    assert!(
        fail(folder.path(), "render a.png --preset broken.toml", 2).contains("broken.toml:1: ")
    );
    assert!(fail(folder.path(), "settings --preset binary.toml", 2).contains("binary.toml"));
    assert!(fail(folder.path(), "settings --preset .", 2).contains("preset .: "));
    fail(folder.path(), "settings --preset none.toml", 2);
    fail(folder.path(), "render a.jpg", 2);
    fail(folder.path(), "render a.png --speed nan", 2);
    fail(folder.path(), "--noise-scale 1", 2);
    fail(folder.path(), "swim", 2);
    assert!(!folder.path().join("a.png").exists());
}

#[test]
fn what_cannot_be_written_is_one_line_and_exits_1() {
    let folder = folder();
    std::fs::create_dir(folder.path().join("folder.png")).unwrap();
    assert!(fail(folder.path(), "render nowhere/a.png --size 16x16", 1).contains("nowhere/a.png"));
    assert!(
        fail(folder.path(), "render folder.png --size 16x16", 1)
            .contains("folder.png: is a folder")
    );
    assert!(fail(folder.path(), "field /dev/full", 1).contains("/dev/full"));
    std::fs::write(folder.path().join("file"), "").unwrap();
    assert!(fail(folder.path(), "render file/%05d.png --size 16x16", 1).contains("file"));
    let names: Vec<_> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(names.len(), 2, "nothing else is left behind: {names:?}");
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_eddyline"))
        .args(["render", "-", "--size", "320x180", "--seconds", "20"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut [0; 100]).unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{output:?}"
    );
}

#[test]
fn a_drawn_seed_is_said_and_draws_the_same_again() {
    let folder = folder();
    let output = eddyline(folder.path(), "render a.png --size 64x64 --seed random");
    let line = String::from_utf8(output.stderr).unwrap();
    let seed = line.strip_prefix("seed ").unwrap().trim_end();
    succeed(
        folder.path(),
        &format!("render b.png --size 64x64 --seed {seed}"),
    );
    let [a, b] = ["a.png", "b.png"].map(|name| std::fs::read(folder.path().join(name)).unwrap());
    assert_eq!(a, b);
}

#[test]
fn tiny_and_long_pictures_work() {
    let folder = folder();
    for size in ["1x1", "1x300", "4096x4"] {
        succeed(
            folder.path(),
            &format!("render a.png -y --size {size} --at 0s"),
        );
    }
    succeed(
        folder.path(),
        "render a.png -y --size 64x64 --particles 0 --particle-area 100000 --at 0.5s",
    );
    succeed(
        folder.path(),
        "render a.png -y --size 64x64 --noise-scale 0.5 --speed 20 --turns 16 --at 1000h",
    );
}

/// Runs a line of the shell in `folder`, with the program as `$E`; returns exit code and stderr.
fn shell(folder: &Path, line: &str) -> (Option<i32>, String) {
    let mut command = Command::new("sh");
    command
        .args(["-c", line])
        .current_dir(folder)
        .env("E", env!("CARGO_BIN_EXE_eddyline"));
    let output = command
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .output()
        .unwrap();
    (
        output.status.code(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
    )
}

/// Nobody to be told is no reason to panic.
#[test]
fn an_unwritable_stderr_changes_no_exit_code() {
    let folder = folder();
    let code = |line: &str| shell(folder.path(), line).0;
    assert_eq!(code("$E render a.bmp 2>/dev/full"), Some(2));
    assert_eq!(code("$E render nowhere/a.png 2>/dev/full"), Some(1));
    assert_eq!(
        code("$E render a.png --size 8x8 --seed random 2>/dev/full"),
        Some(0)
    );
    assert!(folder.path().join("a.png").exists());
}

#[test]
fn an_answer_that_is_lost_is_a_failure() {
    for line in [
        "--help",
        "--version",
        "settings",
        "field -",
        "render - --size 8x8",
    ] {
        let (code, errors) = shell(&std::env::temp_dir(), &format!("$E {line} >/dev/full"));
        assert_eq!(code, Some(1), "{line}: {errors}");
        assert!(
            errors.starts_with("eddyline: stdout: ") && errors.lines().count() == 1,
            "{line}: {errors}"
        );
    }
}

/// What cannot be written is found before the picture is computed: this one would take a quarter of an hour.
#[test]
fn an_unwritable_place_is_found_at_once() {
    let folder = folder();
    let begin = std::time::Instant::now();
    fail(
        folder.path(),
        "render nowhere/a.png --size 16384x8192 --fade 0.002",
        1,
    );
    fail(
        folder.path(),
        "render /dev/null/%d.png --size 16384x8192 --fade 0.002",
        1,
    );
    assert!(begin.elapsed().as_secs() < 20);
}

#[test]
fn limits_and_signals_leave_one_line_and_no_files() {
    let folder = folder();
    let expect = |line: &str, said: &str| {
        let (code, errors) = shell(folder.path(), line);
        assert_eq!(code, Some(1), "{line}: {errors}");
        assert!(
            errors.contains(said) && errors.lines().count() == 1,
            "{line}: {errors}"
        );
        assert_eq!(
            std::fs::read_dir(folder.path()).unwrap().count(),
            0,
            "{line}"
        );
    };
    expect(
        "ulimit -f 10; exec $E render a.png --size 640x480 --at 0",
        "a.png: File too large",
    );
    // A still is painted in bands, and a film is not.
    for (limit, name, size) in [
        (300_000, "a.png", "16384x8192"),
        (1_500_000, "a.mp4", "8192x4352"),
    ] {
        expect(
            &format!(
                "ulimit -v {limit}; exec timeout 60 $E render {name} --size {size} --threads 1 --jobs 1"
            ),
            &format!("not enough memory for {size}"),
        );
    }
    for signal in ["INT", "TERM"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_eddyline"));
        command
            .args(["render", "a.png", "--fade", "0.002"])
            .current_dir(folder.path());
        let child = command.stderr(Stdio::piped()).spawn().unwrap();
        // Until the temporary file is there, nothing could be left behind.
        while std::fs::read_dir(folder.path()).unwrap().count() == 0 {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let (code, errors) = shell(folder.path(), &format!("kill -s {signal} {}", child.id()));
        assert_eq!(code, Some(0), "{errors}");
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(output.stderr, b"eddyline: interrupted\n");
        assert_eq!(
            std::fs::read_dir(folder.path()).unwrap().count(),
            0,
            "{signal}"
        );
    }
}

#[test]
fn names_in_messages_cannot_break_the_line() {
    let folder = folder();
    std::fs::write(
        folder.path().join("evil.toml"),
        "\"a\\nb\\u001b[31m\" = 1\n",
    )
    .unwrap();
    let text = fail(folder.path(), "settings --preset evil.toml", 2);
    assert!(!text.trim_end().contains(char::is_control), "{text:?}");
}

/// The value of a key in the last line of `measure`.
fn key(text: &str, name: &str) -> String {
    let line = text.lines().last().unwrap();
    let pair = line
        .split(' ')
        .find_map(|pair| pair.strip_prefix(&format!("{name}=")));
    pair.unwrap_or_else(|| panic!("no {name} in {line}"))
        .to_owned()
}

#[test]
fn measure_says_what_a_frame_costs() {
    let folder = folder();
    let measure = |line: &str| {
        let line = format!("measure --size 320x180 --seconds 0.1 {line}");
        String::from_utf8(succeed(folder.path(), &line)).unwrap()
    };
    for canvas in ["cpu", "none"] {
        let text = measure(&format!("--canvas {canvas} --threads 2 --particles 3000"));
        assert!(text.lines().any(|line| line.starts_with("step ")), "{text}");
        assert_eq!(key(&text, "canvas"), canvas);
        assert_eq!(key(&text, "threads"), "2");
        let number = |name: &str| key(&text, name).parse::<f64>().unwrap();
        assert!(number("particles") > 3000.0, "{text}");
        for name in [
            "step_ms",
            "step_ns_per_particle",
            "floor_ns_per_particle",
            "frame_cpu_ms",
            "memory_mb",
        ] {
            assert!(number(name) > 0.0, "{name}: {text}");
        }
        for name in ["stroke_ms", "fade_ms", "present_ms"] {
            assert_eq!(number(name) > 0.001, canvas == "cpu", "{name}: {text}");
        }
    }
    // Few particles are carried exactly, many on a grid; it says which.
    let field = |particles: u32| {
        key(
            &measure(&format!("--canvas none --particles {particles}")),
            "field",
        )
    };
    assert_eq!([field(10), field(100_000)], ["exact", "grid"]);
}

#[test]
fn measure_takes_any_count_and_any_size() {
    let folder = folder();
    // The largest count there is takes a while.
    let many = if is_deep() { 10_000_000 } else { 500_000 };
    for count in [0, 1, 63, 64, 65, many] {
        // Short lives, so that ten million are soon in full flow.
        let line = format!(
            "measure --canvas none --size 64x64 --seconds 0 --particles {count} --lifetime-shortest 2 --lifetime-longest 2"
        );
        let text = String::from_utf8(succeed(folder.path(), &line)).unwrap();
        let carried: u32 = key(&text, "particles").parse().unwrap();
        assert!(carried >= count / 10 * 9, "{count}: {text}");
    }
    for size in ["1x1", "16384x16"] {
        succeed(
            folder.path(),
            &format!("measure --size {size} --seconds 0 --particles 65"),
        );
    }
    let message = fail(folder.path(), "measure --particles 10000001", 2);
    assert!(
        message.contains("--particles 10000001: allowed is a whole number from 0 to 10000000"),
        "{message}"
    );
    let message = fail(folder.path(), "measure --size 16385x16", 2);
    assert!(message.contains("--size 16385x16"), "{message}");
    let message = fail(folder.path(), "measure --canvas none --window", 2);
    assert!(message.contains("--window"), "{message}");
    let message = fail(folder.path(), "measure --canvas paper", 2);
    assert!(message.contains("cpu, gpu, none"), "{message}");
}

/// Whatever kernel draws it, the picture has the same bytes; one that the CPU lacks is refused.
#[test]
fn kernels_write_the_same_bytes() {
    let folder = folder();
    for preset in ["brook", "original"] {
        let mut pictures = Vec::new();
        for level in eddyline::simd::available() {
            let name = level.name();
            let line = format!(
                "render {name}.png -y --preset {preset} --particles-max 0 --particles 9000 --fade 0.1 --lifetime-longest 100 --size 480x270 --at 1s --kernel {name}"
            );
            succeed(folder.path(), &line);
            pictures.push(std::fs::read(folder.path().join(format!("{name}.png"))).unwrap());
        }
        assert!(pictures[0].len() > 20_000);
        assert!(
            pictures.iter().all(|picture| *picture == pictures[0]),
            "{preset}"
        );
    }
    let message = fail(folder.path(), "render a.png --kernel mmx", 2);
    assert!(message.contains("--kernel mmx: allowed is "), "{message}");
}
