//! `carom check` of a problem file: phases, unknowns, rows.

use super::super::optimise::{explain, load};
use super::invalid;
use crate::args::Check;
use crate::failure::Failure;
use crate::output::{diagnostics, print, warn};
use crate::table::{Table, number};
use carom::control::planner::{PlanOptions, plannable};
use carom::control::{DiscoverOptions, Duration, Phase, ProblemFile, Transcript, discoverable, transcription};
use carom::model::reading::open;
use carom::{Backend, Diagnostics};
use serde_json::{Value, json};
use std::path::Path;

/// Significant digits of values.
const DIGITS: usize = 8;

/// True if the file can be read and is a problem.
pub fn is_problem(path: &Path) -> bool {
    open(path).is_ok_and(|text| ProblemFile::is_problem(&text))
}

/// Runs the command.
pub fn run(args: &Check) -> Result<(), Failure> {
    let checked = load(&args.model, &args.set).and_then(|file| {
        let planned = file.plan_options();
        let method = planned.as_ref().map_or(&file.settings.method, |options| &options.polish.transcription);
        let transcript = transcription(method)
            .and_then(|method| method.transcribe(&file.problem, Backend::Interpreter))
            .and_then(|mut transcript| file.guess.apply(&file.problem, &mut transcript).map(|()| transcript));
        if let Some(options) = &planned {
            plannable(&file.problem, options).map_err(|error| explain(&file, &error))?;
        }
        // A search of impacts has a program of its own.
        let searched = file.discover_options().map(|options| discoverable(&file.problem, &options)).transpose();
        let searched = searched.map_err(|error| explain(&file, &error))?;
        transcript.map_err(|error| explain(&file, &error)).map(|transcript| (file, transcript, searched))
    });
    let (file, transcript, searched) = match checked {
        Err(Failure::Model(found)) if args.json => return invalid(Diagnostics(found.0)),
        checked => checked?,
    };
    if args.json {
        let mut object = json(&file, &transcript);
        object["discovery"] = searched.map(|[variables, rows]| json!({ "variables": variables, "rows": rows })).into();
        object["plan"] = file.plan_options().map(|options| plan_json(&options)).into();
        return print(&object);
    }
    warn(&file.warnings);
    let name = &file.problem.name;
    let header = file.description.as_ref().map_or(name.clone(), |text| format!("{name}: {text}"));
    let mut facts = facts(&file, &transcript);
    if let (Some(options), Some(size)) = (file.discover_options(), searched) {
        facts.row(["discovery", &discovery(&options, size)]);
    }
    if let Some(options) = file.plan_options() {
        facts.list("plan", plan(&options));
    }
    print(&[header, facts.to_string(), phases(&file).to_string()].join("\n\n"))
}

fn facts(file: &ProblemFile, transcript: &Transcript) -> Table {
    let problem = &file.problem;
    let mut table = Table::default();
    let models = file.models.iter().map(|model| {
        let inputs: Vec<&str> = model.system.inputs().iter().map(|input| input.name.as_str()).collect();
        let inputs =
            if inputs.is_empty() { "no controls".to_owned() } else { format!("controls {}", inputs.join(", ")) };
        format!("{}: {}; {inputs}", model.system.name(), model.system.coordinate_names().join(", "))
    });
    table.list("model", models);
    let options = file.plan_options().map_or_else(|| file.options(), |options| options.polish);
    table.row(["method", &format!("{}, solver {}", options.transcription, options.solver)]);
    let [variables, rows] = size(transcript);
    table.row(["program", &format!("{variables} unknowns, {rows} rows")]);
    let links = problem.transitions.iter().map(|link| {
        let guards =
            if link.guards.is_empty() { "smooth".to_owned() } else { format!("impact of {}", link.guards.join(", ")) };
        format!("{}: {} to {}, {guards}", link.name, problem.phases[link.from].name, problem.phases[link.to].name)
    });
    table.list("transitions", links);
    table.list(
        "costs",
        problem.costs.iter().map(|cost| format!("{}, weight {}", cost.name, number(cost.weight, DIGITS))),
    );
    let found = problem.freed.iter().map(|freed| {
        let [lower, upper] = [freed.range.lower, freed.range.upper].map(|bound| number(bound, DIGITS));
        format!("{} from {lower} to {upper}", freed.name)
    });
    table.list("to be found", found);
    table
}

/// Which impacts are searched, and how large the relaxed program is.
fn discovery(options: &DiscoverOptions, [variables, rows]: [usize; 2]) -> String {
    let contacts = if options.contacts.is_empty() { "all contacts".to_owned() } else { options.contacts.join(", ") };
    format!(
        "impacts of {contacts}, from starts with 0 to {} touches; {variables} unknowns, {rows} rows",
        options.touches
    )
}

/// How a motion is planned.
fn plan(options: &PlanOptions) -> Vec<String> {
    let (stages, iterations) = (options.stages, options.descent.max_iterations);
    let mut lines = vec![format!(
        "descent over splines of {stages} stages, {iterations} iterations, penalty {}",
        number(options.penalty, DIGITS)
    )];
    if !options.penalties.is_empty() {
        let prices: Vec<String> = options.penalties.iter().map(|price| number(*price, DIGITS)).collect();
        lines.push(format!("free knots, penalty {}, {} iterations each", prices.join(", "), options.free_iterations));
    }
    lines.push(match &options.search {
        Some(search) => {
            let (most, beam, times) = (search.impacts, search.beam, search.times);
            let seconds = number(search.max_seconds, DIGITS);
            format!("search of 0 to {most} impacts, {beam} motions for each, at {times} times, for {seconds} s")
        }
        None => "no search: the spline is the result".to_owned(),
    });
    lines
}

fn plan_json(options: &PlanOptions) -> Value {
    let search = options.search.as_ref().map(|search| {
        json!({
            "impacts": search.impacts, "beam": search.beam, "times": search.times, "seconds": search.max_seconds,
            "intervals": options.intervals, "flight_intervals": options.flight_intervals,
        })
    });
    json!({
        "stages": options.stages,
        "iterations": options.descent.max_iterations,
        "penalty": options.penalty,
        "penalties": options.penalties,
        "free_iterations": options.free_iterations,
        "search": search,
    })
}

fn phases(file: &ProblemFile) -> Table {
    let mut table = Table::default();
    table.row(["phase", "duration", "intervals", "conditions"]);
    for phase in &file.problem.phases {
        let conditions = format!(
            "{} bounds, {} at the start, {} at the end, {} on the way",
            phase.bounds.len(),
            phase.start.len(),
            phase.end.len(),
            phase.path.len()
        );
        table.row([&phase.name, &duration(phase), &phase.intervals.to_string(), &conditions]);
    }
    table
}

fn duration(phase: &Phase) -> String {
    match phase.duration {
        Duration::Fixed(duration) => number(duration, DIGITS),
        Duration::Free { range, .. } => {
            format!("{} to {}", number(range.lower, DIGITS), number(range.upper, DIGITS))
        }
    }
}

fn size(transcript: &Transcript) -> [usize; 2] {
    [transcript.program.variables().len(), transcript.program.rows().len()]
}

fn json(file: &ProblemFile, transcript: &Transcript) -> Value {
    let phase =
        |phase: &Phase| json!({ "name": phase.name, "intervals": phase.intervals, "duration": phase.duration.guess() });
    let [variables, rows] = size(transcript);
    let options = file.plan_options().map_or_else(|| file.options(), |options| options.polish);
    json!({
        "valid": true,
        "problem": file.problem.name,
        "description": file.description,
        "method": options.transcription,
        "solver": options.solver,
        "phases": file.problem.phases.iter().map(phase).collect::<Vec<_>>(),
        "transitions": file.problem.transitions.iter().map(|link| &link.name).collect::<Vec<_>>(),
        "costs": file.problem.costs.iter().map(|cost| &cost.name).collect::<Vec<_>>(),
        "variables": variables,
        "rows": rows,
        "diagnostics": diagnostics(&file.warnings),
    })
}
