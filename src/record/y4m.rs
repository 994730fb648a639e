//! Uncompressed video for a pipe: YUV4MPEG2, 4:4:4, BT.709 in limited range.

use std::io::Write;

use super::{Frame, RecordError, Recording, yuv};
use crate::simd::Level;

/// A stream under way into a target, which gets every frame at once.
#[derive(Debug)]
pub struct Y4m<W> {
    target: W,
    size: [u32; 2],
    level: Level,
    planes: Vec<u8>,
    bytes: u64,
}

impl<W: Write + Send> Y4m<W> {
    /// Writes the stream's header; `size` is in px, `fps` a fraction.
    ///
    /// # Errors
    ///
    /// When the target cannot be written.
    pub fn start(
        mut target: W,
        size: [u32; 2],
        fps: [u32; 2],
        level: Level,
    ) -> Result<Y4m<W>, RecordError> {
        let header = header(size, fps);
        target.write_all(header.as_bytes())?;
        Ok(Y4m {
            target,
            size,
            level,
            planes: Vec::new(),
            bytes: header.len() as u64,
        })
    }
}

impl<W: Write + Send> Recording for Y4m<W> {
    fn push(&mut self, frame: Frame) -> Result<(), RecordError> {
        let pixels = match frame {
            Frame::Codes(pixels) if [pixels.width, pixels.height] == self.size => pixels,
            _ => {
                let [width, height] = self.size;
                let message = format!("Y4M takes frames of 8 bits, here {width}x{height}");
                return Err(RecordError::Encoder(message));
            }
        };
        yuv::i444(self.level, pixels, &mut self.planes);
        self.target.write_all(FRAME)?;
        self.target.write_all(&self.planes)?;
        self.bytes += (FRAME.len() + self.planes.len()) as u64;
        Ok(())
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn finish(mut self: Box<Self>) -> Result<u64, RecordError> {
        self.target.flush()?;
        Ok(self.bytes)
    }
}

/// What stands before each frame.
const FRAME: &[u8] = b"FRAME\n";

fn header([width, height]: [u32; 2], [numerator, denominator]: [u32; 2]) -> String {
    format!(
        "YUV4MPEG2 W{width} H{height} F{numerator}:{denominator} Ip A1:1 C444 XCOLORRANGE=LIMITED\n"
    )
}

#[cfg(test)]
mod tests {
    use super::super::{DeepPixels, Pixels};
    use super::*;

    const EXPECTED: &[u8] = b"YUV4MPEG2 W2 H1 F30000:1001 Ip A1:1 C444 XCOLORRANGE=LIMITED\nFRAME\n\x10\xeb\x80\x80\x80\x80";

    const PIXELS: Pixels = Pixels {
        width: 2,
        height: 1,
        rgba: &[0, 0, 0, 255, 255, 255, 255, 255],
    };

    fn start(target: impl Write + Send) -> Result<Box<Y4m<impl Write + Send>>, RecordError> {
        Y4m::start(target, [2, 1], [30000, 1001], Level::BASELINE).map(Box::new)
    }

    #[test]
    fn a_stream_has_a_header_and_three_planes_a_frame() {
        let mut stream = Vec::new();
        let mut recording = start(&mut stream).unwrap();
        recording.push(Frame::Codes(PIXELS)).unwrap();
        recording.push(Frame::Codes(PIXELS)).unwrap();
        let bytes = EXPECTED.len() as u64 + 12;
        assert_eq!(recording.bytes(), bytes);
        assert_eq!(recording.finish().unwrap(), bytes);
        assert_eq!(
            stream,
            [EXPECTED, &EXPECTED[EXPECTED.len() - 12..]].concat()
        );
    }

    #[test]
    fn other_frames_are_refused() {
        let mut stream = Vec::new();
        let mut recording = start(&mut stream).unwrap();
        let bytes = recording.bytes();
        let wide = Pixels {
            width: 1,
            height: 2,
            ..PIXELS
        };
        let deep = DeepPixels {
            width: 2,
            height: 1,
            rgb: &[[0.0; 3]; 2],
        };
        for frame in [Frame::Codes(wide), Frame::Deep(deep)] {
            let error = recording.push(frame).unwrap_err();
            assert_eq!(error.to_string(), "Y4M takes frames of 8 bits, here 2x1");
        }
        assert_eq!(recording.finish().unwrap(), bytes);
    }

    #[test]
    fn a_target_that_takes_no_more_is_an_error() {
        let mut room = [0; 70];
        let error = start(&mut room[..20]).err().unwrap();
        assert!(matches!(error, RecordError::Io(_)), "{error}");
        let mut recording = start(&mut room[..]).unwrap();
        let error = recording.push(Frame::Codes(PIXELS)).unwrap_err();
        assert!(matches!(error, RecordError::Io(_)), "{error}");
        let late = std::io::BufWriter::new(std::fs::File::create("/dev/full").unwrap());
        let error = start(late).unwrap().finish().unwrap_err();
        assert!(matches!(error, RecordError::Io(_)), "{error}");
    }
}
