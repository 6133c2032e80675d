//! A measure of a motion: a formula at its end, or its extreme along the way.
//!
//! Studies minimise measures, sweeps tabulate them; both read them here.

use carom_expr::text::ParseError;
use carom_expr::{Backend, Evaluator, Function, FunctionError, Group};
use carom_model::{System, Trajectory, formula_of};
use thiserror::Error;

/// Where a measure is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Over {
    /// At the end of the run.
    #[default]
    End,
    /// The largest value at the nodes.
    Largest,
    /// The smallest value at the nodes.
    Smallest,
}

impl Over {
    /// Every place with its name in files.
    pub const NAMED: [(&'static str, Self); 3] =
        [("end", Self::End), ("largest", Self::Largest), ("smallest", Self::Smallest)];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        Self::NAMED.into_iter().find(|(_, over)| *over == self).map_or("end", |(name, _)| name)
    }
}

/// A number that a motion has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measure {
    /// A formula in the names of the model.
    pub formula: String,
    /// Where it is taken.
    pub over: Over,
}

/// Why a measure cannot be taken.
#[derive(Debug, Error)]
pub enum MeasureError {
    /// The formula is wrong.
    #[error("{0}")]
    Formula(ParseError),
    /// The formula cannot be evaluated.
    #[error(transparent)]
    Function(#[from] FunctionError),
}

/// A measure that is ready for the motions of a system.
pub struct Gauge {
    evaluator: Evaluator,
    over: Over,
}

impl Measure {
    /// Reads the formula; parameters have the numbers of the system.
    pub fn gauge(&self, system: &System) -> Result<Gauge, MeasureError> {
        let mut graph = system.graph().clone();
        let id = formula_of(&mut graph, system, &self.formula).map_err(MeasureError::Formula)?;
        let time = [system.time()];
        let inputs = [Group::new("q", system.q()), Group::new("v", system.v()), Group::new("t", &time)];
        let function = Function::compile(&graph, &inputs, &[Group::new("measure", &[id])], Backend::Interpreter)?;
        Ok(Gauge { evaluator: function.evaluator(), over: self.over })
    }
}

impl Gauge {
    /// The measure of a motion; nothing if it has no nodes.
    pub fn of(&mut self, trajectory: &Trajectory) -> Option<f64> {
        let evaluator = &mut self.evaluator;
        let mut at = |k: usize| {
            let (node, mut out) = (trajectory.node(k), [0.0]);
            evaluator.eval(&[node.q, node.v, &[node.t]].concat(), &mut out);
            out[0]
        };
        let count = trajectory.len();
        let last = count.checked_sub(1)?;
        Some(match self.over {
            Over::End => at(last),
            Over::Largest => (0..count).map(at).fold(f64::NEG_INFINITY, f64::max),
            Over::Smallest => (0..count).map(at).fold(f64::INFINITY, f64::min),
        })
    }
}
