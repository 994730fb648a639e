//! The threads and the instructions that work is done with, passed in and never global; one thread is none at all.

use std::sync::Arc;

use crate::simd::Level;

/// A fixed number of threads, and the level of the kernels that run on them; clones share the threads.
#[derive(Clone, Debug)]
pub struct Pool {
    threads: Option<Arc<rayon::ThreadPool>>,
    level: Level,
}

/// The system refused to start threads.
#[derive(Debug, thiserror::Error)]
#[error("cannot start {count} threads; try --threads 1")]
pub struct PoolError {
    count: usize,
    source: rayon::ThreadPoolBuildError,
}

/// Work in parts that can be given to different threads.
pub trait Split: Sized + Send {
    /// What is worked on at once.
    type Part;

    /// How many parts there are.
    fn parts(&self) -> usize;

    /// The first `count` parts, and the others.
    fn split(self, count: usize) -> (Self, Self);

    /// The part, where there is one.
    fn part(self) -> Self::Part;
}

/// A slice in parts of equal length; the last may be shorter.
#[derive(Debug)]
pub struct Chunks<'a, T> {
    items: &'a mut [T],
    length: usize,
}

impl<'a, T> Chunks<'a, T> {
    /// Parts of `length` items, at least 1.
    pub fn new(items: &'a mut [T], length: usize) -> Chunks<'a, T> {
        Chunks {
            items,
            length: length.max(1),
        }
    }
}

impl<'a, T: Send> Split for Chunks<'a, T> {
    type Part = &'a mut [T];

    fn parts(&self) -> usize {
        self.items.len().div_ceil(self.length)
    }

    fn split(self, count: usize) -> (Self, Self) {
        let Chunks { items, length } = self;
        let (first, second) = items.split_at_mut((count * length).min(items.len()));
        (Chunks::new(first, length), Chunks::new(second, length))
    }

    fn part(self) -> &'a mut [T] {
        self.items
    }
}

impl<'a, T: Send> Split for &'a mut [T] {
    type Part = &'a mut T;

    fn parts(&self) -> usize {
        self.len()
    }

    fn split(self, count: usize) -> (Self, Self) {
        self.split_at_mut(count)
    }

    fn part(self) -> &'a mut T {
        &mut self[0]
    }
}

/// Both together, part by part; they have equally many.
impl<A: Split, B: Split> Split for (A, B) {
    type Part = (A::Part, B::Part);

    fn parts(&self) -> usize {
        self.0.parts().min(self.1.parts())
    }

    fn split(self, count: usize) -> (Self, Self) {
        let (a, rest_of_a) = self.0.split(count);
        let (b, rest_of_b) = self.1.split(count);
        ((a, b), (rest_of_a, rest_of_b))
    }

    fn part(self) -> (A::Part, B::Part) {
        (self.0.part(), self.1.part())
    }
}

impl Pool {
    /// A pool of `count` threads, at least 1; 0 takes one for each processor. Its kernels are the best of the CPU.
    ///
    /// The calling thread is one of them, unless it belongs to another pool: it works instead of waiting.
    ///
    /// # Errors
    ///
    /// When the system cannot start that many.
    pub fn new(count: usize) -> Result<Pool, PoolError> {
        let count = if count == 0 {
            std::thread::available_parallelism().map_or(1, usize::from)
        } else {
            count
        };
        if count == 1 {
            return Ok(Pool::single());
        }
        let builder = || {
            rayon::ThreadPoolBuilder::new()
                .num_threads(count)
                .thread_name(|index| format!("eddyline {index}"))
        };
        let threads = builder()
            .use_current_thread()
            .build()
            .or_else(|_| builder().build())
            .map_err(|source| PoolError { count, source })?;
        Ok(Pool {
            threads: Some(Arc::new(threads)),
            level: Level::best(),
        })
    }

    /// The calling thread alone.
    pub fn single() -> Pool {
        Pool {
            threads: None,
            level: Level::best(),
        }
    }

    /// The same threads with kernels of another level.
    pub fn with_level(self, level: Level) -> Pool {
        Pool { level, ..self }
    }

    /// How many threads work at once.
    pub fn threads(&self) -> usize {
        self.threads
            .as_ref()
            .map_or(1, |threads| threads.current_num_threads())
    }

    /// The level of the kernels.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Runs `work` on every part and its number, on any thread and in any order. Allocates nothing.
    pub fn for_each<S: Split>(&self, items: S, work: impl Fn(usize, S::Part) + Sync) {
        match &self.threads {
            Some(threads) if items.parts() > 1 => threads.install(|| share(0, items, &work)),
            _ => self.for_each_here(items, work),
        }
    }

    /// The same on the calling thread, in order: for work that is done before others have woken up.
    pub fn for_each_here<S: Split>(&self, items: S, work: impl Fn(usize, S::Part)) {
        let mut rest = items;
        for number in 0..rest.parts() {
            let (first, others) = rest.split(1);
            work(number, first.part());
            rest = others;
        }
    }
}

/// Halves the work until it is one part.
fn share<S: Split>(first: usize, items: S, work: &(impl Fn(usize, S::Part) + Sync)) {
    let parts = items.parts();
    if parts == 1 {
        work(first, items.part());
        return;
    }
    let half = parts / 2;
    let (left, right) = items.split(half);
    rayon::join(
        || share(first, left, work),
        || share(first + half, right, work),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_is_worked_on_once() {
        for threads in [1, 2, 7] {
            let pool = Pool::new(threads).unwrap();
            assert_eq!(pool.threads(), threads);
            for count in [0, 1, 2, 999, 1000] {
                let mut items = vec![0; count];
                let mut parts = vec![0; count.div_ceil(7)];
                pool.for_each(
                    (Chunks::new(&mut items, 7), parts.as_mut_slice()),
                    |number, (items, part)| {
                        *part += items.len();
                        for (index, item) in items.iter_mut().enumerate() {
                            *item += number * 7 + index;
                        }
                    },
                );
                assert!(items.iter().enumerate().all(|(index, &item)| item == index));
                assert_eq!(parts.iter().sum::<usize>(), count);
            }
        }
        assert!(Pool::new(0).unwrap().threads() >= 1);
    }

    #[test]
    fn levels_travel_with_the_pool() {
        let pool = Pool::new(2).unwrap().with_level(Level::BASELINE);
        assert_eq!(pool.level(), Level::BASELINE);
        assert_eq!(pool.clone().level(), Level::BASELINE);
        assert_eq!(Pool::single().level(), Level::best());
    }
}
