//! The maps that a run consists of, one set per mode.

use crate::discrete_path::DiscretePath;
use crate::method::Method;
use crate::null_space::Formulation;
use crate::rules::Table;
use crate::segment::{Closure, Opening};
use crate::stepper::Options;
use carom_expr::{Backend, FunctionError, Id, Scope, ids};
use carom_impact::{GuardTangent, JumpKind};
use carom_model::{Closed, Dynamics, ImplicitMap};

/// The maps of one mode.
pub(super) struct ModeMaps {
    pub(super) closed: Vec<Closed>,
    pub(super) dynamics: Dynamics,
    /// `(qa, pa, h, ta, parameters)` to `(qb, pb)`, and to the discrete energy if that is carried along; one per solver of
    /// the stepper.
    pub(super) segments: Vec<ImplicitMap>,
    /// `(qa, pa, h, ta, parameters, Ea, direction)` to the same, after a variational jump.
    pub(super) departure: Option<ImplicitMap>,
    /// `(q, p, t, parameters)` to velocity and tangent momentum.
    pub(super) legendre: ImplicitMap,
    pub(super) guards: GuardTangent,
    pub(super) is_constrained: bool,
}

impl ModeMaps {
    pub(super) fn new(
        dynamics: &Dynamics,
        closed: &[Closed],
        kept: &[String],
        method: &Method,
        options: Options,
    ) -> Result<Self, FunctionError> {
        let dynamics = dynamics.with_closed(closed);
        let (mut keys, mut segments) = (Vec::new(), Vec::new());
        // The same list of solvers as the stepper has.
        let mut departure = None;
        for (rule, fraction) in method.substeps() {
            let key = (rule.name(), fraction.to_bits());
            if !keys.contains(&key) {
                segments.push(segment(&dynamics, &rule.table(), Opening::Smooth, kept, options)?);
                keys.push(key);
            }
            if departure.is_none() && options.contacts.jump == JumpKind::Variational && closed.is_empty() {
                departure = Some(segment(&dynamics, &rule.table(), Opening::Impact, kept, options)?);
            }
        }
        Ok(Self {
            closed: closed.to_vec(),
            segments,
            departure,
            legendre: legendre(&dynamics, kept, options.backend)?,
            guards: GuardTangent::new(dynamics.clone(), kept, options.backend),
            is_constrained: dynamics.constraint_count() > 0,
            dynamics,
        })
    }
}

/// The variables of the parameters.
fn variables(scope: &Scope, kept: &[String]) -> Vec<Id> {
    kept.iter().map(|name| scope.variable(name).id()).collect()
}

/// One segment on the grid.
fn segment(
    dynamics: &Dynamics,
    table: &Table,
    opening: Opening,
    kept: &[String],
    options: Options,
) -> Result<ImplicitMap, FunctionError> {
    let scope = Scope::new(dynamics.graph.clone());
    let path = DiscretePath::new(&scope, dynamics, table.stages(), (opening, Closure::Grid));
    let mut equations = path.equations(table);
    if options.formulation == Formulation::Hamel && path.is_hamel(table) {
        equations = path.hamel(table, equations);
    }
    let unknowns = ids(&path.unknowns());
    let mut inputs = [ids(&path.qa), ids(&path.pa), ids(&[path.h, path.ta]), variables(&scope, kept)].concat();
    if opening == Opening::Impact {
        inputs.push(path.energy.id());
        inputs.extend(ids(&path.direction));
    }
    let last = path.d.last().map(|d| path.node(d)).unwrap_or_default();
    let momentum: Vec<_> = path.pa.iter().zip(&equations.advance).map(|(p, change)| *p + *change).collect();
    let mut outputs = [last, momentum].concat();
    if options.contacts.jump == JumpKind::Variational {
        outputs.extend(equations.advance.get(dynamics.dimension()));
    }
    let (residual, outputs) = (ids(&equations.residual), ids(&outputs));
    ImplicitMap::new(scope.into_graph(), (&unknowns, &inputs), (&residual, &outputs), options.backend)
}

/// Velocity and tangent momentum behind a momentum.
fn legendre(dynamics: &Dynamics, kept: &[String], backend: Backend) -> Result<ImplicitMap, FunctionError> {
    let mut graph = dynamics.graph.clone();
    let (n, m) = (dynamics.dimension(), dynamics.constraint_count());
    let (p, mu) = (graph.variables("[p]", n), graph.variables("[mu of p]", m));
    let kept: Vec<Id> = kept.iter().map(|name| graph.variable(name)).collect();
    let momentum = dynamics.momentum(&mut graph);
    let directions = dynamics.force_directions(&mut graph);
    let rows = dynamics.jacobian(&mut graph);
    let mut residual = Vec::new();
    for i in 0..n {
        let column: Vec<Id> = (0..m).map(|k| directions[k * n + i]).collect();
        let normal = graph.dot(&column, &mu);
        let sum = graph.add(momentum[i], normal);
        residual.push(graph.sub(sum, p[i]));
    }
    residual.extend(rows.chunks(n).map(|row| graph.dot(row, &dynamics.v)));
    let unknowns = [&dynamics.v[..], &mu].concat();
    let inputs = [&dynamics.q[..], &p, &[dynamics.time], &kept].concat();
    let outputs = [&dynamics.v[..], &momentum].concat();
    ImplicitMap::new(graph, (&unknowns, &inputs), (&residual, &outputs), backend)
}

/// Momentum and energy of a state, as a map without unknowns.
pub(super) fn explicit(dynamics: &Dynamics, kept: &[String], backend: Backend) -> Result<ImplicitMap, FunctionError> {
    let mut graph = dynamics.graph.clone();
    let kept: Vec<Id> = kept.iter().map(|name| graph.variable(name)).collect();
    let mut outputs = dynamics.momentum(&mut graph);
    outputs.push(dynamics.energy(&mut graph));
    let inputs = [&dynamics.q[..], &dynamics.v, &[dynamics.time], &kept].concat();
    ImplicitMap::new(graph, (&[], &inputs), (&[], &outputs), backend)
}

/// The velocity that has the energy it should have: `p(q, w) - p(q, v) - G^T c - A^T kappa = 0`, `A (w - v) = 0`,
/// `E(q, w) = E0`, as a map of `(q, v, t, E0, parameters)`.
pub(super) fn correction(
    dynamics: &Dynamics,
    surface: usize,
    kept: &[String],
    backend: Backend,
) -> Result<ImplicitMap, FunctionError> {
    let mut graph = dynamics.graph.clone();
    let n = dynamics.dimension();
    let kept: Vec<Id> = kept.iter().map(|name| graph.variable(name)).collect();
    let (w, c, wanted) = (graph.variables("[w]", n), graph.variable("[c]"), graph.variable("[E0]"));
    let rows = dynamics.jacobian(&mut graph);
    let kappa = graph.variables("[kappa]", rows.len() / n);
    let normal = graph.gradient(dynamics.surfaces[surface].gap, &dynamics.q);
    let momentum = dynamics.momentum(&mut graph);
    let energy = dynamics.energy(&mut graph);
    let places: Vec<(Id, Id)> = dynamics.v.iter().copied().zip(w.iter().copied()).collect();
    let after = graph.substitute(&[&momentum[..], &[energy]].concat(), &places);
    let mut residual = Vec::new();
    for i in 0..n {
        let column: Vec<Id> = rows.chunks(n).map(|row| row[i]).collect();
        let (held, push) = (graph.dot(&column, &kappa), graph.mul(normal[i], c));
        let change = graph.sub(after[i], momentum[i]);
        let rest = graph.sub(change, held);
        residual.push(graph.sub(rest, push));
    }
    for row in rows.chunks(n) {
        let (new, old) = (graph.dot(row, &w), graph.dot(row, &dynamics.v));
        residual.push(graph.sub(new, old));
    }
    residual.push(graph.sub(after[n], wanted));
    let unknowns = [&w[..], &kappa, &[c]].concat();
    let inputs = [&dynamics.q[..], &dynamics.v, &[dynamics.time, wanted], &kept].concat();
    ImplicitMap::new(graph, (&unknowns, &inputs), (&residual, &w), backend)
}
