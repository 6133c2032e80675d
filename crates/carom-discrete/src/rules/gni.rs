//! The geometric nonholonomic integrator (Ferraro, Iglesias and Martín de Diego 2008).
//!
//! ```text
//! Ld(qa, qb, h) = h/2 (L(qa, (qb - qa)/h) + L(qb, (qb - qa)/h))
//! p_k^- = D_2 Ld(q_(k-1), q_k),      p_k^+ = -D_1 Ld(q_k, q_(k+1))
//! p_k^+ = p_k^- - 2 omega(q_k)^T mu,     omega M^-1 (p_k^- - omega^T mu) = 0
//! ```
//!
//! Velocity constraints enter by a reflection of the momentum: its part along the distribution is kept, the
//! other one changes its sign, so that the mean of both sides is admissible. The step itself knows nothing
//! of the constraints, and is explicit where the mass matrix is constant. Reversible and of second order;
//! the discrete points satisfy no discrete constraint. Where durations change, the reflected part changes
//! with them. Without velocity constraints this is the trapezoidal rule, whose properties are declared; with
//! them the method is reversible and nothing more. Its mass matrix must be regular on all velocities. Segments
//! up to a contact and after an impact are those of the trapezoidal rule with discrete constraints.

use super::{Properties, Rule, Table, Trapezoidal};

/// The trapezoidal rule with reflected momenta.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gni;

impl Rule for Gni {
    fn name(&self) -> String {
        "gni".to_owned()
    }

    fn summary(&self) -> String {
        "geometric nonholonomic integrator: trapezoidal rule, velocity constraints by reflection".to_owned()
    }

    fn properties(&self) -> Properties {
        Trapezoidal.properties()
    }

    fn table(&self) -> Table {
        Trapezoidal.table()
    }

    fn adjoint(&self) -> Box<dyn Rule> {
        Box::new(Self)
    }

    fn reflects(&self) -> bool {
        true
    }
}
