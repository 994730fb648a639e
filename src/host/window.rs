//! The live window: macroquad owns window, input and loop; the picture is drawn by the GPU canvas.
//!
//! macroquad draws nothing of the picture: the canvas composes its frame into the window's own pass, and macroquad only
//! lays the overlay's pixels over it. Its functions belong to the thread that opened the window.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};
use std::rc::Rc;
use std::thread;
use std::time::{Duration, Instant};

use macroquad::color::Color;
use macroquad::input::{is_quit_requested, prevent_quit};
use macroquad::texture::{DrawTextureParams, Texture2D, draw_texture_ex};
use macroquad::window::{clear_background, get_internal_gl, next_frame};
use miniquad::conf::{Conf, LinuxBackend, Platform, WaylandDecorations};
use miniquad::{PassAction, RenderingBackend};

use self::keys::Keyboard;
use self::preflight::{Found, System};
use super::{App, Events, Next, Preparation, View};
use crate::canvas::Canvas;
use crate::canvas::cpu::CpuCanvas;
use crate::canvas::gpu::{GpuError, GpuState};
use crate::input::Action;
use crate::overlay::Image;
use crate::power;

mod keys;
mod preflight;

/// The class of the window, which its desktop entry names.
const CLASS: &str = "eddyline";

/// How long a new window may take to become as large as the window manager makes it.
const SETTLING: Duration = Duration::from_millis(250);

/// Empty frames shown to find out whether the display paces them; the first may only fill the driver's queue.
const PROBES: usize = 9;
const PROBES_QUEUED: usize = 3;

/// The window that is to be opened.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Width and height in logical px.
    pub size: [u32; 2],
    /// Whether it fills the screen instead.
    pub fullscreen: bool,
    /// The color of the window before the first frame.
    pub background: [u8; 3],
}

/// Why there is no window.
#[derive(Debug, thiserror::Error)]
pub enum WindowError {
    /// Neither X11 nor Wayland is there.
    #[error("no display: neither DISPLAY nor WAYLAND_DISPLAY is set; `eddyline render` needs none")]
    NoDisplay,
    /// The X server is not there, or refuses.
    #[error(
        "no answer from the X server at DISPLAY={display}; is it running, and may this user connect? `eddyline render` needs none"
    )]
    NoAnswer {
        /// The variable.
        display: String,
    },
    /// A library of the system is missing.
    #[error(
        "{library} is missing: install {package} (Debian's name); `eddyline render` does without"
    )]
    NoLibrary {
        /// The file.
        library: &'static str,
        /// The Debian package.
        package: &'static str,
    },
    /// The driver cannot draw the picture.
    #[error("{0}; update the graphics driver (Debian: libgl1-mesa-dri), or use `eddyline render`")]
    Gpu(GpuError),
    /// The window could not be opened for another reason.
    #[error("the window could not be opened: {0}; `eddyline render` needs none")]
    Refused(String),
}

/// How a run ended; empty while it has not begun.
type Outcome = Rc<RefCell<Option<Result<(), WindowError>>>>;

/// Opens the window and runs in it what `begin` makes, until it quits.
///
/// `begin` is told what the picture is shown in, and the frame time of a display that paces the frames; it returns a
/// canvas that fills the view, too, on which the application prepares its first frame.
///
/// # Errors
///
/// When the window cannot be opened, or the driver cannot draw the picture.
pub fn run<A: App>(
    options: Options,
    begin: impl FnOnce(View, Option<Duration>) -> (A, CpuCanvas) + 'static,
) -> Result<(), WindowError> {
    let Found { system, connection } = preflight::check()?;
    let configuration = configuration(&options, system);
    let outcome = Outcome::default();
    let inner = Rc::clone(&outcome);
    let future = async move {
        // From here on a panic is a mistake of ours, and is reported as one.
        let _ = panic::take_hook();
        *inner.borrow_mut() = Some(Ok(()));
        drop(connection);
        let ended = show(&options, begin).await;
        *inner.borrow_mut() = Some(ended);
    };
    // What the preflight does not foresee, miniquad reports by panicking: that is one line to the user, too.
    panic::set_hook(Box::new(|_| ()));
    let opened = panic::catch_unwind(AssertUnwindSafe(|| {
        macroquad::Window::from_config(configuration, future);
    }));
    let outcome = outcome.take();
    match (opened, outcome) {
        (Err(reason), None) => {
            let _ = panic::take_hook();
            Err(WindowError::Refused(message(&*reason)))
        }
        (Err(reason), Some(_)) => panic::resume_unwind(reason),
        (Ok(()), outcome) => outcome.unwrap_or(Ok(())),
    }
}

fn configuration(options: &Options, system: System) -> Conf {
    let [window_width, window_height] = options.size.map(|side| side as i32);
    Conf {
        window_title: "Eddyline (F1 shows the keys)".to_owned(),
        window_width,
        window_height,
        high_dpi: true,
        fullscreen: options.fullscreen,
        // 1 is four samples per px on EGL.
        sample_count: 0,
        // A window of fixed size cannot fill the screen.
        window_resizable: true,
        icon: None,
        platform: Platform {
            // Chosen by the preflight: miniquad's own fallback panics where there is no X server.
            linux_backend: match system {
                System::X11 => LinuxBackend::X11Only,
                System::Wayland => LinuxBackend::WaylandOnly,
            },
            wayland_decorations: WaylandDecorations::ServerWithMiniquadFallback,
            linux_wm_class: CLASS,
            swap_interval: Some(1),
            ..Platform::default()
        },
    }
}

/// What a panic says, in one line.
fn message(reason: &(dyn Any + Send)) -> String {
    let text = reason
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| reason.downcast_ref::<&str>().copied())
        .unwrap_or("for an unknown reason");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Runs the application in the open window.
async fn show<A: App>(
    options: &Options,
    begin: impl FnOnce(View, Option<Duration>) -> (A, CpuCanvas),
) -> Result<(), WindowError> {
    prevent_quit();
    let mut keyboard = Keyboard::new();
    let display = open(options).await;
    let mut view = view().unwrap_or(View {
        size: options.size,
        scale: 1.0,
    });
    let (mut app, mut light) = begin(view, display);
    if !prepare(&mut app, &mut light, &mut keyboard, options).await {
        return Ok(());
    }
    let mut gpu =
        with_context(|context| GpuState::new(context, light.extent())).map_err(WindowError::Gpu)?;
    with_context(|context| gpu.bind(context).load(light.light().as_flattened()));
    drop(light);
    let mut overlay = OverlayTexture::default();
    let mut fullscreen = options.fullscreen;
    miniquad::window::show_mouse(!fullscreen);
    loop {
        // A minimised window has no size: the picture stays as it was.
        view = self::view().unwrap_or(view);
        let mut actions = keyboard.take_actions();
        if is_quit_requested() {
            actions.push(Action::Quit);
        }
        let events = Events {
            now: Instant::now(),
            view,
            actions: &actions,
            pointer: &[],
            has_key: false,
            is_visible: true,
        };
        let next = with_context(|context| app.frame(&events, &mut gpu.bind(context)));
        let (at, wanted) = match next {
            Next::Frame { at, fullscreen } => (at, fullscreen),
            Next::Rest { until, fullscreen } => (Some(until), fullscreen),
            Next::Quit => break,
        };
        compose(&mut gpu);
        if let Some(image) = app.overlay() {
            overlay.draw(&image, view.scale);
        }
        if wanted != fullscreen {
            miniquad::window::set_fullscreen(wanted);
            miniquad::window::show_mouse(!wanted);
            fullscreen = wanted;
        }
        next_frame().await;
        if let Some(at) = at {
            thread::sleep(at.saturating_duration_since(Instant::now()));
        }
    }
    with_context(|context| gpu.delete(context));
    Ok(())
}

/// Lets the application prepare its first frame, and shows its background meanwhile; says whether it is to go on.
async fn prepare<A: App>(
    app: &mut A,
    light: &mut CpuCanvas,
    keyboard: &mut Keyboard,
    options: &Options,
) -> bool {
    loop {
        match app.prepare(light) {
            Preparation::Done => return true,
            Preparation::Quit => return false,
            Preparation::More => show_background(options).await,
        }
        if is_quit_requested() || keyboard.take_actions().contains(&Action::Quit) {
            return false;
        }
    }
}

/// Shows a frame of nothing but the background.
async fn show_background(options: &Options) {
    let [red, green, blue] = options.background;
    clear_background(Color::from_rgba(red, green, blue, 255));
    next_frame().await;
}

/// Waits for the new window to get its size; returns the frame time of a display that paces its frames.
async fn open(options: &Options) -> Option<Duration> {
    let scale = miniquad::window::dpi_scale();
    let opened = view().map(|view| view.size);
    let wanted = options
        .size
        .map(|side| (side as f32 * scale).round() as u32);
    // On X11 a window is opened in device px.
    if !options.fullscreen && opened.is_some_and(|size| size == options.size && size != wanted) {
        miniquad::window::set_window_size(wanted[0], wanted[1]);
    }
    let begin = Instant::now();
    let mut frames = Vec::new();
    loop {
        let before = Instant::now();
        show_background(options).await;
        frames.push(before.elapsed());
        let is_settled = match view() {
            Some(view) if options.fullscreen => Some(view.size) != opened,
            Some(view) => view.size == wanted,
            None => false,
        };
        if frames.len() >= PROBES && (is_settled || begin.elapsed() > SETTLING) {
            break;
        }
    }
    power::display_period(&frames[frames.len() - (PROBES - PROBES_QUEUED)..])
}

/// What the window shows the picture in; nothing while it has no size.
fn view() -> Option<View> {
    let (width, height) = miniquad::window::screen_size();
    let scale = miniquad::window::dpi_scale();
    (width >= 1.0 && height >= 1.0 && scale > 0.0).then_some(View {
        size: [width as u32, height as u32],
        scale,
    })
}

/// Lends the window's GL context.
fn with_context<R>(work: impl FnOnce(&mut dyn RenderingBackend) -> R) -> R {
    // SAFETY: on the window's thread, while the window is open; and no work asks macroquad for anything, so that this is
    // the only reference.
    let context = unsafe { get_internal_gl() }.quad_context;
    work(context)
}

/// Shows the presented frame in the window.
fn compose(gpu: &mut GpuState) {
    with_context(|context| {
        context.begin_default_pass(PassAction::Nothing);
        gpu.bind(context).compose();
        context.end_render_pass();
    });
}

/// The overlay's pixels as a texture.
#[derive(Debug, Default)]
struct OverlayTexture {
    texture: Option<Texture2D>,
    version: u64,
}

impl OverlayTexture {
    /// Lays the image over what is drawn so far.
    fn draw(&mut self, image: &Image, scale: f32) {
        let [width, height] = image.size;
        let is_new = image.version != self.version;
        let texture = match self.texture.take() {
            Some(texture) if !is_new => texture,
            // No side is longer than the window's, so that 16 bits hold it.
            _ => Texture2D::from_rgba8(width as u16, height as u16, image.pixels),
        };
        self.version = image.version;
        let [left, top] = image.place.map(|place| place as f32 / scale);
        let parameters = DrawTextureParams {
            dest_size: Some([width as f32 / scale, height as f32 / scale].into()),
            ..DrawTextureParams::default()
        };
        let color = Color::new(1.0, 1.0, 1.0, image.opacity);
        draw_texture_ex(&texture, left, top, color, parameters);
        self.texture = Some(texture);
    }
}
