//! Finished frames into files: one format each. It sees pixels and nothing else.

pub mod png;
pub mod y4m;

/// A finished frame: opaque RGBA, straight sRGB, row by row from the top.
#[derive(Clone, Copy, Debug)]
pub struct Pixels<'a> {
    /// Px.
    pub width: u32,
    /// Px.
    pub height: u32,
    /// Four bytes for each pixel.
    pub rgba: &'a [u8],
}
