//! The nearest state that an initial state inside an obstacle may have been meant to be:
//! `q -= G^T (G G^T)^-1 g`, repeated, where `g` are the constraints, the gaps of closed contacts
//! and those gaps that would be negative otherwise.

use super::state::{LISTED, State};
use carom_expr::Id;
use carom_linalg::{Lu, dot, max_abs};

/// Newton's method converges in a few steps, or not at all.
const MAX_ITERATIONS: usize = 30;

/// Residuals and moves below this are rounding.
const ROUNDING: f64 = 1e-12;

/// Most conditions at once, and most remarks with a suggestion: a hostile file must not take long.
const MAX_ROWS: usize = 100;
const MAX_SUGGESTIONS: usize = 10;

/// Decimals of a suggested coordinate: enough to touch within the tolerance of gaps.
const DECIMALS: usize = 12;

impl State<'_> {
    /// What to write in `[coordinates]` so that contact `index` touches, in words.
    pub fn suggest_state(&mut self, index: usize) -> String {
        let may = self.report.found.len() < MAX_SUGGESTIONS;
        let Some(nearest) = Some(index).filter(|_| may).and_then(|index| self.nearest_feasible(index)) else {
            return "change the initial values in [coordinates] until the gap is not negative".to_owned();
        };
        let coordinates = self.parts.system.coordinates().iter().zip(&self.parts.initial.q).zip(&nearest);
        let moved =
            coordinates.filter(|((_, before), after)| (**before - **after).abs() > ROUNDING * after.abs().max(1.0));
        let mut words: Vec<String> = moved.map(|((c, _), after)| format!("{} = {}", c.name, decimal(*after))).collect();
        if words.len() > LISTED {
            words.truncate(LISTED);
            words.push("...".to_owned());
        }
        format!("change the initial values in [coordinates]; the nearest state where they touch: {}", words.join(", "))
    }

    /// The bodies of contact `index` touch, and no other contact is violated.
    fn nearest_feasible(&mut self, index: usize) -> Option<Vec<f64>> {
        let gaps = self.dynamics.gaps.clone();
        let contacts = self.parts.system.contacts().iter().enumerate();
        let mut held: Vec<usize> = contacts.filter(|(_, contact)| contact.is_closed).map(|(at, _)| at).collect();
        if !held.contains(&index) {
            held.push(index);
        }
        for _ in 0..gaps.len() {
            let rows = self.dynamics.constraints.iter().copied().chain(held.iter().map(|&at| gaps[at]));
            let q = self.project(&rows.collect::<Vec<_>>())?;
            let v = self.parts.initial.v.clone();
            let exists = self.existing(&q, &v);
            let values = self.evaluate_at(&gaps, &q, &v);
            // The deepest of the others joins, until there is none.
            let open = (0..gaps.len()).filter(|at| exists[*at] && !held.contains(at));
            let deepest = open.min_by(|a, b| values[*a].total_cmp(&values[*b]));
            match deepest.filter(|at| values[*at] < -self.smallest_gap()) {
                Some(at) => held.push(at),
                None => return Some(q),
            }
        }
        None
    }

    /// The configuration near the initial one where `rows` vanish.
    fn project(&mut self, rows: &[Id]) -> Option<Vec<f64>> {
        let (n, m) = (self.dynamics.q.len(), rows.len());
        if m > MAX_ROWS.min(n) {
            return None;
        }
        let variables = self.dynamics.q.clone();
        let jacobian = self.graph.jacobian(rows, &variables).dense(&mut self.graph);
        let (mut q, v) = (self.parts.initial.q.clone(), self.parts.initial.v.clone());
        let mut lu = Lu::new(m);
        for _ in 0..MAX_ITERATIONS {
            let mut g = self.evaluate_at(rows, &q, &v);
            let slopes = self.evaluate_at(&jacobian, &q, &v);
            let row = |k: usize| &slopes[k * n..(k + 1) * n];
            let gram: Vec<f64> = (0..m * m).map(|k| dot(row(k / m), row(k % m))).collect();
            if !g.iter().chain(&gram).all(|value| value.is_finite()) || lu.factor(&gram).is_err() {
                return None;
            }
            let residual = max_abs(&g);
            lu.solve(&mut g);
            let moves: Vec<f64> = (0..n).map(|i| (0..m).map(|k| row(k)[i] * g[k]).sum()).collect();
            q.iter_mut().zip(&moves).for_each(|(value, step)| *value -= step);
            let scale = max_abs(&q).max(1.0);
            if max_abs(&moves) <= ROUNDING * scale && residual <= ROUNDING * scale {
                return Some(q);
            }
        }
        None
    }
}

/// A number without the noise of its last digits.
fn decimal(value: f64) -> String {
    let text = format!("{value:.DECIMALS$}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}
