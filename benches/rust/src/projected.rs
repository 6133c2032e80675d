//! Smooth paths against collisions, and the planner: `cargo run --release -p carom-bench --bin projected`.
//!
//! Times are the best of several runs in this process: the same motion through collisions and as the projection of a
//! smooth path, then the descent as printed and the whole search of seed 002's task, all on one core.

#![allow(clippy::print_stdout)] // a benchmark reports on standard output

use carom_control::ProblemFile;
use carom_control::planner::{PlanOptions, PlanStart, plan};
use carom_flow::{Flow, FlowOptions, FlowSchedule, projected_flow};
use carom_model::Model;
use carom_model::projection::{Projection, ProjectionOptions};
use std::error::Error;
use std::path::Path;
use std::time::Instant;

/// Runs of which the fastest counts.
const RUNS: usize = 20;

fn main() -> Result<(), Box<dyn Error>> {
    println!("{:<18} {:>12} {:>12} {:>7}", "system", "collisions", "projected", "ratio");
    for (name, until) in [("bar", 3.0), ("constrained-bar", 3.0), ("sinusoid", 5.0), ("pendulum", 5.0)] {
        let [collisions, projected] = flows(name, until)?;
        let ratio = projected / collisions;
        println!("{name:<18} {:>9.3} ms {:>9.3} ms {ratio:>7.1}", 1e3 * collisions, 1e3 * projected);
    }
    let file = ProblemFile::read(&folder().join("papers/002/plan.toml"), &[])?;
    for (name, options) in
        [("descent as printed", PlanOptions::printed(1000)), ("whole search", PlanOptions::default())]
    {
        let begin = Instant::now();
        let found = plan(&file.problem, &PlanStart::default(), &options, &mut |_| true)?;
        let seconds = begin.elapsed().as_secs_f64();
        let last = found.descent.last().map_or(f64::NAN, |last| last.costs.total);
        println!(
            "{name}: {seconds:.2} s, {} iterations to {last:.4}, {} programs",
            found.descent.len() - 1,
            found.solved
        );
        for motion in &found.motions {
            let worst = motion.certificate.worst();
            println!("  {} impacts: {:.9}, conditions of optimality to {worst:.0e}", motion.times.len(), motion.cost);
        }
    }
    Ok(())
}

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Seconds of both flows.
fn flows(name: &str, until: f64) -> Result<[f64; 2], Box<dyn Error>> {
    let model = Model::from_path(&folder().join(format!("papers/000/{name}.toml")), &[])?;
    let schedule = FlowSchedule { start: 0.0, until, output: until, max_step: f64::INFINITY };
    let projection = Projection::new(&model.system, &ProjectionOptions::default())?;
    let (q, v) = (&model.initial.q[..], &model.initial.v[..]);
    let mut best = [f64::INFINITY; 2];
    for _ in 0..RUNS {
        let run = Flow::new(&model.system, FlowOptions::default())?.run(q, v, schedule, &mut |_| true)?;
        best[0] = best[0].min(run.statistics.wall_seconds);
        let options = FlowOptions::default();
        let run = projected_flow(&model.system, &projection, options, schedule, (q, v), &mut |_| true)?;
        best[1] = best[1].min(run.trajectory.statistics.wall_seconds);
    }
    Ok(best)
}
