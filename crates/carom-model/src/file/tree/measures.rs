//! Lengths, masses and the like: numbers or expressions of parameters, which stay variables of the graph. What is wrong is
//! reported, and zero from there on.

use super::super::assemble::Assembly;
use super::super::document::Value;
use super::super::expressions::MAX_NODES;
use super::super::roles::{Role, Uses};
use super::super::source::Place;
use crate::tree::{Vector, constant};
use carom_expr::Id;

/// An expression, and its value with the parameters as they are.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Measure {
    pub id: Id,
    pub value: f64,
}

impl Assembly<'_, '_> {
    /// The expression and the number behind a value.
    pub(in super::super) fn measure(&mut self, value: Option<&Value>, what: &str) -> Measure {
        let found = value.and_then(|value| {
            let number = self.numbers.evaluate(self.report, value, what)?;
            let role = Role { name: "a tree", allowed: Uses::NOTHING };
            Some(Measure { id: self.expressions.read(self.report, value, role)?, value: number })
        });
        found.unwrap_or_else(|| Measure { id: self.expressions.graph.constant(0.0), value: 0.0 })
    }

    /// Three of them.
    pub(in super::super) fn measures(&mut self, values: Option<&[Value; 3]>, what: &str) -> [Measure; 3] {
        std::array::from_fn(|i| self.measure(values.map(|values| &values[i]), what))
    }

    /// A vector of expressions.
    pub(in super::super) fn vector(&mut self, values: Option<&[Value; 3]>, what: &str) -> Vector {
        match values {
            Some(_) => self.measures(values, what).map(|measure| measure.id),
            None => constant(&mut self.expressions.graph, [0.0; 3]),
        }
    }

    /// A vector of numbers.
    pub(in super::super) fn evaluate(&mut self, values: Option<&[Value; 3]>, what: &str) -> [f64; 3] {
        let Some(values) = values else { return [0.0; 3] };
        std::array::from_fn(|i| self.numbers.evaluate(self.report, &values[i], what).unwrap_or(0.0))
    }

    /// The same for a direction; it is reported if it has no length.
    pub(in super::super) fn direction(&mut self, values: &[Value; 3], what: &str) -> Option<[f64; 3]> {
        let numbers: Vec<Option<f64>> =
            values.iter().map(|value| self.numbers.evaluate(self.report, value, what)).collect();
        let numbers: Option<Vec<f64>> = numbers.into_iter().collect();
        let direction: [f64; 3] = numbers?.try_into().ok()?;
        let length = direction.iter().map(|part| part * part).sum::<f64>().sqrt();
        if length.is_finite() && length > 0.0 {
            return Some(direction);
        }
        let place = values[0].place();
        let message = format!("{what} has the length {length}; it must have a direction");
        self.report.error("no-direction", place, message, Some("write, for example, `[0, 0, 1]`".to_owned()));
        None
    }

    /// A number that must not be negative.
    pub(in super::super) fn not_negative(&mut self, value: Option<&Value>, what: &str) -> Measure {
        let measure = self.measure(value, what);
        if let (Some(value), true) = (value, measure.value < 0.0) {
            let message = format!("{what} is {}; it must not be negative", measure.value);
            let help = "write a number that is zero or greater, or change the parameters that it depends on".to_owned();
            self.report.error("out-of-range", value.place(), message, Some(help));
        }
        measure
    }

    /// Parameters with their values.
    pub(in super::super) fn known(&self) -> Vec<(Id, f64)> {
        let values = self.numbers.values.iter().enumerate();
        values.filter_map(|(index, value)| Some((self.expressions.parameter(index)?, (*value)?))).collect()
    }

    /// False if the expressions have become too many, which is reported once.
    pub(in super::super) fn is_small(&mut self, place: Place) -> bool {
        if self.expressions.is_too_large() && !self.report.has_errors() {
            let message = format!("the expressions of the model have more than {MAX_NODES} nodes together");
            self.report.error("too-large", place, message, Some("split the model".to_owned()));
        }
        !self.expressions.is_too_large()
    }
}
