//! Impulses at every node, and when they may act.
//!
//! With gaps `phi_k = phi(q_k)`, impulses `Lambda_k`, times `t_k` of the nodes and the mean gap rates
//! `sigma_k = (phi_(k+1) - phi_k) / (t_(k+1) - t_k)`,
//!
//! ```text
//! right_(k-1) + left_k + (dphi/dq)^T Lambda_k = 0            balance of momentum
//! phi_k >= 0,   Lambda_k >= 0,   Lambda_k phi_k <= eps       impulses at closed gaps only
//! | Lambda_k (sigma_k + e sigma_(k-1)) | <= eps              restitution where there is an impulse
//! | Lambda_k (t_(k+1) - 2 t_k + t_(k-1)) | <= eps            even steps beside impacts that rebound
//! ```
//!
//! Mean rates make a body that lies on the ground exact (`sigma = 0`), and bounces right to first order. Without even
//! steps an optimiser finds out that a long step before and a short one after the impact give energy.

use crate::assembly::{Assembly, Inputs};
use crate::dmoc::{GapLaw, Place};
use crate::error::ControlError;
use crate::layout::PhaseLayout;
use crate::phase::{PreparedPhase, contact_names, unknown};
use carom_expr::Id;
use carom_model::Surface;
use carom_nlp::Range;

/// A contact whose impacts are searched.
pub(super) struct Touchable {
    pub(super) surface: Surface,
    pub(super) restitution: f64,
    /// Impulse at each node. At the two ends bodies may lie on the ground, but do not collide.
    pub(super) impulses: Vec<Option<u32>>,
    /// Mean gap rate of each interval.
    pub(super) rates: Vec<u32>,
}

/// All contacts, and the rows that are relaxed.
#[derive(Default)]
pub(super) struct Contacts {
    pub(super) all: Vec<Touchable>,
    /// Rows `Lambda phi <= eps`.
    pub(super) products: Vec<u32>,
    /// Rows `|Lambda (...)| <= eps`.
    pub(super) restitutions: Vec<u32>,
}

/// The contacts that `names` chooses, with their restitution; all of them if it is empty.
pub(super) fn chosen(phase: &PreparedPhase<'_>, names: &[String]) -> Result<Vec<(Surface, f64)>, ControlError> {
    let known = contact_names(phase.phase);
    if let Some(wrong) = names.iter().find(|name| !known.contains(name)) {
        return Err(unknown(phase.phase, "contact", wrong, known));
    }
    let mut all = Vec::new();
    for surface in phase.dynamics.surfaces.iter().filter(|s| names.is_empty() || names.contains(&s.name)) {
        let law = GapLaw::of(phase, &surface.name, "search of impacts")?;
        if law.sticks {
            let why = "a contact sticks along its tangents; the search knows normal impulses alone";
            return Err(ControlError::Discovery { why });
        }
        all.push((surface.clone(), law.restitution));
    }
    Ok(all)
}

impl Contacts {
    /// Unknowns and rows of one contact.
    pub(super) fn add(
        &mut self,
        place: &Place<'_>,
        (surface, restitution): (Surface, f64),
        assembly: &mut Assembly,
        own: &PhaseLayout,
    ) {
        let (phase, name) = (place.phase, surface.name.clone());
        let last = own.mesh.len();
        let rests = restitution == 0.0;
        let at = |what: &str, k: usize| format!("{} / {what} {k}", phase.phase.name);
        let impulse = |k: usize| {
            let is_asked = rests || k > 0 && k < last;
            is_asked.then(|| {
                let name = format!("{} / impulse of {name}", at("node", k));
                assembly.variable(name, Range::at_least(0.0), place.stage + k as u32)
            })
        };
        let impulses: Vec<Option<u32>> = (0..=last).map(impulse).collect();
        let rate = |k: usize| {
            let name = format!("{} / gap rate of {name}", at("interval", k));
            assembly.variable(name, Range::FREE, place.stage + k as u32)
        };
        let rates: Vec<u32> = (0..last).map(rate).collect();
        let contact = Touchable { surface, restitution, impulses, rates };
        contact.gaps(place, assembly, own);
        contact.balances(place, assembly, own);
        self.complementarity(place, &contact, assembly, own);
        self.all.push(contact);
    }

    /// `Lambda phi` and `Lambda (sigma_k + e sigma_(k-1))`.
    fn complementarity(&mut self, place: &Place<'_>, contact: &Touchable, assembly: &mut Assembly, own: &PhaseLayout) {
        let (dynamics, last) = (&place.phase.dynamics, own.mesh.len());
        let mut graph = dynamics.graph.clone();
        let [impulse, before, after] = ["[impulse]", "[rate-]", "[rate+]"].map(|name| graph.variable(name));
        let product = graph.mul(impulse, contact.surface.gap);
        let reflected = graph.scale(contact.restitution, before);
        let jump = graph.add(after, reflected);
        let (law, rest) = (graph.mul(impulse, jump), graph.mul(impulse, after));
        let times = graph.variables("[time]", 3);
        let steps = [(1, 0), (2, 1)].map(|(right, left)| graph.sub(times[right], times[left]));
        let uneven = graph.sub(steps[1], steps[0]);
        let uneven = graph.mul(impulse, uneven);
        let inputs = Inputs { variables: [vec![impulse], times].concat(), data: Vec::new() };
        let even = assembly.kernel(graph.clone(), &inputs, None, &[uneven]);
        let freed: Vec<Id> = place.phase.freed.iter().map(|&(_, id)| id).collect();
        let inputs = Inputs { variables: [vec![impulse], dynamics.q.clone(), freed].concat(), data: Vec::new() };
        let product = assembly.kernel(graph.clone(), &inputs, None, &[product]);
        let inputs = Inputs { variables: vec![impulse, after], data: Vec::new() };
        let rest = assembly.kernel(graph.clone(), &inputs, None, &[rest]);
        let inputs = Inputs { variables: vec![impulse, before, after], data: Vec::new() };
        let law = assembly.kernel(graph, &inputs, None, &[law]);
        for (k, impulse) in contact.impulses.iter().enumerate() {
            let Some(impulse) = *impulse else { continue };
            let stage = place.stage + k as u32;
            let name =
                |what: &str| format!("{} / node {k} / {what} of {}", place.phase.phase.name, contact.surface.name);
            let row = assembly.row(name("complementarity"), Range::at_most(0.0), stage);
            assembly.place(&product, &[vec![impulse], own.q[k].clone(), place.freed()].concat(), &[], &[row]);
            self.products.push(row);
            // Before the first node and after the last one nothing is known: what lies there lies still.
            let is_inside = k > 0 && k < last;
            let row = assembly.row(name("restitution"), Range::fixed(0.0), stage);
            match is_inside {
                true => assembly.place(&law, &[impulse, contact.rates[k - 1], contact.rates[k]], &[], &[row]),
                false => assembly.place(&rest, &[impulse, contact.rates[k.min(last - 1)]], &[], &[row]),
            };
            self.restitutions.push(row);
            if contact.restitution > 0.0 {
                let row = assembly.row(name("even steps"), Range::fixed(0.0), stage);
                assembly.place(&even, &[&[impulse], &own.times[k - 1..=k + 1]].concat(), &[], &[row]);
                self.restitutions.push(row);
            }
        }
    }
}

impl Touchable {
    /// `phi_k >= 0`, and the definition of the mean rates.
    fn gaps(&self, place: &Place<'_>, assembly: &mut Assembly, own: &PhaseLayout) {
        let (dynamics, phase) = (&place.phase.dynamics, place.phase);
        let freed: Vec<Id> = phase.freed.iter().map(|&(_, id)| id).collect();
        let inputs = Inputs { variables: [dynamics.q.clone(), freed.clone()].concat(), data: Vec::new() };
        let shape = assembly.kernel(dynamics.graph.clone(), &inputs, None, &[self.surface.gap]);
        for (k, q) in own.q.iter().enumerate() {
            let name = format!("{} / node {k} / gap of {}", phase.phase.name, self.surface.name);
            let row = assembly.row(name, Range::at_least(0.0), place.stage + k as u32);
            assembly.place(&shape, &[q.clone(), place.freed()].concat(), &[], &[row]);
        }
        // (t_(k+1) - t_k) sigma_k = phi_(k+1) - phi_k
        let mut graph = dynamics.graph.clone();
        let next = graph.variables("[q next]", dynamics.dimension());
        let [left, right, rate] = ["[left]", "[right]", "[rate]"].map(|name| graph.variable(name));
        let places: Vec<(Id, Id)> = dynamics.q.iter().copied().zip(next.iter().copied()).collect();
        let after = graph.substitute(&[self.surface.gap], &places)[0];
        let change = graph.sub(after, self.surface.gap);
        let width = graph.sub(right, left);
        let mean = graph.mul(width, rate);
        let root = graph.sub(mean, change);
        let inputs =
            Inputs { variables: [dynamics.q.clone(), next, vec![left, right, rate], freed].concat(), data: Vec::new() };
        let shape = assembly.kernel(graph, &inputs, None, &[root]);
        for (k, &rate) in self.rates.iter().enumerate() {
            let name = format!("{} / interval {k} / gap rate of {}", phase.phase.name, self.surface.name);
            let row = assembly.row(name, Range::fixed(0.0), place.stage + k as u32);
            let times = vec![own.times[k], own.times[k + 1], rate];
            let variables = [own.q[k].clone(), own.q[k + 1].clone(), times, place.freed()].concat();
            assembly.place(&shape, &variables, &[], &[row]);
        }
    }

    /// `(dphi/dq)^T Lambda` in the balances of momentum.
    fn balances(&self, place: &Place<'_>, assembly: &mut Assembly, own: &PhaseLayout) {
        let dynamics = &place.phase.dynamics;
        let mut graph = dynamics.graph.clone();
        let impulse = graph.variable("[impulse]");
        let normal = graph.gradient(self.surface.gap, &dynamics.q);
        let push: Vec<Id> = normal.into_iter().map(|slope| graph.mul(slope, impulse)).collect();
        let freed: Vec<Id> = place.phase.freed.iter().map(|&(_, id)| id).collect();
        let inputs = Inputs { variables: [dynamics.q.clone(), vec![impulse], freed].concat(), data: Vec::new() };
        let shape = assembly.kernel(graph, &inputs, None, &push);
        for (k, impulse) in self.impulses.iter().enumerate() {
            if let Some(impulse) = *impulse {
                let variables = [own.q[k].clone(), vec![impulse], place.freed()].concat();
                assembly.place(&shape, &variables, &[], &own.balances[k]);
            }
        }
    }
}
