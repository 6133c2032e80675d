//! `P A P^T = L D L^T` for symmetric matrices of any pattern, by FERAL.
//!
//! `P` is a fill-reducing ordering found once per pattern, `D` has blocks of size one and two chosen by
//! threshold pivoting; pivots that are too small wait for their parent in the elimination tree. The signs of
//! `D` are those of the eigenvalues of `A` (Sylvester), so that the inertia comes for free.

use super::{Factorisation, Inertia};
use crate::nlp::Pattern;
use pounce_feral::{FeralConfig, FeralSolverInterface};
use pounce_rs::linsol::{ESymSolverStatus, SparseSymLinearSolverInterface};

/// Relative residual of a solution above which it is refined.
const REFINE_ABOVE: f64 = 1e-12;

/// Factorisation of a symmetric matrix of any pattern.
pub struct General {
    backend: FeralSolverInterface,
    dimension: usize,
    /// False as long as there is nothing to solve with.
    factored: bool,
}

impl General {
    /// For matrices with entries at `pattern`, one triangle; entries that occur twice are added.
    pub fn new(dimension: usize, pattern: &Pattern) -> Self {
        // One thread: the matrices are small, and the caller may run many programs at once.
        let config = FeralConfig { parallel: Some(false), refine_target: REFINE_ABOVE, ..FeralConfig::default() };
        let mut backend = FeralSolverInterface::with_config(config);
        // The interface counts from one.
        let rows: Vec<i32> = pattern.rows.iter().map(|&row| row as i32 + 1).collect();
        let columns: Vec<i32> = pattern.columns.iter().map(|&column| column as i32 + 1).collect();
        backend.initialize_structure(dimension as i32, rows.len() as i32, &rows, &columns);
        Self { backend, dimension, factored: false }
    }
}

impl Factorisation for General {
    fn factor(&mut self, values: &[f64]) -> Inertia {
        let failed = Inertia { zero: self.dimension, ..Inertia::default() };
        self.factored = false;
        if self.dimension == 0 || values.iter().any(|value| !value.is_finite()) {
            return failed;
        }
        self.backend.values_array_mut().copy_from_slice(values);
        let before = self.backend.summary().n_factors;
        // A right side of width zero: factorise only.
        let status = self.backend.multi_solve(true, &[], &[], 0, &mut [], false, 0);
        let summary = self.backend.summary();
        // A matrix with vanishing pivots is factorised too, and counted.
        self.factored = summary.n_factors > before && status != ESymSolverStatus::FatalError;
        match summary.last_inertia {
            Some((positive, negative, zero)) if self.factored => Inertia { positive, negative, zero },
            _ => failed,
        }
    }

    fn solve(&mut self, rhs: &mut [f64]) {
        let solved = self.factored
            && self.backend.multi_solve(false, &[], &[], 1, rhs, false, 0) == ESymSolverStatus::Success
            && rhs.iter().all(|value| value.is_finite());
        if !solved {
            rhs.fill(0.0);
        }
    }
}
