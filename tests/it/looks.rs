//! The looks that come with the program: each holds its brightness, comes out the same everywhere, and on both canvases.

use eddyline::canvas::cpu::CpuCanvas;
use eddyline::canvas::gpu::{GpuState, WantedPath};
use eddyline::canvas::{Background, Canvas, Extent, Frame};
use eddyline::host::offscreen::Offscreen;
use eddyline::picture::{Picture, extent};
use eddyline::pool::Pool;
use eddyline::settings::preset::EMBEDDED;
use eddyline::settings::{Backdrop, Blend, Settings};
use eddyline::simd;
use eddyline::simulation::Segments;
use eddyline::timeline::{Change, Show, Timeline};

use crate::support::{canvas, must_not_skip, preset, with};

const WINDOW: [f64; 2] = [320.0, 180.0];

/// For what is painted many times.
const SMALL: [f64; 2] = [160.0, 90.0];

/// The settings of a look.
fn look(name: &str) -> Settings {
    preset(name)
}

fn painted(settings: Settings, pool: Pool, step: i64) -> (Picture, CpuCanvas) {
    painted_in(WINDOW, settings, pool, step)
}

fn painted_in(window: [f64; 2], settings: Settings, pool: Pool, step: i64) -> (Picture, CpuCanvas) {
    let mut picture = Picture::new(Timeline::new(settings, window), pool.clone());
    let mut canvas = CpuCanvas::new(extent(window, 1.0), pool);
    picture.warm(&mut canvas, step);
    (picture, canvas)
}

/// Mean luma of the codes that are shown, from 0 to 255.
fn luma(pixels: &[u8]) -> f64 {
    let sum: f64 = pixels
        .chunks(4)
        .map(|px| 0.2126 * f64::from(px[0]) + 0.7152 * f64::from(px[1]) + 0.0722 * f64::from(px[2]))
        .sum();
    sum / (pixels.len() / 4) as f64
}

/// The background alone, as a canvas without light shows it.
fn ground(picture: &Picture, canvas: &mut CpuCanvas) -> Vec<u8> {
    let frame = picture.frame(0.0);
    let mut empty = CpuCanvas::new(canvas.extent(), Pool::single());
    let nothing = Segments::default();
    let pending = eddyline::canvas::Strokes {
        segments: &nothing,
        ..frame.pending
    };
    empty.present(&Frame { pending, ..frame });
    empty.pixels().to_vec()
}

/// No look is glaring but those on a light ground, none is empty, and each shows its threads.
#[test]
fn every_look_keeps_within_its_brightness() {
    for (name, _) in EMBEDDED {
        let mut picture = Picture::new(Timeline::new(look(name), SMALL), Pool::single());
        let mut canvas = canvas(SMALL, 1.0);
        // Its light is within three percent of the exact one, which no bound here is near to.
        picture.warm_quickly(&mut canvas, 300);
        picture.present(&mut canvas, 0.0);
        let mean = luma(canvas.pixels());
        let alone = luma(&ground(&picture, &mut canvas));
        println!("{name}: mean luma {mean:.1}, of the background {alone:.1}");
        let is_light = ["marble", "ink", "starling"].contains(name);
        if is_light {
            assert!((100.0..250.0).contains(&mean), "{name}: {mean}");
            assert!(alone - mean > 1.5, "{name}: dark on light, {mean} {alone}");
        } else {
            // Wide strokes cover more of a window this small than of their own.
            assert!((5.0..150.0).contains(&mean), "{name}: {mean}");
            assert!(mean - alone > 3.0, "{name}: {mean} {alone}");
        }
    }
}

/// The same bits with every kernel and any number of threads.
#[test]
fn every_look_is_the_same_everywhere() {
    for (name, _) in EMBEDDED {
        let settings = with(look(name), &[("lifetime_longest", "60"), ("fade", "0.1")]);
        let shown = |pool: Pool| {
            let (picture, mut canvas) = painted_in(SMALL, settings, pool, 5);
            picture.present(&mut canvas, 0.3);
            (canvas.light().to_vec(), canvas.pixels().to_vec())
        };
        let expected = shown(Pool::single().with_level(simd::Level::BASELINE));
        // What a kernel does, it does with any number of threads.
        for (level, threads) in simd::available().zip([3, 1, 3, 1]) {
            let pool = Pool::new(threads).unwrap().with_level(level);
            assert!(
                shown(pool) == expected,
                "{name}: {level:?}, {threads} threads"
            );
        }
    }
}

/// What is seen of a look at one step does not depend on where the painting began.
#[test]
fn every_look_can_be_sought() {
    for (name, _) in EMBEDDED {
        let settings = with(look(name), &[("lifetime_longest", "60"), ("fade", "0.1")]);
        let (sought, mut one) = painted_in(SMALL, settings, Pool::single(), 40);
        let (mut stepped, mut other) = painted_in(SMALL, settings, Pool::single(), -20);
        stepped.advance(&mut other, 40);
        sought.present(&mut one, 0.0);
        stepped.present(&mut other, 0.0);
        let off = one.pixels().iter().zip(other.pixels());
        let worst = off.map(|(a, b)| a.abs_diff(*b)).max().unwrap();
        assert!(worst <= 1, "{name}: {worst} codes");
    }
}

#[test]
fn both_canvases_show_every_look_of_added_light_alike() {
    compare_canvases(|settings| settings.blend() == Blend::Add);
}

#[test]
fn both_canvases_show_every_look_of_paint_alike() {
    compare_canvases(|settings| settings.blend() != Blend::Add);
}

/// The GPU's canvas shows what the processor's shows: of the light over 24 dB, all in all within 3 %.
fn compare_canvases(is_wanted: fn(&Settings) -> bool) {
    let Ok(mut offscreen) = Offscreen::new() else {
        assert!(!must_not_skip(), "no offscreen context under CI");
        eprintln!("skipped: no offscreen context");
        return;
    };
    let mut count = 0;
    for (name, _) in EMBEDDED {
        // With short lives and trails, which are soon there.
        let settings = with(look(name), &[("lifetime_longest", "120"), ("fade", "0.03")]);
        if !is_wanted(&settings) {
            continue;
        }
        count += 1;
        let wanted = WantedPath::default();
        let size = extent(SMALL, 1.0);
        let mut state = GpuState::new(offscreen.context(), size, wanted).unwrap();
        let mut picture = Picture::new(Timeline::new(settings, SMALL), Pool::single());
        let mut cpu = canvas(SMALL, 1.0);
        picture.warm_quickly(&mut cpu, 0);
        let glow = cpu.glow().map(|glow| glow.as_flattened());
        let mut gpu = state.bind(offscreen.context());
        gpu.load(cpu.light().as_flattened(), glow);
        let mut other = Picture::new(Timeline::new(settings, SMALL), Pool::single());
        other.seek(0);
        picture.advance(&mut cpu, 24);
        other.advance(&mut gpu, 24);
        for fraction in [0.0, 0.4] {
            picture.present(&mut cpu, fraction);
            other.present(&mut gpu, fraction);
            let ground = ground(&picture, &mut cpu);
            let shown = gpu.read().unwrap();
            let (mut signal, mut noise, mut totals) = (0.0, 0.0, [0.0; 2]);
            for ((cpu, gpu), ground) in cpu.pixels().iter().zip(&shown).zip(&ground) {
                let [a, b] = [cpu, gpu].map(|code| f64::from(*code) - f64::from(*ground));
                signal += a * a;
                noise += (a - b) * (a - b);
                totals = [totals[0] + a.abs(), totals[1] + b.abs()];
            }
            let ratio = 10.0 * (signal / f64::max(noise, 1e-9)).log10();
            let total = totals[1] / totals[0];
            println!("{name} at {fraction}: {ratio:.1} dB over the light, total {total:.4}");
            assert!(
                ratio > 24.0 && (total - 1.0).abs() < 0.03,
                "{name}: {ratio} {total}"
            );
        }
        gpu.check().unwrap();
        state.delete(offscreen.context());
    }
    assert!(count > 3, "{count}");
}

/// `light` is the brightness, whatever the threads are: four times as many, half as wide, in trails twice as long.
#[test]
fn light_does_not_depend_on_texture() {
    // Of equal widths: where bright threads are wide ones, too, they bring more than their share.
    let base = with(preset("water"), &[("width_spread", "0")]);
    let mean = |values: &[(&str, &str)]| {
        let (_, canvas) = painted(with(base, values), Pool::new(2).unwrap(), 200);
        let sum: f64 = canvas.light().iter().map(|light| f64::from(light[1])).sum();
        sum / canvas.light().len() as f64
    };
    let plain = mean(&[]);
    for values in [
        [("particle_area", "26"), ("stroke_width", "0.55")],
        [("particle_area", "26"), ("fade", "0.01")],
        [("stroke_width", "2.2"), ("fade", "0.02")],
        [("light_spread", "0"), ("ease", "0.25")],
    ] {
        let ratio = mean(&values) / plain;
        println!("{values:?}: {ratio:.3}");
        assert!((ratio - 1.0).abs() < 0.2, "{values:?}: {ratio}");
    }
    let twice = mean(&[("light", "0.2674")]) / plain;
    assert!((twice - 2.0).abs() < 0.01, "{twice}");
}

/// Bloom is the same at every scale, and spreads light where none was stroked.
#[test]
fn bloom_spreads_alike_at_every_scale() {
    let settings = with(
        preset("embers"),
        &[("lengths", "pixels"), ("bloom_wide", "1.5")],
    );
    let shown = |scale: f32, bloom: &str| {
        let settings = with(settings, &[("bloom", bloom), ("bloom_wide", bloom)]);
        let mut canvas = canvas(WINDOW, scale);
        let mut picture = Picture::new(Timeline::new(settings, WINDOW), Pool::single());
        picture.warm(&mut canvas, 100);
        picture.present(&mut canvas, 0.0);
        luma(canvas.pixels())
    };
    let [none, half, whole, double] = [
        shown(1.0, "0"),
        shown(0.5, "1"),
        shown(1.0, "1"),
        shown(2.0, "1"),
    ];
    println!(
        "without {none:.1}, with bloom at scales of a half, 1 and 2: {half:.1} {whole:.1} {double:.1}"
    );
    assert!(whole > none * 1.2, "{none} {whole}");
    for other in [half, double] {
        assert!((other / whole - 1.0).abs() < 0.05, "{other} {whole}");
    }
}

/// Backdrops are what they are called: from top to bottom, by way of the middle, from the middle out, dark in the corners.
#[test]
fn backdrops_have_their_shapes() {
    let colors = [
        ("background_top", "#ff0000"),
        ("background_middle", "#00ff00"),
        ("background", "#0000ff"),
        ("particles", "1"),
        ("blend", "add"),
    ];
    let shown = |backdrop: &str, vignette: &str| {
        let settings = with(preset("original"), &colors);
        let settings = with(settings, &[("backdrop", backdrop), ("vignette", vignette)]);
        let (picture, mut canvas) = painted(settings, Pool::single(), 0);
        let pixels = ground(&picture, &mut canvas);
        let at = |x: usize, y: usize| -> [u8; 3] {
            let begin = (y * 320 + x) * 4;
            pixels[begin..begin + 3].try_into().unwrap()
        };
        [at(160, 1), at(160, 90), at(160, 178), at(1, 1)]
    };
    let is_near = |a: [u8; 3], b: [u8; 3]| a.iter().zip(b).all(|(a, b)| a.abs_diff(b) <= 90);
    let [top, middle, bottom, corner] = shown("vertical", "0");
    assert!(is_near(top, [255, 0, 0]) && is_near(bottom, [0, 0, 255]) && is_near(corner, top));
    assert!(middle[0] > 80 && middle[2] > 80, "{middle:?}");
    let [top, middle, bottom, _] = shown("horizon", "0");
    assert!(is_near(middle, [0, 255, 0]), "{middle:?}");
    assert!(is_near(top, [255, 0, 0]) && is_near(bottom, [0, 0, 255]));
    let [_, middle, _, corner] = shown("radial", "0");
    assert!(is_near(middle, [255, 0, 0]) && is_near(corner, [0, 0, 255]));
    let [top, middle, bottom, corner] = shown("flat", "0.5");
    assert!(middle[2] >= 254 && middle[0] == 0, "{middle:?}");
    assert!(corner[2] < bottom[2] && bottom[2] < 255 && top[2].abs_diff(bottom[2]) <= 3);
}

/// A background that is one color is exactly that color, however light is laid.
#[test]
fn flat_backgrounds_are_exact() {
    for blend in ["codes", "over", "add"] {
        for code in [0u8, 1, 7, 18, 120, 254, 255] {
            let color = format!("#{code:02x}{:02x}{:02x}", 255 - code, code / 2);
            let values = [
                ("blend", blend),
                ("background", color.as_str()),
                ("particles", "1"),
            ];
            let settings = with(preset("original"), &values);
            assert_eq!(settings.backdrop(), Backdrop::Flat);
            let (picture, mut canvas) = painted(settings, Pool::single(), 0);
            let expected = match picture.frame(0.0).background {
                Background::Flat(codes) => codes,
                Background::Map(_) => panic!("a flat backdrop is no map"),
            };
            let pixels = ground(&picture, &mut canvas);
            let is_exact = |px: &[u8]| {
                px[..3]
                    .iter()
                    .zip(expected)
                    .all(|(a, b)| a.abs_diff(b) <= 1)
            };
            assert!(
                pixels.chunks(4).all(is_exact),
                "{blend} {expected:?}: {:?}",
                &pixels[..4]
            );
        }
    }
}

/// Threads of added light bring as much however their paths are cut, and at any scale.
#[test]
fn added_light_is_conserved() {
    use eddyline::canvas::{Blend, Strokes};
    use eddyline::palette::{HslRamp, Palette};
    use eddyline::simulation::{Ink, Segment};
    use glam::Vec2;

    let palette = Palette::hsl(&HslRamp {
        hue: 0.0,
        hue_span: 0.0,
        saturation: 0.0,
        lightness: 100.0,
        lightness_span: 0.0,
    });
    let light_of = |cuts: u16, scale: f32, ink: Ink| {
        let (begin, end) = (Vec2::new(20.3, 15.1), Vec2::new(101.7, 60.4));
        let place = |cut: u16| begin.lerp(end, f32::from(cut) / f32::from(cuts));
        let segments: Segments = (0..cuts)
            .map(|cut| Segment {
                from: place(cut),
                to: place(cut + 1),
                ink,
            })
            .collect();
        let mut canvas = CpuCanvas::new(
            Extent {
                width: (128.0 * scale) as u32,
                height: (80.0 * scale) as u32,
                scale,
            },
            Pool::single(),
        );
        canvas.stroke(&Strokes {
            step: 1,
            segments: &segments,
            width: [1.0, 3.0],
            alpha: 0.4,
            blend: Blend::Add,
            glows: true,
            shift: [0.0; 2],
            palette: &palette,
        });
        let sum = |light: &[[f32; 4]]| light.iter().map(|light| f64::from(light[0])).sum::<f64>();
        let glow = sum(canvas.glow().unwrap()) * 16.0;
        (sum(canvas.light()) / f64::from(scale * scale), glow)
    };
    // 93 px long and 3 wide, or 1; half as bright where the root of the light says so.
    let length = f64::from(Vec2::new(81.4, 45.3).length());
    for (ink, expected) in [
        (Ink::new(0.0, 1.0, 1.0), 3.0 * 0.4 * length),
        (Ink::new(0.0, 1.0, 0.0), 0.4 * length),
        (Ink::new(0.0, 0.5, 0.0), 0.1 * length),
    ] {
        for cuts in [1, 2, 17, 90] {
            for scale in [0.5, 1.0, 2.5] {
                let (light, glow) = light_of(cuts, scale, ink);
                for sum in [light, glow] {
                    assert!(
                        (sum / expected - 1.0).abs() < 0.03,
                        "{cuts} {scale}: {sum} {expected}"
                    );
                }
            }
        }
    }
}

/// Two looks on their way from one to the other, on both canvases; and on GPUs that hold light as codes.
#[test]
fn both_canvases_dissolve_alike() {
    let Ok(mut offscreen) = Offscreen::new() else {
        assert!(!must_not_skip(), "no offscreen context under CI");
        eprintln!("skipped: no offscreen context");
        return;
    };
    for (path, least) in [("mixed", 26.0), ("half", 26.0), ("bytes", 16.0)] {
        let wanted: WantedPath = path.parse().unwrap();
        let size = extent(WINDOW, 1.0);
        let mut state = GpuState::new(offscreen.context(), size, wanted).unwrap();
        let mut gpu = state.bind(offscreen.context());
        let mut show = Show::new(look("neon"), WINDOW);
        show.push(40, Change::Look(Box::new(look("embers"))));
        let mut pictures = [(), ()].map(|()| Picture::new(show.clone(), Pool::single()));
        let mut cpu = CpuCanvas::new(size, Pool::single());
        let [one, other] = &mut pictures;
        one.warm(&mut cpu, 20);
        other.warm(&mut gpu, 20);
        for step in [30, 60, 100, 159, 170] {
            one.advance(&mut cpu, step);
            other.advance(&mut gpu, step);
            one.present(&mut cpu, 0.3);
            other.present(&mut gpu, 0.3);
            let shown = gpu.read().unwrap();
            let (mut signal, mut noise) = (0.0, 0.0);
            for (cpu, gpu) in cpu.pixels().iter().zip(&shown) {
                let (cpu, gpu) = (f64::from(*cpu), f64::from(*gpu));
                signal += cpu * cpu;
                noise += (cpu - gpu) * (cpu - gpu);
            }
            let decibels = 10.0 * (signal / noise).log10();
            println!("{path}, step {step}: {decibels:.1} dB");
            assert!(decibels > least, "{path}, step {step}: {decibels}");
        }
        gpu.check().unwrap();
        state.delete(offscreen.context());
    }
}
