//! What owns a graphics context, a size, a clock and events, and lends them to the picture.

#[cfg(target_os = "linux")]
pub mod offscreen;
