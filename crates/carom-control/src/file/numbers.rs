//! Numbers of a problem file, which may be expressions of the model's parameters.

use carom_expr::text::{NameError, Names, ParseError, ParseErrorKind, parse};
use carom_expr::{Graph, Id};
use carom_model::System;
use carom_model::reading::{Entry, Place, Report, Text, Value, rate, suggest};
use std::ops::RangeInclusive;
use toml::de::DeValue;

/// The parameters that numbers may use.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    /// Nothing if the model could not be read, which was reported: then no expression has a value.
    pub system: Option<&'a System>,
    /// Parameters that are to be found.
    pub freed: &'a [String],
}

impl Scope<'_> {
    /// A finite number; nothing if there is none, which was reported.
    pub fn number(&self, report: &mut Report, entry: &Entry<'_>, what: &str) -> Option<f64> {
        let value = report.value(entry)?;
        self.evaluate(report, &value, what)
    }

    /// A number greater than zero.
    pub fn positive(&self, report: &mut Report, entry: &Entry<'_>, what: &str) -> Option<f64> {
        let number = self.number(report, entry, what)?;
        positive(report, number, entry.place, what)
    }

    /// A positive integer up to a limit.
    pub fn count(&self, report: &mut Report, entry: &Entry<'_>, what: &str, limit: usize) -> Option<usize> {
        let number = self.number(report, entry, what)?;
        count(report, number, entry.place, what, 1..=limit)
    }

    /// An integer from 0 to a limit.
    pub fn count_or_none(&self, report: &mut Report, entry: &Entry<'_>, what: &str, limit: usize) -> Option<usize> {
        let number = self.number(report, entry, what)?;
        count(report, number, entry.place, what, 0..=limit)
    }

    /// A bound: a number, or an infinite one.
    pub fn bound(&self, report: &mut Report, entry: &Entry<'_>, what: &str) -> Option<f64> {
        let word = match entry.value {
            DeValue::Float(float) => float.as_str().to_owned(),
            DeValue::String(string) => string.trim().to_owned(),
            _ => String::new(),
        };
        match word.as_str() {
            "inf" | "+inf" => Some(f64::INFINITY),
            "-inf" => Some(f64::NEG_INFINITY),
            _ => self.number(report, entry, what),
        }
    }

    /// The number behind a value.
    pub fn evaluate(&self, report: &mut Report, value: &Value, what: &str) -> Option<f64> {
        let text = match value {
            Value::Number(number, _) => return Some(*number),
            Value::Expression(text) => text,
        };
        let mut graph = Graph::new();
        let mut names = Parameters { scope: *self, is_known: true };
        let id = match parse(&mut graph, &text.string, &mut names) {
            Ok(id) => id,
            Err(error) => {
                parse_error(report, text, &error, None);
                return None;
            }
        };
        if !names.is_known {
            return None;
        }
        let number = graph.evaluate(&[id], &[]).first().copied().unwrap_or(f64::NAN);
        if number.is_finite() {
            return Some(number);
        }
        let message = format!("{what} is {number}, which is not a finite number");
        let help = "look for a division by zero, or a root or logarithm of a negative number".to_owned();
        report.error("not-finite", text.place, message, Some(help));
        None
    }
}

/// A number greater than zero.
pub(super) fn positive(report: &mut Report, number: f64, place: Place, what: &str) -> Option<f64> {
    if number > 0.0 {
        return Some(number);
    }
    let help = "write a number greater than zero".to_owned();
    report.error("not-positive", place, format!("{what} is {number}, but must be positive"), Some(help));
    None
}

/// An integer of a range.
pub(super) fn count(
    report: &mut Report,
    number: f64,
    place: Place,
    what: &str,
    range: RangeInclusive<usize>,
) -> Option<usize> {
    let (least, limit) = (*range.start(), *range.end());
    if number >= least as f64 && number.fract() == 0.0 && number <= limit as f64 {
        return Some(number as usize);
    }
    let message = format!("{what} is {number}, but must be an integer from {least} to {limit}");
    let kind = if least == 0 { "zero or a positive integer" } else { "a positive integer" };
    report.error("not-positive", place, message, Some(format!("write {kind}")));
    None
}

/// Parameters as numbers.
struct Parameters<'a> {
    scope: Scope<'a>,
    /// False once a name was met whose value is not known.
    is_known: bool,
}

impl Names for Parameters<'_> {
    fn resolve(&mut self, graph: &mut Graph, name: &str, primes: usize) -> Result<Id, NameError> {
        let Some(system) = self.scope.system else {
            self.is_known = false;
            return Ok(graph.constant(1.0));
        };
        if self.scope.freed.iter().any(|freed| freed == name) {
            let message = format!("`{name}` is to be found, so it is no number");
            let help = format!("write a condition: a formula with `{name}` and a number for its range");
            return Err(NameError::Rejected { message, help: Some(help) });
        }
        if let Some(parameter) = system.parameters().iter().find(|parameter| parameter.name == name && primes == 0) {
            return Ok(graph.constant(parameter.value));
        }
        let is_coordinate = system.coordinates().iter().any(|coordinate| coordinate.name == name);
        if is_coordinate || name == "t" || system.inputs().iter().any(|input| input.name == name) {
            let message = format!("`{name}` varies, but this must be a number");
            return Err(NameError::Rejected { message, help: Some("use numbers and parameters only".to_owned()) });
        }
        Err(NameError::Unknown)
    }

    fn known(&self) -> Vec<String> {
        let parameters = self.scope.system.map_or(&[][..], System::parameters);
        parameters.iter().map(|parameter| parameter.name.clone()).collect()
    }
}

/// Reports what is wrong with the text of an expression; names of `system` that have rates are known.
pub(super) fn parse_error(report: &mut Report, text: &Text, error: &ParseError, system: Option<&System>) {
    let has_rate = |name: &str| {
        let coordinates = system.map_or(&[][..], System::coordinates).iter().map(|coordinate| &coordinate.name);
        let definitions = system.map_or(&[][..], System::definitions).iter().map(|definition| &definition.name);
        coordinates.chain(definitions).any(|known| known == name)
    };
    let code = match &error.kind {
        ParseErrorKind::UnknownName { .. } => "unknown-name",
        ParseErrorKind::UnknownFunction { .. } => "unknown-function",
        ParseErrorKind::Rejected { .. } => "not-allowed",
        ParseErrorKind::TooLong { .. } | ParseErrorKind::TooDeep { .. } | ParseErrorKind::TooManyNodes { .. } => {
            "too-large"
        }
        _ => "expression",
    };
    let help = match &error.kind {
        ParseErrorKind::UnknownName { name, known, .. } => {
            let name = name.trim_end_matches('\'');
            Some(rate(name, has_rate).unwrap_or_else(|| suggest(name, "known names", known)))
        }
        ParseErrorKind::Empty => Some("write a number or an expression, for example \"0\"".to_owned()),
        _ => error.help(),
    };
    report.error(code, text.part(error.span.clone()), error.to_string(), help);
}
