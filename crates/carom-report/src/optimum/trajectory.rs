//! The motion of a solution as a trajectory, for everything that shows trajectories.

use crate::error::ReportError;
use carom_control::{ControlProblem, Jump, PhaseSolution, Transition, TransitionSolution};
use carom_expr::{Backend, Function, FunctionError, Group, Id};
use carom_model::{Balance, ContactImpulse, ContactMode, Impact, Legendre, ModeChange, System, Trajectory};

/// The motion through all phases, if all of them are about one system; `system` has the parameters that were found.
pub fn trajectory(
    problem: &ControlProblem,
    system: &System,
    phases: &[PhaseSolution],
    transitions: &[TransitionSolution],
    method: &str,
) -> Result<Option<Trajectory>, ReportError> {
    let names = system.coordinate_names();
    if phases.iter().any(|phase| phase.coordinates != names) {
        return Ok(None);
    }
    let failed = |source: FunctionError| ReportError::Drawing { place: "the motion".to_owned(), source };
    let mut builder = Builder::new(system, method).map_err(failed)?;
    for (number, phase) in phases.iter().enumerate() {
        let leaving = transitions.iter().find(|link| link.phases[0] == number);
        let entered = transitions.iter().any(|link| link.phases[1] == number && !link.impulses.is_empty());
        // A joint without impact is one node.
        let first = usize::from(number > 0 && !entered);
        let closed: Vec<&str> = problem
            .phases
            .get(number)
            .map_or(Vec::new(), |phase| phase.closed.iter().map(|closed| closed.contact.as_str()).collect());
        builder.modes(phase.begins, &closed, problem, number);
        for node in first..phase.times.len() {
            builder.node(phase, node);
        }
        if let Some(link) = leaving.filter(|link| !link.impulses.is_empty()) {
            let declared = problem.transitions.iter().find(|known| known.name == link.name);
            let next = phases.get(link.phases[1]).map(|phase| &phase.q[0]);
            builder.impact(link, declared, next);
        }
    }
    Ok(Some(builder.trajectory))
}

struct Builder<'a> {
    system: &'a System,
    trajectory: Trajectory,
    legendre: Legendre,
    gaps: Function,
    /// Contacts that are closed.
    closed: Vec<usize>,
}

impl<'a> Builder<'a> {
    fn new(system: &'a System, method: &str) -> Result<Self, FunctionError> {
        let dynamics = system.dynamics();
        let constraints = system.constraints().iter().chain(system.velocity_constraints());
        let constraints = constraints.map(|constraint| constraint.name.clone()).collect();
        let mut trajectory = Trajectory::new(system.coordinate_names(), constraints, method);
        trajectory.contacts = system.contacts().iter().map(|contact| contact.name.clone()).collect();
        let mut graph = system.graph().clone();
        let gaps: Vec<Id> = system.contacts().iter().map(|contact| contact.gap).collect();
        let gaps = system.specialise(&mut graph, &gaps);
        let inputs = [Group::new("q", system.q())];
        let gaps = Function::compile(&graph, &inputs, &[Group::new("gaps", &gaps)], Backend::Interpreter)?;
        Ok(Self {
            system,
            trajectory,
            legendre: Legendre::new(&dynamics, Backend::Interpreter)?,
            gaps,
            closed: Vec::new(),
        })
    }

    fn node(&mut self, phase: &PhaseSolution, node: usize) {
        let (q, v, t) = (&phase.q[node], &phase.v[node], phase.times[node]);
        let mut p = vec![0.0; q.len()];
        self.legendre.momentum(q, v, t, &mut p);
        let force = |name: &String| {
            let place = phase.constraints.iter().position(|known| known == name);
            place.and_then(|place| phase.forces.get(node)?.get(place).copied())
        };
        let out = &mut self.trajectory;
        out.t.push(t);
        out.q.extend(q);
        out.v.extend(v);
        out.p.extend(p);
        out.energy.push(self.legendre.energy(q, v, t));
        out.constraint_error.push(self.legendre.constraint_error(q, v));
        let multipliers: Vec<f64> = out.constraints.iter().map(|name| force(name).unwrap_or(f64::NAN)).collect();
        out.multipliers.extend(multipliers);
        let forces: Vec<f64> = out.contacts.iter().map(|name| force(name).unwrap_or(0.0)).collect();
        out.contact_forces.extend(forces);
        out.gaps.extend(self.gaps.evaluator().values(q));
    }

    /// Contacts that close or open where a phase begins.
    fn modes(&mut self, time: f64, closed: &[&str], problem: &ControlProblem, phase: usize) {
        let contacts = self.trajectory.contacts.clone();
        for (contact, name) in contacts.iter().enumerate() {
            let held = problem.phases.get(phase).and_then(|phase| {
                phase.closed.iter().find(|closed| closed.contact == *name).map(|closed| closed.sticks)
            });
            let (was, is) = (self.closed.contains(&contact), closed.contains(&name.as_str()));
            let mode = |sticks: bool| if sticks { ContactMode::Sticking } else { ContactMode::Sliding };
            let change = match (was, is) {
                (false, true) => Some((ContactMode::Free, mode(held.unwrap_or(false)), "plan")),
                (true, false) => Some((ContactMode::Sliding, ContactMode::Free, "plan")),
                _ => None,
            };
            if let Some((from, to, reason)) = change {
                self.trajectory.modes.push(ModeChange { t: time, contact, from, to, reason });
            }
            self.closed.retain(|&known| known != contact);
            self.closed.extend(is.then_some(contact));
        }
    }

    fn impact(&mut self, link: &TransitionSolution, declared: Option<&Transition>, next: Option<&Vec<f64>>) {
        let contacts = self.system.contacts();
        let guards = declared.map_or(&[][..], |declared| &declared.guards[..]);
        let impulse = |guard: &String| {
            let contact = contacts.iter().position(|contact| contact.name == *guard)?;
            let named = |name: &str| link.impulses.iter().find(|(known, _)| known == name).map(|(_, value)| *value);
            let tangential = (0..).map_while(|axis| named(&format!("tangential impulse {axis} of {guard}")));
            let tangential = tangential.collect();
            let normal = named(&format!("impulse of {guard}"))?;
            Some(ContactImpulse { contact, surface: 0, normal, tangential })
        };
        let momentum = |legendre: &mut Legendre, v: &[f64]| {
            let mut p = vec![0.0; v.len()];
            legendre.momentum(&link.q, v, link.time, &mut p);
            p
        };
        let mut laws: Vec<&str> = guards
            .iter()
            .filter_map(|guard| contacts.iter().find(|contact| contact.name == *guard))
            .map(|contact| contact.law.as_str())
            .collect();
        laws.dedup();
        let mapped = declared.is_some_and(|declared| !declared.map.is_empty());
        let [before, after] = link.energies;
        let is_variational = declared.is_some_and(|declared| declared.jump == Jump::Variational);
        let kind = if is_variational { "variational" } else { "pointwise" };
        self.trajectory.impacts.push(Impact {
            t: link.time,
            bracket: (link.time, link.time),
            impulses: guards.iter().filter_map(impulse).collect(),
            law: laws.join(", "),
            q: link.q.clone(),
            q_plus: next.filter(|_| mapped).unwrap_or(&link.q).clone(),
            v_minus: link.v_minus.clone(),
            v_plus: link.v_plus.clone(),
            p_minus: momentum(&mut self.legendre, &link.v_minus),
            p_plus: momentum(&mut self.legendre, &link.v_plus),
            energy_minus: before,
            energy_change: after - before,
            balance: Balance { kind, energies: (before, after), loss: before - after, ..Balance::default() },
            iterations: 0,
        });
    }
}
