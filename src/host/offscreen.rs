//! A GL context without a window or a display: EGL on Mesa's surfaceless platform.
//!
//! It is how the GPU canvas is tested where there is no display. All contexts of the process share one connection to EGL, which
//! stays open to its end: closing it would end the contexts of other threads.

use std::marker::PhantomData;
use std::sync::OnceLock;

use khronos_egl as egl;
use miniquad::{GlContext, RenderingBackend, gl};
use thiserror::Error;

type Library = egl::DynamicInstance<egl::EGL1_5>;

/// `EGL_PLATFORM_SURFACELESS_MESA`.
const SURFACELESS: egl::Enum = 0x31DD;

/// Why there is no context without a display.
#[derive(Clone, Debug, Error)]
pub enum OffscreenError {
    /// There is no EGL library, or one older than 1.5.
    #[error("no EGL 1.5 library, install libegl1: {0}")]
    NoLibrary(String),
    /// No driver renders without a display.
    #[error("EGL has no driver that renders without a display, install libgl1-mesa-dri: {0}")]
    NoSurfaceless(egl::Error),
    /// The driver has no OpenGL.
    #[error("the EGL driver has no OpenGL ES 2 or later, install a current libgl1-mesa-dri: {0}")]
    NoContext(egl::Error),
}

/// A dialect of OpenGL that a context can speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// OpenGL ES 3.
    Es3,
    /// OpenGL ES 2.
    Es2,
    /// OpenGL as desktops have it, of whatever version the driver gives.
    Desktop,
}

impl Dialect {
    /// All, the most wanted first.
    const ALL: [Dialect; 3] = [Dialect::Es3, Dialect::Es2, Dialect::Desktop];

    fn api(self) -> egl::Enum {
        match self {
            Dialect::Es3 | Dialect::Es2 => egl::OPENGL_ES_API,
            Dialect::Desktop => egl::OPENGL_API,
        }
    }

    /// What a configuration must be able to do.
    fn renderable(self) -> egl::Int {
        match self {
            Dialect::Es3 => egl::OPENGL_ES3_BIT,
            Dialect::Es2 => egl::OPENGL_ES2_BIT,
            Dialect::Desktop => egl::OPENGL_BIT,
        }
    }

    /// The least version that a context must have; none where any will do.
    fn version(self) -> &'static [egl::Int] {
        match self {
            Dialect::Es3 => &[egl::CONTEXT_MAJOR_VERSION, 3, egl::NONE],
            Dialect::Es2 => &[egl::CONTEXT_MAJOR_VERSION, 2, egl::NONE],
            Dialect::Desktop => &[egl::NONE],
        }
    }
}

/// A GL context that belongs to the thread it was made on.
///
/// A thread may own several; the last one asked for its [`Offscreen::context`] is the one that is drawn with.
pub struct Offscreen {
    gl: GlContext,
    context: egl::Context,
    egl: &'static Egl,
    /// A GL context is current on one thread: this keeps the type from being sent to another.
    _not_send: PhantomData<*const ()>,
}

impl Offscreen {
    /// Makes a context of the first dialect that the driver has, and makes it current.
    ///
    /// # Errors
    ///
    /// What is missing, and which Debian package brings it.
    pub fn new() -> Result<Offscreen, OffscreenError> {
        let [wanted, others @ ..] = Dialect::ALL;
        others
            .into_iter()
            .fold(Offscreen::speaking(wanted), |found, dialect| {
                found.or_else(|error| Offscreen::speaking(dialect).map_err(|_| error))
            })
    }

    /// Makes a context of one dialect, and makes it current.
    ///
    /// # Errors
    ///
    /// As for [`Offscreen::new`].
    pub fn speaking(dialect: Dialect) -> Result<Offscreen, OffscreenError> {
        static EGL: OnceLock<Result<Egl, OffscreenError>> = OnceLock::new();
        let egl = EGL
            .get_or_init(Egl::open)
            .as_ref()
            .map_err(OffscreenError::clone)?;
        let context = egl
            .new_context(dialect)
            .map_err(OffscreenError::NoContext)?;
        if let Err(error) = egl.make_current(context) {
            egl.destroy(context);
            return Err(OffscreenError::NoContext(error));
        }
        egl.load_gl();
        Ok(Offscreen {
            gl: GlContext::new(),
            context,
            egl,
            _not_send: PhantomData,
        })
    }

    /// What the picture is drawn with, made current.
    pub fn context(&mut self) -> &mut dyn RenderingBackend {
        if self.egl.library.get_current_context() != Some(self.context) {
            self.egl
                .make_current(self.context)
                .expect("a context that has been current can be current again on its thread");
        }
        &mut self.gl
    }
}

impl Drop for Offscreen {
    fn drop(&mut self) {
        self.egl.destroy(self.context);
    }
}

/// The EGL library and its surfaceless display.
struct Egl {
    library: Library,
    display: egl::Display,
    gl_loaded: OnceLock<()>,
}

// SAFETY: a display is a handle, valid on every thread; EGL locks what it stands for.
unsafe impl Send for Egl {}
// SAFETY: as above.
unsafe impl Sync for Egl {}

impl Egl {
    fn open() -> Result<Egl, OffscreenError> {
        // SAFETY: runs the initialisers of the system's own EGL library, which conforms to its version.
        let library = unsafe { Library::load_required() }
            .map_err(|error| OffscreenError::NoLibrary(error.to_string()))?;
        // SAFETY: the surfaceless platform has no native display: it takes the default one only.
        let display = unsafe {
            library.get_platform_display(SURFACELESS, egl::DEFAULT_DISPLAY, &[egl::ATTRIB_NONE])
        };
        let display = display.map_err(OffscreenError::NoSurfaceless)?;
        library
            .initialize(display)
            .map_err(OffscreenError::NoSurfaceless)?;
        Ok(Egl {
            library,
            display,
            gl_loaded: OnceLock::new(),
        })
    }

    fn new_context(&self, dialect: Dialect) -> Result<egl::Context, egl::Error> {
        // Configurations that fit no window are what a display without windows has.
        let wanted = [
            egl::SURFACE_TYPE,
            egl::PBUFFER_BIT,
            egl::RENDERABLE_TYPE,
            dialect.renderable(),
            egl::NONE,
        ];
        let config = self
            .library
            .choose_first_config(self.display, &wanted)?
            .ok_or(egl::Error::BadConfig)?;
        self.library.bind_api(dialect.api())?; // of this thread
        self.library
            .create_context(self.display, config, None, dialect.version())
    }

    fn make_current(&self, context: egl::Context) -> Result<(), egl::Error> {
        self.library
            .make_current(self.display, None, None, Some(context))
    }

    /// Loads miniquad's table of GL functions, once: it belongs to the process, and other threads may be reading it.
    fn load_gl(&self) {
        self.gl_loaded.get_or_init(|| {
            gl::load_gl_funcs(|name| {
                let function = self.library.get_proc_address(name)?;
                // SAFETY: both are pointers to functions, and where miniquad runs with EGL, "system" is "C".
                Some(unsafe {
                    std::mem::transmute::<extern "system" fn(), unsafe extern "C" fn()>(function)
                })
            });
        });
    }

    /// Ends a context, which must not be current on another thread.
    fn destroy(&self, context: egl::Context) {
        if self.library.get_current_context() == Some(context) {
            // Failing leaves the context current, and alive until the thread ends: nothing else to be done.
            let _ = self.library.make_current(self.display, None, None, None);
        }
        let _ = self.library.destroy_context(self.display, context);
    }
}
