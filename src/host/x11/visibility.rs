//! Whether anybody can see a window, from what the X server reports about it.

use x11rb::protocol::Event;
use x11rb::protocol::xproto::{Atom, ConnectionExt as _, Visibility as Coverage, Window};
use x11rb::rust_connection::RustConnection;

use super::X11Error;

/// The state of an iconified window in `WM_STATE`.
const ICONIC: u32 = 3;

x11rb::atom_manager! {
    /// The properties by which window managers say that a window is hidden.
    pub Properties: PropertiesCookie {
        WM_STATE,
        _NET_WM_STATE,
        _NET_WM_STATE_HIDDEN,
    }
}

/// What is known of a window.
pub struct Visibility {
    window: Window,
    properties: Properties,
    is_mapped: bool,
    is_covered: bool,
    is_iconic: bool,
    is_hidden: bool,
}

impl Visibility {
    /// A window that is mapped, or will be as soon as it can.
    pub fn new(connection: &RustConnection, window: Window) -> Result<Visibility, X11Error> {
        Ok(Visibility {
            window,
            properties: Properties::new(connection)?.reply()?,
            is_mapped: true,
            is_covered: false,
            is_iconic: false,
            is_hidden: false,
        })
    }

    /// Whether anybody can see it.
    pub fn is_visible(&self) -> bool {
        self.is_mapped && !self.is_covered && !self.is_iconic && !self.is_hidden
    }

    /// Takes down what an event says.
    pub fn notice(&mut self, connection: &RustConnection, event: &Event) -> Result<(), X11Error> {
        match event {
            Event::MapNotify(event) if event.window == self.window => {
                (self.is_mapped, self.is_covered) = (true, false);
            }
            Event::UnmapNotify(event) if event.window == self.window => self.is_mapped = false,
            Event::VisibilityNotify(event) if event.window == self.window => {
                self.is_covered = event.state == Coverage::FULLY_OBSCURED;
            }
            Event::PropertyNotify(event) if event.window == self.window => {
                let Properties {
                    WM_STATE,
                    _NET_WM_STATE,
                    _NET_WM_STATE_HIDDEN,
                } = self.properties;
                if event.atom == WM_STATE {
                    let state = values(connection, self.window, WM_STATE)?;
                    self.is_iconic = state.first() == Some(&ICONIC);
                } else if event.atom == _NET_WM_STATE {
                    let states = values(connection, self.window, _NET_WM_STATE)?;
                    self.is_hidden = states.contains(&_NET_WM_STATE_HIDDEN);
                }
            }
            _ => (),
        }
        Ok(())
    }
}

/// The 32-bit values of a window's property; none where it has no such.
pub fn values(
    connection: &RustConnection,
    window: Window,
    property: Atom,
) -> Result<Vec<u32>, X11Error> {
    const ANY_TYPE: Atom = 0;
    const MOST: u32 = 64;
    let reply = connection
        .get_property(false, window, property, ANY_TYPE, 0, MOST)?
        .reply();
    match reply {
        Ok(reply) => Ok(reply.value32().map(Iterator::collect).unwrap_or_default()),
        // The window went away: whoever asks will be told.
        Err(x11rb::errors::ReplyError::X11Error(_)) => Ok(Vec::new()),
        Err(error) => Err(error.into()),
    }
}
