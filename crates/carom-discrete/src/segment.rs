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
//! With the duration unknown as well, one more equation closes the system: `E = Ea` (3.1.4) for
//! [`Closure::Energy`], `phi(qb) = 0` (3.2.2) for [`Closure::Contact`].
//!
//! After an impact at `qa` the momentum is known up to its part along a direction `delta` normal to the
//! surface, and the energy is known instead ([`Opening::Impact`], (3.2.3), (3.2.4), (3.3.2)):
//!
//! ```text
//! node 0:     pa + nu delta + D_1 Ld + f_0 = G(qa)^T lambda_0,      E = Ea.
//! ```
//!
//! Velocity constraints `omega(q) v = 0` add their one-forms to `G`, and as conditions
//!
//! ```text
//! sum_j b_j P_i(2 tau_j - 1) omega(q_j) v_j = 0,      i = 0 .. s-1,
//! ```
//!
//! the integrals of `omega(q) v` against the first Legendre polynomials by the quadrature of the rule: for
//! the midpoint rule `omega((qa + qb)/2) (qb - qa) = 0`, for the left rule `omega(qa) (qb - qa) = 0`. That is
//! the discrete Lagrange-d'Alembert principle (Cortés and Martínez 2001), and in position-momentum form the
//! (+)-equations of Lagrange, d'Alembert and Pontryagin (004, (1)), with the linear retraction that belongs
//! to the rule.
//!
//! Where forces act or time enters, the energy that an end sees when it is moved in time is not the same at
//! both ends: the path between them stretches, and forces work along it,
//!
//! ```text
//! right end:  E_b = -dA/dh + h sum_j b_j tau_j F_j v_j
//! left end:   E_a = dA/dta - dA/dh - h sum_j b_j (1 - tau_j) F_j v_j,
//! ```
//!
//! and an impact balances `E_b` of the segment before with `E_a` of the one after. Without forces and time
//! both are `-dA/dh`.
//!
//! Constraints that keep their values read `g(Q_i) = g(qa)`. Forces of contacts that slide with friction
//! act along `H` instead of `G` (`Dynamics::force_directions`).

use crate::discrete_path::DiscretePath;
use crate::null_space::Formulation;
use crate::rules::Table;
use carom_expr::{Backend, Function, FunctionError, Group, Scope, ids};
use carom_model::Dynamics;

/// What opens a segment at its left end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// The momentum is given.
    Smooth,
    /// The momentum is given but for its part along a direction; the discrete energy is given.
    Impact,
}

/// What closes a segment at its right end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closure {
    /// The duration is given.
    Grid,
    /// The duration is unknown; the discrete energy is given.
    Energy,
    /// The duration is unknown; the gap of this surface vanishes at the end.
    Contact(usize),
}

/// How the equations of a segment depend on its unknowns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Linearity {
    /// They must be iterated.
    Nonlinear,
    /// One correction is exact: explicit methods.
    Linear,
    /// One correction is exact, and its matrix depends on the duration alone.
    Constant,
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
    /// How the equations depend on the unknowns.
    pub linearity: Linearity,
    /// Inputs to residual.
    pub residual: Function,
    /// Inputs to residual and Jacobian (row by row).
    pub newton: Function,
    /// Inputs to momentum change and discrete energies, at the end and at the start.
    pub advance: Function,
}

/// Where the inputs of all three functions stand; the unknowns come first. The last unknowns are the
/// duration, if it is one, and the impulse along the direction of an impact, if there is one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    pub(crate) q: usize,
    pub(crate) p: usize,
    pub(crate) energy: usize,
    pub(crate) duration: usize,
    pub(crate) time: usize,
    pub(crate) direction: usize,
    pub(crate) len: usize,
}

impl Layout {
    pub(crate) fn new(unknowns: usize, n: usize) -> Self {
        let (q, p, energy) = (unknowns, unknowns + n, unknowns + 2 * n);
        Self { q, p, energy, duration: energy + 1, time: energy + 2, direction: energy + 3, len: energy + 3 + n }
    }
}

impl Segment {
    /// Derives and compiles the equations of `table` for `dynamics`.
    pub fn new(
        dynamics: &Dynamics,
        table: &Table,
        (opening, closure): (Opening, Closure),
        formulation: Formulation,
        backend: Backend,
    ) -> Result<Self, FunctionError> {
        let (n, m, s) = (dynamics.dimension(), dynamics.constraint_count(), table.stages());
        let scope = Scope::new(dynamics.graph.clone());
        let path = DiscretePath::new(&scope, dynamics, s, (opening, closure));
        let mut equations = path.equations(table);
        if formulation == Formulation::Hamel && path.is_hamel(table) {
            equations = path.hamel(table, equations);
        }
        let mut unknowns = path.unknowns();
        if (opening, closure) == (Opening::Smooth, Closure::Grid) && path.is_first_order() {
            equations = path.on_primary_constraint(&equations);
            unknowns.extend(path.projections());
        }

        let (residual, inputs) = (ids(&equations.residual), path.inputs(&unknowns));
        let advance = ids(&equations.advance);
        let (count, jacobian) = (unknowns.len(), {
            let unknowns = ids(&unknowns);
            scope.with(|graph| graph.jacobian(&residual, &unknowns).dense(graph))
        });
        let given = ids(&[&path.qa[..], &path.pa, &[path.ta]].concat());
        let unknowns = ids(&unknowns);
        let graph = scope.into_graph();
        let depends = |on: &[carom_expr::Id]| graph.any_depends_on(&jacobian, on);
        let linearity = match (depends(&unknowns), depends(&given)) {
            (true, _) => Linearity::Nonlinear,
            (_, true) => Linearity::Linear,
            _ => Linearity::Constant,
        };
        let inputs = [Group::new("inputs", &inputs)];
        let residual = Group::new("residual", &residual);
        let compile = |outputs: &[Group<'_>]| Function::compile(&graph, &inputs, outputs, backend);
        Ok(Self {
            n,
            m,
            stages: s,
            unknowns: count,
            nodes: table.nodes.clone(),
            linearity,
            residual: compile(std::slice::from_ref(&residual))?,
            newton: compile(&[residual.clone(), Group::new("jacobian", &jacobian)])?,
            advance: compile(&[Group::new("advance", &advance)])?,
        })
    }
}

impl Segment {
    pub(crate) fn layout(&self) -> Layout {
        Layout::new(self.unknowns, self.n)
    }
}
