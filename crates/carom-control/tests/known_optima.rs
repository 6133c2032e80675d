//! Optima that are known in closed form or to many digits.

use carom_control::{ControlProblem, CostKind, Duration, Guess, Phase, transcription};
use carom_expr::{Backend, Scope};
use carom_model::{System, SystemBuilder};
use carom_nlp::{Options, Range, Status, solver};
use std::sync::Arc;

fn cart_pole() -> Arc<System> {
    let s = Scope::default();
    let v = |name: &str| s.variable(name);
    let (m1, m2, l, g) = (1.0, 0.3, 0.5, 9.81);
    let lagrangian = 0.5 * (m1 + m2) * v("x'").square()
        + m2 * l * v("x'") * v("theta'") * v("theta").cos()
        + 0.5 * m2 * l * l * v("theta'").square()
        + m2 * g * l * v("theta").cos();
    let (lagrangian, u, zero) = (lagrangian.id(), v("u").id(), s.constant(0.0).id());
    let builder = SystemBuilder::new("cart-pole").coordinate("x").coordinate("theta").lagrangian(lagrangian);
    Arc::new(builder.input("u", zero).force("x", u).build(s.into_graph()).unwrap())
}

fn swing_up(intervals: usize) -> ControlProblem {
    let phase = Phase::new("swing", cart_pole(), Duration::Fixed(2.0), intervals)
        .bound("u", Range::new(-20.0, 20.0))
        .bound("x", Range::new(-2.0, 2.0))
        .start("x", Range::fixed(0.0))
        .start("theta", Range::fixed(0.0))
        .start("x'", Range::fixed(0.0))
        .start("theta'", Range::fixed(0.0))
        .end("x", Range::fixed(1.0))
        .end("theta", Range::fixed(std::f64::consts::PI))
        .end("x'", Range::fixed(0.0))
        .end("theta'", Range::fixed(0.0));
    ControlProblem::new("swing-up").phase(phase).cost("effort", 1.0, CostKind::Integral("u^2".to_owned()))
}

#[test]
fn peer_cart_pole() {
    for (n, expected) in [(100, 58.989874440), (400, 58.819052503)] {
        let begin = std::time::Instant::now();
        let problem = swing_up(n);
        let mut t = transcription("midpoint").unwrap().transcribe(&problem, Backend::Interpreter).unwrap();
        Guess::interpolate(&problem, &[]).apply(&problem, &mut t).unwrap();
        let setup = begin.elapsed();
        let outcome = solver("interior").unwrap().solve(&mut t.program, &Options::default(), &mut |p| {
            if n == 100 {
                eprintln!("{:3} {:.8e} {:.2e} {:.2e} {:.1e} {:.1e}", p.iteration, p.objective, p.infeasibility, p.stationarity, p.barrier, p.step);
            }
            true
        });
        eprintln!("{n}: {setup:?} {:?} {} {:?} {:?}", outcome.status, outcome.objective, outcome.residuals, outcome.statistics);
        assert_eq!(outcome.status, Status::Converged);
        assert!((outcome.objective - expected).abs() < 1e-5, "{}", outcome.objective);
    }
}
