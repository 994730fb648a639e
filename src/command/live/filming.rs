//! Films and stills of the running water. Whatever goes wrong with them is said on the overlay, and the water flows on.

use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::Context;
use chrono::Local;

use super::Live;
use super::recorder::{Ended, Recorder, Shape};
use crate::canvas::cpu::CpuCanvas;
use crate::canvas::{Canvas, Extent};
use crate::command::clock::Clock;
use crate::command::folders;
use crate::command::framing::{Fit, Framing};
use crate::command::output::{Existing, Whole};
use crate::command::render::camera::{Camera, Lens, Setup};
use crate::picture::Picture;
use crate::pool::Pool;
use crate::record::{Depth, png};
use crate::take::Take;
use crate::timeline::Show;

/// Names that are tried within a second.
const MOST_NAMES: u32 = 1000;

/// A film, and what is being written beside the water.
#[derive(Default)]
pub(super) struct Filming {
    film: Film,
    /// Ends of films and stills, under way.
    writing: Vec<JoinHandle<anyhow::Result<Written>>>,
}

#[derive(Default)]
enum Film {
    #[default]
    Off,
    /// A canvas for it is painted, and the water waits.
    Preparing(JoinHandle<CpuCanvas>, Shape),
    On(Box<Recorder>),
}

/// What was written.
enum Written {
    Film(Ended),
    Still(PathBuf),
}

/// A moment that is saved as a picture.
struct Still {
    show: Show,
    step: u64,
    /// Device px.
    size: [u32; 2],
    path: PathBuf,
}

impl Still {
    /// Paints it as a render does, and writes it.
    fn save(self, pool: Pool) -> anyhow::Result<Written> {
        let Still {
            show,
            step,
            size,
            path,
        } = self;
        let file = Whole::create(&path, Existing::Keep)?;
        let clock = Clock::at(Duration::ZERO);
        let setup = Setup {
            show: show.clone(),
            clock,
            framing: Framing {
                size,
                fit: Fit::Pad,
            },
            lens: Lens::PLAIN,
            depth: Depth::Codes,
        };
        let window = show.first().start().1.window;
        let shot = setup.framing.shot(window, &clock, [step, step + 1]);
        let mut camera = Camera::new(setup, pool);
        for _ in 0..camera.begin_warm(step) {
            camera.warm_on();
        }
        let take = Take {
            shot: Some(shot),
            show,
            end: step as i64 + 1,
        };
        let frame = camera.shoot(step);
        file.write(|file| png::save(file, frame, None, &take.written()))?;
        Ok(Written::Still(path))
    }
}

impl Live {
    /// Begins a film, or ends it.
    pub(super) fn toggle_film(&mut self, now: Instant) {
        match std::mem::take(&mut self.filming.film) {
            Film::Off => self.begin_film(now),
            Film::Preparing(..) => self.overlay.say("film", "given up", now),
            Film::On(recorder) => self.end_film(*recorder, now),
        }
    }

    /// The canvas that a film begins with holds the picture's step exactly: the window's may still lack old trails, or hold
    /// its light elsewhere.
    fn begin_film(&mut self, now: Instant) {
        let show = self.picture.show().clone();
        let fps = show.last().latest_settings().fps();
        let shape = Shape::new(self.view.size, fps);
        let step = self.picture.step();
        let extent = shape.canvas(show.at(step + 1).world.window);
        let pool = self.picture.pool().clone();
        self.overlay.say("film", "getting ready", now);
        self.log.say(format_args!("EVENT film preparing"));
        let painted = thread::Builder::new()
            .name("eddyline film".to_owned())
            .spawn(move || {
                let mut canvas = CpuCanvas::new(extent, pool.clone());
                Picture::new(show, pool).warm(&mut canvas, step);
                canvas
            });
        match painted {
            Ok(painted) => self.filming.film = Film::Preparing(painted, shape),
            Err(error) => self.complain("no film", &error.into(), now),
        }
    }

    /// Whether the water has to wait for the canvas of a film.
    pub(super) fn is_preparing_film(&mut self, now: Instant) -> bool {
        match std::mem::take(&mut self.filming.film) {
            Film::Preparing(painted, shape) if painted.is_finished() => {
                self.start_film(painted, shape, now);
                false
            }
            film => {
                let is_preparing = matches!(film, Film::Preparing(..));
                self.filming.film = film;
                is_preparing
            }
        }
    }

    fn start_film(&mut self, painted: JoinHandle<CpuCanvas>, shape: Shape, now: Instant) {
        let begun = painted
            .join()
            .map_err(|_| anyhow::anyhow!("its canvas could not be painted"))
            .and_then(|canvas| {
                let folder = folders::videos()?;
                let path = self.free_name(&folder, "mp4")?;
                Recorder::begin(&self.picture, canvas, shape, &path)
            });
        match begun {
            Ok(recorder) => {
                self.filming.film = Film::On(Box::new(recorder));
                self.log.say(format_args!("EVENT film on"));
            }
            Err(error) => self.complain("no film", &error, now),
        }
    }

    fn end_film(&mut self, recorder: Recorder, now: Instant) {
        self.pace.go_on_from(self.picture.step());
        self.pace.pause();
        self.overlay.say("film", "writing the end", now);
        let end = thread::Builder::new().spawn(move || recorder.end().map(Written::Film));
        match end {
            Ok(end) => self.filming.writing.push(end),
            Err(error) => self.complain("no film", &error.into(), now),
        }
    }

    /// Whether a film is made or got ready.
    pub(super) fn is_filming(&self) -> bool {
        !matches!(self.filming.film, Film::Off)
    }

    /// The canvas that a film has of a window, where one is made.
    pub(super) fn film_extent(&self, window: [f64; 2]) -> Option<Extent> {
        match &self.filming.film {
            Film::On(recorder) => Some(recorder.shape().canvas(window)),
            _ => None,
        }
    }

    /// The film that is made, where one is.
    pub(super) fn recorder(&mut self) -> Option<&mut Recorder> {
        match &mut self.filming.film {
            Film::On(recorder) => Some(recorder),
            _ => None,
        }
    }

    /// Paints the steps that a film is due, and presents the picture as it is in the film; says whether there is one.
    pub(super) fn advance_film(&mut self, now: Instant, canvas: &mut dyn Canvas) -> bool {
        let Film::On(recorder) = &mut self.filming.film else {
            return false;
        };
        let outcome = match (self.is_paused, self.steps_asked) {
            (false, _) => recorder.go_on(&mut self.picture, canvas, now),
            (true, 0) => Ok(()),
            (true, _) => recorder.make_frame(&mut self.picture, canvas),
        };
        self.steps_asked = 0;
        let fraction = recorder.fraction();
        self.picture.present(canvas, fraction);
        if let Err(error) = outcome {
            self.lose_film(&error, now);
        }
        true
    }

    /// Ends a film that cannot go on: what is in its file plays.
    fn lose_film(&mut self, error: &anyhow::Error, now: Instant) {
        if let Film::On(recorder) = std::mem::take(&mut self.filming.film) {
            // It says the same again.
            let _ = recorder.end();
        }
        self.pace.go_on_from(self.picture.step());
        self.pace.pause();
        self.complain("film ended", error, now);
    }

    /// Saves the moment that is shown as a picture of the window's size, painted exactly beside the water.
    pub(super) fn save_still(&mut self, now: Instant) {
        let path = folders::pictures().and_then(|folder| self.free_name(&folder, "png"));
        let path = match path {
            Ok(path) => path,
            Err(error) => return self.complain("not saved", &error, now),
        };
        let still = Still {
            show: self.picture.show().clone(),
            step: self.picture.step() as u64,
            size: self.view.size,
            path,
        };
        let pool = Pool::single().with_level(self.picture.pool().level());
        let saved = thread::Builder::new().spawn(move || still.save(pool));
        match saved {
            Ok(saved) => self.filming.writing.push(saved),
            Err(error) => self.complain("not saved", &error.into(), now),
        }
    }

    /// Says what has been written meanwhile.
    pub(super) fn tell_written(&mut self, now: Instant) {
        while let Some(done) = self
            .filming
            .writing
            .iter()
            .position(JoinHandle::is_finished)
        {
            let written = self.filming.writing.swap_remove(done).join();
            self.tell(
                written.unwrap_or_else(|_| Err(anyhow::anyhow!("it could not be painted"))),
                now,
            );
        }
    }

    fn tell(&mut self, written: anyhow::Result<Written>, now: Instant) {
        let path = match &written {
            Ok(Written::Film(Ended { frames: 0, .. })) => {
                return self
                    .overlay
                    .say("film", "without a frame: nothing is kept", now);
            }
            Ok(Written::Film(Ended { path, frames })) => {
                self.log
                    .say(format_args!("EVENT film {frames} {}", path.display()));
                path
            }
            Ok(Written::Still(path)) => {
                self.log.say(format_args!("EVENT still {}", path.display()));
                path
            }
            Err(error) => return self.complain("not saved", error, now),
        };
        self.overlay.say("saved", &path.display().to_string(), now);
    }

    /// Brings films and stills to an end, whatever ends the program, and writes down what was performed.
    ///
    /// # Errors
    ///
    /// When one of them could not be written.
    pub(super) fn end_all(&mut self) -> anyhow::Result<()> {
        let film = std::mem::take(&mut self.filming.film);
        let film = match film {
            Film::On(recorder) => Some(recorder.end().map(Written::Film)),
            _ => None,
        };
        let threads = std::mem::take(&mut self.filming.writing);
        let joined = threads.into_iter().map(|thread| {
            let written = thread.join();
            written.unwrap_or_else(|_| Err(anyhow::anyhow!("a picture could not be painted")))
        });
        let mut outcome = Ok(());
        for written in film.into_iter().chain(joined) {
            match written {
                Ok(Written::Film(Ended { path, frames })) if frames > 0 => {
                    self.log
                        .say(format_args!("EVENT film {frames} {}", path.display()));
                }
                Ok(_) => (),
                Err(error) => outcome = outcome.and(Err(error)),
            }
        }
        let saved = match self.save_take.take() {
            Some(file) => file.write(|file| file.write_all(self.take_text().as_bytes())),
            None => Ok(()),
        };
        outcome.and(saved)
    }

    fn take_text(&self) -> String {
        let take = Take {
            show: self.picture.show().clone(),
            end: self.picture.step() + 1,
            shot: None,
        };
        take.written()
    }

    pub(super) fn complain(&mut self, title: &str, error: &anyhow::Error, now: Instant) {
        self.overlay.say(title, &format!("{error:#}"), now);
        self.log.say(format_args!("EVENT {title}: {error:#}"));
    }

    /// A name that is free: the program, the seed, the date and the time.
    fn free_name(&self, folder: &Path, ending: &str) -> anyhow::Result<PathBuf> {
        let seed = self.picture.timeline().latest_settings().seed();
        let now = Local::now().format("%Y%m%d-%H%M%S");
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        (1..MOST_NAMES)
            .map(|number| match number {
                1 => folder.join(format!("eddyline-{seed}-{now}.{ending}")),
                _ => folder.join(format!("eddyline-{seed}-{now}-{number}.{ending}")),
            })
            .find(|path| path.symlink_metadata().is_err())
            .with_context(|| format!("{}: no name is free", folder.display()))
    }
}
