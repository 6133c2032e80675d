//! The table of nodes: the one place that knows the names and the order of its columns.

use super::table::{Reader, Table};
use crate::error::ReportError;
use carom_model::Trajectory;

/// Which columns of the contacts there are; a trajectory put together by hand may have none.
struct Recorded {
    gaps: bool,
    forces: bool,
}

/// One row per node.
pub(super) fn table(trajectory: &Trajectory) -> Table<'_> {
    let recorded = Recorded { gaps: !trajectory.gaps.is_empty(), forces: !trajectory.contact_forces.is_empty() };
    table_with(trajectory, &recorded)
}

/// The same with all columns of the contacts, also where a piece of a motion has no node to show them.
pub(super) fn full_table(trajectory: &Trajectory) -> Table<'_> {
    table_with(trajectory, &Recorded { gaps: true, forces: true })
}

/// `t, q.*, v.*, p.*, w.*, lambda.*, gap.*, force.*, energy, constraint_error` and the invariants by name.
fn table_with<'a>(trajectory: &'a Trajectory, recorded: &Recorded) -> Table<'a> {
    let mut table = Table::new("nodes", trajectory.len());
    add(&mut table, "t", &trajectory.t, 0, 1);
    let (coordinates, constraints) = (&trajectory.coordinates[..], &trajectory.constraints[..]);
    let contacts = |recorded: bool| if recorded { &trajectory.contacts[..] } else { &[] };
    let vectors = [
        ("q", coordinates, &trajectory.q),
        ("v", coordinates, &trajectory.v),
        ("p", coordinates, &trajectory.p),
        ("w", &trajectory.quasivelocities, &trajectory.w),
        ("lambda", constraints, &trajectory.multipliers),
        ("gap", contacts(recorded.gaps), &trajectory.gaps),
        ("force", contacts(recorded.forces), &trajectory.contact_forces),
    ];
    for (prefix, names, values) in vectors {
        for (offset, name) in names.iter().enumerate() {
            add(&mut table, &format!("{prefix}.{name}"), values, offset, names.len());
        }
    }
    add(&mut table, "energy", &trajectory.energy, 0, 1);
    add(&mut table, "constraint_error", &trajectory.constraint_error, 0, 1);
    for invariant in &trajectory.invariants {
        add(&mut table, &invariant.name, &invariant.values, 0, 1);
    }
    table
}

/// A column of a vector per node; not-a-number where a partial run has no value.
fn add<'a>(table: &mut Table<'a>, name: &str, values: &'a [f64], offset: usize, stride: usize) {
    table.number(name, move |k| values.get(k * stride + offset).copied().unwrap_or(f64::NAN));
}

/// Puts the nodes back into a trajectory that has names only.
pub(super) fn fill(trajectory: &mut Trajectory, reader: &Reader) -> Result<(), ReportError> {
    let has = |prefix: &str| trajectory.contacts.first().is_some_and(|name| reader.has(&format!("{prefix}.{name}")));
    let recorded = Recorded { gaps: has("gap"), forces: has("force") };
    let names: Vec<String> = table_with(trajectory, &recorded).columns.into_iter().map(|column| column.name).collect();
    let columns = names.iter().map(|name| reader.numbers(name)).collect::<Result<Vec<_>, _>>()?;
    let rank = trajectory.quasivelocities.len();
    let (n, m, contacts) = (trajectory.dimension(), trajectory.constraints.len(), trajectory.contacts.len());
    let width = |recorded: bool| if recorded { contacts } else { 0 };
    let mut rest = columns.into_iter();
    let mut take = |count: usize| interleave(&rest.by_ref().take(count).collect::<Vec<_>>());
    // In the order of the table.
    trajectory.t = take(1);
    trajectory.q = take(n);
    trajectory.v = take(n);
    trajectory.p = take(n);
    trajectory.w = take(rank);
    trajectory.multipliers = take(m);
    trajectory.gaps = take(width(recorded.gaps));
    trajectory.contact_forces = take(width(recorded.forces));
    trajectory.energy = take(1);
    trajectory.constraint_error = take(1);
    for invariant in &mut trajectory.invariants {
        invariant.values = take(1);
    }
    Ok(())
}

/// One node after the other.
fn interleave(columns: &[Vec<f64>]) -> Vec<f64> {
    let nodes = columns.first().map_or(0, Vec::len);
    (0..nodes).flat_map(|k| columns.iter().map(move |column| column[k])).collect()
}
