//! Reads a dump; nothing in it is trusted, every error names its place.

use super::dump::{DumpError, FORMAT, VERSION, binary_operations, unary_operations};
use super::{Kernel, Placement, Program, Row, Variable};
use crate::nlp::Range;
use carom_expr::{Backend, Binary, Graph, Id, Node, Unary};
use serde_json::Value;
use std::collections::HashSet;

/// Most variables of one kernel: the work of differentiation grows with their square.
const LARGEST_KERNEL: usize = 5_000;

type Result<T> = std::result::Result<T, DumpError>;

/// A value and its path.
struct At<'a> {
    value: &'a Value,
    place: String,
}

pub(super) fn load(dump: &Value, backend: Backend) -> Result<Program> {
    let dump = At { value: dump, place: String::new() };
    let format = dump.field("format")?;
    if format.text()? != FORMAT {
        return Err(format.wrong("`carom-program`"));
    }
    let found = dump.field("version")?.whole()?;
    if found != VERSION {
        return Err(DumpError::Version { found });
    }
    let variables = dump.field("variables")?.map(variable)?;
    let rows = dump.field("rows")?.map(row)?;
    let kernels = dump.field("kernels")?.map(kernel)?;
    let counts = (kernels.len(), variables.len(), rows.len());
    let placements = dump.field("placements")?.map(|at| placement(at, counts))?;
    Ok(Program::new(variables, rows, kernels, placements, backend)?)
}

fn variable(at: At<'_>) -> Result<Variable> {
    let name = at.field("name")?.text()?.to_owned();
    Ok(Variable { name, range: range(&at)?, start: at.field("start")?.number()?, stage: at.field("stage")?.small()? })
}

fn row(at: At<'_>) -> Result<Row> {
    Ok(Row { name: at.field("name")?.text()?.to_owned(), range: range(&at)?, stage: at.field("stage")?.small()? })
}

fn range(at: &At<'_>) -> Result<Range> {
    let bound = |at: At<'_>, absent: f64| if at.value.is_null() { Ok(absent) } else { at.number() };
    Ok(Range { lower: bound(at.field("lower")?, f64::NEG_INFINITY)?, upper: bound(at.field("upper")?, f64::INFINITY)? })
}

fn placement(at: At<'_>, (kernels, variables, rows): (usize, usize, usize)) -> Result<Placement> {
    let list = |name, count, what| at.field(name)?.map(|at| at.index(count, what).map(|index| index as u32));
    Ok(Placement {
        kernel: at.field("kernel")?.index(kernels, "kernels")?,
        variables: list("variables", variables, "variables")?,
        data: at.field("data")?.map(|at| at.number())?,
        rows: list("rows", rows, "rows")?,
    })
}

fn kernel(at: At<'_>) -> Result<Kernel> {
    let (mut graph, mut ids, mut names) = (Graph::new(), Vec::new(), HashSet::new());
    at.field("nodes")?.map(|at| {
        let id = node(&mut graph, &ids, &mut names, &at)?;
        ids.push(id);
        Ok(())
    })?;
    let one = |at: At<'_>| at.index(ids.len(), "nodes").map(|index| ids[index]);
    // Inputs are variables, each of them once.
    let mut seen = HashSet::new();
    let mut input = |at: At<'_>| {
        let place = at.place.clone();
        let id = one(at)?;
        match (graph.variable_name(id), seen.insert(id)) {
            (None, _) => Err(DumpError::Node { place, problem: "this node is not a variable" }),
            (_, false) => Err(DumpError::Node { place, problem: "this variable is an input already" }),
            _ => Ok(id),
        }
    };
    let variables = at.field("variables")?.map(&mut input)?;
    let data = at.field("data")?.map(&mut input)?;
    let (count, limit) = (variables.len() + data.len(), LARGEST_KERNEL);
    if count > limit {
        return Err(DumpError::Large { place: at.place, count, limit });
    }
    let cost = at.field("cost")?;
    let cost = if cost.value.is_null() { None } else { Some(one(cost)?) };
    let rows = at.field("rows")?.map(one)?;
    Ok(Kernel::new(graph, &variables, &data, cost, &rows))
}

/// One node; its operands are among `ids`, the nodes before it.
fn node(graph: &mut Graph, ids: &[Id], names: &mut HashSet<String>, at: &At<'_>) -> Result<Id> {
    let parts = at.list()?;
    let name = parts.first().ok_or_else(|| at.wrong("an operation and its operands"))?.text()?;
    let needs = |needed: usize| {
        let (place, name, found) = (at.place.clone(), name.to_owned(), parts.len() - 1);
        if found == needed { Ok(()) } else { Err(DumpError::Operands { place, name, needed, found }) }
    };
    let operand = |position: usize| parts[position].index(ids.len(), "nodes before it").map(|index| ids[index]);
    let bad = |problem| DumpError::Node { place: at.place.clone(), problem };
    let node = if name == "constant" {
        needs(1)?;
        return Ok(graph.constant(parts[1].number()?));
    } else if name == "variable" {
        needs(1)?;
        let name = parts[1].text()?;
        if name.starts_with('[') {
            return Err(bad("names that begin with `[` are reserved"));
        }
        if !names.insert(name.to_owned()) {
            return Err(bad("there is a variable of this name already"));
        }
        return Ok(graph.variable(name));
    } else if let Some((_, op)) = unary_operations().find(|(known, _)| *known == name) {
        needs(1)?;
        Node::Unary(op, operand(1)?)
    } else if let Some((_, op)) = binary_operations().find(|(known, _)| *known == name) {
        needs(2)?;
        Node::Binary(op, operand(1)?, operand(2)?)
    } else if name == "if" {
        needs(3)?;
        Node::Select(operand(1)?, operand(2)?, operand(3)?)
    } else {
        let operations = unary_operations().map(|op| op.0).chain(binary_operations().map(|op| op.0));
        let known = ["constant", "variable", "if"].into_iter().chain(operations).collect::<Vec<_>>().join(", ");
        return Err(DumpError::Operation { place: at.place.clone(), name: name.to_owned(), known });
    };
    if has_factor_of_factor(graph, node) {
        return Err(bad("a sign or number times another one; numbers are multiplied out"));
    }
    graph.verbatim(node).ok_or_else(|| bad("an operand is not there yet"))
}

/// `--x`, `-(2 x)`, `2 (3 x)`: construction never leaves them, and simplification recurses along chains of them.
fn has_factor_of_factor(graph: &Graph, node: Node) -> bool {
    let inner = |node: Node| match node {
        Node::Unary(Unary::Neg, a) => Some(a),
        Node::Binary(Binary::Mul, c, a) if graph.value(c).is_some() => Some(a),
        _ => None,
    };
    inner(node).is_some_and(|operand| graph.value(operand).is_some() || inner(graph.node(operand)).is_some())
}

impl<'a> At<'a> {
    fn field(&self, name: &str) -> Result<At<'a>> {
        let place = if self.place.is_empty() { name.to_owned() } else { format!("{}.{name}", self.place) };
        let Some(fields) = self.value.as_object() else { return Err(self.wrong("an object")) };
        let found = || "nothing".to_owned();
        let missing = || DumpError::Kind { place: place.clone(), expected: "a value", found: found() };
        Ok(At { value: fields.get(name).ok_or_else(missing)?, place })
    }

    fn list(&self) -> Result<Vec<At<'a>>> {
        let list = self.value.as_array().ok_or_else(|| self.wrong("a list"))?;
        let entry = |(index, value)| At { value, place: format!("{}[{index}]", self.place) };
        Ok(list.iter().enumerate().map(entry).collect())
    }

    fn map<T>(&self, read: impl FnMut(At<'a>) -> Result<T>) -> Result<Vec<T>> {
        self.list()?.into_iter().map(read).collect()
    }

    fn text(&self) -> Result<&'a str> {
        self.value.as_str().ok_or_else(|| self.wrong("a text"))
    }

    fn whole(&self) -> Result<u64> {
        self.value.as_u64().ok_or_else(|| self.wrong("a whole number"))
    }

    fn small(&self) -> Result<u32> {
        u32::try_from(self.whole()?).map_err(|_| self.wrong("a whole number below 2^32"))
    }

    fn number(&self) -> Result<f64> {
        match (self.value.as_f64(), self.value.as_str()) {
            (Some(value), _) => Ok(value),
            (_, Some("inf")) => Ok(f64::INFINITY),
            (_, Some("-inf")) => Ok(f64::NEG_INFINITY),
            (_, Some("nan")) => Ok(f64::NAN),
            _ => Err(self.wrong("a number")),
        }
    }

    /// A whole number below `count`.
    fn index(&self, count: usize, what: &'static str) -> Result<usize> {
        let index = self.whole()?;
        let place = self.place.clone();
        usize::try_from(index).ok().filter(|&index| index < count).ok_or(DumpError::Index { place, index, count, what })
    }

    fn wrong(&self, expected: &'static str) -> DumpError {
        // Long values are cut: the place says where to look.
        let mut found: String = self.value.to_string().chars().take(40).collect();
        if found.chars().count() == 40 {
            found.push_str("..");
        }
        let place = if self.place.is_empty() { "the dump".to_owned() } else { self.place.clone() };
        DumpError::Kind { place, expected, found }
    }
}
