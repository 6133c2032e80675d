//! Quasivelocities over time.

use super::check_model;
use super::series::{Quantity, column, share};
use super::timeline::{Stop, Timeline};
use crate::Run;
use crate::error::ReportError;
use crate::frame::Speeds;
use std::path::{Path, PathBuf};

/// Draws every quasivelocity over time; nothing if the model has no frame. Impacts are jumps.
///
/// More than six share panels, six curves in each at most.
pub fn quasivelocities(run: &Run<'_>, folder: &Path) -> Result<Option<PathBuf>, ReportError> {
    check_model(run)?;
    let (trajectory, n) = (run.trajectory, run.system.dimension());
    let names = &trajectory.quasivelocities;
    let Some(mut speeds) = Speeds::new(run.system).filter(|_| !names.is_empty()) else { return Ok(None) };
    let unit = |name: &str| run.quasivelocities.iter().find(|known| known.name == name)?.unit.as_deref();
    let list: Vec<Quantity<'_>> = names.iter().map(|name| Quantity { name, unit: unit(name) }).collect();
    let timeline = Timeline::new(trajectory);
    // Impacts have velocities only.
    let mut at = |stop: Stop<'_>, i: usize| match stop {
        Stop::Node(k) => trajectory.w.get(k * names.len() + i).copied(),
        Stop::Before(impact) => speeds.of(&impact.q, &impact.v_minus, n).get(i).copied(),
        Stop::After(impact) => speeds.of(&impact.q_plus, &impact.v_plus, n).get(i).copied(),
    };
    let rows = share(&list, "quasivelocities", |index| {
        timeline.curve(|stop| [timeline.time(stop), at(stop, index).unwrap_or(f64::NAN)])
    });
    column(run, folder, "quasivelocities.svg", &rows).map(Some)
}
