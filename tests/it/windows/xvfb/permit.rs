//! No more X servers at once than the machine has processors, however many tests run.

use std::cell::Cell;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

/// How many servers there are.
static SERVERS: Mutex<usize> = Mutex::new(0);

/// A server has gone.
static FREED: Condvar = Condvar::new();

thread_local! {
    static HOLDS_ONE: Cell<bool> = const { Cell::new(false) };
}

/// The right to run a server, until it is dropped.
pub struct Permit(());

impl Permit {
    /// Waits for its turn.
    ///
    /// # Panics
    ///
    /// When this thread holds one already: two tests that each wait for a second server would wait for ever.
    pub fn take() -> Permit {
        assert!(!HOLDS_ONE.replace(true), "a test has one display at a time");
        let most = thread::available_parallelism().map_or(1, usize::from);
        let servers = SERVERS.lock().unwrap_or_else(PoisonError::into_inner);
        let mut servers = FREED
            .wait_while(servers, |servers| *servers >= most)
            .unwrap_or_else(PoisonError::into_inner);
        *servers += 1;
        Permit(())
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        HOLDS_ONE.set(false);
        *SERVERS.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        FREED.notify_one();
    }
}
