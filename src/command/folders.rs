//! Where the user's own files are, by the rules of XDG.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

/// The folder of the user's presets: `eddyline/presets` in `XDG_CONFIG_HOME`, or in `.config` at home. It need not exist.
/// Nothing where the environment says neither.
pub fn presets_folder() -> Option<PathBuf> {
    presets_folder_of(|name| env::var_os(name))
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
    use std::path::Path;

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
}
