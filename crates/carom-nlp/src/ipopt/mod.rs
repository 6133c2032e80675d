//! Ipopt by its C interface, if its shared library is on the machine.
//!
//! The library is looked up when it is first needed: the path in `CAROM_IPOPT`, else the usual names. Versions from 3.11 to
//! 3.14 are known to work. Ipopt and the linear solvers behind it share state between problems, so one
//! problem is solved at a time.

mod callbacks;
mod library;
mod problem;

use crate::bridge::Bridge;
use crate::guard::{check_start, not_begun};
use crate::nlp::Nlp;
use crate::outcome::{Outcome, Status};
use crate::solver::{Observer, Options, Solver};
use std::cell::Cell;
use std::sync::{Mutex, PoisonError};

/// Distance from the bounds to which a warm start is pushed.
const WARM_PUSH: &str = "1e-9";

/// Ipopt, loaded at run time.
pub struct Ipopt;

/// One problem at a time.
static BUSY: Mutex<()> = Mutex::new(());

thread_local! {
    /// True while this thread solves: it would wait for itself.
    static SOLVING: Cell<bool> = const { Cell::new(false) };
}

/// Marks the end, also when the stack unwinds.
struct Done;

impl Drop for Done {
    fn drop(&mut self) {
        SOLVING.set(false);
    }
}

impl Solver for Ipopt {
    fn name(&self) -> &'static str {
        "ipopt"
    }

    fn summary(&self) -> &'static str {
        "Ipopt's shared library, loaded at run time (CAROM_IPOPT); with the feature `ipopt` only"
    }

    fn solve(&self, nlp: &mut dyn Nlp, options: &Options, observe: &mut Observer<'_>) -> Outcome {
        let start = options.start.clone().unwrap_or_else(|| nlp.start().to_vec());
        let failed = |why: &str| Status::Failed(why.to_owned());
        let library = match library::library() {
            Ok(library) => library,
            Err(why) => return not_begun(nlp, self.name(), failed(why), &start),
        };
        if let Err(status) = check_start(nlp, &start) {
            return not_begun(nlp, self.name(), status, &start);
        }
        if SOLVING.replace(true) {
            return not_begun(nlp, self.name(), failed("Ipopt is already at work on this thread"), &start);
        }
        let _done = Done;
        let _alone = BUSY.lock().unwrap_or_else(PoisonError::into_inner);
        let bridge = match Bridge::new(self.name(), nlp, observe, start, options.warm.as_ref()) {
            Ok(bridge) => bridge,
            Err((nlp, status)) => return not_begun(nlp, self.name(), status, &[]),
        };
        optimise(library, bridge, options)
    }
}

fn optimise(library: &'static library::Library, bridge: Bridge<'_>, options: &Options) -> Outcome {
    let barrier = bridge.warm_barrier();
    let mut problem = match library.problem(bridge) {
        Ok(problem) => problem,
        Err(bridge) => return bridge.failed("Ipopt did not accept the dimensions of the problem".to_owned(), options),
    };
    match apply(&mut problem, barrier, options) {
        Ok(()) => {
            let (bridge, code) = problem.solve();
            bridge.outcome(code, (0, 0.0), options)
        }
        Err(refused) => problem.into_bridge().failed(refused, options),
    }
}

/// Sets all options.
fn apply(problem: &mut problem::Problem<'_>, barrier: f64, given: &Options) -> Result<(), String> {
    let mut all = vec![
        ("print_level", "0".to_owned()),
        ("sb", "yes".to_owned()),
        ("tol", given.tolerance.to_string()),
        ("acceptable_tol", given.acceptable.max(given.tolerance).to_string()),
        // Ipopt's 1e-2 is no feasible point in our eyes.
        ("acceptable_constr_viol_tol", "1e-4".to_owned()),
        ("max_iter", given.max_iterations.to_string()),
        ("honor_original_bounds", "yes".to_owned()),
    ];
    if given.warm.is_some() {
        all.push(("warm_start_init_point", "yes".to_owned()));
        all.push(("mu_init", barrier.to_string()));
        all.extend(
            [
                "warm_start_bound_push",
                "warm_start_bound_frac",
                "warm_start_slack_bound_push",
                "warm_start_slack_bound_frac",
                "warm_start_mult_bound_push",
            ]
            .map(|name| (name, WARM_PUSH.to_owned())),
        );
    }
    let extra = given.extra.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    for (name, value) in all.iter().map(|(name, value)| (*name, value.as_str())).chain(extra) {
        if !problem.set(name, value) {
            return Err(format!("option `{name}` = `{value}` is refused"));
        }
    }
    // Before 3.14 there is only a limit of processor time.
    let seconds = given.max_seconds.max(1e-9).to_string();
    let limited = given.max_seconds < 1e19;
    if limited && !problem.set("max_wall_time", &seconds) && !problem.set("max_cpu_time", &seconds) {
        return Err("no limit of time is accepted".to_owned());
    }
    Ok(())
}
