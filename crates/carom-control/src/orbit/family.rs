//! The same model with other values of one parameter.
//!
//! Parameters that are computed from it change with it, as they would in the file. The derivative with respect to the
//! parameter is the exact derivative with respect to all that change, times their slopes. (The slopes are differences
//! of their formulas: they steer the corrector, and do not touch what it converges to.)

use super::error::OrbitError;
use super::setup::{OrbitChoice, OrbitSetup, StepEnd};
use super::step::{StepDerivative, StepMap};
use carom_flow::FlowOptions;
use carom_model::{Model, System};

/// A model file with one parameter free.
#[derive(Clone, Debug)]
pub struct Family {
    /// The text of the model file.
    pub text: String,
    /// Its name, for messages.
    pub file: String,
    /// What the command line has replaced.
    pub overrides: Vec<(String, String)>,
    /// The parameter.
    pub parameter: String,
}

/// Part of the parameter over which slopes of others are taken.
const PART: f64 = 1e-4;

impl Family {
    /// The model with a value of the parameter.
    pub fn at(&self, value: f64) -> Result<Model, OrbitError> {
        let own = (format!("parameters.{}", self.parameter), format!("{value:?}"));
        let overrides: Vec<(String, String)> = self.overrides.iter().cloned().chain([own]).collect();
        Model::from_text(&self.text, &self.file, &overrides).map_err(OrbitError::Model)
    }

    /// The value of the parameter in a model.
    pub fn value(&self, model: &Model) -> Result<f64, OrbitError> {
        let parameters = model.system.parameters();
        let found = parameters.iter().find(|parameter| parameter.name == self.parameter);
        found.map(|parameter| parameter.value).ok_or_else(|| {
            let known: Vec<&str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
            OrbitError::UnknownParameter { name: self.parameter.clone(), known: known.join(", ") }
        })
    }
}

/// The steps of a family, at one value of the parameter at a time.
pub(super) struct FamilyMap<'a> {
    family: &'a Family,
    pub(super) map: StepMap,
    /// The parameters that change, and their slopes.
    names: Vec<String>,
    slopes: Vec<f64>,
    /// Slope of the duration of a step, where it is given.
    period_slope: f64,
    choice: OrbitChoice,
    doubled: usize,
    value: f64,
}

impl<'a> FamilyMap<'a> {
    pub(super) fn new(
        family: &'a Family,
        value: f64,
        choice: &OrbitChoice,
        doubled: usize,
        options: FlowOptions,
    ) -> Result<Self, OrbitError> {
        let model = family.at(value)?;
        family.value(&model)?;
        let around = Around::new(family, value)?;
        let names = around.changing(&model.system);
        let setup = OrbitSetup::new(&model, choice)?.times(doubled);
        let map = StepMap::new(&model, &setup, &names, options)?;
        let (slopes, period_slope) = around.slopes(&names, choice, doubled)?;
        Ok(Self { family, map, names, slopes, period_slope, choice: choice.clone(), doubled, value })
    }

    /// Goes over to another value.
    pub(super) fn set(&mut self, value: f64) -> Result<(), OrbitError> {
        if value == self.value {
            return Ok(());
        }
        let model = self.family.at(value)?;
        let setup = OrbitSetup::new(&model, &self.choice)?.times(self.doubled);
        self.map.change(&model.system, setup)?;
        let around = Around::new(self.family, value)?;
        (self.slopes, self.period_slope) = around.slopes(&self.names, &self.choice, self.doubled)?;
        self.value = value;
        Ok(())
    }

    /// `dP/dparameter`
    pub(super) fn slope(&self, derivative: &StepDerivative) -> Vec<f64> {
        let (d, p) = (derivative.field.len(), self.slopes.len());
        let row = |i: usize| -> f64 {
            let entries = derivative.kept[i * p..(i + 1) * p].iter().zip(&self.slopes);
            entries.map(|(entry, slope)| entry * slope).sum::<f64>() + derivative.field[i] * self.period_slope
        };
        (0..d).map(row).collect()
    }
}

/// The model on both sides of a value.
struct Around {
    above: Model,
    below: Model,
    distance: f64,
}

impl Around {
    fn new(family: &Family, value: f64) -> Result<Self, OrbitError> {
        let step = PART * value.abs().max(1e-3);
        let (above, below) = (value + step, value - step);
        Ok(Self { above: family.at(above)?, below: family.at(below)?, distance: above - below })
    }

    /// The parameters that are different and matter.
    fn changing(&self, system: &System) -> Vec<String> {
        let pairs = self.above.system.parameters().iter().zip(self.below.system.parameters());
        let changing = pairs.filter(|(a, b)| a.value != b.value && matters(system, &a.name));
        changing.map(|(a, _)| a.name.clone()).collect()
    }

    /// Slopes of parameters, and of the duration of a step.
    fn slopes(&self, names: &[String], choice: &OrbitChoice, doubled: usize) -> Result<(Vec<f64>, f64), OrbitError> {
        let value = |model: &Model, name: &String| {
            let found = model.system.parameters().iter().find(|parameter| parameter.name == *name);
            found.map_or(0.0, |parameter| parameter.value)
        };
        let slope = |name: &String| (value(&self.above, name) - value(&self.below, name)) / self.distance;
        let setup = |model: &Model| Ok::<_, OrbitError>(OrbitSetup::new(model, choice)?.times(doubled).end);
        let period = match (setup(&self.above)?, setup(&self.below)?) {
            (StepEnd::Period(above), StepEnd::Period(below)) => (above - below) / self.distance,
            _ => 0.0,
        };
        Ok((names.iter().map(slope).collect(), period))
    }
}

/// True if anything that moves depends on a parameter.
pub fn matters(system: &System, name: &str) -> bool {
    let mut graph = system.graph().clone();
    let variable = graph.variable(name);
    let named = |list: &[carom_model::Named]| list.iter().map(|entry| entry.id).collect::<Vec<_>>();
    let mut roots = vec![system.lagrangian()];
    roots.extend(system.forces());
    roots.extend(named(system.constraints()));
    roots.extend(named(system.velocity_constraints()));
    roots.extend(system.inputs().iter().map(|input| input.signal));
    for contact in system.contacts() {
        roots.push(contact.gap);
        roots.extend(&contact.tangents);
        roots.extend(named(&contact.law_parameters));
    }
    graph.any_depends_on(&roots, &[variable])
}
