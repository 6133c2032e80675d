//! Descent, free knots, search, polish.

use super::certificate::{Certificate, certificate};
use super::descent::{DescentStatus, Iteration};
use super::flights::Flights;
use super::options::PlanOptions;
use super::search::{Search, SearchEvent, SearchState};
use super::snapshot::Snapshot;
use super::task::Task;
use super::touch::Boundary;
use crate::error::ControlError;
use crate::guess::Guess;
use crate::problem::ControlProblem;
use crate::solution::Solution;
use carom_nlp::{Observer, Progress};
use std::cell::RefCell;

/// Where planning begins anew.
#[derive(Clone, Debug, Default)]
pub struct PlanStart {
    /// Parameters of the spline; the constant path if empty.
    pub parameters: Vec<f64>,
    /// Motions that were found before.
    pub motions: Vec<Guess>,
    /// A search that was ended early, to go on with.
    pub search: Option<SearchState>,
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
    /// How far the search came, if there was one.
    pub search: Option<SearchState>,
    /// Coordinates of the snapshots.
    pub coordinates: Vec<String>,
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
    /// An iteration of one of the programs of the search.
    Solving(&'a Progress<'a>),
    /// A motion was polished.
    Polished(&'a PlannedMotion),
}

/// An error if a motion of this problem cannot be planned.
pub fn plannable(problem: &ControlProblem, options: &PlanOptions) -> Result<(), ControlError> {
    task(problem, options).map(|_| ())
}

/// Conditions of optimality of a motion with impacts, for the cost and the end of `problem`, which has one phase.
pub fn certify(
    problem: &ControlProblem,
    options: &PlanOptions,
    solution: &Solution,
) -> Result<Certificate, ControlError> {
    certificate(&Task::new(problem, &options.projection)?, solution)
}

/// The task, if all of the plan can be made: also what comes after the descent.
fn task(problem: &ControlProblem, options: &PlanOptions) -> Result<Task, ControlError> {
    options.check()?;
    let task = Task::new(problem, &options.projection)?;
    if options.search.is_some() {
        if task.is_timed() {
            let why =
                "it depends on time explicitly, and the times of its impacts are to be found: search splines only";
            return Err(ControlError::Plan { why: why.to_owned() });
        }
        for solve in [&options.flights, &options.polish] {
            let mut flights = Flights::new(problem, &task.normal.simple.contact, (solve, 1))?;
            flights.check()?;
        }
    }
    Ok(task)
}

/// Plans a motion of a problem with one phase and one contact. `watch` is told what happens and may stop by returning
/// false: what was found so far is kept.
pub fn plan(
    problem: &ControlProblem,
    start: &PlanStart,
    options: &PlanOptions,
    watch: &mut dyn FnMut(PlanEvent<'_>) -> bool,
) -> Result<Plan, ControlError> {
    let task = task(problem, options)?;
    let coordinates = task.normal.simple.coordinates.iter().map(|coordinate| coordinate.name.clone()).collect();
    // What an earlier plan knew is not lost, whenever this one is stopped.
    let mut found = Plan { coordinates, search: start.search.clone(), ..Plan::default() };
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

/// A plan at work.
pub(super) struct Planning<'a> {
    pub(super) problem: &'a ControlProblem,
    pub(super) task: &'a Task,
    pub(super) options: &'a PlanOptions,
}

impl Planning<'_> {
    /// Steps 3 and 4.
    fn search(
        &self,
        mut search: Search<'_, '_>,
        path: &Guess,
        start: &PlanStart,
        found: &mut Plan,
        watch: &mut dyn FnMut(PlanEvent<'_>) -> bool,
    ) -> Result<(), ControlError> {
        if let Some(state) = &start.search {
            search.resume(state);
        }
        {
            // Both tell the same observer.
            let watch = RefCell::new(&mut *watch);
            let mut tell = |event: SearchEvent| (watch.borrow_mut())(PlanEvent::Search(event));
            let observe: &mut Observer<'_> = &mut |progress| (watch.borrow_mut())(PlanEvent::Solving(progress));
            let first = Guess::interpolate(self.problem, &[]);
            let first = [&first, path].into_iter().filter(|_| search.is_new()).collect::<Vec<_>>();
            for guess in first.into_iter().chain(&start.motions) {
                search.solve(guess, &mut tell, observe)?;
            }
            search.run(self.task.duration, &mut tell, observe)?;
        }
        found.solved = search.flights.solved;
        found.is_stopped = search.is_stopped;
        found.search = Some(search.state());
        let levels = std::mem::take(&mut search.levels).into_iter().zip(std::mem::take(&mut search.aside));
        for (level, aside) in levels {
            // Motions through the obstacle may be pushed out of it.
            let candidates = if level.is_empty() { aside } else { level };
            let Some(motion) = self.polished(&search.flights, &candidates, watch)? else { continue };
            // What was found is polished, even if the search was stopped.
            found.is_stopped |= !watch(PlanEvent::Polished(&motion));
            found.motions.push(motion);
        }
        Ok(())
    }
}
