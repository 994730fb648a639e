//! `eddyline field`: the field's values on a grid, as CSV.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use glam::Vec2;

use super::clock::Clock;
use super::output::{Existing, Whole};
use crate::field::FlowField;
use crate::polynomial::turns_to;
use crate::settings::Settings;
use crate::simulation::flow_parameters;
use crate::timeline::Timeline;

/// What to write.
#[derive(Debug)]
pub struct Options {
    /// The look.
    pub settings: Settings,
    /// The file, or `-`.
    pub output: PathBuf,
    /// What happens to a file that is there.
    pub existing: Existing,
    /// The window in logical px.
    pub size: [u32; 2],
    /// Time since the start; the step that it falls in counts.
    pub at: Duration,
    /// Logical px between grid points.
    pub spacing: f64,
}

/// Writes the grid: places in logical px from the top left, noise and color in [0, 1], the angle in radians from +x
/// towards +y, velocities at the places themselves in px per step. Looks that have it add columns: `second`, the other value of
/// vector noise; `stream`, the stream function of curl noise in square px per step; `speed_noise`, what speeds swing with; `births`, the share of
/// the noise of births that is below that here.
///
/// # Errors
///
/// When the file cannot be written.
pub fn run(options: &Options) -> anyhow::Result<()> {
    let file = Whole::create(&options.output, options.existing)?;
    let timeline = Timeline::new(options.settings, options.size.map(f64::from));
    let (step, _) = Clock::at(options.at).time_of(0);
    // The field that carries the particles on from the state after `step`.
    let moment = timeline.at(step + 1);
    let field = FlowField::new(moment.settings.seed(), flow_parameters(&moment));
    file.write(|file| write_grid(file, &field, options))
}

/// A column that only some looks have.
type Column = (&'static str, fn(&FlowField, Vec2) -> Option<f32>);

/// All of these, in their order.
const MORE: [Column; 4] = [
    ("second", FlowField::second_at),
    ("stream", FlowField::stream_at),
    ("speed_noise", FlowField::swing_at),
    ("births", FlowField::births_share_at),
];

fn write_grid(file: &mut dyn Write, field: &FlowField, options: &Options) -> io::Result<()> {
    let mut more = MORE.to_vec();
    more.retain(|(_, value)| value(field, Vec2::ZERO).is_some());
    write!(file, "x,y,noise,angle,vx,vy,color")?;
    for (name, _) in &more {
        write!(file, ",{name}")?;
    }
    writeln!(file)?;
    let points = |side: u32| {
        (0..)
            .map(|index| f64::from(index) * options.spacing)
            .take_while(move |&x| x < f64::from(side))
    };
    let mut velocities = Vec::new();
    for y in points(options.size[1]) {
        let places: Vec<Vec2> = points(options.size[0])
            .map(|x| Vec2::new(x as f32, y as f32))
            .collect();
        velocities.resize(places.len(), [0.0; 2]);
        field.currents(&places, &mut velocities);
        for ((x, &place), &velocity) in points(options.size[0]).zip(&places).zip(&velocities) {
            let [vx, vy] = velocity.map(f64::from);
            let heading = field
                .noise_heading_at(place)
                .map_or_else(|| turns_to([vx, vy]).rem_euclid(1.0), f64::from);
            let values = [
                x,
                y,
                field.noise_at(place).into(),
                heading * std::f64::consts::TAU,
                vx,
                vy,
                field.color_at(place).into(),
            ];
            write!(file, "{}", values.map(significant).join(","))?;
            for value in more.iter().filter_map(|(_, value)| value(field, place)) {
                write!(file, ",{}", significant(value.into()))?;
            }
            writeln!(file)?;
        }
    }
    Ok(())
}

/// Nine significant digits, which tell every f32 from its neighbours.
fn significant(number: f64) -> String {
    let scientific = format!("{number:.8e}");
    let exponent = scientific
        .split_once('e')
        .and_then(|(_, exponent)| exponent.parse().ok())
        .unwrap_or(0);
    if (-5..9).contains(&exponent) {
        format!("{number:.*}", (8 - exponent) as usize)
    } else {
        scientific
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_nine_significant_digits() {
        assert_eq!(significant(0.0), "0.00000000");
        assert_eq!(significant(1234.5), "1234.50000");
        assert_eq!(significant(-0.000_123_456_789_01), "-0.000123456789");
        assert_eq!(significant(0.999_999_999_9), "1.00000000");
        assert_eq!(significant(1.25e-12), "1.25000000e-12");
        assert_eq!(significant(16384.0), "16384.0000");
    }
}
