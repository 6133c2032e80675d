//! The table of impacts: one row per contact that took part.

mod read;

pub(super) use read::read;

use super::names;
use super::table::Table;
use carom_model::{ContactImpulse, Impact, Trajectory};
use std::rc::Rc;

/// Columns of tangential impulses at least: a surface has two directions.
pub(super) const TANGENTS: usize = 2;

/// What a piece of a motion does not know by itself.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Before {
    /// Number of impacts in the pieces before.
    pub events: usize,
    /// Columns of tangential impulses; as many as there are impulses, if it is not known.
    pub tangents: Option<usize>,
}

/// A vector of an impact.
type Vector = fn(&Impact) -> &[f64];
/// The vectors of an impact with the prefixes of their columns.
const VECTORS: [(&str, Vector); 6] = [
    ("q", |impact| &impact.q),
    ("q_plus", |impact| &impact.q_plus),
    ("v_minus", |impact| &impact.v_minus),
    ("v_plus", |impact| &impact.v_plus),
    ("p_minus", |impact| &impact.p_minus),
    ("p_plus", |impact| &impact.p_plus),
];

/// Which impact, and which of its impulses.
struct Row<'a> {
    event: usize,
    impact: &'a Impact,
    impulse: Option<&'a ContactImpulse>,
}

/// `event, t, t_low, t_high, contact, surface, law`, impulses, energies, iterations, the balance of the
/// jump, states before and after.
pub(super) fn table(trajectory: &Trajectory, before: Before) -> Table<'_> {
    let rows = Rc::new(rows(trajectory, before.events));
    let mut table = Table::new("events", rows.len());
    table.count("event", column(&rows, |row| row.event));
    table.number("t", column(&rows, |row| row.impact.t));
    table.number("t_low", column(&rows, |row| row.impact.bracket.0));
    table.number("t_high", column(&rows, |row| row.impact.bracket.1));
    let contact = |row: &Row<'_>| row.impulse.map(|impulse| impulse.contact);
    table.text("contact", column(&rows, move |row| contact(row).map_or("", |i| names::contact(trajectory, i))));
    table.count("surface", column(&rows, |row| row.impulse.map_or(0, |impulse| impulse.surface)));
    table.text("law", column(&rows, |row| row.impact.law.as_str()));
    table.maybe_number("normal_impulse", column(&rows, |row| row.impulse.map(|impulse| impulse.normal)));
    for place in 0..before.tangents.unwrap_or_else(|| tangents(&rows)) {
        let value = move |row: &Row<'_>| row.impulse.and_then(|impulse| impulse.tangential.get(place).copied());
        table.maybe_number(&tangential(place), column(&rows, value));
    }
    table.number("energy_minus", column(&rows, |row| row.impact.energy_minus));
    table.number("energy_change", column(&rows, |row| row.impact.energy_change));
    table.count("iterations", column(&rows, |row| row.impact.iterations));
    balance(&mut table, &rows, &trajectory.coordinates);
    for (prefix, vector) in VECTORS {
        for (index, name) in trajectory.coordinates.iter().enumerate() {
            let value = move |row: &Row<'_>| vector(row.impact).get(index).copied().unwrap_or(f64::NAN);
            table.number(&format!("{prefix}.{name}"), column(&rows, value));
        }
    }
    table
}

/// `jump, jump_energy_minus, jump_energy_plus, loss, correction, push.*`: how the jump was taken.
fn balance<'a>(table: &mut Table<'a>, rows: &Rc<Vec<Row<'a>>>, coordinates: &[String]) {
    table.text("jump", column(rows, |row| row.impact.balance.kind));
    table.number("jump_energy_minus", column(rows, |row| row.impact.balance.energies.0));
    table.number("jump_energy_plus", column(rows, |row| row.impact.balance.energies.1));
    table.number("loss", column(rows, |row| row.impact.balance.loss));
    table.number("correction", column(rows, |row| row.impact.balance.correction));
    for (index, name) in coordinates.iter().enumerate() {
        let value = move |row: &Row<'a>| row.impact.balance.push.get(index).copied();
        table.maybe_number(&format!("push.{name}"), column(rows, value));
    }
}

/// An impact without impulses, such as a reset, has a row, too.
fn rows(trajectory: &Trajectory, first: usize) -> Vec<Row<'_>> {
    let mut list = Vec::new();
    for (event, impact) in (first..).zip(&trajectory.impacts) {
        list.extend(impact.impulses.iter().map(|impulse| Row { event, impact, impulse: Some(impulse) }));
        if impact.impulses.is_empty() {
            list.push(Row { event, impact, impulse: None });
        }
    }
    list
}

/// A column of these rows.
fn column<'a, T, F>(rows: &Rc<Vec<Row<'a>>>, value: F) -> impl Fn(usize) -> T + use<'a, T, F>
where
    F: Fn(&Row<'a>) -> T,
{
    let rows = Rc::clone(rows);
    move |k| value(&rows[k])
}

fn tangents(rows: &[Row<'_>]) -> usize {
    let lengths = rows.iter().filter_map(|row| row.impulse).map(|impulse| impulse.tangential.len());
    lengths.max().unwrap_or(0).max(TANGENTS)
}

fn tangential(place: usize) -> String {
    format!("tangential_impulse_{}", place + 1)
}
