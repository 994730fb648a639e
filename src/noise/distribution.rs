//! How often each noise value occurs, so that values can be spread evenly.
//!
//! The cumulative distribution is an odd polynomial: it has no table to look up, so that many values are spread at once,
//! and no corners, which would show as ripples in how fast headings turn.

use rand_pcg::Pcg32;
use rand_pcg::rand_core::{Rng, SeedableRng};

use super::{Depth, Noise, Place};
use crate::hash::unit;
use crate::polynomial::cos_sin;

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
    /// Factors of t, t^3, t^5, .. for t in [-1, 1]; their sum is the share less a half.
    terms: [f32; TERMS],
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
        Distribution::from_counts(&counts)
    }

    /// Evens out what is chance in the counts: gradients come in opposite pairs, so the true distribution is symmetric,
    /// and it is smooth over many bins.
    fn from_counts(counts: &[f64; BINS]) -> Distribution {
        let mut density: Vec<f64> = (0..BINS)
            .map(|bin| counts[bin] + counts[BINS - 1 - bin])
            .collect();
        for _ in 0..32 {
            let before = density.clone();
            let at = |bin: usize, offset: usize| {
                before
                    .get((bin + offset).wrapping_sub(1))
                    .copied()
                    .unwrap_or(0.0)
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
            terms: terms.map(|term| term as f32),
        }
    }

    /// The share of values below `value`, in [0, 1]; values outside [0, 1] take the nearest end.
    #[inline(always)]
    pub fn share_below(&self, value: f32) -> f32 {
        let t = (value * 2.0 - 1.0).clamp(-1.0, 1.0);
        let square = t * t;
        let mut sum = 0.0;
        for power in (0..TERMS).rev() {
            sum = sum * square + self.terms[power];
        }
        (0.5 + t * sum).clamp(0.0, 1.0)
    }
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
}
