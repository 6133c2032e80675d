//! The natural cubic spline through samples, and its minimum.
//!
//! Between samples the spline has continuous second derivatives, which vanish at the outermost samples; beyond these it goes on as
//! its tangents. With two samples it is the line through them, so that its minimum lies at a bound.

/// A natural cubic spline.
#[derive(Clone, Debug, PartialEq)]
pub struct CubicSpline {
    x: Vec<f64>,
    y: Vec<f64>,
    /// Second derivatives.
    m: Vec<f64>,
}

impl CubicSpline {
    /// The spline through points, in any order; nothing if there are fewer than two different ones.
    pub fn new(points: &[[f64; 2]]) -> Option<Self> {
        let mut points = points.to_vec();
        points.sort_by(|a, b| a[0].total_cmp(&b[0]));
        points.dedup_by(|a, b| a[0] == b[0]);
        if points.len() < 2 {
            return None;
        }
        let (x, y): (Vec<f64>, Vec<f64>) = points.iter().map(|point| (point[0], point[1])).unzip();
        let m = curvatures(&x, &y);
        Some(Self { x, y, m })
    }

    /// Its value.
    pub fn value(&self, at: f64) -> f64 {
        let last = self.x.len() - 1;
        if at <= self.x[0] {
            return self.y[0] + self.slope(0, 0.0) * (at - self.x[0]);
        }
        if at >= self.x[last] {
            return self.y[last] + self.slope(last - 1, 1.0) * (at - self.x[last]);
        }
        let k = self.x.partition_point(|&x| x <= at).clamp(1, last) - 1;
        let h = self.x[k + 1] - self.x[k];
        let (a, b) = ((self.x[k + 1] - at) / h, (at - self.x[k]) / h);
        let bend = (a * a * a - a) * self.m[k] + (b * b * b - b) * self.m[k + 1];
        a * self.y[k] + b * self.y[k + 1] + bend * h * h / 6.0
    }

    /// Its derivative at a share of an interval.
    fn slope(&self, k: usize, b: f64) -> f64 {
        let h = self.x[k + 1] - self.x[k];
        let a = 1.0 - b;
        let bend = (3.0 * b * b - 1.0) * self.m[k + 1] - (3.0 * a * a - 1.0) * self.m[k];
        (self.y[k + 1] - self.y[k]) / h + bend * h / 6.0
    }

    /// Where it is smallest between bounds: at a bound, at a sample, or where its derivative vanishes.
    pub fn minimiser(&self, lower: f64, upper: f64) -> f64 {
        let mut candidates = vec![lower, upper];
        candidates.extend(self.x.iter().copied().filter(|x| (lower..=upper).contains(x)));
        for k in 0..self.x.len() - 1 {
            candidates.extend(self.stationary(k).into_iter().filter(|x| (lower..=upper).contains(x)));
        }
        let best = candidates.into_iter().min_by(|&a, &b| self.value(a).total_cmp(&self.value(b)));
        best.unwrap_or(lower)
    }

    /// Zeros of the derivative, a quadratic in the share `b`, in an interval.
    fn stationary(&self, k: usize) -> Vec<f64> {
        let h = self.x[k + 1] - self.x[k];
        let (m0, m1) = (self.m[k] * h / 6.0, self.m[k + 1] * h / 6.0);
        let rise = (self.y[k + 1] - self.y[k]) / h;
        // rise - m0 (3 (1 - b)^2 - 1) + m1 (3 b^2 - 1)
        let (p, q, r) = (3.0 * (m1 - m0), 6.0 * m0, rise - 2.0 * m0 - m1);
        let roots = if p.abs() < 1e-14 * q.abs().max(r.abs()) {
            vec![-r / q]
        } else {
            let root = (q * q - 4.0 * p * r).sqrt();
            // The sum that does not cancel.
            let s = -0.5 * (q + root.copysign(q));
            vec![s / p, r / s]
        };
        let inside = roots.into_iter().filter(|b| (0.0..=1.0).contains(b));
        inside.map(|b| self.x[k] + b * h).collect()
    }
}

/// Second derivatives, by elimination in the tridiagonal system.
fn curvatures(x: &[f64], y: &[f64]) -> Vec<f64> {
    let n = x.len();
    let (mut m, mut share) = (vec![0.0; n], vec![0.0; n]);
    for i in 1..n - 1 {
        let (before, after) = (x[i] - x[i - 1], x[i + 1] - x[i]);
        let jump = (y[i + 1] - y[i]) / after - (y[i] - y[i - 1]) / before;
        let pivot = 2.0 * (before + after) - before * share[i - 1];
        share[i] = after / pivot;
        m[i] = (6.0 * jump - before * m[i - 1]) / pivot;
    }
    for i in (1..n - 1).rev() {
        m[i] -= share[i] * m[i + 1];
    }
    m
}
