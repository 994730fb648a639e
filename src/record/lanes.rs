//! Work on threads of its own, whose results come back in the order of the work.
//!
//! Each thread takes every n-th job, so that order needs neither a lock nor sorting; jobs of one film are about alike.

use std::io;
use std::sync::mpsc::{self, Receiver, Sender, TryRecvError};
use std::thread;

use super::RecordError;

/// How many jobs may be under way beyond one for each thread.
const AHEAD: usize = 2;

/// Threads that turn jobs into results. They end by themselves when this is dropped.
pub struct Lanes<J, R> {
    lanes: Vec<Lane<J, R>>,
    given: usize,
    taken: usize,
    /// A result could not be used: whatever came after it would leave a gap.
    broken: bool,
}

struct Lane<J, R> {
    jobs: Sender<J>,
    results: Receiver<R>,
}

impl<J: Send + 'static, R: Send + 'static> Lanes<J, R> {
    /// Starts `count` threads, at least one.
    ///
    /// # Errors
    ///
    /// When the system cannot start that many.
    pub fn new(
        count: usize,
        work: impl Fn(J) -> R + Clone + Send + 'static,
    ) -> io::Result<Lanes<J, R>> {
        let lanes = (0..count.max(1)).map(|number| {
            let (jobs, given) = mpsc::channel();
            let (done, results) = mpsc::channel();
            let work = work.clone();
            thread::Builder::new()
                .name(format!("encoder {number}"))
                .spawn(move || {
                    given
                        .iter()
                        .map(work)
                        .try_for_each(|result| done.send(result))
                })?;
            Ok(Lane { jobs, results })
        });
        Ok(Lanes {
            lanes: lanes.collect::<io::Result<_>>()?,
            given: 0,
            taken: 0,
            broken: false,
        })
    }

    /// Gives a job and hands results that are ready to `use_result`, in order; waits while two jobs more than there are
    /// threads are under way.
    ///
    /// # Errors
    ///
    /// When a result could not be used, now or earlier.
    pub fn push(
        &mut self,
        job: J,
        mut use_result: impl FnMut(R) -> Result<(), RecordError>,
    ) -> Result<(), RecordError> {
        self.check()?;
        let lane = &self.lanes[self.given % self.lanes.len()];
        lane.jobs.send(job).map_err(|_| ended())?;
        self.given += 1;
        while let Some(result) = self.ready()? {
            self.hand_on(result, &mut use_result)?;
        }
        Ok(())
    }

    /// Waits for all results that are left.
    ///
    /// # Errors
    ///
    /// When a result could not be used, now or earlier.
    pub fn finish(
        &mut self,
        mut use_result: impl FnMut(R) -> Result<(), RecordError>,
    ) -> Result<(), RecordError> {
        self.check()?;
        while self.taken < self.given {
            let result = self.next().results.recv().map_err(|_| ended())?;
            self.hand_on(result, &mut use_result)?;
        }
        Ok(())
    }

    fn check(&self) -> Result<(), RecordError> {
        if self.broken {
            let what = "an earlier frame could not be written";
            return Err(RecordError::Encoder(what.to_owned()));
        }
        Ok(())
    }

    fn next(&self) -> &Lane<J, R> {
        &self.lanes[self.taken % self.lanes.len()]
    }

    /// The next result, where it is there or must be waited for.
    fn ready(&self) -> Result<Option<R>, RecordError> {
        if self.taken == self.given {
            return Ok(None);
        }
        if self.given - self.taken >= self.lanes.len() + AHEAD {
            return self.next().results.recv().map(Some).map_err(|_| ended());
        }
        match self.next().results.try_recv() {
            Ok(result) => Ok(Some(result)),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => Err(ended()),
        }
    }

    fn hand_on(
        &mut self,
        result: R,
        use_result: &mut impl FnMut(R) -> Result<(), RecordError>,
    ) -> Result<(), RecordError> {
        self.taken += 1;
        let used = use_result(result);
        self.broken |= used.is_err();
        used
    }
}

fn ended() -> RecordError {
    RecordError::Encoder("an encoding thread has ended".to_owned())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_jobs_whatever_they_take() {
        for count in [0, 1, 2, 3] {
            let slow = |job: usize| {
                if job.is_multiple_of(3) {
                    thread::yield_now();
                }
                job * 2
            };
            let mut lanes = Lanes::new(count, slow).unwrap();
            let mut results = Vec::new();
            for job in 0..100 {
                lanes
                    .push(job, |result| {
                        results.push(result);
                        Ok(())
                    })
                    .unwrap();
                assert!(job + 1 - results.len() < count.max(1) + AHEAD);
            }
            lanes
                .finish(|result| {
                    results.push(result);
                    Ok(())
                })
                .unwrap();
            assert!(results.iter().copied().eq((0..100).map(|job| job * 2)));
        }
    }

    #[test]
    fn jobs_under_way_are_bounded() {
        let begun = Arc::new(AtomicUsize::new(0));
        let counter = begun.clone();
        let mut lanes = Lanes::new(2, move |()| {
            counter.fetch_add(1, Ordering::SeqCst);
        })
        .unwrap();
        let mut used = 0;
        for given in 1..=50 {
            lanes
                .push((), |()| {
                    used += 1;
                    Ok(())
                })
                .unwrap();
            assert!(given - used < 2 + AHEAD);
        }
        lanes.finish(|()| Ok(())).unwrap();
        assert_eq!(begun.load(Ordering::SeqCst), 50);
    }

    #[test]
    fn nothing_comes_behind_a_gap() {
        let mut lanes = Lanes::new(1, |job: u8| job).unwrap();
        let full = |_| Err(RecordError::Encoder("full".to_owned()));
        let told = lanes.push(0, full).and_then(|()| lanes.finish(full));
        assert_eq!(told.unwrap_err().to_string(), "full");
        let pushed = lanes.push(1, |_| Ok(()));
        let finished = lanes.finish(|_| Ok(()));
        for told in [pushed, finished] {
            assert_eq!(
                told.unwrap_err().to_string(),
                "an earlier frame could not be written"
            );
        }
    }

    #[test]
    fn a_thread_that_has_ended_is_an_error() {
        let mut lanes = Lanes::new(1, |()| panic!("on purpose")).unwrap();
        let pushed = lanes.push((), |()| Ok(()));
        let error = pushed.and_then(|()| lanes.finish(|()| Ok(()))).unwrap_err();
        assert_eq!(error.to_string(), "an encoding thread has ended");
    }
}
