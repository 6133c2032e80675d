//! Pictures of a study.

use carom::design::{Outcome, StudyFile, surrogate};
use carom::report::plot::{DesignFigure, design};
use carom::report::{Caption, ReportError};
use std::path::{Path, PathBuf};

/// Points of a curve.
const POINTS: usize = 240;
/// Points along each side of a map.
const SIDE: usize = 48;

/// Draws samples, surrogate and convergence.
pub(super) fn draw(file: &StudyFile, outcome: &Outcome, folder: &Path) -> Result<Vec<PathBuf>, ReportError> {
    let variables = &file.study.variables;
    let mut figure = DesignFigure {
        caption: Caption { title: format!("{}, {}", file.study.name, file.study.method), warning: String::new() },
        variables: variables.iter().map(|own| (own.name.clone(), own.unit.clone())).collect(),
        ranges: variables.iter().map(|own| [own.lower, own.upper]).collect(),
        samples: outcome.samples.iter().map(|sample| (sample.design.clone(), sample.cost)).collect(),
        ..DesignFigure::default()
    };
    if let Some(surrogate) = surrogate(&file.study, &outcome.samples) {
        let at =
            |share: f64, axis: usize| variables[axis].lower + share * (variables[axis].upper - variables[axis].lower);
        match variables.len() {
            1 => {
                let shares = (0..=POINTS).map(|k| k as f64 / POINTS as f64);
                let point = |share: f64| {
                    let [mean, deviation] = surrogate(&[share]);
                    [at(share, 0), mean, deviation]
                };
                figure.surrogate = shares.map(point).collect();
            }
            2 => {
                let middle = |k: usize| (k as f64 + 0.5) / SIDE as f64;
                let row = |k: usize| (0..SIDE).map(|j| surrogate(&[middle(j), middle(k)])[0]).collect();
                figure.map = (0..SIDE).map(row).collect();
            }
            _ => {}
        }
    }
    design(&figure, folder)
}
