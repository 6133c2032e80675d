//! Optimality of a motion with impacts: the conditions of Lemma 3 of 002, corrected.
//!
//! With inputs eliminated the cost is `int k(q, q', q'') dt`, a Lagrangian of second order, with Ostrogradsky's momenta
//!
//! ```text
//! pi2 = dk/dq'',     pi1 = dk/dq' - d/dt pi2,     E = pi1 q' + pi2 q'' - k
//! ```
//!
//! Between impacts `dk/dq - d/dt pi1 = 0` (18). An impact at `t_i` with `q'+ = R(q) q'-` may be varied in its velocity
//! before, in its time, and in its place along the boundary:
//!
//! ```text
//! pi2- - pi2+ R = 0                                                                       (19)
//! E- - E+ = 0                                                                            (20), corrected
//! (pi1- - pi1+ - pi2+ (R' .) q'-) dq = 0        for dq along the boundary                    (21)
//! ```
//!
//! and at the end, where some of `e(q, q') = 0` is asked and `Phi(q, q')` is paid,
//!
//! ```text
//! (pi1 + dPhi/dq) dq + (pi2 + dPhi/dq') dq' = 0      for all (dq, dq') with de = 0.
//! ```
//!
//! The printed (20) lacks `pi2 q''` and has a term with `R'` instead: it forgets that `t_i` is varied. Its residual is
//! reported beside the corrected one. All residuals are relative to the largest
//! terms along the whole motion, or to those of holding still where these are larger.
//!
//! Inputs of a solution are known at samples; their derivatives are not. So (18) is integrated twice (du Bois-Reymond),
//!
//! ```text
//! pi2 = int dk/dq' - int int dk/dq + a + b t,        pi1 = int dk/dq - b
//! ```
//!
//! with the same `a`, `b` along a whole flight: they are fitted, and what is left is the residual.

use super::conditions::Conditions;
use super::line::Line;
use super::task::Task;
use crate::error::ControlError;
use crate::solution::{PhaseSolution, Solution};
use carom_linalg::{dot, max_abs};

/// Residuals of the conditions at one impact.
#[derive(Clone, Debug, PartialEq)]
pub struct Corner {
    /// Time of the impact.
    pub time: f64,
    /// (19): variation of the velocity before the impact.
    pub velocity: f64,
    /// (20), corrected: variation of the time.
    pub energy: f64,
    /// (21): variation of the place along the boundary.
    pub place: f64,
    /// (20) as printed.
    pub printed: f64,
}

/// Residuals of the conditions of optimality.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Certificate {
    /// One per impact.
    pub corners: Vec<Corner>,
    /// (18): the largest residual between impacts.
    pub flights: f64,
    /// What is left of the momenta at the end along directions that are free there.
    pub end: f64,
}

impl Certificate {
    /// The largest residual of all corrected conditions; not-a-number wins.
    pub fn worst(&self) -> f64 {
        let corners = self.corners.iter().flat_map(|corner| [corner.velocity, corner.energy, corner.place]);
        max_abs(&corners.chain([self.flights, self.end]).collect::<Vec<_>>())
    }
}

/// Ostrogradsky's quantities at an end of a flight.
struct Quantities {
    v: Vec<f64>,
    acceleration: Vec<f64>,
    pi1: Vec<f64>,
    pi2: Vec<f64>,
    cost: f64,
}

impl Quantities {
    fn energy(&self) -> f64 {
        dot(&self.pi1, &self.v) + dot(&self.pi2, &self.acceleration) - self.cost
    }
}

/// The largest terms along a motion.
struct Scale {
    /// Of `pi2`, `pi1` and `E`.
    bend: f64,
    push: f64,
    power: f64,
}

/// The certificate of a solution of the problem with fixed sequence.
pub(super) fn certificate(task: &Task, solution: &Solution) -> Result<Certificate, ControlError> {
    let mut conditions = Conditions::new(task)?;
    let flights: Vec<Flight> = solution.phases.iter().map(|phase| Flight::new(&mut conditions, phase)).collect();
    let scale = Scale::new(&mut conditions, task, &flights);
    let residuals: Vec<f64> = flights.iter().map(|flight| flight.residual / scale.bend).collect();
    let mut found = Certificate { flights: max_abs(&residuals), ..Certificate::default() };
    for (pair, phase) in flights.windows(2).zip(&solution.phases[1..]) {
        let u = conditions.pick(&phase.q[0]);
        found.corners.push(corner(&mut conditions, phase.begins, &u, [&pair[0].ends[1], &pair[1].ends[0]], &scale));
    }
    if let (Some(flight), Some(phase)) = (flights.last(), solution.phases.last()) {
        let (last, node) = (&flight.ends[1], phase.q.len() - 1);
        let u = conditions.pick(&phase.q[node]);
        found.end = conditions.transversality((&u, &last.v), (&last.pi1, &last.pi2), (scale.push, scale.bend));
    }
    Ok(found)
}

/// What is known of a flight.
struct Flight {
    /// At its start and at its end.
    ends: [Quantities; 2],
    /// What (18) leaves, and the size of the terms in it.
    residual: f64,
    size: f64,
}

impl Flight {
    fn new(conditions: &mut Conditions, phase: &PhaseSolution) -> Self {
        let n = conditions.n;
        let fractions = phase.controls.fractions.clone();
        let mut samples = Vec::new();
        for interval in 0..phase.times.len() - 1 {
            samples.push(fractions.iter().map(|&share| conditions.at(phase, interval, share).1).collect::<Vec<_>>());
        }
        let last = phase.times.len() - 2;
        let mut ends = [(0, 0.0), (last, 1.0)].map(|(interval, share)| {
            let (v, values) = conditions.at(phase, interval, share);
            let (acceleration, cost) = (values[1..1 + n].to_vec(), values[0]);
            Quantities { v, acceleration, pi1: Vec::new(), pi2: Vec::new(), cost }
        });
        let (mut residuals, mut size) = (Vec::new(), 0.0f64);
        for i in 0..n {
            let part = |place: usize| -> Vec<Vec<f64>> {
                samples.iter().map(|all| all.iter().map(|values| values[1 + place * n + i]).collect()).collect()
            };
            let line = Line::fit(&phase.times, &fractions, [part(1), part(2), part(3)]);
            residuals.push(line.residual);
            size = size.max(line.size);
            for (at, [pi1, pi2]) in ends.iter_mut().zip(line.ends) {
                at.pi1.push(pi1);
                at.pi2.push(pi2);
            }
        }
        Self { ends, residual: max_abs(&residuals), size }
    }
}

impl Scale {
    fn new(conditions: &mut Conditions, task: &Task, flights: &[Flight]) -> Self {
        let ends = || flights.iter().flat_map(|flight| &flight.ends);
        let (still, cost) = conditions.still(task);
        let bend = flights.iter().map(|flight| flight.size).fold(still, f64::max);
        let push = ends().map(|at| max_abs(&at.pi1)).fold(bend / task.duration, f64::max);
        let power = |at: &Quantities| dot(&at.pi1, &at.v).abs() + dot(&at.pi2, &at.acceleration).abs() + at.cost.abs();
        Self { bend, push, power: ends().map(power).fold(cost, f64::max).max(f64::MIN_POSITIVE) }
    }
}

fn corner(
    conditions: &mut Conditions,
    time: f64,
    u: &[f64],
    [before, after]: [&Quantities; 2],
    scale: &Scale,
) -> Corner {
    let n = conditions.n;
    let values = conditions.reflection.values(&[u, &after.pi2, &before.v].concat());
    let (reflection, rest) = values.split_at(n * n);
    let (turned, normal) = rest.split_at(n);
    let kept = |k: usize| (0..n).map(|i| after.pi2[i] * reflection[i * n + k]).sum::<f64>();
    let velocity: Vec<f64> = (0..n).map(|k| before.pi2[k] - kept(k)).collect();
    let mut place: Vec<f64> = (0..n).map(|k| before.pi1[k] - after.pi1[k] - turned[k]).collect();
    let share = dot(&place, normal) / dot(normal, normal);
    place.iter_mut().zip(normal).for_each(|(value, normal)| *value -= share * normal);
    let printed = |at: &Quantities| dot(&at.pi1, &at.v) - at.cost;
    Corner {
        time,
        velocity: max_abs(&velocity) / scale.bend,
        energy: (before.energy() - after.energy()).abs() / scale.power,
        place: max_abs(&place) / scale.push.max(max_abs(turned)),
        printed: (printed(after) - printed(before) + dot(turned, &before.v)).abs() / scale.power,
    }
}
