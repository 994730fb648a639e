//! Warming at a fraction of the cost: strokes join several steps, and each is laid once.

use super::Picture;
use super::scene::Scene;
use crate::canvas::Canvas;
use crate::canvas::cpu::CpuCanvas;
use crate::polynomial::exp2;
use crate::simulation::Trace;

/// Steps that one chord joins in a quick warm-up.
const CHORD: i64 = 6;

/// Particle steps that a quick warm-up may stroke; beyond, it begins later, and the last trails come in as they form.
const QUICK_STROKES: i64 = 4_000_000;

/// A quick warm-up under way.
#[derive(Clone, Debug)]
pub struct QuickWarmUp {
    /// The first step that leaves light of the look that is being painted.
    begin: i64,
    /// The step to be painted.
    end: i64,
    /// The last look to be painted.
    last: usize,
    /// Where the particles were when the last chord ended.
    trace: Option<Trace>,
}

impl Picture {
    /// Paints the canvas at `step` at a fraction of the cost of [`Picture::warm`]: strokes join several steps, each laid
    /// once with the light that is left of it, and very many particles leave shorter trails. The particles are exact;
    /// the canvas becomes exact within a trail's life.
    pub fn warm_quickly(&mut self, canvas: &mut CpuCanvas, step: i64) {
        let mut warm_up = self.begin_quick_warm_up(canvas, step);
        while self.continue_quick_warm_up(&mut warm_up, canvas) {}
    }

    /// The beginning of [`Picture::warm_quickly`], for a host that must answer meanwhile.
    pub fn begin_quick_warm_up(&mut self, canvas: &mut CpuCanvas, step: i64) -> QuickWarmUp {
        canvas.clear();
        let last = self.show.act_at(step);
        let first = last - usize::from(self.show.is_dissolving(last, step));
        self.leaving = None;
        if self.scene.act != first {
            self.scene = Scene::unborn(self.show.timeline(first), first);
        }
        let mut warm_up = QuickWarmUp {
            begin: step,
            end: step,
            last,
            trace: None,
        };
        self.begin_scene(&mut warm_up, canvas);
        warm_up
    }

    /// Gets the look that is there ready to be painted.
    fn begin_scene(&mut self, warm_up: &mut QuickWarmUp, canvas: &mut CpuCanvas) {
        let (timeline, step) = (self.show.timeline(self.scene.act), warm_up.end);
        let particles = i64::from(timeline.count_at(step)).max(1);
        let budget = (QUICK_STROKES / particles).max(CHORD);
        warm_up.begin = step - timeline.warm_up(step).min(budget) / CHORD * CHORD;
        warm_up.trace = None;
        self.scene.simulation.begin_seek(timeline, warm_up.begin);
        self.scene.ink.refresh(&timeline.at(step));
        self.fit(canvas);
    }

    /// Makes one step of a quick warm-up; says whether there are more.
    pub fn continue_quick_warm_up(
        &mut self,
        warm_up: &mut QuickWarmUp,
        canvas: &mut CpuCanvas,
    ) -> bool {
        let QuickWarmUp { begin, end, .. } = *warm_up;
        let Picture {
            show, pool, scene, ..
        } = self;
        let timeline = show.timeline(scene.act);
        scene.simulation.step(timeline, pool);
        let step = scene.simulation.step_number();
        if step == begin {
            warm_up.trace = Some(scene.simulation.trace());
        } else if let Some(trace) = &mut warm_up.trace
            && (end - step) % CHORD == 0
        {
            scene.ink.refresh(&timeline.at(step));
            // The middle of a chord stands for all of it.
            let middle = timeline.halvings(step - CHORD / 2, end);
            let segments = scene.simulation.chords(timeline, trace, CHORD);
            canvas.stroke_faded(&scene.ink.strokes(step, &segments), exp2(-middle as f32));
        }
        if step < end {
            return true;
        }
        scene.simulation.refresh_field(timeline, pool);
        scene.carry(timeline, pool);
        if scene.act < warm_up.last {
            self.begin_next(warm_up, canvas);
            return true;
        }
        self.step = end;
        false
    }

    /// Goes on with the look that comes where one that leaves is painted.
    fn begin_next(&mut self, warm_up: &mut QuickWarmUp, canvas: &mut CpuCanvas) {
        canvas.part();
        let act = self.scene.act + 1;
        let coming = Scene::unborn(self.show.timeline(act), act);
        self.leaving = Some(std::mem::replace(&mut self.scene, coming));
        self.begin_scene(warm_up, canvas);
    }
}
