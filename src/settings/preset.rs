//! Presets: files that set some of the settings, in TOML.
//!
//! A file holds `description`, one sentence, and any of the table's names; what it leaves out is as in the default look.
//! Everything else in it is an error that says where it stands.

use std::path::{Path, PathBuf};

use toml::de::{DeTable, DeValue};

use super::{PhotoError, SETTINGS, Setting, SettingError, Settings, Value, photo, setting};

/// Names, and the files of those names.
macro_rules! embedded {
    ($($name:literal),+) => {
        [$(($name, include_str!(concat!("../../assets/presets/", $name, ".toml")))),+]
    };
}

/// The presets that the program carries with it: name and text. The first is the default.
pub const EMBEDDED: &[(&str, &str)] = &embedded![
    "water", "original", "brook", "embers", "smoke", "marble", "aurora", "silk", "storm", "ink",
    "islands", "vangogh", "galaxy", "starling", "neon", "mono", "whirl"
];

/// Largest preset file that is read, in bytes.
const LARGEST: u64 = 1 << 20;

/// A preset that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Preset {
    /// One sentence about the look.
    pub description: String,
    /// The default look with the file's values; the default look itself is laid over the table's defaults.
    pub settings: Settings,
}

/// Why a preset could not be read; each says where.
#[derive(Debug, thiserror::Error)]
pub enum PresetError {
    /// Neither an embedded preset nor a file.
    #[error("preset {name}: no such preset or file; there are {known}")]
    Unknown {
        /// As it was asked for.
        name: String,
        /// The names of those that there are.
        known: String,
    },
    /// The file cannot be read.
    #[error("preset {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The file is too large to be a preset.
    #[error("preset {}: larger than {LARGEST} bytes", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// Not TOML.
    #[error("{file}:{line}: {message}")]
    Syntax {
        /// The file or the preset's name.
        file: String,
        /// Counted from 1.
        line: usize,
        /// What the parser says, in one line.
        message: String,
    },
    /// A key that is not in the table.
    #[error("{file}:{line}: {key}: no such setting; `eddyline settings` lists them")]
    UnknownKey {
        /// The file or the preset's name.
        file: String,
        /// Counted from 1.
        line: usize,
        /// The key.
        key: String,
    },
    /// A description that is no text.
    #[error("{file}:{line}: description: must be one sentence in quotes")]
    Description {
        /// The file or the preset's name.
        file: String,
        /// Counted from 1.
        line: usize,
    },
    /// A picture that gives no palette.
    #[error("{file}:{line}: {source}")]
    Photo {
        /// The file or the preset's name.
        file: String,
        /// Counted from 1.
        line: usize,
        /// The picture, and what is wrong with it.
        source: PhotoError,
    },
    /// A value that its setting does not take.
    #[error("{file}:{line}: {source}")]
    Value {
        /// The file or the preset's name.
        file: String,
        /// Counted from 1.
        line: usize,
        /// The key, the value and what is allowed.
        source: SettingError,
    },
}

/// The names of the embedded presets and of those in a folder, for messages.
fn names(folder: Option<&Path>) -> String {
    let mut names: Vec<String> = EMBEDDED
        .iter()
        .map(|(name, _)| (*name).to_owned())
        .collect();
    names.extend(folder.map(names_in).unwrap_or_default());
    names.join(", ")
}

/// The names of the presets in a folder, in order, but for those that are embedded; none where it cannot be read.
pub fn names_in(folder: &Path) -> Vec<String> {
    let own = std::fs::read_dir(folder).ok();
    let mut own: Vec<String> = own
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            Some(name.strip_suffix(".toml")?.to_owned())
        })
        .filter(|name| !name.starts_with('.') && !EMBEDDED.iter().any(|(known, _)| known == name))
        .collect();
    own.sort();
    own
}

/// A look as a preset file: every setting of it, whatever the default look may become.
pub fn written(settings: &Settings) -> String {
    let mut text = "description = \"A look of my own\"\n".to_owned();
    for row in SETTINGS.iter().filter(|row| row.is_of_look()) {
        let value = match row.value(settings) {
            Value::Number(number) => number.to_string(),
            other => format!("\"{other}\""),
        };
        text.push_str(&format!("{} = {value}\n", row.name));
    }
    text
}

impl Preset {
    /// The embedded preset of that name, or the file at that path.
    ///
    /// # Errors
    ///
    /// When there is neither, or the file cannot be read or is not a preset.
    pub fn load(name: &str) -> Result<Preset, PresetError> {
        Preset::find(name, None)
    }

    /// The same, and where there is neither, the preset of that name in a folder of the user's.
    ///
    /// # Errors
    ///
    /// When there is none of the three, or the file cannot be read or is not a preset.
    pub fn find(name: &str, folder: Option<&Path>) -> Result<Preset, PresetError> {
        if let Some((_, text)) = EMBEDDED.iter().find(|(known, _)| *known == name) {
            return Preset::parse(name, text);
        }
        let own = folder.map(|folder| folder.join(format!("{name}.toml")));
        let is_missing = |path: &Path| {
            std::fs::metadata(path).is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound)
        };
        let candidates = [Some(PathBuf::from(name)), own];
        let found = candidates
            .into_iter()
            .flatten()
            .find(|path| !is_missing(path));
        match found {
            Some(path) => Preset::read(&path),
            None => Err(PresetError::Unknown {
                name: name.to_owned(),
                known: names(folder),
            }),
        }
    }

    /// Reads a file.
    fn read(path: &Path) -> Result<Preset, PresetError> {
        if std::fs::metadata(path).is_ok_and(|metadata| metadata.len() > LARGEST) {
            return Err(PresetError::TooLarge {
                path: path.to_owned(),
            });
        }
        let unreadable = |source| PresetError::Unreadable {
            path: path.to_owned(),
            source,
        };
        let file = std::fs::File::open(path).map_err(unreadable)?;
        // A pipe or a device has no length: read no more than a preset can have.
        let mut text = String::new();
        std::io::Read::read_to_string(&mut std::io::Read::take(file, LARGEST + 1), &mut text)
            .map_err(unreadable)?;
        if text.len() as u64 > LARGEST {
            return Err(PresetError::TooLarge {
                path: path.to_owned(),
            });
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        Preset::parse_in(&path.display().to_string(), &text, folder)
    }

    /// Reads a preset's text; `file` names it in errors. Pictures that it names are looked for in the current folder.
    ///
    /// # Errors
    ///
    /// When the text is not TOML, or holds a key or a value that the table does not know.
    pub fn parse(file: &str, text: &str) -> Result<Preset, PresetError> {
        Preset::parse_in(file, text, Path::new(""))
    }

    /// The same, with pictures looked for in `folder`.
    fn parse_in(file: &str, text: &str, folder: &Path) -> Result<Preset, PresetError> {
        let line = |at: usize| {
            1 + text.as_bytes()[..at.min(text.len())]
                .iter()
                .filter(|&&byte| byte == b'\n')
                .count()
        };
        let table = DeTable::parse(text).map_err(|error| PresetError::Syntax {
            file: file.to_owned(),
            line: line(error.span().map_or(0, |span| span.start)),
            message: error.message().replace('\n', ", "),
        })?;
        let (default, default_text) = EMBEDDED[0];
        let base = match file == default && text == default_text {
            true => Settings::default(),
            false => Preset::parse(default, default_text)?.settings,
        };
        let mut preset = Preset {
            description: String::new(),
            settings: base,
        };
        for (key, value) in table.get_ref() {
            let line = line(key.span().start);
            let (key, text) = (key.get_ref().as_ref(), spelled(value.get_ref()));
            if key == "description" {
                let DeValue::String(description) = value.get_ref() else {
                    return Err(PresetError::Description {
                        file: file.to_owned(),
                        line,
                    });
                };
                preset.description = description.to_string();
                continue;
            }
            let Some(row) = setting(key) else {
                return Err(PresetError::UnknownKey {
                    file: file.to_owned(),
                    line,
                    key: key.to_owned(),
                });
            };
            let place = Place { file, line, folder };
            row.set(&mut preset.settings, place.value(row, &text)?);
        }
        Ok(preset)
    }
}

/// Where a value stands.
struct Place<'a> {
    file: &'a str,
    line: usize,
    /// Where files that it names are.
    folder: &'a Path,
}

impl Place<'_> {
    /// Reads a value.
    fn value(&self, row: &Setting, text: &str) -> Result<Value, PresetError> {
        let (file, line) = (self.file.to_owned(), self.line);
        match photo::named(row, text) {
            Some(path) => photo::read(&self.folder.join(path))
                .map_err(|source| PresetError::Photo { file, line, source }),
            None => row
                .parse(text)
                .map_err(|source| PresetError::Value { file, line, source }),
        }
    }
}

/// A TOML value as a flag would spell it.
fn spelled(value: &DeValue) -> String {
    match value {
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(number) => decimal(number).unwrap_or_else(|| number.to_string()),
        DeValue::Float(number) => number.to_string(),
        DeValue::Boolean(value) => value.to_string(),
        DeValue::Datetime(value) => value.to_string(),
        DeValue::Array(_) => "[..]".to_owned(),
        DeValue::Table(_) => "{..}".to_owned(),
    }
}

/// An integer of any TOML radix in decimal.
fn decimal(number: &toml::de::DeInteger) -> Option<String> {
    i128::from_str_radix(number.as_str(), number.radix())
        .ok()
        .map(|number| number.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Direction;
    use crate::settings::{SETTINGS, Value};

    #[test]
    fn embedded_presets_parse_and_describe_themselves() {
        for (name, text) in EMBEDDED {
            let preset = Preset::load(name).unwrap();
            assert!(!preset.description.is_empty(), "{name}");
            assert_eq!(preset, Preset::parse(name, text).unwrap());
        }
    }

    /// Whatever the look, its file gives it back.
    #[test]
    fn written_looks_come_back() {
        let mut settings = Settings::default();
        for (index, row) in SETTINGS.iter().enumerate() {
            for direction in [Direction::Up, Direction::Down, Direction::Down] {
                if !row.is_of_look() {
                    continue;
                }
                let value = settings.leapt(row, direction, 1e6 + index as f64);
                row.set(&mut settings, value);
                let parsed = Preset::parse("x", &written(&settings)).unwrap();
                for row in SETTINGS.iter().filter(|row| row.is_of_look()) {
                    assert_eq!(
                        row.value(&parsed.settings),
                        row.value(&settings),
                        "{}",
                        row.name
                    );
                }
            }
        }
    }

    #[test]
    fn presets_of_a_folder_have_names() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mine.toml");
        std::fs::write(&path, "speed = 3").unwrap();
        std::fs::write(folder.path().join("water.toml"), "speed = 3").unwrap();
        let find = |name| Preset::find(name, Some(folder.path()));
        assert_eq!(find("mine").unwrap().settings.speed(), 3.0);
        assert_eq!(find("water").unwrap().settings.speed(), 1.4);
        assert_eq!(
            find("other").unwrap_err().to_string(),
            "preset other: no such preset or file; there are water, original, brook, embers, smoke, marble, aurora, silk, storm, ink, \
             islands, vangogh, galaxy, starling, neon, mono, whirl, mine"
        );
        std::fs::write(&path, "sped = 3").unwrap();
        let error = find("mine").unwrap_err().to_string();
        assert!(error.contains("mine.toml:1: sped"), "{error}");
    }

    /// What a file leaves out is water's.
    #[test]
    fn a_file_changes_the_default_look() {
        let water = Preset::load("water").unwrap().settings;
        let mine = Preset::parse("mine.toml", "noise_scale = 0.003\n")
            .unwrap()
            .settings;
        for row in SETTINGS {
            let expected = if row.name == "noise_scale" {
                Value::Number(0.003)
            } else {
                row.value(&water)
            };
            assert_eq!(row.value(&mine), expected, "{}", row.name);
        }
    }

    #[test]
    fn errors_name_file_line_key_and_range() {
        let message = |text: &str| Preset::parse("my.toml", text).unwrap_err().to_string();
        assert_eq!(
            message("description = 'x'\n\nfade = 7\n"),
            "my.toml:3: fade = 7: allowed is 0.002 to 0.9 per step"
        );
        assert_eq!(
            message("fad = 0.1"),
            "my.toml:1: fad: no such setting; `eddyline settings` lists them"
        );
        assert_eq!(
            message("speed = nan"),
            "my.toml:1: speed = nan: allowed is 0 to 20 px/step"
        );
        assert_eq!(
            message("speed = inf"),
            "my.toml:1: speed = inf: allowed is 0 to 20 px/step"
        );
        assert_eq!(
            message("headings = 3"),
            "my.toml:1: headings = 3: allowed is even or raw"
        );
        assert_eq!(
            message("speed = [1]"),
            "my.toml:1: speed = [..]: allowed is 0 to 20 px/step"
        );
        assert_eq!(
            message("[speed]\nx = 1"),
            "my.toml:1: speed = {..}: allowed is 0 to 20 px/step"
        );
        assert_eq!(
            message("seed = 1.5"),
            "my.toml:1: seed = 1.5: allowed is a whole number from 0 to 4294967295"
        );
        assert!(
            message("speed = \n").starts_with("my.toml:1: "),
            "{}",
            message("speed = \n")
        );
        assert!(message("speed = 1\nspeed = 2\n").starts_with("my.toml:2: "));
        assert!(!message("a = 'x\n\n").contains('\n'));
        assert_eq!(
            message("\n[description]"),
            "my.toml:2: description: must be one sentence in quotes"
        );
        assert_eq!(
            Preset::parse("x", "seed = 0x10").unwrap().settings.seed(),
            16
        );
        assert!(
            Preset::load("no-such-preset")
                .unwrap_err()
                .to_string()
                .contains("water, original")
        );
    }
}
