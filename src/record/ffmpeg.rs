//! Video through an ffmpeg that the user has installed: a child process that is fed frames, and not believed.
//!
//! It may be missing, take wrong arguments, be killed, hang, or report success over a full disk. So frames are written by
//! a thread that is watched, whatever it says on stderr is an error, and in the end the file is read back and its frames
//! counted.

use std::ffi::OsString;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tempfile::NamedTempFile;

use super::{Depth, Frame, RecordError, Recording, yuv};
use crate::simd::Level;

mod arguments;
mod count;
mod feed;
mod process;

use arguments::Container;
use feed::{Blocked, Feed};
use process::{Hung, Process};

/// How long ffmpeg may do nothing at all before it counts as hung.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// What to record, and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// The file; its ending, one of `.mkv`, `.webm`, `.mov` and `.mp4`, says of which kind.
    pub path: PathBuf,
    /// Whether a file that is there is replaced.
    pub replace: bool,
    /// What is started: `ffmpeg`, which is looked for where programs are, or a path.
    pub program: OsString,
    /// Px; even, unless chroma is full.
    pub width: u32,
    /// Px; even, unless chroma is full.
    pub height: u32,
    /// Frames per second, as a fraction.
    pub fps: [u32; 2],
    /// 10 bits instead of 8.
    pub depth10: bool,
    /// Chroma for each pixel (4:4:4) instead of each four (4:2:0).
    pub full_chroma: bool,
    /// ffmpeg's name of an encoder, instead of the one that goes with the file.
    pub codec: Option<String>,
    /// The encoder's constant quality, instead of ours.
    pub crf: Option<u32>,
    /// The encoder's speed, instead of ours.
    pub preset: Option<String>,
    /// Further arguments, which come after all others and before the file.
    pub arguments: Vec<String>,
    /// Text that goes into the file as its comment, and comes back unchanged; without carriage returns and zero bytes.
    pub take: String,
    /// Instructions for the conversion of colors.
    pub level: Level,
    /// How long ffmpeg may do nothing at all: [`PATIENCE`].
    pub patience: Duration,
}

/// A file that ffmpeg writes. At most three frames are under way to it.
#[derive(Debug)]
pub struct Ffmpeg {
    options: Options,
    process: Process,
    /// Gone once the last frame was sent.
    feed: Option<Feed>,
    /// Bytes that ffmpeg has taken.
    written: Arc<AtomicU64>,
    /// Frames.
    pushed: u64,
    /// Whether the file was there before.
    existed: bool,
    failure: Option<String>,
    /// ffmpeg reads it, some time after its start.
    _metadata: NamedTempFile,
}

impl Ffmpeg {
    /// Starts ffmpeg.
    ///
    /// # Errors
    ///
    /// When it is not installed, the file's ending or size does not do, or the system refuses. What ffmpeg itself refuses
    /// comes with a later frame, or at the end.
    pub fn start(options: Options) -> Result<Ffmpeg, RecordError> {
        let container = Container::of(&options.path).ok_or_else(|| {
            encoder("the name of a video through ffmpeg ends in .mkv, .webm, .mov or .mp4")
        })?;
        let Options { width, height, .. } = options;
        if !options.full_chroma && (width % 2, height % 2) != (0, 0) {
            return Err(encoder(format!(
                "4:2:0 needs even sides, not {width}x{height}; 4:4:4 takes any"
            )));
        }
        if options.take.contains(['\r', '\0']) {
            return Err(encoder(
                "ffmpeg keeps no text with a carriage return or a zero byte",
            ));
        }
        let mut metadata = NamedTempFile::new()?;
        metadata.write_all(arguments::metadata(&options.take).as_bytes())?;
        let words = arguments::of_recording(&options, container, metadata.path());
        let existed = options.path.symlink_metadata().is_ok();
        let mut process = Process::start(&options.program, &words, Stdio::piped(), Stdio::null())?;
        let stdin = process.take_stdin().expect("it was asked for");
        let feed = Feed::start(stdin)?;
        Ok(Ffmpeg {
            written: feed.written(),
            options,
            process,
            feed: Some(feed),
            pushed: 0,
            existed,
            failure: None,
            _metadata: metadata,
        })
    }

    /// Fills `planes` with a frame as ffmpeg was told that it comes.
    fn convert(&self, frame: Frame, planes: &mut Vec<u8>) -> Result<(), String> {
        let Options {
            width,
            height,
            level,
            ..
        } = self.options;
        match (frame, self.options.depth10) {
            (Frame::Codes(pixels), false) if (pixels.width, pixels.height) == (width, height) => {
                let is_full = self.options.full_chroma;
                let convert = if is_full { yuv::i444 } else { yuv::i420 };
                convert(level, pixels, planes);
                Ok(())
            }
            (Frame::Deep(pixels), true) if (pixels.width, pixels.height) == (width, height) => {
                let is_full = self.options.full_chroma;
                let convert = if is_full {
                    yuv::i444_deep
                } else {
                    yuv::i420_deep
                };
                convert(level, pixels, planes);
                Ok(())
            }
            (_, is_deep) => {
                let bits = if is_deep { 10 } else { 8 };
                Err(format!(
                    "this recording takes frames for {bits} bits, {width}x{height}"
                ))
            }
        }
    }

    /// Ends the recording with an error, and remembers it.
    fn fail(&mut self, failure: String) -> RecordError {
        self.feed = None;
        self.process.kill();
        self.remove_empty();
        encoder(self.failure.insert(failure).as_str())
    }

    /// Lets ffmpeg write what it has and end; says what was wrong.
    fn end(&mut self) -> Result<(), String> {
        self.feed = None;
        let (written, path) = (&self.written, &self.options.path);
        let outcome = self.process.wait(self.options.patience, || {
            written.load(Ordering::Relaxed).wrapping_add(length(path))
        });
        let complaint = self.process.complaint().map(str::to_owned);
        let name = self.process.name();
        match (complaint, outcome) {
            (Some(line), _) => {
                let advice = advice(&line, length(path) == 0);
                Err(format!("{name}: {line}; {advice}"))
            }
            (None, Err(Hung)) => Err(self.hung()),
            (None, Ok(status)) if status.success() => Ok(()),
            (None, Ok(status)) => Err(format!("{name} {}; {KEPT}", end_of(status))),
        }
    }

    fn hung(&self) -> String {
        let seconds = self.options.patience.as_secs_f32();
        let name = self.process.name();
        format!("{name} did nothing for {seconds} s and was ended; {KEPT}")
    }

    fn ended_early(&self) -> String {
        let name = self.process.name();
        format!("{name} ended before the last frame; look for --ffmpeg-args that limit the length")
    }

    /// Reads the file back.
    fn verify(&self) -> Result<(), String> {
        let Options {
            program,
            path,
            patience,
            ..
        } = &self.options;
        let found = count::frames(program, path, *patience).map_err(|error| error.to_string())?;
        if found.frames == self.pushed {
            return Ok(());
        }
        let (name, frames, pushed) = (self.process.name(), found.frames, self.pushed);
        let why = match found.complaint {
            Some(line) => format!("reading it back: {line}"),
            None => "look for a full disk, or for --ffmpeg-args that drop frames".to_owned(),
        };
        Err(format!(
            "{name} reported success, but the file holds {frames} of {pushed} frames; {why}"
        ))
    }

    /// Removes a file in which nothing is and nothing was, and which would be in the way of the next attempt.
    fn remove_empty(&self) {
        let path = &self.options.path;
        let is_empty = path
            .symlink_metadata()
            .is_ok_and(|metadata| metadata.is_file() && metadata.len() == 0);
        if is_empty && !self.existed {
            // If it cannot be removed, it stays.
            let _ = std::fs::remove_file(path);
        }
    }
}

impl Recording for Ffmpeg {
    fn depth(&self) -> Depth {
        if self.options.depth10 {
            Depth::Deep
        } else {
            Depth::Codes
        }
    }

    fn push(&mut self, frame: Frame) -> Result<(), RecordError> {
        let room = match (&self.failure, &self.feed) {
            (None, Some(feed)) => feed.room(self.options.patience),
            (failure, _) => return Err(encoder(failure.clone().unwrap_or_default())),
        };
        let has_complained = self.process.complaint().is_some();
        let outcome = match room {
            Ok(mut planes) if !has_complained => self.convert(frame, &mut planes).map(|()| planes),
            Err(Blocked::Hung) if !has_complained => Err(self.hung()),
            _ => Err(self.end().err().unwrap_or_else(|| self.ended_early())),
        };
        match outcome {
            Ok(planes) => {
                if let Some(feed) = &self.feed {
                    feed.send(planes);
                }
                self.pushed += 1;
                Ok(())
            }
            Err(failure) => Err(self.fail(failure)),
        }
    }

    fn bytes(&self) -> u64 {
        length(&self.options.path)
    }

    fn finish(mut self: Box<Self>) -> Result<u64, RecordError> {
        if let Some(failure) = &self.failure {
            return Err(encoder(failure.as_str()));
        }
        if self.pushed == 0 {
            return Ok(0);
        }
        let outcome = self.end().and_then(|()| self.verify());
        match outcome {
            Ok(()) => Ok(self.bytes()),
            Err(failure) => Err(self.fail(failure)),
        }
    }
}

impl Drop for Ffmpeg {
    fn drop(&mut self) {
        self.process.kill();
        self.remove_empty();
    }
}

/// Of a failure in the middle.
const KEPT: &str = "the file holds what it had written before";

fn encoder(text: impl Into<String>) -> RecordError {
    RecordError::Encoder(text.into())
}

/// Of a file in bytes; 0 where there is none.
fn length(path: &Path) -> u64 {
    path.metadata().map_or(0, |metadata| metadata.len())
}

/// What to do about what ffmpeg complains of.
fn advice(line: &str, is_empty: bool) -> &'static str {
    let says = |text: &str| line.contains(text);
    if says("No space left") || says("File too large") {
        "make room and start again; the file holds what it had written before"
    } else if says("already exists") {
        "-y replaces it"
    } else if says("No such file or directory") {
        "make the folder first"
    } else if says("Permission denied") || says("Read-only file system") {
        "choose another folder"
    } else if is_empty {
        "see --codec, --crf, --preset, --depth, --pix and --ffmpeg-args"
    } else {
        KEPT
    }
}

/// How a program ended that said nothing.
fn end_of(status: ExitStatus) -> String {
    match (status.signal(), status.code()) {
        (Some(signal), _) => format!("was killed by signal {signal}"),
        (None, code) => format!("ended with status {} and no word", code.unwrap_or(-1)),
    }
}

#[cfg(test)]
mod tests;
