//! Programs written as formulas.
//!
//! ```
//! use carom_nlp::{Formulas, Range};
//! use carom_expr::Backend;
//!
//! let program = Formulas::new()
//!     .variable("x1", Range::FREE, -1.2)
//!     .variable("x2", Range::at_least(0.0), 1.0)
//!     .objective("100*(x2 - x1^2)^2 + (1 - x1)^2")
//!     .row("disc", "x1^2 + x2^2", Range::at_most(2.0))
//!     .build(Backend::default())?;
//! assert_eq!(program.kernels().len(), 2);
//! # Ok::<(), carom_nlp::FormulaError>(())
//! ```
//!
//! Every formula becomes a kernel of its own over the variables it uses, so that the patterns are exact.

use super::{Kernel, Placement, Program, ProgramError, Row, Variable};
use crate::nlp::Range;
use crate::outcome::Place;
use carom_expr::text::{NameError, Names, ParseError, is_name, parse, reserved_names};
use carom_expr::{Backend, Graph, Id};
use std::collections::HashMap;

/// Collects variables and formulas; [`Formulas::build`] reads them.
#[derive(Clone, Debug, Default)]
pub struct Formulas {
    variables: Vec<Variable>,
    rows: Vec<Row>,
    /// Each formula, and the row it stands for; none for the objective.
    texts: Vec<(Option<usize>, String)>,
}

/// What is wrong with a program of formulas.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // the fields say what the messages show
pub enum FormulaError {
    #[error("`{name}` cannot name a variable: letters, digits and `_`, no digit first, no name of a function")]
    Name { name: String },
    #[error("{place} is given twice")]
    Twice { place: Place },
    #[error(
        "{place}, bytes {} to {} of `{text}`: {error}{}",
        error.span.start,
        error.span.end,
        error.help().map(|help| format!("; {help}")).unwrap_or_default()
    )]
    Text { place: Place, text: String, error: Box<ParseError> },
    #[error(transparent)]
    Program(#[from] ProgramError),
}

impl Formulas {
    /// No variables, no rows, and zero for an objective.
    pub fn new() -> Self {
        Self::default()
    }

    /// A further variable.
    #[must_use]
    pub fn variable(mut self, name: &str, range: Range, start: f64) -> Self {
        self.variables.push(Variable { name: name.to_owned(), range, start, stage: 0 });
        self
    }

    /// What is to be minimised; several calls are summed.
    #[must_use]
    pub fn objective(mut self, text: &str) -> Self {
        self.texts.push((None, text.to_owned()));
        self
    }

    /// A further row.
    #[must_use]
    pub fn row(mut self, name: &str, text: &str, range: Range) -> Self {
        self.texts.push((Some(self.rows.len()), text.to_owned()));
        self.rows.push(Row { name: name.to_owned(), range, stage: 0 });
        self
    }

    /// Reads all formulas, differentiates and compiles them.
    pub fn build(self, backend: Backend) -> Result<Program, FormulaError> {
        let names = self.numbered()?;
        let (mut kernels, mut placements) = (Vec::new(), Vec::new());
        for (row, text) in &self.texts {
            let mut graph = Graph::new();
            let root = parse(&mut graph, text, &mut Known(&names)).map_err(|error| {
                let place = row.map_or(Place::Objective, |row| Place::Row(self.rows[row].name.clone()));
                FormulaError::Text { place, text: text.clone(), error: Box::new(error) }
            })?;
            // A kernel over just the variables that are left after simplification.
            let used = graph.free_variables(&[root]);
            let number = |&id: &Id| names[graph.variable_name(id).expect("a variable")];
            let variables = used.iter().map(number).collect();
            let rows: Vec<u32> = row.iter().map(|&row| row as u32).collect();
            placements.push(Placement { kernel: kernels.len(), variables, data: Vec::new(), rows });
            kernels.push(match row {
                Some(_) => Kernel::new(graph, &used, &[], None, &[root]),
                None => Kernel::new(graph, &used, &[], Some(root), &[]),
            });
        }
        Ok(Program::new(self.variables, self.rows, kernels, placements, backend)?)
    }

    /// The number of every variable; names must have a meaning, and one only.
    fn numbered(&self) -> Result<HashMap<String, u32>, FormulaError> {
        let (mut names, mut rows) = (HashMap::new(), HashMap::new());
        for (number, Variable { name, .. }) in self.variables.iter().enumerate() {
            if !is_name(name) || reserved_names().contains(&name.as_str()) {
                return Err(FormulaError::Name { name: name.clone() });
            }
            if names.insert(name.clone(), number as u32).is_some() {
                return Err(FormulaError::Twice { place: Place::Variable(name.clone()) });
            }
        }
        for Row { name, .. } in &self.rows {
            if rows.insert(name, ()).is_some() {
                return Err(FormulaError::Twice { place: Place::Row(name.clone()) });
            }
        }
        Ok(names)
    }
}

/// The names of the variables, for the parser.
struct Known<'a>(&'a HashMap<String, u32>);

impl Names for Known<'_> {
    fn resolve(&mut self, graph: &mut Graph, name: &str, primes: usize) -> Result<Id, NameError> {
        // Nothing here has a rate of change.
        let is_known = primes == 0 && self.0.contains_key(name);
        if is_known { Ok(graph.variable(name)) } else { Err(NameError::Unknown) }
    }

    fn known(&self) -> Vec<String> {
        let mut names: Vec<(&String, &u32)> = self.0.iter().collect();
        names.sort_by_key(|(_, number)| **number);
        names.into_iter().map(|(name, _)| name.clone()).collect()
    }
}
