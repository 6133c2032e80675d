//! Surrogates by themselves.

mod common;

use carom_design::{CubicSpline, Kernel, Mean, Process, ProcessOptions, latin_hypercube};

#[test]
fn a_latin_hypercube_has_one_point_in_each_part_of_each_axis() {
    for (count, dimension, seed) in [(7, 2, 1), (10, 3, 2), (1, 1, 3)] {
        let points = latin_hypercube(count, dimension, seed);
        for axis in 0..dimension {
            let mut parts: Vec<usize> = points.iter().map(|point| (point[axis] * count as f64) as usize).collect();
            parts.sort_unstable();
            assert_eq!(parts, (0..count).collect::<Vec<_>>());
        }
        assert_eq!(points, latin_hypercube(count, dimension, seed));
    }
    assert_ne!(latin_hypercube(5, 2, 1), latin_hypercube(5, 2, 2));
}

#[test]
fn processes_pass_through_their_samples() {
    let points = latin_hypercube(12, 2, 4);
    let f = |x: &[f64]| (3.0 * x[0]).sin() + x[1] * x[1] - x[0] * x[1];
    let costs: Vec<f64> = points.iter().map(|x| f(x)).collect();
    for (_, kernel) in Kernel::NAMED {
        for mean in [Mean::Constant, Mean::Linear] {
            let process = Process::fit(&points, &costs, ProcessOptions { kernel, mean, seed: 1 }).unwrap();
            for (point, cost) in points.iter().zip(&costs) {
                let found = process.predict(point);
                assert!((found.mean - cost).abs() < 1e-6 && found.deviation < 1e-3, "{kernel:?} {mean:?} {found:?}");
            }
            // Between them it is close, and knows how close.
            for point in latin_hypercube(40, 2, 9) {
                let found = process.predict(&point);
                let error = (found.mean - f(&point)).abs();
                assert!(error < 0.2 && error < 6.0 * found.deviation + 1e-3, "{kernel:?} {mean:?} {error} {found:?}");
            }
        }
    }
}

#[test]
fn length_scales_tell_which_variable_matters() {
    let points = latin_hypercube(20, 2, 3);
    let costs: Vec<f64> = points.iter().map(|x| (6.0 * x[0]).sin() + 0.01 * x[1]).collect();
    let options = ProcessOptions { kernel: Kernel::SquaredExponential, mean: Mean::Constant, seed: 1 };
    let process = Process::fit(&points, &costs, options).unwrap();
    assert!(process.lengths()[1] > 5.0 * process.lengths()[0], "{:?}", process.lengths());
}

#[test]
fn one_sample_or_equal_costs_are_no_trouble() {
    let options = ProcessOptions { kernel: Kernel::Matern52, mean: Mean::Linear, seed: 1 };
    assert!(Process::fit(&[], &[], options).is_none());
    let one = Process::fit(&[vec![0.5]], &[3.0], options).unwrap();
    assert!((one.predict(&[0.5]).mean - 3.0).abs() < 1e-9);
    let equal = Process::fit(&latin_hypercube(6, 2, 1), &[2.0; 6], options).unwrap();
    assert!((equal.predict(&[0.3, 0.7]).mean - 2.0).abs() < 1e-9);
}

#[test]
fn splines_are_natural_and_go_on_as_tangents() {
    let spline = CubicSpline::new(&[[2.0, 0.0], [0.0, 0.0], [1.0, 1.0]]).unwrap();
    // The natural spline through (0,0), (1,1), (2,0): y = 1.5 x - 0.5 x^3 on [0, 1].
    assert!((spline.value(0.5) - (0.75 - 0.0625)).abs() < 1e-15);
    assert!((spline.value(-1.0) + 1.5).abs() < 1e-15 && (spline.value(3.0) + 1.5).abs() < 1e-15);
    // Two samples make a line, whose minimum lies at a bound.
    let line = CubicSpline::new(&[[0.0, 1.0], [1.0, 0.0]]).unwrap();
    assert_eq!((line.minimiser(-2.0, 3.0), line.value(3.0)), (3.0, -2.0));
    assert!(CubicSpline::new(&[[0.0, 1.0], [0.0, 2.0]]).is_none());
}

#[test]
fn minima_of_splines_are_where_their_slopes_vanish() {
    let f = |x: f64| (x - 0.37).powi(2);
    let points: Vec<[f64; 2]> = (0..=8).map(|k| k as f64 / 8.0).map(|x| [x, f(x)]).collect();
    let spline = CubicSpline::new(&points).unwrap();
    let at = spline.minimiser(0.0, 1.0);
    assert!((at - 0.37).abs() < 2e-3, "{at}");
    for k in 0..=1000 {
        assert!(spline.value(at) <= spline.value(k as f64 / 1000.0) + 1e-15);
    }
}
