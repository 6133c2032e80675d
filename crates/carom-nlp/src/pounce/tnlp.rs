//! Our program in the shape of POUNCE's `TNLP`.
//!
//! It is asked for objective, rows, gradient and Jacobian one at a time, where ours come in pairs: the last
//! answers are kept, so that a pair takes one message.

use super::apart::{Answer, Line, Numbers, Request};
use crate::bridge::Bridge;
use crate::nlp::{Pattern, Range};
use crate::outcome::Multipliers;
use crate::solver::Progress;
use pounce_rs::pounce_nlp::live_iterate::with_current_user_iterate;
use pounce_rs::{
    BoundsInfo, IndexStyle, IpoptCq, IpoptData, IterStats, NlpInfo, Solution, SparsityRequest, StartingPoint, TNLP,
};

/// What POUNCE is told without asking the program.
pub(super) struct Known {
    variables: Vec<Range>,
    rows: Vec<Range>,
    jacobian: Pattern,
    hessian: Pattern,
    /// The start, then the last point shown, then the result, from which a second opinion begins.
    point: Vec<f64>,
    multipliers: Multipliers,
}

impl Known {
    pub(super) fn new(bridge: &Bridge<'_>) -> Self {
        Self {
            variables: bridge.nlp.variable_ranges().to_vec(),
            rows: bridge.nlp.row_ranges().to_vec(),
            jacobian: bridge.nlp.jacobian_pattern().clone(),
            hessian: bridge.nlp.hessian_pattern().clone(),
            point: bridge.point.clone(),
            multipliers: bridge.multipliers.clone(),
        }
    }
}

/// A program at the other end of a line.
pub(super) struct Adapter {
    known: Known,
    line: Line,
    /// The point of what is kept below.
    x: Vec<f64>,
    values: Option<(Option<f64>, Numbers)>,
    slopes: Option<(Numbers, Numbers)>,
}

impl Adapter {
    pub(super) fn new(known: Known, line: Line) -> Self {
        Self { known, line, x: Vec::new(), values: None, slopes: None }
    }

    fn move_to(&mut self, x: &[f64]) {
        if self.x != x {
            self.x = x.to_vec();
            (self.values, self.slopes) = (None, None);
        }
    }

    fn values(&mut self, x: &[f64]) -> Option<&(Option<f64>, Numbers)> {
        self.move_to(x);
        if self.values.is_none()
            && let Answer::Values(objective, rows) = self.line.ask(Request::Values(x.to_vec()))
        {
            self.values = Some((objective, rows));
        }
        self.values.as_ref()
    }

    fn slopes(&mut self, x: &[f64]) -> Option<&(Numbers, Numbers)> {
        self.move_to(x);
        if self.slopes.is_none()
            && let Answer::Slopes(gradient, jacobian) = self.line.ask(Request::Slopes(x.to_vec()))
        {
            self.slopes = Some((gradient, jacobian));
        }
        self.slopes.as_ref()
    }
}

impl TNLP for Adapter {
    fn get_nlp_info(&mut self) -> Option<NlpInfo> {
        Some(NlpInfo {
            n: self.known.variables.len() as i32,
            m: self.known.rows.len() as i32,
            nnz_jac_g: self.known.jacobian.len() as i32,
            nnz_h_lag: self.known.hessian.len() as i32,
            index_style: IndexStyle::C,
        })
    }

    fn get_bounds_info(&mut self, bounds: BoundsInfo<'_>) -> bool {
        Bridge::bounds(&self.known.variables, bounds.x_l, bounds.x_u);
        Bridge::bounds(&self.known.rows, bounds.g_l, bounds.g_u);
        true
    }

    fn get_starting_point(&mut self, start: StartingPoint<'_>) -> bool {
        let Known { point, multipliers, .. } = &self.known;
        if start.init_x {
            start.x.copy_from_slice(point);
        }
        if start.init_z {
            start.z_l.copy_from_slice(&multipliers.lower);
            start.z_u.copy_from_slice(&multipliers.upper);
        }
        if start.init_lambda {
            start.lambda.copy_from_slice(&multipliers.rows);
        }
        true
    }

    fn eval_f(&mut self, x: &[f64], _new_x: bool) -> Option<f64> {
        self.values(x)?.0
    }

    fn eval_grad_f(&mut self, x: &[f64], _new_x: bool, gradient: &mut [f64]) -> bool {
        self.slopes(x).is_some_and(|slopes| copy(&slopes.0, gradient))
    }

    fn eval_g(&mut self, x: &[f64], _new_x: bool, rows: &mut [f64]) -> bool {
        self.values(x).is_some_and(|values| copy(&values.1, rows))
    }

    fn eval_jac_g(&mut self, x: Option<&[f64]>, _new_x: bool, request: SparsityRequest<'_>) -> bool {
        match (request, x) {
            (SparsityRequest::Structure { irow, jcol }, _) => fill(&self.known.jacobian, irow, jcol),
            (SparsityRequest::Values { values }, Some(x)) => {
                self.slopes(x).is_some_and(|slopes| copy(&slopes.1, values))
            }
            _ => false,
        }
    }

    fn eval_h(
        &mut self,
        x: Option<&[f64]>,
        _new_x: bool,
        weight: f64,
        y: Option<&[f64]>,
        _new_y: bool,
        request: SparsityRequest<'_>,
    ) -> bool {
        match (request, x) {
            (SparsityRequest::Structure { irow, jcol }, _) => fill(&self.known.hessian, irow, jcol),
            (SparsityRequest::Values { values }, Some(x)) => {
                // Without rows there may be no multipliers.
                let y = y.unwrap_or(&[]).to_vec();
                match self.line.ask(Request::Curvature(x.to_vec(), weight, y)) {
                    Answer::Curvature(entries) => copy(&entries, values),
                    _ => false,
                }
            }
            _ => false,
        }
    }

    fn wants_current_iterate(&self) -> bool {
        true
    }

    fn intermediate_callback(&mut self, stats: IterStats, _: &IpoptData, _: &IpoptCq) -> bool {
        // The restoration phase has a problem of its own and shows no point.
        let point = with_current_user_iterate(|iterate| iterate.x.clone()).unwrap_or_default();
        if !point.is_empty() {
            self.known.point.copy_from_slice(&point);
        }
        let progress = Progress {
            solver: "",
            iteration: stats.iter.max(0) as usize,
            objective: stats.obj_value,
            infeasibility: stats.inf_pr,
            stationarity: stats.inf_du,
            barrier: stats.mu,
            step: stats.alpha_pr,
            point: &[],
        };
        matches!(self.line.ask(Request::Progress(progress, point)), Answer::Progress(true))
    }

    fn finalize_solution(&mut self, solution: Solution<'_>, _: &IpoptData, _: &IpoptCq) {
        let multipliers =
            Multipliers { rows: solution.lambda.to_vec(), lower: solution.z_l.to_vec(), upper: solution.z_u.to_vec() };
        (self.known.point, self.known.multipliers) = (solution.x.to_vec(), multipliers.clone());
        self.line.tell(Request::Final(solution.x.to_vec(), multipliers));
    }
}

fn copy(numbers: &Numbers, out: &mut [f64]) -> bool {
    out.copy_from_slice(&numbers.0);
    numbers.1
}

fn fill(pattern: &Pattern, rows: &mut [i32], columns: &mut [i32]) -> bool {
    for (k, (row, column)) in pattern.entries().enumerate() {
        (rows[k], columns[k]) = (row as i32, column as i32);
    }
    true
}
