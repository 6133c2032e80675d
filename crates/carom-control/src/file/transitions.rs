//! The tables of `[transitions]`.

use super::Reader;
use super::formulas::{PhaseFormulas, value_text};
use super::phases::ReadPhase;
use super::ranges::unknown_key;
use super::schema::keys;
use super::words::{one_of, word};
use crate::problem::{Jump, Transition};
use carom_model::reading::{Entry, Place, Text, entries, items};
use toml::de::DeValue;

/// Kinds of jumps by name.
pub(super) const JUMPS: [(&str, Jump); 2] = [("pointwise", Jump::Pointwise), ("variational", Jump::Variational)];

impl Reader<'_> {
    /// A table of `[transitions]`; nothing if something is wrong, which was reported.
    pub(super) fn transition(&mut self, entry: &Entry<'_>, phases: &[ReadPhase<'_>]) -> Option<Transition> {
        let DeValue::Table(table) = entry.value else {
            let example = format!("[transitions.{}]", entry.key);
            self.report.wrong_type(entry, "a table with the keys `from` and `to`", &example);
            return None;
        };
        self.places.transitions.push((entry.key.clone(), entry.key_place));
        let owner = format!("transition `{}`", entry.key);
        let fields = entries(table);
        for field in fields.iter().filter(|field| !keys("transitions").contains(&field.key.as_str())) {
            unknown_key(&mut self.report, field, &owner, &keys("transitions"));
        }
        let field = |name: &str| fields.iter().find(|field| field.key == name);
        let [from, to] = ["from", "to"].map(|end| match field(end) {
            Some(given) => self.phase_number(given, phases),
            None => {
                let help = format!("write `{end} = \"name of a phase\"`");
                self.report.error("missing-key", entry.key_place, format!("{owner} has no `{end}`"), Some(help));
                None
            }
        });
        let jump = field("jump").and_then(|given| word(&mut self.report, given, &JUMPS)).unwrap_or_default();
        let before = from.and_then(|number| phases.get(number));
        let guards = field("guards").map_or(Vec::new(), |given| self.guards(given, before));
        let map = field("map")
            .map_or(Some(Vec::new()), |given| self.map(given, before?, to.and_then(|number| phases.get(number))?));
        let after = to.and_then(|number| phases.get(number));
        if let (None, Some(before), Some(after)) = (field("map"), before, after) {
            self.same_coordinates(entry.key_place, &owner, before, after);
        }
        Some(Transition { name: entry.key.clone(), from: from?, to: to?, guards, map: map?, jump })
    }

    /// Contacts that the phase before has, and that are open in it.
    fn guards(&mut self, entry: &Entry<'_>, before: Option<&ReadPhase<'_>>) -> Vec<String> {
        let Some(list) = items(entry) else {
            self.report.wrong_type(entry, "a list of contacts", "guards = [\"floor\"]");
            return Vec::new();
        };
        let system = before.and_then(|phase| self.system(phase));
        let mut guards = Vec::new();
        for item in &list {
            let Some(name) = self.report.string(item) else { continue };
            if !self.contact(&name, item.place, system.as_deref()) {
                continue;
            }
            let phase = before.and_then(|before| before.phase.as_ref());
            if phase.is_some_and(|phase| phase.closed.iter().any(|closed| closed.contact == name)) {
                let message = format!("contact `{name}` cannot close here: it is closed during the phase before");
                let help = "remove it from `guards`, or from `closed` of that phase".to_owned();
                self.report.error("conflict", item.place, message, Some(help));
            } else if guards.contains(&name) {
                let message = format!("contact `{name}` is named twice");
                self.report.error("duplicate-name", item.place, message, Some("remove one of them".to_owned()));
            } else {
                guards.push(name);
            }
        }
        guards
    }

    /// One formula per coordinate of the phase after.
    pub(super) fn map(
        &mut self,
        entry: &Entry<'_>,
        before: &ReadPhase<'_>,
        after: &ReadPhase<'_>,
    ) -> Option<Vec<String>> {
        let (old, new) = (self.system(before)?, self.system(after)?);
        let (old_names, new_names) = (old.coordinate_names(), new.coordinate_names());
        let texts: Vec<Option<Text>> = match entry.value {
            DeValue::Array(_) => {
                let list = items(entry).unwrap_or_default();
                if list.len() != new_names.len() {
                    let message = format!(
                        "the map has {} formulas for the {} coordinates of phase `{}`",
                        list.len(),
                        new_names.len(),
                        after.name
                    );
                    let help = format!("one formula per coordinate, in this order: {}", new_names.join(", "));
                    self.report.error("wrong-size", entry.place, message, Some(help));
                    return None;
                }
                list.iter().map(|item| value_text(&mut self.report, item)).collect()
            }
            DeValue::Table(table) => {
                let given = entries(table);
                for field in &given {
                    one_of(&mut self.report, &field.key, field.key_place, "coordinate", &new_names);
                }
                let text = |name: &String| match given.iter().find(|field| field.key == *name) {
                    Some(field) => value_text(&mut self.report, field),
                    None if old_names.contains(name) => {
                        Some(Text { string: name.clone(), place: entry.place, first: None })
                    }
                    None => {
                        let message =
                            format!("the map says nothing about `{name}`, which phase `{}` lacks", before.name);
                        let help = format!("write `{name} = \"...\"` in coordinates of that phase");
                        self.report.error("missing-key", entry.place, message, Some(help));
                        None
                    }
                };
                new_names.iter().map(text).collect()
            }
            _ => {
                let example = format!("{} = {{ x = \"-x\" }}", entry.key);
                self.report.wrong_type(entry, "a table of expressions under names of coordinates", &example);
                return None;
            }
        };
        let texts: Vec<Text> = texts.into_iter().collect::<Option<_>>()?;
        let freed = self.freed.clone();
        let mut formulas = PhaseFormulas::new(&before.name, Some(&old), &freed);
        let why = "which has no value at a single instant";
        let sound: Vec<bool> =
            texts.iter().map(|text| formulas.check(&mut self.report, &mut self.places, text, Some(why))).collect();
        sound.iter().all(|&sound| sound).then(|| texts.into_iter().map(|text| text.string).collect())
    }

    /// Without a map, the phases must speak of the same coordinates.
    pub(super) fn same_coordinates(
        &mut self,
        place: Place,
        owner: &str,
        before: &ReadPhase<'_>,
        after: &ReadPhase<'_>,
    ) {
        let (Some(old), Some(new)) = (self.system(before), self.system(after)) else { return };
        if old.coordinate_names() != new.coordinate_names() {
            let message = format!(
                "{owner} needs a map: phase `{}` has the coordinates {}, phase `{}` has {}",
                before.name,
                old.coordinate_names().join(", "),
                after.name,
                new.coordinate_names().join(", ")
            );
            let help = "add `map = { ... }` to the transition".to_owned();
            self.report.error("wrong-size", place, message, Some(help));
        }
    }
}
