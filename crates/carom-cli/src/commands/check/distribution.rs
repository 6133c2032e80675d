//! What the velocity constraints and the frame of a model are, in words and as JSON.

use crate::table::{Table, number};
use carom::model::{Distribution, FrameState, StructureFunction, Verdict};
use serde_json::{Value, json};

/// Significant digits of volumes.
const DIGITS: usize = 3;

/// Rows about the distribution.
pub fn rows(table: &mut Table, distribution: &Distribution) {
    let surface = format!("rank {} on a surface of dimension {}", distribution.rank, distribution.dimension);
    let has_surface = distribution.dimension < distribution.rank + distribution.constraint_rank;
    let rank = if has_surface { surface } else { format!("rank {}", distribution.rank) };
    table.row(["distribution", &format!("{rank}, {}", verdict(distribution))]);
    let start = &distribution.growth_at_start;
    if !start.is_empty() && *start != distribution.growth {
        table.row(["", &format!("at the initial state it grows {}", growth(start, distribution))]);
    }
    let (here, nearby) = (distribution.constraint_rank_at_start, distribution.constraint_rank);
    if here != nearby {
        table.row(["", &format!("at the initial state the rank of the constraints is {here}, nearby {nearby}")]);
    } else if distribution.rank_changes {
        table.row(["", &format!("near the initial state the rank of the constraints is less than {nearby}")]);
    }
}

fn verdict(distribution: &Distribution) -> String {
    let grows = format!("grows {}", growth(&distribution.growth, distribution));
    match distribution.verdict {
        Verdict::Holonomic if distribution.rank == 1 => {
            "holonomic in truth: a distribution of rank one is always integrable".to_owned()
        }
        Verdict::Holonomic => "integrable: holonomic in truth".to_owned(),
        Verdict::PartlyHolonomic { hidden: 1 } => {
            format!("{grows}: 1 holonomic constraint is hidden in the velocity constraints")
        }
        Verdict::PartlyHolonomic { hidden } => {
            format!("{grows}: {hidden} holonomic constraints are hidden in the velocity constraints")
        }
        Verdict::Nonholonomic => format!("{grows}: nonholonomic"),
        Verdict::Unknown => format!("{grows}: not known, the expressions are too large"),
    }
}

/// `(2, 3, 5)`, with dots where the end is not known.
fn growth(dimensions: &[usize], distribution: &Distribution) -> String {
    let numbers: Vec<String> = dimensions.iter().map(usize::to_string).collect();
    let is_open = distribution.verdict == Verdict::Unknown || dimensions.last() != distribution.growth.last();
    format!("({}{})", numbers.join(", "), if is_open { ", ..." } else { "" })
}

/// Rows about the frame.
pub fn frame_rows(table: &mut Table, frame: &FrameState) {
    let regular = if frame.is_regular { "regular" } else { "fields are dependent" };
    let mass = match frame.has_constant_mass {
        Some(true) => ", reduced mass matrix constant",
        Some(false) => ", reduced mass matrix not constant",
        None => "",
    };
    let volume = number(frame.volume, DIGITS);
    let text = format!("{}; {regular} at the initial state (volume {volume}){mass}", frame.fields.join(", "));
    table.row(["frame", &text]);
    match &frame.structure {
        None => table.row(["", "its brackets are not derived: there are too many coordinates"]),
        Some(structure) if structure.is_empty() => table.row(["", "its fields commute"]),
        Some(structure) => table.list("", brackets(structure)),
    }
    if let Some(equations) = &frame.equations {
        table.list("Hamel's equations", equations.iter().cloned());
    }
}

/// `[u1, u2] = c u3 + ...`, one line per pair.
fn brackets(structure: &[StructureFunction]) -> Vec<String> {
    let mut lines: Vec<(&[String; 2], Vec<String>)> = Vec::new();
    for function in structure {
        match lines.last_mut() {
            Some((pair, terms)) if *pair == &function.fields => terms.push(term(function)),
            _ => lines.push((&function.fields, vec![term(function)])),
        }
    }
    let line = |([u, w], terms): (&[String; 2], Vec<String>)| format!("[{u}, {w}] = {}", terms.join(" + "));
    lines.into_iter().map(line).collect()
}

fn term(function: &StructureFunction) -> String {
    let along = &function.along;
    match function.expression.as_deref() {
        None => format!("(...)*{along}"),
        Some("1") => along.clone(),
        Some("-1") => format!("-{along}"),
        Some(text) if text.contains(' ') => format!("({text})*{along}"),
        Some(text) => format!("{text}*{along}"),
    }
}

/// The distribution as an object.
pub fn json(distribution: &Distribution) -> Value {
    let (word, hidden) = match distribution.verdict {
        Verdict::Holonomic => ("holonomic", Some(distribution.dimension - distribution.rank)),
        Verdict::PartlyHolonomic { hidden } => ("partly holonomic", Some(hidden)),
        Verdict::Nonholonomic => ("nonholonomic", Some(0)),
        Verdict::Unknown => ("unknown", None),
    };
    json!({
        "rank": distribution.rank,
        "dimension": distribution.dimension,
        "growth": distribution.growth,
        "growth_at_start": distribution.growth_at_start,
        "verdict": word,
        "hidden": hidden,
        "constraint_rank": distribution.constraint_rank,
        "constraint_rank_at_start": distribution.constraint_rank_at_start,
        "rank_changes": distribution.rank_changes,
    })
}

/// The frame as an object.
pub fn frame_json(frame: &FrameState) -> Value {
    let entry = |function: &StructureFunction| json!({ "fields": function.fields, "along": function.along, "expression": function.expression });
    json!({
        "fields": frame.fields,
        "volume": frame.volume,
        "regular": frame.is_regular,
        "structure": frame.structure.as_ref().map(|all| all.iter().map(entry).collect::<Vec<_>>()),
        "constant_mass": frame.has_constant_mass,
        "equations": frame.equations,
    })
}
