//! Drawings for pen plotters: SVG 1.1 in mm, one layer for each pen, strokes and nothing else.
//!
//! Lines come in px of a window, which is laid onto the paper less its margin. What they stand for is not known here.

use std::fmt;
use std::io::{self, BufWriter, Write};

use glam::Vec2;

mod route;
mod shape;
mod take;

pub use take::take;

use route::{Point, Polyline};
use shape::Frame;

/// Points per mm: a hundredth of a mm is less than plotters can do.
const POINTS_PER_MM: f64 = 100.0;

/// Shorter lines are left out, in mm: they would be dots.
const SHORTEST: f64 = 0.2;

/// Smallest and largest side of the window, in px.
const WINDOW: [f64; 2] = [1.0, 1e6];

/// Smallest and largest side of the paper, in mm.
const PAPER: [f64; 2] = [10.0, 10_000.0];

/// Widest pen, in mm.
const WIDEST_PEN: f64 = 100.0;

/// A line to be drawn.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// Which pen draws it, in [0, 1]: each pen takes an equal share of the values.
    pub value: f32,
    /// Places in logical px of the window, x to the right and y down. The line breaks where one is not finite.
    pub points: &'a [Vec2],
}

/// The paper, what is laid onto it, and what is written beside it.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// Width and height of the window in logical px, from 1 to 1 000 000.
    pub window: [f64; 2],
    /// Width and height in mm, from 10 to 10 000.
    pub paper: [f64; 2],
    /// What stays empty at each side, in mm.
    pub margin: f64,
    /// Width of the strokes in mm, above 0 and at most 100: for whoever looks at the drawing.
    pub pen_width: f64,
    /// The color of each pen, in sRGB codes; at least one.
    pub pens: &'a [[u8; 3]],
    /// A line that names the drawing.
    pub title: &'a str,
    /// How it was made, for people.
    pub description: &'a str,
    /// How it was made, for [`take`].
    pub take: &'a str,
}

/// Why a page cannot be drawn.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum PageError {
    /// Not a size that is laid onto paper.
    #[error("a window of {0} x {1} px: each side must be from {min} to {max} px", min = WINDOW[0], max = WINDOW[1])]
    Window(f64, f64),
    /// Not a size that is made.
    #[error("paper of {0} x {1} mm: each side must be from {min} to {max} mm", min = PAPER[0], max = PAPER[1])]
    Paper(f64, f64),
    /// Negative, or nothing is left to draw on.
    #[error("a margin of {0} mm: it must be at least 0, and leave at least 1 mm of the paper")]
    Margin(f64),
    /// Not a width.
    #[error("a pen of {0} mm: it must be above 0 and at most {WIDEST_PEN} mm wide")]
    PenWidth(f64),
    /// None to draw with.
    #[error("there must be at least one pen")]
    NoPen,
    /// A character that no XML file can hold.
    #[error("what was performed holds the character {0:?}, which an SVG file cannot hold")]
    Take(char),
}

/// A drawing: lines on paper in the order in which they are drawn.
#[derive(Clone, Debug)]
pub struct Plot<'a> {
    page: Page<'a>,
    /// For each pen.
    layers: Vec<Vec<Polyline>>,
}

/// What a drawing takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// How many lines are drawn.
    pub lines: usize,
    /// How many pens are used.
    pub pens: usize,
    /// The way of the pens on the paper, in m.
    pub ink: f64,
    /// The way of the lifted pens, in m: each pen begins and ends at the paper's top left.
    pub travel: f64,
}

impl<'a> Plot<'a> {
    /// Lays lines onto a page: clipped to the window, simplified to 0.05 mm, and ordered so that each pen goes on with what
    /// begins or ends nearest. Lines of less than 0.2 mm are left out. 8 bytes are kept for each point that is left, and 24 for
    /// each line.
    ///
    /// # Errors
    ///
    /// When the page cannot be drawn.
    pub fn new<'l>(
        page: Page<'a>,
        lines: impl IntoIterator<Item = Line<'l>>,
    ) -> Result<Plot<'a>, PageError> {
        check(&page)?;
        let frame = Frame::new(page.window, page.paper, page.margin);
        let mut layers = vec![Vec::new(); page.pens.len()];
        for line in lines {
            let layer = &mut layers[band(line.value, page.pens.len())];
            frame.lay(line.points, |polyline| {
                if route::length(&polyline) >= SHORTEST * POINTS_PER_MM {
                    layer.push(polyline);
                }
            });
        }
        for layer in &mut layers {
            route::order(layer);
        }
        Ok(Plot { page, layers })
    }

    /// What it takes to draw.
    pub fn figures(&self) -> Figures {
        let sum = |length: fn(&[Polyline]) -> f64| -> f64 {
            let lengths = self.layers.iter().map(|layer| length(layer));
            lengths.sum::<f64>() / (POINTS_PER_MM * 1000.0)
        };
        Figures {
            lines: self.layers.iter().map(Vec::len).sum(),
            pens: self.used().count(),
            ink: sum(|layer| layer.iter().map(|line| route::length(line)).sum()),
            travel: sum(route::travel),
        }
    }

    /// Writes the drawing. Pens that draw nothing have no layer; the others keep their numbers.
    ///
    /// # Errors
    ///
    /// When the target cannot be written.
    pub fn write(&self, target: &mut dyn Write) -> io::Result<()> {
        let mut target = BufWriter::new(target);
        self.write_head(&mut target)?;
        for (number, layer) in self.used() {
            let [red, green, blue] = self.page.pens[number];
            let (pen, width) = (number + 1, self.page.pen_width);
            let color = format!("#{red:02x}{green:02x}{blue:02x}");
            writeln!(
                target,
                r#"<g id="pen{pen}" inkscape:groupmode="layer" inkscape:label="{pen} {color}" fill="none" stroke="{color}" stroke-width="{width}" stroke-linecap="round" stroke-linejoin="round">"#
            )?;
            for line in layer {
                write_line(&mut target, line)?;
            }
            writeln!(target, "</g>")?;
        }
        writeln!(target, "</svg>")?;
        target.flush()
    }

    fn write_head(&self, target: &mut dyn Write) -> io::Result<()> {
        let Page {
            paper: [width, height],
            title,
            description,
            take,
            ..
        } = self.page;
        writeln!(target, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
        writeln!(
            target,
            r#"<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" version="1.1" width="{width}mm" height="{height}mm" viewBox="0 0 {width} {height}">"#
        )?;
        writeln!(target, "<title>{}</title>", take::Escaped(title))?;
        writeln!(target, "<desc>{}</desc>", take::Escaped(description))?;
        take::write(target, take)
    }

    /// The layers that have lines, with the numbers of their pens from 0.
    fn used(&self) -> impl Iterator<Item = (usize, &Vec<Polyline>)> {
        let numbered = self.layers.iter().enumerate();
        numbered.filter(|(_, layer)| !layer.is_empty())
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Figures {
            lines,
            pens,
            ink,
            travel,
        } = self;
        write!(
            f,
            "{lines} {}, {ink:.1} m of ink, {travel:.1} m of travel, {pens} {}",
            if *lines == 1 { "line" } else { "lines" },
            if *pens == 1 { "pen" } else { "pens" },
        )
    }
}

/// The value in the middle of a pen's share, to take its color by; pens count from 0.
pub fn middle(pen: usize, pens: usize) -> f32 {
    (pen as f32 + 0.5) / pens as f32
}

/// The pen whose share `value` lies in; 1 belongs to the last.
fn band(value: f32, pens: usize) -> usize {
    ((f64::from(value) * pens as f64) as usize).min(pens - 1)
}

fn check(page: &Page) -> Result<(), PageError> {
    let is_within = |sides: [f64; 2], [least, most]: [f64; 2]| {
        sides.iter().all(|side| (least..=most).contains(side))
    };
    let [width, height] = page.window;
    if !is_within(page.window, WINDOW) {
        return Err(PageError::Window(width, height));
    }
    let [width, height] = page.paper;
    if !is_within(page.paper, PAPER) {
        return Err(PageError::Paper(width, height));
    }
    if !(0.0..=(width.min(height) - 1.0) / 2.0).contains(&page.margin) {
        return Err(PageError::Margin(page.margin));
    }
    if !(page.pen_width > 0.0 && page.pen_width <= WIDEST_PEN) {
        return Err(PageError::PenWidth(page.pen_width));
    }
    if page.pens.is_empty() {
        return Err(PageError::NoPen);
    }
    match page.take.chars().find(|&letter| !take::is_legal(letter)) {
        Some(letter) => Err(PageError::Take(letter)),
        None => Ok(()),
    }
}

fn write_line(target: &mut dyn Write, line: &[Point]) -> io::Result<()> {
    target.write_all(br#"<polyline points=""#)?;
    for (number, [x, y]) in line.iter().enumerate() {
        let space = if number == 0 { "" } else { " " };
        let [(x, dx), (y, dy)] = [x, y].map(|c| (c / 100, c % 100));
        write!(target, "{space}{x}.{dx:02},{y}.{dy:02}")?;
    }
    writeln!(target, r#""/>"#)
}

#[cfg(test)]
mod tests;
