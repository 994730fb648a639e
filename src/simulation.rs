//! Field and particles under a timeline: one step after another, or any step at once.

use glam::Vec2;

use crate::field::FlowField;
use crate::noise::BLOCK;
use crate::particles::{Chunk, NOWHERE, Nursery, Particles};
use crate::pool::Pool;
use crate::timeline::{MOST_MEMBERS, Timeline, World};

mod carry;
mod flow;
mod guise;
mod paths;
mod segments;
mod shift;
mod stirring;
mod view;

use carry::{Current, carry, carry_successors, carry_unlike};
use flow::nursery;
pub use flow::{flow_parameters, recipe};
pub use guise::widths;
use guise::{Guise, Motions};
pub use paths::{Path, paths};
use segments::Run;
pub use segments::{Ink, Segment, Segments};
pub use shift::shift;
use stirring::{FASTEST, Stirring};
use view::View;

/// Least and most blocks that one thread carries at a time: between two runs a thread waits for memory.
const RUN_BLOCKS: [usize; 2] = [32, 256];

/// Runs for each thread, so that none waits long for another.
const RUNS_PER_THREAD: usize = 4;

/// With fewer particles than this one thread is done before another has woken up.
const SHARED: usize = 30_000;

// Particles that hand lives over to each other are carried together.
const _: () = assert!((BLOCK as u32).is_multiple_of(MOST_MEMBERS));

/// The state of the water after a step.
#[derive(Debug)]
pub struct Simulation {
    step: i64,
    world: World,
    field: FlowField,
    particles: Particles,
    segments: Segments,
    view: View,
    guise: Guise,
    nursery: Nursery,
    stirring: Stirring,
}

/// Where all particles were, to join it with where they are.
#[derive(Clone, Debug)]
pub struct Trace {
    place: Vec<Vec2>,
    /// The ends of their lives, by which these are told apart.
    end: Vec<u32>,
}

impl Simulation {
    /// The water at `step`.
    pub fn new(timeline: &Timeline, step: i64, pool: &Pool) -> Simulation {
        let mut simulation = Simulation::unborn(timeline, step);
        simulation.seek(timeline, step, pool);
        simulation
    }

    /// The field at `step` without particles, to seek from.
    pub fn unborn(timeline: &Timeline, step: i64) -> Simulation {
        let moment = timeline.at(step);
        let parameters = flow_parameters(&moment);
        let field = FlowField::new(moment.settings.seed(), parameters);
        Simulation {
            step,
            world: moment.world,
            particles: Particles::default(),
            segments: Segments::default(),
            view: View::new(&moment, parameters.flow.torus, field.fastest()),
            field,
            guise: Guise::new(&moment),
            nursery: nursery(&moment, parameters.flow.torus),
            stirring: Stirring::default(),
        }
    }

    /// The last step made.
    pub fn step_number(&self) -> i64 {
        self.step
    }

    /// The particles as the last step left them.
    pub fn particles(&self) -> &Particles {
        &self.particles
    }

    /// The field of the last step.
    pub fn field(&self) -> &FlowField {
        &self.field
    }

    /// What moved in the last step and is seen in the window, in the order in which it is stroked: block by block of
    /// particles, then their copies on the other sides of edges of the world.
    pub fn segments(&self) -> &Segments {
        &self.segments
    }

    /// Makes the next step.
    pub fn step(&mut self, timeline: &Timeline, pool: &Pool) {
        self.refresh_field(timeline, pool);
        self.carry(timeline, pool);
    }

    /// The first half of a step: settings, world and field become those of the next step.
    pub fn refresh_field(&mut self, timeline: &Timeline, pool: &Pool) {
        self.step += 1;
        let moment = timeline.at(self.step);
        self.field
            .refresh(moment.settings.seed(), flow_parameters(&moment));
        if moment.world != self.world {
            self.world = moment.world;
            self.particles.leave_outside(self.field.torus());
        }
        self.view = View::new(&moment, self.field.torus(), self.field.fastest());
        self.guise = Guise::new(&moment);
        self.nursery = nursery(&moment, self.field.torus());
        self.stir(timeline, moment.settings.stir() as f32);
        self.field
            .interpolate_for(timeline.count_at(self.step), pool);
    }

    /// Takes the currents that the pointer stirs up in this step.
    fn stir(&mut self, timeline: &Timeline, strength: f32) {
        let (stirs, torus) = (timeline.stirs_at(self.step), self.field.torus());
        self.stirring.refresh(stirs, self.step, strength, torus);
        if self.stirring.is_felt() {
            self.view.expect_faster(FASTEST);
        }
    }

    /// The second half: the field carries the particles on.
    pub fn carry(&mut self, timeline: &Timeline, pool: &Pool) {
        let [least, most] = RUN_BLOCKS;
        let blocks = self.particles.len() / BLOCK / (pool.threads() * RUNS_PER_THREAD);
        self.carry_in_runs(timeline, pool, blocks.clamp(least, most) * BLOCK);
    }

    /// The same in runs of `length` particles, a multiple of [`BLOCK`]; no bit depends on it.
    fn carry_in_runs(&mut self, timeline: &Timeline, pool: &Pool, length: usize) {
        let count = timeline.count_at(self.step);
        self.resize(timeline, self.step - 1, count);
        let current = Current {
            level: pool.level(),
            field: &self.field,
            view: &self.view,
            guise: &self.guise,
            nursery: &self.nursery,
            stirring: &self.stirring,
            timeline,
            step: self.step,
            count,
        };
        let is_shared = self.particles.len() >= SHARED;
        let count = self.particles.len().div_ceil(length);
        let work = (self.particles.chunks(length), self.segments.runs_mut(count));
        let carry = |number: usize, (columns, run): (_, &mut Run)| {
            let mut chunk = Chunk::new(number * length, columns);
            run.begin(chunk.place.len());
            if timeline.hands_lives_over() {
                carry_successors(pool.level(), &current, &mut chunk, run);
            } else if current.stirring.is_felt() || !current.guise.is_plain() {
                carry_unlike(pool.level(), &current, &mut chunk, run);
            } else {
                carry(pool.level(), &current, &mut chunk, run);
            }
        };
        if is_shared {
            pool.for_each(work, carry);
        } else {
            pool.for_each_here(work, carry);
        }
    }

    /// Goes to the state after `step`: the bits that stepping there from any earlier step gives.
    pub fn seek(&mut self, timeline: &Timeline, step: i64, pool: &Pool) {
        self.begin_seek(timeline, step);
        while self.step < step {
            self.step(timeline, pool);
        }
    }

    /// Goes to the state without living particles from which stepping to `step` makes it exact.
    pub fn begin_seek(&mut self, timeline: &Timeline, step: i64) {
        self.step = step - timeline.longest_life(step);
        self.world = timeline.at(self.step).world;
        self.particles.clear();
        self.resize(timeline, self.step, timeline.count_at(self.step));
    }

    /// Remembers where the particles are.
    pub fn trace(&self) -> Trace {
        Trace {
            place: self.particles.place.clone(),
            end: self.particles.end.clone(),
        }
    }

    /// Joins each living particle's place in `trace`, or its birthplace where it was born since, with where it is; then
    /// remembers the present places. Straight lines of so many steps at most, a few.
    pub fn chords(&self, timeline: &Timeline, trace: &mut Trace, steps: i64) -> Segments {
        let Particles { place, end, .. } = &self.particles;
        let torus = self.field.torus();
        let mut segments = Run::default();
        let (mut from, mut to) = ([NOWHERE; BLOCK], [NOWHERE; BLOCK]);
        for first in (0..place.len()).step_by(BLOCK) {
            for i in 0..BLOCK {
                let row = first + i;
                let begin = match trace.end.get(row) {
                    _ if !self.particles.is_alive(row) => NOWHERE,
                    Some(before) if *before == end[row] => trace.place[row],
                    _ => self.came_from(timeline, trace, row),
                };
                // The nearest copy: what moved over an edge did not cross the world.
                let turns = ((place[row] - begin) / torus.size).round();
                (from[i], to[i]) = (begin, place[row] - turns * torus.size);
            }
            let inks = self.chord_inks(timeline, first as u32, steps, &from, &to);
            for (ink, (from, to)) in inks.into_iter().zip(from.into_iter().zip(to)) {
                if to != from && !from.is_nan() && !to.is_nan() {
                    let motion = Segment { from, to, ink };
                    self.view.show(motion, &mut segments);
                    self.view.show_copies(motion, &mut segments);
                }
            }
        }
        trace.place.clone_from(place);
        trace.end.clone_from(end);
        segments.into()
    }

    /// How chords of the particles from `first` on are drawn.
    fn chord_inks(
        &self,
        timeline: &Timeline,
        first: u32,
        steps: i64,
        from: &[Vec2; BLOCK],
        to: &[Vec2; BLOCK],
    ) -> [Ink; BLOCK] {
        let (mut colors, mut ages) = ([0.0; BLOCK], [0.0; BLOCK]);
        let torus = self.field.torus();
        for i in 0..BLOCK {
            if from[i].is_nan() {
                continue;
            }
            let life = timeline.life_at(first + i as u32, self.step);
            // The middle of a chord stands for all of it.
            ages[i] = life.age((self.step - steps / 2).max(life.whole[0]));
            let place = if self.guise.looks_back() {
                self.particles.home[first as usize + i]
            } else {
                torus.wrap(from[i])
            };
            colors[i] = self.field.color_near(place);
        }
        let motions = Motions {
            first,
            from,
            to,
            steps: steps as f32,
            ages: &ages,
            colors: &colors,
        };
        let mut inks = [Ink::default(); BLOCK];
        self.guise.ink(&motions, &mut inks);
        inks
    }

    /// Where a particle was when `trace` was taken that lives another life now; [`NOWHERE`] if too much happened since.
    fn came_from(&self, timeline: &Timeline, trace: &Trace, row: usize) -> Vec2 {
        let life = timeline.life_at(row as u32, self.step);
        if !life.is_inherited {
            return self.particles.home[row];
        }
        match trace.end.get(row - 1) {
            Some(end) if *end == life.birth as u32 => trace.place[row - 1],
            _ => NOWHERE,
        }
    }

    /// Adds rows up to `count`, in the lives that they live after step `made`, and removes dead ones above.
    fn resize(&mut self, timeline: &Timeline, made: i64, count: u32) {
        self.particles.grow_to(count, |index| {
            let life = timeline.life_at(index, made);
            [life.birth, life.end]
        });
        self.particles.shrink_to(count);
    }
}

#[cfg(test)]
mod tests;
