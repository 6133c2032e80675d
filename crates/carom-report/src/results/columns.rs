//! The columns of a trajectory: the one place that knows their names and order.

use carom_model::Trajectory;

/// A column, seen through the vectors of a trajectory.
pub(super) struct Column<'a> {
    pub name: String,
    values: &'a [f64],
    offset: usize,
    stride: usize,
}

impl Column<'_> {
    /// The value at node `k`; not-a-number where a partial run has none.
    pub fn at(&self, k: usize) -> f64 {
        self.values.get(k * self.stride + self.offset).copied().unwrap_or(f64::NAN)
    }
}

/// `t, q.*, v.*, p.*, lambda.*, energy, constraint_error` and the invariants by name.
pub(super) fn columns(trajectory: &Trajectory) -> Vec<Column<'_>> {
    let mut list = Vec::new();
    push(&mut list, "t".to_owned(), &trajectory.t, 0, 1);
    let (coordinates, constraints) = (&trajectory.coordinates, &trajectory.constraints);
    let vectors = [
        ("q", coordinates, &trajectory.q),
        ("v", coordinates, &trajectory.v),
        ("p", coordinates, &trajectory.p),
        ("lambda", constraints, &trajectory.multipliers),
    ];
    for (prefix, names, values) in vectors {
        for (offset, name) in names.iter().enumerate() {
            push(&mut list, format!("{prefix}.{name}"), values, offset, names.len());
        }
    }
    push(&mut list, "energy".to_owned(), &trajectory.energy, 0, 1);
    push(&mut list, "constraint_error".to_owned(), &trajectory.constraint_error, 0, 1);
    for invariant in &trajectory.invariants {
        push(&mut list, invariant.name.clone(), &invariant.values, 0, 1);
    }
    list
}

/// Names must differ: the second `energy` becomes `energy#2`.
fn push<'a>(list: &mut Vec<Column<'a>>, name: String, values: &'a [f64], offset: usize, stride: usize) {
    let taken = |name: &str| list.iter().any(|column| column.name == name);
    let numbered = (2..).map(|number| format!("{name}#{number}"));
    let unique = std::iter::once(name.clone()).chain(numbered).find(|name| !taken(name));
    list.push(Column { name: unique.unwrap_or(name), values, offset, stride });
}

/// Puts columns in the order of [`columns`] back into an empty trajectory.
pub(super) fn fill(trajectory: &mut Trajectory, columns: &[Vec<f64>]) {
    let (n, m) = (trajectory.dimension(), trajectory.constraints.len());
    let (t, rest) = columns.split_at(1);
    let (q, rest) = rest.split_at(n);
    let (v, rest) = rest.split_at(n);
    let (p, rest) = rest.split_at(n);
    let (multipliers, rest) = rest.split_at(m);
    trajectory.t = interleave(t);
    trajectory.q = interleave(q);
    trajectory.v = interleave(v);
    trajectory.p = interleave(p);
    trajectory.multipliers = interleave(multipliers);
    trajectory.energy.clone_from(&rest[0]);
    trajectory.constraint_error.clone_from(&rest[1]);
    for (invariant, values) in trajectory.invariants.iter_mut().zip(&rest[2..]) {
        invariant.values.clone_from(values);
    }
}

/// One node after the other.
fn interleave(columns: &[Vec<f64>]) -> Vec<f64> {
    let nodes = columns.first().map_or(0, Vec::len);
    (0..nodes).flat_map(|k| columns.iter().map(move |column| column[k])).collect()
}
