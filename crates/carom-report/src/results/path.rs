//! The table of a smooth path: the one place that knows the names and the order of its columns.

use super::table::{Reader, Table};
use crate::error::ReportError;
use carom_impact::{Crossing, ProjectedPath};
use serde_json::Value;

/// `t, z.*, dz.*, outside`; the last is 1 where the path is not feasible.
pub(super) fn table(path: &ProjectedPath) -> Table<'_> {
    let mut table = Table::new("path", path.t.len());
    table.number("t", |k| path.t[k]);
    let n = path.names.len();
    for (prefix, values) in [("z", &path.z), ("dz", &path.dz)] {
        for (place, name) in path.names.iter().enumerate() {
            table.number(&format!("{prefix}.{name}"), move |k| values[k * n + place]);
        }
    }
    table.count("outside", |k| usize::from(path.outside[k]));
    table
}

/// A path from its table and from what the manifest says of it.
pub(super) fn read(described: &Value, reader: &Reader) -> Result<ProjectedPath, ReportError> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let names: Vec<String> =
        list(&described["coordinates"]).iter().filter_map(|name| Some(name.as_str()?.to_owned())).collect();
    let t = reader.numbers("t")?;
    let columns = |prefix: &str| -> Result<Vec<f64>, ReportError> {
        let columns = names.iter().map(|name| reader.numbers(&format!("{prefix}.{name}")));
        let columns = columns.collect::<Result<Vec<_>, _>>()?;
        Ok((0..t.len()).flat_map(|k| columns.iter().map(move |column| column[k])).collect())
    };
    let (z, dz) = (columns("z")?, columns("dz")?);
    let outside = reader.counts("outside")?.into_iter().map(|side| side > 0).collect();
    let crossings = list(&described["crossings"]).iter().map(|entry| crossing(entry, &names)).collect();
    Ok(ProjectedPath { t, z, dz, outside, crossings, names })
}

fn crossing(entry: &Value, names: &[String]) -> Crossing {
    let number = |value: &Value| value.as_f64().unwrap_or(f64::NAN);
    let vector = |key: &str| names.iter().map(|name| number(&entry[key][name])).collect();
    Crossing {
        t: number(&entry["t"]),
        bracket: (number(&entry["bracket"][0]), number(&entry["bracket"][1])),
        z: vector("z"),
        dz_minus: vector("dz_minus"),
        dz_plus: vector("dz_plus"),
        leaves: entry["leaves"] == true,
        iterations: entry["iterations"].as_u64().unwrap_or_default() as usize,
    }
}
