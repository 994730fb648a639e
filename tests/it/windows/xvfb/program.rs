//! The program in its window: a keyboard and a pointer for it, and eyes.

use std::cell::Cell;
use std::io::Read;
use std::process::{Child, ExitStatus};
use std::thread::sleep;
use std::time::Instant;

use x11rb::protocol::xproto::{
    AutoRepeatMode, BUTTON_PRESS_EVENT, BUTTON_RELEASE_EVENT, ClientMessageEvent,
    ConfigureWindowAux, ConnectionExt, EventMask, ImageFormat,
};
use x11rb::protocol::xtest::ConnectionExt as _;

use super::keyboard::Stroke;
use super::said::Said;
use super::screenshot::Screenshot;
use super::{ASKING, Display, PATIENCE, kill, wait_for};

/// Frames after which everything that was there before has been shown: a driver may hold back some.
const SHOWN: u64 = 3;

/// The running program.
pub struct Program<'a> {
    pub(super) display: &'a Display,
    pub(super) child: Child,
    pub(super) said: Said,
    /// Nothing before the first picture.
    pub(super) window: Cell<u32>,
}

/// What it says.
impl Program<'_> {
    /// The next line that the program prints.
    pub fn line(&self) -> String {
        self.line_beginning("")
    }

    /// Lines up to one that begins like this; returns it.
    pub fn line_beginning(&self, beginning: &str) -> String {
        let what = format!("a line that begins with \"{beginning}\"");
        self.said.wait(&what, |state| {
            while let Some(line) = state.unread.pop_front() {
                if line.starts_with(beginning) {
                    return Some(line);
                }
            }
            None
        })
    }

    /// The lines so far.
    pub fn lines(&self) -> Vec<String> {
        self.said.now().unread.drain(..).collect()
    }

    /// The step of the picture that was shown last.
    pub fn step(&self) -> i64 {
        self.said.now().step
    }

    /// How many frames have been shown.
    pub fn frames(&self) -> u64 {
        self.said.now().frames
    }

    /// Waits until so many more frames have been shown.
    pub fn await_frames(&self, count: u64) {
        let end = self.frames() + count;
        self.said.wait(&format!("{count} more frames"), |state| {
            (state.frames >= end).then_some(())
        });
    }

    /// Waits until this step of the picture has been shown.
    pub fn await_step(&self, step: i64) {
        self.said.wait(&format!("step {step}"), |state| {
            (state.step >= step).then_some(())
        });
    }

    /// Waits until the picture has flowed on by so many steps.
    pub fn await_steps(&self, count: i64) {
        self.await_step(self.step() + count);
    }

    /// Waits until another share of the particles is carried than all; returns it.
    pub fn await_share(&self) -> f64 {
        self.said
            .wait("another share of the particles", |state| state.share)
    }

    /// The share of the particles that is carried, where that was ever another than all.
    pub fn share(&self) -> Option<f64> {
        self.said.now().share
    }

    /// Waits until the picture stands still and no notice lies over it; what was asked for before has to have been answered.
    pub fn await_stillness(&self) {
        self.said.wait("a picture that stands still", |state| {
            (state.is_resting() && !state.has_notice).then_some(())
        });
    }

    /// Waits until a program that rests has looked after it so often without showing or doing anything.
    ///
    /// # Panics
    ///
    /// When it shows or does something.
    pub fn await_rests(&self, count: u64) {
        let before = self.said.now();
        let (begin, frames) = (before.rests, before.frames);
        assert!(before.is_resting(), "it does not rest: {}", *before);
        drop(before);
        self.said.wait(&format!("{count} rests"), |state| {
            let is_resting = state.frames == frames && state.rests >= begin;
            assert!(is_resting, "it did not rest: {state}");
            (state.rests >= begin + count).then_some(())
        });
    }
}

/// What a user does.
impl Program<'_> {
    /// Presses and releases the key with this keysym; characters are their own.
    pub fn press(&self, keysym: u32) {
        self.press_all(&[keysym]);
    }

    /// Presses and releases keys one after the other, so fast that nothing comes between.
    pub fn press_all(&self, keysyms: &[u32]) {
        let strokes = keysyms
            .iter()
            .flat_map(|&keysym| [Stroke::Down(keysym), Stroke::Up(keysym)]);
        self.strike(&strokes.collect::<Vec<_>>());
    }

    /// Presses a key while another is held down.
    pub fn press_with(&self, modifier: u32, keysym: u32) {
        self.strike(&[
            Stroke::Down(modifier),
            Stroke::Down(keysym),
            Stroke::Up(keysym),
            Stroke::Up(modifier),
        ]);
    }

    /// Holds a key down, which repeats, for as long as the work takes.
    pub fn hold<R>(&self, keysym: u32, work: impl FnOnce() -> R) -> R {
        let Display {
            connection,
            keyboard,
            ..
        } = self.display;
        keyboard.set_repeating(connection, AutoRepeatMode::ON);
        self.strike(&[Stroke::Down(keysym)]);
        let result = work();
        self.strike(&[Stroke::Up(keysym)]);
        keyboard.set_repeating(connection, AutoRepeatMode::OFF);
        result
    }

    fn strike(&self, strokes: &[Stroke]) {
        let Display {
            connection,
            keyboard,
            ..
        } = self.display;
        keyboard.strike(connection, strokes);
    }

    /// Asks the window to close, as its frame's button does.
    pub fn close(&self) {
        let [protocols, delete] =
            ["WM_PROTOCOLS", "WM_DELETE_WINDOW"].map(|name| self.display.atom(name));
        let event = ClientMessageEvent::new(32, self.window.get(), protocols, [delete, 0, 0, 0, 0]);
        self.display
            .connection
            .send_event(false, self.window.get(), EventMask::NO_EVENT, event)
            .unwrap()
            .check()
            .unwrap();
    }

    /// Iconifies the window, as its manager's button does.
    pub fn iconify(&self) {
        const ICONIC: u32 = 3;
        let change = self.display.atom("WM_CHANGE_STATE");
        let event = ClientMessageEvent::new(32, self.window.get(), change, [ICONIC, 0, 0, 0, 0]);
        let root = self.display.root();
        let mask = EventMask::SUBSTRUCTURE_REDIRECT | EventMask::SUBSTRUCTURE_NOTIFY;
        let connection = &self.display.connection;
        connection
            .send_event(false, root, mask, event)
            .unwrap()
            .check()
            .unwrap();
    }

    /// Shows the window again.
    pub fn restore(&self) {
        let connection = &self.display.connection;
        connection
            .map_window(self.window.get())
            .unwrap()
            .check()
            .unwrap();
    }

    /// Presses and releases a button of the pointer; 4 and 5 are the wheel.
    pub fn click(&self, button: u8) {
        let connection = &self.display.connection;
        for kind in [BUTTON_PRESS_EVENT, BUTTON_RELEASE_EVENT] {
            let root = self.display.root();
            connection
                .xtest_fake_input(kind, button, x11rb::CURRENT_TIME, root, 0, 0, 0)
                .unwrap()
                .check()
                .unwrap();
        }
    }

    /// Moves the pointer to a place in the window.
    pub fn point(&self, [x, y]: [i16; 2]) {
        self.display.undisturbed(|connection| {
            let root = self.display.root();
            let place = connection.translate_coordinates(self.window.get(), root, x, y);
            let place = place.unwrap().reply().unwrap();
            self.display.point([place.dst_x, place.dst_y]);
        });
    }

    /// Sends a signal by its name.
    pub fn signal(&self, name: &str) {
        kill(name, &self.child);
    }

    /// Changes the size of the window.
    pub fn resize(&self, [width, height]: [u32; 2]) {
        let size = ConfigureWindowAux::new().width(width).height(height);
        let connection = &self.display.connection;
        connection
            .configure_window(self.window.get(), &size)
            .unwrap()
            .check()
            .unwrap();
    }
}

/// What is seen.
impl Program<'_> {
    /// The size of the window.
    pub fn size(&self) -> [u32; 2] {
        let geometry = self.display.connection.get_geometry(self.window.get());
        let geometry = geometry.unwrap().reply().unwrap();
        [geometry.width.into(), geometry.height.into()]
    }

    /// What the window shows after a few more frames, or where it rests.
    pub fn look(&self) -> Screenshot {
        let end = self.frames() + SHOWN;
        self.said.wait("a picture to look at", |state| {
            (state.is_resting() || state.frames >= end).then_some(())
        });
        wait_for("a window that shows something", || self.screenshot())
    }

    /// What the window shows; nothing while it is hidden.
    fn screenshot(&self) -> Option<Screenshot> {
        let window = self.window.get();
        self.display.undisturbed(|connection| {
            let geometry = connection.get_geometry(window).unwrap().reply().unwrap();
            let [width, height] = [geometry.width, geometry.height];
            let format = ImageFormat::Z_PIXMAP;
            let image = connection.get_image(format, window, 0, 0, width, height, !0);
            let image = image.unwrap().reply().ok()?;
            Some(Screenshot {
                width: width.into(),
                height: height.into(),
                pixels: image.data,
            })
        })
    }

    /// Looks until the window shows what is waited for.
    pub fn look_until(&self, what: &str, is_so: impl Fn(&Screenshot) -> bool) -> Screenshot {
        let begin = Instant::now();
        loop {
            let shot = self.look();
            if is_so(&shot) {
                return shot;
            }
            let story = self.said.now();
            assert!(
                begin.elapsed() < PATIENCE,
                "waited too long for {what}; {story}"
            );
            drop(story);
            sleep(ASKING);
        }
    }

    /// Looks until the window shows what is waited for, at most `times`, for a few frames each. What it showed last, if it
    /// never did, is the error.
    pub fn look_some_times(
        &self,
        times: usize,
        is_so: impl Fn(&Screenshot) -> bool,
    ) -> Result<Screenshot, Screenshot> {
        let mut last = self.look();
        for _ in 1..times {
            if is_so(&last) {
                break;
            }
            last = self.look();
        }
        if is_so(&last) { Ok(last) } else { Err(last) }
    }
}

/// The process.
impl Program<'_> {
    /// A value of its row in `/proc/PID/status`, in KiB.
    pub fn memory(&self, name: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    }

    /// Processor time so far, in hundredths of a second.
    pub fn processor_time(&self) -> u64 {
        let line = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap();
        let (_, rest) = line.rsplit_once(')').unwrap();
        let fields: Vec<&str> = rest.split_whitespace().collect();
        fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
    }

    /// A program that rests shows nothing, looks after its picture five times in a second, and needs no more than a percent of a
    /// processor. However busy the machine is: that makes all of this only last longer.
    ///
    /// # Panics
    ///
    /// When it does not rest.
    pub fn assert_costs_nothing(&self) {
        const RESTS: u64 = 5;
        const RESTS_PER_SECOND: f64 = 5.0;
        /// Resting begins, reports are read late.
        const TO_SPARE: f64 = 1.5;
        self.said
            .wait("a rest", |state| state.is_resting().then_some(()));
        let (begin, used) = (Instant::now(), self.processor_time());
        self.await_rests(RESTS);
        let (elapsed, used) = (begin.elapsed(), self.processor_time() - used);
        let most = elapsed.as_secs_f64() * RESTS_PER_SECOND + TO_SPARE;
        assert!(RESTS as f64 <= most, "{RESTS} rests within {elapsed:?}");
        // The clock that measures it ticks in hundredths.
        let most = elapsed.as_secs_f64() + TO_SPARE;
        assert!(
            used as f64 <= most,
            "{used} hundredths of a second within {elapsed:?}"
        );
    }

    /// Whether the program has not ended.
    pub fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// Reads a piped stderr to its end.
    pub fn words(&mut self) -> String {
        let mut words = String::new();
        self.child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut words)
            .unwrap();
        words
    }

    /// Waits for the end; returns how it ended and the lines that were left.
    pub fn wait(&mut self) -> (ExitStatus, Vec<String>) {
        let lines = self.said.wait("the end", |state| {
            state.is_over.then(|| state.unread.drain(..).collect())
        });
        let ended = wait_for("the process", || self.child.try_wait().unwrap());
        (ended, lines)
    }
}

impl Drop for Program<'_> {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
