//! The keys that act on the water's time, on changes and on the look, in a real window.

use std::process::Stdio;
use std::time::Instant;

use eddyline::settings::preset::Preset;

use super::xvfb::{Display, Program, Screenshot};

const CONTROL: u32 = 0xffe3;
const SHIFT: u32 = 0xffe1;
const SPACE: u32 = 0x20;

fn start(display: &Display) -> Program<'_> {
    display.run(&["--size", "480x270"])
}

/// Presses a key and expects an event.
fn press(program: &Program, key: char, event: &str) {
    program.press(key.into());
    expect(program, event);
}

fn expect(program: &Program, event: &str) {
    let kind = event.rsplit_once(' ').map_or(event, |(kind, _)| kind);
    assert_eq!(program.line_beginning(kind), event);
}

/// Two looks at a window that is not to move show the same, once its notice has vanished.
fn still(program: &Program) -> Screenshot {
    program.await_stillness();
    let shot = program.look();
    program.await_rests(2);
    assert!(shot.same(&program.look()));
    shot
}

#[test]
fn paused_water_stands_still_and_costs_nothing() {
    let Some(display) = Display::start() else {
        return;
    };
    let mut program = start(&display);
    let begin = Instant::now();
    let frames = program.frames();
    program.press(SPACE);
    expect(&program, "EVENT pause on");
    program.await_stillness();
    // The notice vanishes in no more frames than the water would have had.
    let (frames, elapsed) = (program.frames() - frames, begin.elapsed());
    let most = elapsed.as_secs_f64() * 60.0 + 5.0;
    assert!(frames as f64 <= most, "{frames} frames within {elapsed:?}");
    let before = still(&program);
    program.assert_costs_nothing();
    // A step is a step, and no more; notices are none of the picture.
    let step = program.step();
    press(&program, '.', "EVENT advance");
    let after = still(&program);
    assert_eq!(program.step(), step + 1);
    assert!(!before.same(&after));
    program.press(SPACE);
    expect(&program, "EVENT pause off");
    program.look_until("water that flows", |shot| !shot.same(&after));
    press(&program, '.', "EVENT pause on");
    expect(&program, "EVENT advance");
    still(&program);
    program.press(0xff1b);
    assert!(program.wait().0.success());
}

#[test]
fn changes_are_undone_and_made_again() {
    let Some(display) = Display::start() else {
        return;
    };
    let program = start(&display);
    press(&program, 'w', "EVENT speed 1.5");
    // Longer than steps of one key count as one change.
    program.await_steps(70);
    press(&program, 'w', "EVENT speed 1.6");
    press(&program, 'e', "EVENT fade 0.0132");
    let undo = |key: char| program.press_with(CONTROL, key.into());
    undo('z');
    expect(&program, "EVENT fade 0.012");
    undo('z');
    expect(&program, "EVENT speed 1.5");
    undo('y');
    expect(&program, "EVENT speed 1.6");
    undo('y');
    expect(&program, "EVENT fade 0.0132");
    press(&program, '0', "EVENT fade 0.012");
    undo('z');
    expect(&program, "EVENT fade 0.0132");
    program.press_with(SHIFT, 'w'.into());
    expect(&program, "EVENT speed 2.1");
    program.press_with(SHIFT, '['.into());
    expect(&program, "EVENT time_scale 0.0004");
    program.press('r'.into());
    let seed = program.line_beginning("EVENT seed");
    assert_ne!(seed, "EVENT seed 5");
    undo('z');
    expect(&program, "EVENT seed 5");
}

#[test]
fn the_water_goes_back() {
    let Some(display) = Display::start() else {
        return;
    };
    let program = start(&display);
    program.await_step(140);
    press(&program, 'w', "EVENT speed 1.5");
    program.press(SPACE);
    expect(&program, "EVENT pause on");
    let step = |line: &str| line.rsplit_once(' ').unwrap().1.parse::<i64>().unwrap();
    program.press(','.into());
    let first = step(&program.line_beginning("EVENT back"));
    program.press(','.into());
    let second = step(&program.line_beginning("EVENT back"));
    assert_eq!(first - second, 60);
    // It is the water of that step: the same again, whatever was between.
    let there = still(&program);
    program.press_all(&[u32::from('.'); 60]);
    program.await_step(second + 60);
    assert!(!there.same(&program.look()));
    program.press(','.into());
    assert_eq!(step(&program.line_beginning("EVENT back")), second);
    assert!(there.same(&still(&program)));
    // The change of speed is undone, and can be made again.
    program.press_with(CONTROL, 'y'.into());
    expect(&program, "EVENT speed 1.5");
    program.press_with(SHIFT, ','.into());
    expect(&program, "EVENT back 0");
}

/// A step back that says the same as the one before is shown all the same.
#[test]
fn what_is_gone_back_to_is_shown_at_once() {
    let Some(display) = Display::start() else {
        return;
    };
    // The notice must not change.
    let program = display.run(&["--size", "480x270", "--test-notice", "1h"]);
    program.press(SPACE);
    expect(&program, "EVENT pause on");
    program.press_with(SHIFT, ','.into());
    expect(&program, "EVENT back 0");
    // Above the notice, which is there each time.
    let above = |program: &Program| {
        let shot = program.look();
        let places = (0..200).flat_map(|y| (0..480).map(move |x| (x, y)));
        places.map(|(x, y)| shot.pixel(x, y)).collect::<Vec<_>>()
    };
    let first = above(&program);
    for _ in 0..3 {
        press(&program, '.', "EVENT advance");
    }
    assert!(above(&program) != first);
    program.press(','.into());
    expect(&program, "EVENT back 0");
    assert!(above(&program) == first);
}

#[test]
fn a_look_is_saved_and_comes_back_by_its_name() {
    let Some(display) = Display::start() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().to_str().unwrap();
    let program = display.run_under(
        &[("XDG_CONFIG_HOME", home)],
        &[
            "--size", "480x270", "--preset", "original", "--speed", "2.3",
        ],
    );
    program.press_with(CONTROL, 's'.into());
    let file = folder.path().join("eddyline/presets/look-1.toml");
    expect(&program, &format!("EVENT saved {}", file.display()));
    let look = Preset::load(file.to_str().unwrap()).unwrap().settings;
    assert_eq!(look.speed(), 2.3);
    assert_eq!(look.headings(), eddyline::settings::Headings::Raw);
    drop(program);
    let mut named = display.run_under(
        &[("XDG_CONFIG_HOME", home)],
        &["--size", "480x270", "--preset", "look-1"],
    );
    named.press(0xff1b);
    assert!(named.wait().0.success());
    // Where nothing can be written the water flows on.
    let program = display.run_under(
        &[("XDG_CONFIG_HOME", file.to_str().unwrap())],
        &["--size", "480x270"],
    );
    program.press_with(CONTROL, 's'.into());
    assert_eq!(program.line_beginning("EVENT not"), "EVENT not saved");
    press(&program, 'w', "EVENT speed 1.5");
}

#[test]
fn the_pointer_stirs_the_water() {
    let Some(display) = Display::start() else {
        return;
    };
    let program = start(&display);
    let wave = |program: &Program| {
        for turn in 0..8 {
            program.point([140 + turn * 20, 120]);
            program.await_frames(2);
        }
    };
    wave(&program);
    let line = program.line_beginning("EVENT stir");
    let place: Vec<f32> = line
        .strip_prefix("EVENT stir ")
        .unwrap()
        .split(' ')
        .map(|side| side.parse().unwrap())
        .collect();
    assert!(
        (140.0..300.0).contains(&place[0]) && place[1] == 120.0,
        "{line}"
    );
    assert!(program.lines().is_empty(), "one stir was several");
    // A pointer that rests does nothing, and without strength it does nothing at all.
    program.await_steps(90);
    assert!(program.lines().is_empty());
    drop(program);
    let program = display.run(&["--size", "480x270", "--stir", "0"]);
    wave(&program);
    program.press('w'.into());
    assert_eq!(program.line(), "EVENT speed 1.5");
}

/// Frames that always take too long, whatever the machine can do.
#[test]
fn an_overloaded_machine_shows_fewer_particles() {
    let Some(display) = Display::start() else {
        return;
    };
    let begin = |size: &str, budget: &str| {
        let overload = ["--test-frame-time", "80ms"];
        let arguments = [&overload[..], &["--size", size, "--budget", budget]].concat();
        display.launch(&arguments, Stdio::inherit())
    };
    // Both at the same place, where neither covers the other.
    let spared = begin("300x90", "auto");
    let other = begin("90x180", "off");
    let share = spared.await_share();
    assert!(share < 0.9, "{share}");
    // As long as that took, all stay where nobody asks for fewer.
    let less = spared.frames().saturating_sub(other.frames());
    other.await_frames(less + 3);
    assert_eq!(other.share(), None);
}
