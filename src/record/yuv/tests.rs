use super::*;
use crate::simd::available;

/// Samples of a picture as the standard has them, not rounded: `[luma, blue difference, red difference]`, of codes that
/// are `depth` times as fine as 8 bits.
fn planes(rgb: &[[f64; 3]], width: usize, halved: bool, fine: f64) -> [Vec<f64>; 3] {
    let rows: Vec<&[[f64; 3]]> = rgb.chunks(width).collect();
    let luma = |[red, green, blue]: [f64; 3]| 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    let blue = |rgb: [f64; 3]| (rgb[2] - luma(rgb)) / 1.8556;
    let red = |rgb: [f64; 3]| (rgb[0] - luma(rgb)) / 1.5748;
    let at =
        |x: isize, y: usize| rows[y.min(rows.len() - 1)][x.clamp(0, width as isize - 1) as usize];
    let mean = |x: usize, y: usize, value: &dyn Fn([f64; 3]) -> f64| {
        if !halved {
            return value(at(x as isize, y));
        }
        let x = 2 * x as isize;
        let row = |y| value(at(x - 1, y)) / 4.0 + value(at(x, y)) / 2.0 + value(at(x + 1, y)) / 4.0;
        (row(2 * y) + row(2 * y + 1)) / 2.0
    };
    let chroma = |value: &dyn Fn([f64; 3]) -> f64| {
        let parts = if halved { 2 } else { 1 };
        let columns = width.div_ceil(parts);
        (0..columns * rows.len().div_ceil(parts))
            .map(|index| (128.0 + 224.0 * mean(index % columns, index / columns, value)) * fine)
            .collect()
    };
    [
        rgb.iter()
            .map(|rgb| (16.0 + 219.0 * luma(*rgb)) * fine)
            .collect(),
        chroma(&blue),
        chroma(&red),
    ]
}

/// Bytes without a pattern that a kernel could hide behind.
fn noise(count: usize) -> impl Iterator<Item = u8> {
    (0..count as u32).map(|index| (index.wrapping_mul(2_654_435_769) >> 13) as u8)
}

/// Sizes around the widths of tiles, and odd ones.
const SIZES: [[u32; 2]; 12] = [
    [512, 2],
    [513, 3],
    [1030, 2],
    [2, 2],
    [1, 1],
    [1, 2],
    [3, 5],
    [64, 4],
    [66, 2],
    [130, 6],
    [321, 7],
    [256, 2],
];

fn codes([width, height]: [u32; 2]) -> Vec<u8> {
    noise((width * height * 4) as usize).collect()
}

fn numbers([width, height]: [u32; 2]) -> Vec<[f32; 3]> {
    let count = (width * height) as usize;
    let values: Vec<f32> = noise(count * 3)
        .map(|byte| f32::from(byte) / 255.0)
        .collect();
    values.as_chunks().0.to_vec()
}

/// One color everywhere, as 8-bit codes.
fn flat(color: [u8; 3], convert: fn(Level, Pixels, &mut Vec<u8>)) -> Vec<u8> {
    let [red, green, blue] = color;
    let rgba = [red, green, blue, 255].repeat(4);
    let pixels = Pixels {
        width: 2,
        height: 2,
        rgba: &rgba,
    };
    let mut planes = Vec::new();
    convert(Level::BASELINE, pixels, &mut planes);
    planes
}

/// The bars of 100 % and 75 % as the standards publish them, with black, white and gray.
#[test]
fn codes_of_color_bars_are_those_of_the_standard() {
    for (color, [luma, blue, red]) in [
        ([0, 0, 0], [16, 128, 128]),
        ([255, 255, 255], [235, 128, 128]),
        ([128, 128, 128], [126, 128, 128]),
        ([255, 0, 0], [63, 102, 240]),
        ([0, 255, 0], [173, 42, 26]),
        ([0, 0, 255], [32, 240, 118]),
        ([255, 255, 0], [219, 16, 138]),
        ([0, 255, 255], [188, 154, 16]),
        ([255, 0, 255], [78, 214, 230]),
        ([191, 191, 191], [180, 128, 128]),
        ([191, 191, 0], [168, 44, 136]),
        ([0, 191, 191], [145, 147, 44]),
        ([0, 191, 0], [133, 63, 52]),
        ([191, 0, 191], [63, 193, 204]),
        ([191, 0, 0], [51, 109, 212]),
        ([0, 0, 191], [28, 212, 120]),
    ] {
        let mut expected = [luma].repeat(4);
        expected.extend([blue, red]);
        assert_eq!(flat(color, i420), expected, "{color:?}");
        let expected: Vec<u8> = [luma, blue, red]
            .into_iter()
            .flat_map(|code| [code; 4])
            .collect();
        assert_eq!(flat(color, i444), expected, "{color:?}");
    }
}

#[test]
fn every_gray_is_gray() {
    for code in 0..=255 {
        assert_eq!(flat([code; 3], i420)[4..], [128, 128], "{code}");
        assert_eq!(flat([code; 3], i444)[4..], [128; 8], "{code}");
    }
}

/// Within rounding of the standard, and the same at every level.
#[test]
fn codes_are_rounded_at_every_level() {
    for size in SIZES {
        let rgba = codes(size);
        let rgb: Vec<[f64; 3]> = rgba
            .chunks(4)
            .map(|pixel| [0, 1, 2].map(|channel| f64::from(pixel[channel]) / 255.0))
            .collect();
        let [width, height] = size;
        let pixels = Pixels {
            width,
            height,
            rgba: &rgba,
        };
        for (convert, halved) in [
            (i420 as fn(Level, Pixels, &mut Vec<u8>), true),
            (i444, false),
        ] {
            let exact = self::planes(&rgb, width as usize, halved, 1.0).concat();
            let mut first = Vec::new();
            convert(Level::BASELINE, pixels, &mut first);
            assert_eq!(first.len(), exact.len(), "{size:?}");
            for (index, (code, exact)) in first.iter().zip(&exact).enumerate() {
                let off = (f64::from(*code) - exact).abs();
                assert!(off < 0.53, "{size:?}, sample {index}: {code}, not {exact}");
            }
            for level in available() {
                // Larger, and not clean.
                let mut planes = vec![7; exact.len() + 99];
                convert(level, pixels, &mut planes);
                assert_eq!(planes, first, "{size:?} {}", level.name());
            }
        }
    }
}

fn words(planes: &[u8]) -> Vec<u16> {
    planes
        .as_chunks()
        .0
        .iter()
        .map(|word| u16::from_le_bytes(*word))
        .collect()
}

/// Less than a code off, and the same at every level.
#[test]
fn numbers_are_dithered_to_ten_bits_at_every_level() {
    for size in SIZES {
        let rgb = numbers(size);
        let [width, height] = size;
        let pixels = DeepPixels {
            width,
            height,
            rgb: &rgb,
        };
        let exact: Vec<[f64; 3]> = rgb.iter().map(|rgb| rgb.map(f64::from)).collect();
        for (convert, halved) in [
            (i420_deep as fn(Level, DeepPixels, &mut Vec<u8>), true),
            (i444_deep, false),
        ] {
            let exact = self::planes(&exact, width as usize, halved, 4.0).concat();
            let mut first = Vec::new();
            convert(Level::BASELINE, pixels, &mut first);
            assert_eq!(words(&first).len(), exact.len(), "{size:?}");
            for (index, (code, exact)) in words(&first).iter().zip(&exact).enumerate() {
                let off = (f64::from(*code) - exact).abs();
                assert!(off < 1.0, "{size:?}, sample {index}: {code}, not {exact}");
            }
            for level in available() {
                let mut planes = vec![7; exact.len() + 99];
                convert(level, pixels, &mut planes);
                assert_eq!(planes, first, "{size:?} {}", level.name());
            }
        }
    }
}

/// What lies between two codes is met on average, in each plane; what lies on one is met everywhere.
#[test]
fn dither_keeps_the_mean() {
    let (width, height) = (256, 128);
    let levels = |color: [f32; 3]| {
        let rgb = vec![color; width * height];
        let pixels = DeepPixels {
            width: width as u32,
            height: height as u32,
            rgb: &rgb,
        };
        let mut planes = Vec::new();
        i420_deep(Level::best(), pixels, &mut planes);
        words(&planes)
    };
    let color = [0.31f32, 0.47, 0.135];
    let exact = self::planes(&[color.map(f64::from)], 1, true, 4.0);
    let samples = levels(color);
    let (luma, chroma) = samples.split_at(width * height);
    let (blue, red) = chroma.split_at(width * height / 4);
    for (plane, exact) in [luma, blue, red].into_iter().zip(exact) {
        let mean = plane.iter().map(|&code| f64::from(code)).sum::<f64>() / plane.len() as f64;
        assert!((mean - exact[0]).abs() < 0.01, "{mean}, not {}", exact[0]);
        let (low, high) = (exact[0].floor() as u16, exact[0].ceil() as u16);
        assert!(plane.contains(&low) && plane.contains(&high) && low < high);
    }
    let white = levels([1.0; 3]);
    assert!(white[..width * height].iter().all(|&code| code == 940));
    assert!(white[width * height..].iter().all(|&code| code == 512));
}

/// Planes do not round up at the same pixels.
#[test]
fn planes_are_dithered_apart() {
    // In the middle between two codes in each plane: half of its samples round up, and of any two planes a quarter should.
    let [luma, blue, red] = [300.5, 470.5 - 512.0, 530.5 - 512.0];
    let luma = (luma - 64.0) / 876.0;
    let (blue, red) = (luma + blue / 896.0 * 1.8556, luma + red / 896.0 * 1.5748);
    let green = (luma - 0.2126 * red - 0.0722 * blue) / 0.7152;
    let rgb = vec![[red as f32, green as f32, blue as f32]; 64 * 64];
    let pixels = DeepPixels {
        width: 64,
        height: 64,
        rgb: &rgb,
    };
    let mut planes = Vec::new();
    i444_deep(Level::best(), pixels, &mut planes);
    let words = words(&planes);
    let raised = |plane: usize, low: u16| -> Vec<bool> {
        words[plane * 4096..][..4096]
            .iter()
            .map(|&code| code > low)
            .collect()
    };
    let planes = [raised(0, 300), raised(1, 470), raised(2, 530)];
    for (first, second) in [(0, 1), (0, 2), (1, 2)] {
        let both = planes[first]
            .iter()
            .zip(&planes[second])
            .filter(|(a, b)| **a && **b)
            .count();
        assert!((500..1600).contains(&both), "{first} and {second}: {both}");
    }
}

#[test]
fn numbers_beyond_the_range_are_cut() {
    let below = [f32::NAN, -1.0, f32::NEG_INFINITY];
    let above = [f32::INFINITY, 2.0, 1.5];
    for (color, luma) in [(below, 64), (above, 940)] {
        let rgb = [color; 4];
        let pixels = DeepPixels {
            width: 2,
            height: 2,
            rgb: &rgb,
        };
        for convert in [i420_deep as fn(Level, DeepPixels, &mut Vec<u8>), i444_deep] {
            let mut planes = Vec::new();
            convert(Level::best(), pixels, &mut planes);
            let words = words(&planes);
            assert!(words[..4].iter().all(|&code| code == luma));
            assert!(words[4..].iter().all(|&code| code == 512));
        }
    }
}

#[test]
fn nothing_gives_nothing() {
    for (width, height) in [(0, 0), (0, 5), (5, 0)] {
        let mut planes = vec![1; 10];
        i444(
            Level::best(),
            Pixels {
                width,
                height,
                rgba: &[],
            },
            &mut planes,
        );
        i420_deep(
            Level::best(),
            DeepPixels {
                width,
                height,
                rgb: &[],
            },
            &mut planes,
        );
        assert_eq!(planes.len(), 0, "{width}x{height}");
    }
}
