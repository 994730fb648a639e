//! Files that appear whole or not at all, and files that appear once there is something in them.

use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tempfile::{Builder, NamedTempFile};

/// How many links a path may lead through.
const MOST_LINKS: usize = 40;

/// What happens to a file that is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// It stays, and nothing is written.
    Keep,
    /// It is replaced by the new one.
    Replace,
}

/// A file that is going to be written: under a temporary name beside it, then renamed, so that the final name never holds
/// half a file.
#[derive(Debug)]
pub struct Whole {
    path: PathBuf,
    target: Target,
    existing: Existing,
}

#[derive(Debug)]
enum Target {
    Stdout,
    /// A device or a pipe, which is written to as it is.
    Device(File),
    /// The temporary file, and the name that it gets.
    File(NamedTempFile, PathBuf),
}

impl Whole {
    /// Creates the temporary file. `-` is stdout; a link is followed; and a file that is there lends its permissions.
    ///
    /// # Errors
    ///
    /// When there is no such folder, nothing may be written there, or a file is there and to be kept.
    pub fn create(path: &Path, existing: Existing) -> anyhow::Result<Whole> {
        let target = if path.as_os_str() == "-" {
            Target::Stdout
        } else {
            let place = || path.display().to_string();
            let file = resolve(path).with_context(place)?;
            match fs::metadata(&file) {
                Ok(metadata) if metadata.is_dir() => bail!("{}: is a folder", place()),
                Ok(metadata) if !metadata.is_file() => Target::Device(
                    File::options()
                        .write(true)
                        .open(&file)
                        .with_context(place)?,
                ),
                Ok(_) if existing == Existing::Keep => bail!(AlreadyThere(place())),
                Ok(metadata) => Target::File(
                    temporary(&file, metadata.permissions()).with_context(place)?,
                    file,
                ),
                Err(_) => Target::File(temporary(&file, new_file()).with_context(place)?, file),
            }
        };
        Ok(Whole {
            path: path.to_owned(),
            target,
            existing,
        })
    }

    /// Fills the file through `write` and gives it its name.
    ///
    /// # Errors
    ///
    /// When it cannot be written or renamed, named by path, or as `write`; whatever was there before stays.
    pub fn write<E: Into<anyhow::Error>>(
        self,
        write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
    ) -> anyhow::Result<()> {
        let place = || self.path.display().to_string();
        match self.target {
            Target::Stdout => write_to(io::stdout().lock(), write)
                .map_err(|error| placed(error, "stdout".to_owned())),
            Target::Device(file) => write_to(file, write).map_err(|error| placed(error, place())),
            Target::File(temporary, file) => {
                write_to(temporary.as_file(), write).map_err(|error| placed(error, place()))?;
                name(temporary, &file, &self.path, self.existing)?;
                Ok(())
            }
        }
    }
}

/// A file that grows while it is written. It has its final name from the moment on at which something in it can be
/// played.
#[derive(Debug)]
pub struct Growing {
    path: PathBuf,
    file: File,
    existing: Existing,
    /// Before it has its name: the temporary file, and what it will be.
    hidden: Option<(NamedTempFile, PathBuf)>,
}

impl Growing {
    /// Creates the file under a temporary name beside the final one; devices and pipes are taken as they are.
    ///
    /// # Errors
    ///
    /// As [`Whole::create`].
    pub fn create(path: &Path, existing: Existing) -> anyhow::Result<Growing> {
        let whole = Whole::create(path, existing)?;
        let (file, hidden) = match whole.target {
            Target::Stdout => bail!("-: only Y4M video goes to stdout"),
            Target::Device(file) => (file, None),
            Target::File(temporary, name) => {
                let file = temporary.as_file().try_clone();
                let file = file.with_context(|| path.display().to_string())?;
                (file, Some((temporary, name)))
            }
        };
        Ok(Growing {
            path: path.to_owned(),
            file,
            existing,
            hidden,
        })
    }

    /// The file, to be written by somebody.
    ///
    /// # Errors
    ///
    /// When the system has no more.
    pub fn writer(&self) -> anyhow::Result<File> {
        let file = self.file.try_clone();
        file.with_context(|| self.path.display().to_string())
    }

    /// Gives it its name, where it has another yet.
    ///
    /// # Errors
    ///
    /// When there is such a file now and it is to be kept, or the folder is gone.
    pub fn appear(&mut self) -> anyhow::Result<()> {
        match self.hidden.take() {
            Some((temporary, file)) => name(temporary, &file, &self.path, self.existing),
            None => Ok(()),
        }
    }
}

/// A file that is there and to be kept.
#[derive(Debug, thiserror::Error)]
#[error("{0}: exists already; -y replaces it")]
pub struct AlreadyThere(pub String);

/// Gives a temporary file its name.
fn name(
    temporary: NamedTempFile,
    file: &Path,
    path: &Path,
    existing: Existing,
) -> anyhow::Result<()> {
    let place = || path.display().to_string();
    let temporary = match existing {
        Existing::Replace => temporary,
        Existing::Keep => match temporary.persist_noclobber(file) {
            Ok(_) => return Ok(()),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {
                bail!(AlreadyThere(place()));
            }
            // Some file systems know no way to do that at once.
            Err(error) if file.symlink_metadata().is_err() => error.file,
            Err(error) => return Err(error.error).with_context(place),
        },
    };
    let named = temporary.persist(file).map_err(|error| error.error);
    named.map(drop).with_context(place)
}

/// The file that a path leads to through links; it need not exist.
fn resolve(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            Ok(link) => path = path.parent().unwrap_or(Path::new("")).join(link),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many links"))
}

/// A temporary file beside `file`.
fn temporary(file: &Path, permissions: Permissions) -> anyhow::Result<NamedTempFile> {
    let folder = match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let temporary = Builder::new()
        .prefix(".eddyline-")
        .permissions(permissions)
        .tempfile_in(folder);
    temporary.map_err(|error| {
        // What the system said comes first; the temporary name behind it is nobody's concern.
        let text = error.to_string();
        let reason = text.split(" at path ").next().unwrap_or(&text);
        anyhow::anyhow!("cannot write into {}: {reason}", folder.display())
    })
}

/// What an ordinary new file gets, less the user's mask.
fn new_file() -> Permissions {
    use std::os::unix::fs::PermissionsExt;
    Permissions::from_mode(0o666)
}

/// An error of the system with the place where it happened; others speak for themselves.
fn placed(error: anyhow::Error, place: String) -> anyhow::Error {
    match error.is::<io::Error>() {
        true => error.context(place),
        false => error,
    }
}

fn write_to<E: Into<anyhow::Error>>(
    target: impl Write,
    write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> anyhow::Result<()> {
    let mut buffered = BufWriter::with_capacity(1 << 16, target);
    write(&mut buffered).map_err(Into::into)?;
    Ok(buffered.flush()?)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};

    use super::*;

    fn write(path: &Path, content: &[u8]) -> anyhow::Result<()> {
        Whole::create(path, Existing::Replace)?.write(|file| file.write_all(content))
    }

    #[test]
    fn a_failed_write_leaves_what_was_there_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        write(&path, b"first").unwrap();
        let create = || Whole::create(&path, Existing::Replace).unwrap();
        let error = create().write(|file| {
            file.write_all(b"half")?;
            Err(io::Error::other("the disk is full"))
        });
        assert!(format!("{:#}", error.unwrap_err()).ends_with("a.png: the disk is full"));
        drop(create());
        assert_eq!(fs::read(&path).unwrap(), b"first");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_that_is_to_be_kept_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.mp4");
        let early = Whole::create(&path, Existing::Keep).unwrap();
        let mut growing = Growing::create(&path, Existing::Keep).unwrap();
        assert!(!path.exists());
        growing.writer().unwrap().write_all(b"frames").unwrap();
        growing.appear().unwrap();
        growing.appear().unwrap();
        growing.writer().unwrap().write_all(b" more").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"frames more");
        let refusal = |error: anyhow::Error| {
            let message = format!("{error:#}");
            assert!(
                message.ends_with("a.mp4: exists already; -y replaces it"),
                "{message}"
            );
        };
        refusal(early.write(|file| file.write_all(b"x")).unwrap_err());
        refusal(Whole::create(&path, Existing::Keep).unwrap_err());
        refusal(Growing::create(&path, Existing::Keep).unwrap_err());
        let mut growing = Growing::create(&path, Existing::Replace).unwrap();
        growing.appear().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"");
        drop(Growing::create(&folder.path().join("b.mp4"), Existing::Keep).unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn errors_name_the_place() {
        let message = |path: &str| format!("{:#}", write(Path::new(path), b"").unwrap_err());
        let expected = "/nowhere/at/all/a.png: cannot write into /nowhere/at/all: No such file or directory (os error 2)";
        assert_eq!(message("/nowhere/at/all/a.png"), expected);
        assert_eq!(message("/tmp"), "/tmp: is a folder");
    }

    #[test]
    fn devices_are_written_and_not_replaced() {
        write(Path::new("/dev/null"), b"x").unwrap();
        assert!(
            fs::metadata("/dev/null")
                .unwrap()
                .file_type()
                .is_char_device()
        );
        let full = write(Path::new("/dev/full"), b"x");
        assert!(format!("{:#}", full.unwrap_err()).starts_with("/dev/full: "));
    }

    #[test]
    fn links_and_permissions_stay() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        symlink("real.png", at("link.png")).unwrap();
        write(&at("link.png"), b"new").unwrap();
        assert!(at("link.png").is_symlink());
        assert_eq!(fs::read(at("real.png")).unwrap(), b"new");
        fs::set_permissions(at("real.png"), Permissions::from_mode(0o640)).unwrap();
        write(&at("link.png"), b"newer").unwrap();
        assert_eq!(
            fs::metadata(at("real.png")).unwrap().permissions().mode() & 0o777,
            0o640
        );
        symlink("loop.png", at("loop.png")).unwrap();
        assert!(
            format!("{:#}", write(&at("loop.png"), b"").unwrap_err()).ends_with("too many links")
        );
    }
}
