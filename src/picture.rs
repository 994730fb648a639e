//! Simulation and canvas under one timeline: what is painted at any step, and shown between two.
//!
//! A canvas only ever holds whole steps: each is one fade and one stroke of that step's segments. The segments of the
//! next step are computed ahead, and a frame in between shows their first part without keeping it. So the canvas after
//! step `n` is the same bits whatever frames were shown on the way.
//!
//! The picture knows no clock, window or graphics interface; a host lends it a canvas and says which step it is.

use crate::canvas::cpu::CpuCanvas;
use crate::canvas::{Canvas, Extent, Frame};
use crate::polynomial::exp2;
use crate::pool::Pool;
use crate::simulation::{Simulation, Trace};
use crate::timeline::{Change, Timeline};

mod ground;
mod ink;

use ink::Ink;
pub use ink::palette;

/// Steps that one chord joins in a quick warm-up.
const CHORD: i64 = 6;

/// Particle steps that a quick warm-up may stroke; beyond, it begins later, and the last trails come in as they form.
const QUICK_STROKES: i64 = 4_000_000;

/// The water and its timeline; paints on a canvas that is lent to it.
#[derive(Debug)]
pub struct Picture {
    timeline: Timeline,
    pool: Pool,
    /// The step after the canvas's.
    simulation: Simulation,
    ink: Ink,
    /// The step that the canvas holds.
    step: i64,
}

/// A quick warm-up under way.
#[derive(Clone, Debug)]
pub struct QuickWarmUp {
    /// The first step that leaves light.
    begin: i64,
    /// The step to be painted.
    end: i64,
    /// Where the particles were when the last chord ended.
    trace: Option<Trace>,
}

/// The device px that show a window of logical px at a scale; at least one.
pub fn extent([width, height]: [f64; 2], scale: f32) -> Extent {
    let side = |logical: f64| (logical * f64::from(scale)).round().max(1.0) as u32;
    Extent {
        width: side(width),
        height: side(height),
        scale,
    }
}

/// A fraction of a step in [0, 1) as an f32 in [0, 1): rounding alone could make it 1.
pub fn fraction(exact: f64) -> f32 {
    (exact as f32).min(1.0 - f32::EPSILON / 2.0)
}

impl Picture {
    /// The picture of a timeline, before its first particle is born: [`Picture::warm`], [`Picture::warm_quickly`] or
    /// [`Picture::seek`] come next.
    pub fn new(timeline: Timeline, pool: Pool) -> Picture {
        let simulation = Simulation::unborn(&timeline, 1);
        let ink = Ink::new(&timeline.at(1));
        Picture {
            timeline,
            pool,
            simulation,
            ink,
            step: 0,
        }
    }

    /// The timeline.
    pub fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    /// What it works with.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// The step that the canvas holds.
    pub fn step(&self) -> i64 {
        self.step
    }

    /// The state of the particles and the field, one step ahead of the canvas.
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// Appends a change at the first step that is not computed yet; returns that step.
    pub fn push(&mut self, change: Change) -> i64 {
        self.timeline
            .push(self.simulation.step_number() + 1, change)
    }

    /// Forgets all changes after `step`; the next thing to do is to go there.
    pub fn truncate(&mut self, step: i64) {
        self.timeline.truncate(step);
    }

    /// Lets the hidden margin follow the settings once they have been left alone.
    pub fn settle(&mut self) {
        self.timeline.settle(self.simulation.step_number() + 1);
    }

    /// Paints the canvas at `step` exactly: from empty, so long before that the beginning is forgotten.
    pub fn warm(&mut self, canvas: &mut dyn Canvas, step: i64) {
        self.begin_warm(canvas, step);
        self.advance(canvas, step);
    }

    /// Empties the canvas and goes to the step from which [`Picture::advance`] paints `step` exactly; returns it.
    pub fn begin_warm(&mut self, canvas: &mut dyn Canvas, step: i64) -> i64 {
        let begin = step - self.timeline.warm_up(step);
        self.seek(begin);
        canvas.clear();
        begin
    }

    /// Goes to `step`; what is on the canvas counts as painted then.
    pub fn seek(&mut self, step: i64) {
        self.step = step;
        self.simulation.seek(&self.timeline, step + 1, &self.pool);
        self.ink.refresh(&self.timeline.at(step + 1));
    }

    /// Paints the canvas at `step` at a fraction of the cost of [`Picture::warm`]: strokes join several steps, each laid
    /// once with the light that is left of it, and very many particles leave shorter trails. The particles are exact;
    /// the canvas becomes exact within a trail's life.
    pub fn warm_quickly(&mut self, canvas: &mut CpuCanvas, step: i64) {
        let mut warm_up = self.begin_quick_warm_up(canvas, step);
        while self.continue_quick_warm_up(&mut warm_up, canvas) {}
    }

    /// The beginning of [`Picture::warm_quickly`], for a host that must answer meanwhile.
    pub fn begin_quick_warm_up(&mut self, canvas: &mut CpuCanvas, step: i64) -> QuickWarmUp {
        let particles = i64::from(self.timeline.count_at(step)).max(1);
        let budget = (QUICK_STROKES / particles).max(CHORD);
        let begin = step - self.timeline.warm_up(step).min(budget) / CHORD * CHORD;
        self.simulation.begin_seek(&self.timeline, begin);
        self.ink.refresh(&self.timeline.at(step));
        self.fit(canvas);
        canvas.clear();
        QuickWarmUp {
            begin,
            end: step,
            trace: None,
        }
    }

    /// Makes one step of a quick warm-up; says whether there are more.
    pub fn continue_quick_warm_up(
        &mut self,
        warm_up: &mut QuickWarmUp,
        canvas: &mut CpuCanvas,
    ) -> bool {
        let QuickWarmUp {
            begin,
            end,
            ref mut trace,
        } = *warm_up;
        self.simulation.step(&self.timeline, &self.pool);
        let step = self.simulation.step_number();
        if step == begin {
            *trace = Some(self.simulation.trace());
        } else if let Some(trace) = trace
            && (end - step) % CHORD == 0
        {
            self.ink.refresh(&self.timeline.at(step));
            // The middle of a chord stands for all of it.
            let middle = self.timeline.halvings(step - CHORD / 2, end);
            let segments = self.simulation.chords(&self.timeline, trace, CHORD);
            canvas.stroke_faded(&self.ink.strokes(step, &segments), exp2(-middle as f32));
        }
        if step == end {
            self.step = end;
            self.refresh_field();
            self.carry_particles();
        }
        step < end
    }

    /// Advances the canvas to `step`; earlier steps leave it as it is.
    pub fn advance(&mut self, canvas: &mut dyn Canvas, step: i64) {
        while self.step < step {
            self.paint_pending(canvas);
            self.refresh_field();
            self.carry_particles();
        }
    }

    /// Paints the pending step on another canvas that holds the same step, before [`Picture::advance`] paints it on the first; it
    /// has a size of its own.
    pub fn paint_also(&self, canvas: &mut dyn Canvas) {
        canvas.fade(self.ink.keep);
        canvas.stroke(&self.ink.strokes(self.step + 1, self.simulation.segments()));
    }

    /// The first of the three parts of an advance by one step: fade, and strokes of the pending segments.
    pub fn paint_pending(&mut self, canvas: &mut dyn Canvas) {
        self.fit(canvas);
        self.paint_also(canvas);
        self.step += 1;
    }

    /// The second: the field of the step that is computed ahead.
    pub fn refresh_field(&mut self) {
        self.simulation.refresh_field(&self.timeline, &self.pool);
    }

    /// The third: the particles of that step.
    pub fn carry_particles(&mut self) {
        self.simulation.carry(&self.timeline, &self.pool);
        self.ink.refresh(&self.timeline.at(self.step + 1));
    }

    /// Shows the picture a fraction of a step, in [0, 1), after the canvas's step.
    pub fn present(&self, canvas: &mut dyn Canvas, fraction: f32) {
        canvas.present(&self.frame(fraction));
    }

    /// What that frame adds to what the canvas holds, for what a canvas can do with it besides presenting.
    pub fn frame(&self, fraction: f32) -> Frame<'_> {
        Frame {
            fraction,
            keep: self.ink.keep,
            pending: self.ink.strokes(self.step + 1, self.simulation.segments()),
            background: self.ink.background(),
            exposure: self.ink.exposure,
            bloom: self.ink.bloom,
        }
    }

    /// Gives the canvas the size of the window in the pending step.
    fn fit(&self, canvas: &mut dyn Canvas) {
        let extent = self.ink.extent(canvas.extent().scale);
        if canvas.extent() != extent {
            canvas.resize(extent);
        }
    }
}
