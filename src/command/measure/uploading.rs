//! The uploads within the strokes of the GPU canvas, with a clock beside them.

use std::time::{Duration, Instant};

use crate::canvas::gpu::{GpuCanvas, GpuError};
use crate::canvas::{Canvas, Extent, Frame, Strokes};

/// A GPU canvas that measures the uploads in its strokes.
pub(super) struct Uploading<'a> {
    canvas: GpuCanvas<'a>,
    upload: Duration,
}

impl<'a> Uploading<'a> {
    pub(super) fn onto(canvas: GpuCanvas<'a>) -> Uploading<'a> {
        Uploading {
            canvas,
            upload: Duration::ZERO,
        }
    }

    /// What the uploads took so far.
    pub(super) fn upload(&self) -> Duration {
        self.upload
    }

    /// Waits until everything is drawn.
    pub(super) fn finish(&mut self) -> Result<(), GpuError> {
        self.canvas.finish()
    }
}

impl Canvas for Uploading<'_> {
    fn extent(&self) -> Extent {
        self.canvas.extent()
    }

    fn resize(&mut self, extent: Extent) {
        self.canvas.resize(extent);
    }

    fn clear(&mut self) {
        self.canvas.clear();
    }

    fn load(&mut self, light: &[f32]) {
        self.canvas.load(light);
    }

    fn fade(&mut self, keep: f32) {
        self.canvas.fade(keep);
    }

    fn stroke(&mut self, strokes: &Strokes) {
        let begin = Instant::now();
        self.canvas.upload(strokes);
        self.upload += begin.elapsed();
        self.canvas.stroke(strokes);
    }

    fn present(&mut self, frame: &Frame) {
        self.canvas.present(frame);
    }
}
