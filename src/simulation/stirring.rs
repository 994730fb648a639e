//! The currents that the pointer stirs up: a closed form of the pushes of the last second, at nodes over the torus.
//!
//! A push is a pair of swirls, as a paddle makes: the water in the middle goes along, and returns at both sides. It is the
//! curl of a stream function, so that no water piles up anywhere.

use glam::Vec2;

use crate::field::Torus;
use crate::noise::BLOCK;
use crate::timeline::Stirred;

/// How far from its place a push is felt, in logical px.
const RADIUS: f32 = 110.0;

/// The share of the pointer's velocity that the water in the middle takes on from one push; those of a second add up.
const GRIP: f32 = 0.03;

/// The fastest current that is stirred up, in px per step.
pub const FASTEST: f32 = 8.0;

/// Px between two nodes, about: a fourteenth of the radius, which a bilinear blend follows within 1 %.
const SPACING: f32 = 8.0;

/// What is added to the field's velocities in a step.
#[derive(Debug, Default)]
pub struct Stirring {
    /// Velocities in px per step, row by row; the last row and the last column repeat the first.
    nodes: Vec<Vec2>,
    /// Cells of each row and of each column.
    cells: [usize; 2],
    /// Cells per px.
    density: Vec2,
    is_felt: bool,
}

impl Stirring {
    /// Whether anything is added.
    pub fn is_felt(&self) -> bool {
        self.is_felt
    }

    /// Takes the currents of `step`, `strength` times as strong.
    pub fn refresh(&mut self, stirs: &[Stirred], step: i64, strength: f32, torus: Torus) {
        self.is_felt = !stirs.is_empty() && strength > 0.0;
        if !self.is_felt {
            return;
        }
        self.cells = torus
            .size
            .to_array()
            .map(|side| ((side / SPACING) as usize).max(1));
        let [columns, rows] = self.cells;
        self.density = Vec2::new(columns as f32, rows as f32) / torus.size;
        self.nodes.clear();
        self.nodes.resize((columns + 1) * (rows + 1), Vec2::ZERO);
        for stirred in stirs {
            let velocity = Vec2::from_array(stirred.stir.velocity);
            let place = torus.wrap(Vec2::from_array(stirred.stir.place));
            self.push(place, velocity * (stirred.strength(step) * strength * GRIP));
        }
        for node in &mut self.nodes {
            *node = node.clamp_length_max(FASTEST);
        }
        self.join();
    }

    /// Adds a push at all nodes that feel it, around the torus.
    fn push(&mut self, place: Vec2, velocity: Vec2) {
        let spacing = self.density.recip();
        let [columns, rows] = self.cells;
        let low = ((place - RADIUS) * self.density).ceil();
        let high = ((place + RADIUS) * self.density).floor();
        for y in low.y as i64..=high.y as i64 {
            let row = y.rem_euclid(rows as i64) as usize * (columns + 1);
            for x in low.x as i64..=high.x as i64 {
                let column = x.rem_euclid(columns as i64) as usize;
                let node = Vec2::new(x as f32, y as f32) * spacing;
                self.nodes[row + column] += swirls(node - place, velocity);
            }
        }
    }

    /// Repeats the first row and column behind the last.
    fn join(&mut self) {
        let [columns, rows] = self.cells;
        for row in 0..rows {
            self.nodes[row * (columns + 1) + columns] = self.nodes[row * (columns + 1)];
        }
        self.nodes.copy_within(..=columns, rows * (columns + 1));
    }

    /// Adds what is stirred up at places on the torus to the velocities there; nowhere it is not a number.
    #[inline(always)]
    pub fn add(&self, places: &[Vec2; BLOCK], velocities: &mut [[f32; 2]; BLOCK]) {
        let [columns, rows] = self.cells;
        for i in 0..BLOCK {
            let place = places[i] * self.density;
            // Conversion saturates, and makes a 0 of what is not a number.
            let (column, row) = (
                (place.x as usize).min(columns - 1),
                (place.y as usize).min(rows - 1),
            );
            let (x, y) = (place.x - column as f32, place.y - row as f32);
            let above = &self.nodes[row * (columns + 1) + column..][..2];
            let below = &self.nodes[(row + 1) * (columns + 1) + column..][..2];
            let (upper, lower) = (
                above[0] + (above[1] - above[0]) * x,
                below[0] + (below[1] - below[0]) * x,
            );
            let velocity = upper + (lower - upper) * y;
            velocities[i][0] += velocity.x;
            velocities[i][1] += velocity.y;
        }
    }
}

/// The current at `offset` px from a push: the curl of `(velocity x offset) * (1 - (offset / radius)^2)^3`.
fn swirls(offset: Vec2, velocity: Vec2) -> Vec2 {
    let left = 1.0 - offset.length_squared() / (RADIUS * RADIUS);
    if left <= 0.0 {
        return Vec2::ZERO;
    }
    let bend = velocity.perp_dot(offset) * (6.0 * left * left / (RADIUS * RADIUS));
    velocity * (left * left * left) + Vec2::new(-offset.y, offset.x) * bend
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::{LASTING, Stir};

    const TORUS: Torus = Torus {
        size: Vec2::new(600.0, 400.0),
        band: Vec2::ZERO,
    };

    fn stirring(place: [f32; 2], step: i64, torus: Torus) -> Stirring {
        let velocity = [10.0, 0.0];
        let stir = Stirred {
            step: 1,
            stir: Stir { place, velocity },
        };
        let mut stirring = Stirring::default();
        stirring.refresh(&[stir], step, 1.0, torus);
        stirring
    }

    fn at(stirring: &Stirring, place: [f32; 2]) -> Vec2 {
        let mut velocities = [[0.0; 2]; BLOCK];
        stirring.add(&[Vec2::from_array(place); BLOCK], &mut velocities);
        Vec2::from_array(velocities[BLOCK - 1])
    }

    #[test]
    fn the_middle_goes_along_and_the_sides_come_back() {
        let stirring = stirring([300.0, 200.0], 1, TORUS);
        let middle = at(&stirring, [300.0, 200.0]);
        assert!(
            (middle.x - 0.3).abs() < 0.01 && middle.y.abs() < 0.02,
            "{middle}"
        );
        for side in [-1.0, 1.0] {
            assert!(at(&stirring, [300.0, 200.0 + side * 70.0]).x < -0.05);
        }
        for far in [[300.0, 320.0], [420.0, 200.0], [10.0, 10.0]] {
            assert_eq!(at(&stirring, far), Vec2::ZERO);
        }
        assert!(at(&stirring, [f32::NAN; 2]).is_nan());
    }

    /// What flows into any square flows out again: the derivative that is left is that of rounding and of the step taken.
    #[test]
    fn water_does_not_pile_up() {
        let velocity = Vec2::new(7.0, -4.0);
        let mut steepest = 0.0f32;
        for x in -11..=11 {
            for y in -11..=11 {
                let place = Vec2::new(x as f32, y as f32) * 10.0;
                let [right, left, down, up] = [Vec2::X, -Vec2::X, Vec2::Y, -Vec2::Y]
                    .map(|side| swirls(place + side, velocity));
                let divergence = (right.x - left.x + down.y - up.y) / 2.0;
                steepest = steepest.max((right - left).length() / 2.0);
                assert!(divergence.abs() < 0.002, "{place}: {divergence}");
            }
        }
        assert!(steepest > 0.1, "{steepest}");
    }

    #[test]
    fn it_comes_to_rest_smoothly_and_never_jumps_in_space() {
        let speeds: Vec<f32> = (1..=LASTING)
            .map(|step| at(&stirring([300.0, 200.0], step, TORUS), [300.0, 200.0]).x)
            .collect();
        assert!(
            speeds
                .windows(2)
                .all(|pair| pair[1] < pair[0] && pair[0] - pair[1] < 0.015)
        );
        assert!(speeds[LASTING as usize - 1] < 0.001);
        let stirring = stirring([300.0, 200.0], 1, TORUS);
        let row: Vec<Vec2> = (0..600).map(|x| at(&stirring, [x as f32, 230.0])).collect();
        assert!(
            row.windows(2)
                .all(|pair| (pair[1] - pair[0]).length() < 0.015)
        );
    }

    /// What is stirred at an edge goes on at the opposite one, as the water itself does; in a world of any size.
    #[test]
    fn the_torus_has_no_edge() {
        let stirring = stirring([5.0, 395.0], 1, TORUS);
        let middle = super::tests::at(&stirring, [5.0, 395.0]).x;
        assert!((middle - 0.3).abs() < 0.01);
        assert!(at(&stirring, [590.0, 5.0]).x > 0.2);
        let (last, first) = (at(&stirring, [599.999, 3.0]), at(&stirring, [0.0, 3.0]));
        assert!((last - first).length() < 0.001);
        for size in [Vec2::new(1.0, 1.0), Vec2::new(7.0, 900.0)] {
            let small = Torus { size, ..TORUS };
            let velocity = at(&super::tests::stirring([0.5, 0.5], 1, small), [0.9, 0.1]);
            assert!(velocity.length() <= FASTEST, "{velocity}");
        }
    }
}
