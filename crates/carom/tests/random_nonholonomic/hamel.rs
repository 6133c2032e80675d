//! Hamel's equations of a frame, evaluated at a state.

use super::dense::solve;
use carom::expr::{Graph, Id};
use carom::model::{Dynamics, EquationsOfMotion, Frame};

/// Values of position, velocity and time.
pub fn values(dynamics: &Dynamics, q: &[f64], v: &[f64], t: f64) -> Vec<(Id, f64)> {
    let state = dynamics.q.iter().copied().zip(q.iter().copied());
    state.chain(dynamics.v.iter().copied().zip(v.iter().copied())).chain([(dynamics.time, t)]).collect()
}

/// Coordinates with the components of a field, as directions of a derivative.
pub fn along(q: &[Id], field: &[Id]) -> Vec<(Id, Id)> {
    q.iter().copied().zip(field.iter().copied()).collect()
}

/// What Hamel's equations say at a state.
pub struct Hamel {
    /// `w'`, and the rate of `v = w^i u_i` that follows.
    pub rate: Vec<f64>,
    pub acceleration: Vec<f64>,
    pub velocity: Vec<f64>,
}

/// Of a frame whose expressions stand in `graph`.
pub fn hamel(graph: &Graph, dynamics: &Dynamics, frame: &Frame, (q, w, t): (&[f64], &[f64], f64)) -> Hamel {
    let mut graph = graph.clone();
    let equations = EquationsOfMotion::in_frame(&mut graph, dynamics, frame);
    let slopes = graph.directional(&frame.matrix(), &along(&dynamics.q, &equations.velocity));
    let roots = [equations.concat(), frame.matrix(), slopes].concat();
    let mut state = values(dynamics, q, &vec![f64::NAN; q.len()], t);
    state.extend(equations.speeds.iter().copied().zip(w.iter().copied()));
    let found = graph.evaluate(&roots, &state);
    let (k, m, n) = (w.len(), equations.curvature.len(), q.len());
    let mut at = 0;
    let mut take = |count: usize| {
        at += count;
        found[at - count..at].to_vec()
    };
    let (mass, bias, jacobian, directions, curvature) = (take(k * k), take(k), take(m * k), take(m * k), take(m));
    let (velocity, fields, slopes) = (take(n), take(frame.fields.len() * n), take(frame.fields.len() * n));
    let size = k + m;
    let mut matrix = vec![0.0; size * size];
    for i in 0..k {
        matrix[i * size..i * size + k].copy_from_slice(&mass[i * k..(i + 1) * k]);
        for a in 0..m {
            matrix[i * size + k + a] = directions[a * k + i];
            matrix[(k + a) * size + i] = jacobian[a * k + i];
        }
    }
    let rate = solve(&matrix, &[bias, curvature].concat())[..k].to_vec();
    let sum = |c: usize| (0..k).map(|i| rate[i] * fields[i * n + c] + w[i] * slopes[i * n + c]).sum();
    Hamel { acceleration: (0..n).map(sum).collect(), rate, velocity }
}
