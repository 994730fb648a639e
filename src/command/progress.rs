//! How far a long work is: a bar for people, lines for programs, or nothing.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, ProgressBar, ProgressStyle};

/// Least time between two lines for programs.
const OFTEN: Duration = Duration::from_millis(200);

/// Who is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Whoever looks at the terminal.
    People,
    /// A program that reads lines of JSON from stderr.
    Programs,
    /// Nobody.
    Nobody,
}

/// A work in stages, each with a number of parts.
#[derive(Debug)]
pub struct Progress {
    audience: Audience,
    bar: ProgressBar,
    stage: &'static str,
    begun: Instant,
    total: u64,
    /// When a line was written last.
    told: Option<Instant>,
}

impl Progress {
    /// Tells `audience`, on stderr; a bar only where that is a terminal.
    pub fn new(audience: Audience) -> Progress {
        let style = ProgressStyle::with_template("{prefix} {wide_bar} {pos}/{len} {msg} {eta}")
            .expect("the template is constant");
        let bar = match audience {
            Audience::People => ProgressBar::new(0),
            _ => ProgressBar::hidden(),
        };
        Progress {
            audience,
            bar: bar.with_style(style),
            stage: "",
            begun: Instant::now(),
            total: 0,
            told: None,
        }
    }

    /// Begins a stage of `total` parts.
    pub fn begin(&mut self, stage: &'static str, total: u64) {
        (self.stage, self.total) = (stage, total);
        (self.begun, self.told) = (Instant::now(), None);
        self.bar.reset();
        self.bar.set_prefix(stage);
        self.bar.set_length(total);
        self.bar.set_message("");
    }

    /// Says that so many parts of the stage are done, and how many bytes were written.
    pub fn set(&mut self, done: u64, bytes: u64) {
        let seconds = self.begun.elapsed().as_secs_f64();
        let rate = done as f64 / seconds.max(1e-3);
        self.bar.set_position(done);
        if bytes > 0 && !self.bar.is_hidden() {
            let size = HumanBytes(bytes);
            self.bar.set_message(format!("{rate:.1} fps {size}"));
        }
        let is_due = self.told.is_none_or(|told| told.elapsed() >= OFTEN) || done == self.total;
        if self.audience == Audience::Programs && is_due {
            self.told = Some(Instant::now());
            let left = self.total.saturating_sub(done) as f64 / rate.max(1e-9);
            tell(&line(self.stage, done, self.total, bytes, [rate, left]));
        }
    }

    /// Ends the bar; a program is told what there is.
    pub fn finish(&self, frames: u64, bytes: u64) {
        self.bar.finish_and_clear();
        if self.audience == Audience::Programs {
            let seconds = self.begun.elapsed().as_secs_f64();
            let rate = frames as f64 / seconds.max(1e-3);
            tell(&line("done", frames, frames, bytes, [rate, 0.0]));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// One line: where the numbers are, in the same order always.
fn line(stage: &str, done: u64, total: u64, bytes: u64, [rate, left]: [f64; 2]) -> String {
    let mut line = format!("{{\"stage\":\"{stage}\",\"done\":{done},\"total\":{total}");
    _ = write!(
        line,
        ",\"per_second\":{rate:.2},\"seconds_left\":{left:.1},\"bytes\":{bytes}}}"
    );
    line
}

/// Nobody may read any more: that is no reason to stop the work.
fn tell(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_json() {
        assert_eq!(
            line("frames", 3, 10, 2048, [1.5, 4.666]),
            r#"{"stage":"frames","done":3,"total":10,"per_second":1.50,"seconds_left":4.7,"bytes":2048}"#
        );
    }
}
