//! The picture is a function of the timeline and the step: not of the way there, the threads, or what was shown.

use eddyline::canvas::Canvas;
use eddyline::canvas::cpu::CpuCanvas;
use eddyline::picture::{Picture, extent};
use eddyline::pool::Pool;
use eddyline::settings::{Direction, SETTINGS, Settings};
use eddyline::simulation::Simulation;
use eddyline::timeline::{Change, Stir, Timeline, World};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;

use crate::support::{canvas, change, preset, with};

/// Everything about particles that a later step could depend on, of those that are drawn.
fn state(simulation: &Simulation) -> Vec<(usize, u32, u32, u32)> {
    let particles = simulation.particles();
    let rows = (0..particles.len()).filter(|&row| particles.is_alive(row));
    rows.map(|row| {
        let place = particles.place[row];
        (
            row,
            place.x.to_bits(),
            place.y.to_bits(),
            particles.end[row],
        )
    })
    .collect()
}

#[test]
fn seeking_is_stepping() {
    let timeline = Timeline::new(preset("brook"), [320.0, 200.0]);
    let pool = Pool::single();
    for goal in [0, 1, 209, 100_000, -50] {
        let mut sought = Simulation::new(&timeline, 7, &pool);
        sought.seek(&timeline, goal, &pool);
        let there = state(&sought);
        assert!(there.len() > 500, "{} particles", there.len());
        for before in [1, 40, 500] {
            let mut stepped = Simulation::new(&timeline, goal - before, &pool);
            (0..before).for_each(|_| stepped.step(&timeline, &pool));
            assert_eq!(
                state(&stepped),
                there,
                "step {goal} from {before} steps before"
            );
            assert_eq!(stepped.segments(), sought.segments());
        }
    }
}

/// Changes every setting, up and down, and the window, a few steps apart.
fn busy_timeline(from: i64) -> (Timeline, i64) {
    let mut timeline = Timeline::new(
        // Few: where warped noise carries eddies, each is computed by itself.
        with(
            preset("brook"),
            &[("lifetime_longest", "200"), ("particle_area", "500")],
        ),
        [320.0, 200.0],
    );
    let mut step = from;
    for direction in [Direction::Up, Direction::Down, Direction::Down] {
        for row in SETTINGS {
            let value = timeline.latest_settings().stepped(row, direction, 64_000.0);
            timeline.push(step, Change::Setting(row, value));
            step += 3;
        }
        let sides = if direction == Direction::Up {
            [500.0, 120.0]
        } else {
            [280.0, 260.0]
        };
        timeline.push(
            step,
            Change::World(World::new(sides, timeline.latest_settings())),
        );
        step += 5;
    }
    for (name, text) in [
        ("particles", "500"),
        ("lifetime_longest", "40"),
        ("lifetime_shortest", "10"),
        ("seed", "9"),
    ] {
        timeline.push(step, change(name, text));
        step += 31;
    }
    timeline.push(step, change("particles", "200"));
    (timeline, step + 1)
}

fn stir(place: [f32; 2]) -> Change {
    Change::Stir(Stir {
        place,
        velocity: [9.0, -5.0],
    })
}

#[test]
fn seeking_is_stepping_across_changes_of_every_setting() {
    let (timeline, last) = busy_timeline(1000);
    let pool = Pool::single();
    let mut stepped = Simulation::new(&timeline, 500, &pool);
    for step in 501..last + 100 {
        stepped.step(&timeline, &pool);
        if step % 97 == 0 || (last - 5..last + 5).contains(&step) {
            let mut sought = Simulation::new(&timeline, step, &pool);
            assert_eq!(state(&sought), state(&stepped), "step {step}");
            sought.seek(&timeline, step, &pool);
            assert_eq!(sought.segments(), stepped.segments(), "step {step}");
        }
    }
}

#[test]
fn threads_do_not_change_a_bit() {
    let (timeline, last) = busy_timeline(20);
    let timeline = &timeline;
    let [one, two, seven] = [1, 2, 7].map(|threads| {
        let window = timeline.start().1.window;
        let mut canvas = CpuCanvas::new(extent(window, 1.5), Pool::new(threads).unwrap());
        let mut picture = Picture::new(timeline.clone(), Pool::new(threads).unwrap());
        picture.warm(&mut canvas, 5);
        picture.advance(&mut canvas, last);
        picture.present(&mut canvas, 0.3);
        (
            canvas.pixels().to_vec(),
            canvas.light().to_vec(),
            state(picture.simulation()),
        )
    });
    assert!(one == two && one == seven);
}

/// Stirred water is carried to the same bits by any threads and kernel, and others than if it had been left alone.
#[test]
fn stirring_gives_the_same_bits_everywhere() {
    // As many as several threads share, with short lives.
    let values = [
        ("particles", "31000"),
        ("lifetime_shortest", "40"),
        ("lifetime_longest", "60"),
    ];
    let mut timeline = Timeline::new(with(preset("brook"), &values), [700.0, 500.0]);
    let at_the_end = |timeline: &Timeline, pool: &Pool| {
        let mut simulation = Simulation::new(timeline, 10, pool);
        (11..40).for_each(|_| simulation.step(timeline, pool));
        state(&simulation)
    };
    let calm = at_the_end(&timeline, &Pool::single());
    for step in 11..35 {
        timeline.push(step, stir([step as f32 * 19.0, 250.0]));
    }
    let stirred = at_the_end(&timeline, &Pool::single());
    assert!(stirred != calm);
    for level in eddyline::simd::available() {
        for threads in [1, 2, 7] {
            let pool = Pool::new(threads).unwrap().with_level(level);
            let what = format!("{} with {threads} threads", level.name());
            assert!(at_the_end(&timeline, &pool) == stirred, "{what}");
        }
    }
    // A setting says how strongly, and 0 is not at all.
    timeline.push(11, change("stir", "0"));
    assert!(at_the_end(&timeline, &Pool::single()) == calm);
}

/// What was shown on the way leaves no trace: 24, 60, 144 frames per second, or at random.
#[test]
fn frames_leave_no_trace() {
    let timeline = Timeline::new(preset("brook"), [240.0, 160.0]);
    let mut generator = Pcg32::seed_from_u64(5);
    let lights: Vec<Vec<[f32; 4]>> = [0.0, 24.0, 60.0, 144.0, -1.0]
        .into_iter()
        .map(|fps: f64| {
            let mut canvas = canvas([240.0, 160.0], 1.0);
            let mut picture = Picture::new(timeline.clone(), Pool::single());
            picture.warm(&mut canvas, 100);
            let mut time = 100.0;
            while fps != 0.0 && time < 160.0 {
                time += if fps > 0.0 {
                    60.0 / fps
                } else {
                    generator.random_range(0.0..4.0)
                };
                picture.advance(&mut canvas, (time as i64).min(160));
                picture.present(&mut canvas, time.fract() as f32);
            }
            picture.advance(&mut canvas, 160);
            canvas.light().to_vec()
        })
        .collect();
    assert!(lights.iter().all(|light| *light == lights[0]));
    assert!(lights[0].iter().any(|light| light[3] > 0.1));
}

#[test]
fn a_frame_just_before_a_step_is_the_next_steps() {
    let mut canvas = canvas([320.0, 200.0], 1.0);
    for fade in ["0.03", "0.2"] {
        let timeline = Timeline::new(with(preset("brook"), &[("fade", fade)]), [320.0, 200.0]);
        let mut picture = Picture::new(timeline, Pool::single());
        picture.warm(&mut canvas, 30);
        picture.present(&mut canvas, 0.0);
        let whole = canvas.pixels().to_vec();
        picture.present(&mut canvas, 1.0 - f32::EPSILON);
        let before = canvas.pixels().to_vec();
        picture.advance(&mut canvas, 31);
        picture.present(&mut canvas, 0.0);
        let off = |pixels: &[u8]| {
            pixels
                .iter()
                .zip(canvas.pixels())
                .map(|(a, b)| a.abs_diff(*b))
                .max()
                .unwrap()
        };
        assert!(off(&before) <= 1, "{} codes", off(&before));
        assert!(off(&whole) > 10);
    }
}

/// Keys at random moments, played live and replayed from the timeline alone.
#[test]
fn random_keys_replay_to_the_same_bits() {
    let start: Settings = with(preset("brook"), &[("particle_area", "200")]);
    let mut live = Picture::new(Timeline::new(start, [200.0, 140.0]), Pool::single());
    let mut shown = canvas([200.0, 140.0], 1.0);
    live.warm(&mut shown, 0);
    let mut generator = Pcg32::seed_from_u64(11);
    let mut time = 0.0f64;
    while time < 500.0 {
        time += generator.random_range(0.0..3.0);
        live.advance(&mut shown, time as i64);
        live.present(&mut shown, time.fract() as f32);
        if generator.random_bool(0.3) {
            let row = &SETTINGS[generator.random_range(0..SETTINGS.len())];
            let direction = if generator.random_bool(0.5) {
                Direction::Up
            } else {
                Direction::Down
            };
            let value = live
                .timeline()
                .latest_settings()
                .stepped(row, direction, 28_000.0);
            live.push(Change::Setting(row, value));
        }
        if generator.random_bool(0.2) {
            let place = [0.0..200.0, 0.0..140.0].map(|side| generator.random_range(side));
            let velocity = [(); 2].map(|()| generator.random_range(-40.0..40.0));
            live.push(Change::Stir(Stir { place, velocity }));
        }
        if generator.random_bool(0.02) {
            live.push(Change::Budget(generator.random_range(0.1..1.0)));
        }
        if generator.random_bool(0.02) {
            let sides = [
                generator.random_range(1.0..300.0f64).round(),
                generator.random_range(1.0..200.0f64).round(),
            ];
            live.push(Change::World(World::new(
                sides,
                live.timeline().latest_settings(),
            )));
        }
        live.settle();
    }
    let end = live.step();
    assert!(live.timeline().events().count() > 60);

    let (settings, world) = live.timeline().start();
    let mut copy = Timeline::new(settings, world.window);
    for event in live.timeline().events() {
        assert_eq!(copy.push(event.step, event.change), event.step);
    }
    assert_eq!(copy, *live.timeline());
    let mut replay = Picture::new(copy, Pool::new(2).unwrap());
    let mut canvas = canvas([200.0, 140.0], 1.0);
    replay.warm(&mut canvas, 0);
    replay.advance(&mut canvas, end);
    assert_eq!(canvas.extent(), shown.extent());
    assert!(canvas.light() == shown.light());
    assert_eq!(state(replay.simulation()), state(live.simulation()));
}

/// A quick warm-up shows nearly the exact picture, and becomes it.
#[test]
fn a_quick_warm_up_becomes_exact() {
    let timeline = Timeline::new(preset("brook"), [320.0, 200.0]);
    let (mut exact, mut quick) = (canvas([320.0, 200.0], 1.0), canvas([320.0, 200.0], 1.0));
    let mut one = Picture::new(timeline.clone(), Pool::single());
    let mut other = Picture::new(timeline.clone(), Pool::single());
    one.warm(&mut exact, 0);
    other.warm_quickly(&mut quick, 0);
    let sum = |canvas: &CpuCanvas| {
        canvas
            .light()
            .as_flattened()
            .iter()
            .map(|&value| f64::from(value))
            .sum::<f64>()
    };
    let ratio = sum(&quick) / sum(&exact);
    assert!((ratio - 1.0).abs() < 0.03, "{ratio}");
    assert_eq!(state(one.simulation()), state(other.simulation()));
    let trail = timeline.warm_up(0);
    one.advance(&mut exact, trail);
    other.advance(&mut quick, trail);
    one.present(&mut exact, 0.0);
    other.present(&mut quick, 0.0);
    let worst = exact
        .pixels()
        .iter()
        .zip(quick.pixels())
        .map(|(a, b)| a.abs_diff(*b))
        .max()
        .unwrap();
    assert!(worst <= 1, "{worst} codes");
}
