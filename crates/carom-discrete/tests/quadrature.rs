//! Quadrature rules against the integrals that they promise to get right.

use carom_discrete::quadrature::{gauss, lagrange, lobatto};

fn exact_to(degree: usize, (points, weights): (Vec<f64>, Vec<f64>)) {
    for k in 0..=degree {
        let sum: f64 = points.iter().zip(&weights).map(|(x, w)| w * x.powi(k as i32)).sum();
        let integral = 1.0 / (k as f64 + 1.0);
        assert!((sum - integral).abs() < 1e-15, "degree {k} of {degree}: {sum} instead of {integral}");
    }
}

#[test]
fn gauss_is_exact_to_its_degree() {
    (1..=6).for_each(|s| exact_to(2 * s - 1, gauss(s)));
}

#[test]
fn lobatto_is_exact_to_its_degree() {
    (1..=6).for_each(|s| exact_to(2 * s - 1, lobatto(s)));
}

#[test]
fn interpolation_reproduces_polynomials() {
    let nodes = lobatto(5).0;
    let p = |x: f64| 1.0 - 2.0 * x + x.powi(3) - 0.5 * x.powi(5);
    let dp = |x: f64| -2.0 + 3.0 * x.powi(2) - 2.5 * x.powi(4);
    for tau in [0.0, 0.1, 0.37, 0.8, 1.0] {
        let (values, slopes) = lagrange(&nodes, tau);
        let sum = |weights: &[f64]| nodes.iter().zip(weights).map(|(c, w)| w * p(*c)).sum::<f64>();
        assert!((sum(&values) - p(tau)).abs() < 1e-14);
        assert!((sum(&slopes) - dp(tau)).abs() < 1e-13);
    }
}
