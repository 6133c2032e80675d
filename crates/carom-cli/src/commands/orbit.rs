//! `carom orbit`: periodic motions of a model, their multipliers, branches and basins.

mod basin;
mod branches;
mod describe;
mod json;

use super::{default_folder, load};
use crate::args::Orbit as Arguments;
use crate::failure::Failure;
use crate::output::print;
use crate::progress::Progress;
use crate::projection::number;
use carom::control::orbit::{
    Basin, Branch, Orbit, OrbitChoice, OrbitError, OrbitSetup, SearchOptions, StepEnd, StepMap, find, state_names,
};
use carom::flow::FlowOptions;
use carom::report::plot::orbit::{self as draw, OrbitFigure};
use carom::{Backend, Model};
use std::path::{Path, PathBuf};

/// Changes below this part of the state are none.
const AT_REST: f64 = 1e-9;
/// A part of a period that is no fraction of it.
const GOLDEN: f64 = 0.381_966_011_250_105;

/// Everything that was found.
pub(super) struct Found<'a> {
    pub(super) model: &'a Model,
    pub(super) setup: &'a OrbitSetup,
    pub(super) names: Vec<String>,
    pub(super) orbit: Orbit,
    /// The state does not move at all.
    pub(super) is_equilibrium: bool,
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
    // Mistakes are told before the long search.
    let course = branches::course(args, &model)?;
    let grid = args.basin.as_deref().map(|text| basin::Grid::new(args, text, &model)).transpose()?;
    let orbit = search(args, &model, &setup, flow)?;
    let is_equilibrium = is_equilibrium(&model, &setup, &orbit, flow)?;
    let parameter = course.as_ref().map_or(String::new(), |course| course.family.parameter.clone());
    let branches = course.map(|course| branches::follow(args, &choice, &course, &orbit, flow)).transpose()?;
    let basin = grid.map(|grid| grid.follow(args, &model, &setup, &orbit)).transpose()?;
    let mut found = Found {
        model: &model,
        setup: &setup,
        names: state_names(&model.system),
        orbit,
        is_equilibrium,
        parameter,
        branches: branches.unwrap_or_default(),
        basin,
        files: Vec::new(),
    };
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
    let mut progress = Progress::counting("step", args.settle as f64, args.quiet || args.json);
    for k in 0..args.settle {
        let next = map.step(&guess).map_err(failure)?.state;
        // What drifts begins where it began.
        setup.free.iter().for_each(|&i| guess[i] = next[i]);
        progress.observe(f64::from(k));
    }
    progress.finish();
    find(&mut map, &guess, SearchOptions::default()).map_err(failure)
}

/// True if nothing moves: no impact, no rate, and the same state at a time that no period of the motion divides.
fn is_equilibrium(model: &Model, setup: &OrbitSetup, orbit: &Orbit, flow: FlowOptions) -> Result<bool, Failure> {
    let StepEnd::Period(period) = setup.end else { return Ok(false) };
    let scale = orbit.state.iter().fold(1.0_f64, |largest, value| largest.max(value.abs()));
    let is_small = |value: f64| value.abs() <= AT_REST * scale;
    let is_here = |state: &[f64]| state.iter().zip(&orbit.state).all(|(after, before)| is_small(after - before));
    let rests = orbit.state[orbit.state.len() / 2..].iter().all(|rate| is_small(*rate));
    if !rests || !is_here(&orbit.image) || !orbit.step.motion.impacts.is_empty() {
        return Ok(false);
    }
    let part = OrbitSetup { end: StepEnd::Period(GOLDEN * period), free: setup.free.clone() };
    let mut map = StepMap::new(model, &part, &[], flow).map_err(failure)?;
    Ok(is_here(&map.step(&orbit.state).map_err(failure)?.state))
}

/// Files that belong to the command: those of an earlier run would contradict the new ones.
const OWN: [&str; 6] = ["orbit.json", "branch.csv", "branch-doubled.csv", "branch.svg", "multipliers.svg", "basin.svg"];

fn remove_earlier(folder: &Path) -> Result<(), Failure> {
    for path in OWN.map(|name| folder.join(name)).into_iter().filter(|path| path.is_file()) {
        let failed = |error| Failure::File { path: path.clone(), why: format!("cannot be removed: {error}") };
        std::fs::remove_file(&path).map_err(failed)?;
    }
    Ok(())
}

/// Writes results and pictures.
fn store(args: &Arguments, found: &mut Found<'_>) -> Result<(), Failure> {
    let folder = args.out.clone().unwrap_or_else(|| default_folder(&args.model));
    remove_earlier(&folder)?;
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
        let title = format!("{system}: {}", if found.is_equilibrium { "equilibrium" } else { "periodic motion" });
        let (names, parameter) = (&found.names[..], &found.parameter[..]);
        let free = &found.setup.free[..];
        let figure = OrbitFigure { title: &title, names, free, parameter, branches: &found.branches };
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
