//! `eddyline doctor`: one page for bug reports.
//!
//! It finds out what it can and says what it cannot: nothing that is missing makes it fail.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::folders::presets_folder;
use crate::host::PROBE;
use crate::host::displays::{Displays, DisplaysError, Monitor};
use crate::host::probe::{ProbeError, Renderer, choose, probe_apart};
use crate::pool::Pool;
use crate::settings::{Parameter, Settings};
use crate::simd::{self, Level};

/// What the program would be started with.
#[derive(Debug)]
pub struct Options {
    /// The look.
    pub settings: Settings,
    /// 0 for one per processor.
    pub threads: usize,
    /// The level of the kernels.
    pub level: Level,
}

/// A line of the page: a name, and what is to be said about it.
type Row = (&'static str, String);

/// Prints the page.
///
/// # Errors
///
/// When stdout cannot be written.
pub fn run(options: &Options) -> anyhow::Result<()> {
    let displays = Displays::find();
    let found = probe_apart(PROBE);
    let mut rows = vec![("version", version())];
    rows.extend(display_rows(&displays));
    rows.extend(renderer_rows(&found));
    rows.push(("canvas", canvas(&options.settings, &found)));
    rows.extend(processor_rows(options));
    rows.push(("presets", presets(presets_folder())));
    rows.push(("ffmpeg", ffmpeg(&env::var_os("PATH").unwrap_or_default())));
    io::stdout()
        .write_all(page(&rows).as_bytes())
        .context("stdout")
}

/// The rows with their values one below the other, each on one line.
fn page(rows: &[Row]) -> String {
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    rows.iter()
        .map(|(name, value)| format!("{name:width$}  {}\n", super::one_line(value)))
        .collect()
}

fn version() -> String {
    let (version, system, processor) = (
        env!("CARGO_PKG_VERSION"),
        env::consts::OS,
        env::consts::ARCH,
    );
    format!("eddyline {version} for {system} on {processor}")
}

fn display_rows(displays: &Result<Displays, DisplaysError>) -> Vec<Row> {
    let displays = match displays {
        Ok(displays) => displays,
        Err(error) => return vec![("display", error.to_string())],
    };
    let name = |variable| env::var(variable).unwrap_or_default();
    let beside = match name("WAYLAND_DISPLAY") {
        wayland if wayland.is_empty() => String::new(),
        wayland => format!("; Wayland too, at {wayland}"),
    };
    vec![
        (
            "display",
            format!("X11 at {} ({}){beside}", name("DISPLAY"), displays.server),
        ),
        ("monitors", monitors(&displays.monitors)),
        ("scale", scale(displays.scale(), displays.dpi)),
    ]
}

fn monitors(monitors: &[Monitor]) -> String {
    let texts: Vec<String> = monitors
        .iter()
        .map(|monitor| {
            let ([width, height], [left, top]) = (monitor.size, monitor.place);
            format!("{} {width}x{height} at {left},{top}", monitor.name)
        })
        .collect();
    texts.join("; ")
}

fn scale(scale: f64, dpi: Option<f64>) -> String {
    match dpi {
        Some(dpi) => format!("{scale} (Xft.dpi is {dpi})"),
        None => format!("{scale} (Xft.dpi is not set)"),
    }
}

fn renderer_rows(found: &Result<Renderer, ProbeError>) -> Vec<Row> {
    let renderer = match found {
        Ok(renderer) => renderer,
        Err(error) => return vec![("GL", format!("not known: {error}"))],
    };
    let yes = |is_so| if is_so { "yes" } else { "no" };
    vec![
        ("GL vendor", renderer.vendor.clone()),
        ("GL renderer", renderer.renderer.clone()),
        (
            "GL version",
            format!("{} (asked by EGL, {})", renderer.version, renderer.platform),
        ),
        (
            "float targets",
            format!(
                "16-bit {}, 32-bit {}",
                yes(renderer.half_targets),
                yes(renderer.single_targets)
            ),
        ),
        ("instancing", yes(renderer.instancing).to_owned()),
    ]
}

/// Which canvas a window gets, and why.
fn canvas(settings: &Settings, found: &Result<Renderer, ProbeError>) -> String {
    let asked = settings.canvas();
    let (chosen, why) = choose(asked, found);
    format!("{} for {} ({why})", chosen.to_value(), asked.to_value())
}

fn processor_rows(options: &Options) -> [Row; 2] {
    let levels: Vec<&str> = simd::available().map(Level::name).collect();
    let threads = match Pool::new(options.threads) {
        Ok(pool) => pool.threads().to_string(),
        Err(error) => error.to_string(),
    };
    [
        (
            "kernel",
            format!("{} of {}", options.level.name(), levels.join(", ")),
        ),
        ("threads", threads),
    ]
}

/// Where presets of the user's own are looked for, and how many are there.
fn presets(folder: Option<PathBuf>) -> String {
    let Some(folder) = folder else {
        return "no folder: neither XDG_CONFIG_HOME nor HOME is a path".to_owned();
    };
    let count = fs::read_dir(&folder).map(|entries| {
        entries
            .flatten()
            .filter(|entry| entry.path().extension() == Some(OsStr::new("toml")))
            .count()
    });
    match count {
        Ok(1) => format!("{} (1 preset)", folder.display()),
        Ok(count) => format!("{} ({count} presets)", folder.display()),
        Err(error) => format!("{} ({error})", folder.display()),
    }
}

fn ffmpeg(search: &OsStr) -> String {
    env::split_paths(search)
        .map(|folder| folder.join("ffmpeg"))
        .find(|file| is_program(file))
        .map_or_else(|| "not found".to_owned(), |file| file.display().to_string())
}

/// Whether a path is a file that somebody may run.
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path)
        .is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::host::probe::Platform;
    use crate::settings::setting;

    fn renderer() -> Renderer {
        Renderer {
            platform: Platform::X11,
            vendor: "Mesa".to_owned(),
            renderer: "llvmpipe".to_owned(),
            version: "4.5".to_owned(),
            half_targets: true,
            single_targets: false,
            instancing: true,
        }
    }

    #[test]
    fn values_stand_one_below_the_other_on_one_line_each() {
        let rows = [
            ("a", "one".to_owned()),
            ("abc", "t\nw\u{1b}[1mo".to_owned()),
        ];
        assert_eq!(page(&rows), "a    one\nabc  t\u{fffd}w\u{fffd}[1mo\n");
    }

    #[test]
    fn what_was_found_is_said_and_what_was_not_too() {
        let rows = renderer_rows(&Ok(renderer()));
        let value = |name| &rows.iter().find(|row| row.0 == name).unwrap().1;
        assert_eq!(value("GL renderer"), "llvmpipe");
        assert_eq!(value("GL version"), "4.5 (asked by EGL, X11)");
        assert_eq!(value("float targets"), "16-bit yes, 32-bit no");
        assert_eq!(value("instancing"), "yes");
        let rows = renderer_rows(&Err(ProbeError::NoLibrary));
        assert!(rows.len() == 1 && rows[0].1.contains("libgl1"), "{rows:?}");
        let rows = display_rows(&Err(DisplaysError::WaylandOnly("wayland-0".to_owned())));
        assert!(rows.len() == 1 && rows[0].1.starts_with("Wayland at wayland-0"));
    }

    #[test]
    fn the_canvas_is_named_with_its_reason() {
        let mut settings = Settings::default();
        let found = Ok(renderer());
        assert_eq!(
            canvas(&settings, &found),
            "cpu for auto (no graphics hardware: llvmpipe)"
        );
        let row = setting("canvas").unwrap();
        row.set(&mut settings, row.parse("gpu").unwrap());
        assert_eq!(canvas(&settings, &found), "gpu for gpu (as asked for)");
    }

    #[test]
    fn monitors_and_scale_are_said() {
        let monitor = |name: &str, left| Monitor {
            name: name.to_owned(),
            size: [1920, 1080],
            place: [left, 0],
        };
        assert_eq!(
            monitors(&[monitor("HDMI-1", 0), monitor("DP-2", -1920)]),
            "HDMI-1 1920x1080 at 0,0; DP-2 1920x1080 at -1920,0"
        );
        assert_eq!(scale(1.5, Some(144.0)), "1.5 (Xft.dpi is 144)");
        assert_eq!(scale(1.0, None), "1 (Xft.dpi is not set)");
    }

    #[test]
    fn only_a_file_that_runs_is_ffmpeg() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["empty", "folder/ffmpeg", "text", "program"] {
            fs::create_dir_all(at(name)).unwrap();
        }
        let search = env::join_paths(["empty", "folder", "text", "program"].map(at)).unwrap();
        fs::write(at("text/ffmpeg"), "").unwrap();
        assert_eq!(ffmpeg(&search), "not found");
        fs::write(at("program/ffmpeg"), "").unwrap();
        fs::set_permissions(at("program/ffmpeg"), fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(ffmpeg(&search), at("program/ffmpeg").display().to_string());
        assert_eq!(ffmpeg(OsStr::new("")), "not found");
    }

    #[test]
    fn presets_are_counted() {
        let folder = tempfile::tempdir().unwrap();
        let says = || presets(Some(folder.path().to_owned()));
        assert!(says().ends_with(" (0 presets)"), "{}", says());
        for name in ["a.toml", "b.txt", "toml"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        assert!(says().ends_with(" (1 preset)"), "{}", says());
        let nowhere = presets(Some(folder.path().join("none")));
        assert!(nowhere.contains("none (No such file"), "{nowhere}");
        assert!(presets(None).starts_with("no folder"));
    }
}
