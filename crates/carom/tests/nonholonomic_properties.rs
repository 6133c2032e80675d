//! Random nonholonomic motions: the flow in three formulations, discrete methods against it, runs undone.

mod random_nonholonomic;
mod random_systems;

use carom::flow::FlowFormulation;
use carom::impact::Verifier;
use carom::{Formulation, JumpKind, Method, Trajectory};
use random_nonholonomic::laws::LawKind;
use random_nonholonomic::runs::{State, Way, distance, end, flow};
use random_nonholonomic::{Case, Forcing, Kind, Told, random_case};

const FLOWS: [FlowFormulation; 2] = [FlowFormulation::Multipliers, FlowFormulation::Hamel];
const METHODS: [&str; 8] =
    ["left", "right", "midpoint", "trapezoidal", "gni", "gauss2", "lobatto3", "suzuki(midpoint)"];

fn case_of(seed: u64, law: LawKind, contacts: usize) -> Case {
    random_case(seed, Kind::of_seed(seed, law, contacts))
}

/// The worst so far; not-a-number stays.
fn worsen(worst: &mut f64, value: f64) {
    if !(value <= *worst) {
        *worst = value;
    }
}

/// How much a motion multiplies a small change of its start, by a neighbour; none if their impacts differ.
fn sensitivity(case: &Case, exact: &Trajectory, until: f64) -> Option<f64> {
    let by = 1e-7;
    let near = case.neighbour(by);
    let other = flow(&case.system, (&near.0, &near.1), FlowFormulation::Multipliers, until, until).ok()?;
    let same = other.impacts.len() == exact.impacts.len() && other.modes.len() == exact.modes.len();
    let speed = case.v.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
    same.then(|| (distance(&end(&other), &end(exact)) / (by * speed)).max(1.0))
}

/// Impacts of a run against their laws.
fn residual(case: &Case, run: &Trajectory, way: &Way<'_>) -> f64 {
    let mut verifier = Verifier::new(&case.system, way.options().contacts).expect("compiles");
    let mut worst = 0.0;
    run.impacts.iter().for_each(|impact| worsen(&mut worst, verifier.verify(impact).expect("compiles").largest()));
    worst
}

/// (a), (b), (c): both formulations agree over 10 s with impacts, constraints hold, energy is kept.
#[test]
fn flows_agree() {
    let (mut worst, mut held, mut kept) = (0.0, 0.0, 0.0);
    let (mut runs, mut impacts, mut skipped) = (0, 0, 0);
    for seed in 1..=120 {
        let law = LawKind::ALL[(seed % 8) as usize];
        let case = case_of(seed, law, (seed / 8 % 3) as usize);
        let found = FLOWS.map(|f| flow(&case.system, case.start(), f, 0.25, 10.0));
        let [a, b] = match found {
            [Ok(a), Ok(b)] => [a, b],
            [Err(a), Err(b)] => {
                eprintln!("{}\n  {a}\n  {b}", case.name);
                skipped += 1;
                continue;
            }
            [a, b] => panic!("{}: {:?} {:?}", case.name, a.err(), b.err()),
        };
        for run in [&a, &b] {
            worsen(&mut held, run.constraint_error());
            assert!(run.constraint_error() < 1e-13, "{}: {:e}", case.name, run.constraint_error());
            if case.kind.forcing == Forcing::Nothing && matches!(law, LawKind::Elastic) {
                worsen(&mut kept, run.energy_error() / run.energy_scale().max(1.0));
            }
        }
        let Some(sensitivity) = sensitivity(&case, &a, 10.0).filter(|s| *s < 1e5) else {
            skipped += 1;
            continue;
        };
        let error = distance(&end(&a), &end(&b));
        let label = format!("{} impacts, sensitivity {sensitivity:.0}, {}", a.impacts.len(), case.name);
        assert_eq!(a.impacts.len(), b.impacts.len(), "{label}");
        assert!(error < 1e-10 && error < 1e-13 * sensitivity * 10.0, "{label}: {error:e}");
        worsen(&mut worst, error);
        runs += 1;
        impacts += a.impacts.len();
    }
    eprintln!(
        "flows: {worst:.1e}, constraints {held:.1e}, energy {kept:.1e}; {runs} runs, {impacts} impacts, {skipped} skipped"
    );
    assert!(kept < 1e-12, "{kept:e}");
}
