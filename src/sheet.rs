//! A sheet of pixels to write and draw on, with one font. It knows nothing of what is drawn.

use std::collections::HashMap;
use std::fmt;

mod line;

pub use line::Arrow;

/// Straight RGBA.
pub type Ink = [u8; 4];

/// Glyphs lie at thirds of a px, so that letters keep their distances.
const THIRDS: i32 = 3;

/// The font, and the glyphs that were used.
pub struct Fonts {
    font: fontdue::Font,
    glyphs: HashMap<(char, u32), Glyph>,
}

/// A glyph of one size: three columns of coverage for each px.
struct Glyph {
    columns: usize,
    coverage: Vec<u8>,
    left: i32,
    /// Of the top row, over the baseline.
    top: i32,
    advance: f32,
}

impl Default for Fonts {
    fn default() -> Fonts {
        Fonts::new()
    }
}

impl Fonts {
    /// Reads the font that comes with the program: Ubuntu Light, under the Ubuntu font licence.
    pub fn new() -> Fonts {
        let font = fontdue::Font::from_bytes(
            epaint_default_fonts::UBUNTU_LIGHT,
            fontdue::FontSettings::default(),
        )
        .expect("the embedded font is a font");
        Fonts {
            font,
            glyphs: HashMap::new(),
        }
    }

    /// The width of a line in px.
    pub fn width(&mut self, text: &str, px: f32) -> f32 {
        self.pens(text, px).1
    }

    /// The beginning of `text` that fits, with an ellipsis where something is left out.
    pub fn fitted(&mut self, text: &str, px: f32, width: f32) -> String {
        if self.width(text, px) <= width {
            return text.to_owned();
        }
        let mut ends: Vec<usize> = text.char_indices().map(|(index, _)| index).collect();
        while let Some(end) = ends.pop() {
            let short = format!("{}…", text[..end].trim_end());
            if self.width(&short, px) <= width {
                return short;
            }
        }
        String::new()
    }

    /// Lines that fit, broken at spaces.
    pub fn wrapped(&mut self, text: &str, px: f32, width: f32) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for word in text.split(' ') {
            match lines.last_mut() {
                Some(line) if self.width(&format!("{line} {word}"), px) <= width => {
                    line.push(' ');
                    line.push_str(word);
                }
                _ => lines.push(word.to_owned()),
            }
        }
        lines
    }

    /// Where each glyph begins, and the width of all.
    fn pens(&mut self, text: &str, px: f32) -> (Vec<(char, f32)>, f32) {
        let (mut pen, mut last) = (0.0, None);
        let mut pens = Vec::new();
        for character in text.chars() {
            let kern = last.and_then(|last| self.font.horizontal_kern(last, character, px));
            pen += kern.unwrap_or(0.0);
            pens.push((character, pen));
            pen += self.glyph(character, px).advance;
            last = Some(character);
        }
        (pens, pen)
    }

    fn glyph(&mut self, character: char, px: f32) -> &Glyph {
        let font = &self.font;
        self.glyphs
            .entry((character, px.to_bits()))
            .or_insert_with(|| {
                let (metrics, coverage) = font.rasterize_subpixel(character, px);
                Glyph {
                    columns: metrics.width * THIRDS as usize,
                    coverage,
                    left: metrics.xmin,
                    top: metrics.ymin + metrics.height as i32,
                    advance: metrics.advance_width,
                }
            })
    }
}

impl fmt::Debug for Fonts {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Fonts({:?})", self.font.name())
    }
}

impl Glyph {
    /// Coverage in [0, 1] of the px at `column`, in thirds from the glyph's left edge; columns outside are empty.
    fn coverage(&self, row: usize, column: i32) -> f32 {
        let row = &self.coverage[row * self.columns..(row + 1) * self.columns];
        let sum: u32 = (column..column + THIRDS)
            .filter_map(|column| row.get(usize::try_from(column).ok()?))
            .map(|&coverage| u32::from(coverage))
            .sum();
        emboldened(sum as f32 / (THIRDS as f32 * 255.0))
    }
}

/// Coverage to the power of 3/4: thin light letters on a dark ground look thinner than they are.
fn emboldened(coverage: f32) -> f32 {
    let root = coverage.sqrt();
    root * root.sqrt()
}

/// Pixels, and where they lie in the view.
#[derive(Debug, Default)]
pub struct Sheet {
    size: [u32; 2],
    place: [i32; 2],
    pixels: Vec<u8>,
}

/// A rectangle in px of a sheet, with round corners.
#[derive(Clone, Copy, Debug)]
pub struct Rectangle {
    /// The left edge.
    pub x: f32,
    /// The top edge.
    pub y: f32,
    /// From left to right.
    pub width: f32,
    /// From top to bottom.
    pub height: f32,
    /// Of the corners.
    pub radius: f32,
}

/// Letters of one size and color.
#[derive(Clone, Copy, Debug)]
pub struct Lettering {
    /// Height of the font in px.
    pub px: f32,
    /// The color.
    pub ink: Ink,
}

impl Sheet {
    /// A transparent sheet.
    pub fn new(size: [u32; 2], place: [i32; 2]) -> Sheet {
        Sheet {
            size,
            place,
            pixels: vec![0; size[0] as usize * size[1] as usize * 4],
        }
    }

    /// Width and height.
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Where the top left lies in the view.
    pub fn place(&self) -> [i32; 2] {
        self.place
    }

    /// Straight RGBA, row by row from the top.
    pub fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    /// The same, to be written.
    pub fn pixels_mut(&mut self) -> &mut [u8] {
        &mut self.pixels
    }

    /// Fills a rectangle, anti-aliased.
    pub fn fill(&mut self, rectangle: Rectangle, ink: Ink) {
        let Rectangle {
            x,
            y,
            width,
            height,
            radius,
        } = rectangle;
        let radius = radius.min(width / 2.0).min(height / 2.0);
        let middle = [x + width / 2.0, y + height / 2.0];
        let inner = [width / 2.0 - radius, height / 2.0 - radius];
        for row in (y.floor() as i32)..(y + height).ceil() as i32 {
            for column in (x.floor() as i32)..(x + width).ceil() as i32 {
                let across = (column as f32 + 0.5 - middle[0]).abs() - inner[0];
                let down = (row as f32 + 0.5 - middle[1]).abs() - inner[1];
                // The distance to the edge, positive outside.
                let outside =
                    length([across.max(0.0), down.max(0.0)]) + across.max(down).min(0.0) - radius;
                self.blend(column, row, ink, (0.5 - outside).clamp(0.0, 1.0));
            }
        }
    }

    /// Writes a line from `x`, on a baseline; returns where it ends.
    pub fn write(
        &mut self,
        fonts: &mut Fonts,
        [x, baseline]: [f32; 2],
        lettering: Lettering,
        text: &str,
    ) -> f32 {
        let (pens, width) = fonts.pens(text, lettering.px);
        let baseline = baseline.round() as i32;
        for (character, pen) in pens {
            let glyph = fonts.glyph(character, lettering.px);
            let thirds = ((x + pen) * THIRDS as f32).round() as i32;
            let (left, shift) = (
                thirds.div_euclid(THIRDS) + glyph.left,
                thirds.rem_euclid(THIRDS),
            );
            let rows = glyph.coverage.len().checked_div(glyph.columns).unwrap_or(0);
            for row in 0..rows {
                // One px more for what is shifted out at the right.
                for column in 0..=glyph.columns as i32 / THIRDS {
                    let coverage = glyph.coverage(row, column * THIRDS - shift);
                    let y = baseline - glyph.top + row as i32;
                    self.blend(left + column, y, lettering.ink, coverage);
                }
            }
        }
        x + width
    }

    /// Lays a color over a px; places outside take nothing.
    fn blend(&mut self, x: i32, y: i32, ink: Ink, coverage: f32) {
        let [width, height] = self.size.map(|side| side as i32);
        if coverage <= 0.0 || !(0..width).contains(&x) || !(0..height).contains(&y) {
            return;
        }
        let start = (y * width + x) as usize * 4;
        let pixel = &mut self.pixels[start..start + 4];
        let over = f32::from(ink[3]) / 255.0 * coverage;
        let under = f32::from(pixel[3]) / 255.0 * (1.0 - over);
        let alpha = over + under;
        for channel in 0..3 {
            let color = f32::from(ink[channel]) * over + f32::from(pixel[channel]) * under;
            pixel[channel] = (color / alpha).round() as u8;
        }
        pixel[3] = (alpha * 255.0).round() as u8;
    }
}

/// The length of a vector, to the same bits everywhere.
fn length([x, y]: [f32; 2]) -> f32 {
    (x * x + y * y).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alpha(sheet: &Sheet, x: usize, y: usize) -> u8 {
        sheet.pixels()[(y * sheet.size()[0] as usize + x) * 4 + 3]
    }

    #[test]
    fn rectangles_cover_their_area_and_have_round_corners() {
        let mut sheet = Sheet::new([20, 20], [0, 0]);
        let rectangle = Rectangle {
            x: 2.0,
            y: 2.0,
            width: 16.0,
            height: 16.0,
            radius: 6.0,
        };
        sheet.fill(rectangle, [10, 20, 30, 255]);
        let sum: f32 = (0..400)
            .map(|index| f32::from(sheet.pixels()[index * 4 + 3]) / 255.0)
            .sum();
        let expected = 256.0 - (4.0 - std::f32::consts::PI) * 36.0;
        assert!((sum - expected).abs() < 2.0, "{sum} {expected}");
        assert_eq!((alpha(&sheet, 2, 2), alpha(&sheet, 10, 2)), (0, 255));
    }

    #[test]
    fn layers_blend_as_over_a_solid_ground() {
        let mut sheet = Sheet::new([1, 1], [0, 0]);
        sheet.blend(0, 0, [200, 100, 0, 128], 1.0);
        sheet.blend(0, 0, [0, 0, 255, 255], 0.5);
        // On black: 200 * .502 * .5 = 50, and 255 * .5.
        let alpha = f32::from(sheet.pixels()[3]) / 255.0;
        let shown: Vec<f32> = (0..3)
            .map(|channel| f32::from(sheet.pixels()[channel]) * alpha)
            .collect();
        for (shown, expected) in shown.iter().zip([50.2, 25.1, 127.5]) {
            assert!((shown - expected).abs() < 1.0, "{shown} {expected}");
        }
    }

    #[test]
    fn lines_are_as_wide_as_measured_and_keep_to_it_when_wrapped() {
        let mut fonts = Fonts::new();
        let text = "Noise cells per pixel: smaller draws broader currents.";
        let lines = fonts.wrapped(text, 14.0, 120.0);
        assert!(lines.len() > 2);
        assert_eq!(lines.join(" "), text);
        for line in &lines {
            assert!(fonts.width(line, 14.0) <= 120.0, "{line}");
        }
        let short = fonts.fitted(text, 14.0, 120.0);
        assert!(short.ends_with('…') && fonts.width(&short, 14.0) <= 120.0);
        let mut sheet = Sheet::new([400, 30], [0, 0]);
        let lettering = Lettering {
            px: 14.0,
            ink: [255; 4],
        };
        let end = sheet.write(&mut fonts, [3.0, 20.0], lettering, text);
        assert!((end - 3.0 - fonts.width(text, 14.0)).abs() < 1e-3);
        let last = (0..400)
            .rev()
            .find(|&x| (0..30).any(|y| alpha(&sheet, x, y) > 40));
        assert!((last.unwrap() as f32 - end).abs() < 4.0);
    }

    /// Checks that what is drawn on a small sheet is the same part of it as on a large one, whose middle the small one is. What is
    /// drawn has to be moved by the place that it is given.
    pub fn assert_cut(mut draw: impl FnMut(&mut Sheet, [f32; 2])) {
        let (mut small, mut large) = (Sheet::new([8, 8], [0, 0]), Sheet::new([48, 48], [0, 0]));
        draw(&mut small, [0.0, 0.0]);
        draw(&mut large, [20.0, 20.0]);
        assert!(small.pixels().iter().any(|&code| code > 0), "nothing drawn");
        for (at, code) in small.pixels().iter().enumerate() {
            let [x, y] = [at / 4 % 8, at / 32];
            let whole = large.pixels()[((y + 20) * 48 + x + 20) * 4 + at % 4];
            assert!(code.abs_diff(whole) <= 2, "({x}, {y}): {code}, not {whole}");
        }
    }

    #[test]
    fn nothing_is_drawn_outside() {
        let mut fonts = Fonts::new();
        let lettering = Lettering {
            px: 12.0,
            ink: [255; 4],
        };
        assert_cut(|sheet, [x, y]| {
            sheet.write(&mut fonts, [x - 5.0, y + 7.0], lettering, "MMM");
        });
        let wide = |x, y| Rectangle {
            x,
            y,
            width: 10.0,
            height: 100.0,
            radius: 0.0,
        };
        // Over the left edge, over the right one, and above and below.
        for left in [-5.0, 4.0] {
            assert_cut(|sheet, [x, y]| sheet.fill(wide(x + left, y - 50.0), [1, 2, 3, 99]));
        }
    }
}
