//! The time of a search: `max_seconds` counts from its beginning, for all starts and hops together.

use crate::solve::SolveOptions;
use std::time::{Duration, Instant};

/// When a search must end, if it must.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    end: Option<Instant>,
}

impl Budget {
    /// From now on.
    pub(super) fn new(options: &SolveOptions) -> Self {
        let limit = Duration::try_from_secs_f64(options.nlp.max_seconds).ok();
        Self { end: limit.and_then(|limit| Instant::now().checked_add(limit)) }
    }

    /// True if nothing more shall begin.
    pub(super) fn is_spent(self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// The same options with what is left of the time.
    pub(super) fn rest(self, options: &SolveOptions) -> SolveOptions {
        let mut options = options.clone();
        if let Some(end) = self.end {
            options.nlp.max_seconds = end.saturating_duration_since(Instant::now()).as_secs_f64();
        }
        options
    }
}
