//! The cost of a path in normal-form coordinates: `K~(z, z', z'') = K(P(z), d/dt P(z), d^2/dt^2 P(z))`.

use super::objective::Integrand;
use super::spline::Side;
use super::task::Task;
use crate::error::ControlError;
use carom_expr::{Backend, Evaluator, Function, Graph, Group, Id};
use carom_model::projection::{NormalSide, RootSolver};

/// The functions of one side.
struct OneSide {
    /// `(t, z, z', z'', roots) -> K, dK`
    density: Evaluator,
    /// `(t, z, z', roots) -> Phi, dPhi, |e|^2, d|e|^2`
    ending: Evaluator,
    /// `(t, z, z', z'', roots) -> u, inputs`
    motion: Evaluator,
    roots: RootSolver,
}

/// The cost of a path and what it means for the system.
pub(super) struct ProjectedCost {
    n: usize,
    duration: f64,
    sides: [OneSide; 2],
    input: Vec<f64>,
    output: Vec<f64>,
}

impl ProjectedCost {
    pub(super) fn new(task: &Task, backend: Backend) -> Result<Self, ControlError> {
        let normal = &task.normal;
        let n = normal.z.len();
        let sides = [OneSide::new(task, &normal.sides[0], backend)?, OneSide::new(task, &normal.sides[1], backend)?];
        Ok(Self { n, duration: task.duration, sides, input: Vec::new(), output: vec![0.0; 3 * n + 2] })
    }

    /// Configuration and inputs of the system behind `(z, z', z'')`.
    pub(super) fn motion(&mut self, side: Side, time: f64, state: &[f64]) -> [Vec<f64>; 2] {
        let n = self.n;
        self.input.clear();
        self.input.push(time);
        self.input.extend(state);
        self.sides[side as usize].append_roots(&state[..n], &mut self.input);
        let mut q = self.sides[side as usize].motion.values(&self.input);
        let inputs = q.split_off(n);
        [q, inputs]
    }
}

impl OneSide {
    fn new(task: &Task, side: &NormalSide, backend: Backend) -> Result<Self, ControlError> {
        let normal = &task.normal;
        let simple = &normal.simple;
        let mut graph = simple.graph.clone();
        let roots: Vec<Id> = side.roots.iter().map(|root| root.variable).collect();
        let time = [simple.time];
        let (z, dz, ddz) = (&normal.z[..], &normal.dz[..], &normal.ddz[..]);
        let mut at: Vec<(Id, Id)> = simple.u.iter().copied().zip(side.u.iter().copied()).collect();
        at.extend(simple.du.iter().copied().zip(side.du.iter().copied()));
        at.extend(task.acceleration.iter().copied().zip(side.ddu.iter().copied()));
        let density = graph.substitute(&[task.density], &at)[0];
        let density = with_slope(&mut graph, side, density, &[&time[..], z, dz, ddz].concat());
        let square = graph.dot(&task.errors, &task.errors);
        let end = graph.substitute(&[task.ending, square], &at);
        let state = [z, dz].concat();
        let mut ending = with_slope(&mut graph, side, end[0], &state);
        ending.extend(with_slope(&mut graph, side, end[1], &state));
        let compile = |graph: &Graph, inputs: &[&[Id]], outputs: &[Id], backend: Backend| {
            let inputs = inputs.concat();
            let (inputs, outputs) = ([Group::new("in", &inputs)], [Group::new("out", outputs)]);
            Function::compile(graph, &inputs, &outputs, backend).map(|function| function.evaluator())
        };
        let controls = graph.substitute(&task.controls, &at);
        let motion = [&side.u[..], &controls].concat();
        let mut solver = RootSolver::new(&graph, &side.roots, z)?;
        solver.begin_at(&task.start[0]);
        Ok(Self {
            density: compile(&graph, &[&time, z, dz, ddz, &roots], &density, backend)?,
            ending: compile(&graph, &[&time, z, dz, &roots], &ending, backend)?,
            motion: compile(&graph, &[&time, z, dz, ddz, &roots], &motion, Backend::Interpreter)?,
            roots: solver,
        })
    }
}

impl OneSide {
    /// Values of the coordinates without a formula; not-a-number where there are none.
    fn append_roots(&mut self, z: &[f64], input: &mut Vec<f64>) {
        if self.roots.is_empty() {
            return;
        }
        let mut point = z.to_vec();
        self.roots.append(&mut point);
        input.extend(&point[z.len()..]);
    }
}

fn with_slope(graph: &mut Graph, side: &NormalSide, f: Id, variables: &[Id]) -> Vec<Id> {
    let mut all = vec![f];
    all.extend(side.gradient(graph, f, variables));
    all
}

impl Integrand for ProjectedCost {
    fn dimension(&self) -> usize {
        self.n
    }

    fn density(&mut self, side: Side, time: f64, state: &[f64], slope: &mut [f64]) -> f64 {
        self.input.clear();
        self.input.push(time);
        self.input.extend(state);
        self.sides[side as usize].append_roots(&state[..self.n], &mut self.input);
        self.output.resize(3 * self.n + 2, 0.0);
        self.sides[side as usize].density.eval(&self.input, &mut self.output);
        slope.copy_from_slice(&self.output[1..]);
        self.output[0]
    }

    fn ending(&mut self, side: Side, state: &[f64], slope: &mut [f64]) -> f64 {
        self.end(side, state, slope, 0)
    }

    fn miss(&mut self, side: Side, state: &[f64], slope: &mut [f64]) -> f64 {
        self.end(side, state, slope, 2 * self.n + 1)
    }
}

impl ProjectedCost {
    /// One of the two costs at the end.
    fn end(&mut self, side: Side, state: &[f64], slope: &mut [f64], from: usize) -> f64 {
        self.input.clear();
        self.input.push(self.duration);
        self.input.extend(state);
        self.sides[side as usize].append_roots(&state[..self.n], &mut self.input);
        self.output.resize(4 * self.n + 2, 0.0);
        self.sides[side as usize].ending.eval(&self.input, &mut self.output);
        slope.copy_from_slice(&self.output[from + 1..from + 1 + slope.len()]);
        self.output[from]
    }
}
