//! The GPU canvas shows what the CPU canvas shows.
#![cfg(target_os = "linux")]

use eddyline::canvas::Canvas;
use eddyline::canvas::gpu::{GpuState, WantedPath};
use eddyline::host::offscreen::Offscreen;
use eddyline::picture::{Picture, extent};
use eddyline::pool::Pool;
use eddyline::timeline::Timeline;

use crate::support::{canvas, preset, with};

/// 600 steps on both, compared over the light: the picture less its background.
#[test]
fn canvases_agree_after_600_steps() {
    let mut offscreen = match Offscreen::new() {
        Ok(offscreen) => offscreen,
        Err(error) if crate::support::must_not_skip() => panic!("{error}"),
        Err(error) => return eprintln!("skipped: {error}"),
    };
    for (name, values) in [
        ("brook", &[][..]),
        ("original", &[]),
        ("brook", &[("fade", "0.005"), ("stroke_width", "2.5")]),
    ] {
        let settings = with(preset(name), values);
        let window = [240.0, 135.0];
        let mut state = GpuState::new(
            offscreen.context(),
            extent(window, 1.0),
            WantedPath::default(),
        )
        .unwrap();
        let mut cpu = canvas(window, 1.0);
        let mut picture = Picture::new(Timeline::new(settings, window), Pool::single());
        picture.warm(&mut cpu, 0);
        state
            .bind(offscreen.context())
            .load(cpu.light().as_flattened(), None);
        picture.advance(&mut cpu, 600);
        let mut other = Picture::new(Timeline::new(settings, window), Pool::single());
        other.seek(0);
        other.advance(&mut state.bind(offscreen.context()), 600);
        for fraction in [0.0, 0.4] {
            picture.present(&mut cpu, fraction);
            let mut gpu = state.bind(offscreen.context());
            other.present(&mut gpu, fraction);
            compare(
                name,
                cpu.pixels(),
                &gpu.read().unwrap(),
                settings.background().0,
            );
        }
        let mut gpu = state.bind(offscreen.context());
        assert_eq!(gpu.extent(), cpu.extent());
        gpu.check().unwrap();
        state.delete(offscreen.context());
    }
}

fn compare(name: &str, cpu: &[u8], gpu: &[u8], background: [u8; 3]) {
    let (mut signal, mut difference, mut totals) = (0.0, 0.0, [0.0; 2]);
    for (index, (&a, &b)) in cpu
        .iter()
        .zip(gpu)
        .enumerate()
        .filter(|(index, _)| index % 4 != 3)
    {
        let light = |code: u8| f64::from(code) - f64::from(background[index % 4]);
        signal += light(a).powi(2);
        difference += (light(a) - light(b)).powi(2);
        totals = [totals[0] + light(a), totals[1] + light(b)];
    }
    let ratio = 10.0 * (signal / f64::max(difference, 1e-9)).log10();
    println!(
        "{name}: {ratio:.1} dB over the light, total {:.4}",
        totals[1] / totals[0]
    );
    assert!(totals[0] > 1e5, "there is light");
    assert!(ratio >= 26.0, "{name}: {ratio} dB");
    assert!(
        (totals[1] / totals[0] - 1.0).abs() < 0.02,
        "{name}: {totals:?}"
    );
}
