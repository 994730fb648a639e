//! What happens, line by line on stdout, for tests that watch the program from outside: they wait for what is said here,
//! and never for a time. Without its flag nothing is printed, and nothing of it is ever seen in the picture.
//!
//! `EVENT ..` says what was done, in the order in which it was. The state of the screen comes between: `FRAME STEP` once a
//! frame is there, `REST` whenever the program looks after a picture that stands still, `NOTICE on` and `NOTICE off`, and
//! `SHARE` of the particles that the machine is to carry.

use std::fmt::Arguments;
use std::io::{self, Write};

/// The lines, where they are asked for.
#[derive(Debug)]
pub(super) struct TestLog {
    is_on: bool,
    /// Frames that began, whether or not anything was shown.
    frames: u64,
    /// The step of a frame that was painted last and may not be on the screen yet.
    painted: Option<i64>,
    has_notice: bool,
}

impl TestLog {
    /// A log of a window that opens.
    pub(super) fn new(is_on: bool) -> TestLog {
        TestLog {
            is_on,
            frames: 0,
            painted: None,
            has_notice: false,
        }
    }

    /// Prints a line.
    pub(super) fn say(&self, line: Arguments) {
        if self.is_on {
            let mut out = io::stdout().lock();
            // Nobody reads any more: that is no reason to stop the picture.
            let _ = writeln!(out, "{line}").and_then(|()| out.flush());
        }
    }

    /// A frame begins: hosts begin the second when the first is on the screen.
    pub(super) fn frame_began(&mut self) {
        self.frames += 1;
        if self.frames == 2 {
            self.say(format_args!("READY"));
        }
        if let Some(step) = self.painted.take() {
            self.say(format_args!("FRAME {step}"));
        }
    }

    /// The host is about to show a frame of this step.
    pub(super) fn frame_painted(&mut self, step: i64) {
        self.painted = Some(step);
    }

    /// There is nothing new to show.
    pub(super) fn rested(&self) {
        self.say(format_args!("REST"));
    }

    /// A notice lies over the picture in the frame that is painted next, or none.
    pub(super) fn noticed(&mut self, has_notice: bool) {
        if has_notice != self.has_notice {
            self.has_notice = has_notice;
            let state = if has_notice { "on" } else { "off" };
            self.say(format_args!("NOTICE {state}"));
        }
    }
}
