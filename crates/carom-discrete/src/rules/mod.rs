//! Discrete Lagrangians: rules that approximate the action of a step.
//!
//! A rule replaces the path of a step of duration `h` from `qa` to `qb` by an
//! interpolating curve, and the integral of the Lagrangian by a quadrature:
//!
//! ```text
//! Ld(qa, qb, h) = h sum_j b_j L( q(tau_j), q'(tau_j) / h, ta + tau_j h ).
//! ```
//!
//! The curve passes control nodes at the times `c_0 = 0 < c_1 < ... < c_s = 1`.
//! It is written in displacements `d_i = Q_i - qa` from the first node,
//!
//! ```text
//! q(tau) = qa + sum_i alpha_i(tau) d_i,    q'(tau) = sum_i beta_i(tau) d_i,
//! ```
//!
//! so that velocities do not suffer cancellation. `d_s = qb - qa`, the others
//! are internal and eliminated by stationarity of the action. Forces enter by
//! the discrete Lagrange-d'Alembert principle (Pekarek, eq. 3.1.10): the force
//! at control node `i` is `f_i = h sum_j b_j alpha_i(tau_j) F_j`.
//!
//! Adding a rule: one file with its table and properties, one line in [`all`].

mod galerkin;
mod gauss;
mod gni;
mod lobatto;
mod midpoint;
mod rectangle;
mod retraction;
mod trapezoidal;

pub use gauss::Gauss;
pub use gni::Gni;
pub use lobatto::Lobatto;
pub use midpoint::Midpoint;
pub use rectangle::{Left, Right};
pub use retraction::LinearRetraction;
pub use trapezoidal::Trapezoidal;

/// One evaluation of the Lagrangian inside a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Its weight `b` in the quadrature.
    pub weight: f64,
    /// Its time `tau` as a fraction of the step.
    pub time: f64,
    /// `alpha_i(tau)`, one per displacement.
    pub position: Vec<f64>,
    /// `beta_i(tau)`, one per displacement.
    pub velocity: Vec<f64>,
}

/// The curve and the quadrature of a rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Times `c_1 .. c_s` of the control nodes as fractions of the step; the last one is 1.
    pub nodes: Vec<f64>,
    /// The quadrature.
    pub samples: Vec<Sample>,
}

impl Table {
    /// Number `s` of displacements, internal ones included.
    pub fn stages(&self) -> usize {
        self.nodes.len()
    }

    /// The straight path `q = qa + tau d`, with samples `(weight, time)`.
    pub(crate) fn straight(samples: &[(f64, f64)]) -> Self {
        let sample = |&(weight, time): &(f64, f64)| Sample { weight, time, position: vec![time], velocity: vec![1.0] };
        Self { nodes: vec![1.0], samples: samples.iter().map(sample).collect() }
    }
}

/// What a rule promises. The verification suite measures every promise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Properties {
    /// Order of convergence, for free, forced and constrained systems.
    pub order: usize,
    /// True if the step keeps the symplectic form.
    pub symplectic: bool,
    /// True if a step of `-h` undoes a step of `h`.
    pub symmetric: bool,
    /// True if momenta of linear symmetries are kept.
    pub momentum: bool,
}

/// A discrete Lagrangian.
pub trait Rule: Send + Sync + std::fmt::Debug {
    /// Its name on the command line.
    fn name(&self) -> String;

    /// One line for tables.
    fn summary(&self) -> String;

    /// What it promises.
    fn properties(&self) -> Properties;

    /// Its curve and quadrature.
    fn table(&self) -> Table;

    /// The rule whose step of `-h` undoes this one's step of `h`.
    fn adjoint(&self) -> Box<dyn Rule>;

    /// True if velocity constraints reflect the momentum at the nodes instead of closing the step.
    fn reflects(&self) -> bool {
        false
    }
}

/// Every rule.
pub fn all() -> Vec<Box<dyn Rule>> {
    let mut rules: Vec<Box<dyn Rule>> =
        vec![Box::new(Midpoint), Box::new(Trapezoidal), Box::new(Left), Box::new(Right), Box::new(Gni)];
    rules.extend((1..=6).map(|s| Box::new(Gauss::new(s)) as Box<dyn Rule>));
    rules.extend((3..=5).map(|points| Box::new(Lobatto::new(points)) as Box<dyn Rule>));
    rules
}

/// The rule called `name`.
pub fn by_name(name: &str) -> Option<Box<dyn Rule>> {
    all().into_iter().find(|rule| rule.name() == name)
}
