//! Looks that come by a key or by themselves, in a real window.

use std::fs;
use std::path::Path;

use eddyline::record::mp4;
use eddyline::settings::preset::Preset;
use eddyline::take::Take;

use super::xvfb::{Display, Program};
use crate::commands::succeed;
use crate::recording::pixels;

const ESCAPE: u32 = 0xff1b;
const SHIFT: u32 = 0xffe1;
const TAB: u32 = 0xff09;
const SPACE: u32 = 0x20;

const LOOKS: [&str; 8] = [
    "--size",
    "160x90",
    "--dissolve",
    "0.5",
    "--preset",
    "mono",
    "--looks",
    "mono,neon,embers",
];

/// The name of the look that comes next, and the step.
fn next_look(program: &Program) -> (String, i64) {
    let line = program.line_beginning("EVENT look ");
    let mut words = line.split(' ').skip(2);
    let name = words.next().unwrap().to_owned();
    (name, words.next().unwrap().parse().unwrap())
}

fn take(path: &Path) -> Take {
    Take::parse(&fs::read_to_string(path).unwrap()).unwrap()
}

/// Tab goes on and Shift+Tab goes back, on both canvases; what was shown is rendered again from the take.
#[test]
fn a_key_lets_another_look_come() {
    let Some(display) = Display::start() else {
        return;
    };
    for canvas in ["cpu", "gpu"] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("jam.take");
        let more = ["--canvas", canvas, "--save-take", path.to_str().unwrap()];
        let mut program = display.run(&[&LOOKS, &more[..]].concat());
        program.press(TAB);
        let (name, first) = next_look(&program);
        assert_eq!(name, "neon");
        // The second comes while a look is on its way.
        program.press_all(&[TAB, TAB]);
        assert_eq!(next_look(&program).0, "mono");
        program.press_with(SHIFT, TAB);
        let (name, last) = next_look(&program);
        assert_eq!(name, "embers");
        // Settings belong to the look that is there.
        program.press('w'.into());
        assert_eq!(program.line_beginning("EVENT speed"), "EVENT speed 1.6");
        program.await_steps(30);
        program.press(SPACE);
        program.line_beginning("EVENT pause on");
        program.press(','.into());
        program.line_beginning("EVENT back");
        program.await_stillness();
        let shown = program.look();
        assert!(shown.kinds() > 50, "{canvas}: {}", shown.kinds());
        program.press(ESCAPE);
        assert!(program.wait().0.success());
        let take = take(&path);
        let from = |name: &str| Preset::load(name).unwrap().settings.noise_scale();
        let scales: Vec<f64> = (0..take.show.acts())
            .map(|act| take.show.timeline(act).start().0.noise_scale())
            .collect();
        // The last look may have been gone back before.
        let wanted = ["mono", "neon", "mono", "embers"].map(from);
        assert_eq!(scales[..], wanted[..scales.len()], "{canvas}");
        assert!(scales.len() >= 3 && last > first);
        succeed(
            folder.path(),
            "render again.png --take jam.take --size 160x90",
        );
    }
}

/// A slideshow changes at multiples of its time, also while nobody presses a key.
#[test]
fn looks_come_by_themselves() {
    let Some(display) = Display::start() else {
        return;
    };
    let program = display.run(&[&LOOKS, &["--cycle", "2s"][..]].concat());
    let (name, step) = next_look(&program);
    assert_eq!(name, "neon");
    // On a machine that is busy it is not ready in time.
    assert!(step >= 120, "{step}");
    let (name, next) = next_look(&program);
    assert_eq!(name, "embers");
    assert!(next >= 240 && next > step, "{next}");
}

/// A film through a change of look is what a render of its take gives.
#[test]
fn a_film_goes_through_a_change_of_look() {
    let Some(display) = Display::start() else {
        return;
    };
    let home = tempfile::tempdir().unwrap();
    let variables = [("HOME", home.path().to_str().unwrap())];
    let program = display.run_under(&variables, &LOOKS);
    program.press_with(SHIFT, 'r'.into());
    program.line_beginning("EVENT film on");
    program.press(TAB);
    let (_, step) = next_look(&program);
    // The dissolve and a while of the look alone.
    program.await_step(step + 45);
    program.press_with(SHIFT, 'r'.into());
    let line = program.line_beginning("EVENT film ");
    let path = line.splitn(4, ' ').nth(3).unwrap().to_owned();
    let film = mp4::open(path.as_ref()).unwrap();
    let events: String = film.gops.iter().map(|gop| gop.events.as_str()).collect();
    assert!(events.contains(" look seed "), "{events:.200}");
    succeed(home.path(), &format!("render again.mp4 --take {path}"));
    let frames = |name: &str| {
        let folder = home.path().join(name);
        fs::create_dir(&folder).unwrap();
        let source = if name == "a" {
            path.as_str()
        } else {
            "again.mp4"
        };
        let ended = std::process::Command::new("ffmpeg")
            .args(["-v", "error", "-i", source, "-fps_mode", "passthrough"])
            .arg(folder.join("%05d.png"))
            .current_dir(home.path())
            .status();
        assert!(ended.unwrap().success());
        let mut files: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        files.sort();
        files
    };
    if !crate::support::is_there("ffmpeg") {
        return;
    }
    let (played, again) = (frames("a"), frames("b"));
    assert_eq!(played.len(), again.len());
    assert!(played.len() as i64 > step - film.header.first_frame as i64);
    for (one, other) in played.iter().zip(&again).step_by(3) {
        assert!(pixels(one) == pixels(other), "{}", one.display());
    }
}
