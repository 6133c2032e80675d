//! Where a recorder leaves what it has recorded, so that a run of any length needs the memory of one piece.

use crate::trajectory::Trajectory;
use std::error::Error;

/// Rows of a piece, if nothing else is said: some megabytes, and row groups that compress well.
pub const PIECE_ROWS: usize = 1 << 16;

/// Why a sink did not take a piece.
pub type Refusal = Box<dyn Error + Send + Sync>;

/// Takes a motion in pieces: the nodes, impacts, changes of mode and findings since the piece before.
pub type Sink<'s> = &'s mut (dyn FnMut(&Trajectory) -> Result<(), Refusal> + Send + 's);

/// A sink did not take a piece, and the run stopped.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("at t = {time} the run stopped, for its results could not be passed on: {message}; all before them is kept")]
pub struct SinkError {
    /// Time of the last node that was recorded.
    pub time: f64,
    /// What the sink said.
    pub message: String,
}

/// The way to a sink.
pub(crate) struct Outlet<'s> {
    sink: Sink<'s>,
    rows: usize,
    /// Time of the last node that the sink has taken.
    taken: Option<f64>,
    is_broken: bool,
}

impl<'s> Outlet<'s> {
    pub fn new(rows: usize, sink: Sink<'s>) -> Self {
        Self { sink, rows, taken: None, is_broken: false }
    }

    /// Time of the last node that the sink has taken.
    pub fn time(&self) -> Option<f64> {
        self.taken
    }

    /// True if `held` is a whole piece. The first node goes at once: a sink that takes nothing is found out
    /// before hours of work.
    pub fn is_due(&self, held: &Trajectory) -> bool {
        held.rows() >= if self.taken.is_some() { self.rows } else { 1 }
    }

    /// Gives a piece away, and clears it; after a refusal nothing is given any more.
    pub fn pass_on(&mut self, held: &mut Trajectory) -> Result<(), SinkError> {
        if self.is_broken || held.rows() == 0 {
            held.clear();
            return Ok(());
        }
        let last = held.t.last().copied().or(self.taken);
        let outcome = (self.sink)(held);
        held.clear();
        match outcome {
            Ok(()) => self.taken = last,
            Err(refusal) => {
                self.is_broken = true;
                return Err(SinkError { time: last.unwrap_or(f64::NAN), message: refusal.to_string() });
            }
        }
        Ok(())
    }
}
