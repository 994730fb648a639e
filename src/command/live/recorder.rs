//! A film of the water while it is played, frame by frame: the picture's time follows the film, so no frame is ever left
//! out, whatever the encoder takes.
//!
//! The film has a canvas of its own, of its own size, which holds what a render would: the window may have any size and
//! any canvas.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;

use crate::canvas::cpu::CpuCanvas;
use crate::canvas::{Canvas, Extent};
use crate::command::clock::Clock;
use crate::command::framing::{Fit, Framing};
use crate::command::output::{Existing, Growing};
use crate::picture::{self, Picture};
use crate::record::film::{self, Film};
use crate::record::{Frame, Pixels, Recording};
use crate::take;

/// Threads that encode: the water needs some, too.
const JOBS: usize = 2;

/// The time over which the speed of the picture is counted.
const WINDOW: Duration = Duration::from_secs(2);

/// Frames that may be made at once to catch up.
const MOST_AT_ONCE: u32 = 4;

/// A film under way.
pub(super) struct Recorder {
    film: Box<Film>,
    growing: Growing,
    path: PathBuf,
    canvas: CpuCanvas,
    shape: Shape,
    first: u64,
    /// The number of the next frame.
    next: u64,
    /// The last step whose events are in the film.
    noted: i64,
    /// When the next frame is due; at once before the first, and after a pause.
    due: Option<Instant>,
    /// When the frames of the last [`WINDOW`] were made.
    made: VecDeque<Instant>,
    codes: Vec<u8>,
}

/// What a film is like, from its first frame to its last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    framing: Framing,
    clock: Clock,
}

impl Shape {
    /// A film that is as large as a view, in device px, but for odd ones.
    pub(super) fn new(view: [u32; 2], fps: f64) -> Shape {
        Shape {
            framing: Framing {
                size: view.map(|side| (side / 2 * 2).max(2)),
                fit: Fit::Pad,
            },
            clock: Clock::new(Duration::ZERO, fps),
        }
    }

    /// The canvas that shows a window, in logical px.
    pub(super) fn canvas(&self, window: [f64; 2]) -> Extent {
        self.framing.canvas(window)
    }
}

/// A film that has ended.
#[derive(Debug)]
pub(super) struct Ended {
    /// The file.
    pub(super) path: PathBuf,
    /// How many frames it has.
    pub(super) frames: u64,
}

impl Recorder {
    /// Begins a film in a file that does not exist yet. `canvas` holds the picture's step exactly.
    pub(super) fn begin(
        picture: &Picture,
        canvas: CpuCanvas,
        shape: Shape,
        path: &Path,
    ) -> anyhow::Result<Recorder> {
        let growing = Growing::create(path, Existing::Keep)?;
        let first = first_frame(&shape.clock, picture.step());
        let show = picture.show();
        let window = show.first().start().1.window;
        let shot = shape.framing.shot(window, &shape.clock, [first, first]);
        let noted = shape.clock.shown_before(first);
        let [width, height] = shape.framing.size;
        let options = film::Options {
            width,
            height,
            fps: shape.clock.fps(),
            jobs: JOBS,
            first_frame: first,
            take_hash: take::hash(show, Some(&shot)),
            take: take::beginning(show, Some(&shot), noted),
            level: picture.pool().level(),
        };
        let place = || path.display().to_string();
        let film = Film::begin(growing.writer()?, &options).with_context(place)?;
        Ok(Recorder {
            film: Box::new(film),
            growing,
            path: path.to_owned(),
            canvas,
            shape,
            first,
            next: first,
            noted,
            due: None,
            made: VecDeque::new(),
            codes: Vec::new(),
        })
    }

    /// Makes the frames that are due, and paints `canvas` along with them.
    pub(super) fn go_on(
        &mut self,
        picture: &mut Picture,
        canvas: &mut dyn Canvas,
        now: Instant,
    ) -> anyhow::Result<()> {
        let interval = self.interval();
        let mut due = *self.due.get_or_insert(now);
        for _ in 0..MOST_AT_ONCE {
            // A film that would have to wait slows the water down, and not the window.
            if due > now || !self.film.is_ready() {
                break;
            }
            self.make_frame(picture, canvas)?;
            self.made.push_back(now);
            due += interval;
        }
        self.made
            .retain(|&made| now.saturating_duration_since(made) < WINDOW);
        // What could not be made in time is not made up for.
        self.due = Some(due.max(now.checked_sub(interval).unwrap_or(now)));
        Ok(())
    }

    /// Makes the next frame.
    pub(super) fn make_frame(
        &mut self,
        picture: &mut Picture,
        canvas: &mut dyn Canvas,
    ) -> anyhow::Result<()> {
        let (step, fraction) = self.shape.clock.time_of(self.next);
        while picture.step() < step {
            let next = picture.step() + 1;
            let extent = self.shape.canvas(picture.show().at(next).world.window);
            if self.canvas.extent() != extent {
                self.canvas.resize(extent);
            }
            picture.paint_also(&mut self.canvas);
            picture.advance(canvas, next);
        }
        for event in picture.show().events_after(self.noted) {
            if event.step > step + 1 {
                break;
            }
            self.film.note(&take::line(&event));
        }
        self.noted = step + 1;
        self.canvas.present(&picture.frame(fraction));
        let [width, height] = self.shape.framing.size;
        self.codes.resize((width * height) as usize * 4, 0);
        let [red, green, blue] = picture.show().at(step + 1).settings.background().0;
        self.shape.framing.place(
            self.canvas.extent(),
            self.canvas.pixels().as_chunks::<4>().0,
            [red, green, blue, 255],
            self.codes.as_chunks_mut::<4>().0,
        );
        let frame = Frame::Codes(Pixels {
            width,
            height,
            rgba: &self.codes,
        });
        let place = || self.path.display().to_string();
        self.film.push(frame).with_context(place)?;
        self.next += 1;
        if self.film.bytes() > 0 {
            self.growing.appear()?;
        }
        Ok(())
    }

    /// What it is like.
    pub(super) fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Lets a look come in the film, whose light this is.
    pub(super) fn part_into(&mut self, light: &CpuCanvas) {
        picture::part_into(&mut self.canvas, light);
    }

    /// Where in a step the picture was shown last.
    pub(super) fn fraction(&self) -> f32 {
        match self.next > self.first {
            true => self.shape.clock.time_of(self.next - 1).1,
            false => 0.0,
        }
    }

    /// When the next frame is due.
    pub(super) fn due(&self) -> Option<Instant> {
        self.due
    }

    /// The next frame is due whenever the water flows again.
    pub(super) fn pause(&mut self) {
        self.due = None;
        self.made.clear();
    }

    /// How long the film is, and how fast the water flows where it is slower than it should be.
    pub(super) fn state(&self) -> String {
        let [numerator, denominator] = self.shape.clock.fps().map(f64::from);
        let seconds = (self.next - self.first) as f64 * denominator / numerator;
        let (minutes, rest) = (seconds as u64 / 60, seconds as u64 % 60);
        let length = format!("{minutes}:{rest:02}");
        let frames = WINDOW.as_secs_f64() * numerator / denominator;
        let speed = self.made.len() as f64 / frames;
        // The first seconds are not full yet.
        let is_full = seconds > WINDOW.as_secs_f64();
        if is_full && speed < 0.95 {
            format!("{length}  {speed:.1}x")
        } else {
            length
        }
    }

    /// Writes what is left, which takes a moment.
    pub(super) fn end(mut self) -> anyhow::Result<Ended> {
        let place = || self.path.display().to_string();
        self.film.note(&take::end_line(self.noted));
        self.film.finish().with_context(place)?;
        let frames = self.next - self.first;
        if frames > 0 {
            self.growing.appear()?;
        }
        Ok(Ended {
            path: self.path,
            frames,
        })
    }

    fn interval(&self) -> Duration {
        let [numerator, denominator] = self.shape.clock.fps().map(f64::from);
        Duration::from_secs_f64(denominator / numerator)
    }
}

/// The first frame that is not before a step.
fn first_frame(clock: &Clock, step: i64) -> u64 {
    let frame = clock.frame_at(step);
    frame + u64::from(clock.time_of(frame).0 < step)
}
