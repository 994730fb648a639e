//! A drawing for a pen plotter.

use std::path::Path;

use super::{Options, Stage};
use crate::command::output::Whole;
use crate::picture::palette;
use crate::pool::Pool;
use crate::record::svg::{Line, Page, Plot, middle};
use crate::simulation::paths;

/// The paper and the pens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sheet {
    /// Width and height in mm.
    pub paper: [f64; 2],
    /// What stays empty at each side, in mm.
    pub margin: f64,
    /// How many pens there are, from 1.
    pub pens: usize,
    /// Width of their strokes in mm.
    pub pen_width: f64,
}

/// Draws the paths of all particles that live in frame 0.
///
/// # Errors
///
/// When the paper leaves no room, or the file cannot be written.
pub(super) fn run(
    options: &Options,
    path: &Path,
    pool: &Pool,
    stage: &Stage,
) -> anyhow::Result<()> {
    let file = Whole::create(path, options.existing)?;
    let (step, _) = options.clock.time_of(options.frames.start);
    let moment = options.show.at(step);
    let Sheet {
        paper,
        margin,
        pens,
        pen_width,
    } = options.sheet;
    let palette = palette(&moment.settings);
    let colors: Vec<[u8; 3]> = (0..pens)
        .map(|pen| palette.color(middle(pen, pens)))
        .map(|color| color.map(|channel| (channel * 255.0 + 0.5) as u8))
        .collect();
    let found = paths(options.show.timeline(options.show.act_at(step)), step, pool);
    stage.go_on()?;
    let lines = found.iter().map(|path| Line {
        value: path.color,
        points: &path.points,
    });
    let take = options.take_text();
    let seed = moment.settings.seed();
    let page = Page {
        window: moment.world.window,
        paper,
        margin,
        pen_width,
        pens: &colors,
        title: &format!("eddyline {seed}"),
        description: "Where the threads went, one layer for each pen",
        take: &take,
    };
    let plot = Plot::new(page, lines)?;
    file.write(|file| plot.write(file))?;
    let figures = plot.figures();
    if options.audience == crate::command::progress::Audience::People {
        crate::command::say(&format!("{}: {figures}", path.display()));
    }
    stage.finish(1, std::fs::metadata(path).map_or(0, |file| file.len()));
    Ok(())
}
