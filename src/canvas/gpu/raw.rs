//! The OpenGL calls that miniquad has no function for.
//!
//! Every function takes the backend: where one exists, GL's functions are loaded, and [`super::GpuState::new`] has
//! checked that it is an OpenGL one. With no context current, or another one, GL does nothing or draws nonsense, but
//! touches no memory of ours. Bindings are left as they were found, since miniquad remembers what it has bound.

use std::ptr;

use miniquad::{BufferId, BufferSource, RawId, RenderingBackend, TextureId, gl};

use super::target::Precision;

/// The name of the binding point of 2D textures; miniquad does not export it.
const GL_TEXTURE_BINDING_2D: gl::GLenum = 0x8069;
/// The name of the viewport's rectangle; miniquad does not export it.
const GL_VIEWPORT: gl::GLenum = 0x0BA2;

/// Gives a texture new storage: RGBA, row by row, rounded to what `precision` can hold, or undefined contents.
///
/// miniquad cannot: it knows no 32-bit format, and takes half of a 16-bit texture's data for the whole.
pub fn specify(
    context: &mut dyn RenderingBackend,
    texture: TextureId,
    (width, height): (u32, u32),
    precision: Precision,
    floats: Option<&[f32]>,
) {
    let channels = width as usize * height as usize * 4;
    if let Some(floats) = floats {
        assert_eq!(floats.len(), channels, "four floats per px");
    }
    let codes: Option<Vec<u8>> = match precision {
        Precision::Bytes => floats.map(|floats| floats.iter().map(|&light| code(light)).collect()),
        Precision::Half | Precision::Single => None,
    };
    let (internal_format, kind) = match precision {
        Precision::Half => (gl::GL_RGBA16F, gl::GL_FLOAT),
        Precision::Single => (gl::GL_RGBA32F, gl::GL_FLOAT),
        Precision::Bytes => (gl::GL_RGBA, gl::GL_UNSIGNED_BYTE),
    };
    let pixels: *const gl::GLvoid = match (&codes, floats) {
        (Some(codes), _) => codes.as_ptr().cast(),
        (None, Some(floats)) => floats.as_ptr().cast(),
        (None, None) => ptr::null(),
    };
    let texture = name(context, texture);
    let bound = integer(context, GL_TEXTURE_BINDING_2D);
    // SAFETY: GL is loaded, as `context` exists. `pixels` is null or, by the assertion, points to as many
    // floats or codes as GL reads: rows of whole 4 bytes leave nothing to any unpack alignment that miniquad sets.
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
            kind,
            pixels,
        );
        gl::glBindTexture(gl::GL_TEXTURE_2D, bound as gl::GLuint);
    }
}

fn code(light: f32) -> u8 {
    (light * 255.0).round() as u8
}

/// Reads the RGBA of the pass that has begun, row by row from row 0; its target must be of this precision.
pub fn read_light(
    context: &mut dyn RenderingBackend,
    size: (u32, u32),
    precision: Precision,
) -> Vec<f32> {
    match precision {
        Precision::Half | Precision::Single => read(context, size),
        Precision::Bytes => {
            let codes: Vec<u8> = read(context, size);
            codes.iter().map(|&code| f32::from(code) / 255.0).collect()
        }
    }
}

/// Reads channels of one type.
fn read<T: Channel>(_context: &mut dyn RenderingBackend, (width, height): (u32, u32)) -> Vec<T> {
    let mut channels = vec![T::default(); width as usize * height as usize * 4];
    // SAFETY: GL is loaded, as `_context` exists. GL writes four channels of the type per px, which is what `channels` holds;
    // rows of whole 4 bytes leave nothing to the pack alignment, which is 4 or less.
    unsafe {
        gl::glReadPixels(
            0,
            0,
            width as gl::GLsizei,
            height as gl::GLsizei,
            gl::GL_RGBA,
            T::KIND,
            channels.as_mut_ptr().cast(),
        );
    }
    channels
}

/// A number that GL reads pixels as.
trait Channel: Copy + Default {
    /// The name of the type.
    const KIND: gl::GLenum;
}

impl Channel for f32 {
    const KIND: gl::GLenum = gl::GL_FLOAT;
}

impl Channel for u8 {
    const KIND: gl::GLenum = gl::GL_UNSIGNED_BYTE;
}

/// Lets only a share of the alpha that is drawn reach the target, in the blend (One, OneMinusSourceAlpha); 1 is that blend itself.
///
/// The attenuation of what is under it remains whole. miniquad knows neither that factor nor of this call: whoever sets
/// another share than 1 sets it back to 1 before miniquad changes the blend.
pub fn set_alpha_share(_context: &mut dyn RenderingBackend, share: f32) {
    let factor = if share == 1.0 {
        gl::GL_ONE
    } else {
        gl::GL_CONSTANT_ALPHA
    };
    let under = gl::GL_ONE_MINUS_SRC_ALPHA;
    // SAFETY: GL is loaded, as `_context` exists; the calls have no pointers.
    unsafe {
        gl::glBlendColor(0.0, 0.0, 0.0, share);
        gl::glBlendFuncSeparate(gl::GL_ONE, under, factor, under);
    }
}

/// Writes slices one behind the other into a vertex buffer, from its beginning.
pub fn write_vertices<'a, T: 'a>(
    context: &mut dyn RenderingBackend,
    buffer: BufferId,
    slices: impl Iterator<Item = &'a [T]>,
) {
    // miniquad has no offsets, and does not tell a buffer's name; but with nothing bound before, it leaves bound what it wrote
    // to.
    context.commit_frame();
    let mut offset = 0;
    for slice in slices.filter(|slice| !slice.is_empty()) {
        if offset == 0 {
            context.buffer_update(buffer, BufferSource::slice(slice));
        } else {
            // SAFETY: GL is loaded, as `context` exists. It reads the slice, and nothing beyond; and it refuses to write beyond
            // the end of the buffer that is bound, whichever that is.
            unsafe {
                gl::glBufferSubData(
                    gl::GL_ARRAY_BUFFER,
                    offset as gl::GLintptr,
                    size_of_val(slice) as gl::GLsizeiptr,
                    slice.as_ptr().cast(),
                );
            }
        }
        offset += size_of_val(slice);
    }
}

/// Waits until everything so far is drawn.
pub fn finish(_context: &mut dyn RenderingBackend) {
    // SAFETY: GL is loaded, as `_context` exists; the call has no pointers.
    unsafe { gl::glFinish() };
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
