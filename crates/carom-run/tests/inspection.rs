//! Diagnostics of contacts find the same in a motion and in its pieces.

use carom_impact::diagnose;
use carom_model::{ContactMode, Digest, FindingKind, ModeChange, Model, Trajectory};
use carom_run::inspection::Inspection;

/// A block on a rough table, and a spring that pulls at it.
const BLOCK: &str = r#"
[coordinates]
x = 0.0
y = 0.0
[energy]
kinetic = "0.5*(x'^2 + y'^2)"
potential = "10*y + x^2/2"
[contacts.table]
gap = "y"
tangent = "x"
law = "plastic"
friction = 0.1
"#;

/// It is said to stick, though the spring pulls more and more; for a while it is said to be free.
fn motion(model: &Model) -> Trajectory {
    let mut motion = Trajectory::new(model.system.coordinate_names(), Vec::new(), "by hand");
    motion.contacts = vec!["table".to_owned()];
    for k in 0..20 {
        motion.t.push(f64::from(k));
        motion.q.extend([0.5 + 0.25 * f64::from(k), 0.0]);
        motion.v.extend([0.0, 0.0]);
        motion.p.extend([0.0, 0.0]);
        motion.energy.push(0.0);
    }
    let (free, sticking) = (ContactMode::Free, ContactMode::Sticking);
    let change = |t, from, to| ModeChange { t, contact: 0, from, to, reason: "by hand" };
    motion.modes = vec![change(0.0, free, sticking), change(8.5, sticking, free), change(13.5, free, sticking)];
    motion
}

fn piece(motion: &Trajectory, from: usize, to: usize) -> Trajectory {
    let mut piece = motion.header();
    piece.t = motion.t[from..to].to_vec();
    (piece.q, piece.v) = (motion.q[2 * from..2 * to].to_vec(), motion.v[2 * from..2 * to].to_vec());
    (piece.p, piece.energy) = (motion.p[2 * from..2 * to].to_vec(), motion.energy[from..to].to_vec());
    let time = |node: usize| motion.t.get(node).copied().unwrap_or(f64::INFINITY);
    let begin = if from == 0 { f64::NEG_INFINITY } else { time(from - 1) };
    let is_now = |t: f64| begin < t && t <= if to == motion.len() { f64::INFINITY } else { time(to - 1) };
    piece.modes = motion.modes.iter().filter(|change| is_now(change.t)).cloned().collect();
    piece
}

#[test]
fn findings_go_on_from_piece_to_piece() {
    let model = Model::from_text(BLOCK, "block.toml", &[]).unwrap();
    let motion = motion(&model);
    let expected = diagnose(&model.system, &motion).unwrap();
    // Too much from x = 1 on, twice, worst at the end.
    let told: Vec<_> = expected.iter().map(|found| (found.kind, found.t, (100.0 * found.value).round())).collect();
    assert_eq!(told, [(FindingKind::OutsideCone, 3.0, 25.0), (FindingKind::OutsideCone, 14.0, 53.0)]);
    for first in 1..20 {
        for second in first..=20 {
            let mut digest = Digest::of(&motion.header());
            let mut inspection = Inspection::new(&model.system);
            for (from, to) in [(0, first), (first, second), (second, 20)] {
                let piece = piece(&motion, from, to);
                digest.add(&piece);
                inspection.inspect(&piece, &mut digest).unwrap();
            }
            assert_eq!(digest.findings.first, expected, "{first} {second}");
            assert_eq!(digest.findings.count, 2);
        }
    }
}
