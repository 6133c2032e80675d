//! A search of gaits from several starts, of which the best takes the place of the problem.

use super::explain;
use super::watch::Watch;
use crate::args::Optimise;
use crate::failure::Failure;
use crate::output::complain;
use carom::control::{Audit, GaitEvent, GaitOptions, ProblemFile, Solution};
use carom::report::optimum::Walked;

/// Searches; the guess of the file becomes the gait that is taken.
pub(super) fn search(
    args: &Optimise,
    file: &mut ProblemFile,
    mut options: GaitOptions,
    watch: &Watch,
) -> Result<Walked, Failure> {
    options.is_audited = !args.no_audit;
    let starts = file.gait_starts().map_err(|error| explain(file, &error))?;
    let Some(gait) = file.gait.clone() else {
        return Err(Failure::Settings("the problem has no [gait]".to_owned()));
    };
    let (mut done, mut hops) = (0, Hops::default());
    let found = gait.search(&starts, &options, &mut |event| {
        if let GaitEvent::Iteration(progress) = event {
            return watch.observe(progress);
        }
        if watch.is_wanted() {
            match event {
                GaitEvent::Iteration(_) => {}
                GaitEvent::Solved { solution, .. } if starts.len() == 1 => watch.finish(&solution.outcome),
                GaitEvent::Solved { start, solution } => {
                    // All starts begin anew if a second solver tries them.
                    done = done % starts.len() + 1;
                    complain(&solved((done, starts.len()), start, solution));
                }
                GaitEvent::Hopped { start, hop, cost } => hops.tell(start, (hop, options.hops), cost),
                GaitEvent::Audited { start, hop, round, audit } => complain(&audited((start, hop), round, audit)),
            }
        }
        !watch.is_stopped()
    });
    let search = found.map_err(|error| explain(file, &error))?;
    let measures = search.candidates.first().and_then(|best| gait.measures(&best.solution).ok());
    match search.candidates.first() {
        Some(best) => file.guess = best.solution.guess(),
        None => return Err(Failure::Run("the search of gaits was stopped before a start was solved".to_owned())),
    }
    Ok(Walked { search, measures })
}

/// Hops, of which those are told that lead to something better, and one in ten.
#[derive(Default)]
struct Hops {
    best: Option<f64>,
}

impl Hops {
    fn tell(&mut self, start: usize, (hop, all): (usize, usize), cost: Option<f64>) {
        let is_better = cost.is_some_and(|cost| self.best.is_none_or(|best| cost < best));
        self.best = if is_better { cost } else { self.best };
        let best = self.best.map_or("none yet".to_owned(), |best| format!("{best:.9e}"));
        if is_better || hop % 10 == 0 || hop == all {
            complain(&format!("start {start}, hop {hop} of {all}: best by hops {best}"));
        }
    }
}

/// A start in a line, below the names of the columns if it is the first.
fn solved((done, all): (usize, usize), start: usize, solution: &Solution) -> String {
    let outcome = &solution.outcome;
    let (cost, iterations) = (outcome.objective, outcome.statistics.iterations);
    let line = format!("{done:>6}/{all:<6}{start:>5}  {iterations:>10}  {cost:>17.9e}  {}", outcome.status);
    let [a, b, c, d] = ["solved", "start", "iterations", "objective"];
    if done == 1 { format!("{a:>6} {b:>11}  {c:>10}  {d:>17}  status\n{line}") } else { line }
}

fn audited((start, hop): (usize, usize), round: usize, audit: &Audit) -> String {
    let hop = if hop == 0 { String::new() } else { format!(", hop {hop}") };
    let again = if round == 0 { String::new() } else { format!(", limits tightened, round {round}") };
    format!("start {start}{hop}{again}: {}", audit.verdict())
}
