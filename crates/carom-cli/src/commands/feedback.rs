//! `carom feedback`: from a stored optimum to a regulator, its multipliers, and motions after pushes.

mod robustness;
mod summary;

use crate::args::Feedback as Args;
use crate::failure::Failure;
use crate::output::{complain, print};
use carom::Backend;
use carom::control::{
    ControlError, Feedback, FeedbackOptions, Plan, ProblemFile, Pursuer, Pursuit, PursuitOptions, Push, feedback,
};
use carom::report::plot::{self, Robustness};
use carom::report::{optimum, optimum::StoredOptimum};
use robustness::sweep;
use serde_json::Value;
use std::path::PathBuf;
use std::time::Instant;
use summary::{describe, table};

/// Error per step of the flow that follows a motion.
const TOLERANCE: f64 = 1e-11;

/// Plans that are farther off the flow than this, in parts of the motion, are too coarse, as for the audit.
const COARSE: f64 = 1e-3;

/// What came out.
struct Found {
    regulator: Feedback,
    with: Pursuit,
    without: Pursuit,
    robustness: Option<Robustness>,
    push: Push,
    /// The push in words.
    what: String,
    seconds: f64,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    check(args)?;
    if args.folder.exists() && !optimum::is_optimum(&args.folder) {
        let why =
            "is no result of `carom optimise`; solve the problem first, and give the folder of its results".to_owned();
        return Err(Failure::File { path: args.folder.clone(), why });
    }
    let stored = optimum::read(&args.folder)?;
    let file = stored.problem().map_err(Failure::Model)?;
    let found = follow(args, &file, &stored)?;
    let out = args.out.clone().unwrap_or_else(|| args.folder.clone());
    let mut files = vec![write(&out, &describe(&found))?];
    if !args.no_plots {
        files.extend(draw(&found, &stored, &out)?);
    }
    if args.json {
        let mut object = describe(&found);
        object["files"] = files.iter().map(|file| file.to_string_lossy()).collect();
        print(&object)?;
    } else if !args.quiet {
        print(&table(&found, &files))?;
    }
    if found.regulator.defect > COARSE {
        let defect = found.regulator.defect;
        complain(&format!(
            "warning: the plan is off the flow by {defect:.1e} of the motion per interval: its mesh is too coarse to be followed; \
             solve it on a finer one, or with a better method"
        ));
    }
    let (_, closed) = found.regulator.spectral_radii();
    if found.regulator.is_periodic && closed >= 1.0 {
        return Err(Failure::Run(format!(
            "the regulator does not stabilise the motion: a multiplier of size {closed:.4}"
        )));
    }
    Ok(())
}

fn check(args: &Args) -> Result<(), Failure> {
    let weights = [("state-weight", args.state_weight), ("input-weight", args.input_weight)];
    for (name, value) in weights {
        if !(value > 0.0 && value.is_finite()) {
            return Err(Failure::Settings(format!("--{name} is {value}, but must be a positive number")));
        }
    }
    if !(1..=10_000).contains(&args.steps) || args.pushes > 200 {
        let message = "--steps must be from 1 to 10000, --pushes from 0 to 200";
        return Err(Failure::Settings(message.to_owned()));
    }
    Ok(())
}

/// The regulator, and motions under it.
fn follow(args: &Args, file: &ProblemFile, stored: &StoredOptimum) -> Result<Found, Failure> {
    let clock = Instant::now();
    let plan = Plan::from(&stored.solution);
    // Mistakes are told before the work.
    let (push, direction) = push(args, plan)?;
    let explain = |error: ControlError| match error {
        ControlError::Feedback { .. } => Failure::Run(error.to_string()),
        error => super::optimise::explain(file, &error),
    };
    let options = FeedbackOptions {
        state_weight: args.state_weight,
        input_weight: args.input_weight,
        ..FeedbackOptions::default()
    };
    let regulator = feedback(&file.problem, plan, &options).map_err(explain)?;
    let mut pursuer = Pursuer::new(&file.problem, plan, TOLERANCE, Backend::fastest()).map_err(explain)?;
    let options = PursuitOptions { steps: args.steps, push: Some(push.clone()), ..PursuitOptions::default() };
    let (with, without) = (pursuer.run(Some(&regulator), &options), pursuer.run(None, &options));
    let is_wanted = args.pushes > 0 && !args.no_plots && regulator.is_periodic;
    let names = changes(plan, &direction).map(|(name, _)| name).collect::<Vec<_>>().join(", ");
    let robustness = is_wanted.then(|| sweep(args, file, (plan, &regulator), (&direction, &names)));
    let robustness = robustness.transpose().map_err(explain)?;
    let what = words(plan, &push);
    Ok(Found { regulator, with, without, robustness, push, what, seconds: clock.elapsed().as_secs_f64() })
}

/// When the motion is pushed: inside it.
fn time(args: &Args, plan: Plan<'_>) -> Result<f64, Failure> {
    let planned: f64 = plan.phases.iter().map(|phase| phase.duration).sum();
    let time = args.at.unwrap_or(planned / 3.0);
    if !(0.0..planned).contains(&time) {
        let message = format!("--at is {time}, but the motion lasts from 0 to {planned}");
        return Err(Failure::Settings(message));
    }
    Ok(time)
}

/// The push that was asked for, or one against the fastest rate; then the direction of the pushes of many sizes, which is that
/// against the fastest rate if nothing is pushed.
fn push(args: &Args, plan: Plan<'_>) -> Result<(Push, Vec<f64>), Failure> {
    let (first, time) = (&plan.phases[0], time(args, plan)?);
    let node = first.times.iter().rposition(|&t| t - first.times[0] <= time).unwrap_or(0);
    let mut usual = vec![0.0; first.coordinates.len()];
    let fastest = (0..usual.len()).max_by(|&a, &b| first.v[node][a].abs().total_cmp(&first.v[node][b].abs()));
    fastest.into_iter().for_each(|fastest| usual[fastest] = -0.2 * first.v[node][fastest]);
    if args.push.is_empty() {
        return Ok((Push { time, velocity: usual.clone() }, usual));
    }
    let mut velocity = vec![0.0; usual.len()];
    for (name, value) in &args.push {
        let coordinate = name.strip_suffix('\'').and_then(|name| first.coordinates.iter().position(|c| c == name));
        let known = || first.coordinates.iter().map(|name| format!("{name}'")).collect::<Vec<_>>().join(", ");
        let wrong =
            || Failure::Settings(format!("--push {name}={value}: there is no rate `{name}`; there are: {}", known()));
        let index = coordinate.ok_or_else(wrong)?;
        let number = value.trim().parse::<f64>().ok().filter(|number| number.is_finite());
        let wrong = || Failure::Settings(format!("--push {name}: `{value}` is not a number"));
        velocity[index] = number.ok_or_else(wrong)?;
    }
    let direction = if velocity.iter().all(|change| *change == 0.0) { usual } else { velocity.clone() };
    Ok((Push { time, velocity }, direction))
}

/// Rates that change, and by how much.
fn changes<'a>(plan: Plan<'a>, velocity: &'a [f64]) -> impl Iterator<Item = (String, f64)> + 'a {
    let named = plan.phases[0].coordinates.iter().zip(velocity).filter(|(_, change)| **change != 0.0);
    named.map(|(name, change)| (format!("{name}'"), *change))
}

/// A push in words.
fn words(plan: Plan<'_>, push: &Push) -> String {
    let what: Vec<String> =
        changes(plan, &push.velocity).map(|(name, change)| format!("{name} {change:+.4}")).collect();
    if what.is_empty() { "none".to_owned() } else { format!("{} at t = {:.4}", what.join(", "), push.time) }
}

fn draw(found: &Found, stored: &StoredOptimum, folder: &std::path::Path) -> Result<Vec<PathBuf>, Failure> {
    let title = format!("{}, feedback", stored.caption().title);
    let push = format!("push: {}", found.what);
    let motions = [("with feedback", &found.with), ("without", &found.without)];
    let mut files = vec![plot::recovery(&title, &motions, &push, folder)?];
    if let Some(robustness) = &found.robustness {
        files.push(plot::robustness(&title, robustness, folder)?);
    }
    Ok(files)
}

/// Gains and motions as a file of their own.
fn write(folder: &std::path::Path, object: &Value) -> Result<PathBuf, Failure> {
    let path = folder.join("feedback.json");
    let failed =
        |error: std::io::Error| Failure::File { path: path.clone(), why: format!("cannot be written: {error}") };
    std::fs::create_dir_all(folder).map_err(failed)?;
    std::fs::write(&path, format!("{object:#}\n")).map_err(failed)?;
    Ok(path)
}
