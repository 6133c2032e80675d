//! The series in position and momentum, for Lagrangians that are quadratic in the velocity.
//!
//! Then `p = M(q, t) v + c(q, t)`, and the equations of motion are `p' = dL/dq + F`:
//! second derivatives of the Lagrangian appear in `M` alone, and the series needs about half of the
//! work of the general one. Order `k` reads
//!
//! ```text
//! p[k]      = (dL/dq + F)[k-1] / k
//! M[0] v[k] = p[k] - c[k] - sum_(j>=1) M[j] v[k-j]
//! q[k+1]    = v[k] / (k+1)
//! ```

use crate::equations::{Expansion, MAX_NODES, coefficients, minus_product, time_coefficient};
use crate::ldl::Ldl;
use carom_expr::series::Series;
use carom_expr::{Graph, Id};
use carom_model::Dynamics;

/// Expands a motion without constraints; `graph` holds the mass matrix `mass`.
pub(crate) fn expand(dynamics: &Dynamics, mut graph: Graph, mass: &[Id], watched: &[Id], order: usize) -> Expansion {
    let n = dynamics.dimension();
    let (shift, push) = (gyroscopic(&mut graph, dynamics), forces(&mut graph, dynamics));
    let (mut series, roots) = Series::new(&mut graph, &[mass, &shift, &push, watched].concat(), &dynamics.v);
    let (mass, rest) = roots.split_at(n * n);
    let (shift, rest) = rest.split_at(n);
    let (push, watched) = rest.split_at(n);

    // Order zero is the state itself.
    let mut q = dynamics.q.clone();
    let mut v: Vec<Vec<Id>> = vec![dynamics.v.clone()];
    let (mut velocity, mut solver, mut reached) = (dynamics.v.clone(), None, 0);
    for k in 0..=order {
        let time = time_coefficient(series.graph(), dynamics, k);
        series.seed(dynamics.time, time);
        (0..n).for_each(|i| series.seed(dynamics.q[i], q[i]));
        series.advance_early(k);
        if k > 0 {
            let solver = solver.get_or_insert_with(|| {
                let first: Vec<Id> = mass.iter().map(|&id| series.at(id, 0)).collect();
                Ldl::factor(series.graph(), n, &first)
            });
            let mut right = Vec::with_capacity(n);
            for row in 0..n {
                let impulse = series.at(push[row], k - 1);
                let impulse = series.graph().scale(1.0 / k as f64, impulse);
                let shift = series.at(shift[row], k);
                let mut sum = series.graph().sub(impulse, shift);
                for j in 1..=k {
                    for column in 0..n {
                        let entry = series.at(mass[row * n + column], j);
                        sum = minus_product(series.graph(), sum, entry, v[k - j][column]);
                    }
                }
                right.push(sum);
            }
            v.push(solver.solve(series.graph(), right));
            velocity.extend(&v[k]);
            reached = k;
        }
        (0..n).for_each(|i| series.seed(dynamics.v[i], v[k][i]));
        series.advance_late(k);
        if series.graph().len() > MAX_NODES {
            break;
        }
        q = v[k].iter().map(|&id| series.graph().scale(1.0 / (k as f64 + 1.0), id)).collect();
    }
    let watched = coefficients(&series, watched, reached);
    let (state, none) = (dynamics.v.clone(), Vec::new());
    Expansion { state, velocity, speeds: none.clone(), multipliers: none, watched, order: reached, graph }
}

/// `c = dL/dv` at zero velocity: the part of the momentum that does not move.
fn gyroscopic(graph: &mut Graph, dynamics: &Dynamics) -> Vec<Id> {
    let momentum = dynamics.momentum(graph);
    let zero = graph.constant(0.0);
    let still: Vec<(Id, Id)> = dynamics.v.iter().map(|&v| (v, zero)).collect();
    graph.substitute(&momentum, &still)
}

/// `dL/dq + F`
fn forces(graph: &mut Graph, dynamics: &Dynamics) -> Vec<Id> {
    let slope = graph.gradient(dynamics.lagrangian, &dynamics.q);
    slope.iter().zip(&dynamics.forces).map(|(&slope, &force)| graph.add(slope, force)).collect()
}
