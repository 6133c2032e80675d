//! Descent to a path of least cost (seed 002, IV-C: BFGS).
//!
//! ```text
//! B = scale I
//! repeat:  d = -B grad J,   alpha += step d  with  J decreasing enough,   B updated from the change of the gradient
//! ```
//!
//! Costs fall monotonically, but have kinks where impacts come and go. Where the method finds no way down it forgets
//! what it knows of the curvature and tries once more; if the steepest slope leads nowhere either, it has stalled.

use super::engine::{Engine, LineSearch, Method, Point, Survey, norm};
use super::objective::{Costs, Integrand, Objective};
use super::spline::JerkSpline;
use super::variables::Variables;
use std::cell::RefCell;

/// So many decreases in a row that are too small to matter are the end; one alone may be a bad step.
const PATIENCE: usize = 10;

/// How to descend.
#[derive(Clone, Debug)]
pub struct DescentOptions {
    /// In which numbers the path is varied.
    pub variables: Variables,
    /// How directions are found.
    pub method: Method,
    /// How far to go along them.
    pub search: LineSearch,
    /// Share of the decrease that the slope promises which a step must bring; inside `(0, 0.9)`.
    pub armijo: f64,
    /// The first inverse Hessian of BFGS is so many times the identity; limited memory finds its own scale.
    pub scale: f64,
    /// Limit of iterations.
    pub max_iterations: usize,
    /// Norm of the gradient, in the variables, at which a path is an optimum.
    pub gradient_tolerance: f64,
    /// Relative decrease of the cost which is too small to matter.
    pub cost_tolerance: f64,
}

impl Default for DescentOptions {
    fn default() -> Self {
        Self {
            variables: Variables::Jerks,
            method: Method::Bfgs,
            search: LineSearch::Halving,
            armijo: 1e-4,
            scale: 0.01,
            max_iterations: 1000,
            gradient_tolerance: 1e-6,
            cost_tolerance: 1e-9,
        }
    }
}

/// Why a descent ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DescentStatus {
    /// The gradient vanishes, or the cost hardly decreases any more.
    Converged,
    /// No way down was found: most likely a kink, or the last digits of the cost.
    Stalled,
    /// The limit of iterations was reached.
    Limit,
    /// The observer wished so.
    Stopped,
}

/// One iteration; number zero is the start.
#[derive(Clone, PartialEq, Debug)]
pub struct Iteration {
    /// Number of the iteration.
    pub number: usize,
    /// Cost of the path.
    pub costs: Costs,
    /// Times at which the path crosses the surface.
    pub crossings: Vec<f64>,
    /// Length of the step in units of the direction, if the method tells.
    pub step: Option<f64>,
    /// Norm of the gradient in the variables.
    pub gradient_norm: f64,
    /// How often the curvature was forgotten so far.
    pub restarts: usize,
}

/// Where a descent led.
#[derive(Clone, Debug)]
pub struct Descent {
    /// Why it ended.
    pub status: DescentStatus,
    /// The best parameters; costs fall, so they are also the last ones.
    pub parameters: Vec<f64>,
    /// The start and all iterations.
    pub history: Vec<Iteration>,
}

impl Descent {
    /// The last iteration, with the cost of the best path.
    ///
    /// # Panics
    /// Never: there is always a start.
    pub fn last(&self) -> &Iteration {
        self.history.last().expect("the start is in the history")
    }
}

/// Descends from `parameters`; `observe` is told of the start and of every iteration with its path, and says whether to go on.
///
/// A start whose cost is not finite is a stall. The objective keeps the best path.
///
/// # Panics
/// If the Armijo constant is out of its range, or the number of parameters does not fit the path.
pub fn descend<I: Integrand>(
    objective: &mut Objective<I>,
    parameters: &[f64],
    options: &DescentOptions,
    observe: &mut dyn FnMut(&Iteration, &JerkSpline) -> bool,
) -> Descent {
    let size = parameters.len();
    let engine = Engine::new(options.method, options.search, options.armijo, options.scale, size);
    let mut engine = engine.expect("the Armijo constant is inside its range");
    let mut place = parameters.to_vec();
    options.variables.read_parameters(objective.path(), &mut place);
    let survey = RefCell::new(Survey::new(objective, options.variables));
    let cost = survey.borrow_mut().visit(&place);
    let gradient = survey.borrow().gradient.clone();
    let mut point = Point { place, cost, gradient };
    let mut walk = Walk { options, history: Vec::new(), restarts: 0, small: 0 };
    let mut step = None;
    let status = loop {
        walk.record(&mut survey.borrow_mut(), &point, step);
        if let Some(status) = walk.ends(survey.borrow().objective.path(), observe) {
            break status;
        }
        let mut found = engine.step(&survey, &point);
        if found.is_none() && engine.forget(size) {
            walk.restarts += 1;
            found = engine.step(&survey, &point);
        }
        let Some((next, length)) = found else { break DescentStatus::Stalled };
        (point, step) = (next, length);
    };
    // A search that failed has left the objective elsewhere.
    survey.borrow_mut().visit(&point.place);
    let parameters = objective.path().parameters().to_vec();
    Descent { status, parameters, history: walk.history }
}

/// The way so far.
struct Walk<'a> {
    options: &'a DescentOptions,
    history: Vec<Iteration>,
    restarts: usize,
    /// Decreases in a row that are too small to matter.
    small: usize,
}

impl Walk<'_> {
    fn record<I: Integrand>(&mut self, survey: &mut Survey<'_, I>, point: &Point, step: Option<f64>) {
        survey.visit(&point.place);
        let costs = survey.costs;
        if let Some(last) = self.history.last() {
            let is_small = last.costs.total - costs.total <= self.options.cost_tolerance * costs.total.abs();
            self.small = if is_small { self.small + 1 } else { 0 };
        }
        self.history.push(Iteration {
            number: self.history.len(),
            costs,
            crossings: survey.objective.path().crossings().collect(),
            step,
            gradient_norm: norm(&point.gradient),
            restarts: self.restarts,
        });
    }

    /// Why the last iteration is the last one, if it is.
    fn ends(
        &self,
        path: &JerkSpline,
        observe: &mut dyn FnMut(&Iteration, &JerkSpline) -> bool,
    ) -> Option<DescentStatus> {
        let last = self.history.last()?;
        let is_optimum = last.gradient_norm <= self.options.gradient_tolerance || self.small >= PATIENCE;
        if !observe(last, path) {
            Some(DescentStatus::Stopped)
        } else if !(last.costs.total.is_finite() && last.gradient_norm.is_finite()) {
            Some(DescentStatus::Stalled)
        } else if is_optimum {
            Some(DescentStatus::Converged)
        } else {
            (last.number >= self.options.max_iterations).then_some(DescentStatus::Limit)
        }
    }
}
