//! What is seen of a smooth path: a motion with impacts.

use super::{Crossing, Projected};
use crate::error::ImpactError;
use crate::geometry::Geometry;
use crate::initial::{check_state, consistent};
use crate::smooth::{Log, Smooth};
use carom_expr::{Backend, FunctionError};
use carom_linalg::{Lu, dot};
use carom_model::{
    Acceleration, Balance, ContactImpulse, Ending, Impact, Legendre, Recorder, Snapshot, Statistics, System, Trajectory,
};
use std::time::Instant;

/// The smooth path.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProjectedPath {
    /// Names of its coordinates: those of the system that constraints do not determine.
    pub names: Vec<String>,
    /// Times.
    pub t: Vec<f64>,
    /// `z`, node by node.
    pub z: Vec<f64>,
    /// `z'`, node by node.
    pub dz: Vec<f64>,
    /// True where `z` is not feasible.
    pub outside: Vec<bool>,
    /// Crossings of the boundary.
    pub crossings: Vec<Crossing>,
}

/// A run: the smooth path, and the motion that is its projection.
#[derive(Clone, Debug)]
pub struct ProjectedRun {
    /// `q = P(z)`, with its impacts. Its ending says if the run broke off.
    pub trajectory: Trajectory,
    /// `z`.
    pub path: ProjectedPath,
}

/// Times that a run goes through.
pub struct Grid<'a> {
    /// How many there are, the initial one included.
    pub count: usize,
    /// Each of them, by number.
    pub time: &'a dyn Fn(usize) -> f64,
    /// Each so many of them, and the last one, are recorded.
    pub every: usize,
}

/// Nodes between two calls of the observer.
const OBSERVE_EVERY: usize = 256;

/// Turns states of the path into states of the system.
struct Witness<'s> {
    recorder: Recorder<'s>,
    legendre: Legendre,
    geometry: Geometry,
    /// For multipliers, if there are constraints.
    acceleration: Option<Acceleration>,
    path: ProjectedPath,
    /// Intervals of time stepped through.
    steps: usize,
}

impl<S: Smooth<Error: std::fmt::Display>> Projected<S> {
    /// Follows the path from a feasible state of `system` through the times of `grid`.
    /// `observe` hears the time now and then and may stop the run by returning false. What breaks a run off is told by the
    /// ending of its trajectory.
    pub fn run(
        &mut self,
        system: &System,
        method: &str,
        (q, v): (&[f64], &[f64]),
        grid: Grid<'_>,
        observe: &mut dyn FnMut(f64) -> bool,
    ) -> Result<ProjectedRun, FunctionError> {
        let dynamics = system.dynamics();
        let names = self.places.iter().map(|&place| system.coordinates()[place].name.clone()).collect();
        let is_constrained = dynamics.constraint_count() > 0;
        let mut witness = Witness {
            recorder: Recorder::new(system, method)?,
            legendre: Legendre::new(&dynamics, Backend::Interpreter)?,
            geometry: Geometry::new(&dynamics, Backend::Interpreter)?,
            acceleration: is_constrained.then(|| Acceleration::new(&dynamics, Backend::Interpreter)).transpose()?,
            path: ProjectedPath { names, ..ProjectedPath::default() },
            steps: 0,
        };
        let clock = Instant::now();
        let failure = self.follow((q, v), &grid, observe, &mut witness).err();
        let (steps, wall_seconds) = (witness.steps, clock.elapsed().as_secs_f64());
        let statistics = Statistics { steps, wall_seconds, ..Statistics::default() };
        let mut trajectory = witness.recorder.finish(statistics, failure);
        // What fails before the first node fails at the start.
        if let (Ending::Failed { time, .. }, true) = (&mut trajectory.ending, trajectory.t.is_empty()) {
            *time = (grid.time)(0);
        }
        Ok(ProjectedRun { trajectory, path: witness.path })
    }

    /// All nodes; an error in words.
    fn follow(
        &mut self,
        (q, v): (&[f64], &[f64]),
        grid: &Grid<'_>,
        observe: &mut dyn FnMut(f64) -> bool,
        witness: &mut Witness<'_>,
    ) -> Result<(), String> {
        let told = |error: S::Error| error.to_string();
        let mut crossings = Vec::new();
        let start = (grid.time)(0);
        let (q, v) = self.feasible((start, q, v), witness).map_err(told)?;
        self.begin((start, &q, &v), &mut crossings).map_err(told)?;
        for k in 0..grid.count {
            let time = (grid.time)(k);
            let outcome = self.advance(time, &mut crossings);
            for crossing in crossings.drain(..) {
                self.impact(crossing, witness).map_err(told)?;
            }
            outcome.and_then(|()| self.check_limits()).map_err(told)?;
            witness.steps = k;
            if k % grid.every.max(1) == 0 || k + 1 == grid.count {
                self.node(witness).map_err(told)?;
            }
            if k % OBSERVE_EVERY == 0 && !observe(time) {
                return Err(format!("stopped on request at t = {time}"));
            }
        }
        Ok(())
    }

    /// The initial state on the constraints, as collisions have it.
    fn feasible(
        &mut self,
        state: (f64, &[f64], &[f64]),
        witness: &mut Witness<'_>,
    ) -> Result<(Vec<f64>, Vec<f64>), S::Error> {
        check_state(state, self.whole)?;
        Ok(consistent(&mut witness.legendre, state).map_err(ImpactError::from)?)
    }

    fn node(&mut self, witness: &mut Witness<'_>) -> Result<(), S::Error> {
        let t = self.time();
        let ((z, dz), (q, v)) = (self.path()?, self.observed()?);
        let mut p = vec![0.0; q.len()];
        witness.legendre.momentum(&q, &v, t, &mut p);
        let all = witness.acceleration.as_mut().and_then(|acceleration| acceleration.at(&q, &v, t));
        let multipliers = all.map_or(Vec::new(), |all| all[q.len()..].to_vec());
        let state = Snapshot { t, q: &q, v: &v, p: &p, multipliers: &multipliers };
        witness.recorder.record(state, &mut witness.legendre)?;
        let mut gaps = vec![0.0];
        witness.geometry.gaps(&q, &mut gaps);
        witness.recorder.record_contacts(&gaps, &[0.0]);
        let path = &mut witness.path;
        path.t.push(t);
        path.z.extend(z);
        path.dz.extend(dz);
        path.outside.push(self.is_outside());
        Ok(())
    }

    /// What a crossing is for the system: an impact.
    fn impact(&mut self, crossing: Crossing, witness: &mut Witness<'_>) -> Result<(), S::Error> {
        let Crossing { t, bracket, ref z, ref dz_minus, ref dz_plus, leaves, iterations } = crossing;
        let seen = |map: &mut carom_model::projection::ProjectionMap, dz: &[f64], is_outside| {
            map.observed(z, dz, is_outside).map_err(ImpactError::from)
        };
        let (_, v_minus) = seen(&mut self.map, dz_minus, !leaves)?;
        let (q, v_plus) = seen(&mut self.map, dz_plus, leaves)?;
        let legendre = &mut witness.legendre;
        let (mut p_minus, mut p_plus) = (vec![0.0; q.len()], vec![0.0; q.len()]);
        legendre.momentum(&q, &v_minus, t, &mut p_minus);
        legendre.momentum(&q, &v_plus, t, &mut p_plus);
        let energies = (legendre.energy(&q, &v_minus, t), legendre.energy(&q, &v_plus, t));
        let change: Vec<f64> = p_plus.iter().zip(&p_minus).map(|(after, before)| after - before).collect();
        witness.geometry.at(&q, &v_minus, t);
        let rows = [witness.geometry.gradient(0), legendre.constraints(&q).1].concat();
        let normal = components(&rows, &change).first().copied().unwrap_or(0.0);
        let impulses = vec![ContactImpulse { contact: 0, surface: 0, normal, tangential: Vec::new() }];
        witness.recorder.log().impact(Impact {
            t,
            bracket,
            impulses,
            law: "elastic".to_owned(),
            q_plus: q.clone(),
            q,
            v_minus,
            v_plus,
            p_minus,
            p_plus,
            energy_minus: energies.0,
            energy_change: energies.1 - energies.0,
            balance: Balance { kind: "projected", energies, ..Balance::default() },
            iterations,
        });
        witness.path.crossings.push(crossing);
        Ok(())
    }
}

/// Weights `w` with `sum w_k row_k = covector`, in the sense of least squares.
fn components(rows: &[f64], covector: &[f64]) -> Vec<f64> {
    let n = covector.len();
    let m = rows.len() / n;
    let row = |k: usize| &rows[k * n..(k + 1) * n];
    let gram: Vec<f64> = (0..m * m).map(|k| dot(row(k / m), row(k % m))).collect();
    let mut weights: Vec<f64> = (0..m).map(|k| dot(row(k), covector)).collect();
    let mut lu = Lu::new(m);
    if lu.factor(&gram).is_ok() {
        lu.solve(&mut weights);
    }
    weights
}
