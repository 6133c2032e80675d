//! A primal-dual interior point with a filter line search.
//!
//! ```text
//! minimise  f(x) - mu sum log(distances to bounds)   subject to   c(x) - s = 0,     mu -> 0
//! ```
//!
//! Each barrier problem is solved by Newton steps on its optimality conditions ([`system`]); a step is shortened until
//! infeasibility or barrier function fall enough and the filter accepts the point ([`line_search`]). The method is that of
//! Wächter and Biegler (2006) with monotone decrease of `mu`, and its restoration phase
//! ([`restoration`]). What it is made for are transcriptions of
//! trajectories: their KKT matrices are factorised stage by stage ([`crate::factor::Chain`]).

mod filter;
mod form;
mod iterate;
mod line_search;
mod restoration;
mod restore;
mod search;
mod step;
mod system;
mod verdict;
mod watchdog;

use crate::guard::{check_options, check_start, judge, not_begun};
use crate::nlp::Nlp;
use crate::outcome::{Multipliers, Outcome, Place, Statistics, Status};
use crate::solver::{Observer, Options, Progress, Solver};
use form::Form;
use search::Search;

/// The interior point of this crate.
#[derive(Clone, Copy, Debug, Default)]
pub struct InteriorPoint;

impl Solver for InteriorPoint {
    fn name(&self) -> &'static str {
        "interior"
    }

    fn summary(&self) -> &'static str {
        "interior point, factorised along time; fast on trajectories"
    }

    fn solve(&self, nlp: &mut dyn Nlp, options: &Options, observe: &mut Observer<'_>) -> Outcome {
        let begin = std::time::Instant::now();
        let start = options.start.clone().unwrap_or_else(|| nlp.start().to_vec());
        match run(nlp, &start, options, observe) {
            Ok((status, point, multipliers, mut statistics, dependent)) => {
                statistics.seconds = begin.elapsed().as_secs_f64();
                let outcome = judge(nlp, self.name(), status, point, multipliers, statistics, options);
                Outcome { dependent, ..outcome }
            }
            Err(status) => not_begun(nlp, self.name(), status, &start),
        }
    }
}

type Found = (Status, Vec<f64>, Multipliers, Statistics, Vec<Place>);

fn run(nlp: &mut dyn Nlp, start: &[f64], options: &Options, observe: &mut Observer<'_>) -> Result<Found, Status> {
    check_options(options)?;
    check_start(nlp, start)?;
    let form = Form::new(nlp, start)?;
    if form.slack.iter().filter(|&&slack| slack == form::NONE).count() > form.n {
        return Err(Status::OverDetermined);
    }
    let mut search = Search::new(form, start, options)?;
    let status = loop {
        if let Some(status) = search.finished() {
            break status;
        }
        if search.iteration >= options.max_iterations {
            break Status::IterationLimit;
        }
        if search.begin.elapsed().as_secs_f64() > options.max_seconds {
            break Status::TimeLimit;
        }
        if !report(&search, observe) {
            break Status::Stopped;
        }
        if let Err(status) = search.iterate(observe) {
            break search.verdict(status);
        }
    };
    let (point, multipliers) = (search.form.point(&search.iterate.primal), multipliers(&search));
    let statistics = Statistics {
        iterations: search.iteration,
        evaluations: search.form.evaluations,
        factorisations: search.system.factorisations,
        seconds: 0.0,
        seconds_functions: search.form.seconds,
        seconds_linear: search.system.seconds,
    };
    let dependent = dependent(&search);
    Ok((status, point, multipliers, statistics, dependent))
}

/// Names behind pivots that vanished in the last iteration.
fn dependent(search: &Search<'_>) -> Vec<Place> {
    let form = &search.form;
    let name = |&unknown: &u32| match (unknown as usize).checked_sub(form.n) {
        None => Place::Variable(form.nlp.variable_name(form.free[unknown as usize])),
        Some(row) => Place::Row(form.nlp.row_name(form.rows[row])),
    };
    search.system.vanished.iter().map(name).collect()
}

/// Tells the observer where the search is.
fn report(search: &Search<'_>, observe: &mut Observer<'_>) -> bool {
    let point = search.form.point(&search.iterate.primal);
    observe(&Progress {
        solver: "interior",
        iteration: search.iteration,
        objective: search.values.objective / search.form.objective_scale,
        infeasibility: search.unscaled_infeasibility(),
        stationarity: search.error.dual,
        barrier: search.mu,
        step: search.share,
        point: &point,
    })
}

/// The multipliers of the program, scales undone. Multipliers of a slack's bounds are the row's own.
fn multipliers(search: &Search<'_>) -> Multipliers {
    let (form, iterate) = (&search.form, &search.iterate);
    let (m, n) = (form.nlp.row_ranges().len(), form.nlp.variable_ranges().len());
    let mut all = Multipliers { rows: vec![0.0; m], lower: vec![0.0; n], upper: vec![0.0; n] };
    for (k, &j) in form.rows.iter().enumerate() {
        all.rows[j] = iterate.y[k] * form.row_scale[k] / form.objective_scale;
    }
    for (k, &i) in form.free.iter().enumerate() {
        all.lower[i] = iterate.lower[k] / form.objective_scale;
        all.upper[i] = iterate.upper[k] / form.objective_scale;
    }
    all
}
