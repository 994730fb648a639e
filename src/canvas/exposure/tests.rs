use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;

use super::*;
use crate::canvas::cpu::CpuCanvas;
use crate::canvas::transfer::exact;
use crate::picture::{Picture, extent};
use crate::settings::preset::Preset;
use crate::simd::{self, Level};
use crate::timeline::Timeline;

/// Frames of any colors; dark ones as often as bright ones.
fn frames(count: usize, px: usize) -> Vec<Vec<[f32; 3]>> {
    let mut random = Pcg32::seed_from_u64(count as u64);
    let mut value = || {
        let value: f32 = random.random_range(0.0..=1.0);
        value * value
    };
    let frame = |_| {
        (0..px)
            .map(|_| [value(), value(), value()])
            .collect::<Vec<_>>()
    };
    (0..count).map(frame).collect()
}

fn developed(exposure: &Exposure, pool: &Pool) -> Vec<[f32; 3]> {
    let mut rgb = vec![[-1.0; 3]; exposure.sums.len()];
    exposure.develop(pool, &mut rgb);
    rgb
}

fn presented(exposure: &Exposure, pool: &Pool) -> Vec<u8> {
    let mut pixels = vec![7; exposure.sums.len() * 4];
    exposure.present(pool, &mut pixels);
    pixels
}

/// Against f64 and the C library, in codes of 16 bits.
#[test]
fn an_exposure_is_the_mean_of_linear_light() {
    let (pool, width, height) = (Pool::single(), 71, 5);
    for factor in 1..=MOST_FACTOR as usize {
        for count in [1, 2, 5, 64] {
            let frames = frames(count, width * height * factor * factor);
            let mut exposure = Exposure::new(width as u32, 0..height as u32, factor as u32);
            frames.iter().for_each(|frame| exposure.add(&pool, frame));
            let mut worst = 0.0f64;
            for (index, rgb) in developed(&exposure, &pool).iter().enumerate() {
                let (x, y) = (index % width * factor, index / width * factor);
                for (channel, value) in rgb.iter().enumerate() {
                    let mut sum = 0.0;
                    for place in 0..factor * factor {
                        let (x, y) = (x + place % factor, y + place / factor);
                        let at = y * width * factor + x;
                        sum += frames
                            .iter()
                            .map(|frame| exact::linear(f64::from(frame[at][channel])))
                            .sum::<f64>();
                    }
                    let exact = exact::srgb(sum / (factor * factor * count) as f64);
                    worst = worst.max((f64::from(*value) - exact).abs() * 65_535.0);
                }
            }
            assert!(worst < 0.7, "factor {factor}, {count} frames: {worst}");
        }
    }
}

/// Half of the light of white is no middle gray.
#[test]
fn light_is_averaged_and_not_codes() {
    let pool = Pool::single();
    let mut exposure = Exposure::new(1, 0..1, 1);
    exposure.add(&pool, &[[0.0, 1.0, 0.0]]);
    exposure.add(&pool, &[[1.0, 1.0, 0.0]]);
    let [[red, green, blue]] = developed(&exposure, &pool)[..] else {
        panic!("one px");
    };
    assert!((red - 0.735_357).abs() < 1e-5, "{red}");
    assert!(green > 0.999_99, "{green}");
    assert_eq!(blue, 0.0);
}

#[test]
fn every_kernel_and_number_of_threads_exposes_the_same_bits() {
    for factor in [1, 2, 3] {
        let frames = frames(3, 131 * 37 * factor * factor);
        let expose = |pool: &Pool| {
            let mut exposure = Exposure::new(131, 0..37, factor as u32);
            frames.iter().for_each(|frame| exposure.add(pool, frame));
            let bits = |rgb: Vec<[f32; 3]>| rgb.concat().into_iter().map(f32::to_bits);
            let rgb: Vec<_> = bits(developed(&exposure, pool)).collect();
            (rgb, presented(&exposure, pool))
        };
        let expected = expose(&Pool::single().with_level(Level::BASELINE));
        for level in simd::available() {
            for threads in [1, 3] {
                let pool = Pool::new(threads).unwrap().with_level(level);
                assert!(expose(&pool) == expected, "{level:?}, {threads} threads");
            }
        }
    }
}

#[test]
fn bands_are_the_rows_of_the_whole_exposure() {
    let (pool, width) = (Pool::single(), 131);
    for factor in [1, 2] {
        let frames = frames(2, width * 90 * factor * factor);
        let expose = |rows: Range<u32>| {
            let length = width * factor * factor;
            let (start, end) = (rows.start as usize * length, rows.end as usize * length);
            let mut exposure = Exposure::new(width as u32, rows, factor as u32);
            for frame in &frames {
                exposure.add(&pool, &frame[start..end]);
            }
            (developed(&exposure, &pool), presented(&exposure, &pool))
        };
        let (rgb, pixels) = expose(0..90);
        let mut bands: (Vec<_>, Vec<_>) = Default::default();
        for rows in [0..1, 1..18, 18..70, 70..70, 70..90] {
            let (rgb, pixels) = expose(rows);
            bands.0.extend(rgb);
            bands.1.extend(pixels);
        }
        assert!(bands == (rgb, pixels));
    }
}

#[test]
fn what_is_presented_is_what_is_developed_dithered() {
    let (pool, width) = (Pool::single(), 131);
    let mut exposure = Exposure::new(width as u32, 50..141, 1);
    let frames = frames(2, width * 91);
    frames.iter().for_each(|frame| exposure.add(&pool, frame));
    let (rgb, pixels) = (developed(&exposure, &pool), presented(&exposure, &pool));
    let thresholds = dither::tile();
    for (index, (rgb, pixel)) in rgb.iter().zip(pixels.chunks(4)).enumerate() {
        let (x, y) = (index % width, index / width + 50);
        let threshold = thresholds[y % dither::TILE * dither::TILE + x % dither::TILE];
        let code = |value: f32| (value * 255.0 + (threshold - 0.5)).round_ties_even() as u8;
        assert_eq!(pixel[..3], rgb.map(code), "{x}, {y}");
        assert_eq!(pixel[3], 255);
    }
}

/// Every code of 8 bits is shown as itself wherever it stands.
#[test]
fn whole_codes_stay_as_they_are() {
    let pool = Pool::single();
    for code in 0..=255u8 {
        let value = f32::from(code) / 255.0;
        let mut exposure = Exposure::new(64, 0..64, 1);
        exposure.add(&pool, &[[value; 3]; 64 * 64]);
        let pixels = presented(&exposure, &pool);
        assert!(
            pixels
                .chunks(4)
                .all(|pixel| pixel == [code, code, code, 255]),
            "{code}"
        );
    }
}

#[test]
fn what_was_cleared_is_forgotten() {
    let pool = Pool::single();
    let frames = frames(2, 100);
    let mut exposure = Exposure::new(10, 0..10, 1);
    assert!(developed(&exposure, &pool) == [[0.0; 3]; 100]);
    exposure.add(&pool, &frames[0]);
    exposure.clear();
    exposure.add(&pool, &frames[1]);
    let mut other = Exposure::new(10, 0..10, 1);
    other.add(&pool, &frames[1]);
    assert!(developed(&exposure, &pool) == developed(&other, &pool));
    assert!(developed(&exposure, &pool) != [[0.0; 3]; 100]);
}

/// One frame of the picture's size, of a real picture: developed the same within half a code of 16 bits, and presented the same but for
/// few pixels that lie between two codes.
#[test]
fn an_exposure_of_one_frame_is_the_frame() {
    let (pool, window) = (Pool::single(), [323.0, 201.0]);
    let settings = Preset::load("original").unwrap().settings;
    let mut picture = Picture::new(Timeline::new(settings, window), pool.clone());
    let mut canvas = CpuCanvas::new(extent(window, 1.0), pool.clone());
    picture.warm_quickly(&mut canvas, 0);
    let mut rgb = vec![[0.0; 3]; canvas.light().len()];
    canvas.develop(&picture.frame(0.5), &mut rgb);
    picture.present(&mut canvas, 0.5);
    let mut exposure = Exposure::new(323, 0..201, 1);
    exposure.add(&pool, &rgb);
    let off = |a: &[f32; 3], b: &[f32; 3]| (0..3).map(|i| (a[i] - b[i]).abs()).fold(0.0, f32::max);
    let again = developed(&exposure, &pool);
    let worst = rgb
        .iter()
        .zip(&again)
        .map(|(a, b)| off(a, b))
        .fold(0.0, f32::max);
    assert!(worst * 65_535.0 < 0.5, "{worst}");
    let pixels = presented(&exposure, &pool);
    let apart = |(a, b): (&u8, &u8)| a.abs_diff(*b);
    let different: Vec<_> = pixels
        .iter()
        .zip(canvas.pixels())
        .map(apart)
        .filter(|&by| by > 0)
        .collect();
    assert!(different.iter().all(|&by| by == 1));
    assert!(different.len() < pixels.len() / 500, "{}", different.len());
}

#[test]
fn an_exposure_takes_the_memory_that_it_says() {
    let exposure = Exposure::new(300, 20..30, 4);
    let bytes = size_of_val(&exposure.sums[..]) as u64;
    assert_eq!(Exposure::bytes_per_row(300) * 10, bytes);
}
