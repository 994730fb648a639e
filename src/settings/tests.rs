use super::*;

#[test]
fn defaults_and_steps_stay_in_range() {
    for row in SETTINGS {
        let default = row.value(&Settings::default());
        assert_eq!(row.domain.clamped(default), Some(default), "{}", row.name);
        assert_eq!(row.parse(&default.to_string()), Ok(default), "{}", row.name);
        for direction in [Direction::Up, Direction::Down] {
            let mut settings = Settings::default();
            for _ in 0..1000 {
                let value = settings.stepped(row, direction, 921_600.0);
                row.set(&mut settings, value);
                assert_eq!(
                    row.parse(&row.value(&settings).to_string()),
                    Ok(row.value(&settings)),
                    "{}",
                    row.name
                );
            }
            if let Some((low, high)) = row.domain.range().filter(|_| row.name != "seed") {
                let end = if direction == Direction::Up {
                    high
                } else {
                    low.max(lowest(row))
                };
                let reached = row.value(&settings);
                // Ratios of a range that ends at 0 come close and need not arrive.
                let Value::Number(reached) = reached else {
                    panic!("{}: a number", row.name)
                };
                assert!(
                    (reached - end).abs() <= 1e-4 * (high - low),
                    "{} {direction}: {reached}",
                    row.name
                );
            }
        }
    }
}

#[test]
fn every_step_moves_the_value() {
    for row in SETTINGS {
        let settings = Settings::default();
        let moved = [Direction::Up, Direction::Down]
            .map(|direction| settings.stepped(row, direction, 921_600.0));
        let still = moved.iter().all(|&value| value == row.value(&settings));
        assert!(!still || row.domain.names().len() == 1, "{}", row.name);
    }
}

#[test]
fn names_and_keys_are_unique() {
    let mut names: Vec<_> = SETTINGS.iter().map(|row| row.name).collect();
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
    let mut keys: Vec<_> = SETTINGS
        .iter()
        .filter_map(|row| row.keys)
        .flat_map(|(lower, raise)| [lower, raise])
        .collect();
    keys.sort_unstable();
    assert!(keys.windows(2).all(|pair| pair[0] != pair[1]), "{keys:?}");
}

#[test]
fn what_is_not_a_number_in_range_is_refused() {
    let row = setting("fade").unwrap();
    for text in [
        "nan", "NaN", "inf", "-inf", "", " ", "1e999", "0.0019", "0.91", "-0.1", "abc", "0,1",
    ] {
        assert!(row.parse(text).is_err(), "{text}");
    }
    let mut settings = Settings::default();
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        row.set(&mut settings, Value::Number(value));
    }
    row.set(&mut settings, Value::Name("even"));
    setting("headings")
        .unwrap()
        .set(&mut settings, Value::Name("sideways"));
    assert_eq!(settings, Settings::default());
    row.set(&mut settings, Value::Number(1e300));
    assert_eq!(settings.fade(), 0.9);
    assert_eq!(
        setting("particles")
            .unwrap()
            .parse("-1")
            .unwrap_err()
            .to_string(),
        "particles = -1: allowed is a whole number from 0 to 10000000 (0: one per particle_area)"
    );
}

#[test]
fn colors_read_and_write() {
    let row = setting("background").unwrap();
    assert_eq!(row.parse("#0A1b2C"), Ok(Value::Color(Color([10, 27, 44]))));
    assert_eq!(row.parse("0a1b2c"), Ok(Value::Color(Color([10, 27, 44]))));
    for text in [
        "#0a1b2", "#0a1b2cd", "#ggg000", "teal", "#+1+1+1", "#é12345",
    ] {
        assert!(row.parse(text).is_err(), "{text}");
    }
    let mut color = Value::Color(Color([0, 0, 0]));
    for _ in 0..100 {
        color = row.stepped(color, Direction::Up);
    }
    assert_eq!(color, Value::Color(Color([255, 255, 255])));
    for _ in 0..100 {
        color = row.stepped(color, Direction::Down);
    }
    assert_eq!(color, Value::Color(Color([0, 0, 0])));
}

#[test]
fn particles_follow_the_area_and_the_limit() {
    let mut settings = Settings::default();
    assert_eq!(settings.window_particles(1280.0 * 720.0), 1536);
    assert_eq!(settings.window_particles(1.0), 0);
    setting("particles_max")
        .unwrap()
        .set(&mut settings, Value::Number(1000.0));
    assert_eq!(settings.window_particles(1280.0 * 720.0), 1000);
    // A key on the automatic count moves on from it, and does not jump.
    setting("particles_max")
        .unwrap()
        .set(&mut settings, Value::Number(0.0));
    let up = settings.stepped(setting("particles").unwrap(), Direction::Up, 1280.0 * 720.0);
    assert_eq!(up, Value::Number(1920.0));
}

#[test]
fn lifetimes_are_in_order_whichever_way_they_are_set() {
    let mut settings = Settings::default();
    setting("lifetime_shortest")
        .unwrap()
        .set(&mut settings, Value::Number(500.0));
    assert_eq!(settings.lifetimes(), (210, 500));
}

/// The lowest value that keys lead to: a 0 that stands for something else is not one.
fn lowest(row: &Setting) -> f64 {
    match row.name {
        "particles" | "particles_max" => 1.0,
        "fps" => 5.0,
        "stroke_alpha" => 0.02,
        _ => f64::NEG_INFINITY,
    }
}

#[test]
fn keys_do_not_lead_to_a_zero_that_stands_for_something_else() {
    for row in SETTINGS.iter().filter(|row| !row.zero.is_empty()) {
        let mut settings = Settings::default();
        for _ in 0..200 {
            let value = settings.stepped(row, Direction::Down, 921_600.0);
            row.set(&mut settings, value);
        }
        assert_eq!(
            row.value(&settings),
            Value::Number(lowest(row)),
            "{}",
            row.name
        );
        assert_ne!(
            settings.stepped(row, Direction::Up, 921_600.0),
            Value::Number(lowest(row))
        );
    }
}

#[test]
fn a_negative_zero_is_zero() {
    assert_eq!(
        setting("speed").unwrap().parse("-0.0").unwrap().to_string(),
        "0"
    );
}

#[test]
fn large_steps_are_five_small_ones_and_end_where_the_range_does() {
    let start = Settings::default();
    let leapt = |name: &str, direction| {
        let row = setting(name).unwrap();
        start.leapt(row, direction, 1e6)
    };
    assert_eq!(leapt("speed", Direction::Up), Value::Number(1.9));
    assert_eq!(leapt("speed", Direction::Down), Value::Number(0.9));
    assert_eq!(leapt("fade", Direction::Up), Value::Number(0.0483153));
    assert_eq!(leapt("color_stretch", Direction::Up), Value::Number(1.0));
    assert_eq!(leapt("headings", Direction::Up), Value::Name("raw"));
}
