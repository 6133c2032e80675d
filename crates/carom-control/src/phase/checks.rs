//! What is wrong with a phase, before anything is derived.

use super::{MAX_INTERVALS, unknown};
use crate::error::ControlError;
use crate::problem::{Duration, Phase};
use carom_nlp::Range;

/// A coordinate that a constraint holds must be allowed to be there.
pub(super) fn check_pins(phase: &Phase, pinned: &[Option<f64>]) -> Result<(), ControlError> {
    for (coordinate, pin) in phase.system.coordinates().iter().zip(pinned) {
        let Some(value) = *pin else { continue };
        let rate = format!("{}'", coordinate.name);
        for (name, range) in &phase.bounds {
            let held = if name == &coordinate.name { value } else { 0.0 };
            if (name == &coordinate.name || name == &rate) && range.violation(held) > 0.0 {
                let (lower, upper) = (range.lower.max(held), range.upper.min(held));
                let name = format!("{name} (held at {held} by a constraint)");
                return Err(ControlError::Crossed { phase: phase.name.clone(), name, lower, upper });
            }
        }
    }
    Ok(())
}

pub(super) fn check(phase: &Phase) -> Result<(), ControlError> {
    let name = || phase.name.clone();
    if phase.intervals == 0 || phase.intervals > MAX_INTERVALS {
        return Err(ControlError::Intervals { phase: name(), intervals: phase.intervals, limit: MAX_INTERVALS });
    }
    let shares = &phase.shares;
    let total: f64 = shares.iter().sum();
    let is_wrong = shares.len() != phase.intervals
        || shares.iter().any(|&share| share.is_nan() || share <= 0.0)
        || (total - 1.0).abs() > 1e-9;
    if !shares.is_empty() && is_wrong {
        return Err(ControlError::Mesh { phase: name(), found: shares.len(), intervals: phase.intervals });
    }
    let lowest = match phase.duration {
        Duration::Fixed(duration) => duration,
        Duration::Free { range, guess } => {
            crossed(phase, "the duration", range)?;
            guess.min(range.lower)
        }
    };
    if !(lowest > 0.0 && phase.duration.guess().is_finite()) {
        return Err(ControlError::Duration { phase: name(), value: lowest });
    }
    let mut known: Vec<String> = phase.system.coordinate_names();
    known.extend(phase.system.coordinate_names().iter().map(|name| format!("{name}'")));
    known.extend(phase.system.inputs().iter().map(|input| input.name.clone()));
    for (bounded, range) in &phase.bounds {
        if !known.contains(bounded) {
            return Err(unknown(phase, "coordinate, rate or input", bounded, known));
        }
        crossed(phase, bounded, *range)?;
    }
    let conditions = phase.start.iter().chain(&phase.end).chain(phase.path.iter().map(|path| &path.condition));
    conditions.into_iter().try_for_each(|condition| crossed(phase, &condition.name, condition.range))
}

pub(super) fn crossed(phase: &Phase, name: &str, range: Range) -> Result<(), ControlError> {
    if range.lower <= range.upper {
        return Ok(());
    }
    let (lower, upper) = (range.lower, range.upper);
    Err(ControlError::Crossed { phase: phase.name.clone(), name: name.to_owned(), lower, upper })
}
