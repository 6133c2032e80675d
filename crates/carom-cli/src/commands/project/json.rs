//! A projection as one object.

use super::describe::SEPARABLE;
use super::report::Report;
use carom::expr::Id;
use carom::model::projection::{Arc, Check, NormalForm, ProjectionKind};
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// Formulas are cut at 4000 characters; numbers that are not finite are `null`.
pub fn object(report: &Report<'_>, impact: Option<&[f64]>, files: &[PathBuf]) -> Value {
    let solved: Map<String, Value> =
        report.solved().into_iter().map(|(name, id)| (name.to_owned(), report.formula(id).into())).collect();
    let constraints: Vec<&str> = report.model.system.constraints().iter().map(|c| c.name.as_str()).collect();
    let mut object = json!({
        "valid": true,
        "model": report.model.system.name(),
        "contact": report.simple().contact,
        "gap": report.formula(report.simple().gap),
        "constraints": constraints,
        "solved_for": solved,
        "coordinates": report.names(),
    });
    match report.projection.kind() {
        ProjectionKind::Global(normal) => {
            object["kind"] = "global".into();
            object["normal_form"] = normal_form(report, normal);
        }
        ProjectionKind::Circle(arc) => {
            object["kind"] = "circle".into();
            object["circle"] = circle(arc);
        }
        ProjectionKind::Local(_) => object["kind"] = "local".into(),
    }
    object["local_impact"] = impact.map_or(Value::Null, |impact| by_name(report, impact));
    object["verification"] = verification(report);
    object["files"] = files.iter().map(|file| file.to_string_lossy()).collect();
    object
}

fn by_name(report: &Report<'_>, values: &[f64]) -> Value {
    let pairs = report.names().into_iter().zip(values);
    pairs.map(|(name, value)| (name.to_owned(), Value::from(*value))).collect::<Map<_, _>>().into()
}

fn normal_form(report: &Report<'_>, normal: &NormalForm) -> Value {
    let formulas = |ids: &[Id]| ids.iter().map(|&id| report.formula(id)).collect::<Vec<_>>();
    let rows = |ids: &[Id], n: usize| ids.chunks(n.max(1)).map(formulas).collect::<Vec<_>>();
    let (names, others) = (report.names(), &normal.others);
    json!({
        "replaced": names[normal.monotonic.coordinate],
        "kept": others.iter().map(|&other| names[other]).collect::<Vec<_>>(),
        "least_slope": normal.monotonic.least,
        "grows": normal.monotonic.grows,
        "linear": normal.monotonic.is_linear,
        "delta": formulas(&normal.delta),
        "lambda": rows(&normal.lambda, others.len()),
        "mass": rows(&normal.mass, others.len() + 1),
        "supremum": {
            "attained": normal.supremum.lower,
            "at": by_name(report, &normal.supremum.at),
            "bound": normal.supremum.upper,
            "boxes": normal.supremum.boxes,
        },
        "least_k": normal.least_k(),
        "k": normal.k,
        "proved": normal.is_proved(),
    })
}

fn circle(arc: &Arc) -> Value {
    json!({
        "period": arc.period,
        "feasible": [arc.centre - arc.half, arc.centre + arc.half],
        "b1": arc.b1,
        "b3": arc.b3,
    })
}

fn verification(report: &Report<'_>) -> Value {
    let check = |check: &Check| {
        json!({
            "name": check.name,
            "holds": check.holds(),
            "worst": check.worst,
            "bound": check.bound,
            "samples": check.samples,
            "point": check.point,
        })
    };
    let found = report.verification;
    json!({
        "member": found.is_member(),
        "checks": found.checks.iter().map(check).collect::<Vec<_>>(),
        "separability": found.separability.as_ref().map(|(coupling, point)| {
            json!({ "separable": *coupling <= SEPARABLE, "coupling": coupling, "point": point })
        }),
    })
}
