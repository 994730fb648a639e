//! The screensaver in a real window.

use super::xvfb::Display;

/// What a screensaver says that is no longer deaf.
const AWAKE: &str = "EVENT listening";

#[test]
fn a_screensaver_fills_the_screen_and_a_key_only_ends_it() {
    let Some(display) = Display::start_managed() else {
        return;
    };
    let mut program = display.run(&["--size", "480x270", "--screensaver"]);
    assert_eq!(program.size(), [1280, 720]);
    program.line_beginning(AWAKE);
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
    // Small, so that a software driver shows sixty frames in a second.
    let Some(display) = Display::start_with(&["160x120x24"]) else {
        return;
    };
    let small = ["--size", "160x120", "--preset", "mono", "--screensaver"];
    let run = |host| display.run(&[&small[..], &["--canvas", host]].concat());
    for host in ["cpu", "gpu"] {
        for button in [1, 4] {
            let mut program = run(host);
            program.line_beginning(AWAKE);
            program.click(button);
            assert!(program.wait().0.success(), "{host}: button {button}");
        }
        display.point([100, 90]);
        let mut program = run(host);
        program.line_beginning(AWAKE);
        display.point([106, 90]);
        // Sixty frames are never shown in less than a second.
        program.await_frames(64);
        display.point([112, 90]);
        program.await_frames(3);
        assert!(program.is_running(), "{host}: a drift ended it");
        display.point([124, 90]);
        assert!(program.wait().0.success(), "{host}");
    }
}
