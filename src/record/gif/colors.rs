//! Which colors stand for all of a frame's: variance cut, then means of what is nearest.
//!
//! Rare colors count for more than their share of the frame: the bright threads are what one looks at.

/// Pixels that are looked at, of a frame of any size.
const SAMPLES: usize = 1 << 18;

/// How often means are taken.
const ROUNDS: usize = 6;

/// A place where distances are about as the eye sees them: lightness, then blue and red against it. A code of lightness is
/// 1.5 apart.
pub type Place = [f32; 3];

/// The place of a color of codes in [0, 255].
pub fn place([red, green, blue]: [f32; 3]) -> Place {
    let luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    [1.5 * luma, 0.7 * (blue - luma), 0.7 * (red - luma)]
}

/// The square of the distance.
pub fn distance(a: Place, b: Place) -> f32 {
    let [x, y, z] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    x * x + y * y + z * z
}

/// The number and the squared distance of the nearest place; there is at least one.
pub fn nearest(places: &[Place], to: Place) -> (usize, f32) {
    let mut nearest = (0, f32::INFINITY);
    for (number, &place) in places.iter().enumerate() {
        let distance = distance(place, to);
        if distance < nearest.1 {
            nearest = (number, distance);
        }
    }
    nearest
}

/// The colors that stand for those of a frame, at least one and at most `most`; where it has no more, they are its own.
pub fn choose(pixels: &[[u8; 4]], most: usize) -> Vec<[u8; 3]> {
    // An odd stride goes through all columns.
    let stride = (pixels.len() / SAMPLES) | 1;
    let samples = pixels.iter().step_by(stride);
    let mut codes: Vec<[u8; 3]> = samples
        .map(|&[red, green, blue, _]| [red, green, blue])
        .collect();
    // In the order of groups of two codes, then of codes.
    codes.sort_unstable_by_key(|&color| (group(color), color));
    let mut own = codes.clone();
    own.dedup();
    if own.len() <= most {
        return if own.is_empty() { vec![[0; 3]] } else { own };
    }
    let groups: Vec<Group> = codes
        .chunk_by(|&a, &b| group(a) == group(b))
        .map(Group::new)
        .collect();
    refine(&groups, cut(&groups, most))
}

fn group(color: [u8; 3]) -> [u8; 3] {
    color.map(|code| code >> 1)
}

/// Pixels of almost the same color.
#[derive(Clone, Copy)]
struct Group {
    color: [f32; 3],
    place: Place,
    weight: f32,
}

impl Group {
    fn new(pixels: &[[u8; 3]]) -> Group {
        let count = pixels.len() as f32;
        let mean = |channel: usize| {
            let sum: u64 = pixels.iter().map(|pixel| u64::from(pixel[channel])).sum();
            sum as f32 / count
        };
        let color = [mean(0), mean(1), mean(2)];
        Group {
            color,
            place: place(color),
            weight: count.sqrt(),
        }
    }
}

/// Groups whose mean stands for all of them.
struct Cell {
    groups: Vec<Group>,
    mean: Place,
    /// The axis along which they differ most, and by how much, weighted.
    spread: (usize, f64),
}

impl Cell {
    fn new(groups: Vec<Group>) -> Cell {
        let (mut weight, mut sums, mut squares) = (0.0, [0.0; 3], [0.0; 3]);
        for group in &groups {
            let share = f64::from(group.weight);
            weight += share;
            for axis in 0..3 {
                let value = f64::from(group.place[axis]);
                sums[axis] += share * value;
                squares[axis] += share * value * value;
            }
        }
        let spreads = [0, 1, 2].map(|axis| squares[axis] - sums[axis] * sums[axis] / weight);
        let widest = (1..3).fold(0, |widest, axis| match spreads[axis] > spreads[widest] {
            true => axis,
            false => widest,
        });
        Cell {
            groups,
            mean: sums.map(|sum| (sum / weight) as f32),
            spread: (widest, spreads[widest]),
        }
    }
}

/// The means of cells, each of which was cut where it differed most.
fn cut(groups: &[Group], most: usize) -> Vec<Place> {
    let mut cells = vec![Cell::new(groups.to_vec())];
    while cells.len() < most {
        let widest = (0..cells.len()).fold(0, |widest, number| {
            match cells[number].spread.1 > cells[widest].spread.1 {
                true => number,
                false => widest,
            }
        });
        let (axis, spread) = cells[widest].spread;
        if spread <= 0.0 {
            break;
        }
        let mean = cells[widest].mean[axis];
        let (low, high): (Vec<_>, Vec<_>) = std::mem::take(&mut cells[widest].groups)
            .into_iter()
            .partition(|group| group.place[axis] <= mean);
        if low.is_empty() || high.is_empty() {
            // They differ by less than a mean can tell.
            cells[widest] = Cell::new(if low.is_empty() { high } else { low });
            cells[widest].spread.1 = 0.0;
            continue;
        }
        cells[widest] = Cell::new(low);
        cells.push(Cell::new(high));
    }
    cells.into_iter().map(|cell| cell.mean).collect()
}

/// Moves places to the means of what is nearest to them, and gives their colors.
fn refine(groups: &[Group], mut places: Vec<Place>) -> Vec<[u8; 3]> {
    let mut colors = Vec::new();
    for _ in 0..ROUNDS {
        // Of each place the weight, the place and the color of what is nearest.
        let mut sums = vec![[0.0f64; 7]; places.len()];
        for group in groups {
            let sum = &mut sums[nearest(&places, group.place).0];
            let share = f64::from(group.weight);
            sum[0] += share;
            for axis in 0..3 {
                sum[1 + axis] += share * f64::from(group.place[axis]);
                sum[4 + axis] += share * f64::from(group.color[axis]);
            }
        }
        let used = || sums.iter().filter(|sum| sum[0] > 0.0);
        let mean = |sum: &[f64; 7], first: usize| {
            [0, 1, 2].map(|axis| (sum[first + axis] / sum[0]) as f32)
        };
        places = used().map(|sum| mean(sum, 1)).collect();
        colors = used().map(|sum| mean(sum, 4)).collect();
    }
    let mut colors: Vec<[u8; 3]> = colors
        .into_iter()
        .map(|color| color.map(|code: f32| (code + 0.5) as u8))
        .collect();
    colors.sort_unstable();
    colors.dedup();
    colors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colors_stay_as_they_are() {
        let pixels: Vec<[u8; 4]> = (0..9000)
            .map(|at| [(at % 5) as u8 * 40, 7, (at % 3) as u8, 255])
            .collect();
        let colors = choose(&pixels, 15);
        assert_eq!(colors.len(), 15);
        assert!(colors.contains(&[160, 7, 2]) && colors.contains(&[0, 7, 0]));
        assert_eq!(choose(&[], 9), [[0; 3]]);
    }

    #[test]
    fn many_colors_are_near_to_one_that_stands_for_them() {
        let pixels: Vec<[u8; 4]> = (0..60_000u32)
            .map(|at| {
                let light = (at % 256) as u8;
                [light / 4, light / 2, light, 255]
            })
            .collect();
        let colors = choose(&pixels, 64);
        assert!((48..=64).contains(&colors.len()), "{}", colors.len());
        let places: Vec<Place> = colors
            .iter()
            .map(|color| place(color.map(f32::from)))
            .collect();
        for pixel in &pixels[..256] {
            let to = place([pixel[0], pixel[1], pixel[2]].map(f32::from));
            let distance = nearest(&places, to).1.sqrt();
            assert!(distance < 5.0, "{pixel:?}: {distance}");
        }
    }
}
