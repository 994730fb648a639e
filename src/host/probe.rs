//! What draws on the display, asked before any window is there: the driver's names, and what it can draw to.
//!
//! It knows no window and shows nothing: EGL makes a context without a surface, on a thread of its own, so that no context
//! stays current anywhere and a driver that does not answer keeps nobody. Everything is given back, and nothing of miniquad
//! is touched.
//!
//! An X server without a desktop starts anew when its last client leaves; whoever needs it after the probe holds a connection
//! meanwhile.

use std::env;
use std::fmt;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::settings::Painter;

mod apart;
mod egl;
mod gl;
mod glx;

pub use apart::{probe_apart, write};

/// How long a driver or a server may take to answer. A driver that has to wake its hardware takes a second.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);

/// What renderers without graphics hardware have in their names, in lower case.
const SOFTWARE: [&str; 5] = [
    "llvmpipe",
    "softpipe",
    "swrast",
    "swiftshader",
    "software rasterizer",
];

/// What draws, as its driver says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renderer {
    /// How it was asked.
    pub platform: Platform,
    /// Who made the driver: `GL_VENDOR`.
    pub vendor: String,
    /// What draws: `GL_RENDERER`.
    pub renderer: String,
    /// `GL_VERSION`.
    pub version: String,
    /// Whether a texture of 16-bit floats can be drawn to.
    pub half_targets: bool,
    /// Whether a texture of 32-bit floats can be drawn to.
    pub single_targets: bool,
    /// Whether one call can draw many instances.
    pub instancing: bool,
}

/// What EGL makes contexts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Platform {
    /// The X server of `DISPLAY`.
    X11,
    /// The compositor of `WAYLAND_DISPLAY`.
    Wayland,
    /// No display: what Mesa draws with by itself.
    Surfaceless,
}

/// Why nothing is known about what draws.
#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    /// There is no library of OpenGL at all.
    #[error("no OpenGL library: install libgl1 or libegl1 (Debian's names)")]
    NoLibrary,
    /// There is OpenGL, but not what it is asked by.
    #[error("nothing to ask OpenGL by: install libegl1 (Debian's name)")]
    NoEgl,
    /// EGL makes no context.
    #[error("EGL makes no context ({platform}): {reason}")]
    Refused {
        /// The platform asked first.
        platform: Platform,
        /// What EGL says.
        reason: String,
    },
    /// The driver never answers.
    #[error("the graphics driver gives no answer")]
    NoAnswer,
}

impl Renderer {
    /// Whether the processor does the drawing.
    pub fn is_software(&self) -> bool {
        is_software(&self.renderer)
    }
}

/// Whether this is the name of something that draws by the processor.
pub fn is_software(renderer: &str) -> bool {
    let name = renderer.to_lowercase();
    SOFTWARE.iter().any(|software| name.contains(software))
}

impl Platform {
    const ALL: [Platform; 3] = [Platform::X11, Platform::Wayland, Platform::Surfaceless];

    fn named(name: &str) -> Option<Platform> {
        Platform::ALL
            .into_iter()
            .find(|platform| platform.to_string() == name)
    }

    /// The platforms to ask, best first: those of the displays that the environment names, then none.
    fn candidates(is_set: impl Fn(&str) -> bool) -> Vec<Platform> {
        [
            (Platform::X11, is_set("DISPLAY")),
            (Platform::Wayland, is_set("WAYLAND_DISPLAY")),
            (Platform::Surfaceless, true),
        ]
        .into_iter()
        .filter_map(|(platform, is_there)| is_there.then_some(platform))
        .collect()
    }
}

impl fmt::Display for Platform {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Platform::X11 => "X11",
            Platform::Wayland => "Wayland",
            Platform::Surfaceless => "without a display",
        })
    }
}

/// Asks the driver of the display that the environment names; where there is none, or it refuses, the driver that draws
/// without. Takes some hundredths of a second.
///
/// # Errors
///
/// When a library is missing, or no driver answers.
pub fn probe() -> Result<Renderer, ProbeError> {
    let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    let candidates = Platform::candidates(is_set);
    within(PATIENCE, move || egl::ask(&candidates)).unwrap_or(Err(ProbeError::NoAnswer))
}

/// The same, and where there is no EGL, through GLX. An X server that refuses that ends the process: for a process of its own.
///
/// # Errors
///
/// When a library is missing, or no driver answers.
pub fn probe_alone() -> Result<Renderer, ProbeError> {
    match probe() {
        Err(ProbeError::NoEgl) => within(PATIENCE, glx::ask)
            .flatten()
            .ok_or(ProbeError::NoEgl),
        found => found,
    }
}

/// What paints the picture, [`Painter::Gpu`] or [`Painter::Cpu`], and why, for people.
///
/// Asked for `auto`, it is the processor where that would do the drawing anyway, or where there is no OpenGL. A driver that
/// refused the probe may still draw in a window, so that is what is tried.
pub fn choose(asked: Painter, found: &Result<Renderer, ProbeError>) -> (Painter, String) {
    match (asked, found) {
        (Painter::Gpu | Painter::Cpu, _) => (asked, "as asked for".to_owned()),
        (Painter::Auto, Ok(renderer)) if renderer.is_software() => (
            Painter::Cpu,
            format!("no graphics hardware: {}", renderer.renderer),
        ),
        (Painter::Auto, Ok(renderer)) => (Painter::Gpu, renderer.renderer.clone()),
        (Painter::Auto, Err(error @ ProbeError::NoLibrary)) => (Painter::Cpu, error.to_string()),
        (Painter::Auto, Err(error)) => (Painter::Gpu, format!("to be tried: {error}")),
    }
}

/// What `work` returns on a thread of its own, or nothing if that takes longer than `limit`; it is then left to itself.
pub(super) fn within<T: Send + 'static>(
    limit: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (sender, receiver) = mpsc::channel();
    let worker = thread::Builder::new().name("eddyline asks".to_owned());
    let worker = worker
        .spawn(move || {
            // Nobody listens any more: it came too late.
            let _ = sender.send(work());
        })
        .ok()?;
    let outcome = receiver.recv_timeout(limit).ok()?;
    // What the driver keeps for its thread is gone before anything else asks the driver.
    let _ = worker.join();
    Some(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn renderer(name: &str) -> Renderer {
        Renderer {
            platform: Platform::X11,
            vendor: "Somebody".to_owned(),
            renderer: name.to_owned(),
            version: "4.5".to_owned(),
            half_targets: true,
            single_targets: true,
            instancing: true,
        }
    }

    fn refused() -> ProbeError {
        ProbeError::Refused {
            platform: Platform::X11,
            reason: "bad".to_owned(),
        }
    }

    #[test]
    fn software_is_known_by_its_name() {
        for name in [
            "llvmpipe (LLVM 15.0.6, 256 bits)",
            "softpipe",
            "Mesa DRI swrast",
            "ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device), SwiftShader driver)",
            "Software Rasterizer",
            "virgl (LLVMPIPE (LLVM 15.0.6, 256 bits))",
        ] {
            assert!(renderer(name).is_software(), "{name}");
        }
        for name in [
            "Mesa Intel(R) UHD Graphics 620 (KBL GT2)",
            "AMD Radeon RX 6600 (radeonsi, navi23, LLVM 15.0.6, DRM 3.49, 6.1.0)",
            "NVIDIA GeForce RTX 3060/PCIe/SSE2",
            "",
        ] {
            assert!(!renderer(name).is_software(), "{name}");
        }
    }

    #[test]
    fn what_is_asked_for_is_chosen_whatever_was_found() {
        for painter in [Painter::Gpu, Painter::Cpu] {
            for found in [
                Ok(renderer("llvmpipe")),
                Ok(renderer("GeForce")),
                Err(ProbeError::NoLibrary),
                Err(refused()),
            ] {
                assert_eq!(
                    choose(painter, &found),
                    (painter, "as asked for".to_owned())
                );
            }
        }
    }

    #[test]
    fn auto_takes_the_processor_only_where_it_would_draw_anyway_or_nothing_else_can() {
        let auto = |found| choose(Painter::Auto, &found);
        let (painter, why) = auto(Ok(renderer("llvmpipe (LLVM 15)")));
        assert_eq!(painter, Painter::Cpu);
        assert_eq!(why, "no graphics hardware: llvmpipe (LLVM 15)");
        assert_eq!(
            auto(Ok(renderer("GeForce"))),
            (Painter::Gpu, "GeForce".to_owned())
        );
        let (painter, why) = auto(Err(ProbeError::NoLibrary));
        assert_eq!(painter, Painter::Cpu);
        assert!(why.contains("libgl1"), "{why}");
        for error in [refused(), ProbeError::NoAnswer, ProbeError::NoEgl] {
            let reason = error.to_string();
            let (painter, why) = auto(Err(error));
            assert_eq!(painter, Painter::Gpu);
            assert!(why.ends_with(&reason), "{why}");
        }
    }

    #[test]
    fn the_display_is_asked_before_none() {
        let candidates = |set: &[&str]| Platform::candidates(|name| set.contains(&name));
        assert_eq!(candidates(&[]), [Platform::Surfaceless]);
        assert_eq!(
            candidates(&["DISPLAY"]),
            [Platform::X11, Platform::Surfaceless]
        );
        assert_eq!(
            candidates(&["WAYLAND_DISPLAY", "DISPLAY"]),
            [Platform::X11, Platform::Wayland, Platform::Surfaceless]
        );
    }

    #[test]
    fn what_takes_too_long_is_left_to_itself() {
        assert_eq!(within(PATIENCE, || 7), Some(7));
        let (sender, receiver) = mpsc::channel::<()>();
        let waits = move || receiver.recv().is_ok();
        assert_eq!(within(Duration::from_millis(1), waits), None);
        drop(sender);
    }
}
