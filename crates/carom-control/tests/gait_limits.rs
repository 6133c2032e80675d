//! Searches whose walks must keep their limits between nodes, and walks of trees of bodies.

use crate::walking;

use carom_control::{AuditKind, GaitEvent, PathCondition, PhaseSolution, ProblemFile, solve};
use carom_nlp::Status;
use walking::{apart, gait, own, planar_chain};

/// No torque at the ankle. At nodes the ground pushes and holds; between them its cone is left at first, and limits are
/// tightened until it is not.
#[test]
fn underactuated_gait_keeps_its_limits_between_nodes() {
    let file = gait(
        "planar-gait-underactuated.toml",
        &[("intervals = 80", "intervals = 50"), ("coarse = 20\nstarts = 16", "starts = 3")],
    );
    let (starts, options) = (file.gait_starts().unwrap(), file.gait_options().unwrap());
    let mut rounds: Vec<(bool, Vec<AuditKind>, f64)> = Vec::new();
    let search = own(&file).search(&starts[2..], &options, &mut |event| {
        if let GaitEvent::Audited { round, audit, .. } = event {
            assert_eq!(round, rounds.len());
            let excess = audit.replay.phases[0].excesses.iter().find(|excess| excess.condition == "friction backward");
            let kinds = audit.findings.iter().map(|finding| finding.kind.clone()).collect();
            rounds.push((audit.passed, kinds, excess.unwrap().value));
        }
        true
    });
    let best = &search.unwrap().candidates[0];
    let [(false, first, before), .., (true, last, after)] = &rounds[..] else { panic!("{rounds:?}") };
    assert_eq!((&first[..], &last[..]), (&[AuditKind::Path("friction backward".to_owned())][..], &[][..]));
    assert!(*before > 1e-3 && after < before, "{before} {after}");
    assert!(best.passed());
    // The limit is tighter than it was asked for, and paid for.
    let limit = |path: &[PathCondition]| {
        path.iter().find(|path| path.condition.name == "friction backward").unwrap().condition.range.lower
    };
    let (asked, kept) = (limit(&file.problem.phases[0].path), limit(&best.problem.phases[0].path));
    assert!(asked == 0.0 && kept >= 1.2 * before, "{asked} {kept} {before}");
    // The foot does not dip at the start, and is not asked to lift off.
    assert_eq!(best.problem.phases[0].start, file.problem.phases[0].start);
    // No ankle, other joints at work.
    let step = &best.solution.phases[0];
    assert!(step.controls.values.iter().all(|inputs| inputs[0].iter().all(|torque| torque.abs() < 1e-12)));
    assert!(step.controls.values.iter().flatten().flatten().any(|torque| torque.abs() > 1.0));
    assert_eq!(step.constraints, ["stance", "stance_t"]);
    for forces in &step.forces {
        assert!(forces[0] >= 0.0 && forces[1].abs() <= 0.6 * forces[0] + 1e-6, "{forces:?}");
    }
    let measures = own(&file).measures(&best.solution).unwrap();
    assert!(measures.largest_friction <= 0.6 + 1e-6 && measures.least_normal_force > 0.0, "{measures:?}");
    assert!((measures.net / measures.loss - 1.0).abs() < 1e-3, "{measures:?}");
}

/// The swing foot drags along the ground: at nodes it does not dip, between them it does, until it is lifted.
#[test]
fn clearance_is_tightened_too() {
    let file = gait(
        "planar-gait-underactuated.toml",
        &[("intervals = 80", "intervals = 60"), ("coarse = 20\nstarts = 16", "starts = 2")],
    );
    let (starts, mut options) = (file.gait_starts().unwrap(), file.gait_options().unwrap());
    // A tenth of a thousandth of the height of the arc.
    options.audit.path = 1e-4;
    let mut rounds = Vec::new();
    let search = own(&file).search(&starts[..1], &options, &mut |event| {
        if let GaitEvent::Audited { audit, .. } = event {
            rounds.push(audit.findings.iter().map(|finding| finding.kind.clone()).collect::<Vec<_>>());
        }
        true
    });
    eprintln!("{rounds:?}");
    let best = &search.unwrap().candidates[0];
    assert!(rounds[0].contains(&AuditKind::Path("clearance".to_owned())), "{rounds:?}");
    assert!(best.passed() && best.audit.as_ref().unwrap().findings.is_empty());
    let clearance = &best.problem.phases[0].path[0].condition;
    assert!(clearance.name == "clearance" && clearance.range.lower > 0.0, "{clearance:?}");
    let feet: Vec<f64> = best.solution.phases[0].q.iter().map(|q| planar_chain(q)[3][1]).collect();
    assert!(feet[1..feet.len() - 1].iter().all(|height| *height >= 0.9 * clearance.range.lower), "{feet:?}");
}

/// Coordinates of a tree of bodies are places of its torso, and no coordinate is the place of a foot. The relabelling puts the foot at 0; a row that
/// asks for it again would depend on its rows, and starts would not converge.
#[test]
fn a_tree_of_bodies_walks() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/optimal/torso-gait.toml");
    let file = ProblemFile::read(&path, &[]).unwrap_or_else(|found| panic!("{found}"));
    assert!(file.problem.phases[0].start.is_empty());
    let (starts, options) = (file.gait_starts().unwrap(), file.gait_options().unwrap());
    let found = own(&file).search(&starts, &options, &mut |_| true).unwrap();
    let costs: Vec<f64> = found.candidates.iter().map(|own| own.cost()).collect();
    assert!(found.candidates[0].passed() && costs.len() == 4, "{costs:?}");
    assert!(costs.iter().all(|cost| (cost / 1.472180737e-3 - 1.0).abs() < 1e-6), "{costs:?}");
    // Feet, by rotations of links that hang down.
    let place = |q: &[f64], side: &str| {
        let at = |name: &str| q[own(&file).system().coordinates().iter().position(|own| own.name == name).unwrap()];
        let thigh = at("pitch") + at(&format!("{side}_hip"));
        let shank = thigh + at(&format!("{side}_knee"));
        [at("x") - 0.45 * (thigh.sin() + shank.sin()), at("z") - 0.45 * (thigh.cos() + shank.cos())]
    };
    let step = &found.candidates[0].solution.phases[0];
    for q in &step.q {
        assert!(apart(&place(q, "left"), &[0.0, 0.0]) < 1e-7 && place(q, "right")[1] > -1e-7, "{q:?}");
    }
    let (first, last) = (&step.q[0], &step.q[step.q.len() - 1]);
    assert!(apart(&place(first, "right"), &[-0.4, 0.0]) < 1e-7 && apart(&place(last, "right"), &[0.4, 0.0]) < 1e-7);
}

/// A biped that hangs from its foot has its body under the ground; only the swing foot must not go there. The impact
/// leaves that foot moving into the ground, which nodes do not see: it is asked to lift off.
#[test]
fn swing_foot_lifts_off() {
    let bounds = "bounds = { th1 = [-1.5, 1.5], th2 = [0, 2.6], th4 = [-2.6, 0] }";
    let hanging = "bounds = { th2 = [0, 2.6], th4 = [-2.6, 0] }\nspread = 1.3\ncoarse = 15";
    let changes = [(bounds, hanging), ("net_first = true\nstarts = 8\nhops = 60", "starts = 4")];
    let file = gait("planar-gait-work.toml", &changes);
    let (starts, options) = (file.gait_starts().unwrap(), file.gait_options().unwrap());
    let mut findings = Vec::new();
    let found = own(&file).search(&starts[3..], &options, &mut |event| {
        if let GaitEvent::Audited { audit, .. } = event {
            findings.push(audit.findings.iter().map(|own| (own.kind.clone(), own.interval)).collect::<Vec<_>>());
        }
        true
    });
    let best = &found.unwrap().candidates[0];
    assert!(findings[0].contains(&(AuditKind::Path("clearance".to_owned()), Some(0))), "{findings:?}");
    assert!(best.passed(), "{findings:?}");
    assert!(best.problem.phases[0].start.iter().any(|condition| condition.name == "lift-off"));
    let free = solve(&file.problem, &best.solution.guess(), &options.solve, &mut |_| true).unwrap();
    let [with, without] = [&best.solution, &free].map(|solution| {
        assert_eq!(solution.outcome.status, Status::Converged);
        rate(&solution.phases[0])
    });
    eprintln!("{with} {without}; {} {}", best.cost(), free.outcome.objective);
    assert!(with > -1e-6 && without < -0.05, "{with} {without}");
    assert!(free.outcome.objective < best.cost());
}

/// How fast the swing foot rises at the start.
fn rate(step: &PhaseSolution) -> f64 {
    let at = |by: f64| {
        let q: Vec<f64> = step.q[0].iter().zip(&step.v[0]).map(|(q, v)| q + by * v).collect();
        planar_chain(&q)[3][1]
    };
    (at(1e-6) - at(-1e-6)) / 2e-6
}
