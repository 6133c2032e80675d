//! Numbers of a run.

use super::declaration::{Check, Measure, Which};
use super::formula::{self, Formula, Values};
use super::runner::Done;
use crate::commands::plot::model;
use crate::failure::Failure;
use carom::impact::{ContactOptions, JumpKind, Multiple, Verification, Verifier};
use carom::model::Impact;
use carom::report::{self, Stored, quasivelocities};
use carom::{Model, System};
use serde_json::Value;

/// A simulation that was read back.
pub struct Motion {
    stored: Stored,
    model: Model,
}

impl Motion {
    /// Reads the results of a simulation.
    pub fn read(done: &Done) -> Result<Self, Failure> {
        let stored = report::read(&done.folder)?;
        Ok(Self { model: model(&stored)?, stored })
    }

    fn system(&self) -> &System {
        &self.model.system
    }

    /// Everything with a name at a state.
    fn values(&self, check: &Check, t: f64, [q, v, p]: [&[f64]; 3], energy: f64) -> Values {
        let names = self.system().coordinate_names();
        let mut all: Values = check.constants.clone();
        let coordinates = names.iter().zip(q).map(|(name, q)| (name.clone(), *q));
        let rates = names.iter().zip(v).map(|(name, v)| (format!("{name}'"), *v));
        let momenta = names.iter().zip(p).map(|(name, p)| (format!("p_{name}"), *p));
        all.extend(coordinates.chain(rates));
        all.extend(self.system().parameters().iter().map(|parameter| (parameter.name.clone(), parameter.value)));
        all.extend(quasivelocities(self.system(), q, v));
        all.extend(momenta);
        all.extend([("t".to_owned(), t), ("energy".to_owned(), energy)]);
        all
    }

    /// Names and values before and after an impact.
    fn sides(&self, check: &Check, impact: &Impact) -> [Values; 2] {
        let energy = impact.energy_minus;
        let before = self.values(check, impact.t, [&impact.q, &impact.v_minus, &impact.p_minus], energy);
        let after = [&impact.q_plus[..], &impact.v_plus, &impact.p_plus];
        let after = self.values(check, impact.t, after, energy + impact.energy_change);
        let more = [
            ("loss".to_owned(), impact.balance.loss),
            ("energy_change".to_owned(), impact.energy_change),
            ("balanced_change".to_owned(), impact.balance.energies.1 - impact.balance.energies.0),
            ("impulse".to_owned(), impact.impulses.first().map_or(0.0, |impulse| impulse.normal)),
        ];
        [before, after].map(|values| values.into_iter().chain(more.clone()).collect())
    }

    fn impact(&self, number: usize) -> Result<&Impact, String> {
        let all = &self.stored.trajectory.impacts;
        all.get(number - 1).ok_or_else(|| format!("there is no impact {number}: the run has {}", all.len()))
    }

    /// A number of both sides of an impact, or the largest of all impacts.
    fn at_impacts(&self, check: &Check, which: Which, text: &str, of: impl Fn(f64, f64) -> f64) -> Result<f64, String> {
        let impacts = match which {
            Which::One(number) => vec![self.impact(number)?],
            Which::All => self.stored.trajectory.impacts.iter().collect(),
        };
        let mut formula: Option<Formula> = None;
        let mut largest: Option<f64> = None;
        for impact in impacts {
            let [before, after] = self.sides(check, impact);
            let formula = match &mut formula {
                Some(formula) => formula,
                none => none.insert(Formula::new(text, Some(self.system()), &before)?),
            };
            let found = of(formula.at(&before)?, formula.at(&after)?);
            largest = Some(largest.filter(|largest| largest.abs() >= found.abs()).unwrap_or(found));
        }
        largest.ok_or_else(|| "the run has no impacts".to_owned())
    }

    /// The values of a formula at the nodes.
    fn at_nodes(&self, check: &Check, text: &str, last_only: bool) -> Result<Vec<f64>, String> {
        let trajectory = &self.stored.trajectory;
        let first = if last_only { trajectory.len().saturating_sub(1) } else { 0 };
        let mut formula = None;
        let mut found = Vec::new();
        for k in first..trajectory.len() {
            let node = trajectory.node(k);
            let values = self.values(check, node.t, [node.q, node.v, node.p], node.energy);
            let formula = match &mut formula {
                Some(formula) => formula,
                none => none.insert(Formula::new(text, Some(self.system()), &values)?),
            };
            found.push(formula.at(&values)?);
        }
        if found.is_empty() { Err("the run has no nodes".to_owned()) } else { Ok(found) }
    }

    /// The largest residual over all impacts.
    fn residual(&self, of: Option<&str>) -> Result<f64, String> {
        let settings = &self.stored.manifest["settings"];
        let defaults = ContactOptions::default();
        let options = ContactOptions {
            jump: settings["jump"].as_str().and_then(JumpKind::by_name).unwrap_or(defaults.jump),
            multiple: settings["multiple"].as_str().and_then(Multiple::by_name).unwrap_or(defaults.multiple),
            ..defaults
        };
        let mut verifier = Verifier::new(self.system(), options).map_err(|error| error.to_string())?;
        let mut largest = 0.0;
        for impact in &self.stored.trajectory.impacts {
            let found = part(&verifier.verify(impact).map_err(|error| error.to_string())?, of);
            largest = if found.is_nan() { found } else { f64::max(largest, found) };
        }
        Ok(largest)
    }

    fn measure(&self, check: &Check) -> Result<f64, String> {
        let trajectory = &self.stored.trajectory;
        let nodes = |text: &str, last: bool| self.at_nodes(check, text, last);
        match &check.measure {
            Measure::Impacts(until) => {
                let until = until.unwrap_or(f64::INFINITY);
                Ok(trajectory.impacts.iter().filter(|impact| impact.t <= until).count() as f64)
            }
            Measure::Time(number) => self.impact(*number).map(|impact| impact.t),
            Measure::Before(which, text) => self.at_impacts(check, *which, text, |before, _| before),
            Measure::After(which, text) => self.at_impacts(check, *which, text, |_, after| after),
            Measure::Jump(which, text) => self.at_impacts(check, *which, text, |before, after| after - before),
            Measure::Ratio(which, text) => self.at_impacts(check, *which, text, |before, after| after / before),
            Measure::End(text) => Ok(nodes(text, true)?[0]),
            Measure::Largest(text) => Ok(nodes(text, false)?.into_iter().fold(f64::NEG_INFINITY, f64::max)),
            Measure::Least(text) => Ok(nodes(text, false)?.into_iter().fold(f64::INFINITY, f64::min)),
            Measure::EnergyError => Ok(trajectory.energy_error()),
            Measure::EnergyGrowth => {
                let ends = trajectory.energy.first().zip(trajectory.energy.last());
                ends.map(|(first, last)| last - first).ok_or_else(|| "the run has no nodes".to_owned())
            }
            Measure::Residual(of) => self.residual(of.as_deref()),
            Measure::Value(_) | Measure::Formula(_) => Err("this is not measured in a motion".to_owned()),
        }
    }
}

/// One residual, or the largest.
fn part(found: &Verification, of: Option<&str>) -> f64 {
    match of {
        Some("momentum") => found.momentum,
        Some("constraints") => found.constraints,
        Some("law") => found.law,
        Some("energy") => found.energy,
        Some("impulse") => found.impulse,
        Some("closing") => found.closing,
        Some("record") => found.record,
        _ => found.largest(),
    }
}

/// An entry of a JSON object: keys and indices with dots between them.
fn entry(json: &Value, path: &str) -> Result<f64, String> {
    let mut found = json;
    for key in path.split('.') {
        let next = match key.parse::<usize>() {
            Ok(index) => found.get(index),
            Err(_) => found.get(key),
        };
        found = next.ok_or_else(|| format!("the result has no `{path}`: `{key}` is missing"))?;
    }
    match found {
        Value::Bool(flag) => Ok(f64::from(*flag)),
        Value::Array(list) => Ok(list.len() as f64),
        other => other.as_f64().ok_or_else(|| format!("`{path}` of the result is no number: {other}")),
    }
}

/// The number that a check asks for; `motion` is read when it is first needed.
pub fn measure(check: &Check, done: Option<&Done>, motion: &mut Option<Motion>) -> Result<f64, Failure> {
    let named = |message: String| Failure::Settings(format!("check `{}`: {message}", check.name));
    match (&check.measure, done) {
        (Measure::Formula(text), _) => formula::number(text, &check.constants).map_err(named),
        (Measure::Value(path), Some(done)) => entry(&done.json, path).map_err(named),
        (_, Some(done)) => {
            let motion = match motion {
                Some(motion) => motion,
                none => none.insert(Motion::read(done)?),
            };
            motion.measure(check).map_err(named)
        }
        (_, None) => Err(named("its run is missing".to_owned())),
    }
}
