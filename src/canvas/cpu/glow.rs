//! Bloom: blurred copies of the map that strokes fill at a quarter of the logical size.
//!
//! A Gaussian takes one row or column after the other, its weights in a fixed order, so that every machine makes the same
//! bits. At the rim the weights that lie inside count for all, or it would be darker there.

use super::Light;
use super::sheet::Sheet;
use crate::canvas::{Bloom, Extent};
use crate::polynomial::exp2;
use crate::pool::{Chunks, Pool};
use crate::simd::clones;

/// Px of the map, in each direction, that the wide copy sums up before it is blurred.
const COARSER: usize = 4;

/// How many standard deviations a Gaussian reaches.
const REACH: f32 = 3.0;

/// Rows that a thread blurs at a time.
const ROWS: usize = 16;

/// Most weights of a Gaussian on one side of its middle.
const WEIGHTS: usize = 64;

/// The two blurred copies, and room to make them in.
#[derive(Debug, Default)]
pub(super) struct Glow {
    across: Vec<Light>,
    near: Vec<Light>,
    wide: Sheet,
}

impl Glow {
    /// Blurs the light of a map, and adds the shares of both copies, times the exposure, to a sheet with a texel for each px
    /// of the map.
    pub(super) fn add_to(
        &mut self,
        sheet: &mut Sheet,
        (map, extent): (&[Light], Extent),
        bloom: &Bloom,
        exposure: f32,
        pool: &Pool,
    ) {
        let width = extent.width as usize;
        let [near, wide] = bloom.shares;
        if near > 0.0 {
            let weights = Gaussian::new(bloom.radii[0] * extent.scale);
            self.near.clear();
            self.near.extend_from_slice(map);
            blur(&mut self.near, &mut self.across, width, &weights, pool);
            sheet.add(&self.near, near * exposure, pool);
        }
        if wide > 0.0 {
            let coarse = Extent {
                width: extent.width.div_ceil(COARSER as u32),
                height: extent.height.div_ceil(COARSER as u32),
                scale: extent.scale / COARSER as f32,
            };
            self.wide.clear(coarse);
            reduce(map, [width, extent.height as usize], &mut self.wide.texels);
            let weights = Gaussian::new(bloom.radii[1] * coarse.scale);
            let columns = coarse.width as usize;
            blur(
                &mut self.wide.texels,
                &mut self.across,
                columns,
                &weights,
                pool,
            );
            // What blooms near blooms wide, too.
            sheet.add_sheet(&mut self.wide, wide * (1.0 + near) * exposure, pool);
        }
    }
}

/// Half of the weights of a Gaussian, from its middle on.
#[derive(Debug)]
struct Gaussian {
    weights: [f32; WEIGHTS],
    count: usize,
}

impl Gaussian {
    /// Of a standard deviation in px.
    fn new(deviation: f32) -> Gaussian {
        let deviation = deviation.max(1e-3);
        let count = (deviation * REACH).ceil() as usize + 1;
        Gaussian {
            weights: std::array::from_fn(|distance| {
                let x = distance as f32 / deviation;
                exp2(-0.5 * std::f32::consts::LOG2_E * x * x)
            }),
            count: count.min(WEIGHTS),
        }
    }

    fn weights(&self) -> &[f32] {
        &self.weights[..self.count]
    }
}

/// Means of squares of px; the last row and column may have fewer.
fn reduce(map: &[Light], [width, height]: [usize; 2], reduced: &mut [Light]) {
    let columns = width.div_ceil(COARSER);
    for (row, reduced) in reduced.chunks_mut(columns).enumerate() {
        let lines = row * COARSER..((row + 1) * COARSER).min(height);
        for (column, reduced) in reduced.iter_mut().enumerate() {
            let px = column * COARSER..((column + 1) * COARSER).min(width);
            let mut sum = [0.0; 4];
            for line in lines.clone() {
                for light in &map[line * width..][px.clone()] {
                    for channel in 0..4 {
                        sum[channel] += light[channel];
                    }
                }
            }
            let count = (lines.len() * px.len()) as f32;
            *reduced = sum.map(|sum| sum / count);
        }
    }
}

/// Blurs rows of `width` px, both ways; `across` is room for it.
fn blur(
    light: &mut [Light],
    across: &mut Vec<Light>,
    width: usize,
    gaussian: &Gaussian,
    pool: &Pool,
) {
    let (weights, level) = (gaussian.weights(), pool.level());
    let height = light.len() / width;
    across.clear();
    across.resize(light.len(), [0.0; 4]);
    let (source, length) = (&*light, ROWS * width);
    pool.for_each(
        Chunks::new(across.as_mut_slice(), length),
        |number, rows| {
            let source = &source[number * length..];
            for (row, source) in rows.chunks_mut(width).zip(source.chunks(width)) {
                blur_row(level, row, source, weights);
            }
        },
    );
    let across = &*across;
    pool.for_each(Chunks::new(light, length), |number, rows| {
        for (index, row) in rows.chunks_mut(width).enumerate() {
            blur_column(level, row, across, number * ROWS + index, height, weights);
        }
    });
}

/// The sum of the weights that lie inside, around a place of `length`.
fn inside(place: usize, length: usize, weights: &[f32]) -> f32 {
    let mut sum = weights[0];
    for (distance, weight) in weights.iter().enumerate().skip(1) {
        sum +=
            weight * f32::from(u8::from(place >= distance) + u8::from(place + distance < length));
    }
    sum
}

clones! {
    fn blur_row(blurred: &mut [Light], source: &[Light], weights: &[f32]) {
        let length = source.len();
        add(blurred.as_flattened_mut(), source.as_flattened(), weights[0]);
        for (distance, weight) in weights.iter().enumerate().skip(1) {
            if distance >= length {
                break;
            }
            add(blurred[distance..].as_flattened_mut(), source.as_flattened(), *weight);
            add(blurred.as_flattened_mut(), source[distance..].as_flattened(), *weight);
        }
        let (rim, whole) = (weights.len(), 1.0 / inside(weights.len(), usize::MAX / 2, weights));
        for (place, light) in blurred.iter_mut().enumerate() {
            let factor = if place < rim || place + rim >= length {
                1.0 / inside(place, length, weights)
            } else {
                whole
            };
            for channel in light {
                *channel *= factor;
            }
        }
    }
}

clones! {
    fn blur_column(blurred: &mut [Light], source: &[Light], row: usize, height: usize, weights: &[f32]) {
        let width = blurred.len();
        let line = |row: usize| source[row * width..][..width].as_flattened();
        let factor = 1.0 / inside(row, height, weights);
        blurred.fill([0.0; 4]);
        let blurred = blurred.as_flattened_mut();
        add(blurred, line(row), weights[0] * factor);
        for (distance, weight) in weights.iter().enumerate().skip(1) {
            if row >= distance {
                add(blurred, line(row - distance), weight * factor);
            }
            if row + distance < height {
                add(blurred, line(row + distance), weight * factor);
            }
        }
    }
}

#[inline(always)]
fn add(sums: &mut [f32], values: &[f32], weight: f32) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum += value * weight;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spot(size: [usize; 2], at: [usize; 2]) -> Vec<Light> {
        let mut light = vec![[0.0; 4]; size[0] * size[1]];
        light[at[1] * size[0] + at[0]] = [1.0, 2.0, 4.0, 0.0];
        light
    }

    /// A point becomes a Gaussian of the same light, and spreads as far as it is told.
    #[test]
    fn a_point_spreads_as_a_gaussian() {
        let [width, height] = [61, 61];
        for deviation in [0.8f32, 1.5, 4.0] {
            let mut light = spot([width, height], [30, 30]);
            blur(
                &mut light,
                &mut Vec::new(),
                width,
                &Gaussian::new(deviation),
                &Pool::single(),
            );
            let (mut sum, mut square) = (0.0, 0.0);
            for (index, light) in light.iter().enumerate() {
                let x = (index % width) as f32 - 30.0;
                sum += light[1];
                square += light[1] * x * x;
                assert!((light[2] - light[0] * 4.0).abs() < 1e-6);
            }
            assert!((sum - 2.0).abs() < 1e-4, "{deviation}: {sum}");
            let measured = (square / sum).sqrt();
            assert!(
                (measured / deviation - 1.0).abs() < 0.03,
                "{deviation}: {measured}"
            );
        }
    }

    /// Even light stays as it is, up to the rim.
    #[test]
    fn even_light_stays_even() {
        let mut light = vec![[0.5, 0.25, 0.125, 0.0]; 23 * 9];
        blur(
            &mut light,
            &mut Vec::new(),
            23,
            &Gaussian::new(5.0),
            &Pool::single(),
        );
        for light in light {
            assert!((light[0] - 0.5).abs() < 1e-5 && (light[2] - 0.125).abs() < 1e-5);
        }
    }

    #[test]
    fn squares_are_averaged_and_so_are_parts_of_them() {
        let light: Vec<Light> = (0..6 * 5)
            .map(|index| [index as f32, 0.0, 0.0, 0.0])
            .collect();
        let mut reduced = [[0.0; 4]; 4];
        reduce(&light, [6, 5], &mut reduced);
        let reds: Vec<f32> = reduced.iter().map(|light| light[0]).collect();
        assert_eq!(reds, [10.5, 13.5, 25.5, 28.5]);
    }
}
