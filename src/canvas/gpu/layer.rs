//! Light in a target, and the strokes of the step under way in another.

use std::mem;

use miniquad::{RenderingBackend, TextureId};

use super::programs::{Programs, StrokeUniforms, TransferUniforms};
use super::raw;
use super::segments::SegmentBuffers;
use super::target::{Precision, Target};
use crate::canvas::{DARK, Extent};

/// What 8-bit codes lose when a code is subtracted.
const CODE: f32 = 1.0 / 255.0;

/// A target of light.
#[derive(Debug)]
pub struct Layer {
    pub extent: Extent,
    light: Target,
    /// As large and as precise as `light`: takes the strokes under way, and the light when it moves.
    spare: Option<Target>,
    /// Whether the spare target holds strokes that belong to the frame.
    has_motion: bool,
}

/// The context and what is drawn with.
pub struct Tools<'a> {
    pub context: &'a mut dyn RenderingBackend,
    pub programs: &'a Programs,
}

/// What is stroked.
pub struct Inked<'a> {
    pub segments: &'a SegmentBuffers,
    pub palette: TextureId,
    /// But for what depends on the extent.
    pub uniforms: StrokeUniforms,
}

impl Layer {
    /// No light; `None` where the driver has no memory for it.
    pub fn new(
        context: &mut dyn RenderingBackend,
        extent: Extent,
        precision: Precision,
    ) -> Option<Layer> {
        let light = Target::light(context, (extent.width, extent.height), precision)?;
        Some(Layer::around(extent, light))
    }

    pub fn around(extent: Extent, light: Target) -> Layer {
        Layer {
            extent,
            light,
            spare: None,
            has_motion: false,
        }
    }

    pub fn size(&self) -> (u32, u32) {
        self.light.size()
    }

    /// The light, and the strokes under way with the weight that they have.
    pub fn textures(&self) -> ([TextureId; 2], f32) {
        let light = self.light.texture();
        match &self.spare {
            Some(spare) if self.has_motion => ([light, spare.texture()], 1.0),
            _ => ([light, light], 0.0),
        }
    }

    /// Removes all light.
    pub fn clear(&self, context: &mut dyn RenderingBackend) {
        self.light.clear(context);
    }

    /// Takes light, as [`crate::canvas::Canvas::load`] does.
    pub fn load(&self, context: &mut dyn RenderingBackend, precision: Precision, light: &[f32]) {
        let (texture, size) = (self.light.texture(), self.light.size());
        raw::specify(context, texture, size, precision, Some(light));
    }

    /// What the target holds. Slow: it waits for the GPU.
    pub fn read(&self, context: &mut dyn RenderingBackend, precision: Precision) -> Vec<f32> {
        self.light.begin(context);
        let light = raw::read_light(context, self.light.size(), precision);
        context.end_render_pass();
        light
    }

    /// Takes one code from everything.
    pub fn subtract(&self, tools: &mut Tools) {
        self.light.begin(tools.context);
        tools.programs.subtract(tools.context, CODE);
        tools.context.end_render_pass();
    }

    /// Multiplies what the target holds; where it settles, what is too dark to see is removed.
    pub fn multiply(&mut self, tools: &mut Tools, factor: f32, settles: Option<Precision>) {
        if let Some(precision) = settles
            && let Some(spare) = self.take_spare(tools.context, precision)
        {
            let old = self.move_light(tools, spare, factor, 1.0);
            self.spare = Some(old);
            return;
        }
        self.light.begin(tools.context);
        tools.programs.fade(tools.context, factor);
        tools.context.end_render_pass();
    }

    /// Lays strokes into the light.
    pub fn stroke(&self, tools: &mut Tools, inked: &Inked) {
        self.light.begin(tools.context);
        self.draw(tools, inked);
        tools.context.end_render_pass();
    }

    /// Draws strokes under way; nothing where the driver has no memory for them.
    pub fn show_motion(&mut self, tools: &mut Tools, inked: &Inked, precision: Precision) {
        if let Some(spare) = self.take_spare(tools.context, precision) {
            spare.begin_cleared(tools.context);
            self.draw(tools, inked);
            tools.context.end_render_pass();
            self.spare = Some(spare);
            self.has_motion = true;
        }
    }

    /// Forgets the strokes under way.
    pub fn hide_motion(&mut self) {
        self.has_motion = false;
    }

    fn draw(&self, tools: &mut Tools, inked: &Inked) {
        let (width, height) = self.light.size();
        let scale = self.extent.scale;
        let uniforms = StrokeUniforms {
            size: [width as f32, height as f32],
            scale,
            widths: inked.uniforms.widths.map(|width| width * scale),
            ..inked.uniforms
        };
        let batches = inked.segments.batches();
        tools
            .programs
            .stroke(tools.context, batches, inked.palette, &uniforms);
    }

    /// Takes another extent; says whether the driver has memory for it, or all stays as it is.
    pub fn resize(&mut self, tools: &mut Tools, extent: Extent, precision: Precision) -> bool {
        let size = (extent.width, extent.height);
        let Some(target) = Target::light(tools.context, size, precision) else {
            return false;
        };
        let stretch = self.extent.scale / extent.scale;
        self.extent = extent;
        self.delete_spare(tools.context);
        let old = self.move_light(tools, target, 1.0, stretch);
        old.delete(tools.context);
        true
    }

    /// Moves the light, times `gain`, to a target of another precision; says whether the driver has memory for it.
    pub fn change_precision(&mut self, tools: &mut Tools, precision: Precision, gain: f32) -> bool {
        let Some(target) = Target::light(tools.context, self.light.size(), precision) else {
            return false;
        };
        self.delete_spare(tools.context);
        let old = self.move_light(tools, target, gain, 1.0);
        old.delete(tools.context);
        true
    }

    /// Draws the light into another target, which becomes the light's; returns the one it was in.
    ///
    /// `stretch` is in px of the old target per px of the new one.
    fn move_light(&mut self, tools: &mut Tools, target: Target, keep: f32, stretch: f32) -> Target {
        let (width, height) = self.light.size();
        let uniforms = TransferUniforms {
            light_size: [width as f32, height as f32],
            stretch,
            keep,
            least_light: DARK,
        };
        target.begin(tools.context);
        let light = self.light.texture();
        tools.programs.transfer(tools.context, light, &uniforms);
        tools.context.end_render_pass();
        self.has_motion = false;
        mem::replace(&mut self.light, target)
    }

    /// The spare target, made if there is none; whatever it held of the frame is given up.
    fn take_spare(
        &mut self,
        context: &mut dyn RenderingBackend,
        precision: Precision,
    ) -> Option<Target> {
        self.has_motion = false;
        let spare = self.spare.take();
        spare.or_else(|| Target::light(context, self.light.size(), precision))
    }

    fn delete_spare(&mut self, context: &mut dyn RenderingBackend) {
        self.has_motion = false;
        if let Some(spare) = self.spare.take() {
            spare.delete(context);
        }
    }

    /// Frees everything.
    pub fn delete(self, context: &mut dyn RenderingBackend) {
        for target in [Some(self.light), self.spare].into_iter().flatten() {
            target.delete(context);
        }
    }
}
