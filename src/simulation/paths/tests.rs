use super::*;

use std::collections::{BTreeMap, BTreeSet};

use crate::field::FlowField;
use crate::settings::{Settings, Value, setting};
use crate::timeline::{Change, Stir, World};

fn settings(values: &[(&str, f64)]) -> Settings {
    let mut settings = Settings::default();
    for &(name, value) in values {
        let row = setting(name).unwrap();
        row.set(&mut settings, Value::Number(value));
    }
    settings
}

fn change(name: &str, value: f64) -> Change {
    Change::Setting(setting(name).unwrap(), Value::Number(value))
}

/// Water whose window, particles, lives and speed change, and that is stirred, until step 400.
fn busy() -> Timeline {
    let mut timeline = Timeline::new(settings(&[("particles", 500.0)]), [300.0, 200.0]);
    timeline.push(200, change("particles", 900.0));
    timeline.push(230, change("speed", 3.0));
    timeline.push(260, change("lifetime_longest", 300.0));
    let world = |sides| Change::World(World::new(sides, timeline.latest_settings()));
    let (wide, narrow) = (world([400.0, 150.0]), world([220.0, 260.0]));
    timeline.push(300, wide);
    timeline.push(340, narrow);
    timeline.push(350, change("particles", 300.0));
    for step in 360..400 {
        let stir = Stir {
            place: [step as f32 - 300.0, 100.0],
            velocity: [9.0, -5.0],
        };
        timeline.push(step, Change::Stir(stir));
    }
    timeline
}

/// Timelines and steps at which they are looked at.
fn cases() -> Vec<(Timeline, i64)> {
    let calm = Timeline::new(settings(&[("particles", 400.0)]), [320.0, 200.0]);
    let whole = settings(&[("particles", 400.0), ("margin", 0.0), ("speed", 6.0)]);
    let tiling = Timeline::new(whole, [150.0, 90.0]);
    vec![
        (calm.clone(), 0),
        (calm, 100_000),
        (tiling, 50),
        (busy(), 320),
        (busy(), 345),
        (busy(), 399),
    ]
}

fn bits(place: Vec2) -> [u32; 2] {
    place.to_array().map(f32::to_bits)
}

fn by_particle(paths: Vec<Path>) -> BTreeMap<u32, Vec<Path>> {
    let mut found: BTreeMap<u32, Vec<Path>> = BTreeMap::new();
    let mut last = 0;
    for path in paths {
        assert!(path.particle >= last);
        last = path.particle;
        found.entry(last).or_default().push(path);
    }
    found
}

/// From birthplaces to where the particles of the picture are, one motion for each step.
#[test]
fn paths_are_the_lives_of_the_particles_in_the_picture() {
    let pool = Pool::single();
    for (timeline, step) in cases() {
        let simulation = Simulation::new(&timeline, step, &pool);
        let particles = simulation.particles();
        let found = by_particle(paths(&timeline, step, &pool));
        let mut expected = 0;
        let start = timeline.at(0);
        let mut field = FlowField::new(0, super::super::flow_parameters(&start));
        for row in (0..particles.len()).filter(|&row| particles.is_alive(row)) {
            let life = timeline.life_at(row as u32, step);
            if life.birth == step {
                continue;
            }
            expected += 1;
            let pieces = &found[&(row as u32)];
            let (first, last) = (&pieces[0].points, &pieces[pieces.len() - 1].points);
            assert_eq!(bits(last[last.len() - 1]), bits(particles.place[row]));
            let at_birth = timeline.at(life.birth);
            let parameters = super::super::flow_parameters(&at_birth);
            let nursery = super::super::nursery(&at_birth, parameters.flow.torus);
            field.refresh(at_birth.settings.seed(), parameters);
            let born = nursery.birthplace(&field, row as u32, life.cycle);
            assert_eq!(first[0], born);
            let motions: usize = pieces.iter().map(|path| path.points.len() - 1).sum();
            assert_eq!(motions as i64, step - life.birth + pieces.len() as i64 - 1);
        }
        assert_eq!(found.len(), expected);
        assert!(expected > 300, "{expected} lives");
    }
}

/// The last motions are the segments of the picture, but for those that cross an edge of the world.
#[test]
fn paths_end_with_the_segments_of_the_step() {
    let pool = Pool::single();
    for (timeline, step) in cases() {
        let simulation = Simulation::new(&timeline, step, &pool);
        let last = |path: &Path| {
            let [.., from, to] = path.points[..] else {
                panic!("{path:?}")
            };
            [bits(from), bits(to)]
        };
        let motions: BTreeSet<_> = paths(&timeline, step, &pool).iter().map(last).collect();
        let size = simulation.field().torus().size;
        let is_inside = |place: Vec2| place.cmpge(Vec2::ZERO).all() && place.cmplt(size).all();
        let segments = simulation.segments().iter();
        let inside = segments.filter(|segment| is_inside(segment.from) && is_inside(segment.to));
        let mut count = 0;
        for segment in inside {
            let motion = [bits(segment.from), bits(segment.to)];
            assert!(motions.contains(&motion), "step {step}: {segment:?}");
            count += 1;
        }
        assert!(count > 150, "{count} segments");
    }
}

#[test]
fn paths_are_cut_where_they_cross_the_world_and_go_on_at_the_other_side() {
    let pool = Pool::single();
    for (timeline, step) in cases() {
        // The fastest of all timelines, and what the pointer adds.
        let fastest = 6.0 + super::super::FASTEST;
        let mut cuts = 0;
        for pieces in by_particle(paths(&timeline, step, &pool)).into_values() {
            for path in &pieces {
                let motions = path.points.windows(2);
                let longest = motions
                    .map(|pair| pair[0].distance(pair[1]))
                    .fold(0.0, f32::max);
                assert!(longest < fastest, "{longest} px");
            }
            for pair in pieces.windows(2) {
                let [.., before, beyond] = pair[0].points[..] else {
                    panic!("{pair:?}")
                };
                let [outside, inside, ..] = pair[1].points[..] else {
                    panic!("{pair:?}")
                };
                let (leap, again) = (outside - before, inside - beyond);
                assert!(leap.length() > 80.0 && leap.distance(again) < 1e-3);
                cuts += 1;
            }
        }
        assert!(cuts > 20, "{cuts} cuts");
    }
}

#[test]
fn paths_of_too_many_places_leave_out_steps() {
    let pool = Pool::single();
    for (timeline, step) in cases() {
        let places = i64::from(timeline.count_at(step)) * timeline.longest_life(step);
        let quarter = places as u64 / 4 + 1;
        let [all, few] = [u64::MAX, quarter].map(|most| gather(&timeline, step, &pool, most));
        let [all, few] = [all, few].map(by_particle);
        let count = |paths: &BTreeMap<u32, Vec<Path>>| -> usize {
            paths.values().flatten().map(|path| path.points.len()).sum()
        };
        // Besides every fourth step: births, the last places of two worlds, and the crossings of edges.
        let crossings: usize = few.values().map(|pieces| 3 * (pieces.len() - 1)).sum();
        let most = count(&all) / 4 + 4 * few.len() + crossings;
        assert!(count(&few) < most, "{} of {}", count(&few), count(&all));
        assert!(few.keys().eq(all.keys()));
        for (particle, pieces) in &few {
            let last = |paths: &[Path]| paths.last().map(|path| path.points.last().copied());
            assert_eq!(last(pieces), last(&all[particle]));
        }
        let chords = few.values().flatten();
        let chords = chords.flat_map(|path| path.points.windows(2));
        let longest = chords
            .map(|pair| pair[0].distance(pair[1]))
            .fold(0.0, f32::max);
        assert!(longest < 4.0 * 14.0, "{longest} px");
    }
}

#[test]
fn a_path_has_the_mean_of_its_colors() {
    let still = settings(&[("particles", 200.0), ("time_scale", 0.0)]);
    let timeline = Timeline::new(still, [320.0, 200.0]);
    let pool = Pool::single();
    let field = Simulation::new(&timeline, 9, &pool).field;
    let whole = by_particle(paths(&timeline, 9, &pool)).into_values();
    let mut values = Vec::new();
    for pieces in whole.filter(|pieces| pieces.len() == 1) {
        let Path { color, points, .. } = &pieces[0];
        let sum: f32 = points.iter().map(|&point| field.color_near(point)).sum();
        assert!((sum / points.len() as f32 - color).abs() < 1e-5);
        values.push(*color);
    }
    let (low, high) = values.iter().fold((1.0f32, 0.0f32), |(low, high), &value| {
        (low.min(value), high.max(value))
    });
    assert!(
        (0.0..0.3).contains(&low) && high > 0.7 && high <= 1.0,
        "{low} to {high}"
    );
}
