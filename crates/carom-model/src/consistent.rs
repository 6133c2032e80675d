//! States that are moved onto constraints, and how they depend on the states that were given.
//!
//! A run that is started off its constraints starts on them: the position moves along the gradients of the constraints,
//! the velocity to the nearest one in the kinetic energy,
//!
//! ```text
//! g(q) = 0,    q - q0 in the span of G^T;        p(q, v) + H^T mu = p(q, v0),    G v = 0.
//! ```
//!
//! At a position that obeys `g`, `dq = dq0 - G^T (G G^T)^-1 (G dq0 + g_c dc)`; the velocity follows by the implicit
//! function theorem.

use crate::dynamics::Dynamics;
use crate::implicit_map::{ImplicitMap, MapError};
use carom_expr::{Backend, Id};
use carom_linalg::{Lu, dot, gram};

/// `d(q, v)/d(q0, v0, kept)`, row by row, of the state that a run begins with, at a position `q` on the constraints and the
/// velocity `v0` that was given. `dynamics` holds the variables called `kept`, which have these values.
pub fn consistent_tangent(
    dynamics: &Dynamics,
    kept: (&[String], &[f64]),
    (t, q, v0): (f64, &[f64], &[f64]),
) -> Result<Vec<f64>, MapError> {
    let (n, p) = (dynamics.dimension(), kept.0.len());
    let columns = 2 * n + p;
    let mut rows = position(dynamics, kept, q)?;
    if dynamics.constraint_count() == 0 {
        rows.extend((0..n * columns).map(|k| f64::from(u8::from(k % columns == n + k / columns))));
        return Ok(rows);
    }
    let mut map = velocity(dynamics, kept.0)?;
    let mut at = [v0, &vec![0.0; dynamics.constraint_count()], q, v0, &[t], kept.1].concat();
    for _ in 0..MAX_CORRECTIONS {
        let change = map.correct(&mut at)?;
        if change <= 1e-15 * carom_linalg::max_abs(&at[..n]) {
            break;
        }
    }
    let slopes = map.derivative(&at)?;
    for row in slopes.chunks_exact(2 * n + 1 + p) {
        let by_position = |j: usize| (0..n).map(|i| row[i] * rows[i * columns + j]).sum::<f64>();
        let direct = |j: usize| if j < n { 0.0 } else { row[if j < 2 * n { j } else { j + 1 }] };
        let line: Vec<f64> = (0..columns).map(|j| by_position(j) + direct(j)).collect();
        rows.extend(line);
    }
    Ok(rows)
}

/// Corrections of a velocity.
const MAX_CORRECTIONS: usize = 20;

/// `dq/d(q0, v0, kept)`
fn position(dynamics: &Dynamics, (kept, values): (&[String], &[f64]), q: &[f64]) -> Result<Vec<f64>, MapError> {
    let (n, p) = (dynamics.dimension(), kept.len());
    let columns = 2 * n + p;
    let mut rows: Vec<f64> = (0..n * columns).map(|k| f64::from(u8::from(k % columns == k / columns))).collect();
    // Constraints that keep the value they have do not move anything.
    let zeros = dynamics.constraints.len() - dynamics.kept_values;
    if zeros == 0 {
        return Ok(rows);
    }
    let mut graph = dynamics.graph.clone();
    let kept: Vec<Id> = kept.iter().map(|name| graph.variable(name)).collect();
    let inputs = [&dynamics.q[..], &kept].concat();
    let constraints = &dynamics.constraints[..zeros];
    let mut map = ImplicitMap::new(graph, (&[], &inputs), (&[], constraints), Backend::Interpreter)?;
    let slopes = map.derivative(&[q, values].concat())?;
    let gradients: Vec<&[f64]> = slopes.chunks_exact(n + p).map(|row| &row[..n]).collect();
    let mut lu = Lu::new(zeros);
    lu.factor(&gram(&gradients))?;
    for j in (0..columns).filter(|j| !(n..2 * n).contains(j)) {
        let place = if j < n { j } else { j - n };
        let mut share: Vec<f64> = slopes.chunks_exact(n + p).map(|row| row[place]).collect();
        lu.solve(&mut share);
        for i in 0..n {
            let column: Vec<f64> = gradients.iter().map(|row| row[i]).collect();
            rows[i * columns + j] -= dot(&column, &share);
        }
    }
    Ok(rows)
}

/// `(q, v0, t, kept)` to the nearest velocity that the constraints admit.
fn velocity(dynamics: &Dynamics, kept: &[String]) -> Result<ImplicitMap, MapError> {
    let mut graph = dynamics.graph.clone();
    let (n, m) = (dynamics.dimension(), dynamics.constraint_count());
    let (v0, mu) = (graph.variables("[v0]", n), graph.variables("[mu of v0]", m));
    let kept: Vec<Id> = kept.iter().map(|name| graph.variable(name)).collect();
    let momentum = dynamics.momentum(&mut graph);
    let places: Vec<(Id, Id)> = dynamics.v.iter().copied().zip(v0.iter().copied()).collect();
    let given = graph.substitute(&momentum, &places);
    let (directions, rows) = (dynamics.force_directions(&mut graph), dynamics.jacobian(&mut graph));
    let mut residual = Vec::new();
    for i in 0..n {
        let column: Vec<Id> = (0..m).map(|k| directions[k * n + i]).collect();
        let normal = graph.dot(&column, &mu);
        let sum = graph.add(momentum[i], normal);
        residual.push(graph.sub(sum, given[i]));
    }
    residual.extend(rows.chunks(n).map(|row| graph.dot(row, &dynamics.v)));
    let unknowns = [&dynamics.v[..], &mu].concat();
    let inputs = [&dynamics.q[..], &v0, &[dynamics.time], &kept].concat();
    let outputs = dynamics.v.clone();
    Ok(ImplicitMap::new(graph, (&unknowns, &inputs), (&residual, &outputs), Backend::Interpreter)?)
}
