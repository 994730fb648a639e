//! Asks through GLX, where there is no EGL: by a pbuffer, which nobody sees. An error of the X server ends the process, so that
//! only one of its own may ask.

use std::ffi::{CString, c_char, c_int, c_ulong, c_void};
use std::mem;
use std::ptr;

use libloading::{Library, Symbol};

use super::gl::Gl;
use super::{Platform, Renderer};

const GLX_DRAWABLE_TYPE: c_int = 0x8010;
const GLX_RENDER_TYPE: c_int = 0x8011;
const GLX_PBUFFER_BIT: c_int = 4;
const GLX_RGBA_BIT: c_int = 1;
const GLX_RGBA_TYPE: c_int = 0x8014;
const GLX_PBUFFER_HEIGHT: c_int = 0x8040;
const GLX_PBUFFER_WIDTH: c_int = 0x8041;
const NONE: c_int = 0;

type Display = *mut c_void;
type Config = *mut c_void;
type Context = *mut c_void;
type Drawable = c_ulong;
type Open = unsafe extern "C" fn(*const c_char) -> Display;
type DefaultScreen = unsafe extern "C" fn(Display) -> c_int;
type ChooseConfig = unsafe extern "C" fn(Display, c_int, *const c_int, *mut c_int) -> *mut Config;
type CreatePbuffer = unsafe extern "C" fn(Display, Config, *const c_int) -> Drawable;
type CreateContext = unsafe extern "C" fn(Display, Config, c_int, Context, c_int) -> Context;
type MakeCurrent = unsafe extern "C" fn(Display, Drawable, Drawable, Context) -> c_int;
type GetAddress = unsafe extern "C" fn(*const c_char) -> Option<extern "system" fn()>;

/// Asks the X server of `DISPLAY`; nothing where it has no GLX, or a library is missing. What it makes stays until the process
/// ends.
pub fn ask() -> Option<Renderer> {
    let x11 = load("libX11.so.6")?;
    let gl = load("libGL.so.1")?;
    let screen: Symbol<DefaultScreen> = function(x11, "XDefaultScreen")?;
    let choose: Symbol<ChooseConfig> = function(gl, "glXChooseFBConfig")?;
    let create_pbuffer: Symbol<CreatePbuffer> = function(gl, "glXCreatePbuffer")?;
    let create_context: Symbol<CreateContext> = function(gl, "glXCreateNewContext")?;
    let make_current: Symbol<MakeCurrent> = function(gl, "glXMakeContextCurrent")?;
    let get_address: Symbol<GetAddress> = function(gl, "glXGetProcAddressARB")?;
    let wanted = [
        GLX_DRAWABLE_TYPE,
        GLX_PBUFFER_BIT,
        GLX_RENDER_TYPE,
        GLX_RGBA_BIT,
        NONE,
    ];
    let size = [GLX_PBUFFER_WIDTH, 1, GLX_PBUFFER_HEIGHT, 1, NONE];
    let mut count = 0;
    // SAFETY: the types are those of the functions; lists end with 0, a null name stands for DISPLAY, and everything
    // that is used was made before and is never given back.
    unsafe {
        let display = function::<Open>(x11, "XOpenDisplay")?(ptr::null());
        if display.is_null() {
            return None;
        }
        let configs = choose(display, screen(display), wanted.as_ptr(), &mut count);
        if configs.is_null() || count < 1 {
            return None;
        }
        let config = *configs;
        let pbuffer = create_pbuffer(display, config, size.as_ptr());
        let direct = 1;
        let context = create_context(display, config, GLX_RGBA_TYPE, ptr::null_mut(), direct);
        if context.is_null() || make_current(display, pbuffer, pbuffer, context) == 0 {
            return None;
        }
    }
    let address = |name: &str| {
        let name = CString::new(name).ok()?;
        // SAFETY: the type is that of the function, and the name ends with 0.
        unsafe { get_address(name.as_ptr()) }
    };
    Some(Gl::load(address)?.describe(Platform::X11))
}

/// A library of the system, for as long as the process lives.
fn load(name: &str) -> Option<&'static Library> {
    // SAFETY: runs the initialisers of the system's own library, as a window does next.
    let library = unsafe { Library::new(name) }.ok()?;
    Some(Box::leak(Box::new(library)))
}

/// A function of a library; `F` is its type.
fn function<F>(library: &'static Library, name: &str) -> Option<Symbol<'static, F>> {
    const { assert!(mem::size_of::<F>() == mem::size_of::<usize>()) };
    // SAFETY: the callers name the function's own type.
    unsafe { library.get(name.as_bytes()) }.ok()
}
