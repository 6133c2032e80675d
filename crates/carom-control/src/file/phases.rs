//! The tables of `[phases]`.

use super::Reader;
use super::conditions::Conditions;
use super::formulas::PhaseFormulas;
use super::numbers::Scope;
use super::ranges::unknown_key;
use super::schema::{UNKNOWN, keys};
use super::words::{one_of, word};
use crate::phase::MAX_INTERVALS;
use crate::problem::{ClosedContact, ControlShape, Duration, Phase};
use carom_discrete::Formulation;
use carom_model::System;
use carom_model::reading::{Entry, Place, entries, items, suggest};
use std::sync::Arc;
use toml::de::DeValue;

/// Intervals of a phase that does not say how many.
const DEFAULT_INTERVALS: usize = 50;
/// Shapes of controls by name.
pub(super) const SHAPES: [(&str, ControlShape); 3] =
    [("samples", ControlShape::Samples), ("constant", ControlShape::Constant), ("linear", ControlShape::Linear)];
/// Formulations that a transcription knows, by name.
const FORMULATIONS: [(&str, Formulation); 2] =
    [("multipliers", Formulation::Multipliers), ("null-space", Formulation::NullSpace)];

/// A phase as far as it could be read.
pub(super) struct ReadPhase<'a> {
    pub name: String,
    pub place: Place,
    /// Number of its model; nothing if that is wrong, which was reported.
    pub model: Option<usize>,
    /// Nothing if something is wrong, which was reported.
    pub phase: Option<Phase>,
    /// What it says about the guess.
    pub guess: Vec<Entry<'a>>,
}

impl ReadPhase<'_> {
    fn new(name: &str, place: Place, model: Option<usize>) -> Self {
        Self { name: name.to_owned(), place, model, phase: None, guess: Vec::new() }
    }
}

impl<'f> Reader<'f> {
    /// A table of `[phases]`.
    pub(super) fn phase<'a>(&mut self, entry: &Entry<'a>) -> ReadPhase<'a> {
        let DeValue::Table(table) = entry.value else {
            let example = format!("[phases.{}]", entry.key);
            self.report.wrong_type(entry, "a table with the key `duration`", &example);
            return ReadPhase::new(&entry.key, entry.key_place, self.model);
        };
        let fields = entries(table);
        for field in fields.iter().filter(|field| !keys("phases").contains(&field.key.as_str())) {
            unknown_key(&mut self.report, field, &format!("phase `{}`", entry.key), &keys("phases"));
        }
        self.phase_of(&entry.key, entry.key_place, &fields, &[])
    }

    /// A phase with these keys, in which these contacts are closed anyway.
    pub(super) fn phase_of<'a>(
        &mut self,
        name: &str,
        place: Place,
        fields: &[Entry<'a>],
        stands: &[ClosedContact],
    ) -> ReadPhase<'a> {
        let mut read = ReadPhase::new(name, place, self.model);
        let field = |name: &str| fields.iter().find(|field| field.key == name);
        if let Some(own) = field("model") {
            read.model = self.models.read(&mut self.report, own);
        }
        let system = read.model.and_then(|model| self.models.list.get(model)).map(|model| model.system.clone());
        let freed = self.freed.clone();
        let scope = Scope { system: system.as_deref(), freed: &freed };
        let what = |key: &str| format!("`{key}` of phase `{name}`");

        let duration = match field("duration") {
            Some(given) => self.duration(given, &scope, &what("duration")),
            None => {
                let message = format!("phase `{name}` has no `duration`");
                let help = "write `duration = 2.0`, or `duration = { range = [0.5, 3], guess = 2 }`".to_owned();
                self.report.error("missing-key", place, message, Some(help));
                None
            }
        };
        let (intervals, shares) = self.mesh(field("intervals"), field("shares"), &scope, name);
        let shape = field("controls").and_then(|given| word(&mut self.report, given, &SHAPES));
        let formulation = field("formulation").and_then(|given| word(&mut self.report, given, &FORMULATIONS));
        let mut closed = field("closed").map_or(Vec::new(), |given| self.closed(given, system.as_deref()));
        closed.extend_from_slice(stands);
        let formulas = PhaseFormulas::new(name, system.as_deref(), &freed).with_forces(&closed);
        let mut conditions = Conditions { report: &mut self.report, places: &mut self.places, scope, formulas };
        let bounds = field("bounds").map_or(Vec::new(), |given| conditions.bounds(given));
        let start = field("start").map_or(Vec::new(), |given| conditions.at_end(given, &bounds));
        let end = field("end").map_or(Vec::new(), |given| conditions.at_end(given, &bounds));
        let path = field("path").map_or(Vec::new(), |given| conditions.path(given));
        if let Some(DeValue::Table(table)) = field("guess").map(|given| given.value) {
            read.guess = entries(table);
        } else if let Some(given) = field("guess") {
            self.report.wrong_type(given, "a table of values under names of coordinates", "guess = { x = [0, 1] }");
        }
        if let (Some(system), Some(duration)) = (system, duration) {
            let bounds = bounds.into_iter().map(|bound| (bound.name, bound.range)).collect();
            let phase = Phase::new(name, system, duration, intervals);
            let shape = shape.unwrap_or_default();
            read.phase = Some(Phase { shares, shape, formulation, closed, bounds, start, end, path, ..phase });
        }
        read
    }

    /// A number, or a range with a guess.
    fn duration(&mut self, entry: &Entry<'_>, scope: &Scope<'_>, what: &str) -> Option<Duration> {
        if !matches!(entry.value, DeValue::Table(_) | DeValue::Array(_)) {
            return scope.positive(&mut self.report, entry, what).map(Duration::Fixed);
        }
        let bounded = scope.range(&mut self.report, entry, what, &[UNKNOWN[3].name])?;
        let given = bounded.rest.first();
        let guess = match given {
            Some(given) => Some(scope.positive(&mut self.report, given, &format!("the guess of {what}"))?),
            None => None,
        };
        let range = bounded.range;
        if range.upper <= 0.0 || range.lower < 0.0 {
            let message = format!("{what} must be positive, but may be from {} to {}", range.lower, range.upper);
            let help = "write positive bounds".to_owned();
            self.report.error("not-positive", entry.place, message, Some(help));
            return None;
        }
        let place = given.map_or(entry.place, |given| given.place);
        let guess = match guess {
            Some(guess) if range.violation(guess) > 0.0 => {
                self.outside(place, &format!("the guess of {what}"), guess, range);
                return None;
            }
            Some(guess) => guess,
            None if range.upper.is_finite() => 0.5 * (range.lower + range.upper),
            None => range.lower.max(1.0),
        };
        Some(if range.is_fixed() { Duration::Fixed(range.lower) } else { Duration::Free { range, guess } })
    }

    /// Number of intervals, and their shares of the duration.
    fn mesh(
        &mut self,
        intervals: Option<&Entry<'_>>,
        shares: Option<&Entry<'_>>,
        scope: &Scope<'_>,
        phase: &str,
    ) -> (usize, Vec<f64>) {
        let what = format!("`intervals` of phase `{phase}`");
        let count = intervals.and_then(|entry| scope.count(&mut self.report, entry, &what, MAX_INTERVALS));
        if let Some(intervals) = self.settings.intervals {
            return (intervals, Vec::new());
        }
        let Some(entry) = shares else { return (count.unwrap_or(DEFAULT_INTERVALS), Vec::new()) };
        let Some(list) = items(entry) else {
            self.report.wrong_type(entry, "a list of positive numbers", "shares = [1, 2, 1]");
            return (1, Vec::new());
        };
        let what = format!("a share of phase `{phase}`");
        let parts: Vec<Option<f64>> = list.iter().map(|item| scope.positive(&mut self.report, item, &what)).collect();
        let Some(parts) = parts.into_iter().collect::<Option<Vec<f64>>>() else { return (1, Vec::new()) };
        let total: f64 = parts.iter().sum();
        if parts.is_empty() || !total.is_finite() || count.is_some_and(|count| count != parts.len()) {
            let message = format!("phase `{phase}` has {} shares for its intervals", parts.len());
            let help = "give one share per interval, and leave `intervals` out".to_owned();
            self.report.error("conflict", entry.place, message, Some(help));
            return (1, Vec::new());
        }
        (parts.len(), parts.iter().map(|part| part / total).collect())
    }

    /// Contacts by name, or in tables.
    fn closed(&mut self, entry: &Entry<'_>, system: Option<&System>) -> Vec<ClosedContact> {
        let Some(list) = items(entry) else {
            self.report.wrong_type(entry, "a list of contacts", "closed = [\"floor\"]");
            return Vec::new();
        };
        let mut found: Vec<ClosedContact> = Vec::new();
        for item in &list {
            let (mut name, mut sticks) = (None, false);
            match item.value {
                DeValue::Table(table) => {
                    for field in entries(table) {
                        match field.key.as_str() {
                            "contact" => name = self.report.string(&field).map(|name| (name, field.place)),
                            "sticks" => sticks = self.report.boolean(&field).unwrap_or(false),
                            _ => unknown_key(&mut self.report, &field, "a closed contact", &["contact", "sticks"]),
                        }
                    }
                }
                _ => name = self.report.string(item).map(|name| (name, item.place)),
            }
            let Some((contact, place)) = name else { continue };
            if self.contact(&contact, place, system) && !found.iter().any(|known| known.contact == contact) {
                found.push(ClosedContact { contact, sticks });
            }
        }
        found
    }

    /// True if the system has this contact.
    pub(super) fn contact(&mut self, name: &str, place: Place, system: Option<&System>) -> bool {
        let Some(system) = system else { return false };
        let known: Vec<String> = system.contacts().iter().map(|contact| contact.name.clone()).collect();
        one_of(&mut self.report, name, place, "contact", &known)
    }

    /// The system of a phase.
    pub(super) fn system(&self, phase: &ReadPhase<'_>) -> Option<Arc<System>> {
        phase.model.and_then(|model| self.models.list.get(model)).map(|model| model.system.clone())
    }

    /// The number of a phase by name.
    pub(super) fn phase_number(&mut self, entry: &Entry<'_>, phases: &[ReadPhase<'_>]) -> Option<usize> {
        let name = self.report.string(entry)?;
        let found = phases.iter().position(|phase| phase.name == name);
        if found.is_none() {
            let known: Vec<&str> = phases.iter().map(|phase| phase.name.as_str()).collect();
            let help = suggest(&name, "phases", &known);
            self.report.error("unknown-name", entry.place, format!("there is no phase `{name}`"), Some(help));
        }
        found
    }
}
