//! Gradients against differences, and the particle of seed 002, IV-C.

use super::descent::{DescentOptions, DescentStatus, Iteration, descend};
use super::engine::Method;
use super::objective::{Integrand, Objective};
use super::spline::{JerkSpline, Side};
use super::variables::Variables;
use carom_expr::{Backend, Evaluator, Expr, Function, Graph, Group, Scope, ids};
use std::f64::consts::PI;

const GRAVITY: f64 = 10.0;
const START: [f64; 2] = [-4.5 * PI, 21.0];
const GOAL: [f64; 2] = [5.5 * PI, 21.0];

/// A unit mass above `y = cos x`, steered by the force `F`, in the coordinates `z = (y - cos x, x)`.
struct Particle {
    /// `K` and its slope on either side, then `|e_F|^2`.
    functions: [Evaluator; 4],
    point: [f64; 7],
    values: [f64; 8],
    /// Makes the end cost `charge |z(T)|^2`.
    charge: f64,
}

impl Particle {
    /// `K = (1 + pulse sin 3t) |F|^2`
    fn new(pulse: f64, charge: f64) -> Self {
        let [feasible, infeasible] = [1.0, -1.0].map(|sign| Self::compile(sign, pulse));
        let functions = [&feasible[0], &infeasible[0], &feasible[1], &infeasible[1]].map(Function::evaluator);
        Self { functions, point: [0.0; 7], values: [0.0; 8], charge }
    }

    fn compile(sign: f64, pulse: f64) -> [Function; 2] {
        let scope = Scope::new(Graph::new());
        let names = ["t", "z", "x", "z'", "x'", "z''", "x''"];
        let inputs: Vec<Expr<'_>> = names.into_iter().map(|name| scope.variable(name)).collect();
        let along = |place: &[Expr<'_>]| {
            let seeds = std::array::from_fn::<_, 4, _>(|i| (inputs[1 + i].id(), inputs[3 + i].id()));
            scope.exprs(&scope.with(|graph| graph.directional(&ids(place), &seeds)))
        };
        let q = project(sign, inputs[1], inputs[2]);
        let rate = along(&q);
        let acceleration = along(&rate);
        let force = acceleration[0].square() + (acceleration[1] + GRAVITY).square();
        let density = force * (1.0 + pulse * (3.0 * inputs[0]).sin());
        let gaps = (q[0] - GOAL[0]).square() + (q[1] - GOAL[1]).square();
        let miss = gaps + rate[0].square() + rate[1].square();
        let function = |value: Expr<'_>, inputs: &[Expr<'_>]| {
            let outputs = [vec![value], value.gradient(inputs)].concat();
            let (inputs, outputs) = (ids(inputs), ids(&outputs));
            let groups = [Group::new("state", &inputs), Group::new("value", &outputs)];
            scope.with(|graph| Function::compile(graph, &groups[..1], &groups[1..], Backend::Interpreter)).unwrap()
        };
        [function(density, &inputs), function(miss, &inputs[1..5])]
    }
}

/// The projection with `k = 2`: `(x, y)` of a path in the coordinates `(z, x)`.
fn project<'s>(sign: f64, z: Expr<'s>, x: Expr<'s>) -> [Expr<'s>; 2] {
    if sign > 0.0 {
        return [x, z + x.cos()];
    }
    let x = x - 2.0 * z / (1.0 + 2.0 * z.square()) * x.sin() / (1.0 + x.sin().square());
    [x, x.cos() - z]
}

impl Integrand for Particle {
    fn dimension(&self) -> usize {
        2
    }

    fn density(&mut self, side: Side, time: f64, state: &[f64], slope: &mut [f64]) -> f64 {
        self.point[0] = time;
        self.point[1..].copy_from_slice(state);
        self.functions[usize::from(side == Side::Infeasible)].eval(&self.point, &mut self.values);
        slope.copy_from_slice(&self.values[1..]);
        self.values[0]
    }

    fn ending(&mut self, _: Side, state: &[f64], slope: &mut [f64]) -> f64 {
        slope.fill(0.0);
        slope[0] = 2.0 * self.charge * state[0];
        slope[1] = 2.0 * self.charge * state[1];
        self.charge * (state[0] * state[0] + state[1] * state[1])
    }

    fn miss(&mut self, side: Side, state: &[f64], slope: &mut [f64]) -> f64 {
        let values = &mut self.values[..5];
        self.functions[2 + usize::from(side == Side::Infeasible)].eval(state, values);
        slope.copy_from_slice(&values[1..]);
        values[0]
    }
}

/// Numbers from -1 to 1 that are always the same.
fn numbers(count: usize, seed: u64) -> Vec<f64> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    (0..count).map(|_| next()).collect()
}

/// Cost of a short path in the neighbourhood of the surface; it depends on the time, and its end is charged.
fn short(start: [f64; 2], rate: [f64; 2]) -> Objective<Particle> {
    Objective::new(Particle::new(0.4, 0.3), JerkSpline::new(1.0, 5, &start, &rate), 7.0, 6)
}

/// Relative error of a directional derivative against a central difference of order six.
fn gradient_error(objective: &mut Objective<Particle>, place: &[f64], direction: &[f64]) -> f64 {
    let mut gradient = vec![0.0; place.len()];
    objective.evaluate(place, &mut gradient);
    let exact: f64 = gradient.iter().zip(direction).map(|(slope, part)| slope * part).sum();
    let mut at = |h: f64| {
        let moved: Vec<f64> = place.iter().zip(direction).map(|(place, part)| place + h * part).collect();
        objective.evaluate(&moved, &mut gradient).total
    };
    let h = 2e-3;
    let [one, two, three] = [1.0, 2.0, 3.0].map(|k| at(k * h) - at(-k * h));
    (exact - (45.0 * one - 9.0 * two + three) / (60.0 * h)).abs() / exact.abs()
}

#[test]
fn gradients_are_exact() {
    // Start, rate and acceleration of the gap, and how often it changes its sign.
    for (gap, rate, acceleration, crossings) in
        [(1.0, 0.5, 0.0, 0), (1.0, -2.0, 0.0, 1), (0.5, -4.0, 12.0, 2), (-0.5, 4.0, -12.0, 2)]
    {
        for (jumps, seed) in [(0, 1), (0, 2), (1, 3), (1, 4), (2, 5), (3, 6)] {
            let mut objective = short([gap, 0.3], [rate, 0.7]);
            let count = objective.path().parameter_count(jumps);
            let (mut place, direction) = (numbers(count, seed), numbers(count, seed + 10));
            place[0] += acceleration;
            let error = gradient_error(&mut objective, &place, &direction);
            assert!(error < 1e-8, "{error:e} with {crossings} crossings, {jumps} jumps");
            objective.evaluate(&place, &mut vec![0.0; count]);
            assert_eq!(objective.path().crossings().count(), crossings);
        }
    }
}

#[test]
fn pieces_are_cut_at_crossings() {
    // The gap is (t - 0.3) (t - 0.7): three pieces and a jump among two stages.
    let mut path = JerkSpline::new(1.0, 2, &[0.21, 0.0], &[-1.0, 1.0]);
    path.shape(&[2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 5.0]);
    let sides: Vec<(Side, usize)> = path.pieces().iter().map(|piece| (piece.side, piece.stage)).collect();
    let (above, below) = (Side::Feasible, Side::Infeasible);
    assert_eq!(sides, [(above, 0), (below, 0), (below, 1), (above, 1)]);
    assert!(path.crossings().zip([0.3, 0.7]).all(|(found, known)| (found - known).abs() < 1e-15));
    let mut state = [0.0; 6];
    path.at(0.8, &mut state);
    let expected = [0.05, 0.8 + 0.5 * 5.0 * 0.25, 0.6, 1.0 + 5.0 * 0.5, 2.0, 5.0];
    assert!(state.iter().zip(expected).all(|(found, known)| (found - known).abs() < 1e-14), "{state:?}");
    // A start on the surface is on the side to which it moves.
    assert_eq!(JerkSpline::new(1.0, 2, &[0.0], &[-1.0]).last_side(), below);
    assert_eq!(JerkSpline::new(1.0, 2, &[0.0], &[1.0]).crossings().count(), 0);
}

/// The problem of the paper, from a path that stays where it is.
fn particle() -> (Objective<Particle>, Vec<f64>) {
    let path = JerkSpline::new(4.0, 50, &[START[1] - START[0].cos(), START[0]], &[0.0; 2]);
    let guess = path.parameters().to_vec();
    (Objective::new(Particle::new(0.0, 0.0), path, 3000.0, 6), guess)
}

#[test]
fn paper_descent_inserts_an_impact() {
    let (mut objective, guess) = particle();
    let mut observe = |iteration: &Iteration, _: &JerkSpline| iteration.number < 30;
    let printed = descend(&mut objective, &guess, &DescentOptions::default(), &mut observe);
    assert_eq!((printed.status, printed.history.len()), (DescentStatus::Stopped, 31));
    assert_eq!(printed.history.iter().position(|iteration| !iteration.crossings.is_empty()), Some(2));
    assert!(printed.history.is_sorted_by(|a, b| a.costs.total > b.costs.total));
    // In the accelerations some 100 iterations lead to an optimum, though to another one than the jerks' 900.
    let options = DescentOptions { variables: Variables::Accelerations, scale: 6.0, ..DescentOptions::default() };
    let smooth = descend(&mut objective, &printed.parameters, &options, &mut |_, _| true);
    assert_eq!((smooth.status, smooth.last().crossings.len()), (DescentStatus::Converged, 1));
    assert!((smooth.last().costs.total - 719.37).abs() < 7.0, "{:?}", smooth.last());
    // Without the spike of force at the impact it gets cheaper.
    let free = [smooth.parameters.clone(), vec![0.0; 2]].concat();
    let method = Method::LimitedMemory { steps: 50 };
    let freed = descend(&mut objective, &free, &DescentOptions { method, ..options }, &mut |_, _| true);
    assert!(freed.last().costs.total < 0.95 * smooth.last().costs.total, "{:?}", freed.last());
}
