//! Field and particles under a timeline: one step after another, or any step at once.

use glam::Vec2;

use crate::field::{FlowField, FlowParameters, Placement, Torus};
use crate::noise::Depth;
use crate::particles::{Births, Particles, birthplace};
use crate::pool::Pool;
use crate::settings::{Edges, Headings};
use crate::timeline::{Moment, Timeline, World};

/// Particles that one thread steps at a time; the picture does not depend on it.
const CHUNK: usize = 4096;

/// One particle's motion in one step, in logical px.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Segment {
    /// Where the step began.
    pub from: Vec2,
    /// Where the step ended.
    pub to: Vec2,
    /// The value of the color channel where the step began, in [0, 1].
    pub color: f32,
}

/// The state of the water after a step.
#[derive(Debug)]
pub struct Simulation {
    step: i64,
    world: World,
    field: FlowField,
    particles: Particles,
    /// One list for each chunk of particles, so that threads do not wait for each other.
    chunks: Vec<Vec<Segment>>,
    segments: Vec<Segment>,
    view: View,
}

/// Where all particles were, to join it with where they are.
#[derive(Clone, Debug)]
pub struct Trace {
    place: Vec<Vec2>,
    cycle: Vec<i64>,
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
        Simulation {
            step,
            world: moment.world,
            field: FlowField::new(moment.settings.seed(), flow_parameters(&moment)),
            particles: Particles::default(),
            chunks: Vec::new(),
            segments: Vec::new(),
            view: View::new(&moment),
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

    /// What moved in the last step and is seen in the window, in the order of the particles; a segment near an edge of
    /// the world appears on both sides.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// Makes the next step.
    pub fn step(&mut self, timeline: &Timeline, pool: &Pool) {
        self.step += 1;
        let moment = timeline.at(self.step);
        let settings = &moment.settings;
        self.field
            .refresh(settings.seed(), flow_parameters(&moment));
        if moment.world != self.world {
            self.world = moment.world;
            self.particles.leave_outside(self.field.torus());
        }
        let count = timeline.count_at(self.step);
        self.resize(timeline, self.step - 1, count);
        self.field.interpolate_for(count, pool);
        let births = Births {
            step: self.step,
            seed: settings.seed(),
            count,
            end_of_life: |index| timeline.end_of_life(index, self.step),
        };
        self.view = View::new(&moment);
        let (view, field) = (&self.view, &self.field);
        self.chunks
            .resize_with(self.particles.len().div_ceil(CHUNK), Vec::new);
        pool.for_each(
            self.particles.chunks(CHUNK).zip(&mut self.chunks),
            |(mut chunk, segments)| {
                segments.clear();
                chunk.step(field, &births, |from, to| {
                    view.see(field, from, to, segments)
                });
            },
        );
        self.segments.clear();
        self.segments.extend(self.chunks.iter().flatten());
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
            cycle: self.particles.cycle.clone(),
        }
    }

    /// Joins each living particle's place in `trace`, or its birthplace where it was born since, with where it is; then
    /// remembers the present places. Straight lines of a few steps at most.
    pub fn chords(&self, trace: &mut Trace) -> Vec<Segment> {
        let Particles {
            place,
            cycle,
            alive,
            ..
        } = &self.particles;
        let torus = self.field.torus();
        let mut segments = Vec::new();
        for index in (0..place.len()).filter(|&index| alive[index]) {
            let from = match trace.cycle.get(index) {
                Some(before) if *before == cycle[index] => trace.place[index],
                _ => birthplace(self.field.seed(), index as u32, cycle[index], torus),
            };
            // The nearest copy: what moved over an edge did not cross the world.
            let turns = ((place[index] - from) / torus.size).round();
            let to = place[index] - turns * torus.size;
            if to != from {
                self.view.see(&self.field, from, to, &mut segments);
            }
        }
        *trace = self.trace();
        segments
    }

    /// Adds rows up to `count`, in the lives that they live after step `made`, and removes dead ones above.
    fn resize(&mut self, timeline: &Timeline, made: i64, count: u32) {
        for index in self.particles.len() as u32..count {
            let life = timeline.life_at(index, made);
            self.particles.push(life.end, life.cycle);
        }
        if self.particles.len() > count as usize {
            self.particles.shrink_to(count as usize);
        }
    }
}

/// What of the world is seen, and how the edges of the torus show.
#[derive(Debug)]
struct View {
    window: Vec2,
    torus: Torus,
    /// How far a stroke reaches to the sides of its segment, in logical px.
    reach: f32,
}

impl View {
    fn new(moment: &Moment) -> View {
        let torus = flow_parameters(moment).flow.torus;
        let [width, height] = moment.world.window;
        // Two px more for the anti-aliased rim of canvases down to a quarter of a device px per logical px.
        let reach = moment.settings.stroke_width() as f32 * 0.5 + 2.0;
        View {
            window: Vec2::new(width as f32, height as f32),
            torus,
            reach,
        }
    }

    /// Adds what is seen of a motion: itself, and its copies beyond the edges that it comes near.
    #[inline]
    fn see(&self, field: &FlowField, from: Vec2, to: Vec2, segments: &mut Vec<Segment>) {
        let (low, high) = (from.min(to) - self.reach, from.max(to) + self.reach);
        let inside = low.cmpge(Vec2::ZERO).all() && high.cmple(self.window).all();
        if inside {
            segments.push(Segment {
                from,
                to,
                color: field.color_near(from),
            });
            return;
        }
        let shifts = |low: f32, high: f32, window: f32, size: f32| {
            [0.0, size, -size]
                .map(|shift| (low + shift < window && high + shift > 0.0).then_some(shift))
        };
        let across = shifts(low.x, high.x, self.window.x, self.torus.size.x);
        let down = shifts(low.y, high.y, self.window.y, self.torus.size.y);
        for y in down.into_iter().flatten() {
            for x in across.into_iter().flatten() {
                let shift = Vec2::new(x, y);
                segments.push(Segment {
                    from: from + shift,
                    to: to + shift,
                    color: field.color_near(from),
                });
            }
        }
    }
}

/// The field that a moment asks for.
pub fn flow_parameters(moment: &Moment) -> FlowParameters {
    let settings = &moment.settings;
    let vector = |[x, y]: [f64; 2]| Vec2::new(x as f32, y as f32);
    let band = match settings.edges() {
        Edges::Seamless => vector(moment.world.band(settings)),
        Edges::Plain => Vec2::ZERO,
    };
    let torus = Torus {
        size: vector(moment.world.size()),
        band,
    };
    FlowParameters {
        flow: Placement {
            scale: settings.noise_scale() as f32,
            origin: vector(moment.noise_origin),
            torus,
        },
        depth: Depth::endless(moment.z),
        turns: settings.turns() as f32,
        even: settings.headings() == Headings::Even,
        seen_bands: moment.world.margin == 0.0,
        speed: settings.speed() as f32,
        color: Placement {
            scale: settings.color_scale() as f32,
            origin: vector(moment.color_origin),
            torus,
        },
        color_stretch: settings.color_stretch() as f32,
    }
}

#[cfg(test)]
mod tests;
