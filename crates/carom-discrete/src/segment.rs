//! A segment: a piece of discrete path, closed by a condition at each end.
//!
//! Given the left end `(qa, pa)` and the duration `h`, the unknowns are the
//! displacements `d_1 .. d_s` of the control nodes and the multipliers
//! `lambda_0 .. lambda_(s-1)`. With the action `A(qa, d, h)` of the rule
//! ([`crate::rules`]), `D_1 Ld = dA/dqa - sum_i dA/dd_i`, and the equations are
//!
//! ```text
//! node 0:         pa + D_1 Ld + f_0 = G(qa)^T lambda_0                 (3.1.3, 3.1.5, 3.1.10)
//! node i < s:     dA/dd_i + f_i     = G(Q_i)^T lambda_i
//! node i >= 1:    g(Q_i) = 0                                           (3.1.7)
//! ```
//!
//! Afterwards `pb = dA/dd_s + f_s`. Adding up all equations, the same momentum is
//!
//! ```text
//! pb = pa + dA/dqa + sum_i f_i - sum_i G(Q_i)^T lambda_i,
//! ```
//!
//! a small correction of `pa`: this form is used, because its rounding errors
//! are smaller by a factor `h`, and momenta of cyclic coordinates are kept to
//! the last bit. The discrete energy is `E = -dA/dh`.
//!
//! With the duration unknown as well, the equation `E = Ea` (3.1.4) closes the
//! system: [`Closure::Energy`].

use crate::rules::Table;
use carom_expr::{Backend, Expr, Function, FunctionError, Group, Scope, ids};
use carom_model::Dynamics;

/// What closes a segment at its right end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closure {
    /// The duration is given.
    Grid,
    /// The duration is unknown; the discrete energy is given.
    Energy,
}

/// The compiled equations of a segment.
#[derive(Clone, Debug)]
pub struct Segment {
    /// Number of coordinates.
    pub n: usize,
    /// Number of constraints.
    pub m: usize,
    /// Number of displacements.
    pub stages: usize,
    /// Number of unknowns.
    pub unknowns: usize,
    /// Times of the control nodes as fractions of the step.
    pub nodes: Vec<f64>,
    /// Inputs to residual.
    pub residual: Function,
    /// Inputs to residual and Jacobian (row by row).
    pub newton: Function,
    /// Inputs to momentum change and discrete energy.
    pub advance: Function,
}

/// Order of the inputs of all three functions: unknowns, `qa`, `pa`, `Ea`, `h`, `ta`.
/// With [`Closure::Energy`] the last unknown is the duration and `h` is ignored.
pub(crate) struct Layout;

impl Layout {
    pub(crate) fn len(unknowns: usize, n: usize) -> usize {
        unknowns + 2 * n + 3
    }
    pub(crate) fn configuration(unknowns: usize) -> usize {
        unknowns
    }
    pub(crate) fn momentum(unknowns: usize, n: usize) -> usize {
        unknowns + n
    }
    pub(crate) fn energy(unknowns: usize, n: usize) -> usize {
        unknowns + 2 * n
    }
}

impl Segment {
    /// Derives and compiles the equations of `table` for `dynamics`.
    pub fn new(dynamics: &Dynamics, table: &Table, closure: Closure, backend: Backend) -> Result<Self, FunctionError> {
        let (n, m, s) = (dynamics.dimension(), dynamics.constraints.len(), table.stages());
        let scope = Scope::new(dynamics.graph.clone());
        let path = DiscretePath::new(&scope, dynamics, s, closure);
        let equations = path.equations(table);

        let (residual, inputs) = (ids(&equations.residual), path.inputs());
        let unknowns = path.unknowns();
        let advance = ids(&equations.advance);
        let (count, jacobian) = (unknowns.len(), {
            let unknowns = ids(&unknowns);
            scope.with(|graph| graph.jacobian(&residual, &unknowns).dense(graph))
        });
        let graph = scope.into_graph();
        let inputs = [Group::new("inputs", &inputs)];
        let residual = Group::new("residual", &residual);
        let compile = |outputs: &[Group<'_>]| Function::compile(&graph, &inputs, outputs, backend);
        Ok(Self {
            n,
            m,
            stages: s,
            unknowns: count,
            nodes: table.nodes.clone(),
            residual: compile(std::slice::from_ref(&residual))?,
            newton: compile(&[residual.clone(), Group::new("jacobian", &jacobian)])?,
            advance: compile(&[Group::new("advance", &advance)])?,
        })
    }
}

/// The variables of a segment.
struct DiscretePath<'s> {
    scope: &'s Scope,
    dynamics: &'s Dynamics,
    closure: Closure,
    qa: Vec<Expr<'s>>,
    pa: Vec<Expr<'s>>,
    energy: Expr<'s>,
    h: Expr<'s>,
    ta: Expr<'s>,
    /// Displacements of the control nodes.
    d: Vec<Vec<Expr<'s>>>,
    /// Multipliers of the control nodes but the last.
    lambda: Vec<Vec<Expr<'s>>>,
    /// Stands for the given duration where the duration is an unknown.
    unused: Expr<'s>,
}

/// The expressions of a segment.
struct Equations<'s> {
    residual: Vec<Expr<'s>>,
    advance: Vec<Expr<'s>>,
}

impl<'s> DiscretePath<'s> {
    fn new(scope: &'s Scope, dynamics: &'s Dynamics, stages: usize, closure: Closure) -> Self {
        let (n, m) = (dynamics.dimension(), dynamics.constraints.len());
        // Brackets cannot occur in names of a model, so nothing collides.
        let vector = |name: &str, size: usize| scope.variables(name, size);
        Self {
            scope,
            dynamics,
            closure,
            qa: vector("[qa]", n),
            pa: vector("[pa]", n),
            energy: scope.variable("[Ea]"),
            h: scope.variable("[h]"),
            ta: scope.variable("[ta]"),
            d: (0..stages).map(|i| vector(&format!("[d{i}]"), n)).collect(),
            lambda: (0..stages).map(|i| vector(&format!("[lambda{i}]"), m)).collect(),
            unused: scope.variable("[unused]"),
        }
    }

    fn unknowns(&self) -> Vec<Expr<'s>> {
        let mut all = [self.d.concat(), self.lambda.concat()].concat();
        all.extend((self.closure == Closure::Energy).then_some(self.h));
        all
    }

    fn inputs(&self) -> Vec<carom_expr::Id> {
        let h = if self.closure == Closure::Energy { self.unused } else { self.h };
        ids(&[self.unknowns(), self.qa.clone(), self.pa.clone(), vec![self.energy, h, self.ta]].concat())
    }

    /// An expression of `(q, v, t)` somewhere on the path.
    fn at(&self, roots: &[carom_expr::Id], q: &[Expr<'s>], v: &[Expr<'s>], t: Expr<'s>) -> Vec<Expr<'s>> {
        let dynamics = self.dynamics;
        let positions = dynamics.q.iter().copied().zip(ids(q));
        let velocities = dynamics.v.iter().copied().zip(ids(v));
        let replacements: Vec<_> = positions.chain(velocities).chain([(dynamics.time, t.id())]).collect();
        self.scope.exprs(&self.scope.with(|graph| graph.substitute(roots, &replacements)))
    }

    /// `base + sum_i weights_i d_i`, or without base.
    fn combine(&self, base: Option<&[Expr<'s>]>, weights: &[f64]) -> Vec<Expr<'s>> {
        let component = |k: usize| {
            let start = base.map_or(self.scope.constant(0.0), |base| base[k]);
            weights.iter().zip(&self.d).fold(start, |sum, (&w, d)| sum + w * d[k])
        };
        (0..self.dynamics.dimension()).map(component).collect()
    }

    fn equations(&self, table: &Table) -> Equations<'s> {
        let (action, forces) = self.action(table);
        let normal = self.constraint_forces();
        let by_qa = action.gradient(&self.qa);
        let by_d: Vec<Vec<Expr<'s>>> = self.d.iter().map(|d| action.gradient(d)).collect();
        let n = self.dynamics.dimension();

        // Momentum balance at node 0, stationarity at the internal nodes, constraints after.
        let mut residual = Vec::new();
        for k in 0..n {
            let d1 = by_qa[k] - self.scope.sum(by_d.iter().map(|slopes| slopes[k]));
            residual.push(self.pa[k] + d1 + forces[0][k] - normal[0][k]);
        }
        for i in 1..table.stages() {
            residual.extend((0..n).map(|k| by_d[i - 1][k] + forces[i][k] - normal[i][k]));
        }
        for d in &self.d {
            let node: Vec<Expr<'s>> = self.qa.iter().zip(d).map(|(q, d)| *q + *d).collect();
            residual.extend(self.at(&self.dynamics.constraints, &node, &node, self.ta));
        }
        let energy = -action.derivative(self.h);
        if self.closure == Closure::Energy {
            residual.push(energy - self.energy);
        }

        let change = |k: usize| {
            let force = self.scope.sum(forces.iter().map(|f| f[k]));
            by_qa[k] + force - self.scope.sum(normal.iter().map(|f| f[k]))
        };
        let advance = (0..n).map(change).chain([energy]).collect();
        Equations { residual, advance }
    }

    /// The action `A(qa, d, h)` and the discrete forces `f_0 .. f_s`.
    fn action(&self, table: &Table) -> (Expr<'s>, Vec<Vec<Expr<'s>>>) {
        let dynamics = self.dynamics;
        let n = dynamics.dimension();
        let per_time = 1.0 / self.h;
        let roots = [&[dynamics.lagrangian][..], &dynamics.forces].concat();
        let mut sum = self.scope.constant(0.0);
        let mut forces = vec![vec![self.scope.constant(0.0); n]; table.stages() + 1];
        for sample in &table.samples {
            let q = self.combine(Some(&self.qa), &sample.position);
            let v: Vec<_> = self.combine(None, &sample.velocity).into_iter().map(|d| d * per_time).collect();
            let values = self.at(&roots, &q, &v, self.ta + sample.time * self.h);
            sum = sum + sample.weight * values[0];
            // The weight of node 0 is what the displacements leave.
            let first = 1.0 - sample.position.iter().sum::<f64>();
            for (force, share) in forces.iter_mut().zip([first].iter().chain(&sample.position)) {
                for (total, value) in force.iter_mut().zip(&values[1..]) {
                    *total = *total + (sample.weight * share) * *value * self.h;
                }
            }
        }
        (sum * self.h, forces)
    }

    /// `G(Q_i)^T lambda_i` at the control nodes `0 .. s-1`.
    fn constraint_forces(&self) -> Vec<Vec<Expr<'s>>> {
        let dynamics = self.dynamics;
        let (n, m) = (dynamics.dimension(), dynamics.constraints.len());
        let jacobian = self.scope.with(|g| g.jacobian(&dynamics.constraints, &dynamics.q).dense(g));
        let mut all = Vec::new();
        for (i, lambda) in self.lambda.iter().enumerate() {
            let node: Vec<Expr<'s>> = match i {
                0 => self.qa.clone(),
                _ => self.qa.iter().zip(&self.d[i - 1]).map(|(q, d)| *q + *d).collect(),
            };
            let g = self.at(&jacobian, &node, &node, self.ta);
            let force = |k: usize| self.scope.sum((0..m).map(|row| g[row * n + k] * lambda[row]));
            all.push((0..n).map(force).collect());
        }
        all
    }
}
