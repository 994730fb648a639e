//! PNG pictures, 8 or 16 bits deep, whole or band by band.

use std::io::{self, ErrorKind, Write};
use std::sync::mpsc::{self, Receiver, Sender};

use png::{
    BitDepth, ColorType, Compression, Encoder, EncodingError, PixelDimensions, SrgbRenderingIntent,
    StreamWriter, Unit,
};

use super::{Depth, Frame};

pub(super) mod chunk;
pub(super) mod text;

pub use text::take;

/// Bytes of compressed picture in a chunk.
const CHUNK: usize = 1 << 18;

/// Metres in an inch.
const INCH: f64 = 0.0254;

/// Writes a frame as an RGB picture in sRGB, of 8 or of 16 bits, with what it was made from.
///
/// `dpi` says how large it is on paper, px per inch; an empty take leaves no trace.
///
/// # Errors
///
/// When the target cannot be written, or the frame has no pixels.
pub fn save(target: impl Write, frame: Frame, dpi: Option<f64>, take: &str) -> io::Result<()> {
    let (depth, [width, height]) = match frame {
        Frame::Codes(pixels) => (Depth::Codes, [pixels.width, pixels.height]),
        Frame::Deep(pixels) => (Depth::Deep, [pixels.width, pixels.height]),
    };
    let mut rows = Rows::begin(target, width, height, depth, dpi, take)?;
    rows.write(frame)?;
    rows.finish()
}

/// A picture that is written band by band, so that it may be larger than memory; the bands leave no trace in the file.
pub struct Rows<W> {
    target: W,
    encoder: StreamWriter<'static, Pipe>,
    /// What the encoder has written.
    encoded: Receiver<Vec<u8>>,
    depth: Depth,
    width: u32,
    /// Rows that are to come.
    missing: u32,
    row: Vec<u8>,
}

/// What the encoder writes to. It never fails: the encoder panics at some failures, and hides others when it is dropped.
struct Pipe(Sender<Vec<u8>>);

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Nobody listens only where the picture was given up.
        let _ = self.0.send(bytes.to_vec());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<W: Write> Rows<W> {
    /// Begins a picture of `width` by `height` px; the rest is as for [`save`].
    ///
    /// # Errors
    ///
    /// When the target cannot be written, or there are no pixels.
    pub fn begin(
        mut target: W,
        width: u32,
        height: u32,
        depth: Depth,
        dpi: Option<f64>,
        take: &str,
    ) -> io::Result<Rows<W>> {
        let (sender, encoded) = mpsc::channel();
        let mut encoder = Encoder::new(Pipe(sender), width, height);
        encoder.set_color(ColorType::Rgb);
        encoder.set_depth(match depth {
            Depth::Codes => BitDepth::Eight,
            Depth::Deep => BitDepth::Sixteen,
        });
        encoder.set_compression(Compression::Fast);
        encoder.set_source_srgb(SrgbRenderingIntent::Perceptual);
        encoder.set_pixel_dims(dpi.map(density));
        let encoder = encoder.write_header().map_err(cause)?;
        hand_on(&encoded, &mut target)?;
        text::write(&mut target, take)?;
        Ok(Rows {
            target,
            encoder: encoder.into_stream_writer_with_size(CHUNK).map_err(cause)?,
            encoded,
            depth,
            width,
            missing: height,
            row: Vec::new(),
        })
    }

    /// Writes the next rows: codes as they are, deep values rounded to nearest without dither, of which 16 bits have no need.
    ///
    /// # Errors
    ///
    /// When the target cannot be written, or the rows are not the picture's.
    pub fn write(&mut self, rows: Frame) -> io::Result<()> {
        let (depth, [width, height], pixels) = match rows {
            Frame::Codes(band) => (Depth::Codes, [band.width, band.height], band.rgba.len() / 4),
            Frame::Deep(band) => (Depth::Deep, [band.width, band.height], band.rgb.len()),
        };
        let whole = pixels as u64 == u64::from(width) * u64::from(height);
        if depth != self.depth || width != self.width || height > self.missing || !whole {
            let what = "these rows are not of the picture";
            return Err(io::Error::new(ErrorKind::InvalidInput, what));
        }
        self.missing -= height;
        for number in 0..height as usize {
            let range = number * width as usize..(number + 1) * width as usize;
            match rows {
                Frame::Codes(band) => self.pack_codes(&band.rgba.as_chunks().0[range]),
                Frame::Deep(band) => self.pack_deep(&band.rgb[range]),
            }
            self.encoder.write_all(&self.row)?;
            hand_on(&self.encoded, &mut self.target)?;
        }
        Ok(())
    }

    fn pack_codes(&mut self, row: &[[u8; 4]]) {
        self.row.resize(row.len() * 3, 0);
        let packed = self.row.as_chunks_mut::<3>().0;
        for (packed, &[red, green, blue, _]) in packed.iter_mut().zip(row) {
            *packed = [red, green, blue];
        }
    }

    fn pack_deep(&mut self, row: &[[f32; 3]]) {
        self.row.resize(row.len() * 6, 0);
        let packed = self.row.as_chunks_mut::<2>().0;
        for (packed, &value) in packed.iter_mut().zip(row.as_flattened()) {
            *packed = code(value).to_be_bytes();
        }
    }

    /// Writes what is left.
    ///
    /// # Errors
    ///
    /// When the target cannot be written, or rows are missing.
    pub fn finish(mut self) -> io::Result<()> {
        self.encoder.finish().map_err(cause)?;
        hand_on(&self.encoded, &mut self.target)?;
        self.target.flush()
    }
}

/// Writes what the encoder has written to the target.
fn hand_on(encoded: &Receiver<Vec<u8>>, target: &mut impl Write) -> io::Result<()> {
    encoded
        .try_iter()
        .try_for_each(|bytes| target.write_all(&bytes))
}

/// 16 bits of a value in [0, 1].
fn code(value: f32) -> u16 {
    (value.clamp(0.0, 1.0) * 65535.0 + 0.5) as u16
}

/// Px per metre, at least 1.
fn density(dpi: f64) -> PixelDimensions {
    let density = (dpi / INCH).round().max(1.0).min(f64::from(i32::MAX)) as u32;
    PixelDimensions {
        xppu: density,
        yppu: density,
        unit: Unit::Meter,
    }
}

/// What the encoder said, which never is that it could not write.
fn cause(error: EncodingError) -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, error.to_string())
}

#[cfg(test)]
mod tests;
