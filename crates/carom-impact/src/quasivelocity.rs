//! The jump in quasivelocities (Anahory Simoes and Colombo, 003, Theorems 1 and 2).
//!
//! With `v = w^i u_i` over the fields of the distribution, momenta `dl/dw_i = p(u_i)` and a gap `phi`,
//!
//! ```text
//! dl/dw_i(+) - dl/dw_i(-) = Lambda dphi(u_i) + kappa_a dg^a(u_i),    E+ = E-  (or another law),
//! ```
//!
//! `i` running over the distribution: what the constraint forces `lambda^a u_a^*` of (10) do is across it.
//! The paper does not say which of the two solutions is meant, `Lambda = 0` being one. It is the one with
//! `Lambda >= 0` and `dphi(v+) >= 0` (its `g` is `-phi`, its `lambda^0` is `-Lambda`). With
//!
//! ```text
//! M_ij = u_i . M u_j,    D_i = D(u_i),    A_i = dg(u_i)
//! ```
//!
//! this is the impact of [`ContactSpace`] with these matrices, and every law applies as it stands.

use crate::space::{ContactSpace, Saddle};
use carom_linalg::{Singular, dot, multiply};

impl ContactSpace {
    /// Lifts `rows` in the frame of `fields` (field by field, `n` components each). The mass matrix, the
    /// holonomic constraints and the rows are given in coordinates.
    pub fn in_frame(
        n: usize,
        fields: &[f64],
        mass: &[f64],
        constraints: &[f64],
        rows: Vec<f64>,
    ) -> Result<Self, Singular> {
        let rank = fields.len() / n.max(1);
        let on_fields = |covectors: &[f64]| -> Vec<f64> {
            let pairs = covectors.chunks_exact(n).flat_map(|row| fields.chunks_exact(n).map(move |u| dot(row, u)));
            pairs.collect()
        };
        let mut image = vec![0.0; n];
        let mut momenta = Vec::with_capacity(fields.len());
        for field in fields.chunks_exact(n) {
            multiply(mass, field, &mut image);
            momenta.extend(&image);
        }
        let saddle = Saddle::new(rank, &on_fields(&momenta), &on_fields(constraints))?;
        // Changes of quasivelocities, and of velocities.
        let mut lifted = vec![0.0; rows.len()];
        for (row, change) in on_fields(&rows).chunks_exact(rank).zip(lifted.chunks_exact_mut(n)) {
            for (w, field) in saddle.lift(row).iter().zip(fields.chunks_exact(n)) {
                change.iter_mut().zip(field).for_each(|(value, component)| *value += w * component);
            }
        }
        Ok(Self::with_lifts(n, rows, lifted))
    }
}
