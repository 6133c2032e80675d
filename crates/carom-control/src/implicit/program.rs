//! The relaxed program: discrete mechanics with times of the nodes as unknowns, and impulses at all of them.

use super::contacts::{Contacts, chosen};
use crate::assembly::{Assembly, Inputs};
use crate::dmoc::{Costs, Place, boundary, freed, intervals, nodes, prepare, total_duration};
use crate::error::ControlError;
use crate::layout::{Layout, PhaseLayout};
use crate::phase::PreparedPhase;
use crate::problem::{ControlProblem, Duration};
use crate::transcription::Transcript;
use carom_discrete::rules::Rule;
use carom_expr::{Backend, Graph};
use carom_nlp::Range;

/// A program that can be relaxed by any amount.
pub(super) struct Relaxed {
    pub(super) transcript: Transcript,
    pub(super) contacts: Contacts,
}

impl Relaxed {
    /// The program of the only phase of `problem`, with the contacts `names`, or all of them.
    pub(super) fn new(
        problem: &ControlProblem,
        names: &[String],
        rule: &dyn Rule,
        stretch: f64,
        backend: Backend,
    ) -> Result<Self, ControlError> {
        let phases = prepare(problem)?;
        let phase = &phases[0];
        check(problem, phase)?;
        let mut assembly = Assembly::default();
        let mut layout = Layout { freed: freed(problem, &mut assembly)?, ..Layout::default() };
        let costs = Costs::read(problem, 0, phase)?;
        let mut own = PhaseLayout { mesh: phase.phase.mesh(), ..PhaseLayout::default() };
        let place = Place { phase, stage: 0, freed: &layout.freed };
        times(&place, stretch, &mut assembly, &mut own);
        nodes(&place, &mut assembly, &mut own);
        intervals(&place, rule, &costs, &mut assembly, &mut own)?;
        boundary(&place, &costs, &mut assembly, &own)?;
        let mut contacts = Contacts::default();
        for contact in chosen(phase, names)? {
            contacts.add(&place, contact, &mut assembly, &own);
        }
        layout.phases.push(own);
        total_duration(problem, &layout, &mut assembly)?;
        let program = assembly.finish(backend)?;
        Ok(Self { transcript: Transcript { program, layout, method: rule.name() }, contacts })
    }

    /// Asks complementarity to hold up to `relaxation`.
    pub(super) fn relax(&mut self, relaxation: f64) {
        let program = &mut self.transcript.program;
        for &row in &self.contacts.products {
            program.set_row_range(row as usize, Range::at_most(relaxation));
        }
        for &row in &self.contacts.restitutions {
            program.set_row_range(row as usize, Range::new(-relaxation, relaxation));
        }
    }
}

/// What the search does not know how to do.
fn check(problem: &ControlProblem, phase: &PreparedPhase<'_>) -> Result<(), ControlError> {
    let refuse = |why: &'static str| Err(ControlError::Discovery { why });
    if problem.phases.len() > 1 || !problem.transitions.is_empty() {
        return refuse("the problem has several phases or transitions; give one phase, the search finds the others");
    }
    if phase.dynamics.constraint_count() > 0 {
        return refuse(
            "the phase has constraints or closed contacts; leave contacts open, and use minimal coordinates",
        );
    }
    if phase.system().contacts().is_empty() {
        return refuse("the system has no contacts");
    }
    Ok(())
}

/// Times `t_k` of the nodes since the beginning; the last one is the duration.
fn times(place: &Place<'_>, stretch: f64, assembly: &mut Assembly, own: &mut PhaseLayout) {
    let phase = place.phase.phase;
    let last = own.mesh.len();
    let whole = match phase.duration {
        Duration::Fixed(duration) => Range::fixed(duration),
        Duration::Free { range, .. } => range,
    };
    for k in 0..=last {
        let range = match k {
            0 => Range::fixed(0.0),
            k if k == last => whole,
            _ => Range::new(0.0, whole.upper),
        };
        own.times.push(assembly.variable(format!("{} / node {k} / time", phase.name), range, place.stage + k as u32));
    }
    own.duration = matches!(phase.duration, Duration::Free { .. }).then(|| own.times[last]);
    let mut graph = Graph::new();
    let [left, right] = ["[left]", "[right]"].map(|name| graph.variable(name));
    let step = graph.sub(right, left);
    let inputs = Inputs { variables: vec![left, right], data: Vec::new() };
    let shape = assembly.kernel(graph, &inputs, None, &[step]);
    for (k, share) in own.mesh.iter().enumerate() {
        let range = Range::new(whole.lower * share / stretch, whole.upper * share * stretch);
        let row = assembly.row(format!("{} / interval {k} / duration", phase.name), range, place.stage + k as u32);
        assembly.place(&shape, &own.times[k..k + 2], &[], &[row]);
    }
}
