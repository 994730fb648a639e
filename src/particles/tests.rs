use super::*;
use crate::pool::Pool;

const TORUS: Torus = Torus {
    size: Vec2::new(300.0, 200.0),
    band: Vec2::ZERO,
};

/// Births fill the torus evenly, whichever particle or cycle.
#[test]
fn birthplaces_are_uniform() {
    let mut bins = [0; 12];
    for index in 0..2000 {
        for cycle in -10..20 {
            let place = birthplace(5, index, cycle, TORUS);
            assert!(place.cmpge(Vec2::ZERO).all() && place.cmplt(TORUS.size).all());
            bins[(place.x / 75.0) as usize + 4 * (place.y / 67.0) as usize] += 1;
        }
    }
    assert!(
        bins.iter().all(|&count| (count - 5000i32).abs() < 300),
        "{bins:?}"
    );
    assert_ne!(birthplace(5, 1, 0, TORUS), birthplace(6, 1, 0, TORUS));
}

#[test]
fn rows_come_in_whole_blocks() {
    let mut particles = Particles::default();
    for (count, rows) in [(0, 0), (1, 64), (63, 64), (64, 64), (65, 128)] {
        particles.grow_to(count, i64::from);
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
    particles.grow_to(300, i64::from);
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
