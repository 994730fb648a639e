//! What a window needs of the system, looked for before it is opened: miniquad panics where something is missing.

use std::env;
use std::ffi::{c_char, c_int, c_uchar, c_ulong, c_void};
use std::io::{self, Write};
use std::ptr::NonNull;

use crate::host::HostError;

/// The window system that answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum System {
    /// X11, or XWayland.
    X11,
    /// Wayland alone.
    Wayland,
}

/// A library that is loaded while running, by any of its names, and the Debian package that brings it.
type Library = (&'static [&'static str], &'static str);

const X11: Library = (&["libX11.so.6", "libX11.so"], "libx11-6");
const XI: Library = (&["libXi.so.6", "libXi.so"], "libxi6");
const XKB: Library = (&["libxkbcommon.so.0", "libxkbcommon.so"], "libxkbcommon0");
const GL: Library = (
    &["libGL.so.1", "libGL.so", "libEGL.so.1", "libEGL.so"],
    "libgl1",
);
const EGL: Library = (&["libEGL.so.1", "libEGL.so"], "libegl1");
const WAYLAND: Library = (
    &["libwayland-client.so.0", "libwayland-client.so"],
    "libwayland-client0",
);
const WAYLAND_EGL: Library = (
    &["libwayland-egl.so.1", "libwayland-egl.so"],
    "libwayland-egl1",
);

/// What was found.
#[derive(Debug)]
pub struct Found {
    /// The window system to use.
    pub system: System,
    /// To be kept until the window is open: an X server without a desktop starts anew when its only client leaves, and
    /// then refuses the next.
    pub connection: Option<Connection>,
}

/// A connection to the X server that nothing is asked of.
#[derive(Debug)]
pub struct Connection {
    x11: libloading::Library,
    display: NonNull<c_void>,
}

/// Finds the window system and the libraries that a window needs there: X11 first, where windows are moved and closed
/// more reliably, then Wayland.
///
/// # Errors
///
/// What is missing, and what to do about it.
pub fn check() -> Result<Found, HostError> {
    let set = |name| env::var(name).ok().filter(|value| !value.is_empty());
    let (display, wayland) = (set("DISPLAY"), set("WAYLAND_DISPLAY"));
    let Some(display) = display else {
        return match wayland {
            Some(_) => check_wayland(),
            None => Err(HostError::NoDisplay),
        };
    };
    match check_x11(display) {
        Err(error) if wayland.is_some() => check_wayland().map_err(|_| error),
        outcome => outcome,
    }
}

fn check_x11(display: String) -> Result<Found, HostError> {
    let x11 = load(X11)?;
    for library in [XI, XKB, GL] {
        load(library)?;
    }
    let connection = Connection::open(x11).ok_or(HostError::NoAnswer { display })?;
    Ok(Found {
        system: System::X11,
        connection: Some(connection),
    })
}

fn check_wayland() -> Result<Found, HostError> {
    for library in [WAYLAND, WAYLAND_EGL, EGL, XKB] {
        load(library)?;
    }
    Ok(Found {
        system: System::Wayland,
        connection: None,
    })
}

fn load((names, package): Library) -> Result<libloading::Library, HostError> {
    let found = names.iter().find_map(|name| {
        // SAFETY: runs the initialisers of the system's own graphics libraries, as miniquad does next.
        unsafe { libloading::Library::new(name) }.ok()
    });
    found.ok_or(HostError::NoLibrary {
        library: names[0],
        package,
    })
}

/// What Xlib calls when the connection breaks.
type Handler = extern "C" fn(*mut c_void) -> c_int;

/// Ends the program, as Xlib does after this returns, but in words of our own. Nothing can be cleaned up: any call to the
/// window system would come here again.
extern "C" fn server_went_away(_: *mut c_void) -> c_int {
    let _ = writeln!(io::stderr(), "eddyline: the X server went away");
    // SAFETY: the C library's function, with its type. It ends the process without the exit handlers of graphics
    // drivers, which would wait for the server.
    unsafe { _exit(1) }
}

/// What an X server says of a request that it refuses, as Xlib lays it out.
#[repr(C)]
struct Refusal {
    kind: c_int,
    display: *mut c_void,
    resource: c_ulong,
    serial: c_ulong,
    error: c_uchar,
    request: c_uchar,
    minor: c_uchar,
}

/// What Xlib calls when the server refuses a request.
type RefusalHandler = unsafe extern "C" fn(*mut c_void, *mut Refusal) -> c_int;

/// Ends the program, as Xlib's own does, but in one line.
///
/// # Safety
///
/// `refusal` is Xlib's.
unsafe extern "C" fn request_refused(_: *mut c_void, refusal: *mut Refusal) -> c_int {
    // SAFETY: Xlib's, and alive during the call.
    let &Refusal {
        error,
        request,
        minor,
        ..
    } = unsafe { &*refusal };
    let _ = writeln!(
        io::stderr(),
        "eddyline: the X server refused what the window or its graphics driver asked for (error {error}, request {request}.{minor}); \
         `eddyline --canvas cpu` does without the driver"
    );
    // SAFETY: as for a connection that breaks.
    unsafe { _exit(1) }
}

unsafe extern "C" {
    fn _exit(code: c_int) -> !;
}

/// Lets a refused request end the program in one line from here on. To be called when the window is open: miniquad sets
/// Xlib's own way while it opens one.
pub fn expect_refusals() {
    type SetHandler = unsafe extern "C" fn(RefusalHandler) -> Option<RefusalHandler>;
    // Loaded by the window already, and stays so.
    if let Ok(x11) = load(X11) {
        // SAFETY: the type is that of Xlib's function.
        if let Ok(set_handler) = unsafe { x11.get::<SetHandler>(b"XSetErrorHandler") } {
            // SAFETY: as above; what was set before is given up.
            unsafe { set_handler(request_refused) };
        }
    }
}

impl Connection {
    /// Connects to the X server of `DISPLAY`, by the library that will make the window's connection.
    fn open(x11: libloading::Library) -> Option<Connection> {
        type Open = unsafe extern "C" fn(*const c_char) -> *mut c_void;
        type InitThreads = unsafe extern "C" fn() -> c_int;
        type SetHandler = unsafe extern "C" fn(Handler) -> Option<Handler>;
        // SAFETY: the types are those of Xlib's functions. Threads are prepared for before the first connection, as Xlib
        // asks, and a null name stands for DISPLAY.
        let display = unsafe {
            x11.get::<InitThreads>(b"XInitThreads").ok()?();
            if let Ok(set_handler) = x11.get::<SetHandler>(b"XSetIOErrorHandler") {
                set_handler(server_went_away);
            }
            x11.get::<Open>(b"XOpenDisplay").ok()?(std::ptr::null())
        };
        Some(Connection {
            display: NonNull::new(display)?,
            x11,
        })
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        type Close = unsafe extern "C" fn(*mut c_void) -> c_int;
        // SAFETY: the type is that of Xlib's function; the display was opened by the same library, and is closed once.
        unsafe {
            if let Ok(close) = self.x11.get::<Close>(b"XCloseDisplay") {
                close(self.display.as_ptr());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_library_is_named_with_its_package() {
        let error = load((&["libnothing.so.9", "libnothing.so"], "libnothing9")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "libnothing.so.9 is missing: install libnothing9 (Debian's name); `eddyline render` does without"
        );
    }
}
