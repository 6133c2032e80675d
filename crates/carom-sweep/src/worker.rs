//! Computes parts.

use crate::axis::Value;
use crate::cells::{Cell, Column};
use crate::table::{POINT, Rows};
use crate::{Sweep, SweepError};

/// Turns true when the sweep shall end.
pub(crate) type Stop<'a> = &'a (dyn Fn() -> bool + Sync);

/// What is done at points, whatever it is. A row depends on its point alone.
pub(crate) trait Task: Send + Sync {
    /// The columns of the results.
    fn columns(&self) -> Vec<Column>;

    /// One row per point; an error only if it was stopped.
    fn rows(&self, points: &[Vec<Value>], stop: Stop<'_>) -> Result<Vec<Vec<Cell>>, SweepError>;
}

/// A sweep that is ready: any thread can ask it for any part.
pub struct Worker {
    sweep: Sweep,
    task: Box<dyn Task>,
}

impl Worker {
    pub(crate) fn new(sweep: Sweep, task: Box<dyn Task>) -> Result<Self, SweepError> {
        let worker = Self { sweep, task };
        let columns = worker.columns();
        let twice = columns.iter().enumerate().find(|(place, name)| columns[..*place].contains(name));
        match twice {
            Some((_, name)) => Err(SweepError::Points(format!("two columns are called `{name}`; rename the measure"))),
            None => Ok(worker),
        }
    }

    /// The sweep.
    pub fn sweep(&self) -> &Sweep {
        &self.sweep
    }

    /// How many points there are.
    pub fn points(&self) -> usize {
        self.sweep.points.len()
    }

    /// How many parts there are.
    pub fn parts(&self) -> usize {
        self.sweep.parts()
    }

    /// Names of all columns.
    pub fn columns(&self) -> Vec<String> {
        let over = self.sweep.points.names().into_iter().map(str::to_owned);
        let results = self.task.columns().into_iter().map(|column| column.name);
        std::iter::once(POINT.to_owned()).chain(over).chain(results).collect()
    }

    /// The bytes of the Parquet file of a part. They depend on the sweep and on `k` alone.
    pub fn part(&self, k: usize, stop: &(dyn Fn() -> bool + Sync)) -> Result<Vec<u8>, SweepError> {
        if k >= self.parts() {
            return Err(SweepError::NoPart { part: k, parts: self.parts() });
        }
        let range = self.sweep.part(k);
        let points: Vec<Vec<Value>> = range.clone().map(|point| self.sweep.points.get(point)).collect();
        let cells = self.task.rows(&points, stop)?;
        let (names, columns) = (self.sweep.points.names(), self.task.columns());
        let rows = Rows { first: range.start, names: &names, points: &points, columns: &columns, cells: &cells };
        rows.encode().map_err(|source| SweepError::Encoding { part: k, source })
    }
}
