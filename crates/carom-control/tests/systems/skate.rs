//! A skate: a blade that does not slip sideways.

use carom_control::{ControlProblem, CostKind, Duration, Phase};
use carom_expr::Scope;
use carom_model::{System, SystemBuilder};
use carom_nlp::Range;
use std::sync::Arc;

/// Unit mass and inertia at `(x, y, theta)`; `u` pushes along the blade, `w` turns it.
pub fn skate() -> Arc<System> {
    let s = Scope::default();
    let v = |name: &str| s.variable(name);
    let (c, d) = (v("theta").cos(), v("theta").sin());
    let lagrangian = (0.5 * (v("x'").square() + v("y'").square() + v("theta'").square())).id();
    let slip = (c * v("y'") - d * v("x'")).id();
    let (along, across, turn, zero) = ((v("u") * c).id(), (v("u") * d).id(), v("w").id(), s.constant(0.0).id());
    let builder = SystemBuilder::new("skate").coordinate("x").coordinate("y").coordinate("theta");
    let builder = builder.lagrangian(lagrangian).velocity_constraint("blade", slip).input("u", zero).input("w", zero);
    let builder = builder.force("x", along).force("y", across).force("theta", turn);
    Arc::new(builder.build(s.into_graph()).unwrap())
}

/// From rest to rest, one to the side and turned by more than a right angle, in two seconds.
pub fn turn(intervals: usize) -> ControlProblem {
    let mut phase = Phase::new("turn", skate(), Duration::Fixed(2.0), intervals);
    for (name, start, end) in [("x", 0.0, 1.0), ("y", 0.0, 1.0), ("theta", 0.0, 2.0)] {
        phase = phase.start(name, Range::fixed(start)).end(name, Range::fixed(end));
    }
    for rate in ["x'", "theta'"] {
        phase = phase.start(rate, Range::fixed(0.0)).end(rate, Range::fixed(0.0));
    }
    ControlProblem::new("turn").phase(phase).cost("effort", 1.0, CostKind::Integral("u^2 + w^2".to_owned()))
}
