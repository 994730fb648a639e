//! Every way in which the GPU canvas can draw, against the CPU canvas.
//!
//! Every test is skipped, with a message, where there is no driver; under CI it fails instead. Tests that need another driver run
//! in a process of their own, under Mesa's overrides: see [`DIALECT`].
#![cfg(target_os = "linux")]

use std::process::Command;

use eddyline::canvas::cpu::CpuCanvas;
use eddyline::canvas::gpu::{GpuCanvas, GpuState, WantedPath};
use eddyline::canvas::{Blend, Canvas, DARK, Extent, Strokes};
use eddyline::host::offscreen::{Dialect, Offscreen};
use eddyline::palette::{HslRamp, Palette};
use eddyline::picture::{Picture, extent};
use eddyline::pool::Pool;
use eddyline::simulation::{Ink, Segment, Segments};
use eddyline::timeline::Timeline;
use glam::vec2;

use crate::support::{canvas, must_not_skip, preset, with};

const WINDOW: [f64; 2] = [320.0, 180.0];

/// Every light by itself, and every way to draw quads.
const PATHS: [&str; 7] = [
    "mixed,instanced",
    "single,instanced",
    "half,instanced",
    "bytes,instanced",
    "mixed,expanded",
    "half,expanded",
    "bytes,expanded",
];

/// The variable that says what a process started by [`in_another_driver`] is to find: a [`Dialect`], and the path that the
/// driver has to choose.
const DIALECT: &str = "EDDYLINE_TEST_DIALECT";

/// What makes Mesa a driver of OpenGL ES 2.
const ES_2: [(&str, &str); 1] = [("MESA_GLES_VERSION_OVERRIDE", "2.0")];

/// What makes Mesa a driver of OpenGL 2.
pub const GL_2: [(&str, &str); 2] = [
    ("MESA_GL_VERSION_OVERRIDE", "2.1"),
    ("MESA_GLSL_VERSION_OVERRIDE", "120"),
];

/// What a canvas may differ in from the CPU canvas.
struct Bounds {
    /// How much more light there is than difference, in dB.
    ratio: f64,
    /// Of all light.
    share: f64,
}

impl Bounds {
    fn of(path: &str, fade: f64) -> Bounds {
        let (ratio, share) = match fade {
            _ if !path.starts_with("bytes") => (26.0, 0.02),
            fade if fade < 0.02 => (20.0, 0.05),
            _ => (16.0, 0.05),
        };
        Bounds { ratio, share }
    }
}

/// Runs a test with an empty canvas of a path, and asks the driver for errors afterwards; skipped where there is no driver.
fn with_canvas(path: WantedPath, extent: Extent, test: impl FnOnce(&mut GpuCanvas)) {
    let opened = match dialect() {
        Some((dialect, _)) => Offscreen::speaking(dialect),
        None => Offscreen::new(),
    };
    let mut offscreen = match opened {
        Ok(offscreen) => offscreen,
        Err(error) if must_not_skip() => panic!("{error}"),
        Err(error) => return eprintln!("skipped: {error}"),
    };
    let mut state = GpuState::new(offscreen.context(), extent, path).unwrap();
    let mut canvas = state.bind(offscreen.context());
    canvas.check().unwrap();
    test(&mut canvas);
    canvas.check().unwrap();
    state.delete(offscreen.context());
}

/// Whether there is a driver; under CI there has to be.
fn has_driver() -> bool {
    let opened = Offscreen::new();
    assert!(opened.is_ok() || !must_not_skip(), "no driver under CI");
    opened.is_ok()
}

fn dialect() -> Option<(Dialect, String)> {
    let text = std::env::var(DIALECT).ok()?;
    let (name, path) = text.split_once(' ').unwrap();
    let dialect = match name {
        "es2" => Dialect::Es2,
        "desktop" => Dialect::Desktop,
        _ => panic!("no dialect {name}"),
    };
    Some((dialect, path.to_owned()))
}

/// The paths to be tested in this process: in another driver the one that it chooses, by choosing it.
fn paths() -> Vec<(String, WantedPath)> {
    match dialect() {
        Some((_, path)) => vec![(path, WantedPath::default())],
        None => PATHS
            .map(|path| (path.to_owned(), path.parse().unwrap()))
            .to_vec(),
    }
}

fn sum(light: &[f32]) -> f64 {
    light.iter().copied().map(f64::from).sum()
}

/// Light in codes over the background, channel by channel.
fn over(background: [u8; 3], pixels: &[u8]) -> Vec<f64> {
    let channels = pixels
        .iter()
        .enumerate()
        .filter(|(index, _)| index % 4 != 3);
    channels
        .map(|(index, &code)| f64::from(code) - f64::from(background[index % 4]))
        .collect()
}

fn check(name: &str, bounds: &Bounds, expected: &[f64], actual: &[f64]) {
    let light: f64 = expected.iter().map(|light| light * light).sum();
    let pairs = expected.iter().zip(actual);
    let difference: f64 = pairs.map(|(a, b)| (a - b).powi(2)).sum();
    let ratio = 10.0 * (light / difference.max(1e-9)).log10();
    let total = actual.iter().sum::<f64>() / expected.iter().sum::<f64>();
    println!("{name}: {ratio:.1} dB over the light, total {total:.4}");
    assert!(light > 1e5, "{name}: there is light");
    assert!(ratio >= bounds.ratio, "{name}: {ratio} dB");
    assert!((total - 1.0).abs() <= bounds.share, "{name}: total {total}");
}

/// A picture and what it is to be compared with, grown from nothing on an empty canvas.
fn grown(timeline: &Timeline, steps: i64) -> (Picture, CpuCanvas) {
    let mut cpu = canvas(timeline.start().1.window, 1.0);
    let mut picture = Picture::new(timeline.clone(), Pool::single());
    picture.seek(0);
    picture.advance(&mut cpu, steps);
    (picture, cpu)
}

fn paint(timeline: &Timeline, steps: i64, canvas: &mut GpuCanvas) -> Picture {
    let mut picture = Picture::new(timeline.clone(), Pool::single());
    picture.seek(0);
    picture.advance(canvas, steps);
    picture
}

/// Whole steps and the time between two, on all paths, from fast fades to slow ones.
#[test]
fn every_path_shows_what_the_cpu_canvas_shows() {
    for (look, fade, steps) in [
        ("original", 0.1, 200),
        ("original", 0.03, 400),
        ("original", 0.01, 700),
        ("original", 0.003, 1500),
        ("brook", 0.012, 700),
        ("brook", 0.03, 400),
    ] {
        let settings = with(preset(look), &[("fade", &fade.to_string())]);
        let background = settings.background().0;
        let timeline = Timeline::new(settings, [160.0, 90.0]);
        let (picture, mut cpu) = grown(&timeline, steps);
        for (path, wanted) in paths() {
            with_canvas(wanted, extent([160.0, 90.0], 1.0), |gpu| {
                assert_eq!(gpu.path().to_string(), path);
                let other = paint(&timeline, steps, gpu);
                for fraction in [0.0, 0.4] {
                    picture.present(&mut cpu, fraction);
                    other.present(gpu, fraction);
                    check(
                        &format!("{look}, {path}, fade {fade}, fraction {fraction}"),
                        &Bounds::of(&path, fade),
                        &over(background, cpu.pixels()),
                        &over(background, &gpu.read().unwrap()),
                    );
                }
            });
        }
    }
}

/// Light of every level is gone without a rest once it would be too dark to see.
#[test]
fn no_path_leaves_a_residue() {
    for (path, wanted) in paths() {
        for fade in [0.1_f32, 0.03, 0.01, 0.003] {
            with_canvas(wanted, extent([16.0; 2], 1.0), |gpu| {
                let levels = (0..256).flat_map(|level| [level as f32 / 255.0; 4]);
                gpu.load(&levels.collect::<Vec<f32>>(), None);
                let steps = (((1 << 20) as f32).ln() / -(1.0 - fade).ln()) as u32;
                // Beyond that, until a second is over and as many fades are gathered as are drawn at once.
                for step in 0..steps + 60 + (1.0 / fade) as u32 {
                    gpu.fade(1.0 - fade);
                    assert!(step > 0 || sum(&gpu.light()) > 100.0);
                }
                assert!(
                    gpu.light().iter().all(|&light| light == 0.0),
                    "{path}, fade {fade}: {} is left",
                    sum(&gpu.light())
                );
            });
        }
    }
}

/// After a resize, whatever fades are gathered, the light is where it was.
#[test]
fn every_path_keeps_trails_when_resized() {
    let settings = with(preset("original"), &[("fade", "0.01")]);
    let timeline = Timeline::new(settings, WINDOW);
    for (path, wanted) in paths() {
        for steps in [100, 101, 110] {
            with_canvas(wanted, extent(WINDOW, 1.0), |gpu| {
                paint(&timeline, steps, gpu);
                let before = gpu.light();
                assert!(sum(&before) > 100.0);
                gpu.resize(extent([400.0, 100.0], 1.0));
                let after = gpu.light();
                for (y, row) in after.chunks(400 * 4).enumerate() {
                    let (kept, new) = row.split_at(320 * 4);
                    let old = &before[y * 320 * 4..][..320 * 4];
                    // GLSL ES 1 promises no more than 16-bit floats of what a shader draws, and what is dark goes.
                    let rounding = match &path[..4] {
                        "half" | "byte" => 0.0,
                        _ => 1.0 / 2048.0,
                    };
                    let is_same = |(a, b): (&f32, &f32)| (a - b).abs() <= b * rounding + DARK * 1.1;
                    assert!(kept.iter().zip(old).all(is_same), "{path}");
                    assert!(new.iter().all(|&light| light == 0.0), "{path}");
                }
            });
        }
    }
}

/// What the canvas holds has the same bits whatever frames were shown.
#[test]
fn presenting_leaves_no_trace_on_any_path() {
    let settings = with(preset("original"), &[("fade", "0.01")]);
    let timeline = Timeline::new(settings, WINDOW);
    for (path, wanted) in paths() {
        let mut alone = Vec::new();
        with_canvas(wanted, extent(WINDOW, 1.0), |gpu| {
            paint(&timeline, 150, gpu);
            alone = gpu.light();
        });
        with_canvas(wanted, extent(WINDOW, 1.0), |gpu| {
            let mut picture = paint(&timeline, 0, gpu);
            for step in 0..150 {
                for frame in 0..step % 3 {
                    picture.present(gpu, frame as f32 * 0.37);
                    gpu.read().unwrap();
                }
                picture.advance(gpu, step + 1);
            }
            assert!(sum(&alone) > 100.0);
            assert!(gpu.light() == alone, "{path}");
        });
    }
}

/// More segments than 16-bit indices can tell apart are drawn all, each once.
#[test]
fn quads_are_expanded_beyond_their_indices() {
    let palette = Palette::hsl(&HslRamp {
        hue: 185.0,
        hue_span: 30.0,
        saturation: 80.0,
        lightness: 55.0,
        lightness_span: 25.0,
    });
    let place = |index: u32| vec2((index % 300) as f32 + 0.3, (index / 300) as f32 + 0.6);
    let mut lights = Vec::new();
    for path in ["single,instanced", "single,expanded"] {
        let size = extent([300.0, 150.0], 1.0);
        let mut light = Vec::new();
        with_canvas(path.parse().unwrap(), size, |gpu| {
            // The second step has fewer: nothing of the first may be drawn again.
            for (step, count) in [
                (1, 44_000_u32),
                (2, 40_000),
                (3, 33_000),
                (4, 16_384),
                (5, 7),
            ] {
                let segments: Segments = (0..count)
                    .map(|index| Segment {
                        from: place(index),
                        to: place(index) + vec2(0.9, 0.4),
                        ink: Ink::plain(index as f32 / count as f32),
                    })
                    .collect();
                gpu.fade(0.9);
                gpu.stroke(&Strokes {
                    step,
                    segments: &segments,
                    width: [1.2; 2],
                    alpha: 0.3,
                    blend: Blend::Codes,
                    glows: false,
                    shift: [0.0; 2],
                    palette: &palette,
                });
            }
            light = gpu.light();
        });
        lights.push(light);
    }
    assert!(lights[0] == lights[1]);
    assert!(lights[0].is_empty() || sum(&lights[0]) > 1000.0);
}

/// Where there are only codes, one is subtracted of everything once the period is over.
#[test]
fn a_code_is_subtracted_in_its_time() {
    let light_after = |steps: u32| {
        let mut light = Vec::new();
        with_canvas("bytes".parse().unwrap(), extent([16.0; 2], 1.0), |gpu| {
            let palette = Palette::hsl(&HslRamp {
                hue: 0.0,
                hue_span: 0.0,
                saturation: 0.0,
                lightness: 100.0,
                lightness_span: 0.0,
            });
            for _ in 0..steps {
                gpu.fade(0.9);
            }
            let segment = Segment {
                from: vec2(-20.0, 8.0),
                to: vec2(40.0, 8.0),
                ink: Ink::plain(0.5),
            };
            gpu.stroke(&Strokes {
                step: 1,
                segments: &Segments::from_iter([segment]),
                width: [40.0; 2],
                alpha: 0.5,
                blend: Blend::Codes,
                glows: false,
                shift: [0.0; 2],
                palette: &palette,
            });
            gpu.fade(0.9);
            light = gpu.light();
        });
        light
    };
    // Eight fades are drawn at once.
    let (without, with) = (light_after(112), light_after(120));
    for (without, with) in without.iter().zip(&with) {
        // The target holds less than half of the light, so that its codes count more than twice.
        let lost = (without - with) * 255.0;
        assert!(
            *with > 0.4 && (0.5..2.5).contains(&lost),
            "{without} {with}"
        );
    }
}

/// The last line of `measure` on the GPU canvas, under overrides; or what it said instead.
fn measured(overrides: &[(&str, &str)], arguments: &str) -> Result<String, String> {
    let line = format!("measure --canvas gpu --size 160x90 --seconds 0 {arguments}");
    let output = Command::new(env!("CARGO_BIN_EXE_eddyline"))
        .args(line.split_whitespace())
        .envs(overrides.iter().copied())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    match output.status.code() {
        Some(0) => Ok(text.lines().last().unwrap().to_owned()),
        _ => Err(String::from_utf8(output.stderr).unwrap()),
    }
}

/// The program takes what the driver has, or what it is told to, says so, and meets no error of the driver.
#[test]
fn the_program_says_which_path_it_takes() {
    if !has_driver() {
        return;
    }
    for (overrides, wanted, path) in [
        (&[][..], "", "mixed,instanced"),
        (&[], "--canvas-path expanded", "mixed,expanded"),
        (&[], "--canvas-path half", "half,instanced"),
        (&[], "--canvas-path expanded,single", "single,expanded"),
        (&ES_2, "", "bytes,expanded"),
        (&ES_2, "--canvas-path bytes", "bytes,expanded"),
    ] {
        let line = measured(overrides, wanted).unwrap();
        let has = |pair: &str| line.split(' ').any(|found| found == pair);
        assert!(has(&format!("path={path}")), "{wanted}: {line}");
        let mut pairs = line.split(' ').filter_map(|pair| pair.split_once('='));
        let driver = pairs.find(|(key, _)| *key == "driver_ms").unwrap().1;
        assert!(driver.parse::<f64>().unwrap() > 0.01, "{line}");
    }
    for (wanted, words) in [
        ("half", "holds light as it was asked to"),
        ("single,expanded", "holds light as it was asked to"),
        ("instanced", "instanced quads need OpenGL 3"),
    ] {
        let message = measured(&ES_2, &format!("--canvas-path {wanted}")).unwrap_err();
        assert!(message.contains(words), "{wanted}: {message}");
        assert_eq!(message.lines().count(), 1, "{message}");
    }
}

/// Runs the tests above in another process, whose driver Mesa makes an older one.
fn in_another_driver(overrides: &[(&str, &str)], dialect: &str, path: &str) {
    if !has_driver() {
        return;
    }
    let output = Command::new(std::env::current_exe().unwrap())
        .args([
            "paths::every_path_shows",
            "paths::no_path_leaves",
            "paths::every_path_keeps",
            "paths::presenting_leaves",
        ])
        .envs(overrides.iter().copied())
        .env(DIALECT, format!("{dialect} {path}"))
        .env("CI", "true")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("4 passed"), "{text}");
}

#[test]
fn opengl_es_2_draws_expanded_quads_into_codes() {
    in_another_driver(&ES_2, "es2", "bytes,expanded");
}

#[test]
fn opengl_2_draws_expanded_quads_into_floats() {
    in_another_driver(&GL_2, "desktop", "mixed,expanded");
}
