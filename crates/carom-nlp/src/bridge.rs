//! A program as solvers of Ipopt's kind ask for it.
//!
//! They want objective, rows, gradient and Jacobian one at a time and often at the same point, where ours
//! come in pairs; the bridge keeps the last point. It also counts, measures time, tells the observer, and
//! translates Ipopt's return codes, which POUNCE shares.

use crate::guard::{judge, undefined};
use crate::nlp::{Nlp, Range};
use crate::outcome::{Multipliers, Outcome, Statistics, Status};
use crate::quiet::reported;
use crate::solver::{Observer, Options, Progress};
use std::time::{Duration, Instant};

/// Bounds beyond this are none, by Ipopt's convention (1e19) and some more.
const INFINITE: f64 = 1e20;
/// Smallest and largest barrier parameter of a warm start: below it a changed active set is found late,
/// above it (Ipopt's own cold start) nothing of the given multipliers is left.
const WARM_BARRIER: (f64, f64) = (1e-6, 0.1);

/// A feasible point this low is taken as one of many without end.
const BOTTOMLESS: f64 = -1e15;

/// A program being solved.
pub(crate) struct Bridge<'a> {
    pub(crate) nlp: &'a mut dyn Nlp,
    observe: &'a mut Observer<'a>,
    solver: &'static str,
    began: Instant,
    functions: Duration,
    evaluations: usize,
    /// The point of what is kept below.
    x: Vec<f64>,
    objective: f64,
    rows: Vec<f64>,
    gradient: Vec<f64>,
    jacobian: Vec<f64>,
    values_known: bool,
    slopes_known: bool,
    /// Iterations seen.
    pub(crate) iterations: usize,
    /// The start, then the last point shown, then the result.
    pub(crate) point: Vec<f64>,
    /// The multipliers at that point.
    pub(crate) multipliers: Multipliers,
}

impl<'a> Bridge<'a> {
    pub(crate) fn new(
        solver: &'static str,
        nlp: &'a mut dyn Nlp,
        observe: &'a mut Observer<'a>,
        start: Vec<f64>,
        warm: Option<&Multipliers>,
    ) -> Result<Self, (&'a mut dyn Nlp, Status)> {
        let (n, m, entries) = (nlp.variable_ranges().len(), nlp.row_ranges().len(), nlp.jacobian_pattern().len());
        if let Some(warm) = warm
            && [warm.rows.len(), warm.lower.len(), warm.upper.len()] != [m, n, n]
        {
            let why = format!("the multipliers given are not for {n} variables and {m} rows");
            return Err((nlp, Status::Failed(why)));
        }
        let none = || Multipliers { rows: vec![0.0; m], lower: vec![0.0; n], upper: vec![0.0; n] };
        Ok(Self {
            nlp,
            observe,
            solver,
            began: Instant::now(),
            functions: Duration::ZERO,
            evaluations: 0,
            x: vec![f64::NAN; n],
            objective: 0.0,
            rows: vec![0.0; m],
            gradient: vec![0.0; n],
            jacobian: vec![0.0; entries],
            values_known: false,
            slopes_known: false,
            iterations: 0,
            point: start,
            multipliers: warm.cloned().unwrap_or_else(none),
        })
    }

    /// Bounds as Ipopt wants them.
    pub(crate) fn bounds(ranges: &[Range], lower: &mut [f64], upper: &mut [f64]) {
        for ((range, lower), upper) in ranges.iter().zip(lower).zip(upper) {
            *lower = range.lower.max(-INFINITE);
            *upper = range.upper.min(INFINITE);
        }
    }

    /// Lets the program work, and measures it.
    fn call<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> R {
        let began = Instant::now();
        let result = reported(|| work(self));
        self.functions += began.elapsed();
        result
    }

    fn values(&mut self, x: &[f64]) {
        self.move_to(x);
        if !self.values_known {
            self.call(|own| own.objective = own.nlp.values(&own.x, &mut own.rows));
            self.evaluations += 1;
            self.values_known = true;
        }
    }

    fn slopes(&mut self, x: &[f64]) {
        self.move_to(x);
        if !self.slopes_known {
            self.call(|own| own.nlp.slopes(&own.x, &mut own.gradient, &mut own.jacobian));
            self.slopes_known = true;
        }
    }

    fn move_to(&mut self, x: &[f64]) {
        if self.x != x {
            self.x.copy_from_slice(x);
            (self.values_known, self.slopes_known) = (false, false);
        }
    }

    /// The objective, if it is a finite number.
    pub(crate) fn objective(&mut self, x: &[f64]) -> Option<f64> {
        self.values(x);
        Some(self.objective).filter(|value| value.is_finite())
    }

    /// Fills the rows; false if one of them is not a finite number.
    pub(crate) fn rows(&mut self, x: &[f64], out: &mut [f64]) -> bool {
        self.values(x);
        out.copy_from_slice(&self.rows);
        all_finite(out)
    }

    /// Fills the gradient of the objective; false if it is not finite.
    pub(crate) fn gradient(&mut self, x: &[f64], out: &mut [f64]) -> bool {
        self.slopes(x);
        out.copy_from_slice(&self.gradient);
        all_finite(out)
    }

    /// Fills the entries of the Jacobian; false if they are not finite.
    pub(crate) fn jacobian(&mut self, x: &[f64], out: &mut [f64]) -> bool {
        self.slopes(x);
        out.copy_from_slice(&self.jacobian);
        all_finite(out)
    }

    /// Fills the entries of the Hessian of the Lagrangian; false if they are not finite.
    pub(crate) fn hessian(&mut self, x: &[f64], weight: f64, y: &[f64], out: &mut [f64]) -> bool {
        self.call(|own| own.nlp.curvature(x, weight, y, out));
        all_finite(out)
    }

    /// Tells the observer; false if it asks to stop.
    pub(crate) fn progress(&mut self, progress: Progress<'_>) -> bool {
        self.iterations = self.iterations.max(progress.iteration);
        if !progress.point.is_empty() {
            self.point.copy_from_slice(progress.point);
        }
        reported(|| (self.observe)(&Progress { solver: self.solver, ..progress }))
    }

    /// Where the barrier parameter of a warm start belongs: the mean product of multiplier and distance.
    pub(crate) fn warm_barrier(&self) -> f64 {
        let (lower, upper) = (&self.multipliers.lower, &self.multipliers.upper);
        let ranges = self.nlp.variable_ranges();
        let products = ranges
            .iter()
            .zip(&self.point)
            .enumerate()
            .flat_map(|(i, (range, x))| [lower[i] * (x - range.lower).abs(), upper[i] * (range.upper - x).abs()]);
        let (sum, count) =
            products.filter(|value| value.is_finite()).fold((0.0, 0), |(sum, count), p| (sum + p, count + 1));
        (sum / f64::max(1.0, count as f64)).clamp(WARM_BARRIER.0, WARM_BARRIER.1)
    }

    fn statistics(&self, linear: (usize, f64)) -> Statistics {
        Statistics {
            iterations: self.iterations,
            evaluations: self.evaluations,
            factorisations: linear.0,
            seconds: self.began.elapsed().as_secs_f64(),
            seconds_functions: self.functions.as_secs_f64(),
            seconds_linear: linear.1,
        }
    }

    /// The outcome of a solver that broke down.
    pub(crate) fn failed(self, why: String, options: &Options) -> Outcome {
        let statistics = self.statistics((0, 0.0));
        judge(self.nlp, self.solver, Status::Failed(why), self.point, self.multipliers, statistics, options)
    }

    /// The outcome for Ipopt's return code, and number and seconds of factorisations.
    pub(crate) fn outcome(self, code: i32, linear: (usize, f64), options: &Options) -> Outcome {
        let statistics = self.statistics(linear);
        let status = match undefined(self.nlp, &self.point) {
            Some(place) if code == -13 => Status::Failed(format!("{place} is not a finite number along the search")),
            _ => status(code),
        };
        let mut outcome = judge(self.nlp, self.solver, status, self.point, self.multipliers, statistics, options);
        // Iterates may also run away without ever coming near the feasible set, or too slowly to be caught.
        let size = outcome.point.iter().fold(1.0, |size: f64, x| size.max(x.abs()));
        let feasible = outcome.residuals.feasibility <= 1e-6 * size;
        match outcome.status {
            Status::Unbounded if !feasible => {
                outcome.status = Status::Failed("the iterates run to infinity without becoming feasible".to_owned());
            }
            Status::IterationLimit | Status::NoProgress if feasible && outcome.objective < BOTTOMLESS => {
                outcome.status = Status::Unbounded;
            }
            _ => {}
        }
        outcome
    }
}

fn all_finite(values: &[f64]) -> bool {
    values.iter().all(|value| value.is_finite())
}

/// Ipopt's `ApplicationReturnStatus`.
fn status(code: i32) -> Status {
    match code {
        // 6: a square system without objective, solved.
        0 | 6 => Status::Converged,
        1 => Status::Acceptable,
        2 => Status::LocallyInfeasible,
        // Step too small, restoration failed, error in the computation of the step.
        3 | -2 | -3 => Status::NoProgress,
        4 => Status::Unbounded,
        5 => Status::Stopped,
        -1 => Status::IterationLimit,
        -4 | -5 => Status::TimeLimit,
        -10 => Status::OverDetermined,
        -11 => Status::Failed("the problem definition was refused".to_owned()),
        -12 => Status::Failed("an option was refused".to_owned()),
        -13 => Status::Failed("a function or derivative is not a finite number along the search".to_owned()),
        -102 => Status::Failed("out of memory".to_owned()),
        other => Status::Failed(format!("internal error {other}")),
    }
}
