//! Numbers that may be written as expressions: `2*pi`, `1e-3`, `sqrt(2)`.

use carom_expr::text::{NameError, Names, parse};
use carom_expr::{Graph, Id};

/// Expressions of numbers alone.
struct NoNames;

impl Names for NoNames {
    fn resolve(&mut self, _graph: &mut Graph, _name: &str, _primes: usize) -> Result<Id, NameError> {
        Err(NameError::Unknown)
    }

    fn known(&self) -> Vec<String> {
        Vec::new()
    }
}

/// The finite number behind a text.
pub(crate) fn number(text: &str) -> Result<f64, String> {
    // Most numbers are plain.
    let plain = text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    if let Some(number) = plain {
        return Ok(number);
    }
    let mut graph = Graph::new();
    let id = parse(&mut graph, text, &mut NoNames).map_err(|error| match text.trim() {
        "" => "a number is missing".to_owned(),
        shown => format!("`{shown}` is no number: {error}"),
    })?;
    let number = graph.evaluate(&[id], &[]).first().copied().unwrap_or(f64::NAN);
    if number.is_finite() { Ok(number) } else { Err(format!("`{}` is {number}", text.trim())) }
}

/// The whole number behind a text, at least 1.
pub(crate) fn count(text: &str) -> Result<usize, String> {
    let number = number(text)?;
    // Doubles count exactly up to 2^53.
    if number >= 1.0 && number.fract() == 0.0 && number < 9e15 {
        return Ok(number as usize);
    }
    Err(format!("a count is {number}, but must be a positive integer"))
}

/// The parts of a list, at commas that stand in no brackets.
pub(crate) fn items(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0_i32, 0, Vec::new());
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth <= 0 => {
                found.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(&text[start..]);
    found
}
