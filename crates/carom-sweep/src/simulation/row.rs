//! The row of a simulation.

use crate::NamedMeasure;
use crate::cells::{Cell, Column, Type};
use carom_model::Ending;
use carom_run::{Gauge, Outcome};

/// How a run ended.
pub(crate) const ENDING: &str = "ending";
/// The final time was reached.
pub(crate) const COMPLETED: &str = "completed";
/// The run stopped on the way; the row is about its last node.
const FAILED: &str = "failed";
/// The run did not begin.
const REFUSED: &str = "refused";

/// `ending, message, t, q.*, v.*, p.*, energy, energy_error, impacts` and the measures.
pub(super) fn columns(coordinates: &[String], measures: &[NamedMeasure]) -> Vec<Column> {
    let vectors = ["q", "v", "p"]
        .into_iter()
        .flat_map(|prefix| coordinates.iter().map(move |name| Column::new(format!("{prefix}.{name}"), Type::Number)));
    let texts = [Column::new(ENDING, Type::Text), Column::new("message", Type::Text)];
    let last = ["energy", "energy_error"].map(|name| Column::new(name, Type::Number));
    let measures = measures.iter().map(|own| Column::new(own.name.clone(), Type::Number));
    let t = std::iter::once(Column::new("t", Type::Number));
    let impacts = std::iter::once(Column::new("impacts", Type::Count));
    texts.into_iter().chain(t).chain(vectors).chain(last).chain(impacts).chain(measures).collect()
}

/// The row of a run.
pub(super) fn of(outcome: &Outcome, gauges: &mut [Gauge]) -> Vec<Cell> {
    let trajectory = &outcome.trajectory;
    let message = outcome.error.clone().or_else(|| match &trajectory.ending {
        Ending::Completed => None,
        Ending::Failed { message, .. } => Some(message.clone()),
    });
    let ending = if message.is_none() { COMPLETED } else { FAILED };
    let n = trajectory.dimension();
    let last = trajectory.last();
    let number = |value: Option<f64>| Cell::Number(value);
    let mut row = vec![Cell::word(ending), Cell::Text(message), number(last.as_ref().map(|node| node.t))];
    for place in 0..3 * n {
        let vector = last.as_ref().map(|node| [node.q, node.v, node.p][place / n]);
        row.push(number(vector.and_then(|vector| vector.get(place % n).copied())));
    }
    row.push(number(last.as_ref().map(|node| node.energy)));
    row.push(number(last.as_ref().map(|_| trajectory.energy_error())));
    row.push(Cell::Count(trajectory.impacts.len()));
    row.extend(gauges.iter_mut().map(|gauge| number(gauge.of(trajectory))));
    row
}

/// The row of a run that did not begin.
pub(super) fn refused(message: &str, coordinates: &[String], measures: &[NamedMeasure]) -> Vec<Cell> {
    let empty = |column: Column| match column.kind {
        Type::Number => Cell::Number(None),
        Type::Count => Cell::Count(0),
        Type::Text => Cell::Text(None),
    };
    let mut row: Vec<Cell> = columns(coordinates, measures).into_iter().map(empty).collect();
    row[0] = Cell::word(REFUSED);
    row[1] = Cell::word(message);
    row
}
