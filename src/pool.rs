//! The threads, passed in and never global; one thread is none at all.

use std::sync::Arc;

use rayon::prelude::*;

/// A fixed number of threads; clones share them.
#[derive(Clone, Debug)]
pub struct Pool {
    threads: Option<Arc<rayon::ThreadPool>>,
}

/// The system refused to start threads.
#[derive(Debug, thiserror::Error)]
#[error("cannot start {count} threads; try --threads 1")]
pub struct PoolError {
    count: usize,
    source: rayon::ThreadPoolBuildError,
}

impl Pool {
    /// A pool of `count` threads, at least 1; 0 takes one for each processor.
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
        let builder = rayon::ThreadPoolBuilder::new()
            .num_threads(count)
            .thread_name(|index| format!("eddyline {index}"));
        let threads = builder
            .build()
            .map_err(|source| PoolError { count, source })?;
        Ok(Pool {
            threads: Some(Arc::new(threads)),
        })
    }

    /// The calling thread alone.
    pub fn single() -> Pool {
        Pool { threads: None }
    }

    /// How many threads work at once.
    pub fn threads(&self) -> usize {
        self.threads
            .as_ref()
            .map_or(1, |threads| threads.current_num_threads())
    }

    /// Runs `work` on every item, on any thread and in any order.
    pub fn for_each<T: Send>(
        &self,
        items: impl IntoIterator<Item = T>,
        work: impl Fn(T) + Sync + Send,
    ) {
        match &self.threads {
            None => items.into_iter().for_each(work),
            Some(threads) => {
                let items: Vec<T> = items.into_iter().collect();
                threads.install(|| items.into_par_iter().for_each(work));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_worked_on_once() {
        for threads in [1, 2, 7] {
            let pool = Pool::new(threads).unwrap();
            assert_eq!(pool.threads(), threads);
            let mut items = vec![0; 1000];
            pool.for_each(items.iter_mut().enumerate(), |(index, item)| *item += index);
            assert!(items.iter().enumerate().all(|(index, &item)| item == index));
        }
        assert!(Pool::new(0).unwrap().threads() >= 1);
    }
}
