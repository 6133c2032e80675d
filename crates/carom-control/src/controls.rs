//! Controls of a solution as functions of time.

use crate::problem::ControlShape;

/// Controls of a phase, interval by interval.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ControlTrack {
    /// Times at which the values of an interval hold, as fractions of it.
    pub fractions: Vec<f64>,
    /// For each interval and each input its values at these times.
    pub values: Vec<Vec<Vec<f64>>>,
}

impl ControlTrack {
    /// Times at which the unknowns of a shape hold.
    pub(crate) fn fractions(shape: ControlShape, sample_times: &[f64]) -> Vec<f64> {
        match shape {
            ControlShape::Samples => sample_times.to_vec(),
            ControlShape::Constant => vec![0.5],
            ControlShape::Linear => vec![0.0, 1.0],
        }
    }

    /// Values of all inputs at a fraction of an interval: the polynomial through its values.
    pub fn at(&self, interval: usize, fraction: f64) -> Vec<f64> {
        let weights = lagrange(&self.fractions, fraction);
        let value = |values: &Vec<f64>| values.iter().zip(&weights).map(|(value, weight)| value * weight).sum();
        self.values[interval].iter().map(value).collect()
    }

    /// Values and derivatives (by the fraction) of all inputs at the left end of an interval: the Taylor
    /// coefficients of its polynomial, one list per input.
    pub fn taylor(&self, interval: usize) -> Vec<Vec<f64>> {
        let coefficients = |values: &Vec<f64>| newton_coefficients(&self.fractions, values);
        self.values[interval].iter().map(coefficients).collect()
    }

    /// Degree of the polynomials.
    pub fn degree(&self) -> usize {
        self.fractions.len().saturating_sub(1)
    }
}

/// Lagrange's basis at `x`.
fn lagrange(nodes: &[f64], x: f64) -> Vec<f64> {
    let basis = |i: usize| {
        let others = nodes.iter().enumerate().filter(|(j, _)| *j != i);
        others.map(|(_, node)| (x - node) / (nodes[i] - node)).product()
    };
    (0..nodes.len()).map(basis).collect()
}

/// Coefficients of powers of `x` of the polynomial through the points.
fn newton_coefficients(nodes: &[f64], values: &[f64]) -> Vec<f64> {
    let mut divided = values.to_vec();
    for order in 1..nodes.len() {
        for i in (order..nodes.len()).rev() {
            divided[i] = (divided[i] - divided[i - 1]) / (nodes[i] - nodes[i - order]);
        }
    }
    // Horner's scheme: multiply by (x - node), add the next.
    let mut powers = vec![0.0; nodes.len()];
    for i in (0..nodes.len()).rev() {
        for k in (0..nodes.len()).rev() {
            let lower = if k > 0 { powers[k - 1] } else { 0.0 };
            powers[k] = lower - nodes[i] * powers[k];
        }
        powers[0] += divided[i];
    }
    powers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_and_basis_agree() {
        let track = ControlTrack { fractions: vec![0.1, 0.5, 0.9], values: vec![vec![vec![1.0, -2.0, 4.0]]] };
        let powers = &track.taylor(0)[0];
        for x in [0.0, 0.1, 0.37, 1.0] {
            let value = powers[0] + x * (powers[1] + x * powers[2]);
            assert!((value - track.at(0, x)[0]).abs() < 1e-12);
        }
    }
}
