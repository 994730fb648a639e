//! Files that appear whole or not at all.

use std::fs::{File, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::Context;
use tempfile::Builder;

/// Writes a file through `write`: under a temporary name beside it, then renamed, so that the final name never holds half
/// a file. `-` is stdout, and a device or a pipe is written to as it is.
///
/// # Errors
///
/// When the file cannot be made, written or renamed, named by path; whatever was there before stays.
pub fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> anyhow::Result<()> {
    if path.as_os_str() == "-" {
        return write_to(io::stdout().lock(), write).context("stdout");
    }
    let place = || path.display().to_string();
    match path.metadata() {
        Ok(metadata) if metadata.is_dir() => anyhow::bail!("{}: is a folder", place()),
        Ok(metadata) if !metadata.is_file() => {
            return File::options()
                .write(true)
                .open(path)
                .and_then(|file| write_to(file, write))
                .with_context(place);
        }
        _ => (),
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let temporary = Builder::new()
        .prefix(".eddyline-")
        .permissions(everybody())
        .tempfile_in(folder)
        .with_context(|| format!("{}: cannot write into {}", place(), folder.display()))?;
    write_to(temporary.as_file(), write).with_context(place)?;
    temporary
        .persist(path)
        .map_err(|error| error.error)
        .with_context(place)?;
    Ok(())
}

/// What an ordinary new file gets, less the user's mask.
fn everybody() -> Permissions {
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
    use super::*;

    #[test]
    fn a_failed_write_leaves_what_was_there_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        write_whole(&path, |file| file.write_all(b"first")).unwrap();
        let error = write_whole(&path, |file| {
            file.write_all(b"half")?;
            Err(io::Error::other("the disk is full"))
        });
        assert!(format!("{:#}", error.unwrap_err()).ends_with("a.png: the disk is full"));
        assert_eq!(std::fs::read(&path).unwrap(), b"first");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn errors_name_the_place() {
        let message = |path: &str| {
            format!(
                "{:#}",
                write_whole(Path::new(path), |_| Ok(())).unwrap_err()
            )
        };
        assert!(
            message("/nowhere/at/all/a.png")
                .starts_with("/nowhere/at/all/a.png: cannot write into /nowhere/at/all")
        );
        assert!(message("/tmp").contains("/tmp: is a folder"));
    }

    #[test]
    fn devices_are_written_and_not_replaced() {
        use std::os::unix::fs::FileTypeExt;
        write_whole(Path::new("/dev/null"), |file| file.write_all(b"x")).unwrap();
        assert!(
            std::fs::metadata("/dev/null")
                .unwrap()
                .file_type()
                .is_char_device()
        );
        let full = write_whole(Path::new("/dev/full"), |file| file.write_all(b"x"));
        assert!(format!("{:#}", full.unwrap_err()).starts_with("/dev/full: "));
    }
}
