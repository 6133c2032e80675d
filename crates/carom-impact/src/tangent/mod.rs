//! The derivative of a jump.
//!
//! A jump is the map `(q, v-, t, parameters) -> (q, v+)` that the equations
//!
//! ```text
//! p(q, v+) - p(q, v-) - sum G^T Lambda_N - sum S^T Lambda_T - F - A^T kappa = 0,    A v+ = 0
//! ```
//!
//! and the conditions of the laws define ([`crate::laws`]); its derivative follows from them by the implicit function
//! theorem ([`ImplicitMap`]). Which conditions hold (stick, slip, no impulse) is read off the recorded impact, and the
//! recorded values must solve them. Where the conditions are about to change there is no derivative: an impact that
//! grazes, contacts that strike at once, a contact on the edge of its cone ([`NotDifferentiable`]).
//!
//! The jump alone is not the derivative of a motion through an impact, since the time of the impact moves as well: that
//! is the saltation matrix, which the integrators build from this one.

mod conditions;
mod equations;
mod guard;
mod numbers;
mod saltation;

use crate::error::NotDifferentiable;
use carom_expr::{Backend, FunctionError};
use carom_linalg::{max_abs, multiply};
use carom_model::{Closed, Dynamics, Impact, ImplicitMap, System};
use conditions::{Condition, Participant};
use equations::JumpEquations;
pub use guard::{Guard, GuardTangent};
use numbers::Numbers;
pub use saltation::saltation;

/// Equations of a jump hold up to this part of their largest term; else the conditions are not those of the impact.
const SOLVED: f64 = 1e-7;

/// The derivative of a jump.
#[derive(Clone, Debug, PartialEq)]
pub struct JumpDerivative {
    /// `d(q+, v+)/d(q, v-)`, row by row.
    pub state: Vec<f64>,
    /// `d(q+, v+)/dt`
    pub time: Vec<f64>,
    /// `d(q+, v+)/d parameters`, row by row.
    pub parameters: Vec<f64>,
    /// `d Lambda/d(q, v-, t, parameters)`, row by row: normal impulses and tangential ones, surface by surface.
    pub impulses: Vec<f64>,
}

/// The state around an impact, as the law saw it.
#[derive(Clone, Copy, Debug)]
pub struct JumpState<'a> {
    /// Time.
    pub t: f64,
    /// Configuration.
    pub q: &'a [f64],
    /// Velocity before.
    pub v_minus: &'a [f64],
    /// Velocity after.
    pub v_plus: &'a [f64],
}

/// Differentiates the jumps of one system.
pub struct JumpTangent {
    dynamics: Dynamics,
    kept: Vec<String>,
    laws: Vec<String>,
    names: Vec<String>,
    backend: Backend,
    numbers: Numbers,
    maps: Vec<(Vec<Participant>, ImplicitMap)>,
    coordinates: Vec<String>,
}

impl JumpTangent {
    /// Prepares derivatives with respect to the state and to the parameters `kept`.
    pub fn new(system: &System, kept: &[String], backend: Backend) -> Result<Self, FunctionError> {
        let dynamics = Dynamics::keeping(system, &|name| kept.iter().any(|k| k == name));
        Self::for_dynamics(system, dynamics, kept, backend)
    }

    /// The same for the system with other constraints, in which `kept` are variables.
    pub fn for_dynamics(
        system: &System,
        dynamics: Dynamics,
        kept: &[String],
        backend: Backend,
    ) -> Result<Self, FunctionError> {
        Ok(Self {
            numbers: Numbers::new(&dynamics, kept, backend)?,
            kept: kept.to_vec(),
            laws: system.contacts().iter().map(|contact| contact.law.clone()).collect(),
            names: system.contacts().iter().map(|contact| contact.name.clone()).collect(),
            coordinates: system.coordinate_names(),
            maps: Vec::new(),
            backend,
            dynamics,
        })
    }

    /// The derivative of a recorded impact; `staying` are the contacts that were closed before and took part in it.
    pub fn at(
        &mut self,
        impact: &Impact,
        staying: &[Closed],
        kept_values: &[f64],
    ) -> Result<JumpDerivative, NotDifferentiable> {
        let state = JumpState { t: impact.t, q: &impact.q, v_minus: &impact.v_minus, v_plus: &impact.v_plus };
        self.at_state(impact, state, staying, kept_values)
    }

    /// The same for velocities other than the recorded ones: with a jump that sets the energy right before it applies
    /// the law, the law sees another velocity before.
    pub fn at_state(
        &mut self,
        impact: &Impact,
        state: JumpState<'_>,
        staying: &[Closed],
        kept_values: &[f64],
    ) -> Result<JumpDerivative, NotDifferentiable> {
        self.numbers.evaluate(state, kept_values);
        self.refuse_several(impact, staying)?;
        let key = self.participants(impact, state, kept_values)?;
        let index = match self.maps.iter().position(|(known, _)| *known == key) {
            Some(index) => index,
            None => {
                let map = self.compile(&key)?;
                self.maps.push((key.clone(), map));
                self.maps.len() - 1
            }
        };
        let mut at = if self.is_reset(impact) { Vec::new() } else { self.unknowns(impact, &key, state) };
        at.extend([state.q, state.v_minus, &[state.t], kept_values].concat());
        let map = &mut self.maps[index].1;
        let residual = max_abs(map.residual(&at));
        let size = self.numbers.size();
        if residual.is_nan() || residual > SOLVED * size {
            let contacts = self.list(impact);
            return Err(NotDifferentiable::Chain { time: state.t, contacts, residual: residual / size });
        }
        let all = map.derivative(&at).map_err(|error| self.failed(state.t, impact, error))?;
        Ok(self.arrange(&all, self.is_reset(impact)))
    }

    /// Splits the rows `(v+, Lambda)`, or `(q+, v+)`, by what they are derived by.
    fn arrange(&self, all: &[f64], is_reset: bool) -> JumpDerivative {
        let (n, p) = (self.dynamics.dimension(), self.kept.len());
        let width = 2 * n + 1 + p;
        let mut rows: Vec<Vec<f64>> = Vec::new();
        if !is_reset {
            // An impact leaves the bodies where they are.
            rows.extend((0..n).map(|i| (0..width).map(|j| f64::from(u8::from(i == j))).collect()));
        }
        let state_rows = if is_reset { 2 * n } else { n };
        rows.extend(all.chunks_exact(width).take(state_rows).map(<[f64]>::to_vec));
        JumpDerivative {
            state: rows.iter().flat_map(|row| row[..2 * n].to_vec()).collect(),
            time: rows.iter().map(|row| row[2 * n]).collect(),
            parameters: rows.iter().flat_map(|row| row[2 * n + 1..].to_vec()).collect(),
            impulses: all[state_rows * width..].to_vec(),
        }
    }

    fn compile(&self, key: &[Participant]) -> Result<ImplicitMap, FunctionError> {
        let equations = JumpEquations::new(&self.dynamics, &self.kept, &self.laws, &self.coordinates, key);
        let (unknowns, inputs) = (&equations.unknowns[..], &equations.inputs[..]);
        let (residual, outputs) = (&equations.residual[..], &equations.outputs[..]);
        ImplicitMap::new(equations.graph.clone(), (unknowns, inputs), (residual, outputs), self.backend)
    }

    /// Contacts that strike at the same instant have no common derivative: which is first decides.
    fn refuse_several(&self, impact: &Impact, staying: &[Closed]) -> Result<(), NotDifferentiable> {
        let stays = |surface: usize| staying.iter().any(|closed| closed.surface == surface);
        let striking = impact.impulses.iter().filter(|impulse| !stays(impulse.surface));
        if striking.count() > 1 {
            return Err(NotDifferentiable::Simultaneous { time: impact.t, contacts: self.list(impact) });
        }
        Ok(())
    }

    /// Name of the law of a contact.
    pub fn law(&self, contact: usize) -> &str {
        &self.laws[contact]
    }

    fn is_reset(&self, impact: &Impact) -> bool {
        impact.impulses.iter().any(|impulse| self.laws[impulse.contact] == "reset")
    }

    /// The unknowns `(v+, Lambda, kappa)` behind a recorded impact, and the lifts that Routh's law needs.
    fn unknowns(&self, impact: &Impact, key: &[Participant], state: JumpState<'_>) -> Vec<f64> {
        let n = self.dynamics.dimension();
        let mut all = state.v_plus.to_vec();
        let mut rest = self.numbers.momentum_change();
        for (participant, impulse) in key.iter().zip(&impact.impulses) {
            let correction =
                if impulse.surface == impact.impulses[0].surface { impact.balance.correction } else { 0.0 };
            let values = std::iter::once(impulse.normal - correction).chain(impulse.tangential.iter().copied());
            for (row, value) in values.take(1 + participant.tangents.len()).enumerate() {
                let slope = self.numbers.row(participant.surface, row);
                rest.iter_mut().zip(slope).for_each(|(rest, slope)| *rest -= value * slope);
                all.push(value);
            }
        }
        rest.iter_mut().zip(&impact.balance.push).for_each(|(rest, push)| *rest -= push);
        all.extend(self.numbers.multipliers(&rest));
        for participant in key.iter().filter(|participant| participant.normal == Condition::Process) {
            all.extend((0..2).flat_map(|row| self.numbers.lift(self.numbers.row(participant.surface, row), n)));
        }
        all
    }

    fn failed(&self, time: f64, impact: &Impact, error: carom_model::MapError) -> NotDifferentiable {
        match error {
            carom_model::MapError::Singular(_) => NotDifferentiable::Singular { time, contacts: self.list(impact) },
            carom_model::MapError::Function(error) => error.into(),
        }
    }

    /// Names of the contacts that took part.
    fn list(&self, impact: &Impact) -> String {
        let names: Vec<&str> = impact.impulses.iter().map(|impulse| self.names[impulse.contact].as_str()).collect();
        names.join(", ")
    }
}

/// The rate of a row along a velocity.
fn rate(row: &[f64], v: &[f64]) -> f64 {
    let mut value = [0.0];
    multiply(row, v, &mut value);
    value[0]
}
