//! Which frame the equations of motion are written in.
//!
//! A model with a frame has one. For a model with velocity constraints alone a frame is adapted to them
//! ([`Frame::adapted`]): it is solved for some of the coordinates, the pivots, and is regular where the
//! minor of the one-forms over the pivots does not vanish. As the motion goes on other pivots become
//! better; then the frame is changed, long before it degenerates.

use crate::error::{FlowError, FlowFailure};
use crate::options::{FlowFormulation, FlowOptions};
use carom_expr::{Evaluator, Function, FunctionError, Graph, Group};
use carom_model::{Dynamics, Frame, pivots};

/// Pivots are changed when their minor is smaller than this part of the best one.
const GOOD: f64 = 0.25;

/// A choice of frame.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Chart {
    /// Coordinates and multipliers.
    Coordinates,
    /// The frame of the model.
    Declared,
    /// A frame solved for these coordinates.
    Adapted(Vec<usize>),
}

/// Chooses frames along a motion.
#[derive(Clone)]
pub(crate) struct Charts {
    n: usize,
    /// What there is to choose, unless frames are adapted.
    pub(crate) fixed: Option<Chart>,
    forms: Evaluator,
    values: Vec<f64>,
}

impl Charts {
    pub(crate) fn new(dynamics: &Dynamics, options: FlowOptions) -> Result<Self, FunctionError> {
        let (has_frame, is_free) = (dynamics.frame.is_some(), dynamics.velocity_constraints.is_empty());
        let fixed = match options.formulation {
            FlowFormulation::Multipliers => Some(Chart::Coordinates),
            _ if has_frame => Some(Chart::Declared),
            FlowFormulation::Hamel if !is_free => None,
            _ => Some(Chart::Coordinates),
        };
        let mut graph = dynamics.graph.clone();
        let forms = dynamics.one_forms(&mut graph);
        let outputs = [Group::new("omega", &forms)];
        let function = Function::compile(&graph, &[Group::new("q", &dynamics.q)], &outputs, options.backend)?;
        let values = vec![0.0; forms.len()];
        Ok(Self { n: dynamics.dimension(), fixed, forms: function.evaluator(), values })
    }

    /// The best choice at a configuration.
    pub(crate) fn best(&mut self, t: f64, q: &[f64]) -> Result<Chart, FlowError> {
        if let Some(fixed) = &self.fixed {
            return Ok(fixed.clone());
        }
        self.forms.eval(q, &mut self.values);
        let columns = pivots(&self.values, self.n).ok_or(FlowFailure::DependentConstraints { time: t })?;
        Ok(Chart::Adapted(columns))
    }

    /// Another chart, if the present one has become a bad choice.
    pub(crate) fn better(&mut self, chart: &Chart, t: f64, q: &[f64]) -> Result<Option<Chart>, FlowError> {
        let Chart::Adapted(present) = chart else { return Ok(None) };
        let best = self.best(t, q)?;
        let Chart::Adapted(columns) = &best else { return Ok(None) };
        let is_good = columns == present || self.minor(present) >= GOOD * self.minor(columns);
        Ok((!is_good).then_some(best))
    }

    /// Size of the minor over some columns of the last one-forms.
    fn minor(&self, columns: &[usize]) -> f64 {
        let mut rows: Vec<Vec<f64>> =
            self.values.chunks_exact(self.n).map(|row| columns.iter().map(|&c| row[c]).collect()).collect();
        let mut minor = 1.0;
        for k in 0..columns.len() {
            let Some(i) = (0..rows.len()).max_by(|&a, &b| rows[a][k].abs().total_cmp(&rows[b][k].abs())) else { break };
            let row = rows.swap_remove(i);
            minor *= row[k].abs();
            for other in &mut rows {
                let factor = other[k] / row[k];
                other.iter_mut().zip(&row).for_each(|(value, pivot)| *value -= factor * pivot);
            }
        }
        minor
    }
}

impl Chart {
    /// The frame, its expressions added to `graph`, a copy of the graph of `dynamics`.
    pub(crate) fn frame(&self, dynamics: &Dynamics, graph: &mut Graph) -> Option<Frame> {
        match self {
            Self::Coordinates => None,
            Self::Declared => dynamics.frame.clone(),
            Self::Adapted(columns) => {
                let forms = dynamics.one_forms(graph);
                Some(Frame::adapted(graph, &forms, dynamics.dimension(), columns))
            }
        }
    }
}
