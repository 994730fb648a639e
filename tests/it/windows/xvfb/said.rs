//! What a running program says on stdout, and waiting for it.
//!
//! A thread reads it, so that the program never waits for a test. What was done is kept line by line, to be read in order;
//! what is on the screen (`FRAME`, `REST`, `NOTICE`, `SHARE`) only as it was last.

use std::collections::VecDeque;
use std::fmt::{self, Display, Formatter};
use std::io::{BufRead, BufReader};
use std::process::ChildStdout;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use super::PATIENCE;

/// What has been said so far, shared with the thread that reads on.
pub struct Said(Arc<(Mutex<State>, Condvar)>);

/// What has been said so far.
#[derive(Debug, Default)]
pub struct State {
    /// Lines that no test has read yet.
    pub unread: VecDeque<String>,
    /// Frames that have been on the screen.
    pub frames: u64,
    /// The step of the last one.
    pub step: i64,
    /// How often the program has looked after a picture that stands still since it showed or did anything.
    pub rests: u64,
    /// Whether a notice lies over the picture.
    pub has_notice: bool,
    /// How many of the particles the machine is to carry, where that is not all.
    pub share: Option<f64>,
    /// Whether nothing more will be said.
    pub is_over: bool,
    /// Everything, for a test that fails; of frames and rests in a row the last.
    past: Vec<String>,
}

impl Said {
    /// Reads what the program says, on a thread of its own.
    pub fn listen(stdout: ChildStdout) -> Said {
        let shared = Arc::<(Mutex<State>, Condvar)>::default();
        let told = Arc::clone(&shared);
        thread::spawn(move || {
            let lines = BufReader::new(stdout).lines().map_while(Result::ok);
            for line in lines.map(Some).chain([None]) {
                let mut state = lock(&told.0);
                match line {
                    Some(line) => state.take_down(line),
                    None => state.is_over = true,
                }
                told.1.notify_all();
            }
        });
        Said(shared)
    }

    /// What there is by now.
    pub fn now(&self) -> MutexGuard<'_, State> {
        lock(&self.0.0)
    }

    /// Waits until `found` finds something in what has been said.
    ///
    /// # Panics
    ///
    /// When that takes too long or the program ends before; the message tells what it had said.
    pub fn wait<R>(&self, what: &str, mut found: impl FnMut(&mut State) -> Option<R>) -> R {
        let begin = Instant::now();
        let mut state = self.now();
        loop {
            if let Some(result) = found(&mut state) {
                return result;
            }
            let left = PATIENCE.saturating_sub(begin.elapsed());
            if state.is_over || left.is_zero() {
                let way = if state.is_over {
                    "the program ended"
                } else {
                    "nothing came for too long"
                };
                let story = state.to_string();
                // Whoever else asks is not to find it poisoned.
                drop(state);
                panic!("waiting for {what}, {way}; {story}");
            }
            let waited = self.0.1.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    fn take_down(&mut self, line: String) {
        let (kind, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match kind {
            "FRAME" => {
                self.frames += 1;
                self.rests = 0;
                self.step = rest.parse().expect("the number of a step");
            }
            "REST" => self.rests += 1,
            "NOTICE" => self.has_notice = rest == "on",
            "SHARE" => self.share = Some(rest.parse().expect("a share")),
            _ => {
                self.rests = 0;
                self.unread.push_back(line.clone());
            }
        }
        let is_more = ["FRAME", "REST"].contains(&kind)
            && self.past.last().is_some_and(|last| last.starts_with(kind));
        if is_more {
            self.past.pop();
        }
        self.past.push(line);
    }

    /// Whether what is on the screen stays.
    pub fn is_resting(&self) -> bool {
        self.rests > 0
    }
}

impl Display for State {
    fn fmt(&self, formatter: &mut Formatter) -> fmt::Result {
        let (frames, step) = (self.frames, self.step);
        write!(formatter, "{frames} frames up to step {step}; it had said:")?;
        self.past
            .iter()
            .try_for_each(|line| write!(formatter, "\n  {line}"))
    }
}
