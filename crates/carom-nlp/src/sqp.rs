//! Sequential quadratic programming: at each point a quadratic program with the exact Hessian of the Lagrangian,
//!
//! ```text
//! minimise df/dx p + p^T H p / 2   subject to   l <= c + J p <= u,   a <= x + p <= b
//! ```
//!
//! solved by POUNCE's sparse active-set method with inertia control; a filter decides on the length of the
//! step. Where linearised rows contradict each other, they become soft with an l1 penalty (elastic mode). The
//! working set changes by one row at a time, so that many active bounds take long from a cold start;
//! near a solution the steps are those of Newton. From 5000 variables and rows on POUNCE begins with its interior point
//! and hands over.
//!
//! Far from a solution the exact Hessian may have no minimum along the rows, and steps lead astray. Small
//! programs are then tried again with Powell's damped update of an estimate that is always positive definite.

use crate::attempts::{best, is_final, left};
use crate::nlp::Nlp;
use crate::outcome::Outcome;
use crate::pounce::{Method, run};
use crate::solver::{Observer, Options, Solver};

/// Largest number of variables for the second attempt, whose estimate is dense.
const DENSE: usize = 300;
/// Iterations after which the exact Hessian has had its chance.
const FIRST_ITERATIONS: usize = 200;
/// The option that chooses the Hessian.
const HESSIAN: &str = "sqp_hessian";

/// Sequential quadratic programming.
pub struct Sqp;

impl Solver for Sqp {
    fn name(&self) -> &'static str {
        "sqp"
    }

    fn summary(&self) -> &'static str {
        "sequential quadratic programming with active sets and elastic mode, by POUNCE"
    }

    fn solve(&self, nlp: &mut dyn Nlp, options: &Options, observe: &mut Observer<'_>) -> Outcome {
        let chosen = options.extra.iter().any(|(name, _)| name == HESSIAN);
        if chosen || nlp.variable_ranges().len() > DENSE {
            return run(self.name(), Method::Sequential, nlp, options, observe);
        }
        let exact = Options { max_iterations: options.max_iterations.min(FIRST_ITERATIONS), ..options.clone() };
        let first = run(self.name(), Method::Sequential, nlp, &exact, observe);
        let doubtful = first.statistics.evaluations > 0 && !is_final(&first.status);
        let Some(mut rest) = left(options, &first.statistics).filter(|_| doubtful) else {
            return first;
        };
        rest.extra.push((HESSIAN.to_owned(), "damped-bfgs".to_owned()));
        let second = run(self.name(), Method::Sequential, nlp, &rest, observe);
        let mut outcome = best(vec![first, second]);
        outcome.solver = self.name().to_owned();
        outcome
    }
}
