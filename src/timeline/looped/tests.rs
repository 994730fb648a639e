use super::*;
use crate::settings::{Value, setting};
use crate::timeline::Moment;
use crate::timeline::{Change, Stir};

const WINDOW: [f64; 2] = [640.0, 360.0];

/// A timeline that repeats, with lives between two lengths.
fn looped(shortest: u32, longest: u32, period: u32) -> Timeline {
    let mut settings = Settings::default();
    for (name, value) in [
        ("lifetime_shortest", shortest),
        ("lifetime_longest", longest),
    ] {
        let value = Value::Number(value.into());
        setting(name).unwrap().set(&mut settings, value);
    }
    Timeline::looped(settings, WINDOW, NonZeroU32::new(period).unwrap())
}

/// Lifetimes and periods: lives much shorter, about as long, and much longer; and what is as small or large as can be.
const CASES: [(u32, u32, u32); 12] = [
    (90, 210, 60),
    (90, 210, 300),
    (90, 210, 1200),
    (90, 210, 150),
    (2, 3, 7),
    (2, 3600, 100),
    (3600, 3600, 1),
    (2, 2, 1),
    (2, 2, 3),
    (100, 100, 200),
    (3600, 3600, 50),
    (2, 3600, u32::MAX),
];

/// Parts follow each other without gaps, and repeat; at their ends particles are born, or take over the life that goes on.
#[test]
fn lives_are_closed() {
    for (shortest, longest, period) in CASES {
        let timeline = looped(shortest, longest, period);
        let steps = i64::from(period);
        assert_eq!(timeline.period(), Some(steps));
        for index in 0..200 {
            let begin = timeline.life_at(index, -7).birth;
            let mut step = begin;
            for _ in 0..400 {
                let life = timeline.life_at(index, step);
                assert!(life.birth == step && life.end > step);
                assert_eq!(timeline.life_at(index, life.end - 1), life);
                assert_eq!(timeline.end_of_life(index, step), life.end);
                let again = timeline.life_at(index, step - 3 * steps);
                assert_eq!(
                    again,
                    Life {
                        birth: life.birth - 3 * steps,
                        end: life.end - 3 * steps,
                        whole: life.whole.map(|time| time - 3 * steps),
                        ..life
                    }
                );
                if life.is_inherited {
                    let before = timeline.life_at(index - 1, step - 1);
                    assert_eq!((before.end, before.cycle), (step, life.cycle));
                    assert_eq!(before.line, life.line);
                }
                step = life.end;
                if step >= begin + steps {
                    break;
                }
            }
            let is_closed = step == begin + steps;
            assert!(is_closed || steps / i64::from(shortest) > 400, "{index}");
        }
    }
}

/// How long each life of particles lasts that begins in one period, from birth to death, through all that it is handed to.
fn whole_lives(timeline: &Timeline, particles: u32) -> Vec<(u32, i64, i64)> {
    let period = timeline.period().unwrap();
    let mut lives = Vec::new();
    for index in 0..particles {
        let mut step = timeline.life_at(index, 0).end;
        let until = step + period;
        while step < until {
            let first = timeline.life_at(index, step);
            let (mut life, mut holder) = (first, index);
            loop {
                let next = holder + 1;
                let heir = timeline.life_at(next, life.end);
                let goes_on = heir.is_inherited && (heir.line, heir.birth) == (life.line, life.end);
                if !goes_on {
                    break;
                }
                (life, holder) = (heir, next);
            }
            if !first.is_inherited {
                lives.push((first.line, first.cycle, life.end - step));
            }
            step = first.end;
        }
    }
    lives
}

/// Lives last what was drawn, as nearly as whole ones can fill the periods of their line; those of one line differ by a step at most.
#[test]
fn lives_last_nearly_what_was_drawn() {
    for (shortest, longest, period) in
        [(90, 210, 60), (90, 210, 150), (90, 210, 1200), (2, 300, 64)]
    {
        let timeline = looped(shortest, longest, period);
        let ordinary = Timeline::new(timeline.start().0, WINDOW);
        let lives = whole_lives(&timeline, 640);
        let mut sums = [0.0; 2];
        for &(line, cycle, length) in &lives {
            let life = ordinary.life_at(line, 0);
            let drawn = life.end - life.birth;
            // Lines that are cut short at the end of 64 hold shorter ones.
            assert!(length >= 2 && length <= 2 * drawn, "{length} of {drawn}");
            assert!(length <= timeline.longest_life(0), "{length}");
            let same_line = lives.iter().filter(|other| other.0 == line);
            let lengths: Vec<_> = same_line.clone().map(|other| other.2).collect();
            let [least, most] = [lengths.iter().min(), lengths.iter().max()];
            assert!(most.unwrap() - least.unwrap() <= 1, "{lengths:?}");
            // Each life of the line begins as often as particles share it.
            let members = same_line.clone().filter(|other| other.1 == cycle).count();
            assert!(members as u32 <= longest.div_ceil(period));
            sums = [sums[0] + length as f64, sums[1] + drawn as f64];
        }
        let ratio = sums[0] / sums[1];
        println!("{shortest}..{longest} in {period}: {ratio:.3} of what was drawn");
        assert!((0.85..1.15).contains(&ratio), "{ratio}");
    }
}

/// As many are born in each step as in any other, whatever the period.
#[test]
fn births_are_staggered() {
    for period in [60, 150, 300] {
        let timeline = looped(90, 210, period);
        let mut births = vec![0.0f64; period as usize];
        for index in 0..20_000 {
            let mut step = 0;
            while step < i64::from(period) {
                let life = timeline.life_at(index, step);
                if !life.is_inherited && life.birth >= 0 {
                    births[life.birth as usize] += 1.0;
                }
                step = life.end;
            }
        }
        let mean = births.iter().sum::<f64>() / births.len() as f64;
        // Chance alone strays by less than five times the root of the mean, and within a group all are born at once.
        let most = 8.0 * mean.sqrt();
        assert!(
            births.iter().all(|count| (count - mean).abs() < most),
            "{births:?}"
        );
    }
}

/// Settings, world and noise time come back; the first step begins the circle as it begins the line.
#[test]
fn moments_come_back() {
    let timeline = looped(90, 210, 1200);
    for step in [-5000, -1, 0, 1, 2, 600, 1200, 99_999] {
        let moment = timeline.at(step);
        let again = |steps: i64| Moment {
            step,
            ..timeline.at(step + steps)
        };
        assert_eq!(moment, again(1200));
        assert_ne!(moment, again(1));
    }
    let rate = timeline.start().0.time_scale();
    let NoiseTime::Circle {
        radius,
        part,
        period,
    } = timeline.at(1).time
    else {
        panic!("it repeats");
    };
    assert_eq!((part, period), (0, 1200));
    assert!((radius * std::f64::consts::TAU - rate * 1200.0).abs() < 1e-9);
    assert!(matches!(
        timeline.at(0).time,
        NoiseTime::Circle { part: 1199, .. }
    ));
}

/// What would not come back is not taken.
#[test]
fn a_timeline_that_repeats_takes_no_events() {
    let mut timeline = looped(90, 210, 300);
    let before = timeline.clone();
    let stir = Stir {
        place: [5.0, 6.0],
        velocity: [1.0, 2.0],
    };
    let speed = Change::Setting(setting("speed").unwrap(), Value::Number(3.0));
    for change in [speed, Change::Stir(stir), Change::Budget(0.5)] {
        assert_eq!(timeline.push(40, change), 40);
    }
    assert!(!timeline.settle(1000));
    timeline.truncate(0);
    assert_eq!(timeline, before);
    assert_eq!(timeline.events().count(), 0);
    assert_eq!(Timeline::new(timeline.start().0, WINDOW).period(), None);
}
