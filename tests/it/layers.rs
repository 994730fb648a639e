//! Who may import whom, as docs/architecture.md says: read from the `use` lines.

use std::fs;
use std::path::{Path, PathBuf};

/// Each module and the modules of this crate that it may name. A module's files below it follow the same rule.
const LAYERS: &[(&str, &[&str])] = &[
    ("hash", &[]),
    ("polynomial", &[]),
    ("dither", &[]),
    ("simd", &[]),
    ("pool", &["simd"]),
    ("palette", &["polynomial"]),
    ("noise", &["hash", "polynomial", "simd"]),
    ("field", &["hash", "noise", "polynomial", "pool", "simd"]),
    (
        "particles",
        &["field", "hash", "noise", "polynomial", "pool"],
    ),
    ("settings", &["palette"]),
    ("timeline", &["settings", "hash", "noise", "polynomial"]),
    (
        "simulation",
        &[
            "field",
            "hash",
            "noise",
            "particles",
            "polynomial",
            "pool",
            "settings",
            "simd",
            "timeline",
        ],
    ),
    ("canvas", &["palette", "polynomial", "simulation"]),
    (
        "canvas/cpu",
        &[
            "canvas",
            "dither",
            "palette",
            "polynomial",
            "pool",
            "simd",
            "simulation",
        ],
    ),
    ("canvas/exposure", &["canvas", "dither", "pool", "simd"]),
    ("canvas/gpu", &["canvas", "dither", "palette", "simulation"]),
    (
        "picture",
        &[
            "canvas",
            "noise",
            "palette",
            "polynomial",
            "pool",
            "settings",
            "simulation",
            "timeline",
        ],
    ),
    ("sheet", &[]),
    (
        "chart",
        &["field", "noise", "palette", "polynomial", "pool", "sheet"],
    ),
    ("take", &["settings", "timeline"]),
    ("record", &["dither", "simd"]),
    ("power", &[]),
    ("input", &["settings"]),
    ("overlay", &["input", "settings", "sheet"]),
    ("host", &["canvas", "input", "overlay", "power", "settings"]),
];

/// Modules that have neither clock, input, output nor anything that can fail or be shared.
const PURE: &[&str] = &[
    "hash",
    "polynomial",
    "dither",
    "palette",
    "noise",
    "field",
    "particles",
    "timeline",
    "simulation",
    "canvas",
    "canvas/cpu",
    "canvas/exposure",
    "picture",
    "sheet",
    "chart",
];

/// What a pure module must not name.
const IMPURE: &[&str] = &[
    "std::time",
    "std::fs",
    "std::io",
    "std::env",
    "std::net",
    "std::process",
    "static mut",
    "thread_local",
    "println!",
    "eprintln!",
    "Instant",
    "unsafe",
];

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// Name without its ending, text less its tests, of every source file.
fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    files(&root, &mut found);
    found
        .into_iter()
        .map(|path| {
            let name = path
                .strip_prefix(&root)
                .unwrap()
                .with_extension("")
                .to_string_lossy()
                .into_owned();
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap().to_owned();
            (name, code)
        })
        .filter(|(name, _)| !name.ends_with("tests"))
        .collect()
}

/// The rule for a file: that of the longest module name that it lies in.
fn rule(name: &str) -> Option<&'static (&'static str, &'static [&'static str])> {
    let inside = |module: &str| name == module || name.starts_with(&format!("{module}/"));
    LAYERS
        .iter()
        .filter(|(module, _)| inside(module))
        .max_by_key(|(module, _)| module.len())
}

/// The modules of this crate that a text names, in code.
fn named(text: &str) -> Vec<String> {
    let code = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    code.flat_map(|line| {
        line.split("crate::")
            .skip(1)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    })
    .map(|rest| {
        rest.chars()
            .take_while(|&letter| letter.is_alphanumeric() || letter == '_')
            .collect()
    })
    .filter(|name: &String| !name.is_empty())
    .collect()
}

#[test]
fn modules_import_only_what_lies_below_them() {
    let sources = sources();
    assert!(sources.len() > 25);
    for (name, text) in &sources {
        if ["main", "lib"].contains(&name.as_str()) || name.starts_with("command") {
            continue;
        }
        let (module, allowed) =
            rule(name).unwrap_or_else(|| panic!("src/{name}.rs is in no layer"));
        let own = module.split('/').next().unwrap();
        for import in named(text) {
            assert!(
                import == own || allowed.contains(&import.as_str()),
                "src/{name}.rs names {import}"
            );
        }
    }
}

#[test]
fn main_reads_the_command_line_and_runs_a_command() {
    let (_, text) = sources()
        .into_iter()
        .find(|(name, _)| name == "main")
        .unwrap();
    for line in text.lines().filter(|line| line.contains("eddyline::")) {
        assert!(line.contains("eddyline::command"), "{line}");
    }
}

#[test]
fn the_core_is_pure() {
    for (name, text) in sources() {
        let Some((module, _)) = rule(&name) else {
            continue;
        };
        if !PURE.contains(module) {
            continue;
        }
        for line in text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
        {
            assert!(
                !line
                    .trim_start()
                    .trim_start_matches("pub ")
                    .starts_with("static "),
                "src/{name}.rs: {line}"
            );
            for word in IMPURE {
                assert!(!line.contains(word), "src/{name}.rs: {line}");
            }
        }
    }
}

/// Graphics crates and `unsafe` stay where they belong; and no calls whose bits depend on the machine's C library.
#[test]
fn graphics_unsafe_and_library_mathematics_stay_in_their_places() {
    for (name, text) in sources() {
        let place = |names: &[&str]| names.iter().any(|start| name.starts_with(start));
        for line in text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
        {
            if !place(&["canvas/gpu", "host", "overlay", "input", "panel"]) {
                assert!(
                    !["macroquad", "miniquad", "egui"]
                        .iter()
                        .any(|word| line.contains(word)),
                    "src/{name}.rs: {line}"
                );
            }
            if !place(&["canvas/gpu", "host", "simd"]) {
                assert!(!line.contains("unsafe"), "src/{name}.rs: {line}");
            }
            if place(&[
                "noise",
                "field",
                "particles",
                "palette",
                "simulation",
                "timeline",
                "canvas/cpu",
                "canvas/exposure",
                "picture",
                "sheet",
                "chart",
            ]) {
                let calls = [
                    ".sin(",
                    ".cos(",
                    ".exp(",
                    ".exp2(",
                    ".ln(",
                    ".log2(",
                    ".powf(",
                    ".powi(",
                    ".mul_add(",
                    ".sin_cos(",
                    ".tan(",
                    ".cbrt(",
                ];
                assert!(
                    !calls.iter().any(|call| line.contains(call)),
                    "src/{name}.rs: {line}"
                );
            }
        }
    }
}
