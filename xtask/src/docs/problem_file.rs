//! The page of problem files.

use super::{capital, keys};
use carom_control::schema::{CONDITION, SECTIONS};
use carom_model::schema::{Form, Section};
use std::fmt::Write;

/// What stands above the sections.
const INTRODUCTION: &str = "\
# Problem file

A problem file is TOML. It names a [model file](model-file.md), or contains a model, and says what its motion should do:
phases with conditions, transitions between them, costs. `carom optimise` solves it, `carom check` tells what carom understands
of it. Single values stand above the first section. A problem needs a model, phases and costs; everything else is optional.

Formulas are texts in the names of the model: coordinates `x`, rates `x'`, inputs, parameters, definitions and time `t`.
Numbers may be expressions of parameters, in quotes.

## Ranges

| written | meaning |
|---|---|
| `x = 1` | exactly 1 |
| `x = [0, 1]` | from 0 to 1; `-inf` and `inf` where there is no bound |
| `x = { min = 0 }` | at least 0 |
| `x = { max = 1 }` | at most 1 |

## Conditions

The key of a condition is its formula, in quotes unless it is a single name: `\"x'\" = 0`, `\"x^2 + y^2\" = { max = 1 }`. A
condition with a name of its own is a table: `tip = { formula = \"x + l*sin(theta)\", range = [0, 1] }`.
";

/// The page.
pub fn page() -> String {
    let mut text = INTRODUCTION.to_owned();
    keys(&mut text, &CONDITION);
    for Section { name, form, doc, example, keys: list } in &SECTIONS {
        let title = match form {
            Form::Value => (*name).to_owned(),
            Form::Table | Form::Names => format!("[{name}]"),
            Form::List => format!("[[{name}]]"),
        };
        _ = write!(text, "\n## {title}\n\n{}.\n\n```toml\n{example}\n```\n", capital(doc));
        keys(&mut text, list);
    }
    text
}
