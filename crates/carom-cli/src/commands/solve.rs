//! `carom solve`: a nonlinear program that was written for a bug report, solved again.

use super::optimise::advice;
use crate::args::Solve;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::iterations::Iterations;
use crate::optimum_summary::{count, places, residuals};
use crate::output::print;
use crate::table::{Table, duration, number};
use carom::Backend;
use carom::nlp::{Nlp, Options, Outcome, Program, Violation, solver, solvers};
use carom::report::optimum::{place, violation};
use serde_json::{Value, json};
use std::path::Path;

/// Significant digits of the objective.
const DIGITS: usize = 10;
/// Constraints that are named.
const SHOWN: usize = 5;
/// Compiling takes some milliseconds; it pays from this many placed kernels on.
const NATIVE: usize = 500;
/// Most iterations that may be asked for.
const MAX_ITERATIONS: f64 = 1e9;

/// Runs the command.
pub fn run(args: &Solve) -> Result<(), Failure> {
    let name = args.solver.clone().or_else(|| solvers().first().map(|solver| solver.name().to_owned()));
    let solver = solver(&name.unwrap_or_default()).map_err(|error| Failure::Settings(error.to_string()))?;
    let options = options(args)?;
    let clock = std::time::Instant::now();
    let mut program = load(&args.dump)?;
    let setup = clock.elapsed().as_secs_f64();
    let interrupt = Interrupt::install();
    let mut iterations = Iterations::new(args.quiet || args.json && !args.verbose, args.verbose);
    let outcome = solver.solve(&mut program, &options, &mut |progress| {
        iterations.show(progress);
        !interrupt.is_requested()
    });
    iterations.finish(&outcome);
    let worst = outcome.worst(&mut program, SHOWN);
    let size = [program.variable_ranges().len(), program.row_ranges().len()];
    if args.json {
        print(&describe(&outcome, &worst, size, setup))?;
    } else if !args.quiet {
        print(&table(args, &outcome, &worst, size, setup))?;
    }
    match outcome.status.is_success() {
        true => Ok(()),
        false => {
            Err(Failure::Run(format!("the search did not converge: {}{}", outcome.status, advice(&outcome.status))))
        }
    }
}

/// What the solver is told.
fn options(args: &Solve) -> Result<Options, Failure> {
    let mut options = Options::default();
    if let Some(tolerance) = positive("tolerance", args.tolerance.as_deref())? {
        options.tolerance = tolerance;
        options.acceptable = options.acceptable.max(tolerance);
    }
    if let Some(count) = positive("max-iterations", args.max_iterations.as_deref())? {
        if count.fract() != 0.0 || count > MAX_ITERATIONS {
            let message = format!("--max-iterations is {count}, but must be an integer from 1 to {MAX_ITERATIONS}");
            return Err(Failure::Settings(message));
        }
        options.max_iterations = count as usize;
    }
    if let Some(seconds) = positive("max-seconds", args.max_seconds.as_deref())? {
        options.max_seconds = seconds;
    }
    Ok(options)
}

/// A positive number; there is no model here whose parameters it could use.
fn positive(option: &str, text: Option<&str>) -> Result<Option<f64>, Failure> {
    let Some(text) = text else { return Ok(None) };
    let found = text.trim().parse::<f64>().ok().filter(|number| number.is_finite() && *number > 0.0);
    let wrong = || Failure::Settings(format!("--{option} is `{text}`, but must be a positive number"));
    found.map(Some).ok_or_else(wrong)
}

/// The program behind a dump.
fn load(path: &Path) -> Result<Program, Failure> {
    let file = |why: String| Failure::File { path: path.to_owned(), why };
    let text = std::fs::read_to_string(path).map_err(|error| file(format!("cannot be read: {error}")))?;
    let dump: Value = serde_json::from_str(&text).map_err(|error| file(format!("is not JSON: {error}")))?;
    let count = dump["placements"].as_array().map_or(0, Vec::len);
    let backend = if count >= NATIVE { Backend::fastest() } else { Backend::Interpreter };
    Program::load(&dump, backend).map_err(|error| file(format!("is not a program: {error}")))
}

fn table(args: &Solve, outcome: &Outcome, worst: &[Violation], size: [usize; 2], setup: f64) -> Table {
    let mut table = Table::default();
    let [variables, rows] = size;
    table.row(["program", &format!("{}: {variables} unknowns, {rows} rows", args.dump.display())]);
    table.row(["solver", &outcome.solver]);
    let word = if outcome.status.is_success() { "" } else { "NOT CONVERGED: " };
    let (statistics, status) = (&outcome.statistics, &outcome.status);
    let (iterations, all, setup) =
        (count(statistics.iterations, "iteration", "iterations"), duration(statistics.seconds), duration(setup));
    table.row(["status", &format!("{word}{status} after {iterations} in {all}; {setup} to load and compile")]);
    table.row(["objective", &number(outcome.objective, DIGITS)]);
    table.row(["residuals", &residuals(&outcome.residuals)]);
    let violated = worst.iter().map(|violation| format!("{}: by {:.1e}", violation.place, violation.amount));
    table.list("worst", violated);
    table.list("dependent", places(&outcome.dependent));
    table
}

fn describe(outcome: &Outcome, worst: &[Violation], size: [usize; 2], setup: f64) -> Value {
    let (found, statistics) = (&outcome.residuals, &outcome.statistics);
    json!({
        "solver": outcome.solver,
        "status": outcome.status.to_string(),
        "converged": outcome.status.is_success(),
        "objective": outcome.objective,
        "residuals": {
            "feasibility": found.feasibility,
            "stationarity": found.stationarity,
            "complementarity": found.complementarity,
        },
        "worst": worst.iter().map(violation).collect::<Vec<_>>(),
        "dependent": outcome.dependent.iter().map(place).collect::<Vec<_>>(),
        "variables": size[0],
        "rows": size[1],
        "iterations": statistics.iterations,
        "evaluations": statistics.evaluations,
        "factorisations": statistics.factorisations,
        "wall_s": statistics.seconds,
        "setup_s": setup,
    })
}
