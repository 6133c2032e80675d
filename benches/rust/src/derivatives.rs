//! What derivatives through impacts cost, in runs without derivatives.
//!
//! `cargo run --release -p carom-bench --bin derivatives` prints one JSON object per job: seconds of a run, of a recorded
//! run, of the derivative forward and of one gradient by the adjoint with the fewest and the most parameters, all the best
//! of several, with the ratios to the run.
#![allow(clippy::print_stdout)] // a benchmark reports on standard output

use carom::discrete::{DiscreteTangent, Method, Options, Schedule, Simulation};
use carom::{Model, impact::ContactOptions};
use serde_json::json;
use std::time::Instant;

/// Runs of one measurement; the best counts.
const REPETITIONS: usize = 30;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let all: &[&str] = &["m", "g", "a", "b"];
    measure("ellipse", "papers/004/ellipse.toml", "midpoint", (0.01, 4.0), &[&[], &["m"], all])?;
    measure("ellipse", "papers/004/ellipse.toml", "gauss2", (0.01, 4.0), &[&[], &["m"], all])?;
    let links: &[&str] = &["m", "g", "l"];
    measure("chain of 4", "examples/planar-chain-4.toml", "midpoint", (0.01, 4.0), &[&[], &["m"], links])?;
    Ok(())
}

fn best<T>(mut job: impl FnMut() -> Result<T, Failure>) -> Result<(f64, T), Failure> {
    let mut least = f64::INFINITY;
    let mut last = job()?;
    for _ in 0..REPETITIONS {
        let clock = Instant::now();
        last = job()?;
        least = least.min(clock.elapsed().as_secs_f64());
    }
    Ok((least, last))
}

fn measure(name: &str, path: &str, rule: &str, (step, until): (f64, f64), lists: &[&[&str]]) -> Result<(), Failure> {
    let model = Model::from_path(std::path::Path::new(path), &[])?;
    let (method, contacts) = (Method::parse(rule)?, ContactOptions::default());
    let options = Options { contacts, ..Options::default() };
    let schedule = Schedule { start: 0.0, until, step, every: 1 };
    let (q, v) = (&model.initial.q, &model.initial.v);
    // Only the run counts, not what is derived and compiled before it.
    let mut seconds = f64::INFINITY;
    let mut record = None;
    for _ in 0..REPETITIONS {
        let simulation = Simulation::new(&model.system, &method, options)?;
        let trajectory = simulation.run(q, v, schedule, &mut |_| true)?;
        seconds = seconds.min(trajectory.statistics.wall_seconds);
        record = Some(Simulation::new(&model.system, &method, options)?.run_recorded(q, v, schedule, &mut |_| true)?);
    }
    let Some((trajectory, record)) = record else { return Ok(()) };
    for kept in lists {
        let mut tangent = DiscreteTangent::new(&model.system, kept, &method, options)?;
        let (forward, derivative) = best(|| Ok(tangent.forward(&record)?))?;
        let covector: Vec<f64> = vec![1.0; 2 * q.len()];
        let end = record.nodes() - 1;
        let (adjoint, _) = best(|| Ok(tangent.adjoint(&record, &[(end, covector.clone())])?))?;
        println!(
            "{}",
            json!({
                "job": name, "method": rule, "impacts": trajectory.impacts.len(), "segments": record.segments(),
                "parameters": kept.len(), "run_s": seconds, "recorded_s": trajectory.statistics.wall_seconds,
                "forward_s": forward, "adjoint_s": adjoint, "forward_runs": forward / seconds,
                "adjoint_runs": adjoint / seconds, "events": derivative.events.len(),
            })
        );
    }
    Ok(())
}
