//! The section `[discover]`: impacts whose number and times nobody knows.

use super::numbers::Scope;
use super::phases::ReadPhase;
use super::ranges::unknown_key;
use super::schema::keys;
use super::{ProblemFile, Reader};
use crate::implicit::DiscoverOptions;
use crate::phase::MAX_INTERVALS;
use carom_model::reading::{Entry, entries, items};
use toml::de::DeValue;

/// Most touches of a start that may be asked for.
const MAX_TOUCHES: usize = 50;
/// Starts touch earlier or later by this share of the time between touches at most.
const MAX_SHIFT: f64 = 0.4;

/// Which impacts are looked for.
#[derive(Clone, Debug, PartialEq)]
pub struct DiscoverSettings {
    /// Contacts that may be hit; all of the model if empty.
    pub contacts: Vec<String>,
    /// Most touches that a start of the search has.
    pub touches: usize,
    /// Starts touch later by each of these shares of the time between touches.
    pub shifts: Vec<f64>,
    /// Fewest intervals between two impacts.
    pub intervals: usize,
}

impl Default for DiscoverSettings {
    fn default() -> Self {
        let DiscoverOptions { contacts, touches, shifts, intervals, .. } = DiscoverOptions::default();
        Self { contacts, touches, shifts, intervals }
    }
}

impl ProblemFile {
    /// How impacts are searched; nothing if that is not asked for.
    pub fn discover_options(&self) -> Option<DiscoverOptions> {
        let DiscoverSettings { contacts, touches, shifts, intervals } = self.settings.discover.clone()?;
        let polish = self.options();
        let defaults = DiscoverOptions::default();
        let iterations = defaults.iterations.min(self.settings.max_iterations);
        Some(DiscoverOptions { contacts, touches, shifts, intervals, iterations, polish, ..defaults })
    }
}

impl Reader<'_> {
    /// `[discover]`; contacts are those of the first phase.
    pub(super) fn discover(&mut self, section: &Entry<'_>, phases: &[ReadPhase<'_>]) {
        self.places.discover = Some(section.key_place);
        let mut settings = DiscoverSettings::default();
        let DeValue::Table(table) = section.value else {
            self.report.wrong_type(section, "a table", "[discover]");
            return;
        };
        let system = phases.first().and_then(|phase| self.system(phase));
        let freed = self.freed.clone();
        let scope = Scope { system: system.as_deref(), freed: &freed };
        for field in entries(table) {
            let what = format!("`{}` of [discover]", field.key);
            match field.key.as_str() {
                "contacts" => settings.contacts = self.searched(&field, phases),
                "touches" => {
                    let count = scope.count(&mut self.report, &field, &what, MAX_TOUCHES);
                    settings.touches = count.unwrap_or(settings.touches);
                }
                "intervals" => {
                    let count = scope.count(&mut self.report, &field, &what, MAX_INTERVALS);
                    settings.intervals = count.unwrap_or(settings.intervals);
                }
                "shifts" => settings.shifts = self.shifts(&field, &scope),
                _ => unknown_key(&mut self.report, &field, "[discover]", &keys("discover")),
            }
        }
        self.settings.discover = Some(settings);
    }

    /// Contacts by name.
    fn searched(&mut self, entry: &Entry<'_>, phases: &[ReadPhase<'_>]) -> Vec<String> {
        let Some(list) = items(entry) else {
            self.report.wrong_type(entry, "a list of contacts", "contacts = [\"floor\"]");
            return Vec::new();
        };
        let system = phases.first().and_then(|phase| self.system(phase));
        let mut found: Vec<String> = Vec::new();
        for item in &list {
            let Some(name) = self.report.string(item) else { continue };
            if self.contact(&name, item.place, system.as_deref()) && !found.contains(&name) {
                found.push(name);
            }
        }
        if list.is_empty() {
            let help = "leave `contacts` out to search impacts of all contacts".to_owned();
            self.report.error("empty", entry.place, "no contact is named", Some(help));
        }
        found
    }

    fn shifts(&mut self, entry: &Entry<'_>, scope: &Scope<'_>) -> Vec<f64> {
        let Some(list) = items(entry) else {
            self.report.wrong_type(entry, "a list of numbers", "shifts = [-0.1, 0, 0.1]");
            return vec![0.0];
        };
        let mut found = Vec::new();
        for item in &list {
            let Some(shift) = scope.number(&mut self.report, item, "a shift") else { continue };
            if shift.abs() > MAX_SHIFT {
                let message = format!("a shift is {shift}, but must lie between -{MAX_SHIFT} and {MAX_SHIFT}");
                let help = "shifts are shares of the time between two touches".to_owned();
                self.report.error("out-of-range", item.place, message, Some(help));
            }
            found.push(shift);
        }
        if found.is_empty() { vec![0.0] } else { found }
    }
}
