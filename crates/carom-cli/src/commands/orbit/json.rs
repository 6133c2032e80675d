//! The object of `carom orbit --json`, and the table of a branch.

use super::Found;
use carom::control::orbit::{Bifurcation, Branch, BranchPoint, Fate, Multipliers, StepEnd};
use serde_json::{Map, Value, json};

/// Everything that was found.
pub(super) fn object(found: &Found<'_>) -> Value {
    let orbit = &found.orbit;
    let step = match found.setup.end {
        StepEnd::Period(period) => json!({ "period": period }),
        StepEnd::Impact { contact, count, within } => {
            json!({ "contact": found.model.system.contacts()[contact].name, "count": count, "within": within })
        }
    };
    let free: Vec<&String> = found.setup.free.iter().map(|&i| &found.names[i]).collect();
    let iterations: Vec<Value> = orbit
        .iterations
        .iter()
        .map(|it| json!({ "residual": it.residual, "step": it.step, "damping": it.damping }))
        .collect();
    let mut object = json!({
        "model": found.model.system.name(),
        "step": step,
        "comes_back": free,
        "equilibrium": found.is_equilibrium,
        "period": orbit.duration,
        "state": state(found, &orbit.state),
        "after": state(found, &orbit.image),
        "residual": orbit.residual,
        "iterations": iterations,
        "multipliers": multipliers(&orbit.multipliers),
        "multipliers_accuracy": orbit.multipliers.accuracy,
        "zero_multipliers": orbit.multipliers.zeros,
        "stability": orbit.multipliers.stability().name(),
        "derivative": orbit.derivative.state.chunks(free.len()).map(<[f64]>::to_vec).collect::<Vec<_>>(),
        "events": orbit.step.motion.impacts.iter().map(|impact| impact.t).collect::<Vec<_>>(),
        "files": found.files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>(),
    });
    if !found.branches.is_empty() {
        let branches: Vec<Value> = found.branches.iter().map(|own| branch(found, own)).collect();
        object["parameter"] = json!(found.parameter);
        object["branches"] = branches.into();
    }
    if let Some((basin, _)) = &found.basin {
        let axis = |k: usize| {
            let axis = &basin.axes[k];
            json!({ "name": axis.name, "from": axis.range.0, "to": axis.range.1, "cells": axis.count })
        };
        let fates: Vec<Value> = basin.fates.iter().map(fate).collect();
        object["basin"] = json!({ "x": axis(0), "y": axis(1), "reached": basin.reached(), "steps": fates });
    }
    object
}

/// Steps to the orbit; -1 elsewhere, none for starts that come to no further step.
fn fate(fate: &Fate) -> Value {
    match fate {
        Fate::Reaches(steps) => json!(steps),
        Fate::Elsewhere => json!(-1),
        Fate::Fails(_) => Value::Null,
    }
}

fn state(found: &Found<'_>, state: &[f64]) -> Value {
    let entries = found.names.iter().zip(state).map(|(name, value)| (name.clone(), json!(value)));
    Value::Object(entries.collect::<Map<_, _>>())
}

fn multipliers(multipliers: &Multipliers) -> Value {
    multipliers.values.iter().map(|(re, im)| json!({ "re": re, "im": im })).collect()
}

fn point(found: &Found<'_>, point: &BranchPoint) -> Value {
    json!({
        "parameter": point.parameter,
        "state": state(found, &point.state),
        "period": point.duration,
        "multipliers": multipliers(&point.multipliers),
        "stability": point.multipliers.stability().name(),
    })
}

fn branch(found: &Found<'_>, branch: &Branch) -> Value {
    let special = |own: &Bifurcation| {
        let mut value = point(found, &own.orbit);
        (value["kind"], value["uncertainty"]) = (json!(own.kind.name()), json!(own.uncertainty));
        value
    };
    json!({
        "points": branch.points.iter().map(|own| point(found, own)).collect::<Vec<_>>(),
        "bifurcations": branch.bifurcations.iter().map(special).collect::<Vec<_>>(),
        "ending": branch.ending,
    })
}

/// A branch as text, one orbit per line, bifurcations in between marked by their kind.
pub(super) fn csv(found: &Found<'_>, branch: &Branch) -> String {
    let most = branch.points.iter().map(|point| point.multipliers.values.len()).max().unwrap_or(0);
    let mut head = vec![found.parameter.clone()];
    head.extend(found.names.iter().cloned());
    head.push("period".to_owned());
    head.extend((1..=most).flat_map(|k| [format!("re{k}"), format!("im{k}")]));
    head.extend(["stability".to_owned(), "kind".to_owned()]);
    let mut lines = vec![head.join(",")];
    let line = |point: &BranchPoint, kind: &str| {
        let mut cells: Vec<String> = [point.parameter].iter().chain(&point.state).map(|x| format!("{x:?}")).collect();
        cells.push(format!("{:?}", point.duration));
        let values = &point.multipliers.values;
        cells.extend((0..most).flat_map(|k| match values.get(k) {
            Some((re, im)) => [format!("{re:?}"), format!("{im:?}")],
            None => [String::new(), String::new()],
        }));
        cells.extend([point.multipliers.stability().name().to_owned(), kind.to_owned()]);
        cells.join(",")
    };
    lines.extend(branch.points.iter().map(|point| line(point, "")));
    lines.extend(branch.bifurcations.iter().map(|found| line(&found.orbit, found.kind.name())));
    lines.join("\n") + "\n"
}
