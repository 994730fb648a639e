//! What the keys do to the water.

use std::time::Instant;

use super::Live;
use super::history::Edit;
use crate::command::{folders, look};
use crate::input::Action;
use crate::settings::{Direction, Setting, Settings, Value, setting};
use crate::timeline::Change;

impl Live {
    /// Does what was asked for.
    pub(super) fn apply(&mut self, action: Action, now: Instant) {
        match action {
            Action::Step(setting, direction) => self.step(setting, direction, now),
            Action::StepChosen(direction) => self.step(self.overlay.chosen(), direction, now),
            Action::Leap(setting, direction) => self.leap(setting, direction, now),
            Action::ResetChosen => self.reset(self.overlay.chosen(), now),
            Action::ResetTouched => match self.history.touched() {
                Some(setting) => self.reset(setting, now),
                None => self.overlay.say("reset", "nothing was changed", now),
            },
            Action::Undo => self.undo(now),
            Action::Redo => self.redo(now),
            Action::Reseed => {
                let seed = f64::from(rand::random::<u32>());
                if let Some(setting) = setting("seed") {
                    self.change(setting, Value::Number(seed), now);
                }
            }
            Action::TogglePause => self.set_paused(!self.is_paused, now),
            Action::Advance => {
                if !self.is_paused {
                    self.set_paused(true, now);
                }
                self.steps_asked += 1;
                self.log.say(format_args!("EVENT advance"));
            }
            Action::GoBack(seconds) if !self.is_filming() => self.go_back(seconds),
            Action::GoBack(_) => self.overlay.say("film", "goes on: no way back in it", now),
            Action::NextLook(direction) => self.choose_look(direction, now),
            Action::SaveLook => self.save_look(now),
            Action::ToggleFilm => self.toggle_film(now),
            Action::SaveStill => self.save_still(now),
            Action::Choose(direction) => {
                self.overlay.choose(direction);
                let chosen = self.overlay.chosen();
                self.log.say(format_args!("EVENT chosen {}", chosen.name));
                self.say(chosen, now);
            }
            Action::NextChart => {
                let name = match self.sight.turn() {
                    Some(aspect) => {
                        self.overlay.say(aspect.name(), aspect.help(), now);
                        aspect.name()
                    }
                    None => {
                        self.overlay.say("water", "and nothing over it", now);
                        "off"
                    }
                };
                self.log.say(format_args!("EVENT chart {name}"));
            }
            Action::ToggleHelp => {
                self.overlay.toggle_help();
                let state = if self.overlay.is_help_shown() {
                    "on"
                } else {
                    "off"
                };
                self.log.say(format_args!("EVENT help {state}"));
            }
            Action::ToggleFigures => {
                let figures = (!self.overlay.has_figures()).then(|| self.figures.lines());
                let state = if figures.is_some() { "on" } else { "off" };
                self.overlay.set_figures(figures);
                self.log.say(format_args!("EVENT figures {state}"));
            }
            Action::ToggleFullscreen => {
                self.fullscreen = !self.fullscreen;
                let state = if self.fullscreen { "on" } else { "off" };
                self.log.say(format_args!("EVENT fullscreen {state}"));
            }
            Action::Quit => self.has_quit = true,
        }
    }

    fn step(&mut self, setting: &'static Setting, direction: Direction, now: Instant) {
        let [width, height] = self.view.logical();
        let settings = self.picture.timeline().latest_settings();
        let value = settings.stepped(setting, direction, width * height);
        self.change(setting, value, now);
    }

    fn leap(&mut self, setting: &'static Setting, direction: Direction, now: Instant) {
        let [width, height] = self.view.logical();
        let settings = self.picture.timeline().latest_settings();
        let value = settings.leapt(setting, direction, width * height);
        self.change(setting, value, now);
    }

    fn reset(&mut self, setting: &'static Setting, now: Instant) {
        self.change(setting, setting.value(&self.start()), now);
    }

    /// Gives a setting a value, so that it can be undone.
    fn change(&mut self, setting: &'static Setting, value: Value, now: Instant) {
        let before = setting.value(self.picture.timeline().latest_settings());
        let Some(step) = self.set(setting, value, now) else {
            return;
        };
        let after = setting.value(self.picture.timeline().latest_settings());
        let edit = Edit {
            setting,
            before,
            after,
            step,
        };
        self.history.note(edit, now);
    }

    fn undo(&mut self, now: Instant) {
        match self.history.undo() {
            Some(edit) => _ = self.set(edit.setting, edit.before, now),
            None => self.overlay.say("undo", "nothing is left", now),
        }
    }

    fn redo(&mut self, now: Instant) {
        match self.history.redo() {
            Some(edit) => _ = self.set(edit.setting, edit.after, now),
            None => self.overlay.say("redo", "nothing is left", now),
        }
    }

    /// Gives a setting a value, from the next step on; returns that step, if it has another now.
    fn set(&mut self, setting: &'static Setting, value: Value, now: Instant) -> Option<i64> {
        self.overlay.choose_setting(setting);
        let is_new = setting.value(self.picture.timeline().latest_settings()) != value;
        let step = is_new.then(|| self.picture.push(Change::Setting(setting, value)));
        if step.is_some() {
            let settings = self.picture.timeline().latest_settings();
            let (name, value) = (setting.name, setting.value(settings));
            self.log.say(format_args!("EVENT {name} {value}"));
        }
        // At the end of a range, too: that nothing moves any more is worth saying.
        self.say(setting, now);
        step
    }

    fn say(&mut self, setting: &Setting, now: Instant) {
        let settings = self.picture.timeline().latest_settings();
        self.overlay.say_value(setting, settings, now);
    }

    /// Lets the water stand still, or flow on.
    fn set_paused(&mut self, is_paused: bool, now: Instant) {
        self.is_paused = is_paused;
        self.pace.pause();
        let (title, text, state) = if is_paused {
            ("paused", "Space goes on", "on")
        } else {
            ("flowing", "", "off")
        };
        self.overlay.say(title, text, now);
        self.log.say(format_args!("EVENT pause {state}"));
    }

    /// Saves the look, and says where; what goes wrong is said there, too, and the water flows on.
    fn save_look(&mut self, now: Instant) {
        let settings = self.picture.timeline().latest_settings();
        let saved = match folders::presets_folder() {
            Some(folder) => look::save(settings, &folder),
            None => Err(anyhow::anyhow!("neither XDG_CONFIG_HOME nor HOME is set")),
        };
        match saved {
            Ok(path) => {
                let path = path.display();
                self.overlay.say("saved", &path.to_string(), now);
                self.log.say(format_args!("EVENT saved {path}"));
            }
            Err(error) => {
                self.overlay.say("not saved", &format!("{error:#}"), now);
                self.log.say(format_args!("EVENT not saved"));
            }
        }
    }

    /// The settings at the start.
    pub(super) fn start(&self) -> Settings {
        self.picture.timeline().start().0
    }
}
