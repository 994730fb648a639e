//! The canvas trait on the GPU, and the ways in and out of it.

use std::mem;

use miniquad::RenderingBackend;

use super::programs::{ComposeUniforms, FadeUniforms, StrokeUniforms, TransferUniforms};
use super::target::{Precision, Target};
use super::{GpuError, GpuState, Presented, raw};
use crate::canvas::{Canvas, DARK, Extent, Frame, MOST_ALPHA, Strokes};
use crate::dither;
use crate::palette::{COLORS, Palette};

/// The least share of the light that 16-bit floats can lose per step and still be halved at the right time.
const LEAST_HALF_FADE: f32 = 0.02;
/// Fades from one that removes the darkest light to the next: a second.
const FADES_TO_SETTLE: u32 = 60;

/// A [`GpuState`] and its context: what can be painted on.
pub struct GpuCanvas<'a> {
    pub(super) state: &'a mut GpuState,
    pub(super) context: &'a mut dyn RenderingBackend,
}

impl Canvas for GpuCanvas<'_> {
    fn extent(&self) -> Extent {
        self.state.extent
    }

    /// Sides beyond the driver's longest texture are cut to it. Where the driver has no memory for the new size, the
    /// canvas stays as it is; [`Canvas::extent`] tells.
    fn resize(&mut self, extent: Extent) {
        let longest = self.state.longest_side;
        let (width, height) = (
            extent.width.clamp(1, longest),
            extent.height.clamp(1, longest),
        );
        let extent = Extent {
            width,
            height,
            ..extent
        };
        if extent == self.state.extent {
            return;
        }
        let Some(target) = Target::light(self.context, (width, height), self.state.precision)
        else {
            return;
        };
        let stretch = self.state.extent.scale / extent.scale;
        self.state.extent = extent;
        self.state.delete_dependent_targets(self.context);
        self.move_light(target, 1.0, stretch).delete(self.context);
    }

    fn clear(&mut self) {
        self.state.light.clear(self.context);
        self.state.begin_anew();
    }

    fn load(&mut self, light: &[f32]) {
        let target = &self.state.light;
        let precision = self.state.precision;
        raw::specify(
            self.context,
            target.texture(),
            target.size(),
            precision,
            Some(light),
        );
        self.state.begin_anew();
    }

    /// Light below 2^-20 becomes 0 at every 60th fade.
    fn fade(&mut self, keep: f32) {
        if keep >= 1.0 {
            return;
        }
        self.choose_precision(keep);
        self.state.unsettled_fades += 1;
        if self.state.unsettled_fades >= FADES_TO_SETTLE
            && let Some(spare) = self.take_spare()
        {
            let old = self.move_light(spare, keep, 1.0);
            self.state.spare = Some(old);
            return;
        }
        self.state.light.begin(self.context);
        self.state
            .programs
            .fade(self.context, &FadeUniforms { keep });
        self.context.end_render_pass();
    }

    fn stroke(&mut self, strokes: &Strokes) {
        self.state.light.begin(self.context);
        self.draw_strokes(strokes, 1.0);
        self.context.end_render_pass();
    }

    /// Where the driver has no memory for the strokes of the pending step, the frame is shown without them.
    fn present(&mut self, frame: &Frame) {
        self.state.presented = Presented {
            decay: frame.keep.powf(frame.fraction),
            has_motion: false,
            background: frame.background,
        };
        if frame.fraction <= 0.0 {
            return;
        }
        if let Some(spare) = self.take_spare() {
            spare.begin_cleared(self.context);
            self.draw_strokes(&frame.pending, frame.fraction);
            self.context.end_render_pass();
            self.state.spare = Some(spare);
            self.state.presented.has_motion = true;
        }
    }
}

impl GpuCanvas<'_> {
    /// Draws the presented frame over the whole viewport of the pass that the host has begun.
    ///
    /// The canvas lies at the top left, px for px; beyond it there is background. The light must not have changed
    /// since the frame was presented.
    pub fn compose(&mut self) {
        let [x, y, _, height] = raw::viewport(self.context).map(|side| side as f32);
        self.compose_at([-x, y + height], [1.0, -1.0]);
    }

    /// The presented frame as RGBA codes, row by row from the top; under the same condition as [`GpuCanvas::compose`].
    ///
    /// # Errors
    ///
    /// Where the driver has no memory for a picture of this size.
    pub fn read(&mut self) -> Result<Vec<u8>, GpuError> {
        let (width, height) = self.state.light.size();
        let codes = match self.state.codes.take() {
            Some(codes) => codes,
            None => Target::codes(self.context, (width, height))
                .ok_or(GpuError::NoTarget { width, height })?,
        };
        codes.begin(self.context);
        self.compose_at([0.0; 2], [1.0; 2]);
        self.context.end_render_pass();
        let mut pixels = vec![0; width as usize * height as usize * 4];
        self.context
            .texture_read_pixels(codes.texture(), &mut pixels);
        self.state.codes = Some(codes);
        Ok(pixels)
    }

    /// The light as [`GpuCanvas::load`] takes it. Slow: it waits for the GPU.
    pub fn light(&mut self) -> Vec<f32> {
        let target = &self.state.light;
        target.begin(self.context);
        let light = raw::read_floats(self.context, target.size());
        self.context.end_render_pass();
        light
    }

    /// Asks the driver whether everything so far went well. Slow: it waits for the driver.
    ///
    /// # Errors
    ///
    /// The first error since the last check, whoever caused it.
    pub fn check(&mut self) -> Result<(), GpuError> {
        raw::take_error(self.context).map_or(Ok(()), |error| Err(GpuError::Reported(error)))
    }

    fn compose_at(&mut self, origin: [f32; 2], direction: [f32; 2]) {
        let state = &*self.state;
        let (width, height) = state.light.size();
        let (motion, motion_weight) = match &state.spare {
            Some(spare) if state.presented.has_motion => (spare.texture(), 1.0),
            _ => (state.light.texture(), 0.0),
        };
        let images = [state.light.texture(), motion, state.thresholds];
        let uniforms = ComposeUniforms {
            size: [width as f32, height as f32],
            origin,
            direction,
            decay: state.presented.decay,
            motion_weight,
            tile: dither::TILE as f32,
            background: state.presented.background.map(f32::from),
        };
        state.programs.compose(self.context, images, &uniforms);
    }

    /// Strokes the first `fraction` of each segment into the pass that has begun.
    fn draw_strokes(&mut self, strokes: &Strokes, fraction: f32) {
        if strokes.segments.is_empty() {
            return;
        }
        self.choose_palette(strokes.palette);
        let state = &mut *self.state;
        let segments = state.segments.upload(self.context, strokes);
        let (width, height) = state.light.size();
        let uniforms = StrokeUniforms {
            size: [width as f32, height as f32],
            scale: state.extent.scale,
            width: strokes.width * state.extent.scale,
            fraction,
            colors: COLORS as f32,
            transmission: (1.0 - strokes.alpha.min(MOST_ALPHA)).log2(),
        };
        let segments = (segments, strokes.segments.len());
        state
            .programs
            .stroke(self.context, segments, state.palette_texture, &uniforms);
    }

    fn choose_palette(&mut self, palette: &Palette) {
        if self.state.palette.as_ref() == Some(palette) {
            return;
        }
        let texels: Vec<f32> = palette
            .colors()
            .iter()
            .flat_map(|&[r, g, b]| [r, g, b, 1.0])
            .collect();
        let size = (COLORS as u32, 1);
        let texture = self.state.palette_texture;
        raw::specify(
            self.context,
            texture,
            size,
            Precision::Single,
            Some(&texels),
        );
        self.state.palette = Some(palette.clone());
    }

    /// Moves the light to floats that can be multiplied by `keep` without losing more than that.
    fn choose_precision(&mut self, keep: f32) {
        let needs_single = 1.0 - keep < LEAST_HALF_FADE && self.state.has_single;
        let precision = if needs_single {
            Precision::Single
        } else {
            Precision::Half
        };
        if precision == self.state.precision {
            return;
        }
        let size = self.state.light.size();
        if let Some(target) = Target::light(self.context, size, precision) {
            self.state.precision = precision;
            self.state.delete_dependent_targets(self.context);
            self.move_light(target, 1.0, 1.0).delete(self.context);
        }
    }

    /// Draws the light into another target, which becomes the light's; returns the one it was in.
    ///
    /// `stretch` is in px of the old target per px of the new one.
    fn move_light(&mut self, target: Target, keep: f32, stretch: f32) -> Target {
        let state = &mut *self.state;
        let (width, height) = state.light.size();
        let uniforms = TransferUniforms {
            light_size: [width as f32, height as f32],
            stretch,
            keep,
            least_light: DARK,
        };
        target.begin(self.context);
        state
            .programs
            .transfer(self.context, state.light.texture(), &uniforms);
        self.context.end_render_pass();
        state.presented.has_motion = false;
        state.unsettled_fades = 0;
        mem::replace(&mut state.light, target)
    }

    /// The spare target, made if there is none; whatever it held of the frame is given up.
    fn take_spare(&mut self) -> Option<Target> {
        let state = &mut *self.state;
        state.presented.has_motion = false;
        let spare = state.spare.take();
        spare.or_else(|| Target::light(self.context, state.light.size(), state.precision))
    }
}
