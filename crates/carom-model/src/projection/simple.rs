//! The system that is projected: simple, free of constraints, with one gap.
//!
//! Projections are designed for Lagrangians of the form (10), `L = v.M(q)v/2 - V(q)`, on all of `R^n`. Holonomic
//! constraints are solved for some of the coordinates first, `q = e(u)`, which is the map `P_h` of section IV; what is
//! left is a system of the same form on the constraint manifold:
//!
//! ```text
//! L_N(u, u') = L(e(u), e'(u) u'),     phi_N(u) = phi(e(u)),     F_N = e'(u)^T F.
//! ```

use super::error::ProjectionError;
use crate::system::{Coordinate, System};
use carom_expr::{Graph, Id};

/// Larger mass matrices are not inverted in expressions.
const MAX_DIMENSION: usize = 8;

/// A system on its constraint manifold, as expressions of the coordinates `u` that are left.
#[derive(Clone, Debug)]
pub struct Simple {
    /// The graph that holds everything below.
    pub graph: Graph,
    /// The variable of time.
    pub time: Id,
    /// The coordinates that are left.
    pub coordinates: Vec<Coordinate>,
    /// Their places among the coordinates of the system.
    pub places: Vec<usize>,
    /// Variables of the coordinates.
    pub u: Vec<Id>,
    /// Variables of the rates.
    pub du: Vec<Id>,
    /// All coordinates of the system, `q = e(u)`.
    pub embedding: Vec<Id>,
    /// `L_N(u, u', t)`
    pub lagrangian: Id,
    /// Generalised forces on `u`.
    pub forces: Vec<Id>,
    /// The mass matrix, row by row.
    pub mass: Vec<Id>,
    /// The gap.
    pub gap: Id,
    /// Name of the contact.
    pub contact: String,
}

impl Simple {
    /// The system behind `system`, if it is one that can be projected.
    pub fn new(system: &System) -> Result<Self, ProjectionError> {
        Self::keeping(system, &|_| false)
    }

    /// The same with those inputs left as variables that `keep` names.
    pub fn keeping(system: &System, keep: &dyn Fn(&str) -> bool) -> Result<Self, ProjectionError> {
        let contact = the_contact(system)?;
        if !system.velocity_constraints().is_empty() {
            let advice = "the principle is for holonomic constraints; use `carom simulate` without --projected";
            return Err(ProjectionError::NotSupported { what: "a velocity constraint".into(), advice: advice.into() });
        }
        let dynamics = crate::Dynamics::keeping(system, keep);
        if dynamics.surfaces.len() != 1 {
            let why = format!("has a gap with kinks, {} smooth pieces", dynamics.surfaces.len());
            return Err(ProjectionError::Contact { contact, why });
        }
        if dynamics.graph.has_switches(&[dynamics.surfaces[0].gap]) {
            return Err(ProjectionError::Contact { contact, why: "has a gap with kinks or conditions".to_owned() });
        }
        let mut graph = dynamics.graph.clone();
        let solved = super::constraints::solve(&mut graph, system, &dynamics)?;
        let is_left = |place: &usize| !solved.iter().any(|(solved, _)| solved == place);
        let places: Vec<usize> = (0..dynamics.dimension()).filter(is_left).collect();
        let pick = |all: &[Id]| places.iter().map(|&place| all[place]).collect::<Vec<_>>();
        let (u, du) = (pick(&dynamics.q), pick(&dynamics.v));
        let mut embedding = dynamics.q.clone();
        solved.iter().for_each(|&(place, id)| embedding[place] = id);
        let along: Vec<(Id, Id)> = u.iter().copied().zip(du.iter().copied()).collect();
        let rates = graph.directional(&embedding, &along);
        let mut at: Vec<(Id, Id)> = dynamics.q.iter().copied().zip(embedding.iter().copied()).collect();
        at.extend(dynamics.v.iter().copied().zip(rates));
        let lagrangian = graph.substitute(&[dynamics.lagrangian], &at)[0];
        let forces = graph.substitute(&dynamics.forces, &at);
        let jacobian = graph.jacobian(&embedding, &u).dense(&mut graph);
        let forces = pulled_back(&mut graph, &jacobian, &forces, u.len());
        let gap = graph.substitute(&[dynamics.surfaces[0].gap], &at)[0];
        let gap = graph.collect(gap);
        let coordinates = places.iter().map(|&place| system.coordinates()[place].clone()).collect();
        let mass = mass(&mut graph, lagrangian, &du);
        let time = dynamics.time;
        let own = Self { graph, time, coordinates, places, u, du, embedding, lagrangian, forces, mass, gap, contact };
        own.check()?;
        Ok(own)
    }

    /// Number of coordinates that are left.
    pub fn dimension(&self) -> usize {
        self.u.len()
    }

    /// Refuses Lagrangians that are not of the form (10).
    fn check(&self) -> Result<(), ProjectionError> {
        let n = self.dimension();
        if n > MAX_DIMENSION {
            let what = format!("a system of {n} coordinates");
            let advice = format!("mass matrices are inverted in expressions for at most {MAX_DIMENSION}");
            return Err(ProjectionError::NotSupported { what, advice });
        }
        let mut graph = self.graph.clone();
        let depends = |graph: &Graph, on: &[Id]| graph.any_depends_on(&self.mass, on);
        if depends(&graph, &self.du) {
            return Err(ProjectionError::NotSimple { why: "its mass matrix depends on velocities".to_owned() });
        }
        if depends(&graph, &[self.time]) {
            return Err(ProjectionError::NotSimple { why: "its mass matrix depends on time".to_owned() });
        }
        let rest: Vec<(Id, Id)> = self.du.iter().map(|&rate| (rate, graph.constant(0.0))).collect();
        let momenta = graph.gradient(self.lagrangian, &self.du);
        for (&momentum, coordinate) in momenta.iter().zip(&self.coordinates) {
            let linear = graph.substitute(&[momentum], &rest)[0];
            let linear = graph.collect(linear);
            if !graph.is_zero(linear) {
                let why = format!("it has a term linear in {}'", coordinate.name);
                return Err(ProjectionError::NotSimple { why });
            }
        }
        Ok(())
    }

    /// A configuration in words.
    pub fn point(&self, u: &[f64]) -> String {
        let each = self.coordinates.iter().zip(u).map(|(c, value)| format!("{} = {}", c.name, short(*value)));
        each.collect::<Vec<_>>().join(", ")
    }
}

/// A number for messages.
pub(crate) fn short(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 || (1e-3..1e6).contains(&size) {
        format!("{}", (value * 1e6).round() / 1e6)
    } else {
        format!("{value:.4e}")
    }
}

/// The one contact of the system.
fn the_contact(system: &System) -> Result<String, ProjectionError> {
    let [contact] = system.contacts() else {
        let names: Vec<&str> = system.contacts().iter().map(|contact| contact.name.as_str()).collect();
        let known = if names.is_empty() { String::new() } else { format!(": {}", names.join(", ")) };
        return Err(ProjectionError::ContactCount { found: names.len(), known });
    };
    let refuse = |why: String| Err(ProjectionError::Contact { contact: contact.name.clone(), why });
    if contact.law != "elastic" {
        return refuse(format!("has the law `{}`", contact.law));
    }
    if contact.active.is_some() {
        return refuse("exists only under a condition".to_owned());
    }
    if contact.is_closed {
        return refuse("is closed at the start".to_owned());
    }
    Ok(contact.name.clone())
}

/// `J^T F`, with the Jacobian row by row.
pub(crate) fn pulled_back(graph: &mut Graph, jacobian: &[Id], forces: &[Id], n: usize) -> Vec<Id> {
    let column = |k: usize| jacobian.iter().skip(k).step_by(n).copied().collect::<Vec<Id>>();
    (0..n).map(|k| graph.dot(&column(k), forces)).collect()
}

/// `d2L/dv2`, row by row, collected.
fn mass(graph: &mut Graph, lagrangian: Id, rates: &[Id]) -> Vec<Id> {
    let momenta = graph.gradient(lagrangian, rates);
    let mass = graph.jacobian(&momenta, rates).dense(graph);
    mass.into_iter().map(|entry| graph.collect(entry)).collect()
}
