//! The original demo's own values: the preset `original` is the demo, with neither its ghosts nor its edges.

use eddyline::canvas::{Background, Blend, Frame};
use eddyline::field::FlowField;
use eddyline::noise::Noise;
use eddyline::picture::Picture;
use eddyline::pool::Pool;
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

/// The numbers that the field, the threads and the light follow from are the demo's.
#[test]
fn numbers_are_the_demos() {
    let (values, settings) = (values(), preset("original"));
    let look = &values["look"];
    let pair = |name: &str| [0, 1].map(|at| look[name][at].as_f64().unwrap());
    assert_eq!(u64::from(settings.seed()), values["seed"]);
    let lifetimes = [settings.lifetime_shortest(), settings.lifetime_longest()];
    assert_eq!(lifetimes.map(f64::from), pair("lifetime"));
    for (name, actual) in [
        ("noise_scale", settings.noise_scale()),
        ("speed", settings.speed()),
        ("time_scale", settings.time_scale()),
    ] {
        assert_eq!(actual, values[name], "{name}");
    }
    for (name, actual) in [
        ("fade", settings.fade()),
        ("stroke_alpha", settings.stroke_alpha()),
        ("stroke_width", settings.stroke_width()),
    ] {
        assert_eq!(actual, look[name], "{name}");
    }
    let most = look["most_particles"].as_f64().unwrap();
    let each = look["px2_per_particle"].as_f64().unwrap();
    for area in [1280.0 * 720.0, 1920.0 * 1080.0] {
        let expected = most.min((area / each).floor());
        assert_eq!(
            f64::from(settings.window_particles(area)),
            expected,
            "{area}"
        );
    }
}

/// Threads have the demo's colors and are all alike, and nothing but them and the background is seen.
#[test]
fn light_is_the_demos() {
    let values = values();
    let look = &values["look"];
    let mut picture = Picture::new(timeline(&values), Pool::single());
    picture.seek(100);
    let Frame {
        keep,
        pending,
        background,
        bloom,
        leaving,
        ..
    } = picture.frame(0.0);
    let near =
        |actual: f32, name: &str| (f64::from(actual) - look[name].as_f64().unwrap()).abs() < 1e-6;
    assert!(near(1.0 - keep, "fade") && near(pending.alpha, "stroke_alpha"));
    assert!(near(pending.width[0], "stroke_width") && near(pending.width[1], "stroke_width"));
    assert_eq!((pending.blend, pending.shift), (Blend::Codes, [0.0; 2]));
    assert!(bloom.is_none() && leaving.is_none());
    let Background::Flat(color) = background else {
        panic!("{background:?}");
    };
    assert_eq!(Value::from(color.to_vec()), look["background"]);
    for end in [0, 1] {
        let part = |name: &str| look[name][end].as_f64().unwrap();
        let expected = rgb(
            part("hue"),
            part("saturation") / 100.0,
            part("lightness") / 100.0,
        );
        for (code, expected) in pending.palette.color(end as f32).into_iter().zip(expected) {
            // A table has 256 colors, each in the middle of its share.
            assert!(
                (f64::from(code) - expected).abs() < 2.0 / 255.0,
                "{code} {expected}"
            );
        }
    }
    let lights: Vec<u8> = pending
        .segments
        .iter()
        .map(|segment| segment.ink.light())
        .collect();
    assert!(lights.len() > 1000 && lights.iter().all(|&light| light == 255));
    let speed = values["speed"].as_f64().unwrap();
    for segment in pending.segments.iter() {
        let length = f64::from((segment.to - segment.from).length());
        assert!((length - speed).abs() < 1e-3, "{length}");
    }
}

/// Red, green and blue in [0, 1] of `hsl()` (CSS Color Module, section 7.1), with the hue in degrees.
fn rgb(hue: f64, saturation: f64, lightness: f64) -> [f64; 3] {
    [0.0, 8.0, 4.0].map(|n| {
        let k = (n + hue / 30.0) % 12.0;
        let most = saturation * lightness.min(1.0 - lightness);
        lightness - most * (k - 3.0).min(9.0 - k).clamp(-1.0, 1.0)
    })
}
