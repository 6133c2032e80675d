//! Mistakes that show when a problem is transcribed, at the places of the file where they were made.

use super::{Places, ProblemFile};
use crate::error::ControlError;
use carom_model::reading::{Place, Text};
use carom_model::{Diagnostics, Severity};

impl ProblemFile {
    /// What is wrong, and where.
    pub fn explain(&self, error: &ControlError) -> Diagnostics {
        let phase = |name: &str| named(&self.places.phases, name);
        let link = |name: &str| named(&self.places.transitions, name);
        let formula = |phase: &str, formula: &str| self.places.formula(phase, formula);
        let (code, place): (&'static str, Option<Place>) = match error {
            ControlError::Formula { phase, formula: text, .. } => ("expression", formula(phase, text)),
            ControlError::NotAvailable { phase, formula: text, .. } => ("not-allowed", formula(phase, text)),
            ControlError::Unknown { phase: name, .. } => ("unknown-name", phase(name)),
            ControlError::Crossed { phase: name, .. } => ("conflict", phase(name)),
            ControlError::Duration { phase: name, .. }
            | ControlError::Intervals { phase: name, .. }
            | ControlError::Mesh { phase: name, .. } => ("out-of-range", phase(name)),
            ControlError::Unseen { phase: name, .. } | ControlError::TimeAfterFree { phase: name } => {
                ("not-supported", phase(name))
            }
            ControlError::UnknownPhase { transition, .. } => ("unknown-name", link(transition)),
            ControlError::MapSize { transition, .. } => ("wrong-size", link(transition)),
            ControlError::Law { transition, .. } => ("not-supported", link(transition)),
            ControlError::Guess { phase: name, .. } => ("guess", phase(name)),
            ControlError::Gait { key, .. } => ("gait", named(&self.places.gait_keys, key)),
            ControlError::Discovery { .. } | ControlError::Plan { .. } => ("not-supported", None),
            ControlError::Projection(refused) => (refused.code(), None),
            _ => ("problem", None),
        };
        let place = place.or(self.places.gait);
        // What a search of impacts refuses stands at its section, or at its only phase.
        let only = || self.places.phases.first().map(|(_, place)| *place);
        let place = match (&self.settings.discover, &self.settings.plan) {
            (_, Some(_)) => place.or(self.places.plan).or_else(only),
            (Some(_), None) => place.or(self.places.discover).or_else(only),
            (None, None) => place,
        };
        let place = place.unwrap_or_default();
        Diagnostics(vec![self.report.diagnostic(Severity::Error, code, place, error.to_string(), None)])
    }
}

impl Places {
    /// Where a formula stands. One of all phases stands under the first.
    pub(super) fn formula(&self, phase: &str, formula: &str) -> Option<Place> {
        let is_it = |(known, text): &&(String, Text)| known == phase && text.string == formula;
        let same = |(_, text): &&(String, Text)| text.string == formula;
        let all = &self.formulas;
        all.iter().find(is_it).or(all.iter().find(same)).map(|(_, text)| text.place)
    }

    /// Where a gait says what is wrong with it.
    pub(super) fn in_gait(&self, error: &ControlError) -> Place {
        let place = match error {
            ControlError::Gait { key, .. } => named(&self.gait_keys, key),
            ControlError::NotAvailable { phase, formula, .. } => self.formula(phase, formula),
            _ => None,
        };
        place.or(self.gait).unwrap_or_default()
    }
}

/// The place of a name.
fn named(places: &[(String, Place)], name: &str) -> Option<Place> {
    places.iter().find(|(known, _)| known == name).map(|(_, place)| *place)
}
