//! One component of (18) along a flight, integrated twice: `pi2 - int dk/dq' + int int dk/dq = a + b t`.

use crate::controls::ControlTrack;

/// The line of one component, as momenta at both ends, and what does not lie on it.
pub(super) struct Line {
    /// `[pi1, pi2]` at the start and at the end.
    pub(super) ends: [[f64; 2]; 2],
    /// The largest distance from the line, and the size of the terms.
    pub(super) residual: f64,
    pub(super) size: f64,
}

impl Line {
    /// Fits `a` and `b` to samples of `dk/dq''`, `dk/dq'`, `dk/dq` at fractions of the intervals between `times`.
    pub(super) fn fit(times: &[f64], fractions: &[f64], [bend, slope, force]: [Vec<Vec<f64>>; 3]) -> Self {
        let track = |values: &[Vec<f64>]| ControlTrack {
            fractions: fractions.to_vec(),
            values: values.iter().map(|values| vec![values.clone()]).collect(),
        };
        let (slopes, forces) = (track(&slope), track(&force));
        // int dk/dq', int dk/dq and int int dk/dq up to the present interval.
        let (mut sums, mut points, mut size) = ([0.0; 3], Vec::new(), 0.0f64);
        for interval in 0..times.len() - 1 {
            let h = times[interval + 1] - times[interval];
            let (slopes, forces) = (&slopes.taylor(interval)[0], &forces.taylor(interval)[0]);
            let up_to = |share: f64| {
                let single = integral(forces, share, 1);
                [
                    sums[0] + h * integral(slopes, share, 1),
                    sums[1] + h * single,
                    sums[2] + h * share * sums[1] + h * h * integral(forces, share, 2),
                ]
            };
            for (&share, bend) in fractions.iter().zip(&bend[interval]) {
                let [slope, _, force] = up_to(share);
                points.push((times[interval] - times[0] + share * h, bend - slope + force));
                size = size.max(bend.abs()).max(slope.abs()).max(force.abs());
            }
            sums = up_to(1.0);
        }
        let (a, b) = regression(&points);
        let off = points.iter().map(|(t, value)| (value - a - b * t).abs());
        // Comparisons with not-a-number are false.
        let worst = off.fold(0.0, |worst: f64, off| if off <= worst { worst } else { off });
        let duration = times[times.len() - 1] - times[0];
        let last = [sums[1] - b, a + b * duration + sums[0] - sums[2]];
        Self { ends: [[-b, a], last], residual: worst, size }
    }
}

/// The `times`-fold integral from 0 to `x` of a polynomial, given by its powers.
fn integral(powers: &[f64], x: f64, times: usize) -> f64 {
    let rising = |k: usize| (1..=times).map(|i| (k + i) as f64).product::<f64>();
    let sum = powers.iter().enumerate().rev().fold(0.0, |sum, (k, power)| sum * x + power / rising(k));
    sum * x.powi(times as i32)
}

/// The line `a + b t` of least squares.
fn regression(points: &[(f64, f64)]) -> (f64, f64) {
    let n = points.len() as f64;
    let (t, y) = points.iter().fold((0.0, 0.0), |(t, y), point| (t + point.0 / n, y + point.1 / n));
    let moment = |(above, below): (f64, f64), point: &(f64, f64)| {
        (above + (point.0 - t) * (point.1 - y), below + (point.0 - t).powi(2))
    };
    let (above, below) = points.iter().fold((0.0, 0.0), moment);
    let b = if below > 0.0 { above / below } else { 0.0 };
    (y - b * t, b)
}
