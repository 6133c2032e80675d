//! How a model is simulated unless the command line says otherwise.

use super::declarations::DeclaredSettings;
use super::diagnostic::{Diagnostic, Severity};
use super::document::Value;
use super::numbers::Numbers;
use super::source::Report;
use super::suggest::suggest_from;

const FORMULATIONS: [&str; 2] = ["multipliers", "null-space"];

/// The section `[simulation]`; what is not given is left to the command.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// Name of the method. Methods are not known here; who looks it up reports at `method_place`.
    pub method: Option<String>,
    /// A diagnostic without a message, at the place of the method's name.
    pub method_place: Option<Diagnostic>,
    /// Time step.
    pub step: Option<f64>,
    /// Final time.
    pub until: Option<f64>,
    /// Every how many steps a node is recorded.
    pub every: Option<usize>,
    /// Tolerance of nonlinear solves.
    pub tolerance: Option<f64>,
    /// How constraints are treated: `multipliers` or `null-space`.
    pub formulation: Option<String>,
}

impl Settings {
    pub(super) fn new(report: &mut Report, numbers: &mut Numbers<'_>, declared: &DeclaredSettings) -> Self {
        let mut positive = |value: &Option<Value>, what: &str| {
            value.as_ref().and_then(|value| numbers.positive(report, value, &format!("`{what}`")))
        };
        let step = positive(&declared.step, "step");
        let until = positive(&declared.until, "until");
        let tolerance = positive(&declared.tolerance, "tolerance");
        let every = declared.every.as_ref().and_then(|value| every(report, numbers, value));
        let formulation = declared.formulation.as_ref().map(|(name, _)| name.clone());
        if let Some((name, place)) = &declared.formulation
            && !FORMULATIONS.contains(&name.as_str())
        {
            let help = suggest_from(name, "formulations", &FORMULATIONS);
            report.error("unknown-value", *place, format!("there is no formulation `{name}`"), Some(help));
        }
        let method = declared.method.as_ref().map(|(name, _)| name.clone());
        let method_place = declared
            .method
            .as_ref()
            .map(|(_, place)| report.diagnostic(Severity::Error, "unknown-value", *place, String::new(), None));
        Self { method, method_place, step, until, every, tolerance, formulation }
    }
}

fn every(report: &mut Report, numbers: &mut Numbers<'_>, value: &Value) -> Option<usize> {
    let number = numbers.evaluate(report, value, "`every`")?;
    // Doubles count exactly up to 2^53.
    if number >= 1.0 && number.fract() == 0.0 && number < 9e15 {
        return Some(number as usize);
    }
    let message = format!("`every` is {number}, but must be a positive integer");
    report.error("not-positive", value.place(), message, Some("write `every = 1` to record every node".to_owned()));
    None
}
