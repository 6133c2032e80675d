//! Regulators around gaits and swing-ups: multipliers, pushes, and what happens without them.

use crate::walking;

use carom_control::{
    Feedback, FeedbackOptions, ProblemFile, Pursuer, Pursuit, PursuitEnd, PursuitOptions, Push, Solution, feedback,
};
use carom_expr::Backend;
use walking::{gait, solved};

/// A gait on a mesh on which it is a motion, and its regulator.
fn regulated(name: &str) -> (ProblemFile, Solution, Feedback) {
    let old = if name == "planar-gait.toml" { "method = \"midpoint\"" } else { "method = \"gauss2\"" };
    let file = gait(name, &[(old, "method = \"gauss3\"")]);
    let solution = match file.gait_options() {
        Some(options) if name != "planar-gait.toml" => {
            let starts = file.gait_starts().unwrap();
            let search = walking::own(&file).search(&starts, &options, &mut |_| true).unwrap();
            search.candidates[0].solution.clone()
        }
        _ => solved(&file, &file.guess),
    };
    let regulator = feedback(&file.problem, &solution, &FeedbackOptions::default()).unwrap();
    (file, solution, regulator)
}

fn walk(pursuer: &mut Pursuer<'_>, own: Option<&Feedback>, steps: usize, time: f64, push: &[f64]) -> Pursuit {
    let push = Some(Push { time, velocity: push.to_vec() });
    pursuer.run(own, &PursuitOptions { steps, push, ..PursuitOptions::default() })
}

#[test]
fn the_planar_gait_falls_without_and_walks_with_feedback() {
    let (file, solution, regulator) = regulated("planar-gait.toml");
    let (open, closed) = regulator.spectral_radii();
    assert!(regulator.is_periodic && regulator.defect < 1e-5, "{}", regulator.defect);
    assert_eq!(regulator.open.len(), 8);
    assert!(open > 1e6 && closed < 0.2, "{open} {closed}");
    let mut pursuer = Pursuer::new(&file.problem, &solution, 1e-11, Backend::fastest()).unwrap();
    // A push on the stance leg in the middle of the step.
    let push = [0.0, 0.0, -0.2, 0.0, 0.0, 0.0];
    let fallen = walk(&mut pursuer, None, 10, 0.3, &push);
    assert!(fallen.end != PursuitEnd::Completed && fallen.steps.len() < 2, "{:?}", fallen.end);
    let walked = walk(&mut pursuer, Some(&regulator), 10, 0.3, &push);
    assert_eq!(walked.end, PursuitEnd::Completed);
    let distances: Vec<f64> = walked.steps.iter().map(|step| step.distance).collect();
    assert!(distances[0] > 0.1 && distances[9] < 1e-6, "{distances:?}");
    assert!(walked.least_force.unwrap() > 0.0, "{:?}", walked.least_force);
    // The later steps shrink by the largest multiplier.
    let factor = (distances[5] / distances[3]).sqrt();
    assert!(factor < 2.0 * closed && factor > 0.5 * closed, "{factor} {closed}");
}

/// One step from changed starts, by differences, against the product of the tangent maps.
#[test]
fn the_map_of_a_step_is_the_derivative_of_the_step() {
    let (file, solution, regulator) = regulated("planar-gait.toml");
    let mut pursuer = Pursuer::new(&file.problem, &solution, 1e-14, Backend::fastest()).unwrap();
    for (which, own, h, tolerance) in [(0, None, 1e-9, 2e-2), (1, Some(&regulator), 1e-5, 1e-4)] {
        let map = &regulator.maps[which];
        let size = map.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
        for j in 2..6 {
            let mut end = |change: f64| {
                let mut push = vec![0.0; 6];
                push[j] = change;
                let walked = walk(&mut pursuer, own, 1, 0.0, &push);
                [walked.steps[0].q.clone(), walked.steps[0].v.clone()].concat()
            };
            let (plus, minus) = (end(h), end(-h));
            for i in 0..12 {
                let found = map[i * 12 + 6 + j];
                let expected = (plus[i] - minus[i]) / (2.0 * h);
                assert!((found - expected).abs() < tolerance * size, "{which} {i} {j}: {found:e} {expected:e}");
            }
        }
    }
}

/// Without a torque at the ankle the inputs are fewer than the joints.
#[test]
fn the_underactuated_gait_is_stabilised() {
    let (file, solution, regulator) = regulated("planar-gait-underactuated.toml");
    let (open, closed) = regulator.spectral_radii();
    assert!(open > 1.0 && closed < 1.0, "{open} {closed}");
    let mut pursuer = Pursuer::new(&file.problem, &solution, 1e-11, Backend::fastest()).unwrap();
    let walked = walk(&mut pursuer, Some(&regulator), 25, 0.3, &[0.0, 0.0, -0.02, 0.0, 0.0, 0.0]);
    assert_eq!(walked.end, PursuitEnd::Completed);
    assert!(walked.steps[24].distance < 0.1 * walked.steps[0].distance, "{:?}", walked.steps);
}

/// A biped with a torso and no ankle: changes shrink by the largest multiplier from step to step.
#[test]
fn the_five_link_gait_comes_back_at_the_rate_of_its_multiplier() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/optimal/five-link-gait.toml");
    let file = ProblemFile::read(&path, &[]).unwrap();
    let (starts, options) = (file.gait_starts().unwrap(), file.gait_options().unwrap());
    let search = walking::own(&file).search(&starts[..2], &options, &mut |_| true).unwrap();
    let best = &search.candidates[0];
    assert!(best.passed() && (best.cost() / 5.544365639e-3 - 1.0).abs() < 1e-6, "{}", best.cost());
    let regulator = feedback(&file.problem, &best.solution, &FeedbackOptions::default()).unwrap();
    let (open, closed) = regulator.spectral_radii();
    assert!(open > 1e4 && closed < 0.4, "{open} {closed}");
    let mut pursuer = Pursuer::new(&file.problem, &best.solution, 1e-11, Backend::fastest()).unwrap();
    let push = [0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0];
    let walked = walk(&mut pursuer, Some(&regulator), 12, 0.16, &push);
    assert_eq!(walked.end, PursuitEnd::Completed);
    let factor = (walked.steps[9].distance / walked.steps[5].distance).powf(0.25);
    assert!((factor / closed - 1.0).abs() < 0.05, "{factor} {closed}");
}
