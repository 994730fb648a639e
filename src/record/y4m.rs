//! Uncompressed video for a pipe: YUV4MPEG2, 4:4:4, BT.709 in limited range.
//!
//! Encoders guess the matrix of RGB input, and guess wrong; so the conversion is done here (ITU-R BT.709-6, items 3.2
//! to 3.5).

use std::io::{self, Write};

use super::Pixels;

/// Red, green and blue in luma.
const LUMA: [f32; 3] = [0.2126, 0.7152, 0.0722];

/// Writes the stream's header; `fps` is a fraction.
///
/// # Errors
///
/// When the target cannot be written.
pub fn write_header(target: &mut dyn Write, frame: Pixels, fps: [i128; 2]) -> io::Result<()> {
    let [numerator, denominator] = fps;
    let Pixels { width, height, .. } = frame;
    writeln!(
        target,
        "YUV4MPEG2 W{width} H{height} F{numerator}:{denominator} Ip A1:1 C444 XCOLORRANGE=LIMITED"
    )
}

/// Writes one frame: its three planes.
///
/// # Errors
///
/// When the target cannot be written.
pub fn write_frame(target: &mut dyn Write, frame: Pixels) -> io::Result<()> {
    target.write_all(b"FRAME\n")?;
    let count = frame.rgba.len() / 4;
    let mut planes = vec![0; count * 3];
    let (luma, chroma) = planes.split_at_mut(count);
    let (blue, red) = chroma.split_at_mut(count);
    let outputs = luma.iter_mut().zip(blue).zip(red);
    for (((y, cb), cr), pixel) in outputs.zip(frame.rgba.as_chunks::<4>().0) {
        [*y, *cb, *cr] = ycbcr(*pixel);
    }
    target.write_all(&planes)
}

/// Luma in [16, 235] and chroma in [16, 240], rounded to nearest.
fn ycbcr([red, green, blue, _]: [u8; 4]) -> [u8; 3] {
    let [red, green, blue] = [red, green, blue].map(|code| f32::from(code) / 255.0);
    let luma = LUMA[0] * red + LUMA[1] * green + LUMA[2] * blue;
    let difference = |channel: f32, weight: f32| (channel - luma) / (2.0 * (1.0 - weight));
    let code = |value: f32| (value + 0.5) as u8;
    [
        code(16.0 + 219.0 * luma),
        code(128.0 + 224.0 * difference(blue, LUMA[2])),
        code(128.0 + 224.0 * difference(red, LUMA[0])),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Codes of the standard's 75 % color bars and of black and white.
    #[test]
    fn codes_are_bt709() {
        assert_eq!(ycbcr([0, 0, 0, 255]), [16, 128, 128]);
        assert_eq!(ycbcr([255, 255, 255, 255]), [235, 128, 128]);
        assert_eq!(ycbcr([255, 0, 0, 255]), [63, 102, 240]);
        assert_eq!(ycbcr([0, 255, 0, 255]), [173, 42, 26]);
        assert_eq!(ycbcr([0, 0, 255, 255]), [32, 240, 118]);
    }

    #[test]
    fn a_stream_has_a_header_and_three_planes_a_frame() {
        let rgba = [0, 0, 0, 255, 255, 255, 255, 255];
        let frame = Pixels {
            width: 2,
            height: 1,
            rgba: &rgba,
        };
        let mut stream = Vec::new();
        write_header(&mut stream, frame, [30000, 1001]).unwrap();
        write_frame(&mut stream, frame).unwrap();
        let expected = b"YUV4MPEG2 W2 H1 F30000:1001 Ip A1:1 C444 XCOLORRANGE=LIMITED\nFRAME\n\x10\xeb\x80\x80\x80\x80";
        assert_eq!(stream, expected);
    }
}
