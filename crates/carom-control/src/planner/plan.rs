//! Descent, free knots, search, polish.

use super::certificate::{Certificate, certificate};
use super::descent::{DescentOptions, DescentStatus, Iteration, descend};
use super::flights::{Flight, Flights, through};
use super::objective::Objective;
use super::options::PlanOptions;
use super::projected::ProjectedCost;
use super::search::{Search, SearchEvent};
use super::snapshot::Snapshot;
use super::spline::JerkSpline;
use super::task::Task;
use super::touch::Boundary;
use crate::error::ControlError;
use crate::guess::Guess;
use crate::implicit::depth;
use crate::problem::ControlProblem;
use crate::solution::Solution;
use crate::solve::solve;
use carom_nlp::Observer;

/// Snapshots are taken at these iterations, and at the last one.
const TAKEN: [usize; 12] = [0, 1, 2, 5, 10, 20, 50, 100, 200, 305, 500, 1000];
/// Points of a flight of the spline, as a start of the search.
const POINTS: usize = 32;

/// Where planning begins anew.
#[derive(Clone, Debug, Default)]
pub struct PlanStart {
    /// Parameters of the spline; the constant path if empty.
    pub parameters: Vec<f64>,
    /// Motions that were found before.
    pub motions: Vec<Guess>,
}

/// What was planned.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The descent over splines: the start and all iterations.
    pub descent: Vec<Iteration>,
    /// Why it ended.
    pub status: Option<DescentStatus>,
    /// Descents with free knots: the price of missing the end, and the last iteration.
    pub freed: Vec<(f64, Iteration)>,
    /// Paths of the descents.
    pub snapshots: Vec<Snapshot>,
    /// Parameters of the last spline without free knots.
    pub parameters: Vec<f64>,
    /// The best motion with each number of impacts, by that number.
    pub motions: Vec<PlannedMotion>,
    /// Programs that the search solved.
    pub solved: usize,
    /// True if the observer stopped it.
    pub is_stopped: bool,
}

impl Plan {
    /// The cheapest motion that passes through nothing.
    pub fn best(&self) -> Option<&PlannedMotion> {
        let motions = self.motions.iter().filter(|motion| motion.is_motion());
        motions.min_by(|a, b| a.cost.total_cmp(&b.cost))
    }
}

/// A motion with some number of impacts.
#[derive(Clone, Debug)]
pub struct PlannedMotion {
    /// Times of the impacts.
    pub times: Vec<f64>,
    /// Its cost.
    pub cost: f64,
    /// The problem with that number of impacts.
    pub problem: ControlProblem,
    /// Its solution.
    pub solution: Solution,
    /// How deep the obstacle is passed between the nodes, by replay.
    pub depth: f64,
    /// Conditions of optimality.
    pub certificate: Certificate,
    /// The largest violation of all equations of the motion, its end included.
    pub violation: f64,
}

impl PlannedMotion {
    /// True if the solver converged and the obstacle is not passed by more than a hair.
    pub fn is_motion(&self) -> bool {
        self.solution.outcome.status.is_success() && self.depth <= crate::implicit::DEEPEST
    }
}

/// Something that happens while planning.
#[derive(Clone, Copy, Debug)]
pub enum PlanEvent<'a> {
    /// An iteration of the descent, without or with free knots.
    Descent {
        /// The iteration.
        iteration: &'a Iteration,
        /// True if knots are free.
        is_free: bool,
    },
    /// The search found a motion that is the best with its number of impacts.
    Search(SearchEvent),
    /// A motion was polished.
    Polished(&'a PlannedMotion),
}

/// An error if a motion of this problem cannot be planned.
pub fn plannable(problem: &ControlProblem, options: &PlanOptions) -> Result<(), ControlError> {
    options.check()?;
    Task::new(problem, &options.projection).map(|_| ())
}

/// Plans a motion of a problem with one phase and one contact. `watch` is told what happens and may stop by returning
/// false: what was found so far is kept.
pub fn plan(
    problem: &ControlProblem,
    start: &PlanStart,
    options: &PlanOptions,
    watch: &mut dyn FnMut(PlanEvent<'_>) -> bool,
) -> Result<Plan, ControlError> {
    options.check()?;
    let task = Task::new(problem, &options.projection)?;
    let mut found = Plan::default();
    let splines = Planning { problem, task: &task, options };
    let path = splines.descend(start, &mut found, watch)?;
    if let Some(search) = &options.search
        && !found.is_stopped
    {
        let boundary = Boundary::new(&task.normal)?;
        let contact = &task.normal.simple.contact;
        let flights = Flights::new(problem, contact, (&options.flights, options.flight_intervals))?;
        let search = Search::new(flights, boundary, search);
        splines.search(search, &path, start, &mut found, watch)?;
    }
    Ok(found)
}

struct Planning<'a> {
    problem: &'a ControlProblem,
    task: &'a Task,
    options: &'a PlanOptions,
}

impl Planning<'_> {
    /// Steps 1 and 2; the last path, as flights of the system.
    fn descend(
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
        if start.parameters.len() == parameters.len() {
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
        Ok(self.flights(objective.path(), &mut pictures)?)
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
            let side = if number % 2 == 0 { super::spline::Side::Feasible } else { super::spline::Side::Infeasible };
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

    /// Steps 3 and 4.
    fn search(
        &self,
        mut search: Search<'_, '_>,
        path: &Guess,
        start: &PlanStart,
        found: &mut Plan,
        watch: &mut dyn FnMut(PlanEvent<'_>) -> bool,
    ) -> Result<(), ControlError> {
        let mut tell = |event: SearchEvent| watch(PlanEvent::Search(event));
        let observe: &mut Observer<'_> = &mut |_| true;
        for guess in [&Guess::interpolate(self.problem, &[]), path].into_iter().chain(&start.motions) {
            search.solve(guess, &mut tell, observe)?;
        }
        search.run(self.task.duration, &mut tell, observe)?;
        found.solved = search.flights.solved;
        found.is_stopped = search.is_stopped;
        for level in std::mem::take(&mut search.levels) {
            let Some(motion) = self.polished(&search.flights, &level)? else { continue };
            // What was found is polished, even if the search was stopped.
            found.is_stopped |= !watch(PlanEvent::Polished(&motion));
            found.motions.push(motion);
        }
        Ok(())
    }

    /// The best of the motions with the same number of impacts, on a finer mesh.
    fn polished(&self, flights: &Flights<'_>, level: &[Flight]) -> Result<Option<PlannedMotion>, ControlError> {
        let mut second = None;
        for flight in level.iter().take(3) {
            for with_gaps in [true, false] {
                let mut problem = flights.fixed(flight.times.len(), with_gaps)?;
                problem.phases.iter_mut().for_each(|phase| phase.intervals = self.options.intervals);
                let solution = solve(&problem, &flight.guess, &self.options.polish, &mut |_| true)?;
                let depth = depth(&problem, &solution)?;
                let motion = PlannedMotion {
                    times: solution.transitions.iter().map(|transition| transition.time).collect(),
                    cost: solution.outcome.objective,
                    certificate: certificate(self.task, &solution)?,
                    violation: solution.outcome.residuals.feasibility,
                    problem,
                    solution,
                    depth,
                };
                if motion.is_motion() {
                    return Ok(Some(motion));
                }
                second = second.or(Some(motion));
            }
        }
        Ok(second)
    }
}
