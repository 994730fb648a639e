//! The live canvas: light in a floating-point texture, drawn with OpenGL through miniquad.
//!
//! It knows no window: it draws into targets of its own, and [`GpuCanvas::compose`] puts the frame into whatever pass
//! the host has begun. Whatever changes a target begins and ends passes itself, so that no pass of the host may be open.
//!
//! Light is premultiplied RGBA, of the most precision that the driver can draw to: see [`Path`]. Fading is done in place, by
//! blending, which takes half the bandwidth of drawing from one texture into another. A blend cannot remove what has
//! become too dark to see, though, and may round the same last value back for ever; so about every 60th fade is drawn
//! through the second target, by a shader that sets everything below 2^-20 to 0. Where there are only 8-bit codes, one
//! is subtracted from everything every so often instead.

use std::slice;

use miniquad::{Backend, RenderingBackend, ShaderError, TextureFormat, TextureId};
use thiserror::Error;

pub use self::canvas::GpuCanvas;
use self::fading::Fading;
use self::glow::Glow;
use self::layer::Layer;
pub use self::path::{Light, Path, Quads, UnknownPath, WantedPath};
use self::programs::Programs;
use self::segments::SegmentBuffers;
use self::target::{Precision, Target};
use crate::canvas::{Backdrop, Background, Blend, Bloom, Extent, Frame};
use crate::dither;
use crate::palette::{COLORS, Palette, linear};

mod canvas;
mod fading;
mod glow;
mod layer;
mod path;
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
    /// The driver has no instanced drawing, and nothing else was allowed.
    #[error("instanced quads need OpenGL 3 or OpenGL ES 3, and the driver has {0:?}")]
    NoInstancing(String),
    /// The driver cannot draw to a texture that holds light as it was asked for.
    #[error(
        "the driver cannot draw to a texture of {width}x{height} px that holds light as it was asked to"
    )]
    NoLight {
        /// Width asked for, in px.
        width: u32,
        /// Height asked for, in px.
        height: u32,
    },
    /// The driver cannot draw to a texture of this size at all, or has no memory for it.
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
    longest_side: u32,
    path: Path,
    programs: Programs,
    /// The picture that is there or comes.
    side: Side,
    /// The one that leaves.
    other: Option<Side>,
    /// Frames of both, and the share of the one that leaves in the frame that is shown, where it shows both.
    mixed: Option<[Target; 2]>,
    share: Option<f32>,
    /// What [`GpuCanvas::read`] composes into.
    codes: Option<Target>,
    thresholds: TextureId,
}

/// Everything of one picture.
#[derive(Debug)]
struct Side {
    /// Of the light at present.
    precision: Precision,
    layers: Layers,
    segments: SegmentBuffers,
    palette_texture: TextureId,
    /// What the texture holds, and whether as linear light.
    palette: Option<(Palette, bool)>,
    ground: Ground,
    fading: Fading,
    presented: Presented,
}

impl Side {
    /// A picture without light, which is held in `target`.
    fn new(
        context: &mut dyn RenderingBackend,
        extent: Extent,
        target: Target,
        precision: Precision,
        quads: Quads,
    ) -> Side {
        let size = (COLORS as u32, 1);
        Side {
            precision,
            layers: Layers {
                light: Layer::around(extent, target),
                map: None,
                glow: None,
            },
            segments: SegmentBuffers::new(quads),
            palette_texture: target::new_texture(context, size, TextureFormat::RGBA8),
            palette: None,
            ground: Ground {
                texture: target::new_texture(context, (1, 1), TextureFormat::RGBA8),
                shows: None,
            },
            fading: Fading::NONE,
            presented: Presented::NONE,
        }
    }

    /// Frees everything.
    fn delete(self, context: &mut dyn RenderingBackend) {
        target::unbind_textures(context);
        context.delete_texture(self.palette_texture);
        context.delete_texture(self.ground.texture);
        let Layers { light, map, glow } = self.layers;
        for layer in [Some(light), map].into_iter().flatten() {
            layer.delete(context);
        }
        if let Some(glow) = glow {
            glow.delete(context);
        }
        self.segments.delete(context);
    }
}

/// Where light is held.
#[derive(Debug)]
struct Layers {
    light: Layer,
    /// The map that bloom is made from, once strokes have filled it.
    map: Option<Layer>,
    /// Its blurred copies.
    glow: Option<Glow>,
}

impl Layers {
    fn all(&mut self) -> impl Iterator<Item = &mut Layer> {
        [Some(&mut self.light), self.map.as_mut()]
            .into_iter()
            .flatten()
    }
}

/// The background, where it is a map.
#[derive(Debug)]
struct Ground {
    texture: TextureId,
    /// What the texture holds.
    shows: Option<(Blend, Backdrop)>,
}

/// The frame that is shown.
#[derive(Clone, Copy, Debug)]
struct Presented {
    decay: f32,
    /// Where there is no map of it.
    background: [f32; 3],
    /// Nodes of the map, or 0.
    ground_size: [f32; 2],
    blend: Blend,
    exposure: f32,
    bloom: Option<Bloom>,
    /// What of the near and of the wide copy is added under the light.
    glow_shares: [f32; 2],
}

impl Presented {
    /// What a frame shows where the light is `gain` times what its target holds.
    fn new(frame: &Frame, gain: f32) -> Presented {
        let blend = frame.pending.blend;
        let bloom = frame.bloom.filter(|_| blend == Blend::Add);
        let [near, wide] = bloom.map_or([0.0; 2], |bloom| bloom.shares);
        Presented {
            decay: frame.keep.powf(frame.fraction) * gain,
            background: match frame.background {
                Background::Flat(codes) if blend == Blend::Codes => codes.map(f32::from),
                Background::Flat(codes) => codes.map(|code| blend.under(linear(code))),
                Background::Map(_) => [0.0; 3],
            },
            ground_size: [0.0; 2],
            blend,
            exposure: frame.exposure,
            bloom,
            // What blooms near blooms wide, too.
            glow_shares: [near, wide * (1.0 + near)].map(|share| share * frame.exposure),
        }
    }

    /// Nothing.
    const NONE: Presented = Presented {
        decay: 1.0,
        background: [0.0; 3],
        ground_size: [0.0; 2],
        blend: Blend::Codes,
        exposure: 1.0,
        bloom: None,
        glow_shares: [0.0; 2],
    };
}

impl GpuState {
    /// An empty canvas, which draws in the way that is wanted; see [`GpuState::path`].
    ///
    /// # Errors
    ///
    /// Where the driver lacks what the canvas needs; see [`GpuError`].
    pub fn new(
        context: &mut dyn RenderingBackend,
        extent: Extent,
        wanted: WantedPath,
    ) -> Result<GpuState, GpuError> {
        let info = context.info();
        if info.backend != Backend::OpenGl {
            return Err(GpuError::NotOpenGl);
        }
        let quads = match wanted.quads {
            Some(Quads::Instanced) if !info.features.instancing => {
                return Err(GpuError::NoInstancing(info.gl_version_string));
            }
            Some(quads) => quads,
            None if info.features.instancing => Quads::Instanced,
            None => Quads::Expanded,
        };
        let Extent { width, height, .. } = extent;
        let limit = raw::max_texture_size(context);
        if width.max(height) > limit {
            return Err(GpuError::TooLarge {
                width,
                height,
                limit,
            });
        }
        let programs = Programs::new(context, quads)?;
        let found = choose_light(context, &programs, (width, height), wanted.light);
        let Some((light, precision, target)) = found else {
            programs.delete(context);
            return Err(match wanted.light {
                Some(Light::Mixed | Light::Single | Light::Half) => {
                    GpuError::NoLight { width, height }
                }
                Some(Light::Bytes) | None => GpuError::NoTarget { width, height },
            });
        };
        Ok(GpuState {
            longest_side: limit,
            path: Path { light, quads },
            programs,
            side: Side::new(context, extent, target, precision, quads),
            other: None,
            mixed: None,
            share: None,
            codes: None,
            thresholds: new_thresholds(context),
        })
    }

    /// The way in which it draws.
    pub fn path(&self) -> Path {
        self.path
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
        context.delete_texture(self.thresholds);
        let targets = self
            .codes
            .into_iter()
            .chain(self.mixed.into_iter().flatten());
        for target in targets {
            target.delete(context);
        }
        for side in [Some(self.side), self.other].into_iter().flatten() {
            side.delete(context);
        }
        self.programs.delete(context);
    }

    /// A picture beside the one that is there; nothing where the driver has no memory for it.
    fn new_side(&self, context: &mut dyn RenderingBackend, extent: Extent) -> Option<Side> {
        let precision = first_precision(self.path.light);
        let target = Target::light(context, (extent.width, extent.height), precision)?;
        Some(Side::new(
            context,
            extent,
            target,
            precision,
            self.path.quads,
        ))
    }

    /// Makes the targets that frames of two pictures are drawn to, if there are none; says whether the driver has memory for them.
    fn make_mixed(&mut self, context: &mut dyn RenderingBackend) -> bool {
        if self.mixed.is_none() {
            let size = self.side.layers.light.size();
            let precision = match self.path.light {
                Light::Bytes => Precision::Bytes,
                Light::Mixed | Light::Single | Light::Half => Precision::Half,
            };
            let coming = Target::light(context, size, precision);
            let leaving = Target::light(context, size, precision);
            match (coming, leaving) {
                (Some(coming), Some(leaving)) => self.mixed = Some([coming, leaving]),
                (coming, leaving) => {
                    for target in [coming, leaving].into_iter().flatten() {
                        target.delete(context);
                    }
                }
            }
        }
        self.mixed.is_some()
    }

    fn delete_mixed(&mut self, context: &mut dyn RenderingBackend) {
        for target in self.mixed.take().into_iter().flatten() {
            target.delete(context);
        }
    }

    /// Forgets what belongs to the light so far, so that the same calls give the same bits.
    fn begin_anew(&mut self) {
        self.side.segments.forget();
        self.side.fading = Fading::NONE;
    }

    /// Deletes the target of finished pixels, which depends on the size of the light.
    fn delete_codes(&mut self, context: &mut dyn RenderingBackend) {
        if let Some(codes) = self.codes.take() {
            codes.delete(context);
        }
    }
}

/// The best that light can be held in, at first, and a target that holds it; nothing where the driver has not what is wanted.
fn choose_light(
    context: &mut dyn RenderingBackend,
    programs: &Programs,
    size: (u32, u32),
    wanted: Option<Light>,
) -> Option<(Light, Precision, Target)> {
    let candidates = match &wanted {
        Some(light) => slice::from_ref(light),
        None => &[Light::Mixed, Light::Half, Light::Bytes],
    };
    candidates.iter().find_map(|&light| {
        let precision = first_precision(light);
        let needs_single = matches!(light, Light::Mixed | Light::Single);
        if needs_single && !blends_single(context, programs) {
            return None;
        }
        let target = Target::light(context, size, precision)?;
        Some((light, precision, target))
    })
}

/// What light is held in at first.
fn first_precision(light: Light) -> Precision {
    match light {
        Light::Mixed | Light::Half => Precision::Half,
        Light::Single => Precision::Single,
        Light::Bytes => Precision::Bytes,
    }
}

/// Whether targets of 32-bit floats are complete and can be blended; some drivers of GLES only do the first.
fn blends_single(context: &mut dyn RenderingBackend, programs: &Programs) -> bool {
    const FULL: f32 = 0.75;
    raw::take_error(context);
    let single = Precision::Single;
    let Some(probe) = Target::light(context, (1, 1), single) else {
        return false;
    };
    raw::specify(context, probe.texture(), (1, 1), single, Some(&[FULL; 4]));
    probe.begin(context);
    programs.fade(context, 0.5);
    let floats = raw::read_light(context, (1, 1), single);
    context.end_render_pass();
    probe.delete(context);
    raw::take_error(context).is_none() && floats == [FULL / 2.0; 4]
}

/// The dither's thresholds, which are whole and a half 256ths, as bytes.
fn new_thresholds(context: &mut dyn RenderingBackend) -> TextureId {
    let side = dither::TILE as u32;
    let texture = target::new_texture(context, (side, side), TextureFormat::RGBA8);
    let codes: Vec<f32> = dither::tile()
        .iter()
        .flat_map(|&threshold| [(threshold * 256.0).floor() / 255.0; 4])
        .collect();
    raw::specify(
        context,
        texture,
        (side, side),
        Precision::Bytes,
        Some(&codes),
    );
    let repeat = miniquad::TextureWrap::Repeat;
    context.texture_set_wrap(texture, repeat, repeat);
    texture
}
