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
use macroquad::input::prevent_quit;
use macroquad::window::{clear_background, next_frame};
use miniquad::conf::{Conf, LinuxBackend, Platform, WaylandDecorations};

use self::keys::Keyboard;
use self::preflight::{Found, System, expect_refusals};
use self::surface::{OverlayTextures, Surface};
use self::watch::Watch;
use super::probe::is_software;
use super::{App, CLASS, Events, HostError, Next, Options, Preparation, TITLE, View};
use crate::canvas::cpu::CpuCanvas;
use crate::canvas::gpu::WantedPath;
use crate::input::Action;
use crate::power::{self, Display};
use crate::settings::Painter;

mod keys;
pub(super) mod preflight;
mod surface;
mod watch;

/// How long a new window may take to become as large as the window manager makes it.
const SETTLING: Duration = Duration::from_millis(250);

/// How long the window manager may wait for an answer while nothing is shown.
const LONGEST_REST: Duration = Duration::from_secs(1);

/// Empty frames shown to find out whether the display paces them; the first may only fill the driver's queue.
const PROBES: usize = 9;
const PROBES_QUEUED: usize = 3;

/// How a run ended; empty while it has not begun.
type Outcome = Rc<RefCell<Option<Result<(), HostError>>>>;

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
    painter: Painter,
    begin: impl FnOnce(View, Display) -> (A, CpuCanvas) + 'static,
) -> Result<(), HostError> {
    let Found { system, connection } = preflight::check()?;
    let configuration = configuration(&options, system);
    let outcome = Outcome::default();
    let inner = Rc::clone(&outcome);
    let future = async move {
        // From here on a panic is a mistake of ours, and is reported as one.
        let _ = panic::take_hook();
        *inner.borrow_mut() = Some(Ok(()));
        drop(connection);
        let ended = show(&options, painter, begin).await;
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
            Err(HostError::Refused(message(&*reason)))
        }
        (Err(reason), Some(_)) => panic::resume_unwind(reason),
        (Ok(()), outcome) => outcome.unwrap_or(Ok(())),
    }
}

fn configuration(options: &Options, system: System) -> Conf {
    let [window_width, window_height] = options.size.map(|side| side as i32);
    Conf {
        window_title: TITLE.to_owned(),
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
    painter: Painter,
    begin: impl FnOnce(View, Display) -> (A, CpuCanvas),
) -> Result<(), HostError> {
    prevent_quit();
    let mut keyboard = Keyboard::new();
    let display = open(options).await;
    expect_refusals();
    let mut view = view().unwrap_or(View {
        size: options.size,
        scale: 1.0,
    });
    let (mut app, mut light) = begin(view, display);
    if !prepare(&mut app, &mut light, &mut keyboard, options).await {
        return Ok(());
    }
    let mut surface = surface(light, painter, options.path)?;
    let (mut watch, mut pumped) = (Watch::begin(), Instant::now());
    let mut overlays = OverlayTextures::default();
    let painter = surface.painter();
    let mut fullscreen = options.fullscreen;
    miniquad::window::show_mouse(!fullscreen);
    loop {
        // A minimised window has no size: the picture stays as it was.
        view = self::view().unwrap_or(view);
        let actions = keyboard.take_actions();
        let events = Events {
            now: Instant::now(),
            view,
            actions: &actions,
            pointer: &keyboard.take_pointer(),
            has_key: keyboard.take_has_key(),
            is_visible: watch.is_visible(),
            painter: &painter,
        };
        let next = surface.paint(&mut app, &events);
        let (at, wanted) = match next {
            Next::Frame { at, fullscreen } => (at, fullscreen),
            // Events are only heard of between two frames; showing one for nothing would cost.
            Next::Rest { until, .. } if !watch.wait(until) && pumped.elapsed() < LONGEST_REST => {
                continue;
            }
            Next::Rest { fullscreen, .. } => (None, fullscreen),
            Next::Quit => break,
        };
        pumped = Instant::now();
        surface.show(view.scale);
        overlays.draw(app.overlays(), view.scale);
        if wanted != fullscreen {
            miniquad::window::set_fullscreen(wanted);
            miniquad::window::show_mouse(!wanted);
            fullscreen = wanted;
        }
        next_frame().await;
        sleep_until(at);
    }
    surface.delete();
    Ok(())
}

/// Sleeps until then, if that is in the future.
fn sleep_until(at: Option<Instant>) {
    if let Some(at) = at {
        thread::sleep(at.saturating_duration_since(Instant::now()));
    }
}

/// The surface that is asked for, with this light on it; where nobody asked, the one that suits the driver.
fn surface(light: CpuCanvas, painter: Painter, path: WantedPath) -> Result<Surface, HostError> {
    if painter == Painter::Cpu || painter == Painter::Auto && is_software(&surface::renderer()) {
        return Ok(Surface::Cpu(Box::new(light), None));
    }
    match Surface::on_gpu(&light, path) {
        Err(_) if painter == Painter::Auto => Ok(Surface::Cpu(Box::new(light), None)),
        Err(error) => Err(HostError::Gpu(error)),
        Ok(surface) => Ok(surface),
    }
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
        if keyboard.take_actions().contains(&Action::Quit) {
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

/// Waits for the new window to get its size; returns what its frames tell of the display.
async fn open(options: &Options) -> Display {
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
    match power::display_period(&frames[frames.len() - (PROBES - PROBES_QUEUED)..]) {
        Some(period) => Display::pacing(period),
        None => Display::showing(None),
    }
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
