//! One interval of a discrete path as expressions: what the constraints of an optimal control problem are made of.
//!
//! The same equations that a [`crate::Segment`] solves, not yet solved for anything. With the nodes
//! `Q_0 = qa, Q_1 .. Q_s = qb` of the rule and its action `A`,
//!
//! ```text
//! left   = D_1 Ld + f_0             the momentum that the interval gives to its left node
//! right  = D_2 Ld + f_s             ... and to its right node
//! inner  = dA/dQ_i + f_i - G(Q_i)^T lambda_i,  g(Q_i)            for 0 < i < s
//! ```
//!
//! so that the forced discrete Euler-Lagrange equations (3.1.10) at a node between two intervals are
//! `right + left = G^T lambda`, and the boundary conditions (4.1.1), (4.1.2) are `p + left = G^T lambda` and
//! `right - p = G^T lambda`. Controls have a value at each sample of the rule.

use crate::discrete_path::DiscretePath;
use crate::rules::Table;
use crate::segment::{Closure, Opening};
use carom_expr::{Graph, Id, Scope, ids};
use carom_model::Dynamics;

/// Configuration, velocity and time at a sample of the rule.
#[derive(Clone, Debug)]
pub struct SampledState {
    /// Its weight in the quadrature.
    pub weight: f64,
    /// Its time as a fraction of the interval.
    pub time: f64,
    /// What replaces `q`, `v`, `t` and the controls of [`Dynamics`] there.
    pub places: Vec<(Id, Id)>,
}

/// The equations of one interval.
#[derive(Clone, Debug)]
pub struct Interval {
    /// The graph of all expressions; it extends that of the dynamics.
    pub graph: Graph,
    /// Variables of the nodes `Q_0 .. Q_s`.
    pub nodes: Vec<Vec<Id>>,
    /// Variables of the multipliers at internal nodes.
    pub lambda: Vec<Vec<Id>>,
    /// Variables of the controls: for each input its values at the samples.
    pub controls: Vec<Vec<Id>>,
    /// Variable of the duration.
    pub h: Id,
    /// Variable of the time at the left end.
    pub ta: Id,
    /// `D_1 Ld + f_0`
    pub left: Vec<Id>,
    /// `D_2 Ld + f_s`
    pub right: Vec<Id>,
    /// Equations of the internal nodes.
    pub inner: Vec<Id>,
    /// Conditions of the velocity constraints.
    pub velocity: Vec<Id>,
    /// Discrete energies at the left and the right end.
    pub energies: [Id; 2],
    /// Where the Lagrangian is sampled.
    pub samples: Vec<SampledState>,
    /// Times of the nodes `Q_1 .. Q_s` as fractions.
    pub times: Vec<f64>,
}

impl Interval {
    /// The equations of `table` for `dynamics`, in which `inputs` are variables.
    pub fn new(dynamics: &Dynamics, table: &Table, inputs: &[Id]) -> Self {
        let (n, s) = (dynamics.dimension(), table.stages());
        let scope = Scope::new(dynamics.graph.clone());
        let mut path = DiscretePath::new(&scope, dynamics, s, (Opening::Smooth, Closure::Grid));
        let value = |i: usize| scope.variables(&format!("[u{i}]"), table.samples.len());
        path.controls = inputs.iter().enumerate().map(|(i, &input)| (input, value(i))).collect();
        let (action, forces, [before, after]) = path.action(table);
        let normal = path.constraint_forces();
        let by_qa = action.gradient(&path.qa);
        let by_d: Vec<_> = path.d.iter().map(|d| action.gradient(d)).collect();

        let left = (0..n).map(|k| by_qa[k] - scope.sum(by_d.iter().map(|slopes| slopes[k])) + forces[0][k]);
        let left: Vec<_> = left.collect();
        let right: Vec<_> = (0..n).map(|k| by_d[s - 1][k] + forces[s][k]).collect();
        let mut inner = Vec::new();
        for i in 1..s {
            inner.extend((0..n).map(|k| by_d[i - 1][k] + forces[i][k] - normal[i][k]));
            inner.extend(path.constraints(&path.d[i - 1]));
        }
        let velocity = path.velocity_constraints(table);
        let energy = -action.derivative(path.h);
        let energies = [energy + action.derivative(path.ta) - before, energy + after];
        let samples: Vec<SampledState> = (0..table.samples.len())
            .map(|j| SampledState {
                weight: table.samples[j].weight,
                time: table.samples[j].time,
                places: path.sampled(table, j),
            })
            .collect();

        // Nodes instead of displacements.
        let nodes: Vec<Vec<_>> = (1..=s).map(|i| scope.variables(&format!("[Q{i}]"), n)).collect();
        let mut replace = Vec::new();
        for (d, node) in path.d.iter().zip(&nodes) {
            replace.extend(d.iter().zip(node).zip(&path.qa).map(|((d, q), qa)| (d.id(), (*q - *qa).id())));
        }
        let (qa, h, ta) = (ids(&path.qa), path.h.id(), path.ta.id());
        let lambda = path.lambda.iter().skip(1).map(|lambda| ids(lambda)).collect();
        let controls = path.controls.iter().map(|(_, values)| ids(values)).collect();
        let lists = [&left, &right, &inner, &velocity, &energies.to_vec()].map(|list| ids(list));
        let nodes: Vec<Vec<Id>> = [qa].into_iter().chain(nodes.iter().map(|node| ids(node))).collect();
        drop(path);
        let mut graph = scope.into_graph();
        let mut placed = |roots: &[Id]| graph.substitute(roots, &replace);
        let [left, right, inner, velocity, energies] = lists.map(|list| placed(&list));
        let samples = samples
            .into_iter()
            .map(|sample| {
                let (from, to): (Vec<Id>, Vec<Id>) = sample.places.into_iter().unzip();
                SampledState { places: from.into_iter().zip(placed(&to)).collect(), ..sample }
            })
            .collect();
        let (energies, times) = ([energies[0], energies[1]], table.nodes.clone());
        Self { graph, nodes, lambda, controls, h, ta, left, right, inner, velocity, energies, samples, times }
    }
}
