//! Everything that can go wrong with a program that is not ours.

use super::*;

/// Long enough for a shell on a busy machine.
const SHORT: Duration = Duration::from_secs(5);

/// Runs a script in place of ffmpeg, over more frames than fit into a pipe; the first error, less the file's place.
fn failure(text: &str, patience: Duration) -> String {
    let folder = tempfile::tempdir().unwrap();
    let options = Options {
        program: script(folder.path(), text),
        patience,
        ..options(&folder.path().join("a.mkv"))
    };
    let error = record(&options, 20).unwrap_err();
    let text = error.to_string();
    assert!(matches!(error, RecordError::Encoder(_)), "{text}");
    assert!(!text.contains('\n'), "{text}");
    text
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let options = Options {
        program: "/nowhere/ffmpeg".into(),
        ..options(Path::new("/tmp/never.mkv"))
    };
    let error = Ffmpeg::start(options).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("cannot start /nowhere/ffmpeg: ")
    );
}

#[test]
fn other_endings_are_refused() {
    for name in ["a.avi", "a", "mp4"] {
        let error = Ffmpeg::start(options(Path::new(name))).unwrap_err();
        let expected = "the name of a video through ffmpeg ends in .mkv, .webm, .mov or .mp4";
        assert_eq!(error.to_string(), expected, "{name}");
    }
}

#[test]
fn success_is_not_believed() {
    assert_eq!(
        failure("cat > /dev/null", SHORT),
        "fake reported success, but the file holds 0 of 20 frames; look for a full disk, or for --ffmpeg-args that drop frames"
    );
    let text = "case \"$*\" in *framecrc*) echo '0, 1, 2'; echo 'truncated' >&2;; *) cat > /dev/null;; esac";
    assert_eq!(
        failure(text, SHORT),
        "fake reported success, but the file holds 1 of 20 frames; reading it back: truncated"
    );
    let text = "case \"$*\" in *framecrc*) exec sleep 1000;; *) cat > /dev/null;; esac";
    assert_eq!(
        failure(text, Duration::from_secs(1)),
        "fake reported success, but the file holds 0 of 20 frames; reading it back: it does not end"
    );
}

#[test]
fn a_hung_program_is_ended() {
    let expected =
        "fake did nothing for 0.3 s and was ended; the file holds what it had written before";
    for text in [
        "exec sleep 1000",
        "cat > /dev/null; exec sleep 1000",
        "exec < /dev/null; exec sleep 1000",
        "exec 2> /dev/null; exec sleep 1000",
    ] {
        assert_eq!(
            failure(text, Duration::from_millis(300)),
            expected,
            "{text}"
        );
    }
}

#[test]
fn an_end_without_a_word_is_told() {
    assert_eq!(
        failure("exit 3", SHORT),
        "fake ended with status 3 and no word; the file holds what it had written before"
    );
    assert_eq!(
        failure("cat > /dev/null; exit 4", SHORT),
        "fake ended with status 4 and no word; the file holds what it had written before"
    );
    assert_eq!(
        failure("head -c 1000 > /dev/null; kill -9 $$", SHORT),
        "fake was killed by signal 9; the file holds what it had written before"
    );
    assert_eq!(
        failure("head -c 1000 > /dev/null", SHORT),
        "fake ended before the last frame; look for --ffmpeg-args that limit the length"
    );
}

#[test]
fn whatever_it_complains_of_is_an_error() {
    let see = "see --codec, --crf, --preset, --depth, --pix and --ffmpeg-args";
    for (text, expected) in [
        ("cat > /dev/null; echo odd >&2", format!("fake: odd; {see}")),
        (
            "echo odd >&2; exec cat > /dev/null",
            format!("fake: odd; {see}"),
        ),
        (
            "echo odd >&2; echo 'Conversion failed!' >&2; exit 1",
            format!("fake: odd; {see}"),
        ),
        ("echo odd >&2; kill -9 $$", format!("fake: odd; {see}")),
    ] {
        assert_eq!(failure(text, SHORT), expected, "{text}");
    }
}

#[test]
fn complaints_come_with_what_to_do() {
    let kept = "make room and start again; the file holds what it had written before";
    for (line, is_empty, expected) in [
        ("a.mkv: No space left on device", true, kept),
        ("av_interleaved_write_frame(): File too large", false, kept),
        (
            "File 'a.mkv' already exists. Exiting.",
            true,
            "-y replaces it",
        ),
        (
            "/a/b.mkv: No such file or directory",
            true,
            "make the folder first",
        ),
        ("/a/b.mkv: Permission denied", true, "choose another folder"),
        (
            "/a/b.mkv: Read-only file system",
            true,
            "choose another folder",
        ),
        ("odd", false, KEPT),
    ] {
        assert_eq!(advice(line, is_empty), expected, "{line}");
    }
}

#[test]
fn after_a_failure_all_else_fails_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options {
        program: script(folder.path(), "exit 3"),
        ..options(&folder.path().join("a.mkv"))
    };
    let mut recording = Ffmpeg::start(options).unwrap();
    let first = push(&mut recording, 20).unwrap_err().to_string();
    let rgba = codes();
    assert_eq!(
        recording.push(pixels(&rgba)).unwrap_err().to_string(),
        first
    );
    assert_eq!(Box::new(recording).finish().unwrap_err().to_string(), first);
}

#[test]
fn frames_of_another_kind_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let program = script(folder.path(), "cat > /dev/null");
    let small = Frame::Codes(Pixels {
        width: 2,
        height: 2,
        rgba: &[0; 16],
    });
    let rgba = codes();
    for (depth10, frame) in [(false, small), (true, small), (true, pixels(&rgba))] {
        let options = Options {
            program: program.clone(),
            depth10,
            ..options(&folder.path().join("a.mkv"))
        };
        let error = Ffmpeg::start(options).unwrap().push(frame).unwrap_err();
        let bits = if depth10 { 10 } else { 8 };
        let expected = format!("this recording takes frames for {bits} bits, 128x128");
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn no_frame_leaves_no_file_but_what_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mkv");
    let touching = "for file; do :; done; file=${file#file:}; : > \"$file\"; cat > /dev/null; echo late > \"$file\"";
    let options = Options {
        program: script(folder.path(), touching),
        ..options(&path)
    };
    // Empty, whenever it is looked at.
    let begin = |options: &Options| {
        let recording = Ffmpeg::start(options.clone()).unwrap();
        while !path.exists() {
            std::thread::sleep(process::TICK);
        }
        recording
    };
    assert_eq!(Box::new(begin(&options)).finish().unwrap(), 0);
    assert!(!path.exists());
    drop(begin(&options));
    assert!(!path.exists());
    fs::write(&path, "").unwrap();
    drop(begin(&options));
    assert!(path.exists());
}

/// Whoever has an hour before them hears of it now.
#[test]
fn a_complaint_ends_the_recording_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options {
        program: script(folder.path(), "echo odd >&2; exec cat > /dev/null"),
        ..options(&folder.path().join("a.mkv"))
    };
    let mut recording = Ffmpeg::start(options).unwrap();
    let error = (0..5000).find_map(|_| {
        std::thread::sleep(Duration::from_millis(1));
        push(&mut recording, 1).err()
    });
    assert!(error.unwrap().to_string().starts_with("fake: odd; "));
}

#[test]
#[cfg(target_os = "linux")]
fn the_child_has_a_group_of_its_own_and_ends_with_us() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options {
        program: script(folder.path(), "exec sleep 1000"),
        ..options(&folder.path().join("a.mkv"))
    };
    let recording = Ffmpeg::start(options).unwrap();
    let process = recording.process.id();
    let status = format!("/proc/{process}/stat");
    let text = fs::read_to_string(&status).unwrap();
    let group = text.rsplit(") ").next().unwrap().split(' ').nth(2);
    assert_eq!(group, Some(process.to_string().as_str()));
    drop(recording);
    assert!(!Path::new(&status).exists());
}

#[test]
fn what_ffmpeg_refuses_is_told_in_its_words() {
    if !is_installed() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mkv");
    let start = options(&path);
    let text = |options: Options| record(&options, 200).unwrap_err().to_string();
    let preset = text(Options {
        preset: Some("fats".to_owned()),
        ..start.clone()
    });
    assert!(
        preset.starts_with("ffmpeg: ") && preset.contains("'fats'"),
        "{preset}"
    );
    assert!(preset.ends_with("; see --codec, --crf, --preset, --depth, --pix and --ffmpeg-args"));
    let codec = text(Options {
        codec: Some("nope".to_owned()),
        ..start.clone()
    });
    assert!(codec.contains("nope"), "{codec}");
    let early = text(Options {
        arguments: ["-frames:v", "3"].map(str::to_owned).to_vec(),
        ..start.clone()
    });
    assert!(early.contains("look for --ffmpeg-args"), "{early}");
    let folder_gone = text(options(&folder.path().join("none/a.mkv")));
    assert!(folder_gone.ends_with("No such file or directory; make the folder first"));
    fs::write(&path, "precious").unwrap();
    let exists = text(start);
    assert!(exists.ends_with("; -y replaces it"), "{exists}");
    assert_eq!(fs::read(&path).unwrap(), b"precious");
}

#[test]
fn a_full_disk_is_an_error_and_what_was_written_plays() {
    if !is_installed() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    // 64 KiB, in blocks of 512 bytes; whoever is past it gets an error, as of a full disk, and no signal.
    let limited = "trap '' XFSZ; ulimit -f 128; exec ffmpeg \"$@\"";
    let program = script(folder.path(), limited);
    for name in ["a.mkv", "b.webm", "c.mov", "d.mp4"] {
        let path = folder.path().join(name);
        let options = Options {
            program: program.clone(),
            codec: name.ends_with("webm").then(|| "libvpx".to_owned()),
            arguments: ["-b:v", "9M"].map(str::to_owned).to_vec(),
            ..options(&path)
        };
        let mut recording = Ffmpeg::start(options).unwrap();
        let outcome = push_noise(&mut recording, 600);
        let error = match outcome {
            Ok(_) => Box::new(recording).finish().unwrap_err(),
            Err(error) => error,
        };
        let text = error.to_string();
        assert!(
            text.contains("File too large; make room and start again"),
            "{text}"
        );
        assert!(decoded(&path) > 3, "{name}: {}", decoded(&path));
    }
}

/// Pushes frames that do not compress; how many were taken.
fn push_noise(recording: &mut Ffmpeg, frames: u32) -> Result<u32, RecordError> {
    let mut state = 1u32;
    for _ in 0..frames {
        let rgba: Vec<u8> = (0..SIDE * SIDE * 4)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 25) as u8
            })
            .collect();
        recording.push(pixels(&rgba))?;
    }
    Ok(frames)
}

#[test]
fn a_kill_leaves_all_but_the_last_two_seconds() {
    if !is_installed() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.mkv", "b.webm", "c.mov", "d.mp4"] {
        let path = folder.path().join(name);
        let mut recording = Ffmpeg::start(options(&path)).unwrap();
        push(&mut recording, 200).unwrap();
        let process = recording.process.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-9", &process])
                .status()
                .unwrap()
                .success()
        );
        let error = Box::new(recording).finish().unwrap_err().to_string();
        assert_eq!(error, format!("ffmpeg was killed by signal 9; {KEPT}"));
        // At 30 frames a second, and with what the pipe and the queue before it hold.
        let frames = decoded(&path);
        assert!(frames >= 200 - 60 - 7, "{name}: {frames}");
    }
}
