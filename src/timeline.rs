//! What happens, and when: start settings, world and events; and from them everything at any step.
//!
//! The picture is a function of a timeline and a step, and of nothing else. Steps are 1/60 s; step 0 is the start, and
//! before it the settings are those at 0. Step `n` carries the particles from state `n - 1` to state `n`, under the
//! settings of `n`: an event at `n` is in force from that step on.
//!
//! Nothing here is computed by stepping. Noise time, births and glides have closed forms over each stretch between two
//! events, so any step is as near as any other.

use crate::hash::random_bits;
pub use crate::noise::Time as NoiseTime;
use crate::polynomial::log2;
use crate::settings::{Setting, Settings, Value};

mod life;
mod looped;
mod show;
mod stir;
mod wander;
mod world;

pub use life::Life;
pub use looped::MOST_MEMBERS;
pub use show::Show;
pub use stir::{LASTING, Stir, Stirred};
pub use world::World;

use life::LifeStretch;
use looped::Lap;

/// Steps in a second of the picture's time.
pub const STEPS_PER_SECOND: f64 = 60.0;

/// Steps over which a change of a gliding setting takes effect.
pub const GLIDE: i64 = 60;

/// Steps without a change of the field's scale after which the hidden margin follows it.
const SETTLED: i64 = 60;

/// Canvases of looks that come begin at multiples of this.
const BEGINNINGS: i64 = 256;

/// Most particles of a world.
pub const MOST_PARTICLES: u32 = 10_000_000;

/// Something that changes the picture from a step on.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Another look comes, with these settings; only of a [`Show`].
    Look(Box<Settings>),
    /// A setting takes a value.
    Setting(&'static Setting, Value),
    /// The window or the hidden margin takes another size.
    World(World),
    /// The world holds this share of the particles that the settings ask for, in [0, 1].
    Budget(f64),
    /// The pointer stirs the water; at most once in a step.
    Stir(Stir),
}

/// A change and the first step that it is in force.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// At least 1.
    pub step: i64,
    /// What changes.
    pub change: Change,
}

/// Everything that holds in one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// The step.
    pub step: i64,
    /// The settings, those that glide on their way; lengths are px.
    pub settings: Settings,
    /// The world.
    pub world: World,
    /// The noise time at which the step begins.
    pub time: NoiseTime,
    /// The same of the color channel, where it moves.
    pub color_time: Option<NoiseTime>,
    /// The place in noise of the world's top left, in cells; a place `p` in px is at `origin + p * noise_scale`.
    pub noise_origin: [f64; 2],
    /// The same for the color channel and `color_scale`.
    pub color_origin: [f64; 2],
}

/// Start settings, world and events.
#[derive(Clone, Debug, PartialEq)]
pub struct Timeline {
    /// All but the stirs.
    events: Vec<Event>,
    stretches: Vec<Stretch>,
    lives: Vec<LifeStretch>,
    stirs: Vec<Stirred>,
    /// How it repeats, where it does; it has no events then.
    lap: Option<Lap>,
}

/// The steps between two changes.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Stretch {
    /// The first step.
    from: i64,
    /// The settings that hold or that are glided to.
    settings: Settings,
    world: World,
    /// The share of the particles that the world holds.
    budget: f64,
    /// Where the first step begins, what goes on at a rate: noise time, that of the color channel, and how far the noise has
    /// moved to the right and upwards; in 2^-64 cells or px.
    sums: [i128; RATES],
    /// Places in noise of the window's centre: of the field and of the color channel.
    anchors: [[f64; 2]; 2],
    /// The gliding setting that changed where the stretch began, and by how much.
    glide: Option<(&'static Setting, f64)>,
}

impl Timeline {
    /// A timeline without events.
    pub fn new(settings: Settings, window: [f64; 2]) -> Timeline {
        let world = World::new(window, &settings);
        let centre = world.centre();
        let stretch = Stretch {
            from: 0,
            settings,
            world,
            budget: 1.0,
            sums: [0; RATES],
            anchors: [settings.noise_scale(), settings.color_scale()]
                .map(|scale| centre.map(|c| c * scale)),
            glide: None,
        };
        Timeline {
            events: Vec::new(),
            stretches: vec![stretch],
            lives: vec![LifeStretch::new(i64::MIN, &settings)],
            stirs: Vec::new(),
            lap: None,
        }
    }

    /// The same, whose world holds this share of the particles that the settings ask for from the start on.
    fn with_budget(mut self, share: f64) -> Timeline {
        self.stretches[0].budget = share;
        self
    }

    /// The settings and the world at the start.
    pub fn start(&self) -> (Settings, World) {
        (self.stretches[0].settings, self.stretches[0].world)
    }

    /// The settings that hold after the last event, those that glide at their goal.
    pub fn latest_settings(&self) -> &Settings {
        &self.latest().settings
    }

    /// The world after the last event.
    pub fn latest_world(&self) -> World {
        self.latest().world
    }

    /// The share of the particles that the world holds after the last event.
    pub fn latest_budget(&self) -> f64 {
        self.latest().budget
    }

    fn latest(&self) -> &Stretch {
        self.stretches
            .last()
            .expect("a timeline begins with a stretch")
    }

    /// Appends a change at `step`, or at the last event's step where that is later; returns where. Stirs and other changes
    /// do not wait for each other. A timeline that repeats stays as it is.
    pub fn push(&mut self, step: i64, change: Change) -> i64 {
        if self.lap.is_some() {
            return step;
        }
        if let Change::Stir(stir) = change {
            return self.push_stir(step, stir);
        }
        let before = *self.latest();
        let step = step.max(before.from).max(1);
        let mut after = Stretch {
            from: step,
            sums: before.sums_at(step),
            glide: None,
            ..before
        };
        match change {
            // A timeline is that of one look.
            Change::Look(_) => return step,
            Change::Setting(setting, value) => {
                setting.set(&mut after.settings, value);
                after.glide = glide(setting, &before.settings, &after.settings);
            }
            Change::World(world) => {
                let settings = self.settings_at(step);
                let scales = [settings.noise_scale(), settings.color_scale()];
                let (from, to) = (before.world.centre(), world.centre());
                for (anchor, scale) in after.anchors.iter_mut().zip(scales) {
                    for axis in 0..2 {
                        anchor[axis] += (to[axis] - from[axis]) * scale;
                    }
                }
                after.world = world;
            }
            Change::Budget(share) => after.budget = share.clamp(0.0, 1.0),
            Change::Stir(_) => unreachable!("stirs have a list of their own"),
        }
        self.events.push(Event { step, change });
        self.stretches.push(after);
        let life = LifeStretch::new(step, &after.settings);
        if !self.lives.last().is_some_and(|last| last.same_as(&life)) {
            self.lives.push(life);
        }
        step
    }

    /// Forgets all that happens after `step`, which is at least 0.
    pub fn truncate(&mut self, step: i64) {
        let events = self.events.partition_point(|event| event.step <= step);
        self.events.truncate(events);
        // One for the start, and one for each event.
        self.stretches.truncate(events + 1);
        let lives = self.lives.partition_point(|life| life.from() <= step);
        self.lives.truncate(lives.max(1));
        let stirs = self.stirs.partition_point(|stirred| stirred.step <= step);
        self.stirs.truncate(stirs);
    }

    /// Appends the margin that the settings ask for, once they have been left alone for a second; says whether it did.
    ///
    /// Zooming moves the field smoothly, but a margin that moved with it would let the seam sweep through the water.
    pub fn settle(&mut self, step: i64) -> bool {
        let Stretch {
            from,
            world,
            settings,
            ..
        } = *self.latest();
        let wanted = World::new(world.window, &settings);
        let due = wanted != world && step >= from + SETTLED;
        if due {
            self.push(step, Change::World(wanted));
        }
        due
    }

    /// Everything that holds in `step`.
    pub fn at(&self, step: i64) -> Moment {
        let stretch = self.stretch_at(step);
        let window = stretch.world.window;
        let settings = self.settings_at(step).in_window(window);
        let centre = stretch.world.centre();
        let unit = settings.unit(window);
        let [z, color_z, right, up] = stretch.sums_at(step);
        // Px of the noise's own, since it moves against the window.
        let moved = [-right, up].map(|sum| sum as f64 / ONE * unit);
        let origin = |channel: usize, scale: f64, moved: [f64; 2]| {
            [0, 1].map(|axis| stretch.anchors[channel][axis] + (moved[axis] - centre[axis]) * scale)
        };
        let time = |rate: f64, sum: i128| match &self.lap {
            Some(lap) => lap.time_at(step, rate),
            None => NoiseTime::Line(sum),
        };
        let color_rate = settings.color_time_scale();
        Moment {
            step,
            settings,
            world: stretch.world,
            time: time(settings.time_scale(), z),
            color_time: (color_rate != 0.0).then(|| time(color_rate, color_z)),
            noise_origin: origin(0, settings.noise_scale(), moved),
            color_origin: origin(1, settings.color_scale(), [0.0; 2]),
        }
    }

    /// How many times the light halves in the steps after `from`, up to and with `to`.
    pub fn halvings(&self, from: i64, to: i64) -> f64 {
        let (first, last) = (self.stretch_index(from + 1), self.stretch_index(to));
        let next = |number: usize| {
            self.stretches
                .get(number + 1)
                .map_or(i64::MAX, |stretch| stretch.from)
        };
        (first..=last)
            .map(|number| {
                let begin = if number == first {
                    from + 1
                } else {
                    self.stretches[number].from
                };
                let steps = (to + 1).min(next(number)) - begin;
                steps.max(0) as f64 * -log2(1.0 - self.stretches[number].settings.fade())
            })
            .sum()
    }

    /// How many steps before `step` a canvas must begin empty, so that what it lacks is below 1/65536 of the light.
    pub fn warm_up(&self, step: i64) -> i64 {
        let (mut halvings, mut begin) = (0.0, step);
        while halvings < 16.0 {
            halvings -= log2(1.0 - self.stretch_at(begin).settings.fade());
            begin -= 1;
        }
        step - begin
    }

    /// Where a canvas of a look that comes in `step` begins: long enough before, and where all those begin that come soon before or
    /// after it. So who paints one ahead, and cannot know yet when it comes, begins where it will have begun.
    pub fn beginning(&self, step: i64) -> i64 {
        (step - self.warm_up(step)).div_euclid(BEGINNINGS) * BEGINNINGS
    }

    /// How many particles the world holds in `step`, hidden margin included.
    pub fn count_at(&self, step: i64) -> u32 {
        let stretch = self.stretch_at(step);
        let wanted = stretch.world.particles(&stretch.settings);
        (f64::from(wanted) * stretch.budget).round() as u32
    }

    fn settings_at(&self, step: i64) -> Settings {
        let last = self.stretch_index(step);
        let mut settings = self.stretches[last].settings;
        for stretch in self.stretches[..=last].iter().rev() {
            let passed = step - stretch.from + 1;
            if passed >= GLIDE {
                break;
            }
            if let Some((setting, change)) = stretch.glide
                && let Value::Number(value) = setting.value(&settings)
            {
                let remaining = 1.0 - ease(passed as f64 / GLIDE as f64);
                setting.set(&mut settings, Value::Number(value - change * remaining));
            }
        }
        wander::strayed(&settings, step, self.period())
    }

    fn stretch_at(&self, step: i64) -> &Stretch {
        &self.stretches[self.stretch_index(step)]
    }

    fn stretch_index(&self, step: i64) -> usize {
        self.stretches
            .partition_point(|stretch| stretch.from <= step)
            .saturating_sub(1)
    }
}

/// The change of a gliding setting.
fn glide(
    setting: &'static Setting,
    before: &Settings,
    after: &Settings,
) -> Option<(&'static Setting, f64)> {
    match (setting.glides, setting.value(before), setting.value(after)) {
        (true, Value::Number(from), Value::Number(to)) if from != to => Some((setting, to - from)),
        _ => None,
    }
}

/// From 0 to 1 with zero slope at both ends.
fn ease(t: f64) -> f64 {
    t * t * (3.0 - 2.0 * t)
}

/// What goes on at a rate.
const RATES: usize = 4;

/// One cell or px.
const ONE: f64 = 18_446_744_073_709_551_616.0;

impl Stretch {
    /// How far all that goes on at a rate has come where `step` begins. Sums of whole numbers are exact, however many.
    fn sums_at(&self, step: i64) -> [i128; RATES] {
        let settings = &self.settings;
        let rates = [
            settings.time_scale(),
            settings.color_time_scale(),
            settings.scroll(),
            settings.rise(),
        ];
        // Step 0 is the state at the start: step 1 begins at noise time 0.
        let begin = self.from.max(1);
        std::array::from_fn(|number| {
            let rate = (rates[number] * ONE).round() as i128;
            self.sums[number] + rate * i128::from(step - begin)
        })
    }
}

/// The random number of particle `index` that its lives are made of.
fn life_bits(seed: u32, index: u32) -> u32 {
    random_bits(seed, u64::MAX, index)
}

#[cfg(test)]
mod tests;
