//! The built-in video: H.264 in MP4, encoded on threads of its own.
//!
//! Frames become planes where they come from, and wait for the encoder of their group of pictures. Groups are encoded at
//! once and written in order; how many threads there are changes no byte. A group is begun only while few are on their
//! way, so that memory is bounded and a kill loses little.

use std::collections::BTreeMap;
use std::io;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use super::h264::{Format, H264Error, frame_bytes};
use super::mp4::{Header, Storage, Writer};
use super::{Frame, RecordError, Recording, yuv};
use crate::simd::Level;

/// Bytes of planes that may wait for encoders; two groups always may.
const MOST_WAITING: usize = 512 << 20;

/// What a film is made of.
#[derive(Clone, Debug)]
pub struct Options {
    /// Px, even.
    pub width: u32,
    /// Px, even.
    pub height: u32,
    /// Frames per second as a fraction.
    pub fps: [u32; 2],
    /// Threads that encode, at least 1.
    pub jobs: usize,
    /// The number of the first frame, a multiple of [`group`] of this frame rate.
    pub first_frame: u64,
    /// What the film is made from, as text.
    pub take: String,
    /// What parts of one film have in common.
    pub take_hash: u64,
    /// The level of the kernels.
    pub level: Level,
}

/// Frames of a group of pictures: half a second, and at least two.
pub fn group(fps: [u32; 2]) -> u32 {
    let [numerator, denominator] = fps.map(u64::from);
    (((numerator + denominator) / (2 * denominator)) as u32).max(2)
}

/// A film under way.
pub struct Film {
    level: Level,
    /// Frames of a group.
    group: u32,
    /// Groups that may be begun and not yet written.
    most_groups: u64,
    /// Where the present group goes, and how many frames of it went there.
    present: Option<(Sender<Item>, u32)>,
    /// How many groups were begun.
    begun: u64,
    /// Groups for the encoders, until there are no more.
    work: Option<Sender<Work>>,
    /// Planes that can be filled again.
    spare: Receiver<Vec<u8>>,
    progress: Arc<Progress>,
    writer: Option<JoinHandle<Result<u64, RecordError>>>,
}

/// What a group consists of, in order.
enum Item {
    /// A line of what happened.
    Note(String),
    /// The planes of a picture.
    Planes(Vec<u8>),
}

/// A group for an encoder.
struct Work {
    number: u64,
    items: Receiver<Item>,
}

/// A group for the file.
struct Done {
    number: u64,
    notes: String,
    samples: Result<Vec<Vec<u8>>, H264Error>,
}

/// What the threads know of each other.
#[derive(Default)]
struct Progress {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Clone, Copy, Default)]
struct State {
    /// Groups in the file.
    written: u64,
    /// Bytes of the file; 0 before its first group.
    bytes: u64,
    /// Whether nothing more gets into the file.
    has_ended: bool,
}

impl Film {
    /// Begins a film in an empty file.
    ///
    /// # Errors
    ///
    /// When there is no H.264 video of this size, the file cannot be written, or the system refuses threads.
    pub fn begin(
        file: impl Storage + Send + 'static,
        options: &Options,
    ) -> Result<Film, RecordError> {
        let Options {
            width, height, fps, ..
        } = *options;
        let format = Format::new(width, height, fps)?;
        let group = group(fps);
        let header = Header {
            width,
            height,
            fps,
            gop: group,
            sps: format.sps().to_vec(),
            pps: format.pps().to_vec(),
            first_frame: options.first_frame,
            take: options.take.clone(),
            take_hash: options.take_hash,
        };
        let writer = Writer::create(file, header)?;
        let progress = Arc::new(Progress::default());
        let (work, queue) = mpsc::channel();
        let (used, spare) = mpsc::channel();
        let (done, groups) = mpsc::channel();
        let queue = Arc::new(Mutex::new(queue));
        for _ in 0..options.jobs {
            let (format, queue) = (format.clone(), Arc::clone(&queue));
            let (used, done) = (used.clone(), done.clone());
            let alarm = Alarm(Arc::clone(&progress));
            start("eddyline encoder", move || {
                encode_groups(&format, &queue, &used, &done);
                drop(alarm);
            })?;
        }
        let writer = {
            let progress = Arc::clone(&progress);
            start("eddyline writer", move || {
                let outcome = write_groups(writer, &groups, &progress);
                progress.change(|state| state.has_ended = true);
                outcome
            })?
        };
        let waiting = MOST_WAITING / (frame_bytes(width, height) * group as usize);
        Ok(Film {
            level: options.level,
            group,
            most_groups: (waiting as u64).min(options.jobs as u64 + 1).max(2),
            present: None,
            begun: 0,
            work: Some(work),
            spare,
            progress,
            writer: Some(writer),
        })
    }

    /// Whether the next frame need not wait for others to be written; or must not be waited for any more.
    pub fn is_ready(&self) -> bool {
        let state = self.progress.state();
        let has_room = self.begun - state.written < self.most_groups;
        self.present.is_some() || state.has_ended || has_room
    }

    /// Where the present group goes; begins one where there is none.
    fn present(&mut self) -> Result<&mut (Sender<Item>, u32), RecordError> {
        if self.present.is_none() {
            let begun = self.begun;
            let state = self
                .progress
                .wait_until(|state| state.has_ended || begun - state.written < self.most_groups);
            if state.has_ended {
                return Err(self.failure());
            }
            let (sender, items) = mpsc::channel();
            let number = begun;
            self.begun += 1;
            let work = Work { number, items };
            if self
                .work
                .as_ref()
                .is_none_or(|queue| queue.send(work).is_err())
            {
                return Err(self.failure());
            }
            self.present = Some((sender, 0));
        }
        Ok(self.present.as_mut().expect("there is one now"))
    }

    /// Why nothing more gets into the file.
    fn failure(&mut self) -> RecordError {
        (self.present, self.work) = (None, None);
        let outcome = self.writer.take().map(JoinHandle::join);
        match outcome {
            Some(Ok(Err(error))) => error,
            _ => RecordError::Encoder("the encoder ended early".to_owned()),
        }
    }
}

impl Recording for Film {
    fn push(&mut self, frame: Frame) -> Result<(), RecordError> {
        let Frame::Codes(pixels) = frame else {
            return Err(RecordError::Encoder("MP4 takes 8-bit frames".to_owned()));
        };
        let mut planes = self.spare.try_recv().unwrap_or_default();
        yuv::i420(self.level, pixels, &mut planes);
        let group = self.group;
        let (sender, count) = self.present()?;
        *count += 1;
        let is_full = *count == group;
        if sender.send(Item::Planes(planes)).is_err() {
            return Err(self.failure());
        }
        if is_full {
            self.present = None;
        }
        Ok(())
    }

    fn note(&mut self, line: &str) {
        // Where nothing more gets into the file, the next frame says so.
        if let Ok((sender, _)) = self.present() {
            let _ = sender.send(Item::Note(line.to_owned()));
        }
    }

    fn bytes(&self) -> u64 {
        self.progress.state().bytes
    }

    fn finish(mut self: Box<Self>) -> Result<u64, RecordError> {
        (self.present, self.work) = (None, None);
        let outcome = self.writer.take().map(JoinHandle::join);
        match outcome {
            Some(Ok(outcome)) => outcome,
            _ => Err(RecordError::Encoder("the encoder ended early".to_owned())),
        }
    }
}

/// Tells whoever waits for a thread that it broke down.
struct Alarm(Arc<Progress>);

impl Drop for Alarm {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.change(|state| state.has_ended = true);
        }
    }
}

impl Progress {
    fn state(&self) -> State {
        *self.lock()
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }

    fn wait_until(&self, is_reached: impl Fn(&State) -> bool) -> State {
        let state = self
            .changed
            .wait_while(self.lock(), |state| !is_reached(state));
        *state.unwrap_or_else(PoisonError::into_inner)
    }

    /// A thread that failed while it held the lock left numbers that are as good as any.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn start<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    thread::Builder::new().name(name.to_owned()).spawn(work)
}

/// Encodes groups until there are no more, or nobody wants them.
fn encode_groups(
    format: &Format,
    queue: &Mutex<Receiver<Work>>,
    used: &Sender<Vec<u8>>,
    done: &Sender<Done>,
) {
    loop {
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Work { number, items }) = next else {
            return;
        };
        let mut notes = String::new();
        let samples = encode_group(format, &items, used, &mut notes);
        let group = Done {
            number,
            notes,
            samples,
        };
        if done.send(group).is_err() {
            return;
        }
    }
}

/// Encodes one group, as its frames come.
fn encode_group(
    format: &Format,
    items: &Receiver<Item>,
    used: &Sender<Vec<u8>>,
    notes: &mut String,
) -> Result<Vec<Vec<u8>>, H264Error> {
    let mut group = format.group()?;
    for item in items {
        match item {
            Item::Note(line) => {
                notes.push_str(&line);
                notes.push('\n');
            }
            Item::Planes(planes) => {
                group.push(&planes)?;
                // At the end of a film nobody fills them any more.
                let _ = used.send(planes);
            }
        }
    }
    Ok(group.finish())
}

/// Writes groups in their order, and ends the file; after a failure, too, so that what is in it plays.
fn write_groups<S: Storage>(
    mut writer: Writer<S>,
    groups: &Receiver<Done>,
    progress: &Progress,
) -> Result<u64, RecordError> {
    let outcome = write_all(&mut writer, groups, progress);
    if progress.state().written == 0 {
        return outcome.map(|()| 0);
    }
    let bytes = writer.finish();
    outcome?;
    let bytes = bytes?;
    progress.change(|state| state.bytes = bytes);
    Ok(bytes)
}

fn write_all<S: Storage>(
    writer: &mut Writer<S>,
    groups: &Receiver<Done>,
    progress: &Progress,
) -> Result<(), RecordError> {
    let mut early = BTreeMap::new();
    let mut next = 0;
    for group in groups {
        early.insert(group.number, group);
        while let Some(group) = early.remove(&next) {
            let samples = group.samples?;
            // Lines at the very end have no frame to go with.
            if !samples.is_empty() {
                writer.fragment(&samples, &group.notes)?;
            }
            next += 1;
            progress.change(|state| {
                state.written = next;
                state.bytes = writer.bytes();
            });
        }
    }
    match early.is_empty() {
        true => Ok(()),
        false => Err(RecordError::Encoder("the encoder ended early".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Seek as _;
    use std::process::Command;

    use super::*;
    use crate::record::{Pixels, mp4};

    const SIDES: [u32; 2] = [64, 48];

    fn options(jobs: usize) -> Options {
        Options {
            width: SIDES[0],
            height: SIDES[1],
            fps: [24, 1],
            jobs,
            first_frame: 0,
            take: "eddyline-take 1\n".to_owned(),
            take_hash: 7,
            level: Level::best(),
        }
    }

    /// A frame with a bright bar that moves.
    fn picture(number: usize) -> Vec<u8> {
        let [width, height] = SIDES.map(|side| side as usize);
        (0..width * height)
            .flat_map(|at| match (at + number) % width < 8 {
                true => [240, 200, 40, 255],
                false => [3, 18, 26, 255],
            })
            .collect()
    }

    fn push(film: &mut Film, number: usize) -> Result<(), RecordError> {
        film.push(Frame::Codes(Pixels {
            width: SIDES[0],
            height: SIDES[1],
            rgba: &picture(number),
        }))
    }

    fn recorded(jobs: usize, frames: usize, file: &std::path::Path) -> u64 {
        let mut film = Film::begin(fs::File::create(file).unwrap(), &options(jobs)).unwrap();
        for number in 0..frames {
            if number % 10 == 0 {
                film.note(&format!("at {number} budget 1"));
            }
            push(&mut film, number).unwrap();
        }
        Box::new(film).finish().unwrap()
    }

    #[test]
    fn jobs_change_no_byte_and_no_frame_is_missing() {
        let folder = tempfile::tempdir().unwrap();
        let files: Vec<Vec<u8>> = (1..=3)
            .map(|jobs| {
                let path = folder.path().join(format!("{jobs}.mp4"));
                let bytes = recorded(jobs, 100, &path);
                let file = fs::read(&path).unwrap();
                assert_eq!(file.len() as u64, bytes);
                let film = mp4::open(&path).unwrap();
                assert_eq!(film.frames(), 100);
                // 24 frames a second: groups of twelve, and what happened before frame 90 is in the eighth.
                assert_eq!(film.gops.len(), 9);
                assert_eq!(film.gops[7].events, "at 90 budget 1\n");
                file
            })
            .collect();
        assert!(files[0] == files[1] && files[1] == files[2]);
    }

    #[test]
    fn frames_are_what_was_pushed() {
        if Command::new("ffmpeg").arg("-version").output().is_err() {
            assert!(std::env::var_os("CI").is_none(), "ffmpeg is missing");
            eprintln!("skipped: ffmpeg is missing");
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.mp4");
        recorded(2, 30, &path);
        let decoded = Command::new("ffmpeg")
            .args(["-v", "error", "-i"])
            .arg(&path)
            .args(["-f", "rawvideo", "-pix_fmt", "yuv420p", "-"])
            .output()
            .unwrap();
        assert!(
            decoded.stderr.is_empty(),
            "{}",
            String::from_utf8_lossy(&decoded.stderr)
        );
        let bytes = frame_bytes(SIDES[0], SIDES[1]);
        assert_eq!(decoded.stdout.len(), 30 * bytes);
        for (number, frame) in decoded.stdout.chunks_exact(bytes).enumerate() {
            let rgba = picture(number);
            let pixels = Pixels {
                width: SIDES[0],
                height: SIDES[1],
                rgba: &rgba,
            };
            let mut expected = Vec::new();
            yuv::i420(Level::best(), pixels, &mut expected);
            let off = |(a, b): (&u8, &u8)| f64::from(a.abs_diff(*b)).powi(2);
            let square: f64 = frame.iter().zip(&expected).map(off).sum();
            let mean = square / bytes as f64;
            assert!(mean < 6.0, "frame {number} is off by {mean}");
        }
    }

    #[test]
    fn a_film_without_frames_is_an_empty_promise() {
        let file = tempfile::tempfile().unwrap();
        let film = Film::begin(file, &options(2)).unwrap();
        assert_eq!(film.bytes(), 0);
        assert_eq!(Box::new(film).finish().unwrap(), 0);
        let file = tempfile::tempfile().unwrap();
        let odd = Options {
            width: 63,
            ..options(1)
        };
        assert!(Film::begin(file, &odd).is_err());
    }

    /// A file on a disk with room for so many bytes.
    struct Cramped(fs::File, u64);

    impl io::Write for Cramped {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let end = self.0.stream_position()? + bytes.len() as u64;
            if end > self.1 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            self.0.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            self.0.flush()
        }
    }

    impl io::Seek for Cramped {
        fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
            self.0.seek(to)
        }
    }

    impl Storage for Cramped {
        fn sync(&mut self) -> io::Result<()> {
            Ok(())
        }

        fn truncate(&mut self, length: u64) -> io::Result<()> {
            self.0.set_len(length)
        }
    }

    #[test]
    fn a_disk_without_room_for_the_head_is_an_error_at_once() {
        let full = Cramped(tempfile::tempfile().unwrap(), 100);
        let error = Film::begin(full, &options(2)).err().unwrap();
        assert!(error.to_string().contains("storage"), "{error}");
    }

    #[test]
    fn a_disk_that_takes_no_more_is_an_error_of_a_later_frame_and_of_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let whole = recorded(1, 100, &folder.path().join("whole.mp4"));
        for jobs in [1, 3] {
            let disk = Cramped(tempfile::tempfile().unwrap(), whole / 2);
            let mut film = Film::begin(disk, &options(jobs)).unwrap();
            let outcome = (0..1000).try_for_each(|number| push(&mut film, number));
            let error = outcome.expect_err("half a film fits").to_string();
            assert!(error.contains("storage"), "{error}");
            // It stays an error, and nothing hangs.
            assert!(push(&mut film, 0).is_err());
            assert!(Box::new(film).finish().is_err());
        }
    }
}
