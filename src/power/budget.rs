//! How many particles a machine can carry: fewer while frames come late, and more again when there is room.
//!
//! It reads no clock and counts no particles: it is told of every frame, and answers with a share. A change takes effect
//! by births and deaths, so it waits for them before it judges again; and what turned out to be too much is tried
//! later and later.

use std::time::{Duration, Instant};

/// The time that frames are judged over.
const WINDOW: Duration = Duration::from_secs(2);

/// A window that opens, or a picture that was gone for a while, is left alone for so long.
const OPENING: Duration = Duration::from_secs(3);

/// What passes between two frames beside their work, at most; more was a pause.
const PAUSE: Duration = Duration::from_millis(500);

/// Frames that take more than this many usual ones, in the mean, come late.
const LATE: f64 = 1.1;

/// Frames whose work takes less than this share of their time leave room for more.
const ROOM: f64 = 0.5;

/// Least and most that is left of the particles by one change.
const CUTS: [f64; 2] = [0.3, 0.9];

/// By how much they grow again.
const GROWTH: f64 = 1.25;

/// The least share.
const LEAST: f64 = 0.02;

/// How long there has to be room, at first and at most.
const PATIENCE: [Duration; 2] = [Duration::from_secs(10), Duration::from_secs(600)];

/// Frames that come late so soon after growing were made late by that.
const REGRET: Duration = Duration::from_secs(60);

/// A cut that leaves more than this of the time was none: something else takes it.
const USELESS: f64 = 0.95;

/// A frame.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    /// When it began.
    pub now: Instant,
    /// What its steps and its picture took.
    pub work: Duration,
    /// How long it should have been shown.
    pub period: Duration,
    /// After how long of the picture's time a change is complete.
    pub life: Duration,
}

/// Frames since the last judgement, and what came of earlier ones.
#[derive(Debug)]
pub struct Budget {
    /// When the frame before began, and its work.
    last: Option<(Instant, Duration)>,
    /// When judging may begin; nothing before the first frame.
    begin: Option<Instant>,
    frames: u32,
    work: Duration,
    /// Since when there has been room.
    roomy_since: Option<Instant>,
    grown: Option<Instant>,
    patience: Duration,
    /// The time of a frame, in seconds, and the share before the last cut.
    cut: Option<(f64, f64)>,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget {
            last: None,
            begin: None,
            frames: 0,
            work: Duration::ZERO,
            roomy_since: None,
            grown: None,
            patience: PATIENCE[0],
            cut: None,
        }
    }
}

impl Budget {
    /// Counts a frame shown with a share of the particles, in [0, 1]; returns another share where that is due.
    pub fn frame(&mut self, share: f64, load: &Load) -> Option<f64> {
        let Load { now, work, .. } = *load;
        let is_pause = self.last.is_none_or(|(last, work)| {
            now.saturating_duration_since(last).saturating_sub(work) > PAUSE
        });
        self.last = Some((now, work));
        if is_pause {
            self.wait_until(now + OPENING);
        }
        let begin = self.begin?;
        if now < begin {
            return None;
        }
        let elapsed = now - begin;
        if elapsed >= WINDOW && self.frames > 0 {
            let change = self.judge(share, load, elapsed);
            if change.is_none() {
                self.wait_until(now);
            }
            return change;
        }
        self.frames += 1;
        self.work += work;
        None
    }

    /// Nothing is shown for a while, or something else took the time: what comes next says nothing at first.
    pub fn pause(&mut self) {
        self.last = None;
    }

    /// The share after a window of frames.
    fn judge(&mut self, share: f64, load: &Load, elapsed: Duration) -> Option<f64> {
        let frames = f64::from(self.frames);
        let period = load.period.as_secs_f64();
        let (time, work) = (
            elapsed.as_secs_f64() / frames,
            self.work.as_secs_f64() / frames,
        );
        let busy = time.max(work);
        // The picture's time passes slower than the clock's where frames come late.
        let settling = load.life.mul_f64((busy / period).clamp(1.0, 10.0)) + WINDOW;
        if busy > LATE * period {
            self.roomy_since = None;
            let cut = self.cut(share, busy, period, load.now)?;
            self.wait_until(load.now + settling);
            return Some(cut);
        }
        self.cut = None;
        if work > ROOM * period || share >= 1.0 {
            self.roomy_since = None;
            return None;
        }
        let since = *self.roomy_since.get_or_insert(load.now);
        if load.now - since < self.patience {
            return None;
        }
        (self.roomy_since, self.grown) = (None, Some(load.now));
        self.wait_until(load.now + settling);
        Some((share * GROWTH).min(1.0))
    }

    /// Fewer particles, if that is any use.
    fn cut(&mut self, share: f64, busy: f64, period: f64, now: Instant) -> Option<f64> {
        if self.grown.is_some_and(|grown| now - grown < REGRET) {
            self.patience = (self.patience * 2).min(PATIENCE[1]);
            self.grown = None;
        }
        if let Some((before, had)) = self.cut
            && busy > USELESS * before
        {
            // Once more, and it would be as late and empty.
            return (share < had).then_some(had);
        }
        let wanted = share * (period / busy).clamp(CUTS[0], CUTS[1]);
        let less = wanted.max(LEAST);
        self.cut = Some((busy, share));
        (less < share).then_some(less)
    }

    fn wait_until(&mut self, begin: Instant) {
        (self.begin, self.frames, self.work) = (Some(begin), 0, Duration::ZERO);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PERIOD: f64 = 1.0 / 60.0;
    const LIFE: Duration = Duration::from_secs(4);

    /// A machine that takes `fixed` seconds for a frame and `all` more for all particles, which follow the share slowly.
    struct Machine {
        fixed: f64,
        all: f64,
        now: Instant,
        shown: f64,
        share: f64,
        budget: Budget,
        changes: Vec<f64>,
    }

    impl Machine {
        fn new(fixed: f64, all: f64) -> Machine {
            Machine {
                fixed,
                all,
                now: Instant::now(),
                shown: 1.0,
                share: 1.0,
                budget: Budget::default(),
                changes: Vec::new(),
            }
        }

        fn run(&mut self, seconds: f64) -> &mut Machine {
            let end = self.now + Duration::from_secs_f64(seconds);
            while self.now < end {
                let work = self.fixed + self.all * self.shown;
                let load = Load {
                    now: self.now,
                    work: Duration::from_secs_f64(work),
                    period: Duration::from_secs_f64(PERIOD),
                    life: LIFE,
                };
                if let Some(share) = self.budget.frame(self.share, &load) {
                    assert!((LEAST..=1.0).contains(&share));
                    self.share = share;
                    self.changes.push(share);
                }
                self.shown += (self.share - self.shown).clamp(-0.004, 0.004);
                self.now += Duration::from_secs_f64(work.max(PERIOD));
            }
            self
        }

        fn is_late(&self) -> bool {
            self.fixed + self.all * self.shown > LATE * PERIOD
        }
    }

    #[test]
    fn a_machine_that_keeps_up_is_left_alone() {
        for work in [0.1, 0.5, 0.9, 1.05] {
            let machine = &mut Machine::new(0.0, work * PERIOD);
            assert!(machine.run(300.0).changes.is_empty(), "{work}");
        }
    }

    #[test]
    fn a_slow_machine_settles_and_stays() {
        for overload in [1.3, 2.0, 5.0, 30.0] {
            let machine = &mut Machine::new(0.001, overload * PERIOD);
            machine.run(400.0);
            assert!(!machine.is_late(), "{overload}: {:?}", machine.changes);
            assert!(
                machine.changes.len() <= 8,
                "{overload}: {:?}",
                machine.changes
            );
            // It neither gives up far more than it must nor keeps trying.
            assert!(
                machine.share * overload > 0.4,
                "{overload}: {}",
                machine.share
            );
            let changes = machine.changes.len();
            machine.run(1200.0);
            assert!(
                machine.changes.len() - changes <= 6,
                "{overload}: {:?}",
                machine.changes
            );
        }
    }

    #[test]
    fn it_grows_back_when_the_load_goes() {
        let machine = &mut Machine::new(0.0, 3.0 * PERIOD);
        machine.run(100.0);
        assert!(machine.share < 0.5);
        machine.all = 0.2 * PERIOD;
        machine.run(400.0);
        assert_eq!(machine.share, 1.0);
    }

    #[test]
    fn spikes_and_pauses_change_nothing() {
        let machine = &mut Machine::new(0.0, 0.4 * PERIOD);
        for _ in 0..50 {
            machine.run(3.0);
            // One slow frame, a machine that slept, and a second of work of somebody else.
            machine.all = 0.3;
            machine.run(0.25);
            machine.all = 0.4 * PERIOD;
            machine.now += Duration::from_secs(3600);
        }
        assert!(machine.changes.is_empty());
        // A window that is hidden for moments.
        for _ in 0..50 {
            machine.run(2.1);
            machine.budget.pause();
            machine.now += Duration::from_millis(450);
        }
        assert!(machine.changes.is_empty());
        // The opening of a window.
        let machine = &mut Machine::new(0.0, 3.0 * PERIOD);
        machine.run(2.9);
        machine.all = 0.4 * PERIOD;
        assert!(machine.run(60.0).changes.is_empty());
    }

    #[test]
    fn particles_stay_where_fewer_do_not_help() {
        let machine = &mut Machine::new(2.0 * PERIOD, 0.02 * PERIOD);
        machine.run(200.0);
        assert_eq!(machine.share, 1.0, "{:?}", machine.changes);
        let changes = machine.changes.len();
        assert_eq!(machine.run(600.0).changes.len(), changes);
    }
}
