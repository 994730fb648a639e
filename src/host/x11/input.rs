//! Keys and pointer of the window, as actions and places.

use std::mem;

use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{ConnectionExt as _, KeyButMask, KeyPressEvent};
use x11rb::rust_connection::RustConnection;

use super::X11Error;
use super::keymap::Keymap;
use crate::input::{Action, Pointer, Press, action};

/// What came since it was taken.
pub struct Input {
    keymap: Keymap,
    /// The key that was released last, and when: a press at the same time is a repetition.
    released: Option<(u8, u32)>,
    actions: Vec<Action>,
    pointer: Vec<Pointer>,
    has_key: bool,
}

impl Input {
    /// Nothing so far.
    pub fn new(connection: &RustConnection) -> Result<Input, X11Error> {
        Ok(Input {
            keymap: keymap(connection)?,
            released: None,
            actions: Vec::new(),
            pointer: Vec::new(),
            has_key: false,
        })
    }

    /// What the keys pressed since the last call ask for, in order.
    pub fn take_actions(&mut self) -> Vec<Action> {
        mem::take(&mut self.actions)
    }

    /// What the pointer did since the last call, in order.
    pub fn take_pointer(&mut self) -> Vec<Pointer> {
        mem::take(&mut self.pointer)
    }

    /// Whether any key went down since the last call.
    pub fn take_has_key(&mut self) -> bool {
        mem::take(&mut self.has_key)
    }

    /// The window was closed: asks for the end.
    pub fn close(&mut self) {
        self.actions.push(Action::Quit);
    }

    /// Takes down what an event says, with `scale` device px per logical px.
    pub fn notice(
        &mut self,
        connection: &RustConnection,
        event: &Event,
        scale: f32,
    ) -> Result<(), X11Error> {
        let moved = |x: i16, y: i16| Pointer::Moved([x, y].map(|side| f32::from(side) / scale));
        match event {
            Event::KeyPress(event) => self.press(event),
            Event::KeyRelease(event) => self.released = Some((event.detail, event.time)),
            Event::ButtonPress(_) => self.pointer.push(Pointer::Pressed),
            Event::MotionNotify(event) => self.pointer.push(moved(event.event_x, event.event_y)),
            Event::EnterNotify(event) => self.pointer.push(moved(event.event_x, event.event_y)),
            Event::LeaveNotify(_) => self.pointer.push(Pointer::Left),
            Event::MappingNotify(_) => self.keymap = keymap(connection)?,
            _ => (),
        }
        Ok(())
    }

    fn press(&mut self, event: &KeyPressEvent) {
        let is_repeat = self.released == Some((event.detail, event.time));
        self.has_key |= !is_repeat;
        let holds = |modifier| event.state.contains(modifier);
        // Those of window managers.
        if holds(KeyButMask::MOD1) || holds(KeyButMask::MOD4) {
            return;
        }
        if let Some(meaning) = self.keymap.meaning(event.detail, event.state) {
            self.actions.extend(action(&Press {
                key: meaning.key,
                plain: meaning.plain,
                shift: holds(KeyButMask::SHIFT),
                control: holds(KeyButMask::CONTROL),
                is_repeat,
            }));
        }
    }
}

fn keymap(connection: &RustConnection) -> Result<Keymap, X11Error> {
    let setup = connection.setup();
    let (first, last) = (setup.min_keycode, setup.max_keycode);
    let mapping = connection
        .get_keyboard_mapping(first, last - first + 1)?
        .reply()?;
    Ok(Keymap::new(
        first,
        mapping.keysyms_per_keycode,
        mapping.keysyms,
    ))
}
