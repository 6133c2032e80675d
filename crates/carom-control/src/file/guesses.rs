//! Where the search begins: straight lines, an earlier result, or a simulation; then single coordinates as given.

use super::Reader;
use super::conditions::bounded_names;
use super::numbers::Scope;
use super::phases::ReadPhase;
use super::ranges::unknown_key;
use super::schema::keys;
use super::simulate::simulate;
use super::stored::StoredSolution;
use super::words::one_of;
use crate::guess::{Guess, PhaseGuess};
use crate::problem::{ControlProblem, Phase};
use carom_model::reading::{Entry, entries, items};
use std::collections::BTreeMap;
use toml::de::DeValue;

/// Most values of a guess for one coordinate.
const MAX_VALUES: usize = 10_000;

/// Values at even times, by name.
pub(super) type Given = BTreeMap<String, Vec<f64>>;

impl Reader<'_> {
    /// The guess of a sound problem; nothing if the guess is wrong, which was reported.
    pub(super) fn guess(
        &mut self,
        section: Option<&Entry<'_>>,
        problem: &ControlProblem,
        phases: &[ReadPhase<'_>],
    ) -> Option<Guess> {
        let initial: Vec<Vec<f64>> = phases
            .iter()
            .map(|phase| phase.model.map_or(Vec::new(), |model| self.models.list[model].initial.q.clone()))
            .collect();
        let mut guess = Guess::interpolate(problem, &initial);
        if let Some(section) = section {
            self.global(section, problem, phases, &mut guess)?;
        }
        for ((own, phase), read) in guess.phases.iter_mut().zip(&problem.phases).zip(phases) {
            overlay(own, phase, self.given.get(&read.name)?);
        }
        Some(guess)
    }

    /// `[guess]`
    fn global(
        &mut self,
        section: &Entry<'_>,
        problem: &ControlProblem,
        phases: &[ReadPhase<'_>],
        guess: &mut Guess,
    ) -> Option<()> {
        let DeValue::Table(table) = section.value else {
            self.report.wrong_type(section, "a table", "[guess]");
            return None;
        };
        let fields = entries(table);
        for field in fields.iter().filter(|field| !keys("guess").contains(&field.key.as_str())) {
            unknown_key(&mut self.report, field, "[guess]", &keys("guess"));
        }
        let field = |name: &str| fields.iter().find(|field| field.key == name);
        if let Some(from) = field("from") {
            let file = self.report.string(from)?;
            let stored = self.stored(&file, from)?;
            if let Err(why) = stored.fill(problem, guess) {
                let help = "give the folder of a result for the same phases".to_owned();
                self.report.error("wrong-size", from.place, format!("`{file}` does not fit: {why}"), Some(help));
                return None;
            }
        }
        let wants = field("simulate").map(|given| (given.place, self.report.boolean(given)));
        if let Some((place, Some(true))) = wants {
            if let Some(from) = field("from") {
                let help = "keep one of them".to_owned();
                self.report.error("conflict", from.key_place, "both `from` and `simulate` are given", Some(help));
                return None;
            }
            let model = &self.models.list[phases.first()?.model?];
            match simulate(problem, &model.initial) {
                Ok((found, doubts)) => {
                    *guess = found;
                    for doubt in doubts {
                        let help = Some("the guess continues without it".to_owned());
                        self.report.warning("guess", place, doubt, help);
                    }
                }
                Err(why) => {
                    let message = format!("the model cannot be simulated for a guess: {why}");
                    self.report.error("guess", place, message, Some("remove `simulate`".to_owned()));
                    return None;
                }
            }
        }
        Some(())
    }

    fn stored(&mut self, file: &str, entry: &Entry<'_>) -> Option<StoredSolution> {
        let name = if file.ends_with(".json") { file.to_owned() } else { format!("{file}/{}", StoredSolution::FILE) };
        let text = match (self.open_data)(&name) {
            Ok(text) => text,
            Err(error) => {
                let help = "give the folder of a result of `carom optimise`".to_owned();
                let message = format!("the guess `{name}` cannot be read: {error}");
                self.report.error("unreadable", entry.place, message, Some(help));
                return None;
            }
        };
        match StoredSolution::from_text(&text) {
            Ok(stored) => Some(stored),
            Err(why) => {
                let help = "give the folder of a result of `carom optimise`".to_owned();
                let message = format!("the guess `{name}` is no stored solution: {why}");
                self.report.error("guess", entry.place, message, Some(help));
                None
            }
        }
    }

    /// `guess` of a phase; nothing if something is wrong, which was reported.
    pub(super) fn phase_guess(&mut self, phase: &ReadPhase<'_>) -> Option<Given> {
        let system = self.system(phase);
        let freed = self.freed.clone();
        let scope = Scope { system: system.as_deref(), freed: &freed };
        let known = bounded_names(system.as_deref());
        let mut given = Given::new();
        let mut is_sound = true;
        for entry in &phase.guess {
            let is_known = system.is_some()
                && one_of(&mut self.report, &entry.key, entry.key_place, "coordinate, rate or input", &known);
            let list = items(entry).unwrap_or_else(|| vec![entry.clone()]);
            if list.is_empty() || list.len() > MAX_VALUES {
                let message = format!("the guess of `{}` has {} values", entry.key, list.len());
                let help = format!("give from 1 to {MAX_VALUES} values at even times");
                self.report.error("wrong-size", entry.place, message, Some(help));
                is_sound = false;
                continue;
            }
            let what = format!("the guess of `{}`", entry.key);
            let values: Vec<Option<f64>> =
                list.iter().map(|item| scope.number(&mut self.report, item, &what)).collect();
            let values: Option<Vec<f64>> = values.into_iter().collect();
            is_sound &= values.is_some() && is_known;
            given.insert(entry.key.clone(), values.unwrap_or_default());
        }
        is_sound.then_some(given)
    }
}

/// Puts given values in place of what a guess has.
fn overlay(guess: &mut PhaseGuess, phase: &Phase, given: &Given) {
    if given.is_empty() {
        return;
    }
    // A grid that has the times of all lists.
    let mut times = guess.times.clone();
    for values in given.values() {
        let last = values.len().max(2) - 1;
        times.extend((0..=last).map(|k| k as f64 / last as f64));
    }
    times.sort_by(f64::total_cmp);
    times.dedup_by(|a, b| (*a - *b).abs() < 1e-12);
    let names = phase.system.coordinate_names();
    let inputs: Vec<&str> = phase.system.inputs().iter().map(|input| input.name.as_str()).collect();
    let value = |name: &str, time: f64, other: f64| given.get(name).map_or(other, |values| at(values, time));
    let q: Vec<Vec<f64>> = times
        .iter()
        .map(|&time| names.iter().zip(guess.at(time)).map(|(name, other)| value(name, time, other)).collect())
        .collect();
    let u = times
        .iter()
        .map(|&time| {
            let old = guess.control(time, inputs.len());
            inputs.iter().zip(old).map(|(name, other)| value(name, time, other)).collect()
        })
        .collect();
    let has_u = !guess.u.is_empty() || inputs.iter().any(|&name| given.contains_key(name));
    let rates: Vec<String> = names.iter().map(|name| format!("{name}'")).collect();
    let has_v = rates.iter().any(|rate| given.contains_key(rate));
    let moved = PhaseGuess {
        duration: guess.duration,
        q,
        u: if has_u { u } else { Vec::new() },
        times: times.clone(),
        ..PhaseGuess::default()
    };
    // Rates follow from the configurations, where they are not given themselves.
    let v = |time: f64| {
        let old = moved.velocity(time);
        rates.iter().zip(old).map(|(rate, other)| value(rate, time, other)).collect::<Vec<f64>>()
    };
    let v = if has_v { times.iter().map(|&time| v(time)).collect() } else { Vec::new() };
    *guess = PhaseGuess { v, ..moved };
}

/// The value at a time, linear between values at even times.
fn at(values: &[f64], time: f64) -> f64 {
    let last = values.len() - 1;
    let place = time.clamp(0.0, 1.0) * last as f64;
    let before = (place.floor() as usize).min(last.saturating_sub(1));
    let after = (before + 1).min(last);
    values[before] + (place - before as f64) * (values[after] - values[before])
}
