//! The program without a command: the window with the water, and its keys.

use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;

use self::coming::Coming;
use self::filming::Filming;
use self::hand::Hand;
use self::history::History;
use self::log::TestLog;
use self::rewind::Rewind;
use self::saver::Saver;
use self::sight::Sight;
use super::figures::Figures;
use super::looks::Slideshow;
use super::output::{Existing, Whole};
use super::process;
use super::signal::Interrupt;
use crate::canvas::Canvas;
use crate::canvas::cpu::CpuCanvas;
use crate::canvas::gpu::WantedPath;
use crate::host::{self, App, Events, Next, Preparation, View};
use crate::input::Action;
use crate::overlay::{Images, Overlay};
use crate::picture::{Picture, QuickWarmUp, extent, fraction};
use crate::pool::Pool;
use crate::power::battery::PowerSource;
use crate::power::budget::{Budget, Load};
use crate::power::{MOST_STEPPING, Pace, STEP};
use crate::settings::{self, Settings};
use crate::simd::Level;
use crate::timeline::{Change, Timeline, World};

mod actions;
mod coming;
mod filming;
mod hand;
mod history;
mod log;
mod recorder;
mod rewind;
mod saver;
mod sight;

/// How long the program looks away from a window that nobody sees: signals wait for it, events do not.
const RESTING: Duration = Duration::from_millis(200);

/// How soon the program looks again whether the canvas of a film is painted.
const PREPARING: Duration = Duration::from_millis(20);

/// What to show.
#[derive(Debug)]
pub struct Options {
    /// The look at the start.
    pub settings: Settings,
    /// The looks that can follow.
    pub slides: Slideshow,
    /// Where what was performed is written to at the end.
    pub save_take: Option<PathBuf>,
    /// What happens to a file that is there.
    pub existing: Existing,
    /// Width and height of the window in logical px.
    pub size: [u32; 2],
    /// Whether it fills the screen.
    pub fullscreen: bool,
    /// Whether it ends at a sign of somebody, and shows nothing but water.
    pub screensaver: bool,
    /// Where the system says what it gets its power from.
    pub power_supply: PathBuf,
    /// What tests ask for.
    pub trial: Trial,
    /// 0 for one per processor.
    pub threads: usize,
    /// The level of the kernels.
    pub level: Level,
    /// The way in which the GPU is to draw.
    pub path: WantedPath,
}

/// What tests need to see and to set, so that they depend neither on the time nor on what the machine can do.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    /// Whether to print what happens.
    pub log: bool,
    /// How long a notice stays.
    pub notice: Duration,
    /// What is added to the work of every frame, by sleeping.
    pub frame_time: Duration,
}

/// The water, and everything that changes it live.
struct Live {
    picture: Picture,
    warm_up: QuickWarmUp,
    pace: Pace,
    overlay: Overlay,
    sight: Sight,
    figures: Figures,
    interrupt: Interrupt,
    log: TestLog,
    view: View,
    /// Whether the first frame is being prepared, or was.
    is_preparing: bool,
    fullscreen: bool,
    slides: Slideshow,
    /// The look that comes next.
    coming: Option<Coming>,
    /// The look that came last.
    last_look: Option<usize>,
    /// Changes that can be undone.
    history: History,
    /// The way to an earlier step.
    rewind: Option<Rewind>,
    /// What is to be done on arrival there.
    waiting: Vec<Action>,
    is_paused: bool,
    /// Single steps to be made while the water stands still.
    steps_asked: u32,
    budget: Budget,
    /// What every frame takes longer than it would.
    delay: Duration,
    hand: Hand,
    /// What the overlays were when the last frame was shown.
    shown: Option<[Option<(u64, u32)>; 3]>,
    is_visible: bool,
    source: PowerSource,
    /// Frames per second that are asked for; 0 is the display's rate.
    rate: f64,
    /// Of a screensaver, which obeys nobody.
    saver: Option<Saver>,
    has_quit: bool,
    filming: Filming,
    /// Where what was performed is written to at the end.
    save_take: Option<Whole>,
    /// What went wrong at the end.
    outcome: Rc<RefCell<anyhow::Result<()>>>,
}

/// Shows the window until it is closed.
///
/// # Errors
///
/// When there is no display, or the driver cannot draw the picture.
pub fn run(options: Options) -> anyhow::Result<()> {
    let settings = options.settings;
    let trial = options.trial;
    let fullscreen = options.fullscreen || options.screensaver;
    let window = host::Options {
        size: options.size,
        fullscreen,
        background: settings.background().0,
        path: options.path,
    };
    let interrupt = Interrupt::listen().context("cannot listen for signals")?;
    let pool = Pool::new(options.threads)?.with_level(options.level);
    let create = |path: &PathBuf| Whole::create(path, options.existing);
    let save_take = options.save_take.as_ref().map(create).transpose()?;
    let outcome = Rc::new(RefCell::new(Ok(())));
    let inner_outcome = Rc::clone(&outcome);
    host::run(window, settings.canvas(), move |view, display| {
        let timeline = Timeline::new(settings, view.logical());
        let mut light = CpuCanvas::new(view.extent(), pool.clone());
        let mut picture = Picture::new(timeline, pool);
        let live = Live {
            warm_up: picture.begin_quick_warm_up(&mut light, 0),
            picture,
            pace: Pace::new(display, settings.fps(), 0),
            overlay: Overlay::with_notices_for(trial.notice),
            sight: Sight::default(),
            figures: Figures::default(),
            interrupt,
            log: TestLog::new(trial.log),
            delay: trial.frame_time,
            view,
            is_preparing: false,
            fullscreen,
            slides: options.slides,
            coming: None,
            last_look: None,
            history: History::default(),
            rewind: None,
            waiting: Vec::new(),
            is_paused: false,
            steps_asked: 0,
            budget: Budget::default(),
            hand: Hand::default(),
            shown: None,
            is_visible: true,
            source: PowerSource::new(options.power_supply),
            rate: settings.fps(),
            saver: options.screensaver.then(Saver::default),
            has_quit: false,
            filming: Filming::default(),
            save_take,
            outcome: inner_outcome,
        };
        (live, light)
    })?;
    TestLog::new(trial.log).say(format_args!("QUIT"));
    outcome.replace(Ok(()))
}

impl App for Live {
    fn prepare(&mut self, light: &mut CpuCanvas) -> Preparation {
        if !std::mem::replace(&mut self.is_preparing, true) {
            self.log.say(format_args!("EVENT preparing"));
        }
        let begin = Instant::now();
        while begin.elapsed() < MOST_STEPPING {
            if self.interrupt.is_raised() {
                return Preparation::Quit;
            }
            if !self
                .picture
                .continue_quick_warm_up(&mut self.warm_up, light)
            {
                return Preparation::Done;
            }
        }
        Preparation::More
    }

    fn frame(&mut self, events: &Events, canvas: &mut dyn Canvas) -> Next {
        self.log.frame_began();
        let next = self.answer(events, canvas);
        if let Next::Frame { .. } = next {
            self.log.frame_painted(self.picture.step());
        }
        next
    }

    fn overlays(&self) -> Images<'_> {
        // A screensaver shows nothing but water.
        if self.saver.is_some() {
            return [None; 3];
        }
        let [corner, main] = self.overlay.images();
        [self.sight.image(), corner, main]
    }
}

impl Drop for Live {
    /// Whatever ends the window: its films are brought to an end.
    fn drop(&mut self) {
        self.wind_up();
    }
}

impl Live {
    /// Does what was asked for, and paints the next frame where there is anything new to see.
    fn answer(&mut self, events: &Events, canvas: &mut dyn Canvas) -> Next {
        if let Some(saver) = &mut self.saver {
            let was_deaf = saver.is_deaf();
            self.has_quit = saver.ends(events);
            if was_deaf && !saver.is_deaf() {
                self.log.say(format_args!("EVENT listening"));
            }
        } else {
            for &action in events.actions {
                self.take(action, events.now);
            }
        }
        if self.has_quit || self.interrupt.is_raised() {
            self.wind_up();
            return Next::Quit;
        }
        if events.is_visible != self.is_visible {
            self.is_visible = events.is_visible;
            let state = if self.is_visible { "shown" } else { "hidden" };
            self.log.say(format_args!("EVENT {state}"));
        }
        self.tell_written(events.now);
        if !self.is_visible && self.recorder().is_none() {
            return self.rest(events.now);
        }
        if self.is_preparing_film(events.now) {
            self.update_overlay(events);
            return self.next(events.now + PREPARING);
        }
        if !self.has_arrived(events.now, canvas) {
            return self.next(events.now);
        }
        let is_asked = !events.actions.is_empty() || events.view != self.view;
        self.follow(events.view, canvas);
        self.picture.settle();
        self.bring_look(canvas, events.now);
        self.choose_rate(events.now);
        if self.saver.is_none() {
            self.stir(events.pointer);
        }
        self.update_overlay(events);
        if self.is_still(is_asked) {
            return self.rest(events.now);
        }
        if self.advance_film(events.now, canvas) {
            let due = self.recorder().and_then(|recorder| recorder.due());
            return self.next_of_film(due);
        }
        self.advance(events.now, canvas);
        thread::sleep(self.delay);
        self.spare(events.now);
        // In a pause only a notice moves, and the picture's time paces nothing.
        let soon = events.now + self.pace.wanted();
        Next::Frame {
            at: self.pace.next_frame().or(Some(soon)),
            fullscreen: self.fullscreen,
        }
    }

    /// Lets the picture's time stand still while nobody sees it, or nothing in it changes.
    fn rest(&mut self, now: Instant) -> Next {
        self.log.rested();
        self.pace.pause();
        if let Some(recorder) = self.recorder() {
            recorder.pause();
        }
        self.figures.pause();
        self.hand.lift();
        self.budget.pause();
        self.next(now + RESTING)
    }

    /// Shows nothing new before then.
    fn next(&self, until: Instant) -> Next {
        Next::Rest {
            until,
            fullscreen: self.fullscreen,
        }
    }

    /// Ends what is being written; a second time there is nothing left.
    fn wind_up(&mut self) {
        if let Err(error) = self.end_all() {
            *self.outcome.borrow_mut() = Err(error);
        }
    }

    /// Shows the next frame of a film when it is due.
    fn next_of_film(&self, due: Option<Instant>) -> Next {
        if self.is_visible {
            return Next::Frame {
                at: due,
                fullscreen: self.fullscreen,
            };
        }
        self.next(due.unwrap_or_else(Instant::now))
    }

    /// Whether the frame on the screen is still the right one; `is_asked` where somebody did something. From then on the
    /// present overlays count as shown.
    fn is_still(&mut self, is_asked: bool) -> bool {
        let overlays = self
            .overlays()
            .map(|image| image.map(|image| (image.version, image.opacity.to_bits())));
        let is_shown = self.shown.replace(overlays) == Some(overlays);
        self.is_paused && !is_asked && self.steps_asked == 0 && is_shown
    }

    fn update_overlay(&mut self, events: &Events) {
        let (now, cpu) = (events.now, process::cpu_time());
        let has_changed = self.figures.count(&self.picture, events.painter, now, cpu);
        if has_changed && self.overlay.has_figures() {
            self.overlay.set_figures(Some(self.figures.lines()));
        }
        let film = self.recorder().map(|recorder| recorder.state());
        self.overlay
            .set_film(film.map(|state| ["REC".to_owned(), state]));
        let View { size, scale } = self.view;
        let (settings, start) = (self.picture.timeline().latest_settings(), self.start());
        self.overlay.update(size, scale, settings, &start, now);
        self.log.noticed(self.overlay.has_notice());
        self.sight.update(&self.picture, self.view, self.is_paused);
    }

    /// Lets the number of particles follow what the machine can do, where that is asked for.
    fn spare(&mut self, now: Instant) {
        let timeline = self.picture.timeline();
        let share = timeline.latest_budget();
        let is_asked = timeline.latest_settings().budget() == settings::Budget::Auto;
        let load = Load {
            now,
            work: now.elapsed(),
            period: self.pace.wanted(),
            life: STEP * timeline.longest_life(self.picture.step()) as u32,
        };
        let wanted = match self.budget.frame(share, &load) {
            _ if !is_asked => (share != 1.0).then_some(1.0),
            _ if self.is_paused => None,
            wanted => wanted,
        };
        if let Some(share) = wanted {
            self.picture.push(Change::Budget(share));
            self.log.say(format_args!("SHARE {share:.3}"));
        }
    }

    /// Lets world and canvas follow the window.
    fn follow(&mut self, view: View, canvas: &mut dyn Canvas) {
        if view == self.view {
            return;
        }
        if view.scale != self.view.scale {
            // The picture gives a canvas the window's size, and takes the scale from it. Until the next step is made
            // that is the old window.
            let window = self
                .picture
                .timeline()
                .at(self.picture.step() + 1)
                .world
                .window;
            canvas.resize(extent(window, view.scale));
        }
        if view.logical() != self.view.logical() {
            let settings = self.picture.timeline().latest_settings();
            let world = World::new(view.logical(), settings);
            self.picture.push(Change::World(world));
        }
        self.view = view;
        let [width, height] = view.size;
        self.log.say(format_args!("EVENT resize {width}x{height}"));
    }

    /// Shows as many frames as the settings ask for; where they leave it to the display, fewer on battery.
    fn choose_rate(&mut self, now: Instant) {
        let wanted = self.picture.timeline().latest_settings().fps();
        let rate = if wanted == 0.0 {
            self.source.fps_limit(now).unwrap_or(wanted)
        } else {
            wanted
        };
        if rate != self.rate {
            self.rate = rate;
            self.pace.set_rate(rate);
            if wanted == 0.0 && rate != wanted {
                self.log.say(format_args!("EVENT rate {rate}"));
            }
        }
    }

    /// Paints the steps that are due, and presents the moment between the last and the next.
    fn advance(&mut self, now: Instant, canvas: &mut dyn Canvas) {
        let mut time = if !self.is_paused {
            self.pace.begin_frame(now)
        } else if self.steps_asked > 0 {
            let step = self.picture.step() + i64::from(self.steps_asked);
            self.pace.go_on_from(step)
        } else {
            self.pace.time()
        };
        self.steps_asked = 0;
        let begin = Instant::now();
        while self.picture.step() < time.step {
            self.picture.advance(canvas, self.picture.step() + 1);
            if begin.elapsed() > MOST_STEPPING && self.picture.step() < time.step {
                time = self.pace.go_on_from(self.picture.step());
            }
        }
        self.picture.present(canvas, fraction(time.fraction));
    }
}
