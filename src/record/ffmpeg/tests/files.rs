//! What ffmpeg makes of it, as ffmpeg and ffprobe see it.

use super::*;

/// A file's comment.
fn comment(path: &Path) -> String {
    let text = probe(path, "format_tags=comment");
    text.strip_suffix('\n').unwrap().to_owned()
}

/// The picture in the middle of each of the four colors, from the last frame.
fn colors(path: &Path, frames: usize) -> [[u8; 3]; 4] {
    let output = Command::new("ffmpeg")
        .args(["-v", "error", "-i"])
        .arg(path)
        .args([
            "-vf",
            "scale=in_color_matrix=bt709:in_range=tv:flags=accurate_rnd",
        ])
        .args(["-pix_fmt", "rgb24", "-f", "rawvideo", "-"])
        .output()
        .unwrap();
    assert_eq!(output.stdout.len(), frames * SIDE * SIDE * 3);
    let last = &output.stdout[(frames - 1) * SIDE * SIDE * 3..];
    [0, 1, 2, 3].map(|quarter| {
        let (x, y) = (
            SIDE / 4 + quarter % 2 * SIDE / 2,
            SIDE / 4 + quarter / 2 * SIDE / 2,
        );
        let start = (y * SIDE + x) * 3;
        [last[start], last[start + 1], last[start + 2]]
    })
}

/// Records a few frames and looks at all of them.
fn check(options: &Options, codec: &str, format: &str) {
    let path = &options.path;
    let frames = 12;
    let bytes = record(options, frames).unwrap();
    assert_eq!(bytes, fs::metadata(path).unwrap().len());
    let stream = "stream=codec_name,pix_fmt,color_range,color_space,color_transfer,color_primaries,r_frame_rate,nb_read_packets";
    let [numerator, denominator] = options.fps;
    let expected = format!(
        "{codec}\n{format}\ntv\nbt709\nbt709\nbt709\n{numerator}/{denominator}\n{frames}\n"
    );
    assert_eq!(probe(path, stream), expected, "{}", path.display());
    assert_eq!(comment(path), options.take);
    for (seen, color) in colors(path, frames).into_iter().zip(COLORS) {
        let off = seen
            .iter()
            .zip(color)
            .map(|(seen, code)| seen.abs_diff(code))
            .max();
        assert!(
            off <= Some(4),
            "{}: {seen:?}, not {color:?}",
            path.display()
        );
    }
}

const TAKE: &str = "eddyline-take 1\nnoise_scale = 0.0018 # wide; \\ \"quoted\" 'n\n\n  [events]\n7: hue = \u{e4}\n\n";

#[test]
fn every_container_holds_frames_colors_tags_and_take() {
    if !is_installed() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for (name, codec, fps) in [
        ("a.mkv", "h264", [30, 1]),
        ("b.webm", "vp9", [60, 1]),
        ("c.mov", "h264", [24000, 1001]),
        ("d.MP4", "h264", [50, 1]),
    ] {
        let options = Options {
            fps,
            take: TAKE.to_owned(),
            ..options(&folder.path().join(name))
        };
        check(&options, codec, "yuv420p");
    }
}

#[test]
fn ten_bits_and_full_chroma_are_in_the_file() {
    if !is_installed() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for (name, codec, depth10, full_chroma, format) in [
        ("a.mkv", "h264", true, false, "yuv420p10le"),
        ("b.webm", "vp9", true, false, "yuv420p10le"),
        ("c.mov", "h264", false, true, "yuv444p"),
        ("d.webm", "vp9", false, true, "yuv444p"),
        ("e.mp4", "h264", true, true, "yuv444p10le"),
        ("f.webm", "vp9", true, true, "yuv444p10le"),
    ] {
        let options = Options {
            depth10,
            full_chroma,
            ..options(&folder.path().join(name))
        };
        check(&options, codec, format);
    }
}

/// HEVC writes to stderr whatever it is told, and needs its tag.
#[test]
fn other_codecs_are_taken() {
    if !is_installed() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for (name, codec, seen) in [
        ("a.mp4", "libx265", "hevc"),
        ("b.mov", "libx265", "hevc"),
        ("c.mkv", "ffv1", "ffv1"),
    ] {
        let options = Options {
            codec: Some(codec.to_owned()),
            ..options(&folder.path().join(name))
        };
        check(&options, seen, "yuv420p");
        if seen == "hevc" {
            assert_eq!(probe(&options.path, "stream=codec_tag_string"), "hvc1\n");
        }
    }
}

#[test]
fn quality_speed_and_arguments_reach_the_encoder() {
    if !is_installed() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mkv");
    let options = Options {
        crf: Some(33),
        preset: Some("ultrafast".to_owned()),
        arguments: ["-metadata", "title=as it flows"]
            .map(str::to_owned)
            .to_vec(),
        replace: true,
        ..options(&path)
    };
    fs::write(&path, "something that was there").unwrap();
    record(&options, 5).unwrap();
    // The encoder writes its settings into the stream.
    let bytes = fs::read(&path).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    assert!(text.contains("crf=33.0") && text.contains("cabac=0"));
    assert!(text.contains("as it flows"));
}

/// More than fits into a word of a command line, or into a length of 16 bits.
#[test]
fn long_takes_come_back_from_every_container() {
    if !is_installed() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let lines = (0..20_000).map(|step| format!("{step}: fade = 0.{step}; # \\\n"));
    let take: String = lines.collect();
    assert!(take.len() > 300_000);
    for name in ["a.mkv", "b.webm", "c.mov", "d.mp4"] {
        let options = Options {
            take: take.clone(),
            ..options(&folder.path().join(name))
        };
        record(&options, 2).unwrap();
        assert!(comment(&options.path) == take, "{name}");
    }
}

/// Cut short, it would not be noticed before it is wanted.
#[test]
fn a_take_that_would_not_come_back_is_refused() {
    for take in ["a\r\nb", "a\0b"] {
        let options = Options {
            take: take.to_owned(),
            ..options(Path::new("/tmp/never.mkv"))
        };
        let error = Ffmpeg::start(options).unwrap_err();
        let expected = "ffmpeg keeps no text with a carriage return or a zero byte";
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn odd_sides_take_full_chroma_only() {
    let folder = tempfile::tempdir().unwrap();
    let mut options = Options {
        width: 5,
        height: 3,
        ..options(&folder.path().join("a.mkv"))
    };
    let error = Ffmpeg::start(options.clone()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "4:2:0 needs even sides, not 5x3; 4:4:4 takes any"
    );
    if !is_installed() {
        return;
    }
    options.full_chroma = true;
    let mut recording = Ffmpeg::start(options.clone()).unwrap();
    let pixels = Pixels {
        width: 5,
        height: 3,
        rgba: &[200; 60],
    };
    recording.push(Frame::Codes(pixels)).unwrap();
    Box::new(recording).finish().unwrap();
    assert_eq!(
        probe(&options.path, "stream=width,height,nb_read_packets"),
        "5\n3\n1\n"
    );
}

#[test]
fn the_same_frames_make_the_same_file() {
    if !is_installed() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for ending in ["mkv", "mp4"] {
        let files = ["a", "b"].map(|name| {
            let path = folder.path().join(name).with_extension(ending);
            record(&options(&path), 20).unwrap();
            fs::read(path).unwrap()
        });
        assert!(files[0] == files[1], "{ending}");
    }
}
