//! The live canvas: light in a floating-point texture, drawn with OpenGL through miniquad.
//!
//! It knows no window: it draws into targets of its own, and [`GpuCanvas::compose`] puts the frame into whatever pass
//! the host has begun. Whatever changes a target begins and ends passes itself, so that no pass of the host may be open.
//!
//! Light is premultiplied RGBA, 16-bit floats as a rule. They lose up to 2^-11 of themselves at every multiplication,
//! which is too much where a fade takes less than 2 percent: there the light moves to 32-bit floats, if the driver can
//! blend them (elsewhere slow fades end a little early). Fading is done in place, by blending, which takes half the
//! bandwidth of drawing from one texture into another. A blend cannot remove what has become too dark to see, though,
//! and may round the same last value back for ever; so every 60th fade is drawn through the second
//! target, by a shader that sets everything below 2^-20 to 0.

use miniquad::{Backend, RenderingBackend, ShaderError, TextureFormat, TextureId};
use thiserror::Error;

pub use self::canvas::GpuCanvas;
use self::programs::{FadeUniforms, Programs};
use self::segments::SegmentBuffers;
use self::target::{Precision, Target};
use crate::canvas::Extent;
use crate::dither;
use crate::palette::{COLORS, Palette};

mod canvas;
mod programs;
mod raw;
mod segments;
mod target;

/// Why a canvas cannot be drawn on this GPU.
#[derive(Debug, Error)]
pub enum GpuError {
    /// The context is not an OpenGL one.
    #[error("the GPU canvas needs OpenGL, and this context is not one")]
    NotOpenGl,
    /// The driver is older than instanced drawing.
    #[error("the GPU canvas needs OpenGL 3 or OpenGL ES 3, and the driver has {0:?}")]
    NoInstancing(String),
    /// The driver cannot draw to a floating-point texture of this size, or has no memory for it.
    #[error("the driver cannot draw to a floating-point texture of {width}x{height} px")]
    NoFloatTarget {
        /// Width asked for, in px.
        width: u32,
        /// Height asked for, in px.
        height: u32,
    },
    /// The driver has no memory for a finished picture of this size.
    #[error("the driver cannot draw to a texture of {width}x{height} px")]
    NoTarget {
        /// Width asked for, in px.
        width: u32,
        /// Height asked for, in px.
        height: u32,
    },
    /// A side is longer than the driver's textures.
    #[error(
        "a canvas of {width}x{height} px is too large: the driver's textures end at {limit} px"
    )]
    TooLarge {
        /// Width asked for, in px.
        width: u32,
        /// Height asked for, in px.
        height: u32,
        /// The longest side that the driver offers, in px.
        limit: u32,
    },
    /// The driver does not compile a shader.
    #[error("the driver refuses a shader: {0}")]
    Shader(#[from] ShaderError),
    /// The driver has reported an error, numbered as by `glGetError`.
    #[error("the driver reported OpenGL error 0x{0:04X}")]
    Reported(u32),
}

/// Everything of a canvas that lives on the GPU.
///
/// It has to be [`GpuState::delete`]d to free its memory before the context ends.
#[derive(Debug)]
pub struct GpuState {
    extent: Extent,
    longest_side: u32,
    has_single: bool,
    precision: Precision,
    programs: Programs,
    light: Target,
    /// As large and as precise as `light`: takes the strokes under way, and the light when it moves.
    spare: Option<Target>,
    /// What [`GpuCanvas::read`] composes into.
    codes: Option<Target>,
    segments: SegmentBuffers,
    palette_texture: TextureId,
    /// What the texture holds.
    palette: Option<Palette>,
    thresholds: TextureId,
    unsettled_fades: u32,
    presented: Presented,
}

/// The frame that is shown.
#[derive(Clone, Copy, Debug)]
struct Presented {
    decay: f32,
    /// Whether the spare target holds strokes that belong to the frame.
    has_motion: bool,
    background: [u8; 3],
}

impl GpuState {
    /// An empty canvas.
    ///
    /// # Errors
    ///
    /// Where the driver lacks what the canvas needs; see [`GpuError`].
    pub fn new(context: &mut dyn RenderingBackend, extent: Extent) -> Result<GpuState, GpuError> {
        let info = context.info();
        if info.backend != Backend::OpenGl {
            return Err(GpuError::NotOpenGl);
        }
        if !info.features.instancing {
            return Err(GpuError::NoInstancing(info.gl_version_string));
        }
        let Extent { width, height, .. } = extent;
        let limit = raw::max_texture_size(context);
        if width.max(height) > limit {
            return Err(GpuError::TooLarge {
                width,
                height,
                limit,
            });
        }
        let programs = Programs::new(context)?;
        let Some(light) = Target::light(context, (width, height), Precision::Half) else {
            programs.delete(context);
            return Err(GpuError::NoFloatTarget { width, height });
        };
        let has_single = blends_single(context, &programs);
        let palette_texture =
            target::new_texture(context, (COLORS as u32, 1), TextureFormat::RGBA16F);
        Ok(GpuState {
            extent,
            longest_side: limit,
            has_single,
            precision: Precision::Half,
            programs,
            light,
            spare: None,
            codes: None,
            segments: SegmentBuffers::default(),
            palette_texture,
            palette: None,
            thresholds: new_thresholds(context),
            unsettled_fades: 0,
            presented: Presented {
                decay: 1.0,
                has_motion: false,
                background: [0; 3],
            },
        })
    }

    /// The canvas, while `context` is at hand; it must be the context that the state was made with.
    pub fn bind<'a>(&'a mut self, context: &'a mut dyn RenderingBackend) -> GpuCanvas<'a> {
        GpuCanvas {
            state: self,
            context,
        }
    }

    /// Frees everything that lives on the GPU.
    pub fn delete(self, context: &mut dyn RenderingBackend) {
        target::unbind_textures(context);
        context.delete_texture(self.palette_texture);
        context.delete_texture(self.thresholds);
        for target in [Some(self.light), self.spare, self.codes]
            .into_iter()
            .flatten()
        {
            target.delete(context);
        }
        self.segments.delete(context);
        self.programs.delete(context);
    }

    /// Forgets what belongs to the light so far, so that the same calls give the same bits.
    fn begin_anew(&mut self) {
        self.segments.forget();
        self.unsettled_fades = 0;
    }

    /// Deletes the targets that depend on the size and precision of the light.
    fn delete_dependent_targets(&mut self, context: &mut dyn RenderingBackend) {
        self.presented.has_motion = false;
        for target in [self.spare.take(), self.codes.take()].into_iter().flatten() {
            target.delete(context);
        }
    }
}

/// Whether targets of 32-bit floats are complete and can be blended; some drivers of GLES only do the first.
fn blends_single(context: &mut dyn RenderingBackend, programs: &Programs) -> bool {
    const FULL: f32 = 0.75;
    raw::take_error(context);
    let Some(probe) = Target::light(context, (1, 1), Precision::Single) else {
        return false;
    };
    raw::specify(
        context,
        probe.texture(),
        (1, 1),
        Precision::Single,
        Some(&[FULL; 4]),
    );
    probe.begin(context);
    programs.fade(context, &FadeUniforms { keep: 0.5 });
    let floats = raw::read_floats(context, (1, 1));
    context.end_render_pass();
    probe.delete(context);
    raw::take_error(context).is_none() && floats == [FULL / 2.0; 4]
}

/// The dither's thresholds, which are whole and a half 256ths, as bytes.
fn new_thresholds(context: &mut dyn RenderingBackend) -> TextureId {
    let side = dither::TILE as u32;
    let texture = target::new_texture(context, (side, side), TextureFormat::RGBA8);
    let bytes: Vec<u8> = dither::tile()
        .iter()
        .flat_map(|&threshold| [(threshold * 256.0) as u8; 4])
        .collect();
    context.texture_update(texture, &bytes);
    let repeat = miniquad::TextureWrap::Repeat;
    context.texture_set_wrap(texture, repeat, repeat);
    texture
}
