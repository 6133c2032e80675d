//! Simulations at points.
//!
//! What is derived and compiled serves all points of a part that differ in their initial states only. Where nothing ties
//! initial values together, they are put in place without reading the model again; a run that gives reason for doubt is
//! checked against the model as it is read, so that a row is what `carom simulate` gives with the values of its point.

mod base;
mod row;

pub(crate) use row::{COMPLETED, ENDING};

use crate::axis::{Axis, Value, Values};
use crate::cells::{Cell, Column};
use crate::worker::{Stop, Task};
use crate::{NamedMeasure, Sweep, SweepError};
use base::Base;
use carom_expr::Backend;
use carom_model::{Diagnostics, Model};
use carom_run::{MeasureError, Plan, RunError};
use std::collections::HashMap;

/// What a name is about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Slot {
    /// An initial coordinate.
    Position(usize),
    /// An initial rate.
    Rate(usize),
    /// Anything else: what is derived depends on it.
    Other,
}

/// Simulations of one model.
pub(crate) struct Simulations {
    text: String,
    file: String,
    set: Vec<(String, String)>,
    names: Vec<String>,
    slots: Vec<Slot>,
    measures: Vec<NamedMeasure>,
    coordinates: Vec<String>,
}

impl Simulations {
    /// Checks names, words and measures.
    pub fn new(sweep: &Sweep) -> Result<Self, SweepError> {
        let model = Model::from_text(&sweep.text, &sweep.file, &sweep.set)?;
        Plan::new(&model, Backend::fastest())?;
        for axis in sweep.points.axes() {
            check(sweep, axis)?;
        }
        for own in &sweep.measures {
            let wrong = |error: MeasureError| SweepError::Measure { text: own.name.clone(), why: explain(&error) };
            own.measure.gauge(&model.system).map_err(wrong)?;
        }
        let coordinates = model.system.coordinate_names();
        let names: Vec<String> = sweep.points.names().into_iter().map(str::to_owned).collect();
        Ok(Self {
            text: sweep.text.clone(),
            file: sweep.file.clone(),
            set: sweep.set.clone(),
            slots: names.iter().map(|name| slot(name, &coordinates)).collect(),
            names,
            measures: sweep.measures.clone(),
            coordinates,
        })
    }

    /// How many steps a run has, if nothing else is said.
    pub fn steps(sweep: &Sweep) -> Option<f64> {
        let model = Model::from_text(&sweep.text, &sweep.file, &sweep.set).ok()?;
        let plan = Plan::new(&model, Backend::Interpreter).ok()?;
        Some(plan.until / plan.step)
    }

    /// The model at a point.
    fn model(&self, point: &[Value]) -> Result<Model, Diagnostics> {
        let given = self.names.iter().zip(point).map(|(name, value)| (name.clone(), value.text()));
        let set: Vec<(String, String)> = self.set.iter().cloned().chain(given).collect();
        Model::from_text(&self.text, &self.file, &set)
    }

    /// What is derived depends on these values.
    fn key(&self, point: &[Value]) -> Vec<String> {
        let others = self.slots.iter().zip(point).filter(|(slot, _)| **slot == Slot::Other);
        others.map(|(_, value)| value.text()).collect()
    }
}

impl Task for Simulations {
    fn columns(&self) -> Vec<Column> {
        row::columns(&self.coordinates, &self.measures)
    }

    fn rows(&self, points: &[Vec<Value>], stop: Stop<'_>) -> Result<Vec<Vec<Cell>>, SweepError> {
        let mut order: Vec<(Vec<String>, usize)> = points.iter().map(|point| self.key(point)).zip(0..).collect();
        order.sort();
        let mut rows = vec![Vec::new(); points.len()];
        let mut kept: Option<(Vec<String>, Base)> = None;
        let mut runs: HashMap<Vec<String>, usize> = HashMap::new();
        order.iter().for_each(|(key, _)| *runs.entry(key.clone()).or_default() += 1);
        for (key, place) in order {
            if stop() {
                return Err(SweepError::Stopped);
            }
            let point = &points[place];
            kept = kept.filter(|(known, _)| *known == key);
            let base = match kept.take() {
                Some((_, base)) => Ok(base),
                None => Base::new(self, point, runs[&key]),
            };
            rows[place] = match base {
                Ok(mut base) => {
                    let row = base.row(self, point, stop)?;
                    kept = Some((key, base));
                    row
                }
                Err(message) => row::refused(&message, &self.coordinates, &self.measures),
            };
        }
        Ok(rows)
    }
}

/// What a name is about.
fn slot(name: &str, coordinates: &[String]) -> Slot {
    let bare = name.strip_prefix("coordinates.").unwrap_or(name);
    let place = |wanted: &str| coordinates.iter().position(|known| known == wanted);
    match bare.strip_suffix('\'') {
        Some(coordinate) => place(coordinate).map_or(Slot::Other, Slot::Rate),
        None => place(bare).map_or(Slot::Other, Slot::Position),
    }
}

/// The model has the name, and knows the words; a number that it refuses is a row.
fn check(sweep: &Sweep, axis: &Axis) -> Result<(), SweepError> {
    let is_word = matches!(axis.values, Values::Words(_));
    for k in 0..if is_word { axis.values.len() } else { 1 } {
        let given = (axis.name.clone(), axis.values.get(k).text());
        let set: Vec<(String, String)> = sweep.set.iter().cloned().chain([given]).collect();
        match Model::from_text(&sweep.text, &sweep.file, &set) {
            Ok(model) if is_word => drop(Plan::new(&model, Backend::fastest())?),
            Ok(_) => {}
            Err(mut found) => {
                let is_wrong = |code: &str| is_word || code == "unknown-name";
                found.0.retain(|remark| remark.file == "--set" && is_wrong(remark.code));
                if !found.0.is_empty() {
                    return Err(SweepError::Model(found));
                }
            }
        }
    }
    Ok(())
}

/// What is wrong with a formula, and what to write instead.
fn explain(error: &MeasureError) -> String {
    match error {
        MeasureError::Formula(parse) => match parse.help() {
            Some(help) => format!("{parse}; {help}"),
            None => parse.to_string(),
        },
        MeasureError::Function(_) => error.to_string(),
    }
}

/// The first thing that is wrong, without places: a row has no room for more.
fn first(found: &Diagnostics) -> String {
    found.0.first().map_or_else(String::new, |remark| remark.message.clone())
}

/// The same of a run that did not begin.
fn reason(error: &RunError) -> String {
    match error {
        RunError::Model(found) => first(found),
        other => other.to_string(),
    }
}
