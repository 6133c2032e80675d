//! Gaits of passive walkers: fixed points, step times and multipliers that are known.

#![allow(clippy::excessive_precision)] // reference values stand as they are printed

use carom_control::orbit::{Orbit, OrbitChoice, OrbitSetup, SearchOptions, Stability, StepMap, find};
use carom_expr::Backend;
use carom_flow::FlowOptions;
use carom_model::Model;
use std::path::Path;

fn orbit(name: &str, overrides: &[(&str, &str)]) -> Orbit {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    let overrides: Vec<(String, String)> =
        overrides.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let model = Model::from_path(&path, &overrides).expect("a model");
    let setup = OrbitSetup::new(&model, &OrbitChoice::default()).expect("a step");
    let options = FlowOptions { backend: Backend::Interpreter, ..FlowOptions::default() };
    let mut map = StepMap::new(&model, &setup, &[], options).expect("compiles");
    let guess = [&model.initial.q[..], &model.initial.v].concat();
    find(&mut map, &guess, SearchOptions::default()).expect("an orbit")
}

fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found:?} instead of {expected:?}");
}

#[test]
fn peer_the_long_gait_of_the_simplest_walker() {
    let orbit = orbit("simplest-walker.toml", &[("theta0", "0.2"), ("omega0", "-0.2")]);
    close(orbit.state[0], 0.200_310_900_544_247_089_36, 1e-12);
    close(orbit.state[3], -0.199_832_473_004_952_354_54, 1e-12);
    close(orbit.duration, 3.882_463_752_851_374_137_6, 1e-12);
    let (re, im) = orbit.multipliers.values[0];
    close(re, -0.190_099_841_065_888_146_07, 1e-12);
    close(im, 0.557_598_776_682_068_268_77, 1e-12);
    assert_eq!((orbit.multipliers.values.len(), orbit.multipliers.zeros), (2, 2));
    assert_eq!(orbit.multipliers.stability(), Stability::Stable);
}

#[test]
fn peer_the_short_gait_of_the_simplest_walker() {
    let orbit = orbit("simplest-walker.toml", &[("theta0", "0.194"), ("omega0", "-0.204")]);
    close(orbit.state[0], 0.193_937_369_810_181_808_53, 1e-12);
    close(orbit.state[3], -0.203_866_927_442_006_926_80, 1e-12);
    close(orbit.duration, 3.096_105_868_078_163_699_9, 1e-12);
    let values = &orbit.multipliers.values;
    close(values[0].0, 4.003_864_358_929_707_178_8, 1e-12);
    close(values[1].0, 0.459_589_589_797_671_587_51, 1e-12);
    assert!(values.iter().all(|value| value.1 == 0.0) && values.len() == 2);
    assert_eq!(orbit.multipliers.stability(), Stability::Unstable);
}

#[test]
fn exact_the_rimless_wheel() {
    let orbit = orbit("rimless-wheel.toml", &[("omega", "1.2")]);
    close(orbit.state[2], 1.094_904_357_409_142_265_5, 1e-12);
    close(orbit.duration, 1.035_077_508_377_473_282_1, 1e-12);
    assert_eq!((orbit.multipliers.values.len(), orbit.multipliers.zeros), (1, 1));
    close(orbit.multipliers.values[0].0, 0.5, 1e-12);
}

#[test]
fn peer_the_compass_gait_at_three_degrees() {
    let orbit = orbit("compass-gait.toml", &[]);
    // An independent program: masses as points, impact in floating coordinates, extrapolation at 40 digits.
    let expected = [
        (0, -0.218_668_802_938_990_535_0),
        (1, 0.323_388_558_058_650_309_6),
        (3, 1.092_383_589_883_600_989_8),
        (4, 0.377_373_948_907_194_114_0),
    ];
    for (place, value) in expected {
        close(orbit.state[place], value, 1e-13);
    }
    close(orbit.duration, 0.734_346_391_158_719_427_7, 1e-13);
    let values = &orbit.multipliers.values;
    assert_eq!((values.len(), orbit.multipliers.zeros), (3, 1));
    close(values[0].0, -0.199_726_126_830_030_338_4, 1e-12);
    close(values[0].1, 0.544_476_062_094_736_993_8, 1e-12);
    close(values[2].0, 0.131_572_624_077_176_750_5, 1e-12);
    assert_eq!(orbit.multipliers.stability(), Stability::Stable);
}
