//! Conditions along the way, between the points where the program asks for them.
//!
//! A program bounds a formula at nodes or samples. Along the flow it is looked at everywhere, with the constraint forces of the
//! continuous motion: controls jump at nodes, and forces jump with them.

use super::flight::Piece;
use super::polynomial::{samples, value};
use crate::error::ControlError;
use crate::phase::PreparedPhase;
use carom_expr::{Backend, Evaluator, Function, Group, Id};
use carom_model::Dynamics;
use carom_nlp::Range;

/// How far a condition is exceeded along a phase.
#[derive(Clone, Debug, PartialEq)]
pub struct Excess {
    /// Name of the condition.
    pub condition: String,
    /// How far its formula leaves its range; zero if it does not.
    pub value: f64,
    /// True if it leaves it upwards.
    pub is_above: bool,
    /// Largest size of the formula along the motion.
    pub size: f64,
    /// When it is exceeded most.
    pub time: f64,
    /// In which interval.
    pub interval: usize,
}

/// Watches the conditions of a phase along flights.
pub(crate) struct Conditions {
    evaluator: Option<Evaluator>,
    ranges: Vec<Range>,
    values: Vec<f64>,
    pub(crate) found: Vec<Excess>,
}

impl Conditions {
    /// Conditions of a phase on the flow of `dynamics`, in which `places` stand for controls and freed parameters.
    pub(crate) fn new(
        phase: &PreparedPhase<'_>,
        dynamics: &Dynamics,
        places: &[(Id, Id)],
    ) -> Result<Self, ControlError> {
        let mut graph = dynamics.graph.clone();
        let formulas = phase.formulas(true);
        let (mut roots, mut ranges, mut found) = (Vec::new(), Vec::new(), Vec::new());
        for condition in phase.phase.path.iter().map(|path| &path.condition) {
            roots.push(formulas.read(&mut graph, "the condition along the path", &condition.formula)?);
            ranges.push(condition.range);
            let (condition, time, interval) = (condition.name.clone(), 0.0, 0);
            found.push(Excess { condition, value: 0.0, is_above: false, size: 0.0, time, interval });
        }
        let roots = graph.substitute(&roots, places);
        let forces: Vec<Id> = phase.forces.iter().map(|&(_, force)| force).collect();
        let inputs = [&dynamics.q[..], &dynamics.v, &forces, &[dynamics.time]].concat();
        let compile = || -> Result<Evaluator, ControlError> {
            let groups = ([Group::new("state", &inputs)], [Group::new("conditions", &roots)]);
            Ok(Function::compile(&graph, &groups.0, &groups.1, Backend::Interpreter)?.evaluator())
        };
        let evaluator = if roots.is_empty() { None } else { Some(compile()?) };
        Ok(Self { evaluator, values: vec![0.0; ranges.len()], ranges, found })
    }

    /// Looks at a piece of a flight.
    pub(crate) fn observe(&mut self, interval: usize, piece: &Piece) {
        let Some(evaluator) = &mut self.evaluator else { return };
        for tau in samples(piece.length) {
            let forces: Vec<f64> = piece.multipliers.iter().map(|lambda| -value(lambda, tau)).collect();
            let time = piece.t + tau;
            let state = [piece.position(tau), piece.velocity(tau), forces, vec![time]].concat();
            evaluator.eval(&state, &mut self.values);
            for ((value, range), found) in self.values.iter().zip(&self.ranges).zip(&mut self.found) {
                found.size = found.size.max(value.abs());
                let excess = (range.lower - value).max(value - range.upper);
                // What is not a number exceeds everything.
                if excess > found.value || excess.is_nan() {
                    (found.value, found.time, found.interval) = (excess, time, interval);
                    found.is_above = value - range.upper >= range.lower - value;
                }
            }
        }
    }
}
