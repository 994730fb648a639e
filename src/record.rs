//! Finished frames into files: one format each. It sees pixels and nothing else.

use std::io;

pub mod apng;
pub mod ffmpeg;
pub mod film;
mod frames;
pub mod gif;
pub mod h264;
mod lanes;
pub mod mp4;
pub mod png;
pub mod svg;
pub mod y4m;
pub mod yuv;

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

/// A finished frame before it is rounded to codes: straight sRGB, row by row from the top, not dithered.
#[derive(Clone, Copy, Debug)]
pub struct DeepPixels<'a> {
    /// Px.
    pub width: u32,
    /// Px.
    pub height: u32,
    /// Red, green and blue in [0, 1] for each pixel.
    pub rgb: &'a [[f32; 3]],
}

/// A frame as a format takes it.
#[derive(Clone, Copy, Debug)]
pub enum Frame<'a> {
    /// Dithered to 8 bits.
    Codes(Pixels<'a>),
    /// For formats of more bits.
    Deep(DeepPixels<'a>),
}

/// Which of the two a format takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// [`Frame::Codes`].
    Codes,
    /// [`Frame::Deep`].
    Deep,
}

/// A file of many frames under way. Dropped without [`Recording::finish`], it leaves what a kill would leave.
pub trait Recording: Send {
    /// What frames have to be.
    fn depth(&self) -> Depth {
        Depth::Codes
    }

    /// Takes the next frame, all of one size; waits while what encodes is behind.
    ///
    /// # Errors
    ///
    /// When the file cannot be written, of this frame or of an earlier one.
    fn push(&mut self, frame: Frame) -> Result<(), RecordError>;

    /// Takes a line of the take that belongs to the frames that come next, for formats that keep them where they happen.
    fn note(&mut self, _line: &str) {}

    /// Bytes that have been written so far; 0 until there is something that can be played.
    fn bytes(&self) -> u64;

    /// Writes what is left; returns how many bytes the file has.
    ///
    /// # Errors
    ///
    /// When the file cannot be written, or does not hold every frame that was pushed.
    fn finish(self: Box<Self>) -> Result<u64, RecordError>;
}

/// Why a recording failed; whoever named the file names it in the message.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// What the system says.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// What an encoder says, and what to do about it, in one line.
    #[error("{0}")]
    Encoder(String),
}

impl From<h264::H264Error> for RecordError {
    fn from(error: h264::H264Error) -> RecordError {
        RecordError::Encoder(error.to_string())
    }
}
