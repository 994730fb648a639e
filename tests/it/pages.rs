//! What the program writes about itself: completions, the manual page, and the page for bug reports.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::commands::{fail, folder, succeed};

/// Whether a program that a test needs is there. Under CI it has to be.
fn is_there(program: &str) -> bool {
    let found = Command::new(program)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok();
    assert!(
        found || !crate::support::must_not_skip(),
        "{program} is missing under CI"
    );
    found
}

#[test]
fn bash_takes_the_completions() {
    if !is_there("bash") {
        return;
    }
    let folder = folder();
    let script = succeed(folder.path(), "completions bash");
    std::fs::write(folder.path().join("script"), script).unwrap();
    let ask = "source ./script && COMP_WORDS=(eddyline render --noi) COMP_CWORD=2 \
        && _eddyline eddyline --noi render && echo \"${COMPREPLY[@]}\"";
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
    for line in [&["man"][..], &["completions", "bash"]] {
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
