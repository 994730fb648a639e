//! The few functions of OpenGL that the answers need, loaded apart from miniquad's.

use std::ffi::{CStr, c_char, c_void};
use std::mem;
use std::ptr;

use super::{Platform, Renderer};

const GL_VENDOR: u32 = 0x1F00;
const GL_RENDERER: u32 = 0x1F01;
const GL_VERSION: u32 = 0x1F02;
const GL_TEXTURE_2D: u32 = 0x0DE1;
const GL_RGBA: u32 = 0x1908;
const GL_FLOAT: u32 = 0x1406;
const GL_RGBA16F: u32 = 0x881A;
const GL_RGBA32F: u32 = 0x8814;
const GL_FRAMEBUFFER: u32 = 0x8D40;
const GL_COLOR_ATTACHMENT0: u32 = 0x8CE0;
const GL_FRAMEBUFFER_COMPLETE: u32 = 0x8CD5;

/// Declares the functions asked: field, type and the name to find it by.
macro_rules! functions {
    ($($field:ident: $function:ty = $name:literal;)*) => {
        /// Functions of the context that is current while this lives.
        pub struct Gl {
            $($field: $function,)*
        }

        impl Gl {
            /// Loads the functions; nothing where one is missing.
            pub fn load(address: impl Fn(&str) -> Option<extern "system" fn()>) -> Option<Gl> {
                Some(Gl {
                    $($field: {
                        let function = address($name)?;
                        // SAFETY: the type is that of OpenGL's function of this name.
                        unsafe { mem::transmute::<extern "system" fn(), $function>(function) }
                    },)*
                })
            }
        }
    };
}

functions! {
    get_string: unsafe extern "system" fn(u32) -> *const c_char = "glGetString";
    gen_textures: unsafe extern "system" fn(i32, *mut u32) = "glGenTextures";
    bind_texture: unsafe extern "system" fn(u32, u32) = "glBindTexture";
    tex_image: unsafe extern "system" fn(u32, i32, i32, i32, i32, i32, u32, u32, *const c_void) = "glTexImage2D";
    gen_framebuffers: unsafe extern "system" fn(i32, *mut u32) = "glGenFramebuffers";
    bind_framebuffer: unsafe extern "system" fn(u32, u32) = "glBindFramebuffer";
    framebuffer_texture: unsafe extern "system" fn(u32, u32, u32, u32, i32) = "glFramebufferTexture2D";
    check_framebuffer: unsafe extern "system" fn(u32) -> u32 = "glCheckFramebufferStatus";
}

impl Gl {
    /// What the context's driver says of itself.
    pub fn describe(&self, platform: Platform) -> Renderer {
        let version = self.string(GL_VERSION);
        // Both languages have instances, framebuffers and float textures from version 3 on.
        let is_three = major(&version).is_some_and(|major| major >= 3);
        Renderer {
            platform,
            vendor: self.string(GL_VENDOR),
            renderer: self.string(GL_RENDERER),
            half_targets: is_three && self.draws_to(GL_RGBA16F),
            single_targets: is_three && self.draws_to(GL_RGBA32F),
            instancing: is_three,
            version,
        }
    }

    fn string(&self, name: u32) -> String {
        // SAFETY: a context is current; the string is null or ends with 0, and lives as long as the context.
        unsafe {
            let text = (self.get_string)(name);
            if text.is_null() {
                return String::new();
            }
            CStr::from_ptr(text).to_string_lossy().into_owned()
        }
    }

    /// Whether a framebuffer with a texture of this format is complete. Both end with the context.
    fn draws_to(&self, format: u32) -> bool {
        let (mut texture, mut framebuffer) = (0, 0);
        // SAFETY: a context is current; GL writes one name each, and a texture made of no data reads none.
        unsafe {
            (self.gen_textures)(1, &mut texture);
            (self.bind_texture)(GL_TEXTURE_2D, texture);
            (self.tex_image)(
                GL_TEXTURE_2D,
                0,
                format as i32,
                1,
                1,
                0,
                GL_RGBA,
                GL_FLOAT,
                ptr::null(),
            );
            (self.gen_framebuffers)(1, &mut framebuffer);
            (self.bind_framebuffer)(GL_FRAMEBUFFER, framebuffer);
            (self.framebuffer_texture)(
                GL_FRAMEBUFFER,
                GL_COLOR_ATTACHMENT0,
                GL_TEXTURE_2D,
                texture,
                0,
            );
            (self.check_framebuffer)(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE
        }
    }
}

/// The major version in a version string: `4.5 (Compatibility Profile) Mesa 22.3.6`, `OpenGL ES 3.2 Mesa 22.3.6`.
pub fn major(version: &str) -> Option<u32> {
    let number = version.trim_start_matches(|letter: char| !letter.is_ascii_digit());
    number
        .split(|letter: char| !letter.is_ascii_digit())
        .next()?
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_begin_with_a_number_wherever_it_stands() {
        assert_eq!(major("4.5 (Compatibility Profile) Mesa 22.3.6"), Some(4));
        assert_eq!(major("OpenGL ES 3.2 Mesa 22.3.6"), Some(3));
        assert_eq!(major("OpenGL ES-CM 1.1"), Some(1));
        assert_eq!(major("10.0"), Some(10));
        assert_eq!(major(""), None);
        assert_eq!(major("unknown"), None);
    }
}
