//! Values given on the command line: `--set m=2 --set "theta'=1" --set step=0.01`.

use super::declarations::{Declarations, Initial};
use super::document::{Text, Value};
use super::schema::keys;
use super::source::{Place, Report, Source};
use super::suggest::suggest;

/// Sections that may stand before a name, as in `simulation.step`.
const SECTIONS: [&str; 5] = ["parameters", "coordinates", "frame", "inputs", "simulation"];

/// Replaces values of the file; the last one wins.
pub(super) fn apply(report: &mut Report, all: &mut Declarations<'_>, overrides: &[(String, String)]) {
    for (key, value) in overrides {
        let source = report.sources.len();
        report.sources.push(Source::new("--set", &format!("{key}={value}")));
        let (start, end) = (key.len() + 1, key.len() + 1 + value.len());
        let text = Text { string: value.clone(), place: Place { source, start, end }, first: Some(start) };
        if !all.replace(key.trim(), text) && !report.names_incomplete {
            unknown(report, all, key, Place { source, start: 0, end: key.len() });
        }
    }
}

impl Declarations<'_> {
    /// Puts a text in the place of a value; false if there is no such place.
    fn replace(&mut self, key: &str, text: Text) -> bool {
        let (section, name) = match key.split_once('.') {
            Some((section, name)) => (section, name),
            None => ("", key),
        };
        let may = |wanted: &str| section.is_empty() || section == wanted;
        (may("parameters") && replace_in(&mut self.parameters, name, &text))
            || (may("coordinates") && self.replace_initial(name, &text))
            || (may("frame") && self.replace_quasivelocity(name, &text))
            || (may("inputs") && replace_in(&mut self.inputs, name, &text))
            || (may("simulation") && self.replace_setting(name, text))
    }

    fn replace_initial(&mut self, name: &str, text: &Text) -> bool {
        let (name, is_rate) = match name.strip_suffix('\'') {
            Some(name) => (name, true),
            None => (name, false),
        };
        let Some(coordinate) = self.coordinates.iter_mut().find(|coordinate| coordinate.name == name) else {
            return false;
        };
        let slot = if is_rate { &mut coordinate.velocity } else { &mut coordinate.initial };
        *slot = Initial::Given(Value::Expression(text.clone()));
        true
    }

    fn replace_quasivelocity(&mut self, name: &str, text: &Text) -> bool {
        let Some(field) = self.frame.iter_mut().find(|field| field.name == name && field.is_admissible) else {
            return false;
        };
        field.initial = Initial::Given(Value::Expression(text.clone()));
        true
    }

    fn replace_setting(&mut self, name: &str, text: Text) -> bool {
        let settings = &mut self.settings;
        let word = (text.string.trim().to_owned(), text.place);
        let value = Some(Value::Expression(text));
        match name {
            "method" => settings.method = Some(word),
            "formulation" => settings.formulation = Some(word),
            "step" => settings.step = value,
            "until" => settings.until = value,
            "every" => settings.every = value,
            "tolerance" => settings.tolerance = value,
            "jump" => settings.jump = Some(word),
            "multiple" => settings.multiple = Some(word),
            "max_impacts" => settings.max_impacts = value,
            "project" => settings.project = Some(word),
            _ => return false,
        }
        true
    }
}

fn replace_in(entries: &mut [super::declarations::Declared], name: &str, text: &Text) -> bool {
    let Some(entry) = entries.iter_mut().find(|entry| entry.name == name) else { return false };
    entry.value = Some(Value::Expression(text.clone()));
    true
}

fn unknown(report: &mut Report, all: &Declarations<'_>, key: &str, place: Place) {
    let parameters = all.parameters.iter().map(|p| p.name.clone());
    let initial = all.coordinates.iter().map(|c| c.name.clone());
    let rates = all.coordinates.iter().map(|c| format!("{}'", c.name));
    let quasivelocities = all.admissible().map(|field| field.name.clone());
    let inputs = all.inputs.iter().map(|u| u.name.clone());
    let settings = keys("simulation").into_iter().map(str::to_owned);
    let known: Vec<String> =
        parameters.chain(initial).chain(rates).chain(quasivelocities).chain(inputs).chain(settings).collect();
    let help = match key.trim().split_once('.') {
        Some((section, _)) if !SECTIONS.contains(&section) => {
            format!("sections that can be set: {}", SECTIONS.join(", "))
        }
        Some((_, name)) => suggest(name, "values that can be set", &known),
        None => suggest(key.trim(), "values that can be set", &known),
    };
    let message = format!("the model has no parameter, coordinate or setting `{}`", key.trim());
    report.error("unknown-name", place, message, Some(help));
}
