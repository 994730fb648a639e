//! One look of a show, as far as it is computed.

use super::ink::Ink;
use crate::canvas::{Canvas, Frame};
use crate::pool::Pool;
use crate::simulation::Simulation;
use crate::timeline::Timeline;

/// The particles and the field of a look, one step ahead of what the canvas holds of it.
#[derive(Debug)]
pub(super) struct Scene {
    /// Its number in the show.
    pub act: usize,
    pub simulation: Simulation,
    pub ink: Ink,
}

impl Scene {
    /// Before its first particle is born, to seek from.
    pub(super) fn unborn(timeline: &Timeline, act: usize) -> Scene {
        Scene {
            act,
            simulation: Simulation::unborn(timeline, 1),
            ink: Ink::new(&timeline.at(1)),
        }
    }

    /// Goes to the state from which the step after `step` is painted.
    pub(super) fn seek(&mut self, timeline: &Timeline, step: i64, pool: &Pool) {
        self.simulation.seek(timeline, step + 1, pool);
        self.ink.refresh(&timeline.at(step + 1));
    }

    /// Paints the pending step.
    pub(super) fn paint(&self, canvas: &mut dyn Canvas) {
        canvas.fade(self.ink.keep);
        let step = self.simulation.step_number();
        canvas.stroke(&self.ink.strokes(step, self.simulation.segments()));
    }

    /// The particles of the next step, whose field is there.
    pub(super) fn carry(&mut self, timeline: &Timeline, pool: &Pool) {
        self.simulation.carry(timeline, pool);
        let step = self.simulation.step_number();
        self.ink.refresh(&timeline.at(step));
    }

    /// What a frame a fraction of a step later adds to what the canvas holds.
    pub(super) fn frame(&self, fraction: f32) -> Frame<'_> {
        let step = self.simulation.step_number();
        Frame {
            fraction,
            keep: self.ink.keep,
            pending: self.ink.strokes(step, self.simulation.segments()),
            background: self.ink.background(),
            exposure: self.ink.exposure,
            bloom: self.ink.bloom,
            leaving: None,
        }
    }
}
