//! The keyboard of a display.

use std::collections::HashMap;

use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    AutoRepeatMode, ChangeKeyboardControlAux, ConnectionExt, KEY_PRESS_EVENT, KEY_RELEASE_EVENT,
};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;

/// Milliseconds that the server waits before it takes a press: one that has the time of the release before it would be a
/// repetition.
const APART: u32 = 2;

/// Which key types what.
pub struct Keyboard {
    /// Keysym to key.
    keys: HashMap<u32, u8>,
}

/// What a hand does with a key of some keysym.
#[derive(Clone, Copy)]
pub enum Stroke {
    Down(u32),
    Up(u32),
}

impl Keyboard {
    /// Learns what there is. Keys do not repeat: on a busy machine any may be down for long.
    pub fn new(connection: &RustConnection) -> Keyboard {
        let setup = connection.setup();
        let (first, last) = (setup.min_keycode, setup.max_keycode);
        let mapping = connection.get_keyboard_mapping(first, last - first + 1);
        let mapping = mapping.unwrap().reply().unwrap();
        let per_key = usize::from(mapping.keysyms_per_keycode);
        let mut keys = HashMap::new();
        for (code, keysyms) in (first..=last).zip(mapping.keysyms.chunks(per_key)) {
            // Without shift.
            keys.entry(keysyms[0]).or_insert(code);
        }
        let keyboard = Keyboard { keys };
        keyboard.set_repeating(connection, AutoRepeatMode::OFF);
        keyboard
    }

    /// Lets keys that are held down repeat, or no longer.
    pub fn set_repeating(&self, connection: &RustConnection, mode: AutoRepeatMode) {
        let change = ChangeKeyboardControlAux::new().auto_repeat_mode(mode);
        let changed = connection.change_keyboard_control(&change);
        changed.unwrap().check().unwrap();
    }

    /// Does all of this at once, whatever else the machine does: the server gets it in one piece.
    pub fn strike(&self, connection: &RustConnection, strokes: &[Stroke]) {
        let root = connection.setup().roots[0].root;
        let sent = strokes.iter().map(|&stroke| {
            let (kind, keysym, delay) = match stroke {
                Stroke::Down(keysym) => (KEY_PRESS_EVENT, keysym, APART),
                Stroke::Up(keysym) => (KEY_RELEASE_EVENT, keysym, x11rb::CURRENT_TIME),
            };
            let key = self.keys[&keysym];
            connection.xtest_fake_input(kind, key, delay, root, 0, 0, 0)
        });
        let sent: Vec<_> = sent.map(Result::unwrap).collect();
        sent.into_iter().for_each(|sent| sent.check().unwrap());
    }
}
