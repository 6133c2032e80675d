//! Collocation by Hermite and Simpson in separated form, to compare discrete mechanics with.
//!
//! Unknowns are `q, v, a, u` and the constraint forces `lambda` at nodes and midpoints of the intervals. With `f_m` at
//! the midpoint of an interval from `f_0` to `f_1` of duration `h`,
//!
//! ```text
//! M a + H^T lambda = b                          at nodes and midpoints
//! q_m = (q_0 + q_1)/2 + h/8 (v_0 - v_1),        v_m = (v_0 + v_1)/2 + h/8 (a_0 - a_1)
//! q_1 - q_0 = h/6 (v_0 + 4 (v_m + G_m^T gamma) + v_1),      v_1 - v_0 = h/6 (a_0 + 4 a_m + a_1)
//! g = 0,  G v = 0,  G a = c                     at nodes
//! ```
//!
//! Costs are taken by Simpson's rule. Constraints hold at every node, not only their second derivative: what the
//! quadrature would let drift is taken up by the velocity correction `gamma` and by the force at the midpoint, which is
//! free (Posa, Kuindersma, Tedrake 2016). Controls are quadratic and continuous, or linear. Energy and momentum are not
//! kept; a defect of the forces between nodes and midpoints is seen by nobody.
//!
//! Order four: Hargraves, Paris 1987; Kelly 2017.

mod conditions;
mod interval;
mod points;
mod read;

use crate::dmoc::{ends, transcript};
use crate::error::ControlError;
use crate::extract::{Reading, extract};
use crate::layout::Layout;
use crate::problem::ControlProblem;
use crate::transcription::{Transcript, Transcription};
use carom_discrete::rules::{Lobatto, Rule, Table};
use carom_expr::Backend;
use carom_nlp::Outcome;
use points::Points;
use read::CollocationReader;

/// Collocation by Hermite and Simpson.
#[derive(Clone, Copy, Debug, Default)]
pub struct HermiteSimpson;

/// Places of the values in an interval, as shares of it, and their weights in Simpson's rule.
const SIMPSON: [(f64, f64); 3] = [(0.0, 1.0 / 6.0), (0.5, 4.0 / 6.0), (1.0, 1.0 / 6.0)];

impl Transcription for HermiteSimpson {
    fn name(&self) -> String {
        "hermite-simpson".to_owned()
    }

    fn summary(&self) -> String {
        "collocation by Hermite and Simpson, separated form; not variational, to compare with".to_owned()
    }

    fn order(&self) -> usize {
        4
    }

    fn table(&self) -> Table {
        // The same three places; the curve between them is another one.
        Lobatto::new(3).table()
    }

    fn transcribe(&self, problem: &ControlProblem, backend: Backend) -> Result<Transcript, ControlError> {
        transcript(problem, (self.name(), None), backend, |place, costs, assembly, own| {
            own.sample_times = SIMPSON.map(|(time, _)| time).to_vec();
            own.inner_times = vec![0.5];
            let points = Points::new(place, assembly, own)?;
            points.motion(place, assembly, own);
            interval::intervals(place, &points, costs, assembly, own);
            conditions::conditions(place, &points, assembly, own)?;
            ends(place, costs, assembly, own)
        })
    }

    fn read(&self, problem: &ControlProblem, layout: &Layout, outcome: &Outcome) -> Result<Reading, ControlError> {
        extract(problem, &CollocationReader, layout, outcome)
    }
}
