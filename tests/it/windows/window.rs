//! The live window as its user meets it: a real one, under Xvfb.

use std::process::Stdio;

use eddyline::settings::{Direction, SETTINGS, Settings, setting};

use super::xvfb::{Display, Program, Screenshot, run_in_vain};
use crate::support::{preset, with};

const UP: u32 = 0xff52;
const DOWN: u32 = 0xff54;
const LEFT: u32 = 0xff51;
const RIGHT: u32 = 0xff53;
const BACKSPACE: u32 = 0xff08;
const ESCAPE: u32 = 0xff1b;
const F1: u32 = 0xffbe;
const F2: u32 = 0xffbf;
const F11: u32 = 0xffc8;

/// Small, for a machine without a GPU.
const SMALL: [&str; 2] = ["--size", "480x270"];
const AREA: f64 = 480.0 * 270.0;

/// The background of the default look.
fn water() -> [u8; 3] {
    preset("brook").background().0
}

/// The settings that a window begins with.
fn begin() -> Settings {
    with(preset("brook"), &[("budget", "off")])
}

#[test]
fn first_picture_comes_at_once_and_is_in_full_flow() {
    let Some(display) = Display::start() else {
        return;
    };
    for name in ["brook", "original"] {
        let background = preset(name).background().0;
        let mut program = display.run(&["--preset", name]);
        let first = program.look().light(background);
        // Whatever else the machine does: what the program itself needed, of two seconds on a machine of its own.
        let used = program.processor_time();
        println!("{name}: first picture after {used} hundredths of a second");
        assert!(used < 1000, "{name}: {used}");
        program.await_steps(120);
        let later = program.look().light(background);
        println!("{name}: {:.3} of that light 120 steps later", later / first);
        assert!(
            (later / first - 1.0).abs() < 0.1,
            "{name}: light went from {first} to {later}"
        );
        program.press(ESCAPE);
        assert!(program.wait().0.success());
    }
}

/// Presses a key and expects the event of one step of a setting; `settings` follow.
fn step(program: &Program, keysym: u32, settings: &mut Settings, name: &str, direction: Direction) {
    program.press(keysym);
    let expected = stepped(settings, name, direction, AREA);
    assert_eq!(program.line(), expected);
}

/// The event of one step of a setting in a window of so many px; `settings` follow.
fn stepped(settings: &mut Settings, name: &str, direction: Direction, area: f64) -> String {
    let row = setting(name).unwrap();
    let value = settings.stepped(row, direction, area);
    row.set(settings, value);
    format!("EVENT {name} {}", row.value(settings))
}

/// Nothing was said but what a test has read.
fn assert_nothing_else(program: &Program) {
    program.await_frames(3);
    assert_eq!(program.lines(), [""; 0]);
}

/// The direction in which a setting can move from here, in a window of so many px.
fn free_direction(settings: &Settings, name: &str, area: f64) -> Option<Direction> {
    let row = setting(name).unwrap();
    [Direction::Up, Direction::Down]
        .into_iter()
        .find(|&direction| settings.stepped(row, direction, area) != row.value(settings))
}

#[test]
fn arrows_change_every_setting() {
    let Some(display) = Display::start() else {
        return;
    };
    // All of them together make water that takes long to compute.
    const AREA: f64 = 160.0 * 90.0;
    let program = display.run(&["--size", "160x90"]);
    let mut settings = begin();
    // The second row is the first that is chosen: it has keys of its own.
    let mut choose = UP;
    for row in SETTINGS {
        let direction = free_direction(&settings, row.name, AREA);
        let key = match direction {
            Some(Direction::Up) => Some(RIGHT),
            Some(Direction::Down) => Some(LEFT),
            None => None,
        };
        let keys = [Some(choose), key];
        program.press_all(&keys.into_iter().flatten().collect::<Vec<_>>());
        assert_eq!(program.line(), format!("EVENT chosen {}", row.name));
        match direction {
            Some(direction) => {
                let expected = stepped(&mut settings, row.name, direction, AREA);
                assert_eq!(program.line(), expected);
            }
            None => assert!(row.domain.names().len() == 1, "{} cannot move", row.name),
        }
        choose = DOWN;
    }
    // Around the end.
    program.press(DOWN);
    assert_eq!(program.line(), format!("EVENT chosen {}", SETTINGS[0].name));
    assert_nothing_else(&program);
}

#[test]
fn keys_of_settings_lower_and_raise_them() {
    let Some(display) = Display::start() else {
        return;
    };
    let program = display.run(&SMALL);
    let mut settings = begin();
    for row in SETTINGS {
        let Some((lower, raise)) = row.keys else {
            continue;
        };
        step(
            &program,
            lower.into(),
            &mut settings,
            row.name,
            Direction::Down,
        );
        step(
            &program,
            raise.into(),
            &mut settings,
            row.name,
            Direction::Up,
        );
        // What was touched is chosen, and goes back to where it began.
        let begin = begin();
        if row.value(&settings) != row.value(&begin) {
            row.set(&mut settings, row.value(&begin));
            program.press(BACKSPACE);
            assert_eq!(
                program.line(),
                format!("EVENT {} {}", row.name, row.value(&begin))
            );
        }
    }
    assert_nothing_else(&program);
}

#[test]
fn a_key_held_down_repeats() {
    let Some(display) = Display::start() else {
        return;
    };
    let program = display.run(&SMALL);
    for key in [u32::from('w'), RIGHT] {
        program.hold(key, || {
            for _ in 0..6 {
                let line = program.line();
                assert!(line.starts_with("EVENT speed "), "{line}");
            }
        });
        // What was under way when it was released.
        program.press(F2);
        let line = loop {
            let line = program.line();
            if !line.starts_with("EVENT speed ") {
                break line;
            }
        };
        assert!(line.starts_with("EVENT figures "), "{line}");
        assert_nothing_else(&program);
    }
}

#[test]
fn changes_are_seen() {
    let Some(display) = Display::start() else {
        return;
    };
    let program = display.run(&SMALL);
    let press = |key: char, times: u32| (0..times).for_each(|_| program.press(key.into()));
    let before = program.look();
    press('y', 10);
    let strong = assert_light(&program, before.light(water()) * 1.3, f64::INFINITY);
    press('e', 15);
    assert_light(&program, 0.0, strong * 0.7);
    // From cyan to red: 175 degrees on.
    let is_red = |shot: &Screenshot| {
        let [red, _, blue] = shot.light_in([shot.width, shot.height], water());
        red > blue
    };
    assert!(!is_red(&program.look()));
    press('o', 35);
    program.look_until("red water", is_red);
}

/// The old area shows most of the light that it had, as soon as a frame of the new size is shown: the X server may show
/// black until then. New trails alone would have half of it after a second, which this does not wait.
fn assert_trails_stay(program: &Program, before: f64) {
    let light = |shot: &Screenshot| shot.light_in([480, 270], water()).iter().sum::<f64>();
    let outcome = program.look_some_times(5, |shot| light(shot) > before * 0.8);
    outcome.unwrap_or_else(|shot| panic!("{before} before, {} after", light(&shot)));
}

/// The light comes into a range.
fn assert_light(program: &Program, low: f64, high: f64) -> f64 {
    let what = format!("a light from {low} to {high}");
    let shot = program.look_until(&what, |shot| (low..high).contains(&shot.light(water())));
    shot.light(water())
}

/// Both hosts lay the field over the water, aspect by aspect; a still has none of it, and in the end the water is there alone.
#[test]
fn the_field_is_seen_over_the_water_and_in_no_picture() {
    const SPACE: u32 = 0x20;
    const SHIFT: u32 = 0xffe1;
    for canvas in ["cpu", "gpu"] {
        let Some(display) = Display::start() else {
            return;
        };
        let home = tempfile::tempdir().unwrap();
        let path = home.path().to_str().unwrap();
        let variables = [("HOME", path), ("XDG_CONFIG_HOME", path)];
        let program = display.run_under(&variables, &["--size", "240x135", "--canvas", canvas]);
        program.press(SPACE);
        assert_eq!(program.line_beginning("EVENT pause"), "EVENT pause on");
        let shot = |program: &Program| {
            program.await_stillness();
            program.look()
        };
        let still = |program: &Program| {
            program.press_with(SHIFT, 'p'.into());
            let line = program.line_beginning("EVENT still ");
            std::fs::read(line.strip_prefix("EVENT still ").unwrap()).unwrap()
        };
        let water = shot(&program);
        let picture = still(&program);
        let mut seen = vec![shot(&program)];
        assert!(water.same(&seen[0]));
        for aspect in ["value", "angle", "vector", "curl", "color"] {
            program.press_with(SHIFT, 'v'.into());
            assert_eq!(
                program.line_beginning("EVENT chart"),
                format!("EVENT chart {aspect}")
            );
            let shot = shot(&program);
            assert!(
                seen.iter().all(|other| !other.same(&shot)),
                "{canvas} {aspect}"
            );
            // Most px are covered, and the water shines through.
            let changed = (0..240 * 135).filter(|at| {
                let [x, y] = [at % 240, at / 240];
                shot.pixel(x, y) != water.pixel(x, y)
            });
            assert!(changed.count() > 240 * 135 * 8 / 10, "{canvas} {aspect}");
            seen.push(shot);
        }
        assert!(still(&program) == picture, "{canvas}");
        program.press_with(SHIFT, 'v'.into());
        assert_eq!(program.line_beginning("EVENT chart"), "EVENT chart off");
        assert!(water.same(&shot(&program)), "{canvas}");
    }
}

#[test]
fn resizing_keeps_the_trails() {
    let Some(display) = Display::start() else {
        return;
    };
    let program = display.run(&SMALL);
    let before = program.look().light(water());
    program.resize([1000, 640]);
    assert_eq!(
        program.line_beginning("EVENT resize"),
        "EVENT resize 1000x640"
    );
    assert_eq!(program.size(), [1000, 640]);
    assert_trails_stay(&program, before);
    // And the new area fills.
    assert_light(&program, before * 2.0, f64::INFINITY);
}

#[test]
fn fullscreen_fills_the_screen_and_keeps_the_trails() {
    let Some(display) = Display::start_managed() else {
        return;
    };
    let program = display.run(&SMALL);
    let before = program.look().light(water());
    program.press(F11);
    assert_eq!(program.line(), "EVENT fullscreen on");
    assert_eq!(
        program.line_beginning("EVENT resize"),
        "EVENT resize 1280x720"
    );
    assert_eq!(program.size(), [1280, 720]);
    assert_trails_stay(&program, before);
    program.press(F11);
    assert_eq!(
        program.line_beginning("EVENT fullscreen"),
        "EVENT fullscreen off"
    );
    assert_eq!(
        program.line_beginning("EVENT resize"),
        "EVENT resize 480x270"
    );
    assert_trails_stay(&program, before);
}

#[test]
fn help_covers_the_picture_and_leaves_no_trace() {
    let Some(display) = Display::start() else {
        return;
    };
    let program = display.run(&["--size", "800x600"]);
    let before = program.look().light(water());
    program.press(F1);
    assert_eq!(program.line(), "EVENT help on");
    assert_light(&program, f64::NEG_INFINITY, before * 0.8);
    program.press(F1);
    assert_eq!(program.line(), "EVENT help off");
    assert_light(&program, before * 0.95, before * 1.05);
}

#[test]
fn figures_are_shown_and_leave_no_trace() {
    let Some(display) = Display::start() else {
        return;
    };
    let program = display.run(&["--size", "800x600"]);
    let before = program.look().light(water());
    program.press(F2);
    assert_eq!(program.line_beginning("EVENT figures"), "EVENT figures on");
    // A dark panel in the upper right corner, for as long as it is wanted.
    let panel = |shot: &Screenshot| {
        let places = (30..160).flat_map(|y| (600..770).map(move |x| (x, y)));
        let dark = places.filter(|&(x, y)| shot.pixel(x, y).iter().all(|code| *code < 48));
        dark.count() > 130 * 170 / 2
    };
    program.look_until("figures", panel);
    // Longer than a notice stays here, and until they are new.
    program.await_steps(90);
    assert!(panel(&program.look()), "the figures went");
    program.press(F2);
    assert_eq!(program.line_beginning("EVENT figures"), "EVENT figures off");
    assert_light(&program, before * 0.9, before * 1.1);
}

#[test]
fn every_way_to_end_ends_well() {
    let Some(display) = Display::start() else {
        return;
    };
    let ways: [fn(&Program); 4] = [
        |program| program.press(ESCAPE),
        |program| program.close(),
        |program| program.signal("TERM"),
        |program| program.signal("INT"),
    ];
    for way in ways {
        let mut program = display.run(&SMALL);
        way(&program);
        let (status, lines) = program.wait();
        assert!(status.success(), "{status}");
        assert_eq!(lines, ["QUIT"]);
    }
}

/// Runs where nothing can be shown: exit code 1 and one line, which is returned.
fn fail(variables: &[(&str, &str)]) -> String {
    let (code, text) = run_in_vain(variables);
    assert_eq!(code, Some(1), "{variables:?}: {text}");
    assert_eq!(text.lines().count(), 1, "{variables:?}: {text}");
    assert!(text.contains("eddyline render"), "{text}");
    text
}

#[test]
fn without_a_display_one_line_says_so() {
    assert!(fail(&[]).contains("no display"));
    assert!(fail(&[("DISPLAY", "")]).contains("no display"));
    for display in [":9999", "nonsense"] {
        assert!(fail(&[("DISPLAY", display)]).contains(display));
    }
}

/// A driver from before instanced drawing, where nothing else will do.
#[test]
fn an_old_driver_is_one_line() {
    let Some(display) = Display::start() else {
        return;
    };
    let old = [
        ("MESA_GL_VERSION_OVERRIDE", "2.1"),
        ("MESA_GLSL_VERSION_OVERRIDE", "120"),
    ];
    let wanted = ["--canvas", "gpu", "--canvas-path", "instanced"];
    let mut program = display.launch_under(&old, &wanted, Stdio::piped());
    assert_eq!(program.wait().0.code(), Some(1));
    let text = program.words();
    assert!(text.contains("need OpenGL 3"), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
}

/// While very many particles are being placed, the program answers.
#[test]
fn the_warm_up_can_be_left() {
    let Some(display) = Display::start() else {
        return;
    };
    for signal in ["TERM", "INT"] {
        let mut program = display.launch(&["--particles", "10000000"], Stdio::inherit());
        assert_eq!(program.line(), "EVENT preparing");
        program.signal(signal);
        let (status, lines) = program.wait();
        assert!(status.success());
        // It did not place them all before.
        assert_eq!(lines, ["QUIT"]);
    }
}

#[test]
fn a_lost_server_is_one_line() {
    let Some(display) = Display::start() else {
        return;
    };
    let mut program = display.launch(&SMALL, Stdio::piped());
    program.line_beginning("READY");
    display.crash();
    assert_eq!(program.words(), "eddyline: the X server went away\n");
    assert_eq!(program.wait().0.code(), Some(1));
}

#[test]
fn it_can_start_on_the_whole_screen() {
    let Some(display) = Display::start_managed() else {
        return;
    };
    let mut program = display.run(&["--size", "480x270", "--fullscreen"]);
    assert_eq!(program.size(), [1280, 720]);
    assert!(program.look().light(water()) > 1e6);
    program.press(ESCAPE);
    assert!(program.wait().0.success());
}
