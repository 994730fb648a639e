//! What the program writes about itself: completions, the manual page, and the page for bug reports.

use std::collections::HashMap;
use std::io::Write;
use std::process::{Command, Stdio};

use crate::commands::{fail, folder, succeed};
use crate::support::is_there;

/// Most lines of a terminal that need no scrolling.
const SCREEN: usize = 24;

/// The page for bug reports under these variables, row by row; everything else of the environment is kept.
pub fn doctor(variables: &[(&str, &str)], line: &str) -> HashMap<String, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_eddyline"));
    command
        .arg("doctor")
        .args(line.split_whitespace())
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .envs(variables.iter().copied());
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.lines().count() < SCREEN, "{text}");
    text.lines()
        .map(|line| {
            let (name, value) = line.split_once("  ").unwrap_or_else(|| panic!("{text}"));
            (name.to_owned(), value.trim().to_owned())
        })
        .collect()
}

#[test]
fn the_doctor_needs_no_display() {
    let none = doctor(&[], "");
    assert!(none["version"].contains(env!("CARGO_PKG_VERSION")));
    assert!(none["display"].starts_with("none: "));
    let dead = doctor(&[("DISPLAY", ":6789")], "");
    assert!(dead["display"].starts_with("no answer from the X server at :6789"));
    let wayland = doctor(
        &[("WAYLAND_DISPLAY", "nobody"), ("XDG_RUNTIME_DIR", "/tmp")],
        "",
    );
    assert!(wayland["display"].starts_with("Wayland at nobody"));
    for page in [none, dead, wayland] {
        for name in ["canvas", "kernel", "threads", "presets", "ffmpeg"] {
            assert!(!page[name].is_empty(), "{name}");
        }
    }
}

#[test]
fn the_doctor_says_what_a_start_with_these_flags_would_do() {
    let variables = [
        ("XDG_CONFIG_HOME", "/nowhere"),
        ("PATH", ""),
        // No driver has its description here.
        ("__EGL_VENDOR_LIBRARY_DIRS", "/nowhere"),
    ];
    let page = doctor(&variables, "--canvas cpu --threads 3");
    assert!(page["presets"].starts_with("/nowhere/eddyline/presets ("));
    assert_eq!(page["ffmpeg"], "not found");
    assert_eq!(page["threads"], "3");
    assert_eq!(page["canvas"], "cpu for cpu (as asked for)");
}

#[test]
fn bash_takes_the_completions() {
    if !is_there("bash") {
        return;
    }
    let folder = folder();
    let script = succeed(folder.path(), "completions bash");
    std::fs::write(folder.path().join("script"), script).unwrap();
    let ask = "source ./script && COMP_WORDS=(eddyline render --noise-s) COMP_CWORD=2 \
        && _eddyline eddyline --noise-s render && echo \"${COMPREPLY[@]}\"";
    let output = Command::new("bash")
        .args(["--norc", "-c", ask])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(output.stderr.is_empty(), "{output:?}");
    assert_eq!(output.stdout, b"--noise-scale\n");
}

#[test]
fn an_unknown_shell_is_a_mistake() {
    let folder = folder();
    for line in ["completions", "completions nush", "completions bash zsh"] {
        fail(folder.path(), line, 2);
    }
    assert!(fail(folder.path(), "completions nush", 2).contains("bash"));
}

#[test]
fn the_manual_page_is_one_that_groff_reads() {
    let folder = folder();
    let page = succeed(folder.path(), "man");
    assert!(page.starts_with(b".ie"));
    if !is_there("groff") {
        return;
    }
    let mut reader = Command::new("groff")
        .args(["-man", "-Tutf8", "-k", "-ww", "-P-c", "-P-b", "-P-u"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    reader.stdin.take().unwrap().write_all(&page).unwrap();
    let output = reader.wait_with_output().unwrap();
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{output:?}"
    );
    let text = String::from_utf8(output.stdout).unwrap();
    for line in ["       --noise-scale <VALUE>\n", "   render\n", "NAME\n"] {
        assert!(text.contains(line), "{line}{text}");
    }
}

#[test]
fn nobody_has_to_read_a_page_to_its_end() {
    for line in [&["man"][..], &["completions", "bash"], &["doctor"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_eddyline"))
            .args(line)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert!(
            output.status.success() && output.stderr.is_empty(),
            "{output:?}"
        );
    }
}
