//! Hamel's equations, discretised (Ball and Zenkov 2015 for the principle; here with momenta at nodes).
//!
//! On the straight path of the midpoint rule, with `q_m = (qa + qb)/2`, `v_m = (qb - qa)/h` and
//! `P_m = dL/dv(q_m, v_m)`, the momenta `pi_j = p(u_j(q))` along the fields of a frame change by
//!
//! ```text
//! (pi_b + pi_a)/2 = P_m(u_j(q_m)),     pi_b - pi_a = h a_j,     omega(q_m) v_m = 0
//! a_j = c_ij^m w^i P_m(u_m) + u_j[l] + F(u_j) = u_j . (dL/dq + F) + P_m . (Du_j v_m)
//! ```
//!
//! at the midpoint (003, (5); the terms with derivatives of the other fields cancel, so that brackets need
//! not be formed). That is the implicit midpoint rule in the variables `(q, pi)`: symmetric, of second order,
//! and exact for quadratic invariants of them. Where the Lagrangian in quasivelocities does not depend on
//! `q`, energy is one. With the fields of the coordinates it is the midpoint rule.
//!
//! Without a frame in the model the fields are the projections `u_b(q) = (1 - omega^T (omega omega^T)^-1
//! omega) b` of all `b` that are admissible at `q_m`: symmetric as well, and regular wherever the constraints
//! are independent.

use crate::checks::{MAX_FORMS, MAX_FRAME, MAX_PROJECTED};
use crate::discrete_path::{DiscretePath, Equations};
use crate::rules::Table;
use carom_expr::{Expr, Id, ids};

/// What the fields say at the midpoint and at both ends.
struct Balance<'s> {
    /// `p(u_j)` at the left end, as a list of covectors to be paired with the momentum there.
    left: Vec<Vec<Expr<'s>>>,
    /// `P_m(u_j(q_m))`
    middle: Vec<Expr<'s>>,
    /// `h/2 a_j`
    half: Vec<Expr<'s>>,
}

impl<'s> DiscretePath<'s> {
    /// True if these equations apply: to the midpoint rule, in a frame or under velocity constraints.
    pub(crate) fn is_hamel(&self, table: &Table) -> bool {
        let is_midpoint = table.samples.len() == 1 && table.samples[0].position == [0.5];
        let (n, forms) = (self.dynamics.dimension(), self.dynamics.velocity_constraints.len());
        let is_small = match self.dynamics.frame {
            Some(_) => n <= MAX_FRAME,
            None => (1..=MAX_FORMS).contains(&forms) && n <= MAX_PROJECTED,
        };
        is_midpoint && is_small
    }

    /// Replaces the momentum balance of `variational` and the momentum at the right end.
    pub(crate) fn hamel(&self, table: &Table, variational: Equations<'s>) -> Equations<'s> {
        match self.dynamics.frame {
            Some(_) => self.hamel_in_frame(table, variational),
            None => self.hamel_projected(table, variational),
        }
    }

    fn hamel_in_frame(&self, table: &Table, variational: Equations<'s>) -> Equations<'s> {
        let n = self.dynamics.dimension();
        let (fields, rank) = self.complete_frame();
        let balance = self.balance(table, &fields[..rank * n]);
        let node = &self.constraint_forces()[0];
        let end = self.node(&self.d[0]);
        let frame_b = self.at(&fields, &end, &end, self.ta);
        let all_a = self.at(&fields, &self.qa, &self.qa, self.ta);
        let mut residual = Vec::new();
        let mut right = Vec::new();
        for j in 0..n {
            let row_b = &frame_b[j * n..(j + 1) * n];
            if j < rank {
                let left: Vec<Expr<'s>> = (0..n).map(|k| self.momentum(k) - node[k]).collect();
                residual.push(dot(self, &balance.left[j], &left) - balance.middle[j] + balance.half[j]);
                right.push(balance.middle[j] + balance.half[j] - dot(self, row_b, &self.pa));
            } else {
                // Across the distribution the variational equations say what the constraint forces are.
                residual.push(dot(self, &all_a[j * n..(j + 1) * n], &variational.residual[..n]));
                right.push(dot(self, row_b, &variational.advance[..n]));
            }
        }
        residual.extend(&variational.residual[n..]);
        let inverse = self.scope.with(|graph| graph.inverse(&ids(&frame_b), n).0);
        let inverse = self.scope.exprs(&inverse);
        let change = (0..n).map(|k| dot(self, &inverse[k * n..(k + 1) * n], &right));
        let advance = change.chain(variational.advance[n..].iter().copied()).collect();
        Equations { residual, advance }
    }

    fn hamel_projected(&self, table: &Table, variational: Equations<'s>) -> Equations<'s> {
        let (n, dynamics) = (self.dynamics.dimension(), self.dynamics);
        let (fields, forms) = self.scope.with(|graph| {
            let forms = dynamics.one_forms(graph);
            (projector(graph, &forms, n), forms)
        });
        let balance = self.balance(table, &fields);
        let (middle, end) = (self.middle(table), self.node(&self.d[0]));
        let form_m = self.at(&forms, &middle, &middle, self.ta);
        let form_b = self.at(&forms, &end, &end, self.ta);
        let count = forms.len() / n;
        // Multipliers of velocity constraints come last.
        let (held, across) = self.lambda[0].split_at(self.lambda[0].len() - count);
        let holonomic = self.scope.with(|graph| dynamics.force_directions(graph));
        let rows = self.at(&holonomic, &self.qa, &self.qa, self.ta);
        let pull = |rows: &[Expr<'s>], lambda: &[Expr<'s>], k: usize| {
            self.scope.sum(lambda.iter().enumerate().map(|(row, lambda)| rows[row * n + k] * *lambda))
        };
        let left: Vec<Expr<'s>> = (0..n).map(|k| self.momentum(k) - pull(&rows, held, k)).collect();
        let mut residual: Vec<Expr<'s>> = (0..n)
            .map(|j| {
                dot(self, &balance.left[j], &left) - balance.middle[j] + balance.half[j] - pull(&form_m, across, j)
            })
            .collect();
        residual.extend(&variational.residual[n..]);
        // The momentum at the right end is tangent there.
        let sum: Vec<Expr<'s>> = balance.middle.iter().zip(&balance.half).map(|(a, b)| *a + *b).collect();
        let row = |forms: &[Expr<'s>], i: usize| forms[i * n..(i + 1) * n].to_vec();
        let pairs = (0..count * count).map(|k| dot(self, &row(&form_b, k / count), &row(&form_m, k % count)));
        let pairs: Vec<Expr<'s>> = pairs.collect();
        let inverse = self.scope.exprs(&self.scope.with(|graph| graph.inverse(&ids(&pairs), count).0));
        let excess: Vec<Expr<'s>> = (0..count).map(|i| dot(self, &row(&form_b, i), &sum)).collect();
        let kappa: Vec<Expr<'s>> =
            (0..count).map(|i| dot(self, &inverse[i * count..(i + 1) * count], &excess)).collect();
        let change = (0..n).map(|k| sum[k] - pull(&form_m, &kappa, k) - self.pa[k]);
        let advance = change.chain(variational.advance[n..].iter().copied()).collect();
        Equations { residual, advance }
    }

    /// The balances of fields, given field by field as expressions of `q`.
    fn balance(&self, table: &Table, fields: &[Id]) -> Balance<'s> {
        let (n, dynamics) = (self.dynamics.dimension(), self.dynamics);
        let middle = self.middle(table);
        let v: Vec<Expr<'s>> = self.d[0].iter().map(|d| *d / self.h).collect();
        let roots = self.scope.with(|graph| {
            let along: Vec<(Id, Id)> = dynamics.q.iter().copied().zip(dynamics.v.iter().copied()).collect();
            let momentum = dynamics.momentum(graph);
            let slope = graph.gradient(dynamics.lagrangian, &dynamics.q);
            let push: Vec<Id> = slope.iter().zip(&dynamics.forces).map(|(&a, &b)| graph.add(a, b)).collect();
            let turned = graph.directional(fields, &along);
            let mut roots = Vec::new();
            for (field, turned) in fields.chunks_exact(n).zip(turned.chunks_exact(n)) {
                let share = graph.dot(field, &push);
                let twist = graph.dot(&momentum, turned);
                roots.extend([graph.dot(field, &momentum), graph.add(share, twist)]);
            }
            roots
        });
        let values = self.at(&roots, &middle, &v, self.ta + 0.5 * self.h);
        let at_left = self.at(fields, &self.qa, &self.qa, self.ta);
        Balance {
            left: at_left.chunks_exact(n).map(<[Expr<'s>]>::to_vec).collect(),
            middle: values.iter().step_by(2).copied().collect(),
            half: values.iter().skip(1).step_by(2).map(|a| *a * (0.5 * self.h)).collect(),
        }
    }

    fn middle(&self, table: &Table) -> Vec<Expr<'s>> {
        self.combine(Some(&self.qa), &table.samples[0].position)
    }

    /// The fields of the model, completed by the one-forms as vectors where its complement is not given; and
    /// how many are admissible.
    fn complete_frame(&self) -> (Vec<Id>, usize) {
        let dynamics = self.dynamics;
        let Some(frame) = &dynamics.frame else { return (Vec::new(), 0) };
        let mut fields = frame.matrix();
        if frame.fields.len() < dynamics.dimension() {
            fields.extend(self.scope.with(|graph| dynamics.one_forms(graph)));
        }
        (fields, frame.rank)
    }
}

fn dot<'s>(path: &DiscretePath<'s>, a: &[Expr<'s>], b: &[Expr<'s>]) -> Expr<'s> {
    path.scope.sum(a.iter().zip(b).map(|(a, b)| *a * *b))
}

/// `1 - omega^T (omega omega^T)^-1 omega`, row by row.
fn projector(graph: &mut carom_expr::Graph, forms: &[Id], n: usize) -> Vec<Id> {
    let count = forms.len() / n;
    let row = |i: usize| &forms[i * n..(i + 1) * n];
    let gram: Vec<Id> = (0..count * count).map(|k| graph.dot(row(k / count), row(k % count))).collect();
    let (inverse, _) = graph.inverse(&gram, count);
    let mut all = Vec::with_capacity(n * n);
    for (i, j) in (0..n * n).map(|k| (k / n, k % n)) {
        let mut entry = graph.constant(f64::from(u8::from(i == j)));
        for (a, b) in (0..count * count).map(|k| (k / count, k % count)) {
            let weight = graph.mul(forms[a * n + i], inverse[a * count + b]);
            let term = graph.mul(weight, forms[b * n + j]);
            entry = graph.sub(entry, term);
        }
        all.push(entry);
    }
    all
}
