//! Whether anybody can see the window: macroquad does not say, so a connection of our own asks the X server.

use std::time::Instant;

#[cfg(target_os = "linux")]
mod x11;

#[cfg(target_os = "linux")]
use x11::Connected;

/// What is known of the open window; elsewhere than on X11 that is nothing, and it counts as seen.
pub struct Watch {
    #[cfg(target_os = "linux")]
    connected: Option<Connected>,
}

impl Watch {
    /// Begins to watch this process's window.
    pub fn begin() -> Watch {
        Watch {
            #[cfg(target_os = "linux")]
            connected: Connected::find(),
        }
    }

    /// Whether anybody can see the window.
    pub fn is_visible(&mut self) -> bool {
        #[cfg(target_os = "linux")]
        if let Some(connected) = &mut self.connected {
            return connected.is_visible();
        }
        true
    }

    /// Waits until something happens to the window or a key is pressed, but not beyond `until`; says whether anything may have
    /// happened.
    pub fn wait(&mut self, until: Instant) -> bool {
        #[cfg(target_os = "linux")]
        if let Some(connected) = &mut self.connected {
            return connected.wait(until);
        }
        std::thread::sleep(until.saturating_duration_since(Instant::now()));
        true
    }
}
