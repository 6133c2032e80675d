//! `carom feedback`: from a stored optimum to a regulator, its multipliers, and motions after pushes.

use crate::args::Feedback as Args;
use crate::failure::Failure;
use crate::output::{complain, print};
use crate::progress::Progress;
use crate::table::{Table, duration};
use carom::Backend;
use carom::control::{
    ControlError, Feedback, FeedbackOptions, Plan, ProblemFile, Pursuer, Pursuit, PursuitEnd, PursuitOptions, Push,
    feedback,
};
use carom::report::plot::{self, Robustness};
use carom::report::{optimum, optimum::StoredOptimum};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Instant;

/// Error per step of the flow that follows a motion.
const TOLERANCE: f64 = 1e-11;
/// A motion this close to the plan, in parts of its size, is back.
const BACK: f64 = 0.02;
/// The largest push that is tried, in parts of the fastest rate.
const LARGEST: f64 = 1.0;
/// Multipliers that are shown.
const SHOWN: usize = 8;

/// What came out.
struct Found {
    regulator: Feedback,
    with: Pursuit,
    without: Pursuit,
    robustness: Option<Robustness>,
    push: Push,
    what: String,
    seconds: f64,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    check(args)?;
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
    let (push, what) = push(args, plan, pursuer.duration())?;
    let options = PursuitOptions { steps: args.steps, push: Some(push.clone()), ..PursuitOptions::default() };
    let (with, without) = (pursuer.run(Some(&regulator), &options), pursuer.run(None, &options));
    let is_wanted = args.pushes > 1 && !args.no_plots && regulator.is_periodic;
    let robustness = is_wanted.then(|| sweep(args, file, (plan, &regulator), (&push, &what)));
    let robustness = robustness.transpose().map_err(explain)?;
    Ok(Found { regulator, with, without, robustness, push, what, seconds: clock.elapsed().as_secs_f64() })
}

/// The push that was asked for, or one against the fastest rate.
fn push(args: &Args, plan: Plan<'_>, planned: f64) -> Result<(Push, String), Failure> {
    let first = &plan.phases[0];
    let time = args.at.unwrap_or(planned / 3.0);
    if !(0.0..planned).contains(&time) {
        let message = format!("--at is {time}, but the motion lasts from 0 to {planned}");
        return Err(Failure::Settings(message));
    }
    let node = first.times.iter().rposition(|&t| t - first.times[0] <= time).unwrap_or(0);
    let mut velocity = vec![0.0; first.coordinates.len()];
    if args.push.is_empty() {
        let fastest = (0..velocity.len()).max_by(|&a, &b| first.v[node][a].abs().total_cmp(&first.v[node][b].abs()));
        let fastest = fastest.unwrap_or(0);
        velocity[fastest] = -0.2 * first.v[node][fastest];
    }
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
    let named = first.coordinates.iter().zip(&velocity).filter(|(_, change)| **change != 0.0);
    let what: Vec<String> = named.map(|(name, change)| format!("{name}' {change:+.4}")).collect();
    Ok((Push { time, velocity }, what.join(", ")))
}

/// Pushes of many sizes at many times, on all cores.
fn sweep(
    args: &Args,
    file: &ProblemFile,
    (plan, regulator): (Plan<'_>, &Feedback),
    (push, what): (&Push, &str),
) -> Result<Robustness, ControlError> {
    let duration: f64 = plan.phases.iter().map(|phase| phase.duration).sum();
    let fastest = plan.phases[0].v.iter().flatten().fold(0.0_f64, |most, rate| most.max(rate.abs()));
    let length = push.velocity.iter().map(|change| change * change).sum::<f64>().sqrt().max(f64::MIN_POSITIVE);
    let (columns, rows) = (args.pushes | 1, args.pushes.div_ceil(2).max(2));
    let place = |k: usize, count: usize| k as f64 / (count - 1) as f64;
    let sizes: Vec<f64> = (0..columns).map(|k| LARGEST * fastest * (2.0 * place(k, columns) - 1.0)).collect();
    let times: Vec<f64> = (0..rows).map(|k| 0.95 * duration * place(k, rows)).collect();
    let cells: Vec<(f64, f64)> = times.iter().flat_map(|&t| sizes.iter().map(move |&size| (t, size))).collect();
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(rows);
    let mut progress = Progress::new(cells.len() as f64, args.quiet || args.json);
    let mut steps = vec![0; cells.len()];
    let done = std::sync::atomic::AtomicUsize::new(0);
    let parts: Vec<_> =
        steps.chunks_mut(cells.len().div_ceil(threads)).zip(cells.chunks(cells.len().div_ceil(threads))).collect();
    std::thread::scope(|scope| {
        let jobs: Vec<_> = parts
            .into_iter()
            .map(|(steps, cells)| {
                let done = &done;
                scope.spawn(move || -> Result<(), ControlError> {
                    let mut pursuer = Pursuer::new(&file.problem, plan, 1e-9, Backend::fastest())?;
                    for (steps, &(time, size)) in steps.iter_mut().zip(cells) {
                        let velocity = push.velocity.iter().map(|change| size * change / length).collect();
                        *steps = back_after(&mut pursuer, regulator, args.steps, Push { time, velocity });
                        done.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    }
                    Ok(())
                })
            })
            .collect();
        while jobs.iter().any(|job| !job.is_finished()) {
            progress.observe(done.load(std::sync::atomic::Ordering::Relaxed) as f64);
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        jobs.into_iter().map(|job| job.join().unwrap_or(Ok(()))).collect::<Result<Vec<()>, ControlError>>()
    })?;
    progress.finish();
    let names = what.split_whitespace().step_by(2).collect::<Vec<_>>().join(", ");
    Ok(Robustness { what: format!("push on {names}"), sizes, times, steps, most: args.steps })
}

/// After how many steps a push is forgotten; zero if it never is.
fn back_after(pursuer: &mut Pursuer<'_>, regulator: &Feedback, steps: usize, push: Push) -> usize {
    let options = PursuitOptions { steps, push: Some(push), ..PursuitOptions::default() };
    let found = pursuer.run(Some(regulator), &options);
    if found.end != PursuitEnd::Completed {
        return 0;
    }
    let last_far = found.steps.iter().rposition(|step| step.distance > BACK);
    let back = last_far.map_or(1, |index| index + 2);
    if back > found.steps.len() { 0 } else { back }
}

fn draw(found: &Found, stored: &StoredOptimum, folder: &std::path::Path) -> Result<Vec<PathBuf>, Failure> {
    let title = format!("{}, feedback", stored.caption().title);
    let push = format!("pushed at t = {:.3}: {}", found.push.time, found.what);
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

fn describe(found: &Found) -> Value {
    let regulator = &found.regulator;
    let motion = |motion: &Pursuit| {
        let step =
            |step: &carom::control::PursuitStep| json!({ "t": step.t, "distance": step.distance, "late": step.late });
        json!({
            "completed": motion.end == PursuitEnd::Completed,
            "end": ending(motion),
            "steps": motion.steps.iter().map(step).collect::<Vec<_>>(),
            "least_normal_force": motion.least_force,
            "t": motion.nodes.iter().map(|node| node.t).collect::<Vec<_>>(),
            "distance": motion.nodes.iter().map(|node| node.distance).collect::<Vec<_>>(),
        })
    };
    let (open, closed) = regulator.spectral_radii();
    let phases = regulator.phases.iter().map(|phase| json!({ "name": phase.name, "gains": phase.gains }));
    json!({
        "periodic": regulator.is_periodic,
        "multipliers": { "open": regulator.open, "closed": regulator.closed },
        "spectral_radius": { "open": open, "closed": closed },
        "defect": regulator.defect,
        "periods_of_riccati": regulator.periods,
        "push": { "time": found.push.time, "velocity": found.push.velocity },
        "with_feedback": motion(&found.with),
        "without_feedback": motion(&found.without),
        "robustness": found.robustness.as_ref().map(|r| json!({ "sizes": r.sizes, "times": r.times, "steps": r.steps })),
        "phases": phases.collect::<Vec<_>>(),
        "wall_s": found.seconds,
    })
}

fn ending(motion: &Pursuit) -> String {
    match &motion.end {
        PursuitEnd::Completed => "all steps were made".to_owned(),
        PursuitEnd::Lost { time, distance } => {
            format!("lost at t = {time:.4}, {distance:.2} times the size of the motion from the plan")
        }
        PursuitEnd::Missed { time, contact } => format!("contact `{contact}` was not met by t = {time:.4}"),
        PursuitEnd::Stopped { time, why } => format!("stopped at t = {time:.4}: {why}"),
    }
}

fn table(found: &Found, files: &[PathBuf]) -> String {
    let regulator = &found.regulator;
    let mut table = Table::default();
    let intervals: usize = regulator.phases.iter().map(|phase| phase.gains.len()).sum();
    let periods =
        if regulator.is_periodic { format!(", periodic after {} sweeps", regulator.periods) } else { String::new() };
    table.row(["regulator", &format!("{intervals} intervals{periods}, in {}", duration(found.seconds))]);
    table.row(["plan", &format!("off the flow by {:.1e} of the motion per interval at most", regulator.defect)]);
    if regulator.is_periodic {
        table.row(["open loop", &multipliers(&regulator.open)]);
        table.row(["closed", &multipliers(&regulator.closed)]);
    }
    table.row(["push", &format!("{} at t = {:.4}", found.what, found.push.time)]);
    for (name, motion) in [("with", &found.with), ("without", &found.without)] {
        let distances: Vec<String> = motion.steps.iter().map(|step| format!("{:.1e}", step.distance)).collect();
        let steps =
            if distances.is_empty() { String::new() } else { format!("; after each step {}", distances.join(", ")) };
        table.row([name, &format!("{}{steps}", ending(motion))]);
    }
    if let Some(least) = found.with.least_force {
        table.row(["ground", &format!("least normal force {least:.4} with feedback")]);
        if least < 0.0 {
            complain(&"note: with feedback a closed contact would have to pull; the real one would open");
        }
    }
    if let Some(r) = &found.robustness {
        let back = r.steps.iter().filter(|steps| **steps > 0).count();
        table.row(["robustness", &format!("{back} of {} pushes are forgotten within {} steps", r.steps.len(), r.most)]);
    }
    table.list("files", files.iter().map(|file| file.display().to_string()));
    table.to_string()
}

/// Multipliers, largest first; of a pair one.
fn multipliers(all: &[(f64, f64)]) -> String {
    let shown = all.iter().filter(|(_, im)| *im >= 0.0).take(SHOWN).map(|(re, im)| match *im {
        0.0 => format!("{re:.4e}"),
        im => format!("{re:.4e} ± {im:.4e} i"),
    });
    shown.collect::<Vec<_>>().join(", ")
}
