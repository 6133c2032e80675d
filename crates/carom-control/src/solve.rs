//! Transcribe, solve, read the motion off.

use crate::error::ControlError;
use crate::guess::Guess;
use crate::problem::ControlProblem;
use crate::sensitivity::sensitivities;
use crate::solution::Solution;
use crate::transcription::{Transcript, transcription};
use carom_expr::Backend;
use carom_nlp::{Multipliers, Nlp, Observer, Options, Status};

/// How a problem is solved.
#[derive(Clone, Debug)]
pub struct SolveOptions {
    /// Name of the transcription.
    pub transcription: String,
    /// Name of the solver.
    pub solver: String,
    /// What the solver is told.
    pub nlp: Options,
    /// How functions are executed.
    pub backend: Backend,
}

impl Default for SolveOptions {
    fn default() -> Self {
        let solver = carom_nlp::solvers().first().map_or("interior", |solver| solver.name()).to_owned();
        Self { transcription: "midpoint".to_owned(), solver, nlp: Options::default(), backend: Backend::Interpreter }
    }
}

/// Searches a local optimum from a guess.
pub fn solve(
    problem: &ControlProblem,
    guess: &Guess,
    options: &SolveOptions,
    observe: &mut Observer<'_>,
) -> Result<Solution, ControlError> {
    solve_with(problem, guess, options, &mut |_| None, observe)
}

/// The same; `warm` may give multipliers to begin with, once it has seen the program.
pub(crate) fn solve_with(
    problem: &ControlProblem,
    guess: &Guess,
    options: &SolveOptions,
    warm: &mut dyn FnMut(&Transcript) -> Option<Multipliers>,
    observe: &mut Observer<'_>,
) -> Result<Solution, ControlError> {
    let begin = std::time::Instant::now();
    let method = transcription(&options.transcription)?;
    let mut transcript = method.transcribe(problem, options.backend)?;
    guess.apply(problem, &mut transcript)?;
    let mut nlp = options.nlp.clone();
    nlp.warm = warm(&transcript).or(nlp.warm);
    let seconds_setup = begin.elapsed().as_secs_f64();
    let solver = carom_nlp::solver(&options.solver)?;
    let program = &mut transcript.program;
    let mut outcome = solver.solve(program, &nlp, observe);
    let worst = outcome.worst(program, 5);
    let size = [program.variable_ranges().len(), program.row_ranges().len()];
    let found = method.read(problem, &transcript.layout, &outcome)?;
    if let Some(flaw) = found.flaw {
        outcome.status = Status::Failed(flaw);
    }
    let sensitivities = sensitivities(problem, &mut transcript, &outcome);
    let freed = problem.freed.iter().zip(&transcript.layout.freed);
    let freed = freed.map(|(freed, &variable)| (freed.name.clone(), outcome.point[variable as usize])).collect();
    Ok(Solution {
        worst,
        method: transcript.method.clone(),
        phases: found.phases,
        transitions: found.transitions,
        costs: found.costs,
        freed,
        sensitivities,
        size,
        seconds_setup,
        outcome,
    })
}
