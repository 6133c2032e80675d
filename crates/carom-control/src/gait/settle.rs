//! Audits of candidates, and what is done about limits that hold at nodes and not between them.
//!
//! ```text
//! lower <- lower + 1.2 excess,   upper <- upper - 1.2 excess,      solve again, from the point and the multipliers
//! the foot dips right at the start:  its rate there >= 0,          solve again near by
//! ```
//!
//! The impact may leave the foot that stood before moving into the ground. No limit at later nodes forbids that.

use super::conditions::CLEARANCE;
use super::run::Run;
use super::search::{GaitCandidate, GaitEvent};
use crate::audit::{Audit, AuditKind, audit};
use crate::error::ControlError;
use crate::problem::{Condition, ControlProblem};
use crate::solve::solve;

/// Limits are tightened by this many times what they were exceeded by.
const MARGIN: f64 = 1.2;
/// How often they are tightened.
const ROUNDS: usize = 4;
/// First barrier after a condition was added: the search goes on near by.
const BARRIER: f64 = 1e-5;

/// Audits a candidate against the `problem` as it is asked, and tightens conditions that are exceeded between nodes;
/// false if it was stopped. `lift_off` is asked for at the start where the foot would dip.
pub(super) fn settle(
    (problem, lift_off): (&ControlProblem, &Condition),
    candidate: &mut GaitCandidate,
    run: &Run<'_>,
    observe: &mut dyn FnMut(GaitEvent<'_>) -> bool,
) -> Result<bool, ControlError> {
    let mut best = candidate.clone();
    for round in 0..=ROUNDS {
        let found = audit(problem, &best.solution, &run.options.audit)?;
        let goes_on = observe(GaitEvent::Audited { start: best.start, hop: best.hops, round, audit: &found });
        let tighter = tightened(&best.problem, &found, lift_off);
        best.audit = Some(found);
        if round == 0 || best.passed() {
            *candidate = best.clone();
        }
        let (Some(problem), true, false) = (tighter, goes_on && round < ROUNDS, best.passed()) else {
            return Ok(goes_on);
        };
        let mut again = run.grace(&run.options.solve);
        again.nlp.near = true;
        if same_rows(&problem, &best.problem) {
            // The same program but for its limits: it goes on from the point and the multipliers.
            again.nlp.start = Some(best.solution.outcome.point.clone());
            again.nlp.warm = Some(best.solution.outcome.multipliers.clone());
        } else {
            again.nlp.barrier = Some(BARRIER);
        }
        let solution = solve(&problem, &best.solution.guess(), &again, &mut |_| true)?;
        if !solution.outcome.status.is_success() {
            return Ok(true);
        }
        best = GaitCandidate { start: best.start, hops: best.hops, problem, solution, audit: None, rounds: round + 1 };
    }
    Ok(true)
}

/// The problem with limits that make up for what they were exceeded by; nothing if something else is wrong.
fn tightened(problem: &ControlProblem, found: &Audit, lift_off: &Condition) -> Option<ControlProblem> {
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
            if margin.is_nan() || margin <= 0.0 {
                continue;
            }
            is_tighter = true;
            let is_found = found.findings.iter().any(|own| own.kind == AuditKind::Path(path.condition.name.clone()));
            let dips = path.condition.name == CLEARANCE && is_found && excess.interval == 0;
            if dips && !phase.start.contains(lift_off) {
                phase.start.push(lift_off.clone());
            } else if excess.is_above {
                range.upper -= margin;
            } else {
                range.lower += margin;
            }
        }
    }
    is_tighter.then_some(problem)
}

/// True if neither program has a condition at the start that the other has not: they differ by limits alone.
fn same_rows(a: &ControlProblem, b: &ControlProblem) -> bool {
    a.phases.iter().zip(&b.phases).all(|(a, b)| a.start.len() == b.start.len())
}
