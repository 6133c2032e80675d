//! Correlations of a Gaussian process, with a length scale for each variable.

/// How alike the costs of two designs are, by their distance `r^2 = sum ((a_i - b_i)/l_i)^2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Kernel {
    /// `exp(-r^2/2)`: costs that are smooth without end.
    #[default]
    SquaredExponential,
    /// `(1 + sqrt(5) r + 5 r^2/3) exp(-sqrt(5) r)`: costs with two derivatives.
    Matern52,
}

impl Kernel {
    /// Every kernel with its name in files.
    pub const NAMED: [(&'static str, Self); 2] =
        [("squared-exponential", Self::SquaredExponential), ("matern52", Self::Matern52)];

    /// The correlation of two designs.
    pub fn correlation(self, a: &[f64], b: &[f64], lengths: &[f64]) -> f64 {
        let r2: f64 = a.iter().zip(b).zip(lengths).map(|((a, b), l)| ((a - b) / l).powi(2)).sum();
        match self {
            Self::SquaredExponential => (-0.5 * r2).exp(),
            Self::Matern52 => {
                let r = (5.0 * r2).sqrt();
                (1.0 + r + r * r / 3.0) * (-r).exp()
            }
        }
    }
}
