//! Quantities that a motion conserves, as far as they can be read off the expressions.
//!
//! | quantity | is constant if |
//! |---|---|
//! | energy `E = v . dL/dv - L` | `dL/dt = 0`, no force acts, impacts are elastic |
//! | momentum `p_i = dL/dv_i` | `dL/dq_i = 0`, `F_i = 0`, no constraint or contact pushes along `q_i` |
//!
//! Holonomic and velocity constraints do no work: `lambda . G v = 0`.
//! Symmetries that move several coordinates at once are not looked for.

use crate::dynamics::Dynamics;
use crate::system::System;
use carom_expr::{Graph, Id};

/// A quantity that is constant along exact motions.
#[derive(Clone, Debug, PartialEq)]
pub struct Conserved {
    /// Its name: `energy`, or `p_phi` for the momentum of the coordinate `phi`.
    pub name: String,
    /// Its expression of `q`, `v` and `t`, in the graph that it was found with.
    pub id: Id,
    /// Why it is constant.
    pub reason: String,
}

/// What a system conserves; the expressions are added to `graph`, a copy of the graph of its [`Dynamics`].
pub fn conserved(system: &System, graph: &mut Graph) -> Vec<Conserved> {
    let dynamics = system.dynamics();
    let mut found: Vec<Conserved> = energy(system, &dynamics, graph).into_iter().collect();
    let momentum = dynamics.momentum(graph);
    let pushed = pushed(&dynamics, graph);
    for ((coordinate, &id), is_pushed) in system.coordinates().iter().zip(&momentum).zip(pushed) {
        if is_pushed || graph.is_zero(id) {
            continue;
        }
        let name = format!("p_{}", coordinate.name);
        let reason =
            format!("`{}` is cyclic: the Lagrangian does not depend on it, and no force acts", coordinate.name);
        found.push(Conserved { name, id, reason });
    }
    found
}

fn energy(system: &System, dynamics: &Dynamics, graph: &mut Graph) -> Option<Conserved> {
    let rate = graph.gradient(dynamics.lagrangian, &[dynamics.time]);
    let is_autonomous = rate.iter().all(|&slope| graph.is_zero(slope));
    let is_elastic = system.contacts().iter().all(|contact| contact.law == "elastic");
    if !is_autonomous || dynamics.is_forced() || !is_elastic {
        return None;
    }
    let mut reason = "the Lagrangian does not depend on time, and no force acts".to_owned();
    if !system.contacts().is_empty() {
        reason.push_str("; impacts are elastic");
    }
    Some(Conserved { name: "energy".to_owned(), id: dynamics.energy(graph), reason })
}

/// For each coordinate an expression that is zero unless a law prescribes its impulse, its position or its
/// rate after an impact. Who prescribes a position changes the meaning of them all.
fn named_by_laws(dynamics: &Dynamics, graph: &mut Graph) -> Vec<Id> {
    let (zero, one) = (graph.constant(0.0), graph.constant(1.0));
    let all: Vec<&str> = dynamics.law_parameters.iter().flatten().map(|p| p.name.as_str()).collect();
    let moves = all.iter().any(|name| name.starts_with("position.") || *name == "normal");
    let is_named = |q: &Id| {
        let coordinate = graph.variable_name(*q).unwrap_or_default();
        all.iter().any(|name| name.rsplit_once('.').is_some_and(|(_, named)| named == coordinate))
    };
    dynamics.q.iter().map(|q| if moves || is_named(q) { one } else { zero }).collect()
}

/// For each coordinate, whether anything changes its momentum.
fn pushed(dynamics: &Dynamics, graph: &mut Graph) -> Vec<bool> {
    let potential = graph.gradient(dynamics.lagrangian, &dynamics.q);
    let mut pushes: Vec<Vec<Id>> = vec![potential, dynamics.forces.clone()];
    for &shape in dynamics.constraints.iter().chain(&dynamics.gaps) {
        pushes.push(graph.gradient(shape, &dynamics.q));
    }
    // Friction, sticking and given impulses act along the surfaces.
    for tangent in dynamics.surfaces.iter().flat_map(|surface| surface.tangents.clone()) {
        pushes.push(graph.gradient(tangent, &dynamics.q));
    }
    pushes.push(named_by_laws(dynamics, graph));
    for &constraint in &dynamics.velocity_constraints {
        pushes.push(graph.gradient(constraint, &dynamics.v));
    }
    let acts = |i: usize| pushes.iter().any(|push| push.get(i).is_some_and(|&slope| !graph.is_zero(slope)));
    (0..dynamics.dimension()).map(acts).collect()
}
