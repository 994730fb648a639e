//! What keys type, by the core protocol's table: characters, in the user's layout.

use x11rb::protocol::xproto::KeyButMask;

use crate::input::Key;

/// `ISO_Level3_Shift`, which is AltGr, is on this modifier nearly everywhere.
const LEVEL3: u16 = 0x80;

/// A key's characters by group (pairs of columns: plain, with Shift), as the server lists them.
#[derive(Debug)]
pub struct Keymap {
    first: u8,
    per_key: usize,
    keysyms: Vec<u32>,
}

/// What a key means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meaning {
    /// What it types, or its name.
    pub key: Key,
    /// What it types without Shift.
    pub plain: Option<char>,
}

impl Keymap {
    /// A table that begins at key `first`, with `per_key` keysyms for each.
    pub fn new(first: u8, per_key: u8, keysyms: Vec<u32>) -> Keymap {
        Keymap {
            first,
            per_key: usize::from(per_key).max(1),
            keysyms,
        }
    }

    /// What the key means with these modifiers; nothing for keys that mean nothing here. Caps Lock is of no concern.
    pub fn meaning(&self, code: u8, modifiers: KeyButMask) -> Option<Meaning> {
        let row = usize::from(code.checked_sub(self.first)?) * self.per_key;
        let keysyms = self.keysyms.get(row..row + self.per_key)?;
        if let Some(key) = named(*keysyms.first()?) {
            return Some(Meaning { key, plain: None });
        }
        let state = u16::from(modifiers);
        let group = usize::from(state >> 13 & 3);
        let is_shifted = modifiers.contains(KeyButMask::SHIFT);
        let is_third = state & LEVEL3 != 0;
        let typed = |group: usize, is_shifted: bool| {
            let at = |column: usize| keysyms.get(column).copied().and_then(character);
            // Columns: two groups of two levels, then the third and fourth levels of both.
            let column = |level: usize| group.min(1) * 2 + level;
            let level = usize::from(is_shifted);
            let third = is_third.then(|| at(4 + column(level))).flatten();
            // A key with one column alone types the same letter with Shift, as a capital.
            let upper = || at(column(0)).map(|plain| plain.to_ascii_uppercase());
            third
                .or_else(|| at(column(level)))
                .or_else(|| is_shifted.then(upper).flatten())
        };
        // Keys are bound to Latin characters: what a Cyrillic or Greek group types counts as what its first group types.
        let latin = |character: &char| character.is_ascii();
        let group = if typed(group, false).as_ref().is_some_and(latin) {
            group
        } else {
            0
        };
        Some(Meaning {
            key: Key::Character(typed(group, is_shifted)?),
            plain: typed(group, false),
        })
    }
}

/// The keys that type nothing.
fn named(keysym: u32) -> Option<Key> {
    Some(match keysym {
        0xff08 => Key::Backspace,
        0xff09 => Key::Tab,
        0xfe20 => Key::BackTab,
        0xff1b => Key::Escape,
        0xff51 | 0xff96 => Key::Left,
        0xff52 | 0xff97 => Key::Up,
        0xff53 | 0xff98 => Key::Right,
        0xff54 | 0xff99 => Key::Down,
        0xffbe..=0xffc9 => Key::Function((keysym - 0xffbd) as u8),
        _ => return None,
    })
}

/// The character that a keysym stands for, of Latin 1 and of Unicode.
fn character(keysym: u32) -> Option<char> {
    match keysym {
        0x20..=0x7e | 0xa0..=0xff => char::from_u32(keysym),
        0x0100_0100..=0x0110_ffff => char::from_u32(keysym - 0x0100_0000),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHIFT: u16 = 1;
    const LOCK: u16 = 2;
    const SECOND_GROUP: u16 = 1 << 13;

    fn meaning(keysyms: &[u32], modifiers: u16) -> Option<(Key, Option<char>)> {
        let keymap = Keymap::new(8, keysyms.len() as u8, keysyms.to_vec());
        let meaning = keymap.meaning(8, modifiers.into())?;
        Some((meaning.key, meaning.plain))
    }

    #[test]
    fn keys_type_what_the_layout_says() {
        let typed = |typed, plain| Some((Key::Character(typed), Some(plain)));
        assert_eq!(meaning(&[0x61, 0x41], 0), typed('a', 'a'));
        assert_eq!(meaning(&[0x61, 0x41], SHIFT), typed('A', 'a'));
        assert_eq!(meaning(&[0x61, 0x41], LOCK), typed('a', 'a'));
        assert_eq!(meaning(&[0x61], SHIFT), typed('A', 'a'));
        // French: the key of the digit 0.
        assert_eq!(
            meaning(&[0xe0, 0x30], SHIFT),
            Some((Key::Character('0'), Some('à')))
        );
        // German: AltGr and the key of 8.
        let german = [0x38, 0x28, 0x38, 0x28, 0x5b, 0x7b];
        assert_eq!(meaning(&german, LEVEL3), typed('[', '['));
        // Russian in the second group, Latin in the first.
        let russian = [0x66, 0x46, 0x6c1, 0x6e1];
        assert_eq!(meaning(&russian, SECOND_GROUP), typed('f', 'f'));
        assert_eq!(meaning(&russian, SECOND_GROUP | SHIFT), typed('F', 'f'));
        // Dvorak in the second group.
        assert_eq!(
            meaning(&[0x61, 0x41, 0x6f, 0x4f], SECOND_GROUP),
            typed('o', 'o')
        );
    }

    #[test]
    fn keys_have_names() {
        assert_eq!(meaning(&[0xff1b, 0], SHIFT), Some((Key::Escape, None)));
        assert_eq!(meaning(&[0xffbe, 0], 0), Some((Key::Function(1), None)));
        assert_eq!(meaning(&[0xffc8, 0], 0), Some((Key::Function(11), None)));
        assert_eq!(meaning(&[0xffe1, 0], 0), None);
        assert_eq!(meaning(&[0, 0], 0), None);
    }

    #[test]
    fn keys_outside_the_table_mean_nothing() {
        let keymap = Keymap::new(8, 2, vec![0x61, 0x41]);
        for code in [0, 7, 9, 255] {
            assert_eq!(keymap.meaning(code, KeyButMask::default()), None);
        }
    }
}
