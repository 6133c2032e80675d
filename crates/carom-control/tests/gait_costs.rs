//! What gaits are made of, on blocks with known motions: costs per something, work split by samples, places of
//! contacts in formulas, conditions that are exceeded between nodes.

use crate::problem;
use crate::systems;

use carom_control::{
    AuditKind, AuditOptions, ControlError, ControlProblem, Cost, CostKind, Duration, Guess, Norm, Phase, Solution,
    Where, WorkPart, audit, solve,
};
use carom_nlp::{Range, Status};
use problem::{COSTS, read, said};
use systems::block;
use systems::solved::solved;

/// One metre in one second, from rest to rest: `u = 6 - 12 t`, `v = 6 t (1 - t)`, squared force 12.
fn moved(intervals: usize) -> Solution {
    solved(&block(intervals), "gauss2")
}

#[test]
fn costs_per_something_are_divided() {
    let with = |kind: CostKind, per: Option<&str>| {
        let mut problem = block(4);
        let per = per.map(str::to_owned);
        problem.costs.push(Cost { name: "more".to_owned(), weight: 1e-3, phases: Vec::new(), kind, per });
        problem
    };
    let kinds = [
        CostKind::Integral("u^2".to_owned()),
        CostKind::Terminal("1 + y".to_owned()),
        CostKind::Residual { formulas: vec!["y".to_owned()], norm: Norm::Square },
        CostKind::Residual { formulas: vec!["y - 0.3".to_owned()], norm: Norm::Absolute },
        CostKind::Work { inputs: Vec::new(), part: WorkPart::Absolute },
        CostKind::Time,
    ];
    for kind in kinds {
        // Ten times the weight, per ten: the same problem.
        let plain = with(kind.clone(), None);
        let mut divided = with(kind.clone(), Some("2*5"));
        divided.costs[1].weight *= 10.0;
        let [plain, divided] = [plain, divided].map(|problem| solved(&problem, "gauss2"));
        let [a, b] = [plain.costs[1].1, divided.costs[1].1];
        assert!(a > 1e-4 && (a / b - 1.0).abs() < 1e-6, "{kind:?}: {a} {b}");
        let [a, b] = [plain.outcome.objective, divided.outcome.objective];
        assert!((a / b - 1.0).abs() < 1e-8, "{kind:?}: {a} {b}");
    }
    // What varies along the motion divides nothing.
    for per in ["y", "y'", "u", "t"] {
        let problem = with(CostKind::Time, Some(per));
        let guess = Guess::interpolate(&problem, &[]);
        let error = solve(&problem, &guess, &Default::default(), &mut |_| true).unwrap_err();
        assert!(matches!(&error, ControlError::NotAvailable { name, .. } if name == per), "{per}: {error}");
        assert!(error.to_string().contains("use parameters only"), "{error}");
    }
}

/// The block speeds up to 1.5 m/s and brakes: 1.125 J in, 1.125 J out.
#[test]
fn absolute_work_is_split_by_samples() {
    let sum = |work: &[Vec<f64>]| work.iter().flatten().sum::<f64>();
    let even = moved(4);
    assert!((even.outcome.objective - 12.0).abs() < 1e-6, "{}", even.outcome.objective);
    assert!(sum(&even.phases[0].work).abs() < 1e-7);
    assert!((sum(&even.phases[0].absolute_work) - 2.25).abs() < 1e-6, "{:?}", even.phases[0].absolute_work);
    // In the middle of three intervals the work cancels; its samples, 1/(6
    // sqrt(3)) s before and after half the time, do not.
    let odd = moved(3);
    let off = 1.0 / (6.0 * 3.0f64.sqrt());
    let sample = 1.0 / 6.0 * (12.0 * off) * 6.0 * (0.25 - off * off);
    let (net, absolute) = (odd.phases[0].work[1][0], odd.phases[0].absolute_work[1][0]);
    assert!(net.abs() < 1e-7 && (absolute - 2.0 * sample).abs() < 1e-6, "{net} {absolute} {sample}");
}

/// Costs of absolute and positive work are what the samples say, on a mesh where intervals hide a fifth of it.
#[test]
fn costs_see_the_work_of_samples() {
    for (part, share) in [(WorkPart::Absolute, 1.0), (WorkPart::Positive, 0.5)] {
        let problem = block(3).cost("work", 0.1, CostKind::Work { inputs: Vec::new(), part });
        let solution = solved(&problem, "gauss2");
        let absolute: f64 = solution.phases[0].absolute_work.iter().flatten().sum();
        let by_interval: f64 = solution.phases[0].work.iter().flatten().map(|work| work.abs()).sum();
        let cost = solution.costs.iter().find(|(name, _)| name == "work").unwrap().1;
        assert!((cost - 0.1 * share * absolute).abs() < 1e-6, "{part:?}: {cost} {absolute}");
        assert!(absolute - by_interval > 0.1, "{part:?}: {absolute} {by_interval}");
    }
}

/// `gap_<contact>` and `tangent_<contact>` are those of the contact: here `y`, `2 - x` and `y`.
#[test]
fn formulas_know_places_of_contacts() {
    let lines = "start = { x = 0, y = 1, \"x'\" = 0, \"y'\" = 0 }\n\
                 end = { gap_wall = 0.5, \"2*tangent_wall\" = 1.4, \"gap_floor'\" = -0.25, \"gap_wall'\" = 0.5 }\n\
                 path = { gap_floor = { min = 0.1 } }\n";
    let text = format!("model = \"model.toml\"\n[phases.a]\nduration = 1\nintervals = 10\n{lines}{COSTS}");
    let file = read(&text).unwrap();
    let solution = solve(&file.problem, &file.guess, &file.options(), &mut |_| true).unwrap();
    assert_eq!(solution.outcome.status, Status::Converged);
    let (q, v) = (solution.phases[0].q.last().unwrap(), solution.phases[0].v.last().unwrap());
    for (found, expected) in q.iter().chain(v).zip([1.5, 0.7, -0.5, -0.25]) {
        assert!((found - expected).abs() < 1e-7, "{q:?} {v:?}");
    }
    let words = said(&text.replace("gap_wall = 0.5", "gap_wal = 0.5"));
    assert!(words.contains("gap_wal") && words.contains("did you mean `gap_wall`?"), "{words}");
    // A contact without tangent has none.
    let words = said(&text.replace("2*tangent_wall", "2*tangent_floor"));
    assert!(words.contains("tangent_floor"), "{words}");
}

/// Thrown up and caught, `y = t - t^2`: 1/4 at half the time, 2/9 at the nodes of three intervals.
fn thrown(limit: Range, at: Where) -> (ControlProblem, Solution) {
    let fixed = Range::fixed;
    let phase = Phase::new("throw", block(1).phases[0].system.clone(), Duration::Fixed(1.0), 3)
        .start("y", fixed(0.0))
        .start("y'", fixed(1.0))
        .end("y", fixed(0.0))
        .end("y'", fixed(-1.0))
        .path("y", limit, at);
    let problem = ControlProblem::new("throw").phase(phase).cost("effort", 1.0, CostKind::Integral("u^2".to_owned()));
    let solution = solved(&problem, "gauss2");
    (problem, solution)
}

#[test]
fn conditions_exceeded_between_nodes_are_found() {
    let options = AuditOptions::default();
    let audited = |limit: Range| {
        let (problem, solution) = thrown(limit, Where::Nodes);
        assert!((solution.outcome.objective - 4.0).abs() < 1e-6, "{}", solution.outcome.objective);
        audit(&problem, &solution, &options).unwrap()
    };
    let found = audited(Range::at_most(0.23));
    let [finding] = &found.findings[..] else { panic!("{:?}", found.findings) };
    assert_eq!((&finding.kind, finding.interval), (&AuditKind::Path("y".to_owned()), Some(1)));
    // In parts of the largest size of the formula: 0.02 of 0.25.
    assert!((finding.value - 0.08).abs() < 1e-3, "{finding}");
    assert!((finding.time.unwrap() - 0.5).abs() < 0.05, "{finding}");
    assert!(finding.to_string().contains("throw: `y` is exceeded along the way in interval 1"), "{finding}");
    let excess = &found.replay.phases[0].excesses[0];
    assert!((excess.value - 0.02).abs() < 3e-4 && (excess.size - 0.25).abs() < 3e-4, "{excess:?}");
    // Limits that the motion keeps, from above and from below.
    for limit in [Range::at_most(0.26), Range::new(-0.01, 0.26)] {
        let found = audited(limit);
        assert!(found.passed && found.replay.phases[0].excesses[0].value == 0.0, "{}", found.verdict());
    }
    // What is exceeded by less than the limit of the audit is not told.
    assert!(audited(Range::at_most(0.247)).passed);
}
