//! What a series says: values of the motion within its step.

use crate::taylor::{MAX_ORDER, Taylor};

/// `1/(k+1)`
const INVERSES: [f64; MAX_ORDER + 1] = {
    let mut all = [1.0; MAX_ORDER + 1];
    let mut k = 0;
    while k <= MAX_ORDER {
        all[k] = 1.0 / (k as f64 + 1.0);
        k += 1;
    }
    all
};

impl Taylor {
    /// Position, velocity and multipliers at a time `tau` into the current series.
    pub fn at(&self, tau: f64, q: &mut [f64], v: &mut [f64], multipliers: &mut [f64]) {
        let n = self.n;
        let mut change = vec![0.0; n + self.k];
        self.horner(tau, &mut change);
        q.iter_mut().zip(self.state.iter().zip(&change)).for_each(|(x, (s, c))| *x = s + c);
        for (i, value) in v.iter_mut().enumerate() {
            *value = (0..=self.order).rev().fold(0.0, |sum, k| sum * tau + self.output[k * n + i]);
        }
        let lambda = &self.output[self.multipliers..];
        for (i, value) in multipliers.iter_mut().enumerate() {
            *value = (0..self.order).rev().fold(0.0, |sum, k| sum * tau + lambda[k * self.m + i]);
        }
    }

    /// Coefficients `x[0..=P]` of a watched expression in the current series.
    pub fn watched(&self, index: usize) -> &[f64] {
        let (begin, count) = (self.multipliers + self.order * self.m, self.order + 1);
        &self.output[begin + index * count..begin + (index + 1) * count]
    }

    /// Orders `v[0], v[1], ..` of the velocity in the current series.
    pub fn velocity_orders(&self) -> impl Iterator<Item = &[f64]> {
        self.output[..self.n * (self.order + 1)].chunks_exact(self.n)
    }

    /// Coefficients `lambda[0..P]` of a multiplier in the current series.
    pub fn multiplier(&self, index: usize) -> impl Iterator<Item = f64> {
        let lambda = &self.output[self.multipliers..self.multipliers + self.order * self.m];
        lambda.iter().skip(index).step_by(self.m.max(1)).copied()
    }

    /// Changes of position and speeds after `tau`.
    pub(crate) fn horner(&self, tau: f64, change: &mut [f64]) {
        let (n, width, order) = (self.n, self.k, self.order);
        let (dq, dw) = change.split_at_mut(n);
        let velocity = &self.output[..n * (order + 1)];
        let speeds = &self.output[self.speeds..self.speeds + width * order];
        let is_plain = self.speeds == n;
        for (i, dq) in dq.iter_mut().enumerate() {
            let (mut q, mut v) = (0.0, 0.0);
            for (row, inverse) in velocity.chunks_exact(n).zip(&INVERSES).skip(1).rev() {
                q = (q + row[i] * inverse) * tau;
                v = (v + row[i]) * tau;
            }
            *dq = (q + velocity[i]) * tau;
            // Without a frame the speeds are the velocities.
            if is_plain {
                dw[i] = v;
            }
        }
        if !is_plain {
            for (i, dw) in dw.iter_mut().enumerate() {
                *dw = speeds.chunks_exact(width).rev().fold(0.0, |sum, row| (sum + row[i]) * tau);
            }
        }
    }

    /// The velocity after `tau`.
    pub(crate) fn velocity_after(&self, tau: f64) -> Vec<f64> {
        let (n, order) = (self.n, self.order);
        let at = |i: usize| (0..=order).rev().fold(0.0, |sum, k| sum * tau + self.output[k * n + i]);
        (0..n).map(at).collect()
    }
}
