//! What several tests need.

use std::process::{Command, Stdio};

use eddyline::canvas::Extent;
use eddyline::canvas::cpu::CpuCanvas;
use eddyline::picture::extent;
use eddyline::pool::Pool;
use eddyline::settings::preset::Preset;
use eddyline::settings::{Settings, setting};
use eddyline::timeline::Change;

/// The settings of an embedded preset.
pub fn preset(name: &str) -> Settings {
    Preset::load(name).unwrap().settings
}

/// `settings` with some values given as they are written in a preset.
pub fn with(mut settings: Settings, values: &[(&str, &str)]) -> Settings {
    for (name, text) in values {
        let row = setting(name).unwrap();
        row.set(&mut settings, row.parse(text).unwrap());
    }
    settings
}

/// A change of a setting, as it is written in a preset.
pub fn change(name: &str, text: &str) -> Change {
    let row = setting(name).unwrap();
    Change::Setting(row, row.parse(text).unwrap())
}

/// An empty canvas on the calling thread for a window of logical px.
pub fn canvas(window: [f64; 2], scale: f32) -> CpuCanvas {
    CpuCanvas::new(extent(window, scale), Pool::single())
}

/// The light in a rectangle of a canvas, from `low` to just before `high`, as a mean per px.
pub fn mean_light(canvas: &CpuCanvas, low: [usize; 2], high: [usize; 2]) -> f64 {
    use eddyline::canvas::Canvas;
    let Extent { width, .. } = canvas.extent();
    let mut sum = 0.0;
    for y in low[1]..high[1] {
        for light in &canvas.light()[y * width as usize + low[0]..y * width as usize + high[0]] {
            sum += light[..3]
                .iter()
                .map(|&channel| f64::from(channel))
                .sum::<f64>();
        }
    }
    sum / ((high[0] - low[0]) * (high[1] - low[1])) as f64
}

/// Whether sweeps are as wide as before a release: `scripts/test --deep` says so.
pub fn is_deep() -> bool {
    std::env::var("EDDYLINE_DEEP").as_deref() == Ok("1")
}

/// Whether a test must fail rather than skip where a program or a driver is missing.
pub fn must_not_skip() -> bool {
    std::env::var("CI").as_deref() == Ok("true")
}

/// Whether a program that a test needs is there. Under CI it has to be.
pub fn is_there(program: &str) -> bool {
    let found = Command::new("which")
        .arg(program)
        .stdout(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    assert!(found || !must_not_skip(), "{program} is missing under CI");
    if !found {
        eprintln!("skipped: {program} is missing");
    }
    found
}
