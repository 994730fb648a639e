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
    /// The tabulator.
    Tab,
    /// The same with Shift.
    BackTab,
    /// The key that leaves.
    Escape,
    /// A function key, from 1.
    Function(u8),
    /// A letter with Control.
    Control(char),
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
    /// Move a setting by a large step.
    Leap(&'static Setting, Direction),
    /// Choose the row above or below of the table.
    Choose(Direction),
    /// Move the chosen setting by one step.
    StepChosen(Direction),
    /// Give the chosen setting its value from the start.
    ResetChosen,
    /// Give the setting that was changed last its value from the start.
    ResetTouched,
    /// Take the last change of a setting back.
    Undo,
    /// Make it again.
    Redo,
    /// Take another seed.
    Reseed,
    /// Let the water stand still, or flow on.
    TogglePause,
    /// Make one step of 1/60 s, and stand still.
    Advance,
    /// Go back by so many seconds.
    GoBack(u8),
    /// Let the next look come, or the one before.
    NextLook(Direction),
    /// Save the look as a preset.
    SaveLook,
    /// Begin a film, or end it.
    ToggleFilm,
    /// Save the moment as a picture.
    SaveStill,
    /// Show the next aspect of the field over the water, or none after the last.
    NextChart,
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
        Key::Character('0'),
        Action::ResetTouched,
        "reset what changed last",
    ),
    repeating(Key::Control('z'), Action::Undo, "undo a change"),
    repeating(Key::Control('y'), Action::Redo, "redo it"),
    once(
        Key::Character('r'),
        Action::Reseed,
        "other water: a new seed",
    ),
    once(Key::Character(' '), Action::TogglePause, "pause, or go on"),
    repeating(Key::Character('.'), Action::Advance, "one step of 1/60 s"),
    repeating(Key::Character(','), Action::GoBack(1), "back by a second"),
    repeating(
        Key::Character('<'),
        Action::GoBack(10),
        "back by ten (Shift and ,)",
    ),
    once(Key::Tab, Action::NextLook(Direction::Up), "the next look"),
    once(
        Key::BackTab,
        Action::NextLook(Direction::Down),
        "the look before",
    ),
    once(
        Key::Control('s'),
        Action::SaveLook,
        "save the look as a preset",
    ),
    once(
        Key::Character('R'),
        Action::ToggleFilm,
        "begin a film, or end it",
    ),
    once(Key::Character('P'), Action::SaveStill, "save a picture"),
    once(
        Key::Character('V'),
        Action::NextChart,
        "see the field itself",
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
    let key = match press.key {
        Key::Character(character) if press.control => Key::Control(character.to_ascii_lowercase()),
        Key::Tab if press.shift => Key::BackTab,
        key => key,
    };
    let binding = BINDINGS.iter().find(|binding| binding.key == key);
    match (binding, key) {
        (Some(binding), _) => (binding.repeats || !press.is_repeat).then_some(binding.action),
        (None, Key::Character(character)) => step(character).or_else(|| leap(character, press)),
        (None, _) => None,
    }
}

/// The step that a character asks for.
fn step(character: char) -> Option<Action> {
    let (setting, direction) = setting_of(character)?;
    Some(Action::Step(setting, direction))
}

/// The large step, of a setting or back in time, that a character asks for which is typed with Shift and means nothing
/// else: that of the key's plain character.
fn leap(character: char, press: &Press) -> Option<Action> {
    if !press.shift {
        return None;
    }
    let plain = press.plain.unwrap_or_else(|| plain(character));
    if plain == ',' {
        return Some(Action::GoBack(10));
    }
    let (setting, direction) = setting_of(plain)?;
    Some(Action::Leap(setting, direction))
}

/// What a key types without Shift where nobody knows the layout: as on an American keyboard.
fn plain(character: char) -> char {
    const SHIFTED: [(char, char); 6] = [
        ('{', '['),
        ('}', ']'),
        (':', ';'),
        ('"', '\''),
        ('_', '-'),
        ('+', '='),
    ];
    let found = SHIFTED.iter().find(|(shifted, _)| *shifted == character);
    found.map_or(character.to_ascii_lowercase(), |(_, plain)| *plain)
}

/// The setting whose key types this, and which way it moves.
fn setting_of(character: char) -> Option<(&'static Setting, Direction)> {
    SETTINGS.iter().find_map(|setting| {
        let (lower, raise) = setting.keys?;
        match character {
            _ if character == lower => Some((setting, Direction::Down)),
            _ if character == raise => Some((setting, Direction::Up)),
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
            Key::Tab => f.write_str("Tab"),
            Key::BackTab => f.write_str("Shift+Tab"),
            Key::Escape => f.write_str("Esc"),
            Key::Function(number) => write!(f, "F{number}"),
            Key::Control(letter) => write!(f, "Ctrl+{}", letter.to_ascii_uppercase()),
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

    fn typed(key: Key, is_repeat: bool) -> Option<Action> {
        action(&Press {
            key,
            plain: None,
            shift: false,
            control: false,
            is_repeat,
        })
    }

    fn shifted(typed: char, plain: Option<char>) -> Option<Action> {
        action(&Press {
            key: Key::Character(typed),
            plain,
            shift: true,
            control: false,
            is_repeat: false,
        })
    }

    /// The browser of presets comes later, and its key is promised.
    #[test]
    fn a_reserved_key_is_free() {
        assert_eq!(typed(Key::Character('p'), false), None);
        assert_eq!(shifted('p', Some('p')), None);
    }

    #[test]
    fn shift_makes_large_steps_on_every_layout() {
        let leap = |name: &str, direction| Some(Action::Leap(setting(name).unwrap(), direction));
        let up = leap("noise_scale", Direction::Up);
        assert_eq!(shifted('Q', Some('q')), up);
        assert_eq!(shifted('Q', None), up);
        // American, where nobody says what the key is; German and French, where the window system does.
        let down = leap("time_scale", Direction::Down);
        assert_eq!(shifted('{', None), down);
        assert_eq!(shifted('_', Some('-')), leap("lightness", Direction::Down));
        assert_eq!(shifted('1', Some(';')), leap("hue_span", Direction::Down));
        assert_eq!(shifted('°', Some(')')), None);
        // A character with a meaning of its own has that: the French type the full stop with Shift.
        assert_eq!(shifted('.', Some(';')), Some(Action::Advance));
        assert_eq!(shifted('0', Some('à')), Some(Action::ResetTouched));
        assert_eq!(shifted('<', Some(',')), Some(Action::GoBack(10)));
        assert_eq!(shifted('V', Some('v')), Some(Action::NextChart));
        assert_eq!(shifted('?', Some(',')), Some(Action::GoBack(10)));
    }

    #[test]
    fn control_makes_shortcuts_and_nothing_else() {
        let control = |letter: char| {
            action(&Press {
                key: Key::Character(letter),
                plain: None,
                shift: false,
                control: true,
                is_repeat: false,
            })
        };
        assert_eq!(control('z'), Some(Action::Undo));
        assert_eq!(control('Z'), Some(Action::Undo));
        assert_eq!(control('s'), Some(Action::SaveLook));
        for letter in ['q', 'r', ' ', '.', '0'] {
            assert_eq!(control(letter), None, "{letter:?}");
        }
    }

    #[test]
    fn keys_of_settings_step_them_and_repeat() {
        let fade = setting("fade").unwrap();
        let (lower, raise) = fade.keys.unwrap();
        for is_repeat in [false, true] {
            assert_eq!(
                typed(Key::Character(lower), is_repeat),
                Some(Action::Step(fade, Direction::Down))
            );
            assert_eq!(
                typed(Key::Character(raise), is_repeat),
                Some(Action::Step(fade, Direction::Up))
            );
        }
    }

    #[test]
    fn holding_a_key_down_does_not_toggle() {
        assert_eq!(typed(Key::Function(1), false), Some(Action::ToggleHelp));
        assert_eq!(typed(Key::Function(1), true), None);
        assert_eq!(typed(Key::Escape, true), None);
        assert_eq!(
            typed(Key::Right, true),
            Some(Action::StepChosen(Direction::Up))
        );
    }

    #[test]
    fn what_is_typed_beyond_the_tables_means_nothing() {
        for character in ['Q', 'ß', '\u{8}', '\u{1b}', '\0', '€'] {
            assert_eq!(typed(Key::Character(character), false), None);
        }
    }
}
