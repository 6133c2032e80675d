//! The entries of `[costs]`.

use super::Reader;
use super::formulas::{PhaseFormulas, value_text};
use super::numbers::Scope;
use super::phases::ReadPhase;
use super::ranges::unknown_key;
use super::schema::keys;
use super::words::{one_of, word};
use crate::problem::{Cost, CostKind, Norm, WorkPart};
use carom_model::reading::{Entry, Text, entries, items};
use toml::de::DeValue;

/// What a cost may measure; one of them makes the cost.
const KINDS: [&str; 5] = ["integral", "terminal", "residual", "work", "time"];
const NORMS: [(&str, Norm); 2] = [("square", Norm::Square), ("absolute", Norm::Absolute)];
pub(super) const PARTS: [(&str, WorkPart); 3] =
    [("absolute", WorkPart::Absolute), ("positive", WorkPart::Positive), ("net", WorkPart::Net)];

/// Why controls cannot stand in what a cost is divided by, or in a number of a gait.
pub(super) const NO_STATE: &str = "which varies along the motion";

impl Reader<'_> {
    /// A cost; nothing if something is wrong, which was reported.
    pub(super) fn cost(&mut self, entry: &Entry<'_>, phases: &[ReadPhase<'_>]) -> Option<Cost> {
        let DeValue::Table(table) = entry.value else {
            let example = format!("{} = {{ integral = \"u^2\" }}", entry.key);
            self.report.wrong_type(entry, "a table that says what is measured", &example);
            return None;
        };
        let owner = format!("cost `{}`", entry.key);
        let fields = entries(table);
        for field in fields.iter().filter(|field| !keys("costs").contains(&field.key.as_str())) {
            unknown_key(&mut self.report, field, &owner, &keys("costs"));
        }
        let field = |name: &str| fields.iter().find(|field| field.key == name);
        let weight = field("weight").map_or(Some(1.0), |given| self.weight(given, &owner, phases));
        let chosen = field("phases").map_or(Some(Vec::new()), |given| self.phase_numbers(given, phases));
        let kinds: Vec<&Entry<'_>> = fields.iter().filter(|field| KINDS.contains(&field.key.as_str())).collect();
        let [kind] = kinds[..] else {
            let message = match kinds.len() {
                0 => format!("{owner} does not say what it measures"),
                _ => format!("{owner} measures several things"),
            };
            let help = format!("give one of {}, for example `integral = \"u^2\"`", KINDS.join(", "));
            let place = kinds.get(1).map_or(entry.key_place, |kind| kind.key_place);
            self.report.error("missing-key", place, message, Some(help));
            return None;
        };
        self.misplaced(&fields, &kind.key, &owner);
        let all: Vec<usize> = (0..phases.len()).collect();
        let over = match &chosen {
            Some(chosen) if !chosen.is_empty() => chosen.clone(),
            _ => all,
        };
        let kind = self.cost_kind(kind, field("norm"), field("inputs"), phases, &over)?;
        let per = field("per").map_or(Some(None), |given| self.formula(given, phases, &over, Some(NO_STATE)).map(Some));
        Some(Cost { name: entry.key.clone(), weight: weight?, phases: chosen?, kind, per: per? })
    }

    fn weight(&mut self, entry: &Entry<'_>, owner: &str, phases: &[ReadPhase<'_>]) -> Option<f64> {
        let freed = self.freed.clone();
        let system = phases.first().and_then(|phase| self.system(phase));
        let scope = Scope { system: system.as_deref(), freed: &freed };
        scope.number(&mut self.report, entry, &format!("the weight of {owner}"))
    }

    fn phase_numbers(&mut self, entry: &Entry<'_>, phases: &[ReadPhase<'_>]) -> Option<Vec<usize>> {
        let Some(list) = items(entry) else {
            self.report.wrong_type(entry, "a list of phases", "phases = [\"swing\"]");
            return None;
        };
        let numbers: Vec<Option<usize>> = list.iter().map(|item| self.phase_number(item, phases)).collect();
        numbers.into_iter().collect()
    }

    /// Keys that belong to another kind of cost.
    fn misplaced(&mut self, fields: &[Entry<'_>], kind: &str, owner: &str) {
        for (key, wanted) in [("norm", "residual"), ("inputs", "work")] {
            if let Some(field) = fields.iter().find(|field| field.key == key && kind != wanted) {
                let message = format!("`{key}` of {owner} means nothing beside `{kind}`");
                let help = format!("it belongs to `{wanted}`; remove it");
                self.report.error("conflict", field.key_place, message, Some(help));
            }
        }
    }

    fn cost_kind(
        &mut self,
        kind: &Entry<'_>,
        norm: Option<&Entry<'_>>,
        inputs: Option<&Entry<'_>>,
        phases: &[ReadPhase<'_>],
        over: &[usize],
    ) -> Option<CostKind> {
        match kind.key.as_str() {
            "integral" => self.formula(kind, phases, over, None).map(CostKind::Integral),
            "terminal" => {
                let last = over.iter().max().copied().into_iter().collect::<Vec<_>>();
                let why = "which has no value at the end";
                self.formula(kind, phases, &last, Some(why)).map(CostKind::Terminal)
            }
            "residual" => {
                let list = items(kind).unwrap_or_else(|| vec![kind.clone()]);
                let norm = norm.map_or(Some(Norm::default()), |given| word(&mut self.report, given, &NORMS));
                let texts: Vec<Option<String>> =
                    list.iter().map(|item| self.formula(item, phases, over, None)).collect();
                let formulas: Vec<String> = texts.into_iter().collect::<Option<_>>()?;
                if formulas.is_empty() {
                    let help = "write, for example, `residual = [\"x - 1\"]`".to_owned();
                    self.report.error("missing-key", kind.place, "the residual has no formula", Some(help));
                    return None;
                }
                Some(CostKind::Residual { formulas, norm: norm? })
            }
            "work" => {
                let part = word(&mut self.report, kind, &PARTS);
                let inputs = inputs.map_or(Some(Vec::new()), |given| self.inputs(given, phases, over));
                Some(CostKind::Work { inputs: inputs?, part: part? })
            }
            _ => match self.report.boolean(kind)? {
                true => Some(CostKind::Time),
                false => {
                    let help = "write `time = true`, or remove the cost".to_owned();
                    self.report.error("conflict", kind.place, "the cost measures nothing", Some(help));
                    None
                }
            },
        }
    }

    /// A formula that must have a meaning in all these phases.
    fn formula(
        &mut self,
        entry: &Entry<'_>,
        phases: &[ReadPhase<'_>],
        over: &[usize],
        without_inputs: Option<&'static str>,
    ) -> Option<String> {
        let text: Text = value_text(&mut self.report, entry)?;
        let freed = self.freed.clone();
        let mut models = Vec::new();
        let mut is_sound = true;
        for phase in over.iter().filter_map(|&number| phases.get(number)) {
            // The same model has the same names, and the same mistakes.
            if models.contains(&phase.model) {
                continue;
            }
            models.push(phase.model);
            let system = self.system(phase);
            let mut formulas = PhaseFormulas::new(&phase.name, system.as_deref(), &freed);
            is_sound &= formulas.check(&mut self.report, &mut self.places, &text, without_inputs);
        }
        is_sound.then_some(text.string)
    }

    fn inputs(&mut self, entry: &Entry<'_>, phases: &[ReadPhase<'_>], over: &[usize]) -> Option<Vec<String>> {
        let Some(list) = items(entry) else {
            self.report.wrong_type(entry, "a list of inputs", "inputs = [\"u\"]");
            return None;
        };
        let system = over.first().and_then(|&number| phases.get(number)).and_then(|phase| self.system(phase))?;
        let known: Vec<String> = system.inputs().iter().map(|input| input.name.clone()).collect();
        let mut names = Vec::new();
        for item in &list {
            let name = self.report.string(item)?;
            if !one_of(&mut self.report, &name, item.place, "input", &known) {
                return None;
            }
            names.push(name);
        }
        Some(names)
    }
}
