//! Feedback around an optimal motion: the time-varying linear-quadratic regulator, with impacts on the way.
//!
//! Over an interval of the solution a small change `x` of the state and a constant change `u` of the controls go over into
//! `x+ = A_k x + B_k u`, which the tangent flow gives ([`carom_flow::Tangent`]). At the end of a phase the motion meets its
//! guard `psi` earlier or later, jumps, and the clock of the next phase begins at the impact:
//!
//! ```text
//! x+ = D x,    D = R' Dg (1 - f psi_x / (psi_x f)),
//! ```
//!
//! `f` the vector field before the impact, `Dg` the derivative of its jump ([`carom_impact::JumpTangent`]), `R'` that of the
//! relabelling. (A saltation matrix without the field after the impact, since the plan restarts with the impact.) The
//! regulator minimises `sum x^T Q x + u^T R u`; backwards in time
//!
//! ```text
//! K = (R + B^T S+ B)^-1 B^T S+ A,    S = Q + A^T S+ (A - B K),    S = D^T S+ D at a transition.
//! ```
//!
//! For periodic motions the recursion is repeated until `S` is periodic. The controls are then
//! `u_k + K_k (x_k - x)`, constant over an interval, with the planned state `x_k` at its beginning. Small changes of the
//! start of a step are multiplied by `D prod A_k` without, by `D prod (A_k - B_k K_k)` with feedback: the eigenvalues of
//! these are the multipliers of the motion. Changes that violate constraints do not count: everything stands in
//! orthonormal bases of the tangent spaces.

mod chain;
mod pursuit;
mod riccati;

use crate::dmoc::{prepare, transitions};
use crate::error::ControlError;
use crate::file::StoredSolution;
use crate::problem::ControlProblem;
use crate::replay::jump::Jumper;
use crate::replay::runner::Runner;
use crate::solution::{PhaseSolution, Solution};
use carom_expr::Backend;
use carom_flow::FlowOptions;
use carom_linalg::eigenvalues;
use chain::Chain;
pub use pursuit::{Pursuer, Pursuit, PursuitEnd, PursuitNode, PursuitOptions, PursuitStep, Push};

/// The motion that is to be kept to.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    /// Motion and controls of each phase.
    pub phases: &'a [PhaseSolution],
    /// Freed parameters by name.
    pub freed: &'a [(String, f64)],
}

impl<'a> From<&'a Solution> for Plan<'a> {
    fn from(solution: &'a Solution) -> Self {
        Self { phases: &solution.phases, freed: &solution.freed }
    }
}

impl<'a> From<&'a StoredSolution> for Plan<'a> {
    fn from(solution: &'a StoredSolution) -> Self {
        Self { phases: &solution.phases, freed: &solution.freed }
    }
}

/// Settings of a regulator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FeedbackOptions {
    /// Weight of the state, relative to the size of the motion.
    pub state_weight: f64,
    /// Weight of the controls, relative to the largest planned ones.
    pub input_weight: f64,
    /// Error per step of the flow.
    pub tolerance: f64,
    /// How functions are executed.
    pub backend: Backend,
}

impl Default for FeedbackOptions {
    fn default() -> Self {
        Self { state_weight: 1.0, input_weight: 1.0, tolerance: 1e-12, backend: Backend::fastest() }
    }
}

/// A regulator.
#[derive(Clone, Debug, Default)]
pub struct Feedback {
    /// One per phase.
    pub phases: Vec<PhaseFeedback>,
    /// True if the last transition leads back to the first phase.
    pub is_periodic: bool,
    /// Multipliers of the motion under the planned controls alone, largest first; for periodic motions.
    pub open: Vec<(f64, f64)>,
    /// Multipliers with feedback.
    pub closed: Vec<(f64, f64)>,
    /// How `(q, v)` at the beginning of a period moves `(q, v)` at the beginning of the next one, along the constraints: row by
    /// row, without and with feedback; for periodic motions.
    pub maps: [Vec<f64>; 2],
    /// Periods until the recursion was periodic.
    pub periods: usize,
    /// How far the planned motion is from one of the flow: largest defect of an interval, in parts of the motion.
    pub defect: f64,
}

/// The gains of a phase.
#[derive(Clone, Debug, Default)]
pub struct PhaseFeedback {
    /// Name of the phase.
    pub name: String,
    /// For each interval the matrix `K`, row by row: inputs by `(q, v)`.
    pub gains: Vec<Vec<f64>>,
}

impl Feedback {
    /// Size of the largest multiplier, without and with feedback.
    pub fn spectral_radii(&self) -> (f64, f64) {
        let largest = |all: &[(f64, f64)]| all.iter().map(|(re, im)| re.hypot(*im)).fold(0.0, f64::max);
        (largest(&self.open), largest(&self.closed))
    }
}

/// The regulator of a solution.
pub fn feedback<'a>(
    problem: &'a ControlProblem,
    plan: impl Into<Plan<'a>>,
    options: &FeedbackOptions,
) -> Result<Feedback, ControlError> {
    let chain = Chain::new(problem, plan.into(), options)?;
    let (gains, periods) = riccati::gains(&chain)?;
    let closed = gains.closed(&chain);
    let (mut open, mut regulated, mut maps) = (Vec::new(), Vec::new(), [Vec::new(), Vec::new()]);
    if chain.is_periodic {
        let periods = [chain.period(None), chain.period(Some(&closed))];
        (open, regulated) = (multipliers(&periods[0]), multipliers(&periods[1]));
        maps = periods.map(|period| chain.in_coordinates(&period).values);
    }
    Ok(Feedback {
        phases: gains.in_coordinates(&chain),
        is_periodic: chain.is_periodic,
        open,
        closed: regulated,
        maps,
        periods,
        defect: chain.defect,
    })
}

/// Eigenvalues, largest first.
fn multipliers(matrix: &riccati::Matrix) -> Vec<(f64, f64)> {
    let mut all = eigenvalues(&matrix.values, matrix.columns).unwrap_or_default();
    all.sort_by(|a, b| b.0.hypot(b.1).total_cmp(&a.0.hypot(a.1)));
    all
}

/// A transition: the phase that ends, the one that begins, and the jump between them.
pub(crate) type Jump = (usize, usize, Jumper);

/// Runners and jumpers of a solution.
pub(crate) fn crew<'a>(
    problem: &'a ControlProblem,
    plan: Plan<'a>,
    tolerance: f64,
    backend: Backend,
) -> Result<(Vec<Runner<'a>>, Vec<Jump>), ControlError> {
    let (prepared, links) = (prepare(problem)?, transitions(problem));
    let freed: Vec<f64> = plan.freed.iter().map(|freed| freed.1).collect();
    let flow = FlowOptions { tolerance, backend, ..FlowOptions::default() };
    if plan.phases.len() != prepared.len() {
        let why = format!("the plan has {} phases, the problem {}", plan.phases.len(), prepared.len());
        return Err(ControlError::Feedback { why });
    }
    let mut runners = Vec::new();
    for (number, phase) in prepared.iter().enumerate() {
        let leaving = links.iter().find(|link| link.from == number);
        let guards = leaving.map_or(Vec::new(), |link| link.guards.clone());
        runners.push(Runner::new((problem, number), phase, &freed, &plan.phases[number], flow, guards)?);
    }
    let mut jumpers = Vec::new();
    for link in &links {
        jumpers.push((link.from, link.to, Jumper::new(link, &prepared[link.from], &prepared[link.to], &freed)?));
    }
    Ok((runners, jumpers))
}
