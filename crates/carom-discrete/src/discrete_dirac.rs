//! Lagrangians of first order, `L = a(q) . v - H(q)`, kept on `p = a(q)`.
//!
//! The momenta of such a system are functions of its positions (Dirac's primary constraint). The equations
//! of a segment do not know that: for an `a` that is not linear, discrete motions leave `p = a(q)`, lose their
//! order and end in a growing zigzag. So each segment is projected at both ends, along the directions that
//! generate the constraint and by the same amount, which keeps it symmetric (Kraus 2017):
//!
//! ```text
//! q~_a = q_a + mu,    p~_a = p_a + (da/dq(q_a))^T mu          then the segment, then
//! q_b = q~_b + r mu,  p_b = p~_b + r (da/dq(q_b))^T mu,       p_b = a(q_b)
//! ```
//!
//! with unknowns `mu`, as many as coordinates, and `r = (-1)^s`, what a Gauss rule of `s` stages makes of a
//! perturbation. Where `a` is linear `mu` vanishes.

use crate::discrete_path::{DiscretePath, Equations};
use carom_expr::{Expr, Id, ids};

impl<'s> DiscretePath<'s> {
    /// True if the Lagrangian is of first order and nothing else constrains the motion.
    pub(crate) fn is_first_order(&self) -> bool {
        let dynamics = self.dynamics;
        let is_massless = || {
            self.scope.with(|graph| {
                let momentum = dynamics.momentum(graph);
                !graph.any_depends_on(&momentum, &dynamics.v)
            })
        };
        dynamics.constraint_count() == 0 && is_massless()
    }

    /// The projections `mu`, which follow the displacements among the unknowns.
    pub(crate) fn projections(&self) -> Vec<Expr<'s>> {
        self.scope.variables("[mu]", self.dynamics.dimension())
    }

    /// The equations of a projected segment.
    pub(crate) fn on_primary_constraint(&self, plain: &Equations<'s>) -> Equations<'s> {
        let (n, dynamics) = (self.dynamics.dimension(), self.dynamics);
        let mu = self.projections();
        let r = if self.d.len().is_multiple_of(2) { 1.0 } else { -1.0 };
        let (a, slopes) = self.scope.with(|graph| {
            let a = dynamics.momentum(graph);
            let slopes = graph.jacobian(&a, &dynamics.q).dense(graph);
            (a, slopes)
        });
        let pull = |slopes: &[Expr<'s>], k: usize| self.scope.sum((0..n).map(|i| slopes[i * n + k] * mu[i]));
        let at_a = self.at(&slopes, &self.qa, &self.qa, self.ta);
        let last = &self.d[self.d.len() - 1];
        let end = self.node(last);
        let at_b = self.at(&slopes, &end, &end, self.ta + self.h);
        let wanted = self.at(&a, &end, &end, self.ta + self.h);

        // The plain equations between the shifted ends.
        let mut moved: Vec<(Id, Id)> = Vec::new();
        for k in 0..n {
            moved.push((self.qa[k].id(), (self.qa[k] + mu[k]).id()));
            moved.push((self.pa[k].id(), (self.pa[k] + pull(&at_a, k)).id()));
            moved.push((last[k].id(), (last[k] - (1.0 + r) * mu[k]).id()));
        }
        let shift = |all: &[Expr<'s>]| self.scope.exprs(&self.scope.with(|graph| graph.substitute(&ids(all), &moved)));
        let mut residual = shift(&plain.residual);
        let mut advance = shift(&plain.advance);
        for k in 0..n {
            advance[k] = advance[k] + pull(&at_a, k) + r * pull(&at_b, k);
            residual.push(self.pa[k] + advance[k] - wanted[k]);
        }
        Equations { residual, advance }
    }
}
