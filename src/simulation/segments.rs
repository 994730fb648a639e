//! What moved in a step, in the order of the particles.

use glam::Vec2;

use crate::noise::BLOCK;

/// How a segment is drawn: three codes of 8 bits, in a whole number that an f32 holds exactly, as GPUs take it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(transparent)]
pub struct Ink(f32);

/// Adding and subtracting this rounds a number from 0 to 2^22 to the nearest whole one.
const ROUND: f32 = 8_388_608.0;

impl Ink {
    /// What a color code counts as next to a light and a width code.
    const UNITS: [f32; 2] = [256.0, 65_536.0];

    /// Full light and full width of the color at a place in the palette, in [0, 1].
    #[inline(always)]
    pub fn plain(color: f32) -> Ink {
        Ink(code(color) + 255.0 * (Ink::UNITS[0] + Ink::UNITS[1]))
    }

    /// The same with the square root of the share of the light, and the place between the least and the most width, both in
    /// [0, 1].
    #[inline(always)]
    pub fn new(color: f32, root_of_light: f32, width: f32) -> Ink {
        Ink(code(color) + code(root_of_light) * Ink::UNITS[0] + code(width) * Ink::UNITS[1])
    }

    /// The entry of the palette.
    #[inline(always)]
    pub fn color(self) -> u8 {
        self.0 as u32 as u8
    }

    /// 255 times the square root of the share of the light.
    #[inline(always)]
    pub fn light(self) -> u8 {
        (self.0 as u32 >> 8) as u8
    }

    /// 0 for the least width to 255 for the most.
    #[inline(always)]
    pub fn width(self) -> u8 {
        (self.0 as u32 >> 16) as u8
    }
}

/// The nearest code to a share in [0, 1]; values outside take the nearest end.
#[inline(always)]
fn code(share: f32) -> f32 {
    (share.clamp(0.0, 1.0) * 255.0 + ROUND) - ROUND
}

/// One particle's motion in one step, in logical px.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Segment {
    /// Where the step began.
    pub from: Vec2,
    /// Where the step ended.
    pub to: Vec2,
    /// How it is drawn.
    pub ink: Ink,
}

impl Segment {
    #[inline(always)]
    pub(super) fn shifted(self, shift: Vec2) -> Segment {
        Segment {
            from: self.from + shift,
            to: self.to + shift,
            ..self
        }
    }
}

/// Segments of a run that comes from elsewhere than a simulation.
const RUN: usize = 4096;

/// The segments of a step, in runs: each was written by one thread, and none is copied again.
#[derive(Clone, Debug, Default)]
pub struct Segments {
    runs: Vec<Run>,
}

/// Segments one behind the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Run {
    /// Written up to `length`; what follows is room, so that nothing is allocated or cleared while a step is made.
    segments: Vec<Segment>,
    length: usize,
}

impl Segments {
    /// The runs, in order; some may be empty.
    pub fn runs(&self) -> impl ExactSizeIterator<Item = &[Segment]> {
        self.runs.iter().map(|run| &run.segments[..run.length])
    }

    /// The run of this number, below the number of runs.
    pub fn run(&self, number: usize) -> &[Segment] {
        let run = &self.runs[number];
        &run.segments[..run.length]
    }

    /// How many segments there are.
    pub fn len(&self) -> usize {
        self.runs.iter().map(|run| run.length).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All segments, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Segment> {
        self.runs().flatten()
    }

    /// `count` runs to be written.
    pub(super) fn runs_mut(&mut self, count: usize) -> &mut [Run] {
        self.runs.resize_with(count, Run::default);
        &mut self.runs
    }
}

impl Run {
    /// Empties the run and makes room for `count` segments.
    pub(super) fn begin(&mut self, count: usize) {
        self.length = 0;
        self.reserve(count);
    }

    #[inline(always)]
    fn reserve(&mut self, count: usize) {
        if self.segments.len() < self.length + count {
            self.segments
                .resize(self.length + count, Segment::default());
        }
    }

    /// Room for the next `N` segments. Whoever writes there keeps the count in a register, and calls [`Run::keep`].
    #[inline(always)]
    pub(super) fn room<const N: usize>(&mut self) -> &mut [Segment; N] {
        self.reserve(N);
        self.segments[self.length..]
            .first_chunk_mut()
            .expect("there is room for them")
    }

    /// The room that lies `blocks` times [`BLOCK`] segments ahead, where there is any.
    #[inline(always)]
    pub(super) fn room_ahead(&self, blocks: usize) -> &[Segment] {
        let begin = (self.length + blocks * BLOCK).min(self.segments.len());
        let room = &self.segments[begin..];
        &room[..room.len().min(BLOCK)]
    }

    /// Appends the first `count` segments in the room.
    #[inline(always)]
    pub(super) fn keep(&mut self, count: usize) {
        self.length += count;
    }
}

impl From<Run> for Segments {
    fn from(run: Run) -> Segments {
        Segments { runs: vec![run] }
    }
}

impl FromIterator<Segment> for Segments {
    fn from_iter<I: IntoIterator<Item = Segment>>(segments: I) -> Segments {
        let mut segments = segments.into_iter().peekable();
        let mut runs = Vec::new();
        while segments.peek().is_some() {
            let segments: Vec<Segment> = segments.by_ref().take(RUN).collect();
            runs.push(Run {
                length: segments.len(),
                segments,
            });
        }
        Segments { runs }
    }
}

/// Equal segments in equal order, however they are cut into runs.
impl PartialEq for Segments {
    fn eq(&self, other: &Segments) -> bool {
        self.iter().eq(other.iter())
    }
}
