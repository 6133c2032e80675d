//! Descent over splines, without and with free knots, and what the last path means for the system.

use super::descent::{DescentOptions, descend};
use super::flights::through;
use super::objective::Objective;
use super::plan::{Plan, PlanEvent, PlanStart, Planning};
use super::projected::ProjectedCost;
use super::snapshot::Snapshot;
use super::spline::{JerkSpline, Side};
use super::touch::Boundary;
use crate::error::ControlError;
use crate::guess::Guess;

/// Snapshots are taken at these iterations, and at the last one.
const TAKEN: [usize; 12] = [0, 1, 2, 5, 10, 20, 50, 100, 200, 305, 500, 1000];
/// Points of a flight of the spline, as a start of the search.
const POINTS: usize = 32;

impl Planning<'_> {
    /// Steps 1 and 2; the last path, as flights of the system.
    pub(super) fn descend(
        &self,
        start: &PlanStart,
        found: &mut Plan,
        watch: &mut dyn FnMut(PlanEvent<'_>) -> bool,
    ) -> Result<Guess, ControlError> {
        let (task, options) = (self.task, self.options);
        let cost = ProjectedCost::new(task, options.flights.backend)?;
        let mut pictures = ProjectedCost::new(task, options.flights.backend)?;
        let [place, rate] = self.normal_start();
        let path = JerkSpline::new(task.duration, options.stages, &place, &rate);
        let mut parameters = vec![0.0; path.parameter_count(0)];
        if !start.parameters.is_empty() {
            if start.parameters.len() != parameters.len() {
                let (found, needed) = (start.parameters.len(), parameters.len());
                let why =
                    format!("the path to begin with has {found} parameters; {} stages need {needed}", options.stages);
                return Err(ControlError::Plan { why });
            }
            parameters.clone_from(&start.parameters);
        }
        let mut objective = Objective::new(cost, path, options.penalty, options.points);
        let (snapshots, mut is_stopped) = (&mut found.snapshots, false);
        let descent = descend(&mut objective, &parameters, &options.descent, &mut |iteration, path| {
            if TAKEN.contains(&iteration.number) {
                snapshots.push(Snapshot::new(iteration.number, iteration.costs.total, path, &mut pictures));
            }
            is_stopped = !watch(PlanEvent::Descent { iteration, is_free: false });
            !is_stopped
        });
        let last = descent.last().clone();
        if snapshots.last().is_none_or(|snapshot| snapshot.iteration != last.number) {
            snapshots.push(Snapshot::new(last.number, last.costs.total, objective.path(), &mut pictures));
        }
        found.parameters.clone_from(&descent.parameters);
        found.status = Some(descent.status);
        found.descent = descent.history;
        // Free knots: second derivatives may jump where the path crosses the boundary.
        let mut parameters = descent.parameters;
        parameters.resize(objective.path().parameter_count(last.crossings.len()), 0.0);
        let free = DescentOptions { max_iterations: options.free_iterations, ..options.descent.clone() };
        for &price in options.penalties.iter().filter(|_| !last.crossings.is_empty()) {
            if is_stopped {
                break;
            }
            objective.penalty = price;
            let descent = descend(&mut objective, &parameters, &free, &mut |iteration, _| {
                is_stopped = !watch(PlanEvent::Descent { iteration, is_free: true });
                !is_stopped
            });
            found.freed.push((price, descent.last().clone()));
            parameters = descent.parameters;
        }
        found.is_stopped = is_stopped;
        self.flights(objective.path(), &mut pictures)
    }

    /// The initial state in normal-form coordinates: the gap and its rate, then the others.
    fn normal_start(&self) -> [Vec<f64>; 2] {
        let (simple, normal) = (&self.task.normal.simple, &self.task.normal.normal);
        let mut graph = simple.graph.clone();
        let along: Vec<_> = simple.u.iter().copied().zip(simple.du.iter().copied()).collect();
        let rates = graph.directional(&normal.psi, &along);
        let [q, v] = &self.task.start;
        let mut at: Vec<_> = simple.u.iter().copied().zip(q.iter().copied()).collect();
        at.extend(simple.du.iter().copied().zip(v.iter().copied()));
        [graph.evaluate(&normal.psi, &at), graph.evaluate(&rates, &at)]
    }

    /// The path of a spline between its crossings, as motions of the system.
    fn flights(&self, path: &JerkSpline, system: &mut ProjectedCost) -> Result<Guess, ControlError> {
        let mut boundary = Boundary::new(&self.task.normal)?;
        let n = path.dimension();
        let mut knots = vec![0.0];
        knots.extend(path.crossings());
        knots.push(self.task.duration);
        let mut state = vec![0.0; 3 * n];
        let mut phases = Vec::new();
        for (number, ends) in knots.windows(2).enumerate() {
            let side = if number % 2 == 0 { Side::Feasible } else { Side::Infeasible };
            let mut point = |k: usize| {
                let time = ends[0] + (ends[1] - ends[0]) * k as f64 / POINTS as f64;
                path.at(time, &mut state);
                let [u, _] = system.motion(side, time, &state);
                boundary.whole(&u)
            };
            phases.push(through((0..=POINTS).map(&mut point).collect(), ends[1] - ends[0]));
        }
        Ok(Guess { phases, ..Guess::default() })
    }
}
