//! Problems and measurements that the verification suites share.
#![allow(dead_code)] // each test file uses a part

use carom_discrete::{Method, Options, Scheme, Stepper};
use carom_expr::Scope;
use carom_model::{System, SystemBuilder};

/// Double pendulum with a cyclic partner: nonlinear, coupled mass matrix. Angles are absolute.
pub fn double_pendulum() -> System {
    let s = Scope::default();
    let (a, b) = (s.variable("a"), s.variable("b"));
    let (va, vb) = (s.variable("a'"), s.variable("b'"));
    let kinetic = va.square() + 0.5 * vb.square() + (a - b).cos() * va * vb;
    let lagrangian = (kinetic + 9.8 * (2.0 * a.cos() + b.cos())).id();
    build(SystemBuilder::new("double pendulum").coordinate("a").coordinate("b").lagrangian(lagrangian), s)
}

/// The same with a driving and a damping force.
pub fn forced_double_pendulum() -> System {
    let s = Scope::default();
    let (a, b) = (s.variable("a"), s.variable("b"));
    let (va, vb, t) = (s.variable("a'"), s.variable("b'"), s.variable("t"));
    let kinetic = va.square() + 0.5 * vb.square() + (a - b).cos() * va * vb;
    let lagrangian = (kinetic + 9.8 * (2.0 * a.cos() + b.cos())).id();
    let (fa, fb) = ((-0.3 * va + (2.0 * t).sin()).id(), (-0.1 * vb * (1.0 + b.square())).id());
    let builder = SystemBuilder::new("forced").coordinate("a").coordinate("b").lagrangian(lagrangian);
    build(builder.force("a", fa).force("b", fb), s)
}

/// A planar pendulum in Cartesian coordinates with a length constraint.
pub fn cartesian_pendulum() -> System {
    let s = Scope::default();
    let (x, y) = (s.variable("x"), s.variable("y"));
    let (vx, vy) = (s.variable("x'"), s.variable("y'"));
    let lagrangian = (0.5 * (vx.square() + vy.square()) - 9.8 * y).id();
    let rod = (x.square() + y.square() - 1.0).id();
    let builder = SystemBuilder::new("pendulum").coordinate("x").coordinate("y").lagrangian(lagrangian);
    build(builder.constraint("rod", rod), s)
}

/// Kepler's problem in the plane.
pub fn kepler() -> System {
    let s = Scope::default();
    let (x, y) = (s.variable("x"), s.variable("y"));
    let (vx, vy) = (s.variable("x'"), s.variable("y'"));
    let lagrangian = (0.5 * (vx.square() + vy.square()) + 1.0 / (x.square() + y.square()).sqrt()).id();
    build(SystemBuilder::new("kepler").coordinate("x").coordinate("y").lagrangian(lagrangian), s)
}

/// A spherical pendulum: the second angle is cyclic.
pub fn spherical_pendulum() -> System {
    let s = Scope::default();
    let (theta, va, vb) = (s.variable("theta"), s.variable("theta'"), s.variable("phi'"));
    let lagrangian = (0.5 * (va.square() + (theta.sin() * vb).square()) + 9.8 * theta.cos()).id();
    build(SystemBuilder::new("spherical").coordinate("theta").coordinate("phi").lagrangian(lagrangian), s)
}

/// Two masses on rods in Cartesian coordinates, with two constraints.
pub fn double_cartesian_pendulum() -> System {
    let s = Scope::default();
    let names = ["x1", "y1", "x2", "y2"];
    let q = names.map(|name| s.variable(name));
    let v = names.map(|name| s.variable(&format!("{name}'")));
    let kinetic = 0.5 * (v[0].square() + v[1].square()) + v[2].square() + v[3].square();
    let lagrangian = (kinetic - 9.8 * (q[1] + 2.0 * q[3])).id();
    let first = (q[0].square() + q[1].square() - 1.0).id();
    let second = ((q[2] - q[0]).square() + (q[3] - q[1]).square() - 1.0).id();
    let builder = names.iter().fold(SystemBuilder::new("double"), |builder, name| builder.coordinate(name));
    build(builder.lagrangian(lagrangian).constraint("first", first).constraint("second", second), s)
}

fn build(builder: SystemBuilder, scope: Scope) -> System {
    builder.build(scope.into_graph()).expect("a well-formed system")
}

/// Every rule, every composition of a simple rule, and some that nest.
pub fn methods() -> Vec<Method> {
    let rules: Vec<String> = carom_discrete::rules::all().iter().map(|rule| rule.name()).collect();
    let mut methods: Vec<Method> = rules.iter().map(|name| Method::parse(name).expect("a method")).collect();
    for scheme in Scheme::ALL {
        // The first rule that the scheme accepts.
        let fits = rules.iter().find_map(|rule| Method::parse(&format!("{}({rule})", scheme.name())).ok());
        methods.push(fits.expect("every scheme fits a rule"));
    }
    for nested in ["triple-jump(strang(right))", "suzuki(trapezoidal)", "suzuki(gauss2)", "kahan-li6(trapezoidal)"] {
        methods.push(Method::parse(nested).expect("a method"));
    }
    methods
}

/// A stepper, compiled.
pub fn stepper(system: &System, method: &Method, options: Options) -> Stepper {
    Stepper::new(&system.dynamics(), method, options).expect("compiles")
}

/// Final position and momentum of a run with `steps` equal steps.
pub fn run(stepper: &mut Stepper, start: (&[f64], &[f64]), until: f64, steps: usize) -> Vec<f64> {
    stepper.start(0.0, start.0, start.1).expect("starts");
    for _ in 0..steps {
        stepper.step(until / steps as f64).expect("steps");
    }
    [&stepper.state().q[..], &stepper.state().p].concat()
}

/// Largest difference.
pub fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

/// The exponent `p` of `error = C h^p`, or of `error = C h^p (1 + c h^2)` with three `terms`, by
/// least squares in logarithms.
pub fn fitted_order(points: &[(f64, f64)], terms: usize) -> f64 {
    let row = |h: f64| [1.0, h.ln(), h * h];
    let entry = |i: usize, j: usize| points.iter().map(|(h, _)| row(*h)[i] * row(*h)[j]).sum::<f64>();
    let matrix: Vec<f64> = (0..terms * terms).map(|k| entry(k / terms, k % terms)).collect();
    let moment = |i: usize| points.iter().map(|(h, error)| row(*h)[i] * error.ln()).sum();
    let mut right: Vec<f64> = (0..terms).map(moment).collect();
    let mut lu = carom_linalg::Lu::new(terms);
    lu.factor(&matrix).expect("different steps");
    lu.solve(&mut right);
    right[1]
}
