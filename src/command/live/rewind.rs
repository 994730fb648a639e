//! Going back in the picture's time: the water is sought at an earlier step, in slices, and plays on from there.

use std::time::Instant;

use super::Live;
use crate::canvas::Canvas;
use crate::canvas::cpu::CpuCanvas;
use crate::input::Action;
use crate::picture::{self, QuickWarmUp, extent};
use crate::power::MOST_STEPPING;
use crate::timeline::{Change, World};

/// Steps in a second.
const STEPS: i64 = 60;

/// The way to an earlier step, under way.
#[derive(Debug)]
pub(super) struct Rewind {
    step: i64,
    canvas: CpuCanvas,
    warm_up: QuickWarmUp,
}

impl Live {
    /// Begins to go back by so many seconds, or further back where that is under way; not before the beginning. Changes made
    /// since are taken back, and can be made again.
    pub(super) fn go_back(&mut self, seconds: u8) {
        let now = match &self.rewind {
            Some(rewind) => rewind.step,
            None => self.picture.step(),
        };
        let step = (now - STEPS * i64::from(seconds)).max(0);
        self.history.go_back(step);
        self.coming = None;
        self.picture.truncate(step);
        let window = self.picture.timeline().at(step).world.window;
        let pool = self.picture.pool().clone();
        let mut canvas = CpuCanvas::new(extent(window, self.view.scale), pool);
        let warm_up = self.picture.begin_quick_warm_up(&mut canvas, step);
        self.rewind = Some(Rewind {
            step,
            canvas,
            warm_up,
        });
    }

    /// Goes on with the way back for a while; says whether the picture can be shown.
    pub(super) fn has_arrived(&mut self, now: Instant, canvas: &mut dyn Canvas) -> bool {
        let Some(rewind) = &mut self.rewind else {
            return true;
        };
        let begin = Instant::now();
        let Rewind {
            canvas: light,
            warm_up,
            ..
        } = rewind;
        while self.picture.continue_quick_warm_up(warm_up, light) {
            if begin.elapsed() > MOST_STEPPING {
                return false;
            }
        }
        let step = rewind.step;
        picture::hand_over(light, canvas);
        (self.rewind, self.shown) = (None, None);
        self.pace.go_on_from(step);
        self.pace.pause();
        self.hand.lift();
        self.budget.pause();
        self.keep_window();
        let seconds = step as f64 / STEPS as f64;
        self.overlay.say("back", &format!("to {seconds:.1} s"), now);
        self.log.say(format_args!("EVENT back {step}"));
        for action in std::mem::take(&mut self.waiting) {
            self.take(action, now);
        }
        true
    }

    /// Does what was asked for; on the way back only what concerns the way, and the rest on arrival: it belongs to the step
    /// that is shown then.
    pub(super) fn take(&mut self, action: Action, now: Instant) {
        let is_on_the_way = matches!(action, Action::GoBack(_) | Action::Quit);
        if self.rewind.is_some() && !is_on_the_way {
            self.waiting.push(action);
        } else {
            self.apply(action, now);
        }
    }

    /// The window may have had another size then.
    fn keep_window(&mut self) {
        let timeline = self.picture.timeline();
        if timeline.latest_world().window != self.view.logical() {
            let world = World::new(self.view.logical(), timeline.latest_settings());
            self.picture.push(Change::World(world));
        }
    }
}
