//! Numbers that are defined by equations: `e(x, r) = 0` gives `r(x)`.
//!
//! Where a gap is not linear in its coordinate, the inverse of the normal form has no formula. Its value is a
//! further variable `r`, found by Newton's method, and its derivative is exact all the same,
//!
//! ```text
//! dr = -(de/dx . dx) / (de/dr).
//! ```
//!
//! Several roots stand in an order in which each depends on those before it only.

use carom_expr::{Graph, Id};

/// A variable that an equation defines.
#[derive(Clone, Debug, PartialEq)]
pub struct Root {
    /// The variable.
    pub variable: Id,
    /// The equation `e = 0`, monotonic in the variable.
    pub equation: Id,
    /// The coordinate that it is a value of.
    pub coordinate: usize,
}

/// Tangents of `results` for tangents `seeds` of variables; roots move along.
pub(crate) fn directional(graph: &mut Graph, roots: &[Root], results: &[Id], seeds: &[(Id, Id)]) -> Vec<Id> {
    let seeds = with_roots(graph, roots, seeds);
    graph.directional(results, &seeds)
}

/// The tangents of roots, after those of the variables.
pub(crate) fn with_roots(graph: &mut Graph, roots: &[Root], seeds: &[(Id, Id)]) -> Vec<(Id, Id)> {
    let mut seeds = seeds.to_vec();
    for root in roots {
        let moved = graph.directional(&[root.equation], &seeds)[0];
        let slope = graph.gradient(root.equation, &[root.variable])[0];
        let ratio = graph.div(moved, slope);
        let tangent = graph.neg(ratio);
        seeds.push((root.variable, tangent));
    }
    seeds
}

/// The gradient of `f` with roots as functions of `variables`.
pub(crate) fn gradient(graph: &mut Graph, roots: &[Root], f: Id, variables: &[Id]) -> Vec<Id> {
    let unknowns: Vec<Id> = roots.iter().map(|root| root.variable).collect();
    let all = [variables, &unknowns].concat();
    let mut slopes = graph.gradient(f, &all);
    // What a later root is worth is passed on to the variables and roots that it depends on.
    for (k, root) in roots.iter().enumerate().rev() {
        let place = variables.len() + k;
        if graph.is_zero(slopes[place]) {
            continue;
        }
        let equation = graph.gradient(root.equation, &all[..=place]);
        let ratio = graph.div(slopes[place], equation[place]);
        for (slope, &part) in slopes.iter_mut().zip(&equation[..place]) {
            let share = graph.mul(ratio, part);
            *slope = graph.sub(*slope, share);
        }
    }
    slopes.truncate(variables.len());
    slopes
}
