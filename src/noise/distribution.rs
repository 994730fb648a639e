//! How often each noise value occurs, so that values can be spread evenly.
//!
//! The cumulative distribution is an odd polynomial: it has no table to look up, so that many values are spread at once,
//! and no corners, which would show as ripples in how fast headings turn. Shaped noise goes back through its shape first.

use rand_pcg::Pcg32;
use rand_pcg::rand_core::{Rng, SeedableRng};

use super::recipe::any_time;
use super::shape::power;
use super::{Depth, Fractal, Noise, NoiseKind, Place, Recipe, Shape, Time, scattered_fractal};
use crate::hash::unit;
use crate::polynomial::cos_sin;
use crate::simd::Level;

/// Bins that samples are counted in. A noise value spreads over a quarter of them.
const BINS: usize = 512;

/// Depths that samples are taken at, and places at each of them.
const DEPTHS: u32 = 512;
const PLACES: u32 = 512;

/// Terms of the polynomial: so many bring it within 2.5e-3 of what is counted, which is .9 degrees of a turn.
const TERMS: usize = 8;

/// Places that the polynomial is fitted at.
const NODES: usize = 256;

/// A cumulative distribution over [0, 1]: the share of noise values below a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    form: Form,
    /// How t follows from what the form makes of a value: a factor, and what is added.
    line: [f32; 2],
    /// How the share follows from the polynomial: what it is added to, and a factor.
    share: [f32; 2],
    /// Factors of t, t^3, t^5, .. for t in [-1, 1].
    terms: [f32; TERMS],
}

/// What a value goes through first: the inverse of its shape.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    Line,
    Power(f32),
    Arcsine,
}

impl Form {
    #[inline(always)]
    fn apply(self, value: f32) -> f32 {
        match self {
            Form::Line => value,
            Form::Power(exponent) => power(value, exponent),
            Form::Arcsine => arcsine(value * 2.0 - 1.0),
        }
    }
}

/// The arcsine of `s` in radians within 1e-7; outside [-1, 1] it takes the nearest end (Hastings 1955, in Abramowitz and Stegun 4.4.46).
#[inline(always)]
fn arcsine(s: f32) -> f32 {
    const FACTORS: [f32; 8] = [
        std::f32::consts::FRAC_PI_2,
        -0.214_598_8,
        0.088_978_99,
        -0.050_174_304,
        0.030_891_88,
        -0.017_088_126,
        0.006_670_09,
        -0.001_262_491_1,
    ];
    let way = s.abs().min(1.0);
    let mut sum = 0.0;
    for power in (0..8).rev() {
        sum = sum * way + FACTORS[power];
    }
    (std::f32::consts::FRAC_PI_2 - (1.0 - way).sqrt() * sum).copysign(s)
}

impl Distribution {
    /// The distribution of the noise over place and time. It is a property of the kind and not of a seed.
    pub fn of_volume() -> Distribution {
        Distribution::measure(|generator| Depth {
            cell: i64::from(generator.next_u32()),
            fraction: unit(generator.next_u32()),
            periodic: false,
            across: None,
        })
    }

    /// The same where time has two axes and the noise four.
    pub fn of_hypervolume() -> Distribution {
        let place = |generator: &mut Pcg32| Place {
            cell: i64::from(generator.next_u32()),
            fraction: unit(generator.next_u32()),
        };
        Distribution::measure(|generator| {
            let Place { cell, fraction } = place(generator);
            Depth {
                cell,
                fraction,
                periodic: false,
                across: Some(place(generator)),
            }
        })
    }

    /// The distribution of the noise over a plane at a whole depth, where it is that of two dimensions.
    pub fn of_plane() -> Distribution {
        Distribution::measure(|generator| Depth {
            cell: i64::from(generator.next_u32()),
            fraction: 0.0,
            periodic: false,
            across: None,
        })
    }

    /// The distribution of noise by a recipe, without warp, over place and time; `circle` says whether time runs on one. Warp changes it little.
    /// It takes some milliseconds.
    pub fn of(recipe: &Recipe, circle: bool) -> Distribution {
        let moments = if recipe.octaves > 1 { 128 } else { DEPTHS };
        let plain = match (recipe.kind, recipe.octaves, circle) {
            (NoiseKind::Perlin, 1, false) => Distribution::of_volume(),
            (NoiseKind::Perlin, 1, true) => Distribution::of_hypervolume(),
            _ => {
                let sums = Sums::new(recipe, 0, moments, |number| {
                    any_time(circle, number, moments)
                });
                sums.distribution()
            }
        };
        plain.shaped(recipe.shape, || {
            Sums::new(recipe, 0, moments, |number| {
                any_time(circle, number, moments)
            })
        })
    }

    /// The same over the plane of a channel at noise time `z`, in 2^-64 cells, which never changes; over all seeds.
    pub fn of_moment(recipe: &Recipe, channel: u32, z: i128) -> Distribution {
        let is_whole = z & ((1 << 64) - 1) == 0;
        let sums = || {
            // So many cells on, all octaves are as far in their cells.
            Sums::new(recipe, channel, 128, |number| {
                Time::Line(z.wrapping_add(i128::from(number) << 65))
            })
        };
        let plain = match (recipe.kind, recipe.octaves, channel) {
            (NoiseKind::Perlin, 1, 0) if is_whole => Distribution::of_plane(),
            _ => sums().distribution(),
        };
        plain.shaped(recipe.shape, sums)
    }

    /// The distribution of shaped values, where this is that of plain ones.
    fn shaped(self, shape: Shape, sums: impl FnOnce() -> Sums) -> Distribution {
        // Of plain values t is so many times n.
        let [_, shift] = self.line;
        let rate = -shift;
        match shape {
            Shape::Plain => self,
            // 1 - |n| is below v where n is not within 1 - v of 0.
            Shape::Ridged => Distribution {
                line: [rate, -rate],
                share: [1.0, 2.0],
                ..self
            },
            Shape::Billow => Distribution {
                line: [rate, 0.0],
                share: [0.0, 2.0],
                ..self
            },
            Shape::Power(exponent) => Distribution {
                form: Form::Power(1.0 / exponent),
                ..self
            },
            Shape::Sine(turns) if turns.abs() <= 0.25 => Distribution {
                form: Form::Arcsine,
                line: [rate / (std::f32::consts::TAU * turns.abs()), 0.0],
                ..self
            },
            Shape::Sine(turns) => sums().in_bands(turns),
        }
    }

    fn measure(depth: impl Fn(&mut Pcg32) -> Depth) -> Distribution {
        let mut generator = Pcg32::seed_from_u64(0);
        let noise = Noise::new(0);
        let mut slice = noise.slice(depth(&mut generator));
        let mut counts = [0.0; BINS];
        for _ in 0..DEPTHS {
            slice.refresh(&noise, depth(&mut generator));
            for _ in 0..PLACES {
                let (x, y) = (
                    unit(generator.next_u32()) * 256.0,
                    unit(generator.next_u32()) * 256.0,
                );
                counts[((slice.at(x, y) * BINS as f32) as usize).min(BINS - 1)] += 1.0;
            }
        }
        Distribution::from_counts(&counts, |_| None)
    }

    /// Evens out what is chance in the counts: gradients come in opposite pairs, so the true distribution is symmetric,
    /// and it is smooth over many bins.
    /// What lies beyond the ends is what lies in the bin that `mirror` names.
    fn from_counts(counts: &[f64; BINS], mirror: fn(usize) -> Option<usize>) -> Distribution {
        let mut density: Vec<f64> = (0..BINS)
            .map(|bin| counts[bin] + counts[BINS - 1 - bin])
            .collect();
        for _ in 0..32 {
            let before = density.clone();
            let at = |bin: usize, offset: usize| {
                let bin = (bin + offset).wrapping_sub(1);
                let within = if bin < BINS { Some(bin) } else { mirror(bin) };
                within.map_or(0.0, |bin| before[bin])
            };
            for (bin, value) in density.iter_mut().enumerate() {
                *value = 0.25 * at(bin, 0) + 0.5 * at(bin, 1) + 0.25 * at(bin, 2);
            }
        }
        let total: f64 = density.iter().sum();
        let mut shares = vec![0.0; BINS + 1];
        let mut sum = 0.0;
        for (bin, value) in density.iter().enumerate() {
            sum += value;
            shares[bin + 1] = (sum / total) as f32;
        }
        Distribution::fit(&shares)
    }

    /// The polynomial closest to the shares below each border between two bins, in the sense of Chebyshev.
    fn fit(shares: &[f32]) -> Distribution {
        let mut weights = [0.0f64; TERMS];
        for node in 0..NODES {
            let turns = (node as f32 + 0.5) / (2 * NODES) as f32;
            let place = (cos_sin(turns)[0] * 0.5 + 0.5) * BINS as f32;
            let bin = (place as usize).min(BINS - 1);
            let share = shares[bin] + (place - bin as f32) * (shares[bin + 1] - shares[bin]);
            for (degree, weight) in (1..).step_by(2).zip(&mut weights) {
                let polynomial = cos_sin(turns * degree as f32)[0];
                *weight += f64::from((share - 0.5) * polynomial) * (2.0 / NODES as f64);
            }
        }
        // Chebyshev's polynomials of odd degree, divided by t, as polynomials in t^2: P' = (4 t^2 - 2) P - P before.
        let (mut here, mut before) = ([0.0f64; TERMS], [0.0f64; TERMS]);
        (here[0], before[0]) = (1.0, 1.0);
        let mut terms = [0.0f64; TERMS];
        for weight in weights {
            for (term, factor) in terms.iter_mut().zip(here) {
                *term += weight * factor;
            }
            let mut next = [0.0; TERMS];
            for power in 0..TERMS {
                let lower = if power == 0 { 0.0 } else { here[power - 1] };
                next[power] = 4.0 * lower - 2.0 * here[power] - before[power];
            }
            (here, before) = (next, here);
        }
        Distribution {
            form: Form::Line,
            line: [2.0, -1.0],
            share: [0.5, 1.0],
            terms: terms.map(|term| term as f32),
        }
    }

    /// The share of values below `value`, in [0, 1]; values outside [0, 1] take the nearest end.
    #[inline(always)]
    pub fn share_below(&self, value: f32) -> f32 {
        self.below(self.form.apply(value))
    }

    /// Makes the shares below them of many values: how is chosen once for all of them.
    #[inline(always)]
    pub fn spread(&self, values: &mut [f32]) {
        match self.form {
            Form::Line => {
                for value in values {
                    *value = self.below(*value);
                }
            }
            Form::Power(exponent) => {
                for value in values {
                    *value = self.below(Form::Power(exponent).apply(*value));
                }
            }
            Form::Arcsine => {
                for value in values {
                    *value = self.below(Form::Arcsine.apply(*value));
                }
            }
        }
    }

    #[inline(always)]
    fn below(&self, value: f32) -> f32 {
        let t = (value * self.line[0] + self.line[1]).clamp(-1.0, 1.0);
        let square = t * t;
        let mut sum = 0.0;
        for power in (0..TERMS).rev() {
            sum = sum * square + self.terms[power];
        }
        (self.share[0] + t * sum * self.share[1]).clamp(0.0, 1.0)
    }
}

/// Plain sums of octaves, n in about [-1, 1], at places of many moments.
struct Sums(Vec<f32>);

impl Sums {
    fn new(recipe: &Recipe, channel: u32, moments: u32, time: impl Fn(u32) -> Time) -> Sums {
        let plain = Recipe {
            shape: Shape::Plain,
            warp: 0.0,
            ..*recipe
        };
        let halves = if recipe.octaves > 1 { 1 } else { 2 };
        let count = (DEPTHS * PLACES / 2 * halves / moments) as usize;
        let mut generator = Pcg32::seed_from_u64(0);
        let mut fractal = Fractal::new(0, channel, plain, time(0));
        let [mut x, mut y] = [vec![0.0; count], vec![0.0; count]];
        let mut sums = vec![0.0; moments as usize * count];
        for (moment, values) in (0..moments).zip(sums.chunks_mut(count)) {
            fractal.refresh(0, channel, plain, time(moment));
            for place in x.iter_mut().chain(&mut y) {
                *place = unit(generator.next_u32()) * 256.0;
            }
            scattered_fractal(Level::best(), &fractal, &x, &y, values);
        }
        for sum in &mut sums {
            *sum = *sum * 2.0 - 1.0;
        }
        Sums(sums)
    }

    /// Bins of what lies in [-1, 1]; what lies outside is in the outermost.
    fn counts(values: impl Iterator<Item = f32>) -> [f64; BINS] {
        let mut counts = [0.0; BINS];
        for value in values {
            counts[(((value * 0.5 + 0.5) * BINS as f32) as usize).min(BINS - 1)] += 1.0;
        }
        counts
    }

    fn distribution(&self) -> Distribution {
        // All but one in two thousand; with the last ones the polynomial would spend itself on where nothing is.
        let mut sizes: Vec<f32> = self.0.iter().map(|sum| sum.abs()).collect();
        let last = sizes.len() - 1 - sizes.len() / 2000;
        let (_, most, _) = sizes.select_nth_unstable_by(last, f32::total_cmp);
        let rate = 1.0 / (*most * 1.04).max(1e-6);
        let counts = Sums::counts(self.0.iter().map(|sum| sum * rate));
        Distribution {
            line: [2.0 * rate, -rate],
            ..Distribution::from_counts(&counts, mirror)
        }
    }

    /// The distribution of 1/2 + 1/2 sin(2 pi turns n), by the angle in [-1/4, 1/4] turns that has this sine.
    fn in_bands(&self, turns: f32) -> Distribution {
        let rate = std::f32::consts::FRAC_2_PI;
        let angles = self
            .0
            .iter()
            .map(|sum| arcsine(cos_sin(turns * sum)[1]) * rate);
        Distribution {
            form: Form::Arcsine,
            line: [rate, 0.0],
            ..Distribution::from_counts(&Sums::counts(angles), mirror)
        }
    }
}

/// The bin that the one beyond an end is like.
fn mirror(bin: usize) -> Option<usize> {
    Some(if bin == BINS { BINS - 1 } else { 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_rise_from_zero_to_one() {
        for distribution in [
            Distribution::of_volume(),
            Distribution::of_hypervolume(),
            Distribution::of_plane(),
        ] {
            assert!(distribution.share_below(-1.0) < 1e-3);
            assert!(distribution.share_below(2.0) > 1.0 - 1e-3);
            assert_eq!(distribution.share_below(0.5), 0.5);
            let mut last = 0.0;
            for index in 0..=2000u16 {
                let share = distribution.share_below(f32::from(index) / 2000.0);
                assert!((0.0..=1.0).contains(&share) && share > last - 5e-4);
                last = share;
            }
        }
    }

    /// The quantiles 5, 25, 75 and 95 % of improved Perlin noise, known from independent measurements.
    #[test]
    fn quantiles_are_those_of_improved_perlin_noise() {
        for (distribution, quarter, twentieth) in [
            (Distribution::of_volume(), 0.195, 0.445),
            (Distribution::of_hypervolume(), 0.190, 0.445),
        ] {
            let quantiles = [
                (-twentieth, 0.05),
                (-quarter, 0.25),
                (quarter, 0.75),
                (twentieth, 0.95),
            ];
            for (signed, share) in quantiles {
                let measured = distribution.share_below(signed * 0.5 + 0.5);
                assert!((measured - share).abs() < 0.006, "{signed}: {measured}");
            }
        }
    }

    /// Sends values of other seeds and places through a distribution: they are spread evenly.
    fn check_uniform(distribution: &Distribution, depth: impl Fn(u32) -> Depth) {
        let noise = Noise::new(77);
        let mut bins = [0u32; 20];
        let count = 200_000u32;
        for index in 0..count {
            let value = noise
                .slice(depth(index))
                .at(index as f32 * 0.7713 % 200.0, index as f32 * 0.3937 % 180.0);
            bins[((distribution.share_below(value) * 20.0) as usize).min(19)] += 1;
        }
        for bin in bins {
            let share = f64::from(bin) * 20.0 / f64::from(count);
            assert!((share - 1.0).abs() < 0.05, "{bins:?}");
        }
    }

    #[test]
    fn values_become_uniform() {
        check_uniform(&Distribution::of_volume(), |index| {
            Depth::endless(i128::from(index) * 0x1_3579_bdf0_1234_5677)
        });
    }

    #[test]
    fn values_become_uniform_where_time_has_two_axes() {
        check_uniform(&Distribution::of_hypervolume(), |index| {
            let depth = Depth::endless(i128::from(index) * 0x1_3579_bdf0_1234_5677);
            Depth {
                across: Some(Place::new(f64::from(index) * 0.618_03)),
                ..depth
            }
        });
    }

    /// Every kind, with one octave and with many, in every shape.
    fn recipes() -> Vec<Recipe> {
        let mut recipes = vec![];
        for kind in NoiseKind::ALL {
            for (octaves, lacunarity, gain) in [(1, 2.0, 0.5), (2, 2.0, 0.5), (8, 2.3, 0.9)] {
                recipes.push(Recipe {
                    kind,
                    octaves,
                    lacunarity,
                    gain,
                    ..Recipe::PERLIN
                });
            }
        }
        let plain = recipes.clone();
        let shapes = [
            Shape::Ridged,
            Shape::Billow,
            Shape::Power(0.4),
            Shape::Power(3.0),
            Shape::Sine(0.2),
            Shape::Sine(0.6),
            Shape::Sine(2.0),
            Shape::Sine(5.5),
        ];
        for (index, shape) in shapes.into_iter().enumerate() {
            for recipe in plain.iter().skip(index % 5).step_by(5) {
                recipes.push(Recipe { shape, ..*recipe });
            }
        }
        recipes
    }

    /// Sends values of other seeds and moments than those that were measured through a distribution.
    fn bins(distribution: &Distribution, recipe: &Recipe, time: impl Fn(u32) -> Time) -> [f64; 20] {
        let (moments, places) = (700, 400);
        let mut bins = [0.0; 20];
        let mut fractal = Fractal::new(7, 0, *recipe, time(0));
        let mut values = vec![0.0; places as usize];
        for moment in 0..moments {
            fractal.refresh(moment / 70 + 7, 0, *recipe, time(moment));
            let [x, y] = [1, 2].map(|stream| {
                let at = |place| unit(crate::hash::random_bits(moment, stream, place)) * 200.0;
                (0..places).map(at).collect::<Vec<_>>()
            });
            scattered_fractal(Level::best(), &fractal, &x, &y, &mut values);
            let mut shares = values.clone();
            distribution.spread(&mut shares);
            for (value, share) in values.iter().zip(shares) {
                assert_eq!(distribution.share_below(*value), share);
                bins[((share * 20.0) as usize).min(19)] += 20.0 / f64::from(moments * places);
            }
        }
        bins
    }

    #[test]
    fn values_of_every_recipe_become_uniform() {
        for recipe in recipes() {
            for circle in [false, true] {
                let distribution = Distribution::of(&recipe, circle);
                let bins = bins(&distribution, &recipe, |moment| {
                    if circle {
                        let part = i64::from(moment);
                        Time::Circle {
                            radius: 37.7,
                            part,
                            period: 700,
                        }
                    } else {
                        Time::Line(i128::from(moment) * 0x1_3579_bdf0_1234_5677)
                    }
                });
                // One octave alone spreads in time, and simplex noise of four dimensions lies close about its mean.
                let tolerance = match (recipe.kind, recipe.octaves, circle) {
                    (NoiseKind::Perlin, 1, false) => 0.06,
                    (_, 1, true) => 0.09,
                    // And its values spread the most.
                    (NoiseKind::Value, _, true) => 0.13,
                    _ => 0.05,
                };
                let even = bins.iter().all(|share| (share - 1.0).abs() < tolerance);
                assert!(even, "{recipe:?} {circle}: {bins:.2?}");
            }
        }
    }

    #[test]
    fn values_of_one_moment_become_uniform() {
        for recipe in recipes().into_iter().step_by(3) {
            for z in [0, 3 << 62] {
                let distribution = Distribution::of_moment(&recipe, 0, z);
                let bins = bins(&distribution, &recipe, |moment| {
                    Time::Line(((i128::from(moment) * 1234) << 64) + z)
                });
                // At a whole depth one octave is noise of two dimensions, with few gradients, and has steps in its distribution.
                let tolerance = if recipe.octaves == 1 { 0.2 } else { 0.06 };
                let even = bins.iter().all(|share| (share - 1.0).abs() < tolerance);
                assert!(even, "{recipe:?} {z}: {bins:.2?}");
            }
        }
    }

    #[test]
    fn one_octave_of_perlin_noise_has_the_distribution_of_its_volume() {
        assert_eq!(
            Distribution::of(&Recipe::PERLIN, false),
            Distribution::of_volume()
        );
        assert_eq!(
            Distribution::of(&Recipe::PERLIN, true),
            Distribution::of_hypervolume()
        );
        assert_eq!(
            Distribution::of_moment(&Recipe::PERLIN, 0, 9 << 64),
            Distribution::of_plane()
        );
    }

    #[test]
    fn arcsines_are_close_to_the_c_library() {
        for index in -2000..=2000i16 {
            let s = f32::from(index) / 2000.0;
            let exact = f64::from(s).asin();
            assert!((f64::from(arcsine(s)) - exact).abs() < 5e-7, "{s}");
        }
        assert_eq!(arcsine(1.5), std::f32::consts::FRAC_PI_2);
    }
}
