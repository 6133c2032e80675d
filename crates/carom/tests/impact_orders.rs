//! Orders of the discrete methods across impacts, measured against reference solutions.

use crate::reference_cases;

use carom::impact::{ContactOptions, JumpKind};
use carom::{Method, Options, Schedule, Simulation, Trajectory};
use reference_cases::{case, cases, difference, model, numbers, verify};
use serde_json::Value;

fn run(case: &Value, method: &str, jump: JumpKind, h: f64, until: f64) -> Trajectory {
    let model = model(case);
    let contacts = ContactOptions { jump, ..ContactOptions::default() };
    let options = Options { contacts, ..Options::default() };
    let method = Method::parse(method).expect("a method");
    let simulation = Simulation::new(&model.system, &method, options).expect("compiles");
    let schedule = Schedule { start: 0.0, until, step: h, every: usize::MAX };
    let (q, v) = (numbers(&case["q0"]), numbers(&case["v0"]));
    let run = simulation.run(&q, &v, schedule, &mut |_| true).unwrap_or_else(|error| panic!("{method}: {error}"));
    verify(&model, &run, contacts);
    run
}

/// Errors of an impact: time, velocity before and after, energy after.
fn errors(run: &Trajectory, wanted: &Value, index: usize) -> [f64; 4] {
    let found = run.impacts.get(index).unwrap_or_else(|| panic!("{} impacts", run.impacts.len()));
    let number = |name: &str| wanted[name].as_f64().expect("a number");
    [
        (found.t - number("t")).abs(),
        difference(&found.v_minus, &numbers(&wanted["v_minus"])),
        difference(&found.v_plus, &numbers(&wanted["v_plus"])),
        (found.energy_minus + found.energy_change - number("energy_plus")).abs(),
    ]
}

/// Slope of the errors over the steps, both logarithmic, by least squares.
fn order(steps: &[f64], errors: &[f64]) -> f64 {
    let points: Vec<(f64, f64)> = steps.iter().zip(errors).map(|(h, e)| (h.ln(), e.ln())).collect();
    let n = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |(a, b), (x, y)| (a + x / n, b + y / n));
    let (xy, xx) = points.iter().fold((0.0, 0.0), |(a, b), (u, w)| (a + (u - x) * (w - y), b + (u - x) * (u - x)));
    xy / xx
}

/// The error of an impact, root mean square over phases of the grid: where the impact falls within its
/// step changes the error from one step size to the next.
fn typical(case: &Value, method: &str, jump: JumpKind, h: f64, index: usize) -> f64 {
    let wanted = &case["impacts"][index];
    let time = wanted["t"].as_f64().expect("a time");
    let phases = 8;
    let square = |k: usize| {
        // The impact falls at evenly spread places within its step.
        let h = time / ((time / h).round() + (k as f64 + 0.5) / phases as f64);
        // One more step: the variational jump is known after the segment that follows it.
        let run = run(case, method, jump, h, time + 1.5 * h);
        let [t, before, after, energy] = errors(&run, wanted, index);
        t.max(before).max(after).max(energy).powi(2)
    };
    ((0..phases).map(square).sum::<f64>() / phases as f64).sqrt()
}

#[test]
fn order_2_4_6_across_impacts() {
    let methods =
        [("midpoint", 2.0), ("trapezoidal", 2.0), ("gauss2", 4.0), ("suzuki(midpoint)", 4.0), ("gauss3", 6.0)];
    for (id, index, base) in [
        ("000-V-A-pendulum-low", 0, 0.02),
        ("000-V-A-pendulum-high", 0, 0.02),
        ("000-IV-D-bar-fsin", 0, 0.01),
        ("001-3.5.1-wedge", 0, 0.02),
        ("001-3.5.1-wedge-J7", 1, 0.01),
    ] {
        let case = case(id);
        for (method, expected) in methods {
            for jump in JumpKind::ALL {
                let steps = [base, base / 2.0, base / 4.0];
                let errors = steps.map(|h| typical(&case, method, jump, h, index));
                let found = order(&steps, &errors);
                eprintln!("{id} {method} {}: order {found:.2}, errors {errors:?}", jump.name());
                // The last errors may be rounding.
                assert!(found > expected - 0.3 || errors[2] < 1e-12, "{id} {method} {}: {found}", jump.name());
            }
        }
    }
}

#[test]
fn flights_that_every_method_integrates_exactly() {
    for case in cases() {
        let id = case["id"].as_str().expect("a name");
        // Free flight and constant rotation: impacts are limited by rounding alone.
        if !["particle", "ellipse", "star", "sinusoid", "III-C", "f0"].iter().any(|name| id.contains(name)) {
            continue;
        }
        for method in ["midpoint", "gauss2"] {
            let last = case["impacts"].as_array().expect("impacts").len().min(4);
            let until = case["impacts"][last - 1]["t"].as_f64().expect("a time") + 0.01;
            // The discrete energies of segments of different lengths differ, even here.
            for jump in [JumpKind::Pointwise, JumpKind::Modified] {
                let run = run(&case, method, jump, 0.01, until);
                for index in 0..last {
                    let wanted = &case["impacts"][index];
                    let bound = 1e-12 * wanted["sensitivity"].as_f64().expect("a number").max(1.0);
                    let found = errors(&run, wanted, index);
                    let is_right = found.iter().all(|error| *error <= 100.0 * bound);
                    assert!(is_right, "{id} {method} {} impact {index}: {found:?}", jump.name());
                }
            }
        }
    }
}

#[test]
fn paper_wedge_errors_beside_the_printed_ones() {
    let case = case("001-3.5.1-wedge");
    let wanted = &case["impacts"][0];
    let number = |name: &str| wanted[name].as_f64().expect("a number");
    let exact = number("energy_plus") - number("energy_minus");
    let percent = |change: f64| 100.0 * (change / exact - 1.0).abs();
    let measure = |h: f64| {
        let run = run(&case, "trapezoidal", JumpKind::Variational, h, 0.18);
        let impact = &run.impacts[0];
        let discrete = impact.balance.energies.1 - impact.balance.energies.0;
        [(impact.t - number("t")).abs(), percent(impact.energy_change), percent(discrete)]
    };
    let (coarse, fine) = (measure(1e-2), measure(5e-3));
    eprintln!("time, energy, discrete energy: h = 1e-2 {coarse:?}, h = 5e-3 {fine:?} (printed: 3.75e-5 s, 1.41e-3 %)");
    assert!(coarse[0] < 3.75e-5, "{coarse:?}");
    // The discrete energies belong to segments of different lengths: their error depends on where in its
    // step the impact falls, and only the others fall evenly.
    for index in 0..2 {
        assert!((3.4..4.6).contains(&(coarse[index] / fine[index])), "{coarse:?} {fine:?}");
    }
}
