//! H.264 video (ITU-R H.264), one group of pictures at a time.
//!
//! Every group begins with a picture that needs no other and has an encoder of its own. So groups can be encoded at once
//! on several threads, and on several machines, to the same bytes.

use rusty_h264_common::{Profile, YuvPlanes};
use rusty_h264_encoder::{EncodeError, Encoder, EncoderConfig, Preset};

/// How coarsely pictures are rounded, in steps of the standard from 0 to 51: thin bright lines keep their edges.
const QUANTIZER: u8 = 20;

/// Bytes before each unit of a sample that say how long it is.
const LENGTH: usize = 4;

/// The levels of the standard (table A-1): number, most macroblocks of a picture, most macroblocks in a second. A
/// picture's sides are at most the square root of eight times the former.
const LEVELS: [(u8, u64, u64); 12] = [
    (30, 1_620, 40_500),
    (31, 3_600, 108_000),
    (32, 5_120, 216_000),
    (40, 8_192, 245_760),
    (42, 8_704, 522_240),
    (50, 22_080, 589_824),
    (51, 36_864, 983_040),
    (52, 36_864, 2_073_600),
    (60, 139_264, 4_177_920),
    (61, 139_264, 8_355_840),
    (62, 139_264, 16_711_680),
    (62, 139_264, u64::MAX),
];

/// Why pictures cannot be encoded.
#[derive(Debug, PartialEq, thiserror::Error)]
pub enum H264Error {
    /// Larger than any level allows, or of odd sides.
    #[error(
        "{0}x{1}: H.264 video has even sides and at most 139264 blocks of 16x16 px (8192x4352)"
    )]
    Size(u32, u32),
    /// The encoder refused what the checks above let through.
    #[error("the H.264 encoder failed: {0}")]
    Encoder(EncodeError),
}

/// What all groups of a video share.
#[derive(Clone, Debug)]
pub struct Format {
    config: EncoderConfig,
    /// The sequence parameter set, without a start code.
    sps: Vec<u8>,
    /// The picture parameter set.
    pps: Vec<u8>,
}

impl Format {
    /// The format of pictures of this size, in px, `fps` of them in a second, as a fraction.
    ///
    /// # Errors
    ///
    /// When the size is odd, or larger than the standard allows.
    pub fn new(width: u32, height: u32, fps: [u32; 2]) -> Result<Format, H264Error> {
        let level = level(width, height, fps).ok_or(H264Error::Size(width, height))?;
        let mut config = EncoderConfig::new(width as usize, height as usize);
        config.profile = Profile::High;
        config.preset = Preset::Fast;
        config.level_idc = level;
        config.qp = QUANTIZER;
        config.cabac = false;
        config.num_ref_frames = 1;
        config.bframes = 0;
        config.mbtree = false;
        config.scenecut = 0;
        config.lookahead = 0;
        config.bitrate = 0;
        // Measured on thin bright strokes: these cost a seventh of the time, and without them files are smaller and no worse.
        config.weightp = false;
        config.transform_8x8 = false;
        config.tune_satd_q = 0.0;
        // No picture of a group asks for a second one to begin with.
        config.gop_size = u32::MAX;
        config.min_keyint = u32::MAX;
        let mut format = Format {
            config,
            sps: Vec::new(),
            pps: Vec::new(),
        };
        let black = vec![128; frame_bytes(width, height)];
        let unit = format.encoder()?.encode(&black)?;
        for unit in units(&unit) {
            match unit[0] & 31 {
                SPS => format.sps = unit.to_vec(),
                PPS => format.pps = unit.to_vec(),
                _ => (),
            }
        }
        Ok(format)
    }

    /// The sequence parameter set, without a start code.
    pub fn sps(&self) -> &[u8] {
        &self.sps
    }

    /// The picture parameter set, without a start code.
    pub fn pps(&self) -> &[u8] {
        &self.pps
    }

    /// An encoder for one group of pictures.
    ///
    /// # Errors
    ///
    /// When it cannot be had.
    pub fn group(&self) -> Result<Group, H264Error> {
        self.encoder().map(|encoder| Group {
            encoder,
            samples: Vec::new(),
        })
    }

    fn encoder(&self) -> Result<RawEncoder, H264Error> {
        let encoder = Encoder::new(self.config.clone()).map_err(H264Error::Encoder)?;
        Ok(RawEncoder {
            encoder,
            width: self.config.width,
            height: self.config.height,
        })
    }
}

/// A group of pictures on its way.
pub struct Group {
    encoder: RawEncoder,
    samples: Vec<Vec<u8>>,
}

impl Group {
    /// Encodes the next picture: planes of 8-bit luma, blue and red difference, the last two of half the width and height.
    ///
    /// # Errors
    ///
    /// When the encoder fails.
    pub fn push(&mut self, planes: &[u8]) -> Result<(), H264Error> {
        let bytes = self.encoder.encode(planes)?;
        self.samples.push(sample(&bytes));
        Ok(())
    }

    /// The pictures, in order: units of the standard, each with its length in four bytes before it, and no parameter sets.
    pub fn finish(mut self) -> Vec<Vec<u8>> {
        // Nothing is held back by this configuration; the encoder wants to be asked.
        let rest = self.encoder.encoder.flush();
        if let Some(last) = self.samples.last_mut() {
            last.extend(sample(&rest));
        }
        self.samples
    }
}

struct RawEncoder {
    encoder: Encoder,
    width: usize,
    height: usize,
}

impl RawEncoder {
    fn encode(&mut self, planes: &[u8]) -> Result<Vec<u8>, H264Error> {
        let luma = self.width * self.height;
        let planes = planes
            .split_at_checked(luma)
            .and_then(|(luma_plane, chroma)| {
                let (blue, red) = chroma.split_at_checked(luma / 4)?;
                YuvPlanes::new(
                    self.width,
                    self.height,
                    luma_plane,
                    blue,
                    red,
                    self.width,
                    self.width / 2,
                )
            })
            .ok_or(H264Error::Encoder(EncodeError::FrameMismatch))?;
        self.encoder
            .encode_planes(&planes)
            .map_err(H264Error::Encoder)
    }
}

/// Bytes of the planes of a picture.
pub fn frame_bytes(width: u32, height: u32) -> usize {
    width as usize * height as usize * 3 / 2
}

/// The lowest level that allows pictures of this size and rate; where only the rate is beyond all, the highest.
fn level(width: u32, height: u32, fps: [u32; 2]) -> Option<u8> {
    if width == 0 || height == 0 || width % 2 == 1 || height % 2 == 1 {
        return None;
    }
    let [columns, rows] = [width, height].map(|side| u64::from(side.div_ceil(16)));
    let blocks = columns * rows;
    LEVELS
        .iter()
        .find(|&&(_, most, rate)| {
            let fits = blocks <= most && columns.max(rows).pow(2) <= 8 * most;
            // In 128 bits: the rate of the last row is beyond all.
            let speed = u128::from(blocks) * u128::from(fps[0]);
            fits && speed <= u128::from(rate) * u128::from(fps[1])
        })
        .map(|&(number, ..)| number)
}

/// Kinds of units, in the low five bits of their first byte.
const SPS: u8 = 7;
const PPS: u8 = 8;
const DELIMITER: u8 = 9;

/// The units of a stream in which `00 00 01` stands before each.
fn units(stream: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = after_start(stream);
    std::iter::from_fn(move || {
        let begin = rest?;
        let next = begin.windows(3).position(|bytes| bytes == [0, 0, 1]);
        rest = next.map(|at| &begin[at + 3..]);
        let unit = &begin[..next.unwrap_or(begin.len())];
        // A start code may have more zeros, and no unit ends with one.
        let end = unit.iter().rposition(|&byte| byte != 0);
        Some(end.map_or(&unit[..0], |end| &unit[..=end]))
    })
    .filter(|unit| !unit.is_empty())
}

fn after_start(stream: &[u8]) -> Option<&[u8]> {
    let at = stream.windows(3).position(|bytes| bytes == [0, 0, 1])?;
    Some(&stream[at + 3..])
}

/// The units of one picture as files hold them.
fn sample(stream: &[u8]) -> Vec<u8> {
    let mut sample = Vec::with_capacity(stream.len() + LENGTH);
    for unit in units(stream).filter(|unit| ![SPS, PPS, DELIMITER].contains(&(unit[0] & 31))) {
        sample.extend((unit.len() as u32).to_be_bytes());
        sample.extend(unit);
    }
    sample
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_those_of_the_standard() {
        assert_eq!(level(640, 480, [30, 1]), Some(30));
        assert_eq!(level(1280, 720, [30, 1]), Some(31));
        assert_eq!(level(1280, 720, [60, 1]), Some(32));
        assert_eq!(level(1920, 1080, [30, 1]), Some(40));
        assert_eq!(level(1920, 1080, [60_000, 1001]), Some(42));
        assert_eq!(level(3840, 2160, [30, 1]), Some(51));
        assert_eq!(level(3840, 2160, [60, 1]), Some(52));
        assert_eq!(level(7680, 4320, [60, 1]), Some(61));
        assert_eq!(level(7680, 4320, [1000, 1]), Some(62));
        // Thin ones: at 3.0 a side has at most 113 blocks.
        assert_eq!(level(1808, 16, [1, 1]), Some(30));
        assert_eq!(level(1824, 16, [1, 1]), Some(31));
        for (width, height) in [(0, 2), (3, 2), (2, 3), (8192, 8192), (16_898, 2)] {
            let error = Format::new(width, height, [60, 1]).unwrap_err();
            assert_eq!(error, H264Error::Size(width, height));
        }
    }

    #[test]
    fn streams_are_cut_into_units() {
        let stream = [
            0, 0, 0, 1, 9, 16, 0, 0, 1, 103, 5, 0, 0, 0, 1, 104, 6, 0, 0, 1, 101, 0, 7,
        ];
        let found: Vec<&[u8]> = units(&stream).collect();
        assert_eq!(found, [&[9, 16][..], &[103, 5], &[104, 6], &[101, 0, 7]]);
        assert_eq!(sample(&stream), [0, 0, 0, 3, 101, 0, 7]);
        assert_eq!(
            units(&[]).count() + units(&[0, 0]).count() + units(&[0, 0, 1]).count(),
            0
        );
    }

    #[test]
    fn a_group_has_a_sample_for_each_picture_and_begins_anew() {
        let format = Format::new(64, 48, [60, 1]).unwrap();
        assert_eq!((format.sps()[0] & 31, format.pps()[0] & 31), (SPS, PPS));
        let planes = |shift: usize| -> Vec<u8> {
            (0..frame_bytes(64, 48))
                .map(|at| ((at + shift) % 64 * 3) as u8)
                .collect()
        };
        let group = || {
            let mut group = format.group().unwrap();
            for number in 0..40 {
                group.push(&planes(number)).unwrap();
            }
            group.finish()
        };
        let samples = group();
        assert_eq!(samples.len(), 40);
        let kinds: Vec<u8> = samples.iter().map(|sample| sample[LENGTH] & 31).collect();
        assert_eq!(kinds[0], 5);
        assert!(kinds[1..].iter().all(|&kind| kind == 1));
        assert_eq!(group(), samples);
        assert!(format.group().unwrap().push(&[0; 10]).is_err());
    }
}
