//! The look that comes next: painted beside the water, and dissolved into when it is ready.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use super::Live;
use super::history::History;
use crate::canvas::Canvas;
use crate::canvas::cpu::CpuCanvas;
use crate::picture::{Picture, extent};
use crate::pool::Pool;
use crate::settings::{Direction, Settings};

/// Steps ahead for which a look is painted.
const AHEAD: i64 = 60;

/// Steps before its time at which a look of a slideshow begins to be painted.
const LEAD: i64 = 240;

/// A look comes in the second step after the one that is shown: the next is computed already.
const COMPUTED: i64 = 2;

/// Steps that a look which is behind makes in a frame, to catch up.
const MOST_AT_ONCE: usize = 4;

/// A look on its way.
pub(super) struct Coming {
    /// Its number among the looks.
    look: usize,
    /// The step in which it is to come; as soon as possible where that is open.
    due: Option<i64>,
    state: State,
    _given_up: GivenUp,
}

enum State {
    Painting(JoinHandle<Option<Painted>>),
    Painted(Box<Painted>),
}

/// Tells the thread that paints a look that nobody waits for it any more.
struct GivenUp(Arc<AtomicBool>);

impl Drop for GivenUp {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A look whose picture is there.
struct Painted {
    picture: Picture,
    light: CpuCanvas,
    /// What a film needs of it: its canvas, painted exactly.
    film: Option<CpuCanvas>,
    /// Where that began.
    beginning: i64,
}

impl Painted {
    /// Paints the canvases at a step: that of the window quickly, that of a film exactly. Nothing once it is given up.
    fn at(mut self, step: i64, is_given_up: &AtomicBool) -> Option<Painted> {
        let goes_on = || !is_given_up.load(Ordering::Relaxed);
        if let Some(film) = &mut self.film {
            self.beginning = self.picture.begin_coming(film, step + COMPUTED);
            for step in self.beginning + 1..=step {
                self.picture.advance(film, step);
                if !goes_on() {
                    return None;
                }
            }
        }
        let mut warm_up = self.picture.begin_quick_warm_up(&mut self.light, step);
        while self
            .picture
            .continue_quick_warm_up(&mut warm_up, &mut self.light)
        {
            if !goes_on() {
                return None;
            }
        }
        Some(self)
    }

    /// Paints one more step.
    fn step_on(&mut self) {
        if let Some(film) = &mut self.film {
            self.picture.paint_also(film);
        }
        self.picture
            .advance(&mut self.light, self.picture.step() + 1);
    }
}

impl Live {
    /// Lets the look beside the present one come.
    pub(super) fn choose_look(&mut self, direction: Direction, now: Instant) {
        let looks = self.slides.looks();
        let from = match &self.coming {
            Some(coming) => Some(coming.look),
            None => looks.number_of(self.picture.timeline().latest_settings()),
        };
        let turns = match direction {
            Direction::Up => 1,
            Direction::Down => -1,
        };
        let look = looks.beside(from.or(self.last_look), turns);
        let name = looks.name(look).to_owned();
        self.overlay.say("look", &name, now);
        self.expect(look, None, now);
    }

    /// Begins to paint a look.
    fn expect(&mut self, look: usize, due: Option<i64>, now: Instant) {
        self.coming = None;
        let settings = self.picture.timeline().latest_settings();
        let settings = self.slides.looks().settings(look, settings);
        let soonest = self.picture.step() + AHEAD;
        let step = due.map_or(soonest, |due| soonest.max(due - COMPUTED));
        let is_given_up = Arc::new(AtomicBool::new(false));
        let given_up = GivenUp(Arc::clone(&is_given_up));
        match self.begin_to_paint(&settings, step, is_given_up) {
            Ok(painting) => {
                self.coming = Some(Coming {
                    look,
                    due,
                    state: State::Painting(painting),
                    _given_up: given_up,
                });
            }
            Err(error) => self.complain("no look", &error, now),
        }
    }

    fn begin_to_paint(
        &self,
        settings: &Settings,
        step: i64,
        is_given_up: Arc<AtomicBool>,
    ) -> anyhow::Result<JoinHandle<Option<Painted>>> {
        let pool = Pool::new(1)?.with_level(self.picture.pool().level());
        let picture = self.picture.coming(settings, pool.clone());
        let window = picture.timeline().start().1.window;
        let canvas = |extent| CpuCanvas::new(extent, pool.clone());
        let painted = Painted {
            picture,
            light: canvas(extent(window, self.view.scale)),
            film: self.film_extent(window).map(canvas),
            beginning: 0,
        };
        let thread = thread::Builder::new().name("eddyline look".to_owned());
        Ok(thread.spawn(move || painted.at(step, &is_given_up))?)
    }

    /// Lets the look come that is ready, and gets the next one of a slideshow ready in time.
    pub(super) fn bring_look(&mut self, canvas: &mut dyn Canvas, now: Instant) {
        if self.coming.is_none()
            && let Some((due, look)) = self.slides.next_after(self.picture.step() + COMPUTED - 1)
            && self.picture.step() + LEAD >= due
        {
            self.expect(look, Some(due), now);
        }
        let Some(Coming {
            look,
            due,
            state,
            _given_up,
        }) = self.coming.take()
        else {
            return;
        };
        let state = match state {
            State::Painting(painting) if painting.is_finished() => match painting.join() {
                Ok(Some(painted)) => State::Painted(Box::new(painted)),
                _ => {
                    let error = anyhow::anyhow!("it could not be painted");
                    return self.complain("no look", &error, now);
                }
            },
            state => state,
        };
        let state = match state {
            State::Painted(mut painted) => match self.is_ready(&mut painted, due) {
                true => return self.dissolve(*painted, (look, due), canvas, now),
                false => State::Painted(painted),
            },
            state => state,
        };
        self.coming = Some(Coming {
            look,
            due,
            state,
            _given_up,
        });
    }

    /// Whether a look can come in this frame; one that is behind catches up.
    fn is_ready(&self, painted: &mut Painted, due: Option<i64>) -> bool {
        let step = self.picture.step();
        for _ in 0..MOST_AT_ONCE {
            if painted.picture.step() < step {
                painted.step_on();
            }
        }
        let is_due = due.is_none_or(|due| step + COMPUTED >= due);
        painted.picture.step() == step && is_due && self.picture.is_whole()
    }

    /// Lets a look come, unless it is no longer what it would be: then it is painted anew.
    fn dissolve(
        &mut self,
        painted: Painted,
        (look, due): (usize, Option<i64>),
        canvas: &mut dyn Canvas,
        now: Instant,
    ) {
        let Painted {
            picture,
            light,
            film,
            beginning,
        } = painted;
        let is_exact = picture.timeline().beginning(self.picture.comes_at()) == beginning;
        if film.is_some() != self.recorder().is_some() || (film.is_some() && !is_exact) {
            return self.expect(look, due, now);
        }
        let Some(step) = self.picture.dissolve_into(picture, canvas, &light) else {
            return self.expect(look, due, now);
        };
        if let (Some(recorder), Some(film)) = (self.recorder(), film) {
            recorder.part_into(&film);
        }
        self.last_look = Some(look);
        self.history = History::default();
        let name = self.slides.looks().name(look);
        self.log.say(format_args!("EVENT look {name} {step}"));
    }
}
