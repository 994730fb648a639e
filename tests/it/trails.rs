//! Light on the CPU canvas: it goes out completely, on time, and does not depend on how a path is cut.

use eddyline::canvas::cpu::CpuCanvas;
use eddyline::canvas::{Background, Blend, Canvas, Extent, Frame, Strokes};
use eddyline::palette::{HslRamp, Palette};
use eddyline::pool::Pool;
use eddyline::simulation::{Ink, Segment, Segments};
use glam::Vec2;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;

const EXTENT: Extent = Extent {
    width: 96,
    height: 64,
    scale: 1.0,
};

fn white() -> Palette {
    Palette::hsl(&HslRamp {
        hue: 0.0,
        hue_span: 0.0,
        saturation: 0.0,
        lightness: 100.0,
        lightness_span: 0.0,
    })
}

fn strokes<'a>(
    segments: &'a Segments,
    palette: &'a Palette,
    width: f32,
    alpha: f32,
) -> Strokes<'a> {
    Strokes {
        step: 0,
        segments,
        width: [width; 2],
        alpha,
        blend: Blend::Codes,
        glows: false,
        shift: [0.0; 2],
        palette,
    }
}

fn show(canvas: &mut CpuCanvas, background: [u8; 3]) -> Vec<u8> {
    let palette = white();
    canvas.present(&Frame {
        fraction: 0.0,
        keep: 1.0,
        pending: strokes(&Segments::default(), &palette, 1.0, 1.0),
        background: Background::Flat(background),
        exposure: 1.0,
        bloom: None,
        leaving: None,
    });
    canvas.pixels().to_vec()
}

fn all_over(canvas: &mut CpuCanvas) {
    let palette = white();
    let line = |y: u32| Segment {
        from: Vec2::new(-2.0, y as f32 + 0.5),
        to: Vec2::new(99.0, y as f32 + 0.5),
        ink: Ink::plain(0.0),
    };
    let segments: Segments = (0..64).map(line).collect();
    canvas.stroke(&strokes(&segments, &palette, 1.0, 1.0));
}

/// A white canvas goes out: half-way as bright as it must be, in the end the background and nothing else.
#[test]
fn white_fades_into_any_background() {
    for fade in [0.1, 0.03, 0.01, 0.003f64] {
        let keep = (1.0 - fade) as f32;
        let steps = (510.0f64.ln() / -(1.0 - fade).ln()).ceil() as u32;
        let mut canvas = CpuCanvas::new(EXTENT, Pool::single());
        all_over(&mut canvas);
        assert!(
            canvas.light().iter().all(|light| light[0] > 0.99),
            "a white canvas"
        );
        let first = f64::from(canvas.light()[1000][0]);
        for step in 1..=steps {
            canvas.fade(keep);
            if step == steps / 2 {
                let exact = first * (1.0 - fade).powi(step as i32);
                let light = f64::from(canvas.light()[1000][0]);
                assert!(
                    (light / exact - 1.0).abs() < 0.05,
                    "fade {fade}: {light}, not {exact}"
                );
            }
        }
        for background in [[3, 18, 26], [0, 0, 0], [255, 255, 255], [128, 7, 200]] {
            for pixel in show(&mut canvas, background).chunks(4) {
                let off = (0..3)
                    .map(|channel| pixel[channel].abs_diff(background[channel]))
                    .max()
                    .unwrap();
                assert!(off <= 1, "fade {fade}: {pixel:?} on {background:?}");
            }
        }
        let all = (f64::from(1 << 20).ln() / -(1.0 - fade).ln()).ceil() as u32 + 1;
        (steps..all).for_each(|_| canvas.fade(keep));
        assert!(
            canvas
                .light()
                .as_flattened()
                .iter()
                .all(|value| value.to_bits() == 0),
            "fade {fade}"
        );
    }
}

#[test]
fn an_empty_canvas_shows_exactly_its_background() {
    let mut canvas = CpuCanvas::new(EXTENT, Pool::single());
    for code in 0..=255 {
        let pixels = show(&mut canvas, [code, 255 - code, code / 2]);
        assert!(
            pixels
                .chunks(4)
                .all(|pixel| pixel == [code, 255 - code, code / 2, 255]),
            "code {code}"
        );
    }
}

/// The coverage that strokes left, from the opacity that they left.
fn coverage(canvas: &CpuCanvas, alpha: f32) -> Vec<f64> {
    let through = f64::from(1.0 - alpha).ln();
    canvas
        .light()
        .iter()
        .map(|light| f64::from(1.0 - light[3]).ln() / through)
        .collect()
}

#[test]
fn a_path_covers_the_same_however_it_is_cut() {
    let palette = white();
    let mut generator = Pcg32::seed_from_u64(3);
    for width in [0.4, 1.0, 1.7, 5.0] {
        for _ in 0..40 {
            let mut point = || {
                Vec2::new(
                    generator.random_range(2.0..94.0),
                    generator.random_range(2.0..62.0),
                )
            };
            let (from, to) = (point(), point());
            let covers: Vec<Vec<f64>> = [1, 2, 3, 7]
                .into_iter()
                .map(|pieces| {
                    let at = |piece: i32| from + (to - from) * (piece as f32 / pieces as f32);
                    let segments: Segments = (0..pieces)
                        .map(|piece| Segment {
                            from: at(piece),
                            to: at(piece + 1),
                            ink: Ink::plain(0.0),
                        })
                        .collect();
                    let mut canvas = CpuCanvas::new(EXTENT, Pool::single());
                    canvas.stroke(&strokes(&segments, &palette, width, 0.6));
                    coverage(&canvas, 0.6)
                })
                .collect();
            for cover in &covers {
                let off = cover
                    .iter()
                    .zip(&covers[0])
                    .map(|(a, b)| (a - b).abs())
                    .fold(0.0, f64::max);
                assert!(off < 1e-3, "width {width}: {off}");
            }
            // Its sum is the area: as long as the path and as wide as the stroke.
            let area = (to - from).length() * width;
            let sum: f64 = covers[0].iter().sum();
            assert!(
                (sum - f64::from(area)).abs() < 0.04 * f64::from(area) + 0.6,
                "{sum}, not {area}"
            );
        }
    }
}

/// A frame between two steps strokes the first part of each segment, and `keep^f` of the light.
#[test]
fn a_frame_between_steps_shows_part_of_the_next() {
    let palette = white();
    let mut canvas = CpuCanvas::new(EXTENT, Pool::single());
    all_over(&mut canvas);
    let segment = Segments::from_iter([Segment {
        from: Vec2::new(10.0, 30.5),
        to: Vec2::new(30.0, 30.5),
        ink: Ink::plain(0.0),
    }]);
    let pending = strokes(&segment, &palette, 1.0, 1.0);
    let light = canvas.light().to_vec();
    canvas.present(&Frame {
        fraction: 0.5,
        keep: 0.25,
        pending,
        background: Background::Flat([0; 3]),
        exposure: 1.0,
        bloom: None,
        leaving: None,
    });
    assert!(canvas.light() == light);
    let red = |x: usize, y: usize| canvas.pixels()[(y * 96 + x) * 4];
    assert!(
        red(50, 10).abs_diff(128) <= 1,
        "half of the light is left: {}",
        red(50, 10)
    );
    assert!(
        red(15, 30) > 250 && red(25, 30).abs_diff(128) <= 1,
        "the segment's first half is there"
    );
}

#[test]
fn strokes_laid_faded_are_strokes_that_faded() {
    let palette = white();
    let mut generator = Pcg32::seed_from_u64(8);
    let steps: Vec<Segments> = (0..40)
        .map(|_| {
            let mut point = || {
                Vec2::new(
                    generator.random_range(0.0..96.0),
                    generator.random_range(0.0..64.0),
                )
            };
            (0..30)
                .map(|_| Segment {
                    from: point(),
                    to: point(),
                    ink: Ink::plain(0.0),
                })
                .collect()
        })
        .collect();
    let (mut faded, mut laid) = (
        CpuCanvas::new(EXTENT, Pool::single()),
        CpuCanvas::new(EXTENT, Pool::single()),
    );
    for (index, segments) in steps.iter().enumerate() {
        faded.fade(0.95);
        faded.stroke(&strokes(segments, &palette, 1.2, 0.4));
        laid.stroke_faded(
            &strokes(segments, &palette, 1.2, 0.4),
            0.95f32.powi((steps.len() - 1 - index) as i32),
        );
    }
    for (a, b) in faded
        .light()
        .as_flattened()
        .iter()
        .zip(laid.light().as_flattened())
    {
        assert!((a - b).abs() < 1e-4, "{a}, not {b}");
    }
}

#[test]
fn resizing_keeps_the_light() {
    let palette = white();
    let mut canvas = CpuCanvas::new(EXTENT, Pool::single());
    let segment = Segments::from_iter([Segment {
        from: Vec2::new(10.0, 30.0),
        to: Vec2::new(60.0, 45.0),
        ink: Ink::plain(0.0),
    }]);
    canvas.stroke(&strokes(&segment, &palette, 3.0, 1.0));
    let before = canvas.light().to_vec();
    canvas.resize(Extent {
        width: 200,
        height: 100,
        ..EXTENT
    });
    let at = |canvas: &CpuCanvas, x: usize, y: usize| {
        canvas.light()[y * canvas.extent().width as usize + x]
    };
    for y in 0..100 {
        for x in 0..200 {
            let expected = if x < 96 && y < 64 {
                before[y * 96 + x]
            } else {
                [0.0; 4]
            };
            assert_eq!(at(&canvas, x, y), expected);
        }
    }
    canvas.resize(EXTENT);
    assert!(canvas.light() == before);
    // Another scale keeps the place in logical px.
    canvas.resize(Extent {
        width: 192,
        height: 128,
        scale: 2.0,
    });
    assert_eq!(at(&canvas, 70, 75), before[37 * 96 + 35]);
    let sum = |light: &[[f32; 4]]| light.as_flattened().iter().sum::<f32>();
    assert!((sum(canvas.light()) / sum(&before) - 4.0).abs() < 1e-3);
}

#[test]
fn strange_segments_and_sizes_are_harmless() {
    let palette = white();
    let points = [0.0, -1e30, 1e30, f32::NAN, f32::INFINITY, 3.0, -7.5];
    let mut segments = Vec::new();
    for x in points {
        for y in points {
            segments.push(Segment {
                from: Vec2::new(x, 5.0),
                to: Vec2::new(y, x),
                ink: Ink::plain(y),
            });
        }
    }
    let segments = Segments::from_iter(segments);
    for (width, height) in [(1, 1), (16_384, 2), (3, 9000), (1, 64)] {
        let mut canvas = CpuCanvas::new(
            Extent {
                width,
                height,
                scale: 1.0,
            },
            Pool::new(2).unwrap(),
        );
        for stroke_width in [0.1, 64.0] {
            canvas.stroke(&strokes(&segments, &palette, stroke_width, 1.0));
            canvas.fade(0.5);
        }
        assert_eq!(
            show(&mut canvas, [1, 2, 3]).len(),
            (width * height * 4) as usize
        );
        assert!(
            canvas
                .light()
                .as_flattened()
                .iter()
                .all(|value| value.is_finite())
        );
    }
}
