use super::*;
use crate::settings::{Direction, setting};

const WINDOW: [f64; 2] = [1280.0, 720.0];

fn number(name: &str, value: f64) -> Change {
    Change::Setting(setting(name).unwrap(), Value::Number(value))
}

#[test]
fn noise_time_is_the_sum_of_the_rates() {
    let mut timeline = Timeline::new(Settings::default(), WINDOW);
    for (step, rate) in [
        (10, 0.0011),
        (10, -0.003),
        (500, 0.0),
        (501, 0.05),
        (9000, 0.0009),
    ] {
        timeline.push(step, number("time_scale", rate));
    }
    let mut z = 0i128;
    for step in 1..10_000 {
        let moment = timeline.at(step);
        assert_eq!(moment.time, NoiseTime::Line(z), "step {step}");
        z += (moment.settings.time_scale() * 2f64.powi(64)).round() as i128;
    }
    let rate = (0.0009 * 2f64.powi(64)).round() as i128;
    assert_eq!(timeline.at(-99).time, NoiseTime::Line(-100 * rate));
    assert_eq!(timeline.at(1).time, NoiseTime::Line(0));
}

#[test]
fn lives_follow_each_other_without_gaps() {
    let mut timeline = Timeline::new(Settings::default(), WINDOW);
    for (step, name, value) in [
        (400, "lifetime_longest", 100.0),
        (430, "lifetime_shortest", 20.0),
        (430, "lifetime_longest", 2000.0),
        (2000, "seed", 4.0),
        (2001, "lifetime_longest", 30.0),
    ] {
        timeline.push(step, number(name, value));
    }
    for index in 0..300 {
        let mut life = timeline.life_at(index, -1000);
        assert!(life.birth <= -1000 && life.end > -1000);
        for step in -999..9000 {
            let next = timeline.life_at(index, step);
            if step < life.end {
                assert_eq!(next, life);
                continue;
            }
            // The new life begins where the old one was going to end, and its end is decided at its birth.
            assert_eq!((next.birth, next.cycle), (life.end, life.cycle + 1));
            assert_eq!(next.end, timeline.end_of_life(index, next.birth));
            let (shortest, longest) = timeline.at(next.birth).settings.lifetimes();
            assert!((i64::from(shortest)..=longest.into()).contains(&(next.end - next.birth)));
            assert!(next.end - next.birth <= timeline.longest_life(next.end - 1));
            life = next;
        }
    }
}

#[test]
fn births_are_staggered() {
    let timeline = Timeline::new(Settings::default(), WINDOW);
    let mut births = [0; 300];
    for index in 0..30_000 {
        let life = timeline.life_at(index, 299);
        if life.birth >= 0 {
            births[life.birth as usize] += 1;
        }
    }
    // The last births before step 300; those long before have been followed by others.
    let mean: i32 = births[210..].iter().sum::<i32>() / 90;
    assert!(
        births[210..]
            .iter()
            .all(|&count| (count - mean).abs() < mean / 2),
        "{births:?}"
    );
}

#[test]
fn gliding_settings_move_smoothly_and_stay_between() {
    let mut timeline = Timeline::new(Settings::default(), WINDOW);
    let row = setting("noise_scale").unwrap();
    let mut values = vec![0.0018];
    for step in [100, 103, 106, 140, 141] {
        let value = timeline.latest_settings().stepped(row, Direction::Up, 1.0);
        timeline.push(step, Change::Setting(row, value));
        let Value::Number(value) = value else {
            panic!()
        };
        values.push(value);
    }
    let last = *values.last().unwrap();
    let mut before = 0.0018;
    for step in 90..141 + GLIDE {
        let scale = timeline.at(step).settings.noise_scale();
        assert!(scale >= before && scale <= last, "step {step}: {scale}");
        assert!(scale - before < 0.0002, "step {step}");
        before = scale;
    }
    assert_eq!(timeline.at(99).settings.noise_scale(), 0.0018);
    assert_eq!(timeline.at(140 + GLIDE).settings.noise_scale(), last);
    // What does not glide is there at once.
    timeline.push(300, number("speed", 3.0));
    assert_eq!(
        [299, 300].map(|step| timeline.at(step).settings.speed()),
        [1.4, 3.0]
    );
}

#[test]
fn zooming_keeps_the_centre_and_resizing_every_place() {
    let mut timeline = Timeline::new(Settings::default(), WINDOW);
    let in_noise = |timeline: &Timeline, step: i64, place: [f64; 2]| {
        let moment = timeline.at(step);
        [0, 1].map(|axis| moment.noise_origin[axis] + place[axis] * moment.settings.noise_scale())
    };
    assert_eq!(timeline.at(0).noise_origin, [0.0, 0.0]);
    let centre = in_noise(&timeline, 1, [640.0, 360.0]);
    timeline.push(10, number("noise_scale", 0.003));
    for step in [10, 30, 200] {
        let here = in_noise(&timeline, step, [640.0, 360.0]);
        assert!(
            (0..2).all(|axis| (here[axis] - centre[axis]).abs() < 1e-12),
            "{here:?}"
        );
    }
    // In the middle of a glide, too.
    timeline.push(300, number("noise_scale", 0.002));
    let before = timeline.clone();
    timeline.push(
        320,
        Change::World(World::new([1920.0, 1080.0], timeline.latest_settings())),
    );
    for place in [[0.0, 0.0], [1000.0, 100.0]] {
        let [a, b] = [&before, &timeline].map(|timeline| in_noise(timeline, 320, place));
        assert!(
            (0..2).all(|axis| (a[axis] - b[axis]).abs() < 1e-12),
            "{a:?} {b:?}"
        );
    }
}

#[test]
fn the_margin_follows_when_the_settings_are_left_alone() {
    let mut timeline = Timeline::new(Settings::default(), WINDOW);
    let margin = timeline.latest_world().margin;
    assert!((margin - 0.35 / 0.0018).abs() < 1e-9);
    timeline.push(100, number("noise_scale", 0.004));
    assert!(!timeline.settle(159));
    assert_eq!(timeline.latest_world().margin, margin);
    assert!(timeline.settle(160));
    assert_eq!(timeline.latest_world().margin, 0.35 / 0.004);
    assert!(!timeline.settle(500));
    for (step, scale, expected) in [(600, 0.5, 64.0), (700, 0.0001, 320.0)] {
        timeline.push(step, number("noise_scale", scale));
        timeline.settle(step + 60);
        assert_eq!(timeline.latest_world().margin, expected);
    }
    timeline.push(
        800,
        Change::Setting(setting("edges").unwrap(), Value::Name("plain")),
    );
    assert!(timeline.settle(900));
    assert_eq!(timeline.latest_world().size(), WINDOW);
}

#[test]
fn events_never_lie_before_the_start_or_each_other() {
    let mut timeline = Timeline::new(Settings::default(), WINDOW);
    assert_eq!(timeline.push(-5, number("speed", 2.0)), 1);
    assert_eq!(timeline.push(50, number("speed", 3.0)), 50);
    assert_eq!(timeline.push(20, number("speed", 4.0)), 50);
    assert_eq!(timeline.at(50).settings.speed(), 4.0);
    assert_eq!(timeline.at(0).settings.speed(), 1.4);
}

#[test]
fn warm_ups_forget_all_but_a_65536th() {
    let mut timeline = Timeline::new(Settings::default(), WINDOW);
    assert_eq!(timeline.warm_up(0), 365);
    assert!((timeline.halvings(-365, 0) - 365.0 * -(0.97f64.log2())).abs() < 1e-9);
    timeline.push(1000, number("fade", 0.5));
    assert_eq!(timeline.warm_up(2000), 16);
    assert_eq!(timeline.halvings(999, 1007), 8.0);
    assert!((timeline.halvings(990, 1003) - (9.0 * -(0.97f64.log2()) + 4.0)).abs() < 1e-9);
    assert_eq!(
        timeline.warm_up(1003) - 4,
        ((16.0 - 4.0) / -(0.97f64.log2())).ceil() as i64
    );
}

#[test]
fn a_world_has_the_windows_density() {
    let settings = Settings::default();
    let world = World::new(WINDOW, &settings);
    let area = world.size()[0] * world.size()[1];
    assert!((f64::from(world.particles(&settings)) * 600.0 / area - 1.0).abs() < 0.001);
    assert_eq!(
        World::new([1e7, 1e7], &settings).particles(&settings),
        MOST_PARTICLES
    );
    assert_eq!(World::new([1.0, 1.0], &settings).particles(&settings), 0);
    // A tiny window's margin does not multiply what was asked for.
    let mut settings = settings;
    setting("particles")
        .unwrap()
        .set(&mut settings, Value::Number(3000.0));
    for window in [
        [0.4, 0.3],
        [7.0, 5.0],
        [64.0, 1.0],
        [1.0, 16_384.0],
        [320.0, 200.0],
    ] {
        assert!(
            World::new(window, &settings).particles(&settings) <= 12_000,
            "{window:?}"
        );
    }
}

/// A picture that goes back forgets: what is pushed then gives what it would have given at first.
#[test]
fn truncating_is_never_having_pushed() {
    let stir = |x: f32| {
        Change::Stir(Stir {
            place: [x, 20.0],
            velocity: [3.0, -1.0],
        })
    };
    let changes = [
        (10, number("noise_scale", 0.003)),
        (10, stir(1.0)),
        (11, stir(2.0)),
        (40, number("lifetime_longest", 50.0)),
        (90, Change::Budget(0.64)),
        (90, number("seed", 9.0)),
        (90, stir(3.0)),
        (120, number("time_scale", -0.01)),
        (
            130,
            Change::World(World::new([700.0, 400.0], &Settings::default())),
        ),
        (150, stir(4.0)),
    ];
    for until in [0, 9, 10, 11, 39, 40, 89, 90, 129, 149, 150, 1000] {
        let mut whole = Timeline::new(Settings::default(), WINDOW);
        let mut part = whole.clone();
        for (step, change) in changes.clone() {
            whole.push(step, change.clone());
            if step <= until {
                part.push(step, change);
            }
        }
        whole.truncate(until);
        assert_eq!(whole, part, "until {until}");
        for timeline in [&mut whole, &mut part] {
            timeline.push(until + 2, number("seed", 9.0));
        }
        assert_eq!(whole, part);
        assert_eq!(whole.life_at(7, 3000), part.life_at(7, 3000));
    }
}

#[test]
fn a_budget_is_a_share_of_what_the_settings_ask_for() {
    let mut timeline = Timeline::new(Settings::default(), WINDOW);
    let all = timeline.count_at(0);
    timeline.push(10, Change::Budget(0.5));
    timeline.push(20, number("particle_area", 300.0));
    timeline.push(30, Change::Budget(7.0));
    assert_eq!(timeline.count_at(9), all);
    assert!(timeline.count_at(10).abs_diff(all / 2) <= 1);
    assert!(timeline.count_at(20).abs_diff(all) <= 2);
    assert_eq!(timeline.latest_budget(), 1.0);
    assert!(timeline.count_at(30).abs_diff(2 * all) <= 2);
    assert_eq!(timeline.latest_settings().particle_area(), 300.0);
}

#[test]
fn stirs_last_a_second_and_come_once_a_step() {
    let mut timeline = Timeline::new(Settings::default(), WINDOW);
    let stir = Stir {
        place: [5.0, 6.0],
        velocity: [1.0, 2.0],
    };
    let steps = [-3, 1, 1, 100].map(|step| timeline.push(step, Change::Stir(stir)));
    assert_eq!(steps, [1, 2, 3, 100]);
    assert!(timeline.stirs_at(0).is_empty());
    assert_eq!(timeline.stirs_at(2).len(), 2);
    assert_eq!(timeline.stirs_at(LASTING).len(), 3);
    assert_eq!(timeline.stirs_at(LASTING + 2).len(), 1);
    assert!(timeline.stirs_at(LASTING + 3).is_empty());
    let strengths = |step: i64| -> Vec<f32> {
        let stirs = timeline.stirs_at(step).iter();
        stirs.map(|stirred| stirred.strength(step)).collect()
    };
    assert_eq!(strengths(100), [1.0]);
    assert!(strengths(99 + LASTING)[0] < 0.001);
    // A setting is not held up by them, and all are told in order.
    assert_eq!(timeline.push(50, number("speed", 2.0)), 50);
    let order: Vec<i64> = timeline.events().map(|event| event.step).collect();
    assert_eq!(order, [1, 2, 3, 50, 100]);
}
