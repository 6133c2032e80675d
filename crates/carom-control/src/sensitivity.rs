//! The derivative of an optimal cost by a parameter, which the multipliers give for free.
//!
//! ```text
//! J(p) = min over x of f(x, p)   such that   l <= c(x, p) <= u
//! dJ/dp = df/dp + y . dc/dp                                            at the optimum, with its multipliers y
//! ```
//!
//! (The envelope theorem: what the optimum `x(p)` does when `p` changes does not matter to first order, since the Lagrangian is
//! stationary in `x`.) It holds where the optimum is regular: a strict local optimum whose active constraints are independent and
//! whose multipliers do not vanish. The parameter is a freed one, held by equal bounds or found; then all derivatives stand in the program.

use crate::problem::ControlProblem;
use crate::transcription::Transcript;
use carom_nlp::{Nlp, Outcome};

/// `df/dp + y . dc/dp` for each freed parameter, at the point of the outcome.
pub(crate) fn sensitivities(
    problem: &ControlProblem,
    transcript: &mut Transcript,
    outcome: &Outcome,
) -> Vec<(String, f64)> {
    let program = &mut transcript.program;
    let (variables, rows) = (program.variable_ranges().len(), program.row_ranges().len());
    // A search that never began has neither a point nor multipliers.
    if problem.freed.is_empty() || outcome.point.len() != variables || outcome.multipliers.rows.len() != rows {
        return Vec::new();
    }
    let (mut slopes, mut jacobian) = (vec![0.0; variables], vec![0.0; program.jacobian_pattern().len()]);
    program.slopes(&outcome.point, &mut slopes, &mut jacobian);
    for ((row, column), entry) in program.jacobian_pattern().entries().zip(&jacobian) {
        slopes[column] += outcome.multipliers.rows[row] * entry;
    }
    let freed = problem.freed.iter().zip(&transcript.layout.freed);
    freed.map(|(freed, &variable)| (freed.name.clone(), slopes[variable as usize])).collect()
}
