//! The screensaver in a real window.

use std::thread::sleep;
use std::time::Duration;

use crate::xvfb::Display;

/// Longer than a screensaver is deaf.
const AWAKE: Duration = Duration::from_millis(700);

#[test]
fn a_screensaver_fills_the_screen_and_a_key_only_ends_it() {
    let Some(display) = Display::start_managed() else {
        return;
    };
    let mut program = display.run(&["--size", "480x270", "--screensaver"]);
    assert_eq!(program.size(), [1280, 720]);
    sleep(AWAKE);
    program.press('u'.into());
    let (status, lines) = program.wait();
    assert!(status.success());
    assert!(lines.contains(&"QUIT".to_owned()), "{lines:?}");
    assert!(
        !lines.iter().any(|line| line.contains("particles")),
        "{lines:?}"
    );
}

#[test]
fn a_screensaver_that_is_closed_ends() {
    let Some(display) = Display::start() else {
        return;
    };
    let mut program = display.run(&["--screensaver", "--preset", "original"]);
    program.close();
    assert!(program.wait().0.success());
}
