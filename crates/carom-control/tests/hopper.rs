//! A hopper with given phases: a jump from rest, and hops for ever.

use crate::systems;

use carom_control::{Guess, ProblemFile, solve};
use std::path::Path;
use systems::hopper::{GRAVITY, MASSES, hops, jump, jumping, part};
use systems::solved::from_guess;

#[test]
fn jump_from_rest() {
    let mut costs = Vec::new();
    for method in ["midpoint", "gauss2", "hermite-simpson"] {
        let solution = from_guess(&jump(20), &jumping(), method);
        let phases = &solution.phases;
        // In flight the centre of mass is thrown: it stops when the speed of take-off is used up.
        let [m1, m2] = MASSES;
        let centre = |v: &[f64]| (m1 * v[0] + m2 * v[1]) / (m1 + m2);
        let take_off = centre(&phases[1].v[0]);
        assert!((take_off - GRAVITY * phases[1].duration).abs() < 1e-6, "{method}: {take_off}");
        // The foot does not pull, and does not leave the ground with a jump.
        assert!(phases[0].forces[1..20].iter().all(|force| force[0] > -1e-6));
        assert!(phases[1].v[0][1].abs() < 1e-9);
        costs.push(solution.outcome.objective);
    }
    assert!((costs[1] - costs[2]).abs() < 5e-2 * costs[1], "{costs:?}");
}

#[test]
fn hops_for_ever() {
    let up = part(0.4, [[0.9, 0.0], [0.7, 0.0], [1.0, 0.0]]);
    let flight = part(0.3, [[1.0, 0.0], [1.1, 0.2], [0.9, 0.0]]);
    let guess = Guess { phases: vec![up, flight], ..Guess::default() };
    let solution = from_guess(&hops(0.3, 20), &guess, "gauss2");
    let (stance, flight) = (&solution.phases[0], &solution.phases[1]);
    // Periodic: the next stance begins as this one did.
    assert!((flight.q[20][0] - stance.q[0][0]).abs() < 1e-8);
    let landing = &solution.transitions[1];
    assert!(landing.v_plus[1].abs() < 1e-8 && landing.v_minus[1] < 0.0);
    assert!((landing.v_plus[0] - stance.v[0][0]).abs() < 1e-8);
    assert!(landing.energies[1] < landing.energies[0]);
    // The ground gives over a period what gravity takes: m g T = sum of forces and of the impulse of landing.
    let widths = stance.times.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<f64>>();
    let given: f64 = (0..20)
        .map(|k| {
            widths[k] * (stance.controls.at(k, 0.211324865405)[0] + stance.controls.at(k, 0.788675134595)[0]) / 2.0
        })
        .sum();
    let weight = (MASSES[0] + MASSES[1]) * GRAVITY * (stance.duration + flight.duration);
    let ground = given + MASSES[1] * GRAVITY * stance.duration + landing.impulses[0].1;
    assert!((ground - weight).abs() < 1e-6 * weight, "{ground} {weight}");
}

/// The example is the same hopper.
#[test]
fn example_file() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/optimal/hopper.toml");
    let file = ProblemFile::read(&path, &[]).unwrap();
    let solution = solve(&file.problem, &file.guess, &file.options(), &mut |_| true).unwrap();
    assert!(solution.outcome.status.is_success(), "{:?} {:?}", solution.outcome.status, solution.worst);
    assert!((solution.outcome.objective - 109.6189326562).abs() < 1e-5, "{}", solution.outcome.objective);
}
