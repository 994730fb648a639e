use super::*;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;

/// Random lines of three points on paper of `width` by `height` mm.
fn lines(count: usize, [width, height]: [i32; 2], reach: i32, seed: u64) -> Vec<Polyline> {
    let mut random = Pcg32::seed_from_u64(seed);
    let mut line = || {
        let begin = [
            random.random_range(0..width * 100),
            random.random_range(0..height * 100),
        ];
        let mut away = || begin.map(|c| (c + random.random_range(-reach..=reach)).max(0));
        vec![begin, away(), away()]
    };
    (0..count).map(|_| line()).collect()
}

/// The same lines whichever way round, in an order of their own.
fn set(lines: &[Polyline]) -> Vec<Polyline> {
    let upright = |line: &Polyline| {
        let reversed: Polyline = line.iter().rev().copied().collect();
        reversed.min(line.clone())
    };
    let mut set: Vec<_> = lines.iter().map(upright).collect();
    set.sort();
    set
}

/// What [`order`] does, by looking at all ends each time.
fn plainly_ordered(lines: &[Polyline]) -> Vec<Polyline> {
    let mut left: Vec<_> = lines.iter().cloned().enumerate().collect();
    let (mut pen, mut ordered) = (HOME, Vec::new());
    while !left.is_empty() {
        let candidates = left.iter().enumerate().flat_map(|(at, (number, line))| {
            let [begin, end] = ends(line).map(|end| distance_squared(pen, end));
            [(begin, 2 * number, at), (end, 2 * number + 1, at)]
        });
        let (_, end, at) = candidates.min().unwrap();
        let (_, mut line) = left.remove(at);
        if end % 2 == 1 {
            line.reverse();
        }
        pen = ends(&line)[1];
        ordered.push(line);
    }
    ordered
}

#[test]
fn lengths_are_measured() {
    assert_eq!(length(&[[0, 0], [300, 400], [300, 500]]), 600.0);
    assert_eq!(travel(&[]), 0.0);
    let lines = [vec![[300, 400], [300, 500]], vec![[300, 600], [0, 600]]];
    assert_eq!(travel(&lines), 500.0 + 100.0 + 600.0);
}

/// On paper of any shape, spread out, heaped up, or all in one place.
#[test]
fn each_line_begins_nearest_to_where_the_last_one_ended() {
    let mut heap = lines(150, [5, 4], 20, 1);
    heap.extend(lines(3, [9000, 9000], 1000, 2));
    let same = vec![vec![[700, 800], [700, 900]]; 40];
    let cases = [
        lines(300, [297, 210], 3000, 3),
        lines(200, [10, 9000], 3000, 4),
        lines(200, [9000, 10], 50, 5),
        lines(1, [297, 210], 3000, 6),
        lines(2, [1, 1], 1, 7),
        heap,
        same,
        vec![],
    ];
    for case in cases {
        let mut ordered = case.clone();
        order(&mut ordered);
        assert_eq!(set(&ordered), set(&case));
        assert!(ordered == plainly_ordered(&case), "{} lines", case.len());
    }
}

#[test]
fn a_pen_travels_less_in_order() {
    let unordered = lines(1500, [420, 297], 3000, 8);
    let mut ordered = unordered.clone();
    order(&mut ordered);
    let (before, after) = (travel(&unordered), travel(&ordered));
    assert!(after < before / 20.0, "{before} before, {after} after");
}
