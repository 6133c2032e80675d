//! Whoever looks at a search, and may end it.

use crate::args::Optimise;
use crate::interrupt::Interrupt;
use crate::iterations::Iterations;
use carom::nlp::{Outcome, Progress};
use std::cell::RefCell;
use std::time::Instant;

/// Looks at a search: shows its iterations, and ends it when that is asked for.
pub(super) struct Watch {
    iterations: RefCell<Iterations>,
    interrupt: Interrupt,
    begin: Instant,
    /// Seconds of a search of impacts; others have limits of their own.
    limit: f64,
}

impl Watch {
    /// Begins to look, and to listen for Ctrl-C.
    pub(super) fn new(args: &Optimise, limit: f64) -> Self {
        let iterations = Iterations::new(args.quiet || args.json && !args.verbose, args.verbose);
        let (iterations, interrupt) = (RefCell::new(iterations), Interrupt::install());
        Self { iterations, interrupt, begin: Instant::now(), limit }
    }

    /// Takes the limit of time away.
    pub(super) fn lift(&mut self) {
        self.limit = f64::INFINITY;
    }

    /// Hears of an iteration; false if the search shall end.
    pub(super) fn observe(&self, progress: &Progress<'_>) -> bool {
        self.iterations.borrow_mut().show(progress);
        !self.is_stopped()
    }

    /// Hears of the end of a search.
    pub(super) fn finish(&self, outcome: &Outcome) {
        self.iterations.borrow_mut().finish(outcome);
    }

    /// True if someone looks.
    pub(super) fn is_wanted(&self) -> bool {
        self.iterations.borrow().is_wanted()
    }

    /// True if the search shall end.
    pub(super) fn is_stopped(&self) -> bool {
        self.interrupt.is_requested() || self.begin.elapsed().as_secs_f64() > self.limit
    }
}
