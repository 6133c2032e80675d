//! Audits: good optima pass, and every way to cheat is found out.

use crate::systems;

use carom_control::{
    Audit, AuditKind, AuditOptions, ControlProblem, ControlShape, ControlTrack, CostKind, Duration, Guess, Phase,
    Solution, SolveOptions, Transition, Where, WorkPart, audit, solve,
};
use carom_discrete::Formulation;
use carom_expr::Scope;
use carom_model::{Contact, System, SystemBuilder};
use carom_nlp::Range;
use std::sync::Arc;
use systems::{block, particle, swing_up};

fn solved(problem: &ControlProblem, method: &str) -> Solution {
    let options = SolveOptions { transcription: method.to_owned(), ..SolveOptions::default() };
    solve(problem, &Guess::interpolate(problem, &[]), &options, &mut |_| true).unwrap()
}

fn audited(problem: &ControlProblem, solution: &Solution) -> Audit {
    let audit = audit(problem, solution, &AuditOptions::default()).unwrap();
    eprintln!("{} by {}: {}", problem.name, solution.method, audit.verdict());
    audit.findings.iter().for_each(|finding| eprintln!("    {finding}"));
    for phase in &audit.phases {
        eprintln!("    {phase:.3?}");
    }
    audit
}

fn has(audit: &Audit, is: impl Fn(&AuditKind) -> bool) -> bool {
    assert!(!audit.passed && audit.verdict().starts_with("NOT PASSED: "), "{}", audit.verdict());
    audit.findings.iter().any(|finding| is(&finding.kind))
}

fn effort(problem: ControlProblem) -> ControlProblem {
    problem.cost("effort", 1.0, CostKind::Integral("u^2".to_owned()))
}

#[test]
fn good_optima_pass() {
    for (problem, method) in
        [(block(20), "midpoint"), (block(5), "gauss2"), (swing_up(100), "midpoint"), (swing_up(40), "gauss2")]
    {
        let solution = solved(&problem, method);
        let audit = audited(&problem, &solution);
        assert!(audit.passed, "{method}: {:?}", audit.findings);
        assert_eq!(audit.verdict(), "audited: passed");
        assert!(audit.optimality < 1e-7, "{}", audit.optimality);
    }
}

#[test]
fn good_optimum_with_impact_passes() {
    let phase =
        |name: &str| Phase::new(name, particle(0.5), Duration::Free { range: Range::new(0.1, 0.9), guess: 0.4 }, 10);
    let first = phase("down").start("y", Range::fixed(1.0)).start("y'", Range::fixed(0.0));
    let second = phase("up").end("y", Range::fixed(1.0)).end("y'", Range::fixed(0.0));
    let mut problem =
        effort(ControlProblem::new("wall").phase(first).phase(second)).transition(Transition::impact(0, 1, &["floor"]));
    problem.total_duration = Some(Range::fixed(1.0));
    let mut solution = solved(&problem, "gauss2");
    assert!(audited(&problem, &solution).passed);
    // A velocity after the impact that the law does not give.
    solution.transitions[0].v_plus[0] *= 1.2;
    assert!(has(&audited(&problem, &solution), |kind| *kind == AuditKind::Jump));
}

#[test]
fn coarse_mesh_fails() {
    let problem = swing_up(20);
    let audit = audited(&problem, &solved(&problem, "midpoint"));
    assert!(has(&audit, |kind| *kind == AuditKind::Mesh));
}

#[test]
fn unconverged_solution_fails() {
    let problem = swing_up(50);
    let mut options = SolveOptions::default();
    options.nlp.max_iterations = 3;
    let solution = solve(&problem, &Guess::interpolate(&problem, &[]), &options, &mut |_| true).unwrap();
    let audit = audited(&problem, &solution);
    assert!(has(&audit, |kind| matches!(kind, AuditKind::Status(_))));
    assert!(has(&audit, |kind| *kind == AuditKind::Optimality));
}

/// The cheat that an optimiser finds by itself: asked for little absolute work, it accelerates and brakes within
/// each interval, and every node is at rest. The work of every interval is zero, but costs see the two samples of it;
/// on a mesh this coarse a quarter is still hidden between these.
#[test]
fn work_hidden_between_nodes_fails() {
    let phase = Phase::new("move", particle(1.0), Duration::Fixed(1.0), 4)
        .start("y", Range::fixed(0.0))
        .start("y'", Range::fixed(0.0))
        .end("y", Range::fixed(1.0))
        .end("y'", Range::fixed(0.0));
    let work = CostKind::Work { inputs: Vec::new(), part: WorkPart::Absolute };
    let problem = ControlProblem::new("lazy block").phase(phase).cost("work", 1.0, work).cost(
        "effort",
        1e-6,
        CostKind::Integral("u^2".to_owned()),
    );
    let solution = solved(&problem, "gauss2");
    let claimed = solution.costs[0].1;
    let audit = audited(&problem, &solution);
    eprintln!("work claimed {claimed:.2e}, done {:.3}", audit.phases[0].absolute_work);
    // Honest work: the mean speed is one, so that the fastest moment has a kinetic energy of one half at least.
    assert!(claimed > 1.0 && audit.phases[0].absolute_work > 1.2 * claimed);
    assert!(audit.phases[0].work.abs() < 1e-6, "{}", audit.phases[0].work);
    assert!(audit.mesh < 1e-8, "the motion itself is exact: {}", audit.mesh);
    assert!(has(&audit, |kind| *kind == AuditKind::HiddenWork));
}

/// Chatter by hand: controls that agree with the solution at its samples, and swing in between.
#[test]
fn chatter_between_samples_fails() {
    let problem = block(10);
    let mut solution = solved(&problem, "midpoint");
    let controls = &mut solution.phases[0].controls;
    let swing = |(k, inputs): (usize, &Vec<Vec<f64>>)| {
        let amplitude = if k % 2 == 0 { 30.0 } else { -30.0 };
        inputs.iter().map(|values| vec![values[0] + amplitude, values[0], values[0] + amplitude]).collect()
    };
    let values = controls.values.iter().enumerate().map(swing).collect();
    *controls = ControlTrack { fractions: vec![0.0, 0.5, 1.0], values };
    let audit = audited(&problem, &solution);
    assert!(has(&audit, |kind| *kind == AuditKind::Work));
    assert!(has(&audit, |kind| *kind == AuditKind::Mesh));
    assert!(has(&audit, |kind| *kind == AuditKind::Cost("effort".to_owned())));
}

/// A mass on a stiff spring on a mesh that is too coarse to see it swing.
#[test]
fn work_of_unresolved_swing_fails() {
    let s = Scope::default();
    let (x, v, u) = (s.variable("x"), s.variable("x'"), s.variable("u"));
    let lagrangian = (0.5 * v.square() - 0.5 * 400.0 * x.square()).id();
    let (u, zero) = (u.id(), s.constant(0.0).id());
    let builder = SystemBuilder::new("spring").coordinate("x").lagrangian(lagrangian);
    let system = Arc::new(builder.input("u", zero).force("x", u).build(s.into_graph()).unwrap());
    let phase = Phase::new("swing", system, Duration::Fixed(1.0), 4)
        .start("x", Range::fixed(0.0))
        .start("x'", Range::fixed(0.0))
        .end("x", Range::fixed(0.3))
        .end("x'", Range::fixed(0.0));
    let problem = effort(ControlProblem::new("spring").phase(phase));
    let audit = audited(&problem, &solved(&problem, "midpoint"));
    assert!(has(&audit, |kind| *kind == AuditKind::Work) && has(&audit, |kind| *kind == AuditKind::Mesh));
}

/// A block on the floor, pushed along it by `u` and lifted by `u` too.
fn lifted_block() -> Arc<System> {
    let s = Scope::default();
    let v = |name: &str| s.variable(name);
    let lagrangian = (0.5 * (v("x'").square() + v("y'").square()) - 9.81 * v("y")).id();
    let (u, lift, gap, zero) = (v("u").id(), (1.5 * v("u")).id(), v("y").id(), s.constant(0.0).id());
    let builder = SystemBuilder::new("lifted block").coordinate("x").coordinate("y").lagrangian(lagrangian);
    let builder = builder.contact(Contact::new("floor", gap, "plastic"));
    Arc::new(builder.input("u", zero).force("x", u).force("y", lift).build(s.into_graph()).unwrap())
}

#[test]
fn pulling_contact_fails() {
    for (duration, is_good) in [(2.0, true), (0.5, false)] {
        // u = 6 (1 - 2 t/T) / T^2, lift 1.5 u: more than the weight at first if T is short.
        let phase = Phase::new("slide", lifted_block(), Duration::Fixed(duration), 10)
            .close("floor", false)
            .start("x", Range::fixed(0.0))
            .start("x'", Range::fixed(0.0))
            .end("x", Range::fixed(1.0))
            .end("x'", Range::fixed(0.0));
        let problem = effort(ControlProblem::new("lifted block").phase(phase));
        let audit = audited(&problem, &solved(&problem, "gauss2"));
        let least = audit.replay.phases[0].forces[0].least;
        assert!((least - (9.81 - 9.0 / (duration * duration))).abs() < 1e-6, "{least}");
        assert_eq!(audit.passed, is_good);
        if !is_good {
            assert!(has(&audit, |kind| *kind == AuditKind::Pull("floor".to_owned())));
        }
    }
}

/// A block sticks to the floor and pushes a second one away.
fn pusher() -> Arc<System> {
    let s = Scope::default();
    let v = |name: &str| s.variable(name);
    let kinetic = 0.5 * (v("x'").square() + v("y'").square() + v("z'").square());
    let (lagrangian, push, back) = ((kinetic - 9.81 * v("y")).id(), v("u").id(), (-v("u")).id());
    let (gap, along, friction, zero) = (v("y").id(), v("x").id(), s.constant(0.3).id(), s.constant(0.0).id());
    let floor = Contact::new("floor", gap, "plastic").tangent(along).with("friction", friction);
    let builder = SystemBuilder::new("pusher").coordinate("x").coordinate("y").coordinate("z").lagrangian(lagrangian);
    let builder = builder.contact(floor).input("u", zero).force("z", push).force("x", back);
    Arc::new(builder.build(s.into_graph()).unwrap())
}

#[test]
fn sticking_beyond_friction_fails() {
    for (duration, is_good) in [(2.0, true), (1.0, false)] {
        let phase = Phase::new("push", pusher(), Duration::Fixed(duration), 10)
            .close("floor", true)
            .start("x", Range::fixed(0.0))
            .start("z", Range::fixed(0.0))
            .start("z'", Range::fixed(0.0))
            .end("z", Range::fixed(1.0))
            .end("z'", Range::fixed(0.0));
        let problem = effort(ControlProblem::new("pusher").phase(phase));
        let audit = audited(&problem, &solved(&problem, "gauss2"));
        let excess = audit.replay.phases[0].forces[0].excess.unwrap();
        assert!((excess - (6.0 / (duration * duration) - 0.3 * 9.81)).abs() < 1e-6, "{excess}");
        assert_eq!(audit.passed, is_good);
        if !is_good {
            assert!(has(&audit, |kind| *kind == AuditKind::Friction("floor".to_owned())));
        }
    }
}

/// Conditions on forces at nodes mean the force that the flow has there, whatever the rule.
#[test]
fn forces_at_nodes_are_those_of_the_flow() {
    for method in ["midpoint", "gauss2", "gauss3"] {
        let phase = Phase::new("slide", lifted_block(), Duration::Fixed(1.0), 20)
            .close("floor", false)
            .start("x", Range::fixed(0.0))
            .start("x'", Range::fixed(0.0))
            .end("x", Range::fixed(1.0))
            .end("x'", Range::fixed(0.0))
            .path("force_floor", Range::at_least(5.0), Where::Nodes);
        let phase = Phase { formulation: Some(Formulation::Multipliers), ..phase };
        let problem = effort(ControlProblem::new("lifted block").phase(phase));
        let solution = solved(&problem, method);
        assert!(solution.outcome.status.is_success(), "{method}: {:?}", solution.worst);
        let (found, audit) = (&solution.phases[0], audited(&problem, &solution));
        // N = 9.81 - 1.5 u, with the controls on both sides of a node.
        for k in 1..20 {
            let u = 0.5 * (found.controls.at(k - 1, 1.0)[0] + found.controls.at(k, 0.0)[0]);
            let force = found.forces[k][0];
            assert!((force - (9.81 - 1.5 * u)).abs() < 0.3, "{method} {k}: {force} {u}");
        }
        let least = found.forces[1..20].iter().map(|forces| forces[0]).fold(f64::INFINITY, f64::min);
        eprintln!(
            "{method}: least force at nodes {least:.4}, along the flow {:.4}",
            audit.replay.phases[0].forces[0].least
        );
        assert!((least - 5.0).abs() < 1e-6);
    }
}

/// Linear controls have values at nodes, and conditions there.
#[test]
fn conditions_on_linear_controls_hold_at_nodes() {
    let mut problem = block(10);
    problem.phases[0].shape = ControlShape::Linear;
    problem.phases[0] = problem.phases[0].clone().path("u", Range::new(-4.0, 4.0), Where::Nodes);
    let solution = solved(&problem, "gauss2");
    assert!(solution.outcome.status.is_success(), "{:?}", solution.worst);
    let at_nodes: Vec<f64> = (1..10).map(|k| solution.phases[0].controls.at(k, 0.0)[0]).collect();
    assert!(at_nodes.iter().all(|u| u.abs() < 4.0 + 1e-6) && solution.outcome.objective > 12.0 + 1e-3);
}
