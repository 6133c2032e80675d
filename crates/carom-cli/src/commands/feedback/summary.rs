//! What a regulator came to: as JSON, and on one screen.

use super::Found;
use crate::output::complain;
use crate::table::{Table, duration};
use carom::control::{Pursuit, PursuitEnd, PursuitStep};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Multipliers that are shown.
const SHOWN: usize = 8;

pub(super) fn describe(found: &Found) -> Value {
    let regulator = &found.regulator;
    let motion = |motion: &Pursuit| {
        let step = |step: &PursuitStep| json!({ "t": step.t, "distance": step.distance, "late": step.late });
        json!({
            "completed": motion.end == PursuitEnd::Completed,
            "end": ending(motion),
            "steps": motion.steps.iter().map(step).collect::<Vec<_>>(),
            "final_distance": last_distance(motion),
            "least_normal_force": motion.least_force,
            "t": motion.nodes.iter().map(|node| node.t).collect::<Vec<_>>(),
            "distance": motion.nodes.iter().map(|node| node.distance).collect::<Vec<_>>(),
        })
    };
    let (open, closed) = regulator.spectral_radii();
    let phases = regulator.phases.iter().map(|phase| json!({ "name": phase.name, "gains": phase.gains }));
    json!({
        "periodic": regulator.is_periodic,
        "multipliers": { "open": regulator.open, "closed": regulator.closed },
        "spectral_radius": { "open": open, "closed": closed },
        "defect": regulator.defect,
        "periods_of_riccati": regulator.periods,
        "push": { "time": found.push.time, "velocity": found.push.velocity },
        "with_feedback": motion(&found.with),
        "without_feedback": motion(&found.without),
        "robustness": found.robustness.as_ref().map(|r| json!({ "sizes": r.sizes, "times": r.times, "steps": r.steps })),
        "phases": phases.collect::<Vec<_>>(),
        "wall_s": found.seconds,
    })
}

/// Distance from the plan where the motion ends, in parts of its size.
fn last_distance(motion: &Pursuit) -> Option<f64> {
    let at_node = || motion.nodes.last().map(|node| node.distance);
    motion.end_distance.or_else(at_node)
}

fn ending(motion: &Pursuit) -> String {
    match &motion.end {
        PursuitEnd::Completed if motion.steps.is_empty() => "the motion was followed to its end".to_owned(),
        PursuitEnd::Completed => "all steps were made".to_owned(),
        PursuitEnd::Lost { time, distance } => {
            format!("lost at t = {time:.4}, {distance:.2} times the size of the motion from the plan")
        }
        PursuitEnd::Missed { time, contact } => format!("contact `{contact}` was not met by t = {time:.4}"),
        PursuitEnd::Stopped { time, why } => format!("stopped at t = {time:.4}: {why}"),
    }
}

pub(super) fn table(found: &Found, files: &[PathBuf]) -> String {
    let regulator = &found.regulator;
    let mut table = Table::default();
    let intervals: usize = regulator.phases.iter().map(|phase| phase.gains.len()).sum();
    let periods =
        if regulator.is_periodic { format!(", periodic after {} sweeps", regulator.periods) } else { String::new() };
    table.row(["regulator", &format!("{intervals} intervals{periods}, in {}", duration(found.seconds))]);
    table.row(["plan", &format!("off the flow by {:.1e} of the motion per interval at most", regulator.defect)]);
    if regulator.is_periodic {
        table.row(["open loop", &multipliers(&regulator.open)]);
        table.row(["closed", &multipliers(&regulator.closed)]);
    }
    table.row(["push", &found.what]);
    for (name, motion) in [("with", &found.with), ("without", &found.without)] {
        let distances: Vec<String> = motion.steps.iter().map(|step| format!("{:.1e}", step.distance)).collect();
        let steps = match last_distance(motion) {
            _ if !distances.is_empty() => format!("; after each step {}", distances.join(", ")),
            Some(distance) => format!("; at the end {distance:.1e} of the motion from the plan"),
            None => String::new(),
        };
        table.row([name, &format!("{}{steps}", ending(motion))]);
    }
    if let Some(least) = found.with.least_force {
        table.row(["ground", &format!("least normal force {least:.4} with feedback")]);
        if least < 0.0 {
            complain(&"note: with feedback a closed contact would have to pull; the real one would open");
        }
    }
    if let Some(r) = &found.robustness {
        let back = r.steps.iter().filter(|steps| **steps > 0).count();
        table.row(["robustness", &format!("{back} of {} pushes are forgotten within {} steps", r.steps.len(), r.most)]);
    }
    table.list("files", files.iter().map(|file| file.display().to_string()));
    table.to_string()
}

/// Multipliers, largest first; of a pair one.
fn multipliers(all: &[(f64, f64)]) -> String {
    let shown = all.iter().filter(|(_, im)| *im >= 0.0).take(SHOWN).map(|(re, im)| match *im {
        0.0 => format!("{re:.4e}"),
        im => format!("{re:.4e} ± {im:.4e} i"),
    });
    shown.collect::<Vec<_>>().join(", ")
}
