//! What the window reports about its keyboard, as actions.

use macroquad::input::utils::{register_input_subscriber, repeat_all_miniquad_input};
use miniquad::{EventHandler, KeyCode, KeyMods};

use crate::input::{Action, Key, Press, action};

/// The keyboard of the open window.
#[derive(Debug)]
pub struct Keyboard {
    /// macroquad's number of the queue that is read here.
    subscriber: usize,
    received: Received,
}

/// What came since it was taken.
#[derive(Debug, Default)]
struct Received {
    actions: Vec<Action>,
}

impl Keyboard {
    /// Begins to listen. The window must be open, and this its thread.
    pub fn new() -> Keyboard {
        Keyboard {
            subscriber: register_input_subscriber(),
            received: Received::default(),
        }
    }

    /// What the keys pressed since the last call ask for, in order.
    pub fn take_actions(&mut self) -> Vec<Action> {
        repeat_all_miniquad_input(&mut self.received, self.subscriber);
        // macroquad keeps a queue of characters of its own, which would grow without end.
        macroquad::input::clear_input_queue();
        std::mem::take(&mut self.received.actions)
    }
}

impl Received {
    fn press(&mut self, key: Key, modifiers: KeyMods, is_repeat: bool) {
        self.actions.extend(action(&Press {
            key,
            plain: None,
            shift: modifiers.shift,
            control: false,
            is_repeat,
        }));
    }
}

impl EventHandler for Received {
    fn update(&mut self) {}

    fn draw(&mut self) {}

    fn char_event(&mut self, character: char, modifiers: KeyMods, is_repeat: bool) {
        // Control and Alt together are how AltGr types characters.
        let is_shortcut = modifiers.ctrl != modifiers.alt || modifiers.logo;
        if !is_shortcut && !character.is_control() {
            self.press(Key::Character(character), modifiers, is_repeat);
        }
    }

    fn key_down_event(&mut self, code: KeyCode, modifiers: KeyMods, is_repeat: bool) {
        if !(modifiers.ctrl || modifiers.alt || modifiers.logo)
            && let Some(key) = named(code)
        {
            self.press(key, modifiers, is_repeat);
        }
    }
}

/// The keys that type nothing.
fn named(code: KeyCode) -> Option<Key> {
    Some(match code {
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::Left => Key::Left,
        KeyCode::Right => Key::Right,
        KeyCode::Backspace => Key::Backspace,
        KeyCode::Escape => Key::Escape,
        KeyCode::F1 => Key::Function(1),
        KeyCode::F2 => Key::Function(2),
        KeyCode::F11 => Key::Function(11),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::BINDINGS;

    const NONE: KeyMods = KeyMods {
        shift: false,
        ctrl: false,
        alt: false,
        logo: false,
    };

    #[test]
    fn shortcuts_of_others_are_left_alone() {
        let mut received = Received::default();
        for modifiers in [
            KeyMods { ctrl: true, ..NONE },
            KeyMods { alt: true, ..NONE },
            KeyMods { logo: true, ..NONE },
        ] {
            received.char_event('q', modifiers, false);
            received.key_down_event(KeyCode::Escape, modifiers, false);
        }
        assert!(received.actions.is_empty());
        received.char_event('q', NONE, false);
        let alt_gr = KeyMods {
            ctrl: true,
            alt: true,
            ..NONE
        };
        received.char_event('[', alt_gr, false);
        assert_eq!(received.actions.len(), 2);
    }

    #[test]
    fn every_binding_can_be_typed() {
        let codes = [
            KeyCode::Up,
            KeyCode::Down,
            KeyCode::Left,
            KeyCode::Right,
            KeyCode::Backspace,
            KeyCode::Escape,
            KeyCode::F1,
            KeyCode::F2,
            KeyCode::F11,
        ];
        for binding in BINDINGS {
            let is_typed = matches!(binding.key, Key::Character(_))
                || codes.iter().any(|&code| named(code) == Some(binding.key));
            assert!(is_typed, "{}", binding.key);
        }
    }
}
