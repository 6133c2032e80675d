//! What `--method` names: a method of fixed steps, energy steps, or the reference flow.

use crate::{Plan, Prepared, RunError};
use carom_discrete::rules::{Properties, Rule};
use carom_discrete::{Formulation, Method, MethodError};
use carom_flow::{FlowError, FlowFormulation, FlowOptions, FlowSchedule};
use carom_model::{Model, Sink, System, Trajectory};
use std::fmt;
use std::sync::Arc;

/// The reference flow.
pub const TAYLOR: &str = "taylor";
/// Steps that keep the discrete energy, around the name of a rule.
pub const ENERGY: &str = "energy";

/// How a model is integrated.
#[derive(Debug)]
pub enum Integrator {
    /// Steps of one duration.
    Fixed(Method),
    /// Steps whose durations keep the discrete energy of a rule.
    Energy(Arc<dyn Rule>),
    /// The flow of the Euler-Lagrange equations, by Taylor series.
    Taylor,
}

/// What moves, and from where.
#[derive(Clone, Copy)]
pub struct Start<'a> {
    /// The system.
    pub system: &'a System,
    /// Its initial configuration.
    pub q: &'a [f64],
    /// Its initial velocity.
    pub v: &'a [f64],
}

impl<'a> Start<'a> {
    /// The initial state of a model.
    pub fn of(model: &'a Model) -> Self {
        Self { system: &model.system, q: &model.initial.q, v: &model.initial.v }
    }
}

/// A motion, and why it ended early if it did.
pub struct Outcome {
    /// The motion as far as it was computed.
    pub trajectory: Trajectory,
    /// Why it ended early.
    pub error: Option<String>,
}

impl Outcome {
    pub(crate) fn complete(trajectory: Trajectory) -> Self {
        Self { trajectory, error: None }
    }
}

/// Hears the time now and then; stops the run by returning false.
pub type Observer<'a> = &'a mut dyn FnMut(f64) -> bool;

impl Integrator {
    /// Reads the value of `--method`.
    pub fn parse(text: &str) -> Result<Self, MethodError> {
        let text = text.trim();
        if text == TAYLOR {
            return Ok(Self::Taylor);
        }
        let inner = text.strip_prefix(ENERGY).map(str::trim).and_then(|rest| rest.strip_prefix('(')?.strip_suffix(')'));
        let Some(inner) = inner else {
            return Method::parse(text).map(Self::Fixed).map_err(with_more_names);
        };
        match Method::parse(inner).map_err(with_more_names)? {
            Method::Rule(rule) => Ok(Self::Energy(rule)),
            composed => Err(MethodError::NotApplicable {
                scheme: ENERGY,
                base: composed.to_string(),
                reason: "it needs a rule, not a composition",
            }),
        }
    }

    /// The integrator whose steps in the reversed system undo the steps of this one.
    pub fn adjoint(&self) -> Self {
        match self {
            Self::Fixed(method) => Self::Fixed(method.adjoint()),
            Self::Energy(rule) => Self::Energy(rule.adjoint().into()),
            Self::Taylor => Self::Taylor,
        }
    }

    /// What the method promises, in a few words; forces leave the order, and nothing to conserve. So do
    /// degenerate Lagrangians, whose phase space is not what the properties of a method speak of.
    pub fn promises(&self, system: &System, formulation: Option<Formulation>, is_degenerate: bool) -> String {
        match self {
            Self::Fixed(method) if is_degenerate => {
                format!("order {}, degenerate Lagrangian", method.properties().order)
            }
            Self::Fixed(method) if formulation == Some(Formulation::Hamel) => {
                format!("order {}, symmetric; Hamel's equations", method.properties().order)
            }
            Self::Fixed(method) if !system.velocity_constraints().is_empty() => {
                let symmetric = if method.properties().symmetric { ", symmetric" } else { "" };
                let way = if method.reflects() {
                    "reflection of momenta"
                } else {
                    "the discrete Lagrange-d'Alembert principle"
                };
                format!("order {}{symmetric}; velocity constraints by {way}", method.properties().order)
            }
            Self::Fixed(method) if system.is_forced() => {
                format!("order {}; forces by the discrete Lagrange-d'Alembert principle", method.properties().order)
            }
            Self::Fixed(method) => promises(method.properties()),
            Self::Energy(rule) => {
                format!("order {}, keeps the discrete energy, variable steps", rule.properties().order)
            }
            Self::Taylor => {
                let is_hamel =
                    formulation == Some(Formulation::Hamel) || formulation.is_none() && system.frame().is_some();
                format!("adaptive, high order, not symplectic{}", if is_hamel { "; Hamel's equations" } else { "" })
            }
        }
    }

    /// Runs a system as planned; a sink, if there is one, takes the motion in pieces.
    pub fn run(
        &self,
        Start { system, q, v }: Start<'_>,
        plan: &Plan,
        sink: Option<Sink<'_>>,
        observe: Observer<'_>,
    ) -> Result<Outcome, RunError> {
        let mut prepared = Prepared::new(self, system, plan)?;
        if let Some(sink) = sink {
            prepared.stream_to(sink);
        }
        prepared.run(q, v, plan, observe)
    }
}

/// Settings of the flow.
pub fn flow_options(plan: &Plan) -> FlowOptions {
    let formulation = match plan.formulation {
        None => FlowFormulation::Automatic,
        Some(Formulation::Hamel) => FlowFormulation::Hamel,
        Some(Formulation::Multipliers | Formulation::NullSpace) => FlowFormulation::Multipliers,
    };
    let defaults = FlowOptions { backend: plan.backend, formulation, ..FlowOptions::default() };
    FlowOptions { tolerance: plan.tolerance.unwrap_or(defaults.tolerance), ..defaults }
}

/// When the flow is looked at.
pub fn flow_schedule(plan: &Plan) -> FlowSchedule {
    let output = plan.step * plan.every as f64;
    FlowSchedule { start: 0.0, until: plan.until, output, max_step: plan.step }
}

impl fmt::Display for Integrator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(method) => write!(f, "{method}"),
            Self::Energy(rule) => write!(f, "{ENERGY}({})", rule.name()),
            Self::Taylor => f.write_str(TAYLOR),
        }
    }
}

/// Properties in words.
fn promises(properties: Properties) -> String {
    let Properties { order, symplectic, symmetric, momentum } = properties;
    let kept = [(symplectic, "symplectic"), (symmetric, "symmetric"), (momentum, "keeps momenta")];
    let kept = kept.into_iter().filter(|(is_kept, _)| *is_kept).map(|(_, word)| word.to_owned());
    std::iter::once(format!("order {order}")).chain(kept).collect::<Vec<_>>().join(", ")
}

/// The library does not know of the names that are added here.
fn with_more_names(error: MethodError) -> MethodError {
    let MethodError::Unknown { name, suggestion, known } = error else { return error };
    if name == TAYLOR {
        let reason = "the flow has no steps that could be composed";
        return MethodError::NotApplicable { scheme: "a composition", base: name, reason };
    }
    let more = carom_expr::text::nearest(&name, [TAYLOR, ENERGY]);
    let known = format!("{known}, {ENERGY}(...), {TAYLOR}");
    // A composition was named without the method that it composes.
    let complete = |nearest: String| match nearest.as_str() {
        "retraction" => "retraction(0.25)".to_owned(),
        _ if nearest == name => format!("{name}(midpoint)"),
        _ => nearest,
    };
    MethodError::Unknown { suggestion: suggestion.or(more).map(complete), name, known }
}

/// A flow that did not begin.
pub fn refused(error: FlowError) -> RunError {
    match error {
        FlowError::NotSupported { .. } | FlowError::BadSetting { .. } => RunError::Settings(error.to_string()),
        FlowError::Projection(error) => RunError::Projection(error),
        other => RunError::Run(other.to_string()),
    }
}
