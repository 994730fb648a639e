//! What a path asks for: which format, and how many frames.

use std::path::{Path, PathBuf};

/// Where pictures go.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// One PNG file.
    Still(PathBuf),
    /// PNG files, numbered from 0.
    Numbered(Pattern),
    /// One file of many frames.
    Film(PathBuf, Format),
    /// Y4M video on stdout.
    Stdout,
    /// Lines for a plotter.
    Plot(PathBuf),
}

/// A format of many frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// H.264 in MP4, by the program itself.
    Mp4,
    /// What an installed ffmpeg makes of the ending.
    Ffmpeg,
    /// Animated GIF.
    Gif,
    /// Animated PNG.
    Apng,
    /// Uncompressed video.
    Y4m,
}

/// Endings of files of many frames.
const FILMS: [(&str, Format); 7] = [
    ("mp4", Format::Mp4),
    ("mkv", Format::Ffmpeg),
    ("webm", Format::Ffmpeg),
    ("mov", Format::Ffmpeg),
    ("gif", Format::Gif),
    ("apng", Format::Apng),
    ("y4m", Format::Y4m),
];

/// A path with one `%0Nd` for the frame's number in its file name.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    before: String,
    digits: usize,
    after: String,
}

/// Why a path says nothing about what to write.
#[derive(Debug, PartialEq, thiserror::Error)]
pub enum TargetError {
    /// Not a format that is written.
    #[error(
        "{0}: the ending must be .mp4, .mkv, .webm, .mov, .gif, .apng, .y4m, .svg or .png (many like frames/%05d.png); - is Y4M video on stdout"
    )]
    Ending(String),
    /// A percent sign that is no number.
    #[error("{0}: one number like %05d in the file name, and no other percent sign")]
    Pattern(String),
    /// A name that cannot be written with a number in it.
    #[error("{0}: the name of many frames must be UTF-8")]
    NotUnicode(String),
}

impl Target {
    /// What a path asks for.
    ///
    /// # Errors
    ///
    /// When the ending is not known, or a number is not written like `%05d`.
    pub fn from_path(path: &Path) -> Result<Target, TargetError> {
        if path.as_os_str() == "-" {
            return Ok(Target::Stdout);
        }
        let text = path.to_string_lossy();
        let is = |ending: &str| {
            path.extension()
                .is_some_and(|found| found.eq_ignore_ascii_case(ending))
        };
        if let Some(&(_, format)) = FILMS.iter().find(|(ending, _)| is(ending)) {
            return Ok(Target::Film(path.to_owned(), format));
        }
        if is("svg") {
            return Ok(Target::Plot(path.to_owned()));
        }
        if !is("png") {
            return Err(TargetError::Ending(text.into_owned()));
        }
        if !path
            .file_name()
            .is_some_and(|name| name.to_string_lossy().contains('%'))
        {
            return Ok(Target::Still(path.to_owned()));
        }
        if path.to_str().is_none() {
            return Err(TargetError::NotUnicode(text.into_owned()));
        }
        Pattern::parse(&text)
            .map(Target::Numbered)
            .ok_or_else(|| TargetError::Pattern(text.into_owned()))
    }

    /// What messages call it.
    pub fn name(&self) -> String {
        match self {
            Target::Still(path) | Target::Film(path, _) | Target::Plot(path) => {
                path.display().to_string()
            }
            Target::Numbered(Pattern {
                before,
                digits,
                after,
            }) => format!("{before}%0{digits}d{after}"),
            Target::Stdout => "stdout".to_owned(),
        }
    }

    /// Whether it shows one moment only.
    pub fn is_still(&self) -> bool {
        matches!(self, Target::Still(_) | Target::Plot(_))
    }
}

impl Pattern {
    fn parse(text: &str) -> Option<Pattern> {
        let (before, rest) = text.split_once('%')?;
        let (digits, after) = rest.split_once('d')?;
        let plain = !after.contains(['%', '/'])
            && digits.bytes().all(|byte| byte.is_ascii_digit())
            && digits.len() <= 3;
        let digits = if digits.is_empty() {
            1
        } else {
            digits.strip_prefix('0')?.parse().ok()?
        };
        (plain && digits <= 20).then(|| Pattern {
            before: before.to_owned(),
            digits,
            after: after.to_owned(),
        })
    }

    /// The file of a frame.
    pub fn path(&self, frame: u64) -> PathBuf {
        PathBuf::from(format!(
            "{}{frame:0digits$}{}",
            self.before,
            self.after,
            digits = self.digits
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_say_what_to_write() {
        let target = |text: &str| Target::from_path(Path::new(text));
        assert_eq!(
            target("a/water.png"),
            Ok(Target::Still(PathBuf::from("a/water.png")))
        );
        assert_eq!(target("-"), Ok(Target::Stdout));
        for (ending, format) in FILMS {
            let path = format!("a%.{}", ending.to_uppercase());
            assert_eq!(
                target(&path),
                Ok(Target::Film(PathBuf::from(&path), format))
            );
        }
        assert_eq!(target("a.svg"), Ok(Target::Plot(PathBuf::from("a.svg"))));
        assert!(target("a.svg").unwrap().is_still() && target("a.png").unwrap().is_still());
        assert!(!target("-").unwrap().is_still() && !target("%d.png").unwrap().is_still());
        assert_eq!(
            target("50%/a.PNG"),
            Ok(Target::Still(PathBuf::from("50%/a.PNG")))
        );
        let Ok(Target::Numbered(pattern)) = target("frames/%05d.png") else {
            panic!()
        };
        assert_eq!(pattern.path(0), PathBuf::from("frames/00000.png"));
        assert_eq!(pattern.path(123_456), PathBuf::from("frames/123456.png"));
        let Ok(Target::Numbered(pattern)) = target("x%d.png") else {
            panic!()
        };
        assert_eq!(pattern.path(7), PathBuf::from("x7.png"));
        for text in [
            "a%5d.png",
            "a%0xd.png",
            "a%d%d.png",
            "a%.png",
            "a%099d.png",
            "a%%d.png",
        ] {
            assert!(
                matches!(target(text), Err(TargetError::Pattern(_))),
                "{text}"
            );
        }
        for text in ["a.jpg", "a", "png", "", "frames/%05d"] {
            assert!(
                matches!(target(text), Err(TargetError::Ending(_))),
                "{text}"
            );
        }
        let strange = |bytes: &[u8]| {
            use std::os::unix::ffi::OsStrExt;
            Target::from_path(Path::new(std::ffi::OsStr::from_bytes(bytes)))
        };
        assert!(matches!(strange(b"a\xff.png"), Ok(Target::Still(_))));
        assert!(matches!(
            strange(b"d\xff/f%d.png"),
            Err(TargetError::NotUnicode(_))
        ));
    }
}
