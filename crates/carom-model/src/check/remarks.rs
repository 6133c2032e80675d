//! What is doubtful in a model at its initial state.

use super::{Geometry, Regularity, TOLERANCE};
use crate::distribution::{Distribution, Verdict};
use crate::file::{Diagnostic, Model, Place, Severity};
use carom_linalg::{dependent_rows, max_abs};

/// What is doubtful in a model, those remarks included that were made when it was read.
pub(super) fn remarks(
    model: &Model,
    geometry: &Geometry,
    regularity: Regularity,
    mass: &[f64],
    distribution: Option<&Distribution>,
) -> Vec<Diagnostic> {
    let mut found = model.warnings.clone();
    let mut warn = |code, place: Place, message: String, help: &str| {
        found.push(model.report.diagnostic(Severity::Warning, code, place, message, Some(help.to_owned())));
    };
    for (name, place) in &model.origin.unused {
        warn("unused-parameter", *place, format!("nothing depends on the parameter `{name}`"), "remove it, or use it");
    }
    for (name, place) in dependent_constraints(model, geometry) {
        let message = format!("at the initial state, constraint `{name}` adds nothing to those before it");
        let (message, help) = match distribution {
            Some(distribution) if distribution.constraint_rank_at_start < distribution.constraint_rank => (
                format!("{message}, but it does nearby: the rank of the constraints changes"),
                "start from another state; where the rank drops, multipliers are not determined",
            ),
            _ => (message, "remove it if it is implied by the others; otherwise start from another state"),
        };
        warn("dependent-constraint", place, message, help);
    }
    if let Some((message, help)) = distribution.and_then(|distribution| integrable(model, distribution)) {
        // Constraints that follow from a frame stand nowhere.
        let place = model.origin.velocity_constraints.first().copied().unwrap_or_default();
        warn("integrable", place, message, help);
    }
    let (place, lacking) = (model.origin.lagrangian, without_inertia(model, mass));
    match regularity {
        Regularity::Regular | Regularity::Unknown => {}
        Regularity::SingularHere => {
            let message = format!("the mass matrix is singular at the initial state, but not nearby{lacking}");
            warn("singular-mass", place, message, "start from another state, or use other coordinates there");
        }
        Regularity::Degenerate => {
            let message = format!("the Lagrangian is degenerate: momenta do not determine velocities{lacking}");
            let help = "use an implicit rule such as midpoint; explicit rules and taylor need a regular Lagrangian";
            warn("degenerate", place, message, help);
        }
    }
    found
}

/// Velocity constraints that could be constraints of positions, and what to do about it. Those that only hide
/// some are no mistake: wheels on one axle do.
fn integrable(model: &Model, distribution: &Distribution) -> Option<(String, &'static str)> {
    let names: Vec<String> = model.system.velocity_constraints().iter().map(|g| format!("`{}`", g.name)).collect();
    let (end, are) = if names.len() == 1 { ("", "is") } else { ("s", "are") };
    let reason = match (distribution.verdict, distribution.rank) {
        (Verdict::Holonomic, 1) => "a distribution of rank one is always integrable",
        (Verdict::Holonomic, _) => "the distribution is integrable",
        _ => return None,
    };
    let message = format!("velocity constraint{end} {} {are} holonomic in truth: {reason}", names.join(", "));
    Some((message, "this could be written as constraints of positions, in [constraints]; positions then do not drift"))
}

/// Constraints whose differentials depend linearly on those before (Gram-Schmidt).
fn dependent_constraints(model: &Model, geometry: &Geometry) -> Vec<(String, Place)> {
    let n = model.system.dimension();
    let holonomic = model.system.constraints().iter().zip(&model.origin.constraints);
    let velocity = model.system.velocity_constraints().iter().zip(&model.origin.velocity_constraints);
    let rows = geometry.holonomic.chunks_exact(n).chain(geometry.velocity.chunks_exact(n));
    let named: Vec<(&String, Place)> = holonomic.chain(velocity).map(|(g, &place)| (&g.name, place)).collect();
    let dependent = dependent_rows(rows, TOLERANCE).into_iter();
    dependent.map(|row| (named[row].0.clone(), named[row].1)).collect()
}

/// The coordinates whose rates carry no momentum, as the end of a sentence.
fn without_inertia(model: &Model, mass: &[f64]) -> String {
    let rows = model.system.coordinates().iter().zip(mass.chunks_exact(model.system.dimension()));
    let still = rows.filter(|(_, row)| max_abs(row) == 0.0).map(|(coordinate, _)| format!("`{}`", coordinate.name));
    let still: Vec<String> = still.collect();
    if still.is_empty() { String::new() } else { format!("; no inertia belongs to {}", still.join(", ")) }
}
