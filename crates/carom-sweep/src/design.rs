//! The cost of a study at designs: its inner problem without its outer method.
//!
//! A study begins a solve with what neighbouring designs have left. Here every design is solved from the guess of the
//! problem, so that a row depends on its design alone.

use crate::axis::Value;
use crate::beside::opened;
use crate::cells::{Cell, Column, Type};
use crate::worker::{Stop, Task};
use crate::{Sweep, SweepError};
use carom_design::{Answer, Ask, Inner, StudyFile};
use carom_model::reading::suggest;

/// One study at other designs.
pub(crate) struct Designs {
    study: StudyFile,
    /// Where the design variables stand in a point; one that does not vary stays at its guess.
    places: Vec<Option<usize>>,
}

impl Designs {
    /// Checks the study and the names of the design variables.
    pub fn new(sweep: &Sweep) -> Result<Self, SweepError> {
        let study = StudyFile::from_text(&sweep.text, &sweep.file, &sweep.set, &|name| opened(&sweep.beside, name))?;
        if matches!(study.inner, Inner::Command(_)) {
            let message = "a sweep cannot repeat what a command prints; sweep over a `model` or a `problem`".to_owned();
            return Err(SweepError::NotSupported(message));
        }
        let known: Vec<&str> = study.study.variables.iter().map(|variable| variable.name.as_str()).collect();
        let names = sweep.points.names();
        if let Some(name) = names.iter().find(|name| !known.contains(name)) {
            let help = suggest(name, "design variables", &known);
            return Err(SweepError::Points(format!("the study has no design variable `{name}`; {help}")));
        }
        let places = known.iter().map(|known| names.iter().position(|name| name == known)).collect();
        Ok(Self { study, places })
    }

    /// The values of all design variables at a point.
    fn design(&self, point: &[Value]) -> Vec<f64> {
        let variables = self.study.study.variables.iter().zip(&self.places);
        let value = |place: &Option<usize>| place.and_then(|place| point[place].number());
        variables.map(|(variable, place)| value(place).unwrap_or_else(|| variable.first())).collect()
    }
}

impl Task for Designs {
    fn columns(&self) -> Vec<Column> {
        let kinds = [("cost", Type::Number), ("iterations", Type::Count), ("message", Type::Text)];
        kinds.map(|(name, kind)| Column::new(name, kind)).into_iter().collect()
    }

    fn rows(&self, points: &[Vec<Value>], stop: Stop<'_>) -> Result<Vec<Vec<Cell>>, SweepError> {
        let row = |point: &Vec<Value>| {
            let answer = self.study.inner.objective().evaluate(&Ask::At(self.design(point)), &[], stop);
            if answer.is_stopped || stop() { Err(SweepError::Stopped) } else { Ok(cells(&answer)) }
        };
        points.iter().map(row).collect()
    }
}

fn cells(answer: &Answer) -> Vec<Cell> {
    let message = answer.cost.is_none().then(|| answer.note.clone());
    vec![Cell::Number(answer.cost), Cell::Count(answer.iterations), Cell::Text(message)]
}
