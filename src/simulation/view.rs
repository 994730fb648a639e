//! Which motions of a step are seen, and where: in the window, and once more beyond the edges of the torus.

use glam::Vec2;

use super::guise::widths;
use super::segments::{Run, Segment};
use super::shift::most_shift;
use crate::field::Torus;
use crate::noise::BLOCK;
use crate::particles::NOWHERE;
use crate::settings::Edges;
use crate::timeline::Moment;

/// What of the world is seen, and how the edges of the torus show.
#[derive(Debug)]
pub(super) struct View {
    window: Vec2,
    /// The world.
    pub(super) torus: Torus,
    /// How far a stroke reaches to the sides of its segment, in logical px.
    pub(super) reach: f32,
    /// The longest motion in a step.
    length: f32,
    /// Whether who leaves the world is gone.
    is_open: bool,
}

impl View {
    /// Of a field that carries nobody farther than `fastest` along either axis.
    pub(super) fn new(moment: &Moment, torus: Torus, fastest: f32) -> View {
        let [width, height] = moment.world.window;
        let further = most_shift(&moment.settings);
        // Two px more for the anti-aliased rim of canvases down to a quarter of a device px per logical px.
        let [_, widest] = widths(&moment.settings);
        let reach = moment.settings.stroke_width() as f32 * widest * 0.5 + 2.0;
        let length = fastest * (1.0 + moment.settings.speed_spread()) as f32;
        View {
            window: Vec2::new(width as f32 + further, height as f32 + further),
            torus,
            reach,
            length,
            is_open: moment.settings.edges() == Edges::Open,
        }
    }

    /// Motions can be longer by this.
    pub(super) fn expect_faster(&mut self, length: f32) {
        self.length += length;
    }

    /// Whether one motion can come near two opposite edges of the world.
    fn is_small(&self) -> bool {
        self.torus.size.min_element() <= 2.0 * (self.length + 2.0 * self.reach)
    }

    /// Says which motions are shown: those of the living, in the window or reaching into it; and which come so near an edge
    /// of the world that copies of them are. Who is born in this step has not moved.
    #[inline(always)]
    pub(super) fn sort(
        &self,
        from: &[Vec2; BLOCK],
        to: &[Vec2; BLOCK],
        born: &[u32; BLOCK],
        shown: &mut [u32; BLOCK],
        near: &mut [u32; BLOCK],
    ) {
        let (window, world, reach) = (self.window, self.torus.size, self.reach);
        for i in 0..BLOCK {
            let [left, right] = ordered(from[i].x, to[i].x);
            let [top, bottom] = ordered(from[i].y, to[i].y);
            let (left, right) = (left - reach, right + reach);
            let (top, bottom) = (top - reach, bottom + reach);
            let seen = (left < window.x) & (right > 0.0) & (top < window.y) & (bottom > 0.0);
            let beyond = (left < 0.0) | (right > world.x) | (top < 0.0) | (bottom > world.y);
            let moved = born[i] ^ 1;
            shown[i] = u32::from(seen) & moved;
            near[i] = u32::from(beyond & !self.is_open) & moved;
        }
    }

    /// The places on the torus of those that moved there; astray are those that are farther outside than one turn.
    #[inline(always)]
    pub(super) fn wrap(
        &self,
        to: &[Vec2; BLOCK],
        place: &mut [Vec2; BLOCK],
        astray: &mut [u32; BLOCK],
    ) {
        let world = self.torus.size;
        for i in 0..BLOCK {
            let (x, y) = (wrap_near(to[i].x, world.x), wrap_near(to[i].y, world.y));
            place[i] = Vec2::new(x, y);
            let outside = (x < 0.0) | (x >= world.x) | (y < 0.0) | (y >= world.y);
            astray[i] = u32::from(outside);
        }
        if self.is_open {
            for i in 0..BLOCK {
                let is_inside =
                    (to[i].x >= 0.0) & (to[i].x < world.x) & (to[i].y >= 0.0) & (to[i].y < world.y);
                place[i] = if is_inside { to[i] } else { NOWHERE };
                astray[i] = 0;
            }
        }
    }

    /// Takes to the torus those that are marked, from however far outside.
    #[inline(always)]
    pub(super) fn wrap_astray(
        &self,
        to: &[Vec2; BLOCK],
        place: &mut [Vec2; BLOCK],
        mut marked: u64,
    ) {
        while marked != 0 {
            let i = marked.trailing_zeros() as usize;
            marked &= marked - 1;
            place[i] = self.torus.wrap(to[i]);
        }
    }

    /// Shows the copies of a motion beyond the edges of the world that it comes near.
    #[inline(always)]
    pub(super) fn copy(&self, motion: Segment, run: &mut Run) {
        let (low, high) = self.bounds(motion);
        let (window, world) = (self.window, self.torus.size);
        if self.is_small() {
            return self.show_copies(motion, run);
        }
        // Beyond one edge of each axis at most.
        let x = if low.x < 0.0 { world.x } else { -world.x };
        let y = if low.y < 0.0 { world.y } else { -world.y };
        let beside = (low.x + x < window.x) & (high.x + x > 0.0);
        let below = (low.y + y < window.y) & (high.y + y > 0.0);
        let column = (low.x < window.x) & (high.x > 0.0);
        let row = (low.y < window.y) & (high.y > 0.0);
        let (room, mut count) = (run.room::<3>(), 0);
        room[count] = motion.shifted(Vec2::new(x, 0.0));
        count += usize::from(beside & row);
        room[count] = motion.shifted(Vec2::new(0.0, y));
        count += usize::from(column & below);
        room[count] = motion.shifted(Vec2::new(x, y));
        count += usize::from(beside & below);
        run.keep(count);
    }

    /// The rectangle that the stroke of a motion lies in.
    #[inline(always)]
    fn bounds(&self, motion: Segment) -> (Vec2, Vec2) {
        (
            motion.from.min(motion.to) - self.reach,
            motion.from.max(motion.to) + self.reach,
        )
    }

    /// Shows what is seen of the copies of a motion of any length, in a world of any size.
    #[inline(never)]
    pub(super) fn show_copies(&self, motion: Segment, run: &mut Run) {
        let world = self.torus.size;
        if self.is_open {
            return;
        }
        for y in [0.0, world.y, -world.y] {
            for x in [0.0, world.x, -world.x] {
                if x != 0.0 || y != 0.0 {
                    self.show(motion.shifted(Vec2::new(x, y)), run);
                }
            }
        }
    }

    /// Shows a motion where it is seen.
    pub(super) fn show(&self, motion: Segment, run: &mut Run) {
        let (low, high) = self.bounds(motion);
        if low.cmplt(self.window).all() && high.cmpgt(Vec2::ZERO).all() {
            run.room::<1>()[0] = motion;
            run.keep(1);
        }
    }
}

/// `x` moved by a world's size where it is outside: onto the torus, unless it was farther away.
#[inline(always)]
fn wrap_near(x: f32, size: f32) -> f32 {
    let left = if x < 0.0 { x + size } else { x };
    if x >= size { x - size } else { left }
}

/// The smaller and the larger; the first is compared with a plain `<`, which is one instruction.
#[inline(always)]
fn ordered(a: f32, b: f32) -> [f32; 2] {
    if a < b { [a, b] } else { [b, a] }
}
