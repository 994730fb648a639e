use std::fs;

use png::{BitDepth, ColorType, Encoder};

use super::*;
use crate::settings::preset::Preset;
use crate::settings::{Settings, setting};

const DARK: [u8; 3] = [10, 20, 60];
const MIDDLE: [u8; 3] = [200, 40, 60];
const LIGHT: [u8; 3] = [240, 220, 90];

/// A PNG of that size, its rows one behind the other in `bytes`.
fn picture(size: [u32; 2], color: ColorType, depth: BitDepth, bytes: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, size[0], size[1]);
    encoder.set_color(color);
    encoder.set_depth(depth);
    if color == ColorType::Indexed {
        encoder.set_palette([DARK, MIDDLE, LIGHT].concat());
    }
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(bytes).unwrap();
    writer.finish().unwrap();
    file
}

/// Three upright stripes in 8-bit colors.
fn stripes([width, height]: [u32; 2]) -> Vec<u8> {
    let row: Vec<u8> = (0..width)
        .flat_map(|x| [LIGHT, DARK, MIDDLE][(x * 3 / width) as usize])
        .collect();
    let bytes = row.repeat(height as usize);
    picture([width, height], ColorType::Rgb, BitDepth::Eight, &bytes)
}

/// What `palette = "picture.png"` gives for a file of these bytes, and the error without its folder.
fn palette_of(bytes: &[u8]) -> Result<Scheme, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picture.png");
    fs::write(&path, bytes).unwrap();
    match read(&path) {
        Ok(Value::Palette(scheme)) => Ok(scheme),
        Ok(other) => panic!("{other}"),
        Err(error) => {
            let error = error.to_string();
            assert!(!error.contains('\n'), "{error}");
            let begin = format!("palette {}: ", path.display());
            Err(error.strip_prefix(&begin).expect(&error).to_owned())
        }
    }
}

fn spelled(bytes: &[u8]) -> String {
    palette_of(bytes).unwrap().to_string()
}

#[test]
fn a_picture_becomes_its_colors_from_dark_to_light() {
    let expected = "#0a143c #c8283c #f0dc5a";
    assert_eq!(spelled(&stripes([90, 40])), expected);
    assert_eq!(spelled(&stripes([900, 700])), expected);
    let indexed: Vec<u8> = (0..400).map(|index| index as u8 % 3).collect();
    let indexed = picture([20, 20], ColorType::Indexed, BitDepth::Eight, &indexed);
    assert_eq!(spelled(&indexed), expected);
    let deep: Vec<u8> = [DARK, LIGHT, MIDDLE]
        .repeat(50)
        .concat()
        .into_iter()
        .flat_map(|code| [code, code])
        .collect();
    let deep = picture([15, 10], ColorType::Rgb, BitDepth::Sixteen, &deep);
    assert_eq!(spelled(&deep), expected);
    let bits = picture([16, 2], ColorType::Grayscale, BitDepth::One, &[0xf0; 4]);
    assert_eq!(spelled(&bits), "#000000 #ffffff");
    let one = picture([2, 2], ColorType::Rgb, BitDepth::Eight, &DARK.repeat(4));
    assert_eq!(spelled(&one), "#0a143c #0a143c");
}

#[test]
fn what_is_transparent_does_not_count() {
    let rgba = |opacities: [u8; 3]| {
        let pixels = [DARK, MIDDLE, LIGHT].into_iter().zip(opacities);
        let row: Vec<u8> = pixels.flat_map(|([r, g, b], a)| [r, g, b, a]).collect();
        picture([3, 2], ColorType::Rgba, BitDepth::Eight, &row.repeat(2))
    };
    assert_eq!(spelled(&rgba([255, 127, 128])), "#0a143c #f0dc5a");
    let grey = [0, 255, 90, 3].repeat(2);
    let grey = picture([2, 2], ColorType::GrayscaleAlpha, BitDepth::Eight, &grey);
    assert_eq!(spelled(&grey), "#000000 #000000");
    assert_eq!(
        palette_of(&rgba([0, 127, 5])),
        Err("all of it is transparent; allowed is a picture with colors".to_owned())
    );
}

#[test]
fn a_strip_is_read_from_left_to_right() {
    let row: Vec<u8> = (0..=255).flat_map(|code| [255 - code, code, 9]).collect();
    for height in [1, 2, 7, 16] {
        let mut bytes = vec![0; row.len() * height];
        let middle = height / 2 * row.len();
        bytes[middle..middle + row.len()].copy_from_slice(&row);
        let file = picture(
            [256, height as u32],
            ColorType::Rgb,
            BitDepth::Eight,
            &bytes,
        );
        let Scheme::Gradient(gradient) = palette_of(&file).unwrap() else {
            panic!("no gradient")
        };
        let stops = gradient.stops.colors();
        assert_eq!((stops.len(), stops[0]), (32, [255, 0, 9]));
        assert_eq!((stops[1], stops[31]), ([247, 8, 9], [0, 255, 9]));
    }
    let short = picture(
        [3, 1],
        ColorType::Rgb,
        BitDepth::Eight,
        &[MIDDLE, DARK, LIGHT].concat(),
    );
    assert_eq!(spelled(&short), "#c8283c #0a143c #f0dc5a");
    let high = stripes([256, 17]);
    assert_eq!(spelled(&high), "#0a143c #c8283c #f0dc5a");
}

/// Only the beginning of a picture of that size.
fn header(width: u32, height: u32) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, width, height);
    encoder.set_depth(BitDepth::One);
    drop(encoder.write_header().unwrap());
    file
}

#[test]
fn what_is_no_picture_is_said_in_one_line() {
    let whole = stripes([90, 40]);
    for end in [0, 4, 20, 33, 50, whole.len() - 20] {
        let error = palette_of(&whole[..end]).unwrap_err();
        assert!(error.starts_with("damaged, or no PNG picture: "), "{error}");
    }
    for at in [1, 18, 30, 45, whole.len() / 2] {
        let mut broken = whole.clone();
        broken[at] ^= 0x55;
        let error = palette_of(&broken).unwrap_err();
        assert!(error.starts_with("damaged, or no PNG picture: "), "{error}");
    }
    let error = palette_of(b"\xff\xd8\xff\xe0 a photo of another kind").unwrap_err();
    assert!(error.starts_with("damaged, or no PNG picture: "), "{error}");
    let allowed = "allowed are 16384 px a side and 67108864 px in all";
    for (width, height) in [(16_385, 1), (2, 16_385), (8193, 8192), (1 << 30, 1 << 30)] {
        assert_eq!(
            palette_of(&header(width, height)),
            Err(format!("{width}x{height}; {allowed}"))
        );
    }
    // As large as is allowed, and cut off.
    let error = palette_of(&header(8192, 8192)).unwrap_err();
    assert!(error.starts_with("damaged"), "{error}");
}

#[test]
fn what_is_no_file_is_said_too() {
    let folder = tempfile::tempdir().unwrap();
    let directory = folder.path().join("folder.png");
    fs::create_dir(&directory).unwrap();
    let error = read(&directory).unwrap_err().to_string();
    assert!(
        error.ends_with("folder.png: is no file; allowed is a PNG picture"),
        "{error}"
    );
    let error = read(&folder.path().join("none.png"))
        .unwrap_err()
        .to_string();
    assert!(error.contains("none.png: No such file"), "{error}");
}

#[test]
fn a_preset_finds_pictures_beside_it_and_keeps_their_colors() {
    let folder = tempfile::tempdir().unwrap();
    let preset = folder.path().join("mine.toml");
    fs::create_dir(folder.path().join("colors")).unwrap();
    fs::write(folder.path().join("colors/a.PNG"), stripes([90, 40])).unwrap();
    fs::write(&preset, "palette = \"colors/a.PNG\"\n").unwrap();
    let load = || Preset::load(preset.to_str().unwrap());
    let settings = load().unwrap().settings;
    assert_eq!(settings.palette().to_string(), "#0a143c #c8283c #f0dc5a");
    let whole = folder.path().join("colors/a.PNG");
    fs::write(&preset, format!("palette = '{}'\n", whole.display())).unwrap();
    assert_eq!(load().unwrap().settings, settings);
    fs::write(&preset, "speed = 1\npalette = 'b.png'\n").unwrap();
    let error = load().unwrap_err().to_string();
    let place = format!("{}:2: palette ", preset.display());
    assert!(error.starts_with(&place) && error.contains("b.png: No such file"));
    // The table itself knows no files: a take needs none.
    let row = setting("palette").unwrap();
    assert!(row.parse(whole.to_str().unwrap()).is_err());
    assert_eq!(named(setting("canvas").unwrap(), "a.png"), None);
    assert_eq!(named(row, "water"), None);
    assert_eq!(Settings::default().palette(), Scheme::Hsl);
}
