//! Natural cubic splines: guesses of a few points without kinks, which would be blows to a mechanical system.

/// A natural cubic spline through vectors.
pub(crate) struct Spline<'a> {
    times: &'a [f64],
    values: &'a [Vec<f64>],
    /// Second derivatives at the times; empty if the values are joined by straight lines.
    bends: Vec<Vec<f64>>,
}

impl<'a> Spline<'a> {
    /// Through all points; straight lines if times are not strictly ascending or points are fewer than three.
    pub(crate) fn new(times: &'a [f64], values: &'a [Vec<f64>]) -> Self {
        let ascends = times.windows(2).all(|pair| pair[1] > pair[0]);
        let bends = if ascends && times.len() > 2 { bends(times, values) } else { Vec::new() };
        Self { times, values, bends }
    }

    /// Value and slope at a time, constant beyond the ends.
    pub(crate) fn at(&self, time: f64) -> (Vec<f64>, Vec<f64>) {
        let count = self.times.len();
        let right = self.times.partition_point(|&known| known <= time).clamp(1.min(count - 1), count - 1);
        let left = right.saturating_sub(1);
        let width = self.times[right] - self.times[left];
        let b = if width > 0.0 { ((time - self.times[left]) / width).clamp(0.0, 1.0) } else { 1.0 };
        let a = 1.0 - b;
        let component = |i: usize| {
            let (from, to) = (self.values[left][i], self.values[right][i]);
            let slope = if width > 0.0 { (to - from) / width } else { 0.0 };
            if self.bends.is_empty() {
                return (a * from + b * to, slope);
            }
            let (m, n) = (self.bends[left][i], self.bends[right][i]);
            let value = a * from + b * to + ((a.powi(3) - a) * m + (b.powi(3) - b) * n) * width * width / 6.0;
            (value, slope + ((1.0 - 3.0 * a * a) * m + (3.0 * b * b - 1.0) * n) * width / 6.0)
        };
        (0..self.values[left].len()).map(component).unzip()
    }
}

/// Second derivatives at the points, zero at the ends: a tridiagonal system, eliminated forwards and backwards.
fn bends(times: &[f64], values: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let (count, n) = (times.len(), values[0].len());
    let mut bends = vec![vec![0.0; n]; count];
    let mut factors = vec![0.0; count];
    for k in 1..count - 1 {
        let (before, after) = (times[k] - times[k - 1], times[k + 1] - times[k]);
        let diagonal = 2.0 * (before + after) - before * factors[k - 1];
        factors[k] = after / diagonal;
        for i in 0..n {
            let turn = (values[k + 1][i] - values[k][i]) / after - (values[k][i] - values[k - 1][i]) / before;
            bends[k][i] = (6.0 * turn - before * bends[k - 1][i]) / diagonal;
        }
    }
    for k in (1..count - 1).rev() {
        let (here, next) = bends.split_at_mut(k + 1);
        here[k].iter_mut().zip(&next[0]).for_each(|(bend, next)| *bend -= factors[k] * next);
    }
    bends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sines_are_followed() {
        let times: Vec<f64> = (0..=8).map(|k| f64::from(k) / 8.0).collect();
        let values: Vec<Vec<f64>> = times.iter().map(|t| vec![(3.0 * t).sin() - 3.0 * t, 2.0 * t]).collect();
        let spline = Spline::new(&times, &values);
        for x in [0.0, 0.1, 0.33, 0.5, 0.77] {
            let (value, slope) = spline.at(x);
            assert!((value[0] - ((3.0 * x).sin() - 3.0 * x)).abs() < 3e-3 && (value[1] - 2.0 * x).abs() < 1e-12);
            assert!((slope[0] - 3.0 * ((3.0 * x).cos() - 1.0)).abs() < 0.1 && (slope[1] - 2.0).abs() < 1e-12);
        }
        assert_eq!(spline.at(2.0).0, values[8]);
        let one = [vec![4.0]];
        assert_eq!(Spline::new(&[0.0], &one).at(0.3).0, [4.0]);
    }
}
