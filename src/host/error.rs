//! Why there is no window, or none any more; each says what to do.

#[cfg(target_os = "linux")]
use super::x11::X11Error;
use crate::canvas::gpu::GpuError;

/// Why there is no window.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// Neither X11 nor Wayland is there.
    #[error("no display: neither DISPLAY nor WAYLAND_DISPLAY is set; `eddyline render` needs none")]
    NoDisplay,
    /// The X server is not there, or refuses.
    #[error(
        "no answer from the X server at DISPLAY={display}; is it running, and may this user connect? `eddyline render` needs none"
    )]
    NoAnswer {
        /// The variable.
        display: String,
    },
    /// A library of the system is missing.
    #[error(
        "{library} is missing: install {package} (Debian's name); `eddyline render` does without"
    )]
    NoLibrary {
        /// The file.
        library: &'static str,
        /// The Debian package.
        package: &'static str,
    },
    /// The driver cannot draw the picture.
    #[error("{0}; update the graphics driver (Debian: libgl1-mesa-dri), or use `eddyline render`")]
    Gpu(GpuError),
    /// The X server refuses, or went away.
    #[cfg(target_os = "linux")]
    #[error(transparent)]
    X11(X11Error),
    /// The window could not be opened for another reason.
    #[error("the window could not be opened: {0}; `eddyline render` needs none")]
    Refused(String),
}
