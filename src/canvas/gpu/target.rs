//! A texture that can be drawn to.

use miniquad::{
    FilterMode, PassAction, RenderPass, RenderingBackend, TextureFormat, TextureId, TextureParams,
};

use super::raw;

/// How finely a target holds light.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// 16-bit floats.
    Half,
    /// 32-bit floats.
    Single,
    /// 8-bit codes.
    Bytes,
}

/// A texture and the framebuffer that draws to it. Row 0 is the top of the canvas.
#[derive(Debug)]
pub struct Target {
    pass: RenderPass,
    texture: TextureId,
    size: (u32, u32),
}

impl Target {
    /// A target for light, cleared; `None` where the driver cannot draw to one, or has no memory for it.
    pub fn light(
        context: &mut dyn RenderingBackend,
        size: (u32, u32),
        precision: Precision,
    ) -> Option<Target> {
        let format = match precision {
            Precision::Bytes => TextureFormat::RGBA8,
            Precision::Half | Precision::Single => TextureFormat::RGBA16F,
        };
        let texture = new_texture(context, size, format);
        if precision == Precision::Single {
            raw::specify(context, texture, size, precision, None);
        }
        Target::around(context, texture, size)
    }

    /// A target for finished pixels of 8 bits per channel, cleared; `None` as for [`Target::light`].
    pub fn codes(context: &mut dyn RenderingBackend, size: (u32, u32)) -> Option<Target> {
        let texture = new_texture(context, size, TextureFormat::RGBA8);
        Target::around(context, texture, size)
    }

    fn around(
        context: &mut dyn RenderingBackend,
        texture: TextureId,
        size: (u32, u32),
    ) -> Option<Target> {
        let target = Target {
            pass: context.new_render_pass(texture, None),
            texture,
            size,
        };
        // miniquad does not look: drawing to an incomplete framebuffer does nothing, silently.
        context.begin_pass(Some(target.pass), PassAction::Nothing);
        let is_complete = raw::is_complete(context);
        context.end_render_pass();
        if !is_complete {
            target.delete(context);
            raw::take_error(context); // of the texture's memory: `None` says it
            return None;
        }
        target.clear(context);
        Some(target)
    }

    /// Sets every pixel to 0.
    pub fn clear(&self, context: &mut dyn RenderingBackend) {
        self.begin_cleared(context);
        context.end_render_pass();
    }

    /// Begins drawing over what the target holds.
    pub fn begin(&self, context: &mut dyn RenderingBackend) {
        context.begin_pass(Some(self.pass), PassAction::Nothing);
    }

    /// Begins drawing over zeros.
    pub fn begin_cleared(&self, context: &mut dyn RenderingBackend) {
        let zeros = PassAction::Clear {
            color: Some((0.0, 0.0, 0.0, 0.0)),
            depth: None,
            stencil: None,
        };
        context.begin_pass(Some(self.pass), zeros);
    }

    /// Where other passes read what was drawn.
    pub fn texture(&self) -> TextureId {
        self.texture
    }

    /// Width and height in px.
    pub fn size(&self) -> (u32, u32) {
        self.size
    }

    /// Frees the texture and the framebuffer.
    pub fn delete(self, context: &mut dyn RenderingBackend) {
        unbind_textures(context);
        context.delete_render_pass(self.pass); // the texture too
    }
}

/// Makes miniquad forget the textures it has bound.
///
/// Needed before one is deleted: GL gives its name to the next texture, which miniquad would then take for bound.
pub fn unbind_textures(context: &mut dyn RenderingBackend) {
    context.commit_frame(); // on OpenGL it does only this
}

/// A texture of undefined contents, read at the nearest texel: GLES filters no 32-bit floats.
pub fn new_texture(
    context: &mut dyn RenderingBackend,
    (width, height): (u32, u32),
    format: TextureFormat,
) -> TextureId {
    let texture = context.new_render_texture(TextureParams {
        format,
        width,
        height,
        min_filter: FilterMode::Nearest,
        mag_filter: FilterMode::Nearest,
        ..TextureParams::default()
    });
    if !context.info().features.instancing {
        // miniquad swizzles every texture, which OpenGL ES 2 reports as an error.
        raw::take_error(context);
    }
    texture
}
