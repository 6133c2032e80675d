//! How a model will be run: its own settings, and defaults for what it leaves open.

use crate::{Integrator, RunError};
use carom_discrete::{Formulation, MethodError, Options, Schedule};
use carom_expr::Backend;
use carom_impact::{ContactOptions, JumpKind, Multiple};
use carom_model::{Diagnostic, Diagnostics, Model, Settings, System};
use serde_json::{Value, json};

const DEFAULT_METHOD: &str = "midpoint";
const DEFAULT_STEP: f64 = 0.01;
const DEFAULT_UNTIL: f64 = 10.0;
/// More bytes of recorded nodes than this are a mistake, or will not fit.
const MAX_BYTES: f64 = 8e9;

/// A method that does not exist, shown where it was named.
fn at_its_place(error: MethodError, place: Option<&Diagnostic>) -> RunError {
    let Some(place) = place else { return error.into() };
    let shown = Diagnostic { message: error.to_string(), ..place.clone() };
    RunError::Model(Diagnostics(vec![shown]))
}

/// Everything that decides what a run computes.
#[derive(Debug)]
pub struct Plan {
    /// What integrates.
    pub integrator: Integrator,
    /// Duration of a step.
    pub step: f64,
    /// Final time.
    pub until: f64,
    /// Every how many steps a node is recorded.
    pub every: usize,
    /// Tolerance, if it is not the integrator's own.
    pub tolerance: Option<f64>,
    /// Treatment of constraints.
    pub formulation: Option<Formulation>,
    /// Treatment of contacts.
    pub contacts: ContactOptions,
    /// How functions are executed.
    pub backend: Backend,
    /// Time runs backward.
    pub backward: bool,
}

/// The settings of contacts, completed.
fn contacts(settings: &Settings, backend: Backend) -> ContactOptions {
    let defaults = ContactOptions { backend, ..ContactOptions::default() };
    ContactOptions {
        jump: settings.jump.as_deref().and_then(JumpKind::by_name).unwrap_or(defaults.jump),
        multiple: settings.multiple.as_deref().and_then(Multiple::by_name).unwrap_or(defaults.multiple),
        max_impacts: settings.max_impacts.unwrap_or(defaults.max_impacts),
        ..defaults
    }
}

impl Plan {
    /// The settings of a model, completed.
    pub fn new(model: &Model, backend: Backend) -> Result<Self, RunError> {
        let settings = &model.settings;
        let formulation = settings.formulation.as_deref().and_then(Formulation::by_name);
        Ok(Self {
            integrator: Integrator::parse(settings.method.as_deref().unwrap_or(DEFAULT_METHOD))
                .map_err(|error| at_its_place(error, settings.method_place.as_ref()))?,
            step: settings.step.unwrap_or(DEFAULT_STEP),
            until: settings.until.unwrap_or(DEFAULT_UNTIL),
            every: settings.every.unwrap_or(1),
            tolerance: settings.tolerance,
            formulation,
            contacts: contacts(settings, backend),
            backend,
            backward: false,
        })
    }

    /// Nodes that are not passed on are kept in memory: a mistyped step must not fill it.
    pub fn check_size(&self, model: &Model) -> Result<(), RunError> {
        let system = &model.system;
        let constraints = system.constraints().len() + system.velocity_constraints().len();
        let numbers =
            3 * system.dimension() + model.quasivelocities.len() + constraints + 2 * system.contacts().len() + 3;
        let nodes = self.until / self.step / self.every as f64;
        let bytes = 8.0 * numbers as f64 * nodes;
        if bytes <= MAX_BYTES {
            return Ok(());
        }
        Err(RunError::Settings(format!(
            "the run would record {nodes:.1e} nodes in {bytes:.1e} bytes, more than the limit of {MAX_BYTES:.1e}; \
             use a longer --step, record fewer nodes with --every, or write them while the run goes on with --stream"
        )))
    }

    /// Settings of steppers.
    pub fn options(&self) -> Options {
        let defaults = Options::default();
        Options {
            tolerance: self.tolerance.unwrap_or(defaults.tolerance),
            formulation: self.formulation.unwrap_or_default(),
            backend: self.backend,
            contacts: self.contacts,
        }
    }

    /// When to step and what to record.
    pub fn schedule(&self) -> Schedule {
        Schedule { start: 0.0, until: self.until, step: self.step, every: self.every }
    }

    /// What the manifest remembers; of contacts only if there are any.
    pub fn describe(&self, system: &System) -> Value {
        let mut settings = json!({
            "method": self.integrator.to_string(),
            "step": self.step,
            "until": self.until,
            "every": self.every,
            "tolerance": self.tolerance,
            "formulation": self.formulation.map_or("automatic", Formulation::name),
            "backend": if self.backend == Backend::Interpreter { "interpreter" } else { "native" },
        });
        if self.backward {
            settings["backward"] = true.into();
        }
        if !system.contacts().is_empty() {
            settings["jump"] = self.jump().name().into();
            settings["multiple"] = self.contacts.multiple.name().into();
            settings["max_impacts"] = self.contacts.max_impacts.into();
        }
        settings
    }

    /// How jumps are taken: the flow has no segments whose energies could be balanced.
    fn jump(&self) -> JumpKind {
        match self.integrator {
            Integrator::Taylor => JumpKind::Pointwise,
            Integrator::Fixed(_) | Integrator::Energy(_) => self.contacts.jump,
        }
    }
}
