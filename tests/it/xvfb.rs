//! A display of its own for each test, the program in a window on it, and keyboard and eyes for it.

use std::collections::{HashMap, HashSet};
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread::sleep;
use std::time::{Duration, Instant};

use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    AtomEnum, BUTTON_PRESS_EVENT, BUTTON_RELEASE_EVENT, ClientMessageEvent, ConfigureWindowAux,
    ConnectionExt, CreateWindowAux, EventMask, ImageFormat, InputFocus, KEY_PRESS_EVENT,
    KEY_RELEASE_EVENT, MOTION_NOTIFY_EVENT, PropMode, WindowClass,
};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

use crate::support::is_there;

/// How long anything may take on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// The usual screen.
const SCREEN: &str = "1280x720x24";

/// An X server without a screen.
pub struct Display {
    server: Child,
    manager: Option<Child>,
    name: String,
    connection: RustConnection,
    /// Keysym to key.
    keys: HashMap<u32, u8>,
    /// The user's configuration folder.
    configuration: tempfile::TempDir,
}

/// The running program.
pub struct Program<'a> {
    display: &'a Display,
    child: Child,
    lines: Receiver<String>,
    window: u32,
    /// From the start to the first picture.
    pub time_to_ready: Duration,
}

/// What the window shows: BGRX, row by row.
pub struct Screenshot {
    /// In px.
    pub width: usize,
    /// In px.
    pub height: usize,
    pixels: Vec<u8>,
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
        display.wait_for(|display| {
            let root = display.root();
            let request = display
                .connection
                .get_property(false, root, atom, 33_u32, 0, 1);
            request.unwrap().reply().unwrap().value_len > 0
        });
        Some(display)
    }

    /// A display with other arguments for its server; nothing where there is no Xvfb.
    pub fn start_with(arguments: &[&str]) -> Option<Display> {
        is_there("Xvfb").then(|| Display::start_server(arguments))
    }

    fn start_server(arguments: &[&str]) -> Display {
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
        let mut display = Display {
            server,
            manager: None,
            name,
            connection,
            keys: HashMap::new(),
            configuration: tempfile::tempdir().unwrap(),
        };
        display.learn_keys();
        display
    }

    fn learn_keys(&mut self) {
        let setup = self.connection.setup();
        let (first, last) = (setup.min_keycode, setup.max_keycode);
        let mapping = self
            .connection
            .get_keyboard_mapping(first, last - first + 1);
        let mapping = mapping.unwrap().reply().unwrap();
        let per_key = usize::from(mapping.keysyms_per_keycode);
        for (code, keysyms) in (first..=last).zip(mapping.keysyms.chunks(per_key)) {
            // Without shift.
            self.keys.entry(keysyms[0]).or_insert(code);
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

    fn wait_for(&self, is_so: impl Fn(&Display) -> bool) {
        let begin = Instant::now();
        while !is_so(self) {
            assert!(begin.elapsed() < PATIENCE, "nothing happened");
            sleep(Duration::from_millis(10));
        }
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
        // A machine that runs all tests at once would show what it can; and it is not to paint more than a test looks at.
        let usual = [("--budget", "off"), ("--preset", "brook")];
        let usual = usual.iter().filter(|(flag, _)| !arguments.contains(flag));
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
        let (sender, lines) = channel();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Program {
            display: self,
            child,
            lines,
            window: 0,
            time_to_ready: Duration::ZERO,
        }
    }

    /// Starts the program, waits for its first picture and gives it the keyboard.
    pub fn run(&self, arguments: &[&str]) -> Program<'_> {
        self.run_under(&[], arguments)
    }

    /// The same with these variables.
    pub fn run_under(&self, variables: &[(&str, &str)], arguments: &[&str]) -> Program<'_> {
        let begin = Instant::now();
        let mut program = self.launch_under(variables, arguments, Stdio::inherit());
        assert_eq!(program.line(), "READY");
        program.time_to_ready = begin.elapsed();
        program.window = self.find_window().expect("a window of class eddyline");
        self.focus(program.window);
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
        let window = self.find_window().expect("a window of class eddyline");
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
        self.wait_for(|display| {
            let focus =
                display
                    .connection
                    .set_input_focus(InputFocus::PARENT, window, x11rb::CURRENT_TIME);
            focus.unwrap().check().is_ok()
        });
    }

    fn find_window(&self) -> Option<u32> {
        let mut windows = vec![self.root()];
        while let Some(window) = windows.pop() {
            let class = self
                .connection
                .get_property(false, window, 67_u32, 31_u32, 0, 100);
            let class = class.unwrap().reply().unwrap().value;
            if class.windows(9).any(|name| name == b"eddyline\0") {
                return Some(window);
            }
            windows.extend(
                self.connection
                    .query_tree(window)
                    .unwrap()
                    .reply()
                    .unwrap()
                    .children,
            );
        }
        None
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

impl Program<'_> {
    /// The next line that the program prints.
    pub fn line(&self) -> String {
        self.lines
            .recv_timeout(PATIENCE)
            .expect("a line from the program")
    }

    /// Lines up to one that begins like this; returns it.
    pub fn line_beginning(&self, beginning: &str) -> String {
        loop {
            let line = self.line();
            if line.starts_with(beginning) {
                return line;
            }
        }
    }

    /// The lines so far.
    pub fn lines(&self) -> Vec<String> {
        self.lines.try_iter().collect()
    }

    /// Presses and releases the key with this keysym; characters are their own.
    pub fn press(&self, keysym: u32) {
        self.hold(keysym, Duration::ZERO);
    }

    /// Holds a key down for a while.
    pub fn hold(&self, keysym: u32, time: Duration) {
        self.key(KEY_PRESS_EVENT, keysym);
        sleep(time);
        self.key(KEY_RELEASE_EVENT, keysym);
    }

    /// Presses a key while another is held down.
    pub fn press_with(&self, modifier: u32, keysym: u32) {
        self.key(KEY_PRESS_EVENT, modifier);
        self.press(keysym);
        self.key(KEY_RELEASE_EVENT, modifier);
    }

    fn key(&self, kind: u8, keysym: u32) {
        let key = self.display.keys[&keysym];
        let connection = &self.display.connection;
        connection
            .xtest_fake_input(kind, key, x11rb::CURRENT_TIME, self.display.root(), 0, 0, 0)
            .unwrap()
            .check()
            .unwrap();
    }

    /// Asks the window to close, as its frame's button does.
    pub fn close(&self) {
        let [protocols, delete] =
            ["WM_PROTOCOLS", "WM_DELETE_WINDOW"].map(|name| self.display.atom(name));
        let event = ClientMessageEvent::new(32, self.window, protocols, [delete, 0, 0, 0, 0]);
        self.display
            .connection
            .send_event(false, self.window, EventMask::NO_EVENT, event)
            .unwrap()
            .check()
            .unwrap();
    }

    /// Iconifies the window, as its manager's button does.
    pub fn iconify(&self) {
        const ICONIC: u32 = 3;
        let change = self.display.atom("WM_CHANGE_STATE");
        let event = ClientMessageEvent::new(32, self.window, change, [ICONIC, 0, 0, 0, 0]);
        let root = self.display.root();
        let mask = EventMask::SUBSTRUCTURE_REDIRECT | EventMask::SUBSTRUCTURE_NOTIFY;
        let connection = &self.display.connection;
        connection
            .send_event(false, root, mask, event)
            .unwrap()
            .check()
            .unwrap();
    }

    /// Shows the window again.
    pub fn restore(&self) {
        let connection = &self.display.connection;
        connection.map_window(self.window).unwrap().check().unwrap();
    }

    /// Presses and releases a button of the pointer; 4 and 5 are the wheel.
    pub fn click(&self, button: u8) {
        let connection = &self.display.connection;
        for kind in [BUTTON_PRESS_EVENT, BUTTON_RELEASE_EVENT] {
            let root = self.display.root();
            connection
                .xtest_fake_input(kind, button, x11rb::CURRENT_TIME, root, 0, 0, 0)
                .unwrap()
                .check()
                .unwrap();
        }
    }

    /// Whether the program has not ended.
    pub fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// Moves the pointer to a place in the window.
    pub fn point(&self, [x, y]: [i16; 2]) {
        let connection = &self.display.connection;
        let root = self.display.root();
        let place = connection.translate_coordinates(self.window, root, x, y);
        let place = place.unwrap().reply().unwrap();
        self.display.point([place.dst_x, place.dst_y]);
    }

    /// A value of its row in `/proc/PID/status`, in KiB.
    pub fn memory(&self, name: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    }

    /// Processor time so far, in hundredths of a second.
    pub fn processor_time(&self) -> u64 {
        let line = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap();
        let (_, rest) = line.rsplit_once(')').unwrap();
        let fields: Vec<&str> = rest.split_whitespace().collect();
        fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
    }

    /// Sends a signal by its name.
    pub fn signal(&self, name: &str) {
        kill(name, &self.child);
    }

    /// Changes the size of the window.
    pub fn resize(&self, [width, height]: [u32; 2]) {
        let size = ConfigureWindowAux::new().width(width).height(height);
        let connection = &self.display.connection;
        connection
            .configure_window(self.window, &size)
            .unwrap()
            .check()
            .unwrap();
    }

    /// The size of the window.
    pub fn size(&self) -> [u32; 2] {
        let geometry = self
            .display
            .connection
            .get_geometry(self.window)
            .unwrap()
            .reply()
            .unwrap();
        [geometry.width.into(), geometry.height.into()]
    }

    /// What the window shows after a few more frames.
    pub fn look(&self) -> Screenshot {
        sleep(Duration::from_millis(150));
        let [width, height] = self.size().map(|side| side as u16);
        let connection = &self.display.connection;
        let image = connection
            .get_image(ImageFormat::Z_PIXMAP, self.window, 0, 0, width, height, !0)
            .unwrap()
            .reply()
            .unwrap();
        Screenshot {
            width: width.into(),
            height: height.into(),
            pixels: image.data,
        }
    }

    /// Looks until the window shows what is waited for, at most `times`; a busy machine takes its time. What it showed
    /// last, if it never did, is the error.
    pub fn look_until(
        &self,
        times: usize,
        is_so: impl Fn(&Screenshot) -> bool,
    ) -> Result<Screenshot, Screenshot> {
        let mut last = self.look();
        for _ in 1..times {
            if is_so(&last) {
                break;
            }
            last = self.look();
        }
        if is_so(&last) { Ok(last) } else { Err(last) }
    }

    /// Reads a piped stderr to its end.
    pub fn words(&mut self) -> String {
        let mut words = String::new();
        self.child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut words)
            .unwrap();
        words
    }

    /// Waits for the end; returns how it ended and the lines that were left.
    pub fn wait(&mut self) -> (ExitStatus, Vec<String>) {
        let begin = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                let mut lines = Vec::new();
                while let Ok(line) = self.lines.recv_timeout(PATIENCE) {
                    lines.push(line);
                }
                return (status, lines);
            }
            assert!(begin.elapsed() < PATIENCE, "the program does not end");
            sleep(Duration::from_millis(10));
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

impl Drop for Program<'_> {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Screenshot {
    /// Red, green and blue summed over a rectangle from the top left, less `background`.
    pub fn light_in(&self, [width, height]: [usize; 2], background: [u8; 3]) -> [f64; 3] {
        let mut sums = [0.0; 3];
        for y in 0..height.min(self.height) {
            for x in 0..width.min(self.width) {
                let pixel = &self.pixels[(y * self.width + x) * 4..];
                for channel in 0..3 {
                    sums[channel] += f64::from(pixel[2 - channel]) - f64::from(background[channel]);
                }
            }
        }
        sums
    }

    /// Red, green and blue of a pixel.
    pub fn pixel(&self, x: usize, y: usize) -> [u8; 3] {
        let at = (y * self.width + x) * 4;
        [2, 1, 0].map(|channel| self.pixels[at + channel])
    }

    /// How many different pixels of two bytes there are.
    pub fn kinds(&self) -> usize {
        let (pixels, _) = self.pixels.as_chunks::<2>();
        pixels.iter().collect::<HashSet<_>>().len()
    }

    /// Whether both show the same.
    pub fn same(&self, other: &Screenshot) -> bool {
        self.pixels == other.pixels
    }

    /// All light over `background`.
    pub fn light(&self, background: [u8; 3]) -> f64 {
        self.light_in([self.width, self.height], background)
            .iter()
            .sum()
    }
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
