//! Who may import whom, as docs/architecture.md says: read from the paths that the sources name.

use std::fs;
use std::path::{Path, PathBuf};

mod source;

/// Each module and the modules of this crate that it may name. A module's files below it follow the same rule. `command` may name
/// all of them; that it stands in no row means that no other module may name it.
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

/// Name without its ending, and code, of every source file that is not a test.
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
            (name, source::code(&text))
        })
        .filter(|(name, _)| !name.split('/').any(|part| part == "tests"))
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

/// What the code of a file names of this crate, as paths from its root.
fn named(name: &str, code: &str) -> Vec<String> {
    let module: Vec<&str> = match name {
        "main" | "lib" => Vec::new(),
        _ => name.split('/').collect(),
    };
    source::paths(code, &module)
}

/// The module that a path from the root leads into.
fn reached(path: &str) -> &str {
    path.split("::").next().unwrap_or(path)
}

#[test]
fn modules_import_only_what_lies_below_them() {
    let sources = sources();
    let mut imports = 0;
    for (name, code) in &sources {
        if ["main", "lib"].contains(&name.as_str()) || is_command(name) {
            continue;
        }
        let (module, allowed) =
            rule(name).unwrap_or_else(|| panic!("src/{name}.rs is in no layer"));
        let own = module.split('/').next().unwrap();
        for path in named(name, code) {
            let import = reached(&path);
            assert!(
                import == own || allowed.contains(&import),
                "src/{name}.rs names {path}"
            );
            imports += usize::from(import != own);
        }
    }
    assert!(sources.len() > 100 && imports > 200, "{imports} imports");
}

/// Whether a file is of the commands.
fn is_command(name: &str) -> bool {
    name == "command" || name.starts_with("command/")
}

/// Commands name modules that there are, and never the root as a whole.
#[test]
fn commands_import_modules() {
    for (name, code) in sources().iter().filter(|(name, _)| is_command(name)) {
        for path in named(name, code) {
            let module = reached(&path);
            let is_known = module == "command" || LAYERS.iter().any(|(known, _)| *known == module);
            assert!(is_known, "src/{name}.rs names {path}");
        }
    }
}

/// The code of `main` or `lib`.
fn root(name: &str) -> String {
    let mut sources = sources().into_iter();
    sources.find(|(known, _)| known == name).unwrap().1
}

#[test]
fn main_reads_the_command_line_and_runs_a_command() {
    let paths = named("main", &root("main"));
    assert!(!paths.is_empty());
    for path in paths {
        assert_eq!(reached(&path), "command", "src/main.rs names {path}");
    }
}

/// The root lists the modules and is nothing else; each has a rule.
#[test]
fn the_library_is_its_modules() {
    let code = root("lib");
    let lines = code.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut count = 0;
    for line in lines {
        let module = line.strip_prefix("pub mod ");
        let module = module.and_then(|rest| rest.strip_suffix(';'));
        let module = module.unwrap_or_else(|| panic!("src/lib.rs: {line}"));
        assert!(module == "command" || rule(module).is_some(), "{module}");
        count += 1;
    }
    assert!(count > 20, "{count} modules");
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
