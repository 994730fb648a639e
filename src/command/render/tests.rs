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
    for text in ["a.jpg", "a", "png", "a.png/", "", "frames/%05d"] {
        assert!(target(text).is_err() || text == "a.png/", "{text}");
    }
}

#[test]
fn frames_lie_at_exact_times() {
    let clock = Clock::new(Duration::from_secs(10), 60.0);
    assert_eq!(
        [0, 1, 600].map(|frame| clock.time_of(frame)),
        [(600, 0.0), (601, 0.0), (1200, 0.0)]
    );
    let clock = Clock::new(Duration::ZERO, 144.0);
    assert_eq!(
        [0, 1, 12, 144].map(|frame| clock.time_of(frame).0),
        [0, 0, 5, 60]
    );
    assert_eq!(clock.time_of(6), (2, 0.5));
    let clock = Clock::new(Duration::ZERO, 29.97);
    assert_eq!(clock.fps(), [29_970, 1000]);
    assert_eq!(clock.time_of(2997), (6000, 0.0));
    for frame in 0..20_000 {
        let (_, fraction) = Clock::new(Duration::from_millis(1), 59.999).time_of(frame);
        assert!((0.0..1.0).contains(&fraction));
    }
    assert_eq!(Clock::at(Duration::from_millis(250)).time_of(0), (15, 0.0));
}

#[test]
fn lengths_round_to_whole_frames() {
    let frames = |fps: f64, seconds: f64| {
        Clock::new(Duration::ZERO, fps).frames(Duration::from_secs_f64(seconds))
    };
    assert_eq!(frames(60.0, 5.0), 300);
    assert_eq!(frames(24.0, 0.99), 24);
    assert_eq!(frames(29.97, 100.0), 2997);
    assert_eq!(frames(0.0, 0.0), 1);
    assert_eq!(frames(0.001, 1.0), 1);
}
