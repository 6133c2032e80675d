//! A whole program as JSON, for bug reports: what is loaded again evaluates to the same bits.
//!
//! ```text
//! { "format": "carom-program", "version": 1,
//!   "variables":  [{"name", "lower", "upper", "start", "stage"}, ..],
//!   "rows":       [{"name", "lower", "upper", "stage"}, ..],
//!   "kernels":    [{"nodes": [node, ..], "variables": [node number, ..], "data": [..], "cost": .., "rows": [..]}, ..],
//!   "placements": [{"kernel", "variables", "data", "rows"}, ..] }
//!
//! node = ["constant", number] | ["variable", name] | [operation, number of an earlier node, ..]
//! ```
//!
//! A bound that does not exist is `null`; other numbers that JSON cannot write are the strings `"inf"`,
//! `"-inf"` and `"nan"`.

use super::load;
use super::{Kernel, Placement, Program, ProgramError};
use crate::nlp::Range;
use carom_expr::{Backend, Binary, Id, Node, Unary};
use serde_json::{Value, json};

/// Version of the format.
pub(super) const VERSION: u64 = 1;
/// First field of every dump.
pub(super) const FORMAT: &str = "carom-program";

/// Operations of one operand that text has no name for.
const UNARY: [(&str, Unary); 1] = [("neg", Unary::Neg)];
/// Operations of two operands that text has no name for.
const BINARY: [(&str, Binary); 8] = [
    ("add", Binary::Add),
    ("sub", Binary::Sub),
    ("mul", Binary::Mul),
    ("div", Binary::Div),
    ("pow", Binary::Pow),
    ("less", Binary::Less),
    ("less_equal", Binary::LessEqual),
    ("equal", Binary::Equal),
];

/// Every operation of one operand, with its name in dumps.
pub(super) fn unary_operations() -> impl Iterator<Item = (&'static str, Unary)> {
    Unary::NAMED.into_iter().chain(UNARY)
}

/// Every operation of two operands, with its name in dumps.
pub(super) fn binary_operations() -> impl Iterator<Item = (&'static str, Binary)> {
    Binary::NAMED.into_iter().chain(BINARY)
}

/// Why a dump cannot be loaded; `place` is a path in it, like `kernels[0].nodes[3]`.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // the fields say what the messages show
pub enum DumpError {
    #[error("{place}: expected {expected}, found {found}")]
    Kind { place: String, expected: &'static str, found: String },
    #[error("this is version {found} of the format; version {VERSION} can be read")]
    Version { found: u64 },
    #[error("{place}: {index} is out of range, there are {count} {what}")]
    Index { place: String, index: u64, count: usize, what: &'static str },
    #[error("{place}: there is no operation `{name}`; operations: {known}")]
    Operation { place: String, name: String, known: String },
    #[error("{place}: `{name}` takes {needed} operands, found {found}")]
    Operands { place: String, name: String, needed: usize, found: usize },
    #[error("{place}: {count} inputs; a kernel of a dump may have {limit}")]
    Large { place: String, count: usize, limit: usize },
    #[error("{place}: {problem}")]
    Node { place: String, problem: &'static str },
    #[error(transparent)]
    Program(#[from] ProgramError),
}

impl Program {
    /// The whole program as JSON.
    pub fn dump(&self) -> Value {
        let range = |range: &Range| (bound(range.lower, f64::NEG_INFINITY), bound(range.upper, f64::INFINITY));
        let variables = self.variables.iter().map(|variable| {
            let (lower, upper) = range(&variable.range);
            let start = number(variable.start);
            json!({"name": variable.name, "lower": lower, "upper": upper, "start": start, "stage": variable.stage})
        });
        let rows = self.rows.iter().map(|row| {
            let (lower, upper) = range(&row.range);
            json!({"name": row.name, "lower": lower, "upper": upper, "stage": row.stage})
        });
        json!({
            "format": FORMAT,
            "version": VERSION,
            "variables": variables.collect::<Vec<_>>(),
            "rows": rows.collect::<Vec<_>>(),
            "kernels": self.sources.iter().map(kernel).collect::<Vec<_>>(),
            "placements": self.placements.iter().map(placement).collect::<Vec<_>>(),
        })
    }

    /// The program behind a dump.
    pub fn load(dump: &Value, backend: Backend) -> Result<Self, DumpError> {
        load::load(dump, backend)
    }
}

fn kernel(kernel: &Kernel) -> Value {
    // The graph of a kernel holds nothing that is not needed, operands before users.
    let roots = [&kernel.variables[..], &kernel.data, &kernel.rows, kernel.cost.as_slice()].concat();
    let nodes: Vec<Value> = kernel.graph.reachable(&roots).into_iter().map(|id| node(kernel, id)).collect();
    let places = |ids: &[Id]| ids.iter().map(|id| id.index()).collect::<Vec<_>>();
    json!({
        "nodes": nodes,
        "variables": places(&kernel.variables),
        "data": places(&kernel.data),
        "cost": kernel.cost.map(Id::index),
        "rows": places(&kernel.rows),
    })
}

fn node(kernel: &Kernel, id: Id) -> Value {
    match kernel.graph.node(id) {
        Node::Constant(bits) => json!(["constant", number(f64::from_bits(bits))]),
        Node::Variable(_) => json!(["variable", kernel.graph.variable_name(id)]),
        Node::Unary(op, a) => {
            let name = unary_operations().find(|(_, known)| *known == op).map(|(name, _)| name);
            json!([name, a.index()])
        }
        Node::Binary(op, a, b) => {
            let name = binary_operations().find(|(_, known)| *known == op).map(|(name, _)| name);
            json!([name, a.index(), b.index()])
        }
        Node::Select(c, a, b) => json!(["if", c.index(), a.index(), b.index()]),
    }
}

fn placement(placement: &Placement) -> Value {
    let data: Vec<Value> = placement.data.iter().copied().map(number).collect();
    json!({"kernel": placement.kernel, "variables": placement.variables, "data": data, "rows": placement.rows})
}

fn bound(value: f64, absent: f64) -> Value {
    if value == absent { Value::Null } else { number(value) }
}

fn number(value: f64) -> Value {
    if value.is_finite() {
        json!(value)
    } else if value.is_nan() {
        json!("nan")
    } else {
        json!(if value > 0.0 { "inf" } else { "-inf" })
    }
}
