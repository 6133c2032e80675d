//! A digest knows of a motion what the motion knew of itself, however it was divided.

use carom_model::{
    Balance, ContactMode, Digest, Finding, FindingKind, Impact, Invariant, KEPT_ENTRIES, ModeChange, Trajectory,
};

/// A ball that loses energy in impacts at nodes and between them.
fn motion() -> Trajectory {
    let names = |list: &[&str]| list.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    let mut motion = Trajectory::new(names(&["y"]), names(&["rod"]), "by hand");
    motion.contacts = names(&["floor", "wall"]);
    motion.invariants = vec![Invariant { name: "p_x".to_owned(), values: Vec::new() }];
    let energies = [8.0, 8.0, 8.0, 4.0, 2.0, 2.5, 1.0, 1.0];
    for (k, energy) in energies.into_iter().enumerate() {
        let x = k as f64;
        motion.t.push(x);
        motion.q.push(10.0 - x);
        motion.v.push(x - 3.5);
        motion.p.push(2.0 * (x - 3.5));
        motion.multipliers.push(0.0);
        motion.energy.push(energy);
        motion.constraint_error.push(1e-9 * (x - 4.0));
        motion.gaps.extend([x, 1.0]);
        motion.contact_forces.extend([0.0, 0.0]);
        motion.invariants[0].values.push(5.0 + 0.25 * (x - 2.0).abs());
    }
    // The node t = 2 stands before both impacts of its time, the node t = 6 after its impact.
    let losses = [(0.0, 100.0), (2.0, 3.0), (2.0, 1.0), (3.5, 2.0), (6.0, 1.0)];
    motion.impacts = losses.into_iter().map(|(t, loss)| impact(t, loss)).collect();
    motion.impacts[3].law = "moreau".to_owned();
    let change = |t, contact, from, to| ModeChange { t, contact, from, to, reason: "by hand" };
    motion.modes = vec![
        change(3.5, 0, ContactMode::Free, ContactMode::Sliding),
        change(4.5, 0, ContactMode::Sliding, ContactMode::Sticking),
    ];
    let message = "look".to_owned();
    motion.findings = vec![Finding { t: 3.5, contact: 0, kind: FindingKind::Grazing, value: 0.0, message }];
    motion
}

fn impact(t: f64, loss: f64) -> Impact {
    Impact {
        t,
        bracket: (t, t),
        impulses: Vec::new(),
        law: "newton".to_owned(),
        q: vec![0.0],
        q_plus: vec![0.0],
        v_minus: vec![-1.0],
        v_plus: vec![1.0],
        p_minus: vec![-2.0],
        p_plus: vec![2.0],
        energy_minus: 0.0,
        energy_change: -loss,
        balance: Balance { loss, ..Balance::default() },
        iterations: 0,
    }
}

/// The nodes of a range, with the events up to its last one; `late` events come with the next piece.
fn piece(motion: &Trajectory, nodes: std::ops::Range<usize>, events: impl Fn(f64) -> bool) -> Trajectory {
    let mut piece = motion.header();
    for k in nodes {
        let node = motion.node(k);
        piece.t.push(node.t);
        piece.q.extend(node.q);
        piece.v.extend(node.v);
        piece.p.extend(node.p);
        piece.energy.push(node.energy);
        piece.constraint_error.push(motion.constraint_error[k]);
        piece.invariants[0].values.push(motion.invariants[0].values[k]);
    }
    piece.impacts = motion.impacts.iter().filter(|impact| events(impact.t)).cloned().collect();
    piece.modes = motion.modes.iter().filter(|change| events(change.t)).cloned().collect();
    piece.findings = motion.findings.iter().filter(|finding| events(finding.t)).cloned().collect();
    piece
}

#[test]
fn it_tells_what_the_motion_tells() {
    let (motion, digest) = (motion(), Digest::of(&motion()));
    assert_eq!((digest.nodes, digest.impacts.sample.count), (8, 5));
    assert_eq!(digest.header, motion.header());
    assert_eq!((digest.first.as_ref().unwrap().t, digest.last.as_ref().unwrap().p[0]), (0.0, 7.0));
    // Only the node at t = 5 is off, by a half; the impact of the initial state does not count.
    assert_eq!((digest.energy_error(), motion.energy_error()), (0.5, 0.5));
    assert_eq!((digest.energy_scale, digest.constraint_error), (motion.energy_scale(), 4e-9));
    assert_eq!((digest.invariants[0].first, digest.invariants[0].error), (Some(5.5), 0.75));
    assert_eq!((digest.impacts.times, digest.impacts.energy_change), (Some((0.0, 6.0)), -107.0));
    assert_eq!(digest.impacts.laws, ["newton", "moreau"]);
    assert_eq!(digest.final_modes, [Some(ContactMode::Sticking), None]);
    assert_eq!(digest.have_slid, [true, false]);
    assert_eq!(digest.findings.first, motion.findings);
}

#[test]
fn it_does_not_depend_on_the_pieces() {
    let (motion, whole) = (motion(), Digest::of(&motion()));
    let count = motion.len();
    for first in 0..=count {
        for second in first..=count {
            // Events at the very time of the last node may come with the piece after it.
            for is_late in [false, true] {
                let end =
                    |node: usize| motion.t.get(node).copied().unwrap_or(f64::INFINITY) - f64::from(u8::from(is_late));
                let (a, b) = (end(first), end(second));
                let mut digest = Digest::of(&piece(&motion, 0..first, |t| t < a));
                digest.add(&piece(&motion, first..second, |t| a <= t && t < b));
                digest.add(&piece(&motion, second..count, |t| b <= t));
                assert_eq!(digest.energy_error(), 0.5, "{first} {second} {is_late}");
                assert_eq!((&digest.first, &digest.last), (&whole.first, &whole.last));
                assert_eq!((&digest.impacts, &digest.modes), (&whole.impacts, &whole.modes));
                assert_eq!((&digest.invariants, digest.nodes), (&whole.invariants, whole.nodes));
                assert_eq!(
                    (digest.constraint_error, digest.energy_scale),
                    (whole.constraint_error, whole.energy_scale)
                );
                assert_eq!((&digest.final_modes, &digest.findings), (&whole.final_modes, &whole.findings));
            }
        }
    }
}

#[test]
fn lists_end_and_counts_go_on() {
    let mut motion = motion();
    let mut digest = Digest::of(&motion);
    motion.impacts = (0..6000).map(|k| impact(8.0 + f64::from(k), 0.0)).collect();
    digest.add(&motion);
    digest.add(&motion);
    let impacts = &digest.impacts.sample;
    assert_eq!((impacts.first.len(), impacts.count, impacts.omitted()), (KEPT_ENTRIES, 12_005, 2_005));
    assert_eq!(impacts.first.last().unwrap().t, motion.impacts[KEPT_ENTRIES - 6005 - 1].t);
}

#[test]
fn what_is_no_number_is_not_forgotten() {
    let mut motion = motion();
    motion.invariants[0].values[2] = f64::NAN;
    motion.constraint_error[3] = f64::NAN;
    let mut digest = Digest::of(&piece(&motion, 0..4, |_| false));
    digest.add(&piece(&motion, 4..8, |_| false));
    assert!(digest.invariants[0].error.is_nan() && motion.invariants[0].error().is_nan());
    assert!(digest.constraint_error.is_nan() && motion.constraint_error().is_nan());
}
