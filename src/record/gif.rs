//! Animated GIF (GIF89a specification): one table of colors, and of each frame only what has changed.
//!
//! The table is chosen from the first frame, with some colors over all of the cube for what may come later. Pixels that
//! stay as they are have an index of their own, so frames are compressed in long runs.

use std::io::{self, ErrorKind, Read, Write};

use gif::{AnyExtension, DisposalMethod, Encoder, EncodingError, Repeat};

use super::frames::{self, Rectangle};
use super::lanes::Lanes;
use super::{Frame, Pixels, RecordError, Recording};

mod colors;
mod lzw;
mod take;

use colors::{Place, nearest, place};
pub use take::take;

/// The delays that viewers keep to, in hundredths of a second: 50, 33.3, 25 and 20 frames in a second.
const DELAYS: [u16; 4] = [2, 3, 4, 5];

/// Colors of the first frame; the others are spread over the cube, and one index is kept.
const OWN: usize = 219;

/// Red and blue, and green of the colors that are spread.
const SPREAD: [&[u8]; 2] = [&[0, 128, 255], &[0, 85, 170, 255]];

/// Pixels that are passed over at once where all stay as they are.
const GROUP: usize = 8;

/// The kind of an extension that is a comment.
const COMMENT: AnyExtension = AnyExtension(0xfe);

/// The delay in hundredths of a second whose rate is nearest to `fps`, a fraction.
pub fn nearest_delay([numerator, denominator]: [u32; 2]) -> u16 {
    let fps = f64::from(numerator) / f64::from(denominator);
    let off = |delay: u16| (100.0 / f64::from(delay) - fps).abs();
    DELAYS
        .into_iter()
        .reduce(|best, delay| if off(delay) < off(best) { delay } else { best })
        .unwrap_or(DELAYS[0])
}

/// A GIF under way.
pub struct Gif<W: Write> {
    target: Target<W>,
    lanes: Lanes<Piece, gif::Frame<'static>>,
    options: Options,
    table: Table,
    /// The indices of the last frame; 0 before the first.
    before: Vec<u8>,
    /// The last frame; not opaque before the first.
    shown: Vec<[u8; 4]>,
}

/// What a GIF is made of.
#[derive(Clone, Debug)]
pub struct Options {
    /// Width and height in px, each from 1 to 65535.
    pub size: [u32; 2],
    /// Hundredths of a second.
    pub delay: u16,
    /// How often it is played; 0 for ever.
    pub plays: u16,
    /// How it was made, as text.
    pub take: String,
    /// Threads that compress, at least 1; they change no byte.
    pub jobs: usize,
}

/// Before the first frame there is no table, and nothing is written.
enum Target<W: Write> {
    Empty(Counted<W>),
    Begun(Encoder<Counted<W>>),
    /// Something failed.
    Lost,
}

/// What has changed in a frame.
struct Piece {
    place: Rectangle,
    delay: u16,
    indices: Vec<u8>,
}

impl<W: Write> Gif<W> {
    /// Begins a GIF. Memory holds a frame and its indices, a table of 16 MB, and at most `jobs` + 2 frames on their way.
    ///
    /// # Errors
    ///
    /// When it is larger than a GIF can be, or the system cannot start threads.
    pub fn begin(target: W, options: Options) -> Result<Gif<W>, RecordError> {
        let [width, height] = options.size;
        if [width, height]
            .iter()
            .any(|side| !(1..=u32::from(u16::MAX)).contains(side))
        {
            return Err(RecordError::Encoder(format!(
                "{width}x{height}: a GIF has at most 65535 px on each side"
            )));
        }
        Ok(Gif {
            target: Target::Empty(Counted { target, bytes: 0 }),
            lanes: Lanes::new(options.jobs, compress)?,
            before: vec![0; width as usize * height as usize],
            shown: vec![[0; 4]; width as usize * height as usize],
            table: Table::default(),
            options,
        })
    }

    /// Writes all that stands before the first frame.
    fn start(&mut self, pixels: Pixels) -> Result<(), RecordError> {
        let Target::Empty(target) = std::mem::replace(&mut self.target, Target::Lost) else {
            return Err(lost());
        };
        self.table = Table::of(pixels);
        let [width, height] = self.options.size.map(|side| side as u16);
        let palette = self.table.palette();
        let mut encoder = Encoder::new(target, width, height, &palette).map_err(cause)?;
        match self.options.plays {
            0 => encoder.set_repeat(Repeat::Infinite).map_err(cause)?,
            1 => (),
            plays => encoder
                .set_repeat(Repeat::Finite(plays - 1))
                .map_err(cause)?,
        }
        let parts: Vec<&[u8]> = self.options.take.as_bytes().chunks(255).collect();
        if !parts.is_empty() {
            encoder
                .write_raw_extension(COMMENT, &parts)
                .map_err(cause)?;
        }
        self.target = Target::Begun(encoder);
        Ok(())
    }

    /// The indices of what has changed since the last frame, which this one becomes.
    fn piece(&mut self, pixels: Pixels) -> Piece {
        let width = pixels.width as usize;
        let colors = pixels.rgba.as_chunks::<4>().0;
        let mut indices = vec![lzw::KEPT; colors.len()];
        let rows = colors
            .chunks(width)
            .zip(self.shown.chunks_mut(width))
            .zip(indices.chunks_mut(width).zip(self.before.chunks_mut(width)));
        let mut ends = Vec::with_capacity(pixels.height as usize);
        for ((colors, shown), (indices, before)) in rows {
            let groups = colors.chunks(GROUP).zip(shown.chunks_mut(GROUP));
            let codes = indices.chunks_mut(GROUP).zip(before.chunks_mut(GROUP));
            for ((colors, shown), (indices, before)) in groups.zip(codes) {
                if colors == shown {
                    continue;
                }
                shown.copy_from_slice(colors);
                for ((&[red, green, blue, _], to), before) in colors.iter().zip(indices).zip(before)
                {
                    let index = self.table.index([red, green, blue]);
                    // No branch: whether a pixel changes cannot be foreseen.
                    *to = if index == *before { lzw::KEPT } else { index };
                    *before = index;
                }
            }
            let first = indices.iter().position(|&index| index != lzw::KEPT);
            let last = indices.iter().rposition(|&index| index != lzw::KEPT);
            let changed = first.zip(last).map(|(first, last)| [first, last]);
            ends.push(changed);
        }
        let place = Rectangle::around(ends.into_iter());
        for row in 0..place.height {
            let from = (place.y + row) * width + place.x;
            indices.copy_within(from..from + place.width, row * place.width);
        }
        indices.truncate(place.width * place.height);
        Piece {
            place,
            delay: self.options.delay,
            indices,
        }
    }
}

impl<W: Write + Send> Recording for Gif<W> {
    fn push(&mut self, frame: Frame) -> Result<(), RecordError> {
        let pixels = frames::codes(frame, self.options.size)?;
        if let Target::Empty(_) = self.target {
            self.start(pixels)?;
        }
        let piece = self.piece(pixels);
        let target = &mut self.target;
        self.lanes.push(piece, |frame| target.add(&frame))
    }

    fn bytes(&self) -> u64 {
        match &self.target {
            Target::Begun(encoder) => encoder.get_ref().bytes,
            _ => 0,
        }
    }

    fn finish(mut self: Box<Self>) -> Result<u64, RecordError> {
        let target = &mut self.target;
        self.lanes.finish(|frame| target.add(&frame))?;
        match std::mem::replace(target, Target::Lost) {
            Target::Empty(_) => Ok(0),
            Target::Begun(encoder) => {
                let mut target = encoder.into_inner().map_err(cause)?;
                target.flush()?;
                Ok(target.bytes)
            }
            Target::Lost => Err(lost()),
        }
    }
}

impl<W: Write> Target<W> {
    fn add(&mut self, frame: &gif::Frame) -> Result<(), RecordError> {
        match self {
            Target::Begun(encoder) => encoder.write_lzw_pre_encoded_frame(frame).map_err(cause),
            _ => Err(lost()),
        }
    }
}

fn compress(piece: Piece) -> gif::Frame<'static> {
    let Piece {
        place,
        delay,
        indices,
    } = piece;
    let mut buffer = vec![lzw::DEPTH];
    buffer.extend(lzw::compress(&indices));
    gif::Frame {
        delay,
        dispose: DisposalMethod::Keep,
        transparent: Some(lzw::KEPT),
        left: place.x as u16,
        top: place.y as u16,
        width: place.width as u16,
        height: place.height as u16,
        buffer: buffer.into(),
        ..gif::Frame::default()
    }
}

fn lost() -> RecordError {
    RecordError::Encoder("an earlier frame could not be written".to_owned())
}

/// What the target said: what is written here is in the format's limits.
fn cause(error: EncodingError) -> RecordError {
    match error {
        EncodingError::Io(error) => error.into(),
        other => RecordError::Encoder(other.to_string()),
    }
}

/// Colors, and which is nearest to any: found out once for each.
#[derive(Default)]
struct Table {
    colors: Vec<[u8; 3]>,
    places: Vec<Place>,
    /// By [`key`]; 0 where it is not known yet.
    indices: Vec<u8>,
}

impl Table {
    fn of(pixels: Pixels) -> Table {
        let mut colors = colors::choose(pixels.rgba.as_chunks::<4>().0, OWN);
        let [sides, greens] = SPREAD;
        for &red in sides {
            for &green in greens {
                colors.extend(sides.iter().map(|&blue| [red, green, blue]));
            }
        }
        Table {
            places: colors
                .iter()
                .map(|color| place(color.map(f32::from)))
                .collect(),
            colors,
            indices: vec![0; 1 << 24],
        }
    }

    /// All colors, three bytes each; the first is never shown.
    fn palette(&self) -> Vec<u8> {
        let shown = self.colors.as_flattened();
        [0; 3].iter().chain(shown).copied().collect()
    }

    /// The index of the color that is nearest.
    fn index(&mut self, color: [u8; 3]) -> u8 {
        let known = &mut self.indices[key(color)];
        if *known == 0 {
            let (number, _) = nearest(&self.places, place(color.map(f32::from)));
            *known = number as u8 + 1;
        }
        *known
    }
}

/// The place of a color in a table: what is seen together lies together, the low bits of all channels last.
fn key(color: [u8; 3]) -> usize {
    let [red, green, blue] = color.map(usize::from);
    let high = (red >> 2) << 12 | (green >> 2) << 6 | blue >> 2;
    high << 6 | (red & 3) << 4 | (green & 3) << 2 | blue & 3
}

/// A target that counts what it takes.
struct Counted<W> {
    target: W,
    bytes: u64,
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.target.write(bytes)?;
        self.bytes += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.target.flush()
    }
}

/// A damaged file, and what is wrong with it.
fn damaged(what: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, what)
}

/// Reads exactly so many bytes.
fn bytes<const COUNT: usize>(source: &mut impl Read) -> io::Result<[u8; COUNT]> {
    let mut bytes = [0; COUNT];
    source
        .read_exact(&mut bytes)
        .map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => damaged("it ends in the middle"),
            _ => error,
        })?;
    Ok(bytes)
}

#[cfg(test)]
mod tests;
