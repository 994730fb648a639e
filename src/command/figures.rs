//! What the running picture costs: counted always, shown when asked for.

use std::time::{Duration, Instant};

use crate::overlay::Figure;
use crate::picture::Picture;

/// How often the figures change: faster could not be read.
const PERIOD: Duration = Duration::from_secs(1);

/// Frames that the slowest hundredth is taken of.
const FRAMES: usize = 300;

/// Frames since the figures changed, and the figures.
#[derive(Debug)]
pub struct Figures {
    /// When counting began, and what the process had used by then; `None` before the first frame.
    begin: Option<(Instant, Duration)>,
    /// When the last frame began.
    last: Option<Instant>,
    frames: u32,
    /// Milliseconds of the latest frames, and how many there were.
    times: [f32; FRAMES],
    count: usize,
    rate: Option<Rate>,
    state: State,
}

/// What a period showed.
#[derive(Clone, Copy, Debug)]
struct Rate {
    frames_per_second: f64,
    /// Milliseconds of 99 in 100 frames at most.
    slowest: f32,
    /// Milliseconds on all processors for each frame.
    cpu: f64,
}

/// What was true at the end of a period.
#[derive(Debug, Default)]
struct State {
    living: usize,
    /// The share of the particles that are born.
    budget: f64,
    nodes: usize,
    kernel: &'static str,
    threads: usize,
    painter: String,
}

impl Default for Figures {
    fn default() -> Figures {
        Figures {
            begin: None,
            last: None,
            frames: 0,
            times: [0.0; FRAMES],
            count: 0,
            rate: None,
            state: State::default(),
        }
    }
}

impl Figures {
    /// Counts a frame that begins at `now`, when the process has used `cpu` of all processors; says whether the figures
    /// have changed.
    pub fn count(&mut self, picture: &Picture, painter: &str, now: Instant, cpu: Duration) -> bool {
        if let Some(last) = self.last.replace(now) {
            let time = now.saturating_duration_since(last).as_secs_f32() * 1e3;
            self.times[self.count % FRAMES] = time;
            self.count += 1;
        }
        let (begin, used) = *self.begin.get_or_insert((now, cpu));
        let elapsed = now.saturating_duration_since(begin);
        let is_due = self.rate.is_none() && self.frames == 0 || elapsed >= PERIOD;
        if is_due {
            if elapsed >= PERIOD {
                let frames = f64::from(self.frames);
                self.rate = Some(Rate {
                    frames_per_second: frames / elapsed.as_secs_f64(),
                    slowest: self.slowest(),
                    cpu: cpu.saturating_sub(used).as_secs_f64() * 1e3 / frames,
                });
            }
            (self.begin, self.frames) = (Some((now, cpu)), 0);
            let (simulation, pool) = (picture.simulation(), picture.pool());
            self.state = State {
                budget: picture.timeline().latest_budget(),
                living: simulation.particles().living(),
                nodes: simulation.field().nodes(),
                kernel: pool.level().name(),
                threads: pool.threads(),
                painter: painter.to_owned(),
            };
        }
        self.frames += 1;
        is_due
    }

    /// Nothing was shown for a while: what comes next is not a slow frame, and counting begins anew.
    pub fn pause(&mut self) {
        (self.begin, self.last, self.frames) = (None, None, 0);
    }

    fn slowest(&self) -> f32 {
        let mut times = self.times;
        let times = &mut times[..self.count.min(FRAMES)];
        times.sort_by(f32::total_cmp);
        times.get(times.len() * 99 / 100).copied().unwrap_or(0.0)
    }

    /// The lines.
    pub fn lines(&self) -> Vec<Figure> {
        let State {
            living,
            budget,
            nodes,
            kernel,
            threads,
            painter,
        } = &self.state;
        let [rate, slowest, cpu] = match self.rate {
            Some(rate) => [
                format!("{:.1} frames/s", rate.frames_per_second),
                format!("{:.1} ms", rate.slowest),
                format!("{:.2} ms", rate.cpu),
            ],
            None => ["counting", "", ""].map(str::to_owned),
        };
        let particles = if *budget < 1.0 {
            format!("{living}, {:.0} % of what is asked for", budget * 100.0)
        } else {
            living.to_string()
        };
        let field = match nodes {
            0 => "exact".to_owned(),
            nodes => format!("on {nodes} nodes"),
        };
        let plural = if *threads == 1 { "" } else { "s" };
        let line = |name: &str, value: String| [name.to_owned(), value];
        vec![
            line("shown", rate),
            line("99 % of frames within", slowest),
            line("processor time per frame", cpu),
            line("particles", particles),
            line("field", field),
            line("painted by", painter.clone()),
            line("kernel", format!("{kernel}, {threads} thread{plural}")),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pool::Pool;
    use crate::settings::Settings;
    use crate::timeline::Timeline;

    fn picture() -> Picture {
        let timeline = Timeline::new(Settings::default(), [300.0, 200.0]);
        let mut picture = Picture::new(timeline, Pool::single());
        picture.seek(0);
        picture
    }

    #[test]
    fn frames_are_counted_over_a_second() {
        let picture = picture();
        let (mut figures, begin) = (Figures::default(), Instant::now());
        let mut changes = 0;
        for frame in 0..=60 {
            let now = begin + Duration::from_millis(20) * frame;
            let cpu = Duration::from_micros(1500) * frame;
            changes += u32::from(figures.count(&picture, "nobody", now, cpu));
            let values: Vec<String> = figures
                .lines()
                .into_iter()
                .map(|[_, value]| value)
                .collect();
            let expected = if frame < 50 {
                ["counting", "", ""]
            } else {
                ["50.0 frames/s", "20.0 ms", "1.50 ms"]
            };
            assert_eq!(values[..3], expected, "frame {frame}");
            let living = picture.simulation().particles().living().to_string();
            assert_eq!(values[3..6], [&living, "exact", "nobody"]);
            assert!(values[6].ends_with(", 1 thread"));
        }
        assert_eq!(changes, 2);
    }

    #[test]
    fn a_pause_is_no_slow_frame_and_slow_frames_are_seen() {
        let picture = picture();
        let (mut figures, mut now) = (Figures::default(), Instant::now());
        for frame in 0..400 {
            now += Duration::from_millis(if frame % 50 == 49 { 40 } else { 10 });
            figures.count(&picture, "", now, Duration::ZERO);
            if frame == 200 {
                figures.pause();
                now += Duration::from_secs(100);
            }
        }
        let [_, slowest] = &figures.lines()[1];
        assert_eq!(slowest, "40.0 ms");
    }
}
