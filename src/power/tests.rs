use super::*;

const MILLISECOND: Duration = Duration::from_millis(1);

/// Frames at these times since the first; the steps and fractions shown.
fn shown(pace: &mut Pace, times: impl IntoIterator<Item = f64>) -> Vec<PictureTime> {
    let begin = Instant::now();
    times
        .into_iter()
        .map(|time| pace.begin_frame(begin + Duration::from_secs_f64(time)))
        .collect()
}

fn at_rate(rate: f64, frames: u32) -> impl Iterator<Item = f64> {
    (0..frames).map(move |frame| f64::from(frame) / rate)
}

fn display(rate: f64) -> Display {
    Display::pacing(Duration::from_secs_f64(1.0 / rate))
}

#[test]
fn sixty_frames_show_whole_steps() {
    for rate in [59.5, 59.94, 60.0, 60.06, 60.5] {
        let mut pace = Pace::new(display(rate), 0.0, 0);
        let times = shown(&mut pace, at_rate(rate, 5000));
        for (frame, time) in times.iter().enumerate() {
            assert_eq!(time.step, frame as i64 + 1, "{rate} Hz");
            assert_eq!(time.fraction, 0.0);
        }
    }
}

#[test]
fn jitter_and_late_frames_keep_the_time() {
    let mut pace = Pace::new(Display::showing(None), 0.0, 0);
    let jitter = |frame: u32| f64::from(frame.wrapping_mul(2_654_435_761) >> 20) / 4096.0 * 0.004;
    let times = (0..600)
        // Every 50th frame is left out.
        .filter(|frame| frame % 50 != 49)
        .map(|frame| f64::from(frame) / 60.0 + jitter(frame));
    let times = shown(&mut pace, times);
    let last = times.last().unwrap();
    assert!((598..=601).contains(&last.step), "{last:?}");
    assert!(times.iter().all(|time| time.fraction == 0.0));
    assert!(
        times
            .windows(2)
            .all(|pair| pair[1].step - pair[0].step <= 2)
    );
}

#[test]
fn other_rates_show_fractions_in_real_time() {
    for rate in [24.0, 50.0, 75.0, 120.0, 144.0, 240.0] {
        let mut pace = Pace::new(display(rate), 0.0, 100);
        let times = shown(&mut pace, at_rate(rate, 1000));
        let position = |time: &PictureTime| time.step as f64 + time.fraction;
        for pair in times.windows(2) {
            let moved = position(&pair[1]) - position(&pair[0]);
            assert!(
                (moved - 60.0 / rate).abs() < 1e-6,
                "{rate} Hz moved {moved}"
            );
            assert!((0.0..1.0).contains(&pair[1].fraction));
        }
    }
}

#[test]
fn time_never_runs_backwards_when_the_rate_changes() {
    let mut pace = Pace::new(display(144.0), 0.0, 0);
    let fast = at_rate(144.0, 300);
    let slow = at_rate(60.0, 300).map(|time| time + 300.0 / 144.0);
    let again = at_rate(90.0, 300).map(|time| time + 300.0 / 144.0 + 5.0);
    let times = shown(&mut pace, fast.chain(slow).chain(again));
    let mut before = PictureTime {
        step: 0,
        fraction: 0.0,
    };
    for time in times {
        assert!((time.step, time.fraction) >= (before.step, before.fraction));
        before = time;
    }
}

#[test]
fn a_slow_machine_makes_few_steps_per_frame() {
    let mut pace = Pace::new(Display::showing(None), 0.0, 0);
    let times = shown(&mut pace, at_rate(5.0, 100));
    for pair in times.windows(2) {
        assert!(pair[1].step - pair[0].step <= i64::from(MOST_STEPS));
    }
}

#[test]
fn after_a_pause_the_next_frame_is_ordinary() {
    for pause in [0.6, 3600.0, 1e7] {
        let mut pace = Pace::new(Display::showing(None), 0.0, 0);
        let before = at_rate(60.0, 60);
        let after = at_rate(60.0, 60).map(|time| time + 1.0 + pause);
        let times = shown(&mut pace, before.chain(after));
        assert_eq!(times.last().unwrap().step, 120);
    }
}

#[test]
fn falling_behind_goes_on_from_there() {
    let mut pace = Pace::new(Display::showing(None), 0.0, 0);
    shown(&mut pace, at_rate(60.0, 10));
    pace.go_on_from(5);
    let time = pace.begin_frame(pace.last.unwrap() + STEP);
    assert_eq!((time.step, time.fraction), (6, 0.0));
}

#[test]
fn deadlines_are_absolute_and_late_ones_are_forgotten() {
    let mut pace = Pace::new(Display::showing(None), 50.0, 0);
    let begin = Instant::now();
    pace.begin_frame(begin);
    // Waking late by a millisecond each time does not move the schedule.
    for frame in 1..10 {
        let due = begin + frame * 20 * MILLISECOND;
        assert_eq!(pace.next_frame(), Some(due));
        pace.begin_frame(due + MILLISECOND);
    }
    let late = begin + 5000 * MILLISECOND;
    pace.begin_frame(late);
    assert_eq!(pace.next_frame(), Some(late + 20 * MILLISECOND));
}

#[test]
fn the_display_paces_where_it_can() {
    let period = |display, rate| Pace::new(display, rate, 0).period.as_secs_f64() * 1000.0;
    assert!((period(Display::showing(None), 0.0) - 16.667).abs() < 0.001);
    assert!((period(Display::showing(None), 100.0) - 10.0).abs() < 0.001);
    // Shorter than the display's frames, and only there to catch a display that stops pacing.
    assert!((period(display(144.0), 0.0) - 6.25).abs() < 0.001);
    assert!((period(display(60.0), 60.0) - 15.0).abs() < 0.001);
    assert!((period(display(60.0), 500.0) - 15.0).abs() < 0.001);
    assert!((period(display(144.0), 30.0) - 33.333).abs() < 0.001);
    assert_eq!(period(Display::showing(None), 1e-300), 1000.0);
    // A display that drawing does not wait for is followed by deadlines.
    let fast = Display::showing(Some(Duration::from_secs_f64(1.0 / 144.0)));
    assert!((period(fast, 0.0) - 6.944).abs() < 0.001);
    assert!((period(fast, 30.0) - 33.333).abs() < 0.001);
    assert!((period(fast, 500.0) - 2.0).abs() < 0.001);
}

#[test]
fn a_pause_of_any_length_is_followed_by_an_ordinary_frame() {
    let mut pace = Pace::new(Display::showing(None), 0.0, 0);
    let begin = Instant::now();
    let before = shown(&mut pace, at_rate(60.0, 100))[99].step;
    for pause in [60, 200, 1000, 86_400_000] {
        pace.pause();
        assert_eq!(pace.next_frame(), None);
        let step = pace.begin_frame(begin + pause * MILLISECOND * 10).step;
        assert!(step - before <= 4, "{pause}: {step}");
    }
    pace.pause();
    let first = pace.begin_frame(begin).step;
    pace.pause();
    assert_eq!(pace.begin_frame(begin + 60 * MILLISECOND).step, first + 1);
}

#[test]
fn a_display_is_told_from_frames_that_nothing_paces() {
    let frames = |times: &[u64]| {
        let times: Vec<_> = times
            .iter()
            .map(|&time| Duration::from_micros(time))
            .collect();
        display_period(&times)
    };
    assert_eq!(
        frames(&[16_600, 16_700, 30_000, 16_650, 16_690]),
        Some(Duration::from_micros(16_690))
    );
    assert_eq!(frames(&[700, 800, 12_000, 900, 650]), None);
    assert_eq!(frames(&[]), None);
}
