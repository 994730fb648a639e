//! A calm picture is dim, and never changes fast: in every look, and from one to the next.

use eddyline::canvas::cpu::CpuCanvas;
use eddyline::picture::{Picture, extent};
use eddyline::pool::Pool;
use eddyline::settings::Settings;
use eddyline::settings::preset::EMBEDDED;
use eddyline::timeline::{Change, Show};

use crate::support::{preset, with};

const WINDOW: [f64; 2] = [128.0, 72.0];

fn calm(name: &str, values: &[(&str, &str)]) -> Settings {
    with(preset(name), &[values, &[("calm", "on")]].concat())
}

/// Mean luma of what is shown, as a share of full scale.
fn luma(picture: &Picture, canvas: &mut CpuCanvas, fraction: f32) -> f64 {
    picture.present(canvas, fraction);
    let weigh = |px: &[u8]| {
        0.2126 * f64::from(px[0]) + 0.7152 * f64::from(px[1]) + 0.0722 * f64::from(px[2])
    };
    let sum: f64 = canvas.pixels().chunks(4).map(weigh).sum();
    sum / (canvas.light().len() as f64 * 255.0)
}

fn painted(show: impl Into<Show>, step: i64) -> (Picture, CpuCanvas) {
    let mut canvas = CpuCanvas::new(extent(WINDOW, 1.0), Pool::single());
    let mut picture = Picture::new(show, Pool::single());
    // Its light is within three percent of the exact one, which no bound here is near to.
    picture.warm_quickly(&mut canvas, step);
    (picture, canvas)
}

#[test]
fn every_look_is_dim() {
    for (name, _) in EMBEDDED {
        let bright = [("exposure", "8"), ("stroke_alpha", "0.6"), ("fade", "0.05")];
        let glaring = [
            ("background", "#ffffff"),
            ("background_top", "#fffbe0"),
            ("fade", "0.05"),
        ];
        for values in [&[("fade", "0.02")][..], &bright, &glaring] {
            let settings = calm(name, values);
            let (picture, mut canvas) = painted(Show::new(settings, WINDOW), 100);
            let mean = luma(&picture, &mut canvas, 0.0);
            assert!(mean < 0.4, "{name} {values:?}: {mean}");
        }
    }
}

/// Dark to light and back, and to other water.
#[test]
fn nothing_changes_fast() {
    for (one, other) in [("mono", "marble"), ("ink", "embers"), ("neon", "starling")] {
        let quick = [("fade", "0.03"), ("dissolve", "0")];
        let mut show = Show::new(calm(one, &quick), WINDOW);
        show.push(40, Change::Look(Box::new(calm(other, &quick))));
        show.push(100, crate::support::change("seed", "77"));
        show.push(170, Change::Look(Box::new(calm(one, &quick))));
        let (mut picture, mut canvas) = painted(show, 30);
        let mut before = luma(&picture, &mut canvas, 0.0);
        let mut most = 0.0f64;
        for step in 31..300 {
            picture.advance(&mut canvas, step);
            let mean = luma(&picture, &mut canvas, 0.0);
            most = most.max((mean - before).abs());
            assert!(mean < 0.4, "{one}, {other}: {mean} at {step}");
            before = mean;
        }
        println!("{one}, {other}: at most {:.2} % a step", most * 100.0);
        assert!(most < 0.02, "{one}, {other}: {most}");
    }
}

/// On black nothing but threads shines, and little of it.
#[test]
fn a_screen_that_burns_in_is_spared() {
    for (name, _) in EMBEDDED {
        let settings = with(preset(name), &[("oled", "on"), ("fade", "0.03")]);
        let (picture, mut canvas) = painted(Show::new(settings, WINDOW), 100);
        let mean = luma(&picture, &mut canvas, 0.0);
        assert!(mean < 0.22, "{name}: {mean}");
    }
}
