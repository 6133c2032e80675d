//! Progress and Ctrl-C: both are looked at a few times per second, since they need the interpreter's lock.

use pyo3::prelude::*;
use std::time::{Duration, Instant};

/// How often the interpreter is asked.
const PAUSE: Duration = Duration::from_millis(50);

/// Hears how far a run is.
pub struct Watch {
    report: Option<Py<PyAny>>,
    last: Instant,
    /// What a signal or the report has raised.
    pub raised: Option<PyErr>,
}

impl Watch {
    /// `report` is called with the time that was reached.
    pub fn new(report: Option<Py<PyAny>>) -> Self {
        Self { report, last: Instant::now(), raised: None }
    }

    /// True if the run should go on.
    pub fn observe(&mut self, time: f64) -> bool {
        if self.raised.is_some() {
            return false;
        }
        if self.last.elapsed() < PAUSE {
            return true;
        }
        self.last = Instant::now();
        let asked = Python::attach(|py| {
            py.check_signals()?;
            self.report.as_ref().map_or(Ok(()), |report| report.call1(py, (time,)).map(|_| ()))
        });
        self.raised = asked.err();
        self.raised.is_none()
    }
}
