//! A picture measured in a window: as large as that is, and as fast as it goes.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Instant;

use super::{Measurement, Options, Stages};
use crate::canvas::Canvas;
use crate::canvas::cpu::CpuCanvas;
use crate::host::{self, App, Events, Next, Preparation};
use crate::input::Action;
use crate::overlay::Images;
use crate::picture::Picture;
use crate::timeline::{Change, World};

/// What is measured, and what the last frame took so far.
struct Windowed {
    /// Until it ends.
    measurement: Option<Measurement>,
    /// What the last frame took, and when it was handed over to be shown.
    shown: Option<(Stages, Instant)>,
    ended: Ended,
}

/// Where what was measured is left when the window closes, with what painted.
type Ended = Rc<RefCell<Option<(anyhow::Result<Measurement>, String)>>>;

/// Measures in a window; returns what painted there, too.
///
/// # Errors
///
/// When there is no window, or the system asks for an end.
pub(super) fn run(
    measurement: Measurement,
    options: &Options,
) -> anyhow::Result<(Measurement, String)> {
    let window = host::Options {
        size: options.size,
        fullscreen: false,
        background: options.settings.background().0,
        path: options.path,
    };
    let ended = Ended::default();
    let inner = Rc::clone(&ended);
    let painter = options.canvas.painter();
    let pool = measurement.picture.pool().clone();
    host::run(window, painter, move |view, _| {
        let app = Windowed {
            measurement: Some(measurement),
            shown: None,
            ended: inner,
        };
        (app, CpuCanvas::new(view.extent(), pool))
    })?;
    match ended.take() {
        Some((measurement, painter)) => Ok((measurement?, painter)),
        None => anyhow::bail!("the window was closed"),
    }
}

impl App for Windowed {
    fn prepare(&mut self, _: &mut CpuCanvas) -> Preparation {
        if let Some(measurement) = &mut self.measurement {
            measurement.picture.seek(0);
        }
        Preparation::Done
    }

    fn frame(&mut self, events: &Events, canvas: &mut dyn Canvas) -> Next {
        let Some(mut measurement) = self.measurement.take() else {
            return Next::Quit;
        };
        // From the end of a frame to the beginning of the next: the way onto the screen.
        if let Some((mut stages, end)) = self.shown.take() {
            stages.wait(events.now.saturating_duration_since(end));
            measurement.stages.push(stages);
        }
        let is_closed = events.actions.contains(&Action::Quit);
        let goes_on = measurement.goes_on().and_then(|goes_on| {
            anyhow::ensure!(!is_closed, "the window was closed");
            Ok(goes_on)
        });
        match goes_on {
            Ok(true) => {
                follow(&mut measurement.picture, events);
                self.shown = Some((measurement.paint(canvas), Instant::now()));
                self.measurement = Some(measurement);
                Next::Frame {
                    at: None,
                    fullscreen: false,
                }
            }
            ended => {
                let measured = ended.map(|_| {
                    measurement.end();
                    measurement
                });
                let painter = events.painter.to_owned();
                *self.ended.borrow_mut() = Some((measured, painter));
                Next::Quit
            }
        }
    }

    fn overlays(&self) -> Images<'_> {
        [None; 3]
    }
}

/// Lets the world follow the window, which a window manager may have made as large as it likes.
fn follow(picture: &mut Picture, events: &Events) {
    let timeline = picture.timeline();
    if timeline.latest_world().window != events.view.logical() {
        let world = World::new(events.view.logical(), timeline.latest_settings());
        picture.push(Change::World(world));
    }
}
