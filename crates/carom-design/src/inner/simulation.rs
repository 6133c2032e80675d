//! A measure of a simulation: a formula at its end, or its extreme along the way.

use crate::objective::{Answer, Ask, Neighbour, Objective};
use carom_control::formula_of;
use carom_discrete::{Formulation, Method, Options, Schedule, Simulation};
use carom_expr::{Backend, Function, Group};
use carom_flow::{Flow, FlowOptions, FlowSchedule};
use carom_impact::{ContactOptions, JumpKind, Multiple};
use carom_model::{Model, Settings, Trajectory};

/// The reference flow.
const TAYLOR: &str = "taylor";

/// Where a measure is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Over {
    /// At the end of the run.
    #[default]
    End,
    /// The largest value at the nodes.
    Largest,
    /// The smallest value at the nodes.
    Smallest,
}

impl Over {
    /// Every place with its name in files.
    pub const NAMED: [(&'static str, Self); 3] =
        [("end", Self::End), ("largest", Self::Largest), ("smallest", Self::Smallest)];
}

/// A model that is simulated as its section `[simulation]` says.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulationObjective {
    /// The text of the model file.
    pub text: String,
    /// Its name, for messages.
    pub file: String,
    /// Names of the design variables in the model.
    pub parameters: Vec<String>,
    /// Other values for parameters and settings.
    pub set: Vec<(String, String)>,
    /// The formula that is minimised.
    pub measure: String,
    /// Where.
    pub over: Over,
}

impl SimulationObjective {
    /// The model at a design.
    pub fn model(&self, design: &[f64]) -> Result<Model, String> {
        let given = self.parameters.iter().zip(design).map(|(name, value)| (name.clone(), format!("{value:?}")));
        let set: Vec<(String, String)> = self.set.iter().cloned().chain(given).collect();
        Model::from_text(&self.text, &self.file, &set).map_err(|found| found.to_string())
    }

    fn run(&self, design: &[f64], stop: &(dyn Fn() -> bool + Sync)) -> Result<f64, String> {
        let model = self.model(design)?;
        let trajectory = simulate(&model, stop)?;
        self.value(&model, &trajectory)
    }

    /// The measure of a motion.
    fn value(&self, model: &Model, trajectory: &Trajectory) -> Result<f64, String> {
        let system = &model.system;
        let mut graph = system.graph().clone();
        let id = formula_of(&mut graph, system, &self.measure).map_err(|error| error.to_string())?;
        let time = [system.time()];
        let inputs = [Group::new("q", system.q()), Group::new("v", system.v()), Group::new("t", &time)];
        let function = Function::compile(&graph, &inputs, &[Group::new("measure", &[id])], Backend::Interpreter);
        let mut evaluator = function.map_err(|error| error.to_string())?.evaluator();
        let mut at = |k: usize| {
            let (node, mut out) = (trajectory.node(k), [0.0]);
            evaluator.eval(&[node.q, node.v, &[node.t]].concat(), &mut out);
            out[0]
        };
        let count = trajectory.len();
        let last = count.checked_sub(1).ok_or("the run has no nodes")?;
        let value = match self.over {
            Over::End => at(last),
            Over::Largest => (0..count).map(at).fold(f64::NEG_INFINITY, f64::max),
            Over::Smallest => (0..count).map(at).fold(f64::INFINITY, f64::min),
        };
        if value.is_finite() { Ok(value) } else { Err(format!("the measure is {value}")) }
    }
}

/// Runs a model as it says itself.
fn simulate(model: &Model, stop: &(dyn Fn() -> bool + Sync)) -> Result<Trajectory, String> {
    let Settings { method, step, until, every, tolerance, .. } = &model.settings;
    let (step, until, every) = (step.unwrap_or(0.01), until.unwrap_or(10.0), every.unwrap_or(1));
    let (q, v) = (&model.initial.q, &model.initial.v);
    let mut observe = |_time: f64| !stop();
    let method = method.as_deref().unwrap_or("midpoint");
    let contacts = contacts(&model.settings);
    if method == TAYLOR {
        let defaults = FlowOptions::default();
        let options = FlowOptions { tolerance: tolerance.unwrap_or(defaults.tolerance), ..defaults };
        let flow = Flow::with_contacts(&model.system, options, contacts).map_err(|error| error.to_string())?;
        let schedule = FlowSchedule { start: 0.0, until, output: step * every as f64, max_step: step };
        return flow.run(q, v, schedule, &mut observe).map_err(|error| error.to_string());
    }
    let method = Method::parse(method).map_err(|error| error.to_string())?;
    let defaults = Options::default();
    let formulation = model.settings.formulation.as_deref().and_then(Formulation::by_name);
    let options = Options {
        tolerance: tolerance.unwrap_or(defaults.tolerance),
        formulation: formulation.unwrap_or_default(),
        contacts,
        ..defaults
    };
    let simulation = Simulation::new(&model.system, &method, options).map_err(|error| error.to_string())?;
    let schedule = Schedule { start: 0.0, until, step, every };
    simulation.run(q, v, schedule, &mut observe).map_err(|error| error.to_string())
}

fn contacts(settings: &Settings) -> ContactOptions {
    let defaults = ContactOptions::default();
    ContactOptions {
        jump: settings.jump.as_deref().and_then(JumpKind::by_name).unwrap_or(defaults.jump),
        multiple: settings.multiple.as_deref().and_then(Multiple::by_name).unwrap_or(defaults.multiple),
        max_impacts: settings.max_impacts.unwrap_or(defaults.max_impacts),
        ..defaults
    }
}

impl Objective for SimulationObjective {
    fn kind(&self) -> &'static str {
        "a simulation"
    }

    fn evaluate(&self, ask: &Ask, _near: &[Neighbour<'_>], stop: &(dyn Fn() -> bool + Sync)) -> Answer {
        let Ask::At(design) = ask else { return Answer::failed(&[], "a simulation does not know its best design") };
        match self.run(design, stop) {
            Ok(cost) => Answer::of(design, cost),
            Err(why) => Answer { is_stopped: stop(), ..Answer::failed(design, why) },
        }
    }
}
