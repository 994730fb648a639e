//! What a picture is painted on: a buffer that holds only light, and fades.
//!
//! A canvas knows nothing of time, settings or windows. It holds premultiplied color and coverage; the background
//! enters when a frame is presented and never stays. Two canvases share the trait: [`cpu`] is the reference, needs no
//! driver and gives the same bits everywhere; [`gpu`] is live.

use crate::palette::Palette;
use crate::polynomial::log2;
use crate::simulation::Segments;
use transfer::srgb;

pub mod cpu;
pub mod exposure;
pub mod gpu;
mod transfer;

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

/// How strokes are laid over what is there, and so what the light of a canvas is measured in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blend {
    /// Translucent paint in sRGB codes.
    Codes,
    /// Translucent paint in linear light.
    Over,
    /// Linear light added to light.
    Add,
}

impl Blend {
    /// What a channel of the background in linear light, from 0 to 1, is under the light: for paint the light itself, or its
    /// code in [0, 255]; for added light the light that would make it of black.
    fn under(self, linear: f32) -> f32 {
        match self {
            Blend::Codes => srgb(linear) * 255.0,
            Blend::Over => linear,
            Blend::Add => {
                let dark = f64::from(1.0 - linear.min(BRIGHTEST));
                -(log2(dark) * std::f64::consts::LN_2) as f32
            }
        }
    }
}

/// A background beyond this would take endless light.
const BRIGHTEST: f32 = 1.0 - 1e-6;

impl Extent {
    /// Logical px for each px of the map that bloom is made from.
    pub const GLOW_PITCH: f32 = 4.0;

    /// The extent of that map: the same for every scale of a picture.
    pub fn of_glow(&self) -> Extent {
        let side = |device: u32| {
            // Rounding must not add a column where the size is a multiple.
            let logical = f64::from(device) / f64::from(self.scale);
            ((logical / f64::from(Extent::GLOW_PITCH) - 1e-3).ceil() as u32).max(1)
        };
        Extent {
            width: side(self.width),
            height: side(self.height),
            scale: 1.0 / Extent::GLOW_PITCH,
        }
    }
}

/// The segments of one step and how they are stroked.
#[derive(Clone, Copy, Debug)]
pub struct Strokes<'a> {
    /// The step whose motion the segments are. Two `Strokes` of one canvas with the same step hold the same segments.
    pub step: i64,
    /// In logical px, in the order in which they are blended.
    pub segments: &'a Segments,
    /// The place of the segments' plane that is at the canvas's top left, in logical px.
    pub shift: [f32; 2],
    /// Widths in logical px, above 0, at the least and at the most width of an ink; those between lie evenly.
    pub width: [f32; 2],
    /// Opacity of a pixel that a segment of full light covers, from 0; opaque from [`MOST_ALPHA`] on. With [`Blend::Add`] the
    /// light that it gets, of any strength.
    pub alpha: f32,
    /// How they are laid.
    pub blend: Blend,
    /// Whether they also fill the map that bloom is made from; see [`Bloom`]. Only where they are added.
    pub glows: bool,
    /// Turns an ink's code into a color.
    pub palette: &'a Palette,
}

impl Strokes<'_> {
    /// What of the opacity at full light a segment of this light code has.
    pub fn share(light: u8) -> f32 {
        let root = f32::from(light) / 255.0;
        root * root
    }

    /// The width of a segment of this width code, in logical px.
    pub fn width_at(&self, code: u8) -> f32 {
        let [least, most] = self.width;
        least + (most - least) * (f32::from(code) / 255.0)
    }
}

/// Light that lies around light, as in a lens: blurred copies of the map that strokes fill at a quarter of the logical
/// size. They are added before tone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bloom {
    /// Share of the light in the near copy, and in the wide one.
    pub shares: [f32; 2],
    /// Standard deviations of their Gaussians, in logical px.
    pub radii: [f32; 2],
}

/// What lies under the light.
#[derive(Clone, Copy, Debug)]
pub enum Background<'a> {
    /// The same everywhere: straight sRGB codes.
    Flat([u8; 3]),
    /// A map of it.
    Map(&'a Backdrop),
}

/// Linear light at nodes that lie [`Backdrop::PITCH`] logical px apart, from the top left of the picture on; bilinear between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Backdrop {
    /// Nodes in a row, above 0.
    pub columns: usize,
    /// Row by row, in [0, 1).
    pub nodes: Vec<[f32; 3]>,
}

impl Backdrop {
    /// Logical px between two nodes.
    pub const PITCH: f32 = 16.0;

    /// Nodes in each direction that cover a window of logical px.
    pub fn nodes_for(window: [f64; 2]) -> [usize; 2] {
        window.map(|side| (side / f64::from(Backdrop::PITCH)).ceil() as usize + 1)
    }
}

/// Everything that a frame between two whole steps adds to what the canvas holds.
#[derive(Clone, Debug)]
pub struct Frame<'a> {
    /// How much of the pending step is over, in [0, 1); at 0 the frame is exactly what the canvas holds.
    pub fraction: f32,
    /// What the pending step leaves of the light, in (0, 1].
    pub keep: f32,
    /// The segments of the pending step.
    pub pending: Strokes<'a>,
    /// What lies under the light.
    pub background: Background<'a>,
    /// What added light is multiplied by before tone; see [`Canvas`].
    pub exposure: f32,
    /// What added light spreads around itself.
    pub bloom: Option<Bloom>,
    /// The picture that leaves, where two dissolve.
    pub leaving: Option<Leaving<'a>>,
}

/// What a frame adds to the picture that leaves.
#[derive(Clone, Debug)]
pub struct Leaving<'a> {
    /// The same as of the one that comes.
    pub frame: Box<Frame<'a>>,
    /// Its share of the light, in [0, 1].
    pub share: f32,
}

/// A light buffer that fades, takes strokes, and presents frames.
///
/// With `c` the coverage of a pixel by a segment, a stroke blends `color` over the pixel with opacity
/// `1 - (1 - alpha)^c`, in sRGB codes or in linear light; `alpha` counts as at most [`MOST_ALPHA`]. Or it adds `alpha * c` times the color to the
/// pixel, in linear light. Coverage is the product of two terms in device px, the pixel's centre being at
/// distance `d` from the segment's line and at `s` along it, `w` the width and `[0, l]` the segment:
/// across `clamp(w/2 + 1/2 - |d|, 0, min(1, w))`, along `clamp(l - s + 1/2, 0, 1) - clamp(-s + 1/2, 0, 1)`. The second
/// telescopes: a path has the same coverage however it is cut into segments.
pub trait Canvas {
    /// The present size.
    fn extent(&self) -> Extent;

    /// Changes the size and keeps the light: at the same place from the top left where the scale stays, stretched with
    /// the logical pixels where it changes. New area is empty.
    fn resize(&mut self, extent: Extent);

    /// Removes all light, of a picture that leaves, too.
    fn clear(&mut self);

    /// Lets the picture leave that it holds: another one comes, which begins without light. Of two that dissolve, the one that leaves
    /// is forgotten.
    fn part(&mut self);

    /// Does some work on the picture that leaves; nothing where none does.
    fn on_leaving(&mut self, work: &mut dyn FnMut(&mut dyn Canvas));

    /// Forgets the picture that leaves.
    fn join(&mut self);

    /// Takes the light of another canvas of the same size, and of its map for bloom where it has one.
    ///
    /// # Panics
    ///
    /// If `light` has not four floats for each px, or `glow` not as many for each px of [`Extent::of_glow`].
    fn load(&mut self, light: &[f32], glow: Option<&[f32]>);

    /// Multiplies all light by `keep`, in [0, 1]. What falls below 2^-20 becomes exactly 0.
    fn fade(&mut self, keep: f32);

    /// Brings the segments to where they are stroked, which stroking and presenting them do where it has not been done.
    fn upload(&mut self, _strokes: &Strokes) {}

    /// Blends the segments into the light, in their order.
    fn stroke(&mut self, strokes: &Strokes);

    /// Makes the frame ready to be shown. The light itself stays as it is.
    ///
    /// The frame is `keep^fraction` times the light, then the first `fraction` of each pending segment stroked by the
    /// same blend. Then it is laid over the background: what paint lets through of it is seen; added light `L`, bloom
    /// included, makes `bg + (1 - bg) * (1 - exp(-exposure * L))` of it. Of two pictures that dissolve, each is made so, and they are
    /// mixed in linear light. Then dither to 8 bits by [`crate::dither`].
    fn present(&mut self, frame: &Frame);
}
