//! A search while it goes on: `max_seconds` counts from its beginning, for starts, hops and tightened limits together.

use super::search::GaitOptions;
use crate::solve::SolveOptions;
use std::time::{Duration, Instant};

/// How a search is made, and when it must end, if it must.
#[derive(Clone, Copy)]
pub(super) struct Run<'a> {
    pub options: &'a GaitOptions,
    end: Option<Instant>,
}

impl<'a> Run<'a> {
    /// From now on.
    pub fn new(options: &'a GaitOptions) -> Self {
        let limit = Duration::try_from_secs_f64(options.solve.nlp.max_seconds).ok();
        Self { options, end: limit.and_then(|limit| Instant::now().checked_add(limit)) }
    }

    /// True if nothing more shall begin.
    pub fn is_over(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// The same options with what is left of the time.
    pub fn rest(&self, options: &SolveOptions) -> SolveOptions {
        let mut options = options.clone();
        if let Some(end) = self.end {
            options.nlp.max_seconds = end.saturating_duration_since(Instant::now()).as_secs_f64();
        }
        options
    }
}
