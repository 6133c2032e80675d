//! Bounds and conditions of a phase: tables of ranges under names or formulas.

use super::Places;
use super::formulas::{PhaseFormulas, key_text, value_text};
use super::numbers::Scope;
use super::words::{one_of, word};
use crate::problem::{Condition, PathCondition, Where};
use carom_model::System;
use carom_model::reading::{Entry, Place, Report, Text, entries};
use carom_nlp::Range;
use toml::de::DeValue;

/// Most conditions of one kind in a phase.
const MAX_CONDITIONS: usize = 1000;
/// Where conditions may be asked for.
const PLACES: [(&str, Where); 3] = [("nodes", Where::Nodes), ("samples", Where::Samples), ("both", Where::Both)];
/// Why controls cannot stand in a condition at an end.
const NO_INSTANT: &str = "which has no value at a single instant";

/// Bounds of a coordinate, rate or input.
pub(super) struct Bound {
    pub name: String,
    pub range: Range,
    place: Place,
}

/// Reads conditions of a phase.
pub(super) struct Conditions<'a> {
    pub report: &'a mut Report,
    pub places: &'a mut Places,
    pub scope: Scope<'a>,
    pub formulas: PhaseFormulas<'a>,
}

impl Conditions<'_> {
    /// `bounds = { x = [-2, 2], u = { max = 1 } }`
    pub fn bounds(&mut self, section: &Entry<'_>) -> Vec<Bound> {
        let mut found = Vec::new();
        for entry in self.table(section, "bounds = { x = [-2, 2] }") {
            let (name, place) = (entry.key.clone(), entry.key_place);
            let range = self.scope.range(self.report, &entry, &format!("the bounds of `{name}`"), &[]);
            let known = bounded_names(self.scope.system);
            let is_known =
                self.scope.system.is_some() && one_of(self.report, &name, place, "coordinate, rate or input", &known);
            if let (Some(bounded), true) = (range, is_known) {
                found.push(Bound { name, range: bounded.range, place });
            }
        }
        found
    }

    /// Conditions at the start or at the end, which must not contradict the bounds.
    pub fn at_end(&mut self, section: &Entry<'_>, bounds: &[Bound]) -> Vec<Condition> {
        let found = self.conditions(section, Some(NO_INSTANT), |key| key != "at");
        for (condition, place, _) in &found {
            let Some(bound) = bounds.iter().find(|bound| bound.name == condition.formula.trim()) else { continue };
            let (own, other) = (condition.range, bound.range);
            if own.lower.max(other.lower) > own.upper.min(other.upper) {
                let message = format!(
                    "`{}` should be {} here, but the bounds of the phase allow {}",
                    condition.name,
                    describe(own),
                    describe(other)
                );
                let help = format!("widen one of them; the bounds stand on line {}", self.report.line(bound.place));
                self.report.error("conflict", *place, message, Some(help));
            }
        }
        found.into_iter().map(|(condition, ..)| condition).collect()
    }

    /// Conditions along the way.
    pub fn path(&mut self, section: &Entry<'_>) -> Vec<PathCondition> {
        let found = self.conditions(section, None, |_| true);
        found.into_iter().map(|(condition, _, at)| PathCondition { condition, at }).collect()
    }

    fn conditions(
        &mut self,
        section: &Entry<'_>,
        without_inputs: Option<&'static str>,
        allowed: impl Fn(&str) -> bool,
    ) -> Vec<(Condition, Place, Where)> {
        let rest: Vec<&str> = ["formula", "at"].into_iter().filter(|key| allowed(key)).collect();
        let mut found = Vec::new();
        for entry in self.table(section, &format!("{} = {{ x = 0 }}", section.key)) {
            let what = format!("the range of `{}`", entry.key);
            let bounded = self.scope.range(self.report, &entry, &what, &rest);
            let fields = match entry.value {
                DeValue::Table(table) => entries(table),
                _ => Vec::new(),
            };
            let field = |name: &str| fields.iter().find(|field| field.key == name);
            let text: Option<Text> = match field("formula") {
                Some(given) => value_text(self.report, given),
                None => Some(key_text(self.report, &entry)),
            };
            let at = field("at").filter(|_| allowed("at")).and_then(|given| word(self.report, given, &PLACES));
            let Some(text) = text else { continue };
            let is_sound = self.formulas.check(self.report, self.places, &text, without_inputs);
            if let (Some(bounded), true) = (bounded, is_sound) {
                let condition = Condition { name: entry.key.clone(), formula: text.string, range: bounded.range };
                found.push((condition, bounded.place, at.unwrap_or_default()));
            }
        }
        found
    }

    fn table<'e>(&mut self, section: &Entry<'e>, example: &str) -> Vec<Entry<'e>> {
        let DeValue::Table(table) = section.value else {
            self.report.wrong_type(section, "a table of ranges", example);
            return Vec::new();
        };
        let mut list = entries(table);
        if let Some(extra) = list.get(MAX_CONDITIONS) {
            let message = format!("`{}` has {} entries, the limit is {MAX_CONDITIONS}", section.key, list.len());
            self.report.error("too-many", extra.key_place, message, Some("use fewer".to_owned()));
            list.truncate(MAX_CONDITIONS);
        }
        list
    }
}

/// What bounds may be about.
pub(super) fn bounded_names(system: Option<&System>) -> Vec<String> {
    let Some(system) = system else { return Vec::new() };
    let coordinates = system.coordinate_names();
    let rates: Vec<String> = coordinates.iter().map(|name| format!("{name}'")).collect();
    let inputs = system.inputs().iter().map(|input| input.name.clone());
    coordinates.into_iter().chain(rates).chain(inputs).collect()
}

/// A range in words.
fn describe(range: Range) -> String {
    match range {
        range if range.is_fixed() => format!("{}", range.lower),
        Range { lower, upper } if upper == f64::INFINITY => format!("at least {lower}"),
        Range { lower, upper } if lower == f64::NEG_INFINITY => format!("at most {upper}"),
        Range { lower, upper } => format!("from {lower} to {upper}"),
    }
}
