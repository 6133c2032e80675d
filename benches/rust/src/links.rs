//! Steps of chains of 2 to 32 links, built as multibody trees: `cargo run --release -p carom-bench --bin links`.
#![allow(clippy::print_stdout)] // a benchmark reports on standard output

use carom_discrete::{Method, Options, Stepper};
use carom_model::System;
use carom_model::tree::{Joint, Tree};
use std::error::Error;
use std::time::{Duration, Instant};

/// Duration of a step.
const STEP: f64 = 1e-3;
/// Least time spent on one chain.
const TIMED: Duration = Duration::from_millis(500);

fn main() -> Result<(), Box<dyn Error>> {
    println!("{:>5} {:>12} {:>12} {:>12}", "links", "operations", "set up", "step");
    for links in [2, 4, 8, 16, 32] {
        let system = chain(links)?;
        let operations = system.graph().operation_count(&[system.lagrangian()]);
        let begin = Instant::now();
        let mut stepper = Stepper::new(&system.dynamics(), &Method::parse("midpoint")?, Options::default())?;
        let setup = begin.elapsed().as_secs_f64();
        let q: Vec<f64> = (0..links).map(|k| 0.3 / (1.0 + k as f64)).collect();
        stepper.start(0.0, &q, &vec![0.0; links])?;
        let (mut best, all) = (f64::INFINITY, Instant::now());
        while all.elapsed() < TIMED {
            let begin = Instant::now();
            for _ in 0..100 {
                stepper.step(STEP)?;
            }
            best = best.min(begin.elapsed().as_secs_f64() / 100.0);
        }
        println!("{links:>5} {operations:>12} {:>9.1} ms {:>9.2} us", 1e3 * setup, 1e6 * best);
    }
    Ok(())
}

/// Unit rods in a plane, by angles between neighbours.
fn chain(links: usize) -> Result<System, Box<dyn Error>> {
    let mut tree = Tree::new("chain", [0.0, 0.0, -9.8]);
    let [zero, minus, half, one, inertia] = [0.0, -1.0, -0.5, 1.0, 1.0 / 12.0].map(|value| tree.number(value));
    let mut last = tree.world();
    for k in 0..links {
        let at = if k == 0 { [zero; 3] } else { [zero, zero, minus] };
        let joint = Joint::Revolute { angle: format!("th{k}"), axis: [0.0, 1.0, 0.0] };
        last = tree.attach(&format!("link {k}"), last, at, &joint)?;
        tree.load(last, one, [zero, zero, half], [inertia, inertia, zero]);
    }
    Ok(tree.build()?)
}
