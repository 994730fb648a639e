//! A picture that runs live, at 144 Hz and with frames that come late at random, is the picture that is rendered.

use std::time::{Duration, Instant};

use eddyline::canvas::Canvas;
use eddyline::canvas::cpu::CpuCanvas;
use eddyline::picture::{Picture, fraction};
use eddyline::pool::Pool;
use eddyline::power::{Display, Pace};
use eddyline::settings::Settings;
use eddyline::timeline::Timeline;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;

use crate::support::{canvas, preset};

const WINDOW: [f64; 2] = [320.0, 200.0];
const LAST: i64 = 700;

/// Runs a picture, already begun, to step [`LAST`] as a window of 144 Hz does whose frames are late by up to 50 ms; returns
/// how many frames were shown.
fn run_live(picture: &mut Picture, canvas: &mut dyn Canvas) -> u32 {
    let mut delays = Pcg32::seed_from_u64(11);
    let mut pace = Pace::new(
        Display::pacing(Duration::from_secs_f64(1.0 / 144.0)),
        0.0,
        picture.step(),
    );
    let (mut now, mut frames) = (Instant::now(), 0);
    while picture.step() < LAST {
        let time = pace.begin_frame(now);
        picture.advance(canvas, time.step.min(LAST));
        picture.present(canvas, fraction(time.fraction));
        frames += 1;
        let due = pace.next_frame().unwrap().max(now);
        now = due + Duration::from_secs_f64(delays.random_range(0.0..0.05));
    }
    frames
}

fn begun(settings: Settings) -> (Picture, CpuCanvas) {
    let mut canvas = canvas(WINDOW, 1.0);
    let mut picture = Picture::new(Timeline::new(settings, WINDOW), Pool::single());
    picture.warm_quickly(&mut canvas, 0);
    (picture, canvas)
}

#[test]
fn a_live_picture_has_the_bits_of_a_render() {
    for name in ["brook", "original"] {
        let settings = preset(name);
        let (mut picture, mut live) = begun(settings);
        let frames = run_live(&mut picture, &mut live);
        assert!((300..600).contains(&frames), "{frames} frames");
        let (mut rendered, mut same) = begun(settings);
        rendered.advance(&mut same, LAST);
        assert!(live.light() == same.light(), "{name}");
        // Speed and births of the picture's time are in the particles.
        let [one, other] = [&picture, &rendered].map(|picture| picture.simulation().particles());
        assert_eq!(
            format!("{:?} {:?}", one.place, one.end),
            format!("{:?} {:?}", other.place, other.end)
        );
        // Begun at any other step.
        let mut exact = Picture::new(Timeline::new(settings, WINDOW), Pool::single());
        let mut other = canvas(WINDOW, 1.0);
        exact.warm(&mut other, LAST);
        picture.present(&mut live, 0.0);
        exact.present(&mut other, 0.0);
        let codes = live.pixels().iter().zip(other.pixels());
        let most = codes.map(|(a, b)| a.abs_diff(*b)).max().unwrap();
        assert!(most <= 1, "{name}: {most} codes");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_live_picture_on_the_gpu_is_the_rendered_one() {
    use eddyline::canvas::gpu::{GpuState, WantedPath};
    use eddyline::host::offscreen::Offscreen;

    let mut offscreen = match Offscreen::new() {
        Ok(offscreen) => offscreen,
        Err(error) if crate::support::must_not_skip() => panic!("{error}"),
        Err(error) => return eprintln!("skipped: {error}"),
    };
    for name in ["brook", "original"] {
        let settings = preset(name);
        let (mut picture, light) = begun(settings);
        let mut state =
            GpuState::new(offscreen.context(), light.extent(), WantedPath::default()).unwrap();
        let mut gpu = state.bind(offscreen.context());
        gpu.load(light.light().as_flattened(), None);
        run_live(&mut picture, &mut gpu);
        let shown = gpu.light();
        gpu.check().unwrap();
        state.delete(offscreen.context());
        let (mut rendered, mut same) = begun(settings);
        rendered.advance(&mut same, LAST);
        let (mut difference, mut most) = (0.0, 0.0f64);
        for (gpu, cpu) in shown.iter().zip(same.light().as_flattened()) {
            difference += f64::from(gpu - cpu).powi(2);
            most = most.max(f64::from(*cpu));
        }
        let ratio = most * most / (difference / shown.len() as f64);
        println!("{name}: {:.1} dB", 10.0 * ratio.log10());
        assert!(10.0 * ratio.log10() > 26.0, "{name}");
    }
}
