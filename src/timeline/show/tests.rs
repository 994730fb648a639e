use super::*;
use crate::settings::{Value, setting};
use crate::timeline::Stir;

const WINDOW: [f64; 2] = [640.0, 360.0];

fn settings(name: &str, text: &str) -> Settings {
    let (mut settings, row) = (Settings::default(), setting(name).unwrap());
    row.set(&mut settings, row.parse(text).unwrap());
    settings
}

fn look(name: &str, text: &str) -> Change {
    Change::Look(Box::new(settings(name, text)))
}

fn set(name: &str, value: f64) -> Change {
    Change::Setting(setting(name).unwrap(), Value::Number(value))
}

/// Two looks: the second comes from step 100 to step 220.
fn two() -> Show {
    let mut show = Show::new(Settings::default(), WINDOW);
    assert_eq!(show.push(50, set("turns", 2.0)), 50);
    assert_eq!(show.push(100, look("speed", "5")), 100);
    show
}

#[test]
fn a_look_comes_within_its_dissolve() {
    let show = two();
    assert_eq!([99, 100, 1000].map(|step| show.act_at(step)), [0, 1, 1]);
    assert_eq!(
        [50, 100, 160, 219, 220].map(|step| show.is_dissolving(1, step)),
        [true, true, true, true, false]
    );
    assert!(!show.is_dissolving(0, 10));
    let shares = [50, 100, 160, 220].map(|step| show.share(1, step, 0.0));
    assert_eq!(shares, [0.0, 0.0, 0.5, 1.0]);
    assert!(show.share(1, 160, 0.5) > 0.5);
    assert_eq!(show.at(99).settings.speed(), 1.4);
    assert_eq!(show.at(100).settings.speed(), 5.0);
    // It has been there all the time, under its own clock.
    assert_eq!(
        show.timeline(1),
        &Timeline::new(settings("speed", "5"), WINDOW)
    );
}

#[test]
fn two_looks_are_enough_at_a_time() {
    let mut show = two();
    assert_eq!(show.free_at(0), 220);
    assert_eq!(show.push(130, look("speed", "6")), 220);
    // Nor does one come in the middle of what is done to the one before.
    let mut show = Show::new(Settings::default(), WINDOW);
    show.push(100, set("fade", 0.1));
    assert_eq!(show.push(100, look("speed", "6")), 101);
}

#[test]
fn what_is_set_belongs_to_the_look_that_comes() {
    let mut show = two();
    assert_eq!(show.push(90, set("fade", 0.5)), 100);
    assert_eq!(show.push(120, set("width_spread", 0.5)), 120);
    assert_eq!(show.first().latest_settings().fade(), 0.03);
    assert_eq!(show.last().latest_settings().fade(), 0.5);
    assert_eq!(show.timeline(1).start().0.fade(), 0.03);
}

#[test]
fn the_window_is_that_of_both_looks_while_both_are_seen() {
    let mut show = two();
    let world = |side: f64| Change::World(World::new([side, side], &Settings::default()));
    let stir = |x: f32| {
        Change::Stir(Stir {
            place: [x, 0.0],
            velocity: [1.0, 0.0],
        })
    };
    show.push(150, world(300.0));
    show.push(150, Change::Budget(0.5));
    show.push(151, stir(1.0));
    for act in 0..2 {
        let timeline = show.timeline(act);
        assert_eq!(timeline.latest_world().window, [300.0; 2], "{act}");
        assert_eq!(timeline.latest_budget(), 0.5);
        assert_eq!(timeline.stirs_at(160).len(), 1);
    }
    show.push(230, world(200.0));
    assert_eq!(show.first().latest_world().window, [300.0; 2]);
    // What comes next begins with what there is then.
    show.push(400, look("speed", "7"));
    assert_eq!(show.last().start().1.window, [200.0; 2]);
    assert_eq!(show.last().latest_budget(), 0.5);
    let kinds: Vec<i64> = show.events().map(|event| event.step).collect();
    assert_eq!(kinds, [50, 100, 150, 150, 151, 230, 400]);
    let later: Vec<i64> = show.events_after(150).map(|event| event.step).collect();
    assert_eq!(later, [151, 230, 400]);
}

/// Whoever pushes the events of a show again gets it.
#[test]
fn events_make_the_same_show_again() {
    let mut show = two();
    show.push(90, set("fade", 0.5));
    show.push(
        150,
        Change::World(World::new([90.0; 2], show.last().latest_settings())),
    );
    show.push(151, Change::Budget(0.25));
    show.push(300, look("dissolve", "0"));
    show.push(310, set("turns", 3.0));
    let mut again = Show::new(Settings::default(), WINDOW);
    for event in show.events() {
        assert_eq!(again.push(event.step, event.change.clone()), event.step);
    }
    assert_eq!(again, show);
}

#[test]
fn what_comes_later_is_forgotten() {
    let mut show = two();
    let before = show.clone();
    show.push(
        150,
        Change::World(World::new([90.0; 2], &Settings::default())),
    );
    show.push(300, look("speed", "6"));
    show.truncate(140);
    assert_eq!(show, before);
    show.truncate(99);
    assert_eq!(show.acts(), 1);
    show.truncate(0);
    assert_eq!(show, Show::new(Settings::default(), WINDOW));
}

#[test]
fn a_calm_picture_takes_its_time() {
    let length = |dissolve: &str, calm: &str| {
        let mut settings = settings("dissolve", dissolve);
        let row = setting("calm").unwrap();
        row.set(&mut settings, row.parse(calm).unwrap());
        let mut show = Show::new(Settings::default(), WINDOW);
        show.push(100, Change::Look(Box::new(settings)));
        show.free_at(0) - 100
    };
    assert_eq!([length("0", "off"), length("5", "off")], [1, 300]);
    assert_eq!([length("0", "on"), length("5", "on")], [120, 300]);
}
