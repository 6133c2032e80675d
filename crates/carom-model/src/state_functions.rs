//! The functions of a state that everything else needs, compiled on demand and kept.

use crate::dynamics::Dynamics;
use carom_expr::{Backend, Function, FunctionError, Group};
use std::sync::OnceLock;

/// Functions of the inputs `q`, `v`, `t`.
#[derive(Clone, Debug)]
pub struct StateFunctions {
    /// Outputs `momentum` (`dL/dv`) and `mass` (`d2L/dv2`, row by row).
    pub momentum: Function,
    /// True if the mass matrix does not depend on the velocity: momenta are linear in it.
    pub is_linear: bool,
    /// Output `energy` (`v . dL/dv - L`).
    pub energy: Function,
    /// Outputs `g`, `jacobian` (`G = [dg/dq; omega]`, row by row) and `directions` of the constraint forces.
    pub constraint: Function,
}

impl StateFunctions {
    fn compile(dynamics: &Dynamics, backend: Backend) -> Result<Self, FunctionError> {
        let mut graph = dynamics.graph.clone();
        let momentum = dynamics.momentum(&mut graph);
        let mass = graph.jacobian(&momentum, &dynamics.v).dense(&mut graph);
        let energy = dynamics.energy(&mut graph);
        let jacobian = dynamics.jacobian(&mut graph);
        let directions = dynamics.force_directions(&mut graph);
        let time = [dynamics.time];
        let state = [Group::new("q", &dynamics.q), Group::new("v", &dynamics.v), Group::new("t", &time)];
        let compile = |outputs: &[Group<'_>]| Function::compile(&graph, &state, outputs, backend);
        Ok(Self {
            is_linear: !graph.any_depends_on(&mass, &dynamics.v),
            momentum: compile(&[Group::new("momentum", &momentum), Group::new("mass", &mass)])?,
            energy: compile(&[Group::new("energy", &[energy])])?,
            constraint: compile(&[
                Group::new("g", &dynamics.constraints),
                Group::new("jacobian", &jacobian),
                Group::new("directions", &directions),
            ])?,
        })
    }
}

/// One place for every back end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept {
    interpreted: OnceLock<Result<StateFunctions, FunctionError>>,
    fastest: OnceLock<Result<StateFunctions, FunctionError>>,
}

impl Dynamics {
    /// Momentum, energy and constraints as functions of the state; compiled the first time.
    pub fn state_functions(&self, backend: Backend) -> Result<StateFunctions, FunctionError> {
        let place = if backend == Backend::Interpreter { &self.kept.interpreted } else { &self.kept.fastest };
        place.get_or_init(|| StateFunctions::compile(self, backend)).clone()
    }
}
