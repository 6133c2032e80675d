//! `carom sweep`: from a file and what varies to a table, a picture and a summary.

mod picture;

use super::at_option;
use crate::args::Sweep as Args;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::output::{complain, print, warn};
use crate::progress::Count;
use crate::sweep_summary::{Done, object, table};
use carom::run::RunError;
use carom::sweep::{
    Axis, Dataset, Kind, NamedMeasure, Points, Ran, Summary, Sweep, SweepError, Worker, run as compute,
};
use carom::{Diagnostic, Diagnostics, Model};
use std::path::PathBuf;
use std::time::Instant;

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    let sweep = read(args)?;
    let refused = |error| refused(error, &sweep);
    let worker = sweep.prepare().map_err(refused)?;
    let folder = args.out.clone().unwrap_or_else(|| default_folder(args));
    let dataset = if args.fresh { Dataset::fresh(&folder, &sweep) } else { Dataset::open(&folder, &sweep) };
    let dataset = dataset.map_err(refused)?;
    let begin = Instant::now();
    let ran = observed(args, &worker, &dataset).map_err(refused)?;
    let seconds = begin.elapsed().as_secs_f64();
    let summary = Summary::of(&dataset).map_err(refused)?;
    let picture = if args.no_plots || ran.missing > 0 { None } else { drawn(&dataset) };
    let threads = args.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let done = Done { worker: &worker, dataset: &dataset, ran, summary, seconds, threads, picture };
    if args.json {
        print(&object(&done))?;
    } else if !args.quiet {
        print(&table(&done))?;
    }
    match ran.missing {
        0 => Ok(()),
        missing => Err(Failure::Run(format!("stopped: {missing} points are missing; the same command completes them"))),
    }
}

/// The picture; one that cannot be drawn does not cost the table.
fn drawn(dataset: &Dataset) -> Option<PathBuf> {
    picture::draw(dataset).unwrap_or_else(|error| {
        complain(&format!("warning: {error}"));
        None
    })
}

/// The sweep that the command line describes.
fn read(args: &Args) -> Result<Sweep, Failure> {
    let zero = [("threads", args.threads), ("part-rows", args.part_rows), ("random", args.random)];
    if let Some((name, _)) = zero.into_iter().find(|(_, value)| *value == Some(0)) {
        return Err(Failure::Settings(format!("--{name} must be at least 1")));
    }
    let as_written = |found: Diagnostics| Failure::Model(Diagnostics(found.0.into_iter().map(at_option).collect()));
    let mut sweep = Sweep::from_path(&args.file, &args.set).map_err(|error| match error {
        SweepError::Model(found) => as_written(found),
        other => Failure::Settings(other.to_string()),
    })?;
    if sweep.kind == Kind::Simulation {
        sweep.set = args.overrides();
        warn(&Model::from_path(&args.file, &sweep.set).map_err(as_written)?.warnings);
    } else if let Some((name, _)) = args.settings.given().first() {
        let message = format!("--{name} belongs to simulations; a {} has its settings in its file", sweep.kind.name());
        return Err(Failure::Settings(message.replace("--max_impacts", "--max-impacts")));
    }
    let wrong = |error: SweepError| Failure::Settings(error.to_string());
    sweep.points = points(args)?;
    sweep.points.check().map_err(wrong)?;
    sweep.measures =
        args.measure.iter().map(|text| NamedMeasure::parse(text)).collect::<Result<_, _>>().map_err(wrong)?;
    match args.part_rows {
        Some(rows) => sweep.part_rows = rows,
        None => sweep.choose_part_rows(),
    }
    Ok(sweep)
}

/// Where the sweep goes.
fn points(args: &Args) -> Result<Points, Failure> {
    let wrong = |error: SweepError| Failure::Settings(error.to_string());
    if let Some(path) = &args.points {
        let text = std::fs::read_to_string(path)
            .map_err(|error| Failure::File { path: path.clone(), why: format!("cannot be read: {error}") })?;
        return Points::from_csv(&text).map_err(wrong);
    }
    let axes = args.over.iter().map(|text| Axis::parse(text)).collect::<Result<Vec<_>, _>>().map_err(wrong)?;
    if axes.is_empty() {
        let message = "what does the sweep go over? write --over NAME=from:to:count, or --points FILE";
        return Err(Failure::Settings(message.to_owned()));
    }
    Ok(match args.random {
        Some(count) => Points::Random { axes, count, seed: args.seed.unwrap_or(1) },
        None => Points::Grid(axes),
    })
}

/// Computes while the progress is shown; Ctrl-C ends it.
fn observed(args: &Args, worker: &Worker, dataset: &Dataset) -> Result<Ran, SweepError> {
    let interrupt = Interrupt::install();
    let count = Count::new(worker.points(), args.quiet);
    let ran = compute(worker, dataset, args.threads, &|| interrupt.is_requested(), &|progress| {
        count.observe(progress.known, progress.done);
    });
    count.finish();
    ran
}

/// Why a sweep does not begin; a name that it goes over is shown there.
fn refused(error: SweepError, sweep: &Sweep) -> Failure {
    let is_axis = |remark: &Diagnostic| {
        let name = remark.source_line.split('=').next().unwrap_or_default();
        remark.file == "--set" && sweep.points.names().contains(&name)
    };
    let at_axis = |remark: Diagnostic| match is_axis(&remark) {
        true => Diagnostic { file: "--over".to_owned(), ..remark },
        false => at_option(remark),
    };
    match error {
        SweepError::Model(found) | SweepError::Run(RunError::Model(found)) => {
            Failure::Model(Diagnostics(found.0.into_iter().map(at_axis).collect()))
        }
        SweepError::Run(error) => error.into(),
        SweepError::File { path, action, source } => {
            Failure::File { path, why: format!("cannot be {action}: {source}") }
        }
        other => Failure::Settings(other.to_string()),
    }
}

/// Where the results go, if nothing else is said.
fn default_folder(args: &Args) -> PathBuf {
    let stem = args.file.file_stem().unwrap_or_default().to_string_lossy();
    PathBuf::from("runs").join(format!("{stem}-sweep"))
}
