//! How many frames a file holds, by reading it back.

use std::ffi::OsString;
use std::io::{BufReader, Read};
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use super::super::RecordError;
use super::arguments;
use super::process::{Hung, LAST_WORDS, Process};

/// What was found in a file.
#[derive(Debug)]
pub struct Found {
    /// Frames.
    pub frames: u64,
    /// What the program complained of, or that it had to be ended.
    pub complaint: Option<String>,
}

/// Counts the frames of a file without decoding them.
///
/// The program writes a line for each packet that it reads from the file: so what is counted is what is there, whatever
/// was reported while it was written; and it takes nothing but the program that wrote it.
///
/// # Errors
///
/// When the program does not start.
pub fn frames(program: &OsString, path: &Path, patience: Duration) -> Result<Found, RecordError> {
    let arguments = arguments::of_counting(path);
    let mut process = Process::start(program, &arguments, Stdio::null(), Stdio::piped())?;
    let lines = Arc::new(AtomicU64::new(0));
    let (end, ended) = mpsc::channel::<()>();
    if let Some(stdout) = process.take_stdout() {
        let lines = Arc::clone(&lines);
        thread::Builder::new()
            .name("count".to_owned())
            .spawn(move || {
                count(stdout, &lines);
                drop(end);
            })?;
    }
    let outcome = process.wait(patience, || lines.load(Ordering::Relaxed));
    // Returns when the last line has been counted.
    let _ = ended.recv_timeout(LAST_WORDS);
    let complaint = match (process.complaint(), outcome) {
        (Some(line), _) => Some(line.to_owned()),
        (None, Err(Hung)) => Some("it does not end".to_owned()),
        (None, Ok(_)) => None,
    };
    Ok(Found {
        frames: lines.load(Ordering::Relaxed),
        complaint,
    })
}

/// Counts lines, less those that are comments.
fn count(stdout: impl Read, lines: &AtomicU64) {
    let mut before = b'\n';
    for byte in BufReader::new(stdout).bytes().map_while(Result::ok) {
        if before == b'\n' && byte != b'#' && byte != b'\n' {
            lines.fetch_add(1, Ordering::Relaxed);
        }
        before = byte;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_are_no_comments_are_counted() {
        for (text, expected) in [
            ("", 0),
            ("#a\n#b\n", 0),
            ("#a\n0, 1\n0, 2\n\n#c\n0, 3", 3),
            ("0, #\n", 1),
        ] {
            let lines = AtomicU64::new(0);
            count(text.as_bytes(), &lines);
            assert_eq!(lines.into_inner(), expected, "{text}");
        }
    }
}
