//! Numbers that may be written as expressions of parameters.

use super::declarations::Declared;
use super::document::Value;
use super::names::{Meaning, NameTable};
use super::order::order;
use super::source::Report;
use super::suggest::{rate, suggest};
use carom_expr::text::{NameError, Names, ParseError, ParseErrorKind, parse};
use carom_expr::{Graph, Id};

/// Values of the parameters, and which of them anything depends on.
pub(super) struct Numbers<'a> {
    table: &'a NameTable,
    /// Empty where the value is wrong, which was reported.
    pub values: Vec<Option<f64>>,
    pub used: Vec<bool>,
    /// The expression at hand uses a value that is wrong.
    poisoned: bool,
}

impl<'a> Numbers<'a> {
    /// Computes the parameters, each after those that it uses.
    pub fn new(report: &mut Report, table: &'a NameTable, parameters: &[Declared]) -> Self {
        let count = parameters.len();
        let mut numbers = Self { table, values: vec![None; count], used: vec![false; count], poisoned: false };
        for index in order(report, parameters, "parameter") {
            let Some(parameter) = parameters.get(index) else { continue };
            let what = format!("parameter `{}`", parameter.name);
            let value = parameter.value.as_ref().and_then(|value| numbers.evaluate(report, value, &what));
            if let Some(slot) = numbers.values.get_mut(index) {
                *slot = value;
            }
        }
        numbers
    }

    /// The number behind a value; nothing if there is none, which was reported.
    pub fn evaluate(&mut self, report: &mut Report, value: &Value, what: &str) -> Option<f64> {
        let text = match value {
            Value::Number(number, _) => return Some(*number),
            Value::Expression(text) => text,
        };
        let mut graph = Graph::new();
        self.poisoned = false;
        let id = match parse(&mut graph, &text.string, self) {
            Ok(id) => id,
            Err(error) => {
                report.parse_error(self.table, text.part(error.span.clone()), &error);
                return None;
            }
        };
        if self.poisoned {
            return None;
        }
        let number = graph.evaluate(&[id], &[]).first().copied().unwrap_or(f64::NAN);
        if !number.is_finite() {
            let message = format!("{what} is {number}, which is not a finite number");
            let help = "look for a division by zero, or a root or logarithm of a negative number".to_owned();
            report.error("not-finite", text.place, message, Some(help));
            return None;
        }
        Some(number)
    }

    /// A number that must be greater than zero.
    pub fn positive(&mut self, report: &mut Report, value: &Value, what: &str) -> Option<f64> {
        let number = self.evaluate(report, value, what)?;
        if number > 0.0 {
            return Some(number);
        }
        let help = "write a number greater than zero".to_owned();
        report.error("not-positive", value.place(), format!("{what} is {number}, but must be positive"), Some(help));
        None
    }
}

impl Names for Numbers<'_> {
    fn resolve(&mut self, graph: &mut Graph, name: &str, primes: usize) -> Result<Id, NameError> {
        let meaning = self.table.get(name).ok_or(NameError::Unknown)?;
        let Meaning::Parameter(index) = meaning else {
            let message = format!("`{name}` is {}, but this must be a number", meaning.describe());
            return Err(NameError::Rejected { message, help: Some("use numbers and parameters only".to_owned()) });
        };
        if primes > 0 {
            let message = format!("`{name}` is a parameter and has no rate of change");
            return Err(NameError::Rejected { message, help: Some(format!("write `{name}`")) });
        }
        if let Some(used) = self.used.get_mut(index) {
            *used = true;
        }
        let value = self.values.get(index).copied().flatten();
        self.poisoned |= value.is_none();
        Ok(graph.constant(value.unwrap_or(1.0)))
    }

    fn known(&self) -> Vec<String> {
        self.table.known(|meaning| matches!(meaning, Meaning::Parameter(_)))
    }
}

impl Report {
    /// Reports what is wrong with the text of an expression, unless it follows from another mistake.
    pub(super) fn parse_error(&mut self, table: &NameTable, place: super::source::Place, error: &ParseError) {
        let code = match &error.kind {
            ParseErrorKind::UnknownName { name, .. } => {
                if self.names_incomplete || table.is_refused(name.trim_end_matches('\'')) {
                    return;
                }
                "unknown-name"
            }
            ParseErrorKind::FunctionWithoutArguments { name } | ParseErrorKind::NotAFunction { name }
                if table.is_refused(name) =>
            {
                return;
            }
            ParseErrorKind::UnknownFunction { .. } => "unknown-function",
            ParseErrorKind::Rejected { .. } => "not-allowed",
            ParseErrorKind::TooLong { .. } | ParseErrorKind::TooDeep { .. } | ParseErrorKind::TooManyNodes { .. } => {
                "too-large"
            }
            _ => "expression",
        };
        let has_rate = |name: &str| matches!(table.get(name), Some(Meaning::Coordinate(_) | Meaning::Definition(_)));
        let help =
            match &error.kind {
                ParseErrorKind::UnknownName { name, known, .. } => {
                    let section = if name.ends_with('\'') { "coordinates" } else { "parameters" };
                    let name = name.trim_end_matches('\'');
                    Some(rate(name, has_rate).unwrap_or_else(|| {
                        suggest(name, &format!("declare `{name}` in [{section}]; known names"), known)
                    }))
                }
                ParseErrorKind::Empty => Some("write a number or an expression, for example \"0\"".to_owned()),
                _ => error.help(),
            };
        self.error(code, place, error.to_string(), help);
    }
}
