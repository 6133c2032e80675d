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

mod chain;
mod lend;
mod options;
mod tnlp;

use crate::bridge::Bridge;
use crate::guard::{check_start, not_begun};
use crate::nlp::Nlp;
use crate::outcome::Outcome;
use crate::quiet::{contained, message};
use crate::solver::{Linear, Observer, Options, Solver};
use chain::Along;
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
    let solved = contained(|| optimise(&mut bridge, method, options));
    match solved {
        Ok(Ok((code, linear))) => bridge.outcome(code, linear, options),
        Ok(Err(refused)) => bridge.failed(refused, options),
        // A panic of the program or of the observer is the caller's own.
        Err(payload) if bridge.outside => std::panic::resume_unwind(payload),
        Err(payload) => bridge.failed(format!("POUNCE panicked: {}", message(&*payload)), options),
    }
}

/// Ipopt's return code, and number and seconds of the factorisations.
fn optimise(bridge: &mut Bridge<'_>, method: Method, given: &Options) -> Result<(i32, (usize, f64)), String> {
    let mut app = IpoptApplication::new();
    let second_opinion = options::apply(&mut app, bridge, method, given)?;
    let along = match (method, given.linear) {
        (Method::Interior, Linear::Automatic | Linear::Chain) => Along::new(bridge.nlp),
        _ => None,
    };
    if method == Method::Interior && given.linear == Linear::Chain && along.is_none() {
        return Err("the program does not say how it is coupled along a chain".to_owned());
    }
    set_backends(&mut app, along.clone());
    let status = lend::lend(bridge, |lent| {
        let problem: Rc<RefCell<dyn TNLP>> = Rc::new(RefCell::new(tnlp::Adapter(lent)));
        let status = app.optimize_tnlp(Rc::clone(&problem));
        if second_opinion && status != ApplicationReturnStatus::UserRequestedStop {
            let statistics = app.statistics();
            run_second_opinion_ladder(&mut app, problem, status, statistics, &mut |_| {}).status
        } else {
            status
        }
    });
    let spent = app.statistics().spent_iteration_count().max(0) as usize;
    bridge.iterations = bridge.iterations.max(spent);
    Ok((status as i32, linear_work(&app, along.as_deref())))
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
