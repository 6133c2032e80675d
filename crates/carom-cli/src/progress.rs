//! A progress bar, for runs that take long enough to wonder.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

/// Shorter runs show nothing.
const PATIENCE: Duration = Duration::from_millis(300);
/// Length of the bar in ticks: finer than any terminal is wide.
const TICKS: f64 = 1000.0;

/// Shows how far a run has come.
pub struct Progress {
    begin: Instant,
    until: f64,
    /// What is counted; time if nothing is.
    counted: Option<&'static str>,
    is_wanted: bool,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// A bar up to the time `until`; nothing if quiet or if nobody looks.
    pub fn new(until: f64, is_quiet: bool) -> Self {
        let is_wanted = !is_quiet && stderr().is_terminal();
        Self { begin: Instant::now(), until, counted: None, is_wanted, bar: None }
    }

    /// A bar for `total` of what is counted.
    pub fn counting(what: &'static str, total: f64, is_quiet: bool) -> Self {
        Self { counted: Some(what), ..Self::new(total, is_quiet) }
    }

    /// Hears that the run has come to time `t`, or to so many of what is counted.
    pub fn observe(&mut self, t: f64) {
        if self.is_wanted && self.begin.elapsed() > PATIENCE {
            let bar = self.bar.get_or_insert_with(new_bar);
            bar.set_position((TICKS * t / self.until) as u64);
            bar.set_message(match self.counted {
                Some(what) => format!("{what} {t:.0} of {:.0}", self.until),
                None => format!("t = {t:.4}"),
            });
        }
    }

    /// Takes the bar away.
    pub fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Shows how many of many things are done, from any thread.
pub struct Count(Option<ProgressBar>);

impl Count {
    /// A bar up to `all`; nothing if quiet or if nobody looks.
    pub fn new(all: usize, is_quiet: bool) -> Self {
        let is_wanted = !is_quiet && stderr().is_terminal();
        let style = ProgressStyle::with_template("{bar:40} {pos} of {len}  {per_sec}  ({eta} left)");
        Self(is_wanted.then(|| match style {
            Ok(style) => ProgressBar::new(all as u64).with_style(style),
            Err(_) => ProgressBar::new(all as u64),
        }))
    }

    /// Hears how many there are, and how many of these were there before.
    pub fn observe(&self, known: usize, done: usize) {
        if let Some(bar) = &self.0 {
            bar.set_position(done as u64);
            if done == known {
                bar.reset_eta();
            }
        }
    }

    /// Takes the bar away.
    pub fn finish(self) {
        if let Some(bar) = self.0 {
            bar.finish_and_clear();
        }
    }
}

fn new_bar() -> ProgressBar {
    let bar = ProgressBar::new(TICKS as u64);
    match ProgressStyle::with_template("{bar:40} {percent:>3} %  {msg}  ({eta} left)") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Shows that something goes on that does not say how far it is.
pub struct Busy(Option<ProgressBar>);

impl Busy {
    /// A sign of life with a word beside it; nothing if quiet or if nobody looks.
    pub fn new(what: &'static str, is_quiet: bool) -> Self {
        let is_wanted = !is_quiet && stderr().is_terminal();
        Self(is_wanted.then(|| {
            let sign = ProgressBar::new_spinner().with_message(what);
            sign.enable_steady_tick(PATIENCE);
            sign
        }))
    }

    /// Takes the sign away.
    pub fn finish(self) {
        if let Some(sign) = self.0 {
            sign.finish_and_clear();
        }
    }
}
