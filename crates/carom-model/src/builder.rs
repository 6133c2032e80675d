//! Systems described in Rust.
//!
//! ```
//! use carom_expr::Scope;
//! use carom_model::SystemBuilder;
//!
//! let scope = Scope::default();
//! let (theta, rate) = (scope.variable("theta"), scope.variable("theta'"));
//! let (m, l, g) = (scope.variable("m"), scope.variable("l"), scope.variable("g"));
//! let lagrangian = (0.5 * m * (l * rate).square() + m * g * l * theta.cos()).id();
//!
//! let pendulum = SystemBuilder::new("pendulum")
//!     .coordinate("theta")
//!     .parameter("m", 1.0)
//!     .parameter("l", 0.5)
//!     .parameter("g", 9.81)
//!     .lagrangian(lagrangian)
//!     .build(scope.into_graph())?;
//! assert_eq!(pendulum.dimension(), 1);
//! # Ok::<(), carom_model::SystemError>(())
//! ```

mod dependencies;
mod fields;

use crate::contact::Contact;
use crate::frame::{Frame, VectorField};
use crate::system::{Coordinate, Input, Named, Parameter, System};
use carom_expr::text::{is_name, reserved_names};
use carom_expr::{Graph, Id};
use dependencies::check_dependencies;
use std::sync::OnceLock;

/// Why a description is not a mechanical system.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // the fields say what the messages show
pub enum SystemError {
    #[error("the system has no coordinates; declare at least one")]
    NoCoordinates,
    #[error("the system has no Lagrangian")]
    NoLagrangian,
    #[error("`{name}` is declared twice; every name must be unique")]
    DuplicateName { name: String },
    #[error("`{name}` cannot be used as a name: use letters, digits and `_`, not {reserved}")]
    BadName { name: String, reserved: String },
    #[error("{place} uses `{variable}`, which is not declared")]
    Undeclared { place: String, variable: String },
    #[error("{place} may depend on {allowed} only, but uses `{variable}`")]
    NotAllowed { place: String, variable: String, allowed: &'static str },
    #[error("parameter `{name}` is {value}, which is not a finite number")]
    BadParameter { name: String, value: f64 },
    #[error("there is a force on `{name}`, which is not a coordinate; coordinates: {known}")]
    UnknownForceCoordinate { name: String, known: String },
    #[error("there are {constraints} constraints on {coordinates} coordinates; nothing is left to move")]
    TooManyConstraints { constraints: usize, coordinates: usize },
    #[error(
        "{fields} fields and {constraints} velocity constraints do not fit {coordinates} coordinates: there must be as many fields as there are admissible directions"
    )]
    FrameSize { fields: usize, constraints: usize, coordinates: usize },
    #[error("the complement has {found} fields; {needed} complete the frame")]
    ComplementSize { found: usize, needed: usize },
    #[error("field `{field}` has {found} components; there are {coordinates} coordinates")]
    FieldSize { field: String, found: usize, coordinates: usize },
    #[error("field `{field}` violates velocity constraint `{constraint}`: omega({field}) = {value:.3e}")]
    NotAdmissible { field: String, constraint: String, value: f64 },
    #[error("the fields {names} of the frame are linearly dependent everywhere")]
    DependentFields { names: String },
    #[error(
        "{fields} fields are too many to derive velocity constraints from; give these as well, in [velocity_constraints]"
    )]
    TooManyFields { fields: usize },
    #[error("contact `{contact}` has the law `{law}`, whose impacts cannot be undone: only elastic ones can")]
    NotReversible { contact: String, law: String },
}

/// Collects the parts of a [`System`].
#[derive(Clone, Debug, Default)]
pub struct SystemBuilder {
    name: String,
    doc: Option<String>,
    coordinates: Vec<Coordinate>,
    parameters: Vec<Parameter>,
    formulas: Vec<(String, Id)>,
    inputs: Vec<Input>,
    definitions: Vec<Named>,
    lagrangian: Option<Id>,
    forces: Vec<(String, Id)>,
    constraints: Vec<Named>,
    velocity_constraints: Vec<Named>,
    fields: Vec<VectorField>,
    complement: Vec<VectorField>,
    contacts: Vec<Contact>,
}

impl SystemBuilder {
    /// An empty description.
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }

    /// What the system is, in a sentence or two.
    pub fn doc(mut self, doc: &str) -> Self {
        self.doc = Some(doc.to_owned());
        self
    }

    /// Adds a coordinate by name.
    pub fn coordinate(self, name: &str) -> Self {
        self.coordinate_with(Coordinate { name: name.to_owned(), ..Coordinate::default() })
    }

    /// Adds a coordinate with unit, period and documentation.
    pub fn coordinate_with(mut self, coordinate: Coordinate) -> Self {
        self.coordinates.push(coordinate);
        self
    }

    /// Adds a parameter.
    pub fn parameter(self, name: &str, value: f64) -> Self {
        self.parameter_with(Parameter { name: name.to_owned(), value, unit: None, doc: None })
    }

    /// Adds a parameter with unit and documentation.
    pub fn parameter_with(mut self, parameter: Parameter) -> Self {
        self.parameters.push(parameter);
        self
    }

    /// Says how the value of a parameter follows from others, so that it goes along where those are varied.
    pub fn parameter_formula(mut self, name: &str, formula: Id) -> Self {
        self.formulas.push((name.to_owned(), formula));
        self
    }

    /// Adds a control input with the signal that drives it.
    pub fn input(self, name: &str, signal: Id) -> Self {
        self.input_with(Input { name: name.to_owned(), signal, unit: None, doc: None })
    }

    /// Adds a control input with unit and documentation.
    pub fn input_with(mut self, input: Input) -> Self {
        self.inputs.push(input);
        self
    }

    /// Names an intermediate expression, for tables and plots.
    pub fn definition(mut self, name: &str, id: Id) -> Self {
        self.definitions.push(Named { name: name.to_owned(), id });
        self
    }

    /// The Lagrangian `L(q, v, t)`.
    pub fn lagrangian(mut self, id: Id) -> Self {
        self.lagrangian = Some(id);
        self
    }

    /// A generalised force on one coordinate; several add up.
    pub fn force(mut self, coordinate: &str, id: Id) -> Self {
        self.forces.push((coordinate.to_owned(), id));
        self
    }

    /// A holonomic constraint `g(q) = 0`.
    pub fn constraint(mut self, name: &str, id: Id) -> Self {
        self.constraints.push(Named { name: name.to_owned(), id });
        self
    }

    /// A velocity constraint `omega(q) . v = 0`.
    pub fn velocity_constraint(mut self, name: &str, id: Id) -> Self {
        self.velocity_constraints.push(Named { name: name.to_owned(), id });
        self
    }

    /// A vector field, by its components along the coordinates. The fields span the admissible velocities,
    /// and their names are those of the quasivelocities. Where no velocity constraint is given, the fields
    /// determine them.
    pub fn field(mut self, name: &str, components: Vec<Id>) -> Self {
        self.fields.push(VectorField { name: name.to_owned(), components });
        self
    }

    /// A vector field that is not admissible and completes the frame.
    pub fn complement(mut self, name: &str, components: Vec<Id>) -> Self {
        self.complement.push(VectorField { name: name.to_owned(), components });
        self
    }

    /// A contact.
    pub fn contact(mut self, contact: Contact) -> Self {
        self.contacts.push(contact);
        self
    }

    /// Checks the description and finishes it.
    pub fn build(self, mut graph: Graph) -> Result<System, SystemError> {
        self.check_names()?;
        let time = graph.variable("t");
        let q: Vec<Id> = self.coordinates.iter().map(|c| graph.variable(&c.name)).collect();
        let v: Vec<Id> = self.coordinates.iter().map(|c| graph.variable(&format!("{}'", c.name))).collect();
        let forces = self.total_forces(&mut graph)?;
        let rank = self.fields.len();
        let frame = (rank > 0).then(|| Frame { fields: [self.fields, self.complement].concat(), rank });
        let mut system = System {
            name: self.name,
            doc: self.doc,
            graph,
            time,
            coordinates: self.coordinates,
            q,
            v,
            parameters: self.parameters,
            formulas: self.formulas,
            inputs: self.inputs,
            definitions: self.definitions,
            lagrangian: self.lagrangian.ok_or(SystemError::NoLagrangian)?,
            forces,
            constraints: self.constraints,
            velocity_constraints: self.velocity_constraints,
            frame,
            contacts: self.contacts,
            dynamics: OnceLock::new(),
        };
        check_dependencies(&system)?;
        fields::check(&mut system)?;
        Ok(system)
    }

    fn check_names(&self) -> Result<(), SystemError> {
        if self.coordinates.is_empty() {
            return Err(SystemError::NoCoordinates);
        }
        let constraints = self.constraints.len() + self.velocity_constraints.len();
        if constraints >= self.coordinates.len() {
            let coordinates = self.coordinates.len();
            return Err(SystemError::TooManyConstraints { constraints, coordinates });
        }
        let coordinates = self.coordinates.iter().map(|c| &c.name);
        let parameters = self.parameters.iter().map(|p| &p.name);
        let mut seen: Vec<&String> = Vec::new();
        let fields = self.fields.iter().chain(&self.complement).map(|field| &field.name);
        for name in coordinates.chain(parameters).chain(self.inputs.iter().map(|u| &u.name)).chain(fields) {
            if !is_name(name) || name == "t" || reserved_names().contains(&name.as_str()) {
                let reserved = format!("t, {}", reserved_names().join(", "));
                return Err(SystemError::BadName { name: name.clone(), reserved });
            }
            if seen.contains(&name) {
                return Err(SystemError::DuplicateName { name: name.clone() });
            }
            seen.push(name);
        }
        match self.parameters.iter().find(|p| !p.value.is_finite()) {
            Some(bad) => Err(SystemError::BadParameter { name: bad.name.clone(), value: bad.value }),
            None => Ok(()),
        }
    }

    fn total_forces(&self, graph: &mut Graph) -> Result<Vec<Id>, SystemError> {
        let mut totals = vec![graph.constant(0.0); self.coordinates.len()];
        for (name, force) in &self.forces {
            let Some(index) = self.coordinates.iter().position(|c| c.name == *name) else {
                let known: Vec<&str> = self.coordinates.iter().map(|c| c.name.as_str()).collect();
                return Err(SystemError::UnknownForceCoordinate { name: name.clone(), known: known.join(", ") });
            };
            totals[index] = graph.add(totals[index], *force);
        }
        Ok(totals)
    }
}
