//! Which intervals are divided, and into how many parts.

use crate::problem::ControlProblem;
use crate::replay::Replay;

/// Parts into which an interval is divided at once, at most.
const MOST_PARTS: usize = 4;
/// Lengths of the steps of the ladder: errors are asked to fall a little below what is needed.
const SAFETY: f64 = 0.5;

/// Largest defect of each interval of each phase.
pub(crate) fn defects(replay: &Replay) -> Vec<Vec<f64>> {
    let phase = |phase: &crate::PhaseReplay| phase.intervals.iter().map(|interval| interval.defect.state()).collect();
    replay.phases.iter().map(phase).collect()
}

/// Number of intervals of all phases.
pub(crate) fn count(problem: &ControlProblem) -> usize {
    problem.phases.iter().map(|phase| phase.intervals).sum()
}

/// Divides every interval into two.
pub(crate) fn halve(problem: &ControlProblem) -> ControlProblem {
    divide(problem, |_, _| 2)
}

/// Divides intervals whose defect is above its share of the total that is left if errors fall by `factor`; `order` is that of the
/// cost, so that `m` parts of an interval have a total defect `m^order` times smaller. None if no interval is above.
pub(crate) fn refine(
    problem: &ControlProblem,
    defects: &[Vec<f64>],
    factor: f64,
    order: usize,
) -> Option<ControlProblem> {
    let total: f64 = defects.iter().flatten().sum();
    let share = SAFETY * factor * total / count(problem) as f64;
    let parts = |phase: usize, k: usize| {
        let Some(&defect) = defects.get(phase).and_then(|own| own.get(k)) else { return 2 };
        if !(share > 0.0 && defect.is_finite()) {
            return 2;
        }
        ((defect / share).powf(1.0 / order as f64).ceil() as usize).clamp(1, MOST_PARTS)
    };
    let finer = divide(problem, parts);
    (count(&finer) > count(problem)).then_some(finer)
}

fn divide(problem: &ControlProblem, parts: impl Fn(usize, usize) -> usize) -> ControlProblem {
    let mut finer = problem.clone();
    for (number, phase) in finer.phases.iter_mut().enumerate() {
        let old = phase.mesh();
        let is_even = phase.shares.is_empty() && (1..old.len()).all(|k| parts(number, k) == parts(number, 0));
        let mut shares = Vec::new();
        for (k, share) in old.iter().enumerate() {
            let count = parts(number, k);
            shares.extend(vec![share / count as f64; count]);
        }
        phase.intervals = shares.len();
        // Rounding must not change their sum.
        let total: f64 = shares.iter().sum();
        shares.iter_mut().for_each(|share| *share /= total);
        phase.shares = if is_even { Vec::new() } else { shares };
    }
    finer
}
