//! What a file says of itself in a box of ours, which both of its `moov` boxes hold.

use super::boxes;

/// Whose the box is.
const OURS: [u8; 16] = *b"\xed\xd7\x11\x4e\x9c\x52\x4b\x0a\x8f\x31\x68\x65\x61\x64\x65\x72";

/// The first number in the box: which arrangement of the file this is.
const FORMAT: u32 = 1;

/// The number of frames of a file under way.
const UNKNOWN: u64 = u64::MAX;

/// All that is known before the first frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Px, 1 to 65535.
    pub width: u32,
    /// Px, 1 to 65535.
    pub height: u32,
    /// Frames in so many seconds, a fraction of positive numbers: `[24000, 1001]`.
    pub fps: [u32; 2],
    /// Frames in a group of pictures, of which the last may have fewer.
    pub gop: u32,
    /// The sequence parameter set, from its NAL header on, without a start code.
    pub sps: Vec<u8>,
    /// The picture parameter set, likewise.
    pub pps: Vec<u8>,
    /// Which frame of the whole render the file begins with; below 2^63.
    pub first_frame: u64,
    /// What the picture is made from.
    pub take: String,
    /// Equal in files that are parts of one render.
    pub take_hash: u64,
}

impl Header {
    /// What is wrong with it, where something is.
    pub(super) fn fault(&self) -> Option<&'static str> {
        let length = |bytes: &[u8]| u16::try_from(bytes.len()).is_ok();
        let side = 1..=u32::from(u16::MAX);
        if !side.contains(&self.width) || !side.contains(&self.height) {
            Some("a side of a video has 1 to 65535 px")
        } else if self.fps.contains(&0) || self.gop == 0 {
            Some("a video has a rate and groups of at least one frame")
        } else if self.sps.len() < 4 || self.pps.is_empty() {
            Some("a video has parameter sets")
        } else if !length(&self.sps) || !length(&self.pps) {
            Some("a parameter set has at most 65535 bytes")
        } else if self.first_frame >= 1 << 63 || u32::try_from(self.take.len()).is_err() {
            Some("the first frame or the take is out of range")
        } else {
            None
        }
    }
}

/// What the box holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// As it was given.
    pub header: Header,
    /// Of the program that drew the frames.
    pub version: String,
    /// How many there are, in a finished file.
    pub frames: Option<u64>,
}

/// Why a body is no mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoMark {
    /// It is somebody else's box.
    Foreign,
    /// It is ours, in a later arrangement than this program knows.
    Newer,
    /// It is ours, and makes no sense.
    Damaged,
}

impl Mark {
    /// Appends the box.
    pub fn put(&self, out: &mut Vec<u8>) {
        let Header {
            width, height, fps, ..
        } = self.header;
        boxes::put(out, boxes::USER, |out| {
            out.extend(OURS);
            boxes::put_u32s(out, &[FORMAT, width, height, fps[0], fps[1]]);
            boxes::put_u32s(out, &[self.header.gop]);
            let frames = self.frames.unwrap_or(UNKNOWN);
            for number in [self.header.first_frame, self.header.take_hash, frames] {
                out.extend(number.to_be_bytes());
            }
            let version = self.version.as_bytes();
            let take = self.header.take.as_bytes();
            for bytes in [version, &self.header.sps, &self.header.pps, take] {
                // `Header::fault` knows of no longer ones.
                boxes::put_u32s(out, &[bytes.len() as u32]);
                out.extend(bytes);
            }
        });
    }

    /// Reads the body of a user's box.
    ///
    /// # Errors
    ///
    /// When it is no mark of ours, or not as this program writes it.
    pub fn parse(body: &[u8]) -> Result<Mark, NoMark> {
        let mut fields = Fields(body.strip_prefix(&OURS).ok_or(NoMark::Foreign)?);
        match fields.u32() {
            Some(FORMAT) => fields.mark().ok_or(NoMark::Damaged),
            Some(format) if format > FORMAT => Err(NoMark::Newer),
            _ => Err(NoMark::Damaged),
        }
    }
}

/// What is left to read of a body; each read is none where nothing is left.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn mark(&mut self) -> Option<Mark> {
        let [width, height] = [self.u32()?, self.u32()?];
        let fps = [self.u32()?, self.u32()?];
        let gop = self.u32()?;
        let [first_frame, take_hash, frames] = [self.u64()?, self.u64()?, self.u64()?];
        let version = self.text()?;
        let [sps, pps] = [self.bytes()?.to_vec(), self.bytes()?.to_vec()];
        let take = self.text()?;
        let header = Header {
            width,
            height,
            fps,
            gop,
            sps,
            pps,
            first_frame,
            take,
            take_hash,
        };
        let sound = self.0.is_empty() && header.fault().is_none();
        sound.then_some(Mark {
            header,
            version,
            frames: (frames != UNKNOWN).then_some(frames),
        })
    }

    fn array<const COUNT: usize>(&mut self) -> Option<[u8; COUNT]> {
        let (array, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*array)
    }

    fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_be_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_be_bytes)
    }

    fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = self.u32()?;
        let (bytes, rest) = self.0.split_at_checked(length as usize)?;
        self.0 = rest;
        Some(bytes)
    }

    fn text(&mut self) -> Option<String> {
        String::from_utf8(self.bytes()?.to_vec()).ok()
    }
}
