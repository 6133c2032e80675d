//! What one step of an orbit is.

use super::error::OrbitError;
use carom_flow::Until;
use carom_model::{Model, System};

/// Where a step ends.
#[derive(Clone, Debug, PartialEq)]
pub enum StepEnd {
    /// Right after an impact.
    Impact {
        /// Index of the contact.
        contact: usize,
        /// After how many of its impacts.
        count: usize,
        /// The longest duration.
        within: f64,
    },
    /// After a given time.
    Period(f64),
}

/// The longest duration of a step, if nothing else is said.
const WITHIN: f64 = 100.0;

/// What one step is, and what must come back after it.
#[derive(Clone, Debug, PartialEq)]
pub struct OrbitSetup {
    /// Where a step ends.
    pub end: StepEnd,
    /// Indices into `(q, v)` of what must come back.
    pub free: Vec<usize>,
}

/// What the command line says about a step, instead of the section `[orbit]`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OrbitChoice {
    /// Name of the contact.
    pub contact: Option<String>,
    /// Number of impacts.
    pub count: Option<usize>,
    /// Duration of a step.
    pub period: Option<f64>,
    /// Longest duration of a step.
    pub within: Option<f64>,
    /// Coordinates and rates that need not come back, besides those of the file.
    pub drift: Vec<String>,
}

impl OrbitSetup {
    /// The step of a model, as its file and the command line say.
    pub fn new(model: &Model, choice: &OrbitChoice) -> Result<Self, OrbitError> {
        let (file, system) = (&model.orbit, &model.system);
        // A contact on the command line replaces a period of the file, and the other way round.
        let period = choice.period.or(file.period.filter(|_| choice.contact.is_none()));
        let end = match period {
            Some(period) if period > 0.0 && period.is_finite() => StepEnd::Period(period),
            Some(value) => return Err(OrbitError::BadSetting { name: "period", value, expected: "a positive number" }),
            None => {
                let name = choice.contact.as_ref().or(file.contact.as_ref());
                let within = choice.within.or(file.within).unwrap_or(WITHIN);
                if !(within > 0.0 && within.is_finite()) {
                    let expected = "a positive number";
                    return Err(OrbitError::BadSetting { name: "within", value: within, expected });
                }
                let count = choice.count.or(file.count).unwrap_or(1).max(1);
                let contact = contact(system, name)?;
                if system.dynamics().is_time_dependent() {
                    return Err(OrbitError::PhaseUnknown { contact: system.contacts()[contact].name.clone() });
                }
                StepEnd::Impact { contact, count, within }
            }
        };
        let mut free: Vec<usize> = (0..2 * system.dimension()).collect();
        for name in file.drift.iter().chain(&choice.drift) {
            let place = state_index(system, name)?;
            free.retain(|&index| index != place);
        }
        if free.is_empty() { Err(OrbitError::NothingComesBack) } else { Ok(Self { end, free }) }
    }

    /// The same with `factor` times as many impacts, or as much time.
    pub fn times(&self, factor: usize) -> Self {
        let end = match self.end {
            StepEnd::Impact { contact, count, within } => {
                StepEnd::Impact { contact, count: count * factor, within: within * factor as f64 }
            }
            StepEnd::Period(period) => StepEnd::Period(period * factor as f64),
        };
        Self { end, free: self.free.clone() }
    }

    /// Where the motion ends that starts at time zero.
    pub(super) fn until(&self) -> Until {
        match self.end {
            StepEnd::Impact { contact, count, within } => Until::Impact { contact, count, latest: within },
            StepEnd::Period(period) => Until::Time(period),
        }
    }
}

fn contact(system: &System, name: Option<&String>) -> Result<usize, OrbitError> {
    let contacts = system.contacts();
    match name {
        None if contacts.is_empty() => Err(OrbitError::NoContact),
        None => Ok(0),
        Some(name) => contacts.iter().position(|contact| contact.name == *name).ok_or_else(|| {
            let known: Vec<&str> = contacts.iter().map(|contact| contact.name.as_str()).collect();
            OrbitError::UnknownContact { name: name.clone(), known: known.join(", ") }
        }),
    }
}

/// Index into `(q, v)` of a coordinate `x` or a rate `x'`.
pub fn state_index(system: &System, name: &str) -> Result<usize, OrbitError> {
    let names = state_names(system);
    names
        .iter()
        .position(|known| known == name)
        .ok_or_else(|| OrbitError::UnknownState { name: name.to_owned(), known: names.join(", ") })
}

/// Names of `(q, v)`.
pub fn state_names(system: &System) -> Vec<String> {
    let names = system.coordinate_names();
    let rates: Vec<String> = names.iter().map(|name| format!("{name}'")).collect();
    [names, rates].concat()
}
