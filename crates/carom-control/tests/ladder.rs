//! Meshes that are refined until the optimal cost is known.

use crate::systems;

use carom_control::{
    AuditOptions, Guess, Ladder, LadderEnd, LadderOptions, PhaseGuess, SolveOptions, audit, solve_to_accuracy,
};
use systems::landing::hop;
use systems::turning::soft_wall;
use systems::{block, swing_up};

/// The optimal cost of the swing-up on the finest meshes that were tried elsewhere.
const SWING_UP: f64 = 58.807667;

fn climb(method: &str, intervals: usize, ladder: LadderOptions) -> Ladder {
    let problem = swing_up(intervals);
    let mut options = SolveOptions { transcription: method.to_owned(), ..SolveOptions::default() };
    options.nlp.tolerance = 1e-10;
    let guess = Guess::interpolate(&problem, &[]);
    let found = solve_to_accuracy(&problem, &guess, &options, &ladder, &mut |_| true).unwrap();
    eprintln!("{method}, warm: {}", ladder.warm);
    show(&found);
    found
}

fn show(found: &Ladder) {
    eprintln!("    {:?}", found.end);
    for rung in &found.rungs {
        eprintln!(
            "    {:5} intervals, cost {:.9}, error {:.1e}, extrapolated {:.9} +- {:.1e}, defects {:.1e} {:.1e}, {} iterations, {:.2} s",
            rung.intervals,
            rung.cost,
            rung.error.unwrap_or(f64::NAN),
            rung.extrapolated,
            rung.extrapolated_error.unwrap_or(f64::NAN),
            rung.largest_defect,
            rung.total_defect,
            rung.iterations,
            rung.seconds
        );
    }
}

#[test]
fn peer_swing_up_by_extrapolation() {
    for method in ["midpoint", "trapezoidal"] {
        let ladder = climb(method, 50, LadderOptions { extrapolate: true, ..LadderOptions::default() });
        assert_eq!(ladder.end, LadderEnd::Accurate);
        assert!((ladder.extrapolated() - SWING_UP).abs() < 1e-6, "{}", ladder.extrapolated());
    }
}

#[test]
fn peer_swing_up_directly() {
    for method in ["gauss2", "gauss3", "lobatto3"] {
        let ladder = climb(method, 20, LadderOptions::default());
        assert_eq!(ladder.end, LadderEnd::Accurate);
        let rung = ladder.rungs.last().unwrap();
        assert!((rung.cost - SWING_UP).abs() < 2e-6, "{}", rung.cost);
        assert!((rung.extrapolated - SWING_UP).abs() < 1e-6, "{}", rung.extrapolated);
        // What is asked for is what one gets, to a factor.
        assert!((rung.cost - SWING_UP).abs() < 3.0 * rung.error.unwrap() + 5e-7);
        let audit = audit(&ladder.problem, &ladder.solution, &AuditOptions::default()).unwrap();
        assert!(audit.passed, "{}", audit.verdict());
    }
}

/// A bounce off a steep wall: defects are large for a short while, and the mesh becomes fine there alone.
#[test]
fn mesh_is_refined_where_defects_are() {
    let problem = soft_wall(40);
    let mut options = SolveOptions { transcription: "gauss2".to_owned(), ..SolveOptions::default() };
    options.nlp.tolerance = 1e-10;
    // A straight line would not bounce: the guess goes to the wall and back, with a corner there.
    let phase = PhaseGuess {
        duration: 1.0,
        times: vec![0.0, 0.5, 1.0],
        q: vec![vec![1.0], vec![0.0], vec![1.0]],
        v: vec![vec![-2.0], vec![0.0], vec![2.0]],
        ..PhaseGuess::default()
    };
    let guess = Guess { phases: vec![phase], ..Guess::default() };
    let counts = [false, true].map(|extrapolate| {
        let accuracy = 1e-4;
        let ladder = LadderOptions { accuracy, extrapolate, max_intervals: 5000, ..LadderOptions::default() };
        let found = solve_to_accuracy(&problem, &guess, &options, &ladder, &mut |_| true).unwrap();
        show(&found);
        let needed = found.rungs.iter().find(|rung| rung.error.is_some_and(|error| error <= accuracy));
        (needed.map_or(usize::MAX, |rung| rung.intervals), found)
    });
    let shares = counts[0].1.problem.phases[0].mesh();
    let (least, most) = shares.iter().fold((1.0_f64, 0.0_f64), |(a, b), &share| (a.min(share), b.max(share)));
    eprintln!("adaptive {} intervals, even {}; shares {least:.1e} to {most:.1e}", counts[0].0, counts[1].0);
    assert!(2 * counts[0].0 < counts[1].0 && most > 4.0 * least);
}

#[test]
fn limits_end_a_ladder() {
    let options = LadderOptions { accuracy: 1e-12, max_intervals: 100, ..LadderOptions::default() };
    let ladder = climb("midpoint", 50, options);
    assert_eq!((ladder.end, ladder.rungs.len()), (LadderEnd::IntervalLimit, 2));
    let options = LadderOptions { accuracy: 1e-12, max_rounds: 1, ..LadderOptions::default() };
    assert_eq!(climb("midpoint", 50, options).end, LadderEnd::RoundLimit);
}

#[test]
fn exact_problem_ends_at_once() {
    let problem = block(5);
    let options = SolveOptions { transcription: "gauss2".to_owned(), ..SolveOptions::default() };
    let guess = Guess::interpolate(&problem, &[]);
    let ladder = solve_to_accuracy(&problem, &guess, &options, &LadderOptions::default(), &mut |_| true).unwrap();
    assert_eq!((ladder.end, ladder.rungs.len()), (LadderEnd::Accurate, 2));
    assert!((ladder.extrapolated() - 12.0).abs() < 1e-7);
}

/// What handing over multipliers is worth.
#[test]
fn warm_starts_save_iterations() {
    for method in ["midpoint", "gauss2", "hermite-simpson"] {
        let iterations = [false, true].map(|warm| {
            let options =
                LadderOptions { extrapolate: true, max_rounds: 4, accuracy: 1e-12, warm, ..LadderOptions::default() };
            climb(method, 50, options).rungs[1..].iter().map(|rung| rung.iterations).sum::<usize>()
        });
        eprintln!("{method}: iterations after the first mesh, cold {} and warm {}", iterations[0], iterations[1]);
        assert!(iterations[1] <= iterations[0]);
    }
}

/// Several phases, an impact, forces that must push, a parameter. Where the force begins to act is found no better than the
/// intervals are long: the ladder must see that, though the defects do not show it.
#[test]
fn hop_with_landing() {
    let (problem, guess) = hop();
    let options = SolveOptions { transcription: "gauss3".to_owned(), ..SolveOptions::default() };
    let ladder = LadderOptions { accuracy: 1e-3, ..LadderOptions::default() };
    let found = solve_to_accuracy(&problem, &guess, &options, &ladder, &mut |_| true).unwrap();
    show(&found);
    assert_eq!(found.end, LadderEnd::Accurate);
    let cost = found.solution.outcome.objective;
    assert!((cost - 13.99664).abs() < 1e-3, "{cost}");
    // Without that condition it converges at once.
    let mut smooth = problem.clone();
    smooth.phases[1].path.clear();
    let found = solve_to_accuracy(&smooth, &guess, &options, &ladder, &mut |_| true).unwrap();
    show(&found);
    assert_eq!(found.end, LadderEnd::Accurate);
}
