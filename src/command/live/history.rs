//! What was changed, so that it can be undone and made again.

use std::time::{Duration, Instant};

use crate::settings::{Setting, Value};

/// Changes of one setting that follow one another this closely are one change, as of a key held down.
const TOGETHER: Duration = Duration::from_secs(1);

/// Changes that are remembered.
const MOST: usize = 1000;

/// A change of a setting.
#[derive(Clone, Debug, PartialEq)]
pub struct Edit {
    /// The row.
    pub setting: &'static Setting,
    /// The value before.
    pub before: Value,
    /// The value since.
    pub after: Value,
    /// The first step of the picture that has it.
    pub step: i64,
}

/// Changes that can be undone, and those that were.
#[derive(Debug, Default)]
pub struct History {
    done: Vec<Edit>,
    undone: Vec<Edit>,
    /// When the last of `done` was made; nothing where it was made again.
    last: Option<Instant>,
}

impl History {
    /// Remembers a change that a user made.
    pub fn note(&mut self, edit: Edit, now: Instant) {
        let is_close = self
            .last
            .is_some_and(|last| now.saturating_duration_since(last) < TOGETHER);
        self.last = Some(now);
        self.undone.clear();
        match self.done.last_mut() {
            Some(last) if is_close && last.setting == edit.setting => last.after = edit.after,
            _ => self.done.push(edit),
        }
        if self.done.len() > MOST {
            self.done.remove(0);
        }
    }

    /// The change to be taken back.
    pub fn undo(&mut self) -> Option<Edit> {
        self.last = None;
        let edit = self.done.pop()?;
        self.undone.push(edit.clone());
        Some(edit)
    }

    /// The change to be made again.
    pub fn redo(&mut self) -> Option<Edit> {
        self.last = None;
        let edit = self.undone.pop()?;
        self.done.push(edit.clone());
        Some(edit)
    }

    /// The picture went back to `step`: what was changed later is undone, and can be made again.
    pub fn go_back(&mut self, step: i64) {
        self.last = None;
        while self.done.last().is_some_and(|edit| edit.step > step) {
            self.undone.extend(self.done.pop());
        }
    }

    /// The setting that was changed last.
    pub fn touched(&self) -> Option<&'static Setting> {
        self.done.last().map(|edit| edit.setting)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::setting;

    fn edit(name: &str, before: f64, after: f64, step: i64) -> Edit {
        Edit {
            setting: setting(name).unwrap(),
            before: Value::Number(before),
            after: Value::Number(after),
            step,
        }
    }

    #[test]
    fn a_key_held_down_is_undone_at_once() {
        let (mut history, begin) = (History::default(), Instant::now());
        for step in 0..50u32 {
            let now = begin + Duration::from_millis(400) * step;
            let value = f64::from(step);
            history.note(edit("speed", value, value + 1.0, step.into()), now);
        }
        let later = begin + Duration::from_secs(60);
        history.note(edit("speed", 50.0, 51.0, 60), later);
        history.note(edit("fade", 0.1, 0.2, 61), later);
        assert_eq!(history.undo(), Some(edit("fade", 0.1, 0.2, 61)));
        assert_eq!(history.undo(), Some(edit("speed", 50.0, 51.0, 60)));
        assert_eq!(history.undo(), Some(edit("speed", 0.0, 50.0, 0)));
        assert_eq!(history.undo(), None);
        assert_eq!(history.redo(), Some(edit("speed", 0.0, 50.0, 0)));
        assert_eq!(history.touched(), setting("speed"));
        // What is made again does not grow together with what comes next.
        history.note(edit("speed", 50.0, 60.0, 70), later);
        assert_eq!(history.undo(), Some(edit("speed", 50.0, 60.0, 70)));
    }

    #[test]
    fn a_new_change_ends_what_could_be_made_again() {
        let (mut history, now) = (History::default(), Instant::now());
        history.note(edit("speed", 0.0, 1.0, 1), now);
        history.undo();
        history.note(edit("fade", 0.1, 0.2, 2), now);
        assert_eq!(history.redo(), None);
    }

    #[test]
    fn going_back_undoes_what_came_later() {
        let (mut history, now) = (History::default(), Instant::now());
        history.note(edit("speed", 0.0, 1.0, 10), now);
        history.note(edit("fade", 0.1, 0.2, 20), now);
        history.note(edit("turns", 1.0, 2.0, 30), now);
        history.go_back(15);
        assert_eq!(history.touched(), setting("speed"));
        assert_eq!(history.redo(), Some(edit("fade", 0.1, 0.2, 20)));
        assert_eq!(history.redo(), Some(edit("turns", 1.0, 2.0, 30)));
        assert_eq!(history.redo(), None);
    }

    #[test]
    fn memory_ends() {
        let (mut history, now) = (History::default(), Instant::now());
        for step in 0..3000 {
            let name = if step % 2 == 0 { "speed" } else { "fade" };
            history.note(edit(name, 0.0, 1.0, step), now);
        }
        let count = std::iter::from_fn(|| history.undo()).count();
        assert_eq!(count, MOST);
    }
}
