//! Turns a picture into frames, one after the other: between steps, blurred by motion, finer than they are shown.

use std::ops::Range;

use crate::canvas::cpu::CpuCanvas;
use crate::canvas::exposure::Exposure;
use crate::canvas::{Canvas, Extent};
use crate::command::clock::{Clock, FULL_SHUTTER, Subframe};
use crate::command::framing::Framing;
use crate::picture::Picture;
use crate::pool::Pool;
use crate::record::{DeepPixels, Depth, Frame, Pixels};
use crate::timeline::Show;

/// How light becomes a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lens {
    /// Canvas px for each px of the frame and axis, from 1.
    pub supersample: u32,
    /// Moments that are averaged in each frame, from 1.
    pub subframes: u32,
    /// For how long the shutter is open, in degrees from 1 to 360.
    pub shutter: u32,
}

impl Lens {
    /// One moment, as fine as it is shown.
    pub const PLAIN: Lens = Lens {
        supersample: 1,
        subframes: 1,
        shutter: FULL_SHUTTER,
    };

    /// Whether a frame is one moment, as fine as it is shown.
    fn is_plain(&self) -> bool {
        self.supersample == 1 && self.subframes == 1
    }
}

/// A picture, the canvas that it is painted on, and the frames that show it.
pub struct Camera {
    picture: Picture,
    canvas: CpuCanvas,
    pool: Pool,
    clock: Clock,
    framing: Framing,
    lens: Lens,
    depth: Depth,
    /// The rows of the frame that are made.
    rows: Range<u32>,
    /// A frame of the canvas, as it was developed.
    developed: Vec<[f32; 3]>,
    exposure: Option<Exposure>,
    codes: Vec<u8>,
    deep: Vec<[f32; 3]>,
}

/// What a camera is made from.
#[derive(Clone, Debug)]
pub struct Setup {
    /// What is shown.
    pub show: Show,
    /// When the frames are.
    pub clock: Clock,
    /// How large frames are, and what they show of a window of another aspect.
    pub framing: Framing,
    /// How light becomes a frame.
    pub lens: Lens,
    /// What frames are made as.
    pub depth: Depth,
}

impl Camera {
    /// A camera for whole frames.
    pub fn new(setup: Setup, pool: Pool) -> Camera {
        let rows = 0..setup.framing.size[1];
        let extent = setup.canvas(setup.show.first().start().1.window);
        let canvas = CpuCanvas::new(extent, pool.clone());
        Camera::with(setup, canvas, rows, pool)
    }

    /// A camera for some rows of frames, whose picture is filled by one window throughout.
    pub fn of_rows(setup: Setup, rows: Range<u32>, pool: Pool) -> Camera {
        let extent = setup.canvas(setup.show.first().start().1.window);
        let fine = setup.lens.supersample;
        let canvas = CpuCanvas::band(extent, rows.start * fine..rows.end * fine, pool.clone());
        Camera::with(setup, canvas, rows, pool)
    }

    fn with(setup: Setup, canvas: CpuCanvas, rows: Range<u32>, pool: Pool) -> Camera {
        let Setup {
            show,
            clock,
            framing,
            lens,
            depth,
        } = setup;
        let width = framing.size[0];
        let exposure =
            (!lens.is_plain()).then(|| Exposure::new(width, rows.clone(), lens.supersample));
        Camera {
            picture: Picture::new(show, pool.clone()),
            canvas,
            pool,
            clock,
            framing,
            lens,
            depth,
            rows,
            developed: Vec::new(),
            exposure,
            codes: Vec::new(),
            deep: Vec::new(),
        }
    }

    /// Goes to the step from which [`Camera::warm_on`] paints the canvas before `frame`; returns how many steps that takes.
    pub fn begin_warm(&mut self, frame: u64) -> u64 {
        let (step, _) = self.clock.time_of(frame);
        let begin = self.picture.begin_warm(&mut self.canvas, step);
        (step - begin) as u64
    }

    /// Makes the next step of the way to a frame.
    pub fn warm_on(&mut self) {
        self.advance(self.picture.step() + 1);
    }

    /// Makes a frame, at or after the last one.
    pub fn shoot(&mut self, frame: u64) -> Frame<'_> {
        match self.lens.is_plain() {
            true => self.shoot_plainly(frame),
            false => self.expose(frame),
        }
        let [width, height] = [self.framing.size[0], self.rows.end - self.rows.start];
        match self.depth {
            Depth::Codes => Frame::Codes(Pixels {
                width,
                height,
                rgba: &self.codes,
            }),
            Depth::Deep => Frame::Deep(DeepPixels {
                width,
                height,
                rgb: &self.deep,
            }),
        }
    }

    fn shoot_plainly(&mut self, frame: u64) {
        let (step, fraction) = self.clock.time_of(frame);
        self.advance(step);
        let pixels = self.pixels();
        match self.depth {
            Depth::Codes => {
                self.picture.present(&mut self.canvas, fraction);
                self.codes.resize(pixels * 4, 0);
                let [red, green, blue] = self.background();
                let codes = self.codes.as_chunks_mut::<4>().0;
                let canvas = self.canvas.pixels().as_chunks::<4>().0;
                place(
                    &self.framing,
                    &self.rows,
                    self.canvas.extent(),
                    canvas,
                    [red, green, blue, 255],
                    codes,
                );
            }
            Depth::Deep => {
                self.develop(fraction, 1);
                std::mem::swap(&mut self.deep, &mut self.developed);
            }
        }
    }

    /// Px of a frame that are made.
    fn pixels(&self) -> usize {
        self.framing.size[0] as usize * (self.rows.end - self.rows.start) as usize
    }

    /// Averages moments and fine px.
    fn expose(&mut self, frame: u64) {
        let Lens {
            supersample,
            subframes,
            shutter,
        } = self.lens;
        if let Some(exposure) = &mut self.exposure {
            exposure.clear();
        }
        for number in 0..subframes {
            let subframe = Subframe {
                number,
                count: subframes,
                shutter,
            };
            let (step, fraction) = self.clock.time_within(frame, subframe);
            self.advance(step);
            self.develop(fraction, supersample);
            if let Some(exposure) = &mut self.exposure {
                exposure.add(&self.pool, &self.developed);
            }
        }
        let Some(exposure) = &self.exposure else {
            return;
        };
        let pixels = self.pixels();
        match self.depth {
            Depth::Codes => {
                self.codes.resize(pixels * 4, 0);
                exposure.present(&self.pool, &mut self.codes);
            }
            Depth::Deep => {
                self.deep.resize(pixels, [0.0; 3]);
                exposure.develop(&self.pool, &mut self.deep);
            }
        }
    }

    /// Fills `developed` with a frame of the canvas, `fine` times as fine as the frame.
    fn develop(&mut self, fraction: f32, fine: u32) {
        let extent = self.canvas.extent();
        let framing = Framing {
            size: self.framing.size.map(|side| side * fine),
            ..self.framing
        };
        let rows = self.rows.start * fine..self.rows.end * fine;
        let count = framing.size[0] as usize * (rows.end - rows.start) as usize;
        self.developed.resize(count, [0.0; 3]);
        let frame = self.picture.frame(fraction);
        if [extent.width, extent.height] == framing.size {
            self.canvas.develop(&frame, &mut self.developed);
            return;
        }
        let mut canvas = vec![[0.0; 3]; extent.width as usize * extent.height as usize];
        self.canvas.develop(&frame, &mut canvas);
        let bars = self.background().map(|code| f32::from(code) / 255.0);
        place(&framing, &rows, extent, &canvas, bars, &mut self.developed);
    }

    /// Paints the canvas at a step, and lets its size follow the window.
    fn advance(&mut self, step: i64) {
        while self.picture.step() < step {
            let next = self.picture.step() + 1;
            let window = self.picture.show().at(next).world.window;
            let extent = canvas(&self.framing, self.lens.supersample, window);
            if self.canvas.extent() != extent {
                self.canvas.resize(extent);
            }
            self.picture.advance(&mut self.canvas, next);
        }
    }

    fn background(&self) -> [u8; 3] {
        let step = self.picture.step() + 1;
        self.picture.show().at(step).settings.background().0
    }
}

impl Setup {
    /// The canvas that shows a window.
    pub fn canvas(&self, window: [f64; 2]) -> Extent {
        canvas(&self.framing, self.lens.supersample, window)
    }
}

/// The canvas that shows a window, `fine` times as fine as the frame.
fn canvas(framing: &Framing, fine: u32, window: [f64; 2]) -> Extent {
    let fine = Framing {
        size: framing.size.map(|side| side * fine),
        ..*framing
    };
    fine.canvas(window)
}

/// Bytes that frames of so many px take: for each px of the canvas light, light between two steps, and the frame before it is
/// rounded; for each px of the frame sums of light, and the frame in 8 and in more bits.
pub fn bytes([width, height]: [u32; 2], lens: &Lens) -> u64 {
    let fine = u64::from(lens.supersample).pow(2);
    let pixel = (16 + 16 + 12) * fine + (12 + 12 + 4);
    u64::from(width) * u64::from(height) * pixel
}

/// Puts what a canvas shows into some rows of a frame.
fn place<T: Copy>(
    framing: &Framing,
    rows: &Range<u32>,
    extent: Extent,
    canvas: &[T],
    bars: T,
    frame: &mut [T],
) {
    if [extent.width, extent.height] == framing.size {
        // A canvas of the same rows.
        frame.copy_from_slice(canvas);
    } else {
        debug_assert_eq!(*rows, 0..framing.size[1], "only whole frames have bars");
        framing.place(extent, canvas, bars, frame);
    }
}
