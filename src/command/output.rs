//! Files that appear whole or not at all.

use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tempfile::{Builder, NamedTempFile};

/// How many links a path may lead through.
const MOST_LINKS: usize = 40;

/// A file that is going to be written: under a temporary name beside it, then renamed, so that the final name never holds
/// half a file.
#[derive(Debug)]
pub struct Whole {
    path: PathBuf,
    target: Target,
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
    /// When there is no such folder, or nothing may be written there.
    pub fn create(path: &Path) -> anyhow::Result<Whole> {
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
        })
    }

    /// Fills the file through `write` and gives it its name.
    ///
    /// # Errors
    ///
    /// When it cannot be written or renamed, named by path; whatever was there before stays.
    pub fn write(self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> anyhow::Result<()> {
        let place = || self.path.display().to_string();
        match self.target {
            Target::Stdout => write_to(io::stdout().lock(), write).context("stdout"),
            Target::Device(file) => write_to(file, write).with_context(place),
            Target::File(temporary, file) => {
                write_to(temporary.as_file(), write).with_context(place)?;
                temporary
                    .persist(file)
                    .map_err(|error| error.error)
                    .with_context(place)?;
                Ok(())
            }
        }
    }
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

fn write_to(
    target: impl Write,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut buffered = BufWriter::with_capacity(1 << 16, target);
    write(&mut buffered)?;
    buffered.flush()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};

    use super::*;

    fn write(path: &Path, content: &[u8]) -> anyhow::Result<()> {
        Whole::create(path)?.write(|file| file.write_all(content))
    }

    #[test]
    fn a_failed_write_leaves_what_was_there_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        write(&path, b"first").unwrap();
        let error = Whole::create(&path).unwrap().write(|file| {
            file.write_all(b"half")?;
            Err(io::Error::other("the disk is full"))
        });
        assert!(format!("{:#}", error.unwrap_err()).ends_with("a.png: the disk is full"));
        drop(Whole::create(&path).unwrap());
        assert_eq!(fs::read(&path).unwrap(), b"first");
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
