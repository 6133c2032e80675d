//! `--resume`: a search that begins with an earlier result.

use super::explain;
use crate::args::Optimise;
use crate::failure::Failure;
use carom::Backend;
use carom::control::{ProblemFile, SolveOptions, StoredSolution, transcription};
use carom::report::optimum;
use std::path::Path;

/// First barrier of a search that begins with the motion of another mesh: with ten times as much, walks of absolute work are left
/// for others that cost more.
const BARRIER: f64 = 1e-6;

/// Begins with an earlier result: its mesh and motion, and its multipliers if the program is the same.
pub(super) fn resume(
    args: &Optimise,
    folder: &Path,
    file: &mut ProblemFile,
    options: &mut SolveOptions,
) -> Result<(), Failure> {
    if file.settings.discover.is_some() {
        let message = "a search of impacts cannot be resumed: it begins anew. Write its phases and transitions into the \
                       problem instead of [discover] to go on from its motion";
        return Err(Failure::Settings(message.to_owned()));
    }
    let stored = optimum::read(folder)?.solution;
    if args.intervals.is_none() {
        adopt_mesh(&stored, file);
    }
    let not_fit = |why: String| Failure::Settings(format!("`{}` does not fit the problem: {why}", folder.display()));
    stored.fill(&file.problem, &mut file.guess).map_err(not_fit)?;
    // The same numbers of variables and rows, by the same method, are taken for the same program.
    let transcript = transcription(&options.transcription)
        .and_then(|method| method.transcribe(&file.problem, Backend::Interpreter))
        .map_err(|error| explain(file, &error))?;
    let (program, multipliers) = (&transcript.program, &stored.multipliers);
    let size = [program.variables().len(), program.rows().len()];
    let lengths = [stored.point.len(), multipliers.rows.len()];
    let is_same = transcript.method == stored.method && size == lengths && multipliers.lower.len() == size[0];
    let is_finite = stored.point.iter().chain(&multipliers.rows).all(|value| value.is_finite());
    if is_same && is_finite && multipliers.upper.len() == size[0] {
        options.nlp.start = Some(stored.point);
        options.nlp.warm = Some(stored.multipliers);
    } else {
        // Another mesh or method: the motion is near, but its multipliers are not known.
        options.nlp.near = true;
        options.nlp.barrier = Some(BARRIER);
    }
    Ok(())
}

/// The intervals of a stored solution, phase by phase.
fn adopt_mesh(stored: &StoredSolution, file: &mut ProblemFile) {
    for phase in &mut file.problem.phases {
        if let Some(number) = stored.phases.iter().position(|known| known.name == phase.name) {
            let shares = stored.shares(number);
            let total: f64 = shares.iter().sum();
            phase.intervals = shares.len();
            phase.shares = shares.iter().map(|share| share / total).collect();
        }
    }
}
