//! Audits of candidates, and what is done about limits that hold at nodes and not between them.
//!
//! ```text
//! lower <- lower + 1.2 excess,   upper <- upper - 1.2 excess,      solve again, from the point and the multipliers
//! ```

use super::search::{GaitCandidate, GaitEvent, GaitOptions};
use crate::audit::{Audit, AuditKind, audit};
use crate::error::ControlError;
use crate::problem::ControlProblem;
use crate::solve::solve;

/// Limits are tightened by this many times what they were exceeded by.
const MARGIN: f64 = 1.2;
/// How often they are tightened.
const ROUNDS: usize = 4;

/// Audits a candidate against the `problem` as it is asked, and tightens conditions that are exceeded between nodes; false if it
/// was stopped.
pub(super) fn settle(
    problem: &ControlProblem,
    candidate: &mut GaitCandidate,
    options: &GaitOptions,
    observe: &mut dyn FnMut(GaitEvent<'_>) -> bool,
) -> Result<bool, ControlError> {
    let mut best = candidate.clone();
    for round in 0..=ROUNDS {
        let found = audit(problem, &best.solution, &options.audit)?;
        let goes_on = observe(GaitEvent::Audited { start: best.start, round, audit: &found });
        let tighter = tightened(&best.problem, &found);
        best.audit = Some(found);
        if round == 0 || best.passed() {
            *candidate = best.clone();
        }
        let (Some(problem), true, false) = (tighter, goes_on && round < ROUNDS, best.passed()) else {
            return Ok(goes_on);
        };
        // The same program but for its limits: it goes on from the point and the multipliers.
        let mut again = options.solve.clone();
        again.nlp.start = Some(best.solution.outcome.point.clone());
        again.nlp.warm = Some(best.solution.outcome.multipliers.clone());
        again.nlp.near = true;
        let solution = solve(&problem, &best.solution.guess(), &again, &mut |_| true)?;
        if !solution.outcome.status.is_success() {
            return Ok(true);
        }
        best = GaitCandidate { start: best.start, hops: best.hops, problem, solution, audit: None, rounds: round + 1 };
    }
    Ok(true)
}

/// The problem with limits that make up for what they were exceeded by; nothing if something else is wrong.
fn tightened(problem: &ControlProblem, found: &Audit) -> Option<ControlProblem> {
    let is_limit = |kind: &AuditKind| {
        matches!(kind, AuditKind::Path(_) | AuditKind::Pull(_) | AuditKind::Friction(_) | AuditKind::Depth(_))
    };
    if found.findings.is_empty() || !found.findings.iter().all(|finding| is_limit(&finding.kind)) {
        return None;
    }
    let (mut problem, mut is_tighter) = (problem.clone(), false);
    for (phase, replay) in problem.phases.iter_mut().zip(&found.replay.phases) {
        // Conditions and what was found about them stand in the same order.
        for (path, excess) in phase.path.iter_mut().zip(&replay.excesses) {
            let (range, margin) = (&mut path.condition.range, MARGIN * excess.value);
            is_tighter |= margin > 0.0;
            if excess.is_above {
                range.upper -= margin;
            } else {
                range.lower += margin;
            }
        }
    }
    is_tighter.then_some(problem)
}
