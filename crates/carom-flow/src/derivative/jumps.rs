//! The derivatives of the jumps of impacts.

use super::saltation::JumpSlopes;
use carom_expr::{Backend, Evaluator, Function, FunctionError, Graph, Group, Id};
use carom_model::{Closed, Dynamics, Impact, System};

/// Jump maps that are explicit expressions, one per surface.
pub(crate) struct Jumps {
    size: usize,
    p: usize,
    maps: Vec<Option<Evaluator>>,
}

impl Jumps {
    pub(crate) fn new(system: &System, kept: &[String], backend: Backend) -> Result<Self, FunctionError> {
        let dynamics = Dynamics::keeping(system, &|name| kept.iter().any(|kept| kept == name));
        let mut graph = dynamics.graph.clone();
        let values: Vec<Id> = kept.iter().map(|name| graph.variable(name)).collect();
        let time = [dynamics.time];
        let variables = [&dynamics.q[..], &dynamics.v, &time, &values].concat();
        let mut maps = Vec::new();
        for surface in &dynamics.surfaces {
            let law = &system.contacts()[surface.contact].law;
            let find =
                |name: &str| dynamics.law_parameters[surface.contact].iter().find(|p| p.name == name).map(|p| p.id);
            let map = match law.as_str() {
                "reset" => Some(reset(&dynamics, &system.coordinate_names(), &find)),
                "elastic" | "newton" if dynamics.constraint_count() == 0 => {
                    let restitution = find("restitution").unwrap_or_else(|| graph.constant(1.0));
                    Some(rebound(&mut graph, &dynamics, surface.gap, restitution))
                }
                _ => None,
            };
            let Some(map) = map else {
                maps.push(None);
                continue;
            };
            let slopes = graph.jacobian(&map, &variables).dense(&mut graph);
            let inputs = [
                Group::new("q", &dynamics.q),
                Group::new("v", &dynamics.v),
                Group::new("t", &time),
                Group::new("kept", &values),
            ];
            let function = Function::compile(&graph, &inputs, &[Group::new("slopes", &slopes)], backend)?;
            maps.push(Some(function.evaluator()));
        }
        Ok(Self { size: 2 * dynamics.dimension(), p: kept.len(), maps })
    }

    /// The derivative of the jump of an impact.
    pub(crate) fn at(&mut self, impact: &Impact, staying: &[Closed], kept: &[f64]) -> Result<JumpSlopes, String> {
        let surface = impact.impulses.first().map_or(0, |impulse| impulse.surface);
        let Some(map) = self.maps[surface].as_mut().filter(|_| staying.is_empty()) else {
            return Err(format!("the derivative of law `{}` is not known", impact.law));
        };
        let slopes = map.values(&[&impact.q[..], &impact.v_minus, &[impact.t], kept].concat());
        let columns = self.size + 1 + self.p;
        let part = |range: std::ops::Range<usize>| -> Vec<f64> {
            slopes.chunks_exact(columns).flat_map(|row| row[range.clone()].to_vec()).collect()
        };
        let size = self.size;
        Ok(JumpSlopes { state: part(0..size), time: part(size..size + 1), kept: part(size + 1..columns) })
    }
}

fn reset(dynamics: &Dynamics, names: &[String], find: &dyn Fn(&str) -> Option<Id>) -> Vec<Id> {
    let position = names.iter().zip(&dynamics.q).map(|(name, &q)| find(&format!("position.{name}")).unwrap_or(q));
    let velocity = names.iter().zip(&dynamics.v).map(|(name, &v)| find(&format!("velocity.{name}")).unwrap_or(v));
    position.chain(velocity).collect()
}

/// `v+ = v- - (1 + e) (G v-)/(G M^-1 G^T) M^-1 G^T`
fn rebound(graph: &mut Graph, dynamics: &Dynamics, gap: Id, restitution: Id) -> Vec<Id> {
    let n = dynamics.dimension();
    let momentum = dynamics.momentum(graph);
    let mass = graph.jacobian(&momentum, &dynamics.v).dense(graph);
    let normal = graph.gradient(gap, &dynamics.q);
    let lifted = crate::ldl::Ldl::factor(graph, n, &mass).solve(graph, normal.clone());
    let (rate, inverse) = (graph.dot(&normal, &dynamics.v), graph.dot(&normal, &lifted));
    let one = graph.constant(1.0);
    let factor = graph.add(one, restitution);
    let product = graph.mul(factor, rate);
    let impulse = graph.div(product, inverse);
    let after = dynamics.v.iter().zip(lifted).map(|(&v, change)| {
        let change = graph.mul(impulse, change);
        graph.sub(v, change)
    });
    let after: Vec<Id> = after.collect();
    dynamics.q.iter().copied().chain(after).collect()
}
