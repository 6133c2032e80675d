//! From the end of one phase to the start of another, through an impact.
//!
//! At the node of the impact, with the velocity `v+` after it and impulses `Lambda` as unknowns,
//!
//! ```text
//! phi_i(q) = 0                                                       guards
//! dL/dv(q, v+) - dL/dv(q, v-) = sum_i G_i^T Lambda_i + S_i^T Lambda_Ti + A^T kappa
//! law of each contact,  A v+ = 0                                     A: constraints that go on
//! q_next = R(q),  v_next = R'(q) v+                                  relabelling
//! ```
//!
//! Elastic and Newton's laws are `u+ = -e u-` for the gap rates `u`, plastic ones `u+ = 0`, with the slip `S v+ = 0` if the
//! contact sticks afterwards. With the jump [`Jump::Variational`] the energy balance of an elastic impact is that of the
//! discrete energies of the two intervals beside it.

use super::law::GapLaw;
use crate::assembly::{Assembly, Inputs};
use crate::error::ControlError;
use crate::layout::{Layout, TransitionLayout};
use crate::phase::{PreparedPhase, contact_names, unknown};
use crate::problem::{Jump, Transition};
use carom_discrete::Interval;
use carom_discrete::rules::Rule;
use carom_expr::{Graph, Id};
use carom_model::{Dynamics, Surface};
use carom_nlp::Range;

/// The unknowns and equations of one transition; `stage` is that of the node where the first phase ends.
pub(crate) fn transition(
    link: &Transition,
    phases: &[PreparedPhase<'_>],
    layout: &Layout,
    stage: u32,
    rule: Option<&dyn Rule>,
    assembly: &mut Assembly,
) -> Result<TransitionLayout, ControlError> {
    let (from, to) = (&phases[link.from], &phases[link.to]);
    let (before, after) = (&layout.phases[link.from], &layout.phases[link.to]);
    let mut own = TransitionLayout::default();
    let mut equations = Equations::new(link, from, to);
    if !link.guards.is_empty() {
        equations.impact()?;
        let coordinates = from.system().coordinate_names();
        let name = |what: &str| format!("{} / {what}", link.name);
        own.v_plus =
            coordinates.iter().map(|x| assembly.variable(name(&format!("{x}' after")), Range::FREE, stage)).collect();
        for (impulse, range) in &equations.impulse_ranges {
            own.impulses.push(assembly.variable(name(impulse), *range, stage));
            own.impulse_names.push(impulse.clone());
        }
    }
    equations.relabel()?;
    let freed: Vec<u32> = from.freed.iter().map(|&(index, _)| layout.freed[index]).collect();
    let end = before.q.len() - 1;
    let v_minus = before.v.last().cloned().unwrap_or_default();
    let v_next = after.v.first().cloned().unwrap_or_default();
    let variables = [&before.q[end], &v_minus, &own.v_plus, &own.impulses, &after.q[0], &v_next, &freed]
        .into_iter()
        .flatten()
        .copied()
        .collect::<Vec<u32>>();
    let row = |(name, range): &(String, Range)| assembly.row(format!("{} / {name}", link.name), *range, stage);
    let rows: Vec<u32> = equations.names.iter().map(row).collect();
    let roots = from.timed(&mut equations.graph, &equations.rows);
    let mut inputs = equations.inputs();
    from.clock(&mut equations.graph, &mut inputs);
    let shape = assembly.kernel(equations.graph, &inputs, None, &roots);
    let variables: Vec<u32> = variables.into_iter().chain(before.duration).collect();
    assembly.place(&shape, &variables, &from.reading(1.0), &rows);
    if link.jump == Jump::Variational && equations.is_elastic {
        // Collocation has no discrete energies.
        let (phase, method) = (from.phase.name.clone(), "hermite-simpson".to_owned());
        let what = "discrete energies for the jump `variational`; use the jump `pointwise`";
        let rule = rule.ok_or(ControlError::Method { phase, method, what })?;
        energies(link, phases, layout, (stage, rule), assembly)?;
    }
    Ok(own)
}

/// Equations in the making.
struct Equations<'a> {
    link: &'a Transition,
    from: &'a PreparedPhase<'a>,
    to: &'a PreparedPhase<'a>,
    graph: Graph,
    rows: Vec<Id>,
    names: Vec<(String, Range)>,
    v_plus: Vec<Id>,
    impulses: Vec<Id>,
    impulse_ranges: Vec<(String, Range)>,
    q_next: Vec<Id>,
    v_next: Vec<Id>,
    is_elastic: bool,
}

impl<'a> Equations<'a> {
    fn new(link: &'a Transition, from: &'a PreparedPhase<'a>, to: &'a PreparedPhase<'a>) -> Self {
        let mut graph = from.dynamics.graph.clone();
        let n = to.dynamics.dimension();
        let (q_next, v_next) = (graph.variables("[q next]", n), graph.variables("[v next]", n));
        let v_plus =
            if link.guards.is_empty() { Vec::new() } else { graph.variables("[v+]", from.dynamics.dimension()) };
        let empty = (Vec::new(), Vec::new());
        let (impulses, impulse_ranges) = (Vec::new(), Vec::new());
        let (rows, names) = empty;
        Self { link, from, to, graph, rows, names, v_plus, impulses, impulse_ranges, q_next, v_next, is_elastic: false }
    }

    fn inputs(&self) -> Inputs {
        let dynamics = &self.from.dynamics;
        let freed: Vec<Id> = self.from.freed.iter().map(|&(_, id)| id).collect();
        let lists = [&dynamics.q, &dynamics.v, &self.v_plus, &self.impulses, &self.q_next, &self.v_next, &freed];
        Inputs { variables: lists.into_iter().flatten().copied().collect(), data: Vec::new() }
    }

    fn push(&mut self, name: String, id: Id, range: Range) {
        self.rows.push(id);
        self.names.push((name, range));
    }

    /// Guards, balance of momentum, laws, constraints that go on.
    fn impact(&mut self) -> Result<(), ControlError> {
        if self.link.jump == Jump::Variational {
            let elastic = |guard: &String| GapLaw::of(self.from, guard, "").is_ok_and(|law| law.is_elastic);
            if let Some(guard) = self.link.guards.iter().find(|guard| self.link.guards.len() > 1 || !elastic(guard)) {
                let contact = self.from.system().contacts().iter().find(|contact| &contact.name == guard);
                let law = contact.map_or(String::new(), |contact| contact.law.clone());
                let why =
                    "the variational jump balances one energy: that of one elastic contact alone; use `pointwise`";
                return Err(ControlError::Law { transition: self.link.name.clone(), contact: guard.clone(), law, why });
            }
        }
        let dynamics: &Dynamics = &self.from.dynamics;
        let (q, v) = (dynamics.q.clone(), dynamics.v.clone());
        let after: Vec<(Id, Id)> = v.iter().copied().zip(self.v_plus.iter().copied()).collect();
        let momenta = dynamics.momentum(&mut self.graph);
        let momenta_after = self.graph.substitute(&momenta, &after);
        let mut balance: Vec<Id> =
            momenta.iter().zip(&momenta_after).map(|(&before, &after)| self.graph.sub(after, before)).collect();
        for guard in self.link.guards.clone() {
            let surface = self.surface(&guard)?;
            let law = GapLaw::of(self.from, &guard, &self.link.name)?;
            self.push(format!("gap of {guard}"), surface.gap, Range::fixed(0.0));
            let normal = self.graph.gradient(surface.gap, &q);
            let [u_minus, u_plus] = [&v, &self.v_plus.clone()].map(|v| self.graph.dot(&normal, v));
            self.impulse(&mut balance, &normal, format!("impulse of {guard}"), Range::at_least(0.0));
            // Bodies approach each other before and do not afterwards.
            self.push(format!("approach of {guard}"), u_minus, Range::at_most(0.0));
            let reflected = self.graph.scale(law.restitution, u_minus);
            let jump = self.graph.add(u_plus, reflected);
            self.is_elastic |= law.is_elastic;
            if law.is_elastic && self.link.jump == Jump::Variational {
                self.push(format!("rebound of {guard}"), u_plus, Range::at_least(0.0));
            } else {
                self.push(format!("law of {guard}"), jump, Range::fixed(0.0));
            }
            let sticks = self.to.phase.closed.iter().any(|closed| closed.contact == guard && closed.sticks);
            let rubs =
                self.from.system().contacts().iter().any(|c| c.name == guard && c.parameter("friction").is_some());
            if rubs && !sticks {
                let why = "whether it slips or sticks is decided by its cone; let it stick in the next phase (`sticks = true`)";
                let (transition, contact, law) = (self.link.name.clone(), guard.clone(), "plastic".to_owned());
                return Err(ControlError::Law { transition, contact, law, why });
            }
            if sticks || law.sticks {
                for (axis, &tangent) in surface.tangents.iter().enumerate() {
                    let direction = self.graph.gradient(tangent, &q);
                    self.impulse(
                        &mut balance,
                        &direction,
                        format!("tangential impulse {axis} of {guard}"),
                        Range::FREE,
                    );
                    let slip = self.graph.dot(&direction, &self.v_plus.clone());
                    self.push(format!("slip {axis} of {guard}"), slip, Range::fixed(0.0));
                }
            }
        }
        self.go_on(&mut balance);
        let names = self.from.system().coordinate_names();
        for (name, id) in names.iter().zip(balance) {
            self.push(format!("momentum of {name}"), id, Range::fixed(0.0));
        }
        Ok(())
    }

    /// An impulse along `direction`.
    fn impulse(&mut self, balance: &mut [Id], direction: &[Id], name: String, range: Range) {
        let impulse = self.graph.variable(&format!("[impulse{}]", self.impulses.len()));
        for (sum, &slope) in balance.iter_mut().zip(direction) {
            let term = self.graph.mul(slope, impulse);
            *sum = self.graph.sub(*sum, term);
        }
        self.impulses.push(impulse);
        self.impulse_ranges.push((name, range));
    }

    /// Constraints of the phase that ends which the next phase has too, by name.
    fn go_on(&mut self, balance: &mut [Id]) {
        let dynamics = &self.from.dynamics;
        let (jacobian, n) = (dynamics.jacobian(&mut self.graph), dynamics.dimension());
        // A contact that stays closed but has another name afterwards was relabelled, and so were the others.
        let stays = |guard: &String| GapLaw::of(self.from, guard, "").is_ok_and(|law| law.restitution == 0.0);
        let is_closed = |guard: &String| self.to.phase.closed.iter().any(|closed| &closed.contact == guard);
        let is_relabelled =
            !self.link.map.is_empty() && self.link.guards.iter().any(|guard| stays(guard) && !is_closed(guard));
        let own = if is_relabelled { self.from.system().constraints().len() } else { dynamics.constraint_names.len() };
        for (number, name) in dynamics.constraint_names.iter().enumerate() {
            let is_velocity = number >= dynamics.constraints.len();
            if (number < own || is_velocity) && self.to.dynamics.constraint_names.contains(name) {
                let direction = jacobian[number * n..(number + 1) * n].to_vec();
                self.impulse(balance, &direction, format!("impulse of {name}"), Range::FREE);
                let rate = self.graph.dot(&direction, &self.v_plus.clone());
                self.push(format!("rate of {name}"), rate, Range::fixed(0.0));
            }
        }
    }

    /// `q_next = R(q)`, `v_next = R'(q) v+`
    fn relabel(&mut self) -> Result<(), ControlError> {
        let dynamics = &self.from.dynamics;
        let next = self.to.system().coordinate_names();
        let map: Vec<Id> = if self.link.map.is_empty() {
            let names = self.from.system().coordinate_names();
            let same = |coordinate: &String| {
                let index = names.iter().position(|name| name == coordinate);
                let (transition, coordinate) = (self.link.name.clone(), coordinate.clone());
                index.map(|index| dynamics.q[index]).ok_or(ControlError::NoMap { transition, coordinate })
            };
            next.iter().map(same).collect::<Result<_, _>>()?
        } else {
            let formulas = self.from.formulas(false);
            let read = |formula: &String| formulas.read(&mut self.graph, "the map of a transition", formula);
            self.link.map.iter().map(read).collect::<Result<_, _>>()?
        };
        if map.len() != next.len() {
            let (found, needed) = (map.len(), next.len());
            return Err(ControlError::MapSize { transition: self.link.name.clone(), found, needed });
        }
        let v = if self.v_plus.is_empty() { &dynamics.v } else { &self.v_plus };
        let seeds: Vec<(Id, Id)> = dynamics.q.iter().copied().zip(v.iter().copied()).collect();
        let rates = self.graph.directional(&map, &seeds);
        for (k, name) in next.iter().enumerate() {
            let position = self.graph.sub(map[k], self.q_next[k]);
            self.push(format!("next {name}"), position, Range::fixed(0.0));
            let rate = self.graph.sub(rates[k], self.v_next[k]);
            self.push(format!("next {name}'"), rate, Range::fixed(0.0));
        }
        Ok(())
    }

    fn surface(&self, guard: &str) -> Result<Surface, ControlError> {
        let phase = self.from.phase;
        let found = self.from.dynamics.surfaces.iter().find(|surface| surface.name == guard);
        found.cloned().ok_or_else(|| unknown(phase, "contact", guard, contact_names(phase)))
    }
}

/// `E_b` of the interval before minus `E_a` of the interval after.
fn energies(
    link: &Transition,
    phases: &[PreparedPhase<'_>],
    layout: &Layout,
    (stage, rule): (u32, &dyn Rule),
    assembly: &mut Assembly,
) -> Result<(), ControlError> {
    let row = assembly.row(format!("{} / discrete energy", link.name), Range::fixed(0.0), stage);
    for (number, side) in [(link.from, 1), (link.to, 0)] {
        let (phase, own) = (&phases[number], &layout.phases[number]);
        let Interval { mut graph, nodes, lambda, controls, h, ta, energies, samples, .. } =
            Interval::new(&phase.dynamics, &rule.table(), &phase.inputs);
        let energy = graph.scale(if side == 1 { 1.0 } else { -1.0 }, energies[side]);
        let k = if side == 1 { own.mesh.len() - 1 } else { 0 };
        let (share, duration) = (graph.variable("[share]"), graph.variable("[T]"));
        let mut places = vec![(h, graph.mul(share, duration)), (ta, phase.dynamics.time)];
        let mut unknowns = Vec::new();
        for values in &controls {
            unknowns.extend(super::interval::shape_controls(
                &mut graph,
                phase.phase.shape,
                values,
                &samples,
                &mut places,
            ));
        }
        let energy = graph.substitute(&[energy], &places)[0];
        let energy = phase.timed(&mut graph, &[energy])[0];
        let freed: Vec<Id> = phase.freed.iter().map(|&(_, id)| id).collect();
        let variables = [nodes.concat(), lambda.concat(), unknowns, freed].concat();
        let mut inputs = Inputs { variables, data: vec![share] };
        phase.clock(&mut graph, &mut inputs);
        let shape = assembly.kernel(graph, &inputs, None, &[energy]);
        let mut variables = [
            own.q[k].clone(),
            own.inner[k].concat(),
            own.q[k + 1].clone(),
            own.extra[k].clone(),
            own.controls[k].concat(),
        ]
        .concat();
        variables.extend(phase.freed.iter().map(|&(index, _)| layout.freed[index]));
        variables.extend(own.duration);
        let before: f64 = own.mesh[..k].iter().sum();
        assembly.place(&shape, &variables, &[vec![own.mesh[k]], phase.reading(before)].concat(), &[row]);
    }
    Ok(())
}
