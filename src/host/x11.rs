//! The live window without graphics hardware: a window of our own on X11, into which the CPU canvas's frames are put.
//!
//! Frames go through memory that is shared with the server (MIT-SHM), at a tenth of what showing them through a software
//! OpenGL costs; to a server elsewhere they are sent. Nothing here draws: a frame is written by the canvas, in the server's
//! order of bytes, and the overlay laid over it.

use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use x11rb::connection::Connection;
use x11rb::errors::{ConnectError, ConnectionError, ReplyError, ReplyOrIdError};
use x11rb::rust_connection::RustConnection;

use self::frame::{FrameCanvas, Frames};
use self::input::Input;
use self::window::{PATIENCE, Window};
use super::{App, Events, Next, Options, Preparation, View};
use crate::canvas::cpu::CpuCanvas;
use crate::input::Action;
use crate::power::Display;

mod frame;
mod input;
mod keymap;
mod memory;
pub mod rates;
pub mod visibility;
mod window;

/// How long the server may take to read a frame.
const READING: Duration = Duration::from_secs(2);

/// Why the window cannot be shown any more, or at all.
#[derive(Debug, thiserror::Error)]
pub enum X11Error {
    /// No connection.
    #[error("no connection to the X server: {0}")]
    Connect(String),
    /// The connection broke.
    #[error("the X server went away")]
    Gone,
    /// The server refused a request.
    #[error("the X server refused: {0}")]
    Refused(String),
    /// No pixels of 8 bits per channel.
    #[error("the X server has no visual of 8 bits per channel")]
    NoVisual,
}

/// A connection to the server of `DISPLAY`, where there is one.
pub fn reach() -> Option<RustConnection> {
    x11rb::connect(None).ok().map(|(connection, _)| connection)
}

impl From<ConnectError> for X11Error {
    fn from(error: ConnectError) -> X11Error {
        X11Error::Connect(error.to_string())
    }
}

impl From<ConnectionError> for X11Error {
    fn from(_: ConnectionError) -> X11Error {
        X11Error::Gone
    }
}

impl From<ReplyError> for X11Error {
    fn from(error: ReplyError) -> X11Error {
        match error {
            ReplyError::ConnectionError(error) => error.into(),
            ReplyError::X11Error(error) => X11Error::Refused(format!("{:?}", error.error_kind)),
        }
    }
}

impl From<ReplyOrIdError> for X11Error {
    fn from(error: ReplyOrIdError) -> X11Error {
        match error {
            ReplyOrIdError::ConnectionError(error) => error.into(),
            ReplyOrIdError::X11Error(error) => X11Error::Refused(format!("{:?}", error.error_kind)),
            ReplyOrIdError::IdsExhausted => X11Error::Refused("no identifiers left".to_owned()),
        }
    }
}

/// The window, and what is known of it.
pub struct Host {
    connection: RustConnection,
    window: Window,
    input: Input,
    frames: Frames,
    display: Display,
}

impl Host {
    /// Opens the window, and waits until it has the size that its window manager gives it.
    ///
    /// # Errors
    ///
    /// When there is no server, or it cannot show such a window.
    pub fn open(options: &Options) -> Result<Host, X11Error> {
        let (connection, screen) = x11rb::connect(None)?;
        let window = Window::open(&connection, screen, options)?;
        let input = Input::new(&connection)?;
        let frames = Frames::new(&connection, &window)?;
        let period = rates::frame_time(&connection, window.root());
        let mut host = Host {
            connection,
            window,
            input,
            frames,
            display: Display::showing(period),
        };
        let end = Instant::now() + PATIENCE;
        while !host.window.is_settled() && Instant::now() < end {
            host.listen(end)?;
        }
        Ok(host)
    }

    /// Runs what `begin` makes, until it quits; as [`super::window::run`].
    ///
    /// # Errors
    ///
    /// When the server goes away.
    pub fn run<A: App>(
        mut self,
        options: &Options,
        begin: impl FnOnce(View, Display) -> (A, CpuCanvas),
    ) -> Result<(), X11Error> {
        let (mut app, mut canvas) = begin(self.window.view(), self.display);
        if !self.prepare(&mut app, &mut canvas)? {
            return Ok(());
        }
        let mut fullscreen = options.fullscreen;
        self.window.show_cursor(&self.connection, !fullscreen)?;
        loop {
            self.take_events()?;
            self.window.insist(&self.connection)?;
            let actions = self.input.take_actions();
            let events = Events {
                now: Instant::now(),
                view: self.window.view(),
                actions: &actions,
                pointer: &self.input.take_pointer(),
                has_key: self.input.take_has_key(),
                is_visible: self.window.is_visible(),
                painter: self.frames.painter(),
            };
            self.await_frame()?;
            let mut frame_canvas = FrameCanvas {
                canvas: &mut canvas,
                frames: &mut self.frames,
                connection: &self.connection,
            };
            let next = app.frame(&events, &mut frame_canvas);
            let (until, wanted) = match next {
                Next::Frame { at, fullscreen } => {
                    for image in app.overlays().into_iter().flatten() {
                        self.frames.lay_over(&image);
                    }
                    self.frames.put(&self.connection, &self.window)?;
                    (at, fullscreen)
                }
                Next::Rest { until, fullscreen } => (Some(until), fullscreen),
                Next::Quit => return Ok(()),
            };
            if wanted != fullscreen {
                self.window.fill_screen(&self.connection, wanted)?;
                self.window.show_cursor(&self.connection, !wanted)?;
                fullscreen = wanted;
            }
            self.connection.flush()?;
            match (next, until) {
                (Next::Rest { .. }, Some(until)) => self.listen(until)?,
                (_, Some(until)) => self.sleep(until)?,
                (_, None) => (),
            }
        }
    }

    /// Lets the application prepare its first frame; says whether it is to go on.
    fn prepare<A: App>(&mut self, app: &mut A, canvas: &mut CpuCanvas) -> Result<bool, X11Error> {
        loop {
            match app.prepare(canvas) {
                Preparation::Done => return Ok(true),
                Preparation::Quit => return Ok(false),
                Preparation::More => _ = self.take_events()?,
            }
            if self.input.take_actions().contains(&Action::Quit) {
                return Ok(false);
            }
        }
    }

    /// Takes down what the server has reported, or what it reports next, but not beyond `until`.
    fn listen(&mut self, until: Instant) -> Result<(), X11Error> {
        // What arrived beside an answer is here already, and nothing would wake this up.
        if !self.take_events()? {
            wait(&self.connection, until)?;
            self.take_events()?;
        }
        Ok(())
    }

    /// Takes down everything that the server has reported; says whether it was anything.
    fn take_events(&mut self) -> Result<bool, X11Error> {
        let mut has_any = false;
        while let Some(event) = self.connection.poll_for_event()? {
            has_any = true;
            self.frames.notice(&event);
            self.input
                .notice(&self.connection, &event, self.window.view().scale)?;
            if self.window.notice(&self.connection, &event)? {
                self.input.close();
            }
            if self.window.is_exposed(&event) {
                self.frames.put(&self.connection, &self.window)?;
            }
        }
        self.connection.flush()?;
        Ok(has_any)
    }

    /// Waits until the server has read the last frame, so that the next can be written.
    fn await_frame(&mut self) -> Result<(), X11Error> {
        let end = Instant::now() + READING;
        while self.frames.is_being_read() && Instant::now() < end {
            self.listen(end)?;
        }
        Ok(())
    }

    /// Sleeps until then, whatever happens.
    fn sleep(&self, until: Instant) -> Result<(), X11Error> {
        self.connection.flush()?;
        std::thread::sleep(until.saturating_duration_since(Instant::now()));
        Ok(())
    }
}

/// Waits until the server reports something, or until then, or for a signal.
pub(super) fn wait(connection: &RustConnection, until: Instant) -> Result<(), X11Error> {
    connection.flush()?;
    let left = until.saturating_duration_since(Instant::now());
    let left = Timespec {
        tv_sec: left.as_secs() as _,
        tv_nsec: left.subsec_nanos().into(),
    };
    let stream = connection.stream();
    // A signal ends the waiting, as it should; any other error comes again where events are taken.
    let _ = poll(&mut [PollFd::new(stream, PollFlags::IN)], Some(&left));
    Ok(())
}
