//! Audit of a solution: what must hold before an optimum is called one.
//!
//! | question | number |
//! |---|---|
//! | do the optimality conditions hold? | largest residual, relative to multipliers, point and objective |
//! | is the mesh fine enough? | largest defect of an interval: `flow(x_k) - x_(k+1)` |
//! | does the plan come true without the transcription? | mismatch of state and energy at the ends of phases, of guards, of jumps |
//! | is work what the costs say it is? | `sum_k abs(w_k - integral of P dt)`, `P = u (dF/du) v` along the flow |
//! | are running costs what the program says? | their integrals along the flow |
//! | does work hide between the nodes? | `1 - sum_j abs(w_j) / integral of abs(P) dt` over samples `j`, where the costs see `abs(w_j)` or its positive part |
//! | does the energy balance? | `E_K - E_0 - sum_k w_k - ` work of all other forces |
//! | do conditions along the way hold between nodes too? | largest excess of each formula along the flow |
//! | are contacts possible? | depth of open ones; least normal force and largest `abs(T) - mu N` of closed ones |
//!
//! An optimiser happily hides work between the samples: it brakes and accelerates there, and what the costs see is less
//! than what is done. Every number has a limit ([`AuditOptions`]); every number above its limit is a finding.

mod finding;
mod judge;

pub use finding::{AuditFinding, AuditKind};

use crate::error::ControlError;
use crate::problem::ControlProblem;
use crate::replay::{Mismatch, Replay, ReplayOptions, replay};
use crate::solution::Solution;
use carom_linalg::max_abs;
use carom_nlp::Status;

/// Limits of an audit, in parts of the size of the motion ([`crate::MotionSize`]) unless said otherwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AuditOptions {
    /// Residual of the optimality conditions: of stationarity in parts of the largest multiplier, of feasibility of
    /// the largest unknown, of complementarity of the objective, each at least one.
    pub optimality: f64,
    /// Defect of an interval.
    pub mesh: f64,
    /// Growth of defects along a phase beyond which its motion counts as unstable: its end, replayed without feedback, is
    /// not judged then; the defects of its intervals are.
    pub amplification: f64,
    /// State at the end of a phase that is replayed from its own first node.
    pub end_state: f64,
    /// State at the end of a phase that is replayed from the first node of all.
    pub chained_state: f64,
    /// Energy at these ends.
    pub end_energy: f64,
    /// Time between meeting a guard and the planned end of a phase, in parts of its duration.
    pub guard_time: f64,
    /// Velocity after an impact against that of the law, and the start of the next phase against the transition.
    pub jump: f64,
    /// Work of inputs against that along the flow, and the balance of the energy, in parts of the energy.
    pub work: f64,
    /// Running costs against their integrals along the flow, in parts of the cost.
    pub cost: f64,
    /// Share of the absolute work that is hidden within intervals, if a cost looks at absolute or positive work.
    pub hidden_work: f64,
    /// Depth of a contact that should be open.
    pub depth: f64,
    /// Pull of a closed contact, and what its friction lacks, in parts of the largest normal force of the phase.
    pub force: f64,
    /// Excess of a condition along the way, in parts of the largest size of its formula.
    pub path: f64,
    /// How the solution is replayed.
    pub replay: ReplayOptions,
}

impl Default for AuditOptions {
    fn default() -> Self {
        Self {
            // Solvers that relax bounds by 1e-8 and clip the point afterwards leave that over h in balances of momentum.
            optimality: 1e-4,
            // A hundred intervals of a rule of order two on a swing of a pole: 2e-4.
            mesh: 1e-3,
            // The same swing ends six percent off: it is unstable.
            end_state: 0.1,
            amplification: 1e4,
            chained_state: 0.2,
            end_energy: 0.01,
            guard_time: 0.01,
            jump: 0.01,
            work: 0.01,
            cost: 0.01,
            // An interval in which a speed changes its sign hides a little.
            hidden_work: 0.05,
            depth: 1e-3,
            force: 0.01,
            path: 0.02,
            replay: ReplayOptions::default(),
        }
    }
}

/// An audited solution.
#[derive(Clone, Debug)]
pub struct Audit {
    /// Why the solver stopped.
    pub status: Status,
    /// Largest relative residual of the optimality conditions.
    pub optimality: f64,
    /// Largest defect of an interval.
    pub mesh: f64,
    /// Largest mismatch at the end of a phase, from its own first node.
    pub end: Mismatch,
    /// Largest mismatch at the end of a phase, from the first node of all.
    pub chained: Mismatch,
    /// Largest difference between a running cost and its integral along the flow, in parts of the cost.
    pub cost: f64,
    /// One per phase.
    pub phases: Vec<PhaseAudit>,
    /// Every number above its limit.
    pub findings: Vec<AuditFinding>,
    /// True if the solver converged and there is no finding.
    pub passed: bool,
    /// Everything that was measured.
    pub replay: Replay,
}

/// The numbers of a phase.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PhaseAudit {
    /// Name of the phase.
    pub name: String,
    /// Largest defect of an interval.
    pub mesh: f64,
    /// The interval it belongs to.
    pub mesh_interval: usize,
    /// At the end, from its own first node.
    pub end: Mismatch,
    /// At the end, from the first node of all.
    pub chained: Mismatch,
    /// Work of all inputs as the costs see it.
    pub work: f64,
    /// Work of all inputs along the flow.
    pub flow_work: f64,
    /// Integral of the absolute powers of all inputs along the flow.
    pub absolute_work: f64,
    /// What the costs do not see of that: one minus the sum of `abs(w_j)` of all samples over it.
    pub hidden_work: f64,
    /// Work of everything else along the flow: damping, forces that depend on time.
    pub other_work: f64,
    /// Change of the energy of the solution.
    pub energy_change: f64,
    /// Sum of the differences of work, interval by interval, in parts of the energy.
    pub work_error: f64,
    /// What the balance of the energy lacks, in parts of the energy.
    pub balance_error: f64,
    /// How much larger the mismatch at the end is than the largest defect.
    pub amplification: f64,
    /// True if defects grow so much that the end of the replay is not judged.
    pub is_unstable: bool,
}

impl Audit {
    /// One line: passed, or what is wrong first and how much else.
    pub fn verdict(&self) -> String {
        let Some(first) = self.findings.first() else { return "audited: passed".to_owned() };
        match self.findings.len() {
            1 => format!("NOT PASSED: {first}"),
            count => format!("NOT PASSED: {first}; and {} more", count - 1),
        }
    }
}

/// Replays a solution and holds it against the limits of `options`.
pub fn audit(problem: &ControlProblem, solution: &Solution, options: &AuditOptions) -> Result<Audit, ControlError> {
    let replay = replay(problem, solution, &options.replay)?;
    let mut findings = Vec::new();
    let optimality = optimality(solution);
    let is_success = solution.outcome.status.is_success();
    if !is_success {
        findings.push(AuditFinding::whole(AuditKind::Status(solution.outcome.status.clone()), f64::NAN, f64::NAN));
    }
    if exceeds(optimality, options.optimality) {
        findings.push(AuditFinding::whole(AuditKind::Optimality, optimality, options.optimality));
    }
    let mut phases = Vec::new();
    for number in 0..replay.phases.len() {
        phases.push(judge::phase(problem, solution, number, &replay.phases[number], options, &mut findings));
    }
    let cost = judge::costs(solution, &replay.phases, options, &mut findings);
    judge::transitions(&replay.transitions, options, &mut findings);
    let worst = |of: fn(&PhaseAudit) -> Mismatch| {
        let each = phases.iter().map(of);
        each.fold(Mismatch::default(), |a, b| Mismatch {
            q: worse(a.q, b.q),
            v: worse(a.v, b.v),
            energy: worse(a.energy, b.energy),
        })
    };
    Ok(Audit {
        status: solution.outcome.status.clone(),
        optimality,
        mesh: phases.iter().map(|phase| phase.mesh).fold(0.0, worse),
        end: worst(|phase| phase.end),
        chained: worst(|phase| phase.chained),
        cost,
        passed: findings.is_empty(),
        phases,
        findings,
        replay,
    })
}

/// Residuals of the optimality conditions, each relative to what it is made of.
fn optimality(solution: &Solution) -> f64 {
    let outcome = &solution.outcome;
    let (residuals, multipliers) = (&outcome.residuals, &outcome.multipliers);
    let forces = [&multipliers.rows, &multipliers.lower, &multipliers.upper].map(|list| max_abs(list));
    let largest = forces.into_iter().fold(1.0, f64::max);
    let parts = [
        residuals.stationarity / largest,
        residuals.feasibility / max_abs(&outcome.point).max(1.0),
        residuals.complementarity / outcome.objective.abs().max(1.0),
    ];
    parts.into_iter().fold(0.0, worse)
}

/// True if a number is above its limit, or no number.
fn exceeds(value: f64, limit: f64) -> bool {
    value.is_nan() || value > limit
}

/// The larger one; what is not a number is the worst of all.
fn worse(a: f64, b: f64) -> f64 {
    if b.is_nan() || b > a { b } else { a }
}
