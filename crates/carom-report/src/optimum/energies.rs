//! Energies of a solution over time, and the work of its inputs.

use super::pictures::Pictures;
use crate::error::ReportError;
use crate::plot::{Quantity, column, share};
use carom_control::{PhaseSolution, TransitionSolution};
use carom_expr::{Backend, FunctionError};
use carom_model::Legendre;
use std::path::{Path, PathBuf};

/// What the panels show, from top to bottom.
const PANELS: [&str; 4] = ["energy E", "kinetic", "potential", "work of inputs"];
/// Panels of models without inputs.
const WITHOUT_INPUTS: usize = 3;

/// Curves of all panels; a point that is not finite breaks a curve.
type Curves = [Vec<[f64; 2]>; PANELS.len()];

/// Draws `energy.svg`: the energy `E(q, v)`, its parts `E(q, v) - E(q, 0)` and `E(q, 0)`, and the work of all inputs up to each
/// node. Impacts are gaps.
pub(super) fn energy(pictures: &Pictures<'_>, folder: &Path) -> Result<Option<PathBuf>, ReportError> {
    let Some(stage) = pictures.stage()? else { return Ok(None) };
    let failed = |source: FunctionError| ReportError::Drawing { place: "the energy".to_owned(), source };
    let curves = curves(pictures).map_err(failed)?;
    let has_inputs = pictures.solution.phases.iter().any(|phase| !phase.inputs.is_empty());
    let shown = if has_inputs { PANELS.len() } else { WITHOUT_INPUTS };
    let list: Vec<Quantity<'_>> = PANELS[..shown].iter().map(|name| Quantity { name, unit: None }).collect();
    let rows = share(&list, "quantities", |index| curves[index].clone());
    column(&stage.run(pictures), folder, "energy.svg", &rows).map(Some)
}

/// The curves through all phases.
fn curves(pictures: &Pictures<'_>) -> Result<Curves, FunctionError> {
    let mut curves = Curves::default();
    let mut work = 0.0;
    for (number, phase) in pictures.solution.phases.iter().enumerate() {
        let Some(system) = pictures.model(number).map(|model| &model.system) else { continue };
        if phase.coordinates != system.coordinate_names() {
            continue;
        }
        let mut legendre = Legendre::new(&system.dynamics(), Backend::Interpreter)?;
        for ((&time, q), v) in phase.times.iter().zip(&phase.q).zip(&phase.v) {
            add(&mut curves, time, split(&mut legendre, q, v, time));
        }
        work = add_work(&mut curves[3], phase, work);
        for link in pictures.solution.transitions.iter().filter(|link| is_last(pictures, link, number)) {
            add_end(&mut curves, &mut legendre, link);
        }
        interrupt(&mut curves);
    }
    Ok(curves)
}

/// The energy and its two parts.
fn split(legendre: &mut Legendre, q: &[f64], v: &[f64], time: f64) -> [f64; 3] {
    let (total, potential) = (legendre.energy(q, v, time), legendre.energy(q, &vec![0.0; q.len()], time));
    [total, total - potential, potential]
}

fn add(curves: &mut Curves, time: f64, values: [f64; 3]) {
    for (curve, value) in curves.iter_mut().zip(values) {
        curve.push([time, value]);
    }
}

fn interrupt(curves: &mut Curves) {
    curves.iter_mut().for_each(|curve| curve.push([f64::NAN; 2]));
}

/// The work of all inputs up to each node; returns it at the last one.
fn add_work(curve: &mut Vec<[f64; 2]>, phase: &PhaseSolution, mut work: f64) -> f64 {
    for (node, &time) in phase.times.iter().enumerate() {
        let interval = node.checked_sub(1).and_then(|interval| phase.work.get(interval));
        work += interval.map_or(0.0, |inputs| inputs.iter().sum());
        curve.push([time, work]);
    }
    work
}

/// True if an impact ends phase `number`, and no further phase shows what comes after it.
fn is_last(pictures: &Pictures<'_>, link: &TransitionSolution, number: usize) -> bool {
    let goes_on = link.phases[1] == number + 1 && number + 1 < pictures.solution.phases.len();
    link.phases[0] == number && !link.impulses.is_empty() && !goes_on
}

/// The state after an impact, as a point of its own.
fn add_end(curves: &mut Curves, legendre: &mut Legendre, link: &TransitionSolution) {
    if link.q.len() == link.v_plus.len() {
        interrupt(curves);
        add(curves, link.time, split(legendre, &link.q, &link.v_plus, link.time));
    }
}
