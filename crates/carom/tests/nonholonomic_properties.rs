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
    for seed in 1..=(std::env::var("N").map_or(48, |n| n.parse().unwrap())) {
        let law = LawKind::ALL[(seed % 8) as usize];
        let case = case_of(seed, law, (seed / 8 % 3) as usize);
        let clock = std::time::Instant::now();
        let found = FLOWS.map(|f| flow(&case.system, case.start(), f, 0.25, 10.0));
        eprintln!(
            "{seed} n {} m {} held {} {:?}: {:?}",
            case.kind.n,
            case.kind.forms,
            case.kind.is_held,
            case.kind.told,
            clock.elapsed()
        );
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

/// A way to run, for what is the same in all tests.
fn way(method: &str, formulation: Formulation, jump: JumpKind) -> Way<'_> {
    Way { method, formulation, jump, h: 0.02, until: 2.0 }
}

/// True if the formulation is one of this method.
fn fits(method: &str, formulation: Formulation) -> bool {
    formulation != Formulation::Hamel || method.contains("midpoint")
}

/// (b), (d): constraints hold at every node, multipliers and null-space give the same numbers, every impact
/// satisfies its law, and the runs approach the flow.
#[test]
fn discrete_runs() {
    let (mut same, mut held, mut laws, mut runs, mut impacts) = (0.0, 0.0, 0.0, 0, 0);
    for seed in 1..=(std::env::var("N").map_or(40, |n| n.parse().unwrap())) {
        let law = LawKind::ALL[(seed % 8) as usize];
        let case = case_of(seed + 200, law, (seed % 3) as usize);
        let Ok(exact) = flow(&case.system, case.start(), FlowFormulation::Multipliers, 2.0, 2.0) else {
            eprintln!("no flow: {}", case.name);
            continue;
        };
        let sensitivity = sensitivity(&case, &exact, 2.0);
        for method in METHODS {
            let mut first: Option<State> = None;
            for formulation in Formulation::ALL.into_iter().filter(|f| fits(method, *f)) {
                let way = way(method, formulation, JumpKind::ALL[(seed % 3) as usize]);
                let label = format!("{method} {} {}, {}", formulation.name(), way.jump.name(), case.name);
                let run = match way.run(&case.system, case.start()) {
                    Ok(run) => run,
                    Err(error) => {
                        eprintln!("FAIL {label}: {error}");
                        continue;
                    }
                };
                if !(run.constraint_error() < 1e-13) {
                    eprintln!("CONSTRAINT {label}: {:e}", run.constraint_error());
                }
                worsen(&mut held, run.constraint_error());
                let residual = residual(&case, &run, &way);
                if !(residual < 1e-10) {
                    eprintln!("LAW {label}: {residual:e}");
                }
                worsen(&mut laws, residual);
                let last = end(&run);
                if formulation == Formulation::NullSpace
                    && let Some(first) = &first
                {
                    let error = distance(first, &last) / sensitivity.unwrap_or(1e9);
                    if !(error < 1e-11) {
                        eprintln!("SAME {label}: {error:e}");
                    }
                    worsen(&mut same, error);
                }
                first.get_or_insert(last.clone());
                if let Some(sensitivity) = sensitivity.filter(|s| *s < 100.0) {
                    let error = distance(&last, &end(&exact)) / sensitivity;
                    if !(error < 0.1) {
                        eprintln!(
                            "FAR {label}: {error:e}, {} against {} impacts",
                            run.impacts.len(),
                            exact.impacts.len()
                        );
                    }
                }
                runs += 1;
                impacts += run.impacts.len();
            }
        }
    }
    eprintln!("discrete: same {same:.1e}, constraints {held:.1e}, laws {laws:.1e}; {runs} runs, {impacts} impacts");
}

/// (e): the reversed system by the adjoint method undoes a run: the (-)-scheme of 004, Theorem 3.1 (ii).
#[test]
fn runs_are_undone() {
    let (mut worst, mut runs, mut impacts) = (0.0, 0, 0);
    for seed in 1..=(std::env::var("N").map_or(40, |n| n.parse().unwrap())) {
        let case = case_of(seed + 400, LawKind::Elastic, (seed % 3) as usize);
        let back = case.system.reversed().expect("elastic");
        for method in METHODS {
            for formulation in Formulation::ALL.into_iter().filter(|f| fits(method, *f)) {
                let jump = if seed % 3 == 0 { JumpKind::Pointwise } else { JumpKind::Variational };
                let way = Way { until: 1.0, ..way(method, formulation, jump) };
                let label = format!("{method} {} {}, {}", formulation.name(), jump.name(), case.name);
                let (there, system) = (way.run(&case.system, case.start()), &back);
                let there = match there {
                    Ok(run) => run,
                    Err(error) => {
                        eprintln!("FAIL {label}: {error}");
                        continue;
                    }
                };
                let adjoint = Method::parse(method).expect("a method").adjoint();
                let turn = |(q, v): State| -> State { (q, v.iter().map(|v| -v).collect()) };
                let undo = |(q, v): &State| way.run_from(system, (q, v), &adjoint, -1.0).map(|run| turn(end(&run)));
                let state = turn(end(&there));
                let near: State = (state.0.clone(), state.1.iter().map(|v| v * (1.0 + 1e-9)).collect());
                let (Ok(found), Ok(other)) = (undo(&state), undo(&near)) else {
                    eprintln!("BACK {label}: {:?}", undo(&state).err());
                    continue;
                };
                let speed = state.1.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
                let sensitivity = (distance(&found, &other) / (1e-9 * speed)).max(1.0);
                let start = (case.q.clone(), there.node(0).v.to_vec());
                let error = distance(&found, &start) / sensitivity;
                if !(error < 1e-12) {
                    eprintln!("UNDO {label}: {error:e}, sensitivity {sensitivity:.1}, {} impacts", there.impacts.len());
                }
                worsen(&mut worst, error);
                runs += 1;
                impacts += there.impacts.len();
            }
        }
    }
    eprintln!("undone: {worst:.1e}; {runs} runs, {impacts} impacts");
}
