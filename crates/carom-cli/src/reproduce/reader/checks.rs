//! Checks: what is measured, what is printed, what is right.

use super::Reader;
use crate::reproduce::declaration::{Check, MEASURES, Measure, Printed, RESIDUALS, Run, Verdict, Which};
use carom::model::reading::{Entry, suggest_from};
use toml::de::DeValue;

const CHECK_KEYS: [&str; 17] = [
    "name",
    "run",
    "measure",
    "until",
    "impact",
    "formula",
    "of",
    "at",
    "with",
    "printed",
    "printed_tolerance",
    "reference",
    "from",
    "tolerance",
    "verdict",
    "shown_by",
    "note",
];

impl Reader {
    pub(super) fn check(&mut self, entry: &Entry<'_>, runs: &[Run]) -> Option<Check> {
        let fields = self.report.table(entry)?;
        self.known(&fields, "a check", &CHECK_KEYS);
        let [name, kind, from] = ["name", "measure", "from"].map(|key| self.text(&fields, key, entry.place));
        let constants = self.constants(&fields)?;
        let measure = self.measure(entry, &fields, &kind)?;
        let run = match measure {
            Measure::Formula(_) => None,
            _ => Some(self.which_run(&fields, runs, entry.place)?),
        };
        let number = |reader: &mut Self, key: &str| {
            let field = fields.iter().find(|field| field.key == key)?;
            reader.number_with(field, &constants)
        };
        let (reference, tolerance) = (number(self, "reference"), number(self, "tolerance"));
        let printed_tolerance = number(self, "printed_tolerance");
        for (key, value) in [("reference", reference), ("tolerance", tolerance)] {
            if value.is_none() && !self.report.has_errors() {
                let help = format!("write `{key} = ...`");
                self.report.error("missing-key", entry.place, format!("`{key}` is missing"), Some(help));
            }
        }
        let (reference, tolerance) = (reference?, tolerance?);
        let optional = |reader: &mut Self, key: &str| {
            fields.iter().find(|field| field.key == key).and_then(|field| reader.report.string(field))
        };
        let check = Check {
            name,
            run,
            measure,
            printed: self.printed(&fields)?,
            printed_tolerance: printed_tolerance.unwrap_or(tolerance),
            constants,
            reference,
            from,
            tolerance,
            expected: self.verdict(entry, &fields)?,
            shown_by: optional(self, "shown_by"),
            note: optional(self, "note"),
        };
        self.consistent(entry, &check);
        Some(check)
    }

    fn measure(&mut self, entry: &Entry<'_>, fields: &[Entry<'_>], kind: &str) -> Option<Measure> {
        let field = |key: &str| fields.iter().find(|field| field.key == key);
        let Some((_, needed)) = MEASURES.iter().find(|(name, _)| *name == kind) else {
            let place = field("measure").map_or(entry.place, |field| field.place);
            let help = suggest_from(kind, "measures", &MEASURES.map(|(name, _)| name));
            self.report.error("unknown-value", place, format!("there is no measure `{kind}`"), Some(help));
            return None;
        };
        let words = needed.iter().map(|key| self.text(fields, key, entry.place)).next().unwrap_or_default();
        let until = field("until").and_then(|field| self.number(field));
        let which = field("impact").map_or(Some(Which::One(1)), |field| self.which(field))?;
        let of = field("of").and_then(|field| self.report.string(field));
        Some(match kind {
            "impacts" => Measure::Impacts(until),
            "time" => match which {
                Which::One(impact) => Measure::Time(impact),
                Which::All => return self.refuse(entry, "`time` is that of one impact"),
            },
            "before" => Measure::Before(which, words),
            "after" => Measure::After(which, words),
            "jump" => Measure::Jump(which, words),
            "ratio" => Measure::Ratio(which, words),
            "end" => Measure::End(words),
            "largest" => Measure::Largest(words),
            "least" => Measure::Least(words),
            "energy-error" => Measure::EnergyError,
            "energy-growth" => Measure::EnergyGrowth,
            "residual" => match of {
                Some(of) if !RESIDUALS.contains(&of.as_str()) => {
                    let help = suggest_from(&of, "residuals", &RESIDUALS);
                    self.report.error("unknown-value", entry.place, format!("there is no residual `{of}`"), Some(help));
                    return None;
                }
                of => Measure::Residual(of),
            },
            "value" => Measure::Value(words),
            _ => Measure::Formula(words),
        })
    }

    fn refuse<T>(&mut self, entry: &Entry<'_>, message: &str) -> Option<T> {
        self.report.error("unknown-value", entry.place, message, None);
        None
    }

    /// An impact, or all of them.
    fn which(&mut self, entry: &Entry<'_>) -> Option<Which> {
        if let DeValue::String(word) = entry.value
            && word.as_ref() == "all"
        {
            return Some(Which::All);
        }
        let number = self.number(entry)?;
        if number >= 1.0 && number.fract() == 0.0 {
            return Some(Which::One(number as usize));
        }
        self.refuse(entry, "impacts are counted from 1; `all` is all of them")
    }

    /// Numbers with names, each of those before it.
    fn constants(&mut self, fields: &[Entry<'_>]) -> Option<Vec<(String, f64)>> {
        let Some(field) = fields.iter().find(|field| field.key == "with") else { return Some(Vec::new()) };
        let mut found = Vec::new();
        for entry in self.report.table(field)? {
            let value = self.number_with(&entry, &found)?;
            found.push((entry.key.clone(), value));
        }
        Some(found)
    }

    fn printed(&mut self, fields: &[Entry<'_>]) -> Option<Printed> {
        let Some(field) = fields.iter().find(|field| field.key == "printed") else { return Some(Printed::Nothing) };
        match field.value {
            DeValue::String(words) => Some(Printed::Words(words.to_string())),
            _ => self.number(field).map(Printed::Number),
        }
    }

    fn verdict(&mut self, entry: &Entry<'_>, fields: &[Entry<'_>]) -> Option<Verdict> {
        let name = self.text(fields, "verdict", entry.place);
        let found = Verdict::EXPECTED.into_iter().find(|verdict| verdict.name() == name);
        if found.is_none() {
            let help = suggest_from(&name, "verdicts", &Verdict::EXPECTED.map(Verdict::name));
            self.report.error("unknown-value", entry.place, format!("`{name}` cannot be expected"), Some(help));
        }
        found
    }

    /// A verdict needs what it speaks of.
    fn consistent(&mut self, entry: &Entry<'_>, check: &Check) {
        let (message, help) = match (check.expected, &check.printed) {
            (Verdict::NotStated, Printed::Number(_)) => ("a number is printed, so that it is stated", "agrees"),
            (Verdict::Agrees, Printed::Nothing) => {
                ("nothing is printed that ours could agree with", "not stated in the paper")
            }
            (Verdict::PaperInError, Printed::Nothing | Printed::Words(_)) => {
                ("an error is shown by the number that is printed, or that follows from the printed formula", "agrees")
            }
            (Verdict::PaperInError, _) if check.shown_by.is_none() => {
                let help = "write `shown_by = \"file: name of the test\"`".to_owned();
                let message = "an error needs the test that shows it";
                return self.report.error("missing-key", entry.place, message, Some(help));
            }
            _ => return,
        };
        let help = format!("write `printed`, or `verdict = \"{help}\"`");
        self.report.error("inconsistent", entry.place, format!("check `{}`: {message}", check.name), Some(help));
    }
}
