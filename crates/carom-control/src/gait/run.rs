//! A search while it goes on: `max_seconds` counts from its beginning, for all starts and hops. The cheapest of what was
//! found by then is still audited, and its limits are tightened.

use super::search::GaitOptions;
use crate::solve::SolveOptions;
use std::time::{Duration, Instant};

/// Share of all time that tightened limits may take after its end.
const GRACE: f64 = 0.1;

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

    /// The same time with other options.
    pub fn with<'b>(&self, options: &'b GaitOptions) -> Run<'b> {
        Run { options, end: self.end }
    }

    /// True if nothing more shall begin.
    pub fn is_over(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// The same options with what is left of the time.
    pub fn rest(&self, options: &SolveOptions) -> SolveOptions {
        self.at_least(options, 0.0)
    }

    /// The same with a tenth of all time at least: what was found is brought to its end.
    pub fn grace(&self, options: &SolveOptions) -> SolveOptions {
        self.at_least(options, GRACE * self.options.solve.nlp.max_seconds)
    }

    fn at_least(&self, options: &SolveOptions, least: f64) -> SolveOptions {
        let mut options = options.clone();
        if let Some(end) = self.end {
            options.nlp.max_seconds = end.saturating_duration_since(Instant::now()).as_secs_f64().max(least);
        }
        options
    }
}
