//! The canvas trait on the GPU, and the ways in and out of it.

use std::mem;

use miniquad::RenderingBackend;

use super::fading::{Fading, Work};
use super::path::{Light, Path};
use super::programs::{ComposeUniforms, StrokeUniforms, TransferUniforms};
use super::target::{Precision, Target};
use super::{GpuError, GpuState, Presented, raw};
use crate::canvas::{Canvas, DARK, Extent, Frame, MOST_ALPHA, Strokes};
use crate::dither;
use crate::palette::{COLORS, Palette};

/// The least share of the light that a step takes where 16-bit floats suffice, if there are others.
const LEAST_HALF_FADE: f32 = 0.02;
/// What 8-bit codes lose when a code is subtracted.
const CODE: f32 = 1.0 / 255.0;

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

    /// Light below 2^-20 becomes 0 at about every 60th fade.
    fn fade(&mut self, keep: f32) {
        if keep >= 1.0 {
            return;
        }
        self.choose_precision(keep);
        let Work {
            factor,
            settles,
            subtracts,
        } = self.state.fading.step(keep, self.state.precision);
        if subtracts {
            self.state.light.begin(self.context);
            self.state.programs.subtract(self.context, CODE);
            self.context.end_render_pass();
        }
        if let Some(factor) = factor {
            self.multiply(factor, settles);
        }
    }

    fn upload(&mut self, strokes: &Strokes) {
        let state = &mut *self.state;
        if !strokes.segments.is_empty() {
            state.segments.upload(self.context, strokes);
        }
    }

    fn stroke(&mut self, strokes: &Strokes) {
        self.upload(strokes);
        self.state.light.begin(self.context);
        self.draw_strokes(strokes, 1.0, self.state.fading.gain().recip());
        self.context.end_render_pass();
    }

    /// Where the driver has no memory for the strokes of the pending step, the frame is shown without them.
    fn present(&mut self, frame: &Frame) {
        self.state.presented = Presented {
            decay: frame.keep.powf(frame.fraction) * self.state.fading.gain(),
            has_motion: false,
            background: frame.background,
        };
        if frame.fraction <= 0.0 {
            return;
        }
        if let Some(spare) = self.take_spare() {
            self.upload(&frame.pending);
            spare.begin_cleared(self.context);
            self.draw_strokes(&frame.pending, frame.fraction, 1.0);
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

    /// The way in which it draws.
    pub fn path(&self) -> Path {
        self.state.path
    }

    /// Draws the presented frame into a target of its own, under the same condition as [`GpuCanvas::compose`], and waits
    /// until all that was begun so far is drawn.
    ///
    /// # Errors
    ///
    /// Where the driver has no memory for a picture of this size.
    pub fn finish(&mut self) -> Result<(), GpuError> {
        let codes = self.draw_codes()?;
        self.state.codes = Some(codes);
        raw::finish(self.context);
        Ok(())
    }

    /// The presented frame as RGBA codes, row by row from the top; under the same condition as [`GpuCanvas::compose`].
    ///
    /// # Errors
    ///
    /// Where the driver has no memory for a picture of this size.
    pub fn read(&mut self) -> Result<Vec<u8>, GpuError> {
        let (width, height) = self.state.light.size();
        let codes = self.draw_codes()?;
        let mut pixels = vec![0; width as usize * height as usize * 4];
        self.context
            .texture_read_pixels(codes.texture(), &mut pixels);
        self.state.codes = Some(codes);
        Ok(pixels)
    }

    fn draw_codes(&mut self) -> Result<Target, GpuError> {
        let (width, height) = self.state.light.size();
        let codes = match self.state.codes.take() {
            Some(codes) => codes,
            None => Target::codes(self.context, (width, height))
                .ok_or(GpuError::NoTarget { width, height })?,
        };
        codes.begin(self.context);
        self.compose_at([0.0; 2], [1.0; 2]);
        self.context.end_render_pass();
        Ok(codes)
    }

    /// The light as [`GpuCanvas::load`] takes it. Slow: it waits for the GPU.
    pub fn light(&mut self) -> Vec<f32> {
        let target = &self.state.light;
        target.begin(self.context);
        let mut light = raw::read_light(self.context, target.size(), self.state.precision);
        self.context.end_render_pass();
        let gain = self.state.fading.gain();
        light.iter_mut().for_each(|light| *light *= gain);
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

    /// Multiplies what the target of the light holds.
    fn multiply(&mut self, factor: f32, settles: bool) {
        if settles && let Some(spare) = self.take_spare() {
            let old = self.move_light(spare, factor, 1.0);
            self.state.spare = Some(old);
            return;
        }
        self.state.light.begin(self.context);
        self.state.programs.fade(self.context, factor);
        self.context.end_render_pass();
    }

    /// Strokes the first `fraction` of each segment, all of which are uploaded, into the pass that has begun; a `share` of
    /// their light.
    fn draw_strokes(&mut self, strokes: &Strokes, fraction: f32, share: f32) {
        if strokes.segments.is_empty() {
            return;
        }
        self.choose_palette(strokes.palette);
        let state = &mut *self.state;
        let (width, height) = state.light.size();
        let uniforms = StrokeUniforms {
            size: [width as f32, height as f32],
            scale: state.extent.scale,
            width: strokes.width * state.extent.scale,
            fraction,
            colors: COLORS as f32,
            transmission: (1.0 - strokes.alpha.min(MOST_ALPHA)).log2(),
            share,
        };
        let batches = state.segments.batches();
        state
            .programs
            .stroke(self.context, batches, state.palette_texture, &uniforms);
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
        let precision = match self.state.path.light {
            Light::Bytes => Precision::Bytes,
            Light::Mixed | Light::Single | Light::Half => Precision::Single,
        };
        raw::specify(self.context, texture, size, precision, Some(&texels));
        self.state.palette = Some(palette.clone());
    }

    /// Moves the light to floats that can be multiplied by `keep` without losing more than that.
    fn choose_precision(&mut self, keep: f32) {
        let precision = match self.state.path.light {
            Light::Mixed if 1.0 - keep < LEAST_HALF_FADE => Precision::Single,
            Light::Mixed => Precision::Half,
            Light::Single | Light::Half | Light::Bytes => return,
        };
        if precision == self.state.precision {
            return;
        }
        let size = self.state.light.size();
        if let Some(target) = Target::light(self.context, size, precision) {
            self.state.precision = precision;
            self.state.delete_dependent_targets(self.context);
            let gain = self.state.fading.gain();
            self.move_light(target, gain, 1.0).delete(self.context);
            self.state.fading = Fading::NONE;
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
