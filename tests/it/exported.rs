//! The field as numbers: what it exports, and what its steps cost.

use crate::commands::{fail, folder, succeed};

#[test]
fn the_field_is_a_table_of_numbers() {
    let folder = folder();
    succeed(
        folder.path(),
        "field field.csv --size 100x50 --spacing 25 --at 0s",
    );
    let text = std::fs::read_to_string(folder.path().join("field.csv")).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("x,y,noise,angle,vx,vy,color"));
    let rows: Vec<Vec<f64>> = lines
        .map(|line| {
            line.split(',')
                .map(|value| value.parse().unwrap())
                .collect()
        })
        .collect();
    assert_eq!(rows.len(), 8);
    assert_eq!(rows[5][..2], [25.0, 25.0]);
    for row in &rows {
        assert!((0.0..=1.0).contains(&row[2]) && (0.0..=1.0).contains(&row[6]));
        assert!((row[4].hypot(row[5]) - 1.4).abs() < 1e-5);
        assert!(
            (row[3].cos() * 1.4 - row[4]).abs() < 1e-5
                && (row[3].sin() * 1.4 - row[5]).abs() < 1e-5
        );
    }
    assert_eq!(
        succeed(folder.path(), "field - --size 100x50 --spacing 25 --at 0s"),
        text.as_bytes()
    );
}

/// The columns of `eddyline field` with these flags, by their names, and how many numbers a row of the grid has.
fn exported(flags: &str) -> (std::collections::HashMap<String, Vec<f64>>, usize) {
    let line = format!("field - --size 60x40 --spacing 2 --noise-scale 0.01 {flags}");
    let text = String::from_utf8(succeed(folder().path(), &line)).unwrap();
    let mut lines = text.lines().map(|line| line.split(','));
    let names: Vec<_> = lines.next().unwrap().collect();
    let mut columns = vec![Vec::new(); names.len()];
    for line in lines {
        let mut count = 0;
        for (column, value) in columns.iter_mut().zip(line) {
            column.push(value.parse().unwrap());
            count += 1;
        }
        assert_eq!(count, names.len());
    }
    let names = names.into_iter().map(str::to_owned);
    (names.zip(columns).collect(), 30)
}

/// What flows out of each cell of the grid, by finite differences, for what flows at all.
#[test]
fn exported_curl_noise_is_free_of_divergence_and_the_curl_of_its_stream() {
    for noise in ["perlin --warp 0.5", "simplex", "value"] {
        let flags = format!("--mode curl --octaves 2 --noise {noise}");
        let (columns, across) = exported(&flags);
        let column = |name: &str| &columns[name];
        let (vx, vy, stream) = (column("vx"), column("vy"), column("stream"));
        let (mut out, mut slopes, mut off) = (0.0, 0.0, 0.0);
        let mut sum = 0.0;
        for row in 1..19 {
            for column in 1..across - 1 {
                let at = row * across + column;
                let along = |values: &[f64]| (values[at + 1] - values[at - 1]) / 4.0;
                let down = |values: &[f64]| (values[at + across] - values[at - across]) / 4.0;
                out += (along(vx) + down(vy)).powi(2);
                slopes +=
                    along(vx).powi(2) + along(vy).powi(2) + down(vx).powi(2) + down(vy).powi(2);
                off += (vx[at] - down(stream)).powi(2) + (vy[at] + along(stream)).powi(2);
                sum += vx[at].powi(2) + vy[at].powi(2);
            }
        }
        assert!(out < 0.0025 * slopes, "{noise}: {}", (out / slopes).sqrt());
        assert!(off < 0.01 * sum, "{noise}: {}", (off / sum).sqrt());
    }
}

#[test]
fn every_mode_exports_what_its_velocities_are_made_of() {
    let names = |flags: &str| {
        let (columns, _) = exported(flags);
        let mut names: Vec<_> = columns.into_keys().collect();
        names.retain(|name| !["x", "y", "noise", "angle", "vx", "vy", "color"].contains(&&**name));
        names.sort();
        names.join(" ")
    };
    assert_eq!(names("--mode angle"), "");
    assert_eq!(names("--mode vector"), "second");
    assert_eq!(names("--mode curl --births density"), "births stream");
    assert_eq!(
        names("--speed-noise 0.5 --births band"),
        "births speed_noise"
    );
    // Vector noise is its two values about a half, in one measure.
    let (columns, _) = exported("--mode vector");
    let ratio = |value: &str, velocity: &str| {
        let pairs = columns[value].iter().zip(&columns[velocity]);
        let pairs: Vec<_> = pairs
            .filter(|(value, _)| (*value - 0.5).abs() > 0.02)
            .collect();
        assert!(pairs.len() > 100);
        pairs
            .iter()
            .map(|(value, velocity)| *velocity / (*value - 0.5))
            .collect::<Vec<_>>()
    };
    let all = [ratio("noise", "vx"), ratio("second", "vy")].concat();
    assert!(
        all.iter().all(|one| (one / all[0] - 1.0).abs() < 1e-3),
        "{}",
        all[0]
    );
    // Angles are those of the velocities, with wind and eddies, too; speeds swing as their noise says.
    for flags in [
        "--mode curl --wind-x 1",
        "--mode vector --eddies 200",
        "--headings raw --turns 3",
        "--directions 8 --spin 1",
        "--speed-noise 0.6 --noise value --warp 1",
    ] {
        let (columns, _) = exported(flags);
        for (number, angle) in columns["angle"].iter().enumerate() {
            let [vx, vy] = ["vx", "vy"].map(|name| columns[name][number]);
            let speed = vx.hypot(vy);
            let off = (angle.cos() * speed - vx).hypot(angle.sin() * speed - vy);
            assert!(off < 1e-4 * speed.max(0.1), "{flags}: {off}");
            if let Some(values) = columns.get("speed_noise") {
                let swing = (1.0 + 2.2 * 0.6 * (2.0 * values[number] - 1.0)).max(0.1);
                assert!(
                    (speed - 1.4 * swing).abs() < 1e-4,
                    "{flags}: {speed} {swing}"
                );
            }
        }
    }
}

#[test]
fn steps_of_every_mode_and_noise_are_measured() {
    let folder = folder();
    let line = "measure --fields --seconds 0 --size 160x90 --particles 500 --threads 1";
    let text = String::from_utf8(succeed(folder.path(), line)).unwrap();
    assert!(text.starts_with("160x90, 1 thread, kernel "), "{text}");
    for noise in ["perlin", "classic", "value", "simplex", "opensimplex2"] {
        for octaves in ["1", "6"] {
            for mode in ["raw angle", "even angle", "vector", "curl"] {
                let is_row = |line: &str| {
                    let rest = line.strip_prefix(noise).map(str::trim_start);
                    rest.and_then(|rest| rest.strip_prefix(octaves))
                        .is_some_and(|rest| rest.trim_start().starts_with(mode))
                };
                let row = text
                    .lines()
                    .find(|line| is_row(line))
                    .unwrap_or_else(|| panic!("{noise} {octaves} {mode}: {text}"));
                let ratio: f64 = row.rsplit(' ').next().unwrap().parse().unwrap();
                assert!(ratio > 0.0, "{row}");
            }
        }
    }
    let last = text.lines().last().unwrap();
    assert!(
        last.contains(" rows=40 slowest=") && last.contains("kernel="),
        "{last}"
    );
    let error = fail(folder.path(), "measure --fields --window", 2);
    assert!(error.contains("--window"), "{error}");
    fail(folder.path(), "measure --fields --canvas gpu", 2);
}
