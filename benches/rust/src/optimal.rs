//! Optimal control on the jobs of `benches/peers`: the cart-pole (W5) and the planar gait (W6).
//!
//! `cargo run --release -p carom-bench --bin optimal` prints one JSON object per job, with the keys of
//! `benches/peers/common.py`. Names of works choose among them; `nodes` measures how the cost grows with the number of
//! intervals, `guesses` runs the gait from twenty guesses.
#![allow(clippy::print_stdout)] // a benchmark reports on standard output

use carom_control::{
    ControlProblem, CostKind, Duration, Guess, Phase, PhaseGuess, Transcript, Transition, Where, transcription,
};
use carom_expr::Backend;
use carom_model::Model;
use carom_nlp::{Nlp, Options, Outcome, Range, solver};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Instant;

/// Runs of one measurement; the best counts.
const REPETITIONS: usize = 20;

type Any = Box<dyn std::error::Error>;

fn main() -> Result<(), Any> {
    let chosen: Vec<String> = std::env::args().skip(1).collect();
    let asked = |work: &str| chosen.iter().any(|name| name == work);
    if chosen.is_empty() || asked("W5") {
        for n in [100, 400] {
            let problem = cart_pole(n)?;
            job("W5", n, &problem, &Guess::interpolate(&problem, &[]), 1.0)?;
        }
    }
    if chosen.is_empty() || asked("W6") {
        let problem = gait(80)?;
        job("W6", 80, &problem, &gait_guess(0.6), gait_scale())?;
    }
    if asked("nodes") {
        nodes()?;
    }
    if asked("guesses") {
        guesses()?;
    }
    Ok(())
}

/// The swing-up in two seconds, one unit to the side.
fn cart_pole(n: usize) -> Result<ControlProblem, Any> {
    let model = Model::from_text(include_str!("../cart-pole.toml"), "cart-pole.toml", &[])?;
    let fixed = Range::fixed;
    let phase = Phase::new("swing", Arc::new(model.system), Duration::Fixed(2.0), n)
        .bound("u", Range::new(-20.0, 20.0))
        .bound("x", Range::new(-2.0, 2.0))
        .start("x", fixed(0.0))
        .start("theta", fixed(0.0))
        .start("x'", fixed(0.0))
        .start("theta'", fixed(0.0))
        .end("x", fixed(1.0))
        .end("theta", fixed(std::f64::consts::PI))
        .end("x'", fixed(0.0))
        .end("theta'", fixed(0.0));
    Ok(ControlProblem::new("swing-up").phase(phase).cost("effort", 1.0, CostKind::Integral("u^2".to_owned())))
}

/// `1e-2 / (W Lstep)`
fn gait_scale() -> f64 {
    1e-2 / (98.1 * 0.56)
}

/// One step of the planar biped, periodic through the exchange of legs.
fn gait(n: usize) -> Result<ControlProblem, Any> {
    let model = Model::from_path(std::path::Path::new("papers/001/planar-biped.toml"), &[])?;
    let phase = Phase::new("step", Arc::new(model.system), Duration::Fixed(0.9), n)
        .close("stance", true)
        .start("x1", Range::fixed(0.0))
        .end("foot_x", Range::fixed(0.56))
        .path("foot_y", Range::at_least(0.0), Where::Nodes);
    let strike = Transition::impact(0, 0, &["swing"]).map(&["0", "0", "th1 + th2 + th3 + th4", "-th4", "-th3", "-th2"]);
    let effort = CostKind::Integral("u1^2 + u2^2 + u3^2 + u4^2".to_owned());
    Ok(ControlProblem::new("gait").phase(phase).transition(strike).cost("effort", gait_scale(), effort))
}

/// Straight legs that exchange their places, the swing knee bent by up to `bend`.
fn gait_guess(bend: f64) -> Guess {
    let (n, lean) = (80, 0.28_f64.asin());
    let times: Vec<f64> = (0..=n).map(|k| k as f64 / n as f64).collect();
    let posture = |s: &f64| {
        let (leg, knee) = (lean * (1.0 - 2.0 * s), bend * (std::f64::consts::PI * s).sin());
        vec![0.0, 0.0, leg, 0.0, -2.0 * leg + 0.5 * knee, -knee]
    };
    let q: Vec<Vec<f64>> = times.iter().map(posture).collect();
    Guess { phases: vec![PhaseGuess { duration: 0.9, times, q, ..PhaseGuess::default() }], ..Guess::default() }
}

/// Sets a problem up and solves it; best times of both.
struct Measured {
    transcript: Transcript,
    outcome: Outcome,
    setup: f64,
    solve: f64,
}

fn measure(
    problem: &ControlProblem,
    guess: &Guess,
    backend: Backend,
    (times, max_iterations): (usize, usize),
) -> Result<Measured, Any> {
    let mut best: Option<Measured> = None;
    let (mut setup, mut solve) = (f64::INFINITY, f64::INFINITY);
    let options = Options { max_iterations, ..Options::default() };
    for _ in 0..times {
        let begin = Instant::now();
        let mut transcript = transcription("midpoint")?.transcribe(problem, backend)?;
        guess.apply(problem, &mut transcript)?;
        setup = setup.min(begin.elapsed().as_secs_f64());
        let begin = Instant::now();
        let outcome = solver("interior")?.solve(&mut transcript.program, &options, &mut |_| true);
        solve = solve.min(begin.elapsed().as_secs_f64());
        best = Some(Measured { transcript, outcome, setup, solve });
    }
    let last = best.ok_or("no repetitions")?;
    Ok(Measured { setup, solve, ..last })
}

fn reference(work: &str, n: usize) -> Option<f64> {
    let text = include_str!("../../peers/reference.json");
    let all: Value = serde_json::from_str(text).ok()?;
    all[work][n.to_string()].as_f64()
}

fn job(work: &str, n: usize, problem: &ControlProblem, guess: &Guess, scale: f64) -> Result<(), Any> {
    for (setting, backend) in [("interpreted", Backend::Interpreter), ("native code", Backend::Native)] {
        let run = measure(problem, guess, backend, (REPETITIONS, 3000))?;
        let objective = run.outcome.objective / scale;
        let duration: f64 = problem.phases.iter().map(|phase| phase.duration.guess()).sum();
        let program = &run.transcript.program;
        println!(
            "{}",
            json!({
                "peer": "carom", "work": work, "setting": setting, "n": n, "T": duration,
                "wall_s": run.solve, "compile_s": run.setup, "iterations": run.outcome.statistics.iterations,
                "variables": program.variable_ranges().len(), "constraints": program.row_ranges().len(),
                "objective": objective, "obj_err": reference(work, n).map(|exact| (objective / exact - 1.0).abs()),
                "violation": run.outcome.residuals.feasibility, "status": run.outcome.status.to_string(),
                "functions_s": run.outcome.statistics.seconds_functions, "linear_s": run.outcome.statistics.seconds_linear,
            })
        );
    }
    Ok(())
}

/// Cost against the number of intervals.
fn nodes() -> Result<(), Any> {
    for n in [100, 300, 1000, 3000, 10_000] {
        for (work, problem, guess) in [("W5", cart_pole(n)?, None), ("W6", gait(n)?, Some(gait_guess(0.6)))] {
            let guess = guess.unwrap_or_else(|| Guess::interpolate(&problem, &[]));
            let run = measure(&problem, &guess, Backend::Native, (1, 25))?;
            let statistics = &run.outcome.statistics;
            println!(
                "{}",
                json!({
                    "work": work, "n": n, "status": run.outcome.status.to_string(), "iterations": statistics.iterations,
                    "setup_s": run.setup, "solve_s": run.solve, "solve_s_per_iteration": run.solve / statistics.iterations as f64,
                    "variables": run.transcript.program.variable_ranges().len(), "objective": run.outcome.objective,
                })
            );
        }
    }
    Ok(())
}

/// The gait from twenty guesses.
fn guesses() -> Result<(), Any> {
    let problem = gait(80)?;
    for i in 0..20 {
        let bend = 0.3 + 0.05 * f64::from(i);
        let run = measure(&problem, &gait_guess(bend), Backend::Native, (1, 500))?;
        let (outcome, u2) = (&run.outcome, run.outcome.objective / gait_scale());
        println!(
            "{}",
            json!({ "bend": bend, "status": outcome.status.to_string(), "iterations": outcome.statistics.iterations, "u2": u2 })
        );
    }
    Ok(())
}
