//! Momenta, velocities and constraint forces of a motion of discrete mechanics.
//!
//! ```text
//! p_k    = D_2 Ld(q_(k-1), q_k) + u^+,          v_k  from  dL/dv(q_k, v_k) = p_k  along the constraints
//! G^T lambda_k = p_k + D_1 Ld(q_k, q_(k+1)) + u^-,      force = -lambda_k / (what q_k stands for of both intervals)
//! ```

use super::node::node_weights;
use crate::error::ControlError;
use crate::extract::{PhasePoint, Reader, numbers};
use crate::measure::{MeasuredInterval, Measures};
use crate::solution::PhaseSolution;
use carom_discrete::rules::Table;
use carom_discrete::{Formulation, Interval};
use carom_expr::Backend;
use carom_linalg::{Lu, dot, gram, max_abs};
use carom_model::Legendre;

/// A balance along the constraints that is violated by more than this share of the momentum was lost by the null space.
const LOST: f64 = 1e-4;

/// Reads the motion of a rule.
pub(crate) struct DiscreteReader {
    pub(crate) table: Table,
}

impl Reader for DiscreteReader {
    fn measure(
        &self,
        point: &PhasePoint<'_>,
        found: &mut PhaseSolution,
        costs: &mut [(String, f64)],
    ) -> Result<Option<String>, ControlError> {
        let (phase, own) = (point.phase, point.own);
        let (n, intervals) = (phase.dynamics.dimension(), own.mesh.len());
        let mut measures = Measures::new(point.problem, point.number, phase, self.interval(point))?;
        let (mut given, mut received) = (Vec::new(), Vec::new());
        for k in 0..intervals {
            let nodes = [&own.q[k], &own.inner[k].concat(), &own.q[k + 1], &own.extra[k]];
            let mut inputs: Vec<f64> = nodes.into_iter().flat_map(|variables| point.pick(variables)).collect();
            let samples: Vec<Vec<f64>> = own.sample_times.iter().map(|&time| found.controls.at(k, time)).collect();
            (0..found.inputs.len()).for_each(|i| inputs.extend(samples.iter().map(|values| values[i])));
            inputs.extend([found.times[k + 1] - found.times[k], found.times[k]]);
            let momenta = measures.interval(&inputs, point.freed, costs, found);
            given.push(momenta[..n].to_vec());
            received.push(momenta[n..].to_vec());
        }
        let ends = [&own.v[0], &own.v[own.v.len() - 1]].map(|v| point.pick(v));
        measures.end(&found.q[intervals], &ends[1], point.freed, found, costs);
        let mut legendre = Legendre::new(&numbers(phase, point.freed), Backend::Interpreter)?;
        let weights = node_weights(&own.inner_times);
        let (left, right) = (weights[0], weights[weights.len() - 1]);
        let (mut largest, mut lost) = (0.0f64, (0.0, 0));
        for k in 0..=intervals {
            let q = found.q[k].clone();
            let (mut p, mut balance) = (vec![0.0; n], vec![0.0; n]);
            match k {
                0 => legendre.momentum(&q, &ends[0], found.times[0], &mut p),
                _ => p.copy_from_slice(&received[k - 1]),
            }
            match given.get(k) {
                Some(given) => balance.iter_mut().zip(given).for_each(|(sum, p)| *sum = *p),
                None => {
                    legendre.momentum(&q, &ends[1], found.times[k], &mut balance);
                    balance.iter_mut().for_each(|sum| *sum = -*sum);
                }
            }
            largest = largest.max(max_abs(&p));
            balance.iter_mut().zip(&p).for_each(|(sum, p)| *sum += p);
            let span = |k: usize| found.times.get(k + 1).map_or(0.0, |next| next - found.times[k]);
            let width = left * span(k) + if k > 0 { right * span(k - 1) } else { 0.0 };
            let (lambda, rest) = normal_part(&mut legendre, &q, &balance);
            if rest > lost.0 {
                lost = (rest, k);
            }
            found.forces.push(lambda.into_iter().map(|lambda| -lambda / width).collect());
            found.v.push(match k {
                0 => ends[0].clone(),
                k if k == intervals => ends[1].clone(),
                _ => velocity(&mut legendre, found, k, p),
            });
        }
        // Only points that were accepted are worth a word.
        let has_null_space = phase.formulation == Formulation::NullSpace && !phase.is_pin.iter().all(|&pin| pin);
        // What the solver leaves of its rows is not lost.
        let left_over = 1e3 * point.outcome.residuals.feasibility.max(1e-9);
        let is_lost = has_null_space && lost.0 > (LOST * largest).max(left_over);
        let flaw = format!(
            "phase `{}`, node {}: the null space is singular and a balance of momentum was lost; use the formulation `multipliers`",
            found.name, lost.1
        );
        Ok((is_lost && point.outcome.status.is_success()).then_some(flaw))
    }
}

impl DiscreteReader {
    /// An interval with the momenta that it gives to its ends.
    fn interval(&self, point: &PhasePoint<'_>) -> MeasuredInterval {
        let Interval { graph, nodes, lambda, controls, h, ta, left, right, samples, .. } =
            Interval::new(&point.phase.dynamics, &self.table, &point.phase.inputs);
        let inputs = [nodes.concat(), lambda.concat(), controls.concat(), vec![h, ta]].concat();
        MeasuredInterval { graph, inputs, samples, h, outputs: [left, right].concat() }
    }
}

/// The velocity along the constraints that belongs to a momentum.
fn velocity(legendre: &mut Legendre, found: &PhaseSolution, k: usize, mut p: Vec<f64>) -> Vec<f64> {
    // A momentum without velocity (a light body at a strange place) leaves the difference quotient.
    let h = found.times[k + 1] - found.times[k];
    let mut v: Vec<f64> = found.q[k + 1].iter().zip(&found.q[k]).map(|(b, a)| (b - a) / h).collect();
    let mut lambda = vec![0.0; legendre.constraint_count()];
    let _ = legendre.velocity(&found.q[k], found.times[k], &mut p, &mut v, &mut lambda);
    v
}

/// `lambda` with `balance = G^T lambda` in the sense of least squares, and what is left of the balance.
fn normal_part(legendre: &mut Legendre, q: &[f64], balance: &[f64]) -> (Vec<f64>, f64) {
    let n = q.len();
    let (_, g) = legendre.constraints(q);
    let rows: Vec<&[f64]> = g.chunks_exact(n.max(1)).collect();
    let mut lambda: Vec<f64> = rows.iter().map(|row| dot(row, balance)).collect();
    let mut lu = Lu::new(rows.len());
    if rows.is_empty() {
        return (lambda, max_abs(balance));
    }
    if lu.factor(&gram(&rows)).is_err() {
        return (vec![f64::NAN; rows.len()], 0.0);
    }
    lu.solve(&mut lambda);
    let left = |k: usize| balance[k] - rows.iter().zip(&lambda).map(|(row, lambda)| row[k] * lambda).sum::<f64>();
    let rest: Vec<f64> = (0..n).map(left).collect();
    (lambda, max_abs(&rest))
}
