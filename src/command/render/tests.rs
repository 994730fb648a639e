use super::*;

#[test]
fn paths_say_what_to_write() {
    let target = |text: &str| Target::from_path(Path::new(text));
    assert_eq!(
        target("a/water.png"),
        Ok(Target::Still(PathBuf::from("a/water.png")))
    );
    assert_eq!(target("-"), Ok(Target::Y4m));
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
