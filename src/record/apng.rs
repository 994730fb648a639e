//! Animated PNG: every pixel as it is, 8 bits deep (PNG specification, third edition, section 11.3.6).
//!
//! Of each frame only the rectangle that has changed is written. How many frames there are stands near the beginning and
//! is put right behind each frame, so that the file of a program that was killed plays all its whole frames.

use std::io::{self, Seek, SeekFrom, Write};

use png::{BitDepth, ColorType, Compression, Encoder};

use super::frames::{self, Rectangle};
use super::lanes::Lanes;
use super::png::{chunk, text};
use super::{Frame, Pixels, RecordError, Recording};

/// An animated PNG under way.
pub struct Apng<W> {
    file: Animation<W>,
    lanes: Lanes<Piece, io::Result<Vec<u8>>>,
    size: [u32; 2],
    delay: [u16; 2],
    /// Frames that were pushed.
    pushed: u32,
    /// The last of them.
    before: Vec<u8>,
}

/// What is written.
struct Animation<W> {
    target: W,
    bytes: u64,
    /// Frames in the file.
    frames: u32,
    /// How often it plays.
    plays: u32,
    /// Where the number of frames stands.
    control: u64,
    /// How the frames are made.
    take: String,
}

/// What has changed in a frame.
struct Piece {
    number: u32,
    place: Rectangle,
    delay: [u16; 2],
    /// Three bytes for each pixel.
    rgb: Vec<u8>,
}

impl<W: Write + Seek> Apng<W> {
    /// Begins a film of `width` by `height` px at `fps`, a fraction, which plays `plays` times, 0 for ever. `jobs` threads
    /// encode; the file does not depend on how many. Memory holds one frame, and at most `jobs` + 2 on their way.
    ///
    /// Nothing is written before the first frame.
    ///
    /// # Errors
    ///
    /// When the frames are empty or too large, or the system cannot start threads.
    pub fn begin(
        target: W,
        [width, height]: [u32; 2],
        fps: [u32; 2],
        plays: u32,
        take: &str,
        jobs: usize,
    ) -> Result<Apng<W>, RecordError> {
        let bytes = (3 * u64::from(width) + 1).saturating_mul(u64::from(height));
        // What does not compress is stored, which takes a little more.
        if width == 0 || height == 0 || bytes > u64::from(chunk::LONGEST / 2) {
            return Err(RecordError::Encoder(format!(
                "{width}x{height}: an animated PNG cannot be of this size"
            )));
        }
        Ok(Apng {
            file: Animation {
                target,
                bytes: 0,
                frames: 0,
                plays,
                control: 0,
                take: take.to_owned(),
            },
            lanes: Lanes::new(jobs, |piece| encode(&piece))?,
            size: [width, height],
            delay: delay(fps),
            pushed: 0,
            before: Vec::new(),
        })
    }
}

impl<W: Write + Seek + Send> Recording for Apng<W> {
    fn push(&mut self, frame: Frame) -> Result<(), RecordError> {
        let pixels = frames::codes(frame, self.size)?;
        // Two chunks of a frame have a number each, of 31 bits.
        if self.pushed > chunk::LONGEST / 2 {
            let what = "an animated PNG cannot hold more frames";
            return Err(RecordError::Encoder(what.to_owned()));
        }
        let place = if self.pushed == 0 {
            self.file.begin(self.size)?;
            self.before = pixels.rgba.to_vec();
            let [width, height] = self.size.map(|side| side as usize);
            Rectangle {
                x: 0,
                y: 0,
                width,
                height,
            }
        } else {
            let place = changed(&self.before, pixels);
            self.before.copy_from_slice(pixels.rgba);
            place
        };
        let piece = Piece {
            number: self.pushed,
            place,
            delay: self.delay,
            rgb: cut(pixels, place),
        };
        self.pushed += 1;
        let file = &mut self.file;
        self.lanes.push(piece, |encoded| file.add(&encoded?))
    }

    fn bytes(&self) -> u64 {
        self.file.bytes
    }

    fn finish(mut self: Box<Self>) -> Result<u64, RecordError> {
        let file = &mut self.file;
        self.lanes.finish(|encoded| file.add(&encoded?))?;
        if file.frames > 0 {
            let mut end = Vec::new();
            chunk::write(&mut end, *b"IEND", &[])?;
            file.write(&end)?;
        }
        file.target.flush()?;
        Ok(file.bytes)
    }
}

impl<W: Write + Seek> Animation<W> {
    /// Writes all that stands before the first frame.
    fn begin(&mut self, [width, height]: [u32; 2]) -> Result<(), RecordError> {
        let mut head = chunk::SIGNATURE.to_vec();
        // 8 bits of red, green and blue.
        let form = [8, 2, 0, 0, 0];
        let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &form];
        chunk::write(&mut head, *b"IHDR", &header)?;
        // With perceptual intent.
        chunk::write(&mut head, *b"sRGB", &[&[0]])?;
        let start = self.target.stream_position()?;
        self.control = start + head.len() as u64;
        head.extend(self.control(1)?);
        self.write(&head)
    }

    /// Writes a frame, then how many there are.
    fn add(&mut self, frame: &[u8]) -> Result<(), RecordError> {
        self.write(frame)?;
        self.frames += 1;
        if self.frames == 1 {
            // Who looks at the first 2 KB to find out what a file is must find an animation's first frame there.
            let mut text = Vec::new();
            text::write(&mut text, &self.take)?;
            self.write(&text)?;
        }
        if self.frames > 1 {
            let control = self.control(self.frames)?;
            let end = self.target.stream_position()?;
            self.target.seek(SeekFrom::Start(self.control))?;
            self.target.write_all(&control)?;
            self.target.seek(SeekFrom::Start(end))?;
        }
        Ok(())
    }

    fn control(&self, frames: u32) -> io::Result<Vec<u8>> {
        let mut control = Vec::new();
        let data = [&frames.to_be_bytes()[..], &self.plays.to_be_bytes()];
        chunk::write(&mut control, *b"acTL", &data)?;
        Ok(control)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), RecordError> {
        self.target.write_all(bytes)?;
        self.bytes += bytes.len() as u64;
        Ok(())
    }
}

/// Where a frame differs from the one before it.
fn changed(before: &[u8], frame: Pixels) -> Rectangle {
    let length = frame.width as usize * 4;
    let rows = before
        .chunks_exact(length)
        .zip(frame.rgba.chunks_exact(length));
    Rectangle::around(rows.map(|(before, row)| {
        // Whole rows are compared many bytes at a time.
        if before == row {
            return None;
        }
        let mut pixels = before.as_chunks::<4>().0.iter().zip(row.as_chunks::<4>().0);
        let first = pixels.clone().position(|(before, now)| before != now)?;
        let last = pixels.rposition(|(before, now)| before != now)?;
        Some([first, last])
    }))
}

/// Red, green and blue of a part of a frame.
fn cut(frame: Pixels, place: Rectangle) -> Vec<u8> {
    let Rectangle {
        x,
        y,
        width,
        height,
    } = place;
    let mut rgb = vec![0; width * height * 3];
    let rows = frame.rgba.chunks_exact(frame.width as usize * 4);
    for (target, row) in rgb.chunks_exact_mut(width * 3).zip(rows.skip(y)) {
        let pixels = &row.as_chunks::<4>().0[x..x + width];
        for (target, &[red, green, blue, _]) in target.as_chunks_mut().0.iter_mut().zip(pixels) {
            *target = [red, green, blue];
        }
    }
    rgb
}

/// A frame's chunks.
fn encode(piece: &Piece) -> io::Result<Vec<u8>> {
    let Rectangle {
        x,
        y,
        width,
        height,
    } = piece.place;
    let mut still = Vec::with_capacity(piece.rgb.len() / 2);
    let mut encoder = Encoder::new(&mut still, width as u32, height as u32);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Fast);
    encoder.write_header()?.write_image_data(&piece.rgb)?;
    let picture = picture_of(&still)?;

    let sequence = (2 * piece.number).saturating_sub(1);
    let mut control = Vec::with_capacity(26);
    for number in [sequence, width as u32, height as u32, x as u32, y as u32] {
        control.extend(number.to_be_bytes());
    }
    for number in piece.delay {
        control.extend(number.to_be_bytes());
    }
    // The frame stays, and replaces what it covers.
    control.extend([0, 0]);
    let mut frame = Vec::with_capacity(picture.len() + 64);
    chunk::write(&mut frame, *b"fcTL", &[&control])?;
    if piece.number == 0 {
        chunk::write(&mut frame, *b"IDAT", &[picture])?;
    } else {
        let sequence = (2 * piece.number).to_be_bytes();
        chunk::write(&mut frame, *b"fdAT", &[&sequence, picture])?;
    }
    Ok(frame)
}

/// The compressed picture in a PNG file of one chunk of picture.
fn picture_of(still: &[u8]) -> io::Result<&[u8]> {
    let mut rest = &still[chunk::SIGNATURE.len()..];
    while let Some((length, kind)) = chunk::next(&mut rest)? {
        let (data, others) = rest.split_at(length as usize);
        if kind == *b"IDAT" {
            return Ok(data);
        }
        rest = &others[4..];
    }
    Err(io::Error::other("an encoded frame holds no picture"))
}

/// How long a frame is shown, as a fraction of a second: exactly one frame of `fps`, or the nearest that 16 bits can say.
fn delay([frames, seconds]: [u32; 2]) -> [u16; 2] {
    let [frames, seconds] = [frames, seconds].map(|number| u128::from(number.max(1)));
    let most = u128::from(u16::MAX);
    let candidates = (1..=most).map(|below| {
        let above = ((seconds * below + frames / 2) / frames).clamp(1, most);
        // Off by this over `frames * below`.
        let off = (above * frames).abs_diff(seconds * below);
        (off, below, above)
    });
    let nearest = candidates.min_by(|a, b| {
        let [a_off, b_off] = [a.0 * b.1, b.0 * a.1];
        a_off.cmp(&b_off)
    });
    let (_, below, above) = nearest.expect("there is more than one candidate");
    [above as u16, below as u16]
}

#[cfg(test)]
mod tests;
