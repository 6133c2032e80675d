//! All missing parts, on the threads of this process.

use crate::{Dataset, SweepError, Worker};
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes of the stack of a thread: as much as the first thread of a process has, for what is deeply nested.
const STACK: usize = 8 << 20;

/// How far a sweep has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Points that were there already.
    pub known: usize,
    /// Points that are there now.
    pub done: usize,
    /// All points.
    pub points: usize,
}

/// What a run has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ran {
    /// Points that were there already.
    pub known: usize,
    /// Points that were computed now.
    pub computed: usize,
    /// Points that are missing, because it was stopped.
    pub missing: usize,
}

/// Computes the parts that the dataset does not have; each is stored as soon as it is there. `threads` is the number of threads, by
/// default that of the cores.
pub fn run(
    worker: &Worker,
    dataset: &Dataset,
    threads: Option<usize>,
    stop: &(dyn Fn() -> bool + Sync),
    observe: &(dyn Fn(Progress) + Sync),
) -> Result<Ran, SweepError> {
    let (missing, points) = (dataset.missing(), worker.points());
    let rows = |part: usize| worker.sweep().part(part).len();
    let known = points - missing.iter().map(|part| rows(*part)).sum::<usize>();
    let done = AtomicUsize::new(known);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).stack_size(STACK).build();
    let pool = pool.map_err(|error| SweepError::Threads(error.to_string()))?;
    observe(Progress { known, done: known, points });
    let compute = |part: usize| -> Result<(), SweepError> {
        if stop() {
            return Err(SweepError::Stopped);
        }
        dataset.store(part, &worker.part(part, stop)?)?;
        let done = done.fetch_add(rows(part), Ordering::SeqCst) + rows(part);
        observe(Progress { known, done, points });
        Ok(())
    };
    // In the order of the points, so that what is there after an interruption is mostly their beginning.
    let ended = pool.install(|| missing.into_iter().par_bridge().try_for_each(compute));
    let done = done.into_inner();
    match ended {
        Ok(()) | Err(SweepError::Stopped) => Ok(Ran { known, computed: done - known, missing: points - done }),
        Err(error) => Err(error),
    }
}
