//! A look becomes a preset file of the user's.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use tempfile::NamedTempFile;

use crate::settings::Settings;
use crate::settings::preset::written;

/// Looks that a folder can hold: look-1.toml and so on.
const MOST: u32 = 9999;

/// Saves a look under the next free name of a folder, which is made where it is missing; returns the file. It appears
/// whole or not at all, and nothing is overwritten.
///
/// # Errors
///
/// When the folder cannot be made, or nothing may be written there.
pub fn save(settings: &Settings, folder: &Path) -> anyhow::Result<PathBuf> {
    let place = || folder.display().to_string();
    fs::create_dir_all(folder).with_context(place)?;
    let mut file = NamedTempFile::with_prefix_in(".look-", folder).with_context(place)?;
    file.write_all(written(settings).as_bytes())
        .and_then(|()| file.as_file().sync_all())
        .with_context(place)?;
    open_to_readers(&file).with_context(place)?;
    for number in 1..=MOST {
        let path = folder.join(format!("look-{number}.toml"));
        match file.persist_noclobber(&path) {
            Ok(_) => return Ok(path),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => file = error.file,
            Err(error) => return Err(error.error).with_context(|| path.display().to_string()),
        }
    }
    anyhow::bail!("{}: has {MOST} looks already", place())
}

/// Temporary files are for their owner's eyes; a preset is a file like any other.
fn open_to_readers(file: &NamedTempFile) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let permissions = fs::Permissions::from_mode(0o644);
        file.as_file().set_permissions(permissions)?;
    }
    let _ = file;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::preset::Preset;
    use crate::settings::{Value, setting};

    #[test]
    fn a_saved_look_comes_back_and_overwrites_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let presets = folder.path().join("eddyline/presets");
        let mut settings = Preset::load("original").unwrap().settings;
        setting("speed")
            .unwrap()
            .set(&mut settings, Value::Number(2.3));
        let first = save(&settings, &presets).unwrap();
        assert_eq!(first, presets.join("look-1.toml"));
        setting("speed")
            .unwrap()
            .set(&mut settings, Value::Number(4.5));
        let second = save(&settings, &presets).unwrap();
        assert_eq!(second, presets.join("look-2.toml"));
        let speeds = [first, second].map(|path| {
            let preset = Preset::load(path.to_str().unwrap()).unwrap();
            preset.settings.speed()
        });
        assert_eq!(speeds, [2.3, 4.5]);
        // Nothing else is left.
        assert_eq!(fs::read_dir(&presets).unwrap().count(), 2);
    }

    #[test]
    fn a_folder_that_cannot_be_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "x").unwrap();
        let error = save(&Settings::default(), &file.join("presets")).unwrap_err();
        assert!(format!("{error:#}").contains("file/presets: "), "{error:#}");
    }
}
