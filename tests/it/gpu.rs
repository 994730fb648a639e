//! The GPU canvas, on a context without a display.
//!
//! Every test is skipped, with a message, where there is no such context; under CI it fails instead.
#![cfg(target_os = "linux")]

use std::sync::LazyLock;

use eddyline::canvas::gpu::{GpuCanvas, GpuError, GpuState, WantedPath};
use eddyline::canvas::{Background, Blend, Canvas, Extent, Frame, Strokes};
use eddyline::dither;
use eddyline::host::offscreen::Offscreen;
use eddyline::palette::{HslRamp, Palette};
use eddyline::simulation::{Ink, Segment, Segments};
use glam::{Vec2, vec2};
use miniquad::{PassAction, TextureParams};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

const DEMO: HslRamp = HslRamp {
    hue: 185.0,
    hue_span: 30.0,
    saturation: 80.0,
    lightness: 55.0,
    lightness_span: 25.0,
};
const WHITE: HslRamp = HslRamp {
    hue: 0.0,
    hue_span: 0.0,
    saturation: 0.0,
    lightness: 100.0,
    lightness_span: 0.0,
};

/// A context, or `None` where there is no driver; under CI there must be one.
fn offscreen() -> Option<Offscreen> {
    match Offscreen::new() {
        Ok(offscreen) => Some(offscreen),
        Err(error) if crate::support::must_not_skip() => panic!("{error}"),
        Err(error) => {
            eprintln!("skipped: {error}");
            None
        }
    }
}

/// Runs a test with an empty canvas, and asks the driver for errors afterwards.
fn with_canvas(extent: Extent, test: impl FnOnce(&mut GpuCanvas)) {
    let Some(mut offscreen) = offscreen() else {
        return;
    };
    let mut state = GpuState::new(offscreen.context(), extent, WantedPath::default()).unwrap();
    let mut canvas = state.bind(offscreen.context());
    canvas.check().unwrap();
    test(&mut canvas);
    canvas.check().unwrap();
    state.delete(offscreen.context());
}

fn extent(width: u32, height: u32) -> Extent {
    Extent {
        width,
        height,
        scale: 1.0,
    }
}

/// Segments like a simulation's: short, everywhere, some beyond the edges.
fn segments(seed: u64, count: usize, (width, height): (f32, f32)) -> Segments {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut unit = || random.random_range(0.0..1.0_f32);
    (0..count)
        .map(|_| {
            let from = vec2(unit() * (width + 8.0) - 4.0, unit() * (height + 8.0) - 4.0);
            let angle = unit() * std::f32::consts::TAU;
            Segment {
                from,
                to: from + Vec2::from_angle(angle) * 6.0 * unit(),
                ink: Ink::plain(unit()),
            }
        })
        .collect()
}

fn strokes<'a>(step: i64, segments: &'a Segments, palette: &'a Palette) -> Strokes<'a> {
    Strokes {
        step,
        segments,
        width: [1.4; 2],
        alpha: 0.4,
        blend: Blend::Codes,
        glows: false,
        shift: [0.0; 2],
        palette,
    }
}

static NONE: LazyLock<Segments> = LazyLock::new(Segments::default);

/// A frame of whole steps on black.
fn still(palette: &Palette) -> Frame<'_> {
    Frame {
        fraction: 0.0,
        keep: 1.0,
        pending: strokes(0, &NONE, palette),
        background: Background::Flat([0; 3]),
        exposure: 1.0,
        bloom: None,
        leaving: None,
    }
}

fn sum(light: &[f32]) -> f64 {
    light.iter().copied().map(f64::from).sum()
}

/// How much more light there is than difference, in dB.
fn agreement(expected: &[f32], actual: &[f32]) -> f64 {
    assert_eq!(expected.len(), actual.len());
    let square = |value: f32| f64::from(value) * f64::from(value);
    let light: f64 = expected.iter().map(|&value| square(value)).sum();
    let difference: f64 = expected
        .iter()
        .zip(actual)
        .map(|(a, b)| square(a - b))
        .sum();
    10.0 * (light / difference.max(f64::MIN_POSITIVE)).log10()
}

fn greatest_difference(a: &[u8], b: &[u8]) -> u8 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).max().unwrap()
}

/// The formula of the `Canvas` trait, pixel by pixel.
fn stroke_plainly(light: &mut [f32], extent: Extent, strokes: &Strokes) {
    let width = strokes.width[0] * extent.scale;
    for segment in strokes.segments.iter() {
        let (from, to) = (segment.from * extent.scale, segment.to * extent.scale);
        let length = from.distance(to);
        let direction = (to - from).normalize_or(Vec2::X);
        let [r, g, b] = strokes.palette.colors()[usize::from(segment.ink.color())];
        for index in 0..(extent.width * extent.height) as usize {
            let (x, y) = (index % extent.width as usize, index / extent.width as usize);
            let place = vec2(x as f32 + 0.5, y as f32 + 0.5) - from;
            let (along, across) = (place.dot(direction), place.perp_dot(direction).abs());
            let coverage = (width / 2.0 + 0.5 - across).clamp(0.0, width.min(1.0))
                * ((length - along + 0.5).clamp(0.0, 1.0) - (0.5 - along).clamp(0.0, 1.0));
            if coverage > 0.0 {
                let opacity = 1.0 - (1.0 - strokes.alpha.min(0.999)).powf(coverage);
                for (held, color) in light[index * 4..].iter_mut().zip([r, g, b, 1.0]) {
                    *held += opacity * (color - *held);
                }
            }
        }
    }
}

#[test]
fn strokes_follow_the_formula() {
    let palette = Palette::hsl(&DEMO);
    for (scale, width, alpha) in [
        (1.0, 1.4, 0.12),
        (1.0, 0.5, 0.4),
        (2.0, 1.5, 0.7),
        (1.0, 5.0, 1.0),
    ] {
        let extent = Extent {
            width: 128,
            height: 72,
            scale,
        };
        with_canvas(extent, |canvas| {
            let segments = segments(7, 400, (128.0 / scale, 72.0 / scale));
            let strokes = Strokes {
                step: 1,
                segments: &segments,
                width: [width; 2],
                alpha,
                blend: Blend::Codes,
                glows: false,
                shift: [0.0; 2],
                palette: &palette,
            };
            canvas.stroke(&strokes);
            let mut expected = vec![0.0; 128 * 72 * 4];
            stroke_plainly(&mut expected, extent, &strokes);
            let actual = canvas.light();
            let agreement = agreement(&expected, &actual);
            let total = sum(&actual) / sum(&expected);
            println!("width {width} alpha {alpha}: {agreement:.1} dB, total {total:.5}");
            assert!(agreement > 35.0, "{agreement} dB");
            assert!((total - 1.0).abs() < 0.005, "{total}");
        });
    }
}

#[test]
fn a_path_has_the_same_light_however_it_is_cut() {
    let palette = Palette::hsl(&WHITE);
    with_canvas(extent(96, 64), |canvas| {
        let (begin, end) = (vec2(10.3, 12.7), vec2(83.1, 49.9));
        let mut light_of = |cuts: u32| {
            let place = |cut: u32| begin.lerp(end, cut as f32 / cuts as f32);
            let segment = |cut| Segment {
                from: place(cut),
                to: place(cut + 1),
                ink: Ink::plain(0.5),
            };
            let segments: Segments = (0..cuts).map(segment).collect();
            canvas.clear();
            canvas.stroke(&Strokes {
                alpha: 0.9,
                ..strokes(1, &segments, &palette)
            });
            canvas.light()
        };
        let whole = light_of(1);
        for cuts in [2, 3, 7, 73] {
            let total = sum(&light_of(cuts)) / sum(&whole);
            println!(
                "{cuts} cuts: total {total:.6}, {:.1} dB",
                agreement(&whole, &light_of(cuts))
            );
            assert!((total - 1.0).abs() < 1e-3, "{cuts} cuts: {total}");
        }
    });
}

/// Light decays on time, is out of sight on time, and ends at exactly 0.
#[test]
fn light_decays_to_zero() {
    let palette = Palette::hsl(&WHITE);
    for fade in [0.1_f32, 0.03, 0.01, 0.003] {
        let keep = 1.0 - fade;
        with_canvas(extent(16, 16), |canvas| {
            // Every level that can be held, so that no rounding is left out.
            let levels: Vec<f32> = (0..256)
                .flat_map(|level| [level as f32 / 255.0; 4])
                .collect();
            canvas.load(&levels, None);
            let steps = (510.0_f64.ln() / -f64::from(keep).ln()).ceil() as i32;
            for _ in 0..steps / 2 {
                canvas.fade(keep);
            }
            let exact = sum(&levels) * f64::from(keep).powi(steps / 2);
            let half_way = sum(&canvas.light()) / exact;
            println!(
                "fade {fade}: {half_way:.4} of the exact light after {} steps",
                steps / 2
            );
            assert!((half_way - 1.0).abs() < 0.05, "fade {fade}: {half_way}");
            for _ in steps / 2..steps {
                canvas.fade(keep);
            }
            for background in [[0; 3], [255; 3], [9, 130, 77]] {
                canvas.present(&Frame {
                    background: Background::Flat(background),
                    ..still(&palette)
                });
                let pixels = canvas.read().unwrap();
                let [r, g, b] = background;
                let alone = [r, g, b, 255].repeat(16 * 16);
                assert!(
                    greatest_difference(&pixels, &alone) <= 1,
                    "fade {fade} on {background:?}"
                );
            }
            let steps_to_dark = ((1 << 20) as f32).ln() / -keep.ln();
            for _ in steps..steps_to_dark as i32 + 61 {
                canvas.fade(keep);
            }
            assert!(
                canvas.light().iter().all(|&light| light == 0.0),
                "fade {fade} leaves a residue"
            );
        });
    }
}

/// A fade whose light moves to other floats on the way keeps the light.
#[test]
fn precision_changes_keep_the_light() {
    with_canvas(extent(32, 16), |canvas| {
        let palette = Palette::hsl(&DEMO);
        let segments = segments(3, 200, (32.0, 16.0));
        canvas.stroke(&strokes(1, &segments, &palette));
        let before = canvas.light();
        for keep in [0.999, 0.97, 0.999] {
            canvas.fade(keep);
        }
        let expected: Vec<f32> = before
            .iter()
            .map(|light| light * 0.999 * 0.97 * 0.999)
            .collect();
        assert!(agreement(&expected, &canvas.light()) > 60.0);
        canvas.fade(0.0);
        assert!(canvas.light().iter().all(|&light| light == 0.0));
    });
}

#[test]
fn a_frame_just_before_a_step_is_the_next_steps() {
    let palette = Palette::hsl(&DEMO);
    for keep in [0.9_f32, 0.97, 0.997] {
        with_canvas(extent(160, 90), |canvas| {
            let first = segments(1, 900, (160.0, 90.0));
            let second = segments(2, 900, (160.0, 90.0));
            canvas.stroke(&strokes(1, &first, &palette));
            canvas.fade(0.95);
            let pending = strokes(2, &second, &palette);
            let background = [12, 40, 90];
            canvas.present(&Frame {
                fraction: 0.999_999,
                keep,
                pending,
                background: Background::Flat(background),
                exposure: 1.0,
                bloom: None,
                leaving: None,
            });
            let before = canvas.read().unwrap();
            canvas.fade(keep);
            canvas.stroke(&pending);
            canvas.present(&Frame {
                fraction: 0.0,
                keep,
                pending,
                background: Background::Flat(background),
                exposure: 1.0,
                bloom: None,
                leaving: None,
            });
            let after = canvas.read().unwrap();
            assert!(greatest_difference(&before, &after) <= 1);
            assert!(before.chunks(4).any(|pixel| pixel != [12, 40, 90, 255]));
        });
    }
}

/// Frames may be shown at any time: what the canvas holds does not depend on it, in any bit.
#[test]
fn presenting_leaves_no_trace() {
    let palette = Palette::hsl(&DEMO);
    let all: Vec<Segments> = (0..150)
        .map(|seed| segments(seed, 60, (64.0, 48.0)))
        .collect();
    let run = |canvas: &mut GpuCanvas, frames_per_step: u64| {
        let mut random = Pcg64Mcg::seed_from_u64(9);
        for (step, segments) in all.iter().enumerate() {
            let keep = if step < 75 { 0.97 } else { 0.99 };
            let pending = strokes(step as i64, segments, &palette);
            for _ in 0..frames_per_step {
                let fraction = random.random_range(0.0..1.0);
                canvas.present(&Frame {
                    fraction,
                    keep,
                    pending,
                    background: Background::Flat([3; 3]),
                    exposure: 1.0,
                    bloom: None,
                    leaving: None,
                });
                assert_eq!(canvas.read().unwrap().len(), 64 * 48 * 4);
            }
            canvas.fade(keep);
            canvas.stroke(&pending);
        }
        canvas.present(&still(&palette));
        (canvas.light(), canvas.read().unwrap())
    };
    let mut alone = None;
    with_canvas(extent(64, 48), |canvas| alone = Some(run(canvas, 0)));
    with_canvas(extent(64, 48), |canvas| {
        let shown = run(canvas, 3);
        assert!(sum(&shown.0) > 0.0);
        assert!(alone == Some(shown));
    });
}

/// Light becomes codes by the shared dither, as exactly as f32 can tell.
#[test]
fn codes_are_the_dithers() {
    with_canvas(extent(256, 67), |canvas| {
        let palette = Palette::hsl(&WHITE);
        let mut random = Pcg64Mcg::seed_from_u64(4);
        let light: Vec<f32> = (0..256 * 67)
            .flat_map(|index| {
                // Whole codes in the first rows: these must stay as they are.
                let alpha = if index < 512 {
                    (index % 256) as f32 / 255.0
                } else {
                    random.random_range(0.0..1.0)
                };
                [alpha, alpha * 0.5, 0.0, alpha]
            })
            .collect();
        canvas.fade(0.99); // to 32-bit floats
        canvas.load(&light, None);
        let background = [0, 0, 200];
        canvas.present(&Frame {
            background: Background::Flat(background),
            ..still(&palette)
        });
        let pixels = canvas.read().unwrap();
        let tile = dither::tile();
        let mut unequal = 0;
        for (index, (light, pixel)) in light.chunks(4).zip(pixels.chunks(4)).enumerate() {
            let threshold = tile[index / 256 % dither::TILE * dither::TILE + index % dither::TILE];
            for channel in 0..3 {
                let under = (1.0 - light[3]) * f32::from(background[channel]);
                let code = (255.0 * light[channel] + under + threshold).floor() as u8;
                unequal += usize::from(code != pixel[channel]);
                assert!(code.abs_diff(pixel[channel]) <= 1);
            }
            if index < 512 {
                assert_eq!(usize::from(pixel[0]), index % 256);
            }
        }
        println!(
            "{unequal} of {} codes fall to the other side of a threshold",
            256 * 67 * 3
        );
        assert!(unequal < 10, "{unequal}");
    });
}

#[test]
fn loaded_light_reads_back_from_the_top_left() {
    with_canvas(extent(5, 3), |canvas| {
        let mut light = vec![0.0; 5 * 3 * 4];
        light[(5 + 3) * 4..][..4].copy_from_slice(&[1.0, 0.5, 0.0, 1.0]); // x 3, y 1
        canvas.load(&light, None);
        assert_eq!(canvas.light(), light);
        canvas.present(&still(&Palette::hsl(&DEMO)));
        let pixels = canvas.read().unwrap();
        for (index, pixel) in pixels.chunks(4).enumerate() {
            let lit = index == 5 + 3;
            assert_eq!(pixel[0], if lit { 255 } else { 0 });
            assert_eq!(pixel[3], 255);
        }
    });
}

/// In a host's pass the canvas lies at the top left, upright, with background beyond it.
#[test]
fn a_pass_of_the_host_is_covered_from_the_top_left() {
    let Some(mut offscreen) = offscreen() else {
        return;
    };
    let context = offscreen.context();
    let mut state = GpuState::new(context, extent(50, 30), WantedPath::default()).unwrap();
    let palette = Palette::hsl(&DEMO);
    let mut canvas = state.bind(context);
    canvas.stroke(&strokes(1, &segments(5, 300, (50.0, 30.0)), &palette));
    canvas.present(&Frame {
        background: Background::Flat([20, 60, 140]),
        ..still(&palette)
    });
    let alone = canvas.read().unwrap();

    let (width, height) = (70, 45);
    let params = TextureParams {
        width,
        height,
        ..TextureParams::default()
    };
    let texture = context.new_render_texture(params);
    let pass = context.new_render_pass(texture, None);
    context.begin_pass(Some(pass), PassAction::Nothing);
    state.bind(context).compose();
    context.end_render_pass();
    let mut pixels = vec![0; 70 * 45 * 4];
    context.texture_read_pixels(texture, &mut pixels);
    for (index, pixel) in pixels.chunks(4).enumerate() {
        let (x, y) = (index % 70, 44 - index / 70); // rows come from the bottom
        let inside = x < 50 && y < 30;
        let expected = if inside {
            &alone[(y * 50 + x) * 4..][..4]
        } else {
            &[20, 60, 140, 255]
        };
        assert_eq!(pixel, expected, "{x} {y}");
    }
    context.delete_render_pass(pass);
    state.delete(context);
}

/// Where the scale changes, the light stays at its place in logical px.
#[test]
fn rescaling_stretches_trails() {
    let ramp = |width: usize, height: usize| -> Vec<f32> {
        let across = |index: usize| ((index % width) as f32 + 0.5) / width as f32;
        let down = |index: usize| ((index / width) as f32 + 0.5) / height as f32;
        (0..width * height)
            .flat_map(|index| [across(index), down(index), 0.0, 1.0])
            .collect()
    };
    with_canvas(extent(60, 40), |canvas| {
        canvas.load(&ramp(60, 40), None);
        for (width, height, scale) in [(120, 80, 2.0), (90, 60, 1.5), (60, 40, 1.0)] {
            canvas.resize(Extent {
                width,
                height,
                scale,
            });
            let (width, height) = (width as usize, height as usize);
            let differences = ramp(width, height).into_iter().zip(canvas.light());
            // Linear filtering keeps a ramp, but for the outermost half px.
            let greatest = differences.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(greatest < 0.5 / 40.0, "scale {scale}: {greatest}");
        }
    });
}

#[test]
fn a_storm_of_sizes_leaves_no_errors() {
    let palette = Palette::hsl(&DEMO);
    let sizes = [
        (1, 1),
        (4000, 3000),
        (1, 700),
        (16384, 16),
        (640, 360),
        (7, 16384),
        (333, 1),
        (64, 64),
    ];
    with_canvas(extent(64, 64), |canvas| {
        for (round, (width, height)) in sizes.into_iter().cycle().take(24).enumerate() {
            let scale = if round % 3 == 2 { 1.5 } else { 1.0 };
            canvas.resize(Extent {
                width,
                height,
                scale,
            });
            assert_eq!(
                (canvas.extent().width, canvas.extent().height),
                (width, height)
            );
            let segments = segments(
                round as u64,
                50 << (round % 8),
                (width as f32, height as f32),
            );
            let pending = strokes(round as i64, &segments, &palette);
            let keep = if round % 2 == 0 { 0.97 } else { 0.995 };
            canvas.present(&Frame {
                fraction: 0.5,
                keep,
                pending,
                background: Background::Flat([0; 3]),
                exposure: 1.0,
                bloom: None,
                leaving: None,
            });
            if width * height < 1 << 20 {
                assert_eq!(canvas.read().unwrap().len() as u32, width * height * 4);
            }
            canvas.fade(keep);
            canvas.stroke(&pending);
            canvas.check().unwrap();
        }
        for step in 100..400 {
            canvas.fade(0.97);
            canvas.stroke(&strokes(
                step,
                &segments(step as u64, 40, (64.0, 64.0)),
                &palette,
            ));
        }
        assert!(sum(&canvas.light()) > 0.0);
        canvas.resize(extent(1 << 20, 4)); // cut to what the driver has
        assert!(canvas.extent().width < 1 << 20);
    });
}

#[test]
fn a_canvas_larger_than_textures_is_refused() {
    let Some(mut offscreen) = offscreen() else {
        return;
    };
    let error = GpuState::new(
        offscreen.context(),
        extent(1 << 20, 1),
        WantedPath::default(),
    )
    .unwrap_err();
    assert!(
        matches!(
            error,
            GpuError::TooLarge {
                width: 0x10_0000,
                ..
            }
        ),
        "{error}"
    );
}

#[test]
fn contexts_take_turns_on_one_thread() {
    let (Some(mut a), Some(mut b)) = (offscreen(), offscreen()) else {
        return;
    };
    let mut first = GpuState::new(a.context(), extent(4, 4), WantedPath::default()).unwrap();
    let mut second = GpuState::new(b.context(), extent(4, 4), WantedPath::default()).unwrap();
    first.bind(a.context()).load(&[0.25; 64], None);
    second.bind(b.context()).load(&[0.75; 64], None);
    assert_eq!(first.bind(a.context()).light(), [0.25; 64]);
    assert_eq!(second.bind(b.context()).light(), [0.75; 64]);
}
