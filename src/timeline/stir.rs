//! Where the pointer stirred the water, in a list of its own: there are up to sixty in a second, and none of them changes a
//! setting.

use super::{Change, Event, Timeline};

/// Steps over which what was stirred comes to rest.
pub const LASTING: i64 = 60;

/// A push by the pointer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stir {
    /// Where, in logical px from the top left of the window.
    pub place: [f32; 2],
    /// How far the pointer moved, in px per step.
    pub velocity: [f32; 2],
}

/// A push and the step in which it is strongest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stirred {
    /// At least 1, and another one for each push.
    pub step: i64,
    /// The push.
    pub stir: Stir,
}

impl Stirred {
    /// The share of the push that is left in `step`, at or after its own: from 1 down to 0, smoothly.
    pub fn strength(&self, step: i64) -> f32 {
        let left = (1.0 - (step - self.step) as f32 / LASTING as f32).max(0.0);
        left * left
    }
}

impl Timeline {
    /// The pushes that the water still feels in `step`, in order.
    pub fn stirs_at(&self, step: i64) -> &[Stirred] {
        let until = |step: i64| self.stirs.partition_point(|stirred| stirred.step <= step);
        &self.stirs[until(step - LASTING)..until(step)]
    }

    /// All events in order, those of one step as they were pushed but for stirs, which come last.
    pub fn events(&self) -> impl Iterator<Item = Event> + '_ {
        self.events_after(i64::MIN)
    }

    /// Those after a step.
    pub fn events_after(&self, step: i64) -> impl Iterator<Item = Event> + '_ {
        let changes = self.events.partition_point(|event| event.step <= step);
        let stirs = self.stirs.partition_point(|stirred| stirred.step <= step);
        let mut changes = self.events[changes..].iter().cloned().peekable();
        let mut stirs = self.stirs[stirs..].iter().peekable();
        std::iter::from_fn(move || match (changes.peek(), stirs.peek()) {
            (Some(change), Some(stirred)) if change.step <= stirred.step => changes.next(),
            (Some(_), None) => changes.next(),
            _ => stirs.next().map(|stirred| Event {
                step: stirred.step,
                change: Change::Stir(stirred.stir),
            }),
        })
    }

    /// Appends a push at `step`, or after the last one where that is later; returns where.
    pub(super) fn push_stir(&mut self, step: i64, stir: Stir) -> i64 {
        let free = self.stirs.last().map_or(1, |last| last.step + 1);
        let step = step.max(free);
        self.stirs.push(Stirred { step, stir });
        step
    }
}
