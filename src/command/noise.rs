//! `eddyline noise`: a picture of the field itself, or of its noise along a line.

use std::path::PathBuf;
use std::time::Duration;

use super::clock::Clock;
use super::output::{Existing, Whole};
use super::render::check_memory;
use crate::chart::{Aspect, CELLS, Chart, Profile, legend, map};
use crate::field::{FlowField, FlowParameters};
use crate::noise::Time;
use crate::picture::palette;
use crate::pool::Pool;
use crate::record::{Frame, Pixels, png};
use crate::settings::{NoiseShape, Settings, setting};
use crate::sheet::Sheet;
use crate::simulation::flow_parameters;
use crate::take::beginning;
use crate::timeline::Timeline;

/// Bytes for each px of a picture: its own, and as much for what it is packed into.
const BYTES: u64 = 8;

/// Units of noise time in a cell: 2^64.
const CELL: f64 = 18_446_744_073_709_551_616.0;

/// What a picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// A map.
    Map(Aspect),
    /// The noise along a line.
    Curve,
}

/// What to write.
#[derive(Debug)]
pub struct Options {
    /// The look.
    pub settings: Settings,
    /// The file, or `-`.
    pub output: PathBuf,
    /// What happens to a file that is there.
    pub existing: Existing,
    /// The window in logical px, each of which is a px.
    pub size: [u32; 2],
    /// What is shown.
    pub view: View,
    /// Whether a legend says what colors mean.
    pub has_legend: bool,
    /// Time since the start; the step that it falls in counts.
    pub at: Duration,
    /// The noise time in cells, where it is not that of the step.
    pub slice: Option<f64>,
    /// Threads to work with; 0 for one per processor.
    pub threads: usize,
}

/// Writes the picture as PNG.
///
/// # Errors
///
/// When the file cannot be written, memory does not suffice, or threads cannot be started.
pub fn run(options: &Options) -> anyhow::Result<()> {
    let file = Whole::create(&options.output, options.existing)?;
    let [width, height] = options.size;
    check_memory(options.size, u64::from(width) * u64::from(height) * BYTES)?;
    let pool = Pool::new(options.threads)?;
    let timeline = Timeline::new(options.settings, options.size.map(f64::from));
    let (step, _) = Clock::at(options.at).time_of(0);
    // As `field`: what carries the particles on from the state after `step`.
    let moment = timeline.at(step + 1);
    let mut parameters = flow_parameters(&moment);
    if let Some(cells) = options.slice {
        parameters.time = Time::Line((cells * CELL) as i128);
    }
    let settings = &moment.settings;
    let sheet = match options.view {
        View::Map(aspect) => {
            let field = FlowField::new(settings.seed(), parameters);
            let window = options.size.map(|side| side as f32);
            let chart = Chart::new(&field, aspect, window, &palette(settings));
            let mut sheet = map(&chart, options.size, &pool);
            if options.has_legend {
                legend(&chart, &mut sheet);
            }
            sheet
        }
        View::Curve => profile(settings, &parameters, options.size).plot(options.size),
    };
    let take = beginning(&timeline.into(), None, step);
    file.write(|file| png::save(file, frame(&sheet), None, &take))
}

fn frame(sheet: &Sheet) -> Frame<'_> {
    let [width, height] = sheet.size();
    Frame::Codes(Pixels {
        width,
        height,
        rgba: sheet.pixels(),
    })
}

/// The noise along a line through the middle of the window.
fn profile(settings: &Settings, parameters: &FlowParameters, size: [u32; 2]) -> Profile {
    let placement = parameters.flow;
    let [x, y] =
        [0, 1].map(|axis| placement.origin[axis] + size[axis] as f32 / 2.0 * placement.scale);
    Profile {
        recipe: parameters.recipe,
        seed: settings.seed(),
        time: parameters.time,
        start: [x - CELLS as f32 / 2.0, y],
        title: title(settings),
    }
}

/// How the noise is made, in the words of the settings.
fn title(settings: &Settings) -> String {
    let value = |name: &str| {
        let row = setting(name).expect("it is in the table");
        row.value(settings).brief()
    };
    let mut parts = vec![value("noise")];
    match settings.octaves() {
        1 => parts.push("one octave".to_owned()),
        count => parts.push(format!(
            "{count} octaves, gain {}, lacunarity {}",
            value("gain"),
            value("lacunarity")
        )),
    }
    match settings.shape() {
        NoiseShape::Plain => (),
        NoiseShape::Ridged | NoiseShape::Billow => parts.push(value("shape")),
        NoiseShape::Power | NoiseShape::Sine => {
            parts.push(format!("{} {}", value("shape"), value("sharpness")));
        }
    }
    if settings.warp() != 0.0 {
        parts.push(format!("warp {}", value("warp")));
    }
    parts.join(", ")
}
