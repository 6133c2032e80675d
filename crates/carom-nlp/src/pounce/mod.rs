//! POUNCE: a primal-dual interior point with filter line search and restoration, in the manner of Ipopt.
//!
//! ```text
//! minimise f(x) - mu sum ln(distances to bounds)   subject to c(x) = s,   mu -> 0
//! ```
//!
//! (Wächter and Biegler, 2006). When the filter admits no step, a second interior point minimises the violation
//! of the rows near the point where it got stuck; it also recognises programs without a feasible point. The
//! KKT systems are factorised along the chain of the program if it has one ([`chain`]), else by FERAL.
//!
//! The option `second_opinion` = `yes` (ours, not POUNCE's) repeats a failed search up to four times along
//! other paths: other scaling, other barrier strategy, displaced start.

mod apart;
mod chain;
mod options;
mod tnlp;

use crate::bridge::Bridge;
use crate::guard::{check_start, not_begun};
use crate::nlp::Nlp;
use crate::outcome::Outcome;
use crate::quiet::message;
use crate::solver::{Linear, Observer, Options, Solver};
use apart::{Line, apart};
use chain::{Along, Layouts};
use pounce_rs::pounce_algorithm::application::{
    default_backend_factory_with_sink, feral_config_from_options, ma57_config_from_options,
};
use pounce_rs::pounce_restoration::resto_alg_builder::RestoAlgorithmBuilder;
use pounce_rs::pounce_restoration::resto_inner_solver::{
    InnerBackendFactoryFactory, make_default_restoration_factory_provider,
};
use pounce_rs::restoration::run_second_opinion_ladder;
use pounce_rs::{ApplicationReturnStatus, IpoptApplication, TNLP};
use std::cell::RefCell;
use std::rc::Rc;
use tnlp::{Adapter, Known};

/// POUNCE's interior point.
pub struct Pounce;

/// What POUNCE is asked to do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    /// Interior point.
    Interior,
    /// Sequential quadratic programming with active sets.
    Sequential,
}

impl Solver for Pounce {
    fn name(&self) -> &'static str {
        "pounce"
    }

    fn summary(&self) -> &'static str {
        "POUNCE: interior point with filter and restoration, after Ipopt"
    }

    fn solve(&self, nlp: &mut dyn Nlp, options: &Options, observe: &mut Observer<'_>) -> Outcome {
        run(self.name(), Method::Interior, nlp, options, observe)
    }
}

pub(crate) fn run(
    name: &'static str,
    method: Method,
    nlp: &mut dyn Nlp,
    options: &Options,
    observe: &mut Observer<'_>,
) -> Outcome {
    let start = options.start.clone().unwrap_or_else(|| nlp.start().to_vec());
    if let Err(status) = check_start(nlp, &start) {
        return not_begun(nlp, name, status, &start);
    }
    let mut bridge = match Bridge::new(name, nlp, observe, start, options.warm.as_ref()) {
        Ok(bridge) => bridge,
        Err((nlp, status)) => return not_begun(nlp, name, status, &[]),
    };
    let task = Task::new(&bridge, method, options);
    match apart(&mut bridge, |line| optimise(task, line)) {
        Ok(Ok(Ok(ended))) => {
            bridge.iterations = bridge.iterations.max(ended.iterations);
            bridge.outcome(ended.code, ended.linear, options)
        }
        Ok(Ok(Err(refused))) => bridge.failed(refused, options),
        Ok(Err(payload)) => bridge.failed(format!("POUNCE panicked: {}", message(&*payload)), options),
        Err(error) => bridge.failed(format!("there is no thread for POUNCE: {error}"), options),
    }
}

/// What POUNCE needs on its thread.
struct Task<'o> {
    method: Method,
    given: &'o Options,
    known: Known,
    layouts: Option<Layouts>,
    /// Barrier parameter of a warm start.
    barrier: f64,
}

impl<'o> Task<'o> {
    fn new(bridge: &Bridge<'_>, method: Method, given: &'o Options) -> Self {
        let layouts = match (method, given.linear) {
            (Method::Interior, Linear::Automatic | Linear::Chain) => Layouts::new(bridge.nlp),
            _ => None,
        };
        Self { method, given, known: Known::new(bridge), layouts, barrier: bridge.warm_barrier() }
    }
}

/// How POUNCE ended.
struct Ended {
    /// Ipopt's return code.
    code: i32,
    iterations: usize,
    /// Number and seconds of the factorisations.
    linear: (usize, f64),
}

fn optimise(task: Task<'_>, line: Line) -> Result<Ended, String> {
    let mut app = IpoptApplication::new();
    let second_opinion = options::apply(&mut app, task.barrier, task.method, task.given)?;
    if task.method == Method::Interior && task.given.linear == Linear::Chain && task.layouts.is_none() {
        return Err("the program does not say how it is coupled along a chain".to_owned());
    }
    let along = task.layouts.map(Along::new);
    set_backends(&mut app, along.clone());
    let problem: Rc<RefCell<dyn TNLP>> = Rc::new(RefCell::new(Adapter::new(task.known, line)));
    let mut status = app.optimize_tnlp(Rc::clone(&problem));
    if second_opinion && status != ApplicationReturnStatus::UserRequestedStop {
        let statistics = app.statistics();
        status = run_second_opinion_ladder(&mut app, problem, status, statistics, &mut |_| {}).status;
    }
    let iterations = app.statistics().spent_iteration_count().max(0) as usize;
    Ok(Ended { code: status as i32, iterations, linear: linear_work(&app, along.as_deref()) })
}

/// Number and seconds of factorisations, restoration included.
fn linear_work(app: &IpoptApplication, along: Option<&Along>) -> (usize, f64) {
    let sink = app.restoration_summary_sink();
    let summary = sink.lock().map(|summary| (summary.n_factors as usize, summary.total_factor_secs));
    let solves = app.timing_stats().linear_system_back_solve.total_wallclock_time();
    match (along, summary) {
        (Some(along), _) => (along.factorisations.get(), along.seconds.get()),
        (None, Ok((count, seconds))) => (count, seconds + solves),
        (None, Err(_)) => (0, 0.0),
    }
}

/// Sets the factorisation, and the restoration phase, which an application does not have of its own accord.
fn set_backends(app: &mut IpoptApplication, along: Option<Rc<Along>>) {
    let mut feral = feral_config_from_options(app.options());
    // Handing fronts of this size to other threads costs more than their elimination.
    feral.parallel = feral.parallel.or(Some(false));
    let ma57 = ma57_config_from_options(app.options(), "");
    let sink = app.restoration_summary_sink();
    let factory = Rc::new(move || match &along {
        Some(along) => along.factory(),
        None => default_backend_factory_with_sink(feral.clone(), ma57.clone(), sink.clone()),
    });
    app.set_linear_backend_factory(factory());
    let mint = move || -> InnerBackendFactoryFactory {
        let factory = Rc::clone(&factory);
        Box::new(move || factory())
    };
    let builder = app.algorithm_builder_from_options();
    let provider = make_default_restoration_factory_provider(RestoAlgorithmBuilder::new(), builder, mint);
    app.set_restoration_factory_provider(provider);
}
