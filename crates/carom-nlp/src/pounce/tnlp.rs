//! Our program in the shape of POUNCE's `TNLP`.

use super::lend::Lent;
use crate::bridge::Bridge;
use crate::nlp::Pattern;
use crate::outcome::Multipliers;
use crate::solver::Progress;
use pounce_rs::pounce_nlp::live_iterate::with_current_user_iterate;
use pounce_rs::{
    BoundsInfo, IndexStyle, IpoptCq, IpoptData, IterStats, NlpInfo, Solution, SparsityRequest, StartingPoint, TNLP,
};

/// A lent program.
pub(super) struct Adapter(pub(super) Lent);

impl TNLP for Adapter {
    fn get_nlp_info(&mut self) -> Option<NlpInfo> {
        self.0.with(|bridge| NlpInfo {
            n: bridge.nlp.variable_ranges().len() as i32,
            m: bridge.nlp.row_ranges().len() as i32,
            nnz_jac_g: bridge.nlp.jacobian_pattern().len() as i32,
            nnz_h_lag: bridge.nlp.hessian_pattern().len() as i32,
            index_style: IndexStyle::C,
        })
    }

    fn get_bounds_info(&mut self, bounds: BoundsInfo<'_>) -> bool {
        let fill = |bridge: &mut Bridge<'_>| {
            Bridge::bounds(bridge.nlp.variable_ranges(), bounds.x_l, bounds.x_u);
            Bridge::bounds(bridge.nlp.row_ranges(), bounds.g_l, bounds.g_u);
        };
        self.0.with(fill).is_some()
    }

    fn get_starting_point(&mut self, start: StartingPoint<'_>) -> bool {
        let fill = |bridge: &mut Bridge<'_>| {
            if start.init_x {
                start.x.copy_from_slice(&bridge.point);
            }
            if start.init_z {
                start.z_l.copy_from_slice(&bridge.multipliers.lower);
                start.z_u.copy_from_slice(&bridge.multipliers.upper);
            }
            if start.init_lambda {
                start.lambda.copy_from_slice(&bridge.multipliers.rows);
            }
        };
        self.0.with(fill).is_some()
    }

    fn eval_f(&mut self, x: &[f64], _new_x: bool) -> Option<f64> {
        self.0.with(|bridge| bridge.objective(x)).flatten()
    }

    fn eval_grad_f(&mut self, x: &[f64], _new_x: bool, gradient: &mut [f64]) -> bool {
        self.0.with(|bridge| bridge.gradient(x, gradient)).unwrap_or(false)
    }

    fn eval_g(&mut self, x: &[f64], _new_x: bool, rows: &mut [f64]) -> bool {
        self.0.with(|bridge| bridge.rows(x, rows)).unwrap_or(false)
    }

    fn eval_jac_g(&mut self, x: Option<&[f64]>, _new_x: bool, request: SparsityRequest<'_>) -> bool {
        let answer = |bridge: &mut Bridge<'_>| match (request, x) {
            (SparsityRequest::Structure { irow, jcol }, _) => fill(bridge.nlp.jacobian_pattern(), irow, jcol),
            (SparsityRequest::Values { values }, Some(x)) => bridge.jacobian(x, values),
            _ => false,
        };
        self.0.with(answer).unwrap_or(false)
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
        let answer = |bridge: &mut Bridge<'_>| match (request, x) {
            (SparsityRequest::Structure { irow, jcol }, _) => fill(bridge.nlp.hessian_pattern(), irow, jcol),
            (SparsityRequest::Values { values }, Some(x)) => {
                // Without rows there may be no multipliers.
                bridge.hessian(x, weight, y.unwrap_or(&[]), values)
            }
            _ => false,
        };
        self.0.with(answer).unwrap_or(false)
    }

    fn wants_current_iterate(&self) -> bool {
        true
    }

    fn intermediate_callback(&mut self, stats: IterStats, _: &IpoptData, _: &IpoptCq) -> bool {
        // The restoration phase has a problem of its own and shows no point.
        let point = with_current_user_iterate(|iterate| iterate.x.clone()).unwrap_or_default();
        let tell = |bridge: &mut Bridge<'_>| {
            bridge.progress(Progress {
                solver: "",
                iteration: stats.iter.max(0) as usize,
                objective: stats.obj_value,
                infeasibility: stats.inf_pr,
                stationarity: stats.inf_du,
                barrier: stats.mu,
                step: stats.alpha_pr,
                point: &point,
            })
        };
        self.0.with(tell).unwrap_or(false)
    }

    fn finalize_solution(&mut self, solution: Solution<'_>, _: &IpoptData, _: &IpoptCq) {
        self.0.with(|bridge| {
            bridge.point = solution.x.to_vec();
            bridge.multipliers = Multipliers {
                rows: solution.lambda.to_vec(),
                lower: solution.z_l.to_vec(),
                upper: solution.z_u.to_vec(),
            };
        });
    }
}

fn fill(pattern: &Pattern, rows: &mut [i32], columns: &mut [i32]) -> bool {
    for (k, (row, column)) in pattern.entries().enumerate() {
        (rows[k], columns[k]) = (row as i32, column as i32);
    }
    true
}
