//! Field and particles under a timeline: one step after another, or any step at once.

use glam::Vec2;

use crate::field::FlowField;
use crate::noise::BLOCK;
use crate::particles::{Chunk, NOWHERE, Nursery, Particles};
use crate::pool::Pool;
use crate::simd::{Level, clones, fetch};
use crate::timeline::{MOST_MEMBERS, Timeline, World};

mod flow;
mod guise;
mod paths;
mod segments;
mod stirring;
mod view;

use flow::nursery;
pub use flow::{flow_parameters, recipe};
pub use guise::widths;
use guise::{Guise, Motions};
pub use paths::{Path, paths};
use segments::Run;
pub use segments::{Ink, Segment, Segments};
use stirring::{FASTEST, Stirring};
use view::View;

/// Least and most blocks that one thread carries at a time: between two runs a thread waits for memory.
const RUN_BLOCKS: [usize; 2] = [32, 256];

/// Runs for each thread, so that none waits long for another.
const RUNS_PER_THREAD: usize = 4;

/// Blocks from the one that is carried to the one whose memory is fetched.
const BLOCKS_AHEAD: usize = 4;

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

/// What carries particles in one step.
struct Current<'a> {
    level: Level,
    field: &'a FlowField,
    view: &'a View,
    guise: &'a Guise,
    nursery: &'a Nursery,
    stirring: &'a Stirring,
    timeline: &'a Timeline,
    step: i64,
    /// Particles from this index on are not born.
    count: u32,
}

clones! {
    /// Makes one step of a run of particles, and appends what is seen of it: block by block those that lie in the window,
    /// then their copies beyond edges, each in the order of the particles.
    fn carry(current: &Current, chunk: &mut Chunk, run: &mut Run) {
        carry_run::<false, false>(current, chunk, run);
    }
}

clones! {
    /// The same where particles differ in more than their places, or the pointer stirs the water. Apart, so that what they do not
    /// need costs nothing.
    fn carry_unlike(current: &Current, chunk: &mut Chunk, run: &mut Run) {
        carry_run::<true, false>(current, chunk, run);
    }
}

clones! {
    /// The same where particles hand lives over to each other.
    fn carry_successors(current: &Current, chunk: &mut Chunk, run: &mut Run) {
        carry_run::<true, true>(current, chunk, run);
    }
}

#[inline(always)]
fn carry_run<const UNLIKE: bool, const HANDED_OVER: bool>(
    current: &Current,
    chunk: &mut Chunk,
    run: &mut Run,
) {
    let Current { field, view, .. } = current;
    let born_now = current.step as u32;
    let (mut velocities, mut colors) = ([[0.0; 2]; BLOCK], [0.0; BLOCK]);
    let mut ages = [0.0; BLOCK];
    let (mut to, mut inks) = ([Vec2::ZERO; BLOCK], [Ink::default(); BLOCK]);
    let (mut shown, mut near) = ([0; BLOCK], [0; BLOCK]);
    let (mut astray, mut born) = ([0; BLOCK], [0; BLOCK]);
    let (blocks, _) = chunk.place.as_chunks_mut::<BLOCK>();
    for number in 0..blocks.len() {
        if let Some(next) = blocks.get(number + BLOCKS_AHEAD) {
            fetch(next);
            fetch(&chunk.end[(number + BLOCKS_AHEAD) * BLOCK..][..BLOCK]);
        }
        fetch(run.room_ahead(BLOCKS_AHEAD));
        let place = &mut blocks[number];
        field.block(current.level, place, &mut velocities, &mut colors);
        let first = chunk.first + (number * BLOCK) as u32;
        if UNLIKE {
            current.guise.bend(first, &mut velocities);
            if current.stirring.is_felt() {
                current.stirring.add(place, &mut velocities);
            }
        }
        for i in 0..BLOCK {
            to[i] = place[i] + Vec2::from_array(velocities[i]);
        }
        let end = &chunk.end[number * BLOCK..][..BLOCK];
        for i in 0..BLOCK {
            born[i] = u32::from(end[i] == born_now);
        }
        let dead = match HANDED_OVER {
            true => current.dead(first, &born),
            false => born,
        };
        view.sort(place, &to, &dead, &mut shown, &mut near);
        if UNLIKE && !current.guise.is_plain() {
            let born = &chunk.born[number * BLOCK..][..BLOCK];
            if HANDED_OVER {
                current.look_up_ages(first, &mut ages);
            } else {
                for i in 0..BLOCK {
                    let passed = born_now.wrapping_sub(born[i]) as i32 as f32;
                    ages[i] = passed / end[i].wrapping_sub(born[i]) as i32 as f32;
                }
            }
            if current.guise.looks_back() {
                let home = &chunk.home[number * BLOCK..][..BLOCK];
                current.look_back(home, &mut colors);
            }
            let motions = Motions {
                first,
                from: place,
                to: &to,
                steps: 1.0,
                ages: &ages,
                colors: &colors,
            };
            current.guise.ink(&motions, &mut inks);
        } else {
            for i in 0..BLOCK {
                inks[i] = Ink::plain(colors[i]);
            }
        }
        write_shown(run, place, &to, &inks, &shown);
        let mut rest = marks(&near);
        while rest != 0 {
            let i = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let (from, to, ink) = (place[i], to[i], inks[i]);
            view.copy(Segment { from, to, ink }, run);
        }
        view.wrap(&to, place, &mut astray);
        let mut rest = marks(&astray);
        while rest != 0 {
            let i = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            place[i] = view.torus.wrap(to[i]);
        }
        let marked = marks(&born);
        let home = &mut chunk.home[number * BLOCK..][..BLOCK];
        let end = &mut chunk.end[number * BLOCK..][..BLOCK];
        if HANDED_OVER {
            current.succeed(first, marked, place, end, home);
        } else {
            let born = &mut chunk.born[number * BLOCK..][..BLOCK];
            current.bear(first, marked, place, end, born, home);
        }
    }
}

/// Writes segments one behind the other and keeps those that are shown: no branch depends on where particles are.
#[inline(always)]
fn write_shown(
    run: &mut Run,
    from: &[Vec2; BLOCK],
    to: &[Vec2; BLOCK],
    inks: &[Ink; BLOCK],
    shown: &[u32; BLOCK],
) {
    let (room, mut count) = (run.room::<BLOCK>(), 0);
    for i in 0..BLOCK {
        let (from, to, ink) = (from[i], to[i], inks[i]);
        room[count % BLOCK] = Segment { from, to, ink };
        count += shown[i] as usize;
    }
    run.keep(count);
}

/// The numbers, 0 or 1, as bits.
#[inline(always)]
fn marks(special: &[u32; BLOCK]) -> u64 {
    let mut halves = [0; 2];
    for i in 0..BLOCK / 2 {
        halves[0] |= special[i] << i;
        halves[1] |= special[BLOCK / 2 + i] << i;
    }
    u64::from(halves[0]) | u64::from(halves[1]) << (BLOCK / 2)
}

impl Current<'_> {
    /// Where a particle is born whose life ended, and the low bits of the step where the next ends.
    #[inline(never)]
    fn birth(&self, index: u32) -> (Vec2, u32) {
        let life = self.timeline.life_at(index, self.step);
        let place = if index < self.count {
            self.nursery.birthplace(self.field, index, life.cycle)
        } else {
            NOWHERE
        };
        (place, life.end as u32)
    }

    /// How much of their lives is over, of the particles from `first` on whose lives others began.
    #[inline(never)]
    fn look_up_ages(&self, first: u32, ages: &mut [f32; BLOCK]) {
        for (index, age) in (first..).zip(ages) {
            // Of a life that ends in this step, not of the next.
            let life = self.timeline.life_at(index, self.step - 1);
            *age = life.age(self.step);
        }
    }

    /// Values of the color channel where particles were born.
    #[inline(never)]
    fn look_back(&self, home: &[Vec2], colors: &mut [f32; BLOCK]) {
        for (home, color) in home.iter().zip(colors) {
            *color = self.field.color_near(*home);
        }
    }

    /// Which of the particles from `first` on end their lives in this step, as numbers 0 or 1, of those whose next life
    /// begins: not those whose life goes on in the next particle.
    #[inline(never)]
    fn dead(&self, first: u32, born: &[u32; BLOCK]) -> [u32; BLOCK] {
        let mut dead = *born;
        for i in (1..BLOCK).filter(|&i| born[i] == 1) {
            if self
                .timeline
                .life_at(first + i as u32, self.step)
                .is_inherited
            {
                dead[i - 1] = 0;
            }
        }
        dead
    }

    /// Lets the particles from `first` on that are marked begin their next lives.
    #[inline(always)]
    fn bear(
        &self,
        first: u32,
        mut marked: u64,
        place: &mut [Vec2; BLOCK],
        end: &mut [u32],
        born: &mut [u32],
        home: &mut [Vec2],
    ) {
        while marked != 0 {
            let i = marked.trailing_zeros() as usize;
            marked &= marked - 1;
            (place[i], end[i]) = self.birth(first + i as u32);
            (born[i], home[i]) = (self.step as u32, place[i]);
        }
    }

    /// Lets the particles from `first` on that are marked begin their next lives or take over the previous particle's: from
    /// the last on, so that each is still there when it is taken over.
    #[inline(never)]
    fn succeed(
        &self,
        first: u32,
        mut marked: u64,
        place: &mut [Vec2; BLOCK],
        end: &mut [u32],
        home: &mut [Vec2],
    ) {
        while marked != 0 {
            let i = marked.ilog2() as usize;
            marked ^= 1 << i;
            let index = first + i as u32;
            let life = self.timeline.life_at(index, self.step);
            place[i] = if index >= self.count {
                NOWHERE
            } else if life.is_inherited {
                place[i - 1]
            } else {
                self.nursery.birthplace(self.field, life.line, life.cycle)
            };
            home[i] = if life.is_inherited && index < self.count {
                home[i - 1]
            } else {
                place[i]
            };
            end[i] = life.end as u32;
        }
    }
}

#[cfg(test)]
mod tests;
