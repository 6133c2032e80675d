//! The Taylor series of the equations of motion
//!
//! ```text
//! M a + H^T lambda = b,    G a = c
//! ```
//!
//! ([`EquationsOfMotion`]; `H = G` but for contacts that slide with friction). All of
//! `M, G, H, b, c` are power series in time along
//! the motion. Order `k` of the equations reads
//!
//! ```text
//! M[0] a[k] + H[0]^T lambda[k] = b[k] - sum_(j>=1) (M[j] a[k-j] + H[j]^T lambda[k-j])
//! G[0] a[k]                    = c[k] - sum_(j>=1) G[j] a[k-j]
//! ```
//!
//! with one and the same matrix for every order: it is factored once per step.
//! Then `v[k+1] = a[k]/(k+1)` and `q[k+1] = v[k]/(k+1)` start the next order.
//!
//! In a frame the unknowns are the rates of quasivelocities `w` instead ([`EquationsOfMotion::in_frame`]),
//! and the velocity that moves `q` is the series of `w^i u_i(q)`.

use crate::ldl::Ldl;
use crate::saddle::Saddle;
use carom_expr::series::Series;
use carom_expr::{Graph, Id};
use carom_model::{Dynamics, EquationsOfMotion, Frame};

/// Beyond this size the series is cut at a lower order: compilation would take seconds.
pub(crate) const MAX_NODES: usize = 400_000;

/// The series of a motion as expressions of its initial state.
pub(crate) struct Expansion {
    pub(crate) graph: Graph,
    /// What the state consists of besides `q` and `t`: velocities, or quasivelocities.
    pub(crate) state: Vec<Id>,
    /// `v[0], v[1], ...`, each of `n` components.
    pub(crate) velocity: Vec<Id>,
    /// `w[1], w[2], ...` in a frame, empty otherwise.
    pub(crate) speeds: Vec<Id>,
    /// `lambda[0], lambda[1], ...`, each of `m` components.
    pub(crate) multipliers: Vec<Id>,
    /// Coefficients of the watched expressions, those of one expression after the other.
    pub(crate) watched: Vec<Id>,
    /// Highest order of the velocity, and of the watched expressions.
    pub(crate) order: usize,
}

/// Expands the motion and the `watched` expressions of the state up to `order` of the velocity, or as far
/// as its size allows; in quasivelocities if a `frame` is given.
pub(crate) fn expand(
    dynamics: &Dynamics,
    graph: &Graph,
    frame: Option<&Frame>,
    watched: &[Id],
    order: usize,
) -> Expansion {
    let mut graph = graph.clone();
    let (motion, watched) = match frame {
        Some(frame) => {
            let motion = EquationsOfMotion::in_frame(&mut graph, dynamics, frame);
            let on_span: Vec<(Id, Id)> = dynamics.v.iter().copied().zip(motion.velocity.iter().copied()).collect();
            let watched = graph.substitute(watched, &on_span);
            (motion, watched)
        }
        None => (EquationsOfMotion::new(&mut graph, dynamics), watched.to_vec()),
    };
    if frame.is_none() && dynamics.constraint_count() == 0 && is_quadratic(&mut graph, dynamics, &motion.mass) {
        return crate::momentum::expand(dynamics, graph, &motion.mass, &watched, order);
    }
    let (n, m) = (motion.speeds.len(), motion.curvature.len());
    let (mut series, roots) = Series::new(&mut graph, &[&motion.concat()[..], &watched].concat(), &[]);
    let (roots, watched) = roots.split_at(roots.len() - watched.len());
    let motion = motion.split(roots);
    let mut solution = Solution { n, m, a: Vec::new(), lambda: Vec::new(), solver: None };
    let (mut q, mut w) = (dynamics.q.clone(), motion.speeds.clone());
    let (mut velocity, mut speeds, mut reached) = (Vec::new(), Vec::new(), 0);
    for k in 0..order {
        seed(&mut series, dynamics, k, &q, (&motion.speeds, &w));
        series.advance_early(k);
        solution.extend(&mut series, &motion, k);
        let scale = 1.0 / (k as f64 + 1.0);
        let moves: Vec<Id> = motion.velocity.iter().map(|&id| series.at(id, k)).collect();
        velocity.extend(&moves);
        q = moves.iter().map(|&id| series.graph().scale(scale, id)).collect();
        w = solution.a[k].iter().map(|&id| series.graph().scale(scale, id)).collect();
        speeds.extend(&w);
        reached = k + 1;
        if series.graph().len() > MAX_NODES {
            break;
        }
    }
    // The velocity and the watched expressions go one order farther than the equations.
    seed(&mut series, dynamics, reached, &q, (&motion.speeds, &w));
    series.advance_early(reached);
    velocity.extend(motion.velocity.iter().map(|&id| series.at(id, reached)));
    let watched = coefficients(&series, watched, reached);
    let (state, multipliers) = (motion.speeds, solution.lambda.concat());
    let speeds = if frame.is_some() { speeds } else { Vec::new() };
    Expansion { state, velocity, speeds, multipliers, watched, order: reached, graph }
}

/// The next coefficient of every variable.
fn seed(series: &mut Series<'_>, dynamics: &Dynamics, k: usize, q: &[Id], (speeds, w): (&[Id], &[Id])) {
    let time = time_coefficient(series.graph(), dynamics, k);
    series.seed(dynamics.time, time);
    dynamics.q.iter().zip(q).for_each(|(&variable, &value)| series.seed(variable, value));
    speeds.iter().zip(w).for_each(|(&variable, &value)| series.seed(variable, value));
}

/// All coefficients of expressions up to `order`, one expression after the other.
pub(crate) fn coefficients(series: &Series<'_>, expressions: &[Id], order: usize) -> Vec<Id> {
    expressions.iter().flat_map(|&id| (0..=order).map(move |k| series.at(id, k))).collect()
}

/// True if `dL/dv = M v + c` with a mass matrix that elimination can go through.
fn is_quadratic(graph: &mut Graph, dynamics: &Dynamics, mass: &[Id]) -> bool {
    let momentum = dynamics.momentum(graph);
    let depends = graph.any_depends_on(mass, &dynamics.v);
    // An absolute value of a rate has no second derivative, and is not linear all the same.
    !depends && !graph.has_switches(&momentum) && Ldl::factor(graph, dynamics.dimension(), mass).is_regular()
}

/// Time itself is the series `t + 1 tau`.
pub(crate) fn time_coefficient(graph: &mut Graph, dynamics: &Dynamics, k: usize) -> Id {
    match k {
        0 => dynamics.time,
        1 => graph.constant(1.0),
        _ => graph.constant(0.0),
    }
}

/// The solved orders.
struct Solution {
    n: usize,
    m: usize,
    a: Vec<Vec<Id>>,
    lambda: Vec<Vec<Id>>,
    solver: Option<Saddle>,
}

impl Solution {
    /// Solves order `k`.
    fn extend(&mut self, series: &mut Series<'_>, motion: &EquationsOfMotion, k: usize) {
        let (n, m) = (self.n, self.m);
        let mut balance = Vec::with_capacity(n);
        for row in 0..n {
            let mut sum = series.at(motion.bias[row], k);
            for j in 1..=k {
                for column in 0..n {
                    let entry = series.at(motion.mass[row * n + column], j);
                    sum = minus_product(series.graph(), sum, entry, self.a[k - j][column]);
                }
                for constraint in 0..m {
                    let entry = series.at(motion.directions[constraint * n + row], j);
                    sum = minus_product(series.graph(), sum, entry, self.lambda[k - j][constraint]);
                }
            }
            balance.push(sum);
        }
        let mut closure = Vec::with_capacity(m);
        for row in 0..m {
            let mut sum = series.at(motion.curvature[row], k);
            for j in 1..=k {
                for column in 0..n {
                    let entry = series.at(motion.jacobian[row * n + column], j);
                    sum = minus_product(series.graph(), sum, entry, self.a[k - j][column]);
                }
            }
            closure.push(sum);
        }
        let solver = self.solver.get_or_insert_with(|| {
            let mass: Vec<Id> = motion.mass.iter().map(|&id| series.at(id, 0)).collect();
            let jacobian: Vec<Id> = motion.jacobian.iter().map(|&id| series.at(id, 0)).collect();
            let directions: Vec<Id> = motion.directions.iter().map(|&id| series.at(id, 0)).collect();
            Saddle::new(series.graph(), n, mass, jacobian, directions)
        });
        let (a, lambda) = solver.solve(series.graph(), balance, &closure);
        self.a.push(a);
        self.lambda.push(lambda);
    }
}

/// `sum - a b`
pub(crate) fn minus_product(graph: &mut Graph, sum: Id, a: Id, b: Id) -> Id {
    let product = graph.mul(a, b);
    graph.sub(sum, product)
}
