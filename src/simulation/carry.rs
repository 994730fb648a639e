//! One step of a run of particles, block by block: moved, shown, copied beyond edges, wrapped, born.

use glam::Vec2;

use super::guise::{Guise, Motions};
use super::segments::{Ink, Run, Segment};
use super::stirring::Stirring;
use super::view::View;
use crate::field::FlowField;
use crate::noise::BLOCK;
use crate::particles::{Chunk, NOWHERE, Nursery};
use crate::simd::{Level, clones, fetch};
use crate::timeline::Timeline;

/// Blocks from the one that is carried to the one whose memory is fetched.
const BLOCKS_AHEAD: usize = 4;

/// What carries particles in one step.
pub(super) struct Current<'a> {
    pub level: Level,
    pub field: &'a FlowField,
    pub view: &'a View,
    pub guise: &'a Guise,
    pub nursery: &'a Nursery,
    pub stirring: &'a Stirring,
    pub timeline: &'a Timeline,
    pub step: i64,
    /// Particles from this index on are not born.
    pub count: u32,
}

clones! {
    /// Makes one step of a run of particles, and appends what is seen of it: block by block those that lie in the window,
    /// then their copies beyond edges, each in the order of the particles.
    pub(super) fn carry(current: &Current, chunk: &mut Chunk, run: &mut Run) {
        carry_run::<false, false>(current, chunk, run);
    }
}

clones! {
    /// The same where particles differ in more than their places, or the pointer stirs the water. Apart, so that what they do not
    /// need costs nothing.
    pub(super) fn carry_unlike(current: &Current, chunk: &mut Chunk, run: &mut Run) {
        carry_run::<true, false>(current, chunk, run);
    }
}

clones! {
    /// The same where particles hand lives over to each other.
    pub(super) fn carry_successors(current: &Current, chunk: &mut Chunk, run: &mut Run) {
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
            current.stray(first, place, &mut velocities);
        }
        for i in 0..BLOCK {
            to[i] = place[i] + Vec2::from_array(velocities[i]);
        }
        let end = &mut chunk.end[number * BLOCK..][..BLOCK];
        for i in 0..BLOCK {
            born[i] = u32::from(end[i] == born_now);
        }
        let dead = match HANDED_OVER {
            true => current.dead(first, &born),
            false => born,
        };
        view.sort(place, &to, &dead, &mut shown, &mut near);
        let birth = &mut chunk.born[number * BLOCK..][..BLOCK];
        let home = &mut chunk.home[number * BLOCK..][..BLOCK];
        if UNLIKE && !current.guise.is_plain() {
            let life = [&*birth, &*end];
            let ages = current.ages::<HANDED_OVER>(first, life);
            current.ink(first, [&*place, &to], home, &ages, &mut colors, &mut inks);
        } else {
            for i in 0..BLOCK {
                inks[i] = Ink::plain(colors[i]);
            }
        }
        write_shown(run, place, &to, &inks, &shown);
        write_copies(view, run, place, &to, &inks, marks(&near));
        view.wrap(&to, place, &mut astray);
        view.wrap_astray(&to, place, marks(&astray));
        let marked = marks(&born);
        if HANDED_OVER {
            current.succeed(first, marked, place, end, home);
        } else {
            current.bear(first, marked, place, end, birth, home);
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

/// Writes the copies beyond edges of the motions that are marked.
#[inline(always)]
fn write_copies(
    view: &View,
    run: &mut Run,
    from: &[Vec2; BLOCK],
    to: &[Vec2; BLOCK],
    inks: &[Ink; BLOCK],
    mut marked: u64,
) {
    while marked != 0 {
        let i = marked.trailing_zeros() as usize;
        marked &= marked - 1;
        let (from, to, ink) = (from[i], to[i], inks[i]);
        view.copy(Segment { from, to, ink }, run);
    }
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
    /// Turns velocities of the particles from `first` on into their own, in water that the pointer may stir.
    #[inline(always)]
    fn stray(&self, first: u32, place: &[Vec2; BLOCK], velocities: &mut [[f32; 2]; BLOCK]) {
        self.guise.bend(first, velocities);
        if self.stirring.is_felt() {
            self.stirring.add(place, velocities);
        }
    }

    /// How much of their lives is over, of the particles from `first` on, which were born and end at those steps.
    #[inline(always)]
    fn ages<const HANDED_OVER: bool>(&self, first: u32, [born, end]: [&[u32]; 2]) -> [f32; BLOCK] {
        let mut ages = [0.0; BLOCK];
        if HANDED_OVER {
            self.look_up_ages(first, &mut ages);
        } else {
            let now = self.step as u32;
            for i in 0..BLOCK {
                let passed = now.wrapping_sub(born[i]) as i32 as f32;
                ages[i] = passed / end[i].wrapping_sub(born[i]) as i32 as f32;
            }
        }
        ages
    }

    /// How the motions of the particles from `first` on are drawn, who differ from each other.
    #[inline(always)]
    fn ink(
        &self,
        first: u32,
        [from, to]: [&[Vec2; BLOCK]; 2],
        home: &[Vec2],
        ages: &[f32; BLOCK],
        colors: &mut [f32; BLOCK],
        inks: &mut [Ink; BLOCK],
    ) {
        if self.guise.looks_back() {
            self.look_back(home, colors);
        }
        let motions = Motions {
            first,
            from,
            to,
            steps: 1.0,
            ages,
            colors,
        };
        self.guise.ink(&motions, inks);
    }

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
