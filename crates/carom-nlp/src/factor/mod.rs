//! Factorisations of symmetric indefinite matrices, `A = L D L^T`, with their inertia.
//!
//! The KKT matrix of a program is factorised in every iteration. Its inertia decides whether the step
//! that comes out of it is one towards a minimum.

mod chain;
mod front;
#[cfg(feature = "pounce")]
mod general;
mod levels;

pub use chain::Chain;
#[cfg(feature = "pounce")]
pub use general::General;
pub use levels::levels;

/// Numbers of positive, negative and vanishing eigenvalues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inertia {
    /// Positive eigenvalues.
    pub positive: usize,
    /// Negative eigenvalues.
    pub negative: usize,
    /// Eigenvalues that are zero, to rounding.
    pub zero: usize,
}

/// A symmetric matrix of fixed pattern, factorised for changing values.
pub trait Factorisation {
    /// Factorises the matrix with these values, in the order of the pattern.
    fn factor(&mut self, values: &[f64]) -> Inertia;

    /// Unknowns whose pivots vanished in the last factorisation, if that is known.
    fn vanished(&self) -> &[u32] {
        &[]
    }

    /// Replaces `rhs` by the solution; along directions of vanishing pivots the solution is zero.
    fn solve(&mut self, rhs: &mut [f64]);
}
