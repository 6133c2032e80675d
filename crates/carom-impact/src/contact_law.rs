//! The law of one contact with its numbers.

use crate::laws::{self, Law};
use carom_expr::{Backend, Evaluator, Function, FunctionError, Graph, Group, Id};
use carom_model::{Dynamics, System};
use std::sync::Arc;

/// A law with its numbers and functions.
#[derive(Clone)]
pub struct ContactLaw {
    /// The law.
    pub law: Arc<dyn Law>,
    /// Coefficient of restitution; 1 where the law has none.
    pub restitution: f64,
    /// Coefficient of friction, if there is a cone.
    pub friction: Option<f64>,
    /// Contacts that let go.
    pub releases: Vec<usize>,
    /// `(q, v, t)` to the energy lost and the impulse `F_q`.
    force_field: Option<Evaluator>,
    /// `(q, v, t)` to the state after the impact.
    map: Option<Evaluator>,
}

impl ContactLaw {
    /// The laws of all contacts of a system.
    pub fn all(system: &System, dynamics: &Dynamics, backend: Backend) -> Result<Vec<Self>, FunctionError> {
        (0..system.contacts().len()).map(|contact| Self::new(system, dynamics, contact, backend)).collect()
    }

    fn new(system: &System, dynamics: &Dynamics, contact: usize, backend: Backend) -> Result<Self, FunctionError> {
        let declared = &system.contacts()[contact];
        let parameters = &dynamics.law_parameters[contact];
        let mut graph = dynamics.graph.clone();
        let find = |name: &str| parameters.iter().find(|p| p.name == name).map(|p| p.id);
        let number = |name: &str| find(name).and_then(|id| dynamics.graph.value(id));
        let law = laws::by_name(&declared.law).map_or_else(|| Arc::new(laws::Elastic) as Arc<dyn Law>, Arc::from);
        let others = system.contacts();
        let releases = declared.releases.iter().filter_map(|name| others.iter().position(|c| c.name == *name));
        let force_field = force_field(&mut graph, dynamics, &declared.law, &find);
        let map = (declared.law == "reset").then(|| reset_map(dynamics, &system.coordinate_names(), &find));
        let compile = |graph: &Graph, outputs: Vec<Id>| {
            let time = [dynamics.time];
            let state = [Group::new("q", &dynamics.q), Group::new("v", &dynamics.v), Group::new("t", &time)];
            let function = Function::compile(graph, &state, &[Group::new("law", &outputs)], backend)?;
            Ok::<_, FunctionError>(function.evaluator())
        };
        Ok(Self {
            law,
            restitution: number("restitution").unwrap_or(1.0),
            friction: number("friction"),
            releases: releases.collect(),
            force_field: force_field.map(|ids| compile(&graph, ids)).transpose()?,
            map: map.map(|ids| compile(&graph, ids)).transpose()?,
        })
    }

    /// Energy lost and impulse `F_q` of the contact force field; none if the law has none.
    pub fn force_field(&mut self, q: &[f64], v: &[f64], t: f64) -> Option<(f64, Vec<f64>)> {
        let values = evaluate(self.force_field.as_mut()?, q, v, t);
        Some((values[0], values[1..].to_vec()))
    }

    /// The state that the law prescribes; none if it does not.
    pub fn map(&mut self, q: &[f64], v: &[f64], t: f64) -> Option<(Vec<f64>, Vec<f64>)> {
        let mut values = evaluate(self.map.as_mut()?, q, v, t);
        let velocity = values.split_off(q.len());
        Some((values, velocity))
    }
}

/// A contact whose law does not fit the system, and what to do: laws that relate rates to impulses need a
/// kinetic energy that is quadratic in the rates.
pub fn unfit(system: &System) -> Option<(String, &'static str)> {
    let dynamics = system.dynamics();
    let mut graph = dynamics.graph.clone();
    let momentum = dynamics.momentum(&mut graph);
    let mass = graph.jacobian(&momentum, &dynamics.v).dense(&mut graph);
    if !graph.any_depends_on(&mass, &dynamics.v) {
        return None;
    }
    let fits = ["elastic", "lossful", "literal", "reset"];
    let contact = system.contacts().iter().find(|contact| !fits.contains(&contact.law.as_str()))?;
    let what = format!("law `{}` of contact `{}` with this kinetic energy", contact.law, contact.name);
    Some((what, "it is not quadratic in the rates; laws that fit: elastic, lossful, literal, reset"))
}

fn evaluate(function: &mut Evaluator, q: &[f64], v: &[f64], t: f64) -> Vec<f64> {
    function.values(&[q, v, &[t]].concat())
}

/// `F_t`, then `F_q`.
pub(crate) fn force_field(
    graph: &mut Graph,
    dynamics: &Dynamics,
    law: &str,
    find: &dyn Fn(&str) -> Option<Id>,
) -> Option<Vec<Id>> {
    let zero = graph.constant(0.0);
    let mut all = vec![zero; dynamics.dimension() + 1];
    match law {
        "lossful" => {
            all[0] = find("loss").unwrap_or(zero);
            for (k, &q) in dynamics.q.iter().enumerate() {
                let name = format!("impulse.{}", graph.variable_name(q).unwrap_or_default());
                all[k + 1] = find(&name).unwrap_or(zero);
            }
        }
        "literal" => {
            // F = -p_k e_k along the coordinate that the surface is a graph of.
            let k = dynamics.q.iter().position(|&q| Some(q) == find("normal"))?;
            let momentum = dynamics.momentum(graph);
            all[k + 1] = graph.neg(momentum[k]);
        }
        _ => return None,
    }
    Some(all)
}

/// The configuration, then the velocity after the impact.
pub(crate) fn reset_map(dynamics: &Dynamics, names: &[String], find: &dyn Fn(&str) -> Option<Id>) -> Vec<Id> {
    let position = names.iter().zip(&dynamics.q).map(|(name, &q)| find(&format!("position.{name}")).unwrap_or(q));
    let velocity = names.iter().zip(&dynamics.v).map(|(name, &v)| find(&format!("velocity.{name}")).unwrap_or(v));
    position.chain(velocity).collect()
}
