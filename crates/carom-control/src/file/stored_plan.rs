//! A plan on disk: what tables and pictures show, and what planning needs to go on.

mod identity;
mod parts;
mod search;

use super::json::Fields;
use crate::planner::{
    Certificate, DescentStatus, Iteration, Plan, PlanOptions, PlanStart, PlannedMotion, SearchState, Snapshot,
};
use crate::problem::ControlProblem;
use crate::solution::TransitionSolution;
use identity::{difference, identity};
use parts::{STATUSES, iteration, iteration_json, motion, motion_json, rounded, snapshot, snapshot_json, status_name};
use search::{search, search_json};
use serde_json::{Value, json};

/// What tells a stored plan from other files.
const FORMAT: &str = "carom-plan";
/// Rises when a reader of the former version would misunderstand a file.
const VERSION: u64 = 1;

/// A plan as it is stored.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StoredPlan {
    /// What it is about, line by line.
    pub problem: Vec<String>,
    /// Coordinates of the snapshots.
    pub coordinates: Vec<String>,
    /// Inputs of the snapshots.
    pub inputs: Vec<String>,
    /// Parameters of the spline.
    pub parameters: Vec<f64>,
    /// Why the descent ended.
    pub status: Option<DescentStatus>,
    /// The descent over splines, with the parts of earlier runs.
    pub descent: Vec<Iteration>,
    /// Descents with free knots: the price of missing the end, and the last iteration.
    pub freed: Vec<(f64, Iteration)>,
    /// Paths of the descent.
    pub snapshots: Vec<Snapshot>,
    /// The best motion with each number of impacts.
    pub motions: Vec<StoredMotion>,
    /// Number of the motion that is taken.
    pub taken: Option<usize>,
    /// How far the search came.
    pub search: Option<SearchState>,
    /// True if someone stopped it.
    pub is_stopped: bool,
}

/// A motion of a plan in a handful of numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StoredMotion {
    /// Coordinates of the places of impacts.
    pub coordinates: Vec<String>,
    /// Times and places of the impacts.
    pub impacts: Vec<(f64, Vec<f64>)>,
    /// Its cost.
    pub cost: f64,
    /// What the solver says.
    pub status: String,
    /// True if the solver converged and no obstacle is passed.
    pub is_motion: bool,
    /// How deep the obstacle is passed.
    pub depth: f64,
    /// The largest violation of an equation.
    pub violation: f64,
    /// Conditions of optimality.
    pub certificate: Certificate,
}

impl StoredMotion {
    fn of(motion: &PlannedMotion) -> Self {
        let place = |link: &TransitionSolution| (link.time, link.q.clone());
        let links = &motion.solution.transitions;
        let names = motion.solution.phases.first().filter(|_| !links.is_empty());
        Self {
            coordinates: names.map_or(Vec::new(), |phase| phase.coordinates.clone()),
            impacts: links.iter().map(place).collect(),
            cost: motion.cost,
            status: motion.solution.outcome.status.to_string(),
            is_motion: motion.is_motion(),
            depth: motion.depth,
            violation: motion.violation,
            certificate: motion.certificate.clone(),
        }
    }

    /// The largest residual of the conditions at impacts; nothing without impacts.
    pub fn worst_corner(&self) -> Option<f64> {
        let corners = self.certificate.corners.iter();
        corners.map(|corner| corner.velocity.max(corner.energy).max(corner.place)).reduce(f64::max)
    }
}

impl StoredPlan {
    /// The file in the folder of a result.
    pub const FILE: &'static str = "plan.json";

    /// What is worth keeping of a plan, which may have gone on from an earlier one.
    pub fn of(plan: &Plan, problem: &ControlProblem, earlier: Option<&Self>) -> Self {
        let best = plan.best().map(|best| best.times.len());
        let inputs = problem.phases.iter().take(1).flat_map(|phase| phase.system.inputs());
        let mut own = Self {
            problem: identity(problem),
            coordinates: plan.coordinates.clone(),
            inputs: inputs.map(|input| input.name.clone()).collect(),
            parameters: plan.parameters.clone(),
            status: plan.status,
            descent: plan.descent.clone(),
            freed: plan.freed.clone(),
            snapshots: plan.snapshots.iter().map(rounded).collect(),
            motions: plan.motions.iter().map(StoredMotion::of).collect(),
            taken: plan.motions.iter().position(|motion| Some(motion.times.len()) == best && motion.is_motion()),
            search: plan.search.clone(),
            is_stopped: plan.is_stopped,
        };
        if let Some(earlier) = earlier {
            own.follow(earlier);
        }
        own
    }

    /// Puts the earlier descent before this one, whose start is the end of that.
    fn follow(&mut self, earlier: &Self) {
        let done = earlier.iterations();
        let later = |iteration: &Iteration| Iteration { number: done + iteration.number, ..iteration.clone() };
        let added = self.descent.iter().skip(1).map(later);
        let descent: Vec<Iteration> = earlier.descent.iter().cloned().chain(added).collect();
        let later = |snapshot: &Snapshot| Snapshot { iteration: done + snapshot.iteration, ..snapshot.clone() };
        let added = self.snapshots.iter().filter(|snapshot| snapshot.iteration > 0).map(later);
        let snapshots: Vec<Snapshot> = earlier.snapshots.iter().cloned().chain(added).collect();
        // A descent that had come to its end does not end once more.
        if descent.len() == earlier.descent.len() && earlier.has_descended() {
            self.status = earlier.status;
        }
        (self.descent, self.snapshots) = (descent, snapshots);
        // A search that was not begun again is still where it was.
        self.search = self.search.take().or_else(|| earlier.search.clone());
    }

    /// Iterations of the descent so far.
    pub fn iterations(&self) -> usize {
        self.descent.last().map_or(0, |iteration| iteration.number)
    }

    /// True if the descent found no way down any more.
    pub fn has_descended(&self) -> bool {
        matches!(self.status, Some(DescentStatus::Converged | DescentStatus::Stalled))
    }

    /// Where planning goes on, and how; else why it cannot.
    pub fn resume(&self, problem: &ControlProblem, options: &mut PlanOptions) -> Result<PlanStart, String> {
        if let Some(difference) = difference(&self.problem, &identity(problem)) {
            return Err(difference);
        }
        let expected = self.coordinates.len() * (options.stages + 1);
        if self.parameters.len() != expected {
            let found = self.parameters.len();
            return Err(format!("its spline has {found} parameters, this one {expected}; keep `stages` of [plan]"));
        }
        let limit = if self.has_descended() { 0 } else { options.descent.max_iterations };
        options.descent.max_iterations = limit.saturating_sub(self.iterations());
        Ok(PlanStart { parameters: self.parameters.clone(), search: self.search.clone(), ..PlanStart::default() })
    }

    /// What readers want to know.
    pub fn summary(&self) -> Value {
        let freed = |(price, iteration): &(f64, Iteration)| {
            let mut object = iteration_json(iteration);
            object["penalty"] = (*price).into();
            object
        };
        json!({
            "status": self.status.and_then(status_name),
            "stopped": self.is_stopped,
            "problem": self.problem,
            "coordinates": self.coordinates,
            "inputs": self.inputs,
            "parameters": self.parameters,
            "descent": self.descent.iter().map(iteration_json).collect::<Vec<_>>(),
            "free_knots": self.freed.iter().map(freed).collect::<Vec<_>>(),
            "taken": self.taken,
            "motions": self.motions.iter().map(motion_json).collect::<Vec<_>>(),
            "programs": self.search.as_ref().map(|search| search.solved),
            "finished": self.search.as_ref().map(SearchState::is_finished),
        })
    }

    /// All of it as JSON.
    pub fn json(&self) -> Value {
        let mut object = json!({ "format": FORMAT, "format_version": VERSION });
        if let (Value::Object(all), Value::Object(summary)) = (&mut object, self.summary()) {
            all.extend(summary);
        }
        object["search"] = self.search.as_ref().map(search_json).into();
        object["snapshots"] = self.snapshots.iter().map(snapshot_json).collect();
        object
    }

    /// Reads what [`StoredPlan::json`] has written; else what is wrong.
    pub fn from_text(text: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if value["format"] != FORMAT || value["format_version"] != VERSION {
            return Err(format!("its format is not `{FORMAT}`, version {VERSION}"));
        }
        let fields = Fields(&value);
        let name = value["status"].as_str().unwrap_or_default();
        let found = Self {
            problem: fields.texts("problem")?,
            coordinates: fields.texts("coordinates")?,
            inputs: fields.texts("inputs")?,
            parameters: fields.numbers("parameters")?,
            status: STATUSES.iter().find(|(known, _)| *known == name).map(|(_, status)| *status),
            descent: fields.list("descent", iteration)?,
            freed: fields.list("free_knots", |fields| Ok((fields.number("penalty")?, iteration(fields)?)))?,
            snapshots: fields.list("snapshots", snapshot)?,
            motions: fields.list("motions", motion)?,
            taken: value["taken"].as_u64().map(|number| number as usize),
            search: if value["search"].is_null() { None } else { Some(search(fields.inner("search"))?) },
            is_stopped: value["stopped"].as_bool().unwrap_or_default(),
        };
        let (n, m) = (found.coordinates.len(), found.inputs.len());
        let has = |rows: &[Vec<f64>], count: usize, width: usize| {
            rows.len() == count && rows.iter().all(|row| row.len() == width)
        };
        let fits = |snapshot: &Snapshot| {
            let count = snapshot.t.len();
            has(&snapshot.unprojected, count, n) && has(&snapshot.q, count, n) && has(&snapshot.u, count, m)
        };
        if found.descent.is_empty() || !found.parameters.iter().all(|value| value.is_finite()) {
            return Err("its descent is damaged".to_owned());
        }
        if found.snapshots.iter().all(fits) { Ok(found) } else { Err("its snapshots are damaged".to_owned()) }
    }
}
