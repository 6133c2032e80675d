//! What must hold of a projection on the boundary: continuity, the reflection (11), and (29) with constraints.

use super::Projection;
use super::error::ProjectionError;
use super::map::ProjectionMap;
use super::reflection::reflection;
use super::verify::{Verification, apart};
use crate::system::System;
use carom_expr::{Backend, Evaluator, Function, Group, Id};
use carom_linalg::{Lu, dot, max_abs};

/// Mass matrix and gradients at the boundary, on the manifold and in all coordinates.
pub(super) struct Boundary {
    n: usize,
    /// Coordinates and constraints of the whole system.
    whole: usize,
    constraints: usize,
    /// `u -> M_N, phi_N'`
    own: Evaluator,
    /// `u -> e'(u)`, then at `q = e(u)`: `M, phi', g'`.
    all: Option<Evaluator>,
}

impl Boundary {
    pub(super) fn new(projection: &Projection, system: &System) -> Result<Self, ProjectionError> {
        let simple = &projection.simple;
        let mut graph = simple.graph.clone();
        let compile = |graph: &_, outputs: &[Id]| {
            let (inputs, outputs) = ([Group::new("u", &simple.u)], [Group::new("out", outputs)]);
            Function::compile(graph, &inputs, &outputs, Backend::Interpreter).map(|function| function.evaluator())
        };
        let slopes = graph.gradient(simple.gap, &simple.u);
        let own = compile(&graph, &[&simple.mass[..], &slopes].concat())?;
        let (whole, constraints) = (system.dimension(), system.constraints().len());
        let mut all = None;
        if constraints > 0 {
            let dynamics = system.dynamics();
            let mut roots = vec![dynamics.lagrangian, dynamics.surfaces[0].gap];
            roots.extend(&dynamics.constraints);
            let roots = graph.import(&dynamics.graph, &roots);
            let q: Vec<Id> = system.coordinate_names().iter().map(|name| graph.variable(name)).collect();
            let v: Vec<Id> = system.coordinate_names().iter().map(|name| graph.variable(&format!("{name}'"))).collect();
            let momenta = graph.gradient(roots[0], &v);
            let mut outputs = graph.jacobian(&momenta, &v).dense(&mut graph);
            outputs.extend(graph.jacobian(&roots[1..], &q).dense(&mut graph));
            let at: Vec<(Id, Id)> = q.iter().copied().zip(simple.embedding.iter().copied()).collect();
            let outputs = graph.substitute(&outputs, &at);
            let embedding = graph.jacobian(&simple.embedding, &simple.u).dense(&mut graph);
            all = Some(compile(&graph, &[&embedding[..], &outputs].concat())?);
        }
        Ok(Self { n: simple.dimension(), whole, constraints, own, all })
    }

    /// What must hold on the boundary.
    pub(super) fn compare(&mut self, map: &mut ProjectionMap, u: &[f64], tolerance: f64, found: &mut Verification) {
        let n = self.n;
        let point = |map: &ProjectionMap| map.point(u);
        let Ok((image, jacobian)) = map.outer(u) else {
            found.see("continuous", f64::INFINITY, tolerance, || point(map));
            return;
        };
        let home = map.wrapped(u, true);
        let scale = max_abs(&home).max(1.0);
        // A circle joins its ends.
        let image = map.wrapped(&image, true);
        let miss = apart(&image, &home);
        let turn = map.period().map_or(miss, |period| miss.min((miss - period).abs()));
        found.see("continuous", turn / scale, tolerance, || point(map));
        let values = self.own.values(u);
        // Without a mass matrix that can be inverted there is no reflection.
        let off = reflection(&values[..n * n], &values[n * n..]).map_or(f64::INFINITY, |reflection| {
            let size = max_abs(&reflection).max(1.0);
            apart(&jacobian, &reflection) / size
        });
        found.see("reflects", off, tolerance, || point(map));
        if let Some(all) = &mut self.all {
            let values = all.values(u);
            let (embedding, rest) = values.split_at(self.whole * n);
            let shape = (self.whole, n, self.constraints);
            let nowhere = (f64::INFINITY, 0.0);
            let (off, separability) = constrained(shape, embedding, rest, &jacobian).unwrap_or(nowhere);
            found.see("constrained", off, tolerance, || point(map));
            if found.separability.as_ref().is_none_or(|(worst, _)| separability > *worst) {
                found.separability = Some((separability, point(map)));
            }
        }
    }
}

/// The residual of (29) and the coupling of the constraints, in all coordinates.
fn constrained(
    (whole, n, constraints): (usize, usize, usize),
    embedding: &[f64],
    rest: &[f64],
    jacobian: &[f64],
) -> Option<(f64, f64)> {
    let (mass, gradients) = rest.split_at(whole * whole);
    let (gap, holonomic) = gradients.split_at(whole);
    let mut lu = Lu::new(whole);
    lu.factor(mass).ok()?;
    let lifted = |row: &[f64]| {
        let mut lifted = row.to_vec();
        lu.solve(&mut lifted);
        lifted
    };
    // H phi_u'^T: the gradient of the gap without its part that the constraints take.
    let rows: Vec<Vec<f64>> = holonomic.chunks(whole).map(lifted).collect();
    let gram: Vec<f64> = rows.iter().flat_map(|row| holonomic.chunks(whole).map(|other| dot(row, other))).collect();
    let mut weights: Vec<f64> = rows.iter().map(|row| dot(row, gap)).collect();
    let size = |row: &[f64]| dot(row, &lifted(row)).max(f64::MIN_POSITIVE).sqrt();
    let coupling = weights.iter().zip(holonomic.chunks(whole)).map(|(w, row)| w.abs() / (size(row) * size(gap)));
    let coupling = coupling.fold(0.0, f64::max);
    let mut inner = Lu::new(constraints);
    inner.factor(&gram).ok()?;
    inner.solve(&mut weights);
    let mut normal = gap.to_vec();
    for (weight, row) in weights.iter().zip(holonomic.chunks(whole)) {
        normal.iter_mut().zip(row).for_each(|(value, entry)| *value -= weight * entry);
    }
    let direction = lifted(&normal);
    let below = dot(&normal, &direction);
    // Columns of P_c'(z-) = e' and of P_c'(z+) = e' P'.
    let mut worst = 0.0f64;
    for k in 0..n {
        let before: Vec<f64> = (0..whole).map(|i| embedding[i * n + k]).collect();
        let share = 2.0 * dot(&normal, &before) / below;
        for i in 0..whole {
            let after: f64 = (0..n).map(|j| embedding[i * n + j] * jacobian[j * n + k]).sum();
            worst = worst.max((after - (before[i] - share * direction[i])).abs());
        }
    }
    Some((worst / max_abs(embedding).max(1.0), coupling))
}
