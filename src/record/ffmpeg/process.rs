//! A program at work: what it complains of, and whether it still moves.

use std::ffi::{OsStr, OsString};
use std::io::{self, BufReader, ErrorKind, Read};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;
use std::time::Duration;

use super::super::RecordError;

/// How often a program is looked at while it is waited for.
pub const TICK: Duration = Duration::from_millis(10);

/// How long the last words of a program that has ended may take.
pub const LAST_WORDS: Duration = Duration::from_secs(1);

/// As much of a line as is shown, in bytes.
const LINE: usize = 400;

/// What encoders say whatever they are told to say, and none of it an error.
const CHATTER: [&str; 5] = [
    "x265 [info]",
    "x265 [warning]",
    "encoded ",
    "Svt[info]",
    "Svt[warn]",
];

/// A child process; dropped, it is killed.
#[derive(Debug)]
pub struct Process {
    child: Child,
    name: String,
    complaints: Receiver<String>,
    complaint: Option<String>,
}

/// It did nothing for as long as one may wait.
#[derive(Debug)]
pub struct Hung;

impl Process {
    /// Starts a program, in a process group of its own: Ctrl-C in the terminal is for us, who then end it in good order.
    ///
    /// # Errors
    ///
    /// When there is no such program, or the system does not start it.
    pub fn start(
        program: &OsStr,
        arguments: &[OsString],
        stdin: Stdio,
        stdout: Stdio,
    ) -> Result<Process, RecordError> {
        let mut child = Command::new(program)
            .args(arguments)
            .env("AV_LOG_FORCE_NOCOLOR", "1")
            .stdin(stdin)
            .stdout(stdout)
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .map_err(|error| refused(program, &error))?;
        let (sender, complaints) = mpsc::sync_channel(1);
        let stderr = child.stderr.take();
        let process = Process {
            child,
            name: name(program),
            complaints,
            complaint: None,
        };
        if let Some(stderr) = stderr {
            thread::Builder::new()
                .name("complaints".to_owned())
                .spawn(move || listen(stderr, &sender))?;
        }
        Ok(process)
    }

    /// The program's name, without its folder.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it reads, to be taken once.
    pub fn take_stdin(&mut self) -> Option<ChildStdin> {
        self.child.stdin.take()
    }

    /// What it writes, to be taken once.
    pub fn take_stdout(&mut self) -> Option<ChildStdout> {
        self.child.stdout.take()
    }

    /// The first line of an error, if there was one so far: what follows it are its consequences.
    pub fn complaint(&mut self) -> Option<&str> {
        if self.complaint.is_none() {
            self.complaint = self.complaints.try_recv().ok();
        }
        self.complaint.as_deref()
    }

    /// Waits for its end, as long as `progress` changes within `patience`; then, it is killed. Collects its last words.
    ///
    /// # Errors
    ///
    /// When it had to be killed.
    pub fn wait(
        &mut self,
        patience: Duration,
        progress: impl Fn() -> u64,
    ) -> Result<ExitStatus, Hung> {
        let mut watch = Watch::new(patience);
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                if self.complaint.is_none() {
                    self.complaint = self.complaints.recv_timeout(LAST_WORDS).ok();
                }
                return Ok(status);
            }
            if watch.is_over(progress()) {
                self.kill();
                return Err(Hung);
            }
            thread::sleep(TICK);
        }
    }

    /// Ends it at once, if it has not ended.
    pub fn kill(&mut self) {
        // Either fails only where there is nothing left to end.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    #[cfg(test)]
    pub fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Tells how long nothing has moved. It counts looks and reads no clock, so that a program that was itself stopped for an
/// hour does not blame another.
#[derive(Debug)]
pub struct Watch {
    patience: Duration,
    idle: Duration,
    progress: Option<u64>,
}

impl Watch {
    /// From now on.
    pub fn new(patience: Duration) -> Watch {
        Watch {
            patience,
            idle: Duration::ZERO,
            progress: None,
        }
    }

    /// Whether patience is at its end; asked once every [`TICK`].
    pub fn is_over(&mut self, progress: u64) -> bool {
        if self.progress == Some(progress) {
            self.idle += TICK;
        } else {
            self.progress = Some(progress);
            self.idle = Duration::ZERO;
        }
        self.idle >= self.patience
    }
}

/// Why a program does not start.
fn refused(program: &OsStr, error: &io::Error) -> RecordError {
    let shown = program.to_string_lossy();
    let text = match error.kind() {
        ErrorKind::NotFound if shown == "ffmpeg" => {
            "ffmpeg is not installed (Debian, Ubuntu: apt install ffmpeg); a name that ends in .mp4 needs none"
                .to_owned()
        }
        _ => format!("cannot start {shown}: {error}; a name that ends in .mp4 needs no other program"),
    };
    RecordError::Encoder(text)
}

fn name(program: &OsStr) -> String {
    let name = Path::new(program).file_name().unwrap_or(program);
    name.to_string_lossy().into_owned()
}

/// Reads to the end, so that whoever writes is never held up; sends the first line that is an error.
fn listen(stderr: impl Read, complaints: &SyncSender<String>) {
    let mut line = Vec::new();
    for byte in BufReader::new(stderr).bytes().map_while(Result::ok) {
        if byte == b'\n' {
            tell(&line, complaints);
            line.clear();
        } else if line.len() < LINE {
            line.push(byte);
        }
    }
    tell(&line, complaints);
}

fn tell(line: &[u8], complaints: &SyncSender<String>) {
    let text = String::from_utf8_lossy(line);
    let text = without_address(&text).replace(char::is_control, " ");
    let text = text.trim();
    if !text.is_empty() && !CHATTER.iter().any(|start| text.starts_with(start)) {
        // Full when there is a first one; and nobody needs a second.
        let _ = complaints.try_send(text.to_owned());
    }
}

/// `[libx264 @ 0x5581a0]` without the address, which differs from run to run.
fn without_address(text: &str) -> String {
    match text.split_once(" @ 0x") {
        Some((before, after)) if after.contains(']') => {
            before.to_owned() + after.trim_start_matches(|digit: char| digit.is_ascii_hexdigit())
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(stderr: &[u8]) -> Vec<String> {
        let (sender, complaints) = mpsc::sync_channel(1);
        listen(stderr, &sender);
        drop(sender);
        complaints.iter().collect()
    }

    #[test]
    fn the_first_line_that_is_an_error_is_heard() {
        let stderr = b"x265 [info]: 8bit\n\n  \nencoded 3 frames in 0.1s\nSvt[info]: 2\n[libx264 @ 0x56f1] bad\tpreset \nlast\n";
        assert_eq!(heard(stderr), ["[libx264] bad preset"]);
        assert_eq!(heard(b"no end of line"), ["no end of line"]);
        assert_eq!(heard(b"x265 [warning]: small\nSvt[warn]: old"), [""; 0]);
        assert_eq!(heard(b"a @ 0x12 b\n"), ["a @ 0x12 b"]);
    }

    #[test]
    fn lines_without_end_take_no_memory() {
        let long = [b'x'; 100_000];
        assert_eq!(heard(&long)[0].len(), LINE);
        assert!(heard(&[0xff; 10])[0].contains('\u{fffd}'));
    }

    #[test]
    fn patience_ends_when_nothing_moves() {
        let mut watch = Watch::new(TICK * 3);
        let over: Vec<bool> = [7, 7, 7, 8, 8, 8, 8]
            .map(|progress| watch.is_over(progress))
            .to_vec();
        assert_eq!(over, [false, false, false, false, false, false, true]);
    }

    #[test]
    fn a_missing_program_is_named() {
        let message = |program: &str| {
            let error = Process::start(OsStr::new(program), &[], Stdio::null(), Stdio::null());
            error.unwrap_err().to_string()
        };
        let expected = "cannot start /nowhere/ffmpeg: No such file or directory (os error 2); a name that ends in .mp4 needs no other program";
        assert_eq!(message("/nowhere/ffmpeg"), expected);
        assert!(message("/tmp").starts_with("cannot start /tmp: Permission denied"));
        let missing = refused(OsStr::new("ffmpeg"), &ErrorKind::NotFound.into());
        assert_eq!(
            missing.to_string(),
            "ffmpeg is not installed (Debian, Ubuntu: apt install ffmpeg); a name that ends in .mp4 needs none"
        );
    }
}
