//! What the expressions of a system may depend on.

use super::SystemError;
use crate::contact::Contact;
use crate::system::System;
use carom_expr::Id;

/// Variables that expressions may use, and their names in messages.
struct Allowed {
    variables: Vec<Id>,
    words: &'static str,
}

/// Every expression may use what its place in the theory allows, and nothing else.
pub(super) fn check_dependencies(system: &System) -> Result<(), SystemError> {
    let find = |name: &String| system.graph.find_variable(name);
    let parameters: Vec<Id> = system.parameters.iter().filter_map(|p| find(&p.name)).collect();
    let inputs: Vec<Id> = system.inputs.iter().filter_map(|u| find(&u.name)).collect();
    let (p, q, v, t) = (&parameters[..], &system.q[..], &system.v[..], &[system.time][..]);
    let allow = |kinds: &[&[Id]], words: &'static str| Allowed { variables: kinds.concat(), words };
    let shape = allow(&[p, q], "coordinates and parameters");
    let rate = allow(&[p, q, v], "coordinates, rates and parameters");
    let state = allow(&[p, q, v, t], "coordinates, rates, time and parameters");
    let forced = allow(&[p, q, v, t, &inputs], "coordinates, rates, time, inputs and parameters");

    check_place(system, "the Lagrangian".to_owned(), system.lagrangian, &state)?;
    for (coordinate, &force) in system.coordinates.iter().zip(&system.forces) {
        check_place(system, format!("the force on `{}`", coordinate.name), force, &forced)?;
    }
    for input in &system.inputs {
        check_place(system, format!("the signal of `{}`", input.name), input.signal, &state)?;
    }
    for g in &system.constraints {
        check_place(system, format!("constraint `{}`", g.name), g.id, &shape)?;
    }
    for omega in &system.velocity_constraints {
        check_place(system, format!("velocity constraint `{}`", omega.name), omega.id, &rate)?;
    }
    for field in system.frame.iter().flat_map(|frame| &frame.fields) {
        let place = || format!("field `{}`", field.name);
        field.components.iter().try_for_each(|&component| check_place(system, place(), component, &shape))?;
    }
    system.contacts.iter().try_for_each(|contact| check_contact(system, contact, &shape, &rate, &state))
}

fn check_contact(
    system: &System,
    contact: &Contact,
    shape: &Allowed,
    rate: &Allowed,
    state: &Allowed,
) -> Result<(), SystemError> {
    let place = |part: &str| format!("the {part} of contact `{}`", contact.name);
    check_place(system, place("gap"), contact.gap, shape)?;
    for &tangent in &contact.tangents {
        check_place(system, place("tangent"), tangent, shape)?;
    }
    if let Some(active) = contact.active {
        check_place(system, place("`active`"), active, rate)?;
    }
    for parameter in &contact.law_parameters {
        check_place(system, place(&format!("`{}`", parameter.name)), parameter.id, state)?;
    }
    Ok(())
}

fn check_place(system: &System, place: String, id: Id, allowed: &Allowed) -> Result<(), SystemError> {
    let known = [&system.q[..], &system.v, &[system.time]].concat();
    for variable in system.graph.free_variables(&[id]) {
        if allowed.variables.contains(&variable) {
            continue;
        }
        let name = system.graph.variable_name(variable).unwrap_or("?").to_owned();
        let declared = known.contains(&variable)
            || system.parameters.iter().any(|p| p.name == name)
            || system.inputs.iter().any(|u| u.name == name);
        return Err(if declared {
            SystemError::NotAllowed { place, variable: name, allowed: allowed.words }
        } else {
            SystemError::Undeclared { place, variable: name }
        });
    }
    Ok(())
}
