//! `--projected`: motions with impacts along smooth paths.

use crate::args::Design;
use crate::failure::Failure;
use crate::table::number;
use carom::Ending;
use carom::discrete::simulate_projected;
use carom::flow::projected_flow;
use carom::impact::{Crossing, ProjectedPath, ProjectedRun};
use carom::model::projection::{Projection, ProjectionKind};
use carom::run::{Integrator, Observer, Outcome, Plan, Start, flow_options, flow_schedule, refused};
use serde_json::{Value, json};
use std::time::Instant;

/// A smooth path, and what projects it.
pub struct Smooth {
    /// The path.
    pub path: ProjectedPath,
    /// The projection in words.
    pub about: String,
}

impl Smooth {
    /// How often the boundary is crossed, and how smooth the path is there.
    pub fn smoothness(&self) -> String {
        let crossings = &self.path.crossings;
        let largest = crossings.iter().map(Crossing::kink).fold(0.0, f64::max);
        match crossings.len() {
            0 => "never crosses the boundary".to_owned(),
            1 => format!("crosses the boundary once; z' jumps by {largest:.1e} of its size"),
            count => format!("crosses the boundary {count} times; z' jumps by at most {largest:.1e} of its size"),
        }
    }
}

/// Runs along the smooth path, by whatever integrates.
pub fn run(
    integrator: &Integrator,
    Start { system, q, v }: Start<'_>,
    projection: &Projection,
    plan: &Plan,
    observe: Observer<'_>,
) -> Result<(Outcome, ProjectedPath), Failure> {
    let clock = Instant::now();
    let ProjectedRun { mut trajectory, path } = match integrator {
        Integrator::Fixed(method) => {
            let method = (method, plan.options());
            simulate_projected(system, projection, method, plan.schedule(), (q, v), observe)?
        }
        Integrator::Taylor => {
            let (options, schedule) = (flow_options(plan), flow_schedule(plan));
            projected_flow(system, projection, options, schedule, (q, v), observe).map_err(refused)?
        }
        Integrator::Energy(_) => {
            let why = format!("--projected with `{integrator}`: steps that choose their durations meet no boundary");
            return Err(Failure::Settings(format!("{why}; use a method of fixed steps, or --method taylor")));
        }
    };
    let statistics = &mut trajectory.statistics;
    statistics.setup_seconds = (clock.elapsed().as_secs_f64() - statistics.wall_seconds).max(0.0);
    let error = match &trajectory.ending {
        Ending::Completed => None,
        Ending::Failed { message, .. } => Some(message.clone()),
    };
    Ok((Outcome { trajectory, error }, path))
}

/// What the manifest remembers.
pub fn describe(projection: &Projection, design: &Design) -> Value {
    let domain: Vec<String> = design.domain.iter().map(|(name, [from, to])| format!("{name}={from}:{to}")).collect();
    let coordinates = &projection.simple().coordinates;
    match projection.kind() {
        ProjectionKind::Global(normal) => json!({
            "kind": "global",
            "coordinate": coordinates[normal.monotonic.coordinate].name,
            "k": normal.k,
            "domain": domain,
        }),
        ProjectionKind::Circle(arc) => json!({ "kind": "circle", "b1": arc.b1, "b3": arc.b3 }),
        ProjectionKind::Local(local) => json!({ "kind": "local", "impact": local.impact }),
    }
}

/// A projection on one line.
pub fn in_words(projection: &Projection) -> String {
    let simple = projection.simple();
    match projection.kind() {
        ProjectionKind::Global(normal) => {
            let replaced = &simple.coordinates[normal.monotonic.coordinate].name;
            let proof = if normal.is_proved() { "" } else { ", not proved to be invertible" };
            format!(
                "through the normal form, the gap of `{}` for {replaced}, k = {}{proof}",
                simple.contact,
                number(normal.k, 6)
            )
        }
        ProjectionKind::Circle(_) => format!("of the circle of {} onto an arc", simple.coordinates[0].name),
        ProjectionKind::Local(_) => "local".to_owned(),
    }
}
