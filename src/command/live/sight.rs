//! The field itself over the running water, while somebody looks at it. It belongs to the interface: no film, still or take has it.

use crate::chart::{Aspect, Chart, Veil};
use crate::host::View;
use crate::overlay::Image;
use crate::picture::{Picture, palette};

/// Steps after which it is painted anew: the field changes slowly.
const STEPS: i64 = 6;

/// What is seen of the field, and its pixels.
#[derive(Debug, Default)]
pub struct Sight {
    aspect: Option<Aspect>,
    veil: Veil,
    painted: Option<Painted>,
    version: u64,
}

/// What the pixels depend on.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Painted {
    aspect: Aspect,
    view: View,
    step: i64,
}

impl Sight {
    /// Goes on to the next aspect, and after the last to none; returns it.
    pub fn turn(&mut self) -> Option<Aspect> {
        self.aspect = Aspect::after(self.aspect);
        self.aspect
    }

    /// Brings the pixels up to date, `is_paused` to the very step.
    pub fn update(&mut self, picture: &Picture, view: View, is_paused: bool) {
        let Some(aspect) = self.aspect else {
            self.painted = None;
            return;
        };
        let step = picture.simulation().step_number();
        let new = Painted { aspect, view, step };
        let steps = if is_paused { 1 } else { STEPS };
        let is_right = self.painted.is_some_and(|old| {
            Painted { step, ..old } == new && (0..steps).contains(&(step - old.step))
        });
        if is_right {
            return;
        }
        let settings = picture.timeline().at(step).settings;
        let window = view.logical().map(|side| side as f32);
        let field = picture.simulation().field();
        let chart = Chart::new(field, aspect, window, &palette(&settings));
        self.veil
            .paint(&chart, view.size, view.scale, picture.pool());
        self.painted = Some(new);
        self.version += 1;
    }

    /// The pixels, where anything is seen.
    pub fn image(&self) -> Option<Image<'_>> {
        let sheet = self.veil.sheet();
        self.painted.map(|_| Image {
            pixels: sheet.pixels(),
            size: sheet.size(),
            place: sheet.place(),
            opacity: 1.0,
            version: self.version,
        })
    }
}
