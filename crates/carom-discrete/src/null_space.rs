//! Constraint forces without multipliers among the unknowns: the null-space method.
//!
//! A null-space matrix `P(q)` has columns that span the tangent space of the
//! constraints, `G(q) P(q) = 0`. Multiplied by `P^T`, the momentum balances lose
//! their constraint forces (3.1.8), and with `g = 0` at the control nodes (3.1.9)
//! `n` equations per node remain for `n` unknowns.

use crate::newton::{Newton, NewtonFailure};
use crate::segment::Segment;
use carom_linalg::{Lu, RangeNull};
use carom_model::Dynamics;

/// How the constraint forces are dealt with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Formulation {
    /// Multipliers are unknowns (3.1.5).
    #[default]
    Multipliers,
    /// Momentum balances are projected onto the null space of the constraints (3.1.8).
    NullSpace,
    /// Momenta along the fields of a frame are balanced (Hamel); with the midpoint rule and its compositions,
    /// for models with a frame or velocity constraints.
    Hamel,
}

impl Formulation {
    /// Every formulation.
    pub const ALL: [Self; 3] = [Self::Multipliers, Self::NullSpace, Self::Hamel];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Multipliers => "multipliers",
            Self::NullSpace => "null-space",
            Self::Hamel => "hamel",
        }
    }

    /// Friction acts along directions that a null-space matrix of the constraints does not remove.
    pub(crate) fn for_dynamics(self, dynamics: &Dynamics) -> Self {
        if dynamics.rubbing.is_empty() { self } else { Self::Multipliers }
    }

    /// The formulation called `name`.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|formulation| formulation.name() == name)
    }
}

impl Newton {
    /// Null-space method: every momentum balance is multiplied by `P(Q_i)^T`, which removes the
    /// multipliers; they follow from the normal part, `G^T dlambda = J dd - r`.
    ///
    /// At the solution `r_i` is normal, so that `d(P^T r) = P^T (dr - d(G^T lambda))`: the rows
    /// of the multiplier form, projected, are the exact Jacobian.
    pub(crate) fn projected_correction(&mut self) -> Result<(), NewtonFailure> {
        let Segment { n, m, stages: s, unknowns: size, .. } = self.segment;
        let order = self.lu.len();
        let (residual, jacobian) = self.output.split_at(size);
        // Columns of the displacements and, if unknown, of the duration.
        let column = |k: usize| if k < n * s { k } else { k + m * s };
        let blocks: Vec<Vec<f64>> = (0..s).map(|i| self.constraint_jacobian(i)).collect();
        let mut row = 0;
        for (i, g) in blocks.iter().enumerate() {
            let bases = RangeNull::new(g, n, 1e-12);
            if bases.rank() < m {
                return Err(NewtonFailure::Singular);
            }
            for p in bases.null_space().chunks_exact(n) {
                self.step[row] = carom_linalg::dot(p, &residual[i * n..(i + 1) * n]);
                for k in 0..order {
                    let entry = |a: usize| p[a] * jacobian[(i * n + a) * size + column(k)];
                    self.reduced[row * order + k] = (0..n).map(entry).sum();
                }
                row += 1;
            }
        }
        for k in n * s..size {
            self.step[row] = residual[k];
            (0..order).for_each(|c| self.reduced[row * order + c] = jacobian[k * size + column(c)]);
            row += 1;
        }
        self.effort.factorisations += 1;
        self.lu.factor(&self.reduced).map_err(|_| NewtonFailure::Singular)?;
        self.lu.solve(&mut self.step[..order]);
        // Make room for the multipliers.
        self.step.copy_within(n * s..order, n * s + m * s);
        for (i, g) in blocks.iter().enumerate() {
            self.multiplier_correction(i, g)?;
        }
        Ok(())
    }

    /// `G(Q_i)`: minus its transpose stands in the multiplier columns of block `i`.
    fn constraint_jacobian(&self, i: usize) -> Vec<f64> {
        let Segment { n, m, stages: s, unknowns: size, .. } = self.segment;
        let jacobian = &self.output[size..];
        (0..m * n).map(|k| -jacobian[(i * n + k % n) * size + n * s + i * m + k / n]).collect()
    }

    /// `G G^T dlambda = G (J dd - r)` for block `i`.
    fn multiplier_correction(&mut self, i: usize, g: &[f64]) -> Result<(), NewtonFailure> {
        let Segment { n, m, stages: s, unknowns: size, .. } = self.segment;
        let (residual, jacobian) = self.output.split_at(size);
        let moved = |row: usize| {
            let line = &jacobian[row * size..(row + 1) * size];
            let displacements = carom_linalg::dot(&line[..n * s], &self.step[..n * s]);
            displacements + carom_linalg::dot(&line[n * s + m * s..], &self.step[n * s + m * s..]) - residual[row]
        };
        let unbalanced: Vec<f64> = (i * n..(i + 1) * n).map(moved).collect();
        let line = |k: usize| &g[k * n..(k + 1) * n];
        let gram: Vec<f64> = (0..m * m).map(|k| carom_linalg::dot(line(k / m), line(k % m))).collect();
        let mut lu = Lu::new(m);
        lu.factor(&gram).map_err(|_| NewtonFailure::Singular)?;
        let part = &mut self.step[n * s + i * m..n * s + (i + 1) * m];
        carom_linalg::multiply(g, &unbalanced, part);
        lu.solve(part);
        Ok(())
    }
}
