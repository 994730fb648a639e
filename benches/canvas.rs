//! What a frame of the CPU canvas costs, against tiny-skia: the light fades, short strokes are laid, and it is shown.

mod versus;

use std::f32::consts::TAU;
use std::hint::black_box;

use eddyline::canvas::cpu::CpuCanvas;
use eddyline::canvas::{Background, Blend, Canvas, Extent, Frame, Strokes};
use eddyline::palette::{HslRamp, Palette};
use eddyline::pool::Pool;
use eddyline::simulation::{Ink, Segment, Segments};
use glam::Vec2;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use tiny_skia::{Color, Paint, PathBuilder, Pixmap, Rect, Stroke, Transform};
use versus::{Contest, Entry};

const WIDTH: u32 = 1920;
const HEIGHT: u32 = 1080;

/// Opacity of a stroke.
const ALPHA: f32 = 0.3;

/// The share of the light that a step takes away.
const FADE: f32 = 0.03;

const BACKGROUND: [u8; 3] = [0x03, 0x12, 0x1a];

fn main() {
    let two = Pool::new(2).expect("threads start");
    for (count, rounds) in [(2_600, 51), (50_000, 31), (1_000_000, 21)] {
        compare(count, rounds, &two);
    }
}

/// One frame with this many segments by all contestants.
fn compare(count: usize, rounds: usize, two: &Pool) {
    let segments = segments(count);
    let palette = Palette::hsl(&HslRamp {
        hue: 185.0,
        hue_span: 30.0,
        saturation: 80.0,
        lightness: 55.0,
        lightness_span: 25.0,
    });
    let strokes = Strokes {
        step: 1,
        segments: &segments,
        width: [1.0; 2],
        alpha: ALPHA,
        blend: Blend::Codes,
        glows: false,
        shift: [0.0; 2],
        palette: &palette,
    };
    let title = format!("{WIDTH}x{HEIGHT}, {count} segments, per frame");
    let mut contest = Contest::new(title, 1);
    let one = enter_canvas(&mut contest, "eddyline", strokes, Pool::single());
    let shared = enter_canvas(&mut contest, "eddyline, 2 threads", strokes, two.clone());
    if count <= 50_000 {
        enter_tiny_skia(&mut contest, strokes);
    }
    let outcome = contest.run(rounds);
    outcome.print(&[one, shared]);
    outcome.print_ratio(one, shared);
}

/// Segments as long as a particle moves in a step, everywhere and in every direction.
fn segments(count: usize) -> Segments {
    let mut random = Pcg64Mcg::seed_from_u64(1);
    (0..count)
        .map(|_| {
            let mut below = |end: f32| random.random_range(0.0..end);
            let from = Vec2::new(below(WIDTH as f32), below(HEIGHT as f32));
            Segment {
                from,
                to: from + Vec2::from_angle(below(TAU)) * 1.4,
                ink: Ink::plain(below(1.0)),
            }
        })
        .collect()
}

fn enter_canvas<'a>(
    contest: &mut Contest<'a>,
    name: &str,
    strokes: Strokes<'a>,
    pool: Pool,
) -> Entry {
    let extent = Extent {
        width: WIDTH,
        height: HEIGHT,
        scale: 1.0,
    };
    let mut canvas = CpuCanvas::new(extent, pool);
    contest.enter(name.to_owned(), move || {
        canvas.fade(1.0 - FADE);
        canvas.stroke(&strokes);
        canvas.present(&Frame {
            fraction: 0.0,
            keep: 1.0,
            pending: strokes,
            background: Background::Flat(BACKGROUND),
            exposure: 1.0,
            bloom: None,
            leaving: None,
        });
        black_box(canvas.pixels());
    })
}

/// The same frame as the original demo draws it: the background over everything, a little opaque, then each stroke.
fn enter_tiny_skia<'a>(contest: &mut Contest<'a>, strokes: Strokes<'a>) -> Entry {
    let [red, green, blue] = BACKGROUND;
    let mut pixmap = Pixmap::new(WIDTH, HEIGHT).expect("it has pixels");
    pixmap.fill(Color::from_rgba8(red, green, blue, 255));
    let window = Rect::from_xywh(0.0, 0.0, WIDTH as f32, HEIGHT as f32).expect("it has an area");
    let mut veil = Paint::default();
    veil.set_color(Color::from_rgba8(red, green, blue, (FADE * 255.0) as u8));
    let pen = Stroke {
        width: strokes.width[0],
        ..Stroke::default()
    };
    let mut paint = Paint::default();
    contest.enter("tiny-skia".to_owned(), move || {
        pixmap.fill_rect(window, &veil, Transform::identity(), None);
        for Segment { from, to, ink } in strokes.segments.iter() {
            let [red, green, blue] = strokes.palette.colors()[usize::from(ink.color())];
            let color = Color::from_rgba(red, green, blue, strokes.alpha);
            paint.set_color(color.expect("a palette's colors are in range"));
            let mut path = PathBuilder::new();
            path.move_to(from.x, from.y);
            path.line_to(to.x, to.y);
            let path = path.finish().expect("it has a length");
            pixmap.stroke_path(&path, &paint, &pen, Transform::identity(), None);
        }
        black_box(pixmap.data());
    })
}
