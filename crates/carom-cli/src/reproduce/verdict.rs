//! Ours against the print and against the reference.

use super::declaration::{Check, Printed, Verdict};
use serde_json::{Value, json};

/// A check with its outcome.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    /// What was compared.
    pub name: String,
    /// What the document says.
    pub printed: Printed,
    /// What is right.
    pub reference: f64,
    /// What was measured; nothing if it was not run.
    pub ours: Option<f64>,
    /// Largest difference of ours from the reference.
    pub tolerance: f64,
    /// What it comes to.
    pub verdict: Verdict,
}

/// A case with its outcome.
#[derive(Clone, Debug, PartialEq)]
pub struct Result {
    /// Its name.
    pub case: String,
    /// Where it stands in the document.
    pub source: String,
    /// Its checks.
    pub checks: Vec<Checked>,
    /// Pictures that were drawn.
    pub figures: Vec<String>,
    /// Seconds that it took.
    pub wall_s: f64,
}

impl Checked {
    /// Judges a number.
    pub fn new(check: &Check, ours: Option<f64>) -> Self {
        Self {
            name: check.name.clone(),
            printed: check.printed.clone(),
            reference: check.reference,
            ours,
            tolerance: check.tolerance,
            verdict: ours.map_or(Verdict::NotRun, |ours| judge(check, ours)),
        }
    }

    /// The object of `--json`.
    pub fn json(&self) -> Value {
        let printed = match &self.printed {
            Printed::Nothing => Value::Null,
            Printed::Number(number) => json!(number),
            Printed::Words(words) => json!(words),
        };
        json!({
            "name": self.name, "printed": printed, "reference": self.reference, "ours": self.ours,
            "tolerance": self.tolerance, "verdict": self.verdict.name(),
        })
    }

    fn from_json(value: &Value) -> Option<Self> {
        let printed = match &value["printed"] {
            Value::Null => Printed::Nothing,
            Value::String(words) => Printed::Words(words.clone()),
            number => Printed::Number(number.as_f64()?),
        };
        Some(Self {
            name: value["name"].as_str()?.to_owned(),
            printed,
            reference: value["reference"].as_f64()?,
            ours: value["ours"].as_f64(),
            tolerance: value["tolerance"].as_f64()?,
            verdict: Verdict::by_name(value["verdict"].as_str()?)?,
        })
    }
}

/// The verdict that numbers allow: the expected one, or none.
fn judge(check: &Check, ours: f64) -> Verdict {
    // Not-a-number is never near.
    let is_right = (ours - check.reference).abs() <= check.tolerance;
    let is_printed = match check.printed {
        Printed::Number(printed) => Some((ours - printed).abs() <= check.printed_tolerance),
        _ => None,
    };
    match (is_right, check.expected, is_printed) {
        (true, Verdict::Agrees, Some(true) | None) => Verdict::Agrees,
        (true, Verdict::PaperInError, Some(false)) => Verdict::PaperInError,
        (true, Verdict::NotStated, None) => Verdict::NotStated,
        _ => Verdict::Disagrees,
    }
}

impl Result {
    /// The object of `--json`.
    pub fn json(&self) -> Value {
        json!({
            "case": self.case, "source": self.source,
            "checks": self.checks.iter().map(Checked::json).collect::<Vec<_>>(),
            "figures": self.figures, "wall_s": self.wall_s,
        })
    }

    /// Reads what [`Self::json`] has written.
    pub fn from_json(value: &Value) -> Option<Self> {
        Some(Self {
            case: value["case"].as_str()?.to_owned(),
            source: value["source"].as_str()?.to_owned(),
            checks: value["checks"].as_array()?.iter().map(Checked::from_json).collect::<Option<_>>()?,
            figures: value["figures"]
                .as_array()?
                .iter()
                .map(|file| Some(file.as_str()?.to_owned()))
                .collect::<Option<_>>()?,
            wall_s: value["wall_s"].as_f64()?,
        })
    }

    /// Checks with this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.checks.iter().filter(|check| check.verdict == verdict).count()
    }
}
