//! Hamel's equations in quasivelocities (003, (5) and section IV-A).
//!
//! With `v = w^i u_i` over the fields of the distribution, `l(q, w) = L(q, w^i u_i)` and the momentum
//! `P = dL/dv` at such velocities,
//!
//! ```text
//! d/dt dl/dw^j = c_ij^m (dl/dw^m) w^i + u_j[l] + F(u_j) - lambda_a G^a(u_j)
//! ```
//!
//! where `m` runs over the whole frame. Its last fields need not be known: `c_ij^m dl/dw^m = P([u_i, u_j])`.
//! Written for `w'`,
//!
//! ```text
//! M_jk w'^k + lambda_a H^a_j = b_j,     M_jk = d2l/dw^j dw^k,     H^a_j = H^a(u_j),    G^a_k w'^k = c^a
//! b_j = w^i P([u_i, u_j]) + u_j[l] + F(u_j) - (d/dt at constant w) dl/dw^j
//! ```
//!
//! which has the form of [`EquationsOfMotion`] with as many unknowns as there are admissible directions:
//! velocity constraints have gone. The frame of the coordinates, `u_i = d/dq^i`, gives back the
//! Euler-Lagrange equations.

use crate::dynamics::Dynamics;
use crate::frame::Frame;
use crate::motion::EquationsOfMotion;
use carom_expr::{Graph, Id};

impl EquationsOfMotion {
    /// The equations in the quasivelocities of `frame`, whose expressions stand in `graph`, a copy of the
    /// graph of `dynamics`.
    pub fn in_frame(graph: &mut Graph, dynamics: &Dynamics, frame: &Frame) -> Self {
        let (q, k) = (&dynamics.q, frame.rank);
        // Brackets cannot occur in names of a model, so nothing collides.
        let speeds = graph.variables("[w]", k);
        let velocity = frame.velocity(graph, &speeds);
        let on_span: Vec<(Id, Id)> = dynamics.v.iter().copied().zip(velocity.iter().copied()).collect();
        let momentum = dynamics.momentum(graph);
        let momentum = graph.substitute(&momentum, &on_span);
        let lagrangian = graph.substitute(&[dynamics.lagrangian], &on_span)[0];
        // In a frame that suits the system much cancels: the heading of a sleigh, the attitude of a body.
        let lagrangian = graph.collect(lagrangian);
        let forces = graph.substitute(&dynamics.forces, &on_span);
        let one = graph.constant(1.0);
        let mut along: Vec<(Id, Id)> = q.iter().copied().zip(velocity.iter().copied()).collect();
        along.push((dynamics.time, one));

        let slopes = graph.gradient(lagrangian, &speeds);
        let mass = graph.jacobian(&slopes, &speeds).dense(graph);
        let inertia = graph.directional(&slopes, &along);
        let by_q = graph.gradient(lagrangian, q);
        let mut bias = Vec::with_capacity(k);
        for (j, field) in frame.span().iter().enumerate() {
            let mut sum = graph.dot(&field.components, &by_q);
            let force = graph.dot(&field.components, &forces);
            sum = graph.add(sum, force);
            for i in (0..k).filter(|&i| i != j) {
                let bracket = frame.bracket(graph, q, i, j);
                let action = graph.dot(&momentum, &bracket);
                let action = graph.collect(action);
                let term = graph.mul(speeds[i], action);
                sum = graph.add(sum, term);
            }
            bias.push(graph.sub(sum, inertia[j]));
        }
        // Holonomic constraints and closed contacts stay.
        let n = q.len();
        let holonomic = dynamics.constraints.len() * n;
        let on_fields = |graph: &mut Graph, rows: &[Id]| -> Vec<Id> {
            let pairs = rows.chunks_exact(n).flat_map(|row| frame.span().iter().map(move |field| (row, field)));
            pairs.map(|(row, field)| graph.dot(row, &field.components)).collect()
        };
        let rows = dynamics.jacobian(graph);
        let jacobian = on_fields(graph, &rows[..holonomic]);
        let rows = dynamics.force_directions(graph);
        let directions = on_fields(graph, &rows[..holonomic]);
        let drift = graph.directional(&dynamics.constraints, &along);
        let curvature = graph.directional(&drift, &along).into_iter().map(|d| graph.neg(d)).collect();
        Self { speeds, velocity, mass, bias, jacobian, directions, curvature }
    }
}
