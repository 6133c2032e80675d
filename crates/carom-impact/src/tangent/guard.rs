//! The derivatives of guards: what ends a mode, as a function of the state.
//!
//! | guard | function |
//! |---|---|
//! | a contact closes | its gap `phi(q)` |
//! | a closed contact is released | its normal force `-lambda_N(q, v, t)` |
//! | a sticking contact slips | `mu (-lambda_N) - |lambda_T|` |
//! | a sliding contact halts | its slip rate |
//!
//! Multipliers are those of the equations of motion, `M a + H^T lambda = b`, `G a = c`.

use carom_expr::{Backend, FunctionError, Graph, Id, Unary};
use carom_model::{Dynamics, EquationsOfMotion, ImplicitMap, MapError};

/// A guard of a mode.
#[derive(Clone, Debug, PartialEq)]
pub enum Guard {
    /// The gap of a surface.
    Gap(usize),
    /// The force behind a multiplier.
    Release(usize),
    /// The edge of a cone: multipliers of normal and tangents, and the contact.
    Slip(usize, Vec<usize>, usize),
    /// The slip rate of a surface.
    Halt(usize),
    /// The rate of the gap of a surface.
    Rate(usize),
}

/// A motion that would reach no deeper than this part of the configuration (at least 1) grazes: rounding decides whether it
/// touches, and how fast.
const GRAZING_DEPTH: f64 = 1e-12;

/// Differentiates the guards of one mode.
pub struct GuardTangent {
    dynamics: Dynamics,
    kept: Vec<Id>,
    backend: Backend,
    maps: Vec<(Guard, ImplicitMap)>,
}

impl GuardTangent {
    /// Prepares the guards of a mode, whose `dynamics` hold the variables called `kept`.
    pub fn new(dynamics: Dynamics, kept: &[String], backend: Backend) -> Self {
        let mut dynamics = dynamics;
        let kept = kept.iter().map(|name| dynamics.graph.variable(name)).collect();
        Self { dynamics, kept, backend, maps: Vec::new() }
    }

    /// The gradient of a guard with respect to `(q, v, t, kept)` at a state.
    pub fn gradient(&mut self, guard: &Guard, state: &[f64]) -> Result<Vec<f64>, MapError> {
        let index = match self.maps.iter().position(|(known, _)| known == guard) {
            Some(index) => index,
            None => {
                let map = self.compile(guard)?;
                self.maps.push((guard.clone(), map));
                self.maps.len() - 1
            }
        };
        let map = &mut self.maps[index].1;
        // Accelerations and multipliers are linear: one correction finds them.
        let mut at = [&vec![0.0; map.unknown_count()][..], state].concat();
        if map.unknown_count() > 0 {
            map.correct(&mut at)?;
        }
        map.derivative(&at)
    }

    /// `(v, a)` at a state `(q, v, t, kept)`.
    pub fn rates(&mut self, state: &[f64]) -> Result<Vec<f64>, MapError> {
        // Any guard with multipliers knows the acceleration.
        let (n, guard) = (self.dynamics.dimension(), Guard::Release(usize::MAX));
        self.gradient(&guard, state)?;
        let Some((_, map)) = self.maps.iter_mut().find(|(known, _)| *known == guard) else { return Ok(Vec::new()) };
        let mut at = [&vec![0.0; map.unknown_count()][..], state].concat();
        map.correct(&mut at)?;
        Ok([&state[n..2 * n], &at[..n]].concat())
    }

    /// The rate of a gap at a state `(q, v, t, kept)`, if the motion grazes the surface there: `u = phi'` is so small and
    /// `phi''` so large that the depth `u^2 / (2 phi'')` is rounding.
    pub fn grazes(&mut self, surface: usize, state: &[f64]) -> Result<Option<f64>, MapError> {
        let n = self.dynamics.dimension();
        let rates = [&self.rates(state)?[..], &[1.0]].concat();
        let speed = carom_linalg::dot(&self.gradient(&Guard::Gap(surface), state)?[..n], &state[n..2 * n]);
        let pull = carom_linalg::dot(&self.gradient(&Guard::Rate(surface), state)?[..=2 * n], &rates);
        let scale = carom_linalg::max_abs(&state[..n]).max(1.0);
        let is_shallow = pull > 0.0 && speed * speed <= 2.0 * pull * GRAZING_DEPTH * scale;
        Ok((is_shallow || speed >= 0.0).then_some(speed))
    }

    fn compile(&self, guard: &Guard) -> Result<ImplicitMap, FunctionError> {
        let dynamics = &self.dynamics;
        let mut graph = dynamics.graph.clone();
        let inputs = [&dynamics.q[..], &dynamics.v, &[dynamics.time], &self.kept].concat();
        let along: Vec<(Id, Id)> = dynamics.q.iter().copied().zip(dynamics.v.iter().copied()).collect();
        let explicit = match *guard {
            Guard::Gap(surface) => Some(dynamics.surfaces[surface].gap),
            Guard::Rate(surface) => graph.directional(&[dynamics.surfaces[surface].gap], &along).first().copied(),
            Guard::Halt(surface) => {
                let tangents = dynamics.surfaces[surface].tangents.clone();
                graph.directional(&tangents, &along).first().copied()
            }
            _ => None,
        };
        if let Some(guard) = explicit {
            return ImplicitMap::new(graph, (&[], &inputs), (&[], &[guard]), self.backend);
        }
        let (unknowns, residual) = balance(&mut graph, dynamics);
        let lambda = unknowns[dynamics.dimension()..].to_vec();
        let value = match guard {
            Guard::Release(normal) if *normal < lambda.len() => graph.neg(lambda[*normal]),
            Guard::Slip(normal, tangential, contact) => {
                let squares: Vec<Id> = tangential.iter().map(|&place| lambda[place]).collect();
                let square = graph.dot(&squares, &squares);
                let size = graph.unary(Unary::Sqrt, square);
                let declared = dynamics.law_parameters[*contact].iter().find(|p| p.name == "friction");
                let friction = declared.map_or_else(|| graph.constant(0.0), |parameter| parameter.id);
                let bound = graph.mul(friction, lambda[*normal]);
                let sum = graph.add(bound, size);
                graph.neg(sum)
            }
            _ => graph.constant(0.0),
        };
        ImplicitMap::new(graph, (&unknowns, &inputs), (&residual, &[value]), self.backend)
    }
}

/// The unknowns `(a, lambda)` and the residual of the equations of motion.
fn balance(graph: &mut Graph, dynamics: &Dynamics) -> (Vec<Id>, Vec<Id>) {
    let motion = EquationsOfMotion::new(graph, dynamics);
    let (n, m) = (dynamics.dimension(), motion.curvature.len());
    let (a, lambda) = (graph.variables("[a]", n), graph.variables("[lambda]", m));
    let mut residual = Vec::new();
    for i in 0..n {
        let column: Vec<Id> = (0..m).map(|k| motion.directions[k * n + i]).collect();
        let (inertia, normal) = (graph.dot(&motion.mass[i * n..(i + 1) * n], &a), graph.dot(&column, &lambda));
        let sum = graph.add(inertia, normal);
        residual.push(graph.sub(sum, motion.bias[i]));
    }
    for k in 0..m {
        let rate = graph.dot(&motion.jacobian[k * n..(k + 1) * n], &a);
        residual.push(graph.sub(rate, motion.curvature[k]));
    }
    ([a, lambda].concat(), residual)
}
