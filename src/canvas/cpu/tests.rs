use std::ops::Range;

use super::*;
use crate::picture::{Picture, extent};
use crate::settings::preset::Preset;
use crate::simd;
use crate::timeline::{Change, Show, Timeline, World};

/// A picture of the default look, some steps after a quick warm-up, on a canvas of these rows of it.
fn band(window: [f64; 2], rows: Range<u32>, pool: Pool) -> (Picture, CpuCanvas) {
    let settings = Preset::load("brook").unwrap().settings;
    let mut picture = Picture::new(Timeline::new(settings, window), pool.clone());
    let mut canvas = CpuCanvas::band(extent(window, 1.0), rows, pool);
    picture.warm_quickly(&mut canvas, 0);
    for step in 1..=6 {
        picture.advance(&mut canvas, step);
        picture.present(&mut canvas, 0.3);
    }
    (picture, canvas)
}

fn picture(window: [f64; 2], pool: Pool) -> (Picture, CpuCanvas) {
    band(window, 0..u32::MAX, pool)
}

fn developed(picture: &Picture, canvas: &mut CpuCanvas, fraction: f32) -> Vec<[f32; 3]> {
    let mut rgb = vec![[-1.0; 3]; canvas.light().len()];
    canvas.develop(&picture.frame(fraction), &mut rgb);
    rgb
}

/// The same bits of what is developed.
fn bits(rgb: &[[f32; 3]]) -> Vec<u32> {
    rgb.as_flattened()
        .iter()
        .map(|value| value.to_bits())
        .collect()
}

/// What is presented is the nearest code to what is developed and the threshold, but for the rounding of floats.
#[test]
fn a_developed_frame_is_the_presented_one_before_dither() {
    let (picture, mut canvas) = picture([323.0, 201.0], Pool::single());
    let thresholds = dither::tile();
    for fraction in [0.0, 0.4] {
        let rgb = developed(&picture, &mut canvas, fraction);
        picture.present(&mut canvas, fraction);
        let mut light = 0;
        for (index, (rgb, pixel)) in rgb.iter().zip(canvas.pixels().chunks(4)).enumerate() {
            let (x, y) = (index % 323, index / 323);
            let threshold = thresholds[y % dither::TILE * dither::TILE + x % dither::TILE];
            for (value, code) in rgb.iter().zip(pixel) {
                assert!((0.0..=1.0).contains(value));
                let off = value * 255.0 + threshold - 0.5 - f32::from(*code);
                assert!(
                    // The curve of codes is .14 off at most.
                    off.abs() <= 0.5 + 0.15,
                    "{x}, {y}: {value} is shown as {code}"
                );
            }
            light += u32::from(pixel[1]);
        }
        assert!(light > 323 * 201 * 20, "there is light: {light}");
    }
}

#[test]
fn every_kernel_and_number_of_threads_develops_the_same_bits() {
    let window = [323.0, 201.0];
    let (one, mut canvas) = picture(window, Pool::single().with_level(simd::Level::BASELINE));
    let expected = [0.0, 0.4].map(|fraction| bits(&developed(&one, &mut canvas, fraction)));
    assert_ne!(expected[0], expected[1]);
    for level in simd::available() {
        for threads in [1, 3] {
            let pool = Pool::new(threads).unwrap().with_level(level);
            let (other, mut canvas) = picture(window, pool);
            for (fraction, expected) in [0.0, 0.4].into_iter().zip(&expected) {
                let rgb = developed(&other, &mut canvas, fraction);
                assert!(
                    bits(&rgb) == *expected,
                    "{level:?}, {threads} threads, {fraction}"
                );
            }
        }
    }
}

#[test]
fn an_empty_canvas_develops_to_its_background() {
    let (picture, mut canvas) = picture([70.0, 3.0], Pool::single());
    canvas.clear();
    let mut rgb = vec![[-1.0; 3]; 70 * 3];
    for code in 0..=255u8 {
        let background = [code, 255 - code, code / 2];
        let frame = Frame {
            background: Background::Flat(background),
            ..picture.frame(0.0)
        };
        canvas.develop(&frame, &mut rgb);
        let exact = background.map(|code| f32::from(code) / 255.0);
        let off = |rgb: &[f32; 3]| (0..3).any(|c| (rgb[c] - exact[c]).abs() > 1e-5);
        assert!(!rgb.iter().any(off), "{background:?}: {:?}", rgb[0]);
    }
}

/// All that a canvas says of its rows: light, presented and developed, at a step and between two.
#[derive(PartialEq)]
struct Shown {
    light: Vec<Light>,
    frames: [(Vec<u8>, Vec<[f32; 3]>); 2],
}

impl Shown {
    fn new(picture: &Picture, canvas: &mut CpuCanvas) -> Shown {
        let frames = [0.0, 0.4].map(|fraction| {
            let rgb = developed(picture, canvas, fraction);
            picture.present(canvas, fraction);
            (canvas.pixels().to_vec(), rgb)
        });
        Shown {
            light: canvas.light().to_vec(),
            frames,
        }
    }

    /// These rows of it.
    fn rows(&self, rows: Range<u32>, width: usize) -> Shown {
        let (start, end) = (rows.start as usize * width, rows.end as usize * width);
        Shown {
            light: self.light[start..end].to_vec(),
            frames: [0, 1].map(|number| {
                let (pixels, rgb) = &self.frames[number];
                (
                    pixels[start * 4..end * 4].to_vec(),
                    rgb[start..end].to_vec(),
                )
            }),
        }
    }
}

#[test]
fn bands_are_the_rows_of_the_whole_canvas() {
    // Wider than high: a row that is taken for a column is seen.
    let window = [500.0, 400.0];
    let (whole, mut canvas) = picture(window, Pool::single());
    let expected = Shown::new(&whole, &mut canvas);
    let ends = [0, 1, 87, 100, 211, 350, 399, 400];
    let pools = [1, 3].map(|threads| Pool::new(threads).unwrap());
    let bands = ends.windows(2).map(|ends| ends[0]..ends[1]);
    for (rows, pool) in bands.zip(pools.iter().cycle()) {
        let (picture, mut canvas) = band(window, rows.clone(), pool.clone());
        assert_eq!(canvas.rows(), rows);
        assert_eq!(canvas.extent(), extent(window, 1.0));
        let expected = expected.rows(rows.clone(), 500);
        assert!(
            expected.light.iter().any(|light| light[1] > 0.01),
            "{rows:?}"
        );
        assert!(
            Shown::new(&picture, &mut canvas) == expected,
            "{rows:?} with {} threads",
            pool.threads()
        );
    }
}

/// Two pictures in one frame: each band has its rows of both, with any number of threads.
#[test]
fn bands_and_threads_do_not_change_a_dissolve() {
    let window = [300.0, 200.0];
    let shown = |rows: Range<u32>, pool: Pool| {
        let look = |name: &str| Preset::load(name).unwrap().settings;
        let mut show = Show::new(look("mono"), window);
        show.push(20, Change::Look(Box::new(look("embers"))));
        let mut canvas = CpuCanvas::band(extent(window, 1.0), rows, pool.clone());
        let mut picture = Picture::new(show, pool);
        picture.warm(&mut canvas, 80);
        Shown::new(&picture, &mut canvas)
    };
    let whole = shown(0..200, Pool::single());
    for rows in [0..200, 0..70, 70..200] {
        let expected = whole.rows(rows.clone(), 300);
        let pool = Pool::new(3).unwrap();
        assert!(shown(rows.clone(), pool) == expected, "{rows:?}");
    }
}

/// A canvas of a whole picture and canvases of its bands, which all get the same.
struct Together(Vec<CpuCanvas>);

impl Canvas for Together {
    fn extent(&self) -> Extent {
        self.0[0].extent()
    }

    fn resize(&mut self, extent: Extent) {
        self.0.iter_mut().for_each(|canvas| canvas.resize(extent));
    }

    fn clear(&mut self) {
        self.0.iter_mut().for_each(CpuCanvas::clear);
    }

    fn part(&mut self) {
        self.0.iter_mut().for_each(Canvas::part);
    }

    fn on_leaving(&mut self, work: &mut dyn FnMut(&mut dyn Canvas)) {
        self.0.iter_mut().for_each(|canvas| canvas.on_leaving(work));
    }

    fn join(&mut self) {
        self.0.iter_mut().for_each(Canvas::join);
    }

    fn load(&mut self, light: &[f32], glow: Option<&[f32]>) {
        let width = self.extent().width as usize;
        for canvas in &mut self.0 {
            let rows = canvas.layer.held();
            canvas.load(&light[rows.start * width * 4..rows.end * width * 4], glow);
        }
    }

    fn fade(&mut self, keep: f32) {
        self.0.iter_mut().for_each(|canvas| canvas.fade(keep));
    }

    fn stroke(&mut self, strokes: &Strokes) {
        self.0.iter_mut().for_each(|canvas| canvas.stroke(strokes));
    }

    fn present(&mut self, frame: &Frame) {
        self.0.iter_mut().for_each(|canvas| canvas.present(frame));
    }
}

impl Together {
    /// Bands of these rows, with the light of the whole.
    fn new(whole: CpuCanvas, rows: impl IntoIterator<Item = Range<u32>>) -> Together {
        let light = whole.light().as_flattened().to_vec();
        let band = |rows| CpuCanvas::band(whole.extent(), rows, Pool::single());
        let bands: Vec<_> = rows.into_iter().map(band).collect();
        let mut together = Together(std::iter::once(whole).chain(bands).collect());
        together.load(&light, None);
        together
    }

    fn assert_equal(&mut self, picture: &Picture) {
        let width = self.extent().width as usize;
        let whole = Shown::new(picture, &mut self.0[0]);
        for canvas in &mut self.0[1..] {
            let rows = canvas.rows();
            let expected = whole.rows(rows.clone(), width);
            assert!(Shown::new(picture, canvas) == expected, "{rows:?}");
        }
    }
}

#[test]
fn bands_of_one_row_are_the_rows_of_the_whole_canvas() {
    let window = [300.0, 200.0];
    let (mut picture, canvas) = picture(window, Pool::single());
    let mut together = Together::new(canvas, (0..200).map(|row| row..row + 1));
    for step in 7..=20 {
        picture.present(&mut together, 0.7);
        picture.advance(&mut together, step);
    }
    together.assert_equal(&picture);
}

/// Of a picture that shrinks and grows, a band keeps its rows, and loses those that the whole loses.
#[test]
fn bands_keep_their_rows_in_a_resize() {
    let (mut picture, canvas) = picture([300.0, 200.0], Pool::single());
    let mut together = Together::new(canvas, [0..70, 70..150, 150..260, 190..195, 230..400]);
    together.assert_equal(&picture);
    for (number, (window, held)) in [
        ([250.0, 192.0], 190..192),
        ([320.0, 140.0], 140..140),
        ([310.0, 240.0], 190..195),
    ]
    .into_iter()
    .enumerate()
    {
        let settings = *picture.timeline().latest_settings();
        picture.push(Change::World(World::new(window, &settings)));
        picture.advance(&mut together, 10 * (number as i64 + 1));
        assert_eq!(together.extent(), extent(window, 1.0));
        assert_eq!(together.0[4].rows(), held);
        together.assert_equal(&picture);
    }
    assert_eq!(together.0[5].rows(), 230..240);
}

#[test]
fn a_band_takes_the_memory_that_it_says() {
    let (picture, mut canvas) = band([300.0, 200.0], 20..30, Pool::single());
    canvas.develop(&picture.frame(0.5), &mut [[0.0; 3]; 3000]);
    let bytes = size_of_val(&canvas.layer.light[..]) + size_of_val(&canvas.layer.between[..]);
    assert_eq!(CpuCanvas::bytes_per_row(300) * 10, bytes as u64);
    assert_eq!(canvas.pixels.len(), 4 * 3000);
}
