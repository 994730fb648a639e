//! Asks through EGL, by a context without a surface.

use khronos_egl as egl;

use super::gl::Gl;
use super::{Platform, ProbeError, Renderer};

type Library = egl::DynamicInstance<egl::EGL1_5>;

/// `EGL_PLATFORM_X11_KHR`.
const X11: egl::Enum = 0x31D5;
/// `EGL_PLATFORM_WAYLAND_KHR`.
const WAYLAND: egl::Enum = 0x31D8;
/// `EGL_PLATFORM_SURFACELESS_MESA`.
const SURFACELESS: egl::Enum = 0x31DD;

/// Libraries by which a window may get OpenGL without EGL.
const OPENGL: [&str; 2] = ["libGL.so.1", "libGL.so"];

/// What contexts are made of, best first: OpenGL, which windows get too, then OpenGL ES.
const KINDS: [Kind; 3] = [
    Kind {
        api: egl::OPENGL_API,
        bit: egl::OPENGL_BIT,
        version: &[egl::NONE],
    },
    Kind {
        api: egl::OPENGL_ES_API,
        bit: egl::OPENGL_ES3_BIT,
        version: &[egl::CONTEXT_MAJOR_VERSION, 3, egl::NONE],
    },
    Kind {
        api: egl::OPENGL_ES_API,
        bit: egl::OPENGL_ES2_BIT,
        version: &[egl::CONTEXT_MAJOR_VERSION, 2, egl::NONE],
    },
];

/// A kind of context.
struct Kind {
    api: egl::Enum,
    bit: egl::Int,
    version: &'static [egl::Int],
}

/// Asks the first platform that answers. Whatever contexts it makes are gone when it returns, and none is current.
pub fn ask(platforms: &[Platform]) -> Result<Renderer, ProbeError> {
    // SAFETY: runs the initialisers of the system's own EGL library, which conforms to its version.
    let library = unsafe { Library::load_required() }.map_err(|_| missing())?;
    // Drivers leave handlers behind that run when the process ends: they are never unloaded.
    let library: &'static Library = Box::leak(Box::new(library));
    let mut first = None;
    for &platform in platforms {
        let answer = ask_platform(library, platform);
        let _ = library.release_thread();
        match answer {
            Ok(renderer) => return Ok(renderer),
            Err(error) => first = first.or(Some((platform, error))),
        }
    }
    let (platform, reason) = first.expect("there is always a platform to ask");
    Err(ProbeError::Refused {
        platform,
        reason: reason.to_string().trim_end_matches('.').to_owned(),
    })
}

/// What is missing where there is no EGL.
fn missing() -> ProbeError {
    let is_there = OPENGL.iter().any(|name| {
        // SAFETY: runs the initialisers of the system's own library, as a window does next.
        unsafe { libloading::Library::new(name) }.is_ok()
    });
    if is_there {
        ProbeError::NoEgl
    } else {
        ProbeError::NoLibrary
    }
}

fn ask_platform(library: &Library, platform: Platform) -> Result<Renderer, egl::Error> {
    let name = match platform {
        Platform::X11 => X11,
        Platform::Wayland => WAYLAND,
        Platform::Surfaceless => SURFACELESS,
    };
    // SAFETY: every platform takes the default display, which is no pointer to anything.
    let display =
        unsafe { library.get_platform_display(name, egl::DEFAULT_DISPLAY, &[egl::ATTRIB_NONE])? };
    library.initialize(display)?;
    let outcome = ask_display(library, display, platform);
    // The surfaceless display is one for the whole process, and others may draw with it; the connections to displays are
    // this probe's own, and closed.
    if platform != Platform::Surfaceless {
        let _ = library.terminate(display);
    }
    outcome
}

fn ask_display(
    library: &Library,
    display: egl::Display,
    platform: Platform,
) -> Result<Renderer, egl::Error> {
    let mut outcome = Err(egl::Error::BadConfig);
    for kind in &KINDS {
        outcome = new_context(library, display, kind);
        if outcome.is_ok() {
            break;
        }
    }
    let context = outcome?;
    let answer = library
        .make_current(display, None, None, Some(context))
        .and_then(|()| {
            let address = |name: &str| library.get_proc_address(name);
            let gl = Gl::load(address).ok_or(egl::Error::BadMatch)?;
            Ok(gl.describe(platform))
        });
    let _ = library.make_current(display, None, None, None);
    let _ = library.destroy_context(display, context);
    answer
}

fn new_context(
    library: &Library,
    display: egl::Display,
    kind: &Kind,
) -> Result<egl::Context, egl::Error> {
    library.bind_api(kind.api)?; // of this thread
    // Configurations for any surface will do: there will be none.
    let wanted = [
        egl::SURFACE_TYPE,
        0,
        egl::RENDERABLE_TYPE,
        kind.bit,
        egl::NONE,
    ];
    let config = library
        .choose_first_config(display, &wanted)?
        .ok_or(egl::Error::BadConfig)?;
    library.create_context(display, config, None, kind.version)
}

#[cfg(test)]
mod tests {
    use std::mem;

    use super::super::gl::major;
    use super::*;

    /// Where there is a driver at all. No context stays current, and others on the same display go on.
    #[test]
    fn the_driver_without_a_display_answers_and_is_left_as_it_was() {
        use crate::host::offscreen::Offscreen;
        let must = std::env::var("CI").as_deref() == Ok("true");
        let mut offscreen = match Offscreen::new() {
            Ok(offscreen) => offscreen,
            Err(error) => {
                assert!(!must, "{error}");
                eprintln!("skipped: {error}");
                return;
            }
        };
        let before = offscreen.context().info().gl_version_string;
        let renderer = std::thread::spawn(|| {
            let renderer = ask(&[Platform::Surfaceless]).unwrap();
            // SAFETY: as above.
            let library = unsafe { Library::load_required() }.unwrap();
            assert!(library.get_current_context().is_none());
            mem::forget(library);
            renderer
        })
        .join()
        .unwrap();
        assert_eq!(renderer.platform, Platform::Surfaceless);
        assert!(!renderer.vendor.is_empty() && !renderer.renderer.is_empty());
        assert!(renderer.half_targets && renderer.single_targets && renderer.instancing);
        assert!(major(&renderer.version).unwrap() >= 3);
        assert_eq!(offscreen.context().info().gl_version_string, before);
        drop(offscreen);
        Offscreen::new().unwrap();
    }

    #[test]
    fn a_platform_that_refuses_is_passed_over_and_named_if_none_is_left() {
        // Nothing answers here in a test: neither variable is looked at by the surfaceless one.
        if std::env::var_os("WAYLAND_DISPLAY").is_some() {
            return;
        }
        match ask(&[Platform::Wayland]) {
            Err(ProbeError::Refused { platform, reason }) => {
                assert_eq!(platform, Platform::Wayland);
                assert!(!reason.is_empty() && !reason.ends_with('.'));
            }
            Err(ProbeError::NoLibrary | ProbeError::NoEgl) => {}
            other => panic!("{other:?}"),
        }
        match ask(&[Platform::Wayland, Platform::Surfaceless]) {
            Ok(renderer) => assert_eq!(renderer.platform, Platform::Surfaceless),
            Err(error) => {
                assert!(std::env::var("CI").as_deref() != Ok("true"), "{error}");
                eprintln!("skipped: {error}");
            }
        }
    }
}
