//! What is asked of ffmpeg, word by word.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use super::Options;

/// Of everything: no questions, no greeting, and on stderr nothing but errors.
const QUIET: [&str; 5] = ["-nostdin", "-hide_banner", "-nostats", "-v", "error"];

/// Standard definition and RGB are what ffmpeg takes video for unless told: on the way in as on the way out.
const COLORS: [&str; 8] = [
    "-color_range",
    "tv",
    "-colorspace",
    "bt709",
    "-color_primaries",
    "bt709",
    "-color_trc",
    "bt709",
];

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// `.mkv`
    Matroska,
    /// `.webm`
    WebM,
    /// `.mov`
    QuickTime,
    /// `.mp4`
    Mp4,
}

impl Container {
    /// By the ending of the file's name, in large or small letters.
    pub fn of(path: &Path) -> Option<Container> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "mkv" => Some(Container::Matroska),
            "webm" => Some(Container::WebM),
            "mov" => Some(Container::QuickTime),
            "mp4" => Some(Container::Mp4),
            _ => None,
        }
    }

    fn codec(self) -> &'static str {
        match self {
            Container::WebM => "libvpx-vp9",
            Container::Matroska | Container::QuickTime | Container::Mp4 => "libx264",
        }
    }

    /// Its name, and what makes a file play up to the last second when its writer is killed.
    fn arguments(self) -> &'static [&'static str] {
        match self {
            Container::Matroska => &["-cluster_time_limit", "1000", "-f", "matroska"],
            Container::WebM => &["-cluster_time_limit", "1000", "-f", "webm"],
            // The plain place for a comment has 16 bits for its length.
            Container::QuickTime => &[
                "-movflags",
                "+frag_keyframe+empty_moov+default_base_moof+use_metadata_tags",
                "-f",
                "mov",
            ],
            Container::Mp4 => &[
                "-movflags",
                "+frag_keyframe+empty_moov+default_base_moof",
                "-f",
                "mp4",
            ],
        }
    }
}

/// How frames lie in memory, by ffmpeg's name.
pub fn pixel_format(options: &Options) -> &'static str {
    match (options.full_chroma, options.depth10) {
        (false, false) => "yuv420p",
        (true, false) => "yuv444p",
        (false, true) => "yuv420p10le",
        (true, true) => "yuv444p10le",
    }
}

/// For a recording, whose text for the file stands in the file `metadata`.
pub fn of_recording(options: &Options, container: Container, metadata: &Path) -> Vec<OsString> {
    let mut words = Words::quiet();
    let format = pixel_format(options);
    let [numerator, denominator] = options.fps;
    words.add(["-f", "rawvideo", "-pix_fmt", format]);
    words.add(COLORS);
    words.add_pair(
        "-video_size",
        format!("{}x{}", options.width, options.height),
    );
    words.add_pair("-framerate", format!("{numerator}/{denominator}"));
    words.add(["-i", "pipe:0", "-f", "ffmetadata", "-i"]);
    words.0.push(file(metadata));
    words.add(["-map", "0:v", "-map_metadata", "1", "-pix_fmt", format]);
    words.add(COLORS);
    // A second at most between two frames from which a file can be played.
    let second = numerator.div_ceil(denominator.max(1)).max(1);
    words.add_pair("-g", second.to_string());
    words.add_codec(options, container);
    // No random numbers, no dates.
    words.add(["-fflags", "+bitexact", "-flush_packets", "1"]);
    words.add(container.arguments().iter().copied());
    words.add([if options.replace { "-y" } else { "-n" }]);
    words.add(options.arguments.iter().map(String::as_str));
    words.0.push(file(&options.path));
    words.0
}

/// For a line on stdout for each frame of a file.
pub fn of_counting(path: &Path) -> Vec<OsString> {
    let mut words = Words::quiet();
    words.add(["-i"]);
    words.0.push(file(path));
    words.add(["-map", "0:v:0", "-c", "copy", "-f", "framecrc", "pipe:1"]);
    words.0
}

/// The take as a file of ffmpeg's metadata: on a command line a word has room for 128 KiB.
pub fn metadata(take: &str) -> String {
    let mut text = String::from(";FFMETADATA1\ncomment=");
    for letter in take.chars() {
        if matches!(letter, '=' | ';' | '#' | '\\' | '\n') {
            text.push('\\');
        }
        text.push(letter);
    }
    text.push('\n');
    text
}

/// A path that is nothing but a path, whatever it begins with and whichever colons are in it.
fn file(path: &Path) -> OsString {
    let mut word = OsString::from("file:");
    word.push(path);
    word
}

/// A command line that grows.
struct Words(Vec<OsString>);

impl Words {
    fn quiet() -> Words {
        let mut words = Words(Vec::new());
        words.add(QUIET);
        words
    }

    fn add<'a>(&mut self, words: impl IntoIterator<Item = &'a str>) {
        self.0.extend(words.into_iter().map(OsString::from));
    }

    fn add_pair(&mut self, name: &str, value: impl AsRef<OsStr>) {
        self.0.push(name.into());
        self.0.push(value.as_ref().to_owned());
    }

    /// The encoder, its quality and its speed. Of encoders that are not known, nothing is assumed.
    fn add_codec(&mut self, options: &Options, container: Container) {
        let codec = options.codec.as_deref().unwrap_or(container.codec());
        let (crf, preset) = match codec {
            "libx264" | "libx265" => (Some(18), Some("veryfast")),
            "libvpx-vp9" => (Some(24), None),
            _ => (None, None),
        };
        self.add(["-c:v", codec]);
        if let Some(crf) = options.crf.or(crf) {
            self.add_pair("-crf", crf.to_string());
        }
        if let Some(preset) = options.preset.as_deref().or(preset) {
            self.add_pair("-preset", preset);
        }
        if codec == "libvpx-vp9" {
            // Constant quality takes a bit rate of none; by itself it is slower than any other here, and on one thread.
            self.add([
                "-b:v",
                "0",
                "-deadline",
                "good",
                "-cpu-used",
                "5",
                "-row-mt",
                "1",
            ]);
        }
        let is_hevc = codec.contains("hevc") || codec.contains("265");
        if is_hevc && matches!(container, Container::QuickTime | Container::Mp4) {
            // QuickTime plays no other.
            self.add(["-tag:v", "hvc1"]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::options;
    use super::*;

    fn line(options: &Options) -> String {
        let container = Container::of(&options.path).unwrap();
        let words = of_recording(options, container, Path::new("meta"));
        let words: Vec<String> = words
            .into_iter()
            .map(|word| word.into_string().unwrap())
            .collect();
        format!(" {} ", words.join(" "))
    }

    #[test]
    fn endings_are_containers() {
        for (path, container) in [
            ("a.mkv", Some(Container::Matroska)),
            ("a.b.WebM", Some(Container::WebM)),
            ("dir/a.MOV", Some(Container::QuickTime)),
            ("a.mp4", Some(Container::Mp4)),
            ("a.avi", None),
            ("mkv", None),
        ] {
            assert_eq!(Container::of(Path::new(path)), container, "{path}");
        }
    }

    #[test]
    fn each_container_has_its_codec_and_survives_a_kill() {
        for (path, parts) in [
            (
                "a.mkv",
                " -c:v libx264 -crf 18 -preset veryfast | -cluster_time_limit 1000 -f matroska ",
            ),
            (
                "a.webm",
                " -c:v libvpx-vp9 -crf 24 -b:v 0 -deadline good -cpu-used 5 -row-mt 1 | -cluster_time_limit 1000 -f webm ",
            ),
            (
                "a.mov",
                " -c:v libx264 | -movflags +frag_keyframe+empty_moov+default_base_moof+use_metadata_tags -f mov ",
            ),
            (
                "a.mp4",
                " -c:v libx264 | -movflags +frag_keyframe+empty_moov+default_base_moof -f mp4 ",
            ),
        ] {
            let line = line(&options(Path::new(path)));
            for part in parts
                .split('|')
                .chain([" -flush_packets 1 ", " -g 30 ", " -n "])
            {
                assert!(line.contains(part), "{part} in {line}");
            }
            assert!(line.ends_with(&format!(" file:{path} ")), "{line}");
            let colors = format!(" {} ", COLORS.join(" "));
            assert_eq!(line.matches(&colors).count(), 2, "{line}");
        }
    }

    #[test]
    fn what_the_user_asks_for_goes_first_or_last() {
        let line = line(&Options {
            codec: Some("hevc_nvenc".to_owned()),
            crf: Some(7),
            preset: Some("p5".to_owned()),
            arguments: vec!["-g".to_owned(), "99".to_owned()],
            replace: true,
            fps: [24000, 1001],
            ..options(Path::new("a:b.mov"))
        });
        assert!(
            line.contains(" -g 24 -c:v hevc_nvenc -crf 7 -preset p5 -tag:v hvc1 "),
            "{line}"
        );
        assert!(line.ends_with(" -y -g 99 file:a:b.mov "), "{line}");
        assert!(line.contains(" -framerate 24000/1001 -i pipe:0 -f ffmetadata -i file:meta "));
    }

    #[test]
    fn unknown_codecs_get_nothing_that_was_not_asked_for() {
        let line = line(&Options {
            codec: Some("ffv1".to_owned()),
            ..options(Path::new("a.mkv"))
        });
        assert!(line.contains(" -c:v ffv1 -fflags "), "{line}");
    }

    #[test]
    fn metadata_is_escaped() {
        assert_eq!(
            metadata("a = 1\n# b; \\\n"),
            ";FFMETADATA1\ncomment=a \\= 1\\\n\\# b\\; \\\\\\\n\n"
        );
    }
}
