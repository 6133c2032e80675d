//! A plan on disk: what tables and pictures show, and what planning needs to go on.

use super::json::Fields;
use crate::guess::{Guess, PhaseGuess, TransitionGuess};
use crate::planner::{
    Certificate, Corner, Costs, DescentStatus, Flight, Iteration, Plan, PlanOptions, PlanStart, PlannedMotion,
    SearchOptions, SearchState, Snapshot,
};
use crate::solution::TransitionSolution;
use serde_json::{Map, Value, json};

/// What tells a stored plan from other files.
const FORMAT: &str = "carom-plan";
/// Rises when a reader of the former version would misunderstand a file.
const VERSION: u64 = 1;
/// Significant digits of snapshots, which are pictures only.
const DIGITS: usize = 8;
/// Motions with the same number of impacts of which the best is polished.
const POLISHED: usize = 3;

const STATUSES: [(&str, DescentStatus); 4] = [
    ("converged", DescentStatus::Converged),
    ("stalled", DescentStatus::Stalled),
    ("limit", DescentStatus::Limit),
    ("stopped", DescentStatus::Stopped),
];

/// A plan as it is stored.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StoredPlan {
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
    pub fn of(plan: &Plan, inputs: Vec<String>, earlier: Option<&Self>) -> Self {
        let best = plan.best().map(|best| best.times.len());
        let mut own = Self {
            coordinates: plan.coordinates.clone(),
            inputs,
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
    pub fn resume(&self, options: &mut PlanOptions) -> Result<PlanStart, String> {
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

fn status_name(status: DescentStatus) -> Option<&'static str> {
    STATUSES.iter().find(|(_, known)| *known == status).map(|(name, _)| *name)
}

fn iteration_json(iteration: &Iteration) -> Value {
    let Costs { total, integral, ending, miss } = iteration.costs;
    json!({
        "iteration": iteration.number, "cost": total, "integral": integral, "ending": ending, "miss": miss,
        "crossings": iteration.crossings, "step": iteration.step, "gradient": iteration.gradient_norm,
        "restarts": iteration.restarts,
    })
}

fn iteration(fields: Fields<'_>) -> Result<Iteration, String> {
    Ok(Iteration {
        number: whole(fields, "iteration")?,
        costs: Costs {
            total: fields.number("cost")?,
            integral: fields.number("integral")?,
            ending: fields.number("ending")?,
            miss: fields.number("miss")?,
        },
        crossings: fields.numbers("crossings")?,
        step: fields.0["step"].as_f64(),
        gradient_norm: fields.number("gradient")?,
        restarts: whole(fields, "restarts")?,
    })
}

fn whole(fields: Fields<'_>, key: &str) -> Result<usize, String> {
    let number = fields.0[key].as_u64().ok_or_else(|| format!("`{key}` is no whole number"))?;
    usize::try_from(number).map_err(|error| error.to_string())
}

fn motion_json(motion: &StoredMotion) -> Value {
    let impact = |(t, q): &(f64, Vec<f64>)| {
        let named = motion.coordinates.iter().zip(q).map(|(name, value)| (name.clone(), Value::from(*value)));
        json!({ "t": t, "q": named.collect::<Map<_, _>>() })
    };
    let corner = |corner: &Corner| {
        json!({
            "t": corner.time, "velocity": corner.velocity, "energy": corner.energy, "place": corner.place,
            "printed": corner.printed,
        })
    };
    json!({
        "impacts": motion.impacts.iter().map(impact).collect::<Vec<_>>(),
        "cost": motion.cost,
        "status": motion.status,
        "motion": motion.is_motion,
        "depth": motion.depth,
        "violation": motion.violation,
        "corners": motion.certificate.corners.iter().map(corner).collect::<Vec<_>>(),
        "flights": motion.certificate.flights,
        "end": motion.certificate.end,
    })
}

fn motion(fields: Fields<'_>) -> Result<StoredMotion, String> {
    let names = fields.0["impacts"][0]["q"].as_object().map(|places| places.keys().cloned().collect());
    let coordinates: Vec<String> = names.unwrap_or_default();
    let impact = |fields: Fields<'_>| {
        let place = |name: &String| fields.inner("q").number(name);
        Ok((fields.number("t")?, coordinates.iter().map(place).collect::<Result<_, String>>()?))
    };
    let impacts = fields.list("impacts", impact)?;
    let corner = |fields: Fields<'_>| {
        Ok(Corner {
            time: fields.number("t")?,
            velocity: fields.number("velocity")?,
            energy: fields.number("energy")?,
            place: fields.number("place")?,
            printed: fields.number("printed")?,
        })
    };
    Ok(StoredMotion {
        coordinates,
        impacts,
        cost: fields.number("cost")?,
        status: fields.text("status")?,
        is_motion: fields.0["motion"].as_bool().unwrap_or_default(),
        depth: fields.number("depth")?,
        violation: fields.number("violation")?,
        certificate: Certificate {
            corners: fields.list("corners", corner)?,
            flights: fields.number("flights")?,
            end: fields.number("end")?,
        },
    })
}

fn search_json(state: &SearchState) -> Value {
    // Of a search that is finished, the motions that are polished are enough.
    let kept = if state.is_finished() { [POLISHED, 0] } else { [usize::MAX; 2] };
    let lists = |all: &[Vec<Flight>], kept: usize| -> Value {
        all.iter().map(|list| Value::from(list.iter().take(kept).map(flight_json).collect::<Vec<_>>())).collect()
    };
    let SearchOptions { impacts, beam, times, max_seconds } = state.options;
    json!({
        "pass": state.pass, "moves": state.moves, "solved": state.solved,
        "impacts": impacts, "beam": beam, "times": times, "seconds": max_seconds,
        "levels": lists(&state.levels, kept[0]), "aside": lists(&state.aside, kept[1]),
    })
}

fn search(fields: Fields<'_>) -> Result<SearchState, String> {
    let lists = |key: &str| -> Result<Vec<Vec<Flight>>, String> {
        let all = fields.0[key].as_array().ok_or_else(|| format!("`{key}` is no list"))?;
        let list = |value: &Value| -> Result<Vec<Flight>, String> {
            let list = value.as_array().ok_or_else(|| format!("`{key}` has no lists"))?;
            list.iter().map(|value| flight(Fields(value))).collect()
        };
        all.iter().map(list).collect()
    };
    let (levels, aside) = (lists("levels")?, lists("aside")?);
    for all in [&levels, &aside] {
        if all.iter().enumerate().any(|(impacts, list)| list.iter().any(|flight| flight.times.len() != impacts)) {
            return Err("its search is damaged".to_owned());
        }
    }
    Ok(SearchState {
        levels,
        aside,
        pass: whole(fields, "pass")?,
        moves: whole(fields, "moves")?,
        solved: whole(fields, "solved")?,
        options: SearchOptions {
            impacts: whole(fields, "impacts")?,
            beam: whole(fields, "beam")?,
            times: whole(fields, "times")?,
            max_seconds: fields.number("seconds")?,
        },
    })
}

fn flight_json(flight: &Flight) -> Value {
    let phase = |phase: &PhaseGuess| {
        let PhaseGuess { duration, times, q, v, u, forces } = phase;
        json!({ "duration": duration, "times": times, "q": q, "v": v, "u": u, "forces": forces })
    };
    let link = |link: &TransitionGuess| json!({ "v_plus": link.v_plus, "impulses": link.impulses });
    json!({
        "cost": flight.cost, "times": flight.times, "depth": flight.depth, "deepest": flight.deepest,
        "phases": flight.guess.phases.iter().map(phase).collect::<Vec<_>>(),
        "transitions": flight.guess.transitions.iter().map(link).collect::<Vec<_>>(),
    })
}

fn flight(fields: Fields<'_>) -> Result<Flight, String> {
    let phase = |fields: Fields<'_>| {
        Ok(PhaseGuess {
            duration: fields.number("duration")?,
            times: fields.numbers("times")?,
            q: fields.rows("q")?,
            v: fields.rows("v")?,
            u: fields.rows("u")?,
            forces: fields.rows("forces")?,
        })
    };
    let link = |fields: Fields<'_>| {
        Ok(TransitionGuess { v_plus: fields.numbers("v_plus")?, impulses: fields.numbers("impulses")? })
    };
    let guess = Guess {
        phases: fields.list("phases", phase)?,
        transitions: fields.list("transitions", link)?,
        ..Guess::default()
    };
    let found = Flight {
        cost: fields.number("cost")?,
        times: fields.numbers("times")?,
        depth: fields.number("depth")?,
        deepest: fields.number("deepest")?,
        guess,
    };
    let is_whole = |phase: &PhaseGuess| !phase.times.is_empty() && phase.times.len() == phase.q.len();
    let fits = found.guess.phases.len() == found.times.len() + 1 && found.guess.phases.iter().all(is_whole);
    if fits { Ok(found) } else { Err("a motion of its search is damaged".to_owned()) }
}

/// Snapshots with as many digits as pictures show.
fn rounded(snapshot: &Snapshot) -> Snapshot {
    let short = |value: f64| format!("{value:.*e}", DIGITS - 1).parse().unwrap_or(value);
    let list = |values: &[f64]| values.iter().map(|value| short(*value)).collect::<Vec<f64>>();
    let rows = |rows: &[Vec<f64>]| rows.iter().map(|row| list(row)).collect::<Vec<_>>();
    Snapshot {
        t: list(&snapshot.t),
        z: rows(&snapshot.z),
        unprojected: rows(&snapshot.unprojected),
        q: rows(&snapshot.q),
        u: rows(&snapshot.u),
        ..snapshot.clone()
    }
}

fn snapshot_json(snapshot: &Snapshot) -> Value {
    let Snapshot { iteration, cost, t, z, unprojected, q, u, impacts } = snapshot;
    json!({
        "iteration": iteration, "cost": cost, "impacts": impacts, "t": t, "z": z, "unprojected": unprojected, "q": q,
        "u": u,
    })
}

fn snapshot(fields: Fields<'_>) -> Result<Snapshot, String> {
    Ok(Snapshot {
        iteration: whole(fields, "iteration")?,
        cost: fields.number("cost")?,
        t: fields.numbers("t")?,
        z: fields.rows("z")?,
        unprojected: fields.rows("unprojected")?,
        q: fields.rows("q")?,
        u: fields.rows("u")?,
        impacts: fields.numbers("impacts")?,
    })
}
