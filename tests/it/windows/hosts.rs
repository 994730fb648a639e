//! Both kinds of window: macroquad's with OpenGL, and our own with the processor's frames.

use std::process::Stdio;

use super::xvfb::{Display, Program, Screenshot};
use crate::support::preset;

const ESCAPE: u32 = 0xff1b;
const F1: u32 = 0xffbe;
const F2: u32 = 0xffbf;
const F11: u32 = 0xffc8;

/// What paints.
const HOSTS: [&str; 2] = ["cpu", "gpu"];

/// The light over the default look's background.
fn light(shot: &Screenshot) -> f64 {
    shot.light(preset("brook").background().0)
}

fn start<'a>(display: &'a Display, host: &str, size: &str) -> Program<'a> {
    let program = display.run(&["--canvas", host, "--size", size]);
    assert!(light(&program.look()) > 1e5, "{host}");
    program
}

#[test]
fn both_windows_do_the_same() {
    let Some(display) = Display::start_managed() else {
        return;
    };
    for host in HOSTS {
        let mut program = start(&display, host, "480x270");
        let before = light(&program.look());
        for (key, on, off) in [
            (F2, "EVENT figures on", "EVENT figures off"),
            (F11, "EVENT fullscreen on", "EVENT fullscreen off"),
        ] {
            for expected in [on, off] {
                program.press(key);
                let event = &expected[..expected.rfind(' ').unwrap()];
                assert_eq!(program.line_beginning(event), expected, "{host}");
                let size = if expected == "EVENT fullscreen on" {
                    [1280, 720]
                } else {
                    [480, 270]
                };
                let what = format!("a window of {size:?} px");
                program.look_until(&what, |shot| [shot.width, shot.height] == size);
            }
        }
        program.press(F1);
        let is_covered = |shot: &Screenshot| light(shot) < before * 0.8;
        program.look_until("the help", is_covered);
        program.press('q'.into());
        let line = program.line_beginning("EVENT noise_scale");
        assert_eq!(line, "EVENT noise_scale 0.00198", "{host}");
        program.press(F1);
        let is_water = |shot: &Screenshot| (light(shot) / before - 1.0).abs() < 0.15;
        program.look_until("water without help", is_water);
        program.line_beginning("EVENT help off");
        program.press(ESCAPE);
        let (status, lines) = program.wait();
        assert!(status.success(), "{host}");
        assert_eq!(lines, ["QUIT"], "{host}");
    }
}

/// By the button of the window's frame, whatever the water does.
#[test]
fn both_windows_close() {
    let Some(display) = Display::start_managed() else {
        return;
    };
    for host in HOSTS {
        for key in [None, Some(' '), Some(',')] {
            let mut program = start(&display, host, "480x270");
            if let Some(key) = key {
                program.press(key.into());
            }
            program.close();
            assert!(program.wait().0.success(), "{host}: {key:?}");
        }
        let mut program = start(&display, host, "480x270");
        program.iconify();
        program.line_beginning("EVENT hidden");
        program.close();
        assert!(program.wait().0.success(), "{host}: iconified");
    }
}

/// Ends an X server under a running window.
#[test]
fn a_lost_server_ends_both_with_one_line() {
    for host in HOSTS {
        let Some(display) = Display::start() else {
            return;
        };
        let arguments = ["--canvas", host, "--size", "480x270"];
        let mut program = display.launch(&arguments, Stdio::piped());
        program.line_beginning("READY");
        display.crash();
        assert_eq!(
            program.words(),
            "eddyline: the X server went away\n",
            "{host}"
        );
        assert_eq!(program.wait().0.code(), Some(1), "{host}");
    }
}

/// Where nobody can see it, the picture stands still, costs nothing, and goes on at once.
#[test]
fn a_hidden_window_rests() {
    let Some(display) = Display::start_managed() else {
        return;
    };
    for host in HOSTS {
        let program = start(&display, host, "480x270");
        let rests = |hide: &dyn Fn() -> u32, show: &dyn Fn(u32)| {
            let cover = hide();
            program.line_beginning("EVENT hidden");
            program.assert_costs_nothing();
            show(cover);
            program.line_beginning("EVENT shown");
            assert!(light(&program.look()) > 1e5, "{host}");
        };
        let iconify = || {
            program.iconify();
            0
        };
        rests(&iconify, &|_| program.restore());
        rests(&|| display.cover(), &|cover| display.uncover(cover));
    }
}

/// To a server that does not share memory frames are sent, in as many requests as they need.
#[test]
fn frames_are_sent_to_a_server_that_shares_no_memory() {
    // Longer than any request of this server.
    let (width, height) = (2560, 1800);
    let screen = format!("{width}x{height}x24");
    let Some(display) = Display::start_with(&[&screen, "-extension", "MIT-SHM"]) else {
        return;
    };
    let size = format!("{width}x{height}");
    let mut program = display.run(&["--size", &size, "--canvas", "cpu"]);
    let background = preset("brook").background().0;
    let is_whole = |shot: &Screenshot| {
        [0, height / 2, height - 1].into_iter().all(|y| {
            let row = (0..width).filter(|&x| shot.pixel(x, y) != background);
            row.count() > width / 2
        })
    };
    program.look_until("a whole frame", is_whole);
    program.press(ESCAPE);
    assert!(program.wait().0.success());
}

/// A server with pixels of another kind gets the processor's frames as a texture.
#[test]
fn a_server_of_16_bits_shows_the_water() {
    let Some(display) = Display::start_with(&["1280x720x16"]) else {
        return;
    };
    let mut program = display.run(&["--size", "480x270", "--canvas", "cpu"]);
    // Its pixels have two bytes, so that no color can be told; but they move, and there are many.
    let first = program.look();
    assert!(first.kinds() > 100, "{}", first.kinds());
    program.look_until("another frame", |shot| !shot.same(&first));
    program.press(ESCAPE);
    assert!(program.wait().0.success());
}

/// A desktop that says that its screen is denser: the same water, finer.
#[test]
fn a_change_of_density_is_followed() {
    let Some(display) = Display::start() else {
        return;
    };
    let program = start(&display, "cpu", "480x270");
    display.set_density(192);
    assert_eq!(
        program.line_beginning("EVENT resize"),
        "EVENT resize 480x270"
    );
    assert_eq!(program.size(), [480, 270]);
    assert!(light(&program.look()) > 1e5);
    display.set_density(96);
    program.line_beginning("EVENT resize");
    drop(program);
    display.set_density(144);
    let program = start(&display, "cpu", "480x270");
    assert_eq!(program.size(), [720, 405]);
}

/// A window that is resized without end, from one px up, keeps its memory and its trails.
#[test]
fn a_storm_of_sizes_leaves_memory_and_trails() {
    const FASTER: u32 = 5;
    let Some(display) = Display::start() else {
        return;
    };
    for host in HOSTS {
        let mut program = start(&display, host, "640x360");
        let storm = |seed: u32, count: u32| {
            for index in 0..count {
                let bits = (seed + index).wrapping_mul(2_654_435_761);
                let size = [1 + bits % 640, 1 + (bits >> 12) % 360];
                program.resize(size);
                // Some come faster than they can be followed.
                if index % FASTER == FASTER - 1 {
                    let [width, height] = size;
                    program.line_beginning(&format!("EVENT resize {width}x{height}"));
                }
            }
            program.resize([640, 360]);
            program.line_beginning("EVENT resize 640x360");
            // What the driver gives back, it gives back later.
            program.await_frames(30);
            assert_eq!(program.size(), [640, 360]);
            program.memory("VmRSS:")
        };
        let first = storm(0, 150);
        let second = storm(1000, 250);
        println!("{host}: {first} KiB after 150 sizes, {second} KiB after 400");
        assert!(
            second < first + first / 5,
            "{host}: {first} KiB grew to {second} KiB"
        );
        assert!(light(&program.look()) > 1e5, "{host}");
        program.press(ESCAPE);
        assert!(program.wait().0.success(), "{host}");
    }
}

/// On battery half as many frames are shown, where nobody asked for a number.
#[test]
fn a_battery_halves_the_frames() {
    let Some(display) = Display::start() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let battery = folder.path().join("BAT0");
    std::fs::create_dir(&battery).unwrap();
    std::fs::write(battery.join("type"), "Battery\n").unwrap();
    std::fs::write(battery.join("status"), "Discharging\n").unwrap();
    let supply = folder.path().to_str().unwrap();
    let arguments = ["--size", "480x270", "--power-supply", supply];
    let program = display.launch(&arguments, Stdio::inherit());
    program.line_beginning("EVENT rate 30");
    let asked = [&arguments[..], &["--fps", "50"]].concat();
    let program = display.launch(&asked, Stdio::inherit());
    assert_eq!(program.line(), "EVENT preparing");
    assert_eq!(program.line(), "READY");
}

/// What a picture costs in a window is measured there.
#[test]
fn windows_are_measured() {
    let Some(display) = Display::start() else {
        return;
    };
    for host in HOSTS {
        let arguments = ["measure", "--window", "--canvas", host, "--size", "320x180"];
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_eddyline"))
            .args(arguments)
            .args(["--seconds", "0.2", "--particles", "500"])
            .env("DISPLAY", display.name())
            .env_remove("WAYLAND_DISPLAY")
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{host}: {text}");
        let line = text.lines().last().unwrap();
        let value = |key: &str| -> f64 {
            let pair = line.split(' ').find_map(|pair| pair.strip_prefix(key));
            pair.unwrap().strip_prefix('=').unwrap().parse().unwrap()
        };
        assert!(
            value("driver_ms") > 0.0 && value("frame_ms") >= value("driver_ms"),
            "{line}"
        );
        assert_eq!(value("width"), 320.0, "{line}");
        assert!(line.contains(&format!(" canvas={host} path=")), "{line}");
        assert!(!line.contains("path=none"), "{line}");
    }
}

/// Somebody else's program takes the window away: our own ends, and macroquad's says in one line that it cannot go on.
#[test]
fn a_window_that_is_destroyed_ends_in_one_line() {
    let Some(display) = Display::start() else {
        return;
    };
    for (host, code, lines) in [("cpu", 0, 0), ("gpu", 1, 1)] {
        let arguments = ["--canvas", host, "--size", "480x270"];
        let mut program = display.launch(&arguments, Stdio::piped());
        program.line_beginning("READY");
        display.destroy_window();
        let text = program.words();
        assert_eq!(program.wait().0.code(), Some(code), "{host}: {text}");
        assert_eq!(text.lines().count(), lines, "{host}: {text}");
    }
}

/// What draws on a display is found out through GLX where EGL is missing, or broken.
#[test]
fn the_driver_is_asked_by_glx_where_there_is_no_egl() {
    let Some(display) = Display::start() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("libEGL.so.1"), "no library").unwrap();
    let probe = |libraries: &str| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_eddyline"))
            .arg("probe")
            .env("DISPLAY", display.name())
            .env_remove("WAYLAND_DISPLAY")
            .env("LD_LIBRARY_PATH", libraries)
            .output()
            .unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    let (egl, glx) = (probe(""), probe(folder.path().to_str().unwrap()));
    assert!(egl.starts_with("X11\n"), "{egl}");
    // The platform, the names, and what it can draw to.
    assert_eq!(egl.lines().count(), 7, "{egl}");
    assert_eq!(egl, glx);
}
