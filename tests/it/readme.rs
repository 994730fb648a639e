//! The README's tables are the program's. `BLESS=1` writes them.

use std::fs;
use std::path::Path;

use eddyline::input;
use eddyline::settings::reference;

fn section(text: &str, name: &str, content: &str) -> String {
    let (begin, end) = (
        format!("<!-- {name}: written by BLESS=1 cargo test -->\n"),
        format!("<!-- end of {name} -->"),
    );
    let (before, rest) = text
        .split_once(&begin)
        .unwrap_or_else(|| panic!("README.md has no section {name}"));
    let (_, after) = rest
        .split_once(&end)
        .unwrap_or_else(|| panic!("README.md: section {name} has no end"));
    format!("{before}{begin}\n{content}\n{end}{after}")
}

#[test]
fn the_readmes_tables_are_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let text = fs::read_to_string(&path).unwrap();
    let keys = section(&text, "keys", &input::markdown());
    let keys = section(&keys, "presets", &reference::presets());
    let palettes = section(&keys, "palettes", &reference::palettes());
    let whole = section(&palettes, "settings", &reference::markdown());
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, &whole).unwrap();
    } else {
        assert!(
            text == whole,
            "README.md is out of date: BLESS=1 cargo test readme writes it"
        );
    }
}
