//! Segments around impacts: up to a contact, after an impact, or both.
//!
//! The combinations of left and right end ([`Opening`], [`Closure`]) share one Newton solve
//! ([`crate::newton`]); only the equations that close it differ.

use crate::error::StepError;
use crate::motion::PhaseState;
use crate::newton::Newton;
use crate::null_space::Formulation;
use crate::rules::Table;
use crate::segment::{Closure, Opening, Segment};
use carom_expr::{Backend, Evaluator, FunctionError};
use carom_linalg::max_abs;
use carom_model::Dynamics;

/// A segment with an end at an impact, ready to be solved.
#[derive(Clone)]
pub(crate) struct Landing {
    pub(crate) ends: (Opening, Closure),
    newton: Newton,
    advance: Evaluator,
    input: Vec<f64>,
    /// Change of momentum, then discrete energies at the end and at the start.
    pub(crate) change: Vec<f64>,
}

/// What is known before a segment is solved.
pub(crate) struct Given<'a> {
    pub(crate) state: &'a PhaseState,
    /// Duration, or a guess of it.
    pub(crate) duration: f64,
    /// Discrete energy after an impact.
    pub(crate) energy: f64,
    /// Direction of the impulse of an impact.
    pub(crate) direction: &'a [f64],
}

impl Landing {
    pub(crate) fn new(
        dynamics: &Dynamics,
        table: &Table,
        ends: (Opening, Closure),
        formulation: Formulation,
        backend: Backend,
    ) -> Result<Self, FunctionError> {
        let segment = Segment::new(dynamics, table, ends, formulation, backend)?;
        Ok(Self {
            ends,
            input: vec![0.0; segment.layout().len],
            change: vec![0.0; segment.n + 2],
            advance: segment.advance.evaluator(),
            newton: Newton::new(segment, formulation.for_dynamics(dynamics)),
        })
    }

    /// Solves the segment from a guess of displacements and multipliers.
    pub(crate) fn solve(&mut self, given: &Given<'_>, guess: &[f64], tolerance: f64) -> Result<(), StepError> {
        let segment = self.newton.segment();
        let (n, layout, count) = (segment.n, segment.layout(), segment.n * segment.stages + segment.m * segment.stages);
        let input = &mut self.input;
        input[..count].copy_from_slice(&guess[..count]);
        if self.ends.1 != Closure::Grid {
            input[count] = given.duration;
        }
        if self.ends.0 == Opening::Impact {
            input[layout.q - 1] = 0.0;
            input[layout.direction..].copy_from_slice(given.direction);
        }
        input[layout.q..layout.q + n].copy_from_slice(&given.state.q);
        input[layout.p..layout.p + n].copy_from_slice(&given.state.p);
        input[layout.energy] = given.energy;
        input[layout.duration] = given.duration;
        input[layout.time] = given.state.t;
        self.newton.forget();
        let time = given.state.t;
        self.newton.solve(&mut self.input, tolerance, None).map_err(|failure| failure.at(time))?;
        self.advance.eval(&self.input, &mut self.change);
        if max_abs(&self.change).is_finite() { Ok(()) } else { Err(StepError::NotFinite { time }) }
    }

    /// The duration that was found, or given.
    pub(crate) fn duration(&self) -> f64 {
        let segment = self.newton.segment();
        match self.ends.1 {
            Closure::Grid => self.input[segment.layout().duration],
            _ => self.input[segment.stages * (segment.n + segment.m)],
        }
    }

    /// The size of the impulse along the direction of the impact.
    pub(crate) fn nu(&self) -> f64 {
        self.input[self.newton.segment().layout().q - 1]
    }

    /// Displacement of the last node.
    pub(crate) fn displacement(&self) -> &[f64] {
        let segment = self.newton.segment();
        &self.input[segment.n * (segment.stages - 1)..segment.n * segment.stages]
    }

    /// Multipliers at the first node.
    pub(crate) fn impulses(&self) -> &[f64] {
        let segment = self.newton.segment();
        &self.input[segment.n * segment.stages..segment.n * segment.stages + segment.m]
    }

    /// Displacements and multipliers of all nodes.
    pub(crate) fn solution(&self) -> &[f64] {
        let segment = self.newton.segment();
        &self.input[..segment.stages * (segment.n + segment.m)]
    }

    /// Iterations so far.
    pub(crate) fn iterations(&self) -> usize {
        self.newton.effort.iterations
    }
}
