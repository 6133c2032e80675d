//! Expressions of the state, and the time derivatives of definitions.

use super::declarations::Declared;
use super::document::{Text, Value};
use super::names::{Meaning, NameTable};
use super::roles::{Role, Uses};
use super::source::Report;
use carom_expr::text::{NameError, Names, parse};
use carom_expr::{Graph, Id};

/// Most nodes of all expressions of a model together.
pub(super) const MAX_NODES: usize = 2_000_000;

/// A definition that has been read.
#[derive(Clone, Copy)]
struct Definition {
    id: Id,
    uses: Uses,
    /// Its total time derivative, once it has been asked for.
    rate: Option<Id>,
}

/// Reads expressions into one graph.
pub(super) struct Expressions<'a> {
    pub graph: Graph,
    names: ModelNames<'a>,
}

impl<'a> Expressions<'a> {
    /// A graph with the variables of the model.
    pub fn new(table: &'a NameTable, coordinates: &[String], parameters: &[String], inputs: &[String]) -> Self {
        let mut graph = Graph::new();
        let mut variables = |names: &[String]| names.iter().map(|name| graph.variable(name)).collect::<Vec<_>>();
        let time = variables(&["t".to_owned()]);
        let rates: Vec<String> = coordinates.iter().map(|name| format!("{name}'")).collect();
        let (q, v) = (variables(coordinates), variables(&rates));
        let (parameters, inputs) = (variables(parameters), variables(inputs));
        let used = vec![false; parameters.len()];
        let role = Role { name: "", allowed: Uses::NOTHING };
        let (definitions, plane, uses, poisoned) = (Vec::new(), Vec::new(), Uses::NOTHING, false);
        let names =
            ModelNames { table, time, q, v, parameters, inputs, definitions, plane, used, role, uses, poisoned };
        Self { graph, names }
    }

    /// Reads the definitions in an order in which each knows those that it uses.
    pub fn define(&mut self, report: &mut Report, definitions: &[Declared], order: &[usize], points: &[Option<Id>]) {
        let allowed = Uses::COORDINATES | Uses::RATES | Uses::TIME;
        let role = Role { name: "a definition", allowed };
        // The places of points are known already, and stand after the others.
        let place = |id: &Option<Id>| id.map(|id| Definition { id, uses: Uses::COORDINATES, rate: None });
        self.names.definitions = vec![None; definitions.len()];
        self.names.definitions.extend(points.iter().map(place));
        for &index in order {
            let Some(value) = definitions.get(index).and_then(|definition| definition.value.as_ref()) else { continue };
            let id = self.read(report, value, role);
            if let (Some(id), Some(slot)) = (id, self.names.definitions.get_mut(index)) {
                *slot = Some(Definition { id, uses: self.names.uses, rate: None });
            }
        }
    }

    /// The expression behind a value; nothing if it is wrong, which was reported.
    pub fn read(&mut self, report: &mut Report, value: &Value, role: Role) -> Option<Id> {
        self.names.role = role;
        self.names.uses = Uses::NOTHING;
        self.names.poisoned = false;
        match value {
            Value::Number(number, _) => Some(self.graph.constant(*number)),
            Value::Expression(text) => self.parse(report, text),
        }
    }

    fn parse(&mut self, report: &mut Report, text: &Text) -> Option<Id> {
        match parse(&mut self.graph, &text.string, &mut self.names) {
            Ok(id) => (!self.names.poisoned).then_some(id),
            Err(error) => {
                report.parse_error(self.names.table, text.part(error.span.clone()), &error);
                None
            }
        }
    }

    /// The expression behind a definition.
    pub fn definition(&self, index: usize) -> Option<Id> {
        self.names.definitions.get(index).copied().flatten().map(|definition| definition.id)
    }

    /// Variables that stand for the drawing plane, until they are replaced.
    pub fn set_plane(&mut self, plane: Vec<(String, Id)>) {
        self.names.plane = plane;
    }

    pub fn coordinate(&self, index: usize) -> Option<Id> {
        self.names.q.get(index).copied()
    }

    pub fn parameter(&self, index: usize) -> Option<Id> {
        self.names.parameters.get(index).copied()
    }

    /// Coordinates with their rates.
    pub fn state(&self) -> Vec<(Id, Id)> {
        self.names.q.iter().copied().zip(self.names.v.iter().copied()).collect()
    }

    /// True if there are more nodes than a model may have.
    pub fn is_too_large(&self) -> bool {
        self.graph.len() > MAX_NODES
    }

    pub fn rates(&self) -> Vec<Id> {
        self.names.v.clone()
    }

    /// The parameters that an expression depends on, with their places in the list.
    pub fn parameters_in(&self, id: Id) -> Vec<(usize, Id)> {
        let found = self.graph.free_variables(&[id]);
        let parameters = self.names.parameters.iter().copied().enumerate();
        parameters.filter(|(_, parameter)| found.contains(parameter)).collect()
    }

    /// Which parameters the expressions depend on.
    pub fn used(&self) -> &[bool] {
        &self.names.used
    }
}

struct ModelNames<'a> {
    table: &'a NameTable,
    time: Vec<Id>,
    q: Vec<Id>,
    v: Vec<Id>,
    parameters: Vec<Id>,
    inputs: Vec<Id>,
    definitions: Vec<Option<Definition>>,
    plane: Vec<(String, Id)>,
    used: Vec<bool>,
    /// Where the expression at hand stands.
    role: Role,
    /// What it depends on.
    uses: Uses,
    /// It uses a definition that is wrong.
    poisoned: bool,
}

impl Names for ModelNames<'_> {
    fn resolve(&mut self, graph: &mut Graph, name: &str, primes: usize) -> Result<Id, NameError> {
        if let Some((_, id)) = self.plane.iter().find(|(plane, _)| plane == name).filter(|_| primes == 0) {
            return Ok(*id);
        }
        let meaning = self.table.get(name).ok_or(NameError::Unknown)?;
        meaning.check_primes(name, primes)?;
        let found = match meaning {
            Meaning::Time => self.time.first().map(|&id| (id, Uses::TIME)),
            Meaning::Coordinate(index) if primes == 1 => self.v.get(index).map(|&id| (id, Uses::RATES)),
            Meaning::Coordinate(index) => self.q.get(index).map(|&id| (id, Uses::COORDINATES)),
            Meaning::Input(index) => self.inputs.get(index).map(|&id| (id, Uses::INPUTS)),
            Meaning::Parameter(index) => {
                self.used.iter_mut().skip(index).take(1).for_each(|used| *used = true);
                self.parameters.get(index).map(|&id| (id, Uses::NOTHING))
            }
            Meaning::Definition(index) if primes == 1 => self.rate(graph, name, index)?,
            Meaning::Definition(index) => self.definitions.get(index).copied().flatten().map(|d| (d.id, d.uses)),
            Meaning::Field => None,
        };
        let Some((id, uses)) = found else {
            self.poisoned = true;
            return Ok(graph.constant(1.0));
        };
        self.check_role(name, primes, meaning, uses)?;
        self.uses |= uses;
        check_size(graph)?;
        Ok(id)
    }

    fn known(&self) -> Vec<String> {
        let allowed = self.role.allowed;
        self.table.known(|meaning| match meaning {
            Meaning::Time => allowed.contains(Uses::TIME),
            Meaning::Coordinate(_) => allowed.contains(Uses::COORDINATES),
            Meaning::Input(_) => allowed.contains(Uses::INPUTS),
            Meaning::Parameter(_) => true,
            Meaning::Field => false,
            Meaning::Definition(_) => allowed != Uses::NOTHING,
        })
    }
}

impl ModelNames<'_> {
    /// The total time derivative `dD/dq . v + dD/dt` of a definition.
    fn rate(&mut self, graph: &mut Graph, name: &str, index: usize) -> Result<Option<(Id, Uses)>, NameError> {
        let Some(definition) = self.definitions.get_mut(index).and_then(Option::as_mut) else { return Ok(None) };
        if definition.uses.contains(Uses::RATES) {
            let message = format!("`{name}'` would need accelerations: `{name}` depends on rates already");
            let help = "a prime can follow a definition of coordinates, time and parameters only".to_owned();
            return Err(NameError::Rejected { message, help: Some(help) });
        }
        let rate = match definition.rate {
            Some(rate) => rate,
            None => {
                let one = graph.constant(1.0);
                let mut seeds: Vec<(Id, Id)> = self.q.iter().copied().zip(self.v.iter().copied()).collect();
                seeds.extend(self.time.iter().map(|&time| (time, one)));
                let rate = graph.directional(&[definition.id], &seeds).first().copied();
                *definition.rate.insert(rate.unwrap_or(one))
            }
        };
        let moving = definition.uses.contains(Uses::COORDINATES);
        Ok(Some((rate, if moving { definition.uses | Uses::RATES } else { definition.uses })))
    }

    fn check_role(&self, name: &str, primes: usize, meaning: Meaning, uses: Uses) -> Result<(), NameError> {
        if self.role.allowed.contains(uses) {
            return Ok(());
        }
        let what = match (meaning, primes) {
            (Meaning::Coordinate(_), 1) => format!("`{name}'` is a rate"),
            (Meaning::Definition(_), _) => {
                let excess = uses.without(self.role.allowed).words();
                format!("`{name}{}` depends on {excess}", "'".repeat(primes))
            }
            _ => format!("`{name}` is {}", meaning.describe()),
        };
        let message = format!("{what}, but {} may depend on {} only", self.role.name, self.role.words());
        Err(NameError::Rejected { message, help: Some(self.role.help(uses).to_owned()) })
    }
}

fn check_size(graph: &Graph) -> Result<(), NameError> {
    if graph.len() <= MAX_NODES {
        return Ok(());
    }
    let message = format!("the expressions of the model have more than {MAX_NODES} nodes together");
    Err(NameError::Rejected { message, help: Some("split the model".to_owned()) })
}
