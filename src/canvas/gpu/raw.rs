//! The OpenGL calls that miniquad has no function for.
//!
//! Every function takes the backend: where one exists, GL's functions are loaded, and [`super::GpuState::new`] has
//! checked that it is an OpenGL one. With no context current, or another one, GL does nothing or draws nonsense, but
//! touches no memory of ours. Bindings are left as they were found, since miniquad remembers what it has bound.

use std::ptr;

use miniquad::{RawId, RenderingBackend, TextureId, gl};

use super::target::Precision;

/// The name of the binding point of 2D textures; miniquad does not export it.
const GL_TEXTURE_BINDING_2D: gl::GLenum = 0x8069;
/// The name of the viewport's rectangle; miniquad does not export it.
const GL_VIEWPORT: gl::GLenum = 0x0BA2;

/// Gives a texture new storage: RGBA floats, row by row, or undefined contents.
///
/// miniquad cannot: it knows no 32-bit format, and takes half of a 16-bit texture's data for the whole.
pub fn specify(
    context: &mut dyn RenderingBackend,
    texture: TextureId,
    (width, height): (u32, u32),
    precision: Precision,
    floats: Option<&[f32]>,
) {
    if let Some(floats) = floats {
        assert_eq!(
            floats.len(),
            width as usize * height as usize * 4,
            "four floats per px"
        );
    }
    let internal_format = match precision {
        Precision::Half => gl::GL_RGBA16F,
        Precision::Single => gl::GL_RGBA32F,
    };
    let pixels = floats.map_or(ptr::null(), |floats| floats.as_ptr().cast());
    let texture = name(context, texture);
    let bound = integer(context, GL_TEXTURE_BINDING_2D);
    // SAFETY: GL is loaded, as `context` exists. `pixels` is null or, by the assertion, points to as many
    // floats as GL reads: rows of 16 bytes per px leave nothing to any unpack alignment.
    unsafe {
        gl::glBindTexture(gl::GL_TEXTURE_2D, texture);
        gl::glTexImage2D(
            gl::GL_TEXTURE_2D,
            0,
            internal_format as gl::GLint,
            width as gl::GLsizei,
            height as gl::GLsizei,
            0,
            gl::GL_RGBA,
            gl::GL_FLOAT,
            pixels,
        );
        gl::glBindTexture(gl::GL_TEXTURE_2D, bound as gl::GLuint);
    }
}

/// Reads the RGBA floats of the pass that has begun, row by row from row 0.
pub fn read_floats(_context: &mut dyn RenderingBackend, (width, height): (u32, u32)) -> Vec<f32> {
    let mut floats = vec![0.0_f32; width as usize * height as usize * 4];
    // SAFETY: GL is loaded, as `_context` exists. GL writes 16 bytes per px, which is what `floats` holds;
    // rows of whole 16 bytes leave nothing to any pack alignment.
    unsafe {
        gl::glReadPixels(
            0,
            0,
            width as gl::GLsizei,
            height as gl::GLsizei,
            gl::GL_RGBA,
            gl::GL_FLOAT,
            floats.as_mut_ptr().cast(),
        );
    }
    floats
}

/// Whether the pass that has begun can be drawn to.
pub fn is_complete(_context: &mut dyn RenderingBackend) -> bool {
    // SAFETY: GL is loaded, as `_context` exists; the call has no pointers.
    unsafe { gl::glCheckFramebufferStatus(gl::GL_FRAMEBUFFER) == gl::GL_FRAMEBUFFER_COMPLETE }
}

/// The viewport of the pass that has begun: x and y from the bottom left, width, height; px.
pub fn viewport(_context: &mut dyn RenderingBackend) -> [i32; 4] {
    let mut rectangle = [0; 4];
    // SAFETY: GL is loaded, as `_context` exists; GL writes the four integers of a viewport.
    unsafe { gl::glGetIntegerv(GL_VIEWPORT, rectangle.as_mut_ptr()) };
    rectangle
}

/// The greatest width and height of a texture in px.
pub fn max_texture_size(context: &mut dyn RenderingBackend) -> u32 {
    integer(context, gl::GL_MAX_TEXTURE_SIZE) as u32
}

/// The first error since the last call, as GL numbers them.
pub fn take_error(_context: &mut dyn RenderingBackend) -> Option<u32> {
    // A driver may hold one error per kind; a lost context reports errors without end.
    const MOST_ERRORS: usize = 16;
    // SAFETY: GL is loaded, as `_context` exists; the call has no pointers.
    let mut errors = (0..MOST_ERRORS)
        .map(|_| unsafe { gl::glGetError() })
        .take_while(|&error| error != 0);
    let first = errors.next();
    errors.for_each(drop);
    first
}

fn integer(_context: &mut dyn RenderingBackend, parameter: gl::GLenum) -> gl::GLint {
    let mut value = 0;
    // SAFETY: GL is loaded, as `_context` exists; the parameters asked for here are single integers.
    unsafe { gl::glGetIntegerv(parameter, &mut value) };
    value
}

fn name(context: &mut dyn RenderingBackend, texture: TextureId) -> gl::GLuint {
    // SAFETY: the name is only bound, by the functions above, while the texture lives.
    match unsafe { context.texture_raw_id(texture) } {
        RawId::OpenGl(name) => name,
        #[cfg(target_vendor = "apple")]
        RawId::Metal(_) => unreachable!("GpuState::new refuses other backends"),
    }
}
