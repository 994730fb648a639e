//! A second connection to the X server, that hears what happens to macroquad's window.

use std::time::Instant;

use x11rb::connection::{Connection, RequestConnection};
use x11rb::protocol::res::{self, ClientIdMask, ClientIdSpec, ConnectionExt as _};
use x11rb::protocol::xproto::{
    AtomEnum, ChangeWindowAttributesAux, ConnectionExt as _, EventMask, Window,
};
use x11rb::rust_connection::RustConnection;

use crate::host::CLASS;
use crate::host::x11::visibility::Visibility;
use crate::host::x11::{X11Error, wait};

/// The connection, and what it heard.
pub struct Connected {
    connection: RustConnection,
    visibility: Visibility,
}

impl Connected {
    /// Finds the window of this process; nothing where there is none, or the server cannot tell whose it is.
    pub fn find() -> Option<Connected> {
        let (connection, screen) = x11rb::connect(None).ok()?;
        let root = connection.setup().roots[screen].root;
        let window = own_window(&connection, root).ok()??;
        let events = EventMask::STRUCTURE_NOTIFY
            | EventMask::VISIBILITY_CHANGE
            | EventMask::PROPERTY_CHANGE
            | EventMask::EXPOSURE
            | EventMask::KEY_PRESS
            | EventMask::POINTER_MOTION;
        let listen = ChangeWindowAttributesAux::new().event_mask(events);
        connection
            .change_window_attributes(window, &listen)
            .ok()?
            .check()
            .ok()?;
        let visibility = Visibility::new(&connection, window).ok()?;
        Some(Connected {
            connection,
            visibility,
        })
    }

    /// Whether anybody can see the window. Once nothing more is heard, it counts as seen.
    pub fn is_visible(&mut self) -> bool {
        self.take_events().is_err() || self.visibility.is_visible()
    }

    /// Waits until something is heard, but not beyond `until`; says whether it was.
    pub fn wait(&mut self, until: Instant) -> bool {
        if wait(&self.connection, until).is_err() {
            std::thread::sleep(until.saturating_duration_since(Instant::now()));
            return true;
        }
        Instant::now() < until
    }

    fn take_events(&mut self) -> Result<(), X11Error> {
        while let Some(event) = self.connection.poll_for_event()? {
            self.visibility.notice(&self.connection, &event)?;
        }
        Ok(())
    }
}

/// The window of the program's class that belongs to this process, of those under `root`.
fn own_window(connection: &RustConnection, root: Window) -> Result<Option<Window>, X11Error> {
    if connection
        .extension_information(res::X11_EXTENSION_NAME)?
        .is_none()
    {
        return Ok(None);
    }
    let mut windows = vec![root];
    while let Some(window) = windows.pop() {
        if is_of_class(connection, window)? && owner(connection, window)? == std::process::id() {
            return Ok(Some(window));
        }
        // Of windows that went away meanwhile there is nothing to ask.
        if let Ok(tree) = connection.query_tree(window)?.reply() {
            windows.extend(tree.children);
        }
    }
    Ok(None)
}

fn is_of_class(connection: &RustConnection, window: Window) -> Result<bool, X11Error> {
    const MOST: u32 = 64;
    let (property, kind) = (AtomEnum::WM_CLASS, AtomEnum::STRING);
    let class = connection.get_property(false, window, property, kind, 0, MOST)?;
    let names = class.reply().map(|reply| reply.value).unwrap_or_default();
    Ok(names
        .split(|&letter| letter == 0)
        .any(|name| name == CLASS.as_bytes()))
}

/// The process that made a window; 0 where the server does not know.
fn owner(connection: &RustConnection, window: Window) -> Result<u32, X11Error> {
    let asked = ClientIdSpec {
        client: window,
        mask: ClientIdMask::LOCAL_CLIENT_PID,
    };
    let reply = connection.res_query_client_ids(&[asked])?.reply()?;
    let found = reply.ids.first().and_then(|id| id.value.first().copied());
    Ok(found.unwrap_or(0))
}
