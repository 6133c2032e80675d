//! DMOC, discrete mechanics and optimal control (thesis 4.1): the discrete Lagrange-d'Alembert principle gives the
//! equality constraints.
//!
//! ```text
//! node 0      dL/dv(q_0, v_0) + D_1 Ld(q_0, q_1) + u_0^-             = G^T lambda_0      (4.1.1)
//! node k      D_2 Ld(q_(k-1), q_k) + u_(k-1)^+ + D_1 Ld(q_k, q_(k+1)) + u_k^- = G^T lambda_k     (3.1.10)
//! node K      D_2 Ld(q_(K-1), q_K) + u_(K-1)^+ - dL/dv(q_K, v_K)     = G^T lambda_K      (4.1.2)
//! ```
//!
//! Each interval is one placement of one kernel, which adds to the rows of its two nodes; momenta are never
//! unknowns. Any rule of `carom-discrete` will do; its internal nodes are unknowns of the interval, and
//! integrals of the cost are taken by the same quadrature. Velocities appear at the two ends of a phase only,
//! where boundary conditions and transitions need them.

mod boundary;
mod costs;
mod interval;
mod law;
mod node;
mod read;
mod transition;

pub(crate) use boundary::{boundary, ends};
pub(crate) use costs::Costs;
pub(crate) use interval::intervals;
pub(crate) use law::GapLaw;
pub(crate) use node::node_weights;
pub(crate) use node::{constraints, nodes};
pub(crate) use read::DiscreteReader;
pub(crate) use transition::transition;

use crate::assembly::{Assembly, Inputs};
use crate::error::ControlError;
use crate::extract::{Reading, extract};
use crate::layout::{Layout, PhaseLayout};
use crate::phase::PreparedPhase;
use crate::problem::{ControlProblem, Duration, Transition};
use crate::transcription::{Transcript, Transcription, transcriptions};
use carom_discrete::rules::{self, Rule, Table};
use carom_expr::{Backend, Graph};
use carom_nlp::{Outcome, Range, Stages};

/// Discrete mechanics and optimal control with a rule.
#[derive(Debug)]
pub struct Dmoc {
    rule: Box<dyn Rule>,
}

impl Dmoc {
    /// With the rule called `name`.
    pub fn new(name: &str) -> Result<Self, ControlError> {
        let known = || transcriptions().iter().map(|known| known.name()).collect::<Vec<_>>().join(", ");
        let unknown = || ControlError::Unknown {
            phase: "all".to_owned(),
            what: "transcription",
            name: name.to_owned(),
            known: known(),
        };
        let rule = rules::by_name(name).ok_or_else(unknown)?;
        if rule.reflects() {
            let why = "it is no discrete Lagrange-d'Alembert principle";
            return Err(ControlError::Rule { name: name.to_owned(), why });
        }
        Ok(Self { rule })
    }
}

impl Transcription for Dmoc {
    fn name(&self) -> String {
        self.rule.name()
    }

    fn summary(&self) -> String {
        format!("discrete mechanics with the {}", self.rule.summary())
    }

    fn order(&self) -> usize {
        self.rule.properties().order
    }

    fn table(&self) -> Table {
        self.rule.table()
    }

    fn transcribe(&self, problem: &ControlProblem, backend: Backend) -> Result<Transcript, ControlError> {
        transcript(problem, (self.name(), Some(&*self.rule)), backend, |place, costs, assembly, own| {
            node::nodes(place, assembly, own);
            interval::intervals(place, &*self.rule, costs, assembly, own)?;
            boundary(place, costs, assembly, own)
        })
    }

    fn read(&self, problem: &ControlProblem, layout: &Layout, outcome: &Outcome) -> Result<Reading, ControlError> {
        extract(problem, &DiscreteReader { table: self.rule.table() }, layout, outcome)
    }
}

/// The program of all phases, each transcribed by `phase`, joined by the transitions.
pub(crate) fn transcript(
    problem: &ControlProblem,
    (method, rule): (String, Option<&dyn Rule>),
    backend: Backend,
    phase: impl Fn(&Place<'_>, &Costs, &mut Assembly, &mut PhaseLayout) -> Result<(), ControlError>,
) -> Result<Transcript, ControlError> {
    let phases = prepare(problem)?;
    let mut assembly = Assembly::default();
    let mut layout = Layout { freed: freed(problem, &mut assembly)?, ..Layout::default() };
    let mut stage = 0;
    for (number, prepared) in phases.iter().enumerate() {
        let costs = Costs::read(problem, number, prepared)?;
        let (duration, mesh) = (duration(prepared, &mut assembly), prepared.phase.mesh());
        let mut own = PhaseLayout { duration, mesh, ..PhaseLayout::default() };
        phase(&Place { phase: prepared, stage, freed: &layout.freed }, &costs, &mut assembly, &mut own)?;
        stage += own.q.len() as u32;
        layout.phases.push(own);
    }
    join(problem, &phases, rule, &mut layout, &mut assembly)?;
    Ok(Transcript { program: assembly.finish(backend)?, layout, method })
}

/// Where a phase is being transcribed.
pub(crate) struct Place<'a> {
    pub(crate) phase: &'a PreparedPhase<'a>,
    /// Stage of its first node.
    pub(crate) stage: u32,
    pub(crate) freed: &'a [u32],
}

impl Place<'_> {
    /// Variables of the freed parameters that the phase knows.
    pub(crate) fn freed(&self) -> Vec<u32> {
        self.phase.freed.iter().map(|&(index, _)| self.freed[index]).collect()
    }
}

/// Transitions between the phases, and the total duration.
pub(crate) fn join(
    problem: &ControlProblem,
    phases: &[PreparedPhase<'_>],
    rule: Option<&dyn Rule>,
    layout: &mut Layout,
    assembly: &mut Assembly,
) -> Result<(), ControlError> {
    let mut before = 0;
    let mut last = |own: &PhaseLayout| {
        before += own.q.len() as u32;
        before - 1
    };
    let ends: Vec<u32> = layout.phases.iter().map(&mut last).collect();
    for link in transitions(problem) {
        check_transition(&link, problem)?;
        let own = transition(&link, phases, layout, ends[link.from], rule, assembly)?;
        layout.transitions.push(own);
    }
    total_duration(problem, layout, assembly)
}

/// All phases, checked.
pub(crate) fn prepare(problem: &ControlProblem) -> Result<Vec<PreparedPhase<'_>>, ControlError> {
    if problem.phases.is_empty() {
        return Err(ControlError::NoPhases);
    }
    if problem.costs.is_empty() {
        return Err(ControlError::NoCosts);
    }
    for cost in &problem.costs {
        let count = problem.phases.len();
        if let Some(&number) = cost.phases.iter().find(|&&number| number >= count) {
            return Err(ControlError::CostPhase { cost: cost.name.clone(), number, count });
        }
    }
    (0..problem.phases.len()).map(|number| PreparedPhase::new(problem, number)).collect()
}

/// Variables of the freed parameters.
pub(crate) fn freed(problem: &ControlProblem, assembly: &mut Assembly) -> Result<Vec<u32>, ControlError> {
    let mut all = Vec::new();
    for freed in &problem.freed {
        let mut parameters = problem.phases.iter().flat_map(|phase| phase.system.parameters());
        if !parameters.any(|parameter| parameter.name == freed.name) {
            let known: Vec<String> = problem.phases[0].system.parameters().iter().map(|p| p.name.clone()).collect();
            return Err(ControlError::UnknownParameter { name: freed.name.clone(), known: known.join(", ") });
        }
        if is_crossed(freed.range) {
            let (lower, upper) = (freed.range.lower, freed.range.upper);
            return Err(ControlError::Crossed { phase: "all".to_owned(), name: freed.name.clone(), lower, upper });
        }
        all.push(assembly.variable(freed.name.clone(), freed.range, Stages::BORDER));
    }
    Ok(all)
}

/// The variable of the duration, if it is free.
pub(crate) fn duration(phase: &PreparedPhase<'_>, assembly: &mut Assembly) -> Option<u32> {
    match phase.phase.duration {
        Duration::Fixed(_) => None,
        Duration::Free { range, .. } => {
            Some(assembly.variable(format!("{} / duration", phase.phase.name), range, Stages::BORDER))
        }
    }
}

/// A row for the sum of all durations, if it is bounded.
pub(crate) fn total_duration(
    problem: &ControlProblem,
    layout: &Layout,
    assembly: &mut Assembly,
) -> Result<(), ControlError> {
    let Some(range) = problem.total_duration else { return Ok(()) };
    let name = "the total duration".to_owned();
    if is_crossed(range) {
        return Err(ControlError::Crossed { phase: "all".to_owned(), name, lower: range.lower, upper: range.upper });
    }
    let given: f64 = problem
        .phases
        .iter()
        .map(|phase| match phase.duration {
            Duration::Fixed(duration) => duration,
            Duration::Free { .. } => 0.0,
        })
        .sum();
    let free: Vec<u32> = layout.phases.iter().filter_map(|own| own.duration).collect();
    let mut graph = Graph::new();
    let durations = graph.variables("[T]", free.len());
    let mut sum = graph.constant(given);
    for &duration in &durations {
        sum = graph.add(sum, duration);
    }
    let row = assembly.row(name, range, Stages::BORDER);
    let shape = assembly.kernel(graph, &Inputs { variables: durations, data: Vec::new() }, None, &[sum]);
    assembly.place(&shape, &free, &[], &[row]);
    Ok(())
}

/// True if nothing lies in a range, or if its ends are no numbers.
fn is_crossed(range: Range) -> bool {
    range.lower.is_nan() || range.upper.is_nan() || range.lower > range.upper
}

/// The transitions; without any, phases are joined smoothly in their order.
pub(crate) fn transitions(problem: &ControlProblem) -> Vec<Transition> {
    if !problem.transitions.is_empty() {
        return problem.transitions.clone();
    }
    (1..problem.phases.len()).map(|to| Transition::smooth(to - 1, to)).collect()
}

pub(crate) fn check_transition(link: &Transition, problem: &ControlProblem) -> Result<(), ControlError> {
    let count = problem.phases.len();
    match [link.from, link.to].into_iter().find(|&number| number >= count) {
        Some(number) => Err(ControlError::UnknownPhase { transition: link.name.clone(), number, count }),
        None => Ok(()),
    }
}
