//! From the point of a program back to motions.
//!
//! Times, configurations, controls and impacts are read the same way whatever the transcription; how momenta, forces and
//! costs follow is told by its [`Reader`].

use crate::controls::ControlTrack;
use crate::dmoc::{prepare, transitions};
use crate::error::ControlError;
use crate::layout::{Layout, PhaseLayout};
use crate::phase::PreparedPhase;
use crate::problem::ControlProblem;
use crate::solution::{PhaseSolution, TransitionSolution};
use carom_expr::{Backend, Id};
use carom_model::{Dynamics, Legendre};
use carom_nlp::Outcome;

/// Everything that a point of a program says.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// One per phase.
    pub phases: Vec<PhaseSolution>,
    /// One per transition.
    pub transitions: Vec<TransitionSolution>,
    /// Every cost by name, with its weight.
    pub costs: Vec<(String, f64)>,
    /// Why the point is no motion although the program accepts it, if so.
    pub flaw: Option<String>,
}

/// A phase of a point.
pub(crate) struct PhasePoint<'a> {
    pub(crate) problem: &'a ControlProblem,
    pub(crate) number: usize,
    pub(crate) phase: &'a PreparedPhase<'a>,
    pub(crate) own: &'a PhaseLayout,
    pub(crate) outcome: &'a Outcome,
    /// Values of the freed parameters.
    pub(crate) freed: &'a [f64],
}

/// What differs from one transcription to the other.
pub(crate) trait Reader {
    /// Fills velocities, forces and work of a phase, and adds its costs; says if the point is no motion.
    fn measure(
        &self,
        point: &PhasePoint<'_>,
        found: &mut PhaseSolution,
        costs: &mut [(String, f64)],
    ) -> Result<Option<String>, ControlError>;
}

/// Reads phases, transitions and costs off a point.
pub(crate) fn extract(
    problem: &ControlProblem,
    reader: &dyn Reader,
    layout: &Layout,
    outcome: &Outcome,
) -> Result<Reading, ControlError> {
    let prepared = prepare(problem)?;
    let freed = pick(&outcome.point, &layout.freed);
    let costs: Vec<(String, f64)> = problem.costs.iter().map(|cost| (cost.name.clone(), 0.0)).collect();
    let mut reading = Reading { costs, ..Reading::default() };
    let mut begins = 0.0;
    for (number, phase) in prepared.iter().enumerate() {
        let point = PhasePoint { problem, number, phase, own: &layout.phases[number], outcome, freed: &freed };
        let mut found = point.frame(begins);
        let flaw = reader.measure(&point, &mut found, &mut reading.costs)?;
        reading.flaw = reading.flaw.or(flaw);
        begins += found.duration;
        reading.phases.push(found);
    }
    for (link, own) in transitions(problem).iter().zip(&layout.transitions) {
        let (from, value) = (&reading.phases[link.from], |variables: &[u32]| pick(&outcome.point, variables));
        let v_minus = from.v[from.v.len() - 1].clone();
        let v_plus = if own.v_plus.is_empty() { v_minus.clone() } else { value(&own.v_plus) };
        let (q, time) = (from.q[from.q.len() - 1].clone(), from.begins + from.duration);
        let mut legendre = Legendre::new(&numbers(&prepared[link.from], &freed), Backend::Interpreter)?;
        let energies = [&v_minus, &v_plus].map(|v| legendre.energy(&q, v, time));
        let impulses = own.impulse_names.iter().cloned().zip(value(&own.impulses)).collect();
        reading.transitions.push(TransitionSolution {
            name: link.name.clone(),
            phases: [link.from, link.to],
            time,
            q,
            v_minus,
            v_plus,
            impulses,
            energies,
        });
    }
    Ok(reading)
}

pub(crate) fn pick(x: &[f64], variables: &[u32]) -> Vec<f64> {
    variables.iter().map(|&variable| x[variable as usize]).collect()
}

/// The dynamics of a phase with numbers for its freed parameters; controls are zero where they do not matter.
pub(crate) fn numbers(phase: &PreparedPhase<'_>, freed: &[f64]) -> Dynamics {
    let mut dynamics = phase.dynamics.clone();
    let graph = &mut dynamics.graph;
    let mut places: Vec<(Id, Id)> = phase.freed.iter().map(|&(index, id)| (id, graph.constant(freed[index]))).collect();
    places.extend(phase.inputs.iter().map(|&input| (input, graph.constant(0.0))));
    let mut replace = |roots: &[Id]| graph.substitute(roots, &places);
    dynamics.lagrangian = replace(&[dynamics.lagrangian])[0];
    dynamics.forces = replace(&dynamics.forces);
    dynamics.constraints = replace(&dynamics.constraints);
    dynamics.velocity_constraints = replace(&dynamics.velocity_constraints);
    dynamics
}

impl PhasePoint<'_> {
    /// Values of variables.
    pub(crate) fn pick(&self, variables: &[u32]) -> Vec<f64> {
        pick(&self.outcome.point, variables)
    }

    /// Names, times, configurations and controls.
    fn frame(&self, begins: f64) -> PhaseSolution {
        let (phase, own) = (self.phase, self.own);
        let mut times = vec![begins];
        let duration = if own.times.is_empty() {
            let duration = own.duration.map_or(phase.phase.duration.guess(), |variable| self.pick(&[variable])[0]);
            for share in &own.mesh {
                times.push(times[times.len() - 1] + share * duration);
            }
            duration
        } else {
            times = self.pick(&own.times).into_iter().map(|time| begins + time).collect();
            times[times.len() - 1] - begins
        };
        let fractions = ControlTrack::fractions(phase.phase.shape, &own.sample_times);
        let controls = own.controls.iter().map(|inputs| inputs.iter().map(|unknowns| self.pick(unknowns)).collect());
        PhaseSolution {
            name: phase.phase.name.clone(),
            coordinates: phase.system().coordinate_names(),
            inputs: phase.system().inputs().iter().map(|input| input.name.clone()).collect(),
            constraints: phase.dynamics.constraint_names.clone(),
            begins,
            duration,
            times,
            q: own.q.iter().map(|q| self.pick(q)).collect(),
            controls: ControlTrack { fractions, values: controls.collect() },
            costates: own.balances.iter().map(|rows| pick(&self.outcome.multipliers.rows, rows)).collect(),
            ..PhaseSolution::default()
        }
    }
}
