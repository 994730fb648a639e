use super::*;

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
fn chunks_cover_every_row_once() {
    let mut particles = Particles::default();
    (0..130).for_each(|index| particles.push(index, 0));
    let firsts: Vec<(u32, usize)> = particles
        .chunks(64)
        .map(|chunk| (chunk.first, chunk.place.len()))
        .collect();
    assert_eq!(firsts, [(0, 64), (64, 64), (128, 2)]);
}

#[test]
fn shrinking_keeps_the_living() {
    let mut particles = Particles::default();
    (0..10).for_each(|index| particles.push(index, 0));
    particles.alive[6] = true;
    particles.shrink_to(3);
    assert_eq!(particles.len(), 7);
    particles.alive[6] = false;
    particles.shrink_to(3);
    assert_eq!(particles.len(), 3);
    particles.clear();
    assert!(particles.is_empty());
}
