//! The models with velocity constraints that keep their energy, and the ways to step them.

use crate::nonholonomic_run::Failure;
use carom::{Formulation, Method, Model};
use std::path::Path;

/// A model of the repository and its step.
pub struct Job {
    pub path: &'static str,
    pub step: f64,
}

const fn job(path: &'static str, step: f64) -> Job {
    Job { path, step }
}

/// Models without forces. Where there are contacts, impacts are elastic.
pub const JOBS: [Job; 13] = [
    job("papers/003/sleigh", 0.1),
    job("papers/003/disk", 0.1),
    job("papers/003/disk-oblique", 0.1),
    job("papers/003/disk-oblique-both-edges", 0.1),
    job("papers/004/pendulum", 0.005),
    job("examples/chaplygin-sleigh-offset", 0.01),
    job("examples/knife-edge-incline", 0.01),
    job("examples/ball-on-turntable", 0.01),
    job("examples/rolling-disk", 0.01),
    job("examples/rattleback", 0.002),
    job("examples/nonholonomic-particle", 0.1),
    job("examples/continuously-variable-transmission", 0.1),
    job("examples/cvt-unbiased", 0.1),
];

/// Frames of orthogonal fields of length one: in their quasivelocities the mass matrix is the unit matrix.
const UNIT_FRAMES: [(&str, &str); 3] = [
    (
        "examples/nonholonomic-particle",
        "[frame.along]\nfield = { x = \"1/sqrt(1 + y^2)\", z = \"y/sqrt(1 + y^2)\" }\n[frame.driver]\nfield = { y = 1 }\n",
    ),
    (
        "examples/continuously-variable-transmission",
        "[frame.along]\nfield = { z = \"1/sqrt(1 + y^2)\", x = \"-y/sqrt(1 + y^2)\" }\n[frame.driver]\nfield = { y = 1 }\n",
    ),
    (
        "examples/cvt-unbiased",
        "[frame.along]\nfield = { x = \"1/sqrt(1 + sin(z)^2)\", y = \"-sin(z)/sqrt(1 + sin(z)^2)\" }\n\
         [frame.driver]\nfield = { z = 1 }\n",
    ),
];

/// How steps are taken.
#[derive(Clone, Copy)]
pub struct Way {
    pub method: &'static str,
    pub formulation: Formulation,
    /// The model gets a frame of unit vectors.
    pub is_unit: bool,
}

const fn way(method: &'static str, formulation: Formulation, is_unit: bool) -> Way {
    Way { method, formulation, is_unit }
}

pub const WAYS: [Way; 10] = [
    way("left", Formulation::Multipliers, false),
    way("right", Formulation::Multipliers, false),
    way("midpoint", Formulation::Multipliers, false),
    way("midpoint", Formulation::Hamel, false),
    way("midpoint", Formulation::Hamel, true),
    way("trapezoidal", Formulation::Multipliers, false),
    way("gni", Formulation::Multipliers, false),
    way("gauss2", Formulation::Multipliers, false),
    way("lobatto3", Formulation::Multipliers, false),
    way("suzuki(midpoint)", Formulation::Multipliers, false),
];

impl Way {
    pub fn name(&self) -> String {
        let frame = if self.is_unit { ", unit frame" } else { "" };
        match self.formulation {
            Formulation::Multipliers => self.method.to_owned(),
            other => format!("{}, {}{frame}", self.method, other.name()),
        }
    }

    pub fn method(&self) -> Result<Method, Failure> {
        Ok(Method::parse(self.method)?)
    }

    /// A model as this way wants it; none if that has no frame of unit vectors here.
    pub fn model(&self, path: &str) -> Result<Option<Model>, Failure> {
        if !self.is_unit {
            return Ok(Some(load(path)?));
        }
        let Some((_, frame)) = UNIT_FRAMES.iter().find(|(known, _)| *known == path) else { return Ok(None) };
        let file = format!("{path}.toml");
        let text = std::fs::read_to_string(&file)?;
        Ok(Some(Model::from_text(&format!("{text}\n{frame}"), &file, &[])?))
    }
}

/// Reads a model of the repository.
pub fn load(path: &str) -> Result<Model, Failure> {
    Ok(Model::from_path(Path::new(&format!("{path}.toml")), &[])?)
}

/// The name of a model.
pub fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
