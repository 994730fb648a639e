//! What a picture is painted on: a buffer that holds only light, and fades.
//!
//! A canvas knows nothing of time, settings or windows. It holds premultiplied color and coverage; the background
//! enters when a frame is presented and never stays. Two canvases share the trait: [`cpu`] is the reference, needs no
//! driver and gives the same bits everywhere; [`gpu`] is live.

use crate::palette::Palette;
use crate::simulation::Segments;

pub mod cpu;
pub mod exposure;
pub mod gpu;

/// Light below this is no light: it would decay into denormals, and no eye or file could tell.
pub const DARK: f32 = 1.0 / (1 << 20) as f32;

/// Most opacity of a stroke. At 1 a trace of coverage would be opaque, and edges jagged.
pub const MOST_ALPHA: f32 = 0.999;

/// The size of a canvas and how fine it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// Width in device px, at least 1.
    pub width: u32,
    /// Height in device px, at least 1.
    pub height: u32,
    /// Device px per logical px, above 0.
    pub scale: f32,
}

/// The segments of one step and how they are stroked.
#[derive(Clone, Copy, Debug)]
pub struct Strokes<'a> {
    /// The step whose motion the segments are. Two `Strokes` of one canvas with the same step hold the same segments.
    pub step: i64,
    /// In logical px, in the order in which they are blended.
    pub segments: &'a Segments,
    /// Width in logical px, above 0.
    pub width: f32,
    /// Opacity of a fully covered pixel, in [0, 1].
    pub alpha: f32,
    /// Turns a segment's color value into a color.
    pub palette: &'a Palette,
}

/// Everything that a frame between two whole steps adds to what the canvas holds.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// How much of the pending step is over, in [0, 1); at 0 the frame is exactly what the canvas holds.
    pub fraction: f32,
    /// What the pending step leaves of the light, in (0, 1].
    pub keep: f32,
    /// The segments of the pending step.
    pub pending: Strokes<'a>,
    /// Straight sRGB codes in [0, 255].
    pub background: [u8; 3],
}

/// A light buffer that fades, takes strokes, and presents frames.
///
/// With `c` the coverage of a pixel by a segment, a stroke blends `color` over the pixel with opacity
/// `1 - (1 - alpha)^c`, in sRGB codes; `alpha` counts as at most [`MOST_ALPHA`]. Coverage is the product of two terms in device px, the pixel's centre being at
/// distance `d` from the segment's line and at `s` along it, `w` the width and `[0, l]` the segment:
/// across `clamp(w/2 + 1/2 - |d|, 0, min(1, w))`, along `clamp(l - s + 1/2, 0, 1) - clamp(-s + 1/2, 0, 1)`. The second
/// telescopes: a path has the same coverage however it is cut into segments.
pub trait Canvas {
    /// The present size.
    fn extent(&self) -> Extent;

    /// Changes the size and keeps the light: at the same place from the top left where the scale stays, stretched with
    /// the logical pixels where it changes. New area is empty.
    fn resize(&mut self, extent: Extent);

    /// Removes all light.
    fn clear(&mut self);

    /// Takes the light of another canvas of the same size.
    ///
    /// # Panics
    ///
    /// If `light` has not four floats for each px.
    fn load(&mut self, light: &[f32]);

    /// Multiplies all light by `keep`, in [0, 1]. What falls below 2^-20 becomes exactly 0.
    fn fade(&mut self, keep: f32);

    /// Brings the segments to where they are stroked, which stroking and presenting them do where it has not been done.
    fn upload(&mut self, _strokes: &Strokes) {}

    /// Blends the segments into the light, in their order.
    fn stroke(&mut self, strokes: &Strokes);

    /// Makes the frame ready to be shown. The light itself stays as it is.
    ///
    /// The frame is `keep^fraction` times the light, then the first `fraction` of each pending segment stroked by the
    /// same blend, then the background under it, then dither to 8 bits by [`crate::dither`].
    fn present(&mut self, frame: &Frame);
}
