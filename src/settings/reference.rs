//! The table of settings as text, for people.

use super::preset::{EMBEDDED, Preset};
use super::{SETTINGS, Setting, Settings};
use crate::palette::{BUILT_IN, BuiltIn};

/// All settings with value, range, keys and help, aligned for a terminal.
pub fn terminal(settings: &Settings) -> String {
    let rows: Vec<[String; 4]> = SETTINGS
        .iter()
        .map(|row| {
            [
                row.name.to_owned(),
                row.value(settings).to_string(),
                keys(row),
                row.allowed(),
            ]
        })
        .collect();
    // A palette of many stops may stand out.
    const WIDEST: usize = 24;
    let width = |column: usize| {
        rows.iter()
            .map(|row| row[column].chars().count().min(WIDEST))
            .max()
            .unwrap_or(0)
    };
    let (name, value, key) = (width(0), width(1), width(2));
    let mut text = String::new();
    for (row, [a, b, c, d]) in SETTINGS.iter().zip(&rows) {
        text.push_str(&format!("{a:name$}  {b:>value$}  {c:key$}  {}\n", row.help));
        text.push_str(&format!("{:name$}  {:>value$}  {:key$}  {d}\n", "", "", ""));
    }
    text
}

/// The presets that come with the program, as Markdown.
pub fn presets() -> String {
    let mut text = String::from("| preset | |\n|---|---|\n");
    for (name, file) in EMBEDDED {
        let preset = Preset::parse(name, file).expect("a test parses every embedded preset");
        text.push_str(&format!("| `{name}` | {} |\n", preset.description));
    }
    text
}

/// The table as Markdown, as it stands in the README: the default is what runs without a flag.
pub fn markdown() -> String {
    let presets: Vec<(&str, Settings)> = EMBEDDED[..2]
        .iter()
        .map(|(name, text)| {
            (
                *name,
                Preset::parse(name, text)
                    .expect("a test parses every embedded preset")
                    .settings,
            )
        })
        .collect();
    let names: Vec<String> = presets
        .iter()
        .map(|(name, _)| format!("`{name}`"))
        .collect();
    let mut text = format!(
        "| setting | keys | {} | allowed | what it does |\n",
        names.join(" | ")
    );
    text.push_str(&format!(
        "|---|---|{}---|---|\n",
        "---|".repeat(presets.len())
    ));
    for row in SETTINGS {
        let values: Vec<String> = presets
            .iter()
            .map(|(_, settings)| row.value(settings).to_string())
            .collect();
        let keys = match row.keys {
            Some((lower, raise)) => format!("`{lower}` `{raise}`"),
            None => String::new(),
        };
        text.push_str(&format!(
            "| `{}` | {keys} | {} | {} | {} |\n",
            row.name,
            values.join(" | "),
            row.allowed(),
            row.help
        ));
    }
    text
}

/// The built-in palettes as Markdown, as they stand in the README.
pub fn palettes() -> String {
    let mut text = "| palette | what it looks like | its colors |\n|---|---|---|\n".to_owned();
    for BuiltIn {
        name,
        description,
        scheme,
    } in BUILT_IN
    {
        text.push_str(&format!("| `{name}` | {description} | `{scheme}` |\n"));
    }
    text
}

/// The keys that lower and raise a setting, or nothing.
pub fn keys(setting: &Setting) -> String {
    setting
        .keys
        .map_or(String::new(), |(lower, raise)| format!("{lower} {raise}"))
}
