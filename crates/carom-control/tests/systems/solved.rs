//! Solves problems that must converge.

use carom_control::{ControlProblem, Guess, PhaseGuess, Solution, SolveOptions, solve};
use carom_nlp::Status;

/// The optimum that is found from `guess`.
pub fn from_guess(problem: &ControlProblem, guess: &Guess, method: &str) -> Solution {
    let options = SolveOptions { transcription: method.to_owned(), ..SolveOptions::default() };
    let solution = solve(problem, guess, &options, &mut |_| true).unwrap();
    assert_eq!(solution.outcome.status, Status::Converged, "{method}: {:?}", solution.worst);
    solution
}

/// The optimum that is found from straight lines.
pub fn solved(problem: &ControlProblem, method: &str) -> Solution {
    from_guess(problem, &Guess::interpolate(problem, &[]), method)
}

/// One phase whose configuration is a function of the share of its duration.
pub fn along(duration: f64, q: impl Fn(f64) -> Vec<f64>) -> Guess {
    let times: Vec<f64> = (0..=50).map(|k| f64::from(k) / 50.0).collect();
    let q = times.iter().map(|&time| q(time)).collect();
    Guess { phases: vec![PhaseGuess { duration, times, q, ..PhaseGuess::default() }], ..Guess::default() }
}
