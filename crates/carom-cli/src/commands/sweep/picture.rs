//! The picture of a grid with one or two axes: its first measure, or its cost.

use crate::failure::Failure;
use carom::report::plot::{SweepFigure, sweep as picture};
use carom::sweep::{Dataset, Kind, Points, Sweep};
use std::path::PathBuf;

/// More tiles than this are no picture any more.
const MAX_TILES: usize = 40_000;

/// Draws the grid, if there is something to draw.
pub fn draw(dataset: &Dataset) -> Result<Option<PathBuf>, Failure> {
    let sweep = dataset.sweep();
    let (Some(axes), Some(measure)) = (axes(sweep), measure(sweep)) else { return Ok(None) };
    let mut values = Vec::with_capacity(sweep.points.len());
    for part in 0..sweep.parts() {
        let reader = dataset.read(part).map_err(|error| Failure::Settings(error.to_string()))?;
        values.extend(reader.maybe_numbers(&measure)?);
    }
    let title = format!("{measure} of {}", sweep.file);
    Ok(picture(&SweepFigure { title, axes, measure, values }, dataset.folder())?)
}

/// Names and values of one or two axes of numbers, each with two values at least.
fn axes(sweep: &Sweep) -> Option<Vec<(String, Vec<f64>)>> {
    let Points::Grid(axes) = &sweep.points else { return None };
    let is_small = axes.len() == 1 || axes.len() == 2 && sweep.points.len() <= MAX_TILES;
    let values = |axis: &carom::sweep::Axis| -> Option<(String, Vec<f64>)> {
        let numbers: Option<Vec<f64>> = (0..axis.values.len()).map(|k| axis.values.get(k).number()).collect();
        Some((axis.name.clone(), numbers.filter(|numbers| numbers.len() > 1)?))
    };
    is_small.then(|| axes.iter().map(values).collect())?
}

/// What is shown.
fn measure(sweep: &Sweep) -> Option<String> {
    match sweep.kind {
        Kind::Simulation => sweep.measures.first().map(|own| own.name.clone()),
        Kind::Optimisation | Kind::Design => Some("cost".to_owned()),
    }
}
