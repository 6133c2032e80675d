//! Numbers of a replay against their limits.

use super::{AuditFinding, AuditKind, AuditOptions, PhaseAudit, exceeds, worse};
use crate::problem::{ControlProblem, CostKind, WorkPart};
use crate::replay::{PhaseReplay, TransitionReplay};
use crate::solution::{PhaseSolution, Solution};
use carom_linalg::max_abs;

/// Costs below this part of the objective are none.
const NO_COST: f64 = 1e-3;
/// Forces below this part of energy over distance are none.
const NO_FORCE: f64 = 1e-6;

/// The numbers of one phase, and what is wrong with them.
pub(super) fn phase(
    problem: &ControlProblem,
    solution: &Solution,
    number: usize,
    replay: &PhaseReplay,
    options: &AuditOptions,
    findings: &mut Vec<AuditFinding>,
) -> PhaseAudit {
    let found = &solution.phases[number];
    let mut numbers = PhaseAudit { name: replay.name.clone(), ..PhaseAudit::default() };
    let mut judge = Judge { name: &replay.name, findings };
    if let Some((interval, failure)) = &replay.failure {
        let kind = AuditKind::NotReplayed(failure.to_string());
        let time = found.times.get(*interval).copied().unwrap_or(found.begins);
        judge.push(AuditFinding::at(kind, &replay.name, f64::NAN, f64::NAN).during(*interval, time));
    }
    mesh(replay, options, &mut numbers, &mut judge);
    ends(replay, found.duration, options, &mut numbers, &mut judge);
    work(problem, number, replay, found, options, &mut numbers, &mut judge);
    contacts(replay, options, &mut judge);
    for excess in &replay.excesses {
        let (kind, at) = (AuditKind::Path(excess.condition.clone()), Some((excess.interval, excess.time)));
        let size = if excess.size > 0.0 { excess.size } else { 1.0 };
        judge.hold(kind, excess.value / size, options.path, at);
    }
    numbers
}

/// Collects findings of one phase.
struct Judge<'a> {
    name: &'a str,
    findings: &'a mut Vec<AuditFinding>,
}

impl Judge<'_> {
    fn push(&mut self, finding: AuditFinding) {
        self.findings.push(finding);
    }

    /// A finding if `value` is above its limit, or no number.
    fn hold(&mut self, kind: AuditKind, value: f64, limit: f64, at: Option<(usize, f64)>) {
        if exceeds(value, limit) {
            let finding = AuditFinding::at(kind, self.name, value, limit);
            self.push(match at {
                Some((interval, time)) => finding.during(interval, time),
                None => finding,
            });
        }
    }
}

fn mesh(replay: &PhaseReplay, options: &AuditOptions, numbers: &mut PhaseAudit, judge: &mut Judge<'_>) {
    for (k, interval) in replay.intervals.iter().enumerate() {
        let defect = interval.defect.state();
        if worse(numbers.mesh, defect) != numbers.mesh {
            (numbers.mesh, numbers.mesh_interval) = (defect, k);
        }
    }
    let time = replay.intervals.get(numbers.mesh_interval).map_or(0.0, |interval| interval.time);
    judge.hold(AuditKind::Mesh, numbers.mesh, options.mesh, Some((numbers.mesh_interval, time)));
}

fn ends(replay: &PhaseReplay, duration: f64, options: &AuditOptions, numbers: &mut PhaseAudit, judge: &mut Judge<'_>) {
    let own = replay.own.as_ref();
    if let Some(end) = own {
        numbers.end = end.mismatch;
        numbers.amplification = end.mismatch.state() / numbers.mesh;
    }
    if let Some(end) = &replay.chained {
        numbers.chained = end.mismatch;
    }
    // Of an unstable motion the end says nothing: whatever is left of the defects has grown by then.
    numbers.is_unstable = numbers.mesh <= options.mesh && numbers.amplification > options.amplification;
    if numbers.is_unstable {
        return;
    }
    if let Some(end) = own {
        judge.hold(AuditKind::EndState, end.mismatch.state(), options.end_state, None);
        judge.hold(AuditKind::EndEnergy, end.mismatch.energy, options.end_energy, None);
    }
    if let Some(end) = &replay.chained {
        judge.hold(AuditKind::ChainedState, end.mismatch.state(), options.chained_state, None);
    }
    for guard in own.iter().flat_map(|end| &end.guards) {
        // A guard that is not met is late for good.
        let late = guard.late.map_or(f64::INFINITY, |late| late.abs() / duration);
        judge.hold(AuditKind::Guard(guard.contact.clone()), late, options.guard_time, None);
    }
}

fn work(
    problem: &ControlProblem,
    number: usize,
    replay: &PhaseReplay,
    found: &PhaseSolution,
    options: &AuditOptions,
    numbers: &mut PhaseAudit,
    judge: &mut Judge<'_>,
) {
    let energy = replay.size.energy;
    let seen: f64 = found.absolute_work.iter().flatten().sum();
    let (mut largest, mut place) = (0.0, (0, 0.0));
    for (k, (interval, work)) in replay.intervals.iter().zip(&found.work).enumerate() {
        let error: f64 = interval.work.iter().zip(work).map(|(flow, own)| (flow - own).abs()).sum();
        if worse(largest, error) != largest {
            (largest, place) = (error, (k, interval.time));
        }
        numbers.work_error += error / energy;
        numbers.work += work.iter().sum::<f64>();
        numbers.flow_work += interval.work.iter().sum::<f64>();
        numbers.absolute_work += interval.absolute_work.iter().sum::<f64>();
        numbers.other_work += interval.other_work;
    }
    numbers.energy_change = replay.energy_change;
    numbers.balance_error = (numbers.energy_change - numbers.work - numbers.other_work).abs() / energy;
    // Work below rounding of the energy is nothing that could hide.
    let is_work = numbers.absolute_work > 1e-9 * energy;
    numbers.hidden_work = if is_work { 1.0 - seen / numbers.absolute_work } else { 0.0 };
    judge.hold(AuditKind::Work, numbers.work_error, options.work, Some(place));
    if replay.failure.is_none() {
        judge.hold(AuditKind::Balance, numbers.balance_error, options.work, None);
    }
    if looks_at_parts(problem, number) {
        judge.hold(AuditKind::HiddenWork, numbers.hidden_work, options.hidden_work, None);
    }
}

/// True if a cost of the phase counts the work of samples by its size or its positive part.
fn looks_at_parts(problem: &ControlProblem, number: usize) -> bool {
    let mut own = problem.costs.iter().filter(|cost| cost.phases.is_empty() || cost.phases.contains(&number));
    own.any(|cost| matches!(&cost.kind, CostKind::Work { part, .. } if *part != WorkPart::Net))
}

fn contacts(replay: &PhaseReplay, options: &AuditOptions, judge: &mut Judge<'_>) {
    let size = max_abs(&replay.size.q);
    for touch in &replay.touches {
        let at = Some((touch.interval, touch.time));
        judge.hold(AuditKind::Depth(touch.contact.clone()), touch.depth / size, options.depth, at);
    }
    // Contacts that carry next to nothing neither pull nor slip.
    let least = NO_FORCE * replay.size.energy / size;
    let scale = replay.forces.iter().map(|force| force.largest).fold(least, worse);
    for force in &replay.forces {
        let at = Some((force.least_interval, force.least_time));
        judge.hold(AuditKind::Pull(force.contact.clone()), -force.least / scale, options.force, at);
        if let Some(excess) = force.excess {
            let at = Some((force.excess_interval, force.excess_time));
            judge.hold(AuditKind::Friction(force.contact.clone()), excess / scale, options.force, at);
        }
    }
}

/// Running costs against their integrals along the flow; the largest difference.
pub(super) fn costs(
    solution: &Solution,
    phases: &[PhaseReplay],
    options: &AuditOptions,
    findings: &mut Vec<AuditFinding>,
) -> f64 {
    // Where the flow stopped there is nothing to compare.
    if phases.iter().any(|phase| phase.failure.is_some()) {
        return 0.0;
    }
    let all: Vec<(usize, f64)> =
        phases.iter().flat_map(|phase| &phase.intervals).flat_map(|interval| interval.costs.clone()).collect();
    let mut largest = 0.0;
    for (index, (name, value)) in solution.costs.iter().enumerate() {
        let own: Vec<f64> = all.iter().filter(|(cost, _)| *cost == index).map(|(_, value)| *value).collect();
        // Costs that are next to nothing beside the objective may be off by any part of themselves.
        let size = value.abs().max(NO_COST * solution.outcome.objective.abs());
        if own.is_empty() || size == 0.0 {
            continue;
        }
        let error = (own.iter().sum::<f64>() - value).abs() / size;
        largest = worse(largest, error);
        if exceeds(error, options.cost) {
            findings.push(AuditFinding::whole(AuditKind::Cost(name.clone()), error, options.cost));
        }
    }
    largest
}

/// What is wrong with transitions.
pub(super) fn transitions(transitions: &[TransitionReplay], options: &AuditOptions, findings: &mut Vec<AuditFinding>) {
    for transition in transitions {
        let mut judge = Judge { name: &transition.name, findings };
        match &transition.failure {
            Some(failure) => {
                let kind = AuditKind::NoJump(failure.to_string());
                judge.push(AuditFinding::at(kind, &transition.name, f64::NAN, f64::NAN));
            }
            None => {
                judge.hold(AuditKind::Jump, transition.jump.v, options.jump, None);
                judge.hold(AuditKind::NextStart, transition.next.state(), options.jump, None);
            }
        }
    }
}
