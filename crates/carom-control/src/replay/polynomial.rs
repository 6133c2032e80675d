//! Integrals and extremes of the polynomials of a piece.

/// Places at which a polynomial is looked at for signs and extremes.
const SAMPLES: usize = 16;
/// Halvings of a sign change.
const HALVINGS: usize = 50;

/// `sum_k c_k tau^k`
pub(crate) fn value(coefficients: &[f64], tau: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| sum * tau + c)
}

/// Integral from zero to `tau`.
pub(crate) fn integral(coefficients: &[f64], tau: f64) -> f64 {
    coefficients.iter().enumerate().rev().fold(0.0, |sum, (k, c)| sum * tau + c / (k as f64 + 1.0)) * tau
}

/// Integral of the absolute value from zero to `length`: exact between changes of sign.
pub(crate) fn absolute_integral(coefficients: &[f64], length: f64) -> f64 {
    let (mut total, mut before) = (0.0, 0.0);
    for k in 1..=SAMPLES {
        let [low, high] = [k - 1, k].map(|k| length * k as f64 / SAMPLES as f64);
        let signs = [low, high].map(|tau| value(coefficients, tau));
        if signs[0] * signs[1] < 0.0 {
            let root = root(coefficients, low, high, signs[0]);
            let here = integral(coefficients, root);
            total += (here - before).abs();
            before = here;
        }
    }
    total + (integral(coefficients, length) - before).abs()
}

fn root(coefficients: &[f64], mut low: f64, mut high: f64, sign: f64) -> f64 {
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if value(coefficients, middle) * sign > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// Times at which a piece of this length is looked at, both ends included.
pub(crate) fn samples(length: f64) -> impl Iterator<Item = f64> {
    (0..=SAMPLES).map(move |k| length * k as f64 / SAMPLES as f64)
}
