//! A search of impacts: candidates one after the other, of which the best takes the place of the problem.

use super::watch::Watch;
use crate::args::Optimise;
use crate::failure::Failure;
use crate::output::complain;
use carom::control::{
    AuditOptions, Candidate, DiscoverEvent, DiscoverOptions, Discovery, ProblemFile, RelaxedSolve, audit, discover_with,
};
use carom::report::optimum::Discovered;

/// Searches; the problem of the file becomes the one with the sequence that is taken, its guess the motion.
pub(super) fn search(
    args: &Optimise,
    file: &mut ProblemFile,
    options: &DiscoverOptions,
    watch: &Watch,
) -> Result<Discovered, Failure> {
    let mut is_first = true;
    let mut tell = |event: DiscoverEvent<'_>| {
        if !watch.is_wanted() {
            return;
        }
        match event {
            DiscoverEvent::Relaxed(solve) => complain(&relaxed(solve, std::mem::take(&mut is_first))),
            DiscoverEvent::Found(candidate) => {
                watch.finish(&candidate.solution.outcome);
                complain(&found(candidate));
                is_first = true;
            }
        }
    };
    let Discovery { candidates, .. } =
        discover_with(&file.problem, &file.guess, options, &mut tell, &mut |progress| watch.observe(progress))
            .map_err(|error| super::explain(file, &error))?;
    let judge = |candidate: &Candidate| {
        let is_wanted = !args.no_audit && candidate.is_motion() && !watch.is_stopped();
        is_wanted.then(|| audit(&candidate.problem, &candidate.solution, &AuditOptions::default()).ok()).flatten()
    };
    let audits: Vec<_> = candidates.iter().map(judge).collect();
    // The cheapest stand first; those that are no motions, last.
    let passed = audits.iter().position(|audit| audit.as_ref().is_some_and(|audit| audit.passed));
    let taken = passed.unwrap_or(0);
    let Some(best) = candidates.get(taken) else {
        let why = if watch.is_stopped() { "it was stopped" } else { "no relaxed motion was found" };
        return Err(Failure::Run(format!("the search of impacts found nothing: {why}; try another guess")));
    };
    let phase = file.problem.phases.first().map_or(String::new(), |phase| phase.name.clone());
    let model = file.phase_models.first().copied().unwrap_or(0);
    file.guess = best.solution.guess();
    file.problem = best.problem.clone();
    file.phase_models = vec![model; file.problem.phases.len()];
    Ok(Discovered { candidates, audits, taken, phase })
}

/// A relaxed program in a line, below the names of the columns if it is the first of its start.
fn relaxed(solve: &RelaxedSolve, is_first: bool) -> String {
    let RelaxedSolve { start, relaxation, status, cost, impacts, iterations } = solve;
    let line = format!("{start:>9}  {relaxation:>10.0e}  {impacts:>7}  {iterations:>10}  {cost:>17.9e}  {status}");
    let [a, b, c, d, e] = ["start", "relaxation", "impacts", "iterations", "objective"];
    if is_first { format!("{a:>9}  {b:>10}  {c:>7}  {d:>10}  {e:>17}  status\n{line}") } else { line }
}

/// A candidate in a line.
fn found(candidate: &Candidate) -> String {
    let Candidate { start, sequence, cost, status, .. } = candidate;
    format!("{start:>9}  {sequence}: {cost:.9e}, {status}")
}
