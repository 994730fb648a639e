//! Octaves of noise, added up at one moment and over the plane: what the flow field samples.
//!
//! Each octave is noise of a seed of its own, whose lattice lies elsewhere in place and time, so that nowhere do the lattice points of
//! all octaves meet. Single samples and whole blocks go through the same arithmetic: the same bits.

use super::lattice::Lattice;
use super::{
    BLOCK, Depth, Ground, Noise, Recipe, Row, Samples, Skewed, Slice, Time, channel_seed, fill_row,
    padded,
};
use crate::hash::lowbias32;
use crate::simd::{Level, clones};

/// How fast the time of a warp runs.
const WARP_RATE: [u32; 2] = [7, 10];

/// What of the octave below each octave of a warp weighs.
pub(super) const WARP_GAIN: f32 = 0.5;

/// Half the way over which slopes are measured, in cells of an octave.
const WAY: f32 = 1.0 / 64.0;

/// The most octaves of a sum.
pub(super) const MOST_OCTAVES: u32 = 8;

/// Sums that a channel has: its own, and the two that displace it.
const SUMS: u32 = 3;

/// The noise of one octave at one moment.
#[derive(Clone, Debug)]
enum Layer {
    Square(Box<Square>),
    Skewed(Skewed),
}

#[derive(Clone, Debug)]
struct Square {
    noise: Noise,
    slice: Slice,
}

impl Layer {
    fn new(ground: Ground, seed: u32, depth: Depth) -> Layer {
        match ground {
            Ground::Square(lattice) => {
                let noise = Noise::new(seed);
                let slice = Slice::new(&noise, lattice, depth);
                Layer::Square(Box::new(Square { noise, slice }))
            }
            Ground::Skewed(family) => Layer::Skewed(Skewed::new(family, seed, depth)),
        }
    }

    fn refresh(&mut self, ground: Ground, seed: u32, depth: Depth) {
        match (&mut *self, ground) {
            (Layer::Square(square), Ground::Square(lattice)) if square.slice.is_of(lattice) => {
                if square.noise.seed != seed {
                    square.noise = Noise::new(seed);
                }
                square.slice.refresh(&square.noise, depth);
            }
            _ => *self = Layer::new(ground, seed, depth),
        }
    }

    #[inline(always)]
    fn at(&self, x: f32, y: f32) -> f32 {
        match self {
            Layer::Square(square) => square.slice.at(x, y),
            Layer::Skewed(skewed) => skewed.at(x, y),
        }
    }

    #[inline(always)]
    fn block(&self, x: &[f32; BLOCK], y: &[f32; BLOCK], values: &mut [f32; BLOCK]) {
        match self {
            Layer::Square(square) => square.slice.block(x, y, values),
            Layer::Skewed(skewed) => skewed.block(x, y, values),
        }
    }
}

#[derive(Clone, Debug)]
struct Octave {
    layer: Layer,
    /// Its cells in one cell of the first octave.
    frequency: f32,
    /// Where the origin lies, in its own cells.
    offset: [f32; 2],
    /// Its share of the sum; all shares add up to 1.
    weight: f32,
}

/// What a sum of octaves is made of.
#[derive(Clone, Copy)]
struct Makeup {
    ground: Ground,
    seed: u32,
    /// Which of all sums under a seed this is.
    number: u32,
    octaves: u32,
    lacunarity: f32,
    gain: f32,
    time: Time,
}

/// A weighted mean of octaves.
#[derive(Clone, Debug, Default)]
struct Sum {
    octaves: Vec<Octave>,
}

impl Sum {
    fn refresh(&mut self, makeup: &Makeup) {
        let octaves = makeup.octaves.clamp(1, MOST_OCTAVES);
        let gain = f64::from(makeup.gain);
        let total = (0..octaves).fold(0.0, |sum, _| sum * gain + 1.0);
        let (mut weight, mut frequency) = (1.0 / total, 1.0);
        self.octaves.truncate(octaves as usize);
        for octave in 0..octaves {
            let number = makeup.number * MOST_OCTAVES + octave;
            let seed = match number {
                0 => makeup.seed,
                // Other numbers than those of channels that somebody else may ask for.
                _ => channel_seed(makeup.seed, number | 1 << 30),
            };
            let place = lowbias32(number);
            let offset = [place & 0xffff, place >> 16].map(|part| part as f32 * (1.0 / 1024.0));
            // From another hash than the place, and 0 for 0 like that.
            let later = lowbias32(number * 3);
            let depth = makeup.time.scaled([2 + octave, 2]).shifted(later);
            match self.octaves.get_mut(octave as usize) {
                Some(there) => {
                    there.layer.refresh(makeup.ground, seed, depth);
                    there.frequency = frequency as f32;
                    there.offset = offset;
                    there.weight = weight as f32;
                }
                None => self.octaves.push(Octave {
                    layer: Layer::new(makeup.ground, seed, depth),
                    frequency: frequency as f32,
                    offset,
                    weight: weight as f32,
                }),
            }
            weight *= gain;
            frequency *= f64::from(makeup.lacunarity);
        }
    }

    fn at(&self, x: f32, y: f32) -> f32 {
        let mut sum = 0.0;
        for octave in &self.octaves {
            let [left, top] = octave.offset;
            let value = octave
                .layer
                .at(x * octave.frequency + left, y * octave.frequency + top);
            sum += value * octave.weight;
        }
        sum
    }

    #[inline(always)]
    fn block(&self, x: &[f32; BLOCK], y: &[f32; BLOCK], sums: &mut [f32; BLOCK]) {
        *sums = [0.0; BLOCK];
        let (mut places, mut values) = ([[0.0; BLOCK]; 2], [0.0; BLOCK]);
        for octave in &self.octaves {
            let [left, top] = octave.offset;
            for i in 0..BLOCK {
                places[0][i] = x[i] * octave.frequency + left;
                places[1][i] = y[i] * octave.frequency + top;
            }
            octave.layer.block(&places[0], &places[1], &mut values);
            for i in 0..BLOCK {
                sums[i] += values[i] * octave.weight;
            }
        }
    }
}

/// Noise by a recipe at one moment, with values in [0, 1].
#[derive(Clone, Debug)]
pub struct Fractal {
    recipe: Recipe,
    /// The two that displace places, if they are displaced, and then the one that is sampled there.
    sums: [Sum; 3],
}

impl Fractal {
    /// The noise of a channel under a seed at one moment. Channels of one seed have nothing to do with each other; one octave of Perlin noise
    /// in channel 0 is [`Noise::slice`].
    pub fn new(seed: u32, channel: u32, recipe: Recipe, time: Time) -> Fractal {
        let mut fractal = Fractal {
            recipe,
            sums: Default::default(),
        };
        fractal.refresh(seed, channel, recipe, time);
        fractal
    }

    /// Makes this the noise of another moment, or of another recipe; allocates only for octaves that were not there, or of another kind.
    pub fn refresh(&mut self, seed: u32, channel: u32, recipe: Recipe, time: Time) {
        self.recipe = recipe;
        let own = Makeup {
            ground: recipe.kind.ground(),
            seed,
            number: channel * SUMS,
            octaves: recipe.octaves,
            lacunarity: recipe.lacunarity,
            gain: recipe.gain,
            time,
        };
        let [first, second, sum] = &mut self.sums;
        sum.refresh(&own);
        if recipe.warp != 0.0 {
            for (number, sum) in [first, second].into_iter().enumerate() {
                sum.refresh(&Makeup {
                    number: own.number + 1 + number as u32,
                    octaves: recipe.warp_octaves,
                    gain: WARP_GAIN,
                    time: time.scaled(WARP_RATE),
                    ..own
                });
            }
        }
    }

    /// What it is made by.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// The value in [0, 1] at a place in cells. In cells of the highest octave, and for the simplex kinds twice as far, it is of magnitude below
    /// 2^22.
    pub fn at(&self, x: f32, y: f32) -> f32 {
        let [first, second, sum] = &self.sums;
        let Recipe {
            warp, warp_scale, ..
        } = self.recipe;
        let value = if warp == 0.0 {
            sum.at(x, y)
        } else {
            let (along, down) = (x * warp_scale, y * warp_scale);
            let displaced = [first, second].map(|sum| (sum.at(along, down) * 2.0 - 1.0) * warp);
            sum.at(x + displaced[0], y + displaced[1])
        };
        self.recipe.shape.apply(value)
    }

    /// The values at places in cells, as [`Fractal::at`] gives them.
    #[inline(always)]
    pub(crate) fn block(&self, x: &[f32; BLOCK], y: &[f32; BLOCK], values: &mut [f32; BLOCK]) {
        let Recipe {
            warp, warp_scale, ..
        } = self.recipe;
        let mut places = [*x, *y];
        let mut displaced = places;
        let first = if warp == 0.0 {
            2
        } else {
            for i in 0..BLOCK {
                places[0][i] = x[i] * warp_scale;
                places[1][i] = y[i] * warp_scale;
            }
            0
        };
        // In one loop, so that there is one copy of all kinds of noise.
        for stage in first..3 {
            if stage == 2 {
                places = displaced;
            }
            self.sums[stage].block(&places[0], &places[1], values);
            if stage < 2 {
                for i in 0..BLOCK {
                    displaced[stage][i] += (values[i] * 2.0 - 1.0) * warp;
                }
            }
        }
        self.recipe.shape.apply_block(values);
    }

    /// The gradient of the sum of octaves, in values per cell, and the sum itself; neither displaced nor shaped.
    pub(super) fn gradient_at(&self, x: f32, y: f32) -> ([f32; 2], f32) {
        let (mut gradient, mut sum) = ([0.0; 2], 0.0);
        for octave in self.octaves() {
            let [left, top] = octave.offset;
            let (x, y) = (x * octave.frequency + left, y * octave.frequency + top);
            let share = octave.frequency * octave.weight / (2.0 * WAY);
            let across = octave.layer.at(x + WAY, y) - octave.layer.at(x - WAY, y);
            let down = octave.layer.at(x, y + WAY) - octave.layer.at(x, y - WAY);
            gradient[0] += across * share;
            gradient[1] += down * share;
            sum += octave.layer.at(x, y) * octave.weight;
        }
        (gradient, sum)
    }

    /// The lattice along whose cells rows can be computed.
    fn rows_on(&self) -> Option<Lattice> {
        match self.recipe.kind.ground() {
            Ground::Square(lattice) if self.recipe.warp == 0.0 => Some(lattice),
            _ => None,
        }
    }

    fn octaves(&self) -> &[Octave] {
        &self.sums[2].octaves
    }
}

clones! {
    /// The noise at scattered places, in cells: the bits of [`Fractal::at`]. The slices have equal length.
    pub fn scattered_fractal(fractal: &Fractal, x: &[f32], y: &[f32], values: &mut [f32]) {
        let mut begin = 0;
        while begin < values.len() {
            let end = (begin + BLOCK).min(values.len());
            let count = end - begin;
            // What is left over is filled up to a block.
            let (mut along, mut down) = ([0.0; BLOCK], [0.0; BLOCK]);
            along[..count].copy_from_slice(&x[begin..end]);
            down[..count].copy_from_slice(&y[begin..end]);
            let mut block = [0.0; BLOCK];
            fractal.block(&along, &down, &mut block);
            values[begin..end].copy_from_slice(&block[..count]);
            begin = end;
        }
    }
}

/// The places along x that rows of a fractal are sampled at.
#[derive(Clone, Debug, Default)]
pub struct FractalSamples {
    /// In cells.
    x: Vec<f32>,
    /// Those of each octave, where rows are computed octave by octave.
    octaves: Vec<Samples>,
    lattice: Option<Lattice>,
    /// Cells of each octave in one of the first, and where its origin lies.
    lines: Vec<[f32; 2]>,
}

impl FractalSamples {
    /// Removes all, and prepares for samples of `fractal`, at this or another moment.
    pub fn begin(&mut self, fractal: &Fractal) {
        self.x.clear();
        self.lines.clear();
        self.lattice = fractal.rows_on();
        if self.lattice.is_none() {
            return;
        }
        let octaves = fractal.octaves();
        if self.octaves.len() < octaves.len() {
            self.octaves.resize_with(octaves.len(), Samples::default);
        }
        for (octave, samples) in octaves.iter().zip(&mut self.octaves) {
            samples.clear();
            self.lines.push([octave.frequency, octave.offset[0]]);
        }
    }

    /// Appends a sample at `x`, in cells.
    pub fn push(&mut self, x: f32) {
        self.x.push(x);
        if let Some(lattice) = self.lattice {
            for ([frequency, left], samples) in self.lines.iter().zip(&mut self.octaves) {
                samples.push_faded(lattice, x * frequency + left);
            }
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.x.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.x.is_empty()
    }
}

clones! {
    /// Adds `share` of the octave to the sums, of which `before` is what they are multiplied with first.
    fn add(sums: &mut [f32], before: f32, octave: &[f32], share: f32) {
        for (sum, value) in sums.iter_mut().zip(octave) {
            *sum = *sum * before + value * share;
        }
    }
}

clones! {
    fn shape_all(recipe: &Recipe, values: &mut [f32]) {
        recipe.shape.apply_all(values);
    }
}

clones! {
    fn row_in_blocks(fractal: &Fractal, y: f32, x: &[f32], values: &mut [f32]) {
        let down = [y; BLOCK];
        let mut begin = 0;
        while begin < x.len() {
            let end = (begin + BLOCK).min(x.len());
            let mut along = [0.0; BLOCK];
            along[..end - begin].copy_from_slice(&x[begin..end]);
            let mut block = [0.0; BLOCK];
            fractal.block(&along, &down, &mut block);
            values[begin..end].copy_from_slice(&block[..end - begin]);
            begin = end;
        }
    }
}

/// The values in [0, 1] of the row at `y`, in cells, at its samples, which were begun for this fractal: those of [`Fractal::at`] within 1e-6,
/// before ridges, powers or bands make differences larger. `values` and `scratch` hold [`padded`]`(samples.len())` numbers each;
/// those beyond the samples have no meaning afterwards.
pub fn fill_fractal_row(
    level: Level,
    fractal: &Fractal,
    y: f32,
    samples: &FractalSamples,
    scratch: &mut [f32],
    values: &mut [f32],
) {
    let Some(lattice) = samples.lattice else {
        return row_in_blocks(level, fractal, y, &samples.x, values);
    };
    let count = padded(samples.len());
    let mut before = 1.0;
    for (number, (octave, along)) in fractal.octaves().iter().zip(&samples.octaves).enumerate() {
        let Layer::Square(square) = &octave.layer else {
            continue;
        };
        let row = Row::faded(lattice, y * octave.frequency + octave.offset[1]);
        if number == 0 {
            fill_row(level, &square.slice, &row, along, values);
            before = octave.weight;
        } else {
            fill_row(level, &square.slice, &row, along, scratch);
            add(
                level,
                &mut values[..count],
                before,
                &scratch[..count],
                octave.weight,
            );
            before = 1.0;
        }
    }
    if fractal.recipe.shape != super::Shape::Plain {
        shape_all(level, &fractal.recipe, &mut values[..count]);
    }
}

#[cfg(test)]
mod tests;
