//! What the keys do to the water.

use std::time::Instant;

use super::Live;
use crate::input::Action;
use crate::settings::{Direction, Setting, Settings, Value};
use crate::timeline::Change;

impl Live {
    /// Does what was asked for.
    pub(super) fn apply(&mut self, action: Action, now: Instant) {
        match action {
            Action::Step(setting, direction) => self.step(setting, direction, now),
            Action::StepChosen(direction) => self.step(self.overlay.chosen(), direction, now),
            Action::ResetChosen => {
                let setting = self.overlay.chosen();
                self.set(setting, setting.value(&self.start()), now);
            }
            Action::Choose(direction) => {
                self.overlay.choose(direction);
                self.say(self.overlay.chosen(), now);
            }
            Action::ToggleHelp => self.overlay.toggle_help(),
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
        self.overlay.choose_setting(setting);
        let [width, height] = self.view.logical();
        let settings = self.picture.timeline().latest_settings();
        self.set(
            setting,
            settings.stepped(setting, direction, width * height),
            now,
        );
    }

    /// Gives a setting a value, from the next step on.
    fn set(&mut self, setting: &'static Setting, value: Value, now: Instant) {
        if setting.value(self.picture.timeline().latest_settings()) != value {
            self.picture.push(Change::Setting(setting, value));
            let settings = self.picture.timeline().latest_settings();
            let (name, value) = (setting.name, setting.value(settings));
            self.log.say(format_args!("EVENT {name} {value}"));
        }
        // At the end of a range, too: that nothing moves any more is worth saying.
        self.say(setting, now);
    }

    fn say(&mut self, setting: &Setting, now: Instant) {
        let settings = self.picture.timeline().latest_settings();
        self.overlay.say_value(setting, settings, now);
    }

    /// The settings at the start.
    pub(super) fn start(&self) -> Settings {
        self.picture.timeline().start().0
    }
}
