//! What a run cannot do, said before it begins.

use crate::method::Method;
use crate::null_space::Formulation;
use crate::simulation::SimulationError;
use crate::stepper::Options;
use carom_model::System;

/// Largest frame, and most one-forms, that the discrete equations of Hamel are derived for.
pub(crate) const MAX_FRAME: usize = 8;
pub(crate) const MAX_FORMS: usize = 5;
/// Most coordinates whose directions are projected onto a distribution.
pub(crate) const MAX_PROJECTED: usize = 20;
/// Beyond this, Newton's method would end before it began.
const MAX_TOLERANCE: f64 = 1e-3;

/// Refuses tolerances that mean nothing.
pub(crate) fn check_tolerance(options: Options) -> Result<(), SimulationError> {
    if options.tolerance > 0.0 && options.tolerance <= MAX_TOLERANCE {
        return Ok(());
    }
    let expected = "positive and at most 1e-3";
    Err(SimulationError::BadSetting { name: "tolerance", value: options.tolerance, expected })
}

/// Refuses what the smooth methods cannot do.
pub(crate) fn check_supported(system: &System) -> Result<(), SimulationError> {
    match carom_impact::unfit(system) {
        Some((what, advice)) => Err(SimulationError::NotSupported { what, advice }),
        None => Ok(()),
    }
}

/// Refuses what this method or formulation cannot do.
pub(crate) fn check_method(system: &System, method: &Method, options: Options) -> Result<(), SimulationError> {
    let refuse = |what: String, advice| Err(SimulationError::NotSupported { what, advice });
    let rules: Vec<String> = method.substeps().iter().map(|(rule, _)| rule.name()).collect();
    if options.formulation == Formulation::Hamel {
        if system.frame().is_none() && system.velocity_constraints().is_empty() {
            let what = "the formulation `hamel` without frame or velocity constraints".to_owned();
            return refuse(what, "give the fields of a frame in [frame]");
        }
        let (n, forms) = (system.dimension(), system.velocity_constraints().len());
        let is_large = if system.frame().is_some() { n > MAX_FRAME } else { forms > MAX_FORMS || n > MAX_PROJECTED };
        if is_large {
            let what = format!("the formulation `hamel` with {forms} velocity constraints on {n} coordinates");
            return refuse(what, "it inverts small matrices of expressions; use multipliers or null-space");
        }
        if rules.iter().any(|name| name != "midpoint") {
            let what = format!("the formulation `hamel` by `{method}`");
            return refuse(what, "use midpoint, a composition of it such as suzuki(midpoint), or taylor");
        }
    }
    let is_implicit = rules.iter().all(|name| name == "midpoint" || name.starts_with("gauss"));
    if !is_implicit {
        return check_regular(system, &method.to_string());
    }
    let contact = system.contacts().first().filter(|_| system.dynamics().degeneracy() > 0);
    match contact {
        Some(contact) => {
            let what = format!("contact `{}` of a degenerate Lagrangian", contact.name);
            refuse(what, "impacts need inertia in every admissible direction")
        }
        None => Ok(()),
    }
}

/// Refuses degenerate Lagrangians.
pub(crate) fn check_regular(system: &System, method: &str) -> Result<(), SimulationError> {
    let lacking = system.dynamics().degeneracy();
    if lacking == 0 {
        return Ok(());
    }
    let what = format!("a degenerate Lagrangian ({lacking} admissible directions have no inertia) by `{method}`");
    let advice = "methods that work: midpoint, gauss1 .. gauss6, and compositions of them";
    Err(SimulationError::NotSupported { what, advice })
}

/// Refuses contacts where steps choose their own durations.
pub(crate) fn check_without_contacts(system: &System) -> Result<(), SimulationError> {
    match system.contacts().first() {
        Some(contact) => Err(SimulationError::NotSupported {
            what: format!("contact `{}` with energy-keeping steps", contact.name),
            advice: "use a method of fixed steps, or --method taylor",
        }),
        None => Ok(()),
    }
}
