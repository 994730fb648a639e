use super::*;
use crate::hash::{random_bits, unit};
use crate::noise::Slice;

/// Where the noise is sampled: x, y, and the two axes of time, in cells.
type Point = [f64; 4];

/// The noise at a point by the program's own way.
fn noise_at(noise: &Noise, point: Point) -> f64 {
    let slice = noise.slice(depth(point[2], point[3]));
    f64::from(slice.at(point[0] as f32, point[1] as f32))
}

fn depth(along: f64, across: f64) -> Depth {
    let Place { cell, fraction } = Place::new(along);
    Depth {
        cell,
        fraction,
        periodic: false,
        across: Some(Place::new(across)),
    }
}

/// All directions with three parts of 1 or -1 and one of 0, by which part is 0 and then by the signs as a binary number, lowest part first.
fn hypercube_edges() -> Vec<Point> {
    let mut edges = Vec::new();
    for zero in 0..4 {
        for signs in 0..8 {
            let mut edge = [0.0; 4];
            for (bit, axis) in (0..4).filter(|&axis| axis != zero).enumerate() {
                edge[axis] = if signs & (1 << bit) == 0 { 1.0 } else { -1.0 };
            }
            edges.push(edge);
        }
    }
    edges
}

/// The textbook's sum over the sixteen corners of a cell, in double precision, in [-1, 1] as it comes.
fn reference(noise: &Noise, point: Point) -> f64 {
    let edges = hypercube_edges();
    let fade = |t: f64| t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
    let cell = point.map(|x| x.floor() as i64);
    let mut sum = 0.0;
    for corner in 0..16 {
        let (mut weight, mut hash) = (1.0, 0usize);
        let (mut way, mut blocks) = ([0.0; 4], [0u32; 4]);
        for axis in 0..4 {
            let upper = corner >> axis & 1;
            let node = cell[axis] + upper;
            way[axis] = point[axis] - node as f64;
            weight *= fade(1.0 - way[axis].abs());
            hash = usize::from(noise.permutation[(hash + node.rem_euclid(256) as usize) % 256]);
            blocks[axis] = node.div_euclid(256) as u32;
        }
        let mut hash = hash as u32;
        if blocks[2..] != [0, 0] {
            hash = lowbias32(hash.wrapping_add(blocks[2] << 8));
            hash = lowbias32(hash.wrapping_add(blocks[3]));
        }
        let edge = edges[hash as usize % 32];
        let dot: f64 = (0..4).map(|axis| edge[axis] * way[axis]).sum();
        sum += weight * dot;
    }
    sum
}

fn random(salt: u64, index: u32) -> f64 {
    f64::from(unit(random_bits(3, salt, index)))
}

#[test]
fn values_are_those_of_a_plain_implementation() {
    let noise = Noise::new(11);
    // Within the table, where it ends, and beyond it on either axis.
    for (begin, length) in [(0.0, 256.0), (-3.0, 6.0), (253.0, 6.0), (-9000.0, 20_000.0)] {
        for index in 0..500 {
            let time = [1, 2].map(|salt| begin + random(salt, index) * length);
            let place = [3, 4].map(|salt| random(salt, index) * 300.0 - 20.0);
            // What the program takes is 24 bits of them.
            let place = place.map(|x| f64::from(x as f32));
            let point = [place[0], place[1], time[0], time[1]];
            let expected = reference(&noise, point) * 0.92 * 0.5 + 0.5;
            let value = noise_at(&noise, point);
            assert!(
                (value - expected).abs() < 2e-5,
                "{point:?}: {value}, not {expected}"
            );
        }
    }
}

/// All 32, equally often, and so no direction before another.
#[test]
fn gradients_are_the_edges_of_a_hypercube() {
    let edges = hypercube_edges();
    for hash in 0..256 {
        let expected = edges[hash as usize % 32].map(|part| part as f32);
        assert_eq!(edge(hash), expected, "{hash}");
        assert_eq!(edge(hash + 0xffff_ff00), expected);
    }
    for a in 0..4 {
        assert_eq!((0..32).map(|hash| edge(hash)[a]).sum::<f32>(), 0.0);
        for b in 0..4 {
            let product: f32 = (0..32).map(|hash| edge(hash)[a] * edge(hash)[b]).sum();
            assert_eq!(product, if a == b { 24.0 } else { 0.0 });
        }
    }
    for (number, edge) in edges.iter().enumerate() {
        assert!(!edges[..number].contains(edge));
    }
}

/// Mean, spread and number of values that are told one by one, and how many lie outside [0, 1].
#[derive(Default)]
struct Tally {
    sums: [f64; 3],
    outside: u32,
}

impl Tally {
    fn add(&mut self, value: f64) {
        self.sums = [
            self.sums[0] + 1.0,
            self.sums[1] + value,
            self.sums[2] + value * value,
        ];
        self.outside += u32::from(!(0.0..=1.0).contains(&value));
    }

    /// Adds the values of a slice at `count` places.
    fn add_slice(&mut self, slice: &Slice, salt: u64, count: u32) {
        for index in 0..count {
            let [x, y] = [1, 2].map(|axis| random(salt * 2 + axis, index) as f32 * 256.0);
            self.add(f64::from(slice.at(x, y)));
        }
    }

    fn mean(&self) -> f64 {
        self.sums[1] / self.sums[0]
    }

    fn spread(&self) -> f64 {
        (self.sums[2] / self.sums[0] - self.mean() * self.mean()).sqrt()
    }
}

#[test]
fn values_spread_in_range_as_those_of_three_dimensions() {
    let noise = Noise::new(5);
    let (mut four, mut three) = (Tally::default(), Tally::default());
    for number in 0..2000 {
        let [along, across] = [8, 9].map(|salt| random(salt, number) * 256.0);
        let salt = 100 + u64::from(number);
        four.add_slice(&noise.slice(depth(along, across)), salt, 500);
        three.add_slice(&noise.slice(Depth::periodic(along as f32)), salt, 500);
    }
    assert!((four.mean() - 0.5).abs() < 0.002, "{}", four.mean());
    let ratio = four.spread() / three.spread();
    assert!((ratio - 1.0).abs() < 0.02, "{ratio}");
    assert!(four.outside <= 10, "{} of a million", four.outside);
}

#[test]
fn values_vanish_at_lattice_points() {
    let noise = Noise::new(5);
    for index in -40..40 {
        let point = [index, index * 7, index * 300, index * -411].map(f64::from);
        let value = noise_at(&noise, point);
        assert!((value - 0.5).abs() < 1e-7, "{point:?}: {value}");
    }
}

/// Along each axis the noise passes from one cell to the next without a step, a corner or a jump of its curvature, which is 0 there.
#[test]
fn value_slope_and_curvature_are_continuous_across_cells() {
    let noise = Noise::new(9);
    const WAY: f64 = 1.0 / 128.0;
    for axis in 0..4 {
        let mut steepest = 0.0f64;
        for border in 230..290 {
            let at = |offset: f64| {
                let mut point = [0.37, 0.61, 100.43, 80.58];
                point[axis] = f64::from(border) + offset;
                noise_at(&noise, point)
            };
            assert!((at(-1e-6) - at(1e-6)).abs() < 1e-5, "{axis} {border}");
            let slope = |from: f64| (at(from + WAY) - at(from)) / WAY;
            let bend = |middle: f64| (slope(middle) - slope(middle - WAY)) / WAY;
            assert!((slope(-WAY) - slope(0.0)).abs() < 0.01, "{axis} {border}");
            for middle in [-WAY, 0.0, WAY] {
                assert!(
                    bend(middle).abs() < 0.8,
                    "{axis} {border}: {}",
                    bend(middle)
                );
            }
            steepest = steepest.max(bend(0.25).abs());
        }
        assert!(steepest > 2.0, "the test sees curvature: {steepest}");
    }
}

/// The place of a depth on the plane of time, from the centre of all circles.
fn from_centre(depth: Depth) -> [f64; 2] {
    let across = depth.across.unwrap();
    [(depth.cell, depth.fraction), (across.cell, across.fraction)]
        .iter()
        .zip(CENTRE)
        .map(|((cell, fraction), centre)| *cell as f64 + f64::from(*fraction) - centre)
        .collect::<Vec<_>>()
        .try_into()
        .unwrap()
}

#[test]
fn circles_are_gone_round_in_equal_steps() {
    for (radius, parts) in [
        (0.17, 1200),
        (3.0, 60),
        (500.0, 100_000),
        (0.0, 7),
        (-2.0, 1201),
    ] {
        let step = radius * std::f64::consts::TAU / parts as f64;
        for part in [0, 1, parts / 3, parts / 2, parts - 2] {
            let [here, next] =
                [part, part + 1].map(|part| from_centre(Depth::on_circle(radius, part, parts)));
            assert!((here[0].hypot(here[1]) - radius.abs()).abs() < 1e-6);
            let way = (next[0] - here[0]).hypot(next[1] - here[1]);
            assert!(
                (way - step.abs()).abs() < step.abs() * 0.01 + 1e-6,
                "{way} {step}"
            );
        }
        let begin = from_centre(Depth::on_circle(radius, 0, parts));
        assert!((begin[0] - radius.abs()).abs() < 1e-6 && begin[1].abs() < 1e-6);
        assert_eq!(
            Depth::on_circle(radius, parts, parts),
            Depth::on_circle(radius, 0, parts)
        );
        // Backwards through the same places; of the mirrored offsets the last of 24 bits may round the other way.
        for part in [1, parts / 5] {
            let forward = from_centre(Depth::on_circle(radius, part, parts));
            let back = from_centre(Depth::on_circle(-radius, parts - part, parts));
            assert!((0..2).all(|axis| (forward[axis] - back[axis]).abs() < 2e-7));
        }
    }
}

/// Headings that are even over the whole plane are even on every circle, a point included.
#[test]
fn values_spread_alike_on_circles_of_every_radius() {
    let spread = |depth: &dyn Fn(u32) -> Depth| {
        let mut tally = Tally::default();
        for number in 0..3000 {
            let slice = Noise::new(number).slice(depth(number));
            tally.add_slice(&slice, u64::from(number), 300);
        }
        tally.spread()
    };
    let plane = spread(&|number| {
        let [along, across] = [8, 9].map(|salt| random(salt, number) * 256.0);
        depth(along, across)
    });
    for radius in [0.0, 0.1, 0.17, 0.4, 0.7, 1.0, 3.0, 40.0] {
        let circle = spread(&|number| Depth::on_circle(radius, number.into(), 3000));
        let ratio = circle / plane;
        assert!((ratio - 1.0).abs() < 0.01, "radius {radius}: {ratio}");
    }
}
