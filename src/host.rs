//! What owns a graphics context, a size, a clock and events, and lends them to an application.
//!
//! A host knows neither settings nor time in the picture: it runs an [`App`], frame by frame, on a canvas of its own
//! kind, and shows the application's overlay above it.

use std::time::Instant;

use crate::canvas::cpu::CpuCanvas;
use crate::canvas::{Canvas, Extent};
use crate::input::{Action, Pointer};
use crate::overlay::Image;

#[cfg(target_os = "linux")]
pub mod offscreen;
pub mod window;

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

    /// What lies over the picture in the frame that was painted last.
    fn overlay(&self) -> Option<Image<'_>>;
}
