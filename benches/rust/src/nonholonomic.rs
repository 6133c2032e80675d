//! Models with velocity constraints over very many steps, by every method: what is kept, and at what cost.
//!
//! `cargo run --release -p carom-bench --bin nonholonomic [steps [model [method]]] [--json]` prints a table of
//! long runs, then what comes back when steps are undone, then what happens to volumes. `--pictures FOLDER`
//! draws the pictures of the book instead.

#![allow(clippy::print_stdout)] // a benchmark reports on standard output

mod nonholonomic_maps;
mod nonholonomic_pictures;
mod nonholonomic_run;

use carom::impact::JumpKind;
use carom::{Formulation, Method, Model};
use nonholonomic_run::{Failure, Outcome, Runner, run};
use serde_json::json;

/// A model and its step.
struct Job {
    path: &'static str,
    step: f64,
}

const fn job(path: &'static str, step: f64) -> Job {
    Job { path, step }
}

/// The models that keep their energy. The disks of 003 meet their wall once or twice and then roll away.
const JOBS: [Job; 13] = [
    job("papers/003/sleigh", 0.1),
    job("papers/003/disk", 0.1),
    job("papers/003/disk-oblique", 0.1),
    job("papers/003/disk-oblique-both-edges", 0.1),
    job("papers/004/pendulum", 0.005),
    job("examples/chaplygin-sleigh-offset", 0.01),
    job("examples/knife-edge-incline", 0.01),
    job("examples/ball-on-turntable", 0.01),
    job("examples/rolling-disk", 0.01),
    job("examples/rattleback", 0.002),
    job("examples/nonholonomic-particle", 0.1),
    job("examples/continuously-variable-transmission", 0.1),
    job("examples/cvt-unbiased", 0.1),
];

const METHODS: [(&str, Formulation); 9] = [
    ("left", Formulation::Multipliers),
    ("right", Formulation::Multipliers),
    ("midpoint", Formulation::Multipliers),
    ("midpoint", Formulation::Hamel),
    ("trapezoidal", Formulation::Multipliers),
    ("gni", Formulation::Multipliers),
    ("gauss2", Formulation::Multipliers),
    ("lobatto3", Formulation::Multipliers),
    ("suzuki(midpoint)", Formulation::Multipliers),
];

fn main() -> Result<(), Failure> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Some(at) = arguments.iter().position(|argument| argument == "--pictures") {
        let folder = arguments.get(at + 1).ok_or("--pictures wants a folder")?;
        return nonholonomic_pictures::draw_all(std::path::Path::new(folder));
    }
    let is_json = arguments.iter().any(|argument| argument == "--json");
    arguments.retain(|argument| argument != "--json");
    let steps = arguments.first().and_then(|text| text.parse::<f64>().ok()).map_or(1_000_000, |n| n as u64);
    let (model, method) = (arguments.get(1), arguments.get(2));
    let chosen = |job: &&Job| model.is_none_or(|name| job.path.contains(name.as_str()));
    let wanted = |name: &str| method.is_none_or(|only| only == name);
    table(JOBS.iter().filter(chosen), wanted, steps, is_json)?;
    reversibility(JOBS.iter().filter(chosen), wanted, is_json)?;
    if model.is_none() {
        null_space(is_json)?;
        nonholonomic_maps::measures(is_json)?;
    }
    Ok(())
}

/// Reads a model of the repository.
pub(crate) fn load(path: &str) -> Result<Model, Failure> {
    Ok(Model::from_path(std::path::Path::new(&format!("{path}.toml")), &[])?)
}

/// The name of a model, and of a method with its formulation.
fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn way_of(method: &str, formulation: Formulation) -> String {
    match formulation {
        Formulation::Multipliers => method.to_owned(),
        _ => format!("{method}, {}", formulation.name()),
    }
}

/// Long runs of all jobs by all methods.
fn table<'a>(
    jobs: impl Iterator<Item = &'a Job>,
    wanted: impl Fn(&str) -> bool,
    steps: u64,
    is_json: bool,
) -> Result<(), Failure> {
    if !is_json {
        println!(
            "| model | method | h | steps | impacts | max, first 1e4 | max, all | drift | drift/osc. | nodes | chords | us/step | end |"
        );
        println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    }
    for Job { path, step } in jobs {
        let model = load(path)?;
        for (method, formulation) in METHODS.into_iter().filter(|(method, _)| wanted(method)) {
            let mut runner = Runner::new(&model, &Method::parse(method)?, formulation, JumpKind::default(), *step)?;
            let outcome = run(&mut runner, steps)?;
            print(name_of(path), &way_of(method, formulation), *step, &outcome, is_json);
        }
    }
    Ok(())
}

fn print(model: &str, method: &str, h: f64, outcome: &Outcome, is_json: bool) {
    let Outcome { steps, impacts, early, largest, oscillation, drift, nodes, chords, seconds, end } = outcome;
    let micros = 1e6 * seconds / *steps as f64;
    if is_json {
        let line = json!({
            "model": model, "method": method, "step": h, "steps": steps, "impacts": impacts, "early": early,
            "largest": largest, "oscillation": oscillation, "drift": drift, "nodes": nodes, "chords": chords,
            "microseconds": micros, "end": end,
        });
        println!("{line}");
        return;
    }
    // What is rounding does not oscillate.
    let ratio = if *oscillation > 1e-13 { format!("{:.1e}", drift / oscillation) } else { "-".to_owned() };
    println!(
        "| {model} | {method} | {h} | {steps} | {impacts} | {early:.1e} | {largest:.1e} | {drift:.1e} | {ratio} | {nodes:.0e} | {chords:.0e} | {micros:.2} | {end} |"
    );
}

/// Steps there and back: the adjoint method with the opposite step undoes a method.
fn reversibility<'a>(
    jobs: impl Iterator<Item = &'a Job>,
    wanted: impl Fn(&str) -> bool,
    is_json: bool,
) -> Result<(), Failure> {
    if !is_json {
        println!("\n| model | method | what is not undone of 1e4 steps |\n|---|---|---|");
    }
    for Job { path, step } in jobs {
        let model = load(path)?;
        // Jumps of the kind `modified` set the energy right, and cannot be undone.
        if !model.system.contacts().is_empty() {
            continue;
        }
        for (method, formulation) in METHODS.into_iter().filter(|(method, _)| wanted(method)) {
            let (name, way) = (name_of(path), way_of(method, formulation));
            let found = nonholonomic_maps::there_and_back(&model, method, formulation, *step, 10_000);
            match (found, is_json) {
                (Ok(error), true) => println!("{}", json!({ "model": name, "method": way, "undone": error })),
                (Ok(error), false) => println!("| {name} | {way} | {error:.1e} |"),
                (Err(error), _) => println!("| {name} | {way} | {error} |"),
            }
        }
    }
    Ok(())
}

/// Multipliers and null space are two ways to solve the same equations.
fn null_space(is_json: bool) -> Result<(), Failure> {
    let mut largest = 0.0_f64;
    for Job { path, step } in &JOBS {
        let model = load(path)?;
        let ends = [Formulation::Multipliers, Formulation::NullSpace].map(|formulation| -> Result<Vec<f64>, Failure> {
            let mut runner = Runner::new(&model, &Method::parse("midpoint")?, formulation, JumpKind::default(), *step)?;
            (0..1000).try_for_each(|_| runner.step())?;
            runner.observe()?;
            Ok([&runner.q[..], &runner.v].concat())
        });
        let [a, b] = ends;
        let (a, b) = (a?, b?);
        let size = a.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
        largest = a.iter().zip(&b).fold(largest, |most, (a, b)| most.max((a - b).abs() / size));
    }
    match is_json {
        true => println!("{}", json!({ "null_space": largest })),
        false => println!("\nnull-space against multipliers, 1000 steps of midpoint, all models: {largest:.1e}"),
    }
    Ok(())
}
