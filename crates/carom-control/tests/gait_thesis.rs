//! The gaits of the thesis as their files state them: found from their starts, audited, possible for the ground between nodes too.

use crate::walking;

use carom_control::{AuditKind, GaitCandidate, GaitMeasures, audit};
use walking::{gait, own, planar_chain};

/// The gait that the search of a file takes, and what it costs. It must have passed its audit, which looks at every limit along
/// the flow: conditions are kept to a thousandth of their size.
fn walked(name: &str) -> (GaitCandidate, GaitMeasures) {
    walked_with(name, &[])
}

/// The same with changes of the file.
fn walked_with(name: &str, changes: &[(&str, &str)]) -> (GaitCandidate, GaitMeasures) {
    let file = gait(name, changes);
    let (starts, options) = (file.gait_starts().unwrap(), file.gait_options().unwrap());
    let search = own(&file).search(&starts, &options, &mut |_| true).unwrap();
    let best = search.candidates[0].clone();
    assert!(best.passed(), "{name}: {:?}", best.audit.map(|audit| audit.findings));
    let measures = own(&file).measures(&best.solution).unwrap();
    assert!((measures.net / measures.loss - 1.0).abs() < 1e-3, "{name}: {measures:?}");
    for excess in &best.audit.as_ref().unwrap().replay.phases[0].excesses {
        assert!(excess.value <= 1e-3 * excess.size, "{name}: {excess:?}");
    }
    assert!(measures.least_normal_force > 0.0 && measures.largest_friction < 0.6 + 1e-6, "{name}: {measures:?}");
    (best, measures)
}

#[test]
fn regress_spatial_gait() {
    let (best, measures) = walked_with("spatial-gait.toml", &[("hops = 12", "hops = 2")]);
    eprintln!("{} {measures:?}", best.cost());
    assert!(best.cost() < 0.13, "{}", best.cost());
    let [net, positive, absolute] = [measures.net, measures.positive, measures.absolute].map(|e| measures.transport(e));
    assert!(net < positive && positive < absolute && absolute < 0.0904, "{net} {positive} {absolute}");
    assert!(measures.length == 0.45 && (measures.weight - 98.1).abs() < 1e-9, "{measures:?}");
}

#[test]
fn regress_planar_gait_with_contact_limits() {
    let (best, _) = walked("planar-gait-contact.toml");
    assert!((best.cost() / 3.555026857e-3 - 1.0).abs() < 1e-6, "{}", best.cost());
}

/// What is known of the least absolute work, by fewer hops than the file asks for: 6.15e-2. On the mesh of the thesis walks cost 5.3e-2,
/// but that is what the mesh hides (next test); 5.7e-2 was asked for, and no walk that passes its audit is known to reach it.
#[test]
fn regress_planar_gait_with_absolute_work() {
    let (best, measures) = walked_with("planar-gait-work.toml", &[("hops = 25", "hops = 4")]);
    eprintln!("{} {measures:?}", best.cost());
    assert!(best.cost() < 6.3e-2, "{}", best.cost());
    // It walks: the knees are above the ground, and the hip above the knees.
    for q in &best.solution.phases[0].q {
        let [knee, hip, swing_knee, _] = planar_chain(q).map(|point| point[1]);
        assert!(knee > 0.3 && swing_knee > 0.3 && hip > knee.max(swing_knee), "{q:?}");
    }
}

/// On the mesh of the thesis hops find less than the peer did, and what they find is no motion.
#[test]
fn peer_planar_gait_with_absolute_work_on_the_mesh_of_the_thesis() {
    let file = gait("planar-gait-work-midpoint.toml", &[("hops = 25", "hops = 4")]);
    let (starts, mut options) = (file.gait_starts().unwrap(), file.gait_options().unwrap());
    options.is_audited = false;
    let found = own(&file).search(&starts, &options, &mut |_| true).unwrap();
    let best = &found.candidates[0];
    eprintln!("{}", best.cost());
    assert!(best.cost() < 5.64e-2, "{}", best.cost());
    let audit = audit(&file.problem, &best.solution, &options.audit).unwrap();
    let kinds: Vec<&AuditKind> = audit.findings.iter().map(|finding| &finding.kind).collect();
    assert!(!audit.passed && kinds.contains(&&AuditKind::Mesh) && kinds.contains(&&AuditKind::HiddenWork), "{kinds:?}");
}

#[test]
fn regress_planar_gait_without_ankle() {
    let (best, _) = walked("planar-gait-underactuated.toml");
    assert!((best.cost() / 1.512270238e-3 - 1.0).abs() < 1e-5, "{}", best.cost());
}
