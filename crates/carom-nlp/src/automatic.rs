//! The own interior point first, POUNCE where it does not come through.
//!
//! Along a chain the own method is several times faster; POUNCE gets further on hard programs. POUNCE begins where
//! the caller wanted, since the last point of a search that failed is often a bad one; only if that fails too it
//! begins there.

use crate::attempts::{best, is_final, left};
use crate::guard::{check_options, check_start, not_begun};
use crate::interior::InteriorPoint;
use crate::nlp::Nlp;
use crate::outcome::{Outcome, Status};
use crate::pounce::Pounce;
use crate::solver::{Observer, Options, Solver};

/// Iterations after which the own method has had its chance.
const FIRST_ITERATIONS: usize = 500;
/// Share of the time limit after which the own method has had its chance.
const FIRST_SHARE: f64 = 0.5;

/// [`InteriorPoint`], then [`Pounce`] if need be.
pub struct Automatic;

impl Solver for Automatic {
    fn name(&self) -> &'static str {
        "automatic"
    }

    fn summary(&self) -> &'static str {
        "`interior`, then `pounce` where it does not come through"
    }

    fn solve(&self, nlp: &mut dyn Nlp, options: &Options, observe: &mut Observer<'_>) -> Outcome {
        let start = options.start.clone().unwrap_or_else(|| nlp.start().to_vec());
        if let Err(status) = check_options(options).and_then(|()| check_start(nlp, &start)) {
            return not_begun(nlp, self.name(), status, &start);
        }
        let own = Options {
            max_iterations: options.max_iterations.min(FIRST_ITERATIONS),
            max_seconds: options.max_seconds * FIRST_SHARE,
            // The names are POUNCE's.
            extra: Vec::new(),
            ..options.clone()
        };
        let first = InteriorPoint.solve(nlp, &own, observe);
        let Some(rest) = left(options, &first.statistics).filter(|_| !is_final(&first.status)) else {
            return first;
        };
        let counted = first.status == Status::OverDetermined;
        let second = Pounce.solve(nlp, &rest, observe);
        let mut found = match again(&rest, &first, &second) {
            Some(again) => {
                let third = Pounce.solve(nlp, &again, observe);
                best(vec![first, second, third])
            }
            None => best(vec![first, second]),
        };
        // More equations than unknowns may agree; if they do not, their number says more.
        if counted && found.status == Status::LocallyInfeasible {
            found.status = Status::OverDetermined;
        }
        found
    }
}

/// Options for a search from the last point of the first method, if it makes sense.
fn again(options: &Options, first: &Outcome, second: &Outcome) -> Option<Options> {
    // Two methods that agree on a verdict are believed.
    let agree = second.status == first.status && second.status != Status::NoProgress;
    let settled = is_final(&second.status) || agree;
    let usable = first.point.iter().all(|x| x.is_finite()) && first.statistics.iterations > 0;
    let options = left(options, &second.statistics).filter(|_| usable && !settled)?;
    Some(Options { start: Some(first.point.clone()), warm: None, ..options })
}
