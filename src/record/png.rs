//! PNG pictures.

use std::io::{self, Write};

use png::{BitDepth, ColorType, Compression, Encoder, EncodingError, SrgbRenderingIntent};

use super::Pixels;

/// Writes a frame as an 8-bit RGB picture in sRGB.
///
/// # Errors
///
/// When the target cannot be written.
pub fn write(target: &mut dyn Write, frame: Pixels) -> io::Result<()> {
    let mut encoder = Encoder::new(target, frame.width, frame.height);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Fast);
    encoder.set_source_srgb(SrgbRenderingIntent::Perceptual);
    let mut writer = encoder.write_header().map_err(cause)?;
    let rgb: Vec<u8> = frame
        .rgba
        .as_chunks::<4>()
        .0
        .iter()
        .flat_map(|&[red, green, blue, _]| [red, green, blue])
        .collect();
    writer.write_image_data(&rgb).map_err(cause)?;
    writer.finish().map_err(cause)
}

/// What the target said; the crate's own conversion loses the kind, by which a closed pipe is known.
fn cause(error: EncodingError) -> io::Error {
    match error {
        EncodingError::IoError(error) => error,
        other => other.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        let rgba: Vec<u8> = (0..5 * 3)
            .flat_map(|index| [index * 17, 255 - index, index, 255])
            .collect();
        let mut file = Vec::new();
        write(
            &mut file,
            Pixels {
                width: 5,
                height: 3,
                rgba: &rgba,
            },
        )
        .unwrap();
        let mut reader = png::Decoder::new(io::Cursor::new(file))
            .read_info()
            .unwrap();
        let mut rgb = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut rgb).unwrap();
        assert_eq!(
            (info.width, info.height, info.color_type),
            (5, 3, ColorType::Rgb)
        );
        assert_eq!(reader.info().srgb, Some(SrgbRenderingIntent::Perceptual));
        let expected: Vec<u8> = rgba
            .chunks(4)
            .flat_map(|pixel| pixel[..3].to_vec())
            .collect();
        assert_eq!(rgb, expected);
    }
}
