//! The last solutions of a segment, and the prediction of the next one.
//!
//! With equal steps the solutions `z_1, z_2, ...` (newest first) vary smoothly.
//! Demanding that their differences of order `k` vanish gives the prediction
//!
//! ```text
//! z = sum_(j=1..k) (-1)^(j+1) binomial(k, j) z_j.
//! ```
//!
//! A high order predicts well where steps are short and badly where they are
//! long; the order that would have been best last time is used.

/// Solutions remembered, and highest order of prediction.
const MEMORY: usize = 6;

/// Remembers solutions of equal steps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    /// Newest first.
    solutions: Vec<Vec<f64>>,
    /// Order of the next prediction.
    order: usize,
    guess: Vec<f64>,
}

impl Memory {
    pub(crate) fn is_empty(&self) -> bool {
        self.solutions.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.solutions.clear();
    }

    /// Length of the remembered vectors.
    pub(crate) fn unknowns(&self) -> usize {
        self.solutions.first().map_or(0, Vec::len)
    }

    /// The solution before the newest one.
    pub(crate) fn earlier(&self) -> Option<&[f64]> {
        self.solutions.get(1).map(Vec::as_slice)
    }

    /// Predicts the next solution.
    pub(crate) fn extrapolate(&self, guess: &mut [f64]) {
        extrapolate(&self.solutions, self.order.min(self.solutions.len()), guess);
    }

    /// Keeps the last two solutions, for what they say about the path; nothing is predicted.
    pub(crate) fn keep(&mut self, solution: &[f64]) {
        let mut newest = if self.solutions.len() == 2 { self.solutions.pop() } else { None }.unwrap_or_default();
        newest.clear();
        newest.extend(solution);
        self.solutions.insert(0, newest);
    }

    /// Adds the newest solution and picks the order that would have predicted it best.
    pub(crate) fn remember(&mut self, solution: &[f64]) {
        self.guess.resize(solution.len(), 0.0);
        let mut best = (f64::INFINITY, 1);
        for order in 1..=self.solutions.len().min(MEMORY - 1) {
            extrapolate(&self.solutions, order, &mut self.guess);
            let error = self.guess.iter().zip(solution).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            if error < best.0 {
                best = (error, order);
            }
        }
        // One more than was best: the order grows as long as that helps.
        self.order = best.1 + usize::from(best.1 == self.solutions.len());
        let full = self.solutions.len() == MEMORY;
        let mut newest = if full { self.solutions.pop().unwrap_or_default() } else { vec![0.0; solution.len()] };
        newest.copy_from_slice(solution);
        self.solutions.insert(0, newest);
    }
}

fn extrapolate(solutions: &[Vec<f64>], order: usize, guess: &mut [f64]) {
    guess.fill(0.0);
    let mut binomial = -1.0;
    for (j, solution) in solutions.iter().take(order).enumerate() {
        binomial *= -((order - j) as f64) / (j as f64 + 1.0);
        guess.iter_mut().zip(solution).for_each(|(guess, value)| *guess += binomial * value);
    }
}
