//! Expressions as text, for messages and tests.

use crate::graph::{Graph, Id, Node};
use crate::op::{Binary, Unary};

/// Longest text that [`Graph::display`] writes before it breaks off.
const MAX_LENGTH: usize = 4000;

/// Deepest nesting that it follows (a sum of n terms is n deep).
const MAX_DEPTH: usize = 200;

impl Graph {
    /// The expression in the syntax of the parser (broken off with `...` if very long).
    pub fn display(&self, id: Id) -> String {
        let mut text = String::new();
        Writer { graph: self, depth: 0 }.write(id, 0, &mut text);
        text
    }
}

struct Writer<'g> {
    graph: &'g Graph,
    depth: usize,
}

impl Writer<'_> {
    /// `level` is the binding strength of the surroundings: 0 none, 1 sum, 2 product, 3 power, 4 base.
    fn write(&mut self, id: Id, level: u8, out: &mut String) {
        if out.len() > MAX_LENGTH || self.depth > MAX_DEPTH {
            if !out.ends_with("...") {
                out.push_str("...");
            }
            return;
        }
        self.depth += 1;
        self.write_node(id, level, out);
        self.depth -= 1;
    }

    fn write_node(&mut self, id: Id, level: u8, out: &mut String) {
        match self.graph.node(id) {
            Node::Constant(bits) => write_number(f64::from_bits(bits), level, out),
            Node::Variable(_) => out.push_str(self.graph.variable_name(id).unwrap_or("?")),
            Node::Unary(Unary::Neg, x) => bracket(level > 1, out, |out| {
                out.push('-');
                self.write(x, 2, out);
            }),
            Node::Unary(op, x) => {
                let name = Unary::NAMED.iter().find(|(_, named)| *named == op).map_or("?", |(name, _)| name);
                self.write_call(name, &[x], out);
            }
            Node::Binary(op, a, b) => self.write_binary(op, a, b, level, out),
            Node::Select(condition, a, b) => self.write_call("if", &[condition, a, b], out),
        }
    }

    fn write_binary(&mut self, op: Binary, a: Id, b: Id, level: u8, out: &mut String) {
        if let Some((name, _)) = Binary::NAMED.iter().find(|(_, named)| *named == op) {
            return self.write_call(name, &[a, b], out);
        }
        let (symbol, own, left, right) = infix(op);
        bracket(level > own, out, |out| {
            self.write(a, left, out);
            out.push_str(symbol);
            self.write(b, right, out);
        });
    }

    fn write_call(&mut self, name: &str, arguments: &[Id], out: &mut String) {
        out.push_str(name);
        out.push('(');
        for (i, &argument) in arguments.iter().enumerate() {
            if i > 0 {
                out.push_str(", ");
            }
            self.write(argument, 0, out);
        }
        out.push(')');
    }
}

/// Symbol of an operation between its operands, its binding strength, and those that its operands are written in.
pub(crate) fn infix(op: Binary) -> (&'static str, u8, u8, u8) {
    match op {
        Binary::Add => (" + ", 1, 1, 1),
        Binary::Sub => (" - ", 1, 1, 2),
        Binary::Mul => ("*", 2, 2, 2),
        Binary::Div => ("/", 2, 2, 3),
        Binary::Pow => ("^", 3, 4, 3),
        Binary::Less => (" < ", 0, 1, 1),
        Binary::LessEqual => (" <= ", 0, 1, 1),
        _ => (" == ", 0, 1, 1),
    }
}

fn bracket(needed: bool, out: &mut String, inside: impl FnOnce(&mut String)) {
    if needed {
        out.push('(');
    }
    inside(out);
    if needed {
        out.push(')');
    }
}

pub(crate) fn write_number(value: f64, level: u8, out: &mut String) {
    let text = match value {
        // Not written as numbers: quotients that fold to them.
        f64::INFINITY => "1/0".to_owned(),
        f64::NEG_INFINITY => "-1/0".to_owned(),
        _ if value.is_nan() => "0/0".to_owned(),
        _ => format!("{value:?}"),
    };
    let text = text.strip_suffix(".0").unwrap_or(&text);
    bracket(level > 1 && (value < 0.0 || !value.is_finite()), out, |out| out.push_str(text));
}
