//! The table of changes of mode.

use super::names;
use super::table::{Reader, Table};
use crate::error::ReportError;
use carom_model::{ModeChange, Trajectory};

/// `t, contact, from, to, reason`.
pub(super) fn table(trajectory: &Trajectory) -> Table<'_> {
    let modes = &trajectory.modes;
    let mut table = Table::new("modes", modes.len());
    table.number("t", |k| modes[k].t);
    table.text("contact", |k| names::contact(trajectory, modes[k].contact));
    table.text("from", |k| modes[k].from.name());
    table.text("to", |k| modes[k].to.name());
    table.text("reason", |k| modes[k].reason);
    table
}

/// The changes of a table.
pub(super) fn read(trajectory: &Trajectory, reader: &Reader) -> Result<Vec<ModeChange>, ReportError> {
    let (t, contacts) = (reader.numbers("t")?, reader.texts("contact")?);
    let (from, to, reasons) = (reader.texts("from")?, reader.texts("to")?, reader.texts("reason")?);
    let mode = |column: &str, name: &str| {
        names::mode(name).ok_or_else(|| reader.bad(column, &format!("`{name}` is not a mode of a contact")))
    };
    let change = |k: usize| {
        Ok(ModeChange {
            t: t[k],
            contact: names::find_contact(trajectory, reader, &contacts[k])?,
            from: mode("from", &from[k])?,
            to: mode("to", &to[k])?,
            reason: names::keep(&reasons[k]),
        })
    };
    (0..t.len()).map(change).collect()
}
