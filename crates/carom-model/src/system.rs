//! A mechanical system: a handful of scalar functions of `(q, v, t, u)` and parameters.
//!
//! | function | meaning |
//! |---|---|
//! | `L(q, v, t)` | the Lagrangian |
//! | `F(q, v, t, u)` | generalised forces, one per coordinate |
//! | `g(q) = 0` | holonomic constraints |
//! | `omega(q) . v = 0` | velocity constraints |
//! | `phi(q) >= 0` | gaps of contacts |
//!
//! Everything else is derived from these. A coordinate `x` is the variable `x`
//! of the graph, its rate the variable `x'`, time is `t`.

use crate::contact::Contact;
use crate::dynamics::Dynamics;
use crate::frame::Frame;
use carom_expr::{Graph, Id};
use std::sync::{Arc, OnceLock};

/// A generalised coordinate.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Coordinate {
    /// Its name in expressions; `name'` is its rate.
    pub name: String,
    /// Unit, for axes and tables.
    pub unit: Option<String>,
    /// The period, if values that differ by it are the same configuration.
    pub period: Option<f64>,
    /// One line of documentation.
    pub doc: Option<String>,
}

/// A number with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name in expressions.
    pub name: String,
    /// Its value, computed from the other parameters where it was an expression.
    pub value: f64,
    /// Unit, for tables.
    pub unit: Option<String>,
    /// One line of documentation.
    pub doc: Option<String>,
}

/// A control input `u` with the signal that drives it in a simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// Its name in expressions.
    pub name: String,
    /// An expression of time, state and parameters.
    pub signal: Id,
    /// Unit, for tables.
    pub unit: Option<String>,
    /// One line of documentation.
    pub doc: Option<String>,
}

/// An expression with a name: a constraint, a definition, a gap.
#[derive(Clone, Debug, PartialEq)]
pub struct Named {
    /// What users call it.
    pub name: String,
    /// The expression.
    pub id: Id,
}

/// A mechanical system. Immutable, and shared freely between threads.
#[derive(Debug)]
pub struct System {
    pub(crate) name: String,
    pub(crate) doc: Option<String>,
    pub(crate) graph: Graph,
    pub(crate) time: Id,
    pub(crate) coordinates: Vec<Coordinate>,
    pub(crate) q: Vec<Id>,
    pub(crate) v: Vec<Id>,
    pub(crate) parameters: Vec<Parameter>,
    /// Parameters that follow from others, by name.
    pub(crate) formulas: Vec<(String, Id)>,
    pub(crate) inputs: Vec<Input>,
    pub(crate) definitions: Vec<Named>,
    pub(crate) lagrangian: Id,
    pub(crate) forces: Vec<Id>,
    pub(crate) constraints: Vec<Named>,
    pub(crate) velocity_constraints: Vec<Named>,
    pub(crate) frame: Option<Frame>,
    pub(crate) contacts: Vec<Contact>,
    pub(crate) dynamics: OnceLock<Arc<Dynamics>>,
}

impl System {
    /// What the system is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is, in a sentence or two.
    pub fn doc(&self) -> Option<&str> {
        self.doc.as_deref()
    }

    /// The graph that holds its expressions.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Number `n` of coordinates.
    pub fn dimension(&self) -> usize {
        self.coordinates.len()
    }

    /// The coordinates, in order.
    pub fn coordinates(&self) -> &[Coordinate] {
        &self.coordinates
    }

    /// Names of the coordinates, in order.
    pub fn coordinate_names(&self) -> Vec<String> {
        self.coordinates.iter().map(|coordinate| coordinate.name.clone()).collect()
    }

    /// Variables of the coordinates.
    pub fn q(&self) -> &[Id] {
        &self.q
    }

    /// Variables of the rates.
    pub fn v(&self) -> &[Id] {
        &self.v
    }

    /// The variable of time.
    pub fn time(&self) -> Id {
        self.time
    }

    /// The parameters with their values.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// The control inputs.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// Named intermediate expressions.
    pub fn definitions(&self) -> &[Named] {
        &self.definitions
    }

    /// The Lagrangian `L(q, v, t)`.
    pub fn lagrangian(&self) -> Id {
        self.lagrangian
    }

    /// The generalised forces, one per coordinate (zero where none acts).
    pub fn forces(&self) -> &[Id] {
        &self.forces
    }

    /// True if any generalised force acts.
    pub fn is_forced(&self) -> bool {
        self.forces.iter().any(|&force| !self.graph.is_zero(force))
    }

    /// The holonomic constraints `g(q) = 0`.
    pub fn constraints(&self) -> &[Named] {
        &self.constraints
    }

    /// The velocity constraints `omega(q) . v = 0`.
    pub fn velocity_constraints(&self) -> &[Named] {
        &self.velocity_constraints
    }

    /// The frame, if one was given: quasivelocities are its components of the velocity.
    pub fn frame(&self) -> Option<&Frame> {
        self.frame.as_ref()
    }

    /// The contacts.
    pub fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    /// The system with numbers for its parameters and signals for its inputs: what is simulated.
    pub fn dynamics(&self) -> Arc<Dynamics> {
        self.dynamics.get_or_init(|| Arc::new(Dynamics::new(self))).clone()
    }
}
