//! Where each living particle went since its birth: what the trails of a picture show, as lines.

use glam::Vec2;

use super::Simulation;
use crate::field::Torus;
use crate::particles::NOWHERE;
use crate::pool::Pool;
use crate::timeline::Timeline;

/// Points that all paths together may have, 8 bytes each; with more, paths leave out steps in between.
const MOST_POINTS: u64 = 16_000_000;

/// A way of a particle without a leap, in logical px.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// Whose way it is; pieces between crossings of the world's edges follow one another.
    pub particle: u32,
    /// The mean of the color channel over the whole life so far, in [0, 1].
    pub color: f32,
    /// At least two places; the last of a particle's last path is where it is. A path that leaves the world ends with the first
    /// place beyond its edge, and the next begins as far beyond the other edge.
    pub points: Vec<Vec2>,
}

/// The paths since their births of all particles that live at `step`, in the order of the particles: the places that the
/// picture's segments join. Who is born in this step has none.
///
/// At most 16 million places, 128 MB, are kept besides three for each particle and one for each at each resize. Up to
/// there (22 000 particles that live for 6 seconds, births of the hidden margin included) every step's place is.
pub fn paths(timeline: &Timeline, step: i64, pool: &Pool) -> Vec<Path> {
    gather(timeline, step, pool, MOST_POINTS)
}

/// The same with about `most` places.
fn gather(timeline: &Timeline, step: i64, pool: &Pool, most: u64) -> Vec<Path> {
    let places = u64::from(timeline.count_at(step)) * timeline.longest_life(step) as u64;
    let stride = places.div_ceil(most).max(1) as i64;
    let mut simulation = Simulation::unborn(timeline, step);
    simulation.begin_seek(timeline, step);
    let mut strands: Vec<Strand> = Vec::new();
    while simulation.step_number() < step {
        simulation.step(timeline, pool);
        let now = simulation.step_number();
        let is_last_of_its_world = timeline.at(now + 1).world != timeline.at(now).world;
        let is_due = (step - now) % stride == 0 || is_last_of_its_world;
        let particles = simulation.particles();
        strands.resize_with(particles.len(), Strand::default);
        for (row, strand) in strands.iter_mut().enumerate() {
            let (place, end) = (particles.place[row], particles.end[row]);
            if place.is_nan() {
                strand.points.clear();
            } else if strand.end != end || strand.points.is_empty() {
                strand.begin(place, end, simulation.field.color_near(place));
            } else if is_due {
                let color = simulation.field.color_near(place);
                strand.reach(place, simulation.field.torus(), color);
            }
        }
    }
    let rows = strands.into_iter().enumerate();
    rows.flat_map(|(row, strand)| strand.paths(row as u32))
        .collect()
}

/// A life so far.
#[derive(Debug, Default)]
struct Strand {
    /// The end of the life, by which lives are told apart.
    end: u32,
    /// Places, with [`NOWHERE`] between two pieces; empty where nobody lives.
    points: Vec<Vec2>,
    /// Of the color channel at the places.
    sum: f32,
    places: u32,
}

impl Strand {
    fn begin(&mut self, place: Vec2, end: u32, color: f32) {
        self.end = end;
        self.points.clear();
        self.points.push(place);
        (self.sum, self.places) = (color, 1);
    }

    /// Goes on to a place on the torus, the nearest way.
    fn reach(&mut self, place: Vec2, torus: Torus, color: f32) {
        let from = *self
            .points
            .last()
            .expect("a life begins with its birthplace");
        let leap = ((place - from) / torus.size).round() * torus.size;
        self.points.push(place - leap);
        if leap != Vec2::ZERO {
            self.points.extend([NOWHERE, from + leap, place]);
        }
        self.sum += color;
        self.places += 1;
    }

    fn paths(self, particle: u32) -> Vec<Path> {
        let color = self.sum / self.places.max(1) as f32;
        let pieces = self.points.split(|point| point.is_nan());
        pieces
            .filter(|piece| piece.len() > 1)
            .map(|piece| Path {
                particle,
                color,
                points: piece.to_vec(),
            })
            .collect()
    }
}

#[cfg(test)]
mod tests;
