//! A measure of a simulation: a formula at its end, or its extreme along the way.

use crate::objective::{Answer, Ask, Neighbour, Objective};
use carom_expr::Backend;
use carom_model::Model;
use carom_run::{Measure, Plan, Start};

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
    /// What is minimised.
    pub measure: Measure,
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
        let plan = Plan::new(&model, Backend::fastest()).map_err(|error| error.to_string())?;
        let mut gauge = self.measure.gauge(&model.system).map_err(|error| error.to_string())?;
        let outcome = plan.integrator.run(Start::of(&model), &plan, None, &mut |_time| !stop());
        let outcome = outcome.map_err(|error| error.to_string())?;
        if let Some(message) = outcome.error {
            return Err(message);
        }
        let value = gauge.of(&outcome.trajectory).ok_or("the run has no nodes")?;
        if value.is_finite() { Ok(value) } else { Err(format!("the measure is {value}")) }
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
