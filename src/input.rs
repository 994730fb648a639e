//! What keys mean. Input changes nothing by itself: a key becomes an [`Action`], and one `match` in the command acts.
//!
//! Hosts translate what their window system reports into [`Key`]s; this module knows no window. The keys of settings
//! stand in their rows of [`SETTINGS`], by character; all other keys are the rows of [`BINDINGS`].

use std::fmt;

use crate::settings::{Direction, SETTINGS, Setting};

/// A key as it is meant: what it types, or its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// What the key types, in the user's layout.
    Character(char),
    /// An arrow.
    Up,
    /// An arrow.
    Down,
    /// An arrow.
    Left,
    /// An arrow.
    Right,
    /// The key that deletes to the left.
    Backspace,
    /// The key that leaves.
    Escape,
    /// A function key, from 1.
    Function(u8),
}

/// A key that went down, as a host reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Press {
    /// What it types with the modifiers that are held, or its name.
    pub key: Key,
    /// What it types without Shift, where the host knows and it is something else.
    pub plain: Option<char>,
    /// Whether Shift is held.
    pub shift: bool,
    /// Whether Control is held, and not as a part of AltGr; `key` is then what is typed without it.
    pub control: bool,
    /// Whether it was held down already.
    pub is_repeat: bool,
}

/// What the pointer does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pointer {
    /// It is here, in logical px from the top left of the window.
    Moved([f32; 2]),
    /// It left the window.
    Left,
    /// A button went down, or the wheel turned.
    Pressed,
}

/// What a user asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Action {
    /// Move a setting by one step.
    Step(&'static Setting, Direction),
    /// Choose the row above or below of the table.
    Choose(Direction),
    /// Move the chosen setting by one step.
    StepChosen(Direction),
    /// Give the chosen setting its value from the start.
    ResetChosen,
    /// Show or hide the help.
    ToggleHelp,
    /// Show or hide the figures.
    ToggleFigures,
    /// Fill the screen, or stop filling it.
    ToggleFullscreen,
    /// End the program.
    Quit,
}

/// A key that belongs to no setting.
#[derive(Debug)]
pub struct Binding {
    /// The key.
    pub key: Key,
    /// What it is for.
    pub action: Action,
    /// The same for people, in a few words.
    pub help: &'static str,
    /// Whether holding the key down repeats the action.
    pub repeats: bool,
}

/// The second table: every key that is not in [`SETTINGS`], in the order in which they are shown.
pub static BINDINGS: &[Binding] = &[
    repeating(
        Key::Up,
        Action::Choose(Direction::Up),
        "choose the setting above",
    ),
    repeating(
        Key::Down,
        Action::Choose(Direction::Down),
        "choose the setting below",
    ),
    repeating(Key::Left, Action::StepChosen(Direction::Down), "lower it"),
    repeating(Key::Right, Action::StepChosen(Direction::Up), "raise it"),
    once(
        Key::Backspace,
        Action::ResetChosen,
        "back to the start value",
    ),
    once(
        Key::Function(1),
        Action::ToggleHelp,
        "show or hide this help",
    ),
    once(
        Key::Function(2),
        Action::ToggleFigures,
        "show or hide what it costs",
    ),
    once(
        Key::Function(11),
        Action::ToggleFullscreen,
        "fill the screen, or stop",
    ),
    once(Key::Escape, Action::Quit, "quit"),
];

const fn once(key: Key, action: Action, help: &'static str) -> Binding {
    Binding {
        key,
        action,
        help,
        repeats: false,
    }
}

const fn repeating(key: Key, action: Action, help: &'static str) -> Binding {
    Binding {
        repeats: true,
        ..once(key, action, help)
    }
}

/// What a key that went down asks for.
pub fn action(press: &Press) -> Option<Action> {
    if press.control {
        return None;
    }
    let binding = BINDINGS.iter().find(|binding| binding.key == press.key);
    match (binding, press.key) {
        (Some(binding), _) => (binding.repeats || !press.is_repeat).then_some(binding.action),
        (None, Key::Character(character)) => step(character),
        (None, _) => None,
    }
}

/// The step that a character asks for.
fn step(character: char) -> Option<Action> {
    SETTINGS.iter().find_map(|setting| {
        let (lower, raise) = setting.keys?;
        match character {
            _ if character == lower => Some(Action::Step(setting, Direction::Down)),
            _ if character == raise => Some(Action::Step(setting, Direction::Up)),
            _ => None,
        }
    })
}

/// The keys of [`BINDINGS`] as Markdown, as they stand in the README.
pub fn markdown() -> String {
    let mut text = "| key | what it does |\n|---|---|\n".to_owned();
    for Binding { key, help, .. } in BINDINGS {
        text.push_str(&format!("| `{key}` | {help} |\n"));
    }
    text
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Key::Character(' ') => f.write_str("Space"),
            Key::Character(character) => write!(f, "{character}"),
            Key::Up => f.write_str("Up"),
            Key::Down => f.write_str("Down"),
            Key::Left => f.write_str("Left"),
            Key::Right => f.write_str("Right"),
            Key::Backspace => f.write_str("Backspace"),
            Key::Escape => f.write_str("Esc"),
            Key::Function(number) => write!(f, "F{number}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::setting;

    #[test]
    fn no_key_means_two_things() {
        let settings = SETTINGS.iter().filter_map(|setting| setting.keys);
        let mut keys: Vec<Key> = settings
            .flat_map(|(lower, raise)| [Key::Character(lower), Key::Character(raise)])
            .chain(BINDINGS.iter().map(|binding| binding.key))
            .collect();
        while let Some(key) = keys.pop() {
            assert!(!keys.contains(&key), "{key}");
        }
    }

    fn plain(key: Key, is_repeat: bool) -> Option<Action> {
        action(&Press {
            key,
            plain: None,
            shift: false,
            control: false,
            is_repeat,
        })
    }

    /// Pausing, stepping, seeds, recording, presets and the panel come later, and their keys are promised.
    #[test]
    fn reserved_keys_are_free() {
        for character in " .,r0pRPV".chars() {
            assert_eq!(
                plain(Key::Character(character), false),
                None,
                "{character:?}"
            );
        }
        assert_eq!(plain(Key::Function(2), false), Some(Action::ToggleFigures));
    }

    #[test]
    fn keys_of_settings_step_them_and_repeat() {
        let fade = setting("fade").unwrap();
        let (lower, raise) = fade.keys.unwrap();
        for is_repeat in [false, true] {
            assert_eq!(
                plain(Key::Character(lower), is_repeat),
                Some(Action::Step(fade, Direction::Down))
            );
            assert_eq!(
                plain(Key::Character(raise), is_repeat),
                Some(Action::Step(fade, Direction::Up))
            );
        }
    }

    #[test]
    fn holding_a_key_down_does_not_toggle() {
        assert_eq!(plain(Key::Function(1), false), Some(Action::ToggleHelp));
        assert_eq!(plain(Key::Function(1), true), None);
        assert_eq!(plain(Key::Escape, true), None);
        assert_eq!(
            plain(Key::Right, true),
            Some(Action::StepChosen(Direction::Up))
        );
    }

    #[test]
    fn what_is_typed_beyond_the_tables_means_nothing() {
        for character in ['Q', 'ß', '\u{8}', '\u{1b}', '\0', '€'] {
            assert_eq!(plain(Key::Character(character), false), None);
        }
    }
}
