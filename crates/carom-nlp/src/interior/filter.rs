//! The filter: pairs of infeasibility and barrier function that no later point may be worse than in both.

/// Shares by which a new point must be better than an old one.
pub(crate) const THETA_SHARE: f64 = 1e-5;
pub(crate) const PHI_SHARE: f64 = 1e-8;

/// Pairs `(theta, phi)`.
#[derive(Debug, Default)]
pub(crate) struct Filter {
    pairs: Vec<(f64, f64)>,
    largest: f64,
}

impl Filter {
    /// An empty filter that lets nothing through above `largest`.
    pub(crate) fn new(largest: f64) -> Self {
        Self { pairs: Vec::new(), largest }
    }

    /// True if no pair of the filter is better.
    pub(crate) fn accepts(&self, theta: f64, phi: f64) -> bool {
        // Differences below rounding do not count.
        let slack = |value: f64| 10.0 * f64::EPSILON * value.abs();
        theta <= self.largest && self.pairs.iter().all(|&(t, p)| theta <= t + slack(t) || phi <= p + slack(p))
    }

    /// Forbids everything that is not a little better than this.
    pub(crate) fn add(&mut self, theta: f64, phi: f64) {
        let (theta, phi) = ((1.0 - THETA_SHARE) * theta, phi - PHI_SHARE * theta);
        self.pairs.retain(|&(t, p)| t < theta || p < phi);
        self.pairs.push((theta, phi));
    }
}
