//! `[variables]`

use super::reader::Reader;
use crate::study::Variable;
use carom_model::reading::{Entry, Place, items};
use toml::de::DeValue;

/// A design variable, and what stands behind it.
#[derive(Clone, Debug)]
pub(super) struct Named {
    pub variable: Variable,
    /// Its parameter in the model.
    pub parameter: String,
    /// Where it says so.
    pub place: Place,
}

impl Reader<'_> {
    /// The design variables, in the order of the file.
    pub(super) fn variables(&mut self, section: &Entry<'_>) -> Vec<Named> {
        let entries = self.report.table(section).unwrap_or_default();
        if entries.is_empty() {
            let help = "write a range behind a name, for example `beta = [0.3, 0.7]`".to_owned();
            self.report.error("missing-key", section.place, "there are no design variables", Some(help));
        }
        entries.iter().filter_map(|entry| self.variable(entry)).collect()
    }

    /// `[lower, upper]`, or a table.
    fn variable(&mut self, entry: &Entry<'_>) -> Option<Named> {
        let mut named = Named {
            variable: Variable::new(&entry.key, 0.0, 1.0),
            parameter: entry.key.clone(),
            place: entry.key_place,
        };
        if matches!(entry.value, DeValue::Array(_)) {
            [named.variable.lower, named.variable.upper] = self.range(entry, entry)?;
            return Some(named);
        }
        if !matches!(entry.value, DeValue::Table(_)) {
            self.report.wrong_type(entry, "a range or a table", &format!("{} = [0.3, 0.7]", entry.key));
            return None;
        }
        let fields = self.fields(entry, "variables", &format!("the design variable `{}`", entry.key));
        let Some(range) = fields.iter().find(|field| field.key == "range") else {
            let help = "write `range = [lower, upper]`".to_owned();
            self.report.error("missing-key", entry.place, format!("`{}` has no range", entry.key), Some(help));
            return None;
        };
        [named.variable.lower, named.variable.upper] = self.range(entry, range)?;
        for field in &fields {
            match field.key.as_str() {
                "guess" => named.variable.guess = self.guess(entry, field, &named.variable),
                "unit" => named.variable.unit = self.report.string(field),
                "doc" => named.variable.doc = self.report.string(field),
                "parameter" => {
                    named.parameter = self.report.string(field)?;
                    named.place = field.place;
                }
                _ => {}
            }
        }
        Some(named)
    }

    fn range(&mut self, variable: &Entry<'_>, entry: &Entry<'_>) -> Option<[f64; 2]> {
        let list = items(entry).unwrap_or_default();
        let [lower, upper] = &list[..] else {
            let message = format!("the range of `{}` needs a lower and an upper bound", variable.key);
            self.report.error("wrong-type", entry.place, message, Some("write `[lower, upper]`".to_owned()));
            return None;
        };
        let bounds = [lower, upper].map(|bound| self.number(bound));
        let [Some(lower), Some(upper)] = bounds else { return None };
        if lower < upper {
            return Some([lower, upper]);
        }
        let message = format!("the range of `{}` goes from {lower} to {upper}", variable.key);
        self.report.error("conflict", entry.place, message, Some("the lower bound stands first".to_owned()));
        None
    }

    fn guess(&mut self, variable: &Entry<'_>, field: &Entry<'_>, own: &Variable) -> Option<f64> {
        let guess = self.number(field)?;
        if (own.lower..=own.upper).contains(&guess) {
            return Some(guess);
        }
        let (name, Variable { lower, upper, .. }) = (&variable.key, own);
        let message = format!("the guess of `{name}` is {guess}, outside its range from {lower} to {upper}");
        let help = "choose a value inside, or a wider range".to_owned();
        self.report.error("out-of-range", field.place, message, Some(help));
        None
    }
}
