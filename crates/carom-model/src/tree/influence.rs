//! Which expressions the coordinates have an influence on, by samples: `sin^2 + cos^2` has coordinates in it, but no
//! influence.

use carom_expr::{Graph, Id};

/// Configurations that are compared.
const SAMPLES: usize = 4;
/// Differences below this, against the sizes of the values, are rounding.
const ROUNDING: f64 = 1e-12;

/// For each expression, whether any variable but those with `known` values changes it.
pub(crate) fn moving(graph: &Graph, roots: &[Id], known: &[(Id, f64)]) -> Vec<bool> {
    let all = graph.free_variables(roots);
    let free: Vec<Id> = all.into_iter().filter(|id| !known.iter().any(|(other, _)| other == id)).collect();
    if free.is_empty() {
        return vec![false; roots.len()];
    }
    let sample = |k: usize| {
        // Numbers without a pattern, up to 2 in size, always the same.
        let number = |i: usize| 2.0 * (1.0 + 7.3 * i as f64 + 2.9 * k as f64).sin();
        let values = free.iter().enumerate().map(|(i, &id)| (id, number(i))).chain(known.iter().copied());
        graph.evaluate(roots, &values.collect::<Vec<_>>())
    };
    let samples: Vec<Vec<f64>> = (0..SAMPLES).map(sample).collect();
    let is_same = |a: f64, b: f64| (a - b).abs() <= ROUNDING * (1.0 + a.abs().max(b.abs()));
    (0..roots.len()).map(|root| samples.iter().any(|values| !is_same(values[root], samples[0][root]))).collect()
}
