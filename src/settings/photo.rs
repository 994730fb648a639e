//! Palettes from pictures: the file is read once, and what stays are stops.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use png::{Decoder, DecodingError, Transformations};

use super::{Setting, Value};
use crate::palette::photo::{dominant, samples, strip};
use crate::palette::{End, FEWEST_STOPS, Gradient, Scheme, Space, Stops};

/// Largest side of a picture in px.
const LARGEST_SIDE: u32 = 1 << 14;

/// Most px of a picture.
const MOST_PIXELS: u64 = 64 << 20;

/// Colors that stand for a picture that is no strip.
const COLORS: usize = 5;

/// A strip has one row, or this width and at most this height.
const STRIP: [usize; 2] = [256, 16];

/// A px counts as something from this opacity on.
const OPAQUE: u8 = 128;

/// Why a picture gives no palette; each says which file.
#[derive(Debug, thiserror::Error)]
pub enum PhotoError {
    /// There is no such file, or it cannot be read.
    #[error("palette {}: {source}; allowed is a PNG picture", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A directory, a pipe or a device.
    #[error("palette {}: is no file; allowed is a PNG picture", path.display())]
    NoFile {
        /// What it is called.
        path: PathBuf,
    },
    /// Not a PNG picture, or a broken one.
    #[error("palette {}: damaged, or no PNG picture: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// More than would be sensible.
    #[error(
        "palette {}: {width}x{height}; allowed are {LARGEST_SIDE} px a side and {MOST_PIXELS} px in all",
        path.display()
    )]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// In px.
        width: u32,
        /// In px.
        height: u32,
    },
    /// Nothing in it can be seen.
    #[error("palette {}: all of it is transparent; allowed is a picture with colors", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
}

/// The picture that a value of this setting names, if it names one: a palette's text that ends in `.png`.
pub(super) fn named<'a>(setting: &Setting, text: &'a str) -> Option<&'a Path> {
    let path = Path::new(text.trim());
    let is_picture = path
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("png"));
    (setting.name == "palette" && is_picture).then_some(path)
}

/// The palette of a picture: a strip from left to right, by its middle row, or the colors that stand for any other, from dark to
/// light.
///
/// # Errors
///
/// When there is no such file, it is no PNG picture or a broken one, too large, or empty.
pub(super) fn read(path: &Path) -> Result<Value, PhotoError> {
    let colors = colors(path)?;
    let stops = match colors.as_slice() {
        [] => None,
        [only] => Stops::new(&[*only; FEWEST_STOPS]),
        colors => Stops::new(colors),
    };
    let stops = stops.ok_or_else(|| PhotoError::Empty {
        path: path.to_owned(),
    })?;
    Ok(Value::Palette(Scheme::Gradient(Gradient {
        stops,
        space: Space::Oklab,
        end: End::Open,
    })))
}

fn colors(path: &Path) -> Result<Vec<[u8; 3]>, PhotoError> {
    let unreadable = |source| PhotoError::Unreadable {
        path: path.to_owned(),
        source,
    };
    // Opening a pipe would wait for whoever writes to it.
    if !std::fs::metadata(path).map_err(unreadable)?.is_file() {
        return Err(PhotoError::NoFile {
            path: path.to_owned(),
        });
    }
    let file = BufReader::new(File::open(path).map_err(unreadable)?);
    let damaged = |error: DecodingError| PhotoError::Damaged {
        path: path.to_owned(),
        what: error.to_string().replace('\n', ", "),
    };
    let mut decoder = Decoder::new(file);
    decoder.set_transformations(Transformations::normalize_to_color8());
    let header = decoder.read_header_info().map_err(damaged)?;
    let (width, height) = (header.width, header.height);
    let pixels = u64::from(width) * u64::from(height);
    if width.max(height) > LARGEST_SIDE || pixels > MOST_PIXELS {
        return Err(PhotoError::TooLarge {
            path: path.to_owned(),
            width,
            height,
        });
    }
    let mut reader = decoder.read_info().map_err(damaged)?;
    let size = reader.output_buffer_size().unwrap_or(0);
    // At most four bytes for each px, of which few are looked at.
    let mut bytes = vec![0; size];
    let shown = reader.next_frame(&mut bytes).map_err(damaged)?;
    let picture = Picture {
        width: shown.width as usize,
        height: shown.height as usize,
        channels: shown.color_type.samples(),
        bytes: &bytes,
    };
    Ok(picture.colors())
}

/// A decoded picture: 8 bits for each of one to four channels, the last of two or four being opacity.
struct Picture<'a> {
    width: usize,
    height: usize,
    channels: usize,
    bytes: &'a [u8],
}

impl Picture<'_> {
    fn colors(&self) -> Vec<[u8; 3]> {
        let pixel = |index: usize| self.pixel(index);
        let is_strip =
            self.height == 1 || (self.width == STRIP[0] && (1..=STRIP[1]).contains(&self.height));
        if is_strip {
            let begin = self.height / 2 * self.width;
            let row = (begin..begin + self.width).map(pixel);
            return strip(&row.map(|(color, _)| color).collect::<Vec<_>>());
        }
        let seen: Vec<[u8; 3]> = samples(self.width * self.height)
            .map(pixel)
            .filter(|(_, opacity)| *opacity >= OPAQUE)
            .map(|(color, _)| color)
            .collect();
        dominant(&seen, COLORS)
    }

    /// Color and opacity.
    fn pixel(&self, index: usize) -> ([u8; 3], u8) {
        let bytes = &self.bytes[index * self.channels..][..self.channels];
        match *bytes {
            [red, green, blue] => ([red, green, blue], u8::MAX),
            [red, green, blue, opacity] => ([red, green, blue], opacity),
            [grey, opacity] => ([grey; 3], opacity),
            _ => ([bytes[0]; 3], u8::MAX),
        }
    }
}

#[cfg(test)]
mod tests;
