//! What owns a graphics context, a size, a clock and events, and lends them to an application.
//!
//! A host knows neither settings nor time in the picture: it runs an [`App`], frame by frame, on a canvas of its own
//! kind, and shows the application's overlay above it.

use std::time::Instant;

use crate::canvas::cpu::CpuCanvas;
use crate::canvas::gpu::WantedPath;
use crate::canvas::{Canvas, Extent};
use crate::input::{Action, Pointer};
use crate::overlay::Images;
use crate::power;
use crate::settings::Painter;

#[cfg(target_os = "linux")]
pub mod displays;
mod error;
#[cfg(target_os = "linux")]
pub mod offscreen;
#[cfg(target_os = "linux")]
pub mod probe;
pub mod window;
#[cfg(target_os = "linux")]
pub mod x11;

pub use error::HostError;

/// The class of the window, which its desktop entry names.
const CLASS: &str = "eddyline";

/// The title of the window.
const TITLE: &str = "Eddyline (F1 shows the keys)";

/// The window that is to be opened.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Width and height in logical px.
    pub size: [u32; 2],
    /// Whether it fills the screen instead.
    pub fullscreen: bool,
    /// The color of the window before the first frame.
    pub background: [u8; 3],
    /// The way in which the GPU canvas is to be drawn.
    pub path: WantedPath,
}

/// The arguments that make the program write what it finds out about the display's driver; see [`probe::write()`].
pub const PROBE: &[&str] = &["probe"];

/// What a host shows a picture in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Width and height in device px, above 0.
    pub size: [u32; 2],
    /// Device px per logical px, above 0.
    pub scale: f32,
}

impl View {
    /// Width and height in logical px.
    pub fn logical(&self) -> [f64; 2] {
        self.size
            .map(|side| f64::from(side) / f64::from(self.scale))
    }

    /// The extent of a canvas that fills the view.
    pub fn extent(&self) -> Extent {
        let [width, height] = self.size;
        Extent {
            width,
            height,
            scale: self.scale,
        }
    }
}

/// What is new when a frame begins.
#[derive(Clone, Copy, Debug)]
pub struct Events<'a> {
    /// When the frame begins.
    pub now: Instant,
    /// What the picture is shown in.
    pub view: View,
    /// What the user asked for since the last frame, in order.
    pub actions: &'a [Action],
    /// What the pointer did since then, in order.
    pub pointer: &'a [Pointer],
    /// Whether any key went down since then, with a meaning or without.
    pub has_key: bool,
    /// Whether anybody can see the picture.
    pub is_visible: bool,
    /// What paints it, in a few words.
    pub painter: &'a str,
}

/// What a host does after a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Next {
    /// Show it, and begin another.
    Frame {
        /// Not before this time.
        at: Option<Instant>,
        /// Whether the screen is to be filled.
        fullscreen: bool,
    },
    /// Show nothing: what is on the screen is right, or nobody sees it. Begin another frame when something happens.
    Rest {
        /// But not later than then.
        until: Instant,
        /// Whether the screen is to be filled.
        fullscreen: bool,
    },
    /// End.
    Quit,
}

/// What is left to do before the first frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preparation {
    /// More: call again.
    More,
    /// Nothing.
    Done,
    /// End instead.
    Quit,
}

/// What a host runs, once it knows in what.
pub trait App {
    /// Does a part of what comes before the first frame, for some hundredths of a second, so that the host can answer the
    /// user meanwhile. In the end `light` holds what the first frame begins with.
    fn prepare(&mut self, light: &mut CpuCanvas) -> Preparation;

    /// Paints and presents one frame.
    fn frame(&mut self, events: &Events, canvas: &mut dyn Canvas) -> Next;

    /// What lies over the picture in the frame that was painted last, the uppermost at the end.
    fn overlays(&self) -> Images<'_>;
}

/// Opens a window and runs in it what `begin` makes, until it quits.
///
/// `begin` is told what the picture is shown in, and what is known of the display; it returns a canvas that fills the
/// view, too, on which the application prepares its first frame. On X11 the CPU canvas has a window of its own, which
/// costs a tenth of one that a software renderer draws; what paints is found out before any window appears.
///
/// # Errors
///
/// When the window cannot be opened, the driver cannot draw the picture, or the X server goes away.
#[cfg(target_os = "linux")]
pub fn run<A: App>(
    options: Options,
    painter: Painter,
    begin: impl FnOnce(View, power::Display) -> (A, CpuCanvas) + 'static,
) -> Result<(), HostError> {
    let Some(connection) = x11::reach() else {
        return window::run(options, painter, begin);
    };
    // A server without a desktop starts anew when its last client leaves: this one stays until the window is there.
    let begin = move |view, display| {
        drop(connection);
        begin(view, display)
    };
    let painter = match painter {
        Painter::Auto => probe::choose(painter, &probe::probe_apart(PROBE)).0,
        asked => asked,
    };
    if painter == Painter::Cpu {
        match x11::Host::open(&options) {
            Ok(host) => return host.run(&options, begin).map_err(HostError::X11),
            // Pixels of another kind: macroquad's window has a way for them.
            Err(x11::X11Error::NoVisual) => (),
            Err(error) => return Err(HostError::X11(error)),
        }
    }
    window::run(options, painter, begin)
}

/// The same, in the one kind of window that there is elsewhere.
///
/// # Errors
///
/// When the window cannot be opened, or the driver cannot draw the picture.
#[cfg(not(target_os = "linux"))]
pub fn run<A: App>(
    options: Options,
    painter: Painter,
    begin: impl FnOnce(View, power::Display) -> (A, CpuCanvas) + 'static,
) -> Result<(), HostError> {
    window::run(options, painter, begin)
}
