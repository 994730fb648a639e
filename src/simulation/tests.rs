use super::*;
use crate::settings::{Settings, Value, setting};
use crate::simd::{self, Level};
use crate::timeline::Change;

fn settings(values: &[(&str, f64)]) -> Settings {
    let mut settings = Settings::default();
    for &(name, value) in values {
        setting(name)
            .unwrap()
            .set(&mut settings, Value::Number(value));
    }
    settings
}

#[test]
fn any_count_and_any_window_works() {
    let pool = Pool::single();
    for count in [1.0, 63.0, 64.0, 65.0, 5000.0] {
        for window in [[1.0, 1.0], [7.0, 900.0], [16_384.0, 16.0]] {
            let timeline =
                Timeline::new(settings(&[("particles", count), ("margin", 0.0)]), window);
            let mut simulation = Simulation::new(&timeline, 0, &pool);
            (0..5).for_each(|_| simulation.step(&timeline, &pool));
            assert_eq!(simulation.particles().living(), count as usize);
        }
    }
}

/// A segment that crosses the edge of the window goes on at the other side.
#[test]
fn segments_at_an_edge_appear_on_both_sides() {
    let timeline = Timeline::new(settings(&[("margin", 0.0)]), [200.0, 100.0]);
    let simulation = Simulation::new(&timeline, 0, &Pool::single());
    let seen = |from: Vec2, to: Vec2| {
        let [mut itself, mut copies, mut all] = [(); 3].map(|()| Run::default());
        let motion = Segment {
            from,
            to,
            ink: Ink::plain(0.5),
        };
        let (mut shown, mut near) = ([0; BLOCK], [0; BLOCK]);
        simulation.view.sort(
            &[from; BLOCK],
            &[to; BLOCK],
            &[0; BLOCK],
            &mut shown,
            &mut near,
        );
        if shown[0] == 1 {
            itself.room::<1>()[0] = motion;
            itself.keep(1);
        }
        if near[0] == 1 {
            simulation.view.copy(motion, &mut copies);
        }
        simulation.view.show(motion, &mut all);
        simulation.view.show_copies(motion, &mut all);
        let froms = |run: Run| -> Vec<Vec2> {
            let mut froms: Vec<_> = Segments::from(run)
                .iter()
                .map(|segment| segment.from)
                .collect();
            froms.sort_by(|a, b| a.to_array().partial_cmp(&b.to_array()).unwrap());
            froms
        };
        let mut found = froms(itself);
        found.extend(froms(copies));
        let count = found.len();
        found.sort_by(|a, b| a.to_array().partial_cmp(&b.to_array()).unwrap());
        // The quick way shows what the plain way shows.
        assert_eq!(found, froms(all), "{from} to {to}");
        assert!(count > 0);
        found
    };
    assert_eq!(
        seen(Vec2::new(50.0, 50.0), Vec2::new(51.0, 50.0)),
        [Vec2::new(50.0, 50.0)]
    );
    assert_eq!(
        seen(Vec2::new(199.0, 50.0), Vec2::new(200.4, 50.0)).len(),
        2
    );
    assert_eq!(seen(Vec2::new(1.0, 50.0), Vec2::new(0.2, 50.0)).len(), 2);
    assert_eq!(seen(Vec2::new(1.0, 1.0), Vec2::new(0.2, 0.2)).len(), 4);
}

#[test]
fn what_is_hidden_in_the_margin_is_not_stroked() {
    let timeline = Timeline::new(settings(&[]), [400.0, 300.0]);
    let pool = Pool::single();
    let mut simulation = Simulation::new(&timeline, 0, &pool);
    for _ in 0..100 {
        simulation.step(&timeline, &pool);
        let reach = simulation.view.reach;
        for segment in simulation.segments().iter() {
            let (low, high) = (
                segment.from.min(segment.to) - reach,
                segment.from.max(segment.to) + reach,
            );
            assert!(
                high.cmpgt(Vec2::ZERO).all() && low.cmplt(Vec2::new(400.0, 300.0)).all(),
                "{segment:?}"
            );
        }
        let seen = |place: &Vec2| place.x < 400.0 && place.y < 300.0;
        let particles = simulation.particles();
        let inside = particles.place.iter().filter(|place| seen(place)).count();
        let (segments, alive) = (simulation.segments().len(), particles.living());
        assert!(
            segments + 10 > inside && segments < alive,
            "{segments} segments, {inside} of {alive} inside"
        );
    }
}

/// Places, ends and segments have the same bits for any threads, chunk and level.
#[test]
fn threads_chunks_and_levels_change_no_bit() {
    let timeline = Timeline::new(settings(&[("particles", 40_000.0)]), [700.0, 500.0]);
    let at_three = |pool: &Pool, length: Option<usize>| {
        let mut simulation = Simulation::unborn(&timeline, 0);
        simulation.begin_seek(&timeline, 3);
        while simulation.step_number() < 3 {
            simulation.refresh_field(&timeline, pool);
            match length {
                Some(length) => simulation.carry_in_runs(&timeline, pool, length),
                None => simulation.carry(&timeline, pool),
            }
        }
        simulation
    };
    let plain = at_three(&Pool::single().with_level(Level::BASELINE), None);
    assert!(plain.segments().len() > 30_000 && plain.field().nodes() > 0);
    for (number, level) in simd::available().enumerate() {
        let lengths = [Some(4096), Some(64), Some(128), None, Some(1 << 20)];
        // How particles are shared out is the same for every kernel.
        let count = if number == 0 { 5 } else { 2 };
        let runs = [1, 2, 7, 7, 2].into_iter().zip(lengths);
        for (threads, length) in runs.skip(5 - count) {
            let pool = Pool::new(threads).unwrap().with_level(level);
            let other = at_three(&pool, length);
            let what = format!(
                "{} with {threads} threads, {length:?} at once",
                level.name()
            );
            assert_eq!(other.segments(), plain.segments(), "{what}");
            let bits = |simulation: &Simulation| -> Vec<[u32; 3]> {
                let Particles { place, end, .. } = simulation.particles();
                let rows = place.iter().zip(end);
                rows.map(|(place, end)| [place.x.to_bits(), place.y.to_bits(), *end])
                    .collect()
            };
            assert!(bits(&other) == bits(&plain), "{what}");
        }
    }
}

/// A removed particle lives out its life, an added one waits for its birth.
#[test]
fn counts_change_by_births_and_deaths() {
    let mut timeline = Timeline::new(
        settings(&[("particles", 1000.0), ("margin", 0.0)]),
        [400.0, 300.0],
    );
    let change = |count: f64| Change::Setting(setting("particles").unwrap(), Value::Number(count));
    timeline.push(10, change(400.0));
    timeline.push(600, change(1500.0));
    let pool = Pool::single();
    let mut simulation = Simulation::new(&timeline, 9, &pool);
    let mut counts = Vec::new();
    for _ in 10..1000 {
        simulation.step(&timeline, &pool);
        counts.push(simulation.particles().living());
    }
    assert!(
        counts[0] > 980 && counts[300] == 400 && counts[900] == 1500,
        "{} {} {}",
        counts[0],
        counts[300],
        counts[900]
    );
    let jump = counts
        .windows(2)
        .map(|pair| pair[0].abs_diff(pair[1]))
        .max()
        .unwrap();
    assert!(jump < 40, "{jump} at once");
}
