//! The table of settings as command line flags.

use std::path::Path;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, ValueHint};

use super::preset::{EMBEDDED, Preset, PresetError};
use super::{PhotoError, SETTINGS, SettingError, Settings, Value, photo};

/// What the flags of settings stand under in help.
pub const HEADING: &str = "Settings";

/// Why flags do not make a look.
#[derive(Debug, thiserror::Error)]
pub enum FlagError {
    /// The preset.
    #[error(transparent)]
    Preset(#[from] PresetError),
    /// A preset beside a file that holds a look.
    #[error("--preset: the look comes from a file already")]
    TwoLooks,
    /// A picture that gives no palette.
    #[error("--{0}")]
    Photo(#[from] PhotoError),
    /// A value that its setting does not take.
    #[error("--{flag} {given}: allowed is {allowed}", flag = flag(source.name), given = source.given, allowed = source.allowed)]
    Value {
        /// The setting, the value and what is allowed.
        source: SettingError,
    },
}

/// The flag of a setting, without the dashes.
pub fn flag(name: &str) -> String {
    name.replace('_', "-")
}

/// `--preset` and a flag for every setting; underscores do as well as dashes.
pub fn flags() -> Vec<Arg> {
    let names: Vec<&str> = EMBEDDED.iter().map(|(name, _)| *name).collect();
    let preset = Arg::new("preset")
        .long("preset")
        .value_name("NAME|FILE")
        .default_value(EMBEDDED[0].0)
        .help(format!(
            "The look to start from: {}, a look of your own, or a TOML file",
            names.join(", ")
        ))
        .value_hint(ValueHint::FilePath)
        .help_heading(HEADING);
    let setting = |row: &'static super::Setting| {
        let random = if row.name == "seed" {
            ", or random"
        } else {
            ""
        };
        Arg::new(row.name)
            .long(flag(row.name))
            .alias(row.name)
            .value_name("VALUE")
            .allow_negative_numbers(true)
            .help(format!("{} [{}{random}]", row.help, row.allowed()))
            .help_heading(HEADING)
    };
    std::iter::once(preset)
        .chain(SETTINGS.iter().map(setting))
        .collect()
}

/// The settings of the preset, or of `base` where there is one, with the flags laid over them; `folder` holds presets of the
/// user's. `--seed random` draws a seed and says which.
///
/// # Errors
///
/// When the preset or a picture cannot be read, or a value is not one of its setting's.
pub fn read(
    matches: &ArgMatches,
    base: Option<Settings>,
    folder: Option<&Path>,
    say: impl Fn(&str),
) -> Result<Settings, FlagError> {
    let preset = matches
        .get_one::<String>("preset")
        .expect("the flag has a default");
    let mut settings = match base {
        Some(_) if matches.value_source("preset") == Some(ValueSource::CommandLine) => {
            return Err(FlagError::TwoLooks);
        }
        Some(base) => base,
        None => Preset::find(preset, folder)?.settings,
    };
    for row in SETTINGS {
        // A command may do without a setting's flag.
        let Ok(Some(text)) = matches.try_get_one::<String>(row.name) else {
            continue;
        };
        let value = if row.name == "seed" && text == "random" {
            let seed: u32 = rand::random();
            say(&format!("seed {seed}"));
            Value::Number(seed.into())
        } else if let Some(path) = photo::named(row, text) {
            photo::read(path)?
        } else {
            row.parse(text)
                .map_err(|source| FlagError::Value { source })?
        };
        row.set(&mut settings, value);
    }
    Ok(settings)
}
