//! The initial velocity: tangent to holonomic constraints, and admissible.
//!
//! A velocity that violates velocity constraints is refused, or replaced by the nearest admissible one if
//! the model says so. Nearest is meant in the metric of the mass matrix, `min (w - v)^T M (w - v)` with
//! `G w = 0`; where that does not determine a velocity, in the Euclidean one, `w = v - G^T (G G^T)^-1 G v`.

use super::source::Place;
use super::state::{LISTED, State, UNREMARKABLE};
use crate::legendre::Legendre;
use carom_expr::{Backend, Id};
use carom_linalg::{RangeNull, dot, max_abs};

/// Constraints that are this close to dependent, against their sizes, count as such.
const DEPENDENT: f64 = 1e-10;

/// A velocity that is only the rounding of numbers of size one, such as `cos(pi/2)`, is zero.
const SMALLEST: f64 = 1e-15;

/// A velocity constraint at the initial state.
struct Violation {
    name: String,
    place: Place,
    /// `omega(q) v`, which should be zero.
    rate: f64,
    /// Below this it is rounding.
    limit: f64,
}

impl State<'_> {
    /// `G(q) v = 0`, after a projection if need be.
    pub fn check_velocity(&mut self) {
        self.check_rest();
        if self.report.has_errors() {
            return;
        }
        let violations = self.violations();
        let is_tangent = self.check_tangent();
        let is_exact = |violation: &Violation| violation.rate.abs() <= f64::EPSILON / UNREMARKABLE * violation.limit;
        if is_tangent && violations.iter().all(is_exact) {
            return;
        }
        let given = self.parts.initial.v.clone();
        self.project_velocity();
        for violation in violations.iter().filter(|violation| violation.rate.abs() > violation.limit) {
            self.remark(violation, &given);
        }
    }

    /// Velocity constraints vanish at rest.
    fn check_rest(&mut self) {
        let ids = self.dynamics.velocity_constraints.clone();
        let rest = vec![0.0; self.parts.initial.v.len()];
        let at_rest = self.evaluate_at(&ids, &self.parts.initial.q, &rest);
        let listed = self.parts.system.velocity_constraints().iter().zip(&self.parts.origin.velocity_constraints);
        for ((constraint, place), value) in listed.zip(at_rest) {
            if value.abs() <= UNREMARKABLE {
                continue;
            }
            let message =
                format!("velocity constraint `{}` is {value} at rest, but must vanish there", constraint.name);
            let help = "write a sum of rates times functions of the coordinates".to_owned();
            self.report.error("not-linear", *place, message, Some(help));
        }
    }

    /// What the velocity constraints say of the velocity.
    fn violations(&mut self) -> Vec<Violation> {
        let n = self.dynamics.dimension();
        let forms = self.dynamics.clone().one_forms(&mut self.graph);
        let (forms, v) = (self.evaluate(&forms), &self.parts.initial.v);
        let speed = max_abs(v);
        let listed = self.parts.system.velocity_constraints().iter().zip(&self.parts.origin.velocity_constraints);
        let violation = |((constraint, place), form): ((&crate::system::Named, &Place), &[f64])| Violation {
            name: constraint.name.clone(),
            place: *place,
            rate: dot(form, v),
            limit: max_abs(form) * (UNREMARKABLE * speed).max(SMALLEST),
        };
        listed.zip(forms.chunks_exact(n)).map(violation).collect()
    }

    /// Warns of a velocity that leaves a holonomic constraint; it loses its normal part.
    fn check_tangent(&mut self) -> bool {
        let dynamics = self.dynamics.clone();
        let seeds: Vec<(Id, Id)> = dynamics.q.iter().copied().zip(dynamics.v.iter().copied()).collect();
        let rates = self.graph.directional(&dynamics.constraints, &seeds);
        let rates = self.evaluate(&rates);
        let limit = UNREMARKABLE * (1.0 + self.parts.initial.v.iter().fold(0.0, |sum, v| sum + v.abs()));
        let listed = self.parts.system.constraints().iter().zip(&self.parts.origin.constraints);
        let mut is_tangent = true;
        for ((constraint, place), rate) in listed.zip(rates).filter(|(_, rate)| rate.abs() > limit) {
            is_tangent = false;
            let name = &constraint.name;
            let message = format!("the initial velocity violates `{name}`: its rate is {rate:.3e} instead of 0");
            let help = "carom keeps the tangent part of the velocity".to_owned();
            self.report.warning("not-tangent", *place, message, Some(help));
        }
        is_tangent
    }

    /// The nearest admissible velocity takes the place of the given one.
    fn project_velocity(&mut self) {
        let n = self.dynamics.dimension();
        let rows = self.dynamics.clone().jacobian(&mut self.graph);
        let rows = self.evaluate(&rows);
        let is_admissible = |v: &Vec<f64>| {
            let is_small = |row: &[f64]| dot(row, v).abs() <= UNREMARKABLE * max_abs(row) * max_abs(v);
            v.iter().all(|rate| rate.is_finite()) && rows.chunks_exact(n).all(is_small)
        };
        let nearest = self.legendre_projection().filter(is_admissible);
        self.parts.initial.v = nearest.unwrap_or_else(|| euclidean_projection(&rows, &self.parts.initial.v));
    }

    /// Through the momentum: the velocity closest in the metric of the mass matrix.
    fn legendre_projection(&self) -> Option<Vec<f64>> {
        let mut legendre = Legendre::new(&self.dynamics, Backend::Interpreter).ok()?;
        let state = &self.parts.initial;
        let (mut p, mut v) = (vec![0.0; state.v.len()], state.v.clone());
        let mut multipliers = vec![0.0; self.dynamics.constraint_count()];
        legendre.momentum(&state.q, &v, 0.0, &mut p);
        legendre.velocity(&state.q, 0.0, &mut p, &mut v, &mut multipliers).ok()?;
        Some(v)
    }

    /// An error, or a warning if the model takes the nearest admissible velocity.
    fn remark(&mut self, violation: &Violation, given: &[f64]) {
        let Violation { name, place, rate, limit } = violation;
        let origin = if self.parts.start.is_derived { ", which follows from the fields," } else { "" };
        let message = format!(
            "the initial velocity is not admissible: `{name}`{origin} is {rate:.3e} instead of 0, the limit is {limit:.0e}"
        );
        let nearest = self.changes(given);
        if self.parts.settings.project {
            let help = format!("carom starts with the nearest admissible velocity: {nearest}");
            self.report.warning("not-admissible", *place, message, Some(help));
            return;
        }
        let help = format!(
            "in [coordinates] write {nearest}, the nearest admissible velocity; or let carom take it, with --project or \
             `project = true` in [simulation]"
        );
        self.report.error("not-admissible", *place, message, Some(help));
    }

    /// The velocities that have changed, in words.
    fn changes(&self, given: &[f64]) -> String {
        let (v, coordinates) = (&self.parts.initial.v, self.parts.system.coordinates());
        let rounding = UNREMARKABLE * max_abs(given);
        let changed = (0..v.len()).filter(|&k| (v[k] - given[k]).abs() > rounding);
        let mut words: Vec<String> =
            changed.map(|k| format!("velocity = {} for `{}`", digits(v[k], rounding), coordinates[k].name)).collect();
        if words.len() > LISTED {
            words.truncate(LISTED);
            words.push("...".to_owned());
        }
        words.join(", ")
    }
}

/// `v - G^T (G G^T)^-1 G v`: the part of the velocity in the null space of the rows.
fn euclidean_projection(rows: &[f64], v: &[f64]) -> Vec<f64> {
    let mut nearest = vec![0.0; v.len()];
    for direction in RangeNull::new(rows, v.len(), DEPENDENT).null_space().chunks_exact(v.len().max(1)) {
        let along = dot(direction, v);
        nearest.iter_mut().zip(direction).for_each(|(value, unit)| *value += along * unit);
    }
    nearest
}

/// Twelve significant digits, without the noise behind them; what is below `rounding` is zero.
fn digits(value: f64, rounding: f64) -> String {
    if value.abs() <= rounding {
        return "0".to_owned();
    }
    let value: f64 = format!("{value:.11e}").parse().unwrap_or(value);
    if (1e-4..1e7).contains(&value.abs()) { format!("{value}") } else { format!("{value:e}") }
}
