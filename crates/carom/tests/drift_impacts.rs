//! The energy over many impacts: the default jump adds nothing to the oscillation of the method.
//! A million impacts are in the benchmark `bouncer`; here are ten thousand.

use carom::impact::{ContactOptions, JumpKind};
use carom::{Method, Model, Options, Schedule, Simulation};
use std::path::PathBuf;

/// Largest relative error of the energy at the nodes until a time.
fn largest(method: &str, jump: JumpKind, until: f64) -> f64 {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/chaotic-bouncer.toml");
    let model = Model::from_path(&path, &[]).expect("the example is in order");
    let options = Options { contacts: ContactOptions { jump, ..ContactOptions::default() }, ..Options::default() };
    let method = Method::parse(method).expect("a method");
    let simulation = Simulation::new(&model.system, &method, options).expect("compiles");
    let schedule = Schedule { start: 0.0, until, step: 0.05, every: 4 };
    let run = simulation.run(&model.initial.q, &model.initial.v, schedule, &mut |_| true).expect("runs");
    let first = run.energy[0];
    run.energy.iter().map(|energy| (energy / first - 1.0).abs()).fold(0.0, f64::max)
}

#[test]
fn drift_of_the_default_jump_is_none() {
    assert_eq!(JumpKind::default(), JumpKind::Modified);
    for (method, bound) in [("trapezoidal", 7.5e-4), ("gauss2", 1e-6), ("gauss3", 1e-8)] {
        // 300 impacts know the oscillation of this regular motion.
        let (short, long) = (largest(method, JumpKind::Modified, 900.0), largest(method, JumpKind::Modified, 30_000.0));
        assert!(long <= 1.5 * short && long < bound, "{method}: {long:e} after {short:e}");
    }
}

/// The control: the variational jump does drift.
#[test]
fn drift_of_the_variational_jump_is_seen() {
    let (short, long) =
        (largest("trapezoidal", JumpKind::Modified, 900.0), largest("trapezoidal", JumpKind::Variational, 30_000.0));
    assert!(long > 5.0 * short, "{long:e} against {short:e}");
}
