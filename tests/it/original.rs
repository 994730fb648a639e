//! The original demo's own values: the preset `original` is the demo, with neither its ghosts nor its edges.

use eddyline::field::FlowField;
use eddyline::noise::Noise;
use eddyline::simulation::flow_parameters;
use eddyline::timeline::Timeline;
use glam::Vec2;
use serde_json::Value;

use crate::support::preset;

fn values() -> Value {
    serde_json::from_str(include_str!("../data/original-demo.json")).unwrap()
}

/// The rows of a table as numbers.
fn rows<const N: usize>(values: &Value, name: &str) -> Vec<[f64; N]> {
    let rows = values[name].as_array().unwrap();
    assert!(rows.len() >= 40, "{name}");
    rows.iter()
        .map(|row| std::array::from_fn(|index| row[index].as_f64().unwrap()))
        .collect()
}

fn timeline(values: &Value) -> Timeline {
    let side = |name: &str| values[name].as_f64().unwrap();
    Timeline::new(preset("original"), [side("width"), side("height")])
}

/// The field that the demo has in a frame: frame `n` moves the particles from state `n` to `n + 1`.
fn field(timeline: &Timeline, frame: i64) -> FlowField {
    let moment = timeline.at(frame + 1);
    FlowField::new(moment.settings.seed(), flow_parameters(&moment))
}

#[test]
fn noise_is_the_demos() {
    let values = values();
    let noise = Noise::new(values["seed"].as_u64().unwrap() as u32);
    for [x, y, z, expected] in rows(&values, "noise") {
        let value = f64::from(noise.at(x as f32, y as f32, z as f32));
        assert!(
            (value - expected).abs() < 2e-5,
            "({x}, {y}, {z}): {value}, not {expected}"
        );
    }
}

#[test]
fn color_noise_is_the_demos() {
    let values = values();
    let field = field(&timeline(&values), 0);
    for [x, y, expected] in rows(&values, "color_noise") {
        let value = f64::from(field.color_at(Vec2::new(x as f32, y as f32)));
        assert!(
            (value - expected).abs() < 1e-5,
            "({x}, {y}): {value}, not {expected}"
        );
    }
}

#[test]
fn velocities_are_the_demos() {
    let values = values();
    let timeline = timeline(&values);
    let mut field = field(&timeline, 0);
    for [x, y, frame, vx, vy] in rows(&values, "velocity") {
        let moment = timeline.at(frame as i64 + 1);
        field.refresh(moment.settings.seed(), flow_parameters(&moment));
        let velocity = field.velocity_at(Vec2::new(x as f32, y as f32));
        let error = (f64::from(velocity.x) - vx)
            .abs()
            .max((f64::from(velocity.y) - vy).abs());
        assert!(
            error < 1e-5,
            "({x}, {y}) in frame {frame}: {velocity}, not ({vx}, {vy})"
        );
    }
}

#[test]
fn paths_are_the_demos() {
    let values = values();
    let timeline = timeline(&values);
    let mut paths = rows::<5>(&values, "paths");
    paths.retain(|path| path[4] == 0.0);
    assert!(paths.len() >= 15, "{} paths do not wrap", paths.len());
    let mut places: Vec<Vec2> = paths
        .iter()
        .map(|path| Vec2::new(path[0] as f32, path[1] as f32))
        .collect();
    let mut field = field(&timeline, 0);
    for frame in 0..values["frames"].as_i64().unwrap() {
        let moment = timeline.at(frame + 1);
        field.refresh(moment.settings.seed(), flow_parameters(&moment));
        for place in &mut places {
            *place = field.torus().wrap(*place + field.velocity_at(*place));
        }
    }
    for ([.., x, y, _], place) in paths.iter().zip(places) {
        let error = (f64::from(place.x) - x).hypot(f64::from(place.y) - y);
        assert!(error < 0.05, "{place}, not ({x}, {y})");
    }
}

/// Noise time is the demo's `frame * 0.0009` to the last digits, up to where its table ends.
#[test]
fn depth_is_exact_in_frames() {
    let timeline = timeline(&values());
    for frame in [0i64, 1, 20_000, 283_000] {
        let depth = flow_parameters(&timeline.at(frame + 1)).depth();
        let z = frame as f64 * 0.0009;
        let error = depth.cell as f64 + f64::from(depth.fraction) - z;
        assert!(error.abs() < 1e-7 + z * 1e-12, "frame {frame}: {depth:?}");
    }
}
