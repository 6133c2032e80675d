//! What is to be planned, read off a control problem with one phase.
//!
//! ```text
//! minimise int K(q, v, F, t) dt + Phi(q(T), v(T))   from (q_I, v_I) to e(q(T), v(T)) = 0
//! ```
//!
//! The system is fully actuated, so that every path has its inputs: `D_EL L + F = 0` with `F = B(q, v, t) u + F_0` gives
//!
//! ```text
//! u = B^-1 (d/dt dL/dv - dL/dq - F_0)                             (17) of 002, with the sign of the errata
//! ```
//!
//! and the cost is a function of the path alone.

use super::actuation::{actuation, costs};
use crate::dmoc::prepare;
use crate::error::ControlError;
use crate::phase::PreparedPhase;
use crate::problem::{Condition, ControlProblem, Duration};
use carom_expr::{Graph, Id};
use carom_model::projection::{NormalCoordinates, ProjectionOptions, Simple};
use std::collections::HashMap;

/// A plan to be made.
pub(super) struct Task {
    /// The system in normal-form coordinates; its graph holds everything below.
    pub(super) normal: NormalCoordinates,
    /// Variables of accelerations `u''`.
    pub(super) acceleration: Vec<Id>,
    /// Inputs as expressions of `(u, u', u'', t)`, and their names.
    pub(super) controls: Vec<Id>,
    pub(super) inputs: Vec<String>,
    /// `K(u, u', u'', t)`
    pub(super) density: Id,
    /// `Phi(u, u')`
    pub(super) ending: Id,
    /// What should vanish at the end, in `(u, u')`.
    pub(super) errors: Vec<Id>,
    /// Configuration and velocity at the beginning, of the coordinates that are left.
    pub(super) start: [Vec<f64>; 2],
    /// Configuration at the end, if all of it is given.
    goal: Option<Vec<f64>>,
    /// The duration.
    pub(super) duration: f64,
}

pub(super) fn refuse<T>(why: impl Into<String>) -> Result<T, ControlError> {
    Err(ControlError::Plan { why: why.into() })
}

impl Task {
    pub(super) fn new(problem: &ControlProblem, options: &ProjectionOptions) -> Result<Self, ControlError> {
        let phases = prepare(problem)?;
        let ([phase], true) = (&phases[..], problem.transitions.is_empty()) else {
            return refuse(format!("it has {} phases; a plan has one, its impacts are to be found", phases.len()));
        };
        if !problem.freed.is_empty() || !phase.phase.closed.is_empty() {
            return refuse("parameters cannot be freed, and contacts cannot be closed; use transitions instead");
        }
        let Duration::Fixed(duration) = phase.phase.duration else {
            return refuse("its duration is free; splines need a fixed one");
        };
        let inputs: Vec<String> = phase.system().inputs().iter().map(|input| input.name.clone()).collect();
        let keep = |name: &str| inputs.iter().any(|input| input == name);
        let mut normal = NormalCoordinates::new(phase.system(), options, &keep)?;
        let start = start(phase, &normal.simple)?;
        let (acceleration, controls) = actuation(&mut normal.simple, &inputs)?;
        let embedded = embedded(&mut normal.simple, phase);
        let mut at = embedded.clone();
        let by_input = |graph: &mut Graph| inputs.iter().map(|name| graph.variable(name)).collect::<Vec<_>>();
        at.extend(by_input(&mut normal.simple.graph).into_iter().zip(controls.iter().copied()));
        let (density, ending) = costs(problem, phase, &mut normal.simple.graph)?;
        let density = normal.simple.graph.substitute(&[density], &at)[0];
        let ending = at_end(&mut normal.simple.graph, ending, &embedded, &inputs, "a terminal cost")?;
        let mut errors = Vec::new();
        for condition in &phase.phase.end {
            let error = error(phase, &mut normal.simple.graph, condition)?;
            errors.push(at_end(&mut normal.simple.graph, error, &embedded, &inputs, "a condition at the end")?);
        }
        let goal = goal(phase, &normal.simple);
        let task = Self { normal, acceleration, controls, inputs, density, ending, errors, start, goal, duration };
        task.check_ends(&options.domain)?;
        task.check_cost()?;
        Ok(task)
    }

    /// Both ends must be feasible, as far as they are known, and within the domain; the start must not be an impact.
    fn check_ends(&self, domain: &[(String, [f64; 2])]) -> Result<(), ControlError> {
        let simple = &self.normal.simple;
        for (u, what) in [(Some(&self.start[0]), "starts"), (self.goal.as_ref(), "ends")] {
            let Some(u) = u else { continue };
            let at: Vec<(Id, f64)> = simple.u.iter().copied().zip(u.iter().copied()).collect();
            let (point, contact) = (simple.point(u), &simple.contact);
            let gap = simple.graph.evaluate(&[simple.gap], &at)[0];
            if gap.is_nan() || gap < 0.0 {
                return refuse(format!("it {what} at {point}, where the gap of `{contact}` is {gap}"));
            }
            for (value, coordinate) in u.iter().zip(&simple.coordinates) {
                let limit = domain.iter().find(|(name, _)| *name == coordinate.name);
                if let Some((name, [from, to])) = limit.filter(|(_, [from, to])| !(*from..=*to).contains(value)) {
                    return refuse(format!("it {what} at {point}, but the domain of `{name}` is [{from}, {to}]"));
                }
            }
        }
        let mut graph = simple.graph.clone();
        let along: Vec<(Id, Id)> = simple.u.iter().copied().zip(simple.du.iter().copied()).collect();
        let rate = graph.directional(&[simple.gap], &along)[0];
        let [q, v] = &self.start;
        let mut at: Vec<(Id, f64)> = simple.u.iter().copied().zip(q.iter().copied()).collect();
        at.extend(simple.du.iter().copied().zip(v.iter().copied()));
        let values = graph.evaluate(&[simple.gap, rate], &at);
        if values[0] == 0.0 && values[1] < 0.0 {
            let (point, contact) = (simple.point(q), &simple.contact);
            return refuse(format!(
                "it starts at {point} with an impact of `{contact}`: the gap is zero and falls at {}; give the velocity after it",
                values[1]
            ));
        }
        Ok(())
    }

    /// Accelerations must cost something, and inputs must be had for them at the ends.
    fn check_cost(&self) -> Result<(), ControlError> {
        let simple = &self.normal.simple;
        if !simple.graph.depends_on(self.density, &self.acceleration) {
            return refuse("its cost does not depend on the inputs: any force would do");
        }
        let still = simple.du.iter().chain(&self.acceleration).map(|&id| (id, 0.0)).chain([(simple.time, 0.0)]);
        let at: Vec<(Id, f64)> = simple.u.iter().copied().zip(self.start[0].iter().copied()).chain(still).collect();
        let inputs = simple.graph.evaluate(&self.controls, &at);
        if inputs.iter().any(|input| !input.is_finite()) {
            return refuse(format!(
                "the inputs cannot hold it at {}: they have no effect there",
                simple.point(&self.start[0])
            ));
        }
        Ok(())
    }

    /// True if the cost or the system depends on time explicitly.
    pub(super) fn is_timed(&self) -> bool {
        let simple = &self.normal.simple;
        let roots = [self.density, self.ending, simple.lagrangian].into_iter().chain(simple.forces.iter().copied());
        roots.into_iter().any(|root| simple.graph.depends_on(root, &[simple.time]))
    }
}

/// The configuration at the end, if all of it is given.
fn goal(phase: &PreparedPhase<'_>, simple: &Simple) -> Option<Vec<f64>> {
    let names = simple.coordinates.iter().map(|coordinate| &coordinate.name);
    names.map(|name| fixed(&phase.phase.end, name)).collect()
}

/// The value that a condition gives to a coordinate or rate.
fn fixed(conditions: &[Condition], name: &str) -> Option<f64> {
    let mut fixed = conditions.iter().filter(|c| c.range.lower == c.range.upper);
    fixed.find(|condition| condition.formula.trim() == name).map(|condition| condition.range.lower)
}

/// The state at the start, of the coordinates that are left.
fn start(phase: &PreparedPhase<'_>, simple: &Simple) -> Result<[Vec<f64>; 2], ControlError> {
    let mut state = [Vec::new(), Vec::new()];
    for coordinate in &simple.coordinates {
        for (name, list) in [coordinate.name.clone(), format!("{}'", coordinate.name)].into_iter().zip(&mut state) {
            let Some(value) = fixed(&phase.phase.start, &name) else {
                return refuse(format!("the whole state must be given at the start, but `{name}` is not"));
            };
            list.push(value);
        }
    }
    Ok(state)
}

/// Coordinates and rates of the whole system, in terms of those that are left.
fn embedded(simple: &mut Simple, phase: &PreparedPhase<'_>) -> Vec<(Id, Id)> {
    let along: Vec<(Id, Id)> = simple.u.iter().copied().zip(simple.du.iter().copied()).collect();
    let rates = simple.graph.directional(&simple.embedding, &along);
    let system = phase.system();
    let places = system.q().iter().copied().zip(simple.embedding.iter().copied());
    places.chain(system.v().iter().copied().zip(rates)).collect()
}

/// What should vanish at the end.
fn error(phase: &PreparedPhase<'_>, graph: &mut Graph, condition: &Condition) -> Result<Id, ControlError> {
    if condition.range.lower != condition.range.upper {
        return refuse(format!("`{}` is bounded at the end; splines need equations there", condition.name));
    }
    let read = phase.formulas(false).read(graph, &condition.name, &condition.formula)?;
    let value = graph.constant(condition.range.lower);
    Ok(graph.sub(read, value))
}

/// An expression of the state at the end; inputs have no value there.
fn at_end(graph: &mut Graph, id: Id, embedded: &[(Id, Id)], inputs: &[String], what: &str) -> Result<Id, ControlError> {
    let names: HashMap<Id, &String> = inputs.iter().map(|name| (graph.variable(name), name)).collect();
    if let Some(input) = graph.free_variables(&[id]).iter().find_map(|variable| names.get(variable)) {
        return refuse(format!("{what} uses the input `{input}`, which has no value there"));
    }
    Ok(graph.substitute(&[id], embedded)[0])
}
