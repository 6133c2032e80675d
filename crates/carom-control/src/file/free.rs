//! `[free]`: parameters that are to be found.

use super::numbers::Scope;
use super::reader::Reader;
use super::schema::UNKNOWN;
use crate::problem::FreedParameter;
use carom_model::reading::{Entry, Place, suggest};
use carom_model::{Parameter, System};
use carom_nlp::Range;
use std::sync::Arc;

impl Reader<'_> {
    /// The system whose parameters numbers outside of phases may use.
    pub(super) fn first_system(&self) -> Option<Arc<System>> {
        self.models.list.get(self.model.unwrap_or(0)).map(|model| model.system.clone())
    }

    /// `[free]`
    pub(super) fn free(&mut self, section: &Entry<'_>) -> Vec<FreedParameter> {
        let system = self.first_system();
        let parameters = self.models.list.iter().flat_map(|model| model.system.parameters());
        let parameters: Vec<Parameter> = parameters.cloned().collect();
        let mut found = Vec::new();
        for entry in self.section(section) {
            let scope = Scope { system: system.as_deref(), freed: &[] };
            let what = format!("the range of `{}`", entry.key);
            let bounded = scope.range(&mut self.report, &entry, &what, &[UNKNOWN[3].name]);
            self.freed.push(entry.key.clone());
            let own = parameters.iter().find(|parameter| parameter.name == entry.key);
            // Without a model, which was reported, nothing is known.
            if own.is_none() && system.is_some() {
                let known: Vec<&str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
                let help = suggest(&entry.key, "parameters", &known);
                let message = format!("the model has no parameter `{}`", entry.key);
                self.report.error("unknown-name", entry.key_place, message, Some(help));
            }
            let (Some(bounded), Some(own)) = (bounded, own) else { continue };
            let given = bounded.rest.first();
            let number =
                |given: &Entry<'_>| scope.number(&mut self.report, given, &format!("the guess of `{}`", entry.key));
            let guess = given.map(number);
            let range = bounded.range;
            match guess {
                Some(None) => continue,
                Some(Some(guess)) if range.violation(guess) > 0.0 => {
                    let place = given.map_or(entry.place, |given| given.place);
                    self.outside(place, &format!("the guess of `{}`", entry.key), guess, range);
                }
                _ => {}
            }
            // The value of the model may lie outside; the search begins at the nearest that does not.
            let guess = guess.flatten().unwrap_or(own.value.clamp(range.lower, range.upper));
            found.push(FreedParameter { name: entry.key.clone(), range, guess: Some(guess) });
        }
        found
    }

    /// Adds those that are asked for from outside, in the place of what the file says about them.
    pub(super) fn free_further(&mut self, mut found: Vec<FreedParameter>) -> Vec<FreedParameter> {
        let parameters = self.models.list.iter().flat_map(|model| model.system.parameters());
        let known: Vec<String> = parameters.map(|parameter| parameter.name.clone()).collect();
        for further in self.further.iter().filter(|further| known.contains(&further.name)) {
            found.retain(|own| own.name != further.name);
            found.push(further.clone());
            if !self.freed.contains(&further.name) {
                self.freed.push(further.name.clone());
            }
        }
        // What follows from them is no number either.
        for model in &self.models.list {
            let dependents = model.system.dependents(&self.freed);
            self.freed.extend(dependents);
        }
        found
    }

    /// A value outside its own bounds.
    pub(super) fn outside(&mut self, place: Place, what: &str, value: f64, range: Range) {
        let message = format!("{what} is {value}, outside its range from {} to {}", range.lower, range.upper);
        let help = "choose a value inside, or a wider range".to_owned();
        self.report.error("out-of-range", place, message, Some(help));
    }
}
