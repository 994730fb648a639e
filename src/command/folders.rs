//! Where the user's own files are, by the rules of XDG.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::Context;

/// The folder of the user's presets: `eddyline/presets` in `XDG_CONFIG_HOME`, or in `.config` at home. It need not exist.
/// Nothing where the environment says neither.
pub fn presets_folder() -> Option<PathBuf> {
    presets_folder_of(|name| env::var_os(name))
}

/// The folder of the user's films: `XDG_VIDEOS_DIR` of `user-dirs.dirs`, or `Videos` at home.
///
/// # Errors
///
/// When the environment says neither.
pub fn videos() -> anyhow::Result<PathBuf> {
    media_of(|name| env::var_os(name), "XDG_VIDEOS_DIR", "Videos")
}

/// The same of the user's pictures.
///
/// # Errors
///
/// As [`videos`].
pub fn pictures() -> anyhow::Result<PathBuf> {
    media_of(|name| env::var_os(name), "XDG_PICTURES_DIR", "Pictures")
}

fn media_of(
    variable: impl Fn(&str) -> Option<OsString>,
    key: &str,
    usual: &str,
) -> anyhow::Result<PathBuf> {
    let folder = |name| {
        variable(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let home = folder("HOME").context("HOME is not set: there is no folder to save into")?;
    let configuration = folder("XDG_CONFIG_HOME").unwrap_or_else(|| home.join(".config"));
    let text = fs::read_to_string(configuration.join("user-dirs.dirs")).unwrap_or_default();
    Ok(named_in(&text, key, &home).unwrap_or_else(|| home.join(usual)))
}

/// The folder that a line like `XDG_VIDEOS_DIR="$HOME/Videos"` names; nothing where that is home itself, which means none.
fn named_in(text: &str, key: &str, home: &Path) -> Option<PathBuf> {
    let value = text.lines().find_map(|line| {
        let value = line.trim().strip_prefix(key)?.strip_prefix('=')?;
        value.strip_prefix('"')?.strip_suffix('"')
    })?;
    let path = match value.strip_prefix("$HOME") {
        Some(rest) => home.join(rest.trim_start_matches('/')),
        None => PathBuf::from(value),
    };
    (path.is_absolute() && path != home).then_some(path)
}

fn presets_folder_of(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    // XDG: paths that are not absolute are to be ignored.
    let folder = |name| {
        variable(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let configuration = folder("XDG_CONFIG_HOME").or_else(|| Some(folder("HOME")?.join(".config")));
    Some(configuration?.join("eddyline/presets"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(variables: &[(&str, &str)]) -> Option<PathBuf> {
        presets_folder_of(|name| {
            let found = variables.iter().find(|(variable, _)| *variable == name);
            found.map(|(_, value)| OsString::from(value))
        })
    }

    #[test]
    fn presets_are_where_xdg_says() {
        let at = |path: &str| Some(Path::new(path).to_owned());
        let home = ("HOME", "/home/ada");
        assert_eq!(of(&[home]), at("/home/ada/.config/eddyline/presets"));
        assert_eq!(
            of(&[home, ("XDG_CONFIG_HOME", "/etc/ada")]),
            at("/etc/ada/eddyline/presets")
        );
        for relative in ["", "configuration"] {
            assert_eq!(
                of(&[home, ("XDG_CONFIG_HOME", relative)]),
                at("/home/ada/.config/eddyline/presets")
            );
        }
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[("HOME", "")]), None);
    }

    #[test]
    fn media_are_where_the_user_keeps_them() {
        let home = tempfile::tempdir().unwrap();
        let videos = || {
            let variable = |name: &str| (name == "HOME").then(|| OsString::from(home.path()));
            media_of(variable, "XDG_VIDEOS_DIR", "Videos").unwrap()
        };
        assert_eq!(videos(), home.path().join("Videos"));
        let configuration = home.path().join(".config");
        fs::create_dir(&configuration).unwrap();
        for (line, expected) in [
            ("XDG_VIDEOS_DIR=\"$HOME/Filme\"", home.path().join("Filme")),
            ("XDG_VIDEOS_DIR=\"/srv/films\"", PathBuf::from("/srv/films")),
            ("XDG_VIDEOS_DIR=\"$HOME/\"", home.path().join("Videos")),
            ("XDG_VIDEOS_DIR=relative", home.path().join("Videos")),
        ] {
            let text = format!("# comment\nXDG_MUSIC_DIR=\"/x\"\n{line}\n");
            fs::write(configuration.join("user-dirs.dirs"), text).unwrap();
            assert_eq!(videos(), expected, "{line}");
        }
        assert!(media_of(|_| None, "XDG_VIDEOS_DIR", "Videos").is_err());
    }
}
