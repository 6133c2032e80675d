//! Impacts from their table.

use super::super::names;
use super::super::table::Reader;
use super::{VECTORS, tangential};
use crate::error::ReportError;
use carom_model::{Balance, ContactImpulse, Impact, Trajectory};

/// The impacts of a table.
pub(in crate::results) fn read(trajectory: &Trajectory, reader: &Reader) -> Result<Vec<Impact>, ReportError> {
    let event = reader.counts("event")?;
    let (t, t_low, t_high) = (reader.numbers("t")?, reader.numbers("t_low")?, reader.numbers("t_high")?);
    let (laws, iterations) = (reader.texts("law")?, reader.counts("iterations")?);
    let (energy_minus, energy_change) = (reader.numbers("energy_minus")?, reader.numbers("energy_change")?);
    let (impulses, mut balances) = (impulses(trajectory, reader)?, balances(trajectory, reader)?);
    let [q, q_plus, v_minus, v_plus, p_minus, p_plus] =
        VECTORS.map(|(prefix, _)| vector(trajectory, prefix, |name| reader.numbers(name)));
    let vectors = [q?, q_plus?, v_minus?, v_plus?, p_minus?, p_plus?];
    let mut list: Vec<Impact> = Vec::new();
    for (k, impulse) in impulses.into_iter().enumerate() {
        // The further contacts of the same impact.
        if let (true, Some(impact)) = (k > 0 && event[k] == event[k - 1], list.last_mut()) {
            impact.impulses.extend(impulse);
            continue;
        }
        let at = |columns: &Vec<Vec<f64>>| columns.iter().map(|column| column[k]).collect();
        let [q, q_plus, v_minus, v_plus, p_minus, p_plus] = vectors.each_ref().map(at);
        list.push(Impact {
            t: t[k],
            bracket: (t_low[k], t_high[k]),
            impulses: impulse.into_iter().collect(),
            law: laws[k].clone(),
            energy_minus: energy_minus[k],
            energy_change: energy_change[k],
            balance: std::mem::take(&mut balances[k]),
            iterations: iterations[k],
            q,
            q_plus,
            v_minus,
            v_plus,
            p_minus,
            p_plus,
        });
    }
    Ok(list)
}

/// The impulse of every row, if it has one.
fn impulses(trajectory: &Trajectory, reader: &Reader) -> Result<Vec<Option<ContactImpulse>>, ReportError> {
    let (contacts, surfaces) = (reader.texts("contact")?, reader.counts("surface")?);
    let normal = reader.maybe_numbers("normal_impulse")?;
    let tangential = (0..).map(tangential).take_while(|name| reader.has(name));
    let tangential = tangential.map(|name| reader.maybe_numbers(&name)).collect::<Result<Vec<_>, _>>()?;
    let impulse = |(k, normal): (usize, Option<f64>)| {
        let Some(normal) = normal else { return Ok(None) };
        let contact = names::find_contact(trajectory, reader, &contacts[k])?;
        let tangential = tangential.iter().map_while(|column| column[k]).collect();
        Ok(Some(ContactImpulse { contact, surface: surfaces[k], normal, tangential }))
    };
    normal.into_iter().enumerate().map(impulse).collect()
}

/// How the jump of every row was taken.
fn balances(trajectory: &Trajectory, reader: &Reader) -> Result<Vec<Balance>, ReportError> {
    let (kinds, loss, correction) = (reader.texts("jump")?, reader.numbers("loss")?, reader.numbers("correction")?);
    let (minus, plus) = (reader.numbers("jump_energy_minus")?, reader.numbers("jump_energy_plus")?);
    let push = vector(trajectory, "push", |name| reader.maybe_numbers(name))?;
    let balance = |k: usize| Balance {
        kind: names::keep(&kinds[k]),
        energies: (minus[k], plus[k]),
        loss: loss[k],
        push: push.iter().map_while(|column| column[k]).collect(),
        correction: correction[k],
    };
    Ok((0..kinds.len()).map(balance).collect())
}

/// The columns of a vector, one per coordinate.
fn vector<T>(
    trajectory: &Trajectory,
    prefix: &str,
    column: impl Fn(&str) -> Result<Vec<T>, ReportError>,
) -> Result<Vec<Vec<T>>, ReportError> {
    trajectory.coordinates.iter().map(|name| column(&format!("{prefix}.{name}"))).collect()
}
