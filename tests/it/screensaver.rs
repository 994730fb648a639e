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

/// In both windows: a click, the wheel, and ten px within a second; a slow drift does not.
#[test]
fn a_pointer_ends_a_screensaver() {
    let Some(display) = Display::start() else {
        return;
    };
    for host in ["cpu", "gpu"] {
        for button in [1, 4] {
            let mut program = display.run(&["--screensaver", "--canvas", host]);
            sleep(AWAKE);
            program.click(button);
            assert!(program.wait().0.success(), "{host}: button {button}");
        }
        display.point([300, 300]);
        let mut program = display.run(&["--screensaver", "--canvas", host]);
        sleep(AWAKE);
        for x in 0..4 {
            display.point([300 + x * 3, 300]);
            sleep(Duration::from_millis(600));
        }
        assert!(program.is_running(), "{host}: a drift ended it");
        for x in 0..4 {
            display.point([320 + x * 8, 300]);
            sleep(Duration::from_millis(30));
        }
        assert!(program.wait().0.success(), "{host}");
    }
}
