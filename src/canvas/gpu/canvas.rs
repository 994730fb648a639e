//! The canvas trait on the GPU, and the ways in and out of it.

use std::mem;

use miniquad::{RenderingBackend, TextureId};

use super::fading::{Fading, Work};
use super::glow::Glow;
use super::layer::{Inked, Layer, Tools};
use super::path::{Light, Path};
use super::programs::{ComposeUniforms, DissolveUniforms, StrokeUniforms, ToneUniforms};
use super::segments::SegmentBuffers;
use super::target::{Precision, Target};
use super::{GpuError, GpuState, Layers, Presented, raw};
use crate::canvas::{Backdrop, Background, Blend, Canvas, Extent, Frame, MOST_ALPHA, Strokes};
use crate::dither;
use crate::palette::COLORS;

/// The least share of the light that a step takes where 16-bit floats suffice, if there are others.
const LEAST_HALF_FADE: f32 = 0.02;

/// A [`GpuState`] and its context: what can be painted on.
pub struct GpuCanvas<'a> {
    pub(super) state: &'a mut GpuState,
    pub(super) context: &'a mut dyn RenderingBackend,
}

impl Canvas for GpuCanvas<'_> {
    fn extent(&self) -> Extent {
        self.state.side.layers.light.extent
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
        self.on_leaving(&mut |canvas| canvas.resize(extent));
        if extent == self.state.side.layers.light.extent {
            return;
        }
        self.state.delete_mixed(self.context);
        let precision = self.state.side.precision;
        let (mut tools, layers) = self.split();
        if !layers.light.resize(&mut tools, extent, precision) {
            return;
        }
        let fits = layers
            .map
            .as_mut()
            .is_none_or(|map| map.resize(&mut tools, extent.of_glow(), precision));
        if !fits {
            self.delete_map();
        }
        self.state.delete_codes(self.context);
    }

    fn clear(&mut self) {
        self.join();
        self.state.side.layers.light.clear(self.context);
        self.delete_map();
        self.state.begin_anew();
    }

    /// Where the driver has no memory for the map, there is no bloom of what was loaded.
    fn load(&mut self, light: &[f32], glow: Option<&[f32]>) {
        let precision = self.state.side.precision;
        self.state
            .side
            .layers
            .light
            .load(self.context, precision, light);
        self.delete_map();
        if let Some(glow) = glow {
            self.make_map();
            if let Some(map) = &self.state.side.layers.map {
                map.load(self.context, precision, glow);
            }
        }
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
        } = self.state.side.fading.step(keep, self.state.side.precision);
        let settles = settles.then_some(self.state.side.precision);
        let (mut tools, layers) = self.split();
        for layer in layers.all() {
            if subtracts {
                layer.subtract(&mut tools);
            }
            if let Some(factor) = factor {
                layer.multiply(&mut tools, factor, settles);
            }
        }
    }

    fn upload(&mut self, strokes: &Strokes) {
        let state = &mut *self.state;
        if !strokes.segments.is_empty() {
            state.side.segments.upload(self.context, strokes);
        }
    }

    /// Where the driver has no memory for the map, nothing blooms.
    fn stroke(&mut self, strokes: &Strokes) {
        if strokes.segments.is_empty() {
            return;
        }
        self.upload(strokes);
        self.choose_palette(strokes);
        if strokes.glows {
            self.make_map();
        }
        let state = &*self.state;
        let share = state.side.fading.gain().recip();
        let inked = inked(
            &state.side.segments,
            state.side.palette_texture,
            strokes,
            1.0,
            share,
        );
        let mut tools = Tools {
            context: self.context,
            programs: &self.state.programs,
        };
        let Layers { light, map, .. } = &self.state.side.layers;
        light.stroke(&mut tools, &inked);
        if let (true, Some(map)) = (strokes.glows, map) {
            map.stroke(&mut tools, &inked);
        }
    }

    /// Where the driver has no memory for the strokes of the pending step, the frame is shown without them.
    fn present(&mut self, frame: &Frame) {
        self.state.side.presented = Presented::new(frame, self.state.side.fading.gain());
        self.state.side.layers.all().for_each(Layer::hide_motion);
        if frame.fraction > 0.0 && !frame.pending.segments.is_empty() {
            self.upload(&frame.pending);
            self.choose_palette(&frame.pending);
            self.show_motion(frame);
        }
        self.choose_ground(frame);
        self.draw_glow();
        self.state.share = None;
        if let Some(leaving) = &frame.leaving {
            self.on_leaving(&mut |canvas| canvas.present(&leaving.frame));
            self.draw_both(leaving.share);
        }
    }

    /// Where the driver has no memory for two pictures, the one that comes is there at once.
    fn part(&mut self) {
        self.join();
        let extent = self.extent();
        if let Some(side) = self.state.new_side(self.context, extent) {
            self.state.other = Some(mem::replace(&mut self.state.side, side));
        } else {
            self.clear();
        }
    }

    fn on_leaving(&mut self, work: &mut dyn FnMut(&mut dyn Canvas)) {
        if let Some(other) = self.state.other.take() {
            let coming = mem::replace(&mut self.state.side, other);
            work(self);
            let other = mem::replace(&mut self.state.side, coming);
            self.state.other = Some(other);
        }
    }

    fn join(&mut self) {
        if let Some(other) = self.state.other.take() {
            other.delete(self.context);
        }
        self.state.share = None;
        self.state.delete_mixed(self.context);
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
        let (width, height) = self.state.side.layers.light.size();
        let codes = self.draw_codes()?;
        let mut pixels = vec![0; width as usize * height as usize * 4];
        self.context
            .texture_read_pixels(codes.texture(), &mut pixels);
        self.state.codes = Some(codes);
        Ok(pixels)
    }

    fn draw_codes(&mut self) -> Result<Target, GpuError> {
        let (width, height) = self.state.side.layers.light.size();
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
        let precision = self.state.side.precision;
        let mut light = self.state.side.layers.light.read(self.context, precision);
        let gain = self.state.side.fading.gain();
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

    /// Draws both pictures into targets of their own, for the frame that mixes them; where the driver has no memory for them, only the one
    /// that comes is seen.
    fn draw_both(&mut self, share: f32) {
        if self.state.other.is_none() || !self.state.make_mixed(self.context) {
            return;
        }
        let Some([coming, leaving]) = self.state.mixed.take() else {
            return;
        };
        self.draw_undithered(&coming);
        self.swap_sides();
        self.draw_undithered(&leaving);
        self.swap_sides();
        self.state.mixed = Some([coming, leaving]);
        self.state.share = Some(share);
    }

    fn swap_sides(&mut self) {
        if let Some(other) = &mut self.state.other {
            mem::swap(other, &mut self.state.side);
        }
    }

    fn draw_undithered(&mut self, target: &Target) {
        target.begin(self.context);
        self.tone_at([0.0; 2], [1.0; 2], Rounding::of(self.state.path.light));
        self.context.end_render_pass();
    }

    fn compose_at(&mut self, origin: [f32; 2], direction: [f32; 2]) {
        if let (Some(share), Some(mixed)) = (self.state.share, &self.state.mixed) {
            let (width, height) = self.state.side.layers.light.size();
            let uniforms = DissolveUniforms {
                size: [width as f32, height as f32],
                origin,
                direction,
                tile: dither::TILE as f32,
                share,
            };
            let [coming, leaving] = mixed.each_ref().map(Target::texture);
            let images = [coming, leaving, self.state.thresholds];
            return self
                .state
                .programs
                .dissolve(self.context, images, &uniforms);
        }
        let state = &*self.state;
        let Layers { light, .. } = &state.side.layers;
        let (width, height) = light.size();
        let ([texture, motion], motion_weight) = light.textures();
        let presented = &state.side.presented;
        if presented.blend != Blend::Codes || presented.ground_size != [0.0; 2] {
            return self.tone_at(origin, direction, Rounding::Dithered);
        }
        let uniforms = ComposeUniforms {
            size: [width as f32, height as f32],
            origin,
            direction,
            decay: presented.decay,
            motion_weight,
            tile: dither::TILE as f32,
            background: presented.background,
        };
        let images = [texture, motion, state.thresholds];
        state.programs.compose(self.context, images, &uniforms);
    }

    fn tone_at(&mut self, origin: [f32; 2], direction: [f32; 2], rounding: Rounding) {
        let state = &*self.state;
        let Layers { light, glow, .. } = &state.side.layers;
        let (width, height) = light.size();
        let ([texture, motion], motion_weight) = light.textures();
        let presented = &state.side.presented;
        let copies = glow
            .as_ref()
            .filter(|_| presented.glow_shares != [0.0; 2])
            .map(Glow::copies);
        let size = |(width, height): (u32, u32)| [width as f32, height as f32];
        let sizes = copies.map_or([[1.0; 2]; 2], |copies| copies.map(|copy| size(copy.size())));
        let [near, wide] = copies.map_or([texture; 2], |copies| copies.map(Target::texture));
        let scale = light.extent.scale;
        let glow_pitch = Extent::GLOW_PITCH * scale;
        let uniforms = ToneUniforms {
            size: [width as f32, height as f32],
            origin,
            direction,
            decay: presented.decay,
            motion_weight,
            tile: dither::TILE as f32,
            background: presented.background,
            ground_size: presented.ground_size,
            near_size: sizes[0],
            wide_size: sizes[1],
            glow_shares: copies.map_or([0.0; 2], |_| presented.glow_shares),
            pitches: [
                Backdrop::PITCH * scale,
                glow_pitch,
                glow_pitch * Glow::COARSER as f32,
            ],
            blend: match presented.blend {
                Blend::Codes => 0.0,
                Blend::Over => 1.0,
                Blend::Add => 2.0,
            },
            exposure: presented.exposure,
            rounds: match rounding {
                Rounding::Dithered => 1.0,
                Rounding::None => 0.0,
            },
        };
        let ground = state.side.ground.texture;
        let images = [texture, motion, state.thresholds, ground, near, wide];
        state.programs.tone(self.context, images, &uniforms);
    }

    /// What draws, and what it draws to.
    fn split(&mut self) -> (Tools<'_>, &mut Layers) {
        let tools = Tools {
            context: self.context,
            programs: &self.state.programs,
        };
        (tools, &mut self.state.side.layers)
    }

    /// Makes the map that bloom is made from if there is none, unless the driver has no memory for it.
    fn make_map(&mut self) {
        let layers = &mut self.state.side.layers;
        if layers.map.is_none() {
            let extent = layers.light.extent.of_glow();
            layers.map = Layer::new(self.context, extent, self.state.side.precision);
        }
    }

    fn delete_map(&mut self) {
        let layers = &mut self.state.side.layers;
        if let Some(map) = layers.map.take() {
            map.delete(self.context);
        }
        if let Some(glow) = layers.glow.take() {
            glow.delete(self.context);
        }
    }

    /// Draws the part of the pending strokes that the frame shows.
    fn show_motion(&mut self, frame: &Frame) {
        let precision = self.state.side.precision;
        let state = &mut *self.state;
        let inked = inked(
            &state.side.segments,
            state.side.palette_texture,
            &frame.pending,
            frame.fraction,
            1.0,
        );
        let mut tools = Tools {
            context: self.context,
            programs: &state.programs,
        };
        let Layers { light, map, .. } = &mut state.side.layers;
        light.show_motion(&mut tools, &inked, precision);
        if let (true, Some(map)) = (frame.pending.glows, map) {
            map.show_motion(&mut tools, &inked, precision);
        }
    }

    /// Blurs the map for the frame that is presented; where the driver has no memory for it, nothing blooms.
    fn draw_glow(&mut self) {
        let (Some(bloom), Some(map)) =
            (self.state.side.presented.bloom, &self.state.side.layers.map)
        else {
            self.state.side.presented.glow_shares = [0.0; 2];
            return;
        };
        let (size, precision) = (map.size(), self.state.side.precision);
        let glow = self.state.side.layers.glow.take();
        let glow = Glow::fitting(glow, self.context, size, precision);
        let decay = self.state.side.presented.decay;
        let (mut tools, layers) = self.split();
        if let (Some(glow), Some(map)) = (&glow, &layers.map) {
            glow.draw(&mut tools, map, decay, &bloom);
        }
        self.state.side.layers.glow = glow;
    }

    /// Uploads the backdrop of a frame, unless it is the last one.
    fn choose_ground(&mut self, frame: &Frame) {
        let Background::Map(backdrop) = frame.background else {
            return;
        };
        let ground = &mut self.state.side.ground;
        let blend = frame.pending.blend;
        let rows = backdrop.nodes.len() / backdrop.columns;
        self.state.side.presented.ground_size = [backdrop.columns as f32, rows as f32];
        if ground.shows.as_ref() == Some(&(blend, backdrop.clone())) {
            return;
        }
        let texels: Vec<f32> = backdrop
            .nodes
            .iter()
            .flat_map(|color| {
                let [red, green, blue] = color.map(|linear| blend.under(linear));
                [red, green, blue, 1.0]
            })
            .collect();
        let size = (backdrop.columns as u32, rows as u32);
        let precision = self.state.path.light.finest();
        raw::specify(self.context, ground.texture, size, precision, Some(&texels));
        ground.shows = Some((blend, backdrop.clone()));
    }

    fn choose_palette(&mut self, strokes: &Strokes) {
        let is_linear = strokes.blend != Blend::Codes;
        let wanted = (strokes.palette, is_linear);
        if let Some((palette, was_linear)) = &self.state.side.palette
            && (palette, *was_linear) == wanted
        {
            return;
        }
        let colors = if is_linear {
            strokes.palette.linear()
        } else {
            strokes.palette.colors()
        };
        let texels: Vec<f32> = colors
            .iter()
            .flat_map(|&[r, g, b]| [r, g, b, 1.0])
            .collect();
        let size = (COLORS as u32, 1);
        let texture = self.state.side.palette_texture;
        let precision = self.state.path.light.finest();
        raw::specify(self.context, texture, size, precision, Some(&texels));
        self.state.side.palette = Some((strokes.palette.clone(), is_linear));
    }

    /// Moves the light to floats that can be multiplied by `keep` without losing more than that.
    fn choose_precision(&mut self, keep: f32) {
        let precision = match self.state.path.light {
            Light::Mixed if 1.0 - keep < LEAST_HALF_FADE => Precision::Single,
            Light::Mixed => Precision::Half,
            Light::Single | Light::Half | Light::Bytes => return,
        };
        if precision == self.state.side.precision {
            return;
        }
        let gain = self.state.side.fading.gain();
        let (mut tools, layers) = self.split();
        if !layers.light.change_precision(&mut tools, precision, gain) {
            return;
        }
        let fits = layers
            .map
            .as_mut()
            .is_none_or(|map| map.change_precision(&mut tools, precision, gain));
        if !fits {
            self.delete_map();
        }
        self.state.side.precision = precision;
        self.state.delete_codes(self.context);
        self.state.side.fading = Fading::NONE;
    }
}

/// What becomes of codes between two whole ones.
#[derive(Clone, Copy, Debug)]
enum Rounding {
    /// They are dithered.
    Dithered,
    /// They stay what they are.
    None,
}

impl Rounding {
    /// For targets of this kind.
    fn of(light: Light) -> Rounding {
        match light {
            Light::Bytes => Rounding::Dithered,
            Light::Mixed | Light::Single | Light::Half => Rounding::None,
        }
    }
}

/// Strokes of which all segments are uploaded: the first `fraction` of each, a `share` of their light.
pub(super) fn inked<'a>(
    segments: &'a SegmentBuffers,
    palette: TextureId,
    strokes: &Strokes,
    fraction: f32,
    share: f32,
) -> Inked<'a> {
    Inked {
        segments,
        palette,
        uniforms: StrokeUniforms {
            size: [0.0; 2],
            scale: 1.0,
            shift: strokes.shift,
            widths: strokes.width,
            fraction,
            colors: COLORS as f32,
            alpha: strokes.alpha,
            most_alpha: MOST_ALPHA,
            added: f32::from(u8::from(strokes.blend == Blend::Add)),
            share,
        },
    }
}
