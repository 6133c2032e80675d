//! Transitions by the laws of `carom-impact`: the same jump that a simulation makes.

use super::augmented::replace;
use super::flight::ReplayState;
use crate::error::ControlError;
use crate::phase::PreparedPhase;
use crate::problem::Transition;
use carom_expr::{Backend, Id};
use carom_impact::{Before, ContactLaw, Geometry, ImpactError, Multiple, Resolver};
use carom_model::{Balance, ContactImpulse, Dynamics, Impact, ImplicitMap, Legendre};

/// Takes states through a transition.
pub(crate) struct Jumper {
    /// The system of the phase that ends, with the constraints that go on.
    pub(crate) dynamics: Dynamics,
    geometry: Geometry,
    legendre: Legendre,
    resolver: Resolver,
    /// For each guard its smooth pieces.
    guards: Vec<Vec<usize>>,
    /// `(q, v)` to the state at the start of the next phase, and its derivative.
    map: ImplicitMap,
}

impl Jumper {
    pub(crate) fn new(
        link: &Transition,
        from: &PreparedPhase<'_>,
        to: &PreparedPhase<'_>,
        freed: &[f64],
    ) -> Result<Self, ControlError> {
        let backend = Backend::Interpreter;
        let dynamics = going_on(link, from, to, freed);
        let surfaces = &dynamics.surfaces;
        let pieces = |guard: &String| (0..surfaces.len()).filter(|&i| &surfaces[i].name == guard).collect();
        let mut graph = dynamics.graph.clone();
        let momentum = dynamics.momentum(&mut graph);
        let mass = graph.jacobian(&momentum, &dynamics.v).dense(&mut graph);
        let resolver = Resolver {
            laws: ContactLaw::all(from.system(), &dynamics, backend)?,
            names: from.system().contacts().iter().map(|contact| contact.name.clone()).collect(),
            contact_of: surfaces.iter().map(|surface| surface.contact).collect(),
            is_quadratic: !mass.iter().any(|&entry| graph.depends_on(entry, &dynamics.v)),
            multiple: Multiple::Simultaneous,
            frame: None,
        };
        Ok(Self {
            geometry: Geometry::new(&dynamics, backend)?,
            legendre: Legendre::new(&dynamics, backend)?,
            guards: link.guards.iter().map(pieces).collect(),
            map: relabelling(link, from, freed, &dynamics)?,
            resolver,
            dynamics,
        })
    }

    /// The velocity after the impact, and the state at the start of the next phase.
    pub(crate) fn jump(&mut self, state: &ReplayState) -> Result<(Vec<f64>, ReplayState), ImpactError> {
        let v_plus = self.impact(state)?.map_or_else(|| state.v.clone(), |impact| impact.v_plus);
        let next = self.map.outputs(&[&state.q[..], &v_plus].concat()).to_vec();
        let (q, v) = next.split_at(next.len() / 2);
        Ok((v_plus, ReplayState { t: state.t, q: q.to_vec(), v: v.to_vec() }))
    }

    /// The impact that ends the phase; none without guards.
    pub(crate) fn impact(&mut self, state: &ReplayState) -> Result<Option<Impact>, ImpactError> {
        let ReplayState { t, q, v } = state;
        if self.guards.is_empty() {
            return Ok(None);
        }
        let set = self.striking(state);
        let before = Before { t: *t, q, v };
        let resolved = self.resolver.resolve(before, &set, &self.geometry, &mut self.legendre)?;
        let impulses = resolved.impulses.iter().map(|impulse| ContactImpulse {
            contact: self.resolver.contact_of[impulse.surface],
            surface: impulse.surface,
            normal: impulse.values[0],
            tangential: impulse.values[1..].to_vec(),
        });
        Ok(Some(Impact {
            t: *t,
            bracket: (*t, *t),
            impulses: impulses.collect(),
            law: String::new(),
            q: q.clone(),
            q_plus: resolved.q_plus,
            v_minus: v.clone(),
            v_plus: resolved.v_plus,
            p_minus: Vec::new(),
            p_plus: Vec::new(),
            energy_minus: f64::NAN,
            energy_change: f64::NAN,
            balance: Balance { push: resolved.push, ..Balance::default() },
            iterations: resolved.rounds,
        }))
    }

    /// Surfaces that close at the end of the phase.
    pub(crate) fn striking(&mut self, state: &ReplayState) -> Vec<usize> {
        self.geometry.at(&state.q, &state.v, state.t);
        let gap = |surface: &usize| self.geometry.gap(*surface).abs();
        let nearest = |all: &Vec<usize>| all.iter().copied().min_by(|a, b| gap(a).total_cmp(&gap(b)));
        self.guards.iter().filter_map(nearest).collect()
    }

    /// The gradient of a gap at the last state that was looked at.
    pub(crate) fn normal(&self, surface: usize) -> &[f64] {
        self.geometry.gradient(surface)
    }

    /// The derivative of the relabelling by `(q, v)`, row by row.
    pub(crate) fn relabelled(&mut self, q: &[f64], v: &[f64]) -> Option<Vec<f64>> {
        self.map.derivative(&[q, v].concat()).ok()
    }
}

/// The system of the phase that ends, with those of its constraints that the next phase has too.
fn going_on(link: &Transition, from: &PreparedPhase<'_>, to: &PreparedPhase<'_>, freed: &[f64]) -> Dynamics {
    let mut dynamics = from.dynamics.clone();
    let graph = &mut dynamics.graph;
    let mut places: Vec<(Id, Id)> = from.freed.iter().map(|&(index, id)| (id, graph.constant(freed[index]))).collect();
    places.extend(from.inputs.iter().map(|&input| (input, graph.constant(0.0))));
    replace(&mut dynamics, &places);
    let holonomic = dynamics.constraints.len();
    // With a relabelling, names of contacts mean other bodies afterwards.
    let own = if link.map.is_empty() { holonomic } else { from.system().constraints().len() };
    let zeros = holonomic - dynamics.kept_values;
    let names = &dynamics.constraint_names;
    let goes_on = |number: &usize| {
        (*number < own || *number >= holonomic) && to.dynamics.constraint_names.contains(&names[*number])
    };
    let kept: Vec<usize> = (0..names.len()).filter(goes_on).collect();
    dynamics.constraint_names = kept.iter().map(|&number| names[number].clone()).collect();
    let pick = |list: &[Id], first: usize| {
        let inside = kept.iter().filter(|&&number| number >= first && number < first + list.len());
        inside.map(|&number| list[number - first]).collect::<Vec<Id>>()
    };
    let (constraints, velocity) = (pick(&dynamics.constraints, 0), pick(&dynamics.velocity_constraints, holonomic));
    dynamics.kept_values = kept.iter().filter(|&&number| number >= zeros && number < holonomic).count();
    (dynamics.constraints, dynamics.velocity_constraints) = (constraints, velocity);
    dynamics
}

/// `q_next = R(q)`, `v_next = R'(q) v`
fn relabelling(
    link: &Transition,
    from: &PreparedPhase<'_>,
    freed: &[f64],
    dynamics: &Dynamics,
) -> Result<ImplicitMap, ControlError> {
    let mut graph = dynamics.graph.clone();
    let formulas = from.formulas(false);
    let read = |formula: &String| formulas.read(&mut graph, "the map of a transition", formula);
    let map: Vec<Id> = match link.map.is_empty() {
        true => dynamics.q.clone(),
        false => link.map.iter().map(read).collect::<Result<_, _>>()?,
    };
    let seeds: Vec<(Id, Id)> = dynamics.q.iter().copied().zip(dynamics.v.iter().copied()).collect();
    let rates = graph.directional(&map, &seeds);
    let numbers: Vec<(Id, Id)> = from.freed.iter().map(|&(index, id)| (id, graph.constant(freed[index]))).collect();
    let next = graph.substitute(&[map, rates].concat(), &numbers);
    let inputs = [&dynamics.q[..], &dynamics.v].concat();
    Ok(ImplicitMap::new(graph, (&[], &inputs), (&[], &next), Backend::Interpreter)?)
}
