//! The linear maps of a solution: intervals and transitions, in bases of the tangent spaces.

use super::riccati::Matrix;
use super::{FeedbackOptions, Plan, crew};
use crate::error::ControlError;
use crate::problem::ControlProblem;
use crate::replay::flight::ReplayState;
use crate::replay::jump::Jumper;
use crate::replay::runner::Runner;
use carom_expr::Backend;
use carom_flow::{FlowOptions, Tangent};
use carom_impact::JumpTangent;
use carom_linalg::{RangeNull, dot, max_abs};
use carom_model::ImplicitMap;

/// Directions that violate constraints by more than this do.
const INDEPENDENT: f64 = 1e-10;

/// A map of small changes.
pub(super) enum Link {
    /// An interval of the mesh.
    Interval {
        phase: usize,
        a: Matrix,
        b: Matrix,
        /// Rows span the tangent space at the beginning.
        basis: Matrix,
        state_weight: Matrix,
        input_weight: Matrix,
    },
    /// The end of a phase.
    Jump { matrix: Matrix },
}

/// The maps of a solution.
pub(super) struct Chain {
    pub(super) links: Vec<Link>,
    pub(super) names: Vec<String>,
    pub(super) is_periodic: bool,
    pub(super) defect: f64,
    end: Matrix,
}

/// What linearises one phase.
struct Lineariser {
    tangent: Tangent,
    /// `(q, v)` to `g` and `G v`.
    constraints: ImplicitMap,
    n: usize,
    whole: usize,
}

impl Chain {
    pub(super) fn new(
        problem: &ControlProblem,
        plan: Plan<'_>,
        options: &FeedbackOptions,
    ) -> Result<Self, ControlError> {
        let (mut runners, mut jumpers) = crew(problem, plan, options.tolerance, options.backend)?;
        let mut linearisers = Vec::new();
        for runner in &runners {
            linearisers.push(Lineariser::new(runner, options)?);
        }
        let is_periodic = jumpers.iter().any(|(from, to, _)| *from + 1 == runners.len() && *to == 0);
        let mut all = Self { links: Vec::new(), names: Vec::new(), is_periodic, defect: 0.0, end: Matrix::default() };
        for number in 0..runners.len() {
            all.names.push(runners[number].found.name.clone());
            all.intervals(number, &mut runners[number], &mut linearisers[number], options)?;
            let Some(place) = jumpers.iter().position(|(from, ..)| *from == number) else { continue };
            let to = jumpers[place].1;
            let next = linearisers[to].basis(&runners[to].node(0))?;
            let matrix =
                jump(problem, number, &mut jumpers[place].2, &mut runners[number], &mut linearisers[number], &next)?;
            all.links.push(Link::Jump { matrix });
        }
        let last = runners.len() - 1;
        let (first, whole) = (runners[0].node(0), runners[last].pilot.intervals());
        let place = if is_periodic { (0, first) } else { (last, runners[last].node(whole)) };
        all.end = state_weight(&runners[place.0], &linearisers[place.0].basis(&place.1)?, options);
        Ok(all)
    }

    /// The weight of the state where the recursion begins.
    pub(super) fn weight_at_end(&self) -> Matrix {
        self.end.clone()
    }

    /// The product of all maps, or of those given instead.
    pub(super) fn period(&self, instead: Option<&[Matrix]>) -> Matrix {
        let own = |index: usize| match (&self.links[index], instead) {
            (_, Some(instead)) => instead[index].clone(),
            (Link::Interval { a, .. }, None) => a.clone(),
            (Link::Jump { matrix }, None) => matrix.clone(),
        };
        let first = own(0);
        (1..self.links.len()).fold(first, |product, index| own(index).times(&product))
    }

    /// A map of the first tangent space as one of `(q, v)`.
    pub(super) fn in_coordinates(&self, map: &Matrix) -> Matrix {
        match self.links.first() {
            Some(Link::Interval { basis, .. }) => basis.transposed().times(map).times(basis),
            _ => map.clone(),
        }
    }

    fn intervals(
        &mut self,
        phase: usize,
        runner: &mut Runner<'_>,
        lineariser: &mut Lineariser,
        options: &FeedbackOptions,
    ) -> Result<(), ControlError> {
        let input_weight = input_weight(runner, options);
        let mut basis = lineariser.basis(&runner.node(0))?;
        for k in 0..runner.pilot.intervals() {
            let node = runner.node(k);
            let (a, b, end) = lineariser.interval(runner, k, &node)?;
            self.defect = self.defect.max(runner.size.mismatch(&end, &runner.node(k + 1)).state());
            let next = lineariser.basis(&runner.node(k + 1))?;
            self.links.push(Link::Interval {
                phase,
                a: next.times(&a).times(&basis.transposed()),
                b: next.times(&b),
                state_weight: state_weight(runner, &basis, options),
                input_weight: input_weight.clone(),
                basis,
            });
            basis = next;
        }
        Ok(())
    }
}

impl Lineariser {
    fn new(runner: &Runner<'_>, options: &FeedbackOptions) -> Result<Self, ControlError> {
        let augmented = &runner.pilot.augmented;
        let (dynamics, n) = (&augmented.dynamics, augmented.n);
        let flow = FlowOptions { tolerance: options.tolerance, backend: options.backend, ..FlowOptions::default() };
        let stuck = |error: carom_flow::FlowError| ControlError::Feedback { why: error.to_string() };
        let mut graph = dynamics.graph.clone();
        let rows = dynamics.jacobian(&mut graph);
        let rates: Vec<_> = rows.chunks(dynamics.dimension()).map(|row| graph.dot(row, &dynamics.v)).collect();
        let inputs = [&dynamics.q[..n], &dynamics.v[..n]].concat();
        let outputs = [&dynamics.constraints[..], &rates].concat();
        Ok(Self {
            tangent: Tangent::new(dynamics, &[], flow).map_err(stuck)?,
            constraints: ImplicitMap::new(graph, (&[], &inputs), (&[], &outputs), Backend::Interpreter)?,
            n,
            whole: dynamics.dimension(),
        })
    }

    /// Orthonormal rows that span the small changes of a state that keep to the constraints.
    fn basis(&mut self, node: &ReplayState) -> Result<Matrix, ControlError> {
        let slopes = self.constraints.derivative(&[&node.q[..], &node.v].concat()).map_err(map_failure)?;
        let size = 2 * self.n;
        let values = RangeNull::new(&slopes, size, INDEPENDENT).null_space().to_vec();
        Ok(Matrix { rows: values.len() / size, columns: size, values })
    }

    /// `A`, `B` in coordinates, and where the flow ends.
    fn interval(
        &mut self,
        runner: &Runner<'_>,
        k: usize,
        node: &ReplayState,
    ) -> Result<(Matrix, Matrix, ReplayState), ControlError> {
        let [c, rates] = runner.pilot.control_state((k, 0.0), &[]);
        let (q, v) = ([&node.q[..], &c].concat(), [&node.v[..], &rates].concat());
        let found = self.tangent.run((node.t, &q, &v), &[], runner.pilot.width(k));
        let found = found.map_err(|error| ControlError::Feedback { why: error.to_string() })?;
        let (n, whole) = (self.n, self.whole);
        let place = |i: usize| if i < n { i } else { whole + i - n };
        let entry = |i: usize, j: usize| found.state[place(i) * 2 * whole + j];
        let a = Matrix::new(2 * n, 2 * n, |i, j| entry(i, place(j)));
        let inputs = runner.found.inputs.len();
        let b = Matrix::new(2 * n, inputs, |i, j| {
            let (column, factor) = runner.pilot.augmented.control(j);
            entry(i, column) / factor
        });
        let (q, v) = (found.q[..n].to_vec(), found.v[..n].to_vec());
        Ok((a, b, ReplayState { t: found.t, q, v }))
    }

    /// The vector field `(v, a)` at the end of the last interval.
    fn field(&mut self, runner: &Runner<'_>, node: &ReplayState) -> Result<Vec<f64>, ControlError> {
        let last = runner.pilot.intervals() - 1;
        let [c, rates] = runner.pilot.control_state((last, 1.0), &[]);
        let (q, v) = ([&node.q[..], &c].concat(), [&node.v[..], &rates].concat());
        let found = self.tangent.rates((node.t, &q, &v), &[]);
        let found = found.map_err(|error| ControlError::Feedback { why: error.to_string() })?;
        Ok([&found.field[..self.n], &found.field[self.whole..self.whole + self.n]].concat())
    }
}

/// `D = R' Dg (1 - f psi_x / (psi_x f))` between bases of tangent spaces.
fn jump(
    problem: &ControlProblem,
    number: usize,
    jumper: &mut Jumper,
    runner: &mut Runner<'_>,
    lineariser: &mut Lineariser,
    next: &Matrix,
) -> Result<Matrix, ControlError> {
    let (n, whole) = (lineariser.n, runner.pilot.intervals());
    let node = runner.node(whole);
    let basis = lineariser.basis(&node)?;
    let stuck = |why: String| ControlError::Feedback { why };
    let impact = jumper.impact(&node).map_err(|error| stuck(error.to_string()))?;
    let mut matrix = Matrix::unit(2 * n);
    let mut v_plus = node.v.clone();
    if let Some(impact) = impact {
        // The time of the impact moves with the state.
        let field = lineariser.field(runner, &node)?;
        let mut slope = jumper.normal(impact.impulses[0].surface).to_vec();
        slope.resize(2 * n, 0.0);
        let rate = dot(&slope, &field);
        let shift = Matrix::new(2 * n, 2 * n, |i, j| f64::from(u8::from(i == j)) - field[i] * slope[j] / rate);
        let system = &problem.phases[number].system;
        let tangent = JumpTangent::for_dynamics(system, jumper.dynamics.clone(), &[], Backend::Interpreter);
        let derivative = tangent?.at(&impact, &[], &[]).map_err(|error| stuck(error.to_string()))?;
        let law = Matrix { rows: 2 * n, columns: 2 * n, values: derivative.state };
        matrix = law.times(&shift);
        v_plus = impact.v_plus;
    }
    let relabelled = jumper.relabelled(&node.q, &v_plus).ok_or_else(|| stuck("the relabelling".to_owned()))?;
    let relabelled = Matrix { rows: relabelled.len() / (2 * n), columns: 2 * n, values: relabelled };
    Ok(next.times(&relabelled).times(&matrix).times(&basis.transposed()))
}

/// Deviations count in parts of the motion.
fn state_weight(runner: &Runner<'_>, basis: &Matrix, options: &FeedbackOptions) -> Matrix {
    let sizes: Vec<f64> = runner.size.q.iter().chain(&runner.size.v).copied().collect();
    let scaled = Matrix::new(basis.rows, basis.columns, |i, j| basis.at(i, j) / sizes[j]);
    let weight = scaled.times(&scaled.transposed());
    Matrix::new(weight.rows, weight.columns, |i, j| options.state_weight * weight.at(i, j))
}

/// Controls count in parts of the largest planned ones.
fn input_weight(runner: &Runner<'_>, options: &FeedbackOptions) -> Matrix {
    let inputs = runner.found.inputs.len();
    let largest = |input: usize| {
        let intervals = runner.found.controls.values.iter();
        intervals.map(|values| max_abs(&values[input])).fold(0.0, f64::max)
    };
    let all = (0..inputs).map(largest).fold(0.0, f64::max).max(f64::MIN_POSITIVE);
    // A control that is hardly used is measured by the others.
    let size = |input: usize| largest(input).max(0.1 * all);
    Matrix::new(inputs, inputs, |i, j| if i == j { options.input_weight / size(i).powi(2) } else { 0.0 })
}

fn map_failure(error: carom_model::MapError) -> ControlError {
    ControlError::Feedback { why: error.to_string() }
}
