//! The stages of a frame, each with a clock beside it.

use std::time::{Duration, Instant};

use crate::canvas::{Canvas, Extent, Frame, Strokes};

/// What the stages of one frame took.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stages {
    pub field: Duration,
    pub particles: Duration,
    pub fade: Duration,
    pub stroke: Duration,
    /// A part of `stroke`: segments on their way to the memory of the GPU.
    pub upload: Duration,
    pub present: Duration,
    /// From the end of `present` until everything is drawn.
    pub driver: Duration,
    /// All of it.
    pub frame: Duration,
}

impl Stages {
    /// Adds the time until everything was drawn, or shown.
    pub(super) fn wait(&mut self, driver: Duration) {
        self.driver = driver;
        self.frame += driver;
    }
}

/// A canvas that measures what is asked of it.
pub(super) struct Timed<'a> {
    pub canvas: &'a mut dyn Canvas,
    pub stages: &'a mut Stages,
}

impl Canvas for Timed<'_> {
    fn extent(&self) -> Extent {
        self.canvas.extent()
    }

    fn resize(&mut self, extent: Extent) {
        self.canvas.resize(extent);
    }

    fn clear(&mut self) {
        self.canvas.clear();
    }

    fn part(&mut self) {
        self.canvas.part();
    }

    fn on_leaving(&mut self, work: &mut dyn FnMut(&mut dyn Canvas)) {
        self.canvas.on_leaving(work);
    }

    fn join(&mut self) {
        self.canvas.join();
    }

    fn load(&mut self, light: &[f32], glow: Option<&[f32]>) {
        self.canvas.load(light, glow);
    }

    fn fade(&mut self, keep: f32) {
        let begin = Instant::now();
        self.canvas.fade(keep);
        self.stages.fade += begin.elapsed();
    }

    fn stroke(&mut self, strokes: &Strokes) {
        let begin = Instant::now();
        self.canvas.upload(strokes);
        self.stages.upload += begin.elapsed();
        self.canvas.stroke(strokes);
        self.stages.stroke += begin.elapsed();
    }

    fn present(&mut self, frame: &Frame) {
        let begin = Instant::now();
        self.canvas.present(frame);
        self.stages.present += begin.elapsed();
    }
}

/// A canvas that nothing is painted on.
pub(super) struct NoCanvas {
    pub extent: Extent,
}

impl Canvas for NoCanvas {
    fn extent(&self) -> Extent {
        self.extent
    }

    fn resize(&mut self, extent: Extent) {
        self.extent = extent;
    }

    fn clear(&mut self) {}

    fn part(&mut self) {}

    fn on_leaving(&mut self, _: &mut dyn FnMut(&mut dyn Canvas)) {}

    fn join(&mut self) {}

    fn load(&mut self, _: &[f32], _: Option<&[f32]>) {}

    fn fade(&mut self, _: f32) {}

    fn stroke(&mut self, _: &Strokes) {}

    fn present(&mut self, _: &Frame) {}
}
