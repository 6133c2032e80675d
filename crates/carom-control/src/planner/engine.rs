//! One step of a quasi-Newton method, by argmin.
//!
//! argmin's solvers are stepped one iteration at a time, since three things are left to their caller:
//!
//! - BFGS updates its inverse Hessian whatever the curvature `y.s` is; the Armijo condition does not make it positive, and
//!   the next direction may lead uphill, or be NaN. Here updates without curvature are left out, as usual;
//! - a search that finds nothing halves until the point stays where it is, and the update divides zero by zero;
//! - More and Thuente's search fails where the cost is not finite. Halving does not, and takes over for that step.

use super::objective::{Costs, Integrand, Objective};
use super::variables::Variables;
use argmin::core::{CostFunction, Error, Gradient, IterState, Problem, Solver, State};
use argmin::solver::linesearch::condition::ArmijoCondition;
use argmin::solver::linesearch::{BacktrackingLineSearch, MoreThuenteLineSearch};
use argmin::solver::quasinewton::{BFGS, LBFGS};
use std::cell::RefCell;

type Vector = Vec<f64>;
type Matrix = Vec<Vec<f64>>;
type Halving = BacktrackingLineSearch<Vector, Vector, ArmijoCondition<f64>, f64>;
type MoreThuente = MoreThuenteLineSearch<Vector, Vector, f64>;

/// More and Thuente's search flattens the slope to this share, as is usual for quasi-Newton methods.
const WOLFE: f64 = 0.9;

/// How far to go along a direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LineSearch {
    /// The full step, halved until the cost decreases enough (Armijo).
    #[default]
    Halving,
    /// More and Thuente's search for a step that also flattens the slope (strong Wolfe conditions).
    MoreThuente,
}

/// How directions are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Method {
    /// Broyden, Fletcher, Goldfarb and Shanno, with a full inverse Hessian. An argmin step multiplies full matrices.
    #[default]
    Bfgs,
    /// The same with limited memory, for many parameters; always with More and Thuente's search.
    LimitedMemory {
        /// Steps that are remembered.
        steps: usize,
    },
}

/// The objective, and what it was at the place looked at last: searches ask for cost and gradient one after the other.
pub(super) struct Survey<'a, I> {
    pub(super) objective: &'a mut Objective<I>,
    pub(super) costs: Costs,
    /// In the variables of the descent, like the place.
    pub(super) gradient: Vector,
    variables: Variables,
    place: Vector,
    parameters: Vector,
}

impl<'a, I: Integrand> Survey<'a, I> {
    pub(super) fn new(objective: &'a mut Objective<I>, variables: Variables) -> Self {
        let [gradient, place, parameters] = [const { Vec::new() }; 3];
        Self { objective, costs: Costs::default(), gradient, variables, place, parameters }
    }

    /// Looks at a place. Where cost or gradient are not finite the cost is infinite: steps there are too long.
    pub(super) fn visit(&mut self, place: &[f64]) -> f64 {
        if self.place != place {
            place.clone_into(&mut self.place);
            place.clone_into(&mut self.parameters);
            self.gradient.resize(place.len(), 0.0);
            self.variables.write_parameters(self.objective.path(), &mut self.parameters);
            self.costs = self.objective.evaluate(&self.parameters, &mut self.gradient);
            self.variables.pull_gradient(self.objective.path(), &mut self.gradient);
        }
        let is_finite = self.costs.total.is_finite() && self.gradient.iter().all(|slope| slope.is_finite());
        if is_finite { self.costs.total } else { f64::INFINITY }
    }
}

/// The objective in argmin's words.
struct Terrain<'a, 'b, I>(&'a RefCell<Survey<'b, I>>);

impl<I: Integrand> CostFunction for Terrain<'_, '_, I> {
    type Param = Vector;
    type Output = f64;

    fn cost(&self, place: &Vector) -> Result<f64, Error> {
        Ok(self.0.borrow_mut().visit(place))
    }
}

impl<I: Integrand> Gradient for Terrain<'_, '_, I> {
    type Param = Vector;
    type Gradient = Vector;

    fn gradient(&self, place: &Vector) -> Result<Vector, Error> {
        let mut survey = self.0.borrow_mut();
        survey.visit(place);
        Ok(survey.gradient.clone())
    }
}

/// A place with its cost and gradient.
#[derive(Clone, Debug)]
pub(super) struct Point {
    pub(super) place: Vector,
    pub(super) cost: f64,
    pub(super) gradient: Vector,
}

/// What is known of the curvature.
enum Memory {
    /// The inverse Hessian.
    Full(Matrix),
    /// argmin's solver keeps the last steps, and counts how many it has.
    Limited(Box<LBFGS<MoreThuente, Vector, Vector, f64>>, u64),
}

/// Steps downhill.
pub(super) struct Engine {
    method: Method,
    search: LineSearch,
    halving: Halving,
    more_thuente: MoreThuente,
    scale: f64,
    memory: Memory,
    is_fresh: bool,
    /// Updates that were left out for want of curvature.
    pub(super) skips: usize,
}

impl Engine {
    /// Begins with `scale` times the identity as the inverse Hessian of `size` parameters.
    pub(super) fn new(method: Method, search: LineSearch, armijo: f64, scale: f64, size: usize) -> Result<Self, Error> {
        let halving = Halving::new(ArmijoCondition::new(armijo)?).rho(0.5)?;
        let more_thuente = MoreThuente::new().with_c(armijo, WOLFE)?;
        let memory = Memory::Full(Vec::new());
        let mut engine = Self { method, search, halving, more_thuente, scale, memory, is_fresh: true, skips: 0 };
        engine.forget(size);
        Ok(engine)
    }

    /// Forgets the curvature; false if there is nothing to forget.
    pub(super) fn forget(&mut self, size: usize) -> bool {
        self.memory = match self.method {
            Method::Bfgs => {
                let entry = |row, column| if row == column { self.scale } else { 0.0 };
                Memory::Full((0..size).map(|row| (0..size).map(|column| entry(row, column)).collect()).collect())
            }
            Method::LimitedMemory { steps } => {
                Memory::Limited(Box::new(LBFGS::new(self.more_thuente.clone(), steps)), 0)
            }
        };
        !std::mem::replace(&mut self.is_fresh, true)
    }

    /// A step to a place further down, and its length in units of the direction if that is known; none if no such
    /// place is found.
    pub(super) fn step<I: Integrand>(
        &mut self,
        survey: &RefCell<Survey<'_, I>>,
        from: &Point,
    ) -> Option<(Point, Option<f64>)> {
        let found = match &mut self.memory {
            Memory::Full(_) => self.full_step(survey, from).map(|(to, length)| (to, Some(length))),
            Memory::Limited(..) => self.limited_step(survey, from).map(|to| (to, None)),
        };
        self.is_fresh &= found.is_none();
        found
    }

    fn full_step<I: Integrand>(&mut self, survey: &RefCell<Survey<'_, I>>, from: &Point) -> Option<(Point, f64)> {
        let Memory::Full(inverse) = &mut self.memory else { return None };
        let direction: Vec<f64> = inverse.iter().map(|row| -dot(row, &from.gradient)).collect();
        let leads_down = dot(&direction, &from.gradient) < 0.0;
        if !leads_down {
            return None;
        }
        let state = || IterState::new().inv_hessian(inverse.clone());
        let wolfe = (self.search == LineSearch::MoreThuente)
            .then(|| descend(&mut BFGS::new(self.more_thuente.clone()), survey, from, state()));
        let found = wolfe.flatten().or_else(|| descend(&mut BFGS::new(self.halving.clone()), survey, from, state()));
        let (to, updated) = found?;
        let (moved, turned) = (difference(&to.place, &from.place), difference(&to.gradient, &from.gradient));
        match updated {
            Some(updated) if is_curved(&moved, &turned) => *inverse = updated,
            _ => self.skips += 1,
        }
        Some((to, norm(&moved) / norm(&direction)))
    }

    /// Limited memory cannot leave out a pair; it begins anew after one without curvature.
    fn limited_step<I: Integrand>(&mut self, survey: &RefCell<Survey<'_, I>>, from: &Point) -> Option<Point> {
        let Memory::Limited(solver, count) = &mut self.memory else { return None };
        let mut state = IterState::new();
        state.iter = *count;
        let mut found = descend(&mut **solver, survey, from, state);
        if found.is_none() && self.is_fresh {
            found = descend(&mut LBFGS::new(self.halving.clone(), 1), survey, from, IterState::new());
        }
        *count += 1;
        let (to, _) = found?;
        if !is_curved(&difference(&to.place, &from.place), &difference(&to.gradient, &from.gradient)) {
            self.skips += 1;
            self.forget(from.place.len());
        }
        Some(to)
    }
}

type Iterate<H> = IterState<Vector, Vector, (), H, (), f64>;

/// One iteration of a solver of argmin, if it leads to a lower cost; with the inverse Hessian after it.
fn descend<'a, 'b, I: Integrand, H>(
    solver: &mut impl Solver<Terrain<'a, 'b, I>, Iterate<H>>,
    survey: &'a RefCell<Survey<'b, I>>,
    from: &Point,
    state: Iterate<H>,
) -> Option<(Point, Option<H>)> {
    let mut problem = Problem::new(Terrain(survey));
    let state = state.param(from.place.clone()).cost(from.cost).gradient(from.gradient.clone());
    let (mut state, _) = solver.next_iter(&mut problem, state).ok()?;
    let (place, gradient, cost) = (state.take_param()?, state.take_gradient()?, state.get_cost());
    (cost < from.cost).then(|| (Point { place, cost, gradient }, state.take_inv_hessian()))
}

/// True if the gradient turned the way it does in a valley.
fn is_curved(moved: &[f64], turned: &[f64]) -> bool {
    dot(moved, turned) > f64::EPSILON * norm(moved) * norm(turned)
}

fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Euclidean norm.
pub(super) fn norm(vector: &[f64]) -> f64 {
    dot(vector, vector).sqrt()
}
