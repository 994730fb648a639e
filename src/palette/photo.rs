//! Colors of a picture: the few that stand for all of it, or those along a strip.
//!
//! Nothing here reads files: pixels are sRGB codes.

use super::gradient::{FEWEST_STOPS, MOST_STOPS};
use super::oklab::{Lab, codes_of, lab, light_of, shown};

/// Most pixels that are looked at.
pub const SAMPLES: usize = 1 << 16;

/// Rounds in which the colors settle; a picture seldom takes as many.
const ROUNDS: usize = 32;

/// The indices of at most [`SAMPLES`] of `count` pixels, spread over all of them without a rhythm of their own.
pub fn samples(count: usize) -> impl Iterator<Item = usize> {
    // Multiples of the golden ratio, modulo 1, lie evenly whatever their number.
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
    let spread = move |index: usize| {
        let share = (index as u64).wrapping_mul(GOLDEN);
        ((u128::from(share) * count as u128) >> 64) as usize
    };
    (0..count.min(SAMPLES)).map(move |index| {
        if count <= SAMPLES {
            index
        } else {
            spread(index)
        }
    })
}

/// The few colors that stand for a picture, at most `count`, from dark to light.
///
/// Boxes of colors are halved where they are widest, and then each color settles at the mean of the pixels that are nearest to
/// it (Lloyd's k-means), in OKLab. There are fewer where the picture has fewer colors, and none of no pixels.
pub fn dominant(pixels: &[[u8; 3]], count: usize) -> Vec<[u8; 3]> {
    let labs: Vec<Lab> = samples(pixels.len())
        .map(|index| lab(light_of(pixels[index])))
        .collect();
    let mut means = halved(&labs, count);
    for _ in 0..ROUNDS {
        let settled = settled(&labs, &means);
        if settled == means {
            break;
        }
        means = settled;
    }
    means.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let mut colors: Vec<[u8; 3]> = means.iter().map(|&mean| codes_of(shown(mean))).collect();
    colors.dedup();
    colors
}

/// The colors along a row of a strip, from left to right: those of all px, or of [`MOST_STOPS`] evenly spaced ones. A strip of one px has
/// its color twice, so that there are enough for a gradient; of no px there are none.
pub fn strip(row: &[[u8; 3]]) -> Vec<[u8; 3]> {
    let Some(last) = row.len().checked_sub(1) else {
        return Vec::new();
    };
    let count = row.len().clamp(FEWEST_STOPS, MOST_STOPS);
    let nearest = |index: usize| (2 * index * last + count - 1) / (2 * (count - 1));
    (0..count).map(|index| row[nearest(index)]).collect()
}

/// The means of at most `count` boxes into which colors are halved, each time the box that they are spread widest in.
fn halved(labs: &[Lab], count: usize) -> Vec<Lab> {
    let mut boxes: Vec<Spread> = Spread::of(labs.to_vec()).into_iter().collect();
    while boxes.len() < count {
        let widest = (0..boxes.len()).max_by(|&a, &b| boxes[a].width.total_cmp(&boxes[b].width));
        let Some(widest) = widest.filter(|&index| boxes[index].width > 0.0) else {
            break;
        };
        let Spread {
            labs, mean, axis, ..
        } = boxes.swap_remove(widest);
        let (low, high) = labs.into_iter().partition(|lab| lab[axis] <= mean[axis]);
        boxes.extend(Spread::of(low));
        boxes.extend(Spread::of(high));
    }
    boxes.truncate(count);
    boxes.iter().map(|spread| spread.mean).collect()
}

/// Colors, and how they are spread.
struct Spread {
    labs: Vec<Lab>,
    mean: Lab,
    /// Along which they are spread widest.
    axis: usize,
    /// The sum of squared distances from the mean along it; 0 where they are all the same.
    width: f64,
}

impl Spread {
    fn of(labs: Vec<Lab>) -> Option<Spread> {
        let first = *labs.first()?;
        if labs.iter().all(|lab| *lab == first) {
            return Some(Spread {
                labs,
                mean: first,
                axis: 0,
                width: 0.0,
            });
        }
        let mean = mean(labs.iter());
        let width = |axis: usize| -> f64 {
            let offsets = labs.iter().map(|lab| lab[axis] - mean[axis]);
            offsets.map(|offset| offset * offset).sum()
        };
        let widths = [0, 1, 2].map(width);
        let axis = (1..3).fold(0, |best, axis| {
            if widths[axis] > widths[best] {
                axis
            } else {
                best
            }
        });
        Some(Spread {
            labs,
            mean,
            axis,
            width: widths[axis],
        })
    }
}

/// Each mean moved to that of the colors nearest to it; it stays where there are none.
fn settled(labs: &[Lab], means: &[Lab]) -> Vec<Lab> {
    let mut sums = vec![([0.0; 3], 0u32); means.len()];
    for lab in labs {
        let distance = |mean: &Lab| -> f64 {
            let offsets = (0..3).map(|axis| lab[axis] - mean[axis]);
            offsets.map(|offset| offset * offset).sum()
        };
        let nearest = (0..means.len())
            .map(|index| (distance(&means[index]), index))
            .min_by(|a, b| a.0.total_cmp(&b.0));
        let Some((_, nearest)) = nearest else {
            continue;
        };
        let (sum, count) = &mut sums[nearest];
        (0..3).for_each(|axis| sum[axis] += lab[axis]);
        *count += 1;
    }
    let settle = |((sum, count), mean): (&([f64; 3], u32), &Lab)| match count {
        0 => *mean,
        _ => sum.map(|part| part / f64::from(*count)),
    };
    sums.iter().zip(means).map(settle).collect()
}

fn mean<'a>(labs: impl ExactSizeIterator<Item = &'a Lab>) -> Lab {
    let count = labs.len() as f64;
    let sum = labs.fold([0.0; 3], |sum: Lab, lab| {
        [0, 1, 2].map(|axis| sum[axis] + lab[axis])
    });
    sum.map(|part| part / count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::palette::oklab::tests::exact_lab;

    const DARK: [u8; 3] = [10, 20, 60];
    const MIDDLE: [u8; 3] = [200, 40, 60];
    const LIGHT: [u8; 3] = [240, 220, 90];

    fn flag(count: usize) -> Vec<[u8; 3]> {
        (0..count)
            .map(|index| [LIGHT, DARK, DARK, MIDDLE, DARK][index % 5])
            .collect()
    }

    #[test]
    fn a_picture_of_three_colors_has_those_from_dark_to_light() {
        for size in [5, 1000, 300_000] {
            let pixels = flag(size);
            for count in [3, 5, 32] {
                assert_eq!(dominant(&pixels, count), [DARK, MIDDLE, LIGHT], "{size}");
            }
            assert_eq!(dominant(&pixels, 2).len(), 2);
        }
        assert_eq!(dominant(&[MIDDLE; 7], 5), [MIDDLE]);
        assert!(dominant(&[], 5).is_empty());
        assert!(dominant(&flag(10), 0).is_empty());
    }

    /// Noise around a few colors, in any order of the pixels, gives those colors.
    #[test]
    fn blurred_colors_are_found_again() {
        let noise = |index: u32, shift: u32| (index.wrapping_mul(2_654_435_761) >> shift) as u8 & 7;
        let pixels: Vec<[u8; 3]> = (0..20_000)
            .map(|index: u32| {
                let [r, g, b] = [DARK, MIDDLE, LIGHT][(index % 3) as usize];
                [
                    r + noise(index, 5),
                    g + noise(index, 13),
                    b + noise(index, 23),
                ]
            })
            .collect();
        let found = dominant(&pixels, 3);
        for (found, wanted) in found.iter().zip([DARK, MIDDLE, LIGHT]) {
            let (found, wanted) = (exact_lab(*found), exact_lab(wanted.map(|code| code + 3)));
            assert!((0..3).all(|axis| (found[axis] - wanted[axis]).abs() < 0.01));
        }
    }

    #[test]
    fn samples_are_spread_over_all_pixels() {
        assert!(samples(5).eq(0..5));
        let count = 67_108_864;
        let mut cells = [0u32; 64];
        let mut columns = [0u32; 64];
        for index in samples(count) {
            cells[index / (count / 64)] += 1;
            columns[index % 8192 / 128] += 1;
        }
        let spread = |counts: &[u32]| counts.iter().all(|count| (900..1150).contains(count));
        assert!(spread(&cells) && spread(&columns), "{cells:?} {columns:?}");
    }

    #[test]
    fn strips_keep_their_ends_and_their_order() {
        let row: Vec<[u8; 3]> = (0..=255).map(|code| [code, 0, 0]).collect();
        let stops = strip(&row);
        assert_eq!((stops.len(), stops[0], stops[31]), (32, row[0], row[255]));
        let even = stops.windows(2).all(|pair| {
            let way = pair[1][0] - pair[0][0];
            (8..=9).contains(&way)
        });
        assert!(even, "{stops:?}");
        assert_eq!(strip(&row[..5]), row[..5]);
        assert_eq!(strip(&row[..32]), row[..32]);
        assert_eq!(strip(&row[7..8]), [row[7]; 2]);
        assert!(strip(&[]).is_empty());
    }
}
