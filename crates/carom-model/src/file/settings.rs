//! How a model is simulated unless the command line says otherwise.

use super::declarations::DeclaredSettings;
use super::diagnostic::{Diagnostic, Severity};
use super::document::Value;
use super::numbers::Numbers;
use super::source::{Place, Report};
use super::suggest::suggest_from;

const FORMULATIONS: [&str; 3] = ["multipliers", "null-space", "hamel"];
const JUMPS: [&str; 3] = ["pointwise", "variational", "modified"];
const MULTIPLES: [&str; 2] = ["sequential", "simultaneous"];
const SWITCH: [&str; 2] = ["true", "false"];

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
    /// How constraints are treated: `multipliers`, `null-space` or `hamel`.
    pub formulation: Option<String>,
    /// Which balances hold at an impact: `pointwise`, `variational` or `modified`.
    pub jump: Option<String>,
    /// How several contacts at once are resolved: `sequential` or `simultaneous`.
    pub multiple: Option<String>,
    /// Most impacts of a run.
    pub max_impacts: Option<usize>,
    /// An initial velocity that violates velocity constraints gives way to the nearest that does not.
    pub project: bool,
}

impl Settings {
    pub(super) fn new(report: &mut Report, numbers: &mut Numbers<'_>, declared: &DeclaredSettings) -> Self {
        let mut positive = |value: &Option<Value>, what: &str| {
            value.as_ref().and_then(|value| numbers.positive(report, value, &format!("`{what}`")))
        };
        let step = positive(&declared.step, "step");
        let until = positive(&declared.until, "until");
        let tolerance = positive(&declared.tolerance, "tolerance");
        let mut integer = |value: &Option<Value>, what, example| {
            value.as_ref().and_then(|value| positive_integer(report, numbers, value, what, example))
        };
        let every = integer(&declared.every, "every", "write `every = 1` to record every node");
        let max_impacts = integer(&declared.max_impacts, "max_impacts", "write, for example, `max_impacts = 1000`");
        let formulation = word(report, &declared.formulation, "formulation", &FORMULATIONS);
        let jump = word(report, &declared.jump, "jump", &JUMPS);
        let multiple = word(report, &declared.multiple, "multiple", &MULTIPLES);
        let project = word(report, &declared.project, "project", &SWITCH).is_some_and(|given| given == "true");
        let method = declared.method.as_ref().map(|(name, _)| name.clone());
        let method_place = declared
            .method
            .as_ref()
            .map(|(_, place)| report.diagnostic(Severity::Error, "unknown-value", *place, String::new(), None));
        Self { method, method_place, step, until, every, tolerance, formulation, jump, multiple, max_impacts, project }
    }
}

/// One of a few words.
fn word(report: &mut Report, declared: &Option<(String, Place)>, what: &str, allowed: &[&str]) -> Option<String> {
    let (name, place) = declared.as_ref()?;
    if !allowed.contains(&name.as_str()) {
        let help = suggest_from(name, "allowed values", allowed);
        report.error("unknown-value", *place, format!("`{what}` cannot be `{name}`"), Some(help));
    }
    Some(name.clone())
}

pub(super) fn positive_integer(
    report: &mut Report,
    numbers: &mut Numbers<'_>,
    value: &Value,
    what: &str,
    example: &str,
) -> Option<usize> {
    let number = numbers.evaluate(report, value, &format!("`{what}`"))?;
    // Doubles count exactly up to 2^53.
    if number >= 1.0 && number.fract() == 0.0 && number < 9e15 {
        return Some(number as usize);
    }
    let message = format!("`{what}` is {number}, but must be a positive integer");
    report.error("not-positive", value.place(), message, Some(example.to_owned()));
    None
}
