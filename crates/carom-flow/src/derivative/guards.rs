//! What vanishes at an event, and how it depends on the state: the gap of a contact, or the rate of its slip.

use carom_expr::{Backend, Evaluator, Function, FunctionError, Graph, Group, Id};
use carom_linalg::dot;
use carom_model::Dynamics;

/// A guard `psi` at an event.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Guard {
    /// Derivatives with respect to `(q, v)`.
    pub(crate) state: Vec<f64>,
    /// Derivatives with respect to the kept values.
    pub(crate) kept: Vec<f64>,
    /// Its rate along the motion before the event.
    pub(crate) rate: f64,
}

impl Guard {
    /// A guard from its derivatives with respect to `(q, v, c)`; its rate is their product with the field.
    pub(crate) fn new(mut slopes: Vec<f64>, field: &[f64]) -> Self {
        let kept = slopes.split_off(field.len());
        Self { rate: dot(&slopes, field), state: slopes, kept }
    }

    /// The rate if all its terms had one sign.
    pub(crate) fn scale(&self, field: &[f64]) -> f64 {
        self.state.iter().zip(field).map(|(slope, rate)| (slope * rate).abs()).sum()
    }
}

/// Derivatives of the gaps and slips of all surfaces.
pub(crate) struct Guards {
    gaps: Vec<Evaluator>,
    /// Of the first tangent; one that nothing depends on where there is none.
    slips: Vec<Evaluator>,
}

impl Guards {
    pub(crate) fn new(dynamics: &Dynamics, kept: &[String], backend: Backend) -> Result<Self, FunctionError> {
        let mut graph = dynamics.graph.clone();
        let values: Vec<Id> = kept.iter().map(|name| graph.variable(name)).collect();
        let along: Vec<(Id, Id)> = dynamics.q.iter().copied().zip(dynamics.v.iter().copied()).collect();
        let variables = [&dynamics.q[..], &dynamics.v, &values].concat();
        let compile = |graph: &mut Graph, expression: Id| {
            let slopes = graph.gradient(expression, &variables);
            let inputs = [Group::new("q", &dynamics.q), Group::new("v", &dynamics.v), Group::new("kept", &values)];
            Function::compile(graph, &inputs, &[Group::new("slopes", &slopes)], backend)
                .map(|function| function.evaluator())
        };
        let (mut gaps, mut slips) = (Vec::new(), Vec::new());
        for surface in &dynamics.surfaces {
            gaps.push(compile(&mut graph, surface.gap)?);
            let tangent = surface.tangents.first().copied();
            let slip = tangent.map(|tangent| graph.directional(&[tangent], &along)[0]);
            let slip = slip.unwrap_or_else(|| graph.constant(0.0));
            slips.push(compile(&mut graph, slip)?);
        }
        Ok(Self { gaps, slips })
    }

    /// Derivatives of the gap of a surface with respect to `(q, v, c)`.
    pub(crate) fn gap(&mut self, surface: usize, (q, v, kept): (&[f64], &[f64], &[f64])) -> Vec<f64> {
        self.gaps[surface].values(&[q, v, kept].concat())
    }

    /// Derivatives of the slip rate of a surface.
    pub(crate) fn slip(&mut self, surface: usize, (q, v, kept): (&[f64], &[f64], &[f64])) -> Vec<f64> {
        self.slips[surface].values(&[q, v, kept].concat())
    }
}
