//! Models with velocity constraints over very many steps, by every method: what is kept, and at what cost.
//!
//! `cargo run --release -p carom-bench --bin nonholonomic [steps [model [method]]] [--json]` prints a table of
//! long runs, then what comes back when steps are undone, then what happens to volumes. `--pictures FOLDER`
//! draws the pictures of the book instead.

#![allow(clippy::print_stdout)] // a benchmark reports on standard output

mod nonholonomic_maps;
mod nonholonomic_models;
mod nonholonomic_pictures;
mod nonholonomic_run;

use carom::impact::JumpKind;
use carom::{Formulation, Method};
use nonholonomic_models::{JOBS, Job, WAYS, load, name_of};
use nonholonomic_run::{Failure, Outcome, Runner, run};
use serde_json::json;

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
        for way in WAYS.iter().filter(|way| wanted(way.method)) {
            let Some(model) = way.model(path)? else { continue };
            let mut runner = Runner::new(&model, &way.method()?, way.formulation, JumpKind::default(), *step)?;
            let outcome = run(&mut runner, steps)?;
            print(name_of(path), &way.name(), *step, &outcome, is_json);
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
        for way in WAYS.iter().filter(|way| wanted(way.method)) {
            // Jumps of the kind `modified` set the energy right, and cannot be undone.
            let Some(model) = way.model(path)?.filter(|model| model.system.contacts().is_empty()) else { continue };
            let (name, title) = (name_of(path), way.name());
            let found = nonholonomic_maps::there_and_back(&model, way, *step, 10_000);
            match (found, is_json) {
                (Ok(error), true) => println!("{}", json!({ "model": name, "method": title, "undone": error })),
                (Ok(error), false) => println!("| {name} | {title} | {error:.1e} |"),
                (Err(error), _) => println!("| {name} | {title} | {error} |"),
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
