//! Branches of orbits: period doublings, folds and Neimark-Sacker points, and what they are checked against.

#![allow(clippy::excessive_precision)] // reference values stand as they are printed

use carom_control::orbit::{Branch, BranchOptions, Family, Kind, OrbitChoice, Stability, follow_branch};
use carom_expr::Backend;
use carom_flow::FlowOptions;
use carom_model::Model;
use std::path::Path;

/// Slope in degrees at which the compass gait doubles its period, by the other program.
const COMPASS_DOUBLES: f64 = 4.390_898_249_602_157_4;

fn follow(text: String, parameter: &str, range: (f64, f64), options: BranchOptions) -> Branch {
    let overrides = vec![(parameter.to_owned(), format!("{:?}", range.0))];
    let model = Model::from_text(&text, "test.toml", &overrides).expect("a model");
    let family = Family { text, file: "test.toml".to_owned(), overrides, parameter: parameter.to_owned() };
    let guess = [&model.initial.q[..], &model.initial.v].concat();
    let flow = FlowOptions { backend: Backend::Interpreter, ..FlowOptions::default() };
    follow_branch(&family, &OrbitChoice::default(), &guess, range, (flow, options), &mut |_| true).expect("a branch")
}

fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    std::fs::read_to_string(&path).expect("a file")
}

fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found:?} instead of {expected:?}");
}

#[test]
fn peer_the_compass_gait_doubles_its_period() {
    let branch = follow(example("compass-gait.toml"), "slope", (3.0, 5.0), BranchOptions::default());
    let [doubling] = &branch.bifurcations[..] else { panic!("{:?}", branch.bifurcations) };
    assert_eq!((doubling.kind, branch.ending.as_str()), (Kind::PeriodDoubling, ""));
    // An independent program (impact in floating coordinates, extrapolation at 32 digits, differences).
    close(doubling.orbit.parameter, COMPASS_DOUBLES, 1e-10);
    close(doubling.orbit.multipliers.values[0].0, -1.0, 1e-12);
    assert!(doubling.uncertainty < 1e-10);
    // Stable before, unstable after.
    for point in &branch.points {
        let expected = if point.parameter < doubling.orbit.parameter { Stability::Stable } else { Stability::Unstable };
        assert_eq!(point.multipliers.stability(), expected, "{}", point.parameter);
    }
    close(branch.points.last().expect("points").parameter, 5.0, 0.0);
}

#[test]
fn the_simplest_walker_doubles_its_period() {
    let branch = follow(example("simplest-walker.toml"), "gamma", (0.009, 0.018), BranchOptions::default());
    let found: Vec<f64> = branch.of(Kind::PeriodDoubling).map(|found| found.orbit.parameter).collect();
    // Garcia et al. 1998: 0.015.
    assert_eq!(found.len(), 1);
    close(found[0], 0.015, 2e-4);
}

fn duffing(force: f64, frequency: f64) -> String {
    format!(
        "name = 'Duffing'\nlagrangian = \"0.5*x'^2 - 0.5*x^2 - 0.25*x^4\"\n[parameters]\nF = {force:?}\nw = {frequency:?}\n\
         [coordinates]\nx = {{ initial = 0.0 }}\n[forces]\nx = \"F*cos(w*t) - 0.1*x'\"\n[orbit]\nperiod = '2*pi/w'\n"
    )
}

#[test]
fn folds_of_a_duffing_oscillator_are_the_same_from_both_sides() {
    let by_frequency = follow(duffing(0.1, 0.8), "w", (0.8, 2.0), BranchOptions::default());
    let folds: Vec<f64> = by_frequency.of(Kind::Fold).map(|fold| fold.orbit.parameter).collect();
    assert_eq!((folds.len(), by_frequency.bifurcations.len()), (2, 2));
    for fold in folds {
        // At the frequency of the fold the branch in the force folds at the force that was given.
        let by_force = follow(duffing(0.02, fold), "F", (0.02, 0.3), BranchOptions::default());
        let nearest = by_force.of(Kind::Fold).map(|fold| (fold.orbit.parameter - 0.1).abs()).fold(1.0, f64::min);
        assert!(nearest < 1e-9, "{nearest:e}");
    }
    // Damping alone shrinks areas: the product of the multipliers is exp(-0.1 T).
    for point in &by_frequency.points {
        let product = match point.multipliers.values[..] {
            [(re, im), _] if im != 0.0 => re * re + im * im,
            [(first, _), (second, _)] => first * second,
            _ => f64::NAN,
        };
        close(product, (-0.1 * point.duration).exp(), 1e-13);
    }
}

#[test]
fn a_forced_van_der_pol_oscillator_loses_its_beat() {
    let text = "name = 'van der Pol'\nlagrangian = \"0.5*x'^2 - 0.5*x^2\"\n[parameters]\nF = 2.0\nw = 1.3\n[coordinates]\n\
                x = { initial = 0.0, velocity = 2.0 }\n[forces]\nx = \"F*cos(w*t) + 0.2*(1 - x^2)*x'\"\n\
                [orbit]\nperiod = '2*pi/w'\n";
    let branch = follow(text.to_owned(), "F", (2.0, 0.5), BranchOptions::default());
    let [found] = &branch.bifurcations[..] else { panic!("{:?}", branch.bifurcations) };
    assert_eq!(found.kind, Kind::NeimarkSacker);
    let (re, im) = found.orbit.multipliers.values[0];
    close(re.hypot(im), 1.0, 1e-12);
    assert!(found.uncertainty < 1e-10);
    assert_eq!(branch.points[0].multipliers.stability(), Stability::Stable);
    assert_eq!(branch.points.last().expect("points").multipliers.stability(), Stability::Unstable);
}
