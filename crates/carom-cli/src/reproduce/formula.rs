//! Formulas of states: coordinates, rates, momenta, quasivelocities, parameters and definitions.

use carom::System;
use carom::expr::text::{NameError, Names, parse};
use carom::expr::{Graph, Id};

/// Values by name; rates have a prime.
pub type Values = Vec<(String, f64)>;

/// A formula that was read.
pub struct Formula {
    graph: Graph,
    root: Id,
    text: String,
}

/// Names of variables, and expressions that stand behind other names.
struct Known<'a> {
    variables: &'a [String],
    definitions: &'a [(String, Id)],
}

impl Names for Known<'_> {
    fn resolve(&mut self, graph: &mut Graph, name: &str, primes: usize) -> Result<Id, NameError> {
        let full = format!("{name}{}", "'".repeat(primes));
        if self.variables.contains(&full) {
            return Ok(graph.variable(&full));
        }
        let definition = self.definitions.iter().find(|(known, _)| *known == full);
        definition.map(|(_, id)| *id).ok_or(NameError::Unknown)
    }

    fn known(&self) -> Vec<String> {
        self.variables.iter().cloned().chain(self.definitions.iter().map(|(name, _)| name.clone())).collect()
    }
}

impl Formula {
    /// Reads a formula in the names of `values`, and of the definitions of a system.
    pub fn new(text: &str, system: Option<&System>, values: &[(String, f64)]) -> Result<Self, String> {
        let mut graph = system.map_or_else(Graph::new, |system| system.graph().clone());
        let variables: Vec<String> = values.iter().map(|(name, _)| name.clone()).collect();
        let definitions = system.map_or(&[][..], System::definitions);
        let definitions: Vec<(String, Id)> = definitions.iter().map(|named| (named.name.clone(), named.id)).collect();
        let mut names = Known { variables: &variables, definitions: &definitions };
        let root = parse(&mut graph, text, &mut names).map_err(|error| {
            let help = error.help().map_or(String::new(), |help| format!("; {help}"));
            format!("formula `{text}`: {error}{help}; names: {}", names.known().join(", "))
        })?;
        Ok(Self { graph, root, text: text.to_owned() })
    }

    /// Its value; the first of two values with the same name counts.
    pub fn at(&mut self, values: &[(String, f64)]) -> Result<f64, String> {
        let pairs: Vec<(Id, f64)> =
            values.iter().rev().map(|(name, value)| (self.graph.variable(name), *value)).collect();
        match self.graph.evaluate(&[self.root], &pairs).first() {
            Some(value) if value.is_finite() => Ok(*value),
            _ => Err(format!("formula `{}` is not a finite number", self.text)),
        }
    }
}

/// A formula of numbers with names.
pub fn number(text: &str, constants: &[(String, f64)]) -> Result<f64, String> {
    Formula::new(text, None, constants)?.at(constants)
}
