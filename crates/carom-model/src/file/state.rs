//! The initial state: finite, and on the constraints. `velocity` looks at its velocity, `gaps` at the contacts.

use super::assemble::Parts;
use super::source::{Place, Report};
use crate::dynamics::Dynamics;
use crate::legendre::{Legendre, LegendreError};
use carom_expr::{Backend, Graph, Id};
use std::sync::Arc;

/// Residuals below this, against the scale of the constraint, are rounding.
const ROUNDING: f64 = 1e-12;

/// Residuals below this come from digits that were left out, and are not worth a remark.
pub(super) const UNREMARKABLE: f64 = 1e-9;

/// Residuals above this are not inaccuracies but another state than was meant.
const MAX_RESIDUAL: f64 = 0.1;

/// Most coordinates that a message lists.
pub(super) const LISTED: usize = 6;

/// Checks the state and moves it onto the holonomic constraints.
pub(super) fn check(report: &mut Report, parts: &mut Parts) {
    let dynamics = parts.system.dynamics();
    let mut state = State { report, parts, graph: dynamics.graph.clone(), dynamics };
    state.check_geometry();
    state.take_quasivelocities();
    state.check_finite();
    if state.report.has_errors() {
        return;
    }
    state.check_configuration();
    if state.report.has_errors() {
        return;
    }
    // At the configuration as it is now.
    state.take_quasivelocities();
    state.check_fields();
    if !state.report.has_errors() {
        state.check_velocity();
        state.find_quasivelocities();
    }
    state.check_gaps();
}

/// A system at its initial state.
pub(super) struct State<'a> {
    pub report: &'a mut Report,
    pub parts: &'a mut Parts,
    pub dynamics: Arc<Dynamics>,
    pub graph: Graph,
}

impl State<'_> {
    /// Values at the initial state.
    pub fn evaluate(&self, roots: &[Id]) -> Vec<f64> {
        self.evaluate_at(roots, &self.parts.initial.q, &self.parts.initial.v)
    }

    /// Values at another state.
    pub fn evaluate_at(&self, roots: &[Id], q: &[f64], v: &[f64]) -> Vec<f64> {
        self.graph.evaluate(roots, &self.values(q, v))
    }

    fn values(&self, q: &[f64], v: &[f64]) -> Vec<(Id, f64)> {
        let q = self.dynamics.q.iter().copied().zip(q.iter().copied());
        let v = self.dynamics.v.iter().copied().zip(v.iter().copied());
        q.chain(v).chain([(self.dynamics.time, 0.0)]).collect()
    }

    /// Everything that the motion depends on has a value.
    fn check_finite(&mut self) {
        let energy = self.dynamics.energy(&mut self.graph);
        let (dynamics, origin) = (self.dynamics.clone(), self.parts.origin.clone());
        let place_of = |places: &[Place], index: usize| places.get(index).copied().unwrap_or_default();
        let mut named: Vec<(String, Id, Place)> = vec![
            ("the Lagrangian".to_owned(), dynamics.lagrangian, origin.lagrangian),
            ("the energy".to_owned(), energy, origin.lagrangian),
        ];
        for (coordinate, &force) in self.parts.system.coordinates().iter().zip(&dynamics.forces) {
            let place = origin.forces.iter().find(|(name, _)| *name == coordinate.name).map(|(_, place)| *place);
            named.push((format!("the force on `{}`", coordinate.name), force, place.unwrap_or_default()));
        }
        for (index, g) in self.parts.system.constraints().iter().enumerate() {
            let id = dynamics.constraints.get(index).copied().unwrap_or(g.id);
            named.push((format!("constraint `{}`", g.name), id, place_of(&origin.constraints, index)));
        }
        // Constraints that follow from fields have values where these do.
        let is_written = !self.parts.start.is_derived;
        for (index, omega) in self.parts.system.velocity_constraints().iter().enumerate().filter(|_| is_written) {
            let place = place_of(&origin.velocity_constraints, index);
            named.push((format!("velocity constraint `{}`", omega.name), dynamics.velocity_constraints[index], place));
        }
        for (index, field) in dynamics.frame.iter().flat_map(|frame| &frame.fields).enumerate() {
            let what = format!("a component of field `{}`", field.name);
            named.extend(field.components.iter().map(|&id| (what.clone(), id, place_of(&origin.fields, index))));
        }
        let active = self.active();
        let listed = self.parts.system.contacts().iter().zip(&dynamics.gaps).zip(active).zip(&origin.contacts);
        for (((contact, &gap), active), place) in listed {
            named.push((format!("the gap of `{}`", contact.name), gap, place.gap));
            named.extend(active.map(|id| (format!("`active` of `{}`", contact.name), id, place.active)));
        }
        let roots: Vec<Id> = named.iter().map(|(_, id, _)| *id).collect();
        let mut reported = Vec::new();
        for ((what, _, place), value) in named.iter().zip(self.evaluate(&roots)) {
            // The energy of an infinite Lagrangian is not worth a second remark.
            if value.is_finite() || reported.contains(place) {
                continue;
            }
            reported.push(*place);
            let help = Some(self.not_finite_help());
            self.report.error("not-finite", *place, format!("{what} is {value} at the initial state"), help);
        }
    }

    /// Which definition is the cause, if one is.
    fn not_finite_help(&self) -> String {
        let mut graph = self.parts.system.graph().clone();
        let ids: Vec<Id> = self.parts.system.definitions().iter().map(|definition| definition.id).collect();
        let ids = self.parts.system.specialise(&mut graph, &ids);
        let values = graph.evaluate(&ids, &self.values(&self.parts.initial.q, &self.parts.initial.v));
        let mut listed = self.parts.system.definitions().iter().zip(values);
        match listed.find(|(_, value)| !value.is_finite()) {
            Some((definition, value)) => {
                format!("definition `{}` is {value} there; choose another initial state", definition.name)
            }
            None => "choose another initial state in [coordinates], or look for a division by zero".to_owned(),
        }
    }

    /// `g(q) = 0`, after a projection if need be.
    fn check_configuration(&mut self) {
        let residuals = self.constraint_residuals();
        if residuals.iter().all(|(g, scale)| g.abs() <= ROUNDING * scale) {
            return;
        }
        let before = self.parts.initial.q.clone();
        let moved = self.project_configuration();
        for (index, (g, scale)) in residuals.iter().enumerate() {
            if g.abs() <= UNREMARKABLE * scale && moved.is_ok() {
                continue;
            }
            let name = self.parts.system.constraints().get(index).map_or("?", |g| g.name.as_str());
            let place = self.parts.origin.constraints.get(index).copied().unwrap_or_default();
            let message = format!("the initial state is off the constraint `{name}`: its residual is {g:.3e}");
            match &moved {
                Err(error) => {
                    let help = format!("change the initial values in [coordinates]; {error}");
                    self.report.error("off-constraint", place, message, Some(help));
                }
                Ok(()) if g.abs() <= MAX_RESIDUAL * scale => {
                    let help = format!("carom starts from the nearby {}", self.configuration());
                    self.report.warning("off-constraint", place, message, Some(help));
                }
                Ok(()) => {
                    let help =
                        format!("change the initial values in [coordinates], perhaps to {}", self.configuration());
                    self.report.error("off-constraint", place, message, Some(help));
                }
            }
        }
        if self.report.has_errors() {
            self.parts.initial.q = before;
        }
    }

    /// Residual and scale `sum_i |dg/dq_i| max(|q_i|, 1)` of each constraint.
    fn constraint_residuals(&mut self) -> Vec<(f64, f64)> {
        let dynamics = self.dynamics.clone();
        let jacobian = self.graph.jacobian(&dynamics.constraints, &dynamics.q);
        let slopes = self.evaluate(&jacobian.expressions());
        let residuals = self.evaluate(&dynamics.constraints);
        let mut scales = vec![0.0; residuals.len()];
        for ((row, column), slope) in jacobian.pattern().into_iter().zip(slopes) {
            let size = self.parts.initial.q.get(column).map_or(1.0, |q| q.abs().max(1.0));
            scales.iter_mut().skip(row).take(1).for_each(|scale| *scale += slope.abs() * size);
        }
        residuals.into_iter().zip(scales).collect()
    }

    fn project_configuration(&mut self) -> Result<(), LegendreError> {
        let mut legendre = Legendre::new(&self.dynamics, Backend::Interpreter)?;
        let q = &mut self.parts.initial.q;
        legendre.project_configuration(q)?;
        let residual = legendre.constraint_error(q, &vec![0.0; q.len()]);
        if q.iter().all(|value| value.is_finite()) && residual.is_finite() {
            return Ok(());
        }
        Err(LegendreError::NotProjected { iterations: 0, residual })
    }

    /// The configuration in words.
    fn configuration(&self) -> String {
        let q = self.parts.system.coordinates().iter().zip(&self.parts.initial.q);
        let mut words: Vec<String> = q.take(LISTED).map(|(c, value)| format!("{} = {value:.6}", c.name)).collect();
        if self.parts.initial.q.len() > LISTED {
            words.push("...".to_owned());
        }
        words.join(", ")
    }
}
