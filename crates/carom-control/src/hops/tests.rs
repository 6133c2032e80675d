//! Bumps are smooth and leave the ends as they are.

use super::*;

/// The rate of a bump is its derivative, and both ends stay.
#[test]
fn bumps_keep_ends_and_have_their_rates() {
    let times: Vec<f64> = (0..=2000).map(|k| k as f64 / 2000.0).collect();
    let flat = vec![vec![0.0]; times.len()];
    let mut phase = PhaseGuess { duration: 0.5, times, q: flat.clone(), v: flat, ..PhaseGuess::default() };
    bump(&mut phase, 0, [0.3, 0.1, 0.2]);
    for end in [0, 2000] {
        assert!(phase.q[end][0] == 0.0 && phase.v[end][0] == 0.0);
    }
    let step = 2.0 * 0.5 / 2000.0;
    for k in 1..2000 {
        let slope = (phase.q[k + 1][0] - phase.q[k - 1][0]) / step;
        assert!((slope - phase.v[k][0]).abs() < 1e-4, "{k}: {slope} {}", phase.v[k][0]);
    }
    assert!(phase.q.iter().any(|q| q[0] > 0.1));
}
