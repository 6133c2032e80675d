//! Random systems with contacts: what holds for every impact, whatever the system, the method and the law.
//!
//! *Flying* systems rebound; in *settling* ones contacts close, slide and let go on the way.

use crate::random_systems;

use carom::impact::JumpKind;
use carom::model::Impact;
use carom::{ContactOptions, Method, Model, Options, Schedule, Simulation, Trajectory};
use random_systems::checks::{Checked, Violations};
use random_systems::{Case, Kind, Law, random_case};
use std::sync::OnceLock;

const METHODS: [(&str, i32); 4] = [("trapezoidal", 2), ("midpoint", 2), ("gauss2", 4), ("gauss3", 6)];
const STEP: f64 = 0.02;
const UNTIL: f64 = 3.0;
const SEEDS: u64 = 60;

/// The cubic between nodes is what rules of second order watch. The polynomial of `gauss2` differs from it by `O(h^3)`,
/// which counts only where the path comes that close to an obstacle without an impact.
const FLYING_BELOW: f64 = 1e-3 * STEP * STEP * STEP;
/// The cubic cuts the bends of a path along a surface: by `h^4 / 384` times a fourth derivative of 1000 or so.
const SETTLING_BELOW: f64 = 10.0 * STEP * STEP * STEP * STEP;

/// All runs of flying and of settling systems, computed once.
fn runs() -> &'static [Violations; 2] {
    static ALL: OnceLock<[Violations; 2]> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all: [Violations; 2] = Default::default();
        for seed in 0..SEEDS {
            let law = Law::ALL[(seed % 5) as usize];
            let kind = Kind { law, is_constrained: seed / 5 % 2 == 1, contacts: 1 + (seed / 10 % 2) as usize };
            let case = random_case(seed + 1, kind);
            let exact = case.flow(STEP, UNTIL);
            let settles = exact.as_ref().is_ok_and(|run| !run.modes.is_empty());
            let below = if settles { SETTLING_BELOW } else { FLYING_BELOW };
            let checked = Checked { case: &case, method: "taylor", jump: JumpKind::Pointwise, below };
            let violations = &mut all[usize::from(settles)];
            violations.add(&checked, exact);
            for (method, _) in METHODS {
                for jump in JumpKind::ALL {
                    let run = case.run(method, jump, STEP, UNTIL);
                    violations.add(&Checked { method, jump, ..checked }, run);
                }
            }
        }
        all
    })
}

fn flying() -> &'static Violations {
    &runs()[0]
}
fn settling() -> &'static Violations {
    &runs()[1]
}

fn assert_none(list: &[String]) {
    assert!(list.is_empty(), "{} violations, such as\n{}", list.len(), list[..list.len().min(9)].join("\n"));
}

#[test]
fn there_is_something_to_check() {
    let [flying, settling] = runs().each_ref().map(|all| (all.runs, all.impacts));
    assert!(flying.0 > 500 && flying.1 > 1000 && settling.0 > 50, "runs and impacts: {flying:?} {settling:?}");
}

#[test]
fn flying_runs_end() {
    assert_none(&flying().failed);
}

#[test]
fn flying_impacts_satisfy_their_laws() {
    assert_none(&flying().residuals);
}

#[test]
fn flying_variational_impacts_satisfy_their_laws() {
    assert_none(&flying().variational);
}

#[test]
fn flying_contacts_push_and_do_not_close_after() {
    assert_none(&flying().pushes);
}

#[test]
fn flying_impacts_create_no_energy() {
    assert_none(&flying().energies);
}

#[test]
fn flying_impacts_keep_the_momentum_along_the_surface() {
    assert_none(&flying().momenta);
}

#[test]
fn flying_gaps_stay_open() {
    assert_none(&flying().gaps);
}

#[test]
fn settling_runs_end() {
    assert_none(&settling().failed);
}

#[test]
fn settling_impacts_satisfy_their_laws() {
    assert_none(&settling().residuals);
    assert_none(&settling().momenta);
}

#[test]
fn settling_contacts_push_and_create_no_energy() {
    assert_none(&settling().pushes);
    assert_none(&settling().energies);
}

#[test]
fn settling_gaps_stay_open() {
    assert_none(&settling().gaps);
}

fn elastic_case(seed: u64) -> Case {
    random_case(
        seed,
        Kind { law: Law::Elastic, is_constrained: seed.is_multiple_of(3), contacts: 1 + (seed % 2) as usize },
    )
}

fn difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

/// The last state with its velocity turned around.
fn turned(run: &Trajectory) -> (Vec<f64>, Vec<f64>) {
    let last = run.last().expect("a node");
    (last.q.to_vec(), last.v.iter().map(|v| -v).collect())
}

/// Symmetric rules and elastic impacts have no direction of time: after `N` steps there and `N` steps back, with impacts
/// at the mirrored places of the grid, the motion is where it began. Rounding of every step grows on the way by
/// the sensitivity of the motion, which is measured on a neighbour.
#[test]
fn elastic_runs_are_reversible() {
    let mut impacts = 0;
    for seed in 100..116 {
        let case = elastic_case(seed);
        for (method, _) in METHODS {
            for jump in [JumpKind::Pointwise, JumpKind::Variational] {
                let run = |q: &[f64], v: &[f64]| case.run_from((q, v), method, jump, STEP, 1.6).expect("a run");
                let there = run(&case.q, &case.v);
                let (q, v) = turned(&there);
                let (q_back, v_back) = turned(&run(&q, &v));
                let neighbour: Vec<f64> = v.iter().map(|v| v * (1.0 + 1e-9)).collect();
                let (q_near, v_near) = turned(&run(&q, &neighbour));
                let spread = difference(&q_near, &q_back).max(difference(&v_near, &v_back));
                let sensitivity = (spread / difference(&neighbour, &v)).max(1.0);
                let start = there.node(0);
                let error = difference(&q_back, start.q).max(difference(&v_back, start.v));
                // 160 steps, each of which rounds positions and momenta of size one several times.
                let bound = 500.0 * f64::EPSILON * sensitivity;
                assert!(error < bound, "{method} {}, {}: {error:e} of {bound:e}", jump.name(), case.name);
                impacts += there.impacts.len();
            }
        }
    }
    assert!(impacts > 100, "{impacts} impacts");
}

/// As many impacts as the exact motion has, and their times with the order of the method: the step is divided by
/// eight. Where an impact falls within its step changes the errors, so one order is allowed for.
#[test]
fn order_of_impact_times_against_the_flow() {
    for seed in 100..116 {
        let case = elastic_case(seed);
        let exact = case.flow(UNTIL, UNTIL).expect("a run").impacts;
        let until = exact.get(4).map_or(UNTIL, |fifth| 0.5 * (exact[3].t + fifth.t));
        let count = exact.len().min(4);
        for (method, order) in METHODS {
            for jump in JumpKind::ALL {
                let label = format!("{method} {}, {}", jump.name(), case.name);
                let [coarse, fine] = [0.04, 0.005].map(|h| {
                    let found =
                        case.run(method, jump, h, until).unwrap_or_else(|error| panic!("{label}: {error}")).impacts;
                    assert_eq!(found.len(), count, "{label}, h = {h}");
                    found.iter().zip(&exact).map(|(found, exact)| (found.t - exact.t).abs()).fold(0.0, f64::max)
                });
                let is_in_order = fine <= coarse * 8_f64.powi(1 - order) || fine < 1e-12;
                assert!(is_in_order && coarse < 0.02, "{label}: errors {coarse:e}, {fine:e}");
            }
        }
    }
}

/// Steps that have been found to put events at awkward places.
const STEPS: [f64; 11] = [0.01, 0.021, 0.022, 0.026, 0.036, 0.037, 0.038, 0.043, 0.046, 0.049, 0.054];

/// The first mistake of a model's runs, one per method and kind of jump: early ends, pulls, gaps below zero at nodes,
/// and impacts where there should be none.
fn mistakes(text: &str, has_impacts: bool) -> Vec<String> {
    let model = Model::from_text(text, "contact.toml", &[]).unwrap_or_else(|errors| panic!("{errors}"));
    let mut all = Vec::new();
    for (method, jump) in METHODS.iter().flat_map(|(method, _)| JumpKind::ALL.map(|jump| (method, jump))) {
        let contacts = ContactOptions { jump, ..ContactOptions::default() };
        let parsed = Method::parse(method).expect("a method");
        let mistake = STEPS.iter().find_map(|&h| {
            let options = Options { contacts, ..Options::default() };
            let simulation = Simulation::new(&model.system, &parsed, options).expect("compiles");
            let schedule = Schedule { start: 0.0, until: 1.8, step: h, every: 1 };
            let what = match simulation.run(&model.initial.q, &model.initial.v, schedule, &mut |_| true) {
                Err(error) => Some(error.to_string()),
                Ok(run) => {
                    let is_wrong = |impact: &Impact| !has_impacts || impact.impulses[0].normal < 0.0;
                    let wrong = run.impacts.iter().find(|impact| is_wrong(impact));
                    let deep = run.gaps.iter().copied().find(|gap| *gap < -1e-9);
                    let wrong = wrong.map(|impact| format!("impulse {:e} at {}", impact.impulses[0].normal, impact.t));
                    wrong.or(deep.map(|gap| format!("gap {gap:e}")))
                }
            };
            what.map(|what| format!("{method} {}, h = {h:.3}: {what}", jump.name()))
        });
        all.extend(mistake);
    }
    all
}

/// Over the top of a hill, and above a floor whose pull turns into a lift at `x = pi/2`: the force vanishes and the gap
/// opens with the cube of time, which is as slow as the errors of a path within a step.
#[test]
fn releases_are_no_impacts() {
    let law = "law = \"newton\"\nrestitution = 0.3\nclosed = true";
    let hill = "lagrangian = \"0.5*(x'^2 + y'^2) - 9.81*y\"
        [coordinates]\nx = { initial = 0, velocity = 1 }\ny = 1\n[contacts.hill]\ngap = \"x^2 + y^2 - 1\"\n";
    let lift = "lagrangian = \"0.5*(x'^2 + y'^2) - 2*y*cos(x)\"
        [coordinates]\nx = { initial = 0, velocity = 1 }\ny = 0\n[contacts.floor]\ngap = \"y\"\n";
    assert_none(&[hill, lift].map(|text| mistakes(&format!("{text}{law}"), false)).concat());
}

/// A ball on a slope that swings along it: rebounds become as slow as one likes, and each of them must be followed by
/// its own next contact, not by the one that it has just left.
#[test]
fn slow_rebounds_reach_their_next_contact() {
    let swing = |gap: &str| {
        format!(
            "lagrangian = \"0.5*(x'^2 + y'^2) - 9.81*y - 32*x^2\"
            [coordinates]\nx = {{ initial = 0, velocity = 1 }}\ny = 0.2
            [contacts.slope]\ngap = \"{gap}\"\nlaw = \"newton\"\nrestitution = 0.3"
        )
    };
    assert_none(&["y + 0.5*x", "y - 0.5*x"].map(|gap| mistakes(&swing(gap), true)).concat());
}
