//! What is swept: everything that decides the result.

use crate::simulation::Simulations;
use crate::worker::{Task, Worker};
use crate::{NamedMeasure, Points, SweepError, json};
use serde_json::Value;

/// Parts that even a small sweep has, if it has as many points, so that many workers share it.
const PARTS: usize = 64;
/// Most simulations of a part.
const MAX_ROWS: usize = 500;
/// Steps of a part: about a second.
const STEPS: f64 = 2e5;

/// What is done at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A model is simulated.
    Simulation,
    /// A control problem is solved.
    Optimisation,
    /// The cost of a study is evaluated at a design.
    Design,
}

impl Kind {
    /// Every kind with its name in files.
    pub const NAMED: [(&'static str, Self); 3] =
        [("simulation", Self::Simulation), ("optimisation", Self::Optimisation), ("design", Self::Design)];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        Self::NAMED.into_iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }
}

/// Everything that decides the table of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// What is done at a point.
    pub kind: Kind,
    /// The name of the file, for messages.
    pub file: String,
    /// Its text.
    pub text: String,
    /// Names and texts of further files that it names.
    pub beside: Vec<(String, String)>,
    /// Values for parameters and settings that all points share.
    pub set: Vec<(String, String)>,
    /// The points.
    pub points: Points,
    /// Columns of the user's own, of simulations.
    pub measures: Vec<NamedMeasure>,
    /// Points of a part; the last one may have less. [`Sweep::choose_part_rows`] finds a number.
    pub part_rows: usize,
}

impl Sweep {
    /// One point: the file as it is.
    pub fn new(kind: Kind, file: &str, text: &str) -> Self {
        Self {
            kind,
            file: file.to_owned(),
            text: text.to_owned(),
            beside: Vec::new(),
            set: Vec::new(),
            points: Points::Grid(Vec::new()),
            measures: Vec::new(),
            part_rows: 1,
        }
    }

    /// Chooses parts that take about a second each, and enough of them; not by the machine, so that every machine has the same.
    pub fn choose_part_rows(&mut self) {
        let rows = match self.kind {
            Kind::Simulation => {
                let steps = Simulations::steps(self).unwrap_or(1.0).max(1.0);
                (STEPS / steps).min(MAX_ROWS as f64).min((self.points.len() / PARTS) as f64) as usize
            }
            Kind::Optimisation | Kind::Design => 1,
        };
        self.part_rows = rows.max(1);
    }

    /// How many parts there are.
    pub fn parts(&self) -> usize {
        self.points.len().div_ceil(self.part_rows.max(1))
    }

    /// The points of part `k`.
    pub fn part(&self, k: usize) -> std::ops::Range<usize> {
        let start = k.saturating_mul(self.part_rows.max(1)).min(self.points.len());
        start..(start + self.part_rows.max(1)).min(self.points.len())
    }

    /// The sweep as JSON.
    pub fn to_json(&self) -> String {
        format!("{:#}\n", self.to_value())
    }

    /// The same as a value.
    pub fn to_value(&self) -> Value {
        json::write(self)
    }

    /// Reads what [`Sweep::to_json`] has written. Of these, only `text` is needed: what is absent is as in [`Sweep::new`], and a
    /// number of rows is chosen.
    pub fn from_json(text: &str) -> Result<Self, SweepError> {
        let value: Value =
            serde_json::from_str(text).map_err(|_| SweepError::Json { field: "json".into(), expected: "JSON" })?;
        json::read(&value)
    }

    /// Everything checked and derived, ready to compute parts.
    pub fn prepare(&self) -> Result<Worker, SweepError> {
        self.points.check()?;
        if self.part_rows == 0 {
            return Err(SweepError::Points("a part has at least 1 row".to_owned()));
        }
        if self.kind != Kind::Simulation && !self.measures.is_empty() {
            let message = "measures belong to simulations; control problems and studies have their costs".to_owned();
            return Err(SweepError::NotSupported(message));
        }
        let task: Box<dyn Task> = match self.kind {
            Kind::Simulation => Box::new(Simulations::new(self)?),
            #[cfg(feature = "optimal-control")]
            Kind::Optimisation => Box::new(crate::optimisation::Optimisations::new(self)?),
            #[cfg(feature = "optimal-control")]
            Kind::Design => Box::new(crate::design::Designs::new(self)?),
            #[cfg(not(feature = "optimal-control"))]
            other => {
                let message = format!("this carom was built without optimal control: no sweeps of {}s", other.name());
                return Err(SweepError::NotSupported(message));
            }
        };
        Worker::new(self.clone(), task)
    }
}
