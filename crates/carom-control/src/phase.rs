//! A phase made ready for transcription: its expressions, names and bounds.

mod checks;
mod constraints;

use crate::assembly::Inputs;
use crate::error::ControlError;
use crate::formula::Formulas;
use crate::null_space::NullSpace;
use crate::problem::{ControlProblem, Duration, Phase};
use carom_discrete::Formulation;
use carom_expr::text::names_in;
use carom_expr::{Graph, Id};
use carom_model::{Dynamics, System};
use carom_nlp::Range;
use checks::{check, check_pins};
use constraints::{closed, implied, name_forces, pins};

/// Variables that tell the time: share of the duration, time at the beginning, duration.
const CLOCK: [&str; 3] = ["[share of T]", "[begins]", "[T]"];

/// Most intervals of a phase.
pub(crate) const MAX_INTERVALS: usize = 1_000_000;

/// A phase with its expressions.
pub(crate) struct PreparedPhase<'a> {
    pub(crate) phase: &'a Phase,
    /// The system with its closed contacts as constraints; inputs and freed parameters are variables.
    pub(crate) dynamics: Dynamics,
    /// Variables of the inputs.
    pub(crate) inputs: Vec<Id>,
    /// Freed parameters that the system has: their place among the freed ones, and their variable.
    pub(crate) freed: Vec<(usize, Id)>,
    /// Names of freed parameters.
    pub(crate) freed_names: Vec<String>,
    /// Names of constraint forces in formulas, with the variables that stand for them.
    pub(crate) forces: Vec<(String, Id)>,
    /// For each coordinate the value that a constraint pins it to, if one does.
    pub(crate) pinned: Vec<Option<f64>>,
    /// For each constraint whether it is such a pin.
    pub(crate) is_pin: Vec<bool>,
    /// How constraint forces are treated.
    pub(crate) formulation: Formulation,
    /// Directions along the constraints, where there are no multipliers.
    pub(crate) null_space: NullSpace,
    /// Time at the beginning, if explicit time has a meaning.
    pub(crate) begins: f64,
    /// False after phases of free duration: then formulas cannot use time.
    is_time_known: bool,
    /// For each constraint whether the transitions that lead here put the first state on it.
    pub(crate) is_implied: Vec<bool>,
}

impl<'a> PreparedPhase<'a> {
    pub(crate) fn new(problem: &'a ControlProblem, number: usize) -> Result<Self, ControlError> {
        let phase = &problem.phases[number];
        check(phase)?;
        let system = &*phase.system;
        let names: Vec<String> = problem.freed.iter().map(|freed| freed.name.clone()).collect();
        let keep = |name: &str| {
            names.iter().any(|freed| freed == name) || system.inputs().iter().any(|input| input.name == name)
        };
        let mut dynamics = Dynamics::keeping(system, &keep).with_closed(&closed(phase)?);
        name_forces(phase, &mut dynamics);
        let inputs = system.inputs().iter().map(|input| dynamics.graph.variable(&input.name)).collect();
        let mut freed = Vec::new();
        for (index, name) in names.iter().enumerate() {
            if system.parameters().iter().any(|parameter| &parameter.name == name) {
                freed.push((index, dynamics.graph.variable(name)));
            }
        }
        let forces = dynamics.constraint_names.clone();
        let forces =
            forces.iter().map(|name| (format!("force_{name}"), dynamics.graph.variable(&format!("[force {name}]"))));
        let forces: Vec<(String, Id)> = forces.collect();
        let (pinned, is_pin) = pins(phase, &dynamics);
        check_pins(phase, &pinned)?;
        let all_pins = is_pin.iter().all(|&pin| pin) && dynamics.velocity_constraints.is_empty();
        let formulation = phase.formulation.unwrap_or(if all_pins && !asks_for_forces(phase, &forces) {
            Formulation::NullSpace
        } else {
            Formulation::Multipliers
        });
        let begins = begins(problem, number, &dynamics)?;
        // Without transitions, phases follow each other.
        let is_implied = implied(problem, number, &dynamics);
        let mut own = Self {
            null_space: NullSpace::of_pins(&pinned),
            phase,
            dynamics,
            inputs,
            freed,
            freed_names: names,
            forces,
            pinned,
            is_pin,
            formulation,
            begins,
            is_time_known: problem.phases[..number].iter().all(|phase| matches!(phase.duration, Duration::Fixed(_))),
            is_implied,
        };
        if formulation == Formulation::NullSpace {
            own.null_space = NullSpace::choose(problem, number, &own)?;
        }
        Ok(own)
    }

    pub(crate) fn system(&self) -> &System {
        &self.phase.system
    }

    /// Reads formulas of this phase; forces may be used where `with_forces` says so.
    pub(crate) fn formulas(&self, with_forces: bool) -> Formulas<'_> {
        let forces: &[(String, Id)] = if with_forces { &self.forces } else { &[] };
        Formulas::new(self.system(), forces, &self.freed_names, (&self.phase.name, self.is_time_known))
    }

    /// Bounds of a coordinate, rate or input.
    pub(crate) fn range(&self, name: &str) -> Range {
        self.phase.range(name)
    }

    /// Bounds of a coordinate, pins included.
    pub(crate) fn coordinate_range(&self, index: usize) -> Range {
        match self.pinned[index] {
            Some(value) => Range::fixed(value),
            None => self.range(&self.system().coordinates()[index].name),
        }
    }

    /// Bounds of a rate, pins included.
    pub(crate) fn rate_range(&self, index: usize) -> Range {
        match self.pinned[index] {
            Some(_) => Range::fixed(0.0),
            None => self.range(&format!("{}'", self.system().coordinates()[index].name)),
        }
    }

    /// Numbers of the constraints that multipliers belong to: in the null space there are none.
    pub(crate) fn multipliers(&self) -> usize {
        if self.formulation == Formulation::NullSpace { 0 } else { self.dynamics.constraint_count() }
    }

    /// Momentum balances at the configuration `q` of a node: all of them, or those along the constraints.
    pub(crate) fn balances(&self, graph: &mut Graph, momenta: &[Id], q: &[Id]) -> Vec<Id> {
        match self.formulation {
            Formulation::NullSpace => self.null_space.project(graph, self, momenta, q),
            _ => momenta.to_vec(),
        }
    }

    /// Time as `begins + share T`, in expressions of the state: the duration may be free.
    pub(crate) fn timed(&self, graph: &mut Graph, roots: &[Id]) -> Vec<Id> {
        let [share, begins, duration] = CLOCK.map(|name| graph.variable(name));
        let elapsed = graph.mul(share, duration);
        let time = graph.add(begins, elapsed);
        graph.substitute(roots, &[(self.dynamics.time, time)])
    }

    /// Adds what [`Self::timed`] reads to the inputs of a kernel.
    pub(crate) fn clock(&self, graph: &mut Graph, inputs: &mut Inputs) {
        let [share, begins, duration] = CLOCK.map(|name| graph.variable(name));
        inputs.data.extend([share, begins]);
        let is_free = matches!(self.phase.duration, Duration::Free { .. });
        if is_free { inputs.variables.push(duration) } else { inputs.data.push(duration) }
    }

    /// The numbers for that, at a share of the duration.
    pub(crate) fn reading(&self, share: f64) -> Vec<f64> {
        match self.phase.duration {
            Duration::Fixed(duration) => vec![share, self.begins, duration],
            Duration::Free { .. } => vec![share, self.begins],
        }
    }

    /// Names of those balances.
    pub(crate) fn balance_names(&self) -> Vec<String> {
        let names = self.system().coordinate_names();
        match self.formulation {
            Formulation::NullSpace => self.null_space.names(&names),
            _ => names.iter().map(|name| format!("momentum of {name}")).collect(),
        }
    }
}

/// True if a condition along the way speaks of a constraint force: multipliers are needed then.
fn asks_for_forces(phase: &Phase, forces: &[(String, Id)]) -> bool {
    let names = phase.path.iter().flat_map(|path| names_in(&path.condition.formula));
    names.into_iter().any(|name| forces.iter().any(|(force, _)| *force == name))
}

pub(crate) fn contact_names(phase: &Phase) -> Vec<String> {
    phase.system.contacts().iter().map(|contact| contact.name.clone()).collect()
}

pub(crate) fn unknown(phase: &Phase, what: &'static str, name: &str, known: Vec<String>) -> ControlError {
    ControlError::Unknown { phase: phase.name.clone(), what, name: name.to_owned(), known: known.join(", ") }
}

/// Time at the beginning of a phase.
fn begins(problem: &ControlProblem, number: usize, dynamics: &Dynamics) -> Result<f64, ControlError> {
    let mut time = 0.0;
    for earlier in &problem.phases[..number] {
        match earlier.duration {
            Duration::Fixed(duration) => time += duration,
            Duration::Free { .. } if dynamics.is_time_dependent() => {
                return Err(ControlError::TimeAfterFree { phase: problem.phases[number].name.clone() });
            }
            Duration::Free { guess, .. } => time += guess,
        }
    }
    Ok(time)
}
