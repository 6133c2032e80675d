//! Random nonholonomic motions: the flow in its formulations, discrete methods against it, runs undone, bad input.

use crate::random_nonholonomic;

use carom::flow::FlowFormulation;
use carom::model::ContactMode;
use carom::{Formulation, JumpKind, Method, Model, Trajectory};
use random_nonholonomic::dense::{largest, worsen};
use random_nonholonomic::laws::LawKind;
use random_nonholonomic::models::{BAD, BAD_FRAMES, SLIDER, WALLS, all_runs, crossing, model, sleigh, way};
use random_nonholonomic::runs::{FLOWS, METHODS, State, Way, distance, end, fits, flow, residual, sensitivity, turned};
use random_nonholonomic::{Case, Forcing, Kind, random_case};
use std::time::Instant;

fn case_of(seed: u64, law: LawKind, contacts: usize) -> Case {
    random_case(seed, Kind::of_seed(seed, law, contacts))
}

/// An impact without speed.
fn has_grazing(run: &Trajectory) -> bool {
    run.impacts.iter().any(|impact| largest(impact.v_minus.iter().copied()) < 1e-6)
}

/// Lagrange's equations with multipliers and Hamel's, in the frame of the model or an adapted one, over 10 s with
/// impacts: the same motion, on the constraints, with its energy. Motions that multiply errors are left out.
#[test]
fn flows_agree() {
    let (mut worst, mut held, mut kept) = (0.0, 0.0, 0.0);
    let (mut runs, mut impacts, mut skipped, mut conservative) = (0, 0, 0, 0);
    for seed in 1..=20 {
        let law = LawKind::ALL[(seed % 8) as usize];
        let case = case_of(seed, law, (seed / 8 % 3) as usize);
        let [a, b] = match FLOWS.map(|f| flow(&case.system, case.start(), f, 0.25, 10.0)) {
            [Ok(a), Ok(b)] => [a, b],
            [Err(error), Err(_)] => {
                eprintln!("{}: {error}", case.name);
                skipped += 1;
                continue;
            }
            [a, b] => panic!("{}: {:?} {:?}", case.name, a.err(), b.err()),
        };
        for run in [&a, &b] {
            worsen(&mut held, run.constraint_error());
            if case.kind.forcing == Forcing::Nothing {
                conservative += 1;
                worsen(&mut kept, run.energy_error() / run.energy_scale().max(1.0));
            }
        }
        let Some(sensitivity) = sensitivity(&case, &a, 10.0).filter(|s| *s < 1e4) else {
            skipped += 1;
            continue;
        };
        // A body that is pulled off its wall from rest may come back to it at rest: whether it does is rounding.
        if has_grazing(&a) || has_grazing(&b) {
            skipped += 1;
            continue;
        }
        let error = distance(&end(&a), &end(&b));
        let label = format!("{} impacts, sensitivity {sensitivity:.0}, {}", a.impacts.len(), case.name);
        assert_eq!(a.impacts.len(), b.impacts.len(), "{label}");
        assert!(error < 1e-10, "{label}: {error:e}");
        worsen(&mut worst, error / sensitivity);
        (runs, impacts) = (runs + 1, impacts + a.impacts.len());
    }
    eprintln!("flows {worst:.1e}, constraints {held:.1e}, energy {kept:.1e}; {runs} runs, {impacts} impacts");
    assert!(conservative > 3, "{conservative} runs without forces");
    assert!(worst < 1e-12 && held < 1e-13 && kept < 1e-13 && skipped < 4, "{worst:e} {held:e} {kept:e} {skipped}");
}

/// Constraints hold at every node, multipliers and null space give the same numbers, every impact satisfies its
/// law, and runs end near the flow: rules of first order within `h`, others within `h^2`, up to constants.
#[test]
fn discrete_runs() {
    let (mut same, mut held, mut laws, mut far, mut runs, mut impacts) = (0.0, 0.0, 0.0, [0.0; 2], 0, 0);
    for seed in 1..=12 {
        let case = case_of(seed + 200, LawKind::ALL[(seed % 8) as usize], (seed % 3) as usize);
        let jump = JumpKind::ALL[(seed / 3 % 3) as usize];
        let exact = flow(&case.system, case.start(), FlowFormulation::Multipliers, 2.0, 2.0);
        let exact = exact.unwrap_or_else(|error| panic!("{}: {error}", case.name));
        let sensitivity = sensitivity(&case, &exact, 2.0).filter(|s| *s < 100.0);
        for method in METHODS {
            let mut first: Option<State> = None;
            for formulation in Formulation::ALL.into_iter().filter(|f| fits(method, *f)) {
                let way = way(method, formulation, jump);
                let label = format!("{method} {} {}, {}", formulation.name(), jump.name(), case.name);
                let run = way.run(&case.system, case.start()).unwrap_or_else(|error| panic!("{label}: {error}"));
                worsen(&mut held, run.constraint_error());
                worsen(&mut laws, residual(&case, &run, &way));
                let last = end(&run);
                if let Some(sensitivity) = sensitivity.filter(|_| run.impacts.len() == exact.impacts.len()) {
                    let is_first = Method::parse(method).expect("a method").properties().order == 1;
                    let is_free = jump == JumpKind::Variational && case.kind.contacts > 0;
                    let error = distance(&last, &end(&exact)) / sensitivity;
                    worsen(&mut far[usize::from(!is_first && !is_free)], error);
                    // With one direction the durations of segments that land are not iterated to rounding.
                    if let Some(first) = first.as_ref().filter(|_| case.directions() > 1)
                        && formulation == Formulation::NullSpace
                    {
                        worsen(&mut same, distance(first, &last) / sensitivity);
                    }
                }
                first.get_or_insert(last);
                (runs, impacts) = (runs + 1, impacts + run.impacts.len());
            }
        }
    }
    eprintln!(
        "same {same:.1e}, constraints {held:.1e}, laws {laws:.1e}, far {:.1e} and {:.1e}; {runs} runs, {impacts} impacts",
        far[0], far[1]
    );
    assert!(same < 1e-12 && held < 1e-13 && laws < 1e-10, "{same:e} {held:e} {laws:e}");
    assert!(far[0] < 0.1 && far[1] < 4e-3, "{far:?}");
}

/// The reversed system by the adjoint method undoes a run: the (-)-scheme of 004, Theorem 3.1 (ii). Returns the
/// largest distance from the start, by the sensitivity of the way back, and how many impacts were undone.
fn undo(seeds: impl Iterator<Item = u64>, is_chosen: impl Fn(&Case) -> bool) -> (f64, usize) {
    let (mut worst, mut impacts) = (0.0, 0);
    for seed in seeds {
        let case = case_of(seed + 400, LawKind::Elastic, (seed % 3) as usize);
        let back = case.system.reversed().expect("elastic");
        let jump = if case.kind.contacts == 0 { JumpKind::Pointwise } else { JumpKind::Variational };
        // Rules that reflect momenta cannot be begun again from a velocity alone.
        for method in METHODS.into_iter().filter(|name| *name != "gni" && is_chosen(&case)) {
            for formulation in Formulation::ALL.into_iter().filter(|f| fits(method, *f)) {
                let way = Way { until: 1.0, ..way(method, formulation, jump) };
                let label = format!("{method} {} {}, {}", formulation.name(), jump.name(), case.name);
                let there = way.run(&case.system, case.start()).unwrap_or_else(|error| panic!("{label}: {error}"));
                let adjoint = Method::parse(method).expect("a method").adjoint();
                let undone = |(q, v): &State| {
                    let run = way.run_from(&back, (q, v), &adjoint, -1.0);
                    turned(&end(&run.unwrap_or_else(|error| panic!("{label}: {error}"))))
                };
                let state = turned(&end(&there));
                let near: State = (state.0.clone(), state.1.iter().map(|v| v * (1.0 + 1e-9)).collect());
                let found = undone(&state);
                let spread = distance(&found, &undone(&near)) / (1e-9 * largest(state.1.iter().copied()));
                let start = (case.q.clone(), there.node(0).v.to_vec());
                worsen(&mut worst, distance(&found, &start) / spread.max(1.0));
                impacts += there.impacts.len();
            }
        }
    }
    eprintln!("undone {worst:.1e}, {impacts} impacts");
    (worst, impacts)
}

#[test]
fn runs_are_undone() {
    let is_chosen = |case: &Case| {
        let kind = case.kind;
        kind.contacts == 0 || kind.forcing != Forcing::Driven && case.directions() > 1
    };
    let (worst, impacts) = undo(1..=18, is_chosen);
    assert!(worst < 1e-12 && impacts > 50, "{worst:e}, {impacts} impacts");
}

#[test]
fn runs_in_one_direction_are_undone() {
    let is_chosen = |case: &Case| case.kind.forcing == Forcing::Nothing && case.directions() == 1;
    let (worst, _) = undo(1..=18, is_chosen);
    assert!(worst < 1e-12, "{worst:e}");
}

#[test]
fn driven_runs_are_undone() {
    let is_chosen = |case: &Case| case.kind.forcing == Forcing::Driven && case.directions() > 1;
    let (worst, _) = undo(1..=60, is_chosen);
    assert!(worst < 1e-12, "{worst:e}");
}

/// `x'` loses `mu g/2` per second on the floor, whatever the method.
fn slide(frame: &str, is_chosen: impl Fn(&str) -> bool) {
    let all = all_runs(&model(&format!("{SLIDER}{frame}")), 1.0);
    for (name, run) in all.into_iter().filter(|(name, _)| is_chosen(name)) {
        let run = run.unwrap_or_else(|error| panic!("{name}: {error}"));
        let (impact, last) = (run.impacts.first().expect("an impact"), run.last().expect("a node"));
        let wanted = impact.v_plus[0] - 0.1 * 9.81 / 2.0 * (1.0 - impact.t);
        assert!((last.v[0] - wanted).abs() < 1e-12, "{name}: {} instead of {wanted}", last.v[0]);
    }
}

#[test]
fn friction_under_velocity_constraints() {
    slide("", |name| !name.ends_with("hamel"));
    slide("[frame]\nu = { field = { x = 1, z = \"1 + y\" } }\nw = { field = { y = 1 } }\n", |_| true);
}

#[test]
fn friction_by_hamels_equations_without_frame() {
    slide("", |_| true);
}

/// A sleigh thrown at walls of every law, pressed against them by a slope: while it touches, gap and blade hold.
#[test]
fn sleighs_come_to_rest_at_walls() {
    let (mut worst, mut attached) = (0.0, 0);
    for (law, gap) in WALLS.iter().flat_map(|law| ["x + 0.5", "x + 0.5 - 0.2*cos(theta)"].map(|gap| (law, gap))) {
        for (name, run) in all_runs(&sleigh(gap, law), 5.0) {
            let run = run.unwrap_or_else(|error| panic!("{name}, {law} {gap}: {error}"));
            let (mut is_open, mut changes) = (true, run.modes.iter().peekable());
            for k in 0..run.len() {
                while let Some(change) = changes.next_if(|change| change.t <= run.t[k]) {
                    is_open = change.to == ContactMode::Free;
                }
                worsen(&mut worst, if is_open { (-run.gaps[k]).max(0.0) } else { run.gaps[k] });
                attached += usize::from(!is_open);
            }
            worsen(&mut worst, run.constraint_error());
        }
    }
    eprintln!("gaps and blades {worst:.1e} at {attached} nodes of contact");
    assert!(worst < 1e-12 && attached > 1000, "{worst:e} {attached}");
}

/// Errors that say why, or a finite motion on the constraints; and soon.
fn endure(name: &str, model: &Model, must_fail: bool) -> Vec<(String, String)> {
    let (clock, mut errors) = (Instant::now(), Vec::new());
    for (way, run) in all_runs(model, 3.0) {
        match run {
            Ok(run) => {
                let size = largest(run.q.iter().chain(&run.v).chain(&run.multipliers).copied());
                let is_good = size.is_finite() && run.constraint_error() < 1e-11 && !must_fail;
                assert!(is_good, "{name}, {way}: size {size:e}, constraints {:e}", run.constraint_error());
            }
            Err(error) => errors.push((way, error)),
        }
    }
    assert!(clock.elapsed().as_secs() < 10, "{name}: {:?}", clock.elapsed());
    errors
}

/// Constraints and frames that fail at the start or on the way, velocities that are not admissible.
#[test]
fn bad_input_is_named() {
    let known = ["singular", "dependent", "not finite", "could not be solved", "chatters", "says nothing", "vanishes"];
    let forms = BAD.iter().flat_map(|(name, fails, place, text)| endure(name, &crossing(*place, text), *fails));
    let frames = BAD_FRAMES.iter().flat_map(|(name, text)| endure(name, &crossing((1.0, 0.3), text), false));
    for (way, error) in forms.chain(frames) {
        assert!(known.iter().any(|word| error.contains(word)), "{way}: {error}");
    }
}

#[test]
fn frames_that_degenerate_on_the_way_are_named() {
    for (name, text) in &BAD_FRAMES[..2] {
        let (way, error) = endure(name, &crossing((1.0, 0.3), text), false).remove(0);
        assert!(way.ends_with("Hamel") && error.contains("linearly dependent"), "{name}, {way}: {error}");
    }
}

/// The left rule ends at a floor after `h` with `g h^2 - p h - q = 0`.
#[test]
fn landings_solve_their_equations() {
    let ball = model(
        "lagrangian = \"0.5*x'^2 - 10*x\"\n[coordinates]\nx = 1\n[contacts.floor]\ngap = \"x\"\nlaw = \"elastic\"\n",
    );
    let way = Way { h: 0.04, until: 0.6, ..way("left", Formulation::Multipliers, JumpKind::Pointwise) };
    let run = way.run(&ball.system, (&ball.initial.q, &ball.initial.v)).expect("runs");
    let impact = run.impacts.first().expect("an impact");
    let before = run.node(run.t.iter().rposition(|t| *t < impact.t).expect("a node"));
    let (q, p) = (before.q[0], before.p[0]);
    let error = impact.t - before.t - (p + (p * p + 40.0 * q).sqrt()) / 20.0;
    assert!(error.abs() < 1e-14, "{error:e}");
}

/// Bodies that strike a wall plastically and are pulled off it again: from rest, along the wall.
#[test]
fn bodies_are_pulled_off_their_walls() {
    for (seed, law, contacts, jump) in [
        (277, LawKind::Gripping, 2, JumpKind::Variational),
        (324, LawKind::Plastic, 1, JumpKind::Modified),
        (348, LawKind::Plastic, 1, JumpKind::Variational),
    ] {
        let case = case_of(seed, law, contacts);
        for formulation in [Formulation::Multipliers, Formulation::NullSpace] {
            let run = way("right", formulation, jump).run(&case.system, case.start());
            run.unwrap_or_else(|error| panic!("{} {}: {error}", formulation.name(), case.name));
        }
    }
}
