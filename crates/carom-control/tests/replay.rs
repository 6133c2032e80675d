//! Solutions replayed by the continuous flow.

use crate::systems;

use carom_control::{
    AuditFinding, AuditKind, AuditOptions, ControlProblem, ControlShape, CostKind, Duration, Guess, Phase, PhaseGuess,
    Replay, ReplayOptions, Solution, SolveOptions, Transition, audit, replay, solve,
};
use carom_nlp::Range;
use systems::landing::hop;
use systems::{block, particle, swing_up};

fn solved(problem: &ControlProblem, method: &str) -> Solution {
    let options = SolveOptions { transcription: method.to_owned(), ..SolveOptions::default() };
    let solution = solve(problem, &Guess::interpolate(problem, &[]), &options, &mut |_| true).unwrap();
    assert!(solution.outcome.status.is_success(), "{method}: {:?}", solution.worst);
    solution
}

fn replayed(problem: &ControlProblem, solution: &Solution) -> Replay {
    replay(problem, solution, &ReplayOptions::default()).unwrap()
}

fn largest_defect(replay: &Replay) -> f64 {
    let intervals = replay.phases.iter().flat_map(|phase| &phase.intervals);
    intervals.map(|interval| interval.defect.state()).fold(0.0, f64::max)
}

/// A mass under a force that is a polynomial of time: every rule that holds the polynomial is exact.
#[test]
fn block_move_is_exact() {
    for (method, shape) in [
        ("midpoint", ControlShape::Constant),
        ("gauss2", ControlShape::Samples),
        ("gauss2", ControlShape::Linear),
        ("lobatto3", ControlShape::Samples),
        ("gauss3", ControlShape::Samples),
        ("gauss4", ControlShape::Samples),
        ("gauss6", ControlShape::Samples),
    ] {
        let mut problem = block(7);
        problem.phases[0].shape = shape;
        let solution = solved(&problem, method);
        let replay = replayed(&problem, &solution);
        let (phase, end) = (&replay.phases[0], replay.phases[0].own.as_ref().unwrap());
        eprintln!("{method} {shape:?}: defect {:.1e}, end {:.1e}", largest_defect(&replay), end.mismatch.state());
        assert!(largest_defect(&replay) < 1e-9, "{method}");
        assert!(end.mismatch.state() < 1e-9 && end.mismatch.energy < 1e-9, "{method}: {:?}", end.mismatch);
        // Work of the force is the change of the kinetic energy, and what the solution says it is.
        for (interval, work) in phase.intervals.iter().zip(&solution.phases[0].work) {
            assert!((interval.work[0] - work[0]).abs() < 1e-9, "{method}: {} {}", interval.work[0], work[0]);
            assert!(interval.absolute_work[0] >= interval.work[0].abs() - 1e-12);
        }
        assert!(phase.failure.is_none() && phase.touches.iter().all(|touch| touch.depth < 1e-9));
    }
}

#[test]
fn cart_pole_defects_fall_with_the_order_of_the_rule() {
    for (method, order) in [("midpoint", 2), ("trapezoidal", 2), ("gauss2", 4), ("hermite-simpson", 4), ("gauss3", 6)] {
        let counts = if order > 4 { [15, 30] } else { [40, 80] };
        let defects = counts.map(|n| {
            let problem = swing_up(n);
            let solution = solved(&problem, method);
            let replay = replayed(&problem, &solution);
            let end = replay.phases[0].own.as_ref().unwrap();
            eprintln!("{method} {n}: defect {:.2e}, end {:?}", largest_defect(&replay), end.mismatch);
            largest_defect(&replay)
        });
        let slope = (defects[0] / defects[1]).log2();
        eprintln!("{method}: defects fall with order {slope:.2}");
        assert!(slope > order as f64 + 0.3, "{method}: {slope}");
    }
}

/// Down to an elastic wall and up again: guards are met in time, jumps are those of the law.
#[test]
fn wall_is_met_in_time() {
    let phase =
        |name: &str| Phase::new(name, particle(1.0), Duration::Free { range: Range::new(0.1, 0.9), guess: 0.4 }, 10);
    let first = phase("down").start("y", Range::fixed(1.0)).start("y'", Range::fixed(0.0));
    let second = phase("up").end("y", Range::fixed(1.0)).end("y'", Range::fixed(0.0));
    let mut problem = ControlProblem::new("wall")
        .phase(first)
        .phase(second)
        .transition(Transition::impact(0, 1, &["floor"]))
        .cost("effort", 1.0, CostKind::Integral("u^2".to_owned()));
    problem.total_duration = Some(Range::fixed(1.0));
    let solution = solved(&problem, "gauss2");
    let replay = replayed(&problem, &solution);
    for end in [&replay.phases[0].own, &replay.phases[0].chained] {
        let guards = &end.as_ref().unwrap().guards;
        assert_eq!(guards.len(), 1);
        assert!(guards[0].late.unwrap().abs() < 1e-8, "{:?}", guards[0]);
    }
    let jump = &replay.transitions[0];
    assert!(jump.jump.v < 1e-8 && jump.next.state() < 1e-8, "{jump:?}");
    assert!(jump.chained.unwrap().state() < 1e-7, "{jump:?}");
    assert!(replay.phases[1].chained.as_ref().unwrap().mismatch.state() < 1e-7);
    assert!(replay.phases.iter().all(|phase| phase.touches.iter().all(|touch| touch.depth < 1e-7)));
}

/// A motion that dips below the floor between its nodes is found out.
#[test]
fn dip_between_nodes_is_found() {
    let phase = Phase::new("dip", particle(1.0), Duration::Fixed(1.0), 1)
        .start("y", Range::fixed(1.0))
        .start("y'", Range::fixed(-8.0))
        .end("y", Range::fixed(1.0))
        .end("y'", Range::fixed(8.0));
    let problem = ControlProblem::new("dip").phase(phase).cost("effort", 1.0, CostKind::Integral("u^2".to_owned()));
    let solution = solved(&problem, "gauss2");
    // y = 1 - 8 t + 8 t^2 is least in the middle, at -1.
    let touches = &replayed(&problem, &solution).phases[0].touches;
    assert_eq!(touches.len(), 1);
    assert!((touches[0].depth - 1.0).abs() < 1e-6 && (touches[0].time - 0.5).abs() < 1e-6, "{touches:?}");
}

/// Flight, plastic landing, stance with a free parameter, lift-off, flight: everything that a transition can be.
#[test]
fn hop_through_landing_and_lift_off() {
    let (problem, guess) = hop();
    let options = SolveOptions { transcription: "gauss3".to_owned(), ..SolveOptions::default() };
    let solution = solve(&problem, &guess, &options, &mut |_| true).unwrap();
    assert!(solution.outcome.status.is_success(), "{}: {:?}", solution.outcome.status, solution.worst);
    let replay = replayed(&problem, &solution);
    for (phase, found) in replay.phases.iter().zip(&solution.phases) {
        let [own, chained] = [&phase.own, &phase.chained].map(|end| end.as_ref().unwrap());
        eprintln!("{}: {:?} {:?} {:?}", phase.name, own.mismatch, chained.mismatch, own.guards);
        assert!(phase.failure.is_none());
        assert!(own.mismatch.state() < 1e-6 && chained.mismatch.state() < 1e-5, "{own:?} {chained:?}");
        assert!(phase.touches.iter().all(|touch| touch.depth < 1e-6), "{:?}", phase.touches);
        // The damper takes energy, and the balance closes.
        let other: f64 = phase.intervals.iter().map(|interval| interval.other_work).sum();
        let work: f64 = found.work.iter().map(|work| work[0]).sum();
        assert!(other < 0.0);
        assert!((phase.energy_change - work - other).abs() < 1e-6 * phase.size.energy);
    }
    let landing = &replay.transitions[0];
    assert!(landing.jump.v < 1e-7 && landing.chained.unwrap().state() < 1e-6, "{landing:?}");
    // Conditions on forces hold at nodes: what an optimum does between them is for the audit to see.
    let force = &replay.phases[1].forces[0];
    eprintln!("normal force from {:.3} at t = {:.3} to {:.3}", force.least, force.least_time, force.largest);
    assert!(force.largest > 10.0 && solution.phases[1].forces[1..15].iter().all(|forces| forces[0] > -1e-6));
    let audit = audit(&problem, &solution, &AuditOptions::default()).unwrap();
    eprintln!("{}", audit.verdict());
    let pulls = |finding: &AuditFinding| finding.kind == AuditKind::Pull("floor".to_owned());
    assert!(audit.findings.iter().all(pulls), "{}", audit.verdict());
    assert_eq!(audit.passed, force.least > -0.01 * force.largest);
}

/// A ball that bounces once per period, and a walk in a mirror: transitions back to the start, and with a map.
#[test]
fn periodic_and_mirrored() {
    let bounce = Phase::new("bounce", particle(1.0), Duration::Fixed(1.0), 8).start("y'", Range::at_least(1.0));
    let problem = ControlProblem::new("juggle").phase(bounce).transition(Transition::impact(0, 0, &["floor"])).cost(
        "effort",
        1.0,
        CostKind::Integral("u^2".to_owned()),
    );
    let line = PhaseGuess {
        duration: 1.0,
        times: vec![0.0, 0.5, 1.0],
        q: vec![vec![0.0], vec![0.3], vec![0.0]],
        ..PhaseGuess::default()
    };
    let guess = Guess { phases: vec![line], ..Guess::default() };
    let options = SolveOptions { transcription: "gauss2".to_owned(), ..SolveOptions::default() };
    let solution = solve(&problem, &guess, &options, &mut |_| true).unwrap();
    assert!(solution.outcome.status.is_success(), "{:?}", solution.worst);
    let replay = replayed(&problem, &solution);
    assert!(replay.phases[0].own.as_ref().unwrap().guards[0].late.unwrap().abs() < 1e-7);
    assert!(replay.transitions[0].chained.unwrap().state() < 1e-7, "{:?}", replay.transitions[0]);

    let half = |name: &str| Phase::new(name, particle(1.0), Duration::Fixed(0.5), 4);
    let first = half("first").start("y", Range::fixed(0.0)).start("y'", Range::fixed(0.0));
    let second = half("second").end("y", Range::fixed(2.0)).end("y'", Range::fixed(0.0));
    let problem = ControlProblem::new("mirror")
        .phase(first)
        .phase(second)
        .transition(Transition::smooth(0, 1).map(&["1 + 2 * y"]))
        .cost("effort", 1.0, CostKind::Integral("u^2".to_owned()));
    let solution = solved(&problem, "gauss2");
    let replay = replayed(&problem, &solution);
    assert!(replay.transitions[0].chained.unwrap().state() < 1e-8, "{:?}", replay.transitions[0]);
    assert!(replay.phases[1].chained.as_ref().unwrap().mismatch.state() < 1e-8);
}
