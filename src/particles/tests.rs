use super::*;
use crate::field::FlowField;
use crate::pool::Pool;
use crate::settings::{Settings, setting};
use crate::simulation::flow_parameters;
use crate::timeline::Timeline;

const TORUS: Torus = Torus {
    size: Vec2::new(300.0, 200.0),
    band: Vec2::ZERO,
};

/// The field of a look with these values, and its nursery's rule in the torus.
fn cradle(values: &[(&str, &str)], rule: Rule) -> (FlowField, Nursery) {
    let mut settings = Settings::default();
    for (name, text) in values {
        let row = setting(name).unwrap();
        row.set(&mut settings, row.parse(text).unwrap());
    }
    let window = [300.0, 200.0];
    let parameters = flow_parameters(&Timeline::new(settings, window).at(1));
    let nursery = Nursery {
        rule,
        evenness: settings.birth_evenness() as f32,
        window: TORUS.size,
        torus: TORUS,
        unit: 0.2,
        tilt: 0.5,
    };
    (FlowField::new(settings.seed(), parameters), nursery)
}

fn births((field, nursery): &(FlowField, Nursery)) -> impl Iterator<Item = Vec2> {
    (0..2000).map(move |index| nursery.birthplace(field, index, i64::from(index % 7)))
}

/// Births fill the torus evenly, whichever particle or cycle.
#[test]
fn birthplaces_are_uniform() {
    let (field, nursery) = cradle(&[], Rule::Uniform);
    let mut bins = [0; 12];
    for index in 0..2000 {
        for cycle in -10..20 {
            let place = nursery.birthplace(&field, index, cycle);
            assert!(place.cmpge(Vec2::ZERO).all() && place.cmplt(TORUS.size).all());
            bins[(place.x / 75.0) as usize + 4 * (place.y / 67.0) as usize] += 1;
        }
    }
    assert!(
        bins.iter().all(|&count| (count - 5000i32).abs() < 300),
        "{bins:?}"
    );
    let (other, _) = cradle(&[("seed", "6")], Rule::Uniform);
    let [one, other] = [&field, &other].map(|field| nursery.birthplace(field, 1, 0));
    assert_ne!(one, other);
}

/// Births by density keep to their islands, all of them where the rim is sharp.
#[test]
fn births_by_density_keep_to_islands() {
    let values = [("births", "density"), ("birth_scale", "0.02")];
    for (softness, least) in [(0.0, 0.99), (0.5, 0.6)] {
        let rule = Rule::Density {
            threshold: 0.6,
            softness,
        };
        let cradle = cradle(&values, rule);
        let above = births(&cradle).filter(|&place| cradle.0.birth_share_at(place) > 0.6);
        let share = above.count() as f32 / 2000.0;
        assert!(share > least, "{softness}: {share}");
    }
    let cradle = cradle(&values, Rule::Uniform);
    let above = births(&cradle).filter(|&place| cradle.0.birth_share_at(place) > 0.6);
    let share = above.count() as f32 / 2000.0;
    assert!(share < 0.6, "elsewhere they do not: {share}");
}

/// At the bottom, on a line, and on a disc about the middle.
#[test]
fn births_follow_their_shapes() {
    let height = TORUS.size.y;
    let bottom = cradle(&[], Rule::Bottom);
    assert!(births(&bottom).all(|place| place.y >= 0.65 * height - 0.01 && place.y <= height));
    let low = births(&bottom).filter(|place| place.y > 0.9 * height);
    assert!(low.count() > 1000, "half lie in the lowest tenth");
    let band = cradle(&[("births", "band"), ("birth_scale", "0.01")], Rule::Band);
    assert!(births(&band).all(|place| place.y > 0.5 * height && place.y < 0.94 * height));
    let (left, right): (Vec<_>, Vec<_>) = births(&band).partition(|place| place.x < 150.0);
    let mean =
        |places: &[Vec2]| places.iter().map(|place| place.y).sum::<f32>() / places.len() as f32;
    assert!(
        (mean(&left) - mean(&right)).abs() > 1.0,
        "the band undulates"
    );
    let disc = cradle(&[], Rule::Disc);
    let distances: Vec<f32> = births(&disc)
        .map(|place| {
            let upright = (place - TORUS.size * 0.5) * Vec2::new(1.0, 2.0);
            upright.length() / 0.2
        })
        .collect();
    assert!(
        distances
            .iter()
            .all(|&distance| (5.9..1120.0).contains(&distance))
    );
    let near = distances
        .iter()
        .filter(|&&distance| distance < 264.0)
        .count();
    assert!((900..1500).contains(&near), "{near} of 2000 within a scale");
}

/// Where births are to be even, more are where the field drives particles apart.
#[test]
fn births_are_rather_where_the_field_thins_out() {
    let apart = |evenness: &str| {
        let values = [("birth_evenness", evenness), ("noise_scale", "0.02")];
        let cradle = cradle(&values, Rule::Uniform);
        let field = &cradle.0;
        let sum: f32 = births(&cradle)
            .map(|place| {
                let at = |x: f32, y: f32| field.velocity_at(TORUS.wrap(place + Vec2::new(x, y)));
                at(4.0, 0.0).x - at(-4.0, 0.0).x + at(0.0, 4.0).y - at(0.0, -4.0).y
            })
            .sum();
        sum / 2000.0
    };
    let [indifferent, even] = ["0", "1"].map(apart);
    assert!(even > indifferent + 0.1, "{indifferent} {even}");
}

#[test]
fn rows_come_in_whole_blocks() {
    let mut particles = Particles::default();
    for (count, rows) in [(0, 0), (1, 64), (63, 64), (64, 64), (65, 128)] {
        particles.grow_to(count, |index| [0, index.into()]);
        assert_eq!(particles.len(), rows);
    }
    assert_eq!((particles.living(), particles.end[100]), (0, 100));
    let mut firsts = vec![0; 2];
    let work = (particles.chunks(64), firsts.as_mut_slice());
    Pool::single().for_each(work, |number, (columns, first)| {
        *first = Chunk::new(number * 64, columns).first;
    });
    assert_eq!(firsts, [0, 64]);
}

#[test]
fn shrinking_keeps_the_living() {
    let mut particles = Particles::default();
    particles.grow_to(300, |index| [0, index.into()]);
    particles.place[70] = Vec2::ONE;
    particles.shrink_to(3);
    assert_eq!(particles.len(), 128);
    assert!(particles.is_alive(70) && !particles.is_alive(69));
    particles.leave_outside(Torus {
        size: Vec2::new(0.5, 5.0),
        ..TORUS
    });
    particles.shrink_to(3);
    assert_eq!(particles.len(), 64);
    particles.clear();
    assert!(particles.is_empty());
}
