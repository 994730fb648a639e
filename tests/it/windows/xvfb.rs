//! A display of its own for each test, and what a test does to it.

use std::cell::Cell;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    AtomEnum, ConnectionExt, CreateWindowAux, InputFocus, MOTION_NOTIFY_EVENT, MapState, PropMode,
    WindowClass,
};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

use self::keyboard::Keyboard;
use self::permit::Permit;
use self::said::Said;
use crate::support::is_there;

mod keyboard;
mod permit;
mod program;
mod said;
mod screenshot;

pub use program::Program;
pub use screenshot::Screenshot;

/// How long anything may take, on the busiest machine: what takes longer hangs.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// How often the X server is asked for what it does not report.
const ASKING: Duration = Duration::from_millis(5);

/// The usual screen.
const SCREEN: &str = "1280x720x24";

/// Flags that a test leaves as they are, unless it is about them. A busy machine shows as many particles as any other, it is
/// not to paint more than a test looks at, and notices do not stay until a test has slept.
const USUAL: [(&str, &str); 3] = [
    ("--budget", "off"),
    ("--preset", "brook"),
    ("--test-notice", "100ms"),
];

/// An X server without a screen.
pub struct Display {
    server: Child,
    manager: Option<Child>,
    name: String,
    connection: RustConnection,
    keyboard: Keyboard,
    /// The user's configuration folder.
    configuration: tempfile::TempDir,
    /// Given back last, when the server has gone.
    _permit: Permit,
}

/// Waits until something is so that nobody reports.
///
/// # Panics
///
/// When that takes too long.
pub fn wait_for<R>(what: &str, mut found: impl FnMut() -> Option<R>) -> R {
    let begin = Instant::now();
    loop {
        if let Some(result) = found() {
            return result;
        }
        assert!(begin.elapsed() < PATIENCE, "waited too long for {what}");
        sleep(ASKING);
    }
}

impl Display {
    /// A display of 1280x720 px; nothing where there is no Xvfb.
    pub fn start() -> Option<Display> {
        Display::start_with(&[SCREEN])
    }

    /// The same under a window manager; nothing where there is none.
    pub fn start_managed() -> Option<Display> {
        if !is_there("Xvfb") || !is_there("openbox") {
            return None;
        }
        let mut display = Display::start_server(&[SCREEN]);
        let manager = Command::new("openbox")
            .env("DISPLAY", &display.name)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        display.manager = Some(manager);
        let atom = display.atom("_NET_SUPPORTING_WM_CHECK");
        wait_for("a window manager", || {
            let root = display.root();
            let request = display
                .connection
                .get_property(false, root, atom, 33_u32, 0, 1);
            (request.unwrap().reply().unwrap().value_len > 0).then_some(())
        });
        Some(display)
    }

    /// A display with other arguments for its server; nothing where there is no Xvfb.
    pub fn start_with(arguments: &[&str]) -> Option<Display> {
        is_there("Xvfb").then(|| Display::start_server(arguments))
    }

    fn start_server(arguments: &[&str]) -> Display {
        let permit = Permit::take();
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-nolisten", "tcp", "-screen", "0"])
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut number = String::new();
        BufReader::new(server.stdout.as_mut().unwrap())
            .read_line(&mut number)
            .unwrap();
        let name = format!(":{}", number.trim());
        let (connection, _) = x11rb::connect(Some(&name)).unwrap();
        Display {
            server,
            manager: None,
            name,
            keyboard: Keyboard::new(&connection),
            connection,
            configuration: tempfile::tempdir().unwrap(),
            _permit: permit,
        }
    }

    fn root(&self) -> u32 {
        self.connection.setup().roots[0].root
    }

    fn atom(&self, name: &str) -> u32 {
        let request = self.connection.intern_atom(false, name.as_bytes());
        request.unwrap().reply().unwrap().atom
    }

    /// The value of DISPLAY for this server.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Does several requests while the server listens to nobody else: they find the same windows in the same places. The
    /// work must not wait for another program.
    fn undisturbed<R>(&self, work: impl FnOnce(&RustConnection) -> R) -> R {
        self.connection.grab_server().unwrap();
        let result = work(&self.connection);
        let ungrabbed = self.connection.ungrab_server().unwrap();
        ungrabbed.check().unwrap();
        result
    }

    /// Starts the program; what it says goes to `stderr`.
    pub fn launch(&self, arguments: &[&str], stderr: Stdio) -> Program<'_> {
        self.launch_under(&[], arguments, stderr)
    }

    /// The same with these variables.
    pub fn launch_under(
        &self,
        variables: &[(&str, &str)],
        arguments: &[&str],
        stderr: Stdio,
    ) -> Program<'_> {
        let usual = USUAL.iter().filter(|(flag, _)| !arguments.contains(flag));
        let usual = usual.flat_map(|&(flag, value)| [flag, value]);
        let mut child = Command::new(env!("CARGO_BIN_EXE_eddyline"))
            .arg("--test-log")
            .args(usual)
            .args(arguments)
            .env("DISPLAY", &self.name)
            .env_remove("WAYLAND_DISPLAY")
            .env("XDG_CONFIG_HOME", self.configuration.path())
            .envs(variables.iter().copied())
            .stdout(Stdio::piped())
            .stderr(stderr)
            .spawn()
            .unwrap();
        Program {
            display: self,
            said: Said::listen(child.stdout.take().unwrap()),
            child,
            window: Cell::new(0),
        }
    }

    /// Starts the program, waits for its first picture and gives it the keyboard.
    pub fn run(&self, arguments: &[&str]) -> Program<'_> {
        self.run_under(&[], arguments)
    }

    /// The same with these variables.
    pub fn run_under(&self, variables: &[(&str, &str)], arguments: &[&str]) -> Program<'_> {
        let program = self.launch_under(variables, arguments, Stdio::inherit());
        assert_eq!(program.line_beginning("READY"), "READY");
        program.window.set(self.find_window());
        self.focus(program.window.get());
        program
    }

    /// Says by the desktop's resources how dense the screen is.
    pub fn set_density(&self, dots_per_inch: u32) {
        let text = format!("Xft.dpi:\t{dots_per_inch}\n");
        self.connection
            .change_property8(
                PropMode::REPLACE,
                self.root(),
                AtomEnum::RESOURCE_MANAGER,
                AtomEnum::STRING,
                text.as_bytes(),
            )
            .unwrap()
            .check()
            .unwrap();
    }

    /// Covers the whole screen with a window of its own; it goes when the returned number is given to
    /// [`Display::uncover`].
    pub fn cover(&self) -> u32 {
        let window = self.connection.generate_id().unwrap();
        let attributes = CreateWindowAux::new()
            .override_redirect(1)
            .background_pixel(0);
        let root = self.root();
        self.connection
            .create_window(
                0,
                window,
                root,
                0,
                0,
                1280,
                720,
                0,
                WindowClass::INPUT_OUTPUT,
                0,
                &attributes,
            )
            .unwrap();
        self.connection.map_window(window).unwrap().check().unwrap();
        window
    }

    /// Takes a cover away.
    pub fn uncover(&self, window: u32) {
        self.connection
            .destroy_window(window)
            .unwrap()
            .check()
            .unwrap();
    }

    /// Destroys the program's window, as only a rude program does.
    pub fn destroy_window(&self) {
        let window = self.find_window();
        let connection = &self.connection;
        connection.destroy_window(window).unwrap().check().unwrap();
    }

    /// Moves the pointer to a place on the screen.
    pub fn point(&self, [x, y]: [i16; 2]) {
        let (time, root) = (x11rb::CURRENT_TIME, self.root());
        self.connection
            .xtest_fake_input(MOTION_NOTIFY_EVENT, 0, time, root, x, y, 0)
            .unwrap()
            .check()
            .unwrap();
    }

    /// Ends the X server as a crash would.
    pub fn crash(&self) {
        kill("KILL", &self.server);
    }

    /// Gives a window the keyboard, once it can be seen: a window manager may still be busy with it.
    fn focus(&self, window: u32) {
        wait_for("a window that takes the keyboard", || {
            self.undisturbed(|connection| {
                let attributes = connection.get_window_attributes(window).unwrap();
                if attributes.reply().ok()?.map_state != MapState::VIEWABLE {
                    return None;
                }
                let (focus, time) = (InputFocus::PARENT, x11rb::CURRENT_TIME);
                let asked = connection.set_input_focus(focus, window, time);
                asked.unwrap().check().ok()
            })
        });
    }

    /// The window of the program's class.
    fn find_window(&self) -> u32 {
        wait_for("a window of class eddyline", || {
            self.undisturbed(|connection| {
                let mut windows = vec![self.root()];
                while let Some(window) = windows.pop() {
                    let class = connection.get_property(false, window, 67_u32, 31_u32, 0, 100);
                    let class = class.unwrap().reply().unwrap().value;
                    if class.windows(9).any(|name| name == b"eddyline\0") {
                        return Some(window);
                    }
                    let tree = connection.query_tree(window).unwrap().reply().unwrap();
                    windows.extend(tree.children);
                }
                None
            })
        })
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        for child in self.manager.iter_mut().chain([&mut self.server]) {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Sends a signal, by the shell's own command: a minimal Debian has no program for it.
fn kill(signal: &str, child: &Child) {
    let line = format!("kill -s {signal} {}", child.id());
    assert!(
        Command::new("sh")
            .args(["-c", &line])
            .status()
            .unwrap()
            .success()
    );
}

/// Runs the program with these variables, where it cannot show anything; returns its exit code and what it said.
pub fn run_in_vain(variables: &[(&str, &str)]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_eddyline"));
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    command.envs(variables.iter().copied());
    let output = command.output().unwrap();
    (
        output.status.code(),
        String::from_utf8(output.stderr).unwrap(),
    )
}
