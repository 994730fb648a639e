//! Many frames into one file, or into numbered ones.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;

use anyhow::Context;

use super::camera::{self, Camera, Setup};
use super::sequence::{self, Sequence};
use super::target::{Format, Pattern, Target};
use super::{Options, Stage, check_memory};
use crate::command::output::Growing;
use crate::pool::Pool;
use crate::record::apng::Apng;
use crate::record::film::{self, Film};
use crate::record::gif::{self, Gif};
use crate::record::{RecordError, Recording, ffmpeg, y4m};
use crate::take;

/// Bytes that are handed to a pipe at once.
const PIPED: usize = 1 << 20;

/// Renders all frames.
///
/// # Errors
///
/// When the system asks for an end, or a file cannot be written. What is in a file by then plays.
pub(super) fn run(
    options: &Options,
    setup: &Setup,
    pool: &Pool,
    mut stage: Stage,
) -> anyhow::Result<()> {
    let mut reel = Reel::open(options, setup)?;
    let setup = Setup {
        depth: reel.recording.depth(),
        ..setup.clone()
    };
    let bytes = camera::bytes(setup.framing.size, &setup.lens);
    check_memory(setup.framing.size, bytes)?;
    let mut camera = Camera::new(setup, pool.clone());
    let outcome = stage
        .warm(
            &mut camera,
            options.frames.start,
            options.frames.end - options.frames.start,
        )
        .and_then(|()| reel.record(options, &mut camera, &mut stage));
    let (frames, is_refused) = (reel.frames, reel.is_refused);
    let ended = reel.end();
    // What went wrong first is what is said.
    outcome.map_err(|error| {
        let name = options.target.name();
        match frames {
            0 => error,
            _ if is_refused || ended.is_err() => {
                error.context(format!("{name} holds the first of {frames} frames"))
            }
            _ => error.context(format!("{name} holds {frames} frames")),
        }
    })?;
    stage.finish(frames, ended?);
    Ok(())
}

/// A recording, and its file.
struct Reel {
    recording: Box<dyn Recording>,
    growing: Option<Growing>,
    name: String,
    /// Frames that were taken.
    frames: u64,
    /// A frame was not: some of those before it may be lost, too.
    is_refused: bool,
}

impl Reel {
    fn open(options: &Options, setup: &Setup) -> anyhow::Result<Reel> {
        let name = options.target.name();
        let (recording, growing): (Box<dyn Recording>, _) = match &options.target {
            Target::Film(path, format) => open_film(options, setup, path, *format)?,
            Target::Numbered(pattern) => (open_sequence(options, setup, pattern)?, None),
            _ => {
                let stdout = BufWriter::with_capacity(PIPED, io::stdout());
                let fps = setup.clock.fps();
                let stream = y4m::Y4m::start(stdout, options.size, fps, options.level);
                (Box::new(stream.map_err(flat).context("stdout")?), None)
            }
        };
        Ok(Reel {
            recording,
            growing,
            name,
            frames: 0,
            is_refused: false,
        })
    }

    /// Records frame by frame.
    fn record(
        &mut self,
        options: &Options,
        camera: &mut Camera,
        stage: &mut Stage,
    ) -> anyhow::Result<()> {
        let noted = options.clock.shown_before(options.frames.start);
        let mut events = options.show.events_after(noted).peekable();
        for number in options.frames.clone() {
            stage.go_on()?;
            let step = options.clock.time_of(number).0 + 1;
            while let Some(event) = events.next_if(|event| event.step <= step) {
                self.recording.note(&take::line(&event));
            }
            let frame = camera.shoot(number);
            let pushed = self.recording.push(frame).map_err(flat);
            self.is_refused = pushed.is_err();
            pushed.with_context(|| self.name.clone())?;
            self.frames += 1;
            self.appear()?;
            stage.set(self.frames, self.recording.bytes());
        }
        Ok(())
    }

    /// Gives the file its name, once something in it can be played.
    fn appear(&mut self) -> anyhow::Result<()> {
        match &mut self.growing {
            Some(growing) if self.recording.bytes() > 0 => growing.appear(),
            _ => Ok(()),
        }
    }

    /// Ends the file; returns its bytes.
    fn end(self) -> anyhow::Result<u64> {
        let Reel {
            recording,
            mut growing,
            name,
            frames,
            ..
        } = self;
        let bytes = recording.finish().map_err(flat).with_context(|| name);
        if let Some(growing) = growing.as_mut().filter(|_| frames > 0) {
            growing.appear()?;
        }
        bytes
    }
}

/// An error of the system as itself: whoever reports it looks for closed pipes.
fn flat(error: RecordError) -> anyhow::Error {
    match error {
        RecordError::Io(error) => error.into(),
        error => error.into(),
    }
}

fn open_sequence(
    options: &Options,
    setup: &Setup,
    pattern: &Pattern,
) -> anyhow::Result<Box<dyn Recording>> {
    options.refuse_existing(options.frames.clone().map(|frame| pattern.path(frame)))?;
    let sequence = sequence::Options {
        pattern: pattern.clone(),
        existing: options.existing,
        depth: setup.depth,
        take: options.take(),
    };
    Ok(Box::new(Sequence::begin(
        sequence,
        options.frames.start,
        options.jobs,
    )?))
}

fn open_film(
    options: &Options,
    setup: &Setup,
    path: &Path,
    format: Format,
) -> anyhow::Result<(Box<dyn Recording>, Option<Growing>)> {
    let [width, height] = setup.framing.size;
    let fps = setup.clock.fps();
    if format == Format::Ffmpeg {
        options.refuse_existing([path.to_owned()])?;
        let recording = ffmpeg::Ffmpeg::start(options.ffmpeg(path, [width, height], fps))
            .map_err(flat)
            .with_context(|| path.display().to_string())?;
        return Ok((Box::new(recording), None));
    }
    let growing = Growing::create(path, options.existing)?;
    let recording = begin_film(options, growing.writer()?, fps, format);
    let recording = recording
        .map_err(flat)
        .with_context(|| path.display().to_string())?;
    Ok((recording, Some(growing)))
}

/// Begins a film in a file of one of our own formats.
fn begin_film(
    options: &Options,
    file: File,
    fps: [u32; 2],
    format: Format,
) -> Result<Box<dyn Recording>, RecordError> {
    let [width, height] = options.size;
    Ok(match format {
        Format::Mp4 => {
            let (show, shot) = (&options.show, Some(options.shot()));
            let noted = options.clock.shown_before(options.frames.start);
            let film = film::Options {
                width,
                height,
                fps,
                jobs: options.jobs,
                first_frame: options.frames.start,
                take_hash: take::hash(show, shot.as_ref()),
                take: take::beginning(show, shot.as_ref(), noted),
                level: options.level,
            };
            Box::new(Film::begin(file, &film)?)
        }
        Format::Gif => {
            let gif = gif::Options {
                size: [width, height],
                delay: gif::nearest_delay(fps),
                plays: options.plays,
                take: options.take_text(),
                jobs: options.jobs,
            };
            Box::new(Gif::begin(BufWriter::new(file), gif)?)
        }
        Format::Apng => {
            let (plays, take) = (options.plays.into(), options.take_text());
            let apng = Apng::begin(file, [width, height], fps, plays, &take, options.jobs);
            Box::new(apng?)
        }
        Format::Y4m | Format::Ffmpeg => {
            let file = BufWriter::with_capacity(PIPED, file);
            Box::new(y4m::Y4m::start(file, [width, height], fps, options.level)?)
        }
    })
}
