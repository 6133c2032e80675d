//! A trajectory under suspicion: the checks after a simulation with contacts (Pekarek 2010, 3.5.1).
//!
//! | finding | at a node |
//! |---|---|
//! | missed contact | a gap is negative |
//! | pulling | the normal force of a closed contact is negative |
//! | outside the cone | a sticking contact needs `|T| > mu N` |
//! | Painleve | sliding with friction, `G M^-1 (G - mu sigma S)^T <= 0`: no or several motions |
//!
//! Nothing is taken from the simulation but nodes and modes: forces are computed anew from the state.

use crate::contact_law::ContactLaw;
use crate::geometry::Geometry;
use crate::space::ContactSpace;
use carom_expr::{Backend, FunctionError};
use carom_linalg::{dot, max_abs, rank};
use carom_model::{
    Acceleration, Closed, ContactMode, Dynamics, Finding, FindingKind, Hold, Legendre, Node, System, Trajectory,
};
use std::sync::Arc;

/// Gaps above minus this part of the configuration (at least 1) are rounding.
const DEPTH: f64 = 1e-8;
/// Forces below this part of all forces are rounding.
const FORCE: f64 = 1e-6;

/// What should be looked at in a trajectory of `system`: one finding per contact, kind and stretch of time.
pub fn diagnose(system: &System, trajectory: &Trajectory) -> Result<Vec<Finding>, FunctionError> {
    let mut found = Vec::new();
    if system.contacts().is_empty() || trajectory.is_empty() {
        return Ok(found);
    }
    let mut inspector = Inspector::new(system)?;
    let mut modes: Vec<ContactMode> = initial(system, trajectory);
    let (mut next, mut open) = (0, Vec::new());
    for k in 0..trajectory.len() {
        let node = trajectory.node(k);
        while trajectory.modes.get(next).is_some_and(|change| change.t <= node.t) {
            modes[trajectory.modes[next].contact] = trajectory.modes[next].to;
            next += 1;
        }
        let now = inspector.inspect(&node, &modes);
        extend(&mut found, &mut open, now);
    }
    Ok(found)
}

/// Modes before the first change of each contact.
fn initial(system: &System, trajectory: &Trajectory) -> Vec<ContactMode> {
    let first = |contact: usize| trajectory.modes.iter().find(|change| change.contact == contact);
    let of = |(index, contact): (usize, &carom_model::Contact)| match (first(index), contact.is_closed) {
        (Some(change), _) => change.from,
        (None, true) if contact.tangents.is_empty() => ContactMode::Sliding,
        (None, true) => ContactMode::Sticking,
        (None, false) => ContactMode::Free,
    };
    system.contacts().iter().enumerate().map(of).collect()
}

/// Joins findings that go on from node to node; `open` holds the places of those of the last node.
fn extend(found: &mut Vec<Finding>, open: &mut Vec<usize>, now: Vec<Finding>) {
    let mut still = Vec::new();
    for finding in now {
        let same = |&&place: &&usize| found[place].contact == finding.contact && found[place].kind == finding.kind;
        match open.iter().find(same).copied() {
            Some(place) => {
                if finding.value.abs() > found[place].value.abs() {
                    (found[place].value, found[place].message) = (finding.value, finding.message);
                }
                still.push(place);
            }
            None => {
                still.push(found.len());
                found.push(finding);
            }
        }
    }
    *open = still;
}

/// Looks at one node after the other.
struct Inspector {
    names: Vec<String>,
    dynamics: Arc<Dynamics>,
    geometry: Geometry,
    legendre: Legendre,
    laws: Vec<ContactLaw>,
    accelerations: Vec<(Vec<Closed>, Acceleration)>,
}

impl Inspector {
    fn new(system: &System) -> Result<Self, FunctionError> {
        let dynamics = system.dynamics();
        let backend = Backend::Interpreter;
        Ok(Self {
            names: system.contacts().iter().map(|contact| contact.name.clone()).collect(),
            geometry: Geometry::new(&dynamics, backend)?,
            legendre: Legendre::new(&dynamics, backend)?,
            laws: ContactLaw::all(system, &dynamics, backend)?,
            accelerations: Vec::new(),
            dynamics,
        })
    }

    fn inspect(&mut self, node: &Node<'_>, modes: &[ContactMode]) -> Vec<Finding> {
        self.geometry.at(node.q, node.v, node.t);
        let mut all = Vec::new();
        let mut closed = Vec::new();
        for surface in 0..self.geometry.len() {
            let contact = self.dynamics.surfaces[surface].contact;
            let gap = self.geometry.gap(surface);
            let scale = max_abs(node.q).max(1.0);
            if gap < -DEPTH * scale && self.geometry.is_active(surface) {
                let message = format!("the bodies overlap by {:.3e}; take a smaller step", -gap);
                all.push(self.finding(node, contact, FindingKind::MissedContact, gap, message));
            }
            // Of a gap with kinks the piece that touches is closed.
            if modes[contact] != ContactMode::Free && gap.abs() <= 1e-6 * scale {
                closed.push(self.closed(surface, modes[contact], node));
            }
        }
        self.independent(&mut closed, node);
        all.extend(self.forces(node, &closed).unwrap_or_default());
        all
    }

    fn closed(&self, surface: usize, mode: ContactMode, node: &Node<'_>) -> Closed {
        let law = &self.laws[self.dynamics.surfaces[surface].contact];
        let slip = || dot(self.geometry.tangent(surface, 0), node.v).signum();
        let hold = match (mode, law.friction) {
            (ContactMode::Sticking, _) => Hold::Stick,
            (_, Some(friction)) if self.geometry.tangent_count(surface) > 0 => {
                Hold::Slide { friction, direction: slip() }
            }
            _ => Hold::Slide { friction: 0.0, direction: 0.0 },
        };
        Closed { surface, hold }
    }

    /// Leaves out contacts whose forces the others do not determine.
    fn independent(&mut self, closed: &mut Vec<Closed>, node: &Node<'_>) {
        let n = node.q.len();
        let mut rows = self.legendre.constraints(node.q).1.to_vec();
        closed.retain(|contact| {
            let mut more = rows.clone();
            more.extend(self.geometry.gradient(contact.surface));
            if contact.hold == Hold::Stick {
                let count = self.geometry.tangent_count(contact.surface);
                (0..count).for_each(|k| more.extend(self.geometry.tangent(contact.surface, k)));
            }
            let is_new = rank(&more, n, 1e-9) == more.len() / n;
            if is_new {
                rows = more;
            }
            is_new
        });
    }

    /// Findings about the forces of closed contacts; none where they have no solution.
    fn forces(&mut self, node: &Node<'_>, closed: &[Closed]) -> Option<Vec<Finding>> {
        let mut all: Vec<Finding> = closed.iter().filter_map(|contact| self.painleve(node, contact)).collect();
        let multipliers = self.multipliers(node, closed)?;
        let scale = FORCE * (max_abs(&multipliers) + max_abs(node.p));
        let own = self.dynamics.constraints.len();
        let mut tangent = own + closed.len();
        for (index, contact) in closed.iter().enumerate() {
            let push = -multipliers[own + index];
            let number = self.dynamics.surfaces[contact.surface].contact;
            if push < -scale {
                let message = format!("the contact pulls with {:.3e}: it should have been released", -push);
                all.push(self.finding(node, number, FindingKind::Pulling, push, message));
            }
            if contact.hold == Hold::Stick {
                let count = self.geometry.tangent_count(contact.surface);
                let forces = &multipliers[tangent..tangent + count];
                tangent += count;
                let size = dot(forces, forces).sqrt();
                if let Some(mu) = self.laws[number].friction.filter(|mu| size > mu * push.max(0.0) + scale) {
                    let needed = size / push;
                    let message = format!("sticking needs a coefficient of friction of {needed:.3}, there is {mu}");
                    all.push(self.finding(node, number, FindingKind::OutsideCone, needed, message));
                }
            }
        }
        Some(all)
    }

    fn multipliers(&mut self, node: &Node<'_>, closed: &[Closed]) -> Option<Vec<f64>> {
        if closed.is_empty() {
            return None;
        }
        let index = match self.accelerations.iter().position(|(list, _)| list == closed) {
            Some(index) => index,
            None => {
                let new = Acceleration::new(&self.dynamics.with_closed(closed), Backend::Interpreter).ok()?;
                self.accelerations.push((closed.to_vec(), new));
                self.accelerations.len() - 1
            }
        };
        let all = self.accelerations[index].1.at(node.q, node.v, node.t)?;
        Some(all[node.q.len()..].to_vec())
    }

    fn painleve(&mut self, node: &Node<'_>, contact: &Closed) -> Option<Finding> {
        let Hold::Slide { friction, direction } = contact.hold else { return None };
        if friction == 0.0 {
            return None;
        }
        let rows = [self.geometry.gradient(contact.surface), self.geometry.tangent(contact.surface, 0)].concat();
        let constraints = self.legendre.constraints(node.q).1.to_vec();
        let mass = self.legendre.mass(node.q, node.v, node.t);
        let space = ContactSpace::new(node.q.len(), mass, &constraints, rows).ok()?;
        let factor = space.entry(0, 0) - friction * direction * space.entry(0, 1);
        let number = self.dynamics.surfaces[contact.surface].contact;
        (factor <= 0.0).then(|| {
            let message = "sliding with this friction has no unique motion (Painleve)".to_owned();
            self.finding(node, number, FindingKind::Painleve, factor, message)
        })
    }

    fn finding(&self, node: &Node<'_>, contact: usize, kind: FindingKind, value: f64, message: String) -> Finding {
        let message = format!("contact `{}`: {message}", self.names[contact]);
        Finding { t: node.t, contact, kind, value, message }
    }
}
