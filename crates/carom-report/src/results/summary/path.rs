//! A smooth path in a handful of numbers.

use carom_impact::{Crossing, ProjectedPath};
use serde_json::{Map, Value, json};

/// Crossings that are described; the rest is counted.
const SHOWN: usize = 10_000;

/// How often a smooth path crosses the boundary, and how smooth it is there: the object `path` of `--json` and of the
/// manifest.
pub fn summarize_path(path: &ProjectedPath) -> Value {
    let vector = |values: &[f64]| -> Map<String, Value> {
        path.names.iter().cloned().zip(values.iter().map(|value| Value::from(*value))).collect()
    };
    let describe = |crossing: &Crossing| {
        json!({
            "t": crossing.t,
            "bracket": [crossing.bracket.0, crossing.bracket.1],
            "leaves": crossing.leaves,
            "iterations": crossing.iterations,
            "z": vector(&crossing.z),
            "dz_minus": vector(&crossing.dz_minus),
            "dz_plus": vector(&crossing.dz_plus),
            "kink": crossing.kink(),
        })
    };
    let mut object = json!({
        "coordinates": path.names,
        "crossing_count": path.crossings.len(),
        "largest_kink": path.crossings.iter().map(Crossing::kink).fold(0.0, f64::max),
        "crossings": path.crossings.iter().take(SHOWN).map(describe).collect::<Vec<_>>(),
    });
    if path.crossings.len() > SHOWN {
        object["crossings_omitted"] = (path.crossings.len() - SHOWN).into();
    }
    object
}
