use super::*;
use crate::noise::{Fractal, Time};
use crate::pool::Pool;
use crate::settings::Settings;
use crate::settings::setting;
use crate::simulation::flow_parameters;
use crate::timeline::Timeline;

const WINDOW: [u32; 2] = [96, 54];

fn settings(values: &[(&str, &str)]) -> Settings {
    let mut settings = Settings::default();
    for (name, text) in values {
        let row = setting(name).unwrap();
        row.set(&mut settings, row.parse(text).unwrap());
    }
    settings
}

fn field(values: &[(&str, &str)]) -> FlowField {
    let timeline = Timeline::new(settings(values), WINDOW.map(f64::from));
    let moment = timeline.at(1);
    FlowField::new(moment.settings.seed(), flow_parameters(&moment))
}

fn palette() -> Palette {
    blended(&[[10, 20, 30], [200, 100, 50]])
}

fn chart(field: &FlowField, aspect: Aspect) -> Chart<'_> {
    Chart::new(field, aspect, WINDOW.map(|side| side as f32), &palette())
}

/// Each px of a map, with the place of its middle.
fn pixels(field: &FlowField, aspect: Aspect) -> Vec<(Vec2, [u8; 4])> {
    let sheet = map(&chart(field, aspect), WINDOW, &Pool::new(2).unwrap());
    let pixels = sheet.pixels().as_chunks::<4>().0;
    let place = |number: usize| {
        let [x, y] = [number as u32 % WINDOW[0], number as u32 / WINDOW[0]];
        Vec2::new(x as f32 + 0.5, y as f32 + 0.5)
    };
    (0..pixels.len()).map(|n| (place(n), pixels[n])).collect()
}

fn is_close(a: [u8; 4], b: [u8; 4]) -> bool {
    a.iter().zip(b).all(|(a, b)| a.abs_diff(b) <= 1)
}

#[test]
fn values_are_codes_of_gray_and_colors_the_palettes() {
    let field = field(&[("noise_scale", "0.05"), ("color_scale", "0.05")]);
    let mut seen = [255u8, 0];
    for (place, ink) in pixels(&field, Aspect::Value) {
        let code = (field.noise_at(place).clamp(0.0, 1.0) * 255.0).round() as u8;
        assert!(is_close(ink, [code, code, code, 255]), "{place}");
        seen = [seen[0].min(code), seen[1].max(code)];
    }
    assert!(seen[1] - seen[0] > 60, "{seen:?}");
    let palette = palette();
    for (place, ink) in pixels(&field, Aspect::Color) {
        let color = palette.color(field.color_at(place));
        let [red, green, blue] = color.map(|channel| (channel * 255.0).round() as u8);
        assert!(is_close(ink, [red, green, blue, 255]), "{place}");
    }
}

#[test]
fn headings_go_around_a_wheel_of_one_lightness() {
    let field = field(&[("noise_scale", "0.05"), ("headings", "even")]);
    let wheel = wheel();
    for (place, ink) in pixels(&field, Aspect::Angle) {
        let heading = field.heading_at(place).rem_euclid(1.0);
        let color = wheel.color(heading);
        let [red, green, blue] = color.map(|channel| (channel * 255.0).round() as u8);
        // A heading may lie between two of the colors, and just before or after a whole turn.
        let off = [red, green, blue].map(i32::from);
        let off = (0..3).map(|k| (off[k] - i32::from(ink[k])).abs()).max();
        assert!(off <= Some(4), "{place} {heading}");
    }
    let lightness = |color: &[f32; 3]| {
        let linear = color.map(|c| ((f64::from(c) + 0.055) / 1.055).powf(2.4));
        let [r, g, b] = linear;
        let l = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b).cbrt();
        let m = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b).cbrt();
        let s = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b).cbrt();
        0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s
    };
    let all: Vec<f64> = wheel.colors().iter().map(lightness).collect();
    let ends = [f64::min, f64::max].map(|end| all.iter().copied().reduce(end).unwrap());
    assert!(ends[1] - ends[0] < 0.01, "{ends:?}");
}

/// What turns to the right is orange: by the Laplacian of the stream function.
#[test]
fn rotation_has_its_sign_and_its_scale() {
    let field = field(&[("noise_scale", "0.01"), ("mode", "curl")]);
    let chart = chart(&field, Aspect::Curl);
    let lattice = Lattice::over(chart.window, WINDOW.map(|side| side as usize));
    let mut rotations = vec![0.0; lattice.columns];
    let mut signs = [0; 2];
    for row in [1, 20, 40] {
        chart.rotations(&lattice, row, &mut rotations);
        for (column, rotation) in rotations.iter().enumerate() {
            if column == 0 || column == lattice.columns - 1 {
                continue;
            }
            let place = lattice.place(column, row);
            const WAY: f32 = 4.0;
            let stream = |x: f32, y: f32| field.stream_at(place + Vec2::new(x, y) * WAY).unwrap();
            let around =
                stream(1.0, 0.0) + stream(-1.0, 0.0) + stream(0.0, 1.0) + stream(0.0, -1.0);
            let expected = -(around - 4.0 * stream(0.0, 0.0)) / (WAY * WAY);
            let off = (rotation - expected).abs();
            assert!(
                off < 0.15 * chart.full_rotation(),
                "{place} {} {expected}",
                rotation
            );
            signs[usize::from(expected > 0.0)] += 1;
        }
    }
    assert!(signs[0] > 20 && signs[1] > 20, "{signs:?}");
    let [left, right] = [0.0, 1.0].map(|share| chart.ink(share));
    assert!(left[2] > left[0] && right[0] > right[2]);
}

#[test]
fn arrows_lie_over_a_dim_map() {
    let field = field(&[("noise_scale", "0.02")]);
    let luma = |aspect| {
        let pixels = pixels(&field, aspect);
        let bright = pixels.iter().filter(|(_, ink)| ink[1] > 200).count();
        let sum: u32 = pixels.iter().map(|(_, ink)| u32::from(ink[1])).sum();
        (bright, sum / pixels.len() as u32)
    };
    let (bright, mean) = luma(Aspect::Vector);
    assert!(bright > 10 && mean < 90, "{bright} {mean}");
}

#[test]
fn a_veil_is_the_map_between_its_nodes_and_lets_light_through() {
    let field = field(&[("noise_scale", "0.004"), ("color_scale", "0.004")]);
    let chart = chart(&field, Aspect::Color);
    let mut veil = Veil::default();
    let pool = Pool::new(2).unwrap();
    for scale in [1.0, 2.5] {
        let size = WINDOW.map(|side| (side as f32 * scale) as u32);
        veil.paint(&chart, size, scale, &pool);
        assert_eq!(veil.sheet().size(), size);
        for (number, ink) in veil.sheet().pixels().as_chunks::<4>().0.iter().enumerate() {
            let [x, y] = [number as u32 % size[0], number as u32 / size[0]];
            let place = Vec2::new(x as f32 + 0.5, y as f32 + 0.5) / scale;
            let expected = chart.ink(field.color_at(place));
            let off = (0..3).map(|k| ink[k].abs_diff(expected[k])).max().unwrap();
            assert!(
                off <= 6 && (100..160).contains(&ink[3]),
                "{place} {ink:?} {expected:?}"
            );
        }
    }
    // Where nothing turns the water shows.
    let still = [("noise_weight", "0"), ("wind_x", "1")];
    let still = super::tests::field(&still);
    let chart = super::tests::chart(&still, Aspect::Curl);
    veil.paint(&chart, WINDOW, 1.0, &pool);
    let thin = veil.sheet().pixels().iter().skip(3).step_by(4);
    assert!(thin.filter(|alpha| **alpha < 40).count() > 4000);
}

#[test]
fn every_chart_of_every_size_and_mode_is_painted() {
    let pool = Pool::single();
    for mode in ["angle", "vector", "curl"] {
        let values = [("mode", mode), ("speed", "0"), ("eddies", "40")];
        let field = field(&values);
        for size in [[1, 1], [1, 40], [40, 1], [37, 23]] {
            let window = size.map(|side| side as f32);
            for (_, aspect) in Aspect::ALL {
                let chart = Chart::new(&field, aspect, window, &palette());
                let mut sheet = map(&chart, size, &pool);
                legend(&chart, &mut sheet);
                let opaque = sheet.pixels().iter().skip(3).step_by(4);
                assert!(opaque.into_iter().all(|alpha| *alpha == 255));
                Veil::default().paint(&chart, size, 1.7, &pool);
            }
        }
    }
}

#[test]
fn a_key_goes_through_all_aspects_and_ends() {
    let mut seen = Vec::new();
    let mut next = Aspect::after(None);
    while let Some(aspect) = next {
        assert!(!aspect.help().is_empty());
        seen.push(aspect.name());
        next = Aspect::after(Some(aspect));
    }
    assert_eq!(seen, ["value", "angle", "vector", "curl", "color"]);
}

fn profile(values: &[(&str, &str)]) -> Profile {
    Profile {
        recipe: crate::simulation::recipe(&settings(values)),
        seed: 3,
        time: Time::Line(1 << 62),
        start: [-2.5, 0.3],
        title: "noise".to_owned(),
    }
}

/// In every tenth column the brightest px is where the noise is.
#[test]
fn a_curve_lies_where_the_noise_is() {
    let profile = profile(&[("noise", "perlin"), ("octaves", "1")]);
    let size = [1280, 720];
    let sheet = profile.plot(size);
    let fractal = Fractal::new(3, 0, profile.recipe, profile.time);
    for x in (100..1180).step_by(10) {
        let light = |y: usize| sheet.pixels()[(y * 1280 + x) * 4 + 1];
        let brightest = (80..660).max_by_key(|&y| light(y)).unwrap();
        let cells = (x as f32 + 0.5 - 74.0) / (1280.0 - 148.0) * CELLS as f32;
        let value = fractal.at(profile.start[0] + cells, profile.start[1]);
        let expected = 664.0 + (74.0 - 664.0) * value;
        assert!(
            (brightest as f32 + 0.5 - expected).abs() < 2.5,
            "{x} {brightest} {expected}"
        );
    }
    assert!(
        sheet
            .pixels()
            .iter()
            .skip(3)
            .step_by(4)
            .all(|alpha| *alpha == 255)
    );
}

#[test]
fn plots_of_every_size_and_recipe_are_painted() {
    for size in [[1, 1], [3, 700], [700, 3], [300, 200]] {
        for values in [
            &[("octaves", "8"), ("gain", "0.05"), ("warp", "2")][..],
            &[("noise", "value"), ("shape", "sine"), ("sharpness", "8")],
            &[("noise", "simplex"), ("octaves", "3"), ("shape", "ridged")],
        ] {
            assert_eq!(profile(values).plot(size).size(), size);
        }
    }
}
