use super::*;
use crate::settings::setting;

const VIEW: [u32; 2] = [1280, 720];

fn main(overlay: &Overlay) -> Option<Image<'_>> {
    overlay.images()[1]
}

fn update(overlay: &mut Overlay, now: Instant) {
    let settings = Settings::default();
    overlay.update(VIEW, 1.0, &settings, &settings, now);
}

#[test]
fn nothing_is_shown_until_it_is_asked_for() {
    let mut overlay = Overlay::new();
    let now = Instant::now();
    update(&mut overlay, now);
    assert!(main(&overlay).is_none());
    overlay.toggle_help();
    update(&mut overlay, now);
    assert!(main(&overlay).is_some());
    overlay.toggle_help();
    update(&mut overlay, now);
    assert!(main(&overlay).is_none());
}

#[test]
fn a_notice_stays_two_seconds_and_vanishes_smoothly() {
    let mut overlay = Overlay::new();
    let now = Instant::now();
    overlay.say_value(setting("fade").unwrap(), &Settings::default(), now);
    let opacity = |overlay: &mut Overlay, milliseconds| {
        update(overlay, now + Duration::from_millis(milliseconds));
        main(overlay).map(|image| image.opacity)
    };
    assert_eq!(opacity(&mut overlay, 0), Some(1.0));
    assert_eq!(opacity(&mut overlay, 1700), Some(1.0));
    let half = opacity(&mut overlay, 1850).unwrap();
    assert!((half - 0.5).abs() < 0.01);
    assert_eq!(opacity(&mut overlay, 2000), None);
}

#[test]
fn pixels_are_painted_anew_only_when_they_change() {
    let mut overlay = Overlay::new();
    let now = Instant::now();
    overlay.toggle_help();
    let version = |overlay: &mut Overlay| {
        update(overlay, now);
        main(overlay).unwrap().version
    };
    let first = version(&mut overlay);
    assert_eq!(version(&mut overlay), first);
    overlay.choose(Direction::Down);
    assert_ne!(version(&mut overlay), first);
}

#[test]
fn arrows_reach_every_row() {
    let mut overlay = Overlay::new();
    for direction in [Direction::Down, Direction::Up] {
        let mut seen: Vec<_> = (0..SETTINGS.len())
            .map(|_| {
                overlay.choose(direction);
                overlay.chosen().name
            })
            .collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), SETTINGS.len());
    }
    for row in SETTINGS {
        overlay.choose_setting(row);
        assert_eq!(overlay.chosen(), row);
    }
}

#[test]
fn help_and_notice_fit_every_window() {
    let settings = Settings::default();
    let now = Instant::now();
    let sizes = [
        [1, 1],
        [40, 1000],
        [1000, 40],
        [320, 200],
        [1280, 720],
        [1920, 1400],
    ];
    // Every row meets half of the sizes, as help and as a notice.
    for (turn, size) in sizes.into_iter().enumerate() {
        for (number, scale) in [0.5, 1.0, 1.5, 3.0].into_iter().enumerate() {
            for (index, row) in SETTINGS.iter().enumerate() {
                if !(index + turn + 2 * number).is_multiple_of(8) {
                    continue;
                }
                let is_help = (index / 8 + turn).is_multiple_of(2);
                let mut overlay = Overlay::new();
                overlay.choose_setting(row);
                if is_help {
                    overlay.toggle_help();
                } else {
                    overlay.say_value(row, &settings, now);
                }
                overlay.update(size, scale, &settings, &settings, now);
                let Some(image) = main(&overlay) else {
                    continue;
                };
                assert_eq!(image.pixels.len() as u32, image.size[0] * image.size[1] * 4);
                if is_help && size[0] >= 320 && size[1] >= 200 {
                    for axis in 0..2 {
                        let end = image.place[axis] + image.size[axis] as i32;
                        assert!(
                            image.place[axis] >= 0 && end <= size[axis] as i32,
                            "{size:?} {scale}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn zero_says_what_it_stands_for() {
    let settings = Settings::default();
    assert_eq!(
        value_with_unit(setting("fps").unwrap(), &settings),
        "the display's rate"
    );
    assert_eq!(
        value_with_unit(setting("fade").unwrap(), &settings),
        "0.03 per step"
    );
    assert_eq!(
        value_with_unit(setting("margin").unwrap(), &settings),
        "0.35 cells"
    );
}

#[test]
fn figures_give_way_to_the_help_where_there_is_no_room_for_both() {
    let figures = || Some(vec![["shown".to_owned(), "60.0 frames/s".to_owned()]]);
    let settings = Settings::default();
    for (width, has_room) in [(1280, true), (800, false)] {
        let mut overlay = Overlay::new();
        overlay.set_figures(figures());
        let update = |overlay: &mut Overlay| {
            overlay.update([width, 720], 1.0, &settings, &settings, Instant::now());
            overlay.images()[0].is_some()
        };
        assert!(update(&mut overlay));
        overlay.toggle_help();
        assert_eq!(update(&mut overlay), has_room, "{width}");
        overlay.toggle_help();
        assert!(update(&mut overlay));
    }
}
