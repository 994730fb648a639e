//! What pictures can be shown on, for bug reports: the server, its monitors, and how dense they are.

use std::env;

use x11rb::connection::Connection;
use x11rb::errors::ReplyError;
use x11rb::protocol::randr::ConnectionExt as _;
use x11rb::protocol::xproto::{AtomEnum, ConnectionExt as _};
use x11rb::rust_connection::RustConnection;

use super::probe::{PATIENCE, within};

/// The dots per inch that stand for one device px per logical px.
const USUAL_DPI: f64 = 96.0;

/// Scales outside are mistakes.
const SCALES: [f64; 2] = [0.5, 8.0];

/// Longest list of resources that is read, in 32-bit words.
const MOST_RESOURCES: u32 = 1 << 16;

/// What was found at an X server.
#[derive(Debug)]
pub struct Displays {
    /// The X server's own words about itself.
    pub server: String,
    /// What shows its picture.
    pub monitors: Vec<Monitor>,
    /// The resource `Xft.dpi`, where it is set.
    pub dpi: Option<f64>,
    /// An X server without a desktop starts anew when its last client leaves: others can be asked while this stays.
    _connection: RustConnection,
}

/// A part of an X server's screen that is shown somewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Monitor {
    /// The server's name for it.
    pub name: String,
    /// Width and height in device px.
    pub size: [u32; 2],
    /// Left and top edge on the screen, in device px.
    pub place: [i32; 2],
}

/// Why nothing is known about displays.
#[derive(Debug, thiserror::Error)]
pub enum DisplaysError {
    /// No window system is named.
    #[error("none: neither DISPLAY nor WAYLAND_DISPLAY is set")]
    NoDisplay,
    /// Wayland, which only tells windows.
    #[error("Wayland at {0}, without X11: sizes and scale are not known before there is a window")]
    WaylandOnly(String),
    /// The X server is not there, or refuses.
    #[error("no answer from the X server at {display}: {reason}")]
    NoAnswer {
        /// The variable.
        display: String,
        /// What went wrong.
        reason: String,
    },
}

impl Displays {
    /// Asks the X server that the environment names.
    ///
    /// # Errors
    ///
    /// When it names none, or the server does not answer.
    pub fn find() -> Result<Displays, DisplaysError> {
        let variable = |name| {
            let value = env::var_os(name).filter(|value| !value.is_empty());
            value.map(|value| value.to_string_lossy().into_owned())
        };
        let Some(display) = variable("DISPLAY") else {
            return Err(
                variable("WAYLAND_DISPLAY").map_or(DisplaysError::NoDisplay, |name| {
                    DisplaysError::WaylandOnly(name)
                }),
            );
        };
        let answer = within(PATIENCE, ask).unwrap_or_else(|| Err("it takes too long".to_owned()));
        answer.map_err(|reason| DisplaysError::NoAnswer { display, reason })
    }

    /// Device px per logical px.
    pub fn scale(&self) -> f64 {
        scale_of(self.dpi)
    }
}

/// What the X server says, or in what words it does not.
fn ask() -> Result<Displays, String> {
    let (connection, screen) = x11rb::connect(None).map_err(|error| error.to_string())?;
    let setup = connection.setup();
    let vendor = String::from_utf8_lossy(&setup.vendor).into_owned();
    let server = format!("{vendor}, release {}", setup.release_number);
    let screen = &setup.roots[screen];
    let whole = Monitor {
        name: "the screen".to_owned(),
        size: [
            screen.width_in_pixels.into(),
            screen.height_in_pixels.into(),
        ],
        place: [0, 0],
    };
    // Servers without the extension, or an old one of it, know their screen only.
    let monitors = monitors(&connection, screen.root)
        .ok()
        .filter(|monitors| !monitors.is_empty())
        .unwrap_or_else(|| vec![whole]);
    Ok(Displays {
        server,
        monitors,
        dpi: density(&connection, screen.root),
        _connection: connection,
    })
}

fn monitors(connection: &RustConnection, root: u32) -> Result<Vec<Monitor>, ReplyError> {
    connection.randr_query_version(1, 5)?.reply()?;
    let found = connection.randr_get_monitors(root, true)?.reply()?.monitors;
    let mut monitors = Vec::new();
    for monitor in found {
        let name = connection.get_atom_name(monitor.name)?.reply()?.name;
        monitors.push(Monitor {
            name: String::from_utf8_lossy(&name).into_owned(),
            size: [monitor.width.into(), monitor.height.into()],
            place: [monitor.x.into(), monitor.y.into()],
        });
    }
    Ok(monitors)
}

/// Device px per logical px on a screen, as its desktop says by `Xft.dpi`.
pub(super) fn scale(connection: &RustConnection, root: u32) -> f64 {
    scale_of(density(connection, root))
}

fn scale_of(dpi: Option<f64>) -> f64 {
    dpi.map_or(1.0, |dpi| (dpi / USUAL_DPI).clamp(SCALES[0], SCALES[1]))
}

/// The resource `Xft.dpi` of a screen, where it is set.
fn density(connection: &RustConnection, root: u32) -> Option<f64> {
    dpi(&resources(connection, root).ok()?)
}

/// The resources that every program of the desktop reads: a name and a value on each line.
fn resources(connection: &RustConnection, root: u32) -> Result<String, ReplyError> {
    let (name, kind) = (AtomEnum::RESOURCE_MANAGER, AtomEnum::STRING);
    let property = connection.get_property(false, root, name, kind, 0, MOST_RESOURCES)?;
    Ok(String::from_utf8_lossy(&property.reply()?.value).into_owned())
}

/// The value of `Xft.dpi` in a list of resources, where it can be one.
fn dpi(resources: &str) -> Option<f64> {
    let (_, value) = resources
        .lines()
        .filter_map(|line| line.split_once(':'))
        .rfind(|(name, _)| name.trim() == "Xft.dpi")?;
    let dpi: f64 = value.trim().parse().ok()?;
    (dpi.is_finite() && dpi > 0.0).then_some(dpi)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_follow_the_density_in_bounds() {
        for (dpi, scale) in [
            (None, 1.0),
            (Some(96.0), 1.0),
            (Some(144.0), 1.5),
            (Some(10.0), 0.5),
            (Some(1e9), 8.0),
        ] {
            assert_eq!(scale_of(dpi), scale, "{dpi:?}");
        }
    }

    #[test]
    fn the_density_is_read_from_the_resources() {
        assert_eq!(dpi("Xft.antialias:\t1\nXft.dpi:\t144\n"), Some(144.0));
        assert_eq!(dpi("  Xft.dpi : 96.5"), Some(96.5));
        assert_eq!(dpi("Xft.dpi:1\nXft.dpi:2"), Some(2.0));
        for nonsense in [
            "",
            "Xft.dpi",
            "Xft.dpi:",
            "Xft.dpi: 0",
            "Xft.dpi: -3",
            "Xft.dpi: nan",
            "Xft.dpi: inf",
            "XXft.dpi: 96",
        ] {
            assert_eq!(dpi(nonsense), None, "{nonsense}");
        }
    }
}
