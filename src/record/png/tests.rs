use super::*;
use crate::record::DeepPixels;
use crate::record::Pixels;

const TAKE: &str = "eddyline-take 1\nseed = 7\n";

fn rgba(width: u32, height: u32) -> Vec<u8> {
    (0..width * height)
        .flat_map(|index| [index as u8, (index / 3) as u8, 255 - index as u8, 255])
        .collect()
}

fn rgb(width: u32, height: u32) -> Vec<[f32; 3]> {
    (0..width * height)
        .map(|index| [index as f32 / 977.0, 0.5, 1.0 - index as f32 / 977.0])
        .collect()
}

/// What a file holds: its pixels' bytes, and all else.
fn decode(file: &[u8]) -> (Vec<u8>, png::Info<'static>) {
    let mut reader = png::Decoder::new(io::Cursor::new(file))
        .read_info()
        .unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut bytes).unwrap();
    (bytes, reader.info().clone())
}

/// A picture written in bands of so many rows.
fn in_bands(frame: Frame, band: usize) -> Vec<u8> {
    let mut file = Vec::new();
    let (depth, [width, height]) = match frame {
        Frame::Codes(pixels) => (Depth::Codes, [pixels.width, pixels.height]),
        Frame::Deep(pixels) => (Depth::Deep, [pixels.width, pixels.height]),
    };
    let mut rows = Rows::begin(&mut file, width, height, depth, Some(300.0), TAKE).unwrap();
    let length = band * width as usize;
    match frame {
        Frame::Codes(pixels) => {
            for rgba in pixels.rgba.chunks(length * 4) {
                let height = (rgba.len() / 4) as u32 / width;
                let band = Pixels {
                    width,
                    height,
                    rgba,
                };
                rows.write(Frame::Codes(band)).unwrap();
            }
        }
        Frame::Deep(pixels) => {
            for rgb in pixels.rgb.chunks(length) {
                let height = rgb.len() as u32 / width;
                let band = DeepPixels { width, height, rgb };
                rows.write(Frame::Deep(band)).unwrap();
            }
        }
    }
    rows.finish().unwrap();
    file
}

#[test]
fn codes_read_back() {
    let rgba = rgba(5, 3);
    let (width, height) = (5, 3);
    let mut file = Vec::new();
    save(
        &mut file,
        Frame::Codes(Pixels {
            width,
            height,
            rgba: &rgba,
        }),
        None,
        "",
    )
    .unwrap();
    let (rgb, info) = decode(&file);
    assert_eq!((info.width, info.height), (5, 3));
    assert_eq!(
        (info.color_type, info.bit_depth),
        (ColorType::Rgb, BitDepth::Eight)
    );
    assert_eq!(info.srgb, Some(SrgbRenderingIntent::Perceptual));
    assert!(info.pixel_dims.is_none());
    assert_eq!(take(io::Cursor::new(&file)).unwrap(), None);
    let expected: Vec<u8> = rgba
        .chunks(4)
        .flat_map(|pixel| pixel[..3].to_vec())
        .collect();
    assert_eq!(rgb, expected);
}

#[test]
fn deep_values_are_rounded_to_sixteen_bits() {
    let values = [
        ([0.0, 1.0, 0.5], [0, 65535, 32768]),
        ([-1.0, 2.0, f32::NAN], [0, 65535, 0]),
        (
            [1.4 / 65535.0, 1.6 / 65535.0, 65534.4 / 65535.0],
            [1, 2, 65534],
        ),
    ];
    let rgb: Vec<[f32; 3]> = values.iter().map(|(value, _)| *value).collect();
    let (width, height) = (3, 1);
    let frame = Frame::Deep(DeepPixels {
        width,
        height,
        rgb: &rgb,
    });
    let mut file = Vec::new();
    save(&mut file, frame, Some(300.0), TAKE).unwrap();
    let (bytes, info) = decode(&file);
    assert_eq!(
        (info.color_type, info.bit_depth),
        (ColorType::Rgb, BitDepth::Sixteen)
    );
    let codes: Vec<u16> = bytes
        .as_chunks()
        .0
        .iter()
        .map(|&code| u16::from_be_bytes(code))
        .collect();
    let expected: Vec<u16> = values.iter().flat_map(|(_, codes)| *codes).collect();
    assert_eq!(codes, expected);
}

#[test]
fn a_picture_knows_its_size_on_paper_and_its_take() {
    let rgba = rgba(5, 3);
    let frame = Frame::Codes(Pixels {
        width: 5,
        height: 3,
        rgba: &rgba,
    });
    for (dpi, density) in [
        (300.0, 11_811),
        (72.0, 2_835),
        (f64::NAN, 1),
        (-1.0, 1),
        (1e300, i32::MAX as u32),
    ] {
        let mut file = Vec::new();
        save(&mut file, frame, Some(dpi), TAKE).unwrap();
        let (_, info) = decode(&file);
        let dimensions = info.pixel_dims.unwrap();
        assert_eq!(
            (dimensions.xppu, dimensions.yppu, dimensions.unit),
            (density, density, Unit::Meter)
        );
        assert_eq!(info.utf8_text[0].keyword, "eddyline");
        assert_eq!(info.utf8_text[0].get_text().unwrap(), TAKE);
        assert_eq!(take(io::Cursor::new(&file)).unwrap().unwrap(), TAKE);
    }
}

#[test]
fn bands_leave_no_trace() {
    let (rgba, rgb) = (rgba(31, 40), rgb(31, 40));
    let (width, height) = (31, 40);
    let codes = Frame::Codes(Pixels {
        width,
        height,
        rgba: &rgba,
    });
    let deep = Frame::Deep(DeepPixels {
        width,
        height,
        rgb: &rgb,
    });
    for frame in [codes, deep] {
        let mut whole = Vec::new();
        save(&mut whole, frame, Some(300.0), TAKE).unwrap();
        for band in [1, 7, 40] {
            assert!(in_bands(frame, band) == whole, "bands of {band} rows");
        }
    }
}

#[test]
fn rows_that_are_not_of_the_picture_are_refused() {
    let (rgba, rgb) = (rgba(5, 4), rgb(5, 4));
    let codes = |width, height| {
        Frame::Codes(Pixels {
            width,
            height,
            rgba: &rgba,
        })
    };
    let deep = Frame::Deep(DeepPixels {
        width: 5,
        height: 4,
        rgb: &rgb,
    });
    for rows in [codes(4, 5), codes(5, 3), codes(5, 5), deep] {
        let begun = Rows::begin(io::sink(), 5, 4, Depth::Codes, None, "");
        let error = begun.unwrap().write(rows).unwrap_err();
        assert_eq!(error.to_string(), "these rows are not of the picture");
    }
    let mut rows = Rows::begin(io::sink(), 5, 4, Depth::Codes, None, "").unwrap();
    rows.write(codes(5, 4)).unwrap();
    assert_eq!(
        rows.write(codes(5, 4)).unwrap_err().kind(),
        ErrorKind::InvalidInput
    );
    let rows = Rows::begin(io::sink(), 5, 4, Depth::Codes, None, "").unwrap();
    assert_eq!(rows.finish().unwrap_err().kind(), ErrorKind::InvalidInput);
    assert!(Rows::begin(io::sink(), 0, 4, Depth::Codes, None, "").is_err());
    assert!(Rows::begin(io::sink(), 5, 0, Depth::Codes, None, "").is_err());
}

/// A target that takes so many bytes and then is full.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(self.0);
        self.0 -= taken;
        if taken == 0 {
            Err(ErrorKind::StorageFull.into())
        } else {
            Ok(taken)
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Wherever the disk becomes full, in the very last byte too.
#[test]
fn a_full_disk_is_told() {
    let rgba = rgba(31, 40);
    let frame = Frame::Codes(Pixels {
        width: 31,
        height: 40,
        rgba: &rgba,
    });
    let mut file = Vec::new();
    save(&mut file, frame, None, TAKE).unwrap();
    for room in 0..file.len() {
        let error = save(Full(room), frame, None, TAKE).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::StorageFull);
    }
    save(Full(file.len()), frame, None, TAKE).unwrap();
}
