//! The expressions that steppers and flows work with: parameters are numbers,
//! inputs are their signals, and only `q`, `v` and `t` are left as variables.

use crate::frame::Frame;
use crate::state_functions::Kept;
use crate::surfaces::smooth_pieces;
use crate::system::{Named, System};
use carom_expr::{Graph, Id};

/// A smooth piece of the geometry of a contact. A gap with kinks, `min(a, b)` or `-|a|`, has several.
#[derive(Clone, Debug, PartialEq)]
pub struct Surface {
    /// Index of the contact.
    pub contact: usize,
    /// Name of the contact.
    pub name: String,
    /// The gap of this piece; the contact's gap is the smallest of its pieces'.
    pub gap: Id,
    /// Tangential positions of the point of contact.
    pub tangents: Vec<Id>,
    /// The piece exists only where this is positive.
    pub active: Option<Id>,
}

/// A contact whose bodies touch and stay together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closed {
    /// Index of the surface.
    pub surface: usize,
    /// What the bodies do along the surface.
    pub hold: Hold,
}

/// What bodies that touch do along their surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hold {
    /// They do not move against each other.
    Stick,
    /// They slide, with a force `friction` times the normal force against `direction`.
    Slide {
        /// Coefficient of friction.
        friction: f64,
        /// Sign of the slip velocity.
        direction: f64,
    },
}

/// Friction that comes with the force of a constraint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rubbing {
    /// Index of the constraint.
    pub constraint: usize,
    /// Tangential position along which the friction acts.
    pub tangent: Id,
    /// Coefficient of friction times sign of the slip velocity.
    pub share: Id,
}

/// A system ready for discretisation or for its equations of motion.
#[derive(Clone, Debug)]
pub struct Dynamics {
    /// The graph that holds everything below.
    pub graph: Graph,
    /// The variable of time.
    pub time: Id,
    /// Variables of the coordinates.
    pub q: Vec<Id>,
    /// Variables of the rates.
    pub v: Vec<Id>,
    /// `L(q, v, t)`
    pub lagrangian: Id,
    /// Generalised forces `F(q, v, t)`, one per coordinate.
    pub forces: Vec<Id>,
    /// Holonomic constraints `g(q)`.
    pub constraints: Vec<Id>,
    /// Velocity constraints `omega(q) . v`.
    pub velocity_constraints: Vec<Id>,
    /// Names of all constraints: holonomic ones, closed contacts, velocity constraints.
    pub constraint_names: Vec<String>,
    /// The frame of the model, if it has one.
    pub frame: Option<Frame>,
    /// How many of the constraints, the last ones, keep the value they have instead of being zero.
    pub kept_values: usize,
    /// Friction of closed contacts that slide.
    pub rubbing: Vec<Rubbing>,
    /// Gaps of contacts, one each.
    pub gaps: Vec<Id>,
    /// Smooth pieces of the contacts.
    pub surfaces: Vec<Surface>,
    /// Numbers and expressions of the contacts' laws, one list per contact.
    pub law_parameters: Vec<Vec<Named>>,
    pub(crate) kept: Kept,
}

impl Dynamics {
    pub(crate) fn new(system: &System) -> Self {
        Self::keeping(system, &|_| false)
    }

    /// The system with those parameters and inputs left as variables that `keep` names.
    pub fn keeping(system: &System, keep: &dyn Fn(&str) -> bool) -> Self {
        let mut graph = system.graph().clone();
        let specialise = |graph: &mut Graph, roots: &[Id]| system.specialise_keeping(graph, roots, keep);
        let named = |all: &[Named]| all.iter().map(|g| g.id).collect::<Vec<_>>();
        let name = |constraint: &Named| constraint.name.clone();
        let lagrangian = specialise(&mut graph, &[system.lagrangian()])[0];
        let forces = specialise(&mut graph, system.forces());
        let constraints = specialise(&mut graph, &named(system.constraints()));
        let velocity_constraints = specialise(&mut graph, &named(system.velocity_constraints()));
        let frame = system.frame().map(|frame| {
            let components = specialise(&mut graph, &frame.matrix());
            frame.with_components(&components)
        });
        let gaps: Vec<Id> = system.contacts().iter().map(|contact| contact.gap).collect();
        let gaps = specialise(&mut graph, &gaps);
        let mut surfaces = Vec::new();
        let mut law_parameters = Vec::new();
        for (index, contact) in system.contacts().iter().enumerate() {
            let tangents = specialise(&mut graph, &contact.tangents);
            let active = contact.active.map(|active| specialise(&mut graph, &[active])[0]);
            // A gap that cannot be split stays whole; `kinks` says what is wrong with it.
            let pieces = smooth_pieces(&mut graph, gaps[index]).unwrap_or(vec![gaps[index]]);
            surfaces.extend(pieces.into_iter().map(|gap| Surface {
                contact: index,
                name: contact.name.clone(),
                gap,
                tangents: tangents.clone(),
                active,
            }));
            let values = specialise(&mut graph, &named(&contact.law_parameters));
            let named = contact.law_parameters.iter().zip(values).map(|(p, id)| Named { name: p.name.clone(), id });
            law_parameters.push(named.collect());
        }
        Self {
            time: system.time(),
            q: system.q().to_vec(),
            v: system.v().to_vec(),
            lagrangian,
            forces,
            constraints,
            velocity_constraints,
            constraint_names: system.constraints().iter().chain(system.velocity_constraints()).map(name).collect(),
            frame,
            kept_values: 0,
            rubbing: Vec::new(),
            gaps,
            surfaces,
            law_parameters,
            graph,
            kept: Kept::default(),
        }
    }

    /// The system with some contacts closed: their gaps, and the tangential positions of those that
    /// stick, are constraints.
    pub fn with_closed(&self, closed: &[Closed]) -> Self {
        let mut all = Self { kept: Kept::default(), ..self.clone() };
        let mut held: Vec<Id> = Vec::new();
        for contact in closed {
            let surface = &self.surfaces[contact.surface];
            match contact.hold {
                Hold::Stick => held.extend(&surface.tangents),
                Hold::Slide { friction, direction } if friction > 0.0 => {
                    let constraint = all.constraints.len();
                    // The law's own expression of the coefficient: it may hold variables.
                    let declared = self.law_parameters[surface.contact].iter().find(|p| p.name == "friction");
                    let friction = declared.map_or_else(|| all.graph.constant(friction), |parameter| parameter.id);
                    let share = all.graph.scale(direction, friction);
                    let tangents = surface.tangents.iter();
                    all.rubbing.extend(tangents.map(|&tangent| Rubbing { constraint, tangent, share }));
                }
                Hold::Slide { .. } => {}
            }
            all.constraint_names.insert(all.constraints.len(), surface.name.clone());
            all.constraints.push(surface.gap);
        }
        all.kept_values = held.len();
        for place in held {
            all.constraint_names.insert(all.constraints.len(), "a sticking contact".to_owned());
            all.constraints.push(place);
        }
        all
    }

    /// The same system without its velocity constraints.
    pub fn without_velocity_constraints(&self) -> Self {
        let constraint_names = self.constraint_names[..self.constraints.len()].to_vec();
        let (velocity_constraints, kept) = (Vec::new(), Kept::default());
        Self { velocity_constraints, constraint_names, frame: None, kept, ..self.clone() }
    }

    /// Number of constraints: holonomic ones, then velocity constraints.
    pub fn constraint_count(&self) -> usize {
        self.constraints.len() + self.velocity_constraints.len()
    }

    /// The one-forms `omega` of the velocity constraints, row by row.
    pub fn one_forms(&self, graph: &mut Graph) -> Vec<Id> {
        graph.jacobian(&self.velocity_constraints, &self.v).dense(graph)
    }

    /// What all constraints ask of velocities, `G v = 0`: rows `dg/dq`, then `omega`.
    pub fn jacobian(&self, graph: &mut Graph) -> Vec<Id> {
        let mut rows = graph.jacobian(&self.constraints, &self.q).dense(graph);
        rows.extend(self.one_forms(graph));
        rows
    }

    /// Directions of the constraint forces, row by row: the force is `-H^T lambda` with `H = G`, but for
    /// contacts that slide with friction `mu` in direction `sigma`, where `H = G_N - mu sigma G_T`.
    pub fn force_directions(&self, graph: &mut Graph) -> Vec<Id> {
        let n = self.dimension();
        let mut rows = self.jacobian(graph);
        for rubbing in &self.rubbing {
            let slope = graph.gradient(rubbing.tangent, &self.q);
            for (k, slope) in slope.into_iter().enumerate() {
                let share = graph.mul(rubbing.share, slope);
                let entry = &mut rows[rubbing.constraint * n + k];
                *entry = graph.sub(*entry, share);
            }
        }
        rows
    }

    /// Number of coordinates.
    pub fn dimension(&self) -> usize {
        self.q.len()
    }

    /// True if any generalised force acts.
    pub fn is_forced(&self) -> bool {
        self.forces.iter().any(|&force| !self.graph.is_zero(force))
    }

    /// True if the Lagrangian or a force depends on time explicitly.
    pub fn is_time_dependent(&self) -> bool {
        let mut roots = self.forces.clone();
        roots.push(self.lagrangian);
        self.graph.any_depends_on(&roots, &[self.time])
    }

    /// The momentum `p = dL/dv` as expressions of `graph`, a copy of this graph.
    pub fn momentum(&self, graph: &mut Graph) -> Vec<Id> {
        graph.gradient(self.lagrangian, &self.v)
    }

    /// The energy `E = v . dL/dv - L` as an expression of `graph`, a copy of this graph.
    pub fn energy(&self, graph: &mut Graph) -> Id {
        let momentum = self.momentum(graph);
        let action = graph.dot(&momentum, &self.v);
        graph.sub(action, self.lagrangian)
    }
}

impl System {
    /// Replaces parameters by their values and inputs by their signals.
    pub fn specialise(&self, graph: &mut Graph, roots: &[Id]) -> Vec<Id> {
        self.specialise_keeping(graph, roots, &|_| false)
    }

    /// The same, but parameters and inputs that `keep` names stay variables.
    pub fn specialise_keeping(&self, graph: &mut Graph, roots: &[Id], keep: &dyn Fn(&str) -> bool) -> Vec<Id> {
        let mut numbers = self.parameter_values(graph, keep);
        let signals: Vec<Id> = self.inputs().iter().map(|input| input.signal).collect();
        let signals = graph.substitute(&signals, &numbers);
        for (input, signal) in self.inputs().iter().zip(signals).filter(|(input, _)| !keep(&input.name)) {
            numbers.push((graph.variable(&input.name), signal));
        }
        graph.substitute(roots, &numbers)
    }

    /// The parameters whose values follow from any of `names`, which are not among them.
    pub fn dependents(&self, names: &[String]) -> Vec<String> {
        let mut graph = self.graph().clone();
        let found = self.parameter_values(&mut graph, &|name| names.iter().any(|known| known == name));
        let is_formula = |id: Id| !graph.free_variables(&[id]).is_empty();
        let found = found.into_iter().filter(|(_, value)| is_formula(*value));
        found.filter_map(|(parameter, _)| graph.variable_name(parameter).map(str::to_owned)).collect()
    }

    /// What stands for each parameter that is not kept: its number, or its formula where that depends on kept ones.
    fn parameter_values(&self, graph: &mut Graph, keep: &dyn Fn(&str) -> bool) -> Vec<(Id, Id)> {
        let (kept, others): (Vec<_>, Vec<_>) = self.parameters().iter().partition(|parameter| keep(&parameter.name));
        let kept: Vec<Id> = kept.iter().map(|parameter| graph.variable(&parameter.name)).collect();
        let mut stand_in = |name: &str, value: f64| (graph.variable(name), graph.constant(value));
        let numbers: Vec<(Id, Id)> = others.iter().map(|own| stand_in(&own.name, own.value)).collect();
        if kept.is_empty() {
            return numbers;
        }
        let formulas = self.formulas.iter().filter(|(name, _)| !keep(name));
        let formulas: Vec<(Id, Id)> = formulas.map(|(name, formula)| (graph.variable(name), *formula)).collect();
        // Formulas of formulas, as deep as they may be.
        let mut deep: Vec<Id> = formulas.iter().map(|(_, formula)| *formula).collect();
        for _ in 0..formulas.len() {
            deep = graph.substitute(&deep, &formulas);
        }
        let follows = |graph: &Graph, id: Id| {
            let found = formulas.iter().zip(&deep).find(|((parameter, _), _)| *parameter == id);
            found.map(|(_, &formula)| formula).filter(|&formula| graph.depends_on(formula, &kept))
        };
        let (dependent, fixed): (Vec<_>, Vec<_>) =
            numbers.into_iter().partition(|(id, _)| follows(graph, *id).is_some());
        let formulas: Vec<Id> = dependent.iter().filter_map(|(id, _)| follows(graph, *id)).collect();
        let formulas = graph.substitute(&formulas, &fixed);
        fixed.into_iter().chain(dependent.into_iter().map(|(id, _)| id).zip(formulas)).collect()
    }
}
