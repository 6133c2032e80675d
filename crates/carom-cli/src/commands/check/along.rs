//! The rank of the constraints along the motion.
//!
//! The motion is followed by the reference flow, for a second of computing at most. At every node the rows of
//! `G = [dg/dq; omega]`, each scaled by its largest length on the way, are orthogonalised; the lengths that are
//! left, the pivots, tell the rank. Between nodes the smallest pivot is minimised along the cubic that joins
//! them, so that a rank that drops for an instant is seen.

mod pivots;

use super::DIGITS;
use crate::table::{Table, number};
use carom::flow::{Flow, FlowError, FlowFormulation, FlowOptions, FlowSchedule};
use carom::model::Legendre;
use carom::run::Plan;
use carom::{Backend, Model, Trajectory};
use pivots::Pivots;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Time that the motion may take.
const PATIENCE: Duration = Duration::from_secs(1);
/// Times that are printed.
const SHOWN: usize = 3;
/// Pivots below this are worth a remark.
const SMALL: f64 = 1e-3;

/// What was seen on the way.
#[derive(Debug, Default)]
pub struct Along {
    /// Last node.
    until: f64,
    /// The rank almost everywhere.
    rank: usize,
    /// When it drops, and to what.
    drops: Vec<(f64, usize)>,
    /// The smallest pivot and its time.
    smallest: (f64, f64),
    /// Why the motion was not followed to its end.
    stopped: Option<String>,
}

/// Follows the motion of a model that has constraints.
pub fn follow(model: &Model, plan: &Plan) -> Option<Along> {
    let dynamics = model.system.dynamics();
    if dynamics.constraint_count() == 0 {
        return None;
    }
    let (trajectory, stopped) = run(model, plan);
    let mut legendre = Legendre::new(&dynamics, Backend::Interpreter).ok()?;
    let nodes = trajectory.filter(|trajectory| !trajectory.is_empty());
    let Some(trajectory) = nodes else { return Some(Along { stopped, ..Along::default() }) };
    let mut pivots = Pivots::new(&trajectory, &mut legendre);
    let (rank, smallest) = (pivots.rank(), pivots.smallest());
    let minima = pivots.minima();
    let smallest = minima.iter().map(|low| (low.pivot, low.t)).fold(smallest, |a, b| if b.0 < a.0 { b } else { a });
    let drops = minima.iter().filter(|low| low.rank < rank).map(|low| (low.t, low.rank)).collect();
    Some(Along { until: trajectory.t[trajectory.len() - 1], rank, drops, smallest, stopped })
}

/// The motion as far as it goes, and why not further.
fn run(model: &Model, plan: &Plan) -> (Option<Trajectory>, Option<String>) {
    let formulation = FlowFormulation::Multipliers;
    let options = FlowOptions { formulation, backend: plan.backend, ..FlowOptions::default() };
    let schedule = FlowSchedule { start: 0.0, until: plan.until, output: plan.step, max_step: plan.step };
    let clock = Instant::now();
    let flow = Flow::with_contacts(&model.system, options, plan.contacts);
    let (q, v) = (&model.initial.q, &model.initial.v);
    match flow.and_then(|flow| flow.run(q, v, schedule, &mut |_| clock.elapsed() < PATIENCE)) {
        Ok(trajectory) => (Some(trajectory), None),
        Err(FlowError::Cancelled { trajectory, .. }) => {
            (Some(*trajectory), Some("as far as a second of computing goes".to_owned()))
        }
        Err(FlowError::Stopped { error, trajectory }) => (Some(*trajectory), Some(error.to_string())),
        Err(error) => (None, Some(error.to_string())),
    }
}

/// Rows about the way.
pub fn rows(table: &mut Table, along: &Along) {
    const NAME: &str = "rank along the motion";
    let Along { until, rank, drops, smallest: (pivot, t), stopped } = along;
    let reason = stopped.as_deref().unwrap_or("");
    if *rank == 0 {
        return table.row([NAME, &format!("not known: {reason}")]);
    }
    let until = number(*until, DIGITS);
    let way = format!("(t = 0 .. {until})");
    if drops.is_empty() {
        table.row([NAME, &format!("{rank} {way}")]);
    } else {
        table.row([NAME, &format!("{rank}, but {} {way}", instants(drops))]);
    }
    if drops.is_empty() && *pivot < SMALL {
        table.row(["", &format!("nearly less at t = {}: relative pivot {pivot:.1e}", number(*t, DIGITS))]);
    }
    if stopped.is_some() {
        table.row(["", &format!("followed up to t = {until} only: {reason}")]);
    }
}

/// `0 at t = 1, 2, 3 and 4 other times`
fn instants(drops: &[(f64, usize)]) -> String {
    let shown: Vec<String> =
        drops.iter().take(SHOWN).map(|(t, rank)| format!("{rank} at t = {}", number(*t, DIGITS))).collect();
    match drops.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        1 => format!("{} and another time", shown.join(", ")),
        more => format!("{} and {more} other times", shown.join(", ")),
    }
}

/// The way as an object.
pub fn json(along: &Along) -> Value {
    let drops: Vec<Value> = along.drops.iter().map(|(t, rank)| json!({ "t": t, "rank": rank })).collect();
    let (pivot, t) = along.smallest;
    json!({
        "rank": (along.rank > 0).then_some(along.rank),
        "until": along.until,
        "drops": drops,
        "smallest_pivot": (along.rank > 0).then(|| json!({ "value": pivot, "t": t })),
        "stopped": along.stopped,
    })
}
