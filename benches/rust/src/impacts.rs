//! Work and precision of the hybrid flow on the jobs of `benches/peers`: the ellipse and the ball to rest.
//!
//! `cargo run --release -p carom-bench --bin impacts` prints one JSON object per job.

use carom::flow::{FlowOptions, HybridTaylor};
use carom::impact::{ContactOptions, JumpKind, Life, Smooth};
use carom::{Model, Trajectory};
use serde_json::json;
use std::time::Instant;

/// Position of the ellipse after 2 s and 10 s, to 16 digits, in the order `theta, x, y`.
const ELLIPSE_2: [f64; 3] = [11.157927012041746, 4.0, 2.2959841790733255];

/// Runs of one measurement; the best counts.
const REPETITIONS: usize = 200;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for (until, tolerance) in [(2.0, 1e-16), (2.0, 1e-13), (10.0, 1e-16), (25.0, 1e-16)] {
        let model = Model::from_path(std::path::Path::new("papers/004/ellipse.toml"), &[])?;
        let (seconds, trajectory, q) = measure(&model, until, tolerance)?;
        let error = (until == 2.0).then(|| difference(&q, &ELLIPSE_2));
        let times: Vec<f64> = trajectory.impacts.iter().map(|impact| impact.t).collect();
        let job = format!("ellipse T={until}");
        println!(
            "{}",
            json!({ "job": job, "tolerance": tolerance, "ms": seconds * 1e3, "error": error, "impacts": times.len(), "q": q, "times": times })
        );
    }
    for restitution in ["0.5", "0.95"] {
        let set = [("e".to_owned(), restitution.to_owned())];
        let model = Model::from_path(std::path::Path::new("examples/ball-to-rest.toml"), &set)?;
        let (seconds, trajectory, _) = measure(&model, 20.0, 1e-16)?;
        let rest = trajectory.modes.first().map(|change| change.t);
        let job = format!("ball to rest e={restitution}");
        println!("{}", json!({ "job": job, "ms": seconds * 1e3, "impacts": trajectory.impacts.len(), "rest": rest }));
    }
    Ok(())
}

/// The best time of a run, its events, and the last configuration.
fn measure(
    model: &Model,
    until: f64,
    tolerance: f64,
) -> Result<(f64, Trajectory, Vec<f64>), Box<dyn std::error::Error>> {
    let options = FlowOptions { tolerance, ..FlowOptions::default() };
    let contacts = ContactOptions { jump: JumpKind::Pointwise, ..ContactOptions::default() };
    let mut motion = HybridTaylor::new(model.system.dynamics(), options)?;
    let mut life = Life::new(&model.system, contacts)?;
    let closed: Vec<bool> = model.system.contacts().iter().map(|contact| contact.is_closed).collect();
    let (mut best, mut last) = (f64::INFINITY, None);
    for _ in 0..REPETITIONS {
        let mut trajectory = Trajectory::new(Vec::new(), Vec::new(), "taylor");
        let clock = Instant::now();
        life.begin(&mut motion, (0.0, &model.initial.q, &model.initial.v), &closed, &mut trajectory)?;
        life.advance(&mut motion, until, &mut trajectory)?;
        best = best.min(clock.elapsed().as_secs_f64());
        last = Some(trajectory);
    }
    let (mut q, mut v) = (model.initial.q.clone(), model.initial.v.clone());
    motion.state(&mut q, &mut v)?;
    Ok((best, last.ok_or("no run")?, q))
}

fn difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}
