//! The models with contacts in `examples/` and `papers/` against values that are known exactly.

use crate::reference_cases;

use carom::flow::{Flow, FlowOptions, FlowSchedule};
use carom::impact::{ContactOptions, JumpKind};
use carom::model::{ContactMode, Impact, ModeChange};
use carom::{Model, Trajectory};
use std::f64::consts::PI;
use std::path::PathBuf;

/// A model of the repository with some values replaced.
fn model(path: &str, set: &[(&str, f64)]) -> Model {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    let set: Vec<(String, String)> = set.iter().map(|(name, value)| ((*name).to_owned(), value.to_string())).collect();
    Model::from_path(&path, &set).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Its flow, with so many nodes after the first one.
fn flow(model: &Model, until: f64, nodes: usize) -> Trajectory {
    let schedule = FlowSchedule { start: 0.0, until, output: until / nodes as f64, max_step: f64::INFINITY };
    let flow = Flow::new(&model.system, FlowOptions::default()).expect("compiles");
    let run = flow
        .run(&model.initial.q, &model.initial.v, schedule, &mut |_| true)
        .unwrap_or_else(|error| panic!("{}: {error}", model.system.name()));
    let options = ContactOptions { jump: JumpKind::Pointwise, ..ContactOptions::default() };
    reference_cases::verify(model, &run, options);
    run
}

/// The only change of mode that happened for this reason.
fn change<'a>(run: &'a Trajectory, reason: &str) -> &'a ModeChange {
    let found: Vec<&ModeChange> = run.modes.iter().filter(|change| change.reason == reason).collect();
    assert_eq!(found.len(), 1, "{reason}: {:?}", run.modes);
    found[0]
}

fn assert_close(found: f64, expected: f64, tolerance: f64, what: &str) {
    let error = (found - expected).abs();
    assert!(error <= tolerance, "{what}: {found:?} instead of {expected:?}, off by {error:.1e}");
}

// A ball that comes to rest.

const G: f64 = 9.81;

#[test]
fn exact_rest_time_of_a_ball() {
    for e in [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95_f64] {
        let expected = (2.0 / G).sqrt() * (1.0 + e) / (1.0 - e);
        let ball = model("examples/ball-to-rest.toml", &[("e", e)]);
        let run = flow(&ball, expected + 1.0, 100);
        let rest = change(&run, "accumulation");
        assert_eq!((rest.from, rest.to), (ContactMode::Free, ContactMode::Sliding));
        assert_close(rest.t, expected, 1e-10, &format!("rest time for e = {e}"));
    }
}

#[test]
fn exact_rest_of_the_example() {
    let ball = model("examples/ball-to-rest.toml", &[]);
    let run = flow(&ball, 10.0, 1000);
    assert_close(change(&run, "accumulation").t, 1.354_570_922_957_192_7, 1e-10, "rest time");
    assert_eq!(run.modes.len(), 1, "it never leaves the floor again: {:?}", run.modes);
    let radius = 0.05;
    for k in (0..run.len()).filter(|&k| run.t[k] > 1.3546) {
        let node = run.node(k);
        assert_close(node.q[0], radius, 1e-13, "height at rest");
        assert_close(node.v[0], 0.0, 1e-13, "speed at rest");
        assert_close(run.contact_forces[k], G, 1e-12, "weight");
    }
}

#[test]
fn exact_heights_of_the_bounces() {
    let run = flow(&model("examples/ball-to-rest.toml", &[]), 2.0, 20);
    // Every impact is half as fast as the one before; the first is at sqrt(2 h g).
    for (k, impact) in run.impacts.iter().enumerate() {
        let speed = (2.0 * G).sqrt() * 0.5_f64.powi(k as i32);
        // The height is known to rounding, 1e-16 r, and with it the square of the speed.
        assert_close(impact.v_minus[0], -speed, 1e-14 + 1e-16 * G / speed, "speed before");
        assert_close(impact.v_plus[0], -0.5 * impact.v_minus[0], 1e-15, "speed after");
    }
}

// A ball on a slope.

const SLOPE: f64 = 0.35;

/// Place and speed along the slope at the end.
fn along(run: &Trajectory, slope: f64) -> (f64, f64) {
    let last = run.last().expect("nodes");
    let turn = |v: &[f64]| v[0] * slope.cos() - v[1] * slope.sin();
    (turn(last.q), turn(last.v))
}

#[test]
fn exact_speed_of_a_ball_that_slides_after_its_bounces() {
    // The normal impulses add up to the weight on the slope, whatever the bounces are.
    for friction in [0.05, 0.1, 0.2] {
        let run = flow(&model("examples/ball-on-slope.toml", &[("friction", friction)]), 2.0, 20);
        assert_eq!(change(&run, "accumulation").to, ContactMode::Sliding);
        let expected = 2.0 * G * (SLOPE.sin() - friction * SLOPE.cos());
        assert_close(along(&run, SLOPE).1, expected, 1e-12, &format!("speed for friction {friction}"));
    }
}

#[test]
fn exact_acceleration_of_a_sliding_ball() {
    let ball = model("examples/ball-on-slope.toml", &[]);
    let (rest, acceleration) = (change(&flow(&ball, 2.0, 20), "accumulation").t, G * (SLOPE.sin() - 0.2 * SLOPE.cos()));
    let states: Vec<(f64, f64)> = [1.5, 2.0, 2.5].map(|t| along(&flow(&ball, t, 20), SLOPE)).to_vec();
    assert!(rest < 1.5);
    assert_close((states[1].1 - states[0].1) / 0.5, acceleration, 1e-12, "first half second");
    assert_close((states[2].0 - 2.0 * states[1].0 + states[0].0) / 0.25, acceleration, 1e-12, "second difference");
}

#[test]
fn exact_speed_after_a_first_impact_that_stops_the_slip() {
    // friction (1 + e) > tan(slope): the first impact, at t1, leaves no slip; from then on the weight acts on
    // it for t - t1, and the friction of the weight less the rebound for t - (1 + e) t1.
    let (friction, e, h) = (0.3, 0.6, 0.5);
    let first = (2.0 * h / (G * SLOPE.cos())).sqrt();
    let run = flow(&model("examples/ball-on-slope.toml", &[("friction", friction)]), 2.0, 20);
    let expected = G * (SLOPE.sin() * (2.0 - first) - friction * SLOPE.cos() * (2.0 - (1.0 + e) * first));
    assert_close(along(&run, SLOPE).1, expected, 1e-12, "speed");
}

#[test]
fn exact_halt_on_a_slope_that_holds_the_ball() {
    // As above, with friction > tan(slope): the speed vanishes, and stays zero.
    let (friction, e, h) = (0.4, 0.6, 0.5);
    let first = (2.0 * h / (G * SLOPE.cos())).sqrt();
    let run = flow(&model("examples/ball-on-slope.toml", &[("friction", friction)]), 4.0, 40);
    let cone = friction * SLOPE.cos();
    let expected = first * ((1.0 + e) * cone - SLOPE.sin()) / (cone - SLOPE.sin());
    let halt = change(&run, "halt");
    assert_close(halt.t, expected, 1e-11, "halt");
    assert_eq!((halt.from, halt.to), (ContactMode::Sliding, ContactMode::Sticking));
    assert_close(along(&run, SLOPE).1, 0.0, 1e-14, "speed after the halt");
}

#[test]
fn exact_halt_on_an_even_floor() {
    // On the floor from the start, or bouncing on it first: the same friction, the same halt.
    for height in [0.0, 0.1] {
        let set = [("slope", 0.0), ("h", height), ("speed", 2.0), ("friction", 0.3)];
        let run = flow(&model("examples/ball-on-slope.toml", &set), 2.0, 20);
        let expected = 2.0 / (0.3 * G);
        let halt = change(&run, "halt");
        assert_close(halt.t, expected, 1e-12, "halt time");
        assert_eq!((halt.from, halt.to), (ContactMode::Sliding, ContactMode::Sticking));
        let (place, speed) = along(&run, 0.0);
        assert_close(speed, 0.0, 1e-14, "speed after the halt");
        if height == 0.0 {
            assert_close(place, 0.5 * 2.0 * expected, 1e-12, "distance");
        }
    }
}

// Newton's cradle.

#[test]
fn exact_exchange_in_the_cradle() {
    let run = flow(&model("examples/newtons-cradle.toml", &[]), 2.0, 20);
    let speed = (2.0 * G * (1.0 - 0.8_f64.cos())).sqrt();
    let quarter = complete_elliptic(0.4_f64.sin()) / G.sqrt();
    assert_eq!(run.impacts.len(), 2, "to the right and back");
    assert_close(run.impacts[0].t, quarter, 1e-14, "first impact");
    assert_close(run.impacts[1].t, 3.0 * quarter, 1e-13, "second impact");
    let (first, second) = (&run.impacts[0], &run.impacts[1]);
    for (impact, expected) in [(first, [0.0, 0.0, 0.0, 0.0, speed]), (second, [-speed, 0.0, 0.0, 0.0, 0.0])] {
        for (found, expected) in impact.v_plus.iter().zip(expected) {
            assert_close(*found, expected, 1e-13, "speed after");
        }
    }
}

#[test]

fn exact_exchange_in_a_row_of_balls() {
    let balls = Model::from_text(
        r#"
        [coordinates]
        a = { initial = -2.0, velocity = 2.0 }
        b = 0.0
        c = 1.0
        d = 2.0
        e = 3.0
        [energy]
        kinetic = "0.5*(a'^2 + b'^2 + c'^2 + d'^2 + e'^2)"
        [contacts]
        ab = { gap = "b - a - 1", law = "elastic" }
        bc = { gap = "c - b - 1", law = "elastic" }
        cd = { gap = "d - c - 1", law = "elastic" }
        de = { gap = "e - d - 1", law = "elastic" }
        "#,
        "row.toml",
        &[],
    )
    .expect("a model");
    let run = flow(&balls, 1.0, 10);
    let last = run.last().expect("nodes");
    assert_eq!(run.impacts.len(), 1, "all four contacts at once");
    assert_close(run.impacts[0].t, 0.5, 1e-15, "time");
    assert_eq!(last.v, [0.0, 0.0, 0.0, 0.0, 2.0]);
    for (found, expected) in last.q.iter().zip([-1.0, 0.0, 1.0, 2.0, 4.0]) {
        assert_close(*found, expected, 1e-14, "place");
    }
}

// A block that rocks.

/// Half the width, half the height and the initial angle of the block.
const BLOCK: (f64, f64, f64) = (0.2, 0.5, 0.3);

/// Carlson's elliptic integral of the first kind.
fn carlson(mut x: f64, mut y: f64, mut z: f64) -> f64 {
    loop {
        let shift = (x * y).sqrt() + (y * z).sqrt() + (z * x).sqrt();
        [x, y, z] = [x, y, z].map(|value| 0.25 * (value + shift));
        let mean = (x + y + z) / 3.0;
        let [a, b] = [x, y].map(|value| 1.0 - value / mean);
        // The series below is exact to the sixth power of these.
        if a.abs().max(b.abs()).max((a + b).abs()) < 1e-3 {
            let (second, third) = (a * b - (a + b) * (a + b), -a * b * (a + b));
            let series = 1.0 - second / 10.0 + third / 14.0 + second * second / 24.0 - 3.0 * second * third / 44.0;
            return series / mean.sqrt();
        }
    }
}

/// `K(k)`.
fn complete_elliptic(k: f64) -> f64 {
    carlson(0.0, 1.0 - k * k, 1.0)
}

/// Housner's block: `psi'' = p^2 sin psi`, `psi = alpha - |theta|`, from corner to corner.
struct Housner {
    alpha: f64,
    p: f64,
}

impl Housner {
    fn new() -> Self {
        let (b, h, _) = BLOCK;
        Self { alpha: (b / h).atan(), p: (3.0 * G / (4.0 * b.hypot(h))).sqrt() }
    }

    /// Angular velocity after an impact over the one before.
    fn ratio(&self) -> f64 {
        1.0 - 1.5 * self.alpha.sin().powi(2)
    }

    /// Speed at the impact after a release at `theta`.
    fn speed(&self, theta: f64) -> f64 {
        self.p * (2.0 * ((self.alpha - theta).cos() - self.alpha.cos())).sqrt()
    }

    /// The angle from which the block falls with this speed.
    fn angle(&self, speed: f64) -> f64 {
        self.alpha - (self.alpha.cos() + 0.5 * (speed / self.p).powi(2)).acos()
    }

    /// Time of the fall from rest at `theta`: a pendulum that starts `psi` from the top, from there to `alpha`.
    fn fall(&self, theta: f64) -> f64 {
        let k = (0.5 * (self.alpha - theta)).cos();
        let sine = (0.5 * self.alpha).cos() / k;
        let partial = sine * carlson(1.0 - sine * sine, 1.0 - (k * sine).powi(2), 1.0);
        (complete_elliptic(k) - partial) / self.p
    }
}

fn block() -> Trajectory {
    flow(&model("examples/rocking-block.toml", &[]), 4.0, 40)
}

#[test]
fn exact_loss_of_the_rocking_block() {
    let (run, housner) = (block(), Housner::new());
    // Until rounding matters: the speed falls by a fifth at every impact.
    for impact in &run.impacts[..20] {
        assert_close(impact.v_plus[2] / impact.v_minus[2], housner.ratio(), 1e-14, "ratio");
    }
}

#[test]
fn exact_times_of_the_rocking_block() {
    let (run, housner) = (block(), Housner::new());
    let (mut t, mut speed) = (housner.fall(BLOCK.2), housner.speed(BLOCK.2));
    for impact in &run.impacts[..12] {
        assert_close(impact.t, t, 1e-12, "time");
        assert_close(impact.v_minus[2].abs(), speed, 1e-12, "speed");
        speed *= housner.ratio();
        t += 2.0 * housner.fall(housner.angle(speed));
    }
}

#[test]
fn exact_rest_of_the_rocking_block() {
    let run = block();
    // The rest of the time from the last impacts on is a geometric series.
    let (housner, known) = (Housner::new(), &run.impacts[20]);
    let flight = 2.0 * known.v_plus[2].abs() / (housner.p.powi(2) * housner.alpha.sin());
    let expected = known.t + flight / (1.0 - housner.ratio());
    let rest = run.modes.last().expect("changes");
    assert_close(rest.t, expected, 1e-5, "time when both corners stand");
    let last = run.last().expect("nodes");
    assert_close(last.q[1], BLOCK.1, 1e-12, "height");
    assert_close(last.q[2], 0.0, 1e-12, "angle");
    assert!(last.v.iter().all(|rate| rate.abs() < 1e-12), "{:?}", last.v);
}

// A double pendulum at a wall.

#[test]
fn exact_energy_of_the_double_pendulum_at_a_wall() {
    let run = flow(&model("examples/double-pendulum-wall.toml", &[]), 100.0, 1000);
    assert!(run.impacts.len() > 20, "{} impacts", run.impacts.len());
    assert!(run.energy_error() < 1e-12, "energy off by {:.1e}", run.energy_error());
    assert!(run.gaps.iter().all(|gap| *gap > -1e-12), "through the wall");
    for Impact { p_minus, p_plus, impulses, .. } in &run.impacts {
        // The impulse is horizontal, on the second mass.
        assert!(impulses[0].normal > 0.0);
        assert_ne!(p_minus, p_plus);
    }
}

// A wheel without a rim.

const ALPHA: f64 = PI / 8.0;
const GAMMA: f64 = 0.08;

#[test]
fn exact_limit_cycle_of_the_rimless_wheel() {
    let run = flow(&model("examples/rimless-wheel.toml", &[]), 20.0, 20);
    assert_eq!(run.impacts.len(), 19);
    for (k, impact) in run.impacts.iter().enumerate() {
        let steps = (k + 1) as f64;
        assert_close(impact.t, steps * 1.035_077_508_377_473_3, 1e-12, "time");
        assert_close(impact.v_minus[0], 1.548_428_591_749_407_6, 1e-12, "rate before");
        assert_close(impact.v_plus[0], 1.094_904_357_409_142_3, 1e-12, "rate after");
        assert_close(impact.q_plus[0], GAMMA - ALPHA, 1e-12, "angle after");
        assert_close(impact.q_plus[1], steps * 2.0 * ALPHA.sin(), 1e-12, "place of the foot");
        // What the slope gives, the impact takes.
        assert_close(impact.energy_change, -2.0 * 9.8 * ALPHA.sin() * GAMMA.sin(), 1e-12, "loss");
    }
}

#[test]
fn exact_approach_of_the_rimless_wheel_to_its_limit_cycle() {
    let (run, cycle) =
        (flow(&model("examples/rimless-wheel.toml", &[("omega", 1.5)]), 8.0, 8), 1.094_904_357_409_142_3);
    let distance = |rate: f64| rate * rate - cycle * cycle;
    let mut expected = distance(1.5);
    for impact in &run.impacts[..6] {
        // The square of the rate comes nearer by the factor cos(2 alpha)^2.
        expected *= 0.5;
        assert_close(distance(impact.v_plus[0]), expected, 1e-12, "square of the rate");
    }
}

// The simplest walker.

/// Angle, rate after a heel strike and duration of a step of the long gait and of the short one.
const GAITS: [[f64; 3]; 2] = [
    [0.200_310_900_544_247_09, -0.199_832_473_004_952_35, 3.882_463_752_851_374],
    [0.193_937_369_810_181_8, -0.203_866_927_442_006_93, 3.096_105_868_078_163_7],
];

#[test]
fn exact_gaits_of_the_simplest_walker() {
    for [theta, rate, duration] in GAITS {
        let walker = model("examples/simplest-walker.toml", &[("theta0", theta), ("omega0", rate)]);
        let run = flow(&walker, 4.0, 4);
        assert_eq!(run.impacts.len(), 1, "one heel strike: {:?}", run.impacts);
        let strike = &run.impacts[0];
        assert_close(strike.t, duration, 1e-12, "duration");
        let state = [strike.q_plus[0], strike.v_plus[0], strike.q_plus[1], strike.v_plus[1]];
        let expected = [theta, rate, 2.0 * theta, (1.0 - (2.0 * theta).cos()) * rate];
        for (found, expected) in state.into_iter().zip(expected) {
            assert_close(found, expected, 1e-12, "state after a step");
        }
    }
}

#[test]
fn exact_walk_of_the_simplest_walker() {
    // The long gait is stable: it goes on.
    let [theta, rate, duration] = GAITS[0];
    let run = flow(&model("examples/simplest-walker.toml", &[]), 100.0, 100);
    assert_eq!(run.impacts.len(), 25);
    for (k, strike) in run.impacts.iter().enumerate() {
        assert_close(strike.t, (k + 1) as f64 * duration, 1e-11, "time");
        assert_close(strike.q_plus[0], theta, 1e-12, "angle");
        assert_close(strike.v_plus[0], rate, 1e-12, "rate");
    }
}

// The ellipse of Rodriguez Abella and Colombo.

#[test]
fn paper_ellipse_has_one_impact_in_two_seconds_with_the_jump_as_printed() {
    let run = flow(&model("papers/004/ellipse-printed.toml", &[]), 2.0, 20);
    assert_eq!(run.impacts.len(), 1, "figure 1");
    assert!(run.energy_error() < 1e-12, "it keeps the energy all the same");
    let impact = &run.impacts[0];
    // Along the floor the momentum is p_theta + phi'(theta) p_y; what is kept is p_theta.
    let theta = impact.q[0];
    let slope = 0.75 * theta.sin() * theta.cos() / (theta.sin().powi(2) + 0.25 * theta.cos().powi(2)).sqrt();
    let along = |p: &[f64]| p[0] + slope * p[2];
    assert!((along(&impact.p_plus) - along(&impact.p_minus)).abs() > 0.1);
}

#[test]
fn exact_impacts_of_the_ellipse() {
    let run = flow(&model("papers/004/ellipse.toml", &[]), 2.5, 25);
    let expected = [0.750_550_251_917, 1.152_508_123_002, 2.324_423_316_965];
    assert_eq!(run.impacts.len(), expected.len());
    for (impact, expected) in run.impacts.iter().zip(expected) {
        assert_close(impact.t, expected, 2e-12, "time");
    }
}
