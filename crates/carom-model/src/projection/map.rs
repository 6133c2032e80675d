//! A projection in numbers.

use super::error::ProjectionError;
use super::roots::RootSolver;
use super::simple::Simple;
use super::{Projection, ProjectionKind};
use crate::projection::arc::Arc;
use carom_expr::{Backend, Evaluator, Function, FunctionError, Group, Id};
use carom_linalg::{Lu, max_abs};

/// Steps of Newton's method.
const STEPS: usize = 100;
/// Corrections below this part of the value are rounding.
const ROUNDING: f64 = 4.0 * f64::EPSILON;
/// What a map undone and done again may miss.
const UNDONE: f64 = 1e-9;

/// Evaluates a projection: `P`, `P'`, the inverse off the feasible set, and what it all is in the coordinates of the system.
pub struct ProjectionMap {
    simple: Simple,
    n: usize,
    gap: Evaluator,
    /// `(u, roots) -> P, P'`
    image: Evaluator,
    roots: RootSolver,
    /// `(u, u') -> q, v`
    embedding: Evaluator,
    arc: Option<Arc>,
    input: Vec<f64>,
    output: Vec<f64>,
}

impl ProjectionMap {
    pub(super) fn new(projection: &Projection) -> Result<Self, ProjectionError> {
        let simple = projection.simple.clone();
        let mut graph = simple.graph.clone();
        let (u, du) = (&simple.u, &simple.du);
        let n = u.len();
        let unknowns: Vec<Id> = projection.roots.iter().map(|root| root.variable).collect();
        let compile = |graph: &_, inputs: &[Id], outputs: &[Id]| -> Result<Evaluator, FunctionError> {
            let (inputs, outputs) = ([Group::new("in", inputs)], [Group::new("out", outputs)]);
            Ok(Function::compile(graph, &inputs, &outputs, Backend::Interpreter)?.evaluator())
        };
        let mut slope = vec![simple.gap];
        slope.extend(graph.gradient(simple.gap, u));
        let along: Vec<(Id, Id)> = u.iter().copied().zip(du.iter().copied()).collect();
        let rates = graph.directional(&simple.embedding, &along);
        let embedding = compile(&graph, &[&u[..], du].concat(), &[&simple.embedding[..], &rates].concat())?;
        let image = [&projection.image[..], &projection.jacobian].concat();
        let arc = match &projection.kind {
            ProjectionKind::Circle(arc) => Some(arc.clone()),
            _ => None,
        };
        Ok(Self {
            n,
            gap: compile(&graph, u, &slope)?,
            image: compile(&graph, &[&u[..], &unknowns].concat(), &image)?,
            embedding,
            input: Vec::new(),
            output: vec![0.0; n + n * n],
            roots: RootSolver::new(&graph, &projection.roots, u)?,
            arc,
            simple,
        })
    }

    /// Number of coordinates.
    pub fn dimension(&self) -> usize {
        self.n
    }

    /// The gap; positive where `u` is feasible.
    pub fn gap(&mut self, u: &[f64]) -> f64 {
        self.gap.values(u)[0]
    }

    /// The gap and its gradient.
    pub fn slope(&mut self, u: &[f64]) -> (f64, Vec<f64>) {
        let mut values = self.gap.values(u);
        let slope = values.split_off(1);
        (values[0], slope)
    }

    /// A point in words.
    pub fn point(&self, u: &[f64]) -> String {
        self.simple.point(u)
    }

    /// `P(u)`: `u` itself where it is feasible (within one turn), its image otherwise.
    pub fn apply(&mut self, u: &[f64]) -> Result<Vec<f64>, ProjectionError> {
        if self.gap(u) >= 0.0 {
            return Ok(self.wrapped(u, true));
        }
        self.evaluate(u)?;
        Ok(self.output[..self.n].to_vec())
    }

    /// The image and the Jacobian of the outer branch at `u`, which may lie on the boundary.
    pub fn outer(&mut self, u: &[f64]) -> Result<(Vec<f64>, Vec<f64>), ProjectionError> {
        self.evaluate(u)?;
        Ok((self.output[..self.n].to_vec(), self.output[self.n..].to_vec()))
    }

    /// What is observed of a smooth path: configuration `q = P(z)` and velocity `P'(z) z'` of the system. On the boundary
    /// `is_outside` says which branch is meant.
    pub fn observed(
        &mut self,
        z: &[f64],
        dz: &[f64],
        is_outside: bool,
    ) -> Result<(Vec<f64>, Vec<f64>), ProjectionError> {
        let n = self.n;
        let mut state = vec![0.0; 2 * n];
        if is_outside {
            self.evaluate(z)?;
            state[..n].copy_from_slice(&self.output[..n]);
            carom_linalg::multiply(&self.output[n..], dz, &mut state[n..]);
        } else {
            state[..n].copy_from_slice(&self.wrapped(z, true));
            state[n..].copy_from_slice(dz);
        }
        let mut values = self.embedding.values(&state);
        let v = values.split_off(values.len() / 2);
        Ok((values, v))
    }

    /// The point outside whose image is the feasible `y`: Newton's method on `P(u) = y`, from the mirror image.
    pub fn inverse(&mut self, y: &[f64]) -> Result<Vec<f64>, ProjectionError> {
        let n = self.n;
        let mut u = self.mirror(y);
        let (mut lu, mut best) = (Lu::new(n), (f64::INFINITY, u.clone()));
        for _ in 0..STEPS {
            self.evaluate(&u)?;
            let mut step: Vec<f64> = (0..n).map(|k| y[k] - self.output[k]).collect();
            let residual = max_abs(&step);
            if residual < best.0 {
                best = (residual, u.clone());
            } else if residual.is_nan() || best.0 <= ROUNDING * max_abs(y).max(1.0) {
                break;
            }
            if lu.factor(&self.output[n..]).is_err() {
                break;
            }
            lu.solve(&mut step);
            // The shift of (15) is shorter than the distance of the images: long steps are errors of linearisation.
            let longest = 2.0 * residual + 1.0;
            let scale = (longest / max_abs(&step).max(f64::MIN_POSITIVE)).min(1.0);
            u.iter_mut().zip(&step).for_each(|(u, step)| *u += scale * step);
        }
        let is_there = best.0 <= UNDONE * max_abs(y).max(1.0) && self.gap(&best.1) <= UNDONE;
        if !is_there {
            let point = self.point(y);
            return Err(ProjectionError::NoImage { point, why: "no point outside the feasible set is mapped there" });
        }
        Ok(best.1)
    }

    /// Where the search of the inverse begins: outside by as much as `y` is inside, straight through the boundary.
    fn mirror(&mut self, y: &[f64]) -> Vec<f64> {
        if let Some(arc) = &self.arc {
            // P is monotonic: the place with the same share of the other arc.
            let share = -(y[0] - arc.centre) / arc.half;
            return vec![arc.opposite() + share * (0.5 * arc.period - arc.half)];
        }
        let (gap, _) = self.slope(y);
        let mut u = y.to_vec();
        for _ in 0..STEPS {
            let (value, slope) = self.slope(&u);
            let square = carom_linalg::dot(&slope, &slope).max(f64::MIN_POSITIVE);
            let share = (value + gap) / square;
            u.iter_mut().zip(&slope).for_each(|(u, slope)| *u -= share * slope);
            if share.abs() * square.sqrt() <= 1e-3 * gap.abs() {
                break;
            }
        }
        u
    }

    /// The period of the circle, if it is one.
    pub fn period(&self) -> Option<f64> {
        self.arc.as_ref().map(|arc| arc.period)
    }

    /// Within the turn of the circle in which the formulas hold.
    pub fn wrapped(&self, u: &[f64], is_feasible: bool) -> Vec<f64> {
        let Some(arc) = &self.arc else { return u.to_vec() };
        let middle = if is_feasible { arc.centre } else { arc.opposite() };
        vec![u[0] - arc.period * arc.turns(u[0], middle)]
    }

    /// The outer branch: roots first, then image and Jacobian.
    fn evaluate(&mut self, u: &[f64]) -> Result<(), ProjectionError> {
        let u = self.wrapped(u, false);
        self.input.clone_from(&u);
        if !self.roots.append(&mut self.input) {
            return Err(ProjectionError::NoImage {
                point: self.point(&u),
                why: "the gap does not take the mirrored value",
            });
        }
        self.image.eval(&self.input, &mut self.output);
        if self.output.iter().all(|value| value.is_finite()) {
            return Ok(());
        }
        Err(ProjectionError::NoImage { point: self.point(&u), why: "a value is not finite" })
    }
}
