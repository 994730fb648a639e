//! Simulation and canvas under one timeline: what is painted at any step, and shown between two.
//!
//! A canvas only ever holds whole steps: each is one fade and one stroke of that step's segments. The segments of the
//! next step are computed ahead, and a frame in between shows their first part without keeping it. So the canvas after
//! step `n` is the same bits whatever frames were shown on the way.
//!
//! The picture knows no clock, window or graphics interface; a host lends it a canvas and says which step it is.

use crate::canvas::cpu::CpuCanvas;
use crate::canvas::{Canvas, Extent, Frame, Leaving};
use crate::pool::Pool;
use crate::settings::Settings;
use crate::simulation::Simulation;
use crate::timeline::{Change, Show, Timeline};

mod calm;
mod ground;
mod ink;
mod quick;
mod scene;

pub use ink::palette;
pub use quick::QuickWarmUp;
use scene::Scene;

/// The water and its show; paints on a canvas that is lent to it.
#[derive(Debug)]
pub struct Picture {
    show: Show,
    pool: Pool,
    /// The look that is there or comes; a step ahead of the canvas.
    scene: Scene,
    /// The look that leaves.
    leaving: Option<Scene>,
    /// The step that the canvas holds.
    step: i64,
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
    /// The picture of a show, before its first particle is born: [`Picture::warm`], [`Picture::warm_quickly`] or
    /// [`Picture::seek`] come next.
    pub fn new(show: impl Into<Show>, pool: Pool) -> Picture {
        let show = show.into();
        let scene = Scene::unborn(show.first(), 0);
        Picture {
            show,
            pool,
            scene,
            leaving: None,
            step: 0,
        }
    }

    /// All looks, and when they are seen.
    pub fn show(&self) -> &Show {
        &self.show
    }

    /// The timeline of the look that is there or comes.
    pub fn timeline(&self) -> &Timeline {
        self.show.timeline(self.scene.act)
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
        &self.scene.simulation
    }

    /// Appends a change at the first step that is not computed yet, or where it can be; returns that step.
    pub fn push(&mut self, change: Change) -> i64 {
        self.show.push(self.uncomputed(), change)
    }

    /// The first step that is not computed yet.
    fn uncomputed(&self) -> i64 {
        self.scene.simulation.step_number() + 1
    }

    /// Forgets all changes after `step`; the next thing to do is to go there.
    pub fn truncate(&mut self, step: i64) {
        self.show.truncate(step);
        self.leaving = None;
        let last = self.show.acts() - 1;
        if self.scene.act > last {
            self.scene = Scene::unborn(self.show.last(), last);
        }
    }

    /// Lets the hidden margin follow the settings once they have been left alone.
    pub fn settle(&mut self) {
        self.show.settle(self.uncomputed());
    }

    /// Paints the canvas at `step` exactly: from empty, so long before that the beginning is forgotten.
    pub fn warm(&mut self, canvas: &mut dyn Canvas, step: i64) {
        self.begin_warm(canvas, step);
        self.advance(canvas, step);
    }

    /// Empties the canvas and goes to the step from which [`Picture::advance`] paints `step` exactly; returns it.
    pub fn begin_warm(&mut self, canvas: &mut dyn Canvas, step: i64) -> i64 {
        canvas.clear();
        let act = self.show.act_at(step);
        let mut length = self.show.timeline(act).warm_up(step);
        if self.show.is_dissolving(act, step) {
            length = length.max(self.show.timeline(act - 1).warm_up(step));
            canvas.part();
        }
        self.go_to(step - length, step);
        step - length
    }

    /// Empties the canvas and goes to the step from which [`Picture::advance`] paints a look that comes in a step; returns it.
    pub fn begin_coming(&mut self, canvas: &mut dyn Canvas, step: i64) -> i64 {
        canvas.clear();
        let begin = self.timeline().beginning(step);
        self.seek(begin);
        begin
    }

    /// Goes to `step`; what is on the canvas counts as painted then.
    pub fn seek(&mut self, step: i64) {
        self.go_to(step, step);
    }

    /// Goes to `step` with the looks that are seen in step `shown`.
    fn go_to(&mut self, step: i64, shown: i64) {
        self.step = step;
        let act = self.show.act_at(shown);
        self.leaving = None;
        if self.show.is_dissolving(act, shown) {
            self.leaving = Some(self.scene_at(act - 1, step));
        }
        if act == self.scene.act {
            self.scene.seek(self.show.timeline(act), step, &self.pool);
        } else {
            self.scene = self.scene_at(act, step);
        }
    }

    fn scene_at(&self, act: usize, step: i64) -> Scene {
        let timeline = self.show.timeline(act);
        let mut scene = Scene::unborn(timeline, act);
        scene.seek(timeline, step, &self.pool);
        scene
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
        self.scene.paint(canvas);
        match &self.leaving {
            Some(leaving) => canvas.on_leaving(&mut |canvas| leaving.paint(canvas)),
            None => canvas.join(),
        }
    }

    /// The first of the three parts of an advance by one step: fade, and strokes of the pending segments. A look that comes is painted
    /// from empty, and one that has left is forgotten.
    pub fn paint_pending(&mut self, canvas: &mut dyn Canvas) {
        self.fit(canvas);
        self.paint_also(canvas);
        self.step += 1;
        if !self.show.is_dissolving(self.scene.act, self.step) && self.leaving.take().is_some() {
            canvas.join();
        }
        if self.show.act_at(self.step) > self.scene.act {
            self.enter(canvas);
        }
    }

    /// Lets the next look come, whose picture at this step is painted exactly.
    fn enter(&mut self, canvas: &mut dyn Canvas) {
        canvas.part();
        let act = self.scene.act + 1;
        let timeline = self.show.timeline(act);
        let mut scene = self.scene_at(act, timeline.beginning(self.step));
        scene.paint(canvas);
        // Its next step is computed with that of the look that leaves.
        while scene.simulation.step_number() < self.step {
            scene.simulation.refresh_field(timeline, &self.pool);
            scene.carry(timeline, &self.pool);
            scene.paint(canvas);
        }
        self.leaving = Some(std::mem::replace(&mut self.scene, scene));
    }

    /// The second: the field of the step that is computed ahead.
    pub fn refresh_field(&mut self) {
        for scene in [Some(&mut self.scene), self.leaving.as_mut()]
            .into_iter()
            .flatten()
        {
            let timeline = self.show.timeline(scene.act);
            scene.simulation.refresh_field(timeline, &self.pool);
        }
    }

    /// The third: the particles of that step.
    pub fn carry_particles(&mut self) {
        for scene in [Some(&mut self.scene), self.leaving.as_mut()]
            .into_iter()
            .flatten()
        {
            scene.carry(self.show.timeline(scene.act), &self.pool);
        }
    }

    /// Lets a look come whose picture is painted already: `coming` is that look alone at this picture's step, and the canvas gets
    /// its light. Returns the first step in which something of it is seen; nothing where it cannot come now, because one is coming or
    /// it is no longer what it would be.
    pub fn dissolve_into(
        &mut self,
        coming: Picture,
        canvas: &mut dyn Canvas,
        light: &CpuCanvas,
    ) -> Option<i64> {
        let settings = coming.timeline().start().0;
        let fits = self.leaving.is_none()
            && coming.step == self.step
            && *coming.timeline() == self.show.coming(&settings);
        if !fits {
            return None;
        }
        let from = self.push(Change::Look(Box::new(settings)));
        let act = self.show.acts() - 1;
        let scene = Scene {
            act,
            ..coming.scene
        };
        self.leaving = Some(std::mem::replace(&mut self.scene, scene));
        part_into(canvas, light);
        Some(from)
    }

    /// The step in which a look would come that is let come now.
    pub fn comes_at(&self) -> i64 {
        self.show.free_at(self.uncomputed())
    }

    /// A picture of a look that may come, alone: to be warmed, and to be dissolved into.
    pub fn coming(&self, settings: &Settings, pool: Pool) -> Picture {
        Picture::new(self.show.coming(settings), pool)
    }

    /// Whether a look can come now.
    pub fn is_whole(&self) -> bool {
        self.leaving.is_none()
    }

    /// Shows the picture a fraction of a step, in [0, 1), after the canvas's step.
    pub fn present(&self, canvas: &mut dyn Canvas, fraction: f32) {
        canvas.present(&self.frame(fraction));
    }

    /// What that frame adds to what the canvas holds, for what a canvas can do with it besides presenting.
    pub fn frame(&self, fraction: f32) -> Frame<'_> {
        let leaving = self.leaving.as_ref().map(|leaving| Leaving {
            frame: Box::new(leaving.frame(fraction)),
            share: 1.0 - self.show.share(self.scene.act, self.step, fraction),
        });
        Frame {
            leaving,
            ..self.scene.frame(fraction)
        }
    }

    /// Gives the canvas the size of the window in the pending step.
    fn fit(&self, canvas: &mut dyn Canvas) {
        let extent = self.scene.ink.extent(canvas.extent().scale);
        if canvas.extent() != extent {
            canvas.resize(extent);
        }
    }
}

/// Lets what a canvas holds leave, and gives it light that comes.
pub fn part_into(canvas: &mut dyn Canvas, light: &CpuCanvas) {
    canvas.part();
    load(light, canvas);
}

/// Gives a canvas all light of another one, and its size.
pub fn hand_over(light: &CpuCanvas, canvas: &mut dyn Canvas) {
    canvas.clear();
    canvas.resize(light.extent());
    if let Some(leaving) = light.leaving() {
        load(leaving, canvas);
        canvas.part();
    }
    load(light, canvas);
}

fn load(light: &CpuCanvas, canvas: &mut dyn Canvas) {
    let glow = light.glow().map(|glow| glow.as_flattened());
    canvas.load(light.light().as_flattened(), glow);
}
