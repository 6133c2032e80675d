//! Compass search: the minimum of a cheap function in a box, without derivatives.
//!
//! Along each axis a step is tried forward and backward; what is better is taken. Where nothing is better, steps are halved.

/// Where a compass search looks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Compass<'a> {
    pub lower: &'a [f64],
    pub upper: &'a [f64],
    /// First step.
    pub step: f64,
    /// Steps below this end the search.
    pub finest: f64,
    /// Most evaluations.
    pub limit: usize,
}

/// The best point found from `start`, and its value.
pub(crate) fn compass(f: &mut dyn FnMut(&[f64]) -> f64, start: &[f64], wanted: &Compass<'_>) -> (Vec<f64>, f64) {
    let mut x: Vec<f64> = start.to_vec();
    let mut value = f(&x);
    let (mut step, mut count) = (wanted.step, 1);
    while step >= wanted.finest && count < wanted.limit {
        let before = x.clone();
        let is_better = sweep(f, &mut x, &mut value, step, wanted, &mut count);
        if !is_better {
            step *= 0.5;
            continue;
        }
        // Once more the same way: valleys need not lie along an axis.
        let beyond: Vec<f64> =
            (0..x.len()).map(|i| (2.0 * x[i] - before[i]).max(wanted.lower[i]).min(wanted.upper[i])).collect();
        let there = f(&beyond);
        count += 1;
        if there < value {
            (x, value) = (beyond, there);
        }
    }
    (x, value)
}

/// Tries every axis; true if anything was better.
fn sweep(
    f: &mut dyn FnMut(&[f64]) -> f64,
    x: &mut [f64],
    value: &mut f64,
    step: f64,
    wanted: &Compass<'_>,
    count: &mut usize,
) -> bool {
    let mut is_better = false;
    for i in 0..x.len() {
        for sign in [1.0, -1.0] {
            let here = x[i];
            x[i] = (here + sign * step).max(wanted.lower[i]).min(wanted.upper[i]);
            if x[i] == here {
                continue;
            }
            let there = f(x);
            *count += 1;
            if there < *value {
                *value = there;
                is_better = true;
                break;
            }
            x[i] = here;
        }
    }
    is_better
}
