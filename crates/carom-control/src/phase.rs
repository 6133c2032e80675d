//! A phase made ready for transcription: its expressions, names and bounds.

use crate::assembly::Inputs;
use crate::dmoc::transitions;
use crate::error::ControlError;
use crate::formula::Formulas;
use crate::null_space::NullSpace;
use crate::problem::{ClosedContact, ControlProblem, Duration, Phase, Transition};
use carom_discrete::Formulation;
use carom_expr::text::names_in;
use carom_expr::{Graph, Id};
use carom_model::{Closed, Dynamics, Hold, System};
use carom_nlp::Range;

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
        let bounds = self.phase.bounds.iter().filter(|(bounded, _)| bounded == name);
        bounds.fold(Range::FREE, |all, (_, range)| Range::new(all.lower.max(range.lower), all.upper.min(range.upper)))
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

/// The same constraint name twice would hide one of them.
fn name_forces(phase: &Phase, dynamics: &mut Dynamics) {
    let holonomic = phase.system.constraints().len();
    let mut held = holonomic + phase.closed.len();
    for closed in phase.closed.iter().filter(|closed| closed.sticks) {
        let contact = phase.system.contacts().iter().find(|contact| contact.name == closed.contact);
        for axis in 0..contact.map_or(0, |contact| contact.tangents.len()) {
            let suffix = if axis == 0 { String::new() } else { (axis + 1).to_string() };
            dynamics.constraint_names[held] = format!("{}_t{suffix}", closed.contact);
            held += 1;
        }
    }
}

/// The closed contacts of a phase.
fn closed(phase: &Phase) -> Result<Vec<Closed>, ControlError> {
    for closed in phase.closed.iter().filter(|closed| !closed.sticks) {
        let contact = phase.system.contacts().iter().find(|contact| contact.name == closed.contact);
        if contact.is_some_and(|contact| contact.parameter("friction").is_some()) {
            return Err(ControlError::Rubs { phase: phase.name.clone(), contact: closed.contact.clone() });
        }
    }
    let dynamics = phase.system.dynamics();
    let find = |contact: &crate::problem::ClosedContact| {
        let surface = dynamics.surfaces.iter().position(|surface| surface.name == contact.contact);
        let hold = if contact.sticks { Hold::Stick } else { Hold::Slide { friction: 0.0, direction: 0.0 } };
        surface
            .map(|surface| Closed { surface, hold })
            .ok_or_else(|| unknown(phase, "contact", &contact.contact, contact_names(phase)))
    };
    phase.closed.iter().map(find).collect()
}

pub(crate) fn contact_names(phase: &Phase) -> Vec<String> {
    phase.system.contacts().iter().map(|contact| contact.name.clone()).collect()
}

pub(crate) fn unknown(phase: &Phase, what: &'static str, name: &str, known: Vec<String>) -> ControlError {
    ControlError::Unknown { phase: phase.name.clone(), what, name: name.to_owned(), known: known.join(", ") }
}

/// Coordinates that constraints hold at a number: `x - c = 0`, or a held tangent `x` with a given start.
fn pins(phase: &Phase, dynamics: &Dynamics) -> (Vec<Option<f64>>, Vec<bool>) {
    let n = dynamics.dimension();
    let mut pinned = vec![None; n];
    let zeros = dynamics.constraints.len() - dynamics.kept_values;
    let mut graph = dynamics.graph.clone();
    let mut pin = |number: usize, &g: &Id| {
        let slopes = graph.gradient(g, &dynamics.q);
        let moves: Vec<usize> = (0..n).filter(|&k| !graph.is_zero(slopes[k])).collect();
        let [k] = moves[..] else { return false };
        let (Some(slope), origin) = (graph.value(slopes[k]), graph.constant(0.0)) else { return false };
        let rest = graph.substitute(&[g], &[(dynamics.q[k], origin)])[0];
        let value = if number < zeros {
            graph.value(rest).map(|rest| (0.0 - rest) / slope)
        } else {
            let name = &phase.system.coordinates()[k].name;
            phase
                .start
                .iter()
                .find(|start| &start.formula == name && start.range.is_fixed())
                .map(|start| start.range.lower)
        };
        // Two constraints on one coordinate are not a pin twice.
        match value {
            Some(value) if pinned[k].is_none() => {
                pinned[k] = Some(value);
                true
            }
            _ => false,
        }
    };
    let mut is_pin: Vec<bool> = dynamics.constraints.iter().enumerate().map(|(number, g)| pin(number, g)).collect();
    is_pin.extend(vec![false; dynamics.velocity_constraints.len()]);
    (pinned, is_pin)
}

/// Constraints that hold at the start since the transitions that lead here see to it: those that hold before as well, and
/// contacts that close without rebound. With a relabelling the names before are others: an impact is trusted then.
fn implied(problem: &ControlProblem, number: usize, dynamics: &Dynamics) -> Vec<bool> {
    let links = transitions(problem);
    let leading: Vec<_> = links.iter().filter(|link| link.to == number && link.from < problem.phases.len()).collect();
    let by = |link: &&Transition, name: &String| {
        let from = &problem.phases[link.from];
        let system = from.system.constraints().iter().chain(from.system.velocity_constraints());
        let closes = |guard: &String| {
            let contact = from.system.contacts().iter().find(|contact| &contact.name == guard);
            let stays = contact.is_some_and(|contact| matches!(contact.law.as_str(), "plastic" | "transition"));
            stays && (name == guard || name.starts_with(&format!("{guard}_t")))
        };
        let held =
            |closed: &ClosedContact| name == &closed.contact || name.starts_with(&format!("{}_t", closed.contact));
        let goes_on = system.map(|named| &named.name).any(|known| known == name) || from.closed.iter().any(held);
        if link.map.is_empty() { goes_on || link.guards.iter().any(closes) } else { goes_on || !link.guards.is_empty() }
    };
    let holds = |name: &String| !leading.is_empty() && leading.iter().all(|link| by(link, name));
    dynamics.constraint_names.iter().map(holds).collect()
}

/// A coordinate that a constraint holds must be allowed to be there.
fn check_pins(phase: &Phase, pinned: &[Option<f64>]) -> Result<(), ControlError> {
    for (coordinate, pin) in phase.system.coordinates().iter().zip(pinned) {
        let Some(value) = *pin else { continue };
        let rate = format!("{}'", coordinate.name);
        for (name, range) in &phase.bounds {
            let held = if name == &coordinate.name { value } else { 0.0 };
            if (name == &coordinate.name || name == &rate) && range.violation(held) > 0.0 {
                let (lower, upper) = (range.lower.max(held), range.upper.min(held));
                let name = format!("{name} (held at {held} by a constraint)");
                return Err(ControlError::Crossed { phase: phase.name.clone(), name, lower, upper });
            }
        }
    }
    Ok(())
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

fn check(phase: &Phase) -> Result<(), ControlError> {
    let name = || phase.name.clone();
    if phase.intervals == 0 || phase.intervals > MAX_INTERVALS {
        return Err(ControlError::Intervals { phase: name(), intervals: phase.intervals, limit: MAX_INTERVALS });
    }
    let shares = &phase.shares;
    let total: f64 = shares.iter().sum();
    let is_wrong = shares.len() != phase.intervals
        || shares.iter().any(|&share| share.is_nan() || share <= 0.0)
        || (total - 1.0).abs() > 1e-9;
    if !shares.is_empty() && is_wrong {
        return Err(ControlError::Mesh { phase: name(), found: shares.len(), intervals: phase.intervals });
    }
    let lowest = match phase.duration {
        Duration::Fixed(duration) => duration,
        Duration::Free { range, guess } => {
            crossed(phase, "the duration", range)?;
            guess.min(range.lower)
        }
    };
    if !(lowest > 0.0 && phase.duration.guess().is_finite()) {
        return Err(ControlError::Duration { phase: name(), value: lowest });
    }
    let mut known: Vec<String> = phase.system.coordinate_names();
    known.extend(phase.system.coordinate_names().iter().map(|name| format!("{name}'")));
    known.extend(phase.system.inputs().iter().map(|input| input.name.clone()));
    for (bounded, range) in &phase.bounds {
        if !known.contains(bounded) {
            return Err(unknown(phase, "coordinate, rate or input", bounded, known));
        }
        crossed(phase, bounded, *range)?;
    }
    let conditions = phase.start.iter().chain(&phase.end).chain(phase.path.iter().map(|path| &path.condition));
    conditions.into_iter().try_for_each(|condition| crossed(phase, &condition.name, condition.range))
}

fn crossed(phase: &Phase, name: &str, range: Range) -> Result<(), ControlError> {
    if range.lower <= range.upper {
        return Ok(());
    }
    let (lower, upper) = (range.lower, range.upper);
    Err(ControlError::Crossed { phase: phase.name.clone(), name: name.to_owned(), lower, upper })
}
