//! `carom orbit`: periodic motions of a model, their multipliers, branches and basins.

mod basin;
mod describe;
mod json;

use super::{default_folder, load};
use crate::args::Orbit as Arguments;
use crate::failure::Failure;
use crate::output::print;
use crate::progress::Progress;
use crate::projection::number;
use carom::control::orbit::{
    Basin, Branch, BranchOptions, Family, Kind, Orbit, OrbitChoice, OrbitError, OrbitSetup, SearchOptions, StepMap,
    double_branch, find, follow_branch, state_names,
};
use carom::flow::FlowOptions;
use carom::report::plot::orbit::{self as draw, OrbitFigure};
use carom::{Backend, Model};
use std::path::PathBuf;

/// Everything that was found.
pub(super) struct Found<'a> {
    pub(super) model: &'a Model,
    pub(super) setup: &'a OrbitSetup,
    pub(super) names: Vec<String>,
    pub(super) orbit: Orbit,
    pub(super) parameter: String,
    pub(super) branches: Vec<Branch>,
    pub(super) basin: Option<(Basin, Option<[f64; 2]>)>,
    pub(super) files: Vec<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Arguments) -> Result<(), Failure> {
    let model = load(&args.model, &args.set)?;
    let choice = choice(args, &model)?;
    let setup = OrbitSetup::new(&model, &choice).map_err(failure)?;
    let backend = if args.interpret { Backend::Interpreter } else { Backend::fastest() };
    let flow = FlowOptions { backend, ..FlowOptions::default() };
    let orbit = search(args, &model, &setup, flow)?;
    let (parameter, branches) = branches(args, &model, &choice, &orbit, flow)?;
    let basin = args.basin.as_deref().map(|text| basin::compute(args, text, &model, &setup, &orbit)).transpose()?;
    let names = state_names(&model.system);
    let mut found = Found { model: &model, setup: &setup, names, orbit, parameter, branches, basin, files: Vec::new() };
    store(args, &mut found)?;
    if args.json {
        print(&json::object(&found))?;
    } else if !args.quiet {
        print(&describe::table(&found))?;
    }
    Ok(())
}

/// What the command line says about a step.
fn choice(args: &Arguments, model: &Model) -> Result<OrbitChoice, Failure> {
    let number =
        |option: &str, text: &Option<String>| text.as_deref().map(|text| number(model, option, text)).transpose();
    Ok(OrbitChoice {
        contact: args.contact.clone(),
        count: args.count.map(|count| count as usize),
        period: number("--period", &args.period)?,
        within: number("--within", &args.within)?,
        drift: args.drift.clone(),
    })
}

fn search(args: &Arguments, model: &Model, setup: &OrbitSetup, flow: FlowOptions) -> Result<Orbit, Failure> {
    let mut map = StepMap::new(model, setup, &[], flow).map_err(failure)?;
    let mut guess = [&model.initial.q[..], &model.initial.v].concat();
    for _ in 0..args.settle {
        let next = map.step(&guess).map_err(failure)?.state;
        // What drifts begins where it began.
        setup.free.iter().for_each(|&i| guess[i] = next[i]);
    }
    find(&mut map, &guess, SearchOptions::default()).map_err(failure)
}

/// The branch through the orbit, and that of twice the period.
fn branches(
    args: &Arguments,
    model: &Model,
    choice: &OrbitChoice,
    orbit: &Orbit,
    flow: FlowOptions,
) -> Result<(String, Vec<Branch>), Failure> {
    let Some(parameter) = args.continue_in.clone() else { return Ok((String::new(), Vec::new())) };
    let family = Family {
        text: model.source.clone(),
        file: args.model.display().to_string(),
        overrides: args.set.clone(),
        parameter: parameter.clone(),
    };
    let Some(to) = &args.to else {
        return Err(Failure::Settings("--continue needs the last value of the parameter, `--to VALUE`".to_owned()));
    };
    let to = number(model, "--to", to)?;
    let from = match &args.from {
        Some(text) => number(model, "--from", text)?,
        None => family.value(model).map_err(failure)?,
    };
    if from == to {
        return Err(Failure::Settings(format!("the branch begins and ends at {parameter} = {to}; give another --to")));
    }
    let options = BranchOptions { max_points: args.points as usize, ..BranchOptions::default() };
    let mut progress = Progress::new((to - from).abs(), args.quiet || args.json);
    let mut observe = |parameter: f64| {
        progress.observe((parameter - from).abs());
        true
    };
    let range = (from, to);
    let first =
        follow_branch(&family, choice, &orbit.state, range, (flow, options), &mut |point| observe(point.parameter));
    let mut all = vec![first.map_err(failure)?];
    let doubling = all[0].of(Kind::PeriodDoubling).next().cloned();
    if let Some(doubling) = doubling.filter(|_| args.double) {
        let second =
            double_branch(&family, choice, &doubling, to, (flow, options), &mut |point| observe(point.parameter));
        all.push(second.map_err(failure)?);
    }
    progress.finish();
    Ok((parameter, all))
}

/// Writes results and pictures.
fn store(args: &Arguments, found: &mut Found<'_>) -> Result<(), Failure> {
    let folder = args.out.clone().unwrap_or_else(|| default_folder(&args.model));
    let write = |name: &str, text: String| {
        let path = folder.join(name);
        let done = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&path, text));
        done.map_err(|error| Failure::File { path: path.clone(), why: format!("cannot be written: {error}") })?;
        Ok::<_, Failure>(path)
    };
    let mut files = vec![write("orbit.json", format!("{:#}\n", json::object(found)))?];
    for (k, branch) in found.branches.iter().enumerate() {
        let name = if k == 0 { "branch.csv" } else { "branch-doubled.csv" };
        files.push(write(name, json::csv(found, branch))?);
    }
    if !args.no_plots {
        let system = found.model.system.name();
        let title = format!("{system}: periodic motion");
        let (names, parameter) = (&found.names[..], &found.parameter[..]);
        let free = &found.setup.free[..];
        let figure = OrbitFigure { title: &title, names, free, parameter, branch: found.branches.first() };
        files.push(draw::multipliers(&figure, &found.orbit.multipliers, &folder)?);
        files.extend(draw::branch(&figure, &folder)?);
        if let Some((basin, orbit)) = &found.basin {
            files.push(draw::basin(&format!("{system}: starts that reach the orbit"), basin, *orbit, &folder)?);
        }
    }
    found.files = files;
    Ok(())
}

/// Settings are the user's, the rest is the motion's.
pub(super) fn failure(error: OrbitError) -> Failure {
    match error {
        OrbitError::Model(found) => Failure::Model(found),
        OrbitError::UnknownContact { .. }
        | OrbitError::UnknownState { .. }
        | OrbitError::UnknownParameter { .. }
        | OrbitError::NoContact
        | OrbitError::BadSetting { .. }
        | OrbitError::NothingComesBack => Failure::Settings(error.to_string()),
        _ => Failure::Run(error.to_string()),
    }
}
