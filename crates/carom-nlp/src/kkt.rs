//! How well the optimality conditions hold at a point, in the units of the program.
//!
//! ```text
//! stationarity     df/dx + J^T y - z_lower + z_upper = 0
//! feasibility      l <= c(x) <= u,  a <= x <= b
//! complementarity  y_j pushes a row off a bound only if the row lies there; the same for z
//! ```
//!
//! Every solver's answer is judged by this one function.

use crate::nlp::{Nlp, Range};
use crate::outcome::Multipliers;

/// Largest residuals of the optimality conditions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Residuals {
    /// Largest component of `df/dx + J^T y - z_lower + z_upper`, over variables that are not fixed.
    pub stationarity: f64,
    /// Largest violation of a bound of a row or of a variable.
    pub feasibility: f64,
    /// Largest product of a multiplier and the distance to the bound it belongs to.
    pub complementarity: f64,
}

impl Residuals {
    /// The largest of the three.
    pub fn largest(&self) -> f64 {
        // Not `max`, which would drop what is not a number.
        [self.stationarity, self.feasibility, self.complementarity].into_iter().fold(0.0, worse)
    }
}

fn worse(a: f64, b: f64) -> f64 {
    if b.is_nan() || b > a { b } else { a }
}

/// The residuals of the optimality conditions of `nlp` at `x`.
pub fn residuals(nlp: &mut dyn Nlp, x: &[f64], multipliers: &Multipliers) -> Residuals {
    let (n, m) = (nlp.variable_ranges().len(), nlp.row_ranges().len());
    let mut rows = vec![0.0; m];
    nlp.values(x, &mut rows);
    let (mut stationarity, mut jacobian) = (vec![0.0; n], vec![0.0; nlp.jacobian_pattern().len()]);
    nlp.slopes(x, &mut stationarity, &mut jacobian);
    for ((row, column), entry) in nlp.jacobian_pattern().entries().zip(&jacobian) {
        stationarity[column] += multipliers.rows[row] * entry;
    }
    let mut all = Residuals::default();
    for (i, range) in nlp.variable_ranges().iter().enumerate() {
        let (lower, upper) = (multipliers.lower[i], multipliers.upper[i]);
        if !range.is_fixed() {
            all.stationarity = worse(all.stationarity, (stationarity[i] - lower + upper).abs());
            all.complementarity = worse(all.complementarity, product(upper - lower, x[i], range));
        }
        all.feasibility = worse(all.feasibility, range.violation(x[i]));
    }
    for (j, range) in nlp.row_ranges().iter().enumerate() {
        all.feasibility = worse(all.feasibility, if rows[j].is_nan() { f64::NAN } else { range.violation(rows[j]) });
        if !range.is_fixed() {
            all.complementarity = worse(all.complementarity, product(multipliers.rows[j], rows[j], range));
        }
    }
    all
}

/// `|multiplier| distance` to the bound that the sign of the multiplier names.
fn product(multiplier: f64, value: f64, range: &Range) -> f64 {
    let distance = if multiplier > 0.0 { range.upper - value } else { value - range.lower };
    // A multiplier at a bound that does not exist is an error of its own size.
    if multiplier == 0.0 {
        0.0
    } else if distance.is_infinite() {
        multiplier.abs()
    } else {
        (multiplier * distance).abs()
    }
}
