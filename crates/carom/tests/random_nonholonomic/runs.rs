//! Runs of random systems by the flow and by discrete methods.

use super::{Case, dense};
use carom::flow::{Flow, FlowFormulation, FlowOptions, FlowSchedule};
use carom::impact::Verifier;
use carom::{
    Backend, ContactOptions, Formulation, JumpKind, Method, Options, Schedule, Simulation, System, Trajectory,
};

pub const FLOWS: [FlowFormulation; 2] = [FlowFormulation::Multipliers, FlowFormulation::Hamel];
pub const METHODS: [&str; 8] =
    ["left", "right", "midpoint", "trapezoidal", "gni", "gauss2", "lobatto3", "suzuki(midpoint)"];

/// True if the formulation is one of this method.
pub fn fits(method: &str, formulation: Formulation) -> bool {
    formulation != Formulation::Hamel || method.contains("midpoint")
}

/// A state.
pub type State = (Vec<f64>, Vec<f64>);

/// How a discrete run is taken.
#[derive(Clone, Copy, Debug)]
pub struct Way<'a> {
    pub method: &'a str,
    pub formulation: Formulation,
    pub jump: JumpKind,
    pub h: f64,
    pub until: f64,
}

impl Way<'_> {
    pub fn options(&self) -> Options {
        let contacts = ContactOptions { jump: self.jump, ..ContactOptions::default() };
        Options { formulation: self.formulation, contacts, backend: Backend::Interpreter, ..Options::default() }
    }

    pub fn run(&self, system: &System, (q, v): (&[f64], &[f64])) -> Result<Trajectory, String> {
        self.run_from(system, (q, v), &Method::parse(self.method).expect("a method"), 0.0)
    }

    /// The same by any method, from a time.
    pub fn run_from(
        &self,
        system: &System,
        (q, v): (&[f64], &[f64]),
        method: &Method,
        start: f64,
    ) -> Result<Trajectory, String> {
        let simulation = Simulation::new(system, method, self.options()).map_err(|error| error.to_string())?;
        let schedule = Schedule { start, until: start + self.until, step: self.h, every: 1 };
        simulation.run(q, v, schedule, &mut |_| true).map_err(|error| error.to_string())
    }
}

/// The exact motion, with nodes every `output`.
pub fn flow(
    system: &System,
    (q, v): (&[f64], &[f64]),
    formulation: FlowFormulation,
    output: f64,
    until: f64,
) -> Result<Trajectory, String> {
    // Short runs: compiling would take longer than interpreting.
    let options = FlowOptions { formulation, backend: Backend::Interpreter, ..FlowOptions::default() };
    let flow = Flow::new(system, options).map_err(|error| error.to_string())?;
    let schedule = FlowSchedule { start: 0.0, until, output, max_step: f64::INFINITY };
    flow.run(q, v, schedule, &mut |_| true).map_err(|error| error.to_string())
}

/// The last state.
pub fn end(run: &Trajectory) -> State {
    let last = run.last().expect("a node");
    (last.q.to_vec(), last.v.to_vec())
}

pub fn distance(a: &State, b: &State) -> f64 {
    dense::difference(&a.0, &b.0).max(dense::difference(&a.1, &b.1))
}

/// The state with its velocity turned around.
pub fn turned((q, v): &State) -> State {
    (q.clone(), v.iter().map(|v| -v).collect())
}

/// How much a motion multiplies a small change of its start, by a neighbour; none if their impacts differ.
pub fn sensitivity(case: &Case, exact: &Trajectory, until: f64) -> Option<f64> {
    let by = 1e-7;
    let near = case.neighbour(by);
    let other = flow(&case.system, (&near.0, &near.1), FlowFormulation::Multipliers, until, until).ok()?;
    let same = other.impacts.len() == exact.impacts.len() && other.modes.len() == exact.modes.len();
    let speed = dense::largest(case.v.iter().copied());
    same.then(|| (distance(&end(&other), &end(exact)) / (by * speed)).max(1.0))
}

/// The largest residual of all impacts against their laws.
pub fn residual(case: &Case, run: &Trajectory, way: &Way<'_>) -> f64 {
    let mut verifier = Verifier::new(&case.system, way.options().contacts).expect("compiles");
    dense::largest(run.impacts.iter().map(|impact| verifier.verify(impact).expect("compiles").largest()))
}

impl Case {
    /// Admissible directions.
    pub fn directions(&self) -> usize {
        self.kind.n - self.kind.forms - usize::from(self.kind.is_held)
    }

    pub fn start(&self) -> (&[f64], &[f64]) {
        (&self.q, &self.v)
    }

    /// The same start with a velocity that is longer by a part `by`.
    pub fn neighbour(&self, by: f64) -> State {
        (self.q.clone(), self.v.iter().map(|v| v * (1.0 + by)).collect())
    }
}
