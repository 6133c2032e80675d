//! Work and precision of the hybrid flow on the jobs of `benches/peers`: the ellipse, the ball to rest, the
//! sleigh on a round table.
//!
//! `cargo run --release -p carom-bench --bin impacts` prints one JSON object per job, with the keys of
//! `benches/peers/common.py`; names of works (W1, W3, W4) choose among them.
#![allow(clippy::print_stdout)] // a benchmark reports on standard output

use carom::flow::{FlowFormulation, FlowOptions, HybridTaylor};
use carom::impact::{ContactOptions, JumpKind, Life, Smooth};
use carom::{Model, Trajectory};
use serde_json::{Value, json};
use std::time::Instant;

/// Runs of one measurement; the best counts.
const REPETITIONS: usize = 200;

/// One of the works.
type Job = fn() -> Result<(), Box<dyn std::error::Error>>;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let chosen: Vec<String> = std::env::args().skip(1).collect();
    let jobs: [(&str, Job); 3] = [("W1", ellipses), ("W3", balls), ("W4", sleighs)];
    for (name, job) in jobs {
        if chosen.is_empty() || chosen.iter().any(|work| work == name) {
            job()?;
        }
    }
    Ok(())
}

fn ellipses() -> Result<(), Box<dyn std::error::Error>> {
    for (until, tolerance) in [(2.0, 1e-16), (2.0, 1e-13), (10.0, 1e-16), (25.0, 1e-16)] {
        let model = Model::from_path(std::path::Path::new("papers/004/ellipse.toml"), &[])?;
        let run = measure(&model, until, FlowOptions { tolerance, ..FlowOptions::default() })?;
        let times: Vec<f64> = run.trajectory.impacts.iter().map(|impact| impact.t).collect();
        // The model's order is theta, x, y; the reference's is x, y, theta.
        let q = [run.q[1], run.q[2], run.q[0]];
        let reference = |key: &str| numbers(&reference()["W1"][until.to_string()][key]);
        let error = reference("q").map(|exact| difference(&q, &exact).map(|d| d * d).sum::<f64>().sqrt());
        let late = reference("impacts")
            .filter(|exact| exact.len() == times.len())
            .map(|exact| difference(&times, &exact).fold(0.0, |most: f64, d| most.max(d.abs())));
        let setting = format!("Taylor tol={tolerance:e}");
        println!(
            "{}",
            json!({
                "peer": "carom", "work": "W1", "setting": setting, "T": until, "wall_s": run.seconds, "steps": run.steps,
                "pos_err": error, "n_impacts": times.len(), "t_imp_err": late, "compile_s": run.compile,
                "q": q, "times": times,
            })
        );
    }
    Ok(())
}

fn balls() -> Result<(), Box<dyn std::error::Error>> {
    for restitution in ["0.5", "0.95"] {
        let set = [("e".to_owned(), restitution.to_owned())];
        let model = Model::from_path(std::path::Path::new("examples/ball-to-rest.toml"), &set)?;
        let run = measure(&model, 20.0, FlowOptions::default())?;
        let e: f64 = restitution.parse()?;
        let exact = (2.0_f64 / 9.81).sqrt() * (1.0 + e) / (1.0 - e);
        let rest = run.trajectory.modes.first().map(|change| change.t);
        println!(
            "{}",
            json!({
                "peer": "carom", "work": "W3", "setting": "Taylor tol=1e-16, on to 20 s at rest", "e": e, "T": 20.0,
                "wall_s": run.seconds, "steps": run.steps, "n_impacts": run.trajectory.impacts.len(), "rest": rest,
                "rest_err": rest.map(|rest| (rest - exact).abs()), "compile_s": run.compile,
            })
        );
    }
    Ok(())
}

fn sleighs() -> Result<(), Box<dyn std::error::Error>> {
    let model = Model::from_path(std::path::Path::new("papers/003/sleigh.toml"), &[])?;
    for (name, formulation) in [("Hamel", FlowFormulation::Hamel), ("multipliers", FlowFormulation::Multipliers)] {
        for tolerance in [1e-16, 1e-12, 1e-11] {
            let run = measure(&model, 400.0, FlowOptions { tolerance, formulation, ..FlowOptions::default() })?;
            println!("{}", sleigh(&run, &format!("Taylor, {name}, tol={tolerance:e}")));
        }
    }
    Ok(())
}

/// The sleigh beside its closed form.
fn sleigh(run: &Run, setting: &str) -> Value {
    let times: Vec<f64> = run.trajectory.impacts.iter().map(|impact| impact.t).collect();
    let exact = |key: &str| numbers(&reference()["W4"][key]);
    let error = exact("q").map(|exact| difference(&run.q, &exact).map(|d| d * d).sum::<f64>().sqrt());
    let late = exact("impacts").filter(|exact| exact.len() == times.len());
    let late = late.map(|exact| difference(&times, &exact).fold(0.0, |most: f64, d| most.max(d.abs())));
    json!({
        "peer": "carom", "work": "W4", "setting": setting, "T": 400.0, "wall_s": run.seconds, "steps": run.steps,
        "pos_err": error, "n_impacts": times.len(), "t_imp_err": late, "compile_s": run.compile,
    })
}

/// The best of several runs.
struct Run {
    seconds: f64,
    /// Deriving and compiling the free motion, before the runs.
    compile: f64,
    /// Series computed in one run.
    steps: usize,
    /// Events of the last run.
    trajectory: Trajectory,
    /// The last configuration.
    q: Vec<f64>,
}

fn measure(model: &Model, until: f64, options: FlowOptions) -> Result<Run, Box<dyn std::error::Error>> {
    let in_frame = options.formulation != FlowFormulation::Multipliers;
    let contacts = ContactOptions { jump: JumpKind::Pointwise, in_frame, ..ContactOptions::default() };
    let clock = Instant::now();
    let mut motion = HybridTaylor::new(model.system.dynamics(), options)?;
    let mut life = Life::new(&model.system, contacts)?;
    let compile = clock.elapsed().as_secs_f64();
    let closed: Vec<bool> = model.system.contacts().iter().map(|contact| contact.is_closed).collect();
    let (mut best, mut steps, mut last) = (f64::INFINITY, 0, None);
    for _ in 0..REPETITIONS {
        let mut trajectory = Trajectory::new(Vec::new(), Vec::new(), "taylor");
        let before = motion.steps();
        let clock = Instant::now();
        life.begin(&mut motion, (0.0, &model.initial.q, &model.initial.v), &closed, &mut trajectory)?;
        life.advance(&mut motion, until, &mut trajectory)?;
        best = best.min(clock.elapsed().as_secs_f64());
        steps = motion.steps() - before;
        last = Some(trajectory);
    }
    let (mut q, mut v) = (model.initial.q.clone(), model.initial.v.clone());
    motion.state(&mut q, &mut v)?;
    Ok(Run { seconds: best, compile, steps, trajectory: last.ok_or("no run")?, q })
}

/// The peers' reference file.
fn reference() -> Value {
    serde_json::from_str(include_str!("../../peers/reference.json")).unwrap_or_default()
}

fn numbers(value: &Value) -> Option<Vec<f64>> {
    value.as_array().map(|all| all.iter().filter_map(Value::as_f64).collect())
}

fn difference(a: &[f64], b: &[f64]) -> impl Iterator<Item = f64> {
    a.iter().zip(b).map(|(x, y)| x - y)
}
