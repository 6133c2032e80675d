//! What a run was made of: the segments that were solved, and the events between them.
//!
//! A tape is all that derivatives need ([`crate::derivative`]): unknowns and data of every segment that was kept, in
//! the order of time. Steps that are taken back are taken off the tape.

use crate::landing::Landing;
use crate::motion::PhaseState;
use crate::segment::{Layout, Opening};
use carom_impact::Arrival;
use carom_model::{Closed, FindingKind, Impact, Trajectory};

/// A segment that was solved.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Solved {
    /// Number of the solver of its mode.
    pub(crate) solver: usize,
    /// Displacements and multipliers, then position, momentum, duration and time at its start.
    pub(crate) at: Vec<f64>,
    /// Size of the impulse of a variational jump, if the segment begins with one.
    pub(crate) nu: Option<f64>,
}

/// The segments of one mode, up to the last step that may be taken back.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tape {
    solved: Vec<Solved>,
    marked: usize,
}

impl Tape {
    /// What follows may be taken back.
    pub(crate) fn mark(&mut self) {
        self.marked = self.solved.len();
    }

    /// Takes back what followed the mark.
    pub(crate) fn take_back(&mut self) {
        self.solved.truncate(self.marked);
    }

    /// A segment on the grid.
    pub(crate) fn push(&mut self, solver: usize, input: &[f64], layout: Layout) {
        let mut at = input[..layout.energy].to_vec();
        at.extend([input[layout.duration], input[layout.time]]);
        self.solved.push(Solved { solver, at, nu: None });
    }

    /// A segment with an end at an impact, from the state before.
    pub(crate) fn push_landing(&mut self, landing: &Landing, before: &PhaseState) {
        let mut at = landing.solution().to_vec();
        at.extend(before.q.iter().chain(&before.p));
        at.extend([landing.duration(), before.t]);
        let nu = (landing.ends.0 == Opening::Impact).then(|| landing.nu());
        self.solved.push(Solved { solver: 0, at, nu });
    }

    /// All segments, and an empty tape.
    pub(crate) fn take(&mut self) -> Vec<Solved> {
        self.marked = 0;
        std::mem::take(&mut self.solved)
    }
}

/// A piece of a run.
#[derive(Clone, Debug)]
pub(crate) enum Piece {
    /// The motion goes on from a state, with some contacts closed.
    Enter { t: f64, q: Vec<f64>, v: Vec<f64>, closed: Vec<Closed> },
    /// Segments, and why the last one ended where it does.
    Motion { solved: Vec<Solved>, arrival: Arrival },
    /// A node of the grid.
    Node,
}

/// Everything that a run was made of.
#[derive(Clone, Debug, Default)]
pub struct Record {
    pub(crate) pieces: Vec<Piece>,
    pub(crate) impacts: Vec<Impact>,
    /// Accumulations: time and contact.
    pub(crate) accumulations: Vec<(f64, usize)>,
    /// Touches without an impact: time and contact.
    pub(crate) touches: Vec<(f64, usize)>,
    pub(crate) start: (f64, Vec<f64>, Vec<f64>),
}

impl Record {
    pub(crate) fn new((t, q, v): (f64, &[f64], &[f64]), pieces: Vec<Piece>, trajectory: &Trajectory) -> Self {
        let accumulations = trajectory.modes.iter().filter(|change| change.reason == "accumulation");
        let grazes = trajectory.findings.iter().filter(|finding| finding.kind == FindingKind::Grazing);
        Self {
            pieces,
            impacts: trajectory.impacts.clone(),
            accumulations: accumulations.map(|change| (change.t, change.contact)).collect(),
            touches: grazes.map(|finding| (finding.t, finding.contact)).collect(),
            start: (t, q.to_vec(), v.to_vec()),
        }
    }

    /// Number of nodes of the grid.
    pub fn nodes(&self) -> usize {
        self.pieces.iter().filter(|piece| matches!(piece, Piece::Node)).count()
    }

    /// Segments that were solved.
    pub fn segments(&self) -> usize {
        let count = |piece: &Piece| if let Piece::Motion { solved, .. } = piece { solved.len() } else { 0 };
        self.pieces.iter().map(count).sum()
    }
}
