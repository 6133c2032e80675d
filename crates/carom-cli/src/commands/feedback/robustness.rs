//! Pushes of many sizes at many times, and after how many steps they are forgotten.

use crate::args::Feedback as Args;
use crate::progress::Progress;
use carom::Backend;
use carom::control::{ControlError, Feedback, Plan, ProblemFile, Pursuer, PursuitEnd, PursuitOptions, Push};
use carom::report::plot::Robustness;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// A motion this close to the plan, in parts of its size, is back.
const BACK: f64 = 0.02;
/// The largest push that is tried, in parts of the fastest rate.
const LARGEST: f64 = 1.0;
/// Error per step of the flow: cells are coarse.
const TOLERANCE: f64 = 1e-9;

/// Times and sizes of all pushes.
struct Grid {
    sizes: Vec<f64>,
    times: Vec<f64>,
}

impl Grid {
    fn new(count: usize, plan: Plan<'_>) -> Self {
        let duration: f64 = plan.phases.iter().map(|phase| phase.duration).sum();
        let fastest = plan.phases[0].v.iter().flatten().fold(0.0_f64, |most, rate| most.max(rate.abs()));
        // An odd number of sizes, three at least, has no push in its middle.
        let (columns, rows) = (count.max(2) | 1, count.div_ceil(2).max(2));
        let place = |k: usize, count: usize| k as f64 / (count - 1) as f64;
        Self {
            sizes: (0..columns).map(|k| LARGEST * fastest * (2.0 * place(k, columns) - 1.0)).collect(),
            times: (0..rows).map(|k| 0.95 * duration * place(k, rows)).collect(),
        }
    }

    fn cells(&self) -> Vec<(f64, f64)> {
        self.times.iter().flat_map(|&time| self.sizes.iter().map(move |&size| (time, size))).collect()
    }
}

/// Tries all pushes along a direction, on all cores.
pub(super) fn sweep(
    args: &Args,
    file: &ProblemFile,
    (plan, regulator): (Plan<'_>, &Feedback),
    (direction, names): (&[f64], &str),
) -> Result<Robustness, ControlError> {
    let grid = Grid::new(args.pushes, plan);
    let cells = grid.cells();
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(grid.times.len());
    let share = cells.len().div_ceil(threads);
    let (mut steps, done) = (vec![0; cells.len()], AtomicUsize::new(0));
    let mut progress = Progress::counting("push", cells.len() as f64, args.quiet || args.json);
    std::thread::scope(|scope| {
        let mut jobs = Vec::new();
        for (steps, cells) in steps.chunks_mut(share).zip(cells.chunks(share)) {
            let done = &done;
            jobs.push(scope.spawn(move || -> Result<(), ControlError> {
                let mut pursuer = Pursuer::new(&file.problem, plan, TOLERANCE, Backend::fastest())?;
                for (steps, &(time, size)) in steps.iter_mut().zip(cells) {
                    let push = Push { time, velocity: scaled(direction, size) };
                    *steps = back_after(&mut pursuer, regulator, args.steps, push);
                    done.fetch_add(1, Ordering::Relaxed);
                }
                Ok(())
            }));
        }
        while jobs.iter().any(|job| !job.is_finished()) {
            progress.observe(done.load(Ordering::Relaxed) as f64);
            std::thread::sleep(Duration::from_millis(20));
        }
        let broken = || ControlError::Feedback { why: "a thread ended unexpectedly".to_owned() };
        let ended = jobs.into_iter().map(|job| job.join().map_err(|_| broken())?);
        ended.collect::<Result<Vec<()>, ControlError>>()
    })?;
    progress.finish();
    let Grid { sizes, times } = grid;
    Ok(Robustness { what: format!("push on {names}"), sizes, times, steps, most: args.steps })
}

/// A push of this size.
fn scaled(direction: &[f64], size: f64) -> Vec<f64> {
    let length = direction.iter().map(|change| change * change).sum::<f64>().sqrt().max(f64::MIN_POSITIVE);
    direction.iter().map(|change| size * change / length).collect()
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
