//! Looks one after the other, each with a timeline of its own; where one follows another, they dissolve.
//!
//! Each look has always been there, as far as its timeline is concerned: its noise time, lives and births are those that it
//! would have had alone. So whoever seeks a step reads only the looks that are seen in it.

use super::{Change, Event, Moment, STEPS_PER_SECOND, Timeline, World, ease};
use crate::settings::{Settings, Switch};

/// Shortest dissolve of a calm picture, in seconds.
const CALM_DISSOLVE: f64 = 2.0;

/// One or more looks.
#[derive(Clone, Debug, PartialEq)]
pub struct Show {
    /// Never empty; in order of time, and never more than two of them in one step.
    acts: Vec<Act>,
}

/// A look and when it comes.
#[derive(Clone, Debug, PartialEq)]
struct Act {
    /// The step in which it is still unseen, and from which on it comes.
    from: i64,
    timeline: Timeline,
}

impl From<Timeline> for Show {
    fn from(timeline: Timeline) -> Show {
        let from = i64::MIN;
        Show {
            acts: vec![Act { from, timeline }],
        }
    }
}

impl Show {
    /// One look without events.
    pub fn new(settings: Settings, window: [f64; 2]) -> Show {
        Timeline::new(settings, window).into()
    }

    /// How many looks there are.
    pub fn acts(&self) -> usize {
        self.acts.len()
    }

    /// The timeline of a look, counted from 0.
    pub fn timeline(&self, act: usize) -> &Timeline {
        &self.acts[act].timeline
    }

    /// The timeline of the first look.
    pub fn first(&self) -> &Timeline {
        &self.acts[0].timeline
    }

    /// The timeline of the last look.
    pub fn last(&self) -> &Timeline {
        &self.last_act().timeline
    }

    fn last_act(&self) -> &Act {
        self.acts.last().expect("a show has a look")
    }

    fn last_act_mut(&mut self) -> &mut Act {
        self.acts.last_mut().expect("a show has a look")
    }

    /// The number of the look that is there, or comes, in `step`.
    pub fn act_at(&self, step: i64) -> usize {
        self.acts
            .partition_point(|act| act.from <= step)
            .saturating_sub(1)
    }

    /// Whether the look before `act` is still seen in `step`.
    pub fn is_dissolving(&self, act: usize, step: i64) -> bool {
        act > 0 && step < self.acts[act].end()
    }

    /// How far a look has come a fraction of a step after `step`, from 0 to 1: the rest is the look before it.
    pub fn share(&self, act: usize, step: i64, fraction: f32) -> f32 {
        let Act { from, .. } = self.acts[act];
        if !self.is_dissolving(act, step) {
            return 1.0;
        }
        let passed = (step - from) as f64 + f64::from(fraction);
        let length = (self.acts[act].end() - from) as f64;
        ease((passed / length).clamp(0.0, 1.0)) as f32
    }

    /// Everything that holds in `step`, of the look that is there or comes.
    pub fn at(&self, step: i64) -> Moment {
        self.timeline(self.act_at(step)).at(step)
    }

    /// The first step in which another look may come: two looks are enough at a time.
    fn free_from(&self) -> i64 {
        match self.acts.len() {
            1 => 1,
            _ => self.last_act().end(),
        }
    }

    /// The timeline of a look that came next.
    pub fn coming(&self, settings: &Settings) -> Timeline {
        let World { window, .. } = self.last().latest_world();
        Timeline::new(*settings, window).with_budget(self.last().latest_budget())
    }

    /// Where a look can come that is to come in `step`.
    pub fn free_at(&self, step: i64) -> i64 {
        let last = self.last().events().last().map_or(0, |event| event.step);
        step.max(self.free_from()).max(last + 1)
    }

    /// Appends a change at `step`, or where it can first be; returns where. What happens to the window, and what the pointer and the
    /// budget do, concerns the look that leaves, too.
    pub fn push(&mut self, step: i64, change: Change) -> i64 {
        if let Change::Look(settings) = change {
            return self.push_look(step, &settings);
        }
        let last = self.acts.len() - 1;
        let step = step.max(self.acts[last].from);
        let is_shared = matches!(
            change,
            Change::World(_) | Change::Budget(_) | Change::Stir(_)
        );
        if is_shared && self.is_dissolving(last, step) {
            self.acts[last - 1].timeline.push(step, change.clone());
        }
        self.acts[last].timeline.push(step, change)
    }

    /// A loop stays as it is.
    fn push_look(&mut self, step: i64, settings: &Settings) -> i64 {
        let before = self.last();
        if before.period().is_some() {
            return step;
        }
        let from = self.free_at(step);
        let timeline = self.coming(settings);
        self.acts.push(Act { from, timeline });
        from
    }

    /// Forgets all that happens after `step`, which is at least 0.
    pub fn truncate(&mut self, step: i64) {
        let acts = self.acts.partition_point(|act| act.from <= step);
        self.acts.truncate(acts.max(1));
        let mut acts = self.acts.iter_mut().rev();
        // Of the look before, what happens in a dissolve.
        for act in acts.by_ref().take(2) {
            act.timeline.truncate(step);
        }
    }

    /// Lets the margin of the last look follow its settings, as [`Timeline::settle`] does.
    pub fn settle(&mut self, step: i64) -> bool {
        let act = self.last_act_mut();
        step >= act.from && act.timeline.settle(step)
    }

    /// All events in order; those that concern two looks once.
    pub fn events(&self) -> impl Iterator<Item = Event> + '_ {
        self.events_after(i64::MIN)
    }

    /// Those after a step.
    pub fn events_after(&self, step: i64) -> impl Iterator<Item = Event> + '_ {
        let ends = self.acts[1..].iter().map(|act| act.from);
        let acts = self.acts.iter().zip(ends.chain([i64::MAX]));
        acts.enumerate().flat_map(move |(number, (act, end))| {
            let look = (number > 0 && act.from > step).then(|| Event {
                step: act.from,
                change: Change::Look(Box::new(act.timeline.start().0)),
            });
            let events = act.timeline.events_after(step);
            look.into_iter()
                .chain(events.take_while(move |event| event.step < end))
        })
    }
}

impl Act {
    /// The first step in which nothing is left of the look before.
    fn end(&self) -> i64 {
        let (settings, _) = self.timeline.start();
        let seconds = match settings.calm() {
            Switch::On => settings.dissolve().max(CALM_DISSOLVE),
            Switch::Off => settings.dissolve(),
        };
        self.from + ((seconds * STEPS_PER_SECOND).round() as i64).max(1)
    }
}

#[cfg(test)]
mod tests;
