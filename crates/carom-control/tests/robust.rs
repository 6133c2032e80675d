//! The same optimum from many guesses.

mod systems;

use carom_control::{Guess, PhaseGuess, SolveOptions, solve};
use carom_nlp::Status;
use systems::swing_up;

/// A small generator of numbers in [-1, 1).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// Straight lines with waves: positions and angles off by up to a third, forces by half of the largest.
fn perturbed(seed: u64) -> Guess {
    let mut numbers = Numbers(seed + 17);
    let times: Vec<f64> = (0..=100).map(|k| f64::from(k) / 100.0).collect();
    let sizes: Vec<f64> = (0..9).map(|_| numbers.next() / 3.0).collect();
    let wave = |sizes: &[f64], t: f64| -> f64 {
        (1..).zip(sizes).map(|(j, size)| size * (f64::from(j) * std::f64::consts::PI * t).sin()).sum()
    };
    let q = times.iter().map(|&t| vec![t + wave(&sizes[..3], t), std::f64::consts::PI * t + wave(&sizes[3..6], t)]);
    let q = q.collect();
    let u = times.iter().map(|&t| vec![30.0 * wave(&sizes[6..], t)]).collect();
    Guess { phases: vec![PhaseGuess { duration: 2.0, times, q, v: Vec::new(), u }], freed: Vec::new() }
}

#[test]
fn peer_cart_pole_from_fifty_perturbed_guesses() {
    let problem = swing_up(100);
    for solver in ["interior"] {
        let mut iterations = Vec::new();
        for seed in 0..50 {
            let guess = perturbed(seed);
            let options = SolveOptions { solver: solver.to_owned(), ..SolveOptions::default() };
            let solution = solve(&problem, &guess, &options, &mut |_| true).unwrap();
            assert_eq!(solution.outcome.status, Status::Converged, "{solver}, guess {seed}");
            let error = (solution.outcome.objective - 58.989874440).abs();
            assert!(error < 1e-6, "{solver}, guess {seed}: {}", solution.outcome.objective);
            iterations.push(solution.outcome.statistics.iterations);
        }
        iterations.sort_unstable();
        println!("{solver}: {} to {} iterations, median {}", iterations[0], iterations[49], iterations[25]);
    }
}
