//! The system's wish that the program ends.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Makes a limit on the size of files an error of the write that meets it, instead of the end of the program.
pub fn outlive_file_limits() {
    #[cfg(unix)]
    {
        // Any handler does, and where there can be none the system's own remains.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
    }
}

/// Whether SIGTERM or SIGINT came. A second one kills at once.
#[derive(Debug)]
pub struct Interrupt {
    raised: Arc<AtomicBool>,
}

impl Interrupt {
    /// Begins to listen.
    ///
    /// # Errors
    ///
    /// When the system refuses.
    pub fn listen() -> io::Result<Interrupt> {
        let raised = Arc::new(AtomicBool::new(false));
        #[cfg(unix)]
        for signal in [signal_hook::consts::SIGTERM, signal_hook::consts::SIGINT] {
            // In this order: the first signal finds the flag down, and raises it.
            signal_hook::flag::register_conditional_default(signal, Arc::clone(&raised))?;
            signal_hook::flag::register(signal, Arc::clone(&raised))?;
        }
        Ok(Interrupt { raised })
    }

    /// Whether one came.
    pub fn is_raised(&self) -> bool {
        self.raised.load(Ordering::Relaxed)
    }
}
