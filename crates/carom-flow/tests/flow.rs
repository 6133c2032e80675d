//! The flow against closed forms and published numbers.

use carom_expr::{Backend, Expr, Id, Scope};
use carom_flow::{Flow, FlowError, FlowFailure, FlowOptions, FlowSchedule, Taylor};
use carom_model::{System, SystemBuilder};
use std::f64::consts::TAU;

fn options() -> FlowOptions {
    FlowOptions { backend: Backend::Interpreter, ..FlowOptions::default() }
}

fn system(names: &[&str], lagrangian: impl Fn(&[Expr<'_>], &[Expr<'_>], &Scope) -> Id) -> System {
    let scope = Scope::default();
    let q: Vec<_> = names.iter().map(|name| scope.variable(name)).collect();
    let v: Vec<_> = names.iter().map(|name| scope.variable(&format!("{name}'"))).collect();
    let lagrangian = lagrangian(&q, &v, &scope);
    let builder = names.iter().fold(SystemBuilder::new("test"), |builder, name| builder.coordinate(name));
    builder.lagrangian(lagrangian).build(scope.into_graph()).expect("a system")
}

fn end(system: &System, q: &[f64], v: &[f64], until: f64) -> Vec<f64> {
    let mut taylor = Taylor::new(&system.dynamics(), options()).expect("compiles");
    taylor.start(0.0, q, v).expect("starts");
    taylor.propagate(until).expect("runs");
    assert_eq!(taylor.t(), until);
    [taylor.q(), taylor.v()].concat()
}

fn close(found: &[f64], expected: &[f64], tolerance: f64) {
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() < tolerance, "{found:?} instead of {expected:?}");
    }
}

#[test]
fn an_oscillator_over_a_hundred_periods() {
    let oscillator = system(&["x"], |q, v, _| (0.5 * v[0].square() - 0.5 * q[0].square()).id());
    close(&end(&oscillator, &[1.0], &[0.0], 100.0 * TAU), &[1.0, 0.0], 1e-12);
}

#[test]
fn a_kepler_orbit_closes() {
    let kepler = system(&["x", "y"], |q, v, _| {
        (0.5 * (v[0].square() + v[1].square()) + 1.0 / (q[0].square() + q[1].square()).sqrt()).id()
    });
    // Semi-major axis 1, eccentricity 0.5: period 2 pi.
    let (q, v) = ([0.5, 0.0], [0.0, 3.0_f64.sqrt()]);
    close(&end(&kepler, &q, &v, 10.0 * TAU), &[0.5, 0.0, 0.0, 3.0_f64.sqrt()], 2e-12);
}

#[test]
fn a_driven_time_dependent_lagrangian() {
    // L = v^2/2 + x sin t: x'' = sin t.
    let driven = system(&["x"], |q, v, s| (0.5 * v[0].square() + q[0] * s.variable("t").sin()).id());
    close(&end(&driven, &[0.0], &[0.0], 5.0), &[5.0 - 5.0_f64.sin(), 1.0 - 5.0_f64.cos()], 1e-14);
}

#[test]
fn a_lagrangian_that_is_not_quadratic_in_the_velocity() {
    // Relativistic particle in a uniform field: p = v/sqrt(1 - v^2) = t from rest.
    let particle = system(&["x"], |q, v, _| (q[0] - (1.0 - v[0].square()).sqrt()).id());
    let t: f64 = 3.0;
    let root = (1.0 + t * t).sqrt();
    close(&end(&particle, &[0.0], &[0.0], t), &[root - 1.0, t / root], 1e-14);
}

/// End state of two rods at T = 20 s: DOP853 at rtol 1e-13, good to about 8e-12.
#[test]
fn peer_chain_of_two_rods() {
    let chain = system(&["a", "b"], |q, v, _| {
        let kinetic = 0.5 * (4.0 / 3.0) * v[0].square() + 0.5 / 3.0 * v[1].square();
        let coupling = 0.5 * (q[0] - q[1]).cos() * v[0] * v[1];
        (kinetic + coupling + 9.8 * (1.5 * q[0].cos() + 0.5 * q[1].cos())).id()
    });
    let expected = [0.39975976731181784, 0.1700378963759939, -0.7033819969269686, -4.851797950441805];
    close(&end(&chain, &[1.0, 0.4], &[0.0, 0.0], 20.0), &expected, 5e-11);
}

#[test]
fn constraints_hold_and_agree_with_the_angle() {
    let cartesian = {
        let scope = Scope::default();
        let (x, y) = (scope.variable("x"), scope.variable("y"));
        let (vx, vy) = (scope.variable("x'"), scope.variable("y'"));
        let lagrangian = (0.5 * (vx.square() + vy.square()) - 9.8 * y).id();
        let rod = (x.square() + y.square() - 1.0).id();
        let builder = SystemBuilder::new("pendulum").coordinate("x").coordinate("y").lagrangian(lagrangian);
        builder.constraint("rod", rod).build(scope.into_graph()).expect("a system")
    };
    let angle = system(&["theta"], |q, v, _| (0.5 * v[0].square() + 9.8 * q[0].cos()).id());
    let start: f64 = 2.0;
    let found = end(&cartesian, &[start.sin(), -start.cos()], &[0.0, 0.0], 10.0);
    let theta = end(&angle, &[start], &[0.0], 10.0);
    let (s, c) = theta[0].sin_cos();
    close(&found, &[s, -c, theta[1] * c, theta[1] * s], 1e-12);
    assert!((found[0].powi(2) + found[1].powi(2) - 1.0).abs() < 1e-15);
}

#[test]
fn dense_output_is_as_good_as_the_steps() {
    let oscillator = system(&["x"], |q, v, _| (0.5 * v[0].square() - 0.5 * q[0].square()).id());
    let mut taylor = Taylor::new(&oscillator.dynamics(), options()).expect("compiles");
    taylor.start(0.0, &[1.0], &[0.0]).expect("starts");
    for k in 0..143 {
        let t = 0.07 * f64::from(k);
        while taylor.until(t) > taylor.length() {
            taylor.step(f64::INFINITY).expect("steps");
        }
        let (mut q, mut v) = ([0.0], [0.0]);
        taylor.at(taylor.until(t), &mut q, &mut v, &mut []);
        close(&[q[0], v[0]], &[t.cos(), -t.sin()], 1e-14);
    }
}

#[test]
fn recorded_runs_are_as_good_as_plain_ones() {
    let oscillator = system(&["x"], |q, v, _| (0.5 * v[0].square() - 0.5 * q[0].square()).id());
    let schedule = FlowSchedule { start: 0.0, until: 10.0, output: 0.07, max_step: f64::INFINITY };
    let flow = Flow::new(&oscillator, options()).expect("compiles");
    let trajectory = flow.run(&[1.0], &[0.0], schedule, &mut |_| true).expect("runs");
    assert_eq!(trajectory.t.last(), Some(&10.0));
    for (t, x) in trajectory.t.iter().zip(&trajectory.q) {
        assert!((x - t.cos()).abs() < 1e-13, "t = {t}");
    }
    assert!(trajectory.energy_error() < 1e-13);
}

#[test]
fn energy_is_kept_across_the_kinks_of_a_potential() {
    let valley = system(&["x"], |q, v, _| (0.5 * v[0].square() - q[0].abs()).id());
    let schedule = FlowSchedule { start: 0.0, until: 50.0, output: 0.03, max_step: f64::INFINITY };
    let flow = Flow::new(&valley, options()).expect("compiles");
    let trajectory = flow.run(&[1.0], &[0.0], schedule, &mut |_| true).expect("runs");
    assert!(trajectory.energy_error() < 1e-12, "{:.1e}", trajectory.energy_error());
    // From rest at 1 the period is 4 sqrt 2.
    let phase = 50.0 % (4.0 * 2.0_f64.sqrt());
    let rest = phase - 3.0 * 2.0_f64.sqrt();
    assert!(rest > 0.0 && rest < 2.0_f64.sqrt());
    close(trajectory.last().expect("nodes").q, &[2.0_f64.sqrt() * rest - 0.5 * rest * rest], 1e-11);
}

#[test]
fn a_collision_with_the_centre_is_named() {
    let fall = system(&["x"], |q, v, _| (0.5 * v[0].square() + 1.0 / q[0]).id());
    let schedule = FlowSchedule { start: 0.0, until: 10.0, output: 0.01, max_step: f64::INFINITY };
    let error = Flow::new(&fall, options()).expect("compiles").run(&[1.0], &[0.0], schedule, &mut |_| true);
    let Err(FlowError::Stopped { error, trajectory }) = error else { panic!("must stop") };
    assert!(matches!(error, FlowFailure::StepTooSmall { .. } | FlowFailure::NotFinite { .. }), "{error}");
    // Free fall from rest at 1 takes pi / (2 sqrt 2).
    let time = trajectory.t.last().copied().unwrap_or(0.0);
    assert!((time - 1.1107).abs() < 0.02 && trajectory.q.iter().all(|q| q.is_finite()), "t = {time}");
}

#[test]
fn lower_tolerances_cost_accuracy_and_save_steps() {
    let pendulum = system(&["x"], |q, v, _| (0.5 * v[0].square() + q[0].cos()).id());
    let mut last = (f64::INFINITY, 0);
    let exact = end(&pendulum, &[2.0], &[0.0], 20.0)[0];
    for tolerance in [1e-5, 1e-8, 1e-11] {
        let mut taylor = Taylor::new(&pendulum.dynamics(), FlowOptions { tolerance, ..options() }).expect("compiles");
        taylor.start(0.0, &[2.0], &[0.0]).expect("starts");
        taylor.propagate(20.0).expect("runs");
        let error = (taylor.q()[0] - exact).abs();
        assert!(error < last.0 && error < 1e3 * tolerance && taylor.order() > last.1, "{tolerance:e}: {error:e}");
        last = (error, taylor.order());
    }
}

/// End of a recorded run with a force, from rest at zero.
fn driven(force: impl Fn(Expr<'_>, Expr<'_>) -> Id, until: f64, output: f64) -> Result<Vec<f64>, FlowError> {
    let scope = Scope::default();
    let force = force(scope.variable("t"), scope.variable("x"));
    let lagrangian = (0.5 * scope.variable("x'").square()).id();
    let builder = SystemBuilder::new("mass").coordinate("x").lagrangian(lagrangian).force("x", force);
    let system = builder.build(scope.into_graph()).expect("a system");
    let schedule = FlowSchedule { start: 0.0, until, output, max_step: f64::INFINITY };
    let trajectory = Flow::new(&system, options())?.run(&[0.0], &[0.0], schedule, &mut |_| true)?;
    let last = trajectory.last().expect("nodes");
    Ok(vec![last.q[0], last.v[0]])
}

#[test]
fn a_pulse_after_a_long_rest_is_not_missed() {
    // The integral of the pulse is 0.2 sqrt(pi); from then on the mass coasts.
    let end = driven(|t, _| (-((t - 5.0) / 0.2).square()).exp().id(), 10.0, 0.05).expect("runs");
    let speed = 0.2 * std::f64::consts::PI.sqrt();
    close(&end, &[5.0 * speed, speed], 1e-12);
}

#[test]
fn a_steep_switch_is_followed() {
    // F = (1 - tanh((t-1)/0.01))/2 integrates to t - softplus, so v(2) = 1 up to exp(-200).
    let end = driven(|t, _| (0.5 * (1.0 - ((t - 1.0) / 0.01).tanh())).id(), 2.0, 0.01).expect("runs");
    let expected = 1.5 - std::f64::consts::PI.powi(2) / 24.0 * 1e-4;
    close(&end, &[expected, 1.0], 1e-12);
}

#[test]
fn jumps_and_kinks_are_stepped_onto() {
    let end = driven(|t, _| t.less(1.005).select(1.0, 0.0).id(), 2.0, 0.01).expect("runs");
    close(&end, &[0.5 * 1.005_f64.powi(2) + 1.005 * 0.995, 1.005], 1e-12);
    // A mass under F = 1 - 2 |x - 1/2|-like roof: kinks of the force at x = 1/2.
    let roof = driven(|_, x| (0.5 - (x - 0.5).abs() + 0.1).id(), 3.0, 0.01).expect("runs");
    let pieces = roof_by_pieces(3.0);
    close(&roof, &pieces, 1e-11);
}

/// x'' = x + 0.1 up to x = 1/2, then x'' = 1.1 - x, both in closed form.
fn roof_by_pieces(until: f64) -> Vec<f64> {
    // x = 0.1 (cosh t - 1) reaches 1/2 at cosh t = 6.
    let t: f64 = 6.0_f64.acosh();
    let v = 0.1 * t.sinh();
    let s = until - t;
    let x = 1.1 + (0.5 - 1.1) * s.cos() + v * s.sin();
    vec![x, (1.1 - 0.5) * s.sin() + v * s.cos()]
}

#[test]
fn chattering_is_named() {
    // Dry friction without a rest: the mass is pushed back to x = 0 from both sides and held there by a pull.
    let error = driven(|_, x| (0.1 - x.sign()).id(), 1.0, 0.01).expect_err("chatters");
    let FlowError::Stopped { error, .. } = error else { panic!("must stop") };
    assert!(matches!(error, FlowFailure::Chattering { .. } | FlowFailure::StepTooSmall { .. }), "{error}");
}

#[test]
fn jumps_are_seen_at_loose_tolerances() {
    let force = |tolerance: f64| {
        let scope = Scope::default();
        let (x, v) = (scope.variable("x"), scope.variable("x'"));
        let lagrangian = (0.5 * v.square() - 0.5 * x.square()).id();
        let friction = (-0.3 * v.sign()).id();
        let builder = SystemBuilder::new("friction").coordinate("x").lagrangian(lagrangian).force("x", friction);
        let system = builder.build(scope.into_graph()).expect("a system");
        let flow = Flow::new(&system, FlowOptions { tolerance, ..options() }).expect("compiles");
        let schedule = FlowSchedule { start: 0.0, until: 10.0, output: 0.5, max_step: f64::INFINITY };
        flow.run(&[5.0], &[0.0], schedule, &mut |_| true).expect("runs").last().expect("nodes").q[0]
    };
    // Half periods of length pi about 0.3, -0.3, 0.3, ...: amplitudes 4.7, 4.1, 3.5, 2.9.
    let exact = -0.3 - 2.9 * (10.0 - 3.0 * std::f64::consts::PI).cos();
    for (tolerance, bound) in [(1e-16, 1e-11), (1e-9, 1e-5), (1e-6, 1e-3)] {
        let found = force(tolerance);
        assert!((found - exact).abs() < bound, "{tolerance:e}: {found} instead of {exact}");
    }
}

#[test]
fn a_mass_matrix_that_is_not_definite() {
    // L = x'y' - xy: x'' = -x, y'' = -y.
    let pair = system(&["x", "y"], |q, v, _| (v[0] * v[1] - q[0] * q[1]).id());
    close(&end(&pair, &[1.0, 0.5], &[0.0, 0.0], 2.0), &[2.0_f64.cos(), 0.5 * 2.0_f64.cos()], 1e-13);
}

#[test]
fn a_momentum_with_a_kink_in_the_rate() {
    // L = v^2/2 + x |v|: p = v + x sign(v), and the motion is uniform.
    let odd = system(&["x"], |q, v, _| (0.5 * v[0].square() + q[0] * v[0].abs()).id());
    close(&end(&odd, &[0.2], &[1.0], 3.0), &[3.2, 1.0], 1e-13);
}

#[test]
fn the_flow_goes_forward_only() {
    let free = system(&["x"], |_, v, _| (0.5 * v[0].square()).id());
    let mut taylor = Taylor::new(&free.dynamics(), options()).expect("compiles");
    taylor.start(1.0, &[0.0], &[1.0]).expect("starts");
    for bad in [0.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(taylor.propagate(bad), Err(FlowFailure::NotForward { .. })), "{bad}");
    }
    // A series that never ends has no end to step to.
    assert!(taylor.step(f64::INFINITY).is_err());
    taylor.propagate(3.0).expect("runs");
    close(taylor.q(), &[2.0], 1e-15);
    assert!(Taylor::new(&free.dynamics(), FlowOptions { max_step: -1.0, ..options() }).is_err());
}

#[test]
fn drift_time_over_many_nodes() {
    // x = t: every error of the clock shows.
    let free = system(&["x"], |_, v, _| (0.5 * v[0].square()).id());
    for output in [0.1, 0.01, 0.003] {
        let schedule = FlowSchedule { start: 0.0, until: 1000.0, output, max_step: f64::INFINITY };
        let flow = Flow::new(&free, options()).expect("compiles");
        let trajectory = flow.run(&[0.0], &[1.0], schedule, &mut |_| true).expect("runs");
        let last = trajectory.last().expect("nodes");
        assert!((last.q[0] - last.t).abs() < 1e-12, "{output}: {:.1e}", last.q[0] - last.t);
    }
}

#[test]
fn recording_less_does_not_change_the_motion() {
    let pulse = |output: f64| {
        let scope = Scope::default();
        let t = scope.variable("t");
        let force = (5.01_f64 + 0.0 * t).less(t).select(t.less(5.31).select(1.0, 0.0), 0.0).id();
        let lagrangian = (0.5 * scope.variable("x'").square()).id();
        let builder = SystemBuilder::new("mass").coordinate("x").lagrangian(lagrangian).force("x", force);
        let system = builder.build(scope.into_graph()).expect("a system");
        let schedule = FlowSchedule { start: 0.0, until: 10.0, output, max_step: 0.1 };
        let flow = Flow::new(&system, options()).expect("compiles");
        flow.run(&[0.0], &[0.0], schedule, &mut |_| true).expect("runs").last().expect("nodes").q[0]
    };
    let expected = 0.5 * 0.3 * 0.3 + 0.3 * (10.0 - 5.31);
    for output in [0.1, 1.0, 10.0] {
        assert!((pulse(output) - expected).abs() < 1e-11, "{output}: {}", pulse(output));
    }
}
