//! Several attempts at one program, and the best of them.

use crate::outcome::{Outcome, Statistics, Status};
use crate::solver::Options;

/// Nothing that another method could change.
pub(crate) fn is_final(status: &Status) -> bool {
    matches!(status, Status::Converged | Status::Acceptable | Status::Stopped)
}

/// The options with what is left of the limits, if anything is.
pub(crate) fn left(options: &Options, spent: &Statistics) -> Option<Options> {
    let max_iterations = options.max_iterations.saturating_sub(spent.iterations);
    let max_seconds = options.max_seconds - spent.seconds;
    (max_iterations > 0 && max_seconds > 0.0).then(|| Options { max_iterations, max_seconds, ..options.clone() })
}

/// The best attempt, with the work of all; its name tells the story.
pub(crate) fn best(mut attempts: Vec<Outcome>) -> Outcome {
    // Among equals the last one, which was tried because of doubt; failures are judged by violation.
    let mut chosen = 0;
    for (k, attempt) in attempts.iter().enumerate().skip(1) {
        let (old, new) = (rank(&attempts[chosen]), rank(attempt));
        let closer = || attempt.residuals.feasibility <= attempts[chosen].residuals.feasibility;
        if new > old || new == old && (new > 0 || closer()) {
            chosen = k;
        }
    }
    let word = |k: usize| if k < chosen { "after" } else { "before" };
    let others = attempts.iter().enumerate().filter(|(k, _)| *k != chosen);
    let story: Vec<_> = others.map(|(k, other)| format!("{} {}: {}", word(k), other.solver, other.status)).collect();
    let statistics = attempts.iter().fold(Statistics::default(), |all, attempt| sum(&all, &attempt.statistics));
    let mut best = attempts.swap_remove(chosen);
    best.solver = format!("{} ({})", best.solver, story.join("; "));
    best.statistics = statistics;
    best
}

/// A success is worth more than a verdict, a verdict more than a failure.
fn rank(outcome: &Outcome) -> u8 {
    match outcome.status {
        // The caller's own word is the last one.
        Status::Stopped => 4,
        Status::Converged => 3,
        Status::Acceptable => 2,
        Status::LocallyInfeasible | Status::Unbounded => 1,
        _ => 0,
    }
}

fn sum(a: &Statistics, b: &Statistics) -> Statistics {
    Statistics {
        iterations: a.iterations + b.iterations,
        evaluations: a.evaluations + b.evaluations,
        factorisations: a.factorisations + b.factorisations,
        seconds: a.seconds + b.seconds,
        seconds_functions: a.seconds_functions + b.seconds_functions,
        seconds_linear: a.seconds_linear + b.seconds_linear,
    }
}
