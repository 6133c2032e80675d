//! Derivatives of steps of walkers: multipliers of gaits that are known to twenty digits.

#![allow(clippy::excessive_precision)] // reference values stand as they are printed

use carom_expr::Backend;
use carom_flow::{Derivative, FlowOptions, Follower, HybridTangent, Motion, Until};
use carom_impact::ContactOptions;
use carom_model::Model;
use std::path::Path;

fn example(name: &str) -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    Model::from_path(&path, &[]).expect("a model")
}

fn step(model: &Model, q: &[f64], v: &[f64], kept: &[(&str, f64)]) -> (Motion, Derivative) {
    let options = FlowOptions { backend: Backend::Interpreter, ..FlowOptions::default() };
    let mut follower = Follower::new(&model.system, options, ContactOptions::default()).expect("compiles");
    let until = Until::Impact { contact: 0, count: 1, latest: 20.0 };
    let motion = follower.follow((0.0, q, v), until).expect("walks");
    assert!(motion.is_at_section);
    let names: Vec<String> = kept.iter().map(|(name, _)| (*name).to_owned()).collect();
    let values: Vec<f64> = kept.iter().map(|(_, value)| *value).collect();
    let mut tangent = HybridTangent::new(&model.system, &names, options).expect("compiles");
    let derivative = tangent.differentiate(&motion, &values).expect("is differentiable");
    (motion, derivative)
}

/// Trace and sum of principal minors of order two of the step map of the simplest walker: all other
/// eigenvalues vanish. The foot, which moves on, is left out.
fn invariants(d: &Derivative) -> (f64, f64) {
    let at = |i: usize, j: usize| d.state[i * 6 + j];
    let kept = [0, 1, 3, 4];
    let trace = kept.iter().map(|&i| at(i, i)).sum();
    let minor = |i: usize, j: usize| at(i, i) * at(j, j) - at(i, j) * at(j, i);
    let pairs = kept.iter().enumerate().flat_map(|(k, &i)| kept[..k].iter().map(move |&j| (i, j)));
    (trace, pairs.map(|(i, j)| minor(i, j)).sum())
}

fn walker(theta: f64, omega: f64) -> ([f64; 3], [f64; 3]) {
    ([theta, 2.0 * theta, 0.0], [omega, (1.0 - (2.0 * theta).cos()) * omega, 0.0])
}

#[test]
fn peer_the_long_gait_of_the_simplest_walker() {
    let (q, v) = walker(0.200_310_900_544_247_089_36, -0.199_832_473_004_952_354_54);
    let (motion, d) = step(&example("simplest-walker.toml"), &q, &v, &[("gamma", 0.009)]);
    assert!((motion.end().t - 3.882_463_752_851_374_137_6).abs() < 1e-12, "{}", motion.end().t);
    let (re, im) = (-0.190_099_841_065_888_146_07_f64, 0.557_598_776_682_068_268_77_f64);
    let (trace, minors) = invariants(&d);
    assert!((trace - 2.0 * re).abs() < 1e-12, "{trace}");
    assert!((minors - (re * re + im * im)).abs() < 1e-12, "{minors}");
    assert_eq!((d.events.len(), d.events[0].kind), (1, "impact"));
}

#[test]
fn peer_the_short_gait_of_the_simplest_walker() {
    let (q, v) = walker(0.193_937_369_810_181_808_53, -0.203_866_927_442_006_926_80);
    let (motion, d) = step(&example("simplest-walker.toml"), &q, &v, &[]);
    assert!((motion.end().t - 3.096_105_868_078_163_699_9).abs() < 1e-12, "{}", motion.end().t);
    let (first, second) = (4.003_864_358_929_707_178_8, 0.459_589_589_797_671_587_51);
    let (trace, minors) = invariants(&d);
    assert!((trace - (first + second)).abs() < 4e-12, "{trace}");
    assert!((minors - first * second).abs() < 4e-12, "{minors}");
}

#[test]
fn exact_the_rimless_wheel() {
    let model = example("rimless-wheel.toml");
    let (q, v) = (model.initial.q.clone(), model.initial.v.clone());
    let (motion, d) = step(&model, &q, &v, &[("gamma", 0.08)]);
    assert!((motion.end().t - 1.035_077_508_377_473_282_1).abs() < 1e-13, "{}", motion.end().t);
    // On the section theta+ = gamma - alpha: the rate squared obeys w+^2 = c^2 (w^2 + 4 g/l sin(alpha) sin(gamma)).
    assert!((d.state[2 * 4 + 2] - 0.5).abs() < 1e-13, "{}", d.state[10]);
    let (sin_alpha, w, g) = ((std::f64::consts::PI / 8.0).sin(), v[0], 9.8);
    let (theta, gamma) = (q[0], 0.08_f64);
    // w+^2 = c^2 (w^2 + 2 g/l (cos theta - cos(gamma + alpha))), c^2 = 1/2
    let slope = 0.5 * g * (gamma + std::f64::consts::PI / 8.0).sin() / w;
    assert!((d.kept[2] - slope).abs() < 1e-12, "{} {slope}", d.kept[2]);
    assert!((d.state[2 * 4] + 0.5 * g * theta.sin() / w).abs() < 1e-12, "{sin_alpha}");
}
