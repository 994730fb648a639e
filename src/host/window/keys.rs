//! What the window reports about its keyboard, as actions.

use macroquad::input::is_quit_requested;
use macroquad::input::utils::{register_input_subscriber, repeat_all_miniquad_input};
use miniquad::{EventHandler, KeyCode, KeyMods, MouseButton};

use crate::input::{Action, Key, Pointer, Press, action};

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
    pointer: Vec<Pointer>,
    has_key: bool,
}

impl Keyboard {
    /// Begins to listen. The window must be open, and this its thread.
    pub fn new() -> Keyboard {
        Keyboard {
            subscriber: register_input_subscriber(),
            received: Received::default(),
        }
    }

    /// What the keys pressed since the last call ask for, in order; and to quit, where the window is to be closed.
    pub fn take_actions(&mut self) -> Vec<Action> {
        repeat_all_miniquad_input(&mut self.received, self.subscriber);
        // macroquad keeps a queue of characters of its own, which would grow without end.
        macroquad::input::clear_input_queue();
        let mut actions = std::mem::take(&mut self.received.actions);
        if is_quit_requested() {
            actions.push(Action::Quit);
        }
        actions
    }

    /// What the pointer did before the last call of [`Keyboard::take_actions`], in order.
    pub fn take_pointer(&mut self) -> Vec<Pointer> {
        std::mem::take(&mut self.received.pointer)
    }

    /// Whether any key went down before it.
    pub fn take_has_key(&mut self) -> bool {
        std::mem::take(&mut self.received.has_key)
    }
}

impl Received {
    fn press(&mut self, key: Key, modifiers: KeyMods, is_repeat: bool) {
        self.actions.extend(action(&Press {
            key,
            plain: None,
            shift: modifiers.shift,
            control: modifiers.ctrl && !modifiers.alt,
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
        self.has_key |= !is_repeat;
        if modifiers.alt || modifiers.logo {
            return;
        }
        let key = if modifiers.ctrl {
            letter(code).map(Key::Character)
        } else {
            named(code)
        };
        if let Some(key) = key {
            self.press(key, modifiers, is_repeat);
        }
    }

    fn mouse_motion_event(&mut self, x: f32, y: f32) {
        let scale = miniquad::window::dpi_scale();
        self.pointer
            .push(Pointer::Moved([x, y].map(|side| side / scale)));
    }

    fn mouse_leave_event(&mut self) {
        self.pointer.push(Pointer::Left);
    }

    fn mouse_button_down_event(&mut self, _: MouseButton, _: f32, _: f32) {
        self.pointer.push(Pointer::Pressed);
    }

    fn mouse_wheel_event(&mut self, _: f32, _: f32) {
        self.pointer.push(Pointer::Pressed);
    }
}

/// The letter that a key types in the user's layout, by which shortcuts go: with Control it types none.
fn letter(code: KeyCode) -> Option<char> {
    const LETTERS: std::ops::RangeInclusive<u32> = KeyCode::A as u32..=KeyCode::Z as u32;
    let code = code as u32;
    LETTERS
        .contains(&code)
        .then(|| (b'a' + (code - KeyCode::A as u32) as u8) as char)
}

/// The keys that type nothing.
fn named(code: KeyCode) -> Option<Key> {
    Some(match code {
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::Left => Key::Left,
        KeyCode::Right => Key::Right,
        KeyCode::Backspace => Key::Backspace,
        KeyCode::Tab => Key::Tab,
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
            KeyCode::Tab,
            KeyCode::Escape,
            KeyCode::F1,
            KeyCode::F2,
            KeyCode::F11,
        ];
        for binding in BINDINGS {
            let is_typed = matches!(binding.key, Key::Character(_))
                || matches!(binding.key, Key::Control('a'..='z') | Key::BackTab)
                || codes.iter().any(|&code| named(code) == Some(binding.key));
            assert!(is_typed, "{}", binding.key);
        }
    }
}
