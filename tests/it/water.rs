//! What the water looks like in numbers.

use eddyline::field::FlowField;
use eddyline::hash::{random_bits, unit};
use eddyline::settings::Settings;
use eddyline::simulation::flow_parameters;
use eddyline::timeline::Timeline;
use glam::Vec2;

use crate::support::{preset, with};

/// The mean resultant length of the headings over a million places and times: 0 where every direction is equally
/// likely, 1 where all are one.
fn resultant(settings: Settings, window: [f64; 2]) -> f64 {
    let timeline = Timeline::new(settings, window);
    let moment = timeline.at(1);
    let mut field = FlowField::new(moment.settings.seed(), flow_parameters(&moment));
    let (mut cosine, mut sine) = (0.0, 0.0);
    // A time every 2.9 cells: 29 000 in all.
    for time in 0..10_000i64 {
        let moment = timeline.at(time * 3223 + 1);
        field.refresh(moment.settings.seed(), flow_parameters(&moment));
        for index in 0..100 {
            let [x, y] = [0, 1].map(|axis| unit(random_bits(axis, time as u64, index)));
            let velocity = field.velocity_at(Vec2::new(x * window[0] as f32, y * window[1] as f32));
            cosine += f64::from(velocity.x);
            sine += f64::from(velocity.y);
        }
    }
    f64::hypot(cosine, sine) / (1e6 * settings.speed())
}

#[test]
fn even_headings_point_everywhere_and_raw_ones_left() {
    for window in [[1280.0, 720.0], [3840.0, 2160.0]] {
        let even = resultant(preset("brook"), window);
        let raw = resultant(with(preset("brook"), &[("headings", "raw")]), window);
        println!("{window:?}: mean resultant length {even:.4} even, {raw:.3} raw");
        assert!(even < 0.02, "{even}");
        assert!((raw - 0.69).abs() < 0.03, "{raw}");
    }
}
