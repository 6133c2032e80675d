//! Regulators around gaits and swing-ups: multipliers, pushes, and what happens without them.

mod walking;

use carom_control::{FeedbackOptions, PursuitEnd, PursuitOptions, Push, feedback, pursue};
use walking::{gait, solved};

#[test]
fn the_planar_gait_is_stabilised() {
    let file = gait("planar-gait.toml", &[("method = \"midpoint\"", "method = \"gauss3\"")]);
    let solution = solved(&file, &file.guess);
    let clock = std::time::Instant::now();
    let regulator = feedback(&file.problem, &solution, &FeedbackOptions::default()).unwrap();
    eprintln!("{:?} {:?} periods {} defect {:.1e}", regulator.open, regulator.closed, regulator.periods, regulator.defect);
    eprintln!("radii {:?} {:?}", regulator.spectral_radii(), clock.elapsed());
    let clock = std::time::Instant::now();
    for size in [0.0, 0.05, 0.1, 0.2, 0.4] {
        let push = Push { time: 0.3, velocity: vec![0.0, 0.0, -size, 0.0, 0.0, 0.0] };
        let options = PursuitOptions { push: Some(push), ..PursuitOptions::default() };
        for own in [None, Some(&regulator)] {
            let found = pursue(&file.problem, &solution, own, &options).unwrap();
            let steps: Vec<String> = found.steps.iter().map(|s| format!("{:.1e}", s.distance)).collect();
            eprintln!("{size} {} {:?} {:?} {:?}", own.is_some(), found.end, steps, found.least_force);
        }
    }
    eprintln!("{:?}", clock.elapsed());
    assert!(matches!(PursuitEnd::Completed, PursuitEnd::Completed));
}
