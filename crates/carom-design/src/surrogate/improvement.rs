//! Expected improvement (Jones, Schonlau, Welch 1998).
//!
//! ```text
//! EI(x) = (best - m) Phi(u) + s phi(u),      u = (best - m)/s
//! ```
//!
//! with the mean `m` and the deviation `s` of the surrogate. Far from anything promising it vanishes below the smallest number;
//! its logarithm does not, and still says which way is better.

use super::process::Prediction;

/// The expected improvement on `best`.
pub(crate) fn expected_improvement(prediction: Prediction, best: f64) -> f64 {
    let Prediction { mean, deviation } = prediction;
    if deviation <= 0.0 {
        return (best - mean).max(0.0);
    }
    let u = (best - mean) / deviation;
    deviation * (u * cumulative(u) + density(u)).max(0.0)
}

/// Its logarithm, also where it is smaller than any number.
pub(crate) fn log_expected_improvement(prediction: Prediction, best: f64) -> f64 {
    let Prediction { mean, deviation } = prediction;
    let u = (best - mean) / deviation.max(f64::MIN_POSITIVE);
    if u > -5.0 {
        return expected_improvement(prediction, best).max(f64::MIN_POSITIVE).ln();
    }
    // phi(u)/u^2 (1 - 3/u^2 + 15/u^4): the asymptotic series of Mills' ratio.
    let (u2, root) = (u * u, (2.0 * std::f64::consts::PI).sqrt());
    deviation.max(f64::MIN_POSITIVE).ln() - 0.5 * u2 - root.ln() - u2.ln() + (1.0 - 3.0 / u2 + 15.0 / (u2 * u2)).ln()
}

fn density(u: f64) -> f64 {
    (-0.5 * u * u).exp() / (2.0 * std::f64::consts::PI).sqrt()
}

/// The distribution function of the normal distribution, `erfc(-u/sqrt 2)/2`.
fn cumulative(u: f64) -> f64 {
    0.5 * erfc(-u / std::f64::consts::SQRT_2)
}

/// The complementary error function to about 1e-7, relatively: the Chebyshev fit of Numerical Recipes, 6.2.
fn erfc(x: f64) -> f64 {
    const TERMS: [f64; 10] = [
        -1.265_512_23,
        1.000_023_68,
        0.374_091_96,
        0.096_784_18,
        -0.186_288_06,
        0.278_868_07,
        -1.135_203_98,
        1.488_515_87,
        -0.822_152_23,
        0.170_872_77,
    ];
    let t = 1.0 / (1.0 + 0.5 * x.abs());
    let series = TERMS.iter().rev().fold(0.0, |sum, term| sum * t + term);
    let value = t * (series - x * x).exp();
    if x >= 0.0 { value } else { 2.0 - value }
}
