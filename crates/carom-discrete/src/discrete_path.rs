//! The equations of a segment as expressions: variables, action, forces, residuals ([`crate::segment`]).

use crate::rules::Table;
use crate::segment::{Closure, Opening};
use carom_expr::{Expr, Scope, ids};
use carom_model::Dynamics;

/// The variables of a segment.
pub(crate) struct DiscretePath<'s> {
    pub(crate) scope: &'s Scope,
    pub(crate) dynamics: &'s Dynamics,
    opening: Opening,
    closure: Closure,
    pub(crate) qa: Vec<Expr<'s>>,
    pub(crate) pa: Vec<Expr<'s>>,
    pub(crate) energy: Expr<'s>,
    pub(crate) h: Expr<'s>,
    pub(crate) ta: Expr<'s>,
    /// Displacements of the control nodes.
    pub(crate) d: Vec<Vec<Expr<'s>>>,
    /// Multipliers of the control nodes but the last.
    pub(crate) lambda: Vec<Vec<Expr<'s>>>,
    /// Direction of the impulse of an impact, and its size.
    pub(crate) direction: Vec<Expr<'s>>,
    nu: Expr<'s>,
    /// Stands for the given duration where the duration is an unknown.
    unused: Expr<'s>,
    /// Controls: the variable that stands for each, and its values at the samples of the rule.
    pub(crate) controls: Vec<(carom_expr::Id, Vec<Expr<'s>>)>,
}

/// The expressions of a segment.
pub(crate) struct Equations<'s> {
    pub(crate) residual: Vec<Expr<'s>>,
    pub(crate) advance: Vec<Expr<'s>>,
}

impl<'s> DiscretePath<'s> {
    pub(crate) fn new(
        scope: &'s Scope,
        dynamics: &'s Dynamics,
        stages: usize,
        (opening, closure): (Opening, Closure),
    ) -> Self {
        let (n, m) = (dynamics.dimension(), dynamics.constraint_count());
        // Brackets cannot occur in names of a model, so nothing collides.
        let vector = |name: &str, size: usize| scope.variables(name, size);
        Self {
            scope,
            dynamics,
            opening,
            closure,
            qa: vector("[qa]", n),
            pa: vector("[pa]", n),
            energy: scope.variable("[Ea]"),
            h: scope.variable("[h]"),
            ta: scope.variable("[ta]"),
            d: (0..stages).map(|i| vector(&format!("[d{i}]"), n)).collect(),
            lambda: (0..stages).map(|i| vector(&format!("[lambda{i}]"), m)).collect(),
            direction: vector("[delta]", n),
            nu: scope.variable("[nu]"),
            unused: scope.variable("[unused]"),
            controls: Vec::new(),
        }
    }

    pub(crate) fn unknowns(&self) -> Vec<Expr<'s>> {
        let mut all = [self.d.concat(), self.lambda.concat()].concat();
        all.extend((self.closure != Closure::Grid).then_some(self.h));
        all.extend((self.opening == Opening::Impact).then_some(self.nu));
        all
    }

    pub(crate) fn inputs(&self, unknowns: &[Expr<'s>]) -> Vec<carom_expr::Id> {
        let h = if self.closure == Closure::Grid { self.h } else { self.unused };
        let given = vec![self.energy, h, self.ta];
        ids(&[unknowns, &self.qa, &self.pa, &given, &self.direction].concat())
    }

    /// An expression of `(q, v, t)` somewhere on the path.
    pub(crate) fn at(&self, roots: &[carom_expr::Id], q: &[Expr<'s>], v: &[Expr<'s>], t: Expr<'s>) -> Vec<Expr<'s>> {
        self.scope.exprs(&self.scope.with(|graph| graph.substitute(roots, &self.places(q, v, t))))
    }

    /// What replaces configuration, velocity and time.
    fn places(&self, q: &[Expr<'s>], v: &[Expr<'s>], t: Expr<'s>) -> Vec<(carom_expr::Id, carom_expr::Id)> {
        let positions = self.dynamics.q.iter().copied().zip(ids(q));
        let velocities = self.dynamics.v.iter().copied().zip(ids(v));
        positions.chain(velocities).chain([(self.dynamics.time, t.id())]).collect()
    }

    /// What replaces configuration, velocity, time and controls at a sample of the rule.
    pub(crate) fn sampled(&self, table: &Table, number: usize) -> Vec<(carom_expr::Id, carom_expr::Id)> {
        let sample = &table.samples[number];
        let per_time = 1.0 / self.h;
        let q = self.combine(Some(&self.qa), &sample.position);
        let v: Vec<_> = self.combine(None, &sample.velocity).into_iter().map(|d| d * per_time).collect();
        let mut places = self.places(&q, &v, self.ta + sample.time * self.h);
        places.extend(self.controls.iter().map(|(input, values)| (*input, values[number].id())));
        places
    }

    /// `base + sum_i weights_i d_i`, or without base.
    pub(crate) fn combine(&self, base: Option<&[Expr<'s>]>, weights: &[f64]) -> Vec<Expr<'s>> {
        let component = |k: usize| {
            let start = base.map_or(self.scope.constant(0.0), |base| base[k]);
            weights.iter().zip(&self.d).fold(start, |sum, (&w, d)| sum + w * d[k])
        };
        (0..self.dynamics.dimension()).map(component).collect()
    }

    pub(crate) fn equations(&self, table: &Table) -> Equations<'s> {
        let (action, forces, [before, after]) = self.action(table);
        let normal = self.constraint_forces();
        let by_qa = action.gradient(&self.qa);
        let by_d: Vec<Vec<Expr<'s>>> = self.d.iter().map(|d| action.gradient(d)).collect();
        let n = self.dynamics.dimension();

        // Momentum balance at node 0, stationarity at the internal nodes, constraints after.
        let mut residual = Vec::new();
        for k in 0..n {
            let d1 = by_qa[k] - self.scope.sum(by_d.iter().map(|slopes| slopes[k]));
            residual.push(self.momentum(k) + d1 + forces[0][k] - normal[0][k]);
        }
        for i in 1..table.stages() {
            residual.extend((0..n).map(|k| by_d[i - 1][k] + forces[i][k] - normal[i][k]));
        }
        self.d.iter().for_each(|d| residual.extend(self.constraints(d)));
        residual.extend(self.velocity_constraints(table));
        let energy = -action.derivative(self.h);
        if let Closure::Contact(surface) = self.closure
            && let Some(last) = self.d.last()
        {
            let node = self.node(last);
            residual.extend(self.at(&[self.dynamics.surfaces[surface].gap], &node, &node, self.ta));
        }
        // Energies at both ends: the path stretches with its ends, and forces work along it.
        let energy_end = energy + after;
        let energy_start = energy + action.derivative(self.ta) - before;
        if self.opening == Opening::Impact {
            residual.push(energy_start - self.energy);
        } else if self.closure == Closure::Energy {
            residual.push(energy - self.energy);
        }
        let energy = if self.closure == Closure::Energy { energy } else { energy_end };

        let change = |k: usize| {
            let force = self.scope.sum(forces.iter().map(|f| f[k])) + self.momentum(k) - self.pa[k];
            by_qa[k] + force - self.scope.sum(normal.iter().map(|f| f[k]))
        };
        let advance = (0..n).map(change).chain([energy, energy_start]).collect();
        Equations { residual, advance }
    }

    /// `Q_i = qa + d_i`
    pub(crate) fn node(&self, d: &[Expr<'s>]) -> Vec<Expr<'s>> {
        self.qa.iter().zip(d).map(|(q, d)| *q + *d).collect()
    }

    /// A component of the momentum at the left end.
    pub(crate) fn momentum(&self, k: usize) -> Expr<'s> {
        match self.opening {
            Opening::Smooth => self.pa[k],
            Opening::Impact => self.pa[k] + self.nu * self.direction[k],
        }
    }

    /// `g(Q_i)`, less `g(qa)` for constraints that keep their values.
    pub(crate) fn constraints(&self, d: &[Expr<'s>]) -> Vec<Expr<'s>> {
        let all = &self.dynamics.constraints;
        let node = self.node(d);
        let mut values = self.at(all, &node, &node, self.ta);
        let zeros = all.len() - self.dynamics.kept_values;
        let kept = self.at(&all[zeros..], &self.qa, &self.qa, self.ta);
        values[zeros..].iter_mut().zip(kept).for_each(|(value, kept)| *value = *value - kept);
        values
    }

    /// `sum_j b_j P_i(2 tau_j - 1) omega(q_j) h v_j` for the Legendre polynomials `P_0 .. P_(s-1)`.
    pub(crate) fn velocity_constraints(&self, table: &Table) -> Vec<Expr<'s>> {
        let all = &self.dynamics.velocity_constraints;
        let zero = self.scope.constant(0.0);
        let mut rows = vec![zero; if all.is_empty() { 0 } else { all.len() * table.stages() }];
        for sample in &table.samples {
            let q = self.combine(Some(&self.qa), &sample.position);
            let d = self.combine(None, &sample.velocity);
            let values = self.at(all, &q, &d, self.ta);
            let tests = legendre_polynomials(2.0 * sample.time - 1.0, table.stages());
            let pairs = tests.iter().flat_map(|test| values.iter().map(move |value| (test, *value)));
            for (row, (test, value)) in rows.iter_mut().zip(pairs) {
                *row = *row + (sample.weight * test) * value;
            }
        }
        rows
    }

    /// The action `A(qa, d, h)`, the discrete forces `f_0 .. f_s`, and what the forces do when one end of the
    /// path is moved in time, `h sum_j b_j (1 - tau_j) F_j v_j` and `h sum_j b_j tau_j F_j v_j`.
    pub(crate) fn action(&self, table: &Table) -> (Expr<'s>, Vec<Vec<Expr<'s>>>, [Expr<'s>; 2]) {
        let dynamics = self.dynamics;
        let n = dynamics.dimension();
        let roots = [&[dynamics.lagrangian][..], &dynamics.forces].concat();
        let mut sum = self.scope.constant(0.0);
        let mut forces = vec![vec![self.scope.constant(0.0); n]; table.stages() + 1];
        let mut works = [self.scope.constant(0.0); 2];
        for (number, sample) in table.samples.iter().enumerate() {
            let places = self.sampled(table, number);
            let v = self.scope.exprs(&places[n..2 * n].iter().map(|place| place.1).collect::<Vec<_>>());
            let values = self.scope.exprs(&self.scope.with(|graph| graph.substitute(&roots, &places)));
            sum = sum + sample.weight * values[0];
            let power = self.scope.sum(values[1..].iter().zip(&v).map(|(f, v)| *f * *v)) * self.h;
            works[0] = works[0] + sample.weight * (1.0 - sample.time) * power;
            works[1] = works[1] + sample.weight * sample.time * power;
            // The weight of node 0 is what the displacements leave.
            let first = 1.0 - sample.position.iter().sum::<f64>();
            for (force, share) in forces.iter_mut().zip([first].iter().chain(&sample.position)) {
                for (total, value) in force.iter_mut().zip(&values[1..]) {
                    *total = *total + (sample.weight * share) * *value * self.h;
                }
            }
        }
        (sum * self.h, forces, works)
    }

    /// `H(Q_i)^T lambda_i` at the control nodes `0 .. s-1`.
    pub(crate) fn constraint_forces(&self) -> Vec<Vec<Expr<'s>>> {
        let dynamics = self.dynamics;
        let (n, m) = (dynamics.dimension(), dynamics.constraint_count());
        let jacobian = self.scope.with(|g| dynamics.force_directions(g));
        let mut all = Vec::new();
        for (i, lambda) in self.lambda.iter().enumerate() {
            let node: Vec<Expr<'s>> = match i {
                0 => self.qa.clone(),
                _ => self.node(&self.d[i - 1]),
            };
            let g = self.at(&jacobian, &node, &node, self.ta);
            let force = |k: usize| self.scope.sum((0..m).map(|row| g[row * n + k] * lambda[row]));
            all.push((0..n).map(force).collect());
        }
        all
    }
}

/// `P_0(x) .. P_(count-1)(x)`
fn legendre_polynomials(x: f64, count: usize) -> Vec<f64> {
    let mut all = vec![1.0, x];
    for k in 1..count {
        let k_real = k as f64;
        all.push(((2.0 * k_real + 1.0) * x * all[k] - k_real * all[k - 1]) / (k_real + 1.0));
    }
    all.truncate(count);
    all
}
