//! Looks that dissolve: what is seen on the way, and that it is the same however one gets there.

use eddyline::canvas::Canvas;
use eddyline::canvas::cpu::CpuCanvas;
use eddyline::picture::{Picture, extent, hand_over};
use eddyline::pool::Pool;
use eddyline::settings::Settings;
use eddyline::settings::preset::Preset;
use eddyline::take::Take;
use eddyline::timeline::{Change, Show};

use crate::commands::{fail, folder, succeed};
use crate::recording::pixels;

const WINDOW: [f64; 2] = [160.0, 90.0];

/// The step in which the second look comes.
const FROM: i64 = 300;

fn settings(name: &str) -> Settings {
    Preset::load(name).unwrap().settings
}

/// `mono` from the start, and another look from [`FROM`] on.
fn show(second: &str) -> Show {
    let mut show = Show::new(settings("mono"), WINDOW);
    show.push(FROM, Change::Look(Box::new(settings(second))));
    show
}

fn canvas() -> CpuCanvas {
    CpuCanvas::new(extent(WINDOW, 1.0), Pool::single())
}

/// Straight sRGB of a step, in codes.
fn frame(picture: &Picture, canvas: &mut CpuCanvas, fraction: f32) -> Vec<f32> {
    let mut rgb = vec![[0.0; 3]; canvas.light().len()];
    canvas.develop(&picture.frame(fraction), &mut rgb);
    rgb.into_flattened()
        .into_iter()
        .map(|value| value * 255.0)
        .collect()
}

fn warmed(show: impl Into<Show>, step: i64) -> Vec<f32> {
    let mut canvas = canvas();
    let mut picture = Picture::new(show, Pool::single());
    picture.warm(&mut canvas, step);
    frame(&picture, &mut canvas, 0.0)
}

fn largest_difference(a: &[f32], b: &[f32]) -> f32 {
    let differences = a.iter().zip(b).map(|(a, b)| (a - b).abs());
    differences.fold(0.0, f32::max)
}

/// Of a code, back and forth.
fn light(code: f32) -> f32 {
    let srgb = code / 255.0;
    if srgb > 0.040_45 {
        ((srgb + 0.055) / 1.055).powf(2.4)
    } else {
        srgb / 12.92
    }
}

#[test]
fn both_pictures_are_mixed_in_linear_light() {
    let alone = [settings("mono"), settings("ink")].map(|settings| Show::new(settings, WINDOW));
    for (step, share) in [
        (FROM, 0.0),
        (FROM + 60, 0.5),
        (FROM + 90, 0.84375),
        (FROM + 120, 1.0),
    ] {
        let [before, after] = alone.clone().map(|show| warmed(show, step));
        let both = warmed(show("ink"), step);
        for ((before, after), both) in before.iter().zip(&after).zip(&both) {
            let wanted = light(*before) * (1.0 - share) + light(*after) * share;
            assert!(
                (light(*both) - wanted).abs() < 2e-3,
                "{step}: {before} {after} {both}"
            );
        }
    }
}

/// Who plays through a change of look sees what who seeks sees.
#[test]
fn playing_and_seeking_show_the_same() {
    let mut canvas = canvas();
    let mut picture = Picture::new(show("ink"), Pool::single());
    picture.warm(&mut canvas, FROM - 20);
    for step in [FROM - 1, FROM + 40, FROM + 119, FROM + 121, FROM + 200] {
        picture.advance(&mut canvas, step);
        let played = frame(&picture, &mut canvas, 0.0);
        let sought = warmed(show("ink"), step);
        let difference = largest_difference(&played, &sought);
        assert!(difference < 0.5, "{step}: {difference}");
        assert_eq!(
            canvas.leaving().is_some(),
            (FROM..FROM + 120).contains(&step),
            "{step}"
        );
    }
}

/// The canvas of the look that comes is, bit by bit, what it would be alone.
#[test]
fn a_look_is_born_warm() {
    let (mut canvas, mut alone) = (canvas(), canvas());
    let mut picture = Picture::new(show("ink"), Pool::single());
    picture.warm(&mut canvas, FROM - 1);
    picture.advance(&mut canvas, FROM + 30);
    let mut other = Picture::new(Show::new(settings("ink"), WINDOW), Pool::single());
    other.begin_coming(&mut alone, FROM);
    other.advance(&mut alone, FROM + 30);
    assert!(canvas.light() == alone.light());
    let places = |picture: &Picture| {
        let places = picture.simulation().particles().place.iter();
        places
            .map(|place| place.to_array().map(f32::to_bits))
            .collect::<Vec<_>>()
    };
    assert!(places(&picture) == places(&other));
}

/// A moment of a dissolve that is gone back to is within the error of a quick warm-up of it, on a canvas that it is handed to.
#[test]
fn a_dissolve_is_warmed_quickly() {
    let (mut quick, mut shown) = (canvas(), canvas());
    let mut picture = Picture::new(show("ink"), Pool::single());
    picture.warm_quickly(&mut quick, FROM + 60);
    hand_over(&quick, &mut shown);
    let found = frame(&picture, &mut shown, 0.0);
    let exact = warmed(show("ink"), FROM + 60);
    let squares = found.iter().zip(&exact).map(|(a, b)| (a - b) * (a - b));
    let deviation = (squares.sum::<f32>() / found.len() as f32).sqrt();
    println!("deviation of a quick warm-up: {deviation} codes");
    assert!(deviation < 6.0, "{deviation}");
    picture.advance(&mut shown, FROM + 121);
    assert!(shown.leaving().is_none());
}

/// The window changes its size in the middle.
#[test]
fn both_pictures_take_the_window_s_size() {
    let mut show = show("embers");
    let world = eddyline::timeline::World::new([200.0, 260.0], show.last().latest_settings());
    show.push(FROM + 50, Change::World(world));
    let mut canvas = canvas();
    let mut picture = Picture::new(show, Pool::single());
    picture.warm(&mut canvas, FROM + 40);
    for step in FROM + 41..FROM + 130 {
        picture.advance(&mut canvas, step);
        picture.present(&mut canvas, 0.3);
        assert_eq!(canvas.pixels().len(), canvas.light().len() * 4);
    }
    assert_eq!([canvas.extent().width, canvas.extent().height], [200, 260]);
}

/// A slideshow is rendered, says in its file how it was made, and is made again from that.
#[test]
fn a_slideshow_is_rendered_and_rendered_again() {
    let folder = folder();
    let folder = folder.path();
    let slides = "--preset mono --cycle 3s --looks ink,mono,neon --size 160x90 --seed 9";
    succeed(
        folder,
        &format!("render a/%02d.png --seconds 5 --fps 4 {slides}"),
    );
    succeed(
        folder,
        &format!("render still.png --at 4.5s {slides} --save-take take.txt"),
    );
    let text = std::fs::read_to_string(folder.join("take.txt")).unwrap();
    let take = Take::parse(&text).unwrap();
    // After mono, which is the second of them, neon.
    let scales: Vec<f64> = (0..take.show.acts())
        .map(|act| take.show.timeline(act).start().0.noise_scale())
        .collect();
    let wanted = [settings("mono"), settings("neon")].map(|look| look.noise_scale());
    assert_eq!(scales, wanted);
    assert_eq!(take.show.last().start().0.seed(), 9);
    succeed(folder, "render again.png --take still.png");
    let read = |name: &str| pixels(&folder.join(name));
    let still = read("still.png");
    assert!(read("again.png") == still);
    // Frame 18 is 4.5 s on; a film that is played from the beginning has the same moment within a code.
    let played = read("a/18.png");
    let off = played
        .iter()
        .zip(&still)
        .filter(|(a, b)| a.abs_diff(**b) > 1);
    assert_eq!(off.count(), 0);
    assert!(read("a/11.png") != played);
}

#[test]
fn a_slideshow_that_cannot_be_is_refused() {
    let folder = folder();
    for (line, what) in [
        ("--cycle 1s", "--cycle 1s: allowed is a time from 2s on"),
        (
            "--cycle 2m --looks nowhere",
            "preset nowhere: no such preset or file",
        ),
        ("--looks ink", "--looks is for a --cycle"),
        ("--cycle 2s --at 100000s", "--cycle: more than 2000 looks"),
        ("--cycle 2m --loop 4s", "--cycle and --loop: one of them"),
    ] {
        let error = fail(folder.path(), &format!("render none.png {line}"), 2);
        assert!(error.contains(what), "{line}: {error}");
    }
}
