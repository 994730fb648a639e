//! What the running picture costs, in a line: counted always, shown when asked for.

use std::time::{Duration, Instant};

use crate::picture::Picture;

/// How often the figures change: faster could not be read.
const PERIOD: Duration = Duration::from_secs(1);

/// Frames since the figures changed, and the figures.
#[derive(Debug, Default)]
pub struct Figures {
    /// When counting began; `None` before the first frame.
    begin: Option<Instant>,
    frames: u32,
    rate: Option<f64>,
    particles: usize,
    nodes: usize,
    kernel: &'static str,
    threads: usize,
}

impl Figures {
    /// Counts a frame that begins at `now`; says whether the figures have changed.
    pub fn count(&mut self, picture: &Picture, now: Instant) -> bool {
        let begin = *self.begin.get_or_insert(now);
        let elapsed = now.saturating_duration_since(begin);
        let is_due = self.rate.is_none() && self.frames == 0 || elapsed >= PERIOD;
        if is_due {
            if elapsed >= PERIOD {
                self.rate = Some(f64::from(self.frames) / elapsed.as_secs_f64());
            }
            (self.begin, self.frames) = (Some(now), 0);
            let simulation = picture.simulation();
            self.particles = simulation.particles().living();
            self.nodes = simulation.field().nodes();
            (self.kernel, self.threads) = (picture.pool().level().name(), picture.pool().threads());
        }
        self.frames += 1;
        is_due
    }

    /// A title and a text.
    pub fn text(&self) -> [String; 2] {
        let rate = match self.rate {
            Some(rate) => format!("{rate:.1} frames/s"),
            None => "counting frames".to_owned(),
        };
        let field = match self.nodes {
            0 => "exact field".to_owned(),
            nodes => format!("field on {nodes} nodes"),
        };
        let plural = if self.threads == 1 { "" } else { "s" };
        let text = format!(
            "{} particles, {field}, {}, {} thread{plural}",
            self.particles, self.kernel, self.threads
        );
        [rate, text]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pool::Pool;
    use crate::settings::Settings;
    use crate::timeline::Timeline;

    #[test]
    fn frames_are_counted_over_a_second() {
        let timeline = Timeline::new(Settings::default(), [300.0, 200.0]);
        let mut picture = Picture::new(timeline, Pool::single());
        picture.seek(0);
        let (mut figures, begin) = (Figures::default(), Instant::now());
        let mut changes = 0;
        for frame in 0..=60 {
            let now = begin + Duration::from_millis(20) * frame;
            changes += u32::from(figures.count(&picture, now));
            let [rate, text] = figures.text();
            let expected = if frame < 50 {
                "counting frames"
            } else {
                "50.0 frames/s"
            };
            assert_eq!(rate, expected, "frame {frame}");
            let living = picture.simulation().particles().living();
            let start = format!("{living} particles, exact field, ");
            assert!(
                text.starts_with(&start) && text.ends_with(", 1 thread"),
                "{text}"
            );
        }
        assert_eq!(changes, 2);
    }
}
