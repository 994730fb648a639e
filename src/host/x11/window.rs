//! The window itself: how it is made, what window managers are told of it, and what they tell.

use std::time::{Duration, Instant};

use x11rb::connection::Connection;
use x11rb::properties::WmSizeHints;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    self, AtomEnum, ClientMessageEvent, ColormapAlloc, ConfigureWindowAux, ConnectionExt as _,
    CreateWindowAux, EventMask, Gravity, PropMode, Screen, VisualClass, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

use super::X11Error;
use super::visibility::{Visibility, values};
use crate::host::displays::scale;
use crate::host::{CLASS, Options, TITLE, View};

x11rb::atom_manager! {
    /// What is said to window managers, and by them.
    Atoms: AtomsCookie {
        WM_PROTOCOLS,
        WM_DELETE_WINDOW,
        _NET_WM_PING,
        _NET_WM_NAME,
        _NET_WM_PID,
        _NET_WM_STATE,
        _NET_WM_STATE_FULLSCREEN,
        _NET_SUPPORTING_WM_CHECK,
        UTF8_STRING,
    }
}

/// How long a window manager may take to show a window.
pub const PATIENCE: Duration = Duration::from_millis(500);

/// A window and what is known of it.
pub struct Window {
    id: xproto::Window,
    root: xproto::Window,
    screen: usize,
    depth: u8,
    atoms: Atoms,
    /// What hides the pointer.
    no_cursor: xproto::Cursor,
    size: [u32; 2],
    scale: f32,
    is_settled: bool,
    /// When the server was asked last to show it.
    asked: Instant,
    /// Place and size before it filled a screen without a window manager.
    before: Option<[i32; 4]>,
    place: [i32; 2],
    visibility: Visibility,
}

impl Window {
    /// Makes the window, and maps it.
    pub fn open(
        connection: &RustConnection,
        screen: usize,
        options: &Options,
    ) -> Result<Window, X11Error> {
        let roots = &connection.setup().roots[screen];
        let (visual, depth) = visual(connection, roots)?;
        let scale = scale(connection, roots.root) as f32;
        let size = options
            .size
            .map(|side| (side as f32 * scale).round().clamp(1.0, 32_767.0) as u32);
        let id = connection.generate_id()?;
        let atoms = Atoms::new(connection)?.reply()?;
        create(
            connection,
            roots,
            id,
            (visual, depth),
            size,
            options.background,
        )?;
        let mut window = Window {
            id,
            root: roots.root,
            screen,
            depth,
            atoms,
            no_cursor: no_cursor(connection, id)?,
            size,
            scale,
            is_settled: false,
            asked: Instant::now(),
            before: None,
            place: [0; 2],
            visibility: Visibility::new(connection, id)?,
        };
        window.introduce(connection)?;
        if options.fullscreen {
            window.fill_screen_from_start(connection)?;
        }
        connection.map_window(id)?;
        connection.flush()?;
        Ok(window)
    }

    pub fn id(&self) -> xproto::Window {
        self.id
    }

    pub fn root(&self) -> xproto::Window {
        self.root
    }

    pub fn depth(&self) -> u8 {
        self.depth
    }

    /// What the picture is shown in.
    pub fn view(&self) -> View {
        View {
            size: self.size,
            scale: self.scale,
        }
    }

    /// Whether anybody can see it.
    pub fn is_visible(&self) -> bool {
        self.visibility.is_visible()
    }

    /// Whether it has been shown.
    pub fn is_settled(&self) -> bool {
        self.is_settled
    }

    /// Asks again to be shown, should that be overdue: a window manager that is just starting may have missed it.
    pub fn insist(&mut self, connection: &RustConnection) -> Result<(), X11Error> {
        if !self.is_settled && self.asked.elapsed() > PATIENCE {
            connection.map_window(self.id)?;
            self.asked = Instant::now();
        }
        Ok(())
    }

    /// Whether the event says that a part of the window has to be shown anew, and is the last that does.
    pub fn is_exposed(&self, event: &Event) -> bool {
        matches!(event, Event::Expose(event) if event.window == self.id && event.count == 0)
    }

    /// Takes down what an event says; says whether the window is to be closed.
    pub fn notice(&mut self, connection: &RustConnection, event: &Event) -> Result<bool, X11Error> {
        self.visibility.notice(connection, event)?;
        match event {
            Event::ConfigureNotify(event) if event.window == self.id => {
                self.size = [event.width.into(), event.height.into()].map(|side: u32| side.max(1));
                self.place = [event.x.into(), event.y.into()];
            }
            Event::Expose(event) if event.window == self.id => self.is_settled = true,
            Event::PropertyNotify(event)
                if event.window == self.root
                    && event.atom == u32::from(AtomEnum::RESOURCE_MANAGER) =>
            {
                self.scale = scale(connection, self.root) as f32;
            }
            Event::ClientMessage(event) if event.type_ == self.atoms.WM_PROTOCOLS => {
                let data = event.data.as_data32();
                if data[0] == self.atoms._NET_WM_PING {
                    let answer = ClientMessageEvent {
                        window: self.root,
                        ..*event
                    };
                    self.tell_root(connection, answer)?;
                }
                return Ok(data[0] == self.atoms.WM_DELETE_WINDOW);
            }
            Event::DestroyNotify(event) => return Ok(event.window == self.id),
            _ => (),
        }
        Ok(false)
    }

    /// Fills the screen, or stops.
    pub fn fill_screen(
        &mut self,
        connection: &RustConnection,
        is_wanted: bool,
    ) -> Result<(), X11Error> {
        if self.has_manager(connection)? {
            let Atoms {
                _NET_WM_STATE,
                _NET_WM_STATE_FULLSCREEN,
                ..
            } = self.atoms;
            // From an application, and about one state.
            let data = [is_wanted.into(), _NET_WM_STATE_FULLSCREEN, 0, 1, 0];
            let request = ClientMessageEvent::new(32, self.id, _NET_WM_STATE, data);
            return self.tell_root(connection, request);
        }
        let [width, height] = self.size.map(|side| side as i32);
        let wanted = if is_wanted {
            self.before = Some([self.place[0], self.place[1], width, height]);
            self.screen_rectangle(connection)
        } else {
            self.before.take().unwrap_or([0, 0, width, height])
        };
        self.move_to(connection, wanted)
    }

    /// Shows the pointer, or hides it, over the window.
    pub fn show_cursor(&self, connection: &RustConnection, is_shown: bool) -> Result<(), X11Error> {
        let cursor = if is_shown { 0 } else { self.no_cursor };
        let change = xproto::ChangeWindowAttributesAux::new().cursor(cursor);
        connection.change_window_attributes(self.id, &change)?;
        Ok(())
    }

    /// Fills the screen as soon as it is mapped.
    fn fill_screen_from_start(&mut self, connection: &RustConnection) -> Result<(), X11Error> {
        if self.has_manager(connection)? {
            connection.change_property32(
                PropMode::REPLACE,
                self.id,
                self.atoms._NET_WM_STATE,
                AtomEnum::ATOM,
                &[self.atoms._NET_WM_STATE_FULLSCREEN],
            )?;
            return Ok(());
        }
        self.fill_screen(connection, true)
    }

    fn move_to(
        &mut self,
        connection: &RustConnection,
        [x, y, width, height]: [i32; 4],
    ) -> Result<(), X11Error> {
        self.size = [width as u32, height as u32];
        let place = ConfigureWindowAux::new()
            .x(x)
            .y(y)
            .width(self.size[0])
            .height(self.size[1]);
        connection.configure_window(self.id, &place)?;
        Ok(())
    }

    fn screen_rectangle(&self, connection: &RustConnection) -> [i32; 4] {
        let screen = &connection.setup().roots[self.screen];
        let size = connection
            .get_geometry(self.root)
            .ok()
            .and_then(|cookie| cookie.reply().ok())
            .map_or(
                [screen.width_in_pixels, screen.height_in_pixels],
                |geometry| [geometry.width, geometry.height],
            );
        [0, 0, size[0].into(), size[1].into()]
    }

    fn has_manager(&self, connection: &RustConnection) -> Result<bool, X11Error> {
        let manager = values(connection, self.root, self.atoms._NET_SUPPORTING_WM_CHECK)?;
        Ok(!manager.is_empty())
    }

    fn tell_root(
        &self,
        connection: &RustConnection,
        message: ClientMessageEvent,
    ) -> Result<(), X11Error> {
        let mask = EventMask::SUBSTRUCTURE_NOTIFY | EventMask::SUBSTRUCTURE_REDIRECT;
        connection.send_event(false, self.root, mask, message)?;
        Ok(())
    }

    /// Tells window managers what the window is.
    fn introduce(&self, connection: &RustConnection) -> Result<(), X11Error> {
        let atoms = &self.atoms;
        let replace = |property, kind, value: &[u8]| {
            connection.change_property8(PropMode::REPLACE, self.id, property, kind, value)
        };
        replace(
            AtomEnum::WM_NAME.into(),
            AtomEnum::STRING.into(),
            TITLE.as_bytes(),
        )?;
        replace(atoms._NET_WM_NAME, atoms.UTF8_STRING, TITLE.as_bytes())?;
        let class = format!("{CLASS}\0{CLASS}\0");
        replace(
            AtomEnum::WM_CLASS.into(),
            AtomEnum::STRING.into(),
            class.as_bytes(),
        )?;
        let host = rustix::system::uname();
        replace(
            AtomEnum::WM_CLIENT_MACHINE.into(),
            AtomEnum::STRING.into(),
            host.nodename().to_bytes(),
        )?;
        connection.change_property32(
            PropMode::REPLACE,
            self.id,
            atoms._NET_WM_PID,
            AtomEnum::CARDINAL,
            &[std::process::id()],
        )?;
        connection.change_property32(
            PropMode::REPLACE,
            self.id,
            atoms.WM_PROTOCOLS,
            AtomEnum::ATOM,
            &[atoms.WM_DELETE_WINDOW, atoms._NET_WM_PING],
        )?;
        WmSizeHints {
            min_size: Some((1, 1)),
            ..WmSizeHints::new()
        }
        .set_normal_hints(connection, self.id)?;
        Ok(())
    }
}

/// A visual whose pixels are bytes of blue, green, red and nothing, and its depth: the screen's own where it is one.
fn visual(connection: &RustConnection, screen: &Screen) -> Result<(u32, u8), X11Error> {
    const RED: u32 = 0xff_0000;
    const GREEN: u32 = 0xff00;
    const BLUE: u32 = 0xff;
    const DEPTH: u8 = 24;
    let setup = connection.setup();
    let has_bytes = setup.image_byte_order == xproto::ImageOrder::LSB_FIRST
        && setup
            .pixmap_formats
            .iter()
            .any(|format| format.depth == DEPTH && format.bits_per_pixel == 32);
    let found = screen
        .allowed_depths
        .iter()
        .filter(|depth| depth.depth == DEPTH && has_bytes)
        .flat_map(|depth| &depth.visuals)
        .filter(|visual| {
            visual.class == VisualClass::TRUE_COLOR
                && (visual.red_mask, visual.green_mask, visual.blue_mask) == (RED, GREEN, BLUE)
        });
    let best = found.min_by_key(|visual| visual.visual_id != screen.root_visual);
    best.map(|visual| (visual.visual_id, DEPTH))
        .ok_or(X11Error::NoVisual)
}

/// Asks for the window, of the color of the deep until the first frame.
fn create(
    connection: &RustConnection,
    screen: &Screen,
    id: xproto::Window,
    (visual, depth): (u32, u8),
    [width, height]: [u32; 2],
    [red, green, blue]: [u8; 3],
) -> Result<(), X11Error> {
    let colors = connection.generate_id()?;
    connection.create_colormap(ColormapAlloc::NONE, colors, screen.root, visual)?;
    let events = EventMask::EXPOSURE
        | EventMask::STRUCTURE_NOTIFY
        | EventMask::VISIBILITY_CHANGE
        | EventMask::PROPERTY_CHANGE
        | EventMask::KEY_PRESS
        | EventMask::KEY_RELEASE
        | EventMask::BUTTON_PRESS
        | EventMask::POINTER_MOTION
        | EventMask::ENTER_WINDOW
        | EventMask::LEAVE_WINDOW;
    let attributes = CreateWindowAux::new()
        .background_pixel(u32::from_be_bytes([0, red, green, blue]))
        .border_pixel(0)
        // What is there stays where it is while the window is being resized.
        .bit_gravity(Gravity::NORTH_WEST)
        .event_mask(events)
        .colormap(colors);
    connection.create_window(
        depth,
        id,
        screen.root,
        0,
        0,
        width as u16,
        height as u16,
        0,
        WindowClass::INPUT_OUTPUT,
        visual,
        &attributes,
    )?;
    // Where the density of the screen is said.
    let watch = xproto::ChangeWindowAttributesAux::new().event_mask(EventMask::PROPERTY_CHANGE);
    connection.change_window_attributes(screen.root, &watch)?;
    Ok(())
}

/// A cursor of one px that is not there.
fn no_cursor(
    connection: &RustConnection,
    window: xproto::Window,
) -> Result<xproto::Cursor, X11Error> {
    let (shape, cursor) = (connection.generate_id()?, connection.generate_id()?);
    connection.create_pixmap(1, shape, window, 1, 1)?;
    let drawing = connection.generate_id()?;
    connection.create_gc(drawing, shape, &xproto::CreateGCAux::new().foreground(0))?;
    let dot = xproto::Rectangle {
        x: 0,
        y: 0,
        width: 1,
        height: 1,
    };
    connection.poly_fill_rectangle(shape, drawing, &[dot])?;
    connection.create_cursor(cursor, shape, shape, 0, 0, 0, 0, 0, 0, 0, 0)?;
    connection.free_gc(drawing)?;
    connection.free_pixmap(shape)?;
    Ok(cursor)
}
